// Package linear is about conjunctions of linear inequalities over natural numbers.
//
// An [Atom] is Σ cᵢ·xᵢ ≤ b with integer coefficients. All variables are natural numbers, so xᵢ ≥ 0
// holds without being said. A conjunction is a slice of atoms over one number of variables.
//
//	le := linear.Atom{Coef: []int64{1, -1}, Bound: 0}   // x ≤ y
//	le.Holds([]int64{2, 3})                             // true
//	linear.Empty([]linear.Atom{le, le.Negate()})        // true
//
// [Empty], [Implies] and [Minimum] decide over the rational numbers, after each atom has been rounded
// to integers: what they call empty, implied or a lower bound is so over the natural numbers as well,
// but they may miss it. [Point] looks for a solution in natural numbers. [Interpolate] separates two
// disjoint conjunctions by one atom.
//
// Numbers are int64. Where they do not suffice the answer is the one that claims nothing: not empty,
// not implied, no point, no interpolant.
package linear
