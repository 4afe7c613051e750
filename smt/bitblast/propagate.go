package bitblast

// Equations that a query assumes are put into its other equations.
//
// Idea: of a query with products the conditions l == r give polynomials l - r that are 0, and each of
// these a rule: a monomial with an odd coefficient, which can be divided by, is what the rest says. A
// rule is put into all polynomials that come later, by the monomial as a factor. If an equation
// becomes a constant other than 0, or the polynomial of l != r becomes 0, the conditions contradict
// each other: i·n == s, i' == i + 1 and s' == s + n have i'·n == s' without a search. Otherwise the
// search begins as if nothing had been done.
//
// Source: elimination of variables as in the preprocessors of SMT solvers (Brummayer, Biere, TACAS
// 2009), and of leading monomials as in Buchberger's algorithm. Deviations: no pairs are completed,
// nothing is substituted in circuits, which other queries share. Each step adds a multiple of an
// assumed equation, so that it is sound in any order; the number of steps is bounded by maxSteps.
// Cost: a step takes maxMonomials² at most; queries without products have none.

import (
	"slices"

	"magus/smt/expr"
)

const (
	maxSteps     = 200
	maxEquations = 64
)

// A fact is the polynomial of an equation, and from which assumptions it is.
type fact struct {
	p       polynomial
	width   uint8
	from    []int
	unequal bool // it is not 0
}

// A rule says that atoms, multiplied, are what a polynomial says.
type rule struct {
	atoms string
	is    polynomial
	width uint8
	from  []int
}

// propagation is what is derived from one query.
type propagation struct {
	ring  *ring
	rules []rule
	steps int
}

// refuted are assumptions that the polynomials of equations show to contradict each other, nil if there are none.
func (b *blaster) refuted(assumptions []*expr.Expr) []int {
	if !slices.ContainsFunc(assumptions, b.ring.nonlinear) {
		return nil
	}
	var facts []fact
	for i, a := range assumptions {
		facts = b.ring.facts(facts, a, i)
	}
	if len(facts) > maxEquations {
		return nil
	}
	p := &propagation{ring: b.ring}
	for _, f := range facts {
		if core := p.assume(f); core != nil {
			return sortedUnique(core)
		}
	}
	for _, f := range facts {
		if !f.unequal {
			continue
		}
		if p.reduce(&f); len(f.p) == 0 {
			return sortedUnique(f.from)
		}
	}
	return nil
}

// assume makes a rule of an equation, and rules anew of those that it applies to. What contradicts
// the rules is returned.
func (p *propagation) assume(f fact) []int {
	for todo := []fact{f}; len(todo) > 0; todo = todo[1:] {
		f := todo[0]
		if f.unequal {
			continue
		}
		if p.reduce(&f); f.p.nowhereZero() {
			return f.from
		}
		r, ok := solved(f)
		if !ok || p.steps > maxSteps {
			continue
		}
		kept := p.rules[:0]
		for _, old := range p.rules {
			if eq := old.equation(); r.width >= eq.width && p.apply(r, &eq) {
				todo = append(todo, eq)
			} else {
				kept = append(kept, old)
			}
		}
		p.rules = append(kept, r)
	}
	return nil
}

// equation is what a rule is made of.
func (r rule) equation() fact {
	return fact{p: polynomial{{r.atoms, 1}}.plus(^uint64(0), r.is, r.width), width: r.width, from: r.from}
}

// facts adds those of a condition.
func (r *ring) facts(to []fact, c *expr.Expr, from int) []fact {
	unequal := c.Op() == expr.Not
	if unequal {
		c = c.Args()[0]
	}
	switch {
	case c.Op() == expr.Land && !unequal, c.Op() == expr.Lor && unequal:
		for _, a := range c.Args() {
			if unequal {
				a = r.pool.Not(a)
			}
			to = r.facts(to, a, from)
		}
	case c.Op() == expr.Eq && !c.Args()[0].Type().IsBool():
		x, y := c.Args()[0], c.Args()[1]
		width := x.Type().Width
		p := r.of(x, width).plus(^uint64(0), r.of(y, width), width)
		to = append(to, fact{p, width, []int{from}, unequal})
	}
	return to
}

// reduce applies the rules to a fact as long as one applies.
func (p *propagation) reduce(f *fact) {
	for again := true; again; {
		again = false
		for _, r := range p.rules {
			for r.width >= f.width && p.apply(r, f) {
				again = true
			}
		}
	}
}

// apply replaces one monomial of a fact by a rule, which holds modulo fewer bits too.
func (p *propagation) apply(r rule, f *fact) bool {
	for i, m := range f.p {
		rest, ok := without(m.atoms, r.atoms)
		if !ok {
			continue
		}
		if p.steps++; p.steps > maxSteps {
			return false
		}
		product := r.is.times(polynomial{{rest, m.coeff}}, f.width)
		q := slices.Delete(slices.Clone(f.p), i, i+1).plus(1, product, f.width)
		if len(q) > maxMonomials {
			return false
		}
		f.p, f.from = q, append(slices.Clone(f.from), r.from...)
		return true
	}
	return false
}

// without takes atoms off a monomial's.
func without(atoms, off string) (rest string, ok bool) {
	for ; off != ""; off = off[4:] {
		for atoms != "" && atoms[:4] < off[:4] {
			rest, atoms = rest+atoms[:4], atoms[4:]
		}
		if atoms == "" || atoms[:4] != off[:4] {
			return "", false
		}
		atoms = atoms[4:]
	}
	return rest + atoms, true
}

// solved is the rule of a fact: for the last of its monomials by length with an odd coefficient,
// which cannot come back then, but rather for an atom that occurs in no other.
func solved(f fact) (r rule, ok bool) {
	best := -1
	for i, m := range f.p {
		if m.atoms == "" || m.coeff&1 == 0 {
			continue
		}
		alone := len(m.atoms) == 4 && !slices.ContainsFunc(f.p, func(o monomial) bool {
			_, has := without(o.atoms, m.atoms)
			return has && o.atoms != m.atoms
		})
		if best = i; alone {
			break
		}
	}
	if best < 0 {
		return r, false
	}
	m := f.p[best]
	rest := slices.Delete(slices.Clone(f.p), best, best+1)
	return rule{m.atoms, polynomial(nil).plus(-inverse(m.coeff), rest, f.width), f.width, f.from}, true
}

// inverse is that of an odd number modulo 2^64, by Newton's iteration: each step doubles the number
// of bits that are right.
func inverse(k uint64) uint64 {
	x := k // 3 bits
	for range 5 {
		x *= 2 - k*x
	}
	return x
}

func sortedUnique(a []int) []int {
	slices.Sort(a)
	return slices.Compact(a)
}

// nonlinear reports whether a condition has an equation with a product of two unknowns, or a
// remainder by one, in its sums.
func (r *ring) nonlinear(c *expr.Expr) bool {
	known, ok := r.hard[c]
	if ok {
		return known
	}
	switch c.Op() {
	case expr.Mul, expr.Rem, expr.Div:
		known = !c.Args()[1].IsConst() || r.nonlinear(c.Args()[0])
	case expr.Not, expr.Land, expr.Lor, expr.Eq, expr.Add, expr.Sub, expr.Neg, expr.Compl, expr.Cast:
		known = slices.ContainsFunc(c.Args(), r.nonlinear)
	}
	r.hard[c] = known
	return known
}
