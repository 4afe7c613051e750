package specs

import (
	"errors"
	"strconv"

	"magus/smt/expr"
)

// From C expressions to typed terms by C's rules: integer promotion and the
// usual arithmetic conversions (C11 6.3.1) for the operators, int for
// comparisons. Division by zero has the value that [expr] gives it; the
// constant 0 as a divisor is refused. Cost: linear in the expression.

// A Scope gives names and arguments their meaning. Both methods return a term
// of any type, or an error that says why there is none; one that is an *Error
// with a place is handed on as it is, others get the place. Law: the same
// question has the same answer.
type Scope interface {
	// Lookup is the value of a variable or an enumeration constant, or of a
	// member or element: "s.f", "a[2].x", "$1->f".
	Lookup(name string, pos Pos) (*expr.Expr, error)
	// Arg is the value of $i: the returned value for 0, else the argument i
	// counted from 1.
	Arg(i int) (*expr.Expr, error)
}

// A PathScope also follows pointers: a path is an expression of *, &, ->, . and constant indices that begins with an
// argument or a name, such as *$4, &$1->f or &d->m1.
type PathScope interface {
	Scope
	// Follows reports whether Path is to be asked. If it is not, a path without * and & is looked up.
	Follows(path string) bool
	Path(path string) (*expr.Expr, error)
}

// Term is e as a value of its C type; long has longWidth bits, 32 or 64.
// Errors are *Error and have a place.
func (e *CExpr) Term(p *expr.Pool, s Scope, longWidth int) (*expr.Expr, error) {
	return typer{p, s, longWidth}.value(e)
}

// Cond is e as a condition: whether its value differs from 0.
func (e *CExpr) Cond(p *expr.Pool, s Scope, longWidth int) (*expr.Expr, error) {
	return typer{p, s, longWidth}.cond(e)
}

type typer struct {
	p         *expr.Pool
	scope     Scope
	longWidth int
}

// value is e as a bit-vector: a condition is C's int 0 or 1.
func (t typer) value(e *CExpr) (*expr.Expr, error) {
	x, err := t.term(e)
	if err != nil {
		return nil, err
	}
	if x.Type().IsBool() {
		x = t.p.FromBool(expr.Int32, x)
	}
	return x, nil
}

func (t typer) cond(e *CExpr) (*expr.Expr, error) {
	x, err := t.term(e)
	if err != nil {
		return nil, err
	}
	return t.truth(x), nil
}

// conds are the operands of e as conditions.
func (t typer) conds(es ...*CExpr) (a, b *expr.Expr, err error) {
	if a, err = t.cond(es[0]); err != nil {
		return nil, nil, err
	}
	b, err = t.cond(es[1])
	return a, b, err
}

// common are two values converted to their common type.
func (t typer) common(es ...*CExpr) (a, b *expr.Expr, err error) {
	if a, err = t.value(es[0]); err != nil {
		return nil, nil, err
	}
	if b, err = t.value(es[1]); err != nil {
		return nil, nil, err
	}
	if a.Type().IsFloat() || b.Type().IsFloat() {
		a, b = t.commonFloats(a, b)
		return a, b, nil
	}
	c := expr.Common(a.Type(), b.Type())
	return t.p.Cast(c, a), t.p.Cast(c, b), nil
}

// term is e as a bit-vector, or as a condition where its value is 0 or 1.
func (t typer) term(e *CExpr) (*expr.Expr, error) {
	switch e.kind {
	case exprName:
		return t.name(e)
	case exprArg:
		i, err := strconv.Atoi(e.text[1:])
		if err != nil {
			return nil, e.fail("%s: %v", e.text, err)
		}
		x, err := t.scope.Arg(i)
		return found(e, x, err)
	case exprInt:
		lit, err := parseInt(e.text)
		if err != nil {
			return nil, e.fail("%v", err)
		}
		return t.p.Const(lit.typeFor(t.longWidth), lit.value), nil
	case exprFloat:
		return t.floatLiteral(e)
	case exprChar:
		v, err := charValue(e.text)
		if err != nil {
			return nil, e.fail("%v", err)
		}
		return t.p.Int(expr.Int32, v), nil
	case exprUnary:
		return t.unary(e)
	case exprBinary:
		return t.binary(e)
	case exprCond:
		return t.conditional(e)
	case exprCast:
		return t.cast(e)
	case exprSizeof:
		return t.sizeof(e)
	}
	if x, is, err := t.followed(e); is {
		return x, err
	}
	if path := e.path(); path != "" {
		x, err := t.scope.Lookup(path, e.pos)
		return found(e, x, err)
	}
	return nil, e.notModelled("access to members and elements of what is no variable")
}

// followed is a path, where the scope follows it.
func (t typer) followed(e *CExpr) (x *expr.Expr, is bool, err error) {
	scope, ok := t.scope.(PathScope)
	if !ok {
		return nil, false, nil
	}
	path := e.place()
	if path == "" || !scope.Follows(path) {
		return nil, false, nil
	}
	x, err = scope.Path(path)
	x, err = found(e, x, err)
	return x, true, err
}

func (e *CExpr) notModelled(what string) *Error {
	err := e.fail("%s is not modelled in expressions of specifications", what)
	err.NotModelled = true
	return err
}

// name looks a name up; true, false and NULL have their values from C's
// headers where the scope knows nothing else.
func (t typer) name(e *CExpr) (*expr.Expr, error) {
	x, err := t.scope.Lookup(e.text, e.pos)
	if x == nil || err != nil {
		switch e.text {
		case "true":
			return t.p.True(), nil
		case "false":
			return t.p.False(), nil
		case "NULL":
			return t.p.Const(typeNamed("size_t", t.longWidth), 0), nil
		}
	}
	return found(e, x, err)
}

