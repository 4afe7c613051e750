package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// This file holds the obvious, slow versions of what the package does, straight from the definitions of Chaki
// et al., "Efficient Verification of Sequential and Concurrent C Programs" (2004), section 3. They share no
// code with the fast ones.

// parse builds an LTS from a notation for tests: "s -a-> t" items separated by ";", "tau" for τ.
// The first state named is initial. "+a,b" extends the alphabet, "!s" makes s an ERROR state.
func parse(t *Actions, text string) *LTS {
	b := NewBuilder(t)
	number := map[string]State{}
	state := func(name string) State {
		s, ok := number[name]
		if !ok {
			s = b.AddState(name)
			number[name] = s
		}
		return s
	}
	for _, item := range splitTrim(text, ";") {
		switch {
		case item[0] == '+':
			for _, a := range splitTrim(item[1:], ",") {
				b.Alphabet(t.Intern(a))
			}
		case item[0] == '!':
			b.SetError(state(item[1:]))
		default:
			var from, arrow, to string
			if n, _ := fmt.Sscan(item, &from, &arrow, &to); n == 1 {
				state(from)
				continue
			}
			f := state(from)
			b.AddEdge(f, t.Intern(arrow[1:len(arrow)-2]), state(to))
		}
	}
	return b.Build()
}

// composed is Compose without bounds.
func composed(ms ...*LTS) *LTS {
	m, err := Compose(context.Background(), ms, Limits{})
	if err != nil {
		panic(err)
	}
	return m
}

// randomLTS draws an LTS with up to maxStates states over the actions, of which it takes some.
func randomLTS(r *rand.Rand, t *Actions, actions []Action, maxStates int, tau bool, errors bool) *LTS {
	b := NewBuilder(t)
	n := 1 + r.IntN(maxStates)
	b.AddStates(n)
	var own []Action
	for _, a := range actions {
		if r.IntN(4) > 0 {
			own = append(own, a)
		}
	}
	b.Alphabet(own...)
	if tau {
		own = append(own, Tau)
	}
	if len(own) > 0 {
		for range r.IntN(3*n + 1) {
			b.AddEdge(State(r.IntN(n)), own[r.IntN(len(own))], State(r.IntN(n)))
		}
	}
	b.SetInit(State(r.IntN(n)))
	if errors {
		b.SetError(State(r.IntN(n)))
	}
	return b.Build()
}

func hasEdge(m *LTS, from State, a Action, to State) bool {
	return slices.Contains(m.Out(from), Edge{a, to})
}

// naiveProduct is M_1 ‖ … ‖ M_n with all states, as an explicit list of transitions.
type naiveProduct struct {
	tuples [][]State
	init   int
	out    [][]naiveEdge
}

type naiveEdge struct {
	action Action
	to     int
}

// naiveCompose tries every pair of tuples and every action against definition 5.
func naiveCompose(ms []*LTS, actions []Action) *naiveProduct {
	p := &naiveProduct{tuples: [][]State{{}}}
	for _, m := range ms {
		var longer [][]State
		for _, tuple := range p.tuples {
			for s := range m.NumStates() {
				longer = append(longer, append(slices.Clone(tuple), State(s)))
			}
		}
		p.tuples = longer
	}
	p.out = make([][]naiveEdge, len(p.tuples))
	for i, from := range p.tuples {
		isInit := true
		for k, m := range ms {
			isInit = isInit && from[k] == m.Init()
		}
		if isInit {
			p.init = i
		}
		for _, a := range append([]Action{Tau}, actions...) {
			for j, to := range p.tuples {
				if isTransition(ms, from, a, to) {
					p.out[i] = append(p.out[i], naiveEdge{a, j})
				}
			}
		}
	}
	return p
}

func isTransition(ms []*LTS, from []State, a Action, to []State) bool {
	if a == Tau {
		for k, m := range ms {
			others := true
			for l := range ms {
				others = others && (l == k || from[l] == to[l])
			}
			if others && hasEdge(m, from[k], Tau, to[k]) {
				return true
			}
		}
		return false
	}
	someone := false
	for k, m := range ms {
		if slices.Contains(m.Alphabet(), a) {
			someone = true
			if !hasEdge(m, from[k], a, to[k]) {
				return false
			}
		} else if from[k] != to[k] {
			return false
		}
	}
	return someone
}

// naiveSet is a set of at most 64 spec states.
type naiveSet uint64

func naiveClosure(m *LTS, set naiveSet) naiveSet {
	for {
		old := set
		for s := range m.NumStates() {
			if set&(1<<s) != 0 {
				for _, e := range m.Out(State(s)) {
					if e.Action == Tau {
						set |= 1 << e.To
					}
				}
			}
		}
		if set == old {
			return set
		}
	}
}

func naiveStep(m *LTS, set naiveSet, a Action) naiveSet {
	var next naiveSet
	for s := range m.NumStates() {
		if set&(1<<s) != 0 {
			for _, e := range m.Out(State(s)) {
				if e.Action == a {
					next |= 1 << e.To
				}
			}
		}
	}
	return naiveClosure(m, next)
}

