package bounded

// Sampled states: what runs come to that choose among few values.
//
// Idea: the graph is executed from its beginning, breadth first. A new value is one that the program compares its
// variable with, one that another variable of its type has at the moment, 0 or 1. States are those of the variables
// that matter. Nothing rests on what is found: it says which candidates for invariants are not worth a question.
//
// Source: states of small instances as in Pnueli, Ruah, Zuck, "Automatic deductive verification with invisible
// invariants" (2001). Cost: mostSamples states, and the edges that leave them.

import (
	"context"
	"encoding/binary"
	"slices"

	"magus/component"
	"magus/lts"
	"magus/smt/expr"
)

// mostSamples bounds the states, mostBehind those behind one that a solver has found, mostValues the new values of
// one variable that are tried in one, and sampleEffort is what a state counts for.
const (
	mostSamples  = 20_000
	mostBehind   = 400
	mostValues   = 64
	sampleEffort = 64
)

// A sample is a state of a run.
type sample struct {
	node   component.Node
	values []uint64 // by variable; 0 of those that do not matter
}

// A sampler looks for states.
type sampler struct {
	*flow
	compared map[*expr.Expr][]uint64 // constants, by variable
	seen     map[string]bool
	queue    []sample
	spec     *lts.LTS // whose actions are not followed; nil to follow all
}

// sampled are states by node. The error is ctx's.
func (f *flow) sampled(ctx context.Context) (map[component.Node][][]uint64, error) {
	s := &sampler{flow: f, compared: f.comparedConstants()}
	return s.from(ctx, sample{component.Init, make([]uint64, len(f.vars))}, mostSamples)
}

// from are so many states by node that come behind one, which is among them. The error is ctx's.
func (s *sampler) from(ctx context.Context, first sample, most int) (map[component.Node][][]uint64, error) {
	s.seen, s.queue = map[string]bool{}, nil
	s.enter(first)
	for i := 0; i < len(s.queue) && i < most; i++ {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		s.expand(s.queue[i])
	}
	at := map[component.Node][][]uint64{}
	for _, q := range s.queue {
		at[q.node] = append(at[q.node], q.values)
	}
	return at, nil
}

// comparedConstants are the constants that guards compare a variable with.
func (f *flow) comparedConstants() map[*expr.Expr][]uint64 {
	of := map[*expr.Expr][]uint64{}
	for i := range f.edges {
		expr.Walk(func(e *expr.Expr) {
			if e.Op() != expr.Eq && e.Op() != expr.Lt {
				return
			}
			a, b := e.Args()[0], e.Args()[1]
			if a.IsConst() {
				a, b = b, a
			}
			if a.Op() == expr.Var && b.IsConst() && !slices.Contains(of[a], b.Value()) {
				of[a] = append(of[a], b.Value())
			}
		}, f.edges[i].guard)
	}
	return of
}

// enter adds a state that is new.
func (s *sampler) enter(q sample) {
	key := binary.AppendUvarint(nil, uint64(q.node))
	for i, v := range q.values {
		if !s.live[q.node].Has(i) {
			q.values[i], v = 0, 0
		}
		key = binary.AppendUvarint(key, v)
	}
	if !s.seen[string(key)] {
		s.seen[string(key)] = true
		s.queue = append(s.queue, q)
	}
}

// expand enters the states behind one.
func (s *sampler) expand(q sample) {
	for _, id := range s.graph.Out(q.node) {
		e := &s.edges[id]
		if s.spec != nil && e.Action != lts.Tau && s.spec.HasAction(e.Action) {
			continue
		}
		now := map[*expr.Expr]uint64{}
		for _, i := range e.reads {
			now[s.vars[i]] = q.values[i]
		}
		s.choose(q, e, e.fresh, now)
	}
}

// choose tries values for new ones, and makes the edge.
func (s *sampler) choose(q sample, e *edge, fresh []*expr.Expr, now map[*expr.Expr]uint64) {
	if len(fresh) > 0 {
		for _, v := range s.valuesOf(q, e, fresh[0]) {
			now[fresh[0]] = v
			s.choose(q, e, fresh[1:], now)
		}
		return
	}
	of := expr.NewValuation(func(v *expr.Expr) uint64 { return now[v] })
	if of.Of(e.guard) == 0 {
		return
	}
	next := sample{e.To, slices.Clone(q.values)}
	for i, u := range e.Update {
		next.values[e.writes[i]] = of.Of(u.Term)
	}
	s.enter(next)
}

// valuesOf are those that are tried for a new one.
func (s *sampler) valuesOf(q sample, e *edge, fresh *expr.Expr) []uint64 {
	values := []uint64{0, 1}
	add := func(v uint64) {
		if v &= fresh.Type().Mask(); len(values) < mostValues && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	for _, v := range s.compared[fresh] {
		add(v)
	}
	for i, u := range e.Update {
		if u.Term != fresh {
			continue
		}
		for _, v := range s.compared[s.vars[e.writes[i]]] {
			add(v)
			add(v + 1)
		}
	}
	for i, v := range s.vars {
		if v.Type() == fresh.Type() && s.live[q.node].Has(i) {
			add(q.values[i])
		}
	}
	return values
}
