package lts

// Divergences: what goes on for ever without an action that is observed.
//
// Idea: a pair is a tuple of states with the set of states that the specification can be in (observer.go). An
// infinite run of steps that are not observed stays, from somewhere on, within a strongly connected component
// of these steps. Whoever asks may know of moves of one LTS that they end: that no infinite run within some
// moves makes them again and again. Steps with such moves are left out, and components are looked for again,
// until there are none, or one in which nothing is known to end: there is a lasso in it.
//
// Source: divergences as in Roscoe, Understanding Concurrent Systems (2010), section 12.1; leaving out what ends is the
// decomposition of lexicographic ranking functions (Bradley, Manna, Sipma: Linear ranking with reachability, CAV 2005).
//
// Law: where what is said to end does, no lasso means no divergence, but where the specification diverges.
//
// Cost: as many pairs as there are; each search for components leaves out a step.

import (
	"context"
	"slices"

	"magus/internal/graph"
)

// A DivergenceResult is the outcome of [Divergences].
type DivergenceResult struct {
	Verdict Verdict // Holds: nothing diverges where the specification does not
	Reason  string  // why it is Unknown
	// Stem leads to where Cycle, which is not observed, leads back to.
	Stem, Cycle *Counterexample
	States      int // pairs
}

// Ends says which moves of an LTS no infinite run makes again and again that makes, from somewhere on, moves among some
// only. The error is the context's, or one of who answers.
type Ends func(ctx context.Context, lts int, among []Transition) ([]Transition, error)

// A Transition is a transition of an LTS.
type Transition struct {
	From State
	Edge
}

// Divergences decides whether the composition of LTSs diverges only where a specification does, which is where this may
// be in the state chaos, if that is not nil. Actions that say where an LTS stands, and those that are passed,
// are as for [DeadlockFree]. With lim.Reduce, smaller LTSs are asked first. The error is that of newProduct,
// of ends, or ctx's.
func Divergences(ctx context.Context, impl []*LTS, standing []map[Action]Standing, passed []Action,
	spec *LTS, chaos *State,
	ends Ends, lim Limits) (DivergenceResult, error) {
	var moving []*LTS
	for i, m := range impl {
		moving = append(moving, withoutActions(m, func(a Action) bool {
			_, says := standing[i][a]
			return says || slices.Contains(passed, a)
		}))
	}
	if lim.Reduce {
		small, err := quotientsFor(ctx, moving, spec, DivergenceBranchingBisim)
		if err != nil {
			return DivergenceResult{Reason: "stopped before the search was complete"}, err
		}
		lim.Reduce = false
		nothing := func(context.Context, int, []Transition) ([]Transition, error) { return nil, nil }
		r, err := Divergences(ctx, small, make([]map[Action]Standing, len(small)), nil, spec, chaos, nothing, lim)
		if err != nil || r.Verdict == Holds {
			return r, err
		}
	}
	p, err := newProduct(moving)
	if err != nil {
		return DivergenceResult{Reason: err.Error()}, err
	}
	d := &divergences{product: p, spec: spec, tuples: newTuples[State](len(impl) + 1)}
	d.observer, _ = newObserver(spec, false, nil)
	why, err := d.explore(ctx, chaos, lim)
	r := DivergenceResult{Reason: why, States: d.tuples.count}
	if err != nil || why != "" {
		return r, err
	}
	cycle, err := d.lasting(ctx, ends)
	switch {
	case err != nil:
		return r, err
	case cycle == nil:
		r.Verdict = Holds
		return r, nil
	}
	r.Verdict = Fails
	r.Stem, r.Cycle = d.lasso(cycle)
	return r, nil
}

// withoutActions is an LTS that does not have some actions.
func withoutActions(m *LTS, gone func(Action) bool) *LTS {
	b := NewBuilder(m.actions)
	b.AddStates(m.NumStates())
	b.SetInit(m.init)
	for s := range State(m.NumStates()) {
		for _, e := range m.Out(s) {
			if e.Action == Tau || !gone(e.Action) {
				b.AddEdge(s, e.Action, e.To)
			}
		}
	}
	b.Alphabet(slices.DeleteFunc(slices.Clone(m.alphabet), gone)...)
	return b.Build()
}

