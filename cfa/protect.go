package cfa

// Order of evaluation: the value of an earlier operand is kept in a temporary
// where a later operand changes what it depends on.

import (
	"slices"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// protect evaluates next after v, and keeps v's value if that changes it.
func (l *lowerer) protect(v *value, n cc.ExpressionNode, next cc.ExpressionNode) value {
	if v.t == nil || v.t.IsConst() || l.pure(next) {
		return l.rvalue(next)
	}
	keep := l.emit(Goto{}, position(n.Position()))
	w := l.rvalue(next)
	l.keepIfWritten(v, keep)
	return w
}

// keepIfWritten turns the Goto at keep into an assignment of v to a temporary
// if something after it writes to v's variables.
func (l *lowerer) keepIfWritten(v *value, keep Loc) {
	if !l.writtenSince(keep+1, v.t) {
		return
	}
	l.warnf(l.locs[keep].Pos, "where C leaves the order of evaluation open it is from left to right, and here a later operand may change an earlier one")
	// A term that is the changed variable itself would be read too late.
	tmp := l.temp("kept", v.t.Type(), l.locs[keep].Pos)
	l.locs[keep].Stmt = Assign{LHS: tmp, RHS: v.t}
	v.t = tmp
}

func (l *lowerer) writtenSince(from Loc, t *expr.Expr) bool {
	vars := expr.Vars(t)
	for _, loc := range l.locs[from:] {
		var written *expr.Expr
		anywhere := true // it may also write through pointers
		switch s := loc.Stmt.(type) {
		case Assign:
			written, anywhere = s.LHS, false
		case Call:
			written = s.LHS
		case unknownCall:
			written = s.lhs
		case storeStmt, copyStmt, fillStmt:
		default:
			continue
		}
		if slices.ContainsFunc(vars, func(v *expr.Expr) bool {
			return v == written || anywhere && l.addressable[v] || l.overlaid(v, written)
		}) {
			return true
		}
	}
	return false
}

// overlaid reports whether two variables are cells of one block, so that a
// store to one may change the other.
func (l *lowerer) overlaid(v, w *expr.Expr) bool {
	a, ok := l.cells[v]
	b, found := l.cells[w]
	return ok && found && a.b == b.b && a.lf.overlaps(b.lf.extent)
}
