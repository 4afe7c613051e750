package expr

import (
	"cmp"
	"slices"
)

// Subst replaces variables by terms of the same type, all at once, and brings
// the result into canonical form: the weakest precondition of a condition over
// an assignment (Chaki et al., "Efficient Verification of Sequential and
// Concurrent C Programs" (2004), section 5.2). Cost: linear in the number of
// different subterms.
func (p *Pool) Subst(e *Expr, by map[*Expr]*Expr) *Expr {
	return substituter{p, by, map[*Expr]*Expr{}}.subst(e)
}

// SubstAll puts in the place of each term what [Pool.Subst] makes of it. Subterms that the terms
// share are looked at once.
func (p *Pool) SubstAll(es []*Expr, by map[*Expr]*Expr) {
	s := substituter{p, by, map[*Expr]*Expr{}}
	for i, e := range es {
		es[i] = s.subst(e)
	}
}

type substituter struct {
	p    *Pool
	by   map[*Expr]*Expr
	seen map[*Expr]*Expr
}

func (s substituter) subst(e *Expr) *Expr {
	switch e.op {
	case Const:
		return e
	case Var:
		if r := s.by[e]; r != nil {
			return r
		}
		return e
	}
	if r := s.seen[e]; r != nil {
		return r
	}
	args, changed := e.args, false
	for i, a := range e.args {
		b := s.subst(a)
		if b == a {
			continue
		}
		if !changed {
			args, changed = slices.Clone(e.args), true
		}
		args[i] = b
	}
	r := e
	if changed {
		r = s.p.Apply(e.op, e.typ, args...)
	}
	s.seen[e] = r
	return r
}

// Apply builds op over args through the constructors; t is the type of a
// conversion, and of what an operator of numbers of two words gives, and ignored otherwise.
func (p *Pool) Apply(op Op, t Type, args ...*Expr) *Expr {
	switch {
	case op.IsFloat():
		return p.applyFloat(op, t, args)
	case op.IsExtended():
		return p.extended(op, t, args)
	}
	switch op {
	case Land:
		return p.Land(args...)
	case Lor:
		return p.Lor(args...)
	case Ite:
		return p.Ite(args[0], args[1], args[2])
	case Cast:
		return p.Cast(t, args[0])
	case Not:
		return p.Not(args[0])
	case Neg:
		return p.Neg(args[0])
	case Compl:
		return p.Compl(args[0])
	}
	return p.apply2(op, args[0], args[1])
}

func (p *numbers) applyFloat(op Op, t Type, a []*Expr) *Expr {
	switch op {
	case FAdd:
		return p.FAdd(a[0], a[1], a[2])
	case FMul:
		return p.FMul(a[0], a[1], a[2])
	case FDiv:
		return p.FDiv(a[0], a[1], a[2])
	case FFma:
		return p.FFma(a[0], a[1], a[2], a[3])
	case FSqrt:
		return p.FSqrt(a[0], a[1])
	case FRem:
		return p.FRem(a[0], a[1])
	case FMod:
		return p.FMod(a[0], a[1])
	case FRound:
		return p.FRound(a[0], a[1])
	case FNeg:
		return p.FNeg(a[0])
	case FAbs:
		return p.FAbs(a[0])
	case FEq:
		return p.FEq(a[0], a[1])
	case FLt:
		return p.FLt(a[0], a[1])
	case FLe:
		return p.FLe(a[0], a[1])
	case FCast:
		return p.FCast(a[0], t, a[1])
	case FToInt:
		return p.FToInt(a[0], t, a[1])
	case IntToF:
		return p.IntToF(a[0], t, a[1])
	case FBits:
		return p.FBits(a[0])
	case FFrom:
		return p.FFrom(t, a[0])
	}
	panic("expr: Apply of no operator")
}

func (p *words) apply2(op Op, a, b *Expr) *Expr {
	switch op {
	case Add:
		return p.Add(a, b)
	case Sub:
		return p.Sub(a, b)
	case Mul:
		return p.Mul(a, b)
	case Div:
		return p.Div(a, b)
	case Rem:
		return p.Rem(a, b)
	case And:
		return p.And(a, b)
	case Or:
		return p.Or(a, b)
	case Xor:
		return p.Xor(a, b)
	case Shl, Shr:
		return p.shift(op, a, b)
	case Eq:
		return p.Eq(a, b)
	case Lt:
		return p.Lt(a, b)
	}
	panic("expr: Apply of a leaf")
}

// Vars are the variables of the given terms, each once, the oldest first.
func Vars(es ...*Expr) []*Expr {
	var vars []*Expr
	Walk(func(e *Expr) {
		if e.op == Var {
			vars = append(vars, e)
		}
	}, es...)
	slices.SortFunc(vars, func(a, b *Expr) int { return cmp.Compare(a.id, b.id) })
	return vars
}

// Walk calls f for every different subterm of the given terms, operands
// before the terms that use them.
func Walk(f func(e *Expr), es ...*Expr) {
	seen := map[*Expr]bool{}
	var walk func(e *Expr)
	walk = func(e *Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		for _, a := range e.args {
			walk(a)
		}
		f(e)
	}
	for _, e := range es {
		walk(e)
	}
}
