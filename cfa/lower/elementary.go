package lower

// Calls of exp, log, sin, pow and functions like them with constant arguments.
//
// Idea: the value of such a function is enclosed by numbers of its type (package elementary), and what a
// library computes is assumed to be at most nearUnits places away; where the value is a number of the type,
// it is assumed to be that. No violation rests on which number it is. An argument is constant as well where
// it is made of variables of the function that are only initialised, with such constants, and control does
// not jump. All other calls are left to the models, which know ranges.
//
// Source: the GNU C library's manual states errors of at most 4 units for these functions; the C standard leaves them
// open. Where the program changes the rounding mode, nothing is assumed. Cost: package elementary's, once a call.

import (
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/elementary"
	"magus/smt/expr"
	"magus/smt/softfloat"

	"modernc.org/cc/v4"
)

// nearUnits is how many units in the last place the result of a library may be away from the value.
const nearUnits = 4

// elementary is a call of such a function, evaluated arguments being in c.vals; false if it is left to the model.
func (l *computing) elementary(c *callSite) (value, bool) {
	if l.prog.LibraryObject(libraryRounding) != nil || c.ret.class != classFloat || l.Dead() {
		return value{}, false
	}
	args := make([]uint64, len(c.vals))
	for i := range c.vals {
		x := l.constantArgument(c, i)
		if x == nil {
			return value{}, false
		}
		args[i] = x.Value()
	}
	t, name := c.ret.typ, strings.TrimSuffix(c.name, "f")
	if c.ret.typ == expr.Float64 { // of long double, too, where that is double
		name = strings.TrimSuffix(c.name, "l")
	}
	if v, ok := elementary.Exact(t.Format(), name, args...); ok {
		l.Assume(cfa.AboutLibrary, c.pos, "%s: is what it should be where that is a number of its type", c.name)
		return value{c.ret, l.Pool.Const(t, v), nil}, true
	}
	lo, hi, ok := elementary.Enclose(t.Format(), name, args...)
	if !ok {
		return value{}, false
	}
	l.Assume(cfa.AboutLibrary, c.pos, "%s: is at most %d units in the last place away from what it should be",
		c.name, nearUnits)
	v := l.Any(t, c.name, notModelled(c.name), c.pos)
	least, most := l.away(t, lo, false), l.away(t, hi, true)
	if m, bounded := mostOf[name]; bounded { // sin, cos and tanh are not above 1
		least, most = l.clamped(t, least, -m), l.clamped(t, most, m)
	}
	l.holds(l.Pool.Land(l.Pool.FLe(least, v), l.Pool.FLe(v, most)), c.pos)
	return value{c.ret, v, nil}, true
}

// holds ends runs on which what is known of a value that is not modelled does not hold.
func (l *computing) holds(known *expr.Expr, pos cfa.Pos) {
	var yes, no cfa.Ends
	l.Known(func() { yes, no = l.Branch(known, pos) })
	if l.Continue(no); len(no) > 0 {
		l.Halt(cfa.AssumptionFails, pos)
	}
	l.Continue(yes)
}

// longRemainder is a remainder of long doubles, where it is computed.
func (l *computing) longRemainder(c *callSite) (value, bool) {
	nearest := c.name == "remainderl"
	if !nearest && c.name != "fmodl" || len(c.vals) != 2 || l.Dead() {
		return value{}, false
	}
	x, y := c.vals[0], c.vals[1]
	if x.class != classExtended && x.class != classFloat || x.ctype != y.ctype {
		return value{}, false
	}
	r := l.remainder(x.t, y.t, nearest)
	if r == nil {
		return value{}, false
	}
	return value{x.ctype, l.mayMakeNaN(r), nil}, true
}

// growing are the functions of one argument that grow with it wherever they have a value.
var growing = nameSet("exp exp2 expm1 log log2 log10 log1p sinh asinh tanh atan cbrt asin atanh acosh")

// bounded is the result of a call whose argument is not known, with bounds: a function that grows is at most what it is
// at a constant that its argument is not above, and at least what it is at one that it is not below. Constants are
// those of the procedure. acos falls; pow of a constant exponent above 0 grows from 0 on.
func (l *computing) bounded(c *callSite, args []value, r value) value {
	name := strings.TrimRight(c.name, "fl")
	falls, power := name == "acos", name == "pow"
	if l.Dead() || l.prog.LibraryObject(libraryRounding) != nil || r.class != classFloat || r.t == nil || r.t.IsConst() ||
		!growing[name] && !falls && !power || len(args) == 0 || args[0].class != classFloat {
		return r
	}
	t, rest := r.typ, []uint64(nil)
	zero := l.number(t, 0)
	if power {
		y := args[1].t
		if y == nil || !y.IsConst() || !l.Pool.FLt(zero, y).IsTrue() {
			return r
		}
		rest = []uint64{y.Value()}
	}
	known, bounds := l.Pool.True(), 0
	for _, at := range l.constantsNear(c, t) {
		lo, hi, ok := elementary.Enclose(t.Format(), name, append([]uint64{at.Value()}, rest...)...)
		if !ok || power && l.Pool.FLt(at, zero).IsTrue() || bounds == maxNear {
			continue
		}
		bounds++
		x := args[0].t
		below, above := l.Pool.FLe(x, at), l.Pool.FLe(at, x)
		if power {
			below = l.Pool.Land(below, l.Pool.FLe(zero, x))
		}
		if falls {
			below, above = above, below
		}
		known = l.Pool.Land(known, l.Pool.Lor(l.Pool.Not(below), l.Pool.FLe(r.t, l.away(t, hi, true))),
			l.Pool.Lor(l.Pool.Not(above), l.Pool.FLe(l.away(t, lo, false), r.t)))
	}
	if known.IsTrue() {
		return r
	}
	l.Assume(cfa.AboutLibrary, c.pos, "%s: is at most %d units in the last place away from what it should be, so that it "+
		"is bounded by what it is at constants of the program", c.name, nearUnits)
	l.holds(known, c.pos)
	return r
}

