package lower

// Faults of floating-point arithmetic, where they are asked for (--check-float): divisions by zero, overflows
// to infinity, NaNs, conversions to integers that do not fit.
//
// Idea: the result of an operation is kept, and looked at. An infinity or a NaN is a fault of the operation
// that makes it of other values, not of those that hand it on.
//
// Left out: what models of the C library compute inside, and initialisers of static objects.

import (
	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// checksFloats are the faults that are looked for here.
func (l *lowerer) checksFloats() cfa.FloatFaults {
	if l.objects.evaluatesStatic || l.fr != nil && l.prog.IsModel(l.fr.proc.File) {
		return 0
	}
	return l.opt.CheckFloat
}

// faultIf performs the action error where a condition holds, if such a fault is looked for.
func (l *lowerer) faultIf(f cfa.FloatFaults, cond *expr.Expr, what string, n cc.Node) {
	if l.checksFloats()&f == 0 || cond.IsFalse() || l.Dead() {
		return
	}
	pos := source.Position(n.Position())
	yes, no := l.Branch(cond, pos)
	if l.Continue(yes); len(yes) > 0 {
		l.Error(what, pos)
	}
	l.Continue(no)
}

// looked is the result of an operation on numbers, looked at.
func (l *lowerer) looked(r *expr.Expr, n cc.Node, operands ...*expr.Expr) *expr.Expr {
	if l.checksFloats()&(cfa.FloatOverflow|cfa.FloatNaN) == 0 || l.Dead() || !r.Type().IsFloat() {
		return r
	}
	if !r.IsConst() {
		kept := l.Temp("result", r.Type(), source.Position(n.Position()))
		l.Assign(kept, r, source.Position(n.Position()))
		r = kept
	}
	infinite, nan := l.isInfinite(r), l.isNaN(r)
	for _, x := range operands {
		if x.Type().IsFloat() {
			infinite = l.Pool.Land(infinite, l.isFinite(x))
			nan = l.Pool.Land(nan, l.Pool.Not(l.isNaN(x)))
		}
	}
	l.faultIf(cfa.FloatOverflow, infinite, "floating-point overflow", n)
	l.faultIf(cfa.FloatNaN, nan, "a floating-point result that is no number", n)
	return r
}
