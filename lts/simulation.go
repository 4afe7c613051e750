package lts

import (
	"context"
	"fmt"
	"slices"
)

// Idea: the greatest simulation as what is left when pairs that violate the definition are removed.
// First go the pairs in which the right state lacks an action; when a pair (s', t') goes, the pairs of
// an a-predecessor of s' and an a-predecessor of t' are looked at again. Both sides are replaced
// by their quotients under strong bisimulation first (branching bisimulation for weak simulation), and
// for weak simulation the right one by its weak transitions.
//
// Source: the definition (van Glabbeek, "The linear time - branching time spectrum I", section 8), with
// the work list of Henzinger, Henzinger, Kopke, "Computing simulations on finite and infinite
// graphs" (FOCS 1995). Deviation: no counters, a pair is checked anew.
//
// Cost: at worst transitions of left × transitions of right × out-degree; 4 bytes a pair of classes.

// maxPairs bounds the pairs of classes, 1 GiB.
const maxPairs = 1 << 28

// maxWeakTransitions bounds the weak transitions of the right side, 12 bytes each while they are collected.
const maxWeakTransitions = 1 << 27

var errTooManyPairs = &LimitError{"too many pairs of states for simulation"}

// simulation is the state of one computation: pair (s, t) is s*n + t for the n states of right.
type simulation struct {
	left, right *LTS
	n           int
	order       []uint32 // by pair: when it was removed, counting from 1, or 0
	removed     []uint32 // pairs, in that order
}

func compareSimulated(ctx context.Context, a, b *LTS, weak bool, lim Limits) (Comparison, error) {
	if err := lim.allow(a.NumStates() + b.NumStates()); err != nil {
		return Comparison{}, err
	}
	k := newMarks(a, b)
	left, nameLeft, err := forSimulation(ctx, k, a, weak)
	if err != nil {
		return Comparison{}, err
	}
	right, nameRight, err := forSimulation(ctx, k, b, weak)
	if err != nil {
		return Comparison{}, err
	}
	most := maxPairs
	if lim.MaxBytes > 0 {
		most = int(min(int64(most), lim.MaxBytes/4))
	}
	if left.NumStates() > most/right.NumStates() {
		return Comparison{}, errTooManyPairs
	}
	if weak {
		if right, err = tauClosure(ctx, right, maxWeakTransitions); err != nil {
			return Comparison{}, err
		}
	}
	s := &simulation{left: left, right: right, n: right.NumStates()}
	s.order = make([]uint32, left.NumStates()*s.n)
	if err := s.run(ctx); err != nil {
		return Comparison{}, err
	}
	if s.order[s.pair(left.init, right.init)] == 0 {
		return Comparison{Holds: true}, nil
	}
	return Comparison{Explanation: s.explain(k, nameLeft, nameRight)}, nil
}

// forSimulation returns a smaller LTS that is as good for the comparison, ERROR states encoded, and the
// names of its states.
func forSimulation(ctx context.Context, k marks, m *LTS, weak bool) (q *LTS, name func(State) string, err error) {
	kind := StrongBisim
	if weak {
		kind = BranchingBisim
	}
	encoded := withoutErrors(k, m)
	blocks, count, err := partition(ctx, k, encoded, kind)
	if err != nil {
		return nil, nil, err
	}
	least := leastMembers(blocks, count)
	return quotient(encoded, blocks, count, !weak), func(s State) string { return m.StateName(least[s]) }, nil
}

// leastMembers returns the least state of each block.
func leastMembers(blocks []uint32, count int) []State {
	least := make([]State, count)
	for s := len(blocks) - 1; s >= 0; s-- {
		least[blocks[s]] = State(s)
	}
	return least
}

func (s *simulation) pair(l, r State) int { return int(l)*s.n + int(r) }

func (s *simulation) run(ctx context.Context) error {
	for l := range State(s.left.NumStates()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		for r := range State(s.n) {
			if slices.ContainsFunc(s.left.Out(l), func(e Edge) bool { return len(s.right.OutBy(r, e.Action)) == 0 }) {
				s.remove(l, r)
			}
		}
	}
	intoLeft, startsLeft := predecessorEdges(s.left)
	intoRight, startsRight := predecessorEdges(s.right)
	for i := 0; i < len(s.removed); i++ {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		l, r := int(s.removed[i])/s.n, int(s.removed[i])%s.n
		for _, e := range intoLeft[startsLeft[l]:startsLeft[l+1]] {
			for _, f := range intoRight[startsRight[r]:startsRight[r+1]] {
				if e.Action == f.Action && s.order[s.pair(e.To, f.To)] == 0 && !s.answered(State(l), f.To, e.Action) {
					s.remove(e.To, f.To)
				}
			}
		}
	}
	return nil
}

// answered says whether r can do a and then simulate l.
func (s *simulation) answered(l, r State, a Action) bool {
	for _, f := range s.right.OutBy(r, a) {
		if s.order[s.pair(l, f.To)] == 0 {
			return true
		}
	}
	return false
}

func (s *simulation) remove(l, r State) {
	s.removed = append(s.removed, uint32(s.pair(l, r)))
	s.order[s.pair(l, r)] = uint32(len(s.removed))
}

// explain follows the transitions that had the pairs removed, from the initial one on; right answers
// with what lasted longest.
func (s *simulation) explain(k marks, nameLeft, nameRight func(State) string) []string {
	var lines []string
	l, r := s.left.init, s.right.init
	for len(lines) < maxExplanation {
		e := s.unanswered(l, r)
		answers := s.right.OutBy(r, e.Action)
		line := challengeText(s.left.actions, k, "left", nameLeft(l), e.Action, nameLeft(e.To)) + "; "
		if len(answers) == 0 {
			return append(lines, line+refusalText(s.left.actions, k, "right", nameRight(r), e.Action))
		}
		names := make([]string, len(answers))
		best := answers[0].To
		for i, f := range answers {
			names[i] = nameRight(f.To)
			if s.order[s.pair(e.To, f.To)] > s.order[s.pair(e.To, best)] {
				best = f.To
			}
		}
		line += fmt.Sprintf("right at %s can go to %s", nameRight(r), listText(names))
		lines = append(lines, line+", but "+nameRight(best)+" does not simulate "+nameLeft(e.To))
		l, r = e.To, best
	}
	return append(lines, "…")
}

// unanswered returns a transition of l whose answers by r were all removed before the pair was.
func (s *simulation) unanswered(l, r State) Edge {
	when := s.order[s.pair(l, r)]
	for _, e := range s.left.Out(l) {
		lost := true
		for _, f := range s.right.OutBy(r, e.Action) {
			o := s.order[s.pair(e.To, f.To)]
			lost = lost && o != 0 && o < when
		}
		if lost {
			return e
		}
	}
	panic("lts: a pair was removed without a reason")
}
