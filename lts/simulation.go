package lts

import (
	"context"
	"fmt"
	"slices"
)

// Idea: simulation as what can be assumed until it is refuted. A pair (l, r) of states is assumed to be
// fine; every step of l is watched by the pair that an answer of r leads to, which is assumed to be
// fine in turn. When a pair is refuted, the steps that it watches are given the next answer; a step
// that has none left refutes its pair. Only pairs that are needed come up, beginning with the initial one.
//
// Both LTSs are replaced by one quotient of both under strong bisimulation, or branching bisimulation for
// weak simulation. A state simulates itself, so that what is bisimilar is not looked at. For weak
// simulation the answers are weak steps, which are found for the states and actions that come up.
//
// Source: the local algorithm of Liu, Smolka, "Simple linear-time algorithms for minimal fixed points"
// (ICALP 1998), section 3, with one watch a step as for clauses in SAT solvers.
//
// Cost: every answer of every step is tried at most once: at worst transitions of left × transitions of
// right, or weak transitions; about 30 bytes a pair and 16 to 40 a step of it, for the pairs that come up.

// maxPairs bounds the pairs, maxWeakAnswers the weak steps.
const (
	maxPairs       = 1 << 25
	maxWeakAnswers = 1 << 28
)

// simulation is the state of one computation.
type simulation struct {
	m           *LTS  // the quotient of both sides
	left, right State // the initial pair
	answers     answers
	limits      Limits

	pairs   *tuples[State] // of a left and a right state
	watched []uint32       // by pair: the first watch of what is watched by it, or nothing
	order   []uint32       // by pair: when it was refuted, counting from 1, or 0
	count   uint32         // of pairs refuted
	refuted []uint32       // refuted pairs whose watches have not been told
	watches []watch
	work    int
}

// watch says that a step of a pair relies on another pair.
type watch struct {
	pair   uint32
	step   uint32 // a transition of the pair's left state
	answer uint32 // which of the right state's answers leads to the other pair; those before are refuted
	next   uint32 // the next watch by the same pair, or nothing
}

func compareSimulated(ctx context.Context, a, b *LTS, weak bool, lim Limits) (Comparison, error) {
	if err := lim.allow(a.NumStates() + b.NumStates()); err != nil {
		return Comparison{}, err
	}
	s, blocks, err := newSimulation(ctx, a, b, weak, lim)
	if err != nil {
		return Comparison{}, err
	}
	holds, err := s.run(ctx)
	if err != nil || holds {
		return Comparison{Holds: holds}, err
	}
	left, right := blocks[:a.NumStates()], blocks[a.NumStates():]
	leftNames, rightNames := leastMembers(left, s.m.NumStates()), leastMembers(right, s.m.NumStates())
	return Comparison{Explanation: s.explain(newMarks(a, b),
		func(s State) string { return a.StateName(leftNames[s]) },
		func(s State) string { return b.StateName(rightNames[s]) })}, nil
}

// newSimulation returns the simulation of a by b on the quotient of both, and the quotient's states by state
// of a and then of b.
func newSimulation(ctx context.Context, a, b *LTS, weak bool, lim Limits) (*simulation, []uint32, error) {
	kind := StrongBisim
	if weak {
		kind = BranchingBisim
	}
	k := newMarks(a, b)
	u := disjoint(k, a, b)
	blocks, count, err := partition(ctx, k, u, kind)
	if err != nil {
		return nil, nil, err
	}
	m := quotient(u, blocks, count, !weak)
	return &simulation{m: m, answers: newAnswers(m, weak), limits: lim, pairs: newTuples[State](2),
		left: blocks[a.init], right: blocks[a.NumStates()+int(b.init)]}, blocks, nil
}

// run says whether the right state simulates the left one.
func (s *simulation) run(ctx context.Context) (bool, error) {
	if s.left == s.right {
		return true, ctx.Err()
	}
	s.pair(s.left, s.right)
	done := 0 // pairs whose steps have been watched
	for s.order[0] == 0 {
		if s.work >= contextInterval {
			s.work = 0
			if err := s.stopped(ctx); err != nil {
				return false, err
			}
		}
		switch {
		case len(s.refuted) > 0:
			last := len(s.refuted) - 1
			pair := s.refuted[last]
			s.refuted = s.refuted[:last]
			s.rewatch(pair)
		case done < s.pairs.count:
			s.expand(uint32(done))
			done++
		default:
			return true, s.stopped(ctx)
		}
	}
	return false, s.stopped(ctx)
}

func (s *simulation) stopped(ctx context.Context) error {
	bytes := s.pairs.bytes() + bytesOf(s.watched) + bytesOf(s.order) + bytesOf(s.watches) + s.answers.bytes()
	why := s.limits.exceeded(0, bytes, "pairs of states")
	switch {
	case s.pairs.count > maxPairs:
		why = fmt.Sprintf("more than %d pairs of states for simulation", maxPairs)
	case len(s.answers.flat) > maxWeakAnswers:
		why = fmt.Sprintf("more than %d weak transitions for simulation", maxWeakAnswers)
	}
	if why != "" {
		return &LimitError{why}
	}
	return ctx.Err()
}

