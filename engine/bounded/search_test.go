package bounded

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/component"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/softfloat"
)

// Variables of two bits, so that all states can be enumerated.
var tiny = expr.Type{Width: 2}

// A maker makes random components.
type maker struct {
	r       *rand.Rand
	pool    *expr.Pool
	vars    []*expr.Expr
	actions *lts.Actions
}

// newMaker makes components over a, b and c.
func newMaker(seed, stream uint64) *maker {
	m := &maker{r: rand.New(rand.NewPCG(seed, stream)), pool: expr.NewPool(), actions: lts.NewActions()}
	for _, name := range []string{"a", "b", "c"} {
		m.vars = append(m.vars, m.pool.Var(name, tiny))
	}
	return m
}

func (m *maker) term() *expr.Expr {
	v := m.vars[m.r.IntN(len(m.vars))]
	switch m.r.IntN(4) {
	case 0:
		return m.pool.Int(tiny, int64(m.r.IntN(4)))
	case 1:
		return m.pool.Add(v, m.pool.Int(tiny, 1))
	case 2:
		return m.pool.Xor(v, m.vars[m.r.IntN(len(m.vars))])
	}
	return v
}

func (m *maker) cond() *expr.Expr {
	if m.r.IntN(2) == 0 {
		return m.pool.Lt(m.term(), m.term())
	}
	return m.pool.Eq(m.term(), m.term())
}

// component has calls of a routine that may do x or y, returns 1 or any value, and
// changes c.
func (m *maker) component(size int) *component.Component {
	b := lts.NewBuilder(m.actions)
	b.AddStates(4)
	one, other := m.actions.Intern("one"), m.actions.Intern("other")
	b.AddEdge(0, m.actions.Intern("x"), 1)
	b.AddEdge(0, lts.Tau, 2)
	b.AddEdge(2, m.actions.Intern("y"), 0)
	b.AddEdge(1, one, 3)
	b.AddEdge(1, other, 3)
	routine := b.Build()
	auto := &cfa.CFA{Name: "f", Pool: m.pool, Ret: tiny, Frames: []cfa.Frame{{Proc: "f", Parent: -1}}}
	calls := map[cfa.Loc]component.Call{}
	for i := range size {
		next := func() cfa.Loc { return cfa.Loc(m.r.IntN(size)) }
		v := m.vars[m.r.IntN(len(m.vars))]
		var l cfa.Location
		switch m.r.IntN(12) {
		case 0, 1, 2, 3:
			l = cfa.Location{Stmt: cfa.Assign{LHS: v, RHS: m.term()}, Succ: []cfa.Loc{next()}}
		case 4:
			l = cfa.Location{Stmt: cfa.Assign{LHS: v, Nondet: "any"}, Succ: []cfa.Loc{next()}}
		case 5, 6, 7, 8:
			l = cfa.Location{Stmt: cfa.Branch{Cond: m.cond()}, Succ: []cfa.Loc{next(), next()}}
		case 9:
			l = cfa.Location{Stmt: cfa.Act{Action: []string{"x", "y"}[m.r.IntN(2)]}, Succ: []cfa.Loc{next()}}
		case 10:
			l = cfa.Location{Stmt: cfa.Call{Callee: "lib", Ret: tiny, LHS: v, Clobbers: []*expr.Expr{m.vars[2]}},
				Succ: []cfa.Loc{next()}}
			result := component.Prime(m.pool, v)
			calls[cfa.Loc(i)] = component.Call{Result: result, Choices: []component.Choice{{Guard: m.cond(), LTS: routine,
				Returns: map[lts.Action]*expr.Expr{one: m.pool.Eq(result, m.pool.Int(tiny, 1)), other: nil}}}}
		default:
			l = cfa.Location{Stmt: cfa.Return{Value: m.term()}}
		}
		auto.Locs = append(auto.Locs, l)
	}
	c := &component.Component{CFA: auto, Actions: m.actions, Calls: calls}
	if m.r.IntN(2) == 0 {
		c.Guard = m.cond()
	}
	e := m.pool.Var("f:$0", tiny)
	c.Returns = component.Returns{Observed: true, Result: e, Other: m.actions.Intern("else"),
		Actions: []component.ReturnAction{
			{Action: m.actions.Intern("zero"), Cond: m.pool.Eq(e, m.pool.Int(tiny, 0))},
			{Action: m.actions.Intern("low"), Cond: m.pool.Lt(e, m.pool.Int(tiny, 2))},
		}}
	return c
}

