package counting

// Idea: forward search over markings in which copies are counted exactly up to a bound of each state;
// more are "any number". There are finitely many such markings, so a search ends: with a set of
// markings that is closed under all steps and allows no violation, which proves the claim for all
// numbers; or with a path to a violation. The path is followed with exact numbers. If a copy is missing
// somewhere, it was there only because more copies than the bound of its state were taken for any number:
// the bound of this state is raised so far that the path is gone, and the search begins again.
//
// Both answers come after finitely many rounds. If the claim holds, the markings from which no violation can
// be reached are those below finitely many with unbounded numbers; once all bounds have reached the
// greatest finite number in these, the search never leaves them. If it does not hold, a shortest path to a
// violation is found as it is once all bounds have reached its length. Every few
// rounds all bounds are raised, so they grow without end.
//
// Source: Geeraerts, Raskin, Van Begin, "Expand, Enlarge and Check: new algorithms for the coverability
// problem of WSTS" (JCSS 72, 2006), whose domains of limits are the markings with bounds. Deviations: a
// bound for each state, raised by counterexamples; what violates is found by following these, not by
// a second search with so many copies. Markings as counts of copies: German, Sistla, "Reasoning about
// systems with many processes" (JACM 39, 1992).
//
// Cost: coverability needs exponential space. Markings that a greater one covers are left out; with the
// bounds that are needed in practice, 0 to the number of copies that a server lets in, there are few.

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"magus/lts"
)

// A Result answers whether all traces of a composition are those of its specification.
type Result struct {
	Verdict lts.Verdict
	Reason  string // if Unknown
	States  int    // markings met by the last search
	Rounds  int    // searches, each with greater bounds
	// Bounds say how many copies were told apart in each state of each LTS.
	Bounds [][]uint32
	// Invariant, if Holds: sets that all reachable markings are in.
	Invariant []Limit
	// Run, if Fails: a run of the copies, those of the first LTS first; Copies is how many there are of each.
	Run    *lts.Counterexample
	Copies []int
}

// A Limit stands for all markings that are not greater, when the specification can be in all of these
// states.
type Limit struct {
	Marking Marking
	Spec    []lts.State // ascending
}

// raiseAll is how many rounds there are between two raises of all bounds.
const raiseAll = 64

// Contained decides whether all traces of the composition are those of its specification, for all numbers
// of copies that Any stands for. maxStates bounds the markings of one search; 0 is no bound.
func (c *Composition) Contained(ctx context.Context, maxStates int) (Result, error) {
	bounds := make([][]uint32, len(c.LTSs))
	for i, m := range c.LTSs {
		bounds[i] = make([]uint32, m.NumStates())
	}
	for round := 1; ; round++ {
		s := &search{copies: c.Copies, bounds: bounds, observer: newObserver(c.Spec), steps: newStepper(c.LTSs),
			at: map[string][]int{}, max: maxStates}
		if err := s.run(ctx, c.initial()); err != nil {
			return Result{}, err
		}
		r := Result{States: len(s.nodes), Rounds: round, Bounds: bounds}
		switch {
		case s.full:
			r.Reason = fmt.Sprintf("more than %d sets of states of any number of copies", maxStates)
			return r, nil
		case !s.violated:
			r.Verdict, r.Invariant = lts.Holds, s.invariant()
			return r, nil
		}
		path := s.path()
		missing, real := c.follow(path)
		if real {
			r.Verdict = lts.Fails
			r.Run, r.Copies = c.run(path)
			return r, nil
		}
		bounds = raised(bounds, missing, round)
	}
}

// raised are the bounds for the next round.
func raised(bounds [][]uint32, m missing, round int) [][]uint32 {
	next := Marking(bounds).clone()
	next[m.lts][m.state] = max(next[m.lts][m.state], m.most)
	for i := range next {
		for s := range next[i] {
			next[i][s] = max(next[i][s], uint32(round/raiseAll))
		}
	}
	return next
}

