package lts

// Deadlocks.
//
// Idea: an LTS says by actions of its own where it stands: at such a state only what the action says is offered, or
// it has ended. So each of them is a choice: a silent step to a state that offers what the action says, and
// nothing else; one more choice is what none of them offers. Then a deadlock is a tuple without steps in
// which all stand and one waits. All tuples without steps are met by a search that expands tuples by the
// steps of few components (persistent.go), for which every such tuple is met whatever the order. Of these it
// takes those with the fewest steps: what can be done only in one way is done before anything is chosen.
//
// Source: stable failures, Roscoe, Understanding Concurrent Systems (2010), section 11.1; for abstractions Chaki,
// Clarke, Ouaknine, Sharygina: Automated, compositional and iterative deadlock detection (MEMOCODE 2004), section 4.
// Deviation: these join the refusals of all that an abstract state stands for; here each is a choice, so that none
// comes about that no state has.
//
// Law: the LTSs have a deadlock exactly if a tuple of states is met in which each has an action that says where it
// stands, such that no visible action is offered by all that own it, and one of them offers something.
//
// Cost: as many tuples as there are, fewer where components do not depend on each other.

import (
	"context"
	"slices"
)

// A Standing is what an LTS offers where it stands still.
type Standing struct {
	Offers []Action // ascending; it waits for one of them
	Ended  bool     // it waits for nothing
}

// A StandingResult is the outcome of [DeadlockFree] and of [Failures].
type StandingResult struct {
	Verdict Verdict // Holds: there is no deadlock, or nothing is refused
	Reason  string  // why it is Unknown
	// Counterexample leads to where that is. Its last steps, as many as there are LTSs, are the actions by which each of
	// them, in their order, says where it stands.
	Counterexample *Counterexample
	States         int // tuples
}

// DeadlockFree decides whether the composition of LTSs has no deadlock. standing says of each LTS which of its
// actions say where it stands; passed are actions that no run takes. Breadth first, a counterexample has the fewest
// steps of those that the search looks at. The error is that of newProduct, or ctx's.
func DeadlockFree(ctx context.Context, impl []*LTS, standing []map[Action]Standing, passed []Action,
	lim Limits) (StandingResult, error) {
	d, err := newStableSearch(impl, standing, passed, lim, 0)
	if err != nil {
		return StandingResult{Reason: err.Error()}, err
	}
	if lim.PartialOrder && len(impl) > 1 {
		d.persistence = newPersistence(d.product, make([]bool, d.product.lastAction()+1))
	}
	d.discover(d.product.initial(), parent{none, Tau})
	return d.run(ctx, func(at []State, n int32) bool { return !d.expand(at, n) && d.stuck(at) })
}

// settled is an LTS in which standing still is a choice.
type settled struct {
	lts    *LTS
	origin []State  // by state: that of the LTS that it was made of
	says   []Action // by state: the action that says where it stands; τ if it does not stand
}

// addEdges adds those of some transitions that are wanted.
func addEdges(b *Builder, from State, moves []Edge, which func(Edge) bool) {
	for _, e := range moves {
		if which(e) {
			b.AddEdge(from, e.Action, e.To)
		}
	}
}

