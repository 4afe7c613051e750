package minimize

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// The strategy of Chaki et al., "Efficient Verification of Sequential and
// Concurrent C Programs" (2004), section 6.3, called Sample-and-Eliminate in
// 9.1.
//
// Idea: for each path, test sets of candidates by increasing size and collect
// those that eliminate it, skipping supersets of one that was found. Formula σ
// (equation 1) is the conjunction over the paths of the disjunction of their
// eliminating sets; the cheapest model of σ is the answer.
//
// In clauses, a set of two or more gets an auxiliary variable that implies its
// candidates, and each path becomes one clause over its sets.
//
// Deviations: the bounds MAXSUB and MAXELM hold for each path, and sets of one
// size are examined in lexicographic order. A path for which the bounds leave no
// eliminating set gets the set of all candidates as its only one. The answer is
// proven only when no path met a bound. The paper's division into blocks of the
// control-flow graph is left out: this package does not know them.
//
// Cost: up to 2^n tests for each path.

// enumerate is the strategy with its table of eliminating sets.
type enumerate struct {
	maxSub, maxElm int
	opts           Options
	table          []eliminating // by path
	n              int           // candidates the table is for
}

// eliminating is what enumeration found for one path.
type eliminating struct {
	sets     []Set
	complete bool // all the minimal ones
}

// Enumerate returns the paper's strategy: for each path at most maxSub sets are
// examined and at most maxElm eliminating ones collected (the paper's MAXSUB and
// MAXELM); 0 or less means no bound.
func Enumerate(maxSub, maxElm int, opts Options) Strategy {
	return &enumerate{maxSub: maxSub, maxElm: maxElm, opts: opts}
}

// Minimize returns the lexicographically first of the cheapest models of σ.
func (e *enumerate) Minimize(ctx context.Context, p Problem) (Result, error) {
	var r Result
	costs, err := costsOf(p)
	if err != nil {
		return r, err
	}
	if err := e.extend(ctx, p, &r.Stats); err != nil {
		return r, err
	}
	sigma, err := newSigma(costs, e.table)
	if err != nil {
		return r, err
	}
	sigma.opt.begin(e.opts.conflicts(), &r.Stats)
	r.Set = sigma.greedy()
	best, err := sigma.opt.minimum(ctx, r.Set)
	if err != nil {
		return r, err
	}
	r.Set = best
	r.Proven = !slices.ContainsFunc(e.table, func(f eliminating) bool { return !f.complete })
	first, err := sigma.opt.lexFirst(ctx, best, sigma.useful)
	if errors.Is(err, ErrBudget) {
		return r, nil
	}
	if err == nil {
		r.Set = first
	}
	return r, err
}

// extend fills the table for new paths, and from scratch when there are new
// candidates.
func (e *enumerate) extend(ctx context.Context, p Problem, st *Stats) error {
	n, paths := p.NumCandidates(), p.NumPaths()
	if n < e.n || paths < len(e.table) {
		return fmt.Errorf("minimize: problem shrank from %d candidates and %d paths to %d and %d", e.n,
			len(e.table), n, paths)
	}
	if n > e.n {
		e.table, e.n = nil, n
	}
	for path := len(e.table); path < paths; path++ {
		found, err := e.enumeratePath(ctx, p, path, st)
		if err != nil {
			return err
		}
		st.Clauses += len(found.sets)
		e.table = append(e.table, found)
	}
	return nil
}

// enumeratePath collects eliminating sets of one path.
func (e *enumerate) enumeratePath(ctx context.Context, p Problem, path int, st *Stats) (eliminating, error) {
	test := func(s Set) (bool, error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		st.Tests++
		return p.Eliminates(ctx, path, s)
	}
	if ok, err := test(Full(e.n)); err != nil {
		return eliminating{}, err
	} else if !ok {
		return eliminating{}, &NotEliminableError{Path: path}
	}
	found := eliminating{complete: true}
	examined := 0
	for size := 0; size <= e.n && found.complete; size++ {
		for s := range subsets(e.n, size) {
			if slices.ContainsFunc(found.sets, func(t Set) bool { return t.SubsetOf(s) }) {
				continue
			}
			if e.maxSub > 0 && examined >= e.maxSub || e.maxElm > 0 && len(found.sets) >= e.maxElm {
				found.complete = false
				break
			}
			examined++
			ok, err := test(s)
			if err != nil {
				return found, err
			}
			st.try(s, ok)
			if ok {
				found.sets = append(found.sets, s)
			}
		}
		if len(found.sets) > 0 && found.sets[0].Empty() {
			break
		}
	}
	if len(found.sets) == 0 {
		found.sets = []Set{Full(e.n)}
	}
	return found, nil
}

// subsets yields the subsets of {0, …, n-1} of the given size, lexicographically.
func subsets(n, size int) func(yield func(Set) bool) {
	return func(yield func(Set) bool) {
		pick := make([]int, size)
		for i := range pick {
			pick[i] = i
		}
		for size <= n {
			if !yield(SetOf(pick...)) {
				return
			}
			i := size - 1
			for i >= 0 && pick[i] == n-size+i {
				i--
			}
			if i < 0 {
				return
			}
			pick[i]++
			for j := i + 1; j < size; j++ {
				pick[j] = pick[j-1] + 1
			}
		}
	}
}
