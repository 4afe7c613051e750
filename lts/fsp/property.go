package fsp

// Processes that are made of formulas.
//
//	ltl_property P = [](enter -> !In)
//	constraint   C = [](ask -> X tell)
//
// Idea: a process of a formula has the actions that the formula speaks of. Its states are the fluents that hold and
// the states of the formula's Büchi automaton from which some word of these actions, or that nothing more
// happens, is accepted. Where none is left the formula is violated: there a property has ERROR, and a
// constraint nothing. This says all of the formula only if a word that is never cut off so satisfies it
// (safety); of other formulas it would say less, so they are refused.
//
// Source: Alpern, Schneider: Recognizing safety and liveness (1987); ltl_property and constraint are LTSA's. Cost:
// exponential in the automaton's states at worst.

import (
	"encoding/binary"
	"slices"

	"magus/internal/graph"
	"magus/lts"
	"magus/lts/assertion"
	"magus/lts/ltl"
)

// isProcess reports whether a keyword makes a process of a formula.
func isProcess(keyword string) bool { return keyword == "constraint" || keyword == "ltl_property" }

// mostProduct bounds the states of a formula's automaton beside others.
const mostProduct = 1 << 14

// ofFormula is the process of a formula.
func (b *builder) ofFormula(d *definition) *lts.LTS {
	def := d.formula
	def.parse(b.File)
	if def.indices != nil {
		b.src.fail(def.at, "indices of %s are not read", def.keyword)
	}
	m := &meant{builder: b, known: map[string]*formulaDef{}, pool: ltl.NewPool(), numbers: map[string]int{}}
	for _, other := range b.formulas {
		if !isProcess(other.keyword) {
			other.parse(b.File)
			m.known[other.name] = other
		}
	}
	f := m.formula(def.body, nil)
	w := &wordGraph{builder: b, at: def.at, props: m.props}
	slices.Sort(m.labels)
	for _, label := range slices.Compact(m.labels) {
		w.actions = append(w.actions, b.table.Intern(label))
		w.labels = append(w.labels, label)
	}
	yes, no := w.product(m.pool, f), w.product(m.pool, m.pool.Not(f))
	out, states := w.process(yes, def.keyword == "ltl_property")
	if w.escapes(out, states, no) {
		b.src.fail(def.at, "%s says of %s what no beginning of a run shows: ask it by assert", def.keyword, def.name)
	}
	return out
}

// A wordGraph is about words over the actions of a formula.
type wordGraph struct {
	*builder
	at      int
	props   []assertion.Prop
	labels  []string
	actions []lts.Action
}

// A wordNode is a state of an automaton with the fluents that hold.
type wordNode struct {
	fluents uint64
	state   int
}

// An accepted is an automaton beside the fluents.
type accepted struct {
	auto  *ltl.Automaton
	index map[wordNode]int
	nodes []wordNode
	out   [][]wordArc
	good  []bool // some word is accepted from here
	still []bool // that nothing more happens is accepted
}

// A wordArc is by an action, by its number.
type wordArc struct {
	action, to int
	sets       uint64
}

// initially are the fluents that hold at first.
func (w *wordGraph) initially() (set uint64) {
	for i, p := range w.props {
		if p.Initially {
			set |= 1 << i
		}
	}
	return set
}

// behind are the fluents behind an action, and what holds there.
func (w *wordGraph) behind(fluents uint64, label string) (next, valuation uint64) {
	acts := uint64(0)
	for i, p := range w.props {
		switch bit := uint64(1) << i; {
		case p.Acts != nil && p.Acts(label):
			acts |= bit
		case p.Begins != nil && p.Begins(label):
			fluents |= bit
		case p.Ends != nil && p.Ends(label):
			fluents &^= bit
		}
	}
	return fluents, fluents | acts
}

// product is the automaton of a formula beside the fluents.
func (w *wordGraph) product(pool *ltl.Pool, f *ltl.Formula) *accepted {
	auto, err := pool.Automaton(f)
	if err != nil {
		panic(stopped{err})
	}
	p := &accepted{auto: auto, index: map[wordNode]int{}}
	p.node(wordNode{w.initially(), 0})
	for i := 0; i < len(p.nodes); i++ {
		if w.step(); len(p.nodes) > mostProduct {
			panic(stopped{&lts.LimitError{Reason: "the automaton of a formula is too large"}})
		}
		n := p.nodes[i]
		p.still = append(p.still, auto.ForEver(n.fluents)[n.state])
		for a, label := range w.labels {
			fluents, valuation := w.behind(n.fluents, label)
			for _, t := range auto.Out[n.state] {
				if t.Allows(valuation) {
					arc := wordArc{a, p.node(wordNode{fluents, t.To}), t.Good}
					p.out[i] = append(p.out[i], arc)
				}
			}
		}
	}
	p.accepting()
	return p
}

