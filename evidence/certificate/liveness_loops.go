package certificate

// Runs of the composition that violate a formula.
//
// Idea: a run that goes on for ever stays, from some time on, in a part of the composition that is strongly
// connected. A part has such a run if it puts no until off for ever, and is fair. So parts are looked at one
// by one: of a part that could have one, a rank takes steps away, or the certificate is refused; what is left
// is looked at again, as parts of its own. What a rank takes away is taken away from parts within its part
// only: of silent steps alone, and of all, there are parts of two kinds.
//
// Source: Emerson, Lei: Modalities for model checking (1987). Cost: the composition, times the processes for strong
// fairness, times the steps that ranks take away at worst.

import (
	"context"
	"encoding/binary"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/internal/graph"
)

// mostSearched bounds the search.
const mostSearched = 1 << 20

// A liveSearch is the check of one proof.
type liveSearch struct {
	ctx      context.Context
	sub      *Subject
	owing    *owing
	models   []*liveModel
	of       []int // by copy: its model
	ranks    []*lessening
	fairness component.Fairness
	line     int

	begin  []int // by copy, the state in which it begins; nil: it has its first values
	tuples []liveTuple
	number map[string]int
	nodes  []liveNode
	index  map[liveNode]int
	arcs   [][]liveArc
}

// A liveTuple is a state of each copy's model.
type liveTuple struct {
	at       []int
	steps    []liveMove
	can      uint64 // copies that can move for certain
	ready    uint64 // whom fairness is about: the same, or parts of a joint component
	conds    uint64
	noRun    bool
	expanded bool
}

// A liveMove is a step of a tuple: what each copy does that takes part.
type liveMove struct {
	action string
	to     int
	copies []int
	ways   []*liveWay
}

// takers are the copies that take part, as bits.
func (m *liveMove) takers() (set uint64) {
	for _, k := range m.copies {
		set |= 1 << k
	}
	return set
}

// joint is what the one component is made of, if it stands for several that exchange values; else nil.
func (s *liveSearch) joint() *cfa.Joint {
	if len(s.of) == 1 {
		return s.models[0].prog.comp.CFA.Joint
	}
	return nil
}

// movers are those that fairness is about and that take part, as bits.
func (s *liveSearch) movers(m *liveMove) (set uint64) {
	j := s.joint()
	if j == nil {
		return m.takers()
	}
	w := m.ways[0]
	for _, i := range w.path[:len(w.path)-1] {
		if at := s.models[0].comp.States[i].At; at.Kind == Location {
			set |= j.Movers(cfa.Loc(at.Loc))
		}
	}
	return set
}

// A liveNode is a tuple with the fluents that hold and what is owed.
type liveNode struct {
	tuple   int
	fluents uint64
	owes    int
}

// A liveArc is a step of a node. The formula speaks of where it leads if it is a position.
type liveArc struct {
	to, step   int
	isPosition bool
	putOff     uint64
}

// tuple is the number of a tuple.
func (s *liveSearch) tuple(at []int) (int, error) {
	var key []byte
	for _, q := range at {
		key = binary.AppendUvarint(key, uint64(q))
	}
	if n, ok := s.number[string(key)]; ok {
		return n, nil
	}
	t := liveTuple{at: slices.Clone(at)}
	for k, q := range at {
		st, err := s.models[s.of[k]].meet(q)
		if err != nil {
			return 0, err
		}
		t.conds, t.noRun = t.conds|st.conds, t.noRun || st.noRun
	}
	n := len(s.tuples)
	s.number[string(key)] = n
	s.tuples = append(s.tuples, t)
	return n, nil
}

