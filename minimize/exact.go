package minimize

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// The exact strategy: implicit hitting sets by dualisation.
//
// Idea: a set eliminates a path if and only if it hits the complement of every
// maximal set that the path survives. These complements, the clauses, are far
// too many to compute, but few of them matter: take a cheapest set that hits the
// clauses known so far; where it eliminates all paths it is a minimum, because
// the clauses bind every solution; otherwise grow it to a maximal set that a
// surviving path survives, which gives a clause that it does not hit.
//
// Sources: the problem is section 6.3 of Chaki et al., "Efficient Verification
// of Sequential and Concurrent C Programs" (2004), which enumerates eliminating
// sets instead (see Enumerate) and mentions hitting sets as an alternative. The
// loop is that of Moreno-Centeno and Karp, "The Implicit Hitting Set Approach"
// (Operations Research 61, 2013).
//
// Ties: a first loop finds a minimum, a second one, by then with almost all the
// clauses it takes, the lexicographically first of all minima.
//
// Memory: clauses hold for good while paths and candidates only accumulate. What
// a path survives it still survives when there are more candidates, but the set
// need no longer be maximal, so it is grown again by the new ones.
//
// Cost: exponential at worst; the number of tests is about (clauses needed) ×
// (paths + the cost of growing).

// DefaultConflicts is the budget of the pseudo-Boolean solver when none is
// given, for one call of Minimize: several seconds, which hitting sets of the size
// of a refinement never come near.
const DefaultConflicts = 200_000

// Options are those of the strategies that use the pseudo-Boolean solver. The
// zero value is the default.
type Options struct {
	// Conflicts is how many conflicts the solver may have in one call of
	// Minimize. 0: DefaultConflicts.
	Conflicts int
}

func (o Options) conflicts() int {
	if o.Conflicts > 0 {
		return o.Conflicts
	}
	return DefaultConflicts
}

// Minimizer is the exact [Strategy] with its memory.
type Minimizer struct {
	opts     Options
	oracle   oracle
	survived []survived
	hit      *hitting // of the complements of survived; nil: to be built
}

// survived is a set that a path survives, maximal among the first n candidates.
// Its complement is a clause.
type survived struct {
	path int
	set  Set
	n    int
}

// NewMinimizer returns an exact strategy that knows nothing yet.
func NewMinimizer(opts Options) *Minimizer { return &Minimizer{opts: opts} }

// Minimize returns the lexicographically first of the cheapest sets of
// candidates that eliminate every path, proven.
func (m *Minimizer) Minimize(ctx context.Context, p Problem) (Result, error) {
	var r Result
	if err := m.prepare(ctx, p, &r.Stats); err != nil {
		return r, err
	}
	err := m.minimize(ctx, p, &r)
	if errors.Is(err, ErrBudget) && !r.Proven {
		return r, errors.Join(err, m.approximate(ctx, p, &r))
	}
	return r, err
}

// alternatives is how many candidates of one clause Extend takes.
const alternatives = 2

// Extend returns a superset of base that eliminates every path: to base come two
// candidates of every clause that it does not hit. It is no minimum, but it costs
// little and grows fast, since the candidates of one clause are alternatives, of
// which the next paths are likely to need another; and the clauses it learns serve
// Minimize. A refinement loop can go on with growing sets and ask for the minimum
// when one suffices. The result is not Proven.
func (m *Minimizer) Extend(ctx context.Context, p Problem, base Set) (Result, error) {
	var r Result
	err := m.prepare(ctx, p, &r.Stats)
	if err == nil {
		r.Set, err = m.settle(ctx, p, &r.Stats, func(context.Context) (Set, error) {
			return base.Union(m.hit.missed(base, alternatives)), nil
		})
	}
	return r, err
}

// prepare brings what is remembered up to the problem as it is now.
func (m *Minimizer) prepare(ctx context.Context, p Problem, st *Stats) error {
	costs, err := costsOf(p)
	if err != nil {
		return err
	}
	if err := m.oracle.adopt(p); err != nil {
		return err
	}
	if err := m.oracle.eliminable(ctx, p, st); err != nil {
		return err
	}
	return m.begin(ctx, p, costs, st)
}

