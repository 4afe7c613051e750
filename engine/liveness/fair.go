package liveness

// Fair loops.
//
// Idea: a run that goes on stays in a strongly connected part from some time on, and every part has a run that goes
// through all of it. So weak fairness asks of a part for each process that it moves there or cannot go on at some
// place; strong fairness that it moves or can never go on: places where it can and does not are taken out, and the rest
// is looked at again.
//
// Source: Emerson, Lei: Modalities for model checking (1987); Lichtenstein, Pnueli: Checking that finite
// state concurrent programs satisfy their linear specification (POPL 1985).
//
// Cost: linear for none and weak fairness; for strong fairness times the processes at worst.

import (
	"magus/component"
	"magus/internal/graph"
)

// fair looks for parts of a graph that are accepted and fair.
type fair struct {
	*searched
	fairness component.Fairness
	strict   bool
	left     map[[2]int32]bool
	isSilent bool // the loops that are looked for
}

// enabled are the processes that count as able to go on: at most, where a violation is looked for.
func (f *fair) enabled(tuple int32) uint64 {
	return f.able(tuple, f.strict)
}

// silent looks for a loop without positions after which nothing is accepted, or where only such loops are
// looked for, for any.
func (f *fair) silent(left *exclusions) *lasso {
	f.left, f.isSilent = left.silent, true
	keep := func(i int32, a *arc) bool {
		st := &f.steps[f.nodes[i].tuple][a.step]
		return !f.isPosition(f.nodes[i].tuple, st)
	}
	var nodes []int32
	for i, n := range f.nodes {
		if f.automaton == nil || f.still(n) {
			nodes = append(nodes, int32(i))
		}
	}
	return f.in(nodes, keep, 0, false)
}

// moving looks for a loop with positions that the automaton accepts.
func (f *fair) moving(left *exclusions) *lasso {
	f.left, f.isSilent = left.moving, false
	nodes := make([]int32, len(f.nodes))
	for i := range nodes {
		nodes[i] = int32(i)
	}
	return f.in(nodes, func(int32, *arc) bool { return true }, f.automaton.All(), true)
}

// in looks for a loop among some nodes, by arcs that are kept, with arcs of all acceptance sets.
func (f *fair) in(nodes []int32, keep func(int32, *arc) bool, sets uint64, moves bool) *lasso {
	at := make(map[int32]int, len(nodes))
	for k, n := range nodes {
		at[n] = k
	}
	allowed := func(n int32, k int) bool {
		a := &f.arcs[n][k]
		if _, ok := at[a.to]; !ok || f.left[[2]int32{n, int32(k)}] {
			return false
		}
		return keep(n, a)
	}
	g := graph.Func{Nodes: len(nodes), Succ: func(k int, yield func(int)) {
		for j := range f.arcs[nodes[k]] {
			if allowed(nodes[k], j) {
				yield(at[f.arcs[nodes[k]][j].to])
			}
		}
	}}
	comps := graph.SCC(g)
	members := comps.Members()
	for c := len(members) - 1; c >= 0; c-- { // near the start first
		set := make([]int32, 0, len(members[c]))
		for _, k := range members[c] {
			set = append(set, nodes[k])
		}
		if l := f.part(set, allowed, keep, sets, moves); l != nil {
			return l
		}
	}
	return nil
}

// part looks at a strongly connected part.
func (f *fair) part(set []int32, allowed func(int32, int) bool, keep func(int32, *arc) bool, sets uint64,
	moves bool) *lasso {
	within := map[int32]bool{}
	for _, n := range set {
		within[n] = true
	}
	inside := func(n int32, k int) bool { return allowed(n, k) && within[f.arcs[n][k].to] }
	any, moving, good, moved, always, sometimes := false, false, uint64(0), uint64(0), ^uint64(0), uint64(0)
	for _, n := range set {
		for k := range f.arcs[n] {
			if inside(n, k) {
				a := &f.arcs[n][k]
				any, moving, good = true, moving || a.moves, good|a.good
				moved |= f.movers(&f.steps[f.nodes[n].tuple][a.step])
			}
		}
		e := f.enabled(f.nodes[n].tuple)
		always, sometimes = always&e, sometimes|e
	}
	if !any || moves && !moving || good&sets != sets {
		return nil
	}
	switch f.fairness {
	case component.WeakFairness:
		if always&^moved != 0 {
			return nil
		}
	case component.StrongFairness:
		if idle := sometimes &^ moved; idle != 0 {
			var rest []int32
			for _, n := range set {
				if f.enabled(f.nodes[n].tuple)&idle == 0 {
					rest = append(rest, n)
				}
			}
			return f.in(rest, keep, sets, moves)
		}
	}
	return f.round(set, inside, sets, moves, moved)
}

