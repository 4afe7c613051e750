package lts

import (
	"cmp"
	"slices"
)

// Idea: of components that run side by side, most orders of steps make no difference. If some
// components can only take steps that nobody observes, and nobody else can interfere with what they do
// next, it is enough to look at their steps first; the others' are looked at later on. So a pair is expanded
// by the steps of few components.
//
// Source: persistent sets by conflicting processes, as in Godefroid, "Partial-order methods for the
// verification of concurrent systems" (LNCS 1032, 1996), chapter 4; stubborn sets of Valmari, "A
// stubborn attack on state explosion" (CAV 1990). The proviso is that for searches in any order,
// after Bošnački, Leue, Lafuente, "Partial-order reduction for general state exploring algorithms"
// (SPIN 2006). Deviation: the sets are the bottom components of a graph of who needs whom, all found
// in one walk.
//
// A component takes part in an action if it owns it, but for one that can perform it in each of its
// states and stays where it is: that neither keeps others from the action nor notices it. A set P of
// components is persistent at a tuple q if for every i in P and every action a of q's transitions of
// i:
//
//	P1  if all owners of a can perform it at q, all that take part in it are in P;
//	P2  if not, one that cannot is in P.
//
// In a τ one component takes part. The steps of P are those in which components in P take part. The
// pair (q, S) is expanded by these alone if besides
//
//	P3  P can take a step at q, and no action that it can perform at q is observed;
//	P4  one step of P leads on (onward.go).
//
// A step leads on if the pair that it leads to, or one that dominates that, is not expanded yet. If
// the specification is deterministic, so that pairs are met again but do not dominate each other, it
// is enough that from there such steps lead to a pair that is not expanded yet, and is not (q, S), or
// to one that was expanded by all steps.
//
// Theorem: if a run violates the specification, the search meets a violation, and breadth first one
// with the fewest observed actions possible. Proof: Suppose that it ends without. Let w be a run from
// the tuple of a pair (q, S) that was expanded, with a trace that S does not allow; of all such pairs
// and runs those where the observed actions on the way to the pair and in w together are fewest, of
// these those where w is shortest, and of these the pair that is expanded last, or, if the
// specification is deterministic, from which the fewest steps lead on to one that was expanded by all
// steps. What dominates a pair has w too, costs no more and is expanded, so whatever a step leads to
// can be taken for a pair that is. If (q, S) was expanded by all steps, the first step of w leads to
// a pair with a shorter run, or is the violation. Otherwise it was expanded by the steps of a set P.
// If a component in P takes part in w, let t be the first step of w in which one does. It is enabled
// at q: if not, one that cannot perform it at q is in P (P2), and would have to move before t. So all
// its components are in P (P1), none of them takes part in what w does before t, and t can as well
// come first. Nobody observes it (P3), and it leads to a pair with a run that is shorter by t. If no
// component in P takes part in w, w is still possible after the step that leads on, with the same S
// known, and the pair it leads to is expanded later, or nearer to one expanded by all steps. Each
// case contradicts the choice. ∎
//
// Every state that a component can be in, it is in at a pair that is met: the same proof, with a shortest run
// to it for w, whose last step is one of that component. So Visited does not change. A tuple without steps is met, too,
// by P3 and with deadlocks in the place of violations, for which P4 is not needed: on the way to it a step of the set
// would still be possible at its end, so one of its components takes part. deadlock.go asks this.
//
// What simulations make needless (subsumption.go) is no part of the proof: a search has the one or the other.
//
// What is found is not as short as it might be in steps that nobody observes. Those that nothing which is
// observed depends on are left out (slice).
//
// Cost: a look at the transitions of the tuple, and at those that have to be performed together.

// persistence finds persistent sets of components.
type persistence struct {
	product  *product
	observed []bool  // by action
	offsets  []int32 // as those of owners, of parties
	parties  []int32 // the components that take part in each action, ascending

	at    []State
	marks []mark    // by component
	met   int32     // components
	stack []int32   // those met whose strong component is not complete
	sets  [][]int32 // found

	moving int32   // the first component of the set whose steps are taken, or that moves
	movers []int32 // by node: that of the step by which it was met
}

