package linear

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// An Atom is Σ Coef[i]·x[i] ≤ Bound. It is not changed once it is made.
type Atom struct {
	Coef  []int64
	Bound int64
}

// AtLeast is x[i] ≥ k over n variables.
func AtLeast(n, i int, k int64) Atom {
	a := Atom{Coef: make([]int64, n), Bound: -k}
	a.Coef[i] = -1
	return a
}

// AtMost is x[i] ≤ k over n variables.
func AtMost(n, i int, k int64) Atom {
	a := Atom{Coef: make([]int64, n), Bound: k}
	a.Coef[i] = 1
	return a
}

// Holds reports whether the atom is true of a point.
func (a Atom) Holds(x []int64) bool {
	sum := int64(0)
	for i, c := range a.Coef {
		sum += c * x[i]
	}
	return sum <= a.Bound
}

// Negate is the atom that is true of exactly the other integer points.
func (a Atom) Negate() Atom {
	n := Atom{Coef: make([]int64, len(a.Coef)), Bound: -a.Bound - 1}
	for i, c := range a.Coef {
		n.Coef[i] = -c
	}
	return n
}

// Tighten divides an atom by the common divisor of its coefficients and rounds the bound, which
// keeps exactly the same integer points.
func (a Atom) Tighten() Atom {
	g := int64(0)
	for _, c := range a.Coef {
		g = gcd(g, c)
	}
	if g <= 1 {
		return a
	}
	t := Atom{Coef: make([]int64, len(a.Coef)), Bound: floorDiv(a.Bound, g)}
	for i, c := range a.Coef {
		t.Coef[i] = c / g
	}
	return t
}

// Constant reports whether no variable occurs in the atom, and if so whether it is true.
func (a Atom) Constant() (truth, constant bool) {
	for _, c := range a.Coef {
		if c != 0 {
			return false, false
		}
	}
	return 0 <= a.Bound, true
}

// Upward reports whether the atom stays true when variables grow.
func (a Atom) Upward() bool {
	return !slices.ContainsFunc(a.Coef, func(c int64) bool { return c > 0 })
}

// Equal reports whether two atoms are the same text.
func (a Atom) Equal(b Atom) bool { return a.Bound == b.Bound && slices.Equal(a.Coef, b.Coef) }

// Format writes an atom as people do: terms that are added stand on the left if they are positive
// and on the right if they are negative. A bound on one variable is written as such.
func (a Atom) Format(name func(i int) string) string {
	var left, right []string
	for i, c := range a.Coef {
		switch {
		case c > 0:
			left = append(left, term(c, name(i)))
		case c < 0:
			right = append(right, term(-c, name(i)))
		}
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	switch {
	case len(left) == 0 && len(right) == 0:
		return "0 <= " + number(a.Bound)
	case len(left) == 0: // right ≥ -bound
		return strings.Join(right, " + ") + " >= " + number(-a.Bound)
	case len(right) == 0:
		return strings.Join(left, " + ") + " <= " + number(a.Bound)
	case a.Bound > 0:
		right = append(right, number(a.Bound))
	case a.Bound < 0:
		left = append(left, number(-a.Bound))
	}
	return strings.Join(left, " + ") + " <= " + strings.Join(right, " + ")
}

func term(c int64, name string) string {
	if c == 1 {
		return name
	}
	return strconv.FormatInt(c, 10) + "*" + name
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}

// floorDiv is a/b rounded down; b is positive.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// limit bounds the absolute value of every number that enters a product.
const limit = math.MaxInt32

func tooLarge(n int64) bool { return n > limit || n < -limit }
