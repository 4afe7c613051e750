package lts

// Deadlocks of any number of copies.
//
// Idea: copies of one LTS have no identities, so a state of the composition says how many copies are at each state of
// each LTS, where standing still is a choice as in deadlock.go. Whether it is a deadlock depends only on the states at
// which there are any: each of them stands, one waits, and of each action an LTS that owns it has no copy
// that offers it. Copies are counted up to a bound of each state; more are "more", of which one less is
// "more" or exactly the bound. What is met so includes, for every number of copies, all that these can come
// to, and there is little of it. If none of it is a deadlock, there is none for any number. If one is, its
// path is followed with exact numbers; the copies that begin are as many as it takes. If a copy is missing on
// it, or one is left where none should be, more copies were there than are told apart: the bound of that
// state is raised, and the search begins again.
//
// A copy that is where only silent steps lead has to leave before all stand, and what happens before that
// does not depend on it. So it goes on at once, until it rests, and no numbers are kept of such states.
//
// Source: Pnueli, Xu, Zuck: Liveness with (0,1,∞)-counter abstraction (CAV 2002); the bounds by state and how they
// are raised are those of package counting. Deviation: where the copies of a state are counted exactly, none is
// certain to be missing (counting asks what can be covered, for which sets closed downwards do; a deadlock needs
// that nobody is there).
//
// Laws: if it holds, no number of copies has a deadlock. If it fails, the counterexample is a run of Copies.
//
// Cost: the states that can have copies at once, times bound + 2 for each; it may raise bounds for ever where
// numbers of copies in two states are related and have no bound, and then it gives up.

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"magus/internal/graph"
)

// AnyCopies stands for every number of copies of an LTS, one or more.
const AnyCopies = -1

// mostTold bounds how many copies are told apart in a state.
const mostTold = 12

// An AnyResult is the outcome of [DeadlockFreeAny].
type AnyResult struct {
	StandingResult
	Copies []int      // of the counterexample
	Told   [][]uint32 // if it holds, how many copies were told apart at each state of each LTS
}

// DeadlockFreeAny decides what [DeadlockFree] does of copies[i] copies of each LTS, which may be [AnyCopies]:
// then for every number of them. The moves of a counterexample are of all copies of the first LTS, of those
// of the second, and so on.
func DeadlockFreeAny(ctx context.Context, impl []*LTS, copies []int, standing []map[Action]Standing, passed []Action,
	lim Limits) (AnyResult, error) {
	return newCountedSearch(impl, copies, standing, passed, lim).decide(ctx)
}

// decide searches with higher and higher bounds.
func (s *countedSearch) decide(ctx context.Context) (AnyResult, error) {
	states := 0
	for {
		end, err := s.run(ctx)
		states += len(s.met)
		r := AnyResult{StandingResult: StandingResult{States: states}}
		switch {
		case err != nil:
			r.Reason = "stopped before the search was complete"
			return r, err
		case end == full:
			r.Reason = fmt.Sprintf("more than %d sets of states of any number of copies", s.limits.MaxStates)
			return r, nil
		case end == none:
			r.Verdict, r.Told = Holds, s.told
			return r, nil
		}
		numbers, lack := s.follow(end)
		if lack == nil {
			r.Verdict, r.Copies = Fails, numbers
			r.Counterexample = s.counterexample(end, numbers)
			return r, nil
		}
		at := &s.told[s.places[lack.place].lts][s.origin(lack.place)]
		if *at = max(*at+1, uint32(lack.most)); *at > mostTold {
			r.Reason = fmt.Sprintf("more than %d copies in one state make a difference", mostTold)
			return r, nil
		}
	}
}

// full is the end of a search that came to its limit.
const full = none - 1

// A countedPlace is a state of one LTS in which standing still is a choice.
type countedPlace struct {
	lts   int
	state State
}

// A restEdge is a transition with the silent steps behind it that cannot be put off.
type restEdge struct {
	action Action
	to     int32 // place
}

// A crowd is how many copies are at a place: at least one, and more than are told apart if it is one more than these.
type crowd struct{ place, copies int32 }

// A transfer is the part of one copy in a step, from place to place.
type transfer struct{ from, to int32 }

// A countedStep is how a node was met first.
type countedStep struct {
	from   int32 // none for a first one
	action Action
	moves  []transfer
}