// maxNear is how many constants of a procedure bound a function: those that are nearest in the text.
const maxNear = 10

// constantsNear are numbers of a format that the procedure of a call names, of both signs, those of near lines first.
func (l *computing) constantsNear(c *callSite, t expr.Type) (all []*expr.Expr) {
	away := map[*expr.Expr]int{}
	add := func(x *expr.Expr, line int) {
		for _, v := range []*expr.Expr{x, l.Pool.FNeg(x)} {
			d := max(line-c.pos.Line, c.pos.Line-line)
			if old, ok := away[v]; !ok {
				all = append(all, v)
				away[v] = d
			} else {
				away[v] = min(old, d)
			}
		}
	}
	source.Inspect(l.fr.proc.Def.CompoundStatement, func(n any) bool {
		x, ok := n.(*cc.PrimaryExpression)
		switch {
		case !ok || l.Dead():
		case x.Case == cc.PrimaryExpressionInt:
			if v, ok := l.prog.Layouts.Constant(x); ok && v < 1<<24 && v >= 0 {
				add(l.number(t, v), source.Position(x.Position()).Line)
			}
		case x.Case == cc.PrimaryExpressionFloat:
			if v := l.floatLiteral(x); v.t != nil && v.class == classFloat && v.t.IsConst() {
				add(l.Pool.FCast(l.Pool.Rounding(softfloat.NearestEven), t, v.t), source.Position(x.Position()).Line)
			}
		}
		return true
	})
	slices.SortStableFunc(all, func(a, b *expr.Expr) int { return away[a] - away[b] })
	return all
}

// mostOf is the greatest magnitude of functions that have one.
var mostOf = map[string]int64{"sin": 1, "cos": 1, "tanh": 1}

// away is a normal number that is one less than nearUnits places further up, or down.
func (l *lowerer) away(t expr.Type, bits uint64, up bool) *expr.Expr {
	if up == t.Format().IsNegative(bits) {
		return l.Pool.Const(t, bits-(nearUnits-1))
	}
	return l.Pool.Const(t, bits+nearUnits-1)
}

// clamped is x, but not beyond an integer other than 0.
func (l *lowerer) clamped(t expr.Type, x *expr.Expr, most int64) *expr.Expr {
	m := l.Pool.IntToF(l.toZero(), t, l.Pool.Int(expr.Int32, most))
	if l.Pool.FLt(m, x).IsTrue() == (most > 0) {
		return m
	}
	return x
}

// constantArgument is the value of an argument if it is a constant.
func (l *computing) constantArgument(c *callSite, i int) *expr.Expr {
	x := c.vals[i].t
	if x == nil || !x.Type().IsFloat() {
		return nil
	}
	if !x.IsConst() && i < len(c.args) {
		x = l.Pool.Subst(x, l.fixedIn(c.args[i], maxFixed))
	}
	if !x.IsConst() {
		return nil
	}
	return x
}

// maxFixed is how many variables a value may go through.
const maxFixed = 4

// fixedIn are the variables of an expression that have one value.
func (l *computing) fixedIn(n cc.ExpressionNode, depth int) map[*expr.Expr]*expr.Expr {
	by := map[*expr.Expr]*expr.Expr{}
	if depth == 0 || l.jumps() {
		return by
	}
	source.Inspect(n, func(n any) bool {
		x, ok := n.(*cc.PrimaryExpression)
		if !ok || x.Case != cc.PrimaryExpressionIdent {
			return true
		}
		if d := source.Declarator(x); d != nil && l.fr.locals[d] != nil {
			if v := l.fixed(d, depth); v != nil {
				by[l.fr.locals[d]] = v
			}
		}
		return true
	})
	return by
}

// fixed is the value that a variable is initialised with, if it is a constant and the variable has no other.
func (l *computing) fixed(d *cc.Declarator, depth int) *expr.Expr {
	if d.WriteCount() != 1 || d.AddressTaken() || d.IsParam() || d.IsStatic() || d.IsVolatile() ||
		!l.ctypeOf(d.Type()).scalar() {
		return nil
	}
	init := l.initialiser(d)
	if init == nil || !l.expressions.pure(init) {
		return nil
	}
	v := l.expressions.convert(l.expressions.rvalue(init), l.ctypeOf(d.Type()), init)
	if v.t == nil {
		return nil
	}
	if x := l.Pool.Subst(v.t, l.fixedIn(init, depth-1)); x.IsConst() {
		return x
	}
	return nil
}

// initialiser is the expression that a variable of the function is initialised with.
func (l *computing) initialiser(d *cc.Declarator) (init cc.ExpressionNode) {
	source.Inspect(l.fr.proc.Def.CompoundStatement, func(n any) bool {
		if x, ok := n.(*cc.InitDeclarator); ok && x.Declarator == d && x.Initializer != nil &&
			x.Initializer.Case == cc.InitializerExpr {
			init = x.Initializer.AssignmentExpression
		}
		return true
	})
	return init
}

// jumps reports whether control may come by a declaration without its initialiser, or a variable may be changed
// that nothing is assigned to.
func (l *computing) jumps() (found bool) {
	source.Inspect(l.fr.proc.Def.CompoundStatement, func(n any) bool {
		switch x := n.(type) {
		case *cc.LabeledStatement, *cc.AsmStatement:
			found = true
		case *cc.SelectionStatement:
			found = found || x.Case == cc.SelectionStatementSwitch
		}
		return !found
	})
	return found
}
