package linear

// Idea: if two conjunctions A and B have no common solution, then by Farkas' lemma non-negative
// multiples of their atoms add up to 0 ≤ -1. The part that A contributes is an atom that A implies and
// B contradicts. The multiples are unknowns of a linear program; its objective asks for the smallest
// coefficients and bound, because small ones say something of relations between variables (r ≤ cnt)
// where large ones only exclude one counterexample (cnt ≥ 2), after which the next one comes.
// Source: A. Rybalchenko and V. Sofronie-Stokkermans, Constraint solving for interpolation, VMCAI 2007;
// the preference for small constants is that of R. Jhala and K. L. McMillan, A practical and
// complete approach to predicate refinement, TACAS 2006.
// Deviations: variables are natural numbers, so coefficients may be weakened on both sides.
// Cost: one linear program with a column for each atom and two for each variable.

// boundWeight is the cost of the bound against that of a coefficient.
const boundWeight = 2

// Interpolate returns an atom over the first n variables that a implies and that excludes b. The
// atoms of a may have more variables, which are hidden; those of b have n. ok is false if none is
// found.
func Interpolate(n int, a, b []Atom) (itp Atom, ok bool) {
	hidden := 0
	for _, x := range a {
		hidden = max(hidden, len(x.Coef)-n)
	}
	// Unknowns: λ of a, μ of b, the coefficients as p - q, the bound as c - e.
	la, mb := 0, len(a)
	p := mb + len(b)
	q := p + n
	c := q + n
	size := c + 2
	var rows []Atom
	row := func() []int64 {
		r := make([]int64, size)
		return r
	}
	for j := range n { // ι ≤ λA;  -ι ≤ μB
		r, s := row(), row()
		r[p+j], r[q+j] = 1, -1
		s[p+j], s[q+j] = -1, 1
		for i, x := range a {
			r[la+i] = -x.Coef[j]
		}
		for i, x := range b {
			s[mb+i] = -x.Coef[j]
		}
		rows = append(rows, Atom{Coef: r}, Atom{Coef: s})
	}
	for j := range hidden { // 0 ≤ λA
		r := row()
		for i, x := range a {
			if n+j < len(x.Coef) {
				r[la+i] = -x.Coef[n+j]
			}
		}
		rows = append(rows, Atom{Coef: r})
	}
	r, s := row(), row()
	for i, x := range a { // λ·bounds ≤ bound
		r[la+i] = x.Bound
	}
	r[c], r[c+1] = -1, 1
	for i, x := range b { // bound + μ·bounds ≤ -1
		s[mb+i] = x.Bound
	}
	s[c], s[c+1] = 1, -1
	rows = append(rows, Atom{Coef: r}, Atom{Coef: s, Bound: -1})

	cost := make([]int64, size)
	for j := range 2 * n {
		cost[p+j] = 1
	}
	cost[c], cost[c+1] = boundWeight, boundWeight
	d, err := newDictionary(size, rows, cost)
	if err != nil {
		return Atom{}, false
	}
	if bad, err := d.solve(); err != nil || bad >= 0 {
		return Atom{}, false
	}
	itp.Coef = make([]int64, n)
	g := int64(0)
	for j := range n {
		itp.Coef[j] = d.value(p+j) - d.value(q+j)
		g = gcd(g, itp.Coef[j])
	}
	if g == 0 {
		return Atom{}, false
	}
	for j := range itp.Coef {
		itp.Coef[j] /= g
	}
	itp.Bound = floorDiv(d.value(c)-d.value(c+1), g)
	return itp, true
}