// A node is a marking that was met, with what the specification can be in.
type node struct {
	marking Marking
	spec    int
	parent  int // -1 for the first
	step    step
	covered bool // by another one
}

// A step is an action and who takes part in it.
type step struct {
	action lts.Action
	moves  []move
}

type search struct {
	copies   []int // of each LTS, as in a Composition
	bounds   [][]uint32
	observer *observer
	steps    *stepper
	max      int

	nodes    []node
	at       map[string][]int // nodes that are not covered, by what must be equal
	current  int
	last     step // leads to the violation
	violated bool
	full     bool
}

// run explores breadth first.
func (s *search) run(ctx context.Context, initial Marking) error {
	start := s.observer.start()
	switch start {
	case violation: // nothing has happened, and the specification is in an ERROR state
		s.violated, s.current = true, -1
		return nil
	case harmless:
		return nil
	}
	s.add(s.bounded(initial), start, -1, step{})
	emit := s.emit
	for s.current = 0; s.current < len(s.nodes); s.current++ {
		if s.current%256 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if s.nodes[s.current].covered {
			continue
		}
		if !s.steps.from(s.nodes[s.current].marking, emit) {
			return nil
		}
	}
	return nil
}

// emit takes one step from the current node.
func (s *search) emit(a lts.Action, moves []move) bool {
	from := &s.nodes[s.current]
	spec := s.observer.step(from.spec, a)
	switch spec {
	case violation:
		s.violated, s.last = true, step{a, slices.Clone(moves)}
		return false
	case harmless:
		return true
	}
	s.add(s.bounded(from.marking.after(moves)), spec, s.current, step{a, moves})
	s.full = s.max > 0 && len(s.nodes) > s.max
	return !s.full
}

// bounded takes more copies than are told apart for any number.
func (s *search) bounded(m Marking) Marking {
	for i := range m {
		if s.copies[i] == 1 {
			continue
		}
		for st, n := range m[i] {
			if n > s.bounds[i][st] && n != Unbounded {
				m[i] = slices.Clone(m[i])
				m[i][st] = Unbounded
			}
		}
	}
	return m
}

// key is what two nodes have in common of which one can cover the other: the set of the specification and the
// states of LTSs that run once.
func (s *search) key(m Marking, spec int) string {
	key := binary.AppendUvarint(nil, uint64(spec))
	for i := range m {
		if s.copies[i] == 1 {
			key = binary.AppendUvarint(key, uint64(slices.Index(m[i], 1)))
		}
	}
	return string(key)
}

// add adds a node unless one covers it; those that it covers are not looked at any more.
func (s *search) add(m Marking, spec, parent int, by step) {
	key := s.key(m, spec)
	same := s.at[key]
	for _, n := range same {
		if s.nodes[n].marking.covers(m) {
			return
		}
	}
	kept := same[:0]
	for _, n := range same {
		if s.nodes[n].covered = m.covers(s.nodes[n].marking); !s.nodes[n].covered {
			kept = append(kept, n)
		}
	}
	s.at[key] = append(kept, len(s.nodes))
	s.nodes = append(s.nodes, node{marking: m, spec: spec, parent: parent, step: step{by.action, slices.Clone(by.moves)}})
}

// invariant are the nodes that no other covers.
func (s *search) invariant() []Limit {
	limits := []Limit{}
	for _, n := range s.nodes {
		if !n.covered {
			limits = append(limits, Limit{n.marking, s.observer.sets[n.spec]})
		}
	}
	return limits
}

// path are the steps that lead to the violation.
func (s *search) path() []step {
	if s.current < 0 {
		return nil
	}
	path := []step{s.last}
	for n := s.current; s.nodes[n].parent >= 0; n = s.nodes[n].parent {
		path = append(path, s.nodes[n].step)
	}
	slices.Reverse(path)
	return path
}
