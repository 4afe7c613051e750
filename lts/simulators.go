package lts

import (
	"context"
	"slices"

	"magus/internal/bitset"
)

// Idea: the greatest simulation between two LTSs, as the set up(s) of the right states that simulate s,
// for every left state s: at first, those that can answer all actions of s. For every s -a-> s' of the
// left, up(s) is cut down to what can answer a and be in up(s') then, until nothing changes; when
// up(s') has changed, the transitions into s' are looked at again, those of one action together.
//
// How a may be answered is what tells the simulations apart. Weakly, an observed action is answered by
// itself with any τ before and after, and one that is not observed by any τ or none; then t -τ-> t'
// and t' ∈ up(s) imply t ∈ up(s), so that the latter is answered by all of up(s') and no
// more. A simulation that keeps costs answers an observed action by itself alone and any other by none
// or one of those. Where τ is observed too, both are strong simulation.
//
// Source: the refinement loop of Henzinger, Henzinger, Kopke, "Computing simulations on finite and
// infinite graphs" (FOCS 1995), with sets of bits; deviation: what can answer is computed anew and not
// maintained by counters. Cost: at worst left states × right states × (left actions × right
// transitions); in practice few rounds.

// moveKind says what an action is for a simulation.
type moveKind uint8

const (
	unobserved moveKind = iota
	seen                // observed
	impossible          // impl cannot do it, so that it does not matter
)

// moveKinds returns the kinds of τ and of the actions of spec and of impl.
func moveKinds(p *product, spec *LTS, strong bool) []moveKind {
	last := p.lastAction()
	if n := len(spec.alphabet); n > 0 {
		last = max(last, spec.alphabet[n-1])
	}
	kind := make([]moveKind, last+1)
	for a := range kind {
		switch {
		case Action(a) == Tau && strong, p.hasAction(Action(a)) && spec.HasAction(Action(a)):
			kind[a] = seen
		case spec.HasAction(Action(a)):
			kind[a] = impossible
		}
	}
	return kind
}

// hasAction says whether a component has visible action a.
func (p *product) hasAction(a Action) bool {
	return a > Tau && a <= p.lastAction() && len(p.ownersOf(a)) > 0
}

// simulating is the state of one computation of simulators.
type simulating struct {
	left, right *LTS // turned around
	kind        []moveKind
	keepCosts   bool
	up          *bitMatrix // by left state
	queue       []State    // left states whose up has changed
	queued      bitset.Set[State]
	answers     bitset.Set[State] // scratch: what can answer the action that is looked at
	stack       []State           // scratch
	work        int               // right transitions looked at
}

// simulators returns, for each left state, the right states that simulate it: weakly, or keeping
// costs. The result is nil if it would be too large. The error is ctx's.
func simulators(ctx context.Context, left, right *LTS, kind []moveKind, keepCosts bool) (*bitMatrix, error) {
	if left.NumStates() > maxSimulationBits/(64*bitset.Words(right.NumStates())) {
		return nil, nil
	}
	c := &simulating{left: reversed(left), right: reversed(right), kind: kind, keepCosts: keepCosts}
	c.up = newBitMatrix(left.NumStates(), right.NumStates())
	c.queued, c.answers = bitset.New[State](left.NumStates()), bitset.New[State](right.NumStates())
	c.start()
	for s := left.NumStates() - 1; s >= 0; s-- {
		c.enqueue(State(s))
	}
	for head := 0; head < len(c.queue); head++ {
		if c.work > maxSimulationWork {
			return nil, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := c.queue[head]
		c.queued.Remove(s)
		c.refine(s)
	}
	return c.up, nil
}

// start cuts the rows down to the right states that can answer the actions of the left one.
func (c *simulating) start() {
	all := slices.Clone(c.up.row(0))
	for a, kind := range c.kind {
		if kind != seen {
			continue
		}
		c.answer(Action(a), all)
		for s := range State(c.left.NumStates()) {
			for _, e := range c.left.OutBy(s, Action(a)) {
				c.up.row(e.To).Intersect(c.answers)
			}
		}
	}
}

// reversed is m with its transitions turned around, those of one state and action together.
func reversed(m *LTS) *LTS {
	b := NewBuilder(m.actions)
	b.AddStates(m.NumStates())
	for s := range State(m.NumStates()) {
		for _, e := range m.Out(s) {
			b.AddEdge(e.To, e.Action, s)
		}
	}
	return b.Build()
}

func (c *simulating) enqueue(s State) {
	if c.queued.Add(s) {
		c.queue = append(c.queue, s)
	}
}

// refine looks at the transitions into s.
func (c *simulating) refine(s State) {
	for into := c.left.Out(s); len(into) > 0; {
		a := into[0].Action
		k := countFirst(into, a)
		if c.kind[a] != impossible {
			c.answer(a, c.up.row(s))
			for _, e := range into[:k] {
				if c.up.row(e.To).Intersect(c.answers) {
					c.enqueue(e.To)
				}
			}
		}
		into = into[k:]
	}
}

// answer collects the states that can answer a and be in up then.
func (c *simulating) answer(a Action, up bitset.Set[State]) {
	c.work += len(up)
	if c.kind[a] == unobserved {
		copy(c.answers, up)
		if c.keepCosts {
			c.oneUnobserved(up)
		}
		return
	}
	clear(c.answers)
	closed := !c.keepCosts && c.kind[Tau] == unobserved
	for t := range up.All() {
		c.add(t, a)
		for closed && len(c.stack) > 0 {
			last := len(c.stack) - 1
			t := c.stack[last]
			c.stack = c.stack[:last]
			c.add(t, Tau)
		}
		c.stack = c.stack[:0]
	}
}

// oneUnobserved adds the states that an unobserved action leads to up from.
func (c *simulating) oneUnobserved(up bitset.Set[State]) {
	for t := range up.All() {
		for _, e := range c.right.Out(t) {
			c.work++
			if c.kind[e.Action] == unobserved {
				c.answers.Add(e.To)
			}
		}
	}
}

// add adds the states that a leads to t from, and puts the new ones on the stack.
func (c *simulating) add(t State, a Action) {
	into := c.right.OutBy(t, a)
	c.work += 1 + len(into)
	for _, e := range into {
		if c.answers.Add(e.To) {
			c.stack = append(c.stack, e.To)
		}
	}
}
