package assertion

// The LTS beside the Büchi automaton of what is not asserted.
//
// Idea: nodes are states with the fluents that hold and a state of the automaton, which moves with visible
// actions only. A violation is a node where nothing happens any more and the automaton accepts that, a
// strongly connected part without visible actions where it does, or one with transitions of all acceptance
// sets. With fair choice a run comes to a part of the LTS that it cannot leave, and takes all transitions of
// it again and again: so only parts of the product count that have all of these. Weak and strong fairness are about
// actions: a part counts if each action is done in it that all its nodes can do, or that some can; where one is not,
// with strong fairness what is left without the nodes that can do it is looked at again (Emerson, Lei).
//
// Source: Vardi, Wolper: An automata-theoretic approach to automatic program verification (LICS 1986).
//
// Cost: the states times the fluents times the automaton; a loop that is shown, times its transitions.

import (
	"context"
	"slices"

	"magus/internal/graph"
	"magus/lts"
	"magus/lts/ltl"
)

type node struct {
	state   lts.State
	fluents uint64
	auto    int
}

// An arc is transition k of the node's state.
type arc struct {
	k     int
	to    int
	moves bool
	good  uint64
}

type search struct {
	m       *lts.LTS
	means   *meaning
	not     *ltl.Automaton
	nodes   []node
	arcs    [][]arc
	from    [][2]int // the node from which one was met, and the arc
	forEver map[uint64][]bool
	scc     graph.Components // of the LTS
	left    []bool           // by part of the LTS: it can be left
	size    []int            // its transitions
}

// Violated is a run that does not satisfy the assertion; nil if there is none. The error is a *lts.LimitError,
// [ltl.ErrLarge], or the context's.
func (a *Assertion) Violated(ctx context.Context, m *lts.LTS, fair Fairness, lim lts.Limits) (*Run, error) {
	not, err := a.Pool.Automaton(a.Pool.Not(a.Formula))
	if err != nil {
		return nil, err
	}
	s := &search{m: m, means: a.means(m), not: not, forEver: map[uint64][]bool{}}
	if err := s.expand(ctx, lim); err != nil {
		return nil, err
	}
	s.parts()
	r := s.ending()
	if r == nil {
		r = s.part(ctx, fair, true, nil)
	}
	if r == nil {
		r = s.part(ctx, fair, false, nil)
	}
	if r == nil {
		return nil, ctx.Err()
	}
	return r, a.confirm(s.means, r)
}

// expand finds all nodes.
func (s *search) expand(ctx context.Context, lim lts.Limits) error {
	index := map[node]int{}
	meet := func(n node, from [2]int) int {
		i, ok := index[n]
		if !ok {
			i = len(s.nodes)
			index[n] = i
			s.nodes, s.arcs, s.from = append(s.nodes, n), append(s.arcs, nil), append(s.from, from)
		}
		return i
	}
	meet(node{s.m.Init(), s.means.initially, 0}, [2]int{-1, 0})
	for i := 0; i < len(s.nodes); i++ {
		switch {
		case lim.MaxStates > 0 && len(s.nodes) > lim.MaxStates:
			return &lts.LimitError{Reason: "the LTS beside the formula has too many states"}
		case i%1024 == 0 && ctx.Err() != nil:
			return context.Cause(ctx)
		}
		n := s.nodes[i]
		for k, e := range s.m.Out(n.state) {
			if e.Action == lts.Tau {
				to := meet(node{e.To, n.fluents, n.auto}, [2]int{i, len(s.arcs[i])})
				s.arcs[i] = append(s.arcs[i], arc{k: k, to: to})
				continue
			}
			fluents := s.means.after(n.fluents, e.Action)
			for _, t := range s.not.Out[n.auto] {
				if t.Allows(fluents | s.means.acts[e.Action]) {
					to := meet(node{e.To, fluents, t.To}, [2]int{i, len(s.arcs[i])})
					s.arcs[i] = append(s.arcs[i], arc{k, to, true, t.Good})
				}
			}
		}
	}
	return nil
}

// parts are the strongly connected parts of the LTS.
func (s *search) parts() {
	s.scc = graph.SCC(graph.Func{Nodes: s.m.NumStates(), Succ: func(n int, yield func(int)) {
		for _, e := range s.m.Out(lts.State(n)) {
			yield(int(e.To))
		}
	}})
	s.left, s.size = make([]bool, s.scc.Count), make([]int, s.scc.Count)
	for n := range lts.State(s.m.NumStates()) {
		for _, e := range s.m.Out(n) {
			if c := s.scc.Of[n]; s.scc.Of[e.To] != c {
				s.left[c] = true
			} else {
				s.size[c]++
			}
		}
	}
}

// still reports whether the automaton accepts that nothing visible happens at a node any more.
func (s *search) still(i int) bool {
	n := s.nodes[i]
	ok, known := s.forEver[n.fluents]
	if !known {
		ok = s.not.ForEver(n.fluents)
		s.forEver[n.fluents] = ok
	}
	return ok[n.auto]
}