// countedSearch looks at numbers of copies by place.
type countedSearch struct {
	impl     []*LTS
	copies   []int
	standing []map[Action]Standing
	limits   Limits
	settled  []*settled
	places   []countedPlace
	offset   []int32      // by LTS: its first place
	out      [][]restEdge // by place, ascending
	owners   map[Action][]int
	told     [][]uint32 // by LTS and state
	against  *countedSpec

	met     map[string]bool
	nodes   [][]crowd // ascending by place
	known   []int32   // by node: where the specification can be; 0 without one
	parents []countedStep
	moves   []transfer // of the step that is put together
}

func newCountedSearch(impl []*LTS, copies []int, standing []map[Action]Standing, passed []Action,
	lim Limits) *countedSearch {
	s := &countedSearch{impl: impl, copies: copies, standing: standing, limits: lim, owners: map[Action][]int{}}
	for i, m := range impl {
		set := settle(m, standing[i], passed)
		s.settled, s.offset = append(s.settled, set), append(s.offset, int32(len(s.places)))
		for q := range State(set.lts.NumStates()) {
			s.places = append(s.places, countedPlace{i, q})
		}
		s.out = append(s.out, restEdges(set.lts, s.offset[i])...)
		for _, a := range set.lts.Alphabet() {
			s.owners[a] = append(s.owners[a], i)
		}
		s.told = append(s.told, slices.Repeat([]uint32{uint32(max(copies[i], 0))}, m.NumStates()))
	}
	return s
}

// begin is the place at which the copies of an LTS begin.
func (s *countedSearch) begin(i int) int32 { return s.offset[i] + int32(s.settled[i].lts.Init()) }

// origin is the state of the LTS that was given of which a place is made.
func (s *countedSearch) origin(place int32) State {
	p := s.places[place]
	return s.settled[p.lts].origin[p.state]
}

// passing reports whether only silent steps lead from a state, and some do.
func passing(m *LTS, q State) bool {
	out := m.Out(q)
	return len(out) > 0 && out[len(out)-1].Action == Tau // transitions are in order
}

// restEdges are the transitions of each state of an LTS whose first place is given, to where copies rest: not
// where only silent steps lead, unless these lead nowhere else.
func restEdges(m *LTS, first int32) [][]restEdge {
	all := make([][]restEdge, m.NumStates())
	for q := range State(m.NumStates()) {
		for _, e := range m.Out(q) {
			found := false
			for _, to := range graph.Closure(passed(m), e.To) {
				if !passing(m, to) {
					all[q], found = append(all[q], restEdge{e.Action, first + int32(to)}), true
				}
			}
			if !found {
				all[q] = append(all[q], restEdge{e.Action, first + int32(e.To)})
			}
		}
		slices.SortFunc(all[q], func(a, b restEdge) int {
			return cmp.Or(cmp.Compare(a.action, b.action), cmp.Compare(a.to, b.to))
		})
		all[q] = slices.Compact(all[q])
	}
	return all
}

// passed yields where states lead from which only silent steps do.
func passed(m *LTS) func(State, func(State)) {
	return func(q State, yield func(State)) {
		if passing(m, q) {
			for _, e := range m.Out(q) {
				yield(e.To)
			}
		}
	}
}

// bound is how many copies are told apart at a place.
func (s *countedSearch) bound(place int32) int32 {
	return int32(s.told[s.places[place].lts][s.origin(place)])
}

// run searches breadth first, and returns the node that is what is looked for; none, or full.
func (s *countedSearch) run(ctx context.Context) (int32, error) {
	s.met, s.nodes, s.known, s.parents = map[string]bool{}, nil, nil, nil
	s.start(0, nil)
	for n := 0; n < len(s.nodes); n++ {
		if n%64 == 0 && ctx.Err() != nil {
			return none, context.Cause(ctx)
		}
		if s.limits.MaxStates > 0 && len(s.nodes) > s.limits.MaxStates {
			return full, nil
		}
		steps := s.expand(int32(n))
		if s.against == nil && len(steps) == 0 && s.stuck(s.nodes[n]) || s.against != nil && s.refuses(int32(n), steps) {
			return int32(n), nil
		}
	}
	return none, nil
}

// start meets all numbers of copies of the LTSs from one on, at the places where they begin.
func (s *countedSearch) start(i int, before []crowd) {
	if i == len(s.impl) {
		s.discover(before, s.against.start(), countedStep{from: none})
		return
	}
	least, most := int32(1), s.bound(s.begin(i))+1
	if n := s.copies[i]; n > 0 {
		least, most = int32(n), int32(n)
	}
	for n := least; n <= most; n++ {
		s.start(i+1, append(slices.Clip(before), crowd{s.begin(i), n}))
	}
}