// minimize fills in a minimum and then the lexicographically first one. When
// only the latter is beyond the budget, the former has to do.
func (m *Minimizer) minimize(ctx context.Context, p Problem, r *Result) error {
	cheapest, err := m.settle(ctx, p, &r.Stats, m.hit.cheapest)
	if err != nil {
		return err
	}
	first, err := m.settle(ctx, p, &r.Stats, func(ctx context.Context) (Set, error) {
		return m.hit.first(ctx, cheapest)
	})
	if errors.Is(err, ErrBudget) {
		first, err = cheapest, nil
	}
	if err == nil {
		r.Set, r.Proven = first, true
	}
	return err
}

// approximate fills in an unproven set, by greedy hitting sets.
func (m *Minimizer) approximate(ctx context.Context, p Problem, r *Result) error {
	set, err := m.settle(ctx, p, &r.Stats, func(context.Context) (Set, error) {
		return m.hit.greedy(Set{}), nil
	})
	if err == nil {
		r.Set = set
	}
	return err
}

// settle takes proposals, and learns from the paths that survive them, until one
// eliminates every path.
func (m *Minimizer) settle(ctx context.Context, p Problem, st *Stats,
	propose func(context.Context) (Set, error)) (Set, error) {
	for {
		if err := ctx.Err(); err != nil {
			return Set{}, err
		}
		s, err := propose(ctx)
		if err != nil {
			return Set{}, err
		}
		learned, err := m.learn(ctx, p, s, st)
		st.try(s, err == nil && !learned)
		if err != nil || !learned {
			return s, err
		}
	}
}

// learn adds a clause for each path that survives s.
func (m *Minimizer) learn(ctx context.Context, p Problem, s Set, st *Stats) (bool, error) {
	learned := false
	for path := p.NumPaths() - 1; path >= 0; path-- {
		eliminated, err := m.oracle.eliminates(ctx, p, path, s, st)
		if err != nil {
			return false, err
		}
		if eliminated {
			continue
		}
		g := grower{o: &m.oracle, p: p, path: path, st: st}
		grown, err := g.grow(ctx, s)
		if err != nil {
			return false, err
		}
		if err := m.hit.addSurvived(grown, m.oracle.n, path); err != nil {
			return false, err
		}
		m.oracle.facts[path].record(grown, false)
		m.survived = append(m.survived, survived{path, grown, m.oracle.n})
		st.Clauses++
		learned = true
	}
	return learned, nil
}

// addSurvived adds the complement of a set that a path survives.
func (h *hitting) addSurvived(s Set, n, path int) error {
	clause := Full(n).Minus(s)
	if clause.Empty() {
		return fmt.Errorf(
			"minimize: path %d survives all candidates, though they eliminate it: Eliminates or Relevant breaks its law", path)
	}
	return h.add(clause)
}

// begin brings the clauses up to the candidates there are now, and the solver up
// to the clauses.
func (m *Minimizer) begin(ctx context.Context, p Problem, costs []int, st *Stats) error {
	if m.hit == nil || !slices.Equal(m.hit.costs, costs) {
		m.hit = nil
		if err := m.regrow(ctx, p, st); err != nil {
			return err
		}
		hit := newHitting(costs)
		for _, s := range m.survived {
			if err := hit.addSurvived(s.set, m.oracle.n, s.path); err != nil {
				return err
			}
		}
		m.hit = hit
	}
	m.hit.opt.begin(m.opts.conflicts(), st)
	return nil
}

// regrow grows each survived set by the candidates that are new to it, and drops
// the sets that are then contained in another.
func (m *Minimizer) regrow(ctx context.Context, p Problem, st *Stats) error {
	for i, s := range m.survived {
		if s.n == m.oracle.n {
			continue
		}
		g := grower{o: &m.oracle, p: p, path: s.path, st: st}
		grown, err := g.grow(ctx, s.set)
		if err != nil {
			return err
		}
		m.survived[i] = survived{s.path, grown, m.oracle.n}
	}
	m.survived = maximal(m.survived)
	return nil
}

// maximal drops sets that are contained in another, and all but the first of
// equal ones.
func maximal(all []survived) []survived {
	var out []survived
	for i, s := range all {
		implied := slices.ContainsFunc(all[:i], func(t survived) bool { return s.set.SubsetOf(t.set) }) ||
			slices.ContainsFunc(all[i+1:], func(t survived) bool { return s.set.SubsetOf(t.set) && !s.set.Equal(t.set) })
		if !implied {
			out = append(out, s)
		}
	}
	return out
}