func (p *accepted) node(n wordNode) int {
	i, ok := p.index[n]
	if !ok {
		i = len(p.nodes)
		p.index[n] = i
		p.nodes, p.out = append(p.nodes, n), append(p.out, nil)
	}
	return i
}

// graph has the arcs of the product.
func (p *accepted) graph() graph.Func {
	return graph.Func{Nodes: len(p.nodes), Succ: func(i int, yield func(int)) {
		for _, a := range p.out[i] {
			yield(a.to)
		}
	}}
}

// accepting finds from which nodes a word is accepted.
func (p *accepted) accepting() {
	scc := graph.SCC(p.graph())
	sets, loops := make([]uint64, scc.Count), make([]bool, scc.Count)
	for i := range p.nodes {
		for _, a := range p.out[i] {
			if c := scc.Of[i]; scc.Of[a.to] == c {
				sets[c], loops[c] = sets[c]|a.sets, true
			}
		}
	}
	var first []int
	for i := range p.nodes {
		if c := scc.Of[i]; p.still[i] || loops[c] && sets[c] == p.auto.All() {
			first = append(first, i)
		}
	}
	p.good = make([]bool, len(p.nodes))
	if first != nil {
		p.good = graph.Reachable(graph.Reverse(p.graph()), first...)
	}
}

// process is the deterministic process of the words that are not cut off, and by state the nodes.
func (w *wordGraph) process(p *accepted, property bool) (*lts.LTS, [][]int) {
	b := lts.NewBuilder(w.table)
	b.Alphabet(w.actions...)
	index, sets := map[string]lts.State{}, [][]int{}
	state := func(nodes []int) lts.State {
		slices.Sort(nodes)
		nodes = slices.Compact(nodes)
		var key []byte
		for _, n := range nodes {
			key = binary.AppendUvarint(key, uint64(n))
		}
		s, ok := index[string(key)]
		if !ok {
			s = b.AddState("")
			index[string(key)], sets = s, append(sets, nodes)
		}
		return s
	}
	if !p.good[0] {
		w.src.fail(w.at, "no word satisfies the formula")
	}
	b.SetInit(state([]int{0}))
	type wrongly struct {
		from lts.State
		by   lts.Action
	}
	var wrong []wrongly
	for s := 0; s < len(sets); s++ {
		if w.step(); len(sets) > mostProduct {
			panic(stopped{&lts.LimitError{Reason: "the process of a formula has too many states"}})
		}
		for k, a := range w.actions {
			var to []int
			for _, n := range sets[s] {
				for _, arc := range p.out[n] {
					if arc.action == k && p.good[arc.to] {
						to = append(to, arc.to)
					}
				}
			}
			if to == nil {
				wrong = append(wrong, wrongly{lts.State(s), a})
				continue
			}
			b.AddEdge(lts.State(s), a, state(to))
		}
	}
	if property && wrong != nil {
		end := b.AddState("ERROR")
		b.SetError(end)
		for _, x := range wrong {
			b.AddEdge(x.from, x.by, end)
		}
	}
	return b.Build(), sets
}

// escapes reports whether a word that is never cut off violates the formula: no is its negation.
func (w *wordGraph) escapes(m *lts.LTS, sets [][]int, no *accepted) bool {
	type pair struct{ state, node int }
	index, pairs := map[pair]int{{int(m.Init()), 0}: 0}, []pair{{int(m.Init()), 0}}
	out := [][]wordArc{nil}
	both := &accepted{auto: no.auto}
	for i := 0; i < len(pairs); i++ {
		w.step()
		both.still = append(both.still, false) // what ends is a beginning
		for _, arc := range no.out[pairs[i].node] {
			for _, e := range m.OutBy(lts.State(pairs[i].state), w.actions[arc.action]) {
				if int(e.To) >= len(sets) { // ERROR
					continue
				}
				q := pair{int(e.To), arc.to}
				k, met := index[q]
				if !met {
					k = len(pairs)
					index[q], pairs, out = k, append(pairs, q), append(out, nil)
				}
				out[i] = append(out[i], wordArc{arc.action, k, arc.sets})
			}
		}
	}
	both.nodes, both.out = make([]wordNode, len(pairs)), out
	both.accepting()
	return both.good[0]
}