// settle makes standing still a choice, which comes first: what it may do besides is another one.
func settle(m *LTS, standing map[Action]Standing, passed []Action) *settled {
	s := &settled{}
	b := NewBuilder(m.actions)
	for q := range State(m.NumStates()) {
		b.AddState("")
		s.origin, s.says = append(s.origin, q), append(s.says, Tau)
	}
	b.SetInit(m.Init())
	for q := range State(m.NumStates()) {
		said, moves := parted(m.Out(q), standing, passed)
		all := func(Edge) bool { return true }
		if len(said) == 1 && slices.Equal(standing[said[0]].Offers, offered(moves)) {
			s.says[q], said = said[0], nil
		}
		if len(said) == 0 {
			addEdges(b, q, moves, all)
			continue
		}
		add := func(says Action, which func(Edge) bool) {
			chosen := b.AddState("")
			s.origin, s.says = append(s.origin, q), append(s.says, says)
			b.AddEdge(q, Tau, chosen)
			addEdges(b, chosen, moves, which)
		}
		for _, a := range said {
			add(a, func(e Edge) bool { return slices.Contains(standing[a].Offers, e.Action) })
		}
		goesOn := func(e Edge) bool { // as it does nowhere where it stands
			return !slices.ContainsFunc(said, func(a Action) bool { return slices.Contains(standing[a].Offers, e.Action) })
		}
		if slices.ContainsFunc(moves, goesOn) {
			add(Tau, goesOn)
		}
	}
	b.Alphabet(slices.DeleteFunc(slices.Clone(m.Alphabet()), func(a Action) bool {
		_, says := standing[a]
		return says || slices.Contains(passed, a)
	})...)
	s.lts = b.Build()
	return s
}

// parted are the actions of a state that say where it stands, without those that offer more than another one that
// waits, and its other transitions.
func parted(out []Edge, standing map[Action]Standing, passed []Action) (said []Action, moves []Edge) {
	for _, e := range out {
		if _, says := standing[e.Action]; says {
			said = append(said, e.Action)
		} else if !slices.Contains(passed, e.Action) {
			moves = append(moves, e)
		}
	}
	said = slices.Compact(said)
	all := slices.Clone(said)
	more := func(a, b Standing) bool { // a offers more than b
		return !a.Ended && !b.Ended && len(a.Offers) > len(b.Offers) && !slices.ContainsFunc(b.Offers, func(x Action) bool {
			return !slices.Contains(a.Offers, x)
		})
	}
	return slices.DeleteFunc(said, func(a Action) bool {
		return slices.ContainsFunc(all, func(b Action) bool { return more(standing[a], standing[b]) })
	}), moves
}