// mark is what is known of a component at the tuple.
type mark struct {
	met, low int32  // its place in the walk, from 1, and the least that it leads to; low is 0 once that is complete
	own      status // of what its strong component can do
	below    status // of what is needed outside it
}

// status says what components can do; of two, the greater counts.
type status uint8

const (
	idle status = iota // nothing
	busy               // something, none of which is observed
	open               // something that is observed
)

func newPersistence(p *product, observed []bool) *persistence {
	s := &persistence{product: p, observed: observed, marks: make([]mark, len(p.components)),
		offsets: make([]int32, 1, len(p.offsets))}
	neutral := make([][]Action, len(p.components))
	for i, m := range p.components {
		neutral[i] = m.neutral()
	}
	for a := Tau; a <= p.lastAction(); a++ {
		for _, i := range p.ownersOf(a) {
			if _, found := slices.BinarySearch(neutral[i], a); !found {
				s.parties = append(s.parties, i)
			}
		}
		s.offsets = append(s.offsets, int32(len(s.parties)))
	}
	return s
}

// partiesOf returns the components that take part in visible action a, ascending.
func (s *persistence) partiesOf(a Action) []int32 { return s.parties[s.offsets[a]:s.offsets[a+1]] }

// neutral returns the visible actions that lead from each state to itself, and nowhere else, ascending.
func (m *LTS) neutral() []Action {
	var all []Action
	for _, e := range m.Out(m.init) {
		if e.Action == Tau || len(all) > 0 && all[len(all)-1] == e.Action {
			continue
		}
		stays := true
		for q := State(0); stays && int(q) < m.NumStates(); q++ {
			out := m.OutBy(q, e.Action)
			stays = len(out) == 1 && out[0].To == q
		}
		if stays {
			all = append(all, e.Action)
		}
	}
	return all
}

// toTry returns the sets to try at the tuple of a node, one after the other. Components that go
// round by themselves do so once and not in each state of the others, if a set is tried no more once
// a later one was chosen: until all steps are taken, or there is no later one.
func (s *persistence) toTry(at []State, node int32) [][]int32 {
	sets := s.find(at)
	slices.SortFunc(sets, func(a, b []int32) int { return cmp.Compare(a[0], b[0]) })
	later := slices.IndexFunc(sets, func(set []int32) bool { return set[0] >= s.movers[node] })
	return sets[max(0, later):]
}

// moves notes that a step of all leads from a tuple to another one.
func (s *persistence) moves(at, next []State, observed bool) {
	s.moving = 0
	for i := range at {
		if !observed && at[i] != next[i] {
			s.moving = int32(i)
			return
		}
	}
}

// add adds the next node, which the present step leads to.
func (s *persistence) add() { s.movers = append(s.movers, s.moving) }

func (s *persistence) bytes() int64 {
	if s == nil {
		return 0
	}
	return bytesOf(s.movers)
}

// find returns the least persistent sets at a tuple that satisfy P3, each in ascending order and without
// components that can take no step. They are disjoint, and valid until the next call.
func (s *persistence) find(at []State) [][]int32 {
	s.at, s.met, s.sets = at, 0, s.sets[:0]
	clear(s.marks)
	for i := range at {
		if s.marks[i].met == 0 {
			s.walk(int32(i))
		}
	}
	return s.sets
}

