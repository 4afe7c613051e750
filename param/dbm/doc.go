// Package dbm holds difference bound matrices: conjunctions of x - y ≤ c, x ≤ c and x ≥ c over natural
// numbers.
//
//	m := dbm.New(2)                          // 0 ≤ x₁, 0 ≤ x₂
//	m, ok := m.With(dbm.Bound{I: 1, J: 2, C: -1})  // x₁ - x₂ ≤ -1, so x₁ < x₂
//	m.At(0, 2)                               // -1: 0 - x₂ ≤ -1, so x₂ ≥ 1
//
// Variables are 1…n; 0 stands for the number zero. A matrix is closed: every entry is the tightest
// bound that follows, which over integers is exact. The points of a matrix have a least one, the lower
// bounds of all variables, which is itself a point.
package dbm