// first are the tuples in which all globals have their first values, or that of where the search begins.
func (s *liveSearch) first() (all []int, err error) {
	if s.begin != nil {
		n, err := s.tuple(s.begin)
		return []int{n}, err
	}
	var per [][]int
	for _, i := range s.of {
		starts, err := s.models[i].starts()
		if err != nil {
			return nil, err
		}
		per = append(per, starts)
	}
	at := make([]int, len(s.of))
	var choose func(k int) error
	choose = func(k int) error {
		if k == len(at) {
			n, err := s.tuple(at)
			all = append(all, n)
			return err
		}
		for _, q := range per[k] {
			at[k] = q
			if err := choose(k + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return all, choose(0)
}

// starts are the states of a model in which globals have their first values.
func (m *liveModel) starts() (all []int, err error) {
	todo, seen := []int{0}, map[int]bool{0: true}
	for len(todo) > 0 {
		if m.ctx.Err() != nil {
			return nil, context.Cause(m.ctx)
		}
		i := todo[0]
		todo = todo[1:]
		q, err := m.meet(i)
		if err != nil {
			return nil, err
		}
		if q.begun {
			all = append(all, i)
			continue
		}
		if q, err = m.open(i); err != nil {
			return nil, err
		}
		for _, w := range q.ways {
			if !seen[w.to()] {
				seen[w.to()] = true
				todo = append(todo, w.to())
			}
		}
	}
	return all, nil
}

// expand finds the steps of a tuple.
func (s *liveSearch) expand(n int) error {
	if s.tuples[n].expanded || s.tuples[n].noRun {
		return nil
	}
	s.tuples[n].expanded = true
	at := s.tuples[n].at
	done := map[string]bool{}
	for k, q := range at {
		ways, err := s.models[s.of[k]].from(q)
		if err != nil {
			return err
		}
		for _, w := range ways {
			if w.action == "" {
				err = s.move(n, "", []int{k}, []*liveWay{w})
			} else if !done[w.action] {
				done[w.action] = true
				err = s.join(n, w.action, 0, nil, nil)
			}
			if err != nil {
				return err
			}
		}
	}
	return s.able(n)
}

// has reports whether a component takes part in an action.
func (s *liveSearch) has(i int, action string) bool {
	a, known := s.models[i].prog.comp.Actions.Lookup(action)
	return known && slices.Contains(s.models[i].prog.alphabet, a)
}

// join adds the steps in which one copy of each component, from one on, takes part in an action.
func (s *liveSearch) join(n int, action string, i int, copies []int, ways []*liveWay) error {
	if i == len(s.models) {
		return s.move(n, action, copies, ways)
	}
	if !s.has(i, action) {
		return s.join(n, action, i+1, copies, ways)
	}
	for k, of := range s.of {
		if of != i {
			continue
		}
		all, err := s.models[i].from(s.tuples[n].at[k])
		if err != nil {
			return err
		}
		for _, w := range all {
			if w.action == action {
				if err := s.join(n, action, i+1, append(slices.Clip(copies), k), append(slices.Clip(ways), w)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (s *liveSearch) move(n int, action string, copies []int, ways []*liveWay) error {
	if len(copies) == 0 {
		return refuted(s.line, "no component has the action %s", action)
	}
	at := slices.Clone(s.tuples[n].at)
	for j, k := range copies {
		at[k] = ways[j].to()
	}
	to, err := s.tuple(at)
	s.tuples[n].steps = append(s.tuples[n].steps, liveMove{action, to, copies, ways})
	return err
}

// able finds which copies can move at a tuple for certain: by a silent step, or by an action that one copy of each
// component that has it can perform.
func (s *liveSearch) able(n int) error {
	t := &s.tuples[n]
	can := func(k int, action string) (bool, error) {
		q, err := s.models[s.of[k]].open(t.at[k])
		return err == nil && q.can[action], err
	}
	for _, m := range t.steps {
		if m.takers()&^t.can == 0 {
			continue
		}
		all := true
		for _, k := range m.copies {
			is, err := can(k, m.action)
			if err != nil {
				return err
			}
			all = all && is
		}
		if all {
			t.can |= m.takers()
		}
	}
	t.ready = t.can
	if j := s.joint(); j != nil {
		t.ready = 0
		if at := s.models[0].comp.States[t.at[0]].At; at.Kind == Location {
			t.ready = j.Ready[at.Loc]
		}
	}
	return nil
}

// explore finds all nodes behind the beginning with what is owed there.
func (s *liveSearch) explore(begin int) error {
	s.number, s.tuples = map[string]int{}, nil
	s.nodes, s.arcs, s.index = nil, nil, map[liveNode]int{}
	first, err := s.first()
	if err != nil {
		return err
	}
	for _, n := range first {
		node := liveNode{n, s.owing.initially, begin}
		if !s.owing.hasConds {
			s.node(node)
			continue
		}
		for _, o := range s.owing.behind(begin, node.fluents|s.tuples[n].conds) {
			node.owes = o.set
			s.node(node)
		}
	}
	for i := 0; i < len(s.nodes); i++ {
		if len(s.nodes) > mostSearched {
			return refuted(s.line, "the composition, with what is owed, has more than %d states", mostSearched)
		}
		if err := s.ctx.Err(); err != nil {
			return context.Cause(s.ctx)
		}
		if err := s.onward(i); err != nil {
			return err
		}
	}
	return nil
}

func (s *liveSearch) node(n liveNode) int {
	i, ok := s.index[n]
	if !ok {
		i = len(s.nodes)
		s.index[n] = i
		s.nodes, s.arcs = append(s.nodes, n), append(s.arcs, nil)
	}
	return i
}

// onward finds the arcs of a node.
func (s *liveSearch) onward(i int) error {
	n := s.nodes[i]
	if err := s.expand(n.tuple); err != nil {
		return err
	}
	for k, m := range s.tuples[n.tuple].steps {
		to := liveNode{m.to, n.fluents, n.owes}
		conds := s.tuples[m.to].conds
		hidden := m.action == "" || s.sub.Claim.Live.Hides(m.action)
		if hidden && conds == s.tuples[n.tuple].conds {
			s.arcs[i] = append(s.arcs[i], liveArc{to: s.node(to), step: k})
			continue
		}
		to.fluents = s.owing.fluents(n.fluents, m.action)
		for _, o := range s.owing.behind(n.owes, to.fluents|conds|s.owing.acts[m.action]) {
			to.owes = o.set
			s.arcs[i] = append(s.arcs[i], liveArc{s.node(to), k, true, o.putOff})
		}
	}
	return nil
}

// still reports whether a run that violates may have no further position behind a node.
func (s *liveSearch) still(i int) bool {
	n := s.nodes[i]
	return s.owing.still(n.owes, n.fluents|s.tuples[n.tuple].conds)
}

// without checks that no run violates.
func (s *liveSearch) without() error {
	silent, all := &livePart{liveSearch: s, silent: true, gone: map[[2]int]bool{}},
		&livePart{liveSearch: s, gone: map[[2]int]bool{}}
	var quiet, every []int
	for i, n := range s.nodes {
		every = append(every, i)
		if !s.still(i) {
			continue
		}
		quiet = append(quiet, i)
		if t := &s.tuples[n.tuple]; s.owing.formula != nil && !t.noRun && t.can == 0 {
			return refuted(s.line, "a run may end at %s, and violate what is asked", s.place(n.tuple))
		}
	}
	if err := silent.look(quiet); err != nil || s.owing.formula == nil {
		return err
	}
	return all.look(every)
}

// place says where the components are.
func (s *liveSearch) place(tuple int) (text string) {
	for k, q := range s.tuples[tuple].at {
		if k > 0 {
			text += ", "
		}
		text += s.models[s.of[k]].comp.States[q].At.String()
	}
	return text
}

// A livePart looks at parts of one kind.
type livePart struct {
	*liveSearch
	silent bool            // only steps to no positions
	gone   map[[2]int]bool // arcs that a rank has taken away
}

// look looks at the parts of some nodes.
func (p *livePart) look(nodes []int) error {
	at := make(map[int]int, len(nodes))
	for k, n := range nodes {
		at[n] = k
	}
	g := graph.Func{Nodes: len(nodes), Succ: func(k int, yield func(int)) {
		for j, a := range p.arcs[nodes[k]] {
			if to, in := at[a.to]; in && p.keeps(nodes[k], j) {
				yield(to)
			}
		}
	}}
	for _, members := range graph.SCC(g).Members() {
		if p.ctx.Err() != nil {
			return context.Cause(p.ctx)
		}
		var part []int
		for _, k := range members {
			part = append(part, nodes[k])
		}
		if err := p.part(part); err != nil {
			return err
		}
	}
	return nil
}

func (p *livePart) keeps(n, arc int) bool {
	return !p.gone[[2]int{n, arc}] && !(p.silent && p.arcs[n][arc].isPosition)
}

// part looks at a strongly connected part.
func (p *livePart) part(nodes []int) error {
	within := map[int]bool{}
	for _, n := range nodes {
		within[n] = true
	}
	inside := func(n, j int) bool { return p.keeps(n, j) && within[p.arcs[n][j].to] }
	any, positions, kept := false, false, uint64(0)
	moved, each, ever := uint64(0), ^uint64(0), uint64(0)
	for _, n := range nodes {
		t := &p.tuples[p.nodes[n].tuple]
		each, ever = each&t.ready, ever|t.ready
		for j, a := range p.arcs[n] {
			if inside(n, j) {
				any, moved = true, moved|p.movers(&t.steps[a.step])
				if a.isPosition {
					positions, kept = true, kept|^a.putOff
				}
			}
		}
	}
	untils := ^uint64(0)
	if k := len(p.owing.untils); k < mostUntils {
		untils = 1<<k - 1
	}
	switch {
	case !any, !p.silent && (!positions || untils&^kept != 0):
		return nil
	case p.fairness == component.WeakFairness && each&^moved != 0:
		return nil
	case p.fairness == component.StrongFairness && ever&^moved != 0:
		return p.look(slices.DeleteFunc(slices.Clone(nodes), func(n int) bool {
			return p.tuples[p.nodes[n].tuple].ready&ever&^moved != 0
		}))
	}
	taken, err := p.lessen(nodes, inside)
	if err != nil {
		return err
	}
	if !taken {
		return refuted(p.line, "a run may go on for ever at %s, and violate what is asked", p.place(p.nodes[nodes[0]].tuple))
	}
	return p.look(nodes)
}

// lessen takes steps away from a part with the first rank that fits it.
func (p *livePart) lessen(nodes []int, inside func(n, j int) bool) (taken bool, err error) {
	for _, r := range p.ranks {
		for k, i := range p.of {
			if p.models[i] != r.model {
				continue
			}
			if taken, err := p.lessenBy(r, k, nodes, inside); err != nil || taken {
				return taken, err
			}
		}
	}
	return false, nil
}

// lessenBy takes away the steps of a part that make a rank of a copy less, if none makes it greater.
func (p *livePart) lessenBy(r *lessening, k int, nodes []int, inside func(n, j int) bool) (taken bool, err error) {
	var less [][2]int
	for _, n := range nodes {
		for j, a := range p.arcs[n] {
			m := &p.tuples[p.nodes[n].tuple].steps[a.step]
			c := slices.Index(m.copies, k)
			if c < 0 || !inside(n, j) {
				continue
			}
			switch e, err := r.effect(m.ways[c]); {
			case err != nil || e == greater:
				return false, err
			case e == lesser:
				less = append(less, [2]int{n, j})
			}
		}
	}
	for _, a := range less {
		p.gone[a] = true
	}
	return len(less) > 0, nil
}