func naiveAfter(m *LTS, trace []Action) naiveSet {
	set := naiveClosure(m, 1<<m.Init())
	for _, a := range trace {
		set = naiveStep(m, set, a)
	}
	return set
}

// naiveBad says whether a projected trace that leads spec to set violates it.
func naiveBad(spec *LTS, set naiveSet) bool {
	if !spec.HasError() {
		return set == 0
	}
	for s := range spec.NumStates() {
		if set&(1<<s) != 0 && spec.IsError(State(s)) {
			return true
		}
	}
	return false
}

// naiveCost is (observed actions, steps) as one number.
type naiveCost int

const (
	observedStep = naiveCost(1_000_001)
	hiddenStep   = naiveCost(1)
	unreached    = naiveCost(1 << 60)
)

// naiveContains explores product × subsets of spec by relaxing all transitions until nothing changes,
// and returns the least cost of a violation, or unreached.
func naiveContains(ms []*LTS, spec *LTS, actions []Action) naiveCost {
	p := naiveCompose(ms, actions)
	subsets := 1 << spec.NumStates()
	cost := make([]naiveCost, len(p.tuples)*subsets)
	for i := range cost {
		cost[i] = unreached
	}
	var pending []int
	reach := func(tuple int, set naiveSet, c naiveCost) {
		if i := tuple*subsets + int(set); c < cost[i] {
			cost[i] = c
			pending = append(pending, i)
		}
	}
	reach(p.init, naiveAfter(spec, nil), 0)
	best := unreached
	for len(pending) > 0 {
		i := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		tuple, set := i/subsets, naiveSet(i%subsets)
		if naiveBad(spec, set) {
			best = min(best, cost[i])
			continue
		}
		for _, e := range p.out[tuple] {
			if e.action != Tau && spec.HasAction(e.action) {
				reach(e.to, naiveStep(spec, set, e.action), cost[i]+observedStep)
			} else {
				reach(e.to, set, cost[i]+hiddenStep)
			}
		}
	}
	return best
}

// naiveShortestBad tries all traces over spec's alphabet up to length k, one by one and shortest first,
// and returns the length of the first that the composition has and spec forbids, or -1.
func naiveShortestBad(ms []*LTS, spec *LTS, actions []Action, k int) int {
	p := naiveCompose(ms, actions)
	level := [][]Action{nil}
	for length := 0; length <= k; length++ {
		var longer [][]Action
		for _, trace := range level {
			if !p.has(trace, spec) {
				continue
			}
			bad := false
			for cut := 0; cut <= len(trace); cut++ {
				bad = bad || naiveBad(spec, naiveAfter(spec, trace[:cut]))
			}
			if bad {
				return length
			}
			for _, a := range spec.Alphabet() {
				longer = append(longer, append(slices.Clone(trace), a))
			}
		}
		level = longer
	}
	return -1
}

// has says whether the composition has a run whose projection on spec's alphabet is trace.
func (p *naiveProduct) has(trace []Action, spec *LTS) bool {
	at := map[int]bool{p.init: true}
	p.closeHidden(at, spec)
	for _, a := range trace {
		next := map[int]bool{}
		for i := range at {
			for _, e := range p.out[i] {
				if e.action == a {
					next[e.to] = true
				}
			}
		}
		p.closeHidden(next, spec)
		at = next
	}
	return len(at) > 0
}

func (p *naiveProduct) closeHidden(at map[int]bool, spec *LTS) {
	for changed := true; changed; {
		changed = false
		for i := range at {
			for _, e := range p.out[i] {
				if (e.action == Tau || !spec.HasAction(e.action)) && !at[e.to] {
					at[e.to], changed = true, true
				}
			}
		}
	}
}

// mustBeRun fails the test unless c is a run of the composition that violates spec.
func mustBeRun(t *testing.T, ms []*LTS, spec *LTS, c *Counterexample) (cost naiveCost) {
	t.Helper()
	at := make([]State, len(ms))
	for k, m := range ms {
		at[k] = m.Init()
	}
	for _, step := range c.Steps {
		next := slices.Clone(at)
		for _, move := range step.Moves {
			if at[move.Component] != move.From {
				t.Fatalf("component %d is not where the move starts: %v", move.Component, c)
			}
			next[move.Component] = move.To
		}
		if !isTransition(ms, at, step.Action, next) {
			t.Fatalf("not a transition: %v -%d-> %v", at, step.Action, next)
		}
		if step.Action == Tau && len(step.Moves) != 1 {
			t.Fatalf("τ of %d components", len(step.Moves))
		}
		at = next
		cost += hiddenStep
		if spec.HasAction(step.Action) {
			cost += observedStep - hiddenStep
		}
	}
	if !naiveBad(spec, naiveAfter(spec, Project(c.Trace(), spec.Alphabet()))) {
		t.Fatalf("spec allows the counterexample %v", c)
	}
	return cost
}
