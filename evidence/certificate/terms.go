package certificate

import (
	"fmt"

	"magus/cfa"
	"magus/smt/expr"
	"magus/smt/softfloat"
)

// operators are the names of the operators in the text form, with the number
// of operands; -1 stands for two or more.
var operators = map[expr.Op]struct {
	name  string
	arity int
}{
	expr.Const: {"const", 0}, expr.Var: {"var", 0},
	expr.Add: {"+", 2}, expr.Sub: {"-", 2}, expr.Mul: {"*", 2}, expr.Div: {"/", 2}, expr.Rem: {"%",
		2}, expr.Neg: {"neg", 1},
	expr.And: {"&", 2}, expr.Or: {"|", 2}, expr.Xor: {"^", 2}, expr.Compl: {"~", 1}, expr.Shl: {"<<",
		2}, expr.Shr: {">>", 2},
	expr.Cast: {"cast", 1}, expr.Ite: {"?:", 3}, expr.Eq: {"==", 2}, expr.Lt: {"<", 2},
	expr.Not: {"!", 1}, expr.Land: {"&&", -1}, expr.Lor: {"||", -1},
	expr.FAdd: {"f+", 3}, expr.FMul: {"f*", 3}, expr.FDiv: {"f/", 3}, expr.FFma: {"fma", 4}, expr.FSqrt: {"fsqrt", 2},
	expr.FRem: {"frem", 2}, expr.FMod: {"fmod", 2}, expr.FRound: {"fround", 2}, expr.FNeg: {"fneg", 1},
	expr.FAbs: {"fabs", 1}, expr.FEq: {"f==", 2}, expr.FLt: {"f<", 2}, expr.FLe: {"f<=", 2}, expr.FCast: {"fcast", 2},
	expr.FToInt: {"ftoint", 2}, expr.IntToF: {"inttof", 2}, expr.FBits: {"fbits", 1}, expr.FFrom: {"ffrom", 1},
	expr.XAdd: {"x+", 5}, expr.XMul: {"x*", 5}, expr.XDiv: {"x/", 5}, expr.XFma: {"xfma", 7}, expr.XSqrt: {"xsqrt", 3},
	expr.XRound: {"xround", 3}, expr.XFrom: {"xfrom", 1}, expr.XFromInt: {"xfromint", 1}, expr.XToF: {"xtof", 3},
	expr.XToInt: {"xtoint", 3}, expr.XCast: {"xcast", 3}, expr.XEq: {"x==", 4}, expr.XLt: {"x<", 4},
	expr.XLe: {"x<=", 4},
}

// AddTerms appends the terms that es are made of and returns the indices of
// es. seen has the indices of those appended before.
func (c *Component) AddTerms(seen map[*expr.Expr]int, es ...*expr.Expr) []int {
	expr.Walk(func(e *expr.Expr) {
		if _, ok := seen[e]; ok {
			return
		}
		t := Term{Op: e.Op(), Type: e.Type()}
		switch e.Op() {
		case expr.Var:
			t.Name = e.Name()
		case expr.Const:
			t.Value = e.Value()
		default:
			for _, a := range e.Args() {
				t.Args = append(t.Args, seen[a])
			}
		}
		seen[e] = len(c.Terms)
		c.Terms = append(c.Terms, t)
	}, es...)
	indices := make([]int, len(es))
	for i, e := range es {
		indices[i] = seen[e]
	}
	return indices
}

// build makes the terms in the automaton's pool. A variable must be one of the
// automaton's.
func (c *Component) build(auto *cfa.CFA) ([]*expr.Expr, error) {
	return c.buildOver(auto.Pool, variables(auto))
}

// buildOver makes the terms over variables that have names.
func (c *Component) buildOver(pool *expr.Pool, vars map[string]*expr.Expr) ([]*expr.Expr, error) {
	terms := make([]*expr.Expr, len(c.Terms))
	for i, t := range c.Terms {
		e, err := t.build(pool, vars, terms[:i])
		if err != nil {
			return nil, refuted(t.line, "term %d: %v", i, err)
		}
		terms[i] = e
	}
	return terms, nil
}

func variables(auto *cfa.CFA) map[string]*expr.Expr {
	vars := map[string]*expr.Expr{}
	for _, v := range auto.Vars {
		vars[v.Expr.Name()] = v.Expr
	}
	return vars
}

func (t *Term) build(p *expr.Pool, vars map[string]*expr.Expr, before []*expr.Expr) (*expr.Expr, error) {
	switch t.Op {
	case expr.Var:
		if v := vars[t.Name]; v != nil && v.Type() == t.Type {
			return v, nil
		}
		return nil, fmt.Errorf("the component has no variable %s of this type", t.Name)
	case expr.Const:
		if t.Type.IsBool() {
			return p.Bool(t.Value != 0), nil
		}
		return p.Const(t.Type, t.Value), nil
	}
	args := make([]*expr.Expr, len(t.Args))
	for i, a := range t.Args {
		if a < 0 || a >= len(before) {
			return nil, fmt.Errorf("operand %d does not come before it", a)
		}
		args[i] = before[a]
	}
	if err := t.wellTyped(args); err != nil {
		return nil, err
	}
	return p.Apply(t.Op, t.Type, args...), nil
}