// found is the answer of a scope about e.
func found(e *CExpr, x *expr.Expr, err error) (*expr.Expr, error) {
	var placed *Error
	switch {
	case errors.As(err, &placed) && placed.Pos.IsValid():
		return nil, err
	case placed != nil:
		again := e.fail("%s", placed.Message)
		again.NotModelled = placed.NotModelled
		return nil, again
	case err != nil:
		return nil, e.fail("%v", err)
	case x == nil:
		return nil, e.fail("%s is not known here", e.text)
	}
	return x, nil
}

func (t typer) unary(e *CExpr) (*expr.Expr, error) {
	switch e.text {
	case "*", "&":
		if x, is, err := t.followed(e); is {
			return x, err
		}
		return nil, e.notModelled("the operator " + e.text + " on pointers")
	case "!":
		c, err := t.cond(e.args[0])
		if err != nil {
			return nil, err
		}
		return t.p.Not(c), nil
	}
	x, err := t.value(e.args[0])
	if err != nil {
		return nil, err
	}
	if x.Type().IsFloat() {
		switch e.text {
		case "-":
			return t.p.FNeg(x), nil
		case "+":
			return x, nil
		}
		return nil, e.fail("%s has no floating-point operand", e.text)
	}
	x = t.p.Cast(x.Type().Promote(), x)
	switch e.text {
	case "-":
		x = t.p.Neg(x)
	case "~":
		x = t.p.Compl(x)
	}
	return x, nil
}

func (t typer) binary(e *CExpr) (*expr.Expr, error) {
	switch e.text {
	case "&&", "||":
		a, b, err := t.conds(e.args...)
		if err != nil {
			return nil, err
		}
		if e.text == "&&" {
			return t.p.Land(a, b), nil
		}
		return t.p.Lor(a, b), nil
	case "<<", ">>":
		return t.shift(e)
	}
	a, b, err := t.common(e.args...)
	if err != nil {
		return nil, err
	}
	if a.Type().IsFloat() {
		if r := t.floatOperation(e.text, a, b); r != nil {
			return r, nil
		}
		return nil, e.fail("%s has no floating-point operands", e.text)
	}
	if (e.text == "/" || e.text == "%") && b.IsConst() && b.Value() == 0 {
		return nil, e.fail("division by zero")
	}
	return operation[e.text](t.p, a, b), nil
}

// operation has the operators on operands of one type.
var operation = map[string]func(p *expr.Pool, a, b *expr.Expr) *expr.Expr{
	"+": (*expr.Pool).Add, "-": (*expr.Pool).Sub, "*": (*expr.Pool).Mul, "/": (*expr.Pool).Div, "%": (*expr.Pool).Rem,
	"&": (*expr.Pool).And, "|": (*expr.Pool).Or, "^": (*expr.Pool).Xor,
	"==": (*expr.Pool).Eq, "!=": (*expr.Pool).Ne, "<": (*expr.Pool).Lt, "<=": (*expr.Pool).Le,
	">": (*expr.Pool).Gt, ">=": (*expr.Pool).Ge,
}

// shift promotes both operands by themselves; the left one gives the type. A
// count that its type cannot hold is the width, which shifts everything out.
func (t typer) shift(e *CExpr) (*expr.Expr, error) {
	a, err := t.value(e.args[0])
	if err != nil {
		return nil, err
	}
	n, err := t.value(e.args[1])
	if err != nil {
		return nil, err
	}
	if a.Type().IsFloat() || n.Type().IsFloat() {
		return nil, e.fail("%s has no floating-point operands", e.text)
	}
	a = t.p.Cast(a.Type().Promote(), a)
	typ := a.Type()
	if n.Type().Width > typ.Width {
		n = t.p.Cast(expr.Type{Width: n.Type().Width}, n)
		small := t.p.Lt(n, t.p.Const(n.Type(), uint64(typ.Width)))
		n = t.p.Ite(small, t.p.Cast(typ, n), t.p.Const(typ, uint64(typ.Width)))
	} else {
		n = t.p.Cast(typ, n)
	}
	if e.text == "<<" {
		return t.p.Shl(a, n), nil
	}
	return t.p.Shr(a, n), nil
}

func (t typer) conditional(e *CExpr) (*expr.Expr, error) {
	c, err := t.cond(e.args[0])
	if err != nil {
		return nil, err
	}
	a, b, err := t.common(e.args[1], e.args[2])
	if err != nil {
		return nil, err
	}
	return t.p.Ite(c, a, b), nil
}

func (t typer) cast(e *CExpr) (*expr.Expr, error) {
	to := typeNamed(e.text, t.longWidth)
	if e.text == "_Bool" {
		c, err := t.cond(e.args[0])
		if err != nil {
			return nil, err
		}
		return t.p.FromBool(to, c), nil
	}
	x, err := t.value(e.args[0])
	if err != nil {
		return nil, err
	}
	if x.Type().IsFloat() {
		return nil, e.notModelled("the conversion of a floating-point number to an integer")
	}
	return t.p.Cast(to, x), nil
}

func (t typer) sizeof(e *CExpr) (*expr.Expr, error) {
	typ := typeNamed(e.text, t.longWidth)
	if len(e.args) > 0 {
		x, err := t.value(e.args[0])
		if err != nil {
			return nil, err
		}
		typ = x.Type()
	}
	return t.p.Const(typeNamed("size_t", t.longWidth), uint64(typ.Width+7)/8), nil
}
