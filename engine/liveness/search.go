package liveness

// The composition beside the Büchi automaton of what is not asked.
//
// Idea: nodes are tuples with the fluents that hold and a state of the automaton, which moves at positions only
// (asked.go). What is looked for is a run that the automaton accepts: one that ends, a part of the graph that goes
// round silently, or one that goes round with positions; the last two fair (fair.go).
//
// Source: Vardi, Wolper: An automata-theoretic approach to automatic program verification (LICS 1986).
//
// Cost: the tuples times the fluents times the automaton.

import (
	"context"

	"magus/component"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/lts/ltl"
)

// A node of the search.
type node struct {
	tuple   int32
	fluents uint64
	state   int
}

// An arc leads from a node to another one by a step of the product; the automaton moves or does not.
type arc struct {
	to    int32
	step  int32 // of the tuple
	moves bool
	good  uint64 // acceptance sets
}

// A searched graph has all nodes that can be reached.
type searched struct {
	*product
	asked     *asked
	automaton *ltl.Automaton
	nodes     []node
	index     map[node]int32
	arcs      [][]arc
	from      []parent
	forEver   map[uint64][]bool // by valuation, the states from which it is accepted
}

// A parent is how a node was met first.
type parent struct {
	node int32 // -1 for a first one
	arc  int32 // or which of the first steps
}

// search finds all nodes. The automaton is that of the negation of what is asked; nil if that is no formula.
func search(ctx context.Context, p *product, q *asked, a *ltl.Automaton, most int) (*searched, error) {
	s := &searched{product: p, asked: q, automaton: a, index: map[node]int32{}, forEver: map[uint64][]bool{}}
	for i := range p.inits {
		n := node{tuple: p.inits[i].to, fluents: q.initially}
		if !q.hasConds || a == nil {
			s.meet(n, parent{-1, int32(i)})
			continue
		}
		for _, t := range a.Out[0] {
			if t.Allows(n.fluents | p.conds[n.tuple]) {
				n.state = t.To
				s.meet(n, parent{-1, int32(i)})
			}
		}
	}
	for i := 0; i < len(s.nodes); i++ {
		if len(s.nodes) > most {
			return nil, verdict.Because(verdict.States, "the search has more than %d states", most)
		}
		if i%256 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		s.expand(int32(i))
	}
	return s, nil
}

func (s *searched) meet(n node, from parent) int32 {
	i, ok := s.index[n]
	if !ok {
		i = int32(len(s.nodes))
		s.index[n] = i
		s.nodes, s.arcs, s.from = append(s.nodes, n), append(s.arcs, nil), append(s.from, from)
	}
	return i
}

func (s *searched) expand(i int32) {
	n := s.nodes[i]
	for k := range s.steps[n.tuple] {
		st := &s.steps[n.tuple][k]
		to := node{st.to, n.fluents, n.state}
		if !s.isPosition(n.tuple, st) || s.automaton == nil {
			s.add(i, arc{step: int32(k)}, to)
			continue
		}
		to.fluents = s.asked.fluents(n.fluents, st.action)
		valuation := s.valuation(to, st.action)
		for _, t := range s.automaton.Out[n.state] {
			if t.Allows(valuation) {
				to.state = t.To
				s.add(i, arc{step: int32(k), moves: true, good: t.Good}, to)
			}
		}
	}
}

func (s *searched) add(i int32, a arc, to node) {
	a.to = s.meet(to, parent{i, int32(len(s.arcs[i]))})
	s.arcs[i] = append(s.arcs[i], a)
}

// isPosition reports whether a step from a tuple leads to a position.
func (s *searched) isPosition(tuple int32, st *step) bool {
	return st.action != lts.Tau && !s.asked.hidden[st.action] || s.conds[tuple] != s.conds[st.to]
}

// valuation are the propositions that hold at a node behind an action, or a silent step.
func (s *searched) valuation(n node, a lts.Action) uint64 {
	v := n.fluents | s.conds[n.tuple]
	if a != lts.Tau {
		v |= s.asked.acts[a]
	}
	return v
}

// still reports whether the automaton accepts that nothing happens at a node any more.
func (s *searched) still(n node) bool {
	if s.automaton == nil {
		return false
	}
	v := s.valuation(n, lts.Tau)
	ok, known := s.forEver[v]
	if !known {
		ok = s.automaton.ForEver(v)
		s.forEver[v] = ok
	}
	return ok[n.state]
}

// A lasso is a run that is accepted: arcs to a node, and round from there; none where the run ends.
type lasso struct {
	first int // of the product's first steps
	stem  []passed
	loop  []passed
	set   []int32 // the part of the graph that the loop lies in
	// silent says that it is a part of what has no positions.
	silent bool
}

// A passed arc is one of a node.
type passed struct {
	node int32
	arc  *arc
}

// find looks for an accepted run; strict: one that is certain to be fair and to end, else one that may be.
// left are arcs that no run takes again and again.
func (s *searched) find(fairness component.Fairness, strict bool, left *exclusions) *lasso {
	if s.automaton != nil {
		for i := range s.nodes {
			if s.ends(s.nodes[i].tuple, strict) && s.still(s.nodes[i]) {
				return s.leading(int32(i), nil)
			}
		}
	}
	f := &fair{searched: s, fairness: fairness, strict: strict}
	if l := f.silent(left); l != nil {
		return l
	}
	if s.automaton == nil {
		return nil
	}
	return f.moving(left)
}

// leading is the run to a node, and then a loop.
func (s *searched) leading(to int32, loop []passed) *lasso {
	l := &lasso{loop: loop}
	for s.from[to].node >= 0 {
		p := s.from[to]
		l.stem = append(l.stem, passed{p.node, &s.arcs[p.node][p.arc]})
		to = p.node
	}
	l.first = int(s.from[to].arc)
	for i, k := 0, len(l.stem)-1; i < k; i, k = i+1, k-1 {
		l.stem[i], l.stem[k] = l.stem[k], l.stem[i]
	}
	return l
}

// unknowns are the first of tuples from which what comes is not known; -1 if there are none.
func (p *product) unknowns() int32 {
	for i, u := range p.unknown {
		if u {
			return int32(i)
		}
	}
	return -1
}
