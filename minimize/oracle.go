package minimize

import (
	"context"
	"fmt"
)

// maxFacts bounds, for each path, how many answers of either kind are kept, so
// that looking one up stays cheaper than testing. The oldest go first.
const maxFacts = 1024

// oracle asks the problem whether a set eliminates a path, unless an earlier
// answer settles it: supersets of eliminating sets eliminate, subsets of
// surviving ones do not. Answers outlive a call because problems only grow.
type oracle struct {
	n     int // candidates
	facts []facts
}

// facts are the answers known for one path.
// Invariant: both are antichains, of minimal and of maximal sets.
type facts struct {
	eliminating []Set
	surviving   []Set
}

// adopt makes room for the paths and candidates of p.
func (o *oracle) adopt(p Problem) error {
	n, paths := p.NumCandidates(), p.NumPaths()
	if n < o.n || paths < len(o.facts) {
		return fmt.Errorf("minimize: problem shrank from %d candidates and %d paths to %d and %d",
			o.n, len(o.facts), n, paths)
	}
	o.n = n
	o.facts = append(o.facts, make([]facts, paths-len(o.facts))...)
	return nil
}

// eliminates answers from the facts or else by a test, and counts which.
func (o *oracle) eliminates(ctx context.Context, p Problem, path int, s Set, st *Stats) (bool, error) {
	f := &o.facts[path]
	if answer, known := f.lookup(s); known {
		st.Cached++
		return answer, nil
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	st.Tests++
	answer, err := p.Eliminates(ctx, path, s)
	if err != nil {
		return false, err
	}
	f.record(s, answer)
	return answer, nil
}

// eliminatesAll tells whether s eliminates every path, the newest asked first
// because it is the likeliest to survive.
func (o *oracle) eliminatesAll(ctx context.Context, p Problem, s Set, st *Stats) (bool, error) {
	for path := len(o.facts) - 1; path >= 0; path-- {
		ok, err := o.eliminates(ctx, p, path, s, st)
		if !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// eliminable returns a NotEliminableError for the first path that survives all
// candidates together.
func (o *oracle) eliminable(ctx context.Context, p Problem, st *Stats) error {
	full := Full(o.n)
	for path := range o.facts {
		ok, err := o.eliminates(ctx, p, path, full, st)
		if err != nil {
			return err
		}
		if !ok {
			return &NotEliminableError{Path: path}
		}
	}
	return nil
}

func (f *facts) lookup(s Set) (answer, known bool) {
	for i := len(f.eliminating) - 1; i >= 0; i-- {
		if f.eliminating[i].SubsetOf(s) {
			return true, true
		}
	}
	for i := len(f.surviving) - 1; i >= 0; i-- {
		if s.SubsetOf(f.surviving[i]) {
			return false, true
		}
	}
	return false, false
}

// record adds an answer that no fact implied, and drops those it implies.
func (f *facts) record(s Set, answer bool) {
	if answer {
		f.eliminating = insert(f.eliminating, s, func(old Set) bool { return s.SubsetOf(old) })
	} else {
		f.surviving = insert(f.surviving, s, func(old Set) bool { return old.SubsetOf(s) })
	}
}

func insert(sets []Set, s Set, implied func(Set) bool) []Set {
	kept := sets[:0]
	for _, old := range sets {
		if !implied(old) {
			kept = append(kept, old)
		}
	}
	if len(kept) == maxFacts {
		copy(kept, kept[1:])
		kept = kept[:maxFacts-1]
	}
	return append(kept, s)
}