// round is a way round through all that makes a part accepted and fair.
func (f *fair) round(set []int32, inside func(int32, int) bool, sets uint64, moves bool, moved uint64) *lasso {
	start := set[0]
	for _, n := range set {
		start = min(start, n)
	}
	t := &tour{fair: f, set: set, inside: inside, at: start}
	need := sets
	for need != 0 {
		bit := need & -need
		t.to(func(n int32, a *arc) bool { return a.good&bit != 0 })
		need &^= t.good
	}
	if moves && !t.moves {
		t.to(func(n int32, a *arc) bool { return a.moves })
	}
	if f.fairness == component.WeakFairness || f.fairness == component.StrongFairness {
		for i := range f.actors() {
			bit := uint64(1) << i
			idle := false
			for _, p := range t.way {
				idle = idle || f.enabled(f.nodes[p.node].tuple)&bit == 0
			}
			switch {
			case t.moved&bit != 0 || idle && f.fairness == component.WeakFairness:
			case moved&bit != 0:
				t.to(func(n int32, a *arc) bool { return f.movers(&f.steps[f.nodes[n].tuple][a.step])&bit != 0 })
			case f.fairness == component.WeakFairness:
				t.via(func(n int32) bool { return f.enabled(f.nodes[n].tuple)&bit == 0 })
			}
		}
	}
	if len(t.way) == 0 {
		t.to(func(int32, *arc) bool { return true })
	}
	t.via(func(n int32) bool { return n == start })
	l := f.leading(start, t.way)
	l.set, l.silent = set, f.isSilent
	return l
}

// A tour goes through a part.
type tour struct {
	*fair
	set    []int32
	inside func(int32, int) bool
	at     int32
	way    []passed
	good   uint64
	moved  uint64
	moves  bool
}

// to goes the shortest way to an arc, and takes it.
func (t *tour) to(wanted func(int32, *arc) bool) {
	t.walk(func(n int32) (int, bool) {
		for k := range t.arcs[n] {
			if t.inside(n, k) && wanted(n, &t.arcs[n][k]) {
				return k, true
			}
		}
		return 0, false
	})
}

// via goes the shortest way to a node.
func (t *tour) via(wanted func(int32) bool) {
	t.walk(func(n int32) (int, bool) { return -1, wanted(n) })
}

// walk goes the shortest way to a node that is found, and takes its arc.
func (t *tour) walk(found func(int32) (arc int, ok bool)) {
	from := map[int32]passed{}
	seen := map[int32]bool{t.at: true}
	todo := []int32{t.at}
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		if k, ok := found(n); ok {
			var way []passed
			for x := n; x != t.at; x = from[x].node {
				way = append(way, from[x])
			}
			for i := len(way) - 1; i >= 0; i-- {
				t.take(way[i])
			}
			if k >= 0 {
				t.take(passed{n, &t.arcs[n][k]})
			}
			return
		}
		for k := range t.arcs[n] {
			if to := t.arcs[n][k].to; t.inside(n, k) && !seen[to] {
				seen[to] = true
				from[to] = passed{n, &t.arcs[n][k]}
				todo = append(todo, to)
			}
		}
	}
}

func (t *tour) take(p passed) {
	t.way = append(t.way, p)
	t.at = p.arc.to
	t.good |= p.arc.good
	t.moves = t.moves || p.arc.moves
	t.moved |= t.movers(&t.steps[t.nodes[p.node].tuple][p.arc.step])
}