// specification is deterministic and without τ, and never allows the cut.
func (m *maker) specification(cut lts.Action) *lts.LTS {
	b := lts.NewBuilder(m.actions)
	n := 1 + m.r.IntN(3)
	b.AddStates(n)
	observed := []lts.Action{m.actions.Intern("x"), m.actions.Intern("y"), m.actions.Intern("zero"),
		m.actions.Intern("low"), m.actions.Intern("else")}
	b.Alphabet(observed[:2+m.r.IntN(4)]...)
	if cut != lts.Tau {
		b.Alphabet(cut)
	}
	for q := range n {
		for _, a := range observed {
			if a != cut && m.r.IntN(6) > 0 {
				b.AddEdge(lts.State(q), a, lts.State(m.r.IntN(n)))
			}
		}
	}
	return b.Build()
}

// A state is a concrete one, with the specification's.
type state struct {
	node component.Node
	spec lts.State
	vals [3]uint64
}

// An explorer enumerates concrete states.
type explorer struct {
	*flow
	vars []*expr.Expr
	spec *lts.LTS
	cut  bool // some run is cut off
	// taken are the edges that runs take, by number.
	taken []bool
}

// steps are what an edge leads to from a state; left says that one of them leaves the
// specification.
func (x *explorer) steps(s state, id int32) (to []state, left bool) {
	e := &x.edges[id]
	total := 1
	for range e.fresh {
		total *= 4
	}
	for n := range total {
		env := func(v *expr.Expr) uint64 {
			if i := slices.Index(e.fresh, v); i >= 0 {
				return uint64(n>>(2*i)) & 3
			}
			return s.vals[slices.Index(x.vars, v)]
		}
		if expr.Eval(e.guard, env) == 0 {
			continue
		}
		x.taken[id] = true
		next := s
		next.node = e.To
		for _, u := range e.Update {
			next.vals[slices.Index(x.vars, u.Var)] = expr.Eval(u.Term, env)
		}
		if e.Action != lts.Tau && x.spec.HasAction(e.Action) {
			out := x.spec.OutBy(s.spec, e.Action)
			if len(out) == 0 {
				if x.graph.Comp.IsCut(e.Action) {
					x.cut = true
				} else {
					left = true
				}
				continue
			}
			next.spec = out[0].To
		}
		to = append(to, next)
	}
	return to, left
}

// layer adds to states all that they lead to without closing a loop. It gives
// those that closing one leads to, and whether the specification is left before that.
func (x *explorer) layer(states map[state]bool) (behind map[state]bool, left bool) {
	behind = map[state]bool{}
	var todo []state
	for s := range states {
		todo = append(todo, s)
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, id := range x.graph.Out(s.node) {
			to, l := x.steps(s, id)
			left = left || l
			for _, n := range to {
				if x.rank[n.node] <= x.rank[s.node] {
					behind[n] = true
				} else if !states[n] {
					states[n] = true
					todo = append(todo, n)
				}
			}
		}
	}
	return behind, left
}

// initial are all states at Init.
func (x *explorer) initial() map[state]bool {
	all := map[state]bool{}
	for n := range uint64(64) {
		all[state{component.Init, x.spec.Init(), [3]uint64{n & 3, n >> 2 & 3, n >> 4}}] = true
	}
	return all
}

// leaves reports whether a run takes a path and leaves the specification with its last
// edge only.
func (x *explorer) leaves(path []int32) bool {
	at := x.initial()
	for i, id := range path {
		next := map[state]bool{}
		for s := range at {
			if x.edges[id].From != s.node {
				return false
			}
			to, left := x.steps(s, id)
			if i == len(path)-1 && left {
				return true
			}
			for _, n := range to {
				next[n] = true
			}
		}
		at = next
	}
	return false
}

// Within each depth, a violation is found iff enumeration has one, its path is one that a
// run takes, and the search ends iff enumeration does; also if it is made of many small
// efforts.
func TestAgainstEnumeration(t *testing.T) {
	programs := 1500
	if testing.Short() {
		programs = 300
	}
	var violations, ends, cuts int
	for seed := range uint64(programs) {
		m := newMaker(seed, 3)
		c := m.component(4 + m.r.IntN(8))
		if seed%3 == 0 {
			c.Cut = m.actions.Intern("y")
		}
		g, spec := component.NewGraph(c), m.specification(c.Cut)
		s, err := New(t.Context(), g, spec)
		require.NoError(t, err)
		x := &explorer{flow: s.u.flow, vars: m.vars, spec: spec, taken: make([]bool, len(g.Edges))}
		states := x.initial()
		for depth := 1; depth <= 6; depth++ {
			behind, left := x.layer(states)
			step := int64(1 << 40)
			if seed%2 == 0 {
				step = 700
			}
			var a Answer
			var err error
			for effort := step; a.Path == nil && !a.Ended && effort-step < 100_000 && err == nil; effort += step {
				a, err = s.Deepen(t.Context(), effort, depth)
			}
			require.NoError(t, err)
			require.Equal(t, left, a.Path != nil, "seed %d, depth %d", seed, depth)
			if left {
				require.True(t, x.leaves(a.Path), "seed %d: %v", seed, a.Path)
				violations++
				break
			}
			if a.Ended || depth&(depth-1) == 0 { // then it asks
				require.Equal(t, len(behind) == 0, a.Ended, "seed %d, depth %d", seed, depth)
			}
			if a.Ended {
				taken, err := s.Taken(t.Context(), 1<<40)
				require.NoError(t, err)
				require.Equal(t, x.taken, taken, "seed %d", seed)
				require.Equal(t, x.cut, a.Cut, "seed %d, depth %d", seed, depth)
				if a.Cut {
					cuts++
				}
			}
			if len(behind) == 0 {
				ends++
				break
			}
			require.Equal(t, depth, a.Depth)
			states = behind
		}
	}
	assert.Greater(t, violations, programs/10)
	assert.Greater(t, ends, programs/20)
	assert.Greater(t, cuts, programs/100)
}