// offered are the actions of transitions, each once, ascending.
func offered(moves []Edge) []Action {
	var all []Action
	for _, e := range moves {
		all = append(all, e.Action)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// stableSearch looks at tuples of states, each with some more numbers, for one where all stand.
type stableSearch struct {
	impl        []*LTS
	standing    []map[Action]Standing
	limits      Limits
	settled     []*settled
	product     *product
	persistence *persistence // nil: tuples are expanded by all steps

	tuples  *tuples[State]
	known   func() int64 // bytes of what the numbers behind the states stand for; nil if there are none
	parents []parent     // by tuple
	todo    []int32      // tuples to look at, from head on
	head    int
}

// A parent is how a tuple was met first.
type parent struct {
	tuple  int32 // none for the first
	action Action
}

// newStableSearch has met nothing. Its tuples have so many numbers more than LTSs.
func newStableSearch(impl []*LTS, standing []map[Action]Standing, passed []Action, lim Limits, more int) (
	*stableSearch, error) {
	d := &stableSearch{impl: impl, standing: standing, limits: lim, tuples: newTuples[State](len(impl) + more)}
	var all []*LTS
	for i, m := range impl {
		s := settle(m, standing[i], passed)
		d.settled, all = append(d.settled, s), append(all, s.lts)
	}
	var err error
	d.product, err = newProduct(all)
	return d, err
}

// run looks at the tuples in the order in which they are met, or depth first at the last one first. look meets those to
// which the steps of one lead, and reports whether it is what is looked for.
func (d *stableSearch) run(ctx context.Context, look func(at []State, n int32) bool) (StandingResult, error) {
	at := make([]State, d.tuples.width)
	for looked := 0; len(d.todo) > d.head; looked++ {
		n := d.next()
		if looked%(contextInterval/64) == 0 && ctx.Err() != nil {
			return StandingResult{Reason: "stopped before the search was complete", States: d.tuples.count}, ctx.Err()
		}
		if why := d.limits.exceeded(d.tuples.count, d.bytes(), "product states"); why != "" {
			return StandingResult{Reason: why, States: d.tuples.count}, nil
		}
		copy(at, d.tuples.at(n))
		if look(at, n) {
			return StandingResult{Verdict: Fails, States: d.tuples.count, Counterexample: d.counterexample(n)}, nil
		}
	}
	return StandingResult{Verdict: Holds, States: d.tuples.count}, nil
}

// bytes is the memory of the tuples.
func (d *stableSearch) bytes() int64 {
	n := d.tuples.bytes() + bytesOf(d.parents) + bytesOf(d.todo)
	if d.known != nil {
		n += d.known()
	}
	return n
}

// next takes the tuple that is to be looked at next.
func (d *stableSearch) next() int32 {
	if d.limits.Order == DepthFirst {
		last := len(d.todo) - 1
		n := d.todo[last]
		d.todo = d.todo[:last]
		return n
	}
	d.head++
	return d.todo[d.head-1]
}

// discover stores a tuple that is met for the first time.
func (d *stableSearch) discover(at []State, from parent) {
	if n, isNew := d.tuples.insert(at); isNew {
		d.parents, d.todo = append(d.parents, from), append(d.todo, n)
	}
}

// expand takes the steps of a tuple that there is need to take, and reports whether there are any.
func (d *stableSearch) expand(at []State, n int32) (any bool) {
	emit := func(a Action, next []State) bool {
		any = true
		d.discover(next, parent{n, a})
		return true
	}
	if d.persistence != nil {
		if sets := d.persistence.find(at); len(sets) > 0 {
			d.persistence.steps(at, d.fewest(at, sets), emit)
			return any
		}
	}
	d.product.successors(at, emit)
	return any
}

// fewest is the set with the fewest steps at a tuple, the first one of those.
func (d *stableSearch) fewest(at []State, sets [][]int32) []int32 {
	steps := func(set []int32) (n int) {
		d.persistence.steps(at, set, func(Action, []State) bool {
			n++
			return true
		})
		return n
	}
	best, fewest := sets[0], steps(sets[0])
	for _, set := range sets[1:] {
		if n := steps(set); n < fewest || n == fewest && slices.Compare(set, best) < 0 {
			best, fewest = set, n
		}
	}
	return best
}

// stuck reports whether all stand at a tuple without steps, and one waits.
func (d *stableSearch) stuck(at []State) bool {
	if !d.stand(at) {
		return false
	}
	for i, q := range at {
		if !d.standing[i][d.settled[i].says[q]].Ended {
			return true
		}
	}
	return false
}

// stand reports whether all LTSs stand still at a tuple.
func (d *stableSearch) stand(at []State) bool {
	for i, s := range d.settled {
		if s.says[at[i]] == Tau {
			return false
		}
	}
	return true
}

// states are those of a tuple, without the numbers behind them.
func (d *stableSearch) states(n int32) []State { return d.tuples.at(n)[:len(d.impl)] }

// counterexample is the run to a tuple, with what each says there.
func (d *stableSearch) counterexample(n int32) *Counterexample {
	c := &Counterexample{}
	for to := n; d.parents[to].tuple != none; to = d.parents[to].tuple {
		p := d.parents[to]
		step := d.product.step(d.states(p.tuple), p.action, d.states(to))
		moves := step.Moves[:0]
		for _, m := range step.Moves {
			origin := d.settled[m.Component].origin
			if step.Action == Tau && origin[m.From] == origin[m.To] { // it stands from now on
				continue
			}
			moves = append(moves, Move{m.Component, origin[m.From], origin[m.To]})
		}
		if step.Moves = moves; len(moves) > 0 {
			c.Steps = append(c.Steps, step)
		}
	}
	slices.Reverse(c.Steps)
	for i, q := range d.states(n) {
		from, says := d.settled[i].origin[q], d.settled[i].says[q]
		to := d.impl[i].OutBy(from, says)[0].To
		c.Steps = append(c.Steps, Step{says, []Move{{i, from, to}}})
	}
	return c
}
