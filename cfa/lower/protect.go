package lower

// Order of evaluation: the value of an earlier operand is kept in a temporary
// where a later operand changes what it depends on.

import (
	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// protect evaluates next after v, and keeps v's value if that changes it.
func (l *accesses) protect(v *value, n cc.ExpressionNode, next cc.ExpressionNode) value {
	if v.t == nil || v.t.IsConst() || l.expressions.pure(next) {
		return l.expressions.rvalue(next)
	}
	keep := l.hold(*v, source.Position(n.Position()))
	w := l.expressions.rvalue(next)
	l.keepIfWritten(v, keep)
	return w
}

// hold leaves room for what keeps a value: a Goto for each of its words.
func (l *accesses) hold(v value, pos cfa.Pos) cfa.Loc {
	keep := l.Emit(cfa.Goto{}, pos)
	if isExtended(v.t) {
		l.Emit(cfa.Goto{}, pos)
	}
	return keep
}

// keepIfWritten turns the Goto at keep into an assignment of v to a temporary
// if something after it writes to v's variables.
func (l *accesses) keepIfWritten(v *value, keep cfa.Loc) {
	changed := l.mem.Changes(v.t, keep+1)
	if !changed && (len(expr.Vars(v.t)) == 0 || !l.calls.sharedSince(keep)) {
		return
	}
	pos := l.At(keep).Pos
	if changed {
		l.Assume(cfa.AboutOrder, pos,
			"where C leaves the order of evaluation open it is from left to right, and here a later operand "+
				"may change an earlier one")
	}
	// A term that is the changed variable itself would be read too late.
	tmp := l.Temp("kept", v.t.Type(), pos)
	if isExtended(tmp) {
		high, low := tmp.Words()
		newHigh, newLow := v.t.Words()
		l.Replace(keep, cfa.Assign{LHS: high, RHS: newHigh})
		l.Replace(keep+1, cfa.Assign{LHS: low, RHS: newLow})
		v.t = tmp
		return
	}
	l.Replace(keep, cfa.Assign{LHS: tmp, RHS: v.t})
	v.t = tmp
}
