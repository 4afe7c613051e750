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
	p, err := newProduct(ms)
	if err != nil {
		return nil, err
	}
	c := &composition{product: p, limits: lim, ctx: ctx, seen: newTuples[State](len(ms)),
		builder: NewBuilder(ms[0].actions)}
	if err := c.run(); err != nil {
		return nil, err
	}
	m, components, seen := c.builder.Build(), slices.Clone(ms), c.seen
	m.name = func(s State) string { return tupleName(components, seen.at(int32(s))) }
	return m, nil
}

// composition is the state of one call of Compose.
type composition struct {
	product *product
	limits  Limits
	ctx     context.Context
	seen    *tuples[State]
	builder *Builder
	from    State // the state whose transitions are added
	work    int   // transitions seen
	err     error // why it stopped
}

func (c *composition) run() error {
	for _, m := range c.product.components {
		c.builder.Alphabet(m.alphabet...)
	}
	c.seen.insert(c.product.initial())
	c.builder.AddStates(1)
	c.check()
	at := make([]State, len(c.product.components))
	emit := c.emit
	for k := int32(0); int(k) < c.seen.count && c.err == nil; k++ {
		copy(at, c.seen.at(k))
		for i, m := range c.product.components {
			if m.IsError(at[i]) {
				c.builder.SetError(State(k))
			}
		}
		c.from = State(k)
		c.product.successors(at, emit)
	}
	return c.err
}

// emit adds one transition.
func (c *composition) emit(a Action, next []State) bool {
	to, isNew := c.seen.insert(next)
	if isNew {
		c.builder.AddStates(1)
	}
	c.builder.AddEdge(c.from, a, State(to))
	c.check()
	return c.err == nil
}

// check notes that a limit is reached, or that the context has ended.
func (c *composition) check() {
	if c.work%contextInterval == 0 {
		c.err = c.ctx.Err()
	}
	c.work++
	if why := c.limits.exceeded(c.seen.count, c.seen.bytes()+c.builder.bytes(), "states of the composition"); why != "" {
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
