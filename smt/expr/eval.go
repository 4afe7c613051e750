package expr

import "fmt"

// Eval gives the bit pattern of e where env gives that of each variable. The
// result is cut to e's width. Shared subterms are evaluated once.
func Eval(e *Expr, env func(v *Expr) uint64) uint64 {
	switch e.op {
	case Const:
		return e.val
	case Var:
		return e.typ.Trunc(env(e))
	}
	return evaluator{env, map[*Expr]uint64{}}.eval(e)
}

type evaluator struct {
	env  func(v *Expr) uint64
	seen map[*Expr]uint64
}

func (ev evaluator) eval(e *Expr) uint64 {
	switch e.op {
	case Const:
		return e.val
	case Var:
		return e.typ.Trunc(ev.env(e))
	}
	if v, ok := ev.seen[e]; ok {
		return v
	}
	v := ev.apply(e)
	ev.seen[e] = v
	return v
}

func (ev evaluator) apply(e *Expr) uint64 {
	if e.op >= FAdd {
		vals := make([]uint64, len(e.args))
		for i, a := range e.args {
			vals[i] = ev.eval(a)
		}
		if e.op.IsExtended() {
			return applyExtended(e.op, e.typ, e.args, vals)
		}
		return applyFloat(e.op, e.typ, e.args[len(e.args)-1].typ, vals)
	}
	switch e.op {
	case Ite:
		if ev.eval(e.args[0]) != 0 {
			return ev.eval(e.args[1])
		}
		return ev.eval(e.args[2])
	case Land, Lor:
		for _, a := range e.args {
			if (ev.eval(a) != 0) != (e.op == Land) {
				return b2u(e.op == Lor)
			}
		}
		return b2u(e.op == Land)
	case Not:
		return ev.eval(e.args[0]) ^ 1
	case Cast:
		return e.typ.Trunc(extend(e.args[0].typ, ev.eval(e.args[0])))
	case Neg:
		return e.typ.Trunc(-ev.eval(e.args[0]))
	case Compl:
		return e.typ.Trunc(^ev.eval(e.args[0]))
	}
	return apply2(e.op, e.args[0].typ, ev.eval(e.args[0]), ev.eval(e.args[1]))
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// apply2 applies a binary operator to bit patterns of type t.
func apply2(op Op, t Type, a, b uint64) uint64 {
	switch op {
	case Add:
		return t.Trunc(a + b)
	case Sub:
		return t.Trunc(a - b)
	case Mul:
		return t.Trunc(a * b)
	case And:
		return a & b
	case Or:
		return a | b
	case Xor:
		return a ^ b
	case Eq:
		return b2u(a == b)
	case Lt:
		return b2u(t.Less(a, b))
	case Div, Rem:
		return divide(op, t, a, b)
	case Shl, Shr:
		return shift(op, t, a, b)
	}
	panic(fmt.Sprintf("expr: operator %d is not binary", op))
}

// divide follows SMT-LIB: by zero, bvudiv is all ones, bvsdiv is -1 or 1 by
// the sign of the dividend, and the remainder is the dividend.
func divide(op Op, t Type, a, b uint64) uint64 {
	if b == 0 {
		switch {
		case op == Rem:
			return a
		case t.Signed && t.Sext(a) < 0:
			return 1
		}
		return t.Mask()
	}
	if !t.Signed {
		if op == Div {
			return a / b
		}
		return a % b
	}
	x, y := t.Sext(a), t.Sext(b)
	if y == -1 { // the least value divided by -1 wraps around
		if op == Div {
			return t.Trunc(uint64(-x))
		}
		return 0
	}
	if op == Div {
		return t.Trunc(uint64(x / y))
	}
	return t.Trunc(uint64(x % y))
}

func shift(op Op, t Type, a, b uint64) uint64 {
	over := b >= uint64(t.Width)
	switch {
	case op == Shl && over:
		return 0
	case op == Shl:
		return t.Trunc(a << b)
	case t.Signed && over:
		return t.Trunc(uint64(t.Sext(a) >> 63))
	case t.Signed:
		return t.Trunc(uint64(t.Sext(a) >> b))
	case over:
		return 0
	}
	return a >> b
}

// A Valuation evaluates many terms where every variable has one value. What they
// share is evaluated once.
type Valuation struct{ ev evaluator }

// NewValuation is the valuation in which env gives each variable's bit pattern.
func NewValuation(env func(v *Expr) uint64) *Valuation {
	return &Valuation{evaluator{env, map[*Expr]uint64{}}}
}

// Of is the bit pattern of e, cut to its width.
func (v *Valuation) Of(e *Expr) uint64 { return v.ev.eval(e) }
