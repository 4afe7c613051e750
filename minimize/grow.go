package minimize

import "context"

// Growing a set that a path survives to a maximal one.
//
// Idea: the complement of a maximal surviving set is a clause: at least one
// candidate outside is needed (the dual of shrinking an unsatisfiable core).
// Candidates are added in bulk, a whole chunk with one test, and a chunk that
// would eliminate the path is halved. A chunk of one that would is outside for
// good, by monotonicity. What cannot matter (Relevancer) is added without a
// test, what is likely to matter (Hinter) is tried last, so that the clause
// consists of the likely ones.
//
// Cost: about c·log2(n/c) tests for a clause of c out of n candidates.

// grower grows sets for one path.
type grower struct {
	o    *oracle
	p    Problem
	path int
	st   *Stats
}

// grow returns a maximal superset of s that the path survives; it survives s.
func (g grower) grow(ctx context.Context, s Set) (Set, error) {
	if r, ok := g.p.(Relevancer); ok {
		s = s.Union(Full(g.o.n).Minus(r.Relevant(ctx, g.path)))
	}
	unlikely, likely := g.order(s)
	s, err := g.add(ctx, s, unlikely)
	if err != nil {
		return s, err
	}
	return g.add(ctx, s, likely)
}

// order splits the candidates outside s into those without a hint, highest
// first, and those with one, likeliest last.
func (g grower) order(s Set) (unlikely, likely []int) {
	var hinted Set
	if h, ok := g.p.(Hinter); ok {
		for _, c := range h.Hint(g.path) {
			if c >= 0 && c < g.o.n && !hinted.Has(c) {
				hinted = hinted.With(c)
				if !s.Has(c) {
					likely = append(likely, c)
				}
			}
		}
	}
	for i, j := 0, len(likely)-1; i < j; i, j = i+1, j-1 {
		likely[i], likely[j] = likely[j], likely[i]
	}
	for c := g.o.n - 1; c >= 0; c-- {
		if !s.Has(c) && !hinted.Has(c) {
			unlikely = append(unlikely, c)
		}
	}
	return unlikely, likely
}

// add adds to s as many of the chunk as the path survives.
func (g grower) add(ctx context.Context, s Set, chunk []int) (Set, error) {
	if len(chunk) == 0 {
		return s, nil
	}
	bigger := s.Union(SetOf(chunk...))
	eliminated, err := g.o.eliminates(ctx, g.p, g.path, bigger, g.st)
	if err != nil {
		return s, err
	}
	if !eliminated {
		return bigger, nil
	}
	if len(chunk) == 1 {
		return s, nil
	}
	half := len(chunk) / 2
	if s, err = g.add(ctx, s, chunk[:half]); err != nil {
		return s, err
	}
	return g.add(ctx, s, chunk[half:])
}