// A search that is given little at a time ends up where one is that is given much.
func TestLittleEffort(t *testing.T) {
	m := &maker{r: rand.New(rand.NewPCG(5, 3)), pool: expr.NewPool(), actions: lts.NewActions()}
	x := m.pool.Var("x", expr.Int32)
	loop := &cfa.CFA{Name: "f", Pool: m.pool, Frames: []cfa.Frame{{Proc: "f", Parent: -1}}, Locs: []cfa.Location{
		{Stmt: cfa.Assign{LHS: x, RHS: m.pool.Int(expr.Int32, 0)}, Succ: []cfa.Loc{1}},
		{Stmt: cfa.Branch{Cond: m.pool.Lt(x, m.pool.Int(expr.Int32, 20))}, Succ: []cfa.Loc{2, 3}},
		{Stmt: cfa.Assign{LHS: x, RHS: m.pool.Add(x, m.pool.Int(expr.Int32, 1))}, Succ: []cfa.Loc{1}},
		{Stmt: cfa.Act{Action: "error"}, Succ: []cfa.Loc{4}},
		{Stmt: cfa.Halt{}},
	}}
	b := lts.NewBuilder(m.actions)
	b.AddState("")
	b.Alphabet(m.actions.Intern("error"))
	s, err := New(t.Context(), component.NewGraph(&component.Component{CFA: loop, Actions: m.actions}), b.Build())
	require.NoError(t, err)
	s.accelerated = nil
	rounds := 0
	for effort := int64(100); ; effort += 100 {
		a, err := s.Deepen(t.Context(), effort, 0)
		require.NoError(t, err)
		rounds++
		if a.Path != nil {
			require.Equal(t, 20, a.Depth)
			require.Len(t, a.Path, 2+2*20+2)
			break
		}
	}
	require.Greater(t, rounds, 3)
}

// Comparisons are rewritten through all rounds of a loop over floating point: that is effort, too.
func TestRewritingIsEffort(t *testing.T) {
	m := &maker{r: rand.New(rand.NewPCG(5, 3)), pool: expr.NewPool(), actions: lts.NewActions()}
	x := m.pool.Var("x", expr.Float64)
	num := func(v float64) *expr.Expr { return m.pool.Const(expr.Float64, math.Float64bits(v)) }
	loop := &cfa.CFA{Name: "f", Pool: m.pool, Frames: []cfa.Frame{{Proc: "f", Parent: -1}}, Locs: []cfa.Location{
		{Stmt: cfa.Branch{Cond: m.pool.FLt(num(1), x)}, Succ: []cfa.Loc{1, 2}},
		{Stmt: cfa.Assign{LHS: x, RHS: m.pool.FMul(m.pool.Rounding(softfloat.NearestEven), x, num(0.5))}, Succ: []cfa.Loc{0}},
		{Stmt: cfa.Halt{}},
	}}
	b := lts.NewBuilder(m.actions)
	b.AddState("")
	s, err := New(t.Context(), component.NewGraph(&component.Component{CFA: loop, Actions: m.actions}), b.Build())
	require.NoError(t, err)
	const effort = 100_000
	a, err := s.Deepen(t.Context(), effort, 0)
	require.NoError(t, err)
	require.False(t, a.Ended)
	require.Positive(t, a.Depth)
	require.Less(t, m.pool.Work(), int64(operations*effort*2))
}

// A context that has ended ends the search, with its cause.
func TestInterrupted(t *testing.T) {
	m := newMaker(1, 3)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(fmt.Errorf("enough"))
	g, spec := component.NewGraph(m.component(6)), m.specification(lts.Tau)
	s, err := New(t.Context(), g, spec)
	require.NoError(t, err)
	_, err = s.Deepen(ctx, 1<<40, 0)
	require.EqualError(t, err, "enough")
	_, err = New(ctx, g, spec)
	require.EqualError(t, err, "enough")
}