func (s *countedSearch) discover(at []crowd, known int32, by countedStep) {
	key := binary.AppendUvarint(nil, uint64(known))
	for _, c := range at {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(c.place)), uint64(c.copies))
	}
	if !s.met[string(key)] {
		s.met[string(key)] = true
		by.moves = slices.Clone(by.moves)
		s.nodes, s.known, s.parents = append(s.nodes, at), append(s.known, known), append(s.parents, by)
	}
}

// expand takes the steps of a node, and returns their actions.
func (s *countedSearch) expand(n int32) (steps []Action) {
	at := s.nodes[n]
	take := func(a Action) {
		steps = append(steps, a)
		if known, has := s.against.after(s.known[n], a); has {
			s.after(at, s.moves, func(next []crowd) { s.discover(next, known, countedStep{n, a, s.moves}) })
		}
	}
	s.begun(at, s.first(at), take)
	return steps
}

// begun calls take for each step from somewhere that a copy at one of some places begins; s.moves are its parts.
func (s *countedSearch) begun(at, from []crowd, take func(Action)) {
	for _, c := range from {
		i := s.places[c.place].lts
		for _, e := range s.out[c.place] {
			s.moves = append(s.moves[:0], transfer{c.place, e.to})
			if e.action == Tau {
				take(Tau)
			} else if owners := s.owners[e.action]; owners[0] == i {
				s.join(at, e.action, owners[1:], take)
			}
		}
	}
}

// first are the places whose copies are to go on: one where copies begin and from which only silent steps lead, or all.
func (s *countedSearch) first(at []crowd) []crowd {
	k := slices.IndexFunc(at, func(c crowd) bool {
		p := s.places[c.place]
		return passing(s.settled[p.lts].lts, p.state)
	})
	if k < 0 {
		return at
	}
	return at[k : k+1]
}

// join has one copy of each of some LTSs take part in an action.
func (s *countedSearch) join(at []crowd, a Action, owners []int, take func(Action)) {
	if len(owners) == 0 {
		take(a)
		return
	}
	i, so := owners[0], len(s.moves)
	for _, c := range at {
		if s.places[c.place].lts != i {
			continue
		}
		for _, e := range s.out[c.place] {
			if e.action == a {
				s.moves = append(s.moves[:so], transfer{c.place, e.to})
				s.join(at, a, owners[1:], take)
			}
		}
	}
	s.moves = s.moves[:so]
}

// after calls emit for all that a step may lead to.
func (s *countedSearch) after(at []crowd, moves []transfer, emit func([]crowd)) {
	if len(moves) == 0 {
		emit(at)
		return
	}
	m := moves[0]
	if m.from == m.to {
		s.after(at, moves[1:], emit)
		return
	}
	k := crowdAt(at, m.from)
	arrive := func(left int32) {
		next := slices.Clone(at)
		if next[k].copies = left; left == 0 {
			next = slices.Delete(next, k, k+1)
		}
		s.after(s.joined(next, m.to), moves[1:], emit)
	}
	n := at[k].copies
	arrive(n - 1)
	if n > s.bound(m.from) { // more than are told apart: it may be so many still
		arrive(n)
	}
}

// joined is with one copy more at a place.
func (s *countedSearch) joined(at []crowd, place int32) []crowd {
	k := crowdAt(at, place)
	if k == len(at) || at[k].place != place {
		return slices.Insert(at, k, crowd{place, 1})
	}
	at[k].copies = min(at[k].copies+1, s.bound(place)+1)
	return at
}

// crowdAt is where a place is among crowds, or would be.
func crowdAt(at []crowd, place int32) int {
	k, _ := slices.BinarySearchFunc(at, place, func(c crowd, p int32) int { return cmp.Compare(c.place, p) })
	return k
}

// stuck reports whether all copies stand still at a node without steps, and one waits.
func (s *countedSearch) stuck(at []crowd) bool {
	return s.stand(at) && slices.ContainsFunc(at, func(c crowd) bool {
		return !s.standing[s.places[c.place].lts][s.says(c.place)].Ended
	})
}

// stand reports whether all copies stand still.
func (s *countedSearch) stand(at []crowd) bool {
	return !slices.ContainsFunc(at, func(c crowd) bool { return s.says(c.place) == Tau })
}

// says is the action by which a copy says that it stands at a place; τ if it does not.
func (s *countedSearch) says(place int32) Action {
	p := s.places[place]
	return s.settled[p.lts].says[p.state]
}

// path are the steps that lead to a node.
func (s *countedSearch) path(n int32) []countedStep {
	var path []countedStep
	for ; s.parents[n].from != none; n = s.parents[n].from {
		path = append(path, s.parents[n])
	}
	slices.Reverse(path)
	return path
}

