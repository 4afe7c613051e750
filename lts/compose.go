package lts

import (
	"context"
	"slices"
	"strings"
)

// Compose returns the reachable part of M_1 ‖ … ‖ M_n (Chaki et al., "Efficient Verification of Sequential
// and Concurrent C Programs" (2004), definition 5), with states numbered breadth first. Components
// synchronise on the actions they share; τ is never shared. The alphabet is the union. A state is an ERROR
// state if one of its components is. Names are tuples.
//
// The error says that there is no component, that they have different Actions tables, that ctx ended,
// or, being a *[LimitError], that lim was reached; MaxBytes counts states and transitions.
func Compose(ctx context.Context, ms []*LTS, lim Limits) (*LTS, error) {
	c, err := NewComposition(ctx, ms, lim)
	if err != nil {
		return nil, err
	}
	return c.lts(), nil
}

// Idea: a composition that is only written needs no LTS. Tuples are packed into one number where they fit, and the
// transitions of all states stand behind each other, as a target and the place of the action in the alphabet: 5
// or 6 bytes a transition, in pages, so that nothing is copied when there are more.
//
// Cost: a look-up for each transition; 4 bytes a transition for its target and 1, 2 or 4 for its action, and
// for a state numbers.go and 8 bytes.

// Composition is the reachable part of a composition, as Compose would build it.
type Composition struct {
	components []*LTS
	alphabet   []Action
	numbers    numbers
	ends       pages[uint64] // by state: where its transitions end
	targets    pages[State]
	actions    narrow // places in the alphabet, from 1; τ is 0
	errors     []State
}

// NewComposition explores a composition. Its errors are those of [Compose].
func NewComposition(ctx context.Context, ms []*LTS, lim Limits) (*Composition, error) {
	p, err := newProduct(ms)
	if err != nil {
		return nil, err
	}
	c := &composing{ctx: ctx, limits: lim, product: p, at: make([]State, len(ms)),
		Composition: &Composition{components: slices.Clone(ms), numbers: newNumbers(ms)}}
	if err := c.run(); err != nil {
		return nil, err
	}
	return c.Composition, nil
}

// NumStates returns the number of states.
func (c *Composition) NumStates() int { return c.numbers.count() }

// NumEdges returns the number of distinct transitions.
func (c *Composition) NumEdges() int { return c.targets.count }

func (c *Composition) bytes() int64 {
	return c.numbers.bytes() + c.ends.bytes() + c.targets.bytes() + c.actions.bytes()
}

// each calls f for each transition, in the order of sources, actions and targets, until it returns an error.
func (c *Composition) each(f func(from State, a Action, to State) error) error {
	i := 0
	for s := range c.NumStates() {
		for end := int(c.ends.at(s)); i < end; i++ {
			a := Tau
			if place := c.actions.at(i); place > 0 {
				a = c.alphabet[place-1]
			}
			if err := f(State(s), a, c.targets.at(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// lts builds the LTS.
func (c *Composition) lts() *LTS {
	b := NewBuilder(c.components[0].actions)
	b.AddStates(c.NumStates())
	b.Alphabet(c.alphabet...)
	b.errors = c.errors
	b.sources, b.edges = make([]State, 0, c.NumEdges()), make([]Edge, 0, c.NumEdges())
	_ = c.each(func(from State, a Action, to State) error { // which has none
		b.AddEdge(from, a, to)
		return nil
	})
	m, components, states := b.Build(), c.components, c.numbers
	m.name = func(s State) string {
		at := make([]State, len(components))
		states.tuple(s, at)
		return tupleName(components, at)
	}
	return m
}

// composing is the state of the exploration.
type composing struct {
	*Composition
	product *product
	limits  Limits
	ctx     context.Context
	places  []int32 // by action: its place in the alphabet, from 1
	at      []State
	out     []Edge // of the state, with places for actions
	work    int    // transitions seen
	err     error  // why it stopped
}

func (c *composing) run() error {
	all := []Action{}
	for _, m := range c.components {
		all = append(all, m.alphabet...)
	}
	c.alphabet = buildAlphabet(all, nil)
	c.places = make([]int32, c.product.lastAction()+1)
	for i, a := range c.alphabet {
		c.places[a] = int32(i + 1)
	}
	c.actions = newNarrow(len(c.alphabet) + 1)
	c.numbers.insert(c.product.initial())
	c.check()
	emit := c.emit
	for s := 0; s < c.numbers.count() && c.err == nil; s++ {
		c.numbers.tuple(State(s), c.at)
		for i, m := range c.components {
			if m.IsError(c.at[i]) {
				c.errors = append(c.errors, State(s))
			}
		}
		c.out = c.out[:0]
		c.product.successors(c.at, emit)
		c.add()
	}
	return c.err
}

// emit notes one transition.
func (c *composing) emit(a Action, next []State) bool {
	to := c.numbers.insert(next)
	c.out = append(c.out, Edge{Action(c.places[a]), to})
	c.check()
	return c.err == nil
}

// add stores the transitions of a state.
func (c *composing) add() {
	if !slices.IsSortedFunc(c.out, Edge.Compare) {
		slices.SortFunc(c.out, Edge.Compare)
	}
	for _, e := range slices.Compact(c.out) {
		c.targets.add(e.To)
		c.actions.add(uint32(e.Action))
	}
	c.ends.add(uint64(c.targets.count))
}

// check notes that a limit is reached, or that the context has ended.
func (c *composing) check() {
	if c.work%contextInterval == 0 {
		c.err = c.ctx.Err()
	}
	c.work++
	bytes := int64(0)
	if c.limits.MaxBytes > 0 {
		bytes = c.bytes()
	}
	if why := c.limits.exceeded(c.numbers.count(), bytes, "states of the composition"); why != "" {
		c.err = &LimitError{why}
	}
}

func tupleName(ms []*LTS, at []State) string {
	if len(ms) == 1 {
		return ms[0].StateName(at[0])
	}
	names := make([]string, len(ms))
	for i, m := range ms {
		names[i] = m.StateName(at[i])
	}
	return "(" + strings.Join(names, ",") + ")"
}
