package predabs

// Level one: the labelled transition system MP.
//
// Idea: explore the abstract states (control point, valuation of P_s) from
// INIT, breadth first, computing successors by abstract post. Only reachable
// states exist.
//
// Source: Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), section 5, definitions 7 and 8; section 5.4 for T_I.
//
// Cost: per state and outgoing edge a few word operations and table look-ups;
// memory per state one control point, one bit per atom in use (rounded up to
// words), and its transitions.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/component"
	"magus/lts"
	"magus/smt/expr"
)

// MP is the predicate abstraction of a component for one set of candidates.
// State s of LTS stands for the control point Node(s) and a valuation of the
// predicates there.
type MP struct {
	LTS   *lts.LTS
	x     *planner
	words int
	used  []atom     // bit i of a valuation is the value of used[i]
	bit   []int      // its inverse, by atom
	preds [][]atom   // P_s by node
	lists []int32    // the number of P_s by node
	edges [][]*cplan // compiled plans by edge
	nodes []component.Node
	known []int32  // by state: the number of the list of its atoms, those of P_s of which something is known
	vals  []uint64 // words per state
}

// ErrStates says that the bound on states was reached.
type ErrStates struct{ Max int }

func (e *ErrStates) Error() string {
	return fmt.Sprintf("more than %d abstract states", e.Max)
}

// cplan is a plan with atoms replaced by bits.
type cplan struct {
	*plan
	src                        int32 // the number of the list of atoms before the edge
	reqMask, reqVal, keep, set []uint64
	moves                      []cmove
	tables                     []ctable
}

type cmove struct {
	src, dst int
	negated  bool
}

type ctable struct {
	t        *table
	src, dst []int
}

// Build constructs MP(P) for the candidates of set. maxStates bounds the
// number of states (0: no bound); running into it is an *ErrStates.
func (x *Abstraction) Build(ctx context.Context, set []int, maxStates int) (*MP, error) {
	m := &MP{x: x.planner, edges: make([][]*cplan, len(x.Graph.Edges))}
	var err error
	if m.preds, m.used, err = x.inferrer.everywhere(ctx, set); err != nil {
		return m, err
	}
	m.bit = make([]int, len(x.atoms.terms))
	for i, a := range m.used {
		m.bit[a] = i
	}
	m.words = max(1, (len(m.used)+63)/64)
	m.lists = make([]int32, len(m.preds))
	for n, as := range m.preds {
		m.lists[n] = x.planner.list(as)
	}
	m.nodes, m.known, m.vals = make([]component.Node, 0, x.states), make([]int32, 0, x.states), make([]uint64,
		0, x.states*m.words)
	b := &mpBuilder{MP: m, b: lts.NewBuilder(x.Graph.Comp.Actions), max: maxStates}
	err = b.run(ctx)
	x.states = len(m.nodes)
	return m, err
}

// mpBuilder explores.
type mpBuilder struct {
	*MP
	b    *lts.Builder
	max  int
	slot []uint32 // open addressing: state + 1
	mask uint32
}

