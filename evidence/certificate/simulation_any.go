package certificate

// Simulation of any number of copies.
//
// Idea: the certificate says how many copies are told apart at each state of each model, and whoever checks it
// counts them as for deadlocks (deadlock_any.go). States of a model may be taken for one: that does whatever one of
// them does, and may choose at any time how copies begin. What is counted does at each point whatever a number of
// copies does there. So each number is followed if what is counted is: of all pairs of numbers with a state of the
// specification that come up, those are taken away of which a step has no answer among the rest, and all that begin
// have to be left. Only a place from which one silent step leads and nothing else is passed at once: it is the
// place behind.
//
// Source: that of simulation.go and deadlock_any.go; it is written from these and not from package lts.
//
// Cost: pairs times steps times answers.

import (
	"context"
	"encoding/binary"
	"slices"

	"magus/lts"
)

// A crowdedPair is numbers of copies by place with a state of the specification.
type crowdedPair struct {
	at   numbers
	spec lts.State
	lost bool
	left []int    // by step: how many answers are not lost
	asks [][2]int // pairs with their steps that this one answers
}

// A crowdedGame has all pairs that come up.
type crowdedGame struct {
	*counted
	starts []int // by model: the place where copies choose how they begin, before anything else; -1
	pairs  []crowdedPair
	number map[string]int
}

// followsAny checks that the specification can follow every number of copies.
func (c *Certificate) followsAny(ctx context.Context, sub *Subject, checkers []*Checker) error {
	var models []*lts.LTS
	for i := range c.Components {
		m, err := c.Components[i].taken(checkers[i])
		if err != nil {
			return err
		}
		models = append(models, m)
	}
	if err := c.checkTold(models); err != nil {
		return err
	}
	g := &crowdedGame{counted: &counted{sub: sub, told: slices.Clone(c.Told), owners: map[lts.Action][]int{}},
		number: map[string]int{}}
	var none numbers
	for i, m := range models {
		start := -1
		var places []place
		for q := range lts.State(m.NumStates()) {
			if c.Components[i].Blocks == 0 && c.Components[i].States[q].At.Kind == Start {
				start = int(q)
			}
			places = append(places, place{state: int(q), edges: passedOn(m, q)})
		}
		g.starts, g.places, none = append(g.starts, start), append(g.places, places), append(none, make([]int, len(places)))
		for _, a := range m.Alphabet() {
			g.owners[a] = append(g.owners[a], i)
		}
		if n := sub.Copies[i]; n > 0 {
			g.told[i] = slices.Repeat([]int{n}, len(places))
		}
	}
	g.beginAll(none, models, 0)
	first := len(g.pairs)
	for n := 0; n < len(g.pairs); n++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		g.answer(n)
	}
	g.lose()
	if slices.ContainsFunc(g.pairs[:first], func(p crowdedPair) bool { return p.lost }) {
		return refuted(c.line, "some number of copies is not followed, as far as they are told apart")
	}
	return nil
}

// taken is the model of a component's states, or of the blocks of those that are taken for one.
func (c *Component) taken(k *Checker) (*lts.LTS, error) {
	plain := *c
	plain.Blocks = 0
	m, err := k.Model(&plain)
	if err != nil || c.Blocks == 0 {
		return m, err
	}
	b := lts.NewBuilder(m.Actions())
	b.AddStates(c.Blocks)
	b.Alphabet(m.Alphabet()...)
	for q := range c.States {
		if n := c.States[q].Block; n < 0 || n >= c.Blocks {
			return nil, refuted(c.States[q].line, "a state that is in none of %d blocks", c.Blocks)
		}
	}
	b.SetInit(lts.State(c.States[m.Init()].Block))
	for q := range lts.State(m.NumStates()) {
		from := c.States[q].Block
		for _, e := range m.Out(q) {
			if to := c.States[e.To].Block; e.Action != lts.Tau || to != from {
				b.AddEdge(lts.State(from), e.Action, lts.State(to))
			}
		}
	}
	return b.Build(), nil
}

// passedOn are the transitions from a state, to where more than one silent step leads on.
func passedOn(m *lts.LTS, q lts.State) (all []lts.Edge) {
	for _, e := range m.Out(q) {
		met := []lts.State{e.To}
		for out := m.Out(e.To); len(out) == 1 && out[0].Action == lts.Tau && !slices.Contains(met, out[0].To); {
			e.To = out[0].To
			met, out = append(met, e.To), m.Out(e.To)
		}
		all = append(all, e)
	}
	return all
}

// beginAll meets all numbers of copies of the models from one on in their initial states.
func (g *crowdedGame) beginAll(at numbers, models []*lts.LTS, i int) {
	if i == len(models) {
		g.pair(at, g.sub.Proof.Init())
		return
	}
	init := int(models[i].Init())
	least, most := 1, g.told[i][init]+1
	if n := g.sub.Copies[i]; n > 0 {
		least, most = n, n
	}
	for n := least; n <= most; n++ {
		g.beginAll(at.with(i, init, n), models, i+1)
	}
}

// pair is the number of a pair, which may be new.
func (g *crowdedGame) pair(at numbers, spec lts.State) int {
	key := binary.AppendUvarint(nil, uint64(spec))
	for _, m := range at {
		for p, n := range m {
			if n > 0 {
				key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(p)), uint64(n))
			}
		}
		key = append(key, 0xff, 0xff) // no number is written so
	}
	n, met := g.number[string(key)]
	if !met {
		n = len(g.pairs)
		g.number[string(key)] = n
		g.pairs = append(g.pairs, crowdedPair{at: at, spec: spec})
	}
	return n
}

// answer meets all answers to the steps of a pair.
func (g *crowdedGame) answer(n int) {
	at, spec := g.pairs[n].at, g.pairs[n].spec
	by := func(a lts.Action) func(numbers) {
		answers := []lts.State{spec}
		if a != lts.Tau && g.sub.Proof.HasAction(a) {
			answers = answersTo(g.sub.Proof, spec, a)
			slices.Sort(answers)
			answers = slices.Compact(answers)
		}
		return func(next numbers) {
			step := len(g.pairs[n].left)
			g.pairs[n].left = append(g.pairs[n].left, len(answers))
			for _, u := range answers {
				to := g.pair(next, u)
				g.pairs[to].asks = append(g.pairs[to].asks, [2]int{n, step})
			}
		}
	}
	for i, start := range g.starts {
		if start >= 0 && at[i][start] > 0 { // before all others
			g.leave(at, i, start, by)
			return
		}
	}
	for i, m := range at {
		for p, copies := range m {
			if copies > 0 {
				g.leave(at, i, p, by)
			}
		}
	}
}

// lose takes away the pairs of which a step has no answer that is left.
func (g *crowdedGame) lose() {
	var todo []int
	lose := func(n int) {
		if !g.pairs[n].lost {
			g.pairs[n].lost, todo = true, append(todo, n)
		}
	}
	for n := range g.pairs {
		if slices.Contains(g.pairs[n].left, 0) {
			lose(n)
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		for _, by := range g.pairs[todo[0]].asks {
			left := &g.pairs[by[0]].left[by[1]]
			if *left--; *left == 0 {
				lose(by[0])
			}
		}
	}
}