// walk is Tarjan's search along what components need, from component i. Of the strong components those are
// sets to be found that can take a step, while whatever they need besides can take none.
func (s *persistence) walk(i int32) {
	s.met++
	s.marks[i] = mark{met: s.met, low: s.met}
	first := len(s.stack)
	s.stack = append(s.stack, i)
	s.marks[i].own = s.needs(s.at, i, func(j int32) {
		if s.marks[j].met == 0 {
			s.walk(j)
		}
		m, n := &s.marks[i], &s.marks[j]
		if n.low > 0 {
			m.low = min(m.low, n.low)
		} else {
			m.below = max(m.below, n.own, n.below)
		}
	})
	if s.marks[i].low < s.marks[i].met {
		return
	}
	members := s.stack[first:]
	all := mark{}
	for _, j := range members {
		all.own, all.below = max(all.own, s.marks[j].own), max(all.below, s.marks[j].below)
	}
	for _, j := range members {
		s.marks[j].low, s.marks[j].own, s.marks[j].below = 0, all.own, all.below
	}
	if all.own == busy && all.below == idle {
		set := slices.Clone(members)
		slices.Sort(set)
		s.sets = append(s.sets, set)
	}
	s.stack = s.stack[:first]
}

// needs calls need for the components that have to be in a persistent set with component i, and says what i
// can do.
func (s *persistence) needs(at []State, i int32, need func(j int32)) status {
	does := idle
	for out := s.product.components[i].Out(at[i]); len(out) > 0; {
		a := out[0].Action
		out = out[countFirst(out, a):]
		if a != Tau && !slices.Contains(s.partiesOf(a), i) {
			continue
		}
		if a == Tau {
			does = max(does, s.does(a))
			continue
		}
		parties := s.partiesOf(a)
		if j := s.lacking(at, a, parties); j >= 0 {
			need(j)
			continue
		}
		does = max(does, s.does(a))
		for _, j := range parties {
			need(j)
		}
	}
	return does
}

// does is the status of who can perform a.
func (s *persistence) does(a Action) status {
	if s.observed[a] {
		return open
	}
	return busy
}

// lacking returns the first component that takes part in a and cannot perform a, or -1.
func (s *persistence) lacking(at []State, a Action, parties []int32) int32 {
	for _, j := range parties {
		if len(s.product.components[j].OutBy(at[j], a)) == 0 {
			return j
		}
	}
	return -1
}

// steps calls emit for each transition of a persistent set.
func (s *persistence) steps(at []State, set []int32, emit emitFunc) bool {
	copy(s.product.next, at)
	for _, i := range set {
		for out := s.product.components[i].Out(at[i]); len(out) > 0; {
			a := out[0].Action
			k := countFirst(out, a)
			goOn := true
			if a == Tau {
				goOn = s.product.perform(at, int(i), out[:k], emit)
			} else if parties := s.partiesOf(a); len(parties) > 0 && parties[0] == i {
				first := s.product.ownersOf(a)[0]
				goOn = s.product.perform(at, int(first), s.product.components[first].OutBy(at[first], a), emit)
			}
			if !goOn {
				return false
			}
			out = out[k:]
		}
	}
	return true
}

// closure returns a set that find found at a tuple with all the components that P1 and P2 ask for, in ascending
// order.
func (s *persistence) closure(at []State, set []int32) []int32 {
	in := make([]bool, len(at))
	all := []int32{}
	add := func(j int32) {
		if !in[j] {
			in[j] = true
			all = append(all, j)
		}
	}
	for _, j := range set {
		add(j)
	}
	for k := 0; k < len(all); k++ {
		s.needs(at, all[k], add)
	}
	slices.Sort(all)
	return all
}

// slice leaves out the steps of a run on which no observed one depends: whose components stay where they are,
// or take no part, later on, in a step that is kept.
func slice(steps []Step, observed []bool) []Step {
	var kept []Step
	moving := map[int]bool{}
	for _, step := range slices.Backward(steps) {
		if !observed[step.Action] && !slices.ContainsFunc(step.Moves, func(m Move) bool {
			return moving[m.Component] && m.From != m.To
		}) {
			continue
		}
		for _, m := range step.Moves {
			moving[m.Component] = true
		}
		kept = append(kept, step)
	}
	slices.Reverse(kept)
	return kept
}