// pair returns the number of a pair, which may be new.
func (s *simulation) pair(l, r State) uint32 {
	id, isNew := s.pairs.insert([]State{l, r})
	if isNew {
		s.watched = append(s.watched, nothing)
		s.order = append(s.order, 0)
	}
	return uint32(id)
}

// expand lets all steps of a pair be watched.
func (s *simulation) expand(pair uint32) {
	if s.order[pair] != 0 {
		return
	}
	l, r := s.pairs.at(int32(pair))[0], s.pairs.at(int32(pair))[1]
	for t := s.m.offsets[l]; t < s.m.offsets[l+1]; t++ {
		e := s.m.edges[t]
		if _, same := slices.BinarySearchFunc(s.answers.to(r, e.Action), e.To, compareTarget); same {
			continue
		}
		if !s.watch(watch{pair: pair, step: t}) {
			s.refute(pair)
			return
		}
	}
}

// rewatch finds other answers to the steps that relied on a pair that is refuted.
func (s *simulation) rewatch(pair uint32) {
	for i := s.watched[pair]; i != nothing; i = s.watches[i].next {
		w := s.watches[i]
		if s.order[w.pair] == 0 && !s.watch(w) {
			s.refute(w.pair)
		}
	}
}

func (s *simulation) refute(pair uint32) {
	s.count++
	s.order[pair] = s.count
	s.refuted = append(s.refuted, pair)
}

// watch lets a step rely on the next answer that is not refuted, and says whether there is one.
func (s *simulation) watch(w watch) bool {
	e := s.m.edges[w.step]
	answers := s.answers.to(s.pairs.at(int32(w.pair))[1], e.Action)
	s.work++
	for ; int(w.answer) < len(answers); w.answer++ {
		s.work++
		by := s.pair(e.To, answers[w.answer].To)
		if s.order[by] == 0 {
			w.next = s.watched[by]
			s.watched[by] = uint32(len(s.watches))
			s.watches = append(s.watches, w)
			return true
		}
	}
	return false
}

// answers are the steps by which a right state can answer.
type answers struct {
	m    *LTS
	weak bool

	known   *tuples[State] // pairs of a state and an action, where weak
	offsets []int          // the answers of pair k are flat[offsets[k]:offsets[k+1]]
	flat    []Edge
	reach   *weakReach
	after   *weakReach
}

func newAnswers(m *LTS, weak bool) answers {
	return answers{m: m, weak: weak, known: newTuples[State](2), offsets: []int{0}, reach: newWeakReach(m),
		after: newWeakReach(m)}
}

// to returns the answers of a state to an action, sorted by target. They are valid until the next call.
func (w *answers) to(s State, a Action) []Edge {
	if !w.weak {
		return w.m.OutBy(s, a)
	}
	k, isNew := w.known.insert([]State{s, State(a)})
	if isNew {
		w.add(s, a)
	}
	return w.flat[w.offsets[k]:w.offsets[k+1]]
}

// add finds the weak steps of a state by an action.
func (w *answers) add(s State, a Action) {
	w.reach.add(s)
	targets := w.reach
	if a != Tau {
		targets = w.after
		for _, t := range w.reach.states {
			for _, e := range w.m.OutBy(t, a) {
				w.after.add(e.To)
			}
		}
	}
	slices.Sort(targets.states)
	for _, t := range targets.states {
		w.flat = append(w.flat, Edge{a, t})
	}
	w.offsets = append(w.offsets, len(w.flat))
	w.reach.clear()
	w.after.clear()
}

func (w *answers) bytes() int64 { return w.known.bytes() + bytesOf(w.offsets) + bytesOf(w.flat) }

// leastMembers returns the least state of each block.
func leastMembers(blocks []uint32, count int) []State {
	least := make([]State, count)
	for s := len(blocks) - 1; s >= 0; s-- {
		least[blocks[s]] = State(s)
	}
	return least
}

// explain follows the steps that refuted the pairs, from the initial one on; right answers with what
// lasted longest.
func (s *simulation) explain(k marks, nameLeft, nameRight func(State) string) []string {
	var lines []string
	l, r := s.left, s.right
	for len(lines) < maxExplanation {
		e := s.unanswered(l, r)
		answers := s.answers.to(r, e.Action)
		line := challengeText(s.m.actions, k, "left", nameLeft(l), e.Action, nameLeft(e.To)) + "; "
		if len(answers) == 0 {
			return append(lines, line+refusalText(s.m.actions, k, "right", nameRight(r), e.Action))
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

// unanswered returns a step of l whose answers by r were all refuted before the pair was.
func (s *simulation) unanswered(l, r State) Edge {
	when := s.order[s.pair(l, r)]
	for _, e := range s.m.Out(l) {
		lost := true
		for _, f := range s.answers.to(r, e.Action) {
			o := s.order[s.pair(e.To, f.To)]
			lost = lost && o != 0 && o < when
		}
		if lost {
			return e
		}
	}
	panic("lts: a pair was refuted without a reason")
}