// divergences is the state of one search.
type divergences struct {
	product  *product
	spec     *LTS
	observer observer
	tuples   *tuples[State] // the last number is the observer's
	parents  []parent
	hidden   [][]unobservedStep // by tuple: the steps that are not observed
}

// An unobservedStep is a step that is not observed.
type unobservedStep struct {
	action Action
	to     int32
	ended  bool // it is known to come to an end
}

// explore meets all pairs. why says which limit ended it.
func (d *divergences) explore(ctx context.Context, chaos *State, lim Limits) (why string, err error) {
	first, _ := d.observer.start()
	d.meet(append(d.product.initial(), State(first[0])), parent{none, Tau})
	at := make([]State, d.tuples.width)
	next := make([]State, d.tuples.width)
	last := d.tuples.width - 1
	for n := int32(0); int(n) < d.tuples.count; n++ {
		if n%(contextInterval/64) == 0 && ctx.Err() != nil {
			return "stopped before the search was complete", ctx.Err()
		}
		bytes := d.tuples.bytes() + bytesOf(d.parents) + d.observer.bytes()
		if why := lim.exceeded(d.tuples.count, bytes, "product states"); why != "" {
			return why, nil
		}
		copy(at, d.tuples.at(n))
		if chaos != nil && slices.Contains(d.observer.states(int32(at[last])), *chaos) {
			continue // all is allowed
		}
		d.product.successors(at[:last], func(a Action, to []State) bool {
			copy(next, to)
			next[last] = at[last]
			if a == Tau || !d.spec.HasAction(a) {
				d.hidden[n] = append(d.hidden[n], unobservedStep{action: a, to: d.meet(next, parent{n, a})})
				return true
			}
			after, leaves := d.observer.step(int32(at[last]), a)
			if leaves {
				return true
			}
			next[last] = State(after[0])
			d.meet(next, parent{n, a})
			return true
		})
	}
	return "", nil
}

// meet is the number of a pair.
func (d *divergences) meet(pair []State, from parent) int32 {
	n, isNew := d.tuples.insert(pair)
	if isNew {
		d.parents, d.hidden = append(d.parents, from), append(d.hidden, nil)
	}
	return n
}

// Out and NumNodes make a graph of the steps that are not observed, and not known to end.
func (d *divergences) Out(n int, yield func(m int)) {
	for _, h := range d.hidden[n] {
		if !h.ended {
			yield(int(h.to))
		}
	}
}

// NumNodes counts the pairs.
func (d *divergences) NumNodes() int { return len(d.hidden) }

// lasting is a strongly connected component within which nothing is known to end; nil if there is none.
func (d *divergences) lasting(ctx context.Context, ends Ends) ([]int, error) {
	for {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c := graph.SCC(d)
		onCycle := c.OnCycle(d)
		var stays []int
		removed := false
		for _, members := range c.Members() {
			if !onCycle[members[0]] {
				continue
			}
			gone, err := d.ending(ctx, c.Of, members, ends)
			if err != nil {
				return nil, err
			}
			if removed = removed || gone; !gone && (stays == nil || members[0] < stays[0]) { // members ascend
				stays = members
			}
		}
		if !removed {
			return stays, nil
		}
	}
}

