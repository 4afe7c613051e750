package predabs

import (
	"slices"

	"magus/smt/expr"
)

// A bound is an atomic condition that compares a term with a constant.
type bound struct {
	less  bool // term < value, else term == value
	value uint64
}

func boundOf(e *expr.Expr) bound { return bound{e.Op() == expr.Lt, e.Args()[1].Value()} }

// cell is what is known of one term from comparisons with constants: exact
// under the type's range. Adding takes constant time, and deciding whether a
// value is left one pass over the values that are excluded. The intervals of
// engine/invariants are none of these: they round up, and know no values that
// are left out.
type cell struct {
	typ    expr.Type
	lo, hi uint64 // inclusive
	empty  bool
	not    []uint64 // excluded values
}

func newCell(t expr.Type, not []uint64) cell {
	return cell{typ: t, lo: t.Min(), hi: t.Max(), not: not[:0]}
}

// add restricts the cell to the values for which b holds, or does not.
func (c *cell) add(b bound, holds bool) {
	t := c.typ
	switch {
	case c.empty:
	case b.less && holds:
		if b.value == t.Min() {
			c.empty = true
		} else if v := t.Trunc(b.value - 1); t.Less(v, c.hi) {
			c.hi = v
		}
	case b.less:
		if t.Less(c.lo, b.value) {
			c.lo = b.value
		}
	case holds:
		if t.Less(b.value, c.lo) || t.Less(c.hi, b.value) {
			c.empty = true
		}
		c.lo, c.hi = b.value, b.value
	default:
		c.not = append(c.not, b.value)
	}
}

// inhabited reports whether a value is left.
func (c *cell) inhabited() bool {
	if c.empty || c.typ.Less(c.hi, c.lo) {
		return false
	}
	size := c.typ.Trunc(c.hi - c.lo) // number of values less one
	if size >= uint64(len(c.not)) {
		return true
	}
	for v := c.lo; ; v = c.typ.Trunc(v + 1) {
		if !slices.Contains(c.not, v) {
			return true
		}
		if v == c.hi {
			return false
		}
	}
}