func (m *mpBuilder) run(ctx context.Context) error {
	m.mask = 1023
	for int(m.mask) < 2*cap(m.nodes) {
		m.mask = m.mask*2 + 1
	}
	m.slot = make([]uint32, m.mask+1)
	m.b.SetInit(m.state(component.Init, -1, make([]uint64, m.words)))
	m.b.Alphabet(m.x.Graph.Alphabet()...)
	buf := newPostBuffer(m.words)
	for s := 0; s < len(m.nodes); s++ {
		if s&0xfff == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for _, id := range m.x.Graph.Out(m.nodes[s]) {
			e := &m.x.Graph.Edges[id]
			val := m.vals[s*m.words : (s+1)*m.words]
			err := m.post(ctx, e, m.known[s], val, buf, func(known int32, v []uint64) error {
				m.b.AddEdge(lts.State(s), e.Action, m.state(e.To, known, v))
				if m.max > 0 && len(m.nodes) > m.max {
					return &ErrStates{m.max}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	m.slot = nil
	m.LTS = m.b.Build()
	return nil
}

// state is the number of an abstract state, a new one if it was not met.
func (m *mpBuilder) state(n component.Node, known int32, v []uint64) lts.State {
	i := hash(n, known, v) & m.mask
	for ; m.slot[i] != 0; i = (i + 1) & m.mask {
		s := int(m.slot[i] - 1)
		if m.nodes[s] == n && m.known[s] == known && slices.Equal(m.vals[s*m.words:(s+1)*m.words], v) {
			return lts.State(s)
		}
	}
	s := len(m.nodes)
	m.nodes, m.known = append(m.nodes, n), append(m.known, known)
	m.vals = append(m.vals, v...)
	m.b.AddState("")
	m.slot[i] = uint32(s) + 1
	if uint32(len(m.nodes))*2 > m.mask {
		m.grow()
	}
	return lts.State(s)
}

func (m *mpBuilder) grow() {
	m.mask = m.mask*2 + 1
	m.slot = make([]uint32, m.mask+1)
	for s, n := range m.nodes {
		i := hash(n, m.known[s], m.vals[s*m.words:(s+1)*m.words]) & m.mask
		for m.slot[i] != 0 {
			i = (i + 1) & m.mask
		}
		m.slot[i] = uint32(s) + 1
	}
}

func hash(n component.Node, known int32, v []uint64) uint32 {
	h := (uint64(n)<<20^uint64(uint32(known)))*0x9E3779B97F4A7C15 + 1
	for _, w := range v {
		h = (h ^ w) * 0xBF58476D1CE4E5B9
		h ^= h >> 29
	}
	return uint32(h >> 32)
}

// compile makes word operations of the plan of an edge.
func (m *MP) compile(e *component.Edge, src int32) *cplan {
	for _, c := range m.edges[e.ID] {
		if c.src == src {
			return c
		}
	}
	all := make([]uint64, 4*m.words)
	words := func(i int) []uint64 { return all[i*m.words : (i+1)*m.words : (i+1)*m.words] }
	k := planKey{int32(e.ID), src, m.lists[e.To]}
	c := &cplan{plan: m.x.planOf(k, e, m.x.listAtoms(src), m.preds[e.To]), src: src, reqMask: words(0),
		reqVal: words(1), keep: words(2), set: words(3)}
	for _, r := range c.require {
		b := m.bit[r.atom]
		if c.reqMask[b/64]>>(b%64)&1 == 1 && c.reqVal[b/64]>>(b%64)&1 == 1 != r.value {
			c.never = true
		}
		c.reqMask[b/64] |= 1 << (b % 64)
		if r.value {
			c.reqVal[b/64] |= 1 << (b % 64)
		}
	}
	for _, s := range c.consts {
		if b := m.bit[s.atom]; s.value {
			c.set[b/64] |= 1 << (b % 64)
		}
	}
	if c.same {
		for _, a := range c.after {
			b := m.bit[a]
			c.keep[b/64] |= 1 << (b % 64)
		}
	}
	for _, mv := range c.plan.moves {
		src, dst := m.bit[mv.src], m.bit[mv.dst]
		if src == dst && !mv.negated {
			c.keep[src/64] |= 1 << (src % 64)
		} else {
			c.moves = append(c.moves, cmove{src, dst, mv.negated})
		}
	}
	for _, t := range c.plan.tables {
		c.tables = append(c.tables, ctable{t, m.bits(t.src), m.bits(t.dst)})
	}
	m.edges[e.ID] = append(m.edges[e.ID], c)
	return c
}

func (m *MP) bits(as []atom) []int {
	bs := make([]int, len(as))
	for i, a := range as {
		bs[i] = m.bit[a]
	}
	return bs
}

// A postBuffer is scratch space for post.
type postBuffer struct {
	base []uint64
	rows [][]uint64
	pick []int
}

func newPostBuffer(words int) *postBuffer { return &postBuffer{base: make([]uint64, words)} }

// post calls yield for every valuation after the edge, with the list of atoms of
// which something is known; the slice is reused.
func (m *MP) post(ctx context.Context, e *component.Edge, known int32, val []uint64, buf *postBuffer,
	yield func(int32, []uint64) error) error {
	c := m.compile(e, known)
	if c.never {
		return nil
	}
	for i, w := range val {
		if (w^c.reqVal[i])&c.reqMask[i] != 0 {
			return nil
		}
		buf.base[i] = w&c.keep[i] | c.set[i]
	}
	for _, mv := range c.moves {
		if val[mv.src/64]>>(mv.src%64)&1 == 1 != mv.negated {
			buf.base[mv.dst/64] |= 1 << (mv.dst % 64)
		}
	}
	if len(c.tables) == 0 {
		return yield(c.list, buf.base)
	}
	buf.rows, buf.pick = buf.rows[:0], buf.pick[:0]
	for _, t := range c.tables {
		var key [maskWords]uint64
		for i, b := range t.src {
			key[i/64] |= val[b/64] >> (b % 64) & 1 << (i % 64)
		}
		rows, err := m.x.lookup(ctx, t.t, key)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return nil
		}
		buf.rows, buf.pick = append(buf.rows, rows), append(buf.pick, 0)
	}
	return c.product(ctx, buf, yield)
}

// maxSuccessors is the most states that one edge may lead to from one state.
const maxSuccessors = 1 << 20

// product runs through all combinations of rows.
func (c *cplan) product(ctx context.Context, buf *postBuffer, yield func(int32, []uint64) error) error {
	v := slices.Clone(buf.base)
	for n := 1; ; n++ {
		if n&0xfff == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if n > maxSuccessors {
			return &ErrStates{maxSuccessors}
		}
		copy(v, buf.base)
		for i, t := range c.tables {
			row := buf.rows[i][buf.pick[i]]
			for j, b := range t.dst {
				v[b/64] |= row >> j & 1 << (b % 64)
			}
		}
		if err := yield(c.list, v); err != nil {
			return err
		}
		i := 0
		for ; i < len(buf.pick); i++ {
			if buf.pick[i]++; buf.pick[i] < len(buf.rows[i]) {
				break
			}
			buf.pick[i] = 0
		}
		if i == len(buf.pick) {
			return nil
		}
	}
}

// Node is the control point of a state.
func (m *MP) Node(s lts.State) component.Node { return m.nodes[s] }

// Literals are the conditions that a state stands for: each of its predicates, or
// its negation.
func (m *MP) Literals(s lts.State) []*expr.Expr {
	var ls []*expr.Expr
	for _, a := range m.x.listAtoms(m.known[s]) {
		b := m.bit[a]
		ls = append(ls, m.x.atoms.literal(a, m.vals[int(s)*m.words+b/64]>>(b%64)&1 == 1))
	}
	return ls
}

// Predicates are the predicates of a state: those of its control point of which
// something is known. [MP.Holds] tells their values.
func (m *MP) Predicates(s lts.State) []*expr.Expr {
	preds := m.x.listAtoms(m.known[s])
	es := make([]*expr.Expr, len(preds))
	for i, a := range preds {
		es[i] = m.x.atoms.terms[a]
	}
	return es
}

// Holds reports whether predicate i of a state holds.
func (m *MP) Holds(s lts.State, i int) bool {
	b := m.bit[m.x.listAtoms(m.known[s])[i]]
	return m.vals[int(s)*m.words+b/64]>>(b%64)&1 == 1
}

// StateString describes a state: INIT, STOP, or its location, the inlined
// state if it has one, and the literals that hold.
func (m *MP) StateString(s lts.State) string {
	text := m.PointString(s)
	if m.nodes[s] == component.Init || m.nodes[s] == component.Stop {
		return text
	}
	var ls []string
	for _, l := range m.Literals(s) {
		ls = append(ls, l.String())
	}
	return text + " {" + strings.Join(ls, ", ") + "}"
}

// PointString names the control point of a state: [MP.StateString] without what is known there.
func (m *MP) PointString(s lts.State) string {
	n := m.nodes[s]
	switch n {
	case component.Init:
		return "INIT"
	case component.Stop:
		return "STOP"
	}
	loc, choice, state := m.x.Graph.Point(n)
	if choice >= 0 {
		return fmt.Sprintf("L%d/%d.%d", loc, choice, state)
	}
	return fmt.Sprintf("L%d", loc)
}

// Edges translates a path of the LTS from its initial state into the edges of the
// control graph that it takes.
func (m *MP) Edges(ctx context.Context, path []lts.Edge) ([]int32, error) {
	s := m.LTS.Init()
	buf := newPostBuffer(m.words)
	var ids []int32
	for _, step := range path {
		id, err := m.edge(ctx, s, step, buf)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
		s = step.To
	}
	return ids, nil
}

func (m *MP) edge(ctx context.Context, s lts.State, step lts.Edge, buf *postBuffer) (int32, error) {
	for _, id := range m.parallel(s, step) {
		if found, err := m.leads(ctx, s, id, step.To, buf); err != nil || found {
			return id, err
		}
	}
	panic("predabs: a transition of MP without an edge")
}

// parallel are the edges of the control graph with the ends and the action of a transition.
func (m *MP) parallel(s lts.State, step lts.Edge) []int32 {
	var ids []int32
	for _, id := range m.x.Graph.Out(m.nodes[s]) {
		if e := &m.x.Graph.Edges[id]; e.Action == step.Action && e.To == m.nodes[step.To] {
			ids = append(ids, id)
		}
	}
	return ids
}

// leads reports whether an edge leads from one state to another.
func (m *MP) leads(ctx context.Context, s lts.State, id int32, to lts.State, buf *postBuffer) (found bool, err error) {
	val := func(s lts.State) []uint64 { return m.vals[int(s)*m.words : (int(s)+1)*m.words] }
	err = m.post(ctx, &m.x.Graph.Edges[id], m.known[s], val(s), buf, func(known int32, v []uint64) error {
		found = found || known == m.known[to] && slices.Equal(v, val(to))
		return nil
	})
	return found, err
}

// Stands are the edges of the control graph that a transition from s stands for. What is asked has been asked when
// MP was built.
func (m *MP) Stands(s lts.State, step lts.Edge) []int32 {
	ids := m.parallel(s, step)
	if len(ids) == 1 {
		return ids
	}
	buf := newPostBuffer(m.words)
	return slices.DeleteFunc(ids, func(id int32) bool {
		found, err := m.leads(context.Background(), s, id, step.To, buf)
		return err == nil && !found
	})
}