// A lack is a place where a copy is missing, or one is left, and how many were there at most.
type lack struct {
	place int32
	most  int
}

// follow takes the steps to a node with exact numbers: those of the copies with which they lead to copies at the same
// places, or what keeps them from that.
func (s *countedSearch) follow(end int32) (numbers []int, _ *lack) {
	at, most, need := make([]int, len(s.places)), make([]int, len(s.places)), make([]int, len(s.impl))
	for i, n := range s.copies {
		at[s.begin(i)], need[i] = max(n, 0), 1
	}
	for _, step := range s.path(end) {
		for _, m := range step.moves {
			i := s.places[m.from].lts
			if s.copies[i] < 1 && m.from == s.begin(i) { // as many begin as are needed
				need[i] = max(need[i], 1-at[m.from])
			} else if at[m.from] == 0 {
				return nil, &lack{m.from, most[m.from]}
			}
			at[m.from]--
			at[m.to]++
			most[m.to] = max(most[m.to], at[m.to])
		}
	}
	is := func(p int32) bool {
		k := crowdAt(s.nodes[end], p)
		return k < len(s.nodes[end]) && s.nodes[end][k].place == p
	}
	for i, n := range s.copies {
		p := s.begin(i)
		switch {
		case n > 0:
		case is(p):
			n = max(need[i], 1-at[p])
		case -at[p] < need[i]:
			return nil, &lack{p, need[i] + most[p]}
		default:
			n = -at[p]
		}
		numbers = append(numbers, n)
		if s.copies[i] < 1 {
			at[p] += n
		}
	}
	for p, n := range at {
		if is(int32(p)) != (n > 0) {
			return nil, &lack{int32(p), most[p]}
		}
	}
	return numbers, nil
}

// counterexample is the run of so many copies to a node, with what each says there. Of the copies at a place, the one
// that came last goes on.
func (s *countedSearch) counterexample(end int32, numbers []int) *Counterexample {
	c := &Counterexample{}
	at := make([][]int, len(s.places)) // the copies at each place
	var where []int32                  // by copy
	for i, n := range numbers {
		for range n {
			at[s.begin(i)] = append(at[s.begin(i)], len(where))
			where = append(where, s.begin(i))
		}
	}
	for _, step := range s.path(end) {
		joint, after := Step{Action: step.action}, []Step{}
		for _, m := range step.moves {
			from := at[m.from]
			who := from[len(from)-1]
			at[m.from] = from[:len(from)-1]
			at[m.to] = append(at[m.to], who)
			where[who] = m.to
			for k, v := range s.way(step.action, m) {
				v.Component = who
				if k == 0 {
					joint.Moves = append(joint.Moves, v)
				} else {
					after = append(after, Step{Tau, []Move{v}})
				}
			}
		}
		slices.SortFunc(joint.Moves, func(a, b Move) int { return cmp.Compare(a.Component, b.Component) })
		for _, out := range slices.Insert(after, 0, joint) {
			if out.Action != Tau || out.Moves[0].From != out.Moves[0].To { // else it stands from now on
				c.Steps = append(c.Steps, out)
			}
		}
	}
	for who, p := range where {
		i, from := s.places[p].lts, s.origin(p)
		says := s.settled[i].says[s.places[p].state]
		c.Steps = append(c.Steps, Step{says, []Move{{who, from, s.impl[i].OutBy(from, says)[0].To}}})
	}
	return c
}

// way are the moves of the LTS that was given that a transfer is made of: by the action, and then silent ones.
func (s *countedSearch) way(a Action, t transfer) []Move {
	set, to := s.settled[s.places[t.from].lts], s.places[t.to].state
	type reached struct {
		at     State
		before int
	}
	from := s.places[t.from].state
	var met []reached
	for _, e := range set.lts.OutBy(from, a) {
		met = append(met, reached{e.To, -1})
	}
	k := 0
	for ; met[k].at != to; k++ {
		passed(set.lts)(met[k].at, func(next State) {
			if !slices.ContainsFunc(met, func(r reached) bool { return r.at == next }) {
				met = append(met, reached{next, k})
			}
		})
	}
	var moves []Move
	for ; k >= 0; k = met[k].before {
		before := from
		if met[k].before >= 0 {
			before = met[met[k].before].at
		}
		moves = append(moves, Move{From: set.origin[before], To: set.origin[met[k].at]})
	}
	slices.Reverse(moves)
	return moves
}
