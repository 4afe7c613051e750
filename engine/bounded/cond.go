package bounded

import (
	"magus/smt/expr"
)

// A cond is the condition under which control comes to a node: that of another node,
// and a guard besides. Of all nodes of one time, it holds of at most one.
type cond struct {
	parent *cond
	guard  *expr.Expr // beyond parent's; nil where there is no parent
	bit    *expr.Expr // the whole, as a word of one bit: its operators are not made flat
}

// bitType is the type of conditions as words.
var bitType = expr.Type{Width: 1}

// always is the condition that holds.
func (u *unrolling) always() *cond { return &cond{bit: u.pool.Const(bitType, 1)} }

// and is c with a guard besides; nil if that cannot hold.
func (u *unrolling) and(c *cond, guard *expr.Expr) *cond {
	if guard.IsTrue() {
		return c
	}
	bit := u.pool.And(c.bit, u.pool.FromBool(bitType, guard))
	if u.never(bit) {
		return nil
	}
	return &cond{parent: c, guard: guard, bit: bit}
}

// never reports whether a bit is seen to be 0.
func (u *unrolling) never(bit *expr.Expr) bool {
	return bit.IsConst() && bit.Value() == 0 || u.solver.Fixed(u.holds(bit), false)
}

// holds is a bit as a condition.
func (u *unrolling) holds(bit *expr.Expr) *expr.Expr { return u.pool.Eq(bit, u.pool.Const(bitType, 1)) }