// ending leaves out steps of a component that come to an end, and reports whether there are any.
func (d *divergences) ending(ctx context.Context, of []uint32, members []int, ends Ends) (any bool, err error) {
	among := make([][]Transition, len(d.product.components))
	seen := make([]map[Transition]bool, len(among))
	for i := range seen {
		seen[i] = map[Transition]bool{}
	}
	inside := func(n int, h *unobservedStep) bool { return !h.ended && of[h.to] == of[n] }
	for _, n := range members {
		for k := range d.hidden[n] {
			if h := &d.hidden[n][k]; inside(n, h) {
				for _, m := range d.stepOf(int32(n), h).Moves {
					move := Transition{m.From, Edge{h.action, m.To}}
					if !seen[m.Component][move] {
						seen[m.Component][move] = true
						among[m.Component] = append(among[m.Component], move)
					}
				}
			}
		}
	}
	for i, moves := range among {
		if moves == nil {
			continue
		}
		ended, err := ends(ctx, i, moves)
		if err != nil {
			return false, err
		}
		for _, n := range members {
			for k := range d.hidden[n] {
				h := &d.hidden[n][k]
				if inside(n, h) && slices.ContainsFunc(d.stepOf(int32(n), h).Moves, func(m Move) bool {
					return m.Component == i && slices.Contains(ended, Transition{m.From, Edge{h.action, m.To}})
				}) {
					h.ended, any = true, true
				}
			}
		}
		if any {
			return true, nil
		}
	}
	return false, nil
}

// stepOf is a step from a pair as one of the LTSs.
func (d *divergences) stepOf(n int32, h *unobservedStep) Step {
	last := d.tuples.width - 1
	return d.product.step(d.tuples.at(n)[:last], h.action, d.tuples.at(h.to)[:last])
}

// lasso is a way to the first pair of a component, and the shortest way from there back to it.
func (d *divergences) lasso(members []int) (stem, cycle *Counterexample) {
	head := int32(members[0])
	stem = &Counterexample{}
	last := d.tuples.width - 1
	for to := head; d.parents[to].tuple != none; to = d.parents[to].tuple {
		p := d.parents[to]
		stem.Steps = append(stem.Steps, d.product.step(d.tuples.at(p.tuple)[:last], p.action, d.tuples.at(to)[:last]))
	}
	slices.Reverse(stem.Steps)
	within := map[int32]bool{}
	for _, n := range members {
		within[int32(n)] = true
	}
	from := map[int32]parent{}
	for todo := []int32{head}; ; todo = todo[1:] {
		n := todo[0]
		for k := range d.hidden[n] {
			h := &d.hidden[n][k]
			if _, met := from[h.to]; h.ended || !within[h.to] || met {
				continue
			}
			from[h.to] = parent{n, h.action}
			if todo = append(todo, h.to); h.to == head {
				return stem, d.round(head, from)
			}
		}
	}
}

// round is the way back to a pair.
func (d *divergences) round(head int32, from map[int32]parent) *Counterexample {
	c := &Counterexample{}
	for to := head; len(c.Steps) == 0 || to != head; {
		p := from[to]
		c.Steps = append(c.Steps, d.stepOf(p.tuple, &unobservedStep{action: p.action, to: to}))
		to = p.tuple
	}
	slices.Reverse(c.Steps)
	return c
}

// Chaos is an LTS that allows everything where m diverges, and the state in which it is then; m itself and no
// state if it never does. As in FDR, each state from which m can go on for ever without an action leads by τ
// to states that allow every action of the alphabet, refuse every action and diverge.
func Chaos(m *LTS) (*LTS, *State) {
	silent := NewTauComponents(m)
	loops := make([]bool, m.NumStates())
	for s := range loops {
		loops[s] = silent.Divergent.Has(silent.Of[s])
	}
	if !slices.Contains(loops, true) {
		return m, nil
	}
	b := NewBuilder(m.actions)
	for s := range State(m.NumStates()) {
		b.AddState(m.StateName(s))
	}
	b.SetInit(m.init)
	all, none := b.AddState("diverges"), b.AddState("diverges")
	for s := range State(m.NumStates()) {
		if loops[s] { // else τ would lead on only to where it does
			b.AddEdge(s, Tau, all)
		}
		for _, e := range m.Out(s) {
			if e.Action != Tau || !loops[s] || !loops[e.To] {
				b.AddEdge(s, e.Action, e.To)
			}
		}
	}
	for _, a := range m.alphabet {
		b.AddEdge(all, a, all)
	}
	b.AddEdge(all, Tau, none)
	b.Alphabet(m.alphabet...)
	return b.Build(), &all
}