// wellTyped checks the operands' number and types; the rules are those of
// package expr.
func (t *Term) wellTyped(args []*expr.Expr) error {
	n := operators[t.Op].arity
	if n >= 0 && len(args) != n || n < 0 && len(args) < 2 {
		return fmt.Errorf("%s has %d operands", operators[t.Op].name, len(args))
	}
	wrong := fmt.Errorf("operands of %s have the wrong types", operators[t.Op].name)
	switch {
	case t.Op.IsFloat():
		return t.wellTypedFloat(args, wrong)
	case t.Op.IsExtended():
		return t.wellTypedExtended(args, wrong)
	}
	first := args[0].Type()
	for i, a := range args {
		switch {
		case t.Op == expr.Ite && i == 0, t.Op == expr.Not, t.Op == expr.Land, t.Op == expr.Lor:
			if !a.Type().IsBool() {
				return wrong
			}
		case t.Op == expr.Ite:
			if a.Type() != args[1].Type() {
				return wrong
			}
		case a.Type() != first, a.Type().IsFloat() && t.Op != expr.Eq, t.Op == expr.Cast && t.Type.IsFloat(),
			t.Op != expr.Eq && first.IsBool(), t.Op == expr.Cast && t.Type.IsBool():
			return wrong
		}
	}
	return nil
}

// wellTypedFloat checks the operands of an operator of floating point: the rounding mode first, if it has one.
func (t *Term) wellTypedFloat(args []*expr.Expr, wrong error) error {
	if operators[t.Op].arity == len(args) && hasMode(t.Op) {
		if !isMode(args[0]) {
			return wrong
		}
		args = args[1:]
	}
	of, to := args[0].Type(), t.Type
	for _, a := range args {
		if a.Type() != of {
			return wrong
		}
	}
	ok := of.IsFloat()
	switch t.Op {
	case expr.FCast:
		ok = ok && to.IsFloat()
	case expr.FToInt:
		ok = ok && !to.IsFloat() && !to.IsBool()
	case expr.IntToF:
		ok = !ok && !of.IsBool() && to.IsFloat()
	case expr.FFrom:
		ok = !ok && !of.IsBool() && to.IsFloat() && of.Width == to.Width
	}
	if !ok {
		return wrong
	}
	return nil
}

// isMode reports whether a term is a rounding mode.
func isMode(m *expr.Expr) bool {
	return m.Type() == expr.Mode && m.IsConst() && m.Value() < softfloat.Modes
}

// wellTypedExtended checks the operands of an operator of numbers of two words: the rounding mode first, if it has one,
// and both words of each number, all of one type.
func (t *Term) wellTypedExtended(args []*expr.Expr, wrong error) error {
	to := t.Type
	if t.Op == expr.XFrom || t.Op == expr.XFromInt {
		of := args[0].Type()
		if isWord(to, expr.Uint16) && !of.IsBool() && of.IsFloat() == (t.Op == expr.XFrom) {
			return nil
		}
		return wrong
	}
	ok := true
	if len(args)%2 == 1 {
		ok, args = isMode(args[0]), args[1:]
	}
	high := args[0].Type()
	for i, a := range args {
		ok = ok && a.Type() == []expr.Type{high, expr.Uint64}[i%2]
	}
	switch t.Op {
	case expr.XToF:
		ok = ok && to.IsFloat()
	case expr.XToInt:
		ok = ok && !to.IsFloat() && !to.IsBool()
	case expr.XEq, expr.XLt, expr.XLe:
		ok = ok && to.IsBool()
	case expr.XCast:
		other := map[expr.Type]expr.Type{expr.Uint16: expr.Int64, expr.Int64: expr.Uint16}[high]
		ok = ok && isWord(to, other)
	default:
		ok = ok && isWord(to, high)
	}
	if !ok || high != expr.Uint16 && high != expr.Int64 {
		return wrong
	}
	return nil
}

// isWord reports whether a type is one of the words of numbers whose high word has another one.
func isWord(t, high expr.Type) bool { return t == high || t == expr.Uint64 }

// hasMode reports whether the first operand of an operator is a rounding mode.
func hasMode(op expr.Op) bool {
	switch op {
	case expr.FAdd, expr.FMul, expr.FDiv, expr.FFma, expr.FSqrt, expr.FRound, expr.FCast, expr.FToInt, expr.IntToF:
		return true
	}
	return false
}