// ending is a run that ends; nil if none violates.
func (s *search) ending() *Run {
	for i, n := range s.nodes {
		if len(s.m.Out(n.state)) == 0 && s.still(i) {
			return &Run{Stem: s.stem(i)}
		}
	}
	return nil
}

// stem is the way on which a node was met.
func (s *search) stem(i int) (path []lts.Edge) {
	for ; s.from[i][0] >= 0; i = s.from[i][0] {
		from := s.from[i]
		path = append(path, s.edge(from[0], &s.arcs[from[0]][from[1]]))
	}
	for i, k := 0, len(path)-1; i < k; i, k = i+1, k-1 {
		path[i], path[k] = path[k], path[i]
	}
	return path
}

// edge is the transition of an arc.
func (s *search) edge(n int, c *arc) lts.Edge { return s.m.Out(s.nodes[n].state)[c.k] }

// part is a run that stays in a strongly connected part of some arcs: of all acceptance sets and with visible
// actions, or silent. Nodes that are out do not count.
func (s *search) part(ctx context.Context, fair Fairness, silent bool, out []bool) *Run {
	keep := func(n int, c *arc) bool {
		return (out == nil || !out[n] && !out[c.to]) && (!silent || !c.moves && s.still(n))
	}
	scc := graph.SCC(graph.Func{Nodes: len(s.nodes), Succ: func(n int, yield func(int)) {
		for k := range s.arcs[n] {
			if c := &s.arcs[n][k]; keep(n, c) {
				yield(c.to)
			}
		}
	}})
	all := make([]within, scc.Count)
	for n := range s.nodes {
		for k := range s.arcs[n] {
			if c := &s.arcs[n][k]; keep(n, c) && scc.Of[c.to] == scc.Of[n] {
				all[scc.Of[n]].add(s.nodes[n].state, c)
			}
		}
	}
	members := scc.Members()
	looked := make([]bool, scc.Count)
	for n := range s.nodes { // the first one that was met
		in, part := &all[scc.Of[n]], s.scc.Of[s.nodes[n].state]
		if looked[scc.Of[n]] || in.taken == nil || !silent && (!in.moves || in.good != s.not.All()) ||
			fair == Choice && (s.left[part] || len(in.taken) < s.size[part]) {
			continue
		}
		looked[scc.Of[n]] = true
		if fair == Weak || fair == Strong {
			if idle := s.idle(members[scc.Of[n]], in, fair == Weak); len(idle) > 0 {
				if r := s.without(ctx, fair, silent, members[scc.Of[n]], idle); r != nil {
					return r
				}
				continue
			}
		}
		t := &tour{search: s, at: n, taken: map[step]bool{}, inside: func(a int, c *arc) bool {
			return keep(a, c) && scc.Of[c.to] == scc.Of[a]
		}}
		return t.round(ctx, in, fair != None)
	}
	return nil
}

// idle are actions that all nodes of a part can do, or some can, and that are not done in it.
func (s *search) idle(part []int, in *within, all bool) (idle []lts.Action) {
	can := map[lts.Action]int{}
	for _, n := range part {
		for i, e := range s.m.Out(s.nodes[n].state) {
			if i == 0 || s.m.Out(s.nodes[n].state)[i-1].Action != e.Action { // they stand in order
				can[e.Action]++
			}
		}
	}
	done := map[lts.Action]bool{}
	for at := range in.taken {
		done[s.m.Out(at.state)[at.k].Action] = true
	}
	for a, n := range can {
		if !done[a] && (!all || n == len(part)) {
			idle = append(idle, a)
		}
	}
	return idle
}

// without is a strongly fair run that stays among those nodes of a part that cannot do what is not done in it; nil if
// there is none, and with weak fairness, which none of them has.
func (s *search) without(ctx context.Context, fair Fairness, silent bool, part []int, idle []lts.Action) *Run {
	if fair == Weak {
		return nil
	}
	out, left := make([]bool, len(s.nodes)), false
	for n := range out {
		out[n] = true
	}
	for _, n := range part {
		out[n] = slices.ContainsFunc(idle, func(a lts.Action) bool { return len(s.m.OutBy(s.nodes[n].state, a)) > 0 })
		left = left || !out[n]
	}
	if !left {
		return nil
	}
	return s.part(ctx, fair, silent, out)
}

// A step is transition k of a state.
type step struct {
	state lts.State
	k     int
}

// within says what arcs there are in a part.
type within struct {
	good  uint64
	moves bool
	taken map[step]bool
}

func (w *within) add(state lts.State, c *arc) {
	if w.taken == nil {
		w.taken = map[step]bool{}
	}
	w.good, w.moves, w.taken[step{state, c.k}] = w.good|c.good, w.moves || c.moves, true
}
