package minimize

import (
	"context"
	"errors"
	"fmt"
)

// Problem asks for the cheapest subset of the candidates 0 … NumCandidates()-1
// that eliminates all of the paths 0 … NumPaths()-1.
//
// Laws. Eliminates is deterministic and monotone: a superset of a set that
// eliminates a path eliminates it too. A strategy remembers what it has learned,
// so between two calls with the same strategy candidates and paths may only be
// appended: the answer for a path and a set of old candidates does not change.
type Problem interface {
	NumCandidates() int
	NumPaths() int // spurious counterexamples seen so far
	// Eliminates tells whether the candidates in s eliminate the path
	// (CEEliminate, figure 8 of Chaki et al., "Efficient Verification of
	// Sequential and Concurrent C Programs" (2004)). An error ends the
	// minimization.
	Eliminates(ctx context.Context, path int, s Set) (bool, error)
	// Cost is what choosing the candidate costs: above 0, usually 1.
	Cost(candidate int) int
}

// Hinter is a [Problem] that can guess which candidates matter. Hints save
// tests; the answers of [Exact] and [Enumerate] do not depend on them.
type Hinter interface {
	// Hint returns candidates in the order in which they are likely to matter
	// for the path, likeliest first. Some may be missing.
	Hint(path int) []int
}

// Relevancer is a [Problem] that knows what cannot matter.
//
// Law: Eliminates(path, s) = Eliminates(path, s ∩ Relevant(path)).
type Relevancer interface {
	Relevant(ctx context.Context, path int) Set
}

// Stats says what a minimization has cost. Elimination tests are the expensive
// part.
type Stats struct {
	Tests       int // calls of Eliminates
	Cached      int // questions answered from what was known, by monotonicity
	Subsets     int // sets proposed (Exact), examined (Enumerate) or tried (Greedy)
	Largest     int // of these sets, the most candidates of one
	Clauses     int // clauses learned from surviving paths (Exact), eliminating sets found (Enumerate)
	LargestGood int // the most candidates of an eliminating one of Subsets
	PBCalls     int // calls of the pseudo-Boolean solver
	PBConflicts int // conflicts in these calls
}

// try counts a set that is proposed, examined or tried, and whether it is what
// was wanted.
func (s *Stats) try(set Set, good bool) {
	s.Subsets++
	s.Largest = max(s.Largest, set.Len())
	if good {
		s.LargestGood = max(s.LargestGood, set.Len())
	}
}

// Add adds up what several minimizations have cost.
func (s *Stats) Add(t Stats) {
	s.Tests += t.Tests
	s.Cached += t.Cached
	s.Subsets += t.Subsets
	s.Largest = max(s.Largest, t.Largest)
	s.Clauses += t.Clauses
	s.LargestGood = max(s.LargestGood, t.LargestGood)
	s.PBCalls += t.PBCalls
	s.PBConflicts += t.PBConflicts
}

// Result is a set that eliminates every path.
type Result struct {
	Set    Set
	Proven bool  // Set is a proven minimum: no cheaper set of candidates will do
	Stats  Stats // of this call
}

// Strategy minimizes. It keeps what it has learned from one call to the next,
// which pays in a refinement loop, where paths and candidates only accumulate.
// Use one value for each such sequence of problems; it is not safe for
// concurrent use, while different values are independent.
type Strategy interface {
	// Minimize returns a set that eliminates every path of p. Errors: one that
	// wraps [ErrNotEliminable]; one that wraps [ErrBudget], then with a set that
	// is right but unproven; the context's; any that p returns.
	Minimize(ctx context.Context, p Problem) (Result, error)
}

// ErrNotEliminable is what every [NotEliminableError] wraps.
var ErrNotEliminable = errors.New("no set of candidates eliminates the counterexample")

// NotEliminableError says that all candidates together do not eliminate a path.
type NotEliminableError struct {
	Path int
}

func (e *NotEliminableError) Error() string {
	return fmt.Sprintf("path %d: %v", e.Path, ErrNotEliminable)
}

func (e *NotEliminableError) Unwrap() error { return ErrNotEliminable }

// ErrBudget says that the pseudo-Boolean solver did not deliver within its
// budget of conflicts or size.
var ErrBudget = errors.New("pseudo-Boolean optimum: budget exhausted")

// costsOf returns the cost of each candidate, or an error when one is not
// positive or their sum leaves the range that can be added up safely.
func costsOf(p Problem) ([]int, error) {
	const most = 1 << 30
	costs := make([]int, p.NumCandidates())
	sum := 0
	for c := range costs {
		w := p.Cost(c)
		if w <= 0 || w > most {
			return nil, fmt.Errorf("minimize: candidate %d costs %d, must be from 1 to %d", c, w, most)
		}
		costs[c] = w
		sum += w
	}
	if sum > most {
		return nil, fmt.Errorf("minimize: the candidates cost %d together, must be at most %d", sum, most)
	}
	return costs, nil
}
