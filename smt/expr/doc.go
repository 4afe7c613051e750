// Package expr holds the terms of magus: typed, immutable, hash-consed
// expressions over bit-vectors and truth values.
//
// A term is a C expression without side effects. Its [Type] is a width in
// bits and a signedness, as C has them; the operators take their meaning
// (signed or unsigned division, comparison, shift) from the type of their
// operands, and all arithmetic wraps around at the width. Conditions are
// terms of the type [Bool]; C's habit of using integers as conditions is made
// explicit by [Pool.Truth] and [Pool.FromBool].
//
// All terms of one verification task live in a [Pool]. The pool builds each
// term once, so that equal terms are the same pointer, and brings it into a
// canonical form on the way: constants are folded, x+1 == y+1 becomes x == y,
// a <= b becomes !(b < a), a comparison with a constant keeps the constant on
// the right. Of comparisons only == and < exist after construction, and of
// comparisons with constants only x == c and x < c. Canonical form is what
// makes two predicates that mean the same one predicate; it is not complete
// (two terms that are equal for every valuation may still differ).
//
//	p := expr.NewPool()
//	x := p.Var("x", expr.Int32)
//	c := p.Le(p.Add(x, p.Int(expr.Int32, 1)), p.Int(expr.Int32, 9))
//	fmt.Println(c) // x + 1 < 10
//
// Division and remainder by zero have SMT-LIB's values (all ones, and the
// dividend); a front end that wants "any value" says so with a fresh variable.
// A shift by the width or more gives 0, or the sign for a signed right shift.
//
// Floating-point values are their bit patterns in a [Type] of their own; see
// float.go. Their constants are folded by the arithmetic of smt/softfloat.
// Numbers of the x87's 80 bits and of quad are two terms; see extended.go.
//
// Left out: arrays, quantifiers, widths above 64.
package expr
