package bounded

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/component"
	many "magus/internal/sample"
	"magus/lts"
	"magus/smt/expr"
)

// A looper makes random loops over variables of few bits, so that they wrap around.
type looper struct {
	maker
	types []expr.Type
}

// term is a variable with something added, maybe in another type and back.
func (m *looper) term(t expr.Type) *expr.Expr {
	v := m.vars[m.r.IntN(len(m.vars))]
	if m.r.IntN(5) == 0 {
		return m.pool.Int(t, m.r.Int64N(32))
	}
	wide := m.types[m.r.IntN(len(m.types))]
	return m.pool.Cast(t, m.pool.Add(m.pool.Cast(wide, v), m.pool.Int(wide, m.r.Int64N(9)-4)))
}

func (m *looper) cond() *expr.Expr {
	t := m.types[m.r.IntN(len(m.types))]
	c := m.pool.Lt(m.term(t), m.term(t))
	if m.r.IntN(4) == 0 {
		c = m.pool.Eq(m.term(t), m.term(t))
	}
	if m.r.IntN(3) == 0 {
		c = m.pool.Not(c)
	}
	return c
}

func (m *looper) assign() cfa.Stmt {
	v := m.vars[m.r.IntN(len(m.vars))]
	switch m.r.IntN(8) {
	case 0:
		return cfa.Assign{LHS: v, Nondet: "any"}
	case 1, 2:
		return cfa.Assign{LHS: v, RHS: m.term(v.Type())}
	case 3:
		return cfa.Assign{LHS: v, RHS: m.pool.Add(v, m.pool.Cast(v.Type(), m.vars[m.r.IntN(len(m.vars))]))}
	}
	return cfa.Assign{LHS: v, RHS: m.pool.Add(v, m.pool.Int(v.Type(), m.r.Int64N(7)-3))}
}

// loop is while (cond) { assign; if (cond) assign; assign; }.
func (m *looper) loop() *cfa.CFA {
	return &cfa.CFA{Name: "f", Pool: m.pool, Frames: []cfa.Frame{{Proc: "f", Parent: -1}}, Locs: []cfa.Location{
		{Stmt: cfa.Branch{Cond: m.cond()}, Succ: []cfa.Loc{1, 5}},
		{Stmt: m.assign(), Succ: []cfa.Loc{2}},
		{Stmt: cfa.Branch{Cond: m.cond()}, Succ: []cfa.Loc{3, 4}},
		{Stmt: m.assign(), Succ: []cfa.Loc{4}},
		{Stmt: m.assign(), Succ: []cfa.Loc{0}},
		{Stmt: cfa.Halt{}},
	}}
}

// nested is while (cond) { c = 0; while (c < k) { assign; c = c + 1; } assign; }, where the first assignment
// may be of c.
func (m *looper) nested() *cfa.CFA {
	c := m.pool.Var("counter", expr.Type{Width: 4})
	return &cfa.CFA{Name: "f", Pool: m.pool, Frames: []cfa.Frame{{Proc: "f", Parent: -1}}, Locs: []cfa.Location{
		{Stmt: cfa.Branch{Cond: m.cond()}, Succ: []cfa.Loc{1, 6}},
		{Stmt: cfa.Assign{LHS: c, RHS: m.pool.Int(c.Type(), 0)}, Succ: []cfa.Loc{2}},
		{Stmt: cfa.Branch{Cond: m.pool.Lt(c, m.pool.Int(c.Type(), m.r.Int64N(7)))}, Succ: []cfa.Loc{3, 5}},
		{Stmt: m.assign(), Succ: []cfa.Loc{4}},
		{Stmt: cfa.Assign{LHS: c, RHS: m.pool.Add(c, m.pool.Int(c.Type(), 1+m.r.Int64N(2)))}, Succ: []cfa.Loc{2}},
		{Stmt: m.assign(), Succ: []cfa.Loc{0}},
		{Stmt: cfa.Halt{}},
	}}
}

// silent allows everything but error.
func silent(actions *lts.Actions) *lts.LTS {
	b := lts.NewBuilder(actions)
	b.AddState("")
	b.Alphabet(actions.Intern("error"))
	return b.Build()
}

// TestAccelerationsAgainstRounds: where an acceleration's condition holds, its rounds can be taken one by
// one, and lead to its values.
func TestAccelerationsAgainstRounds(t *testing.T) {
	many.Long(t)
	accelerations, taken, far, within, symbolic := 0, 0, 0, 0, 0
	for seed := range uint64(1500) {
		m := &looper{maker{r: rand.New(rand.NewPCG(seed, 16)), pool: expr.NewPool(), actions: lts.NewActions()},
			[]expr.Type{{Width: 4}, {Width: 4, Signed: true}, {Width: 5}, {Width: 6, Signed: true}}}
		for i, name := range []string{"a", "b", "c"} {
			m.vars = append(m.vars, m.pool.Var(name, m.types[(int(seed)+i)%len(m.types)]))
		}
		loop := m.loop()
		if seed%3 == 0 {
			loop = m.nested()
		}
		f, err := newFlow(t.Context(), component.NewGraph(&component.Component{CFA: loop, Actions: m.actions}))
		require.NoError(t, err)
		all, err := f.accelerations(t.Context(), silent(m.actions))
		require.NoError(t, err)
		for _, at := range all {
			for _, l := range at {
				accelerations++
				if len(l.cycle) > 7 {
					within++
				}
				for range 60 {
					n, ok := f.check(t, m, l)
					if ok {
						symbolic += len(l.steps)
						taken++
						far = max(far, n)
					}
				}
			}
		}
	}
	assert.Greater(t, accelerations, 500)
	assert.Greater(t, taken, 2000)
	assert.Greater(t, far, 10)
	assert.Greater(t, within, 50)
	assert.Greater(t, symbolic, 200)
}

// check takes an acceleration from random values; false if it cannot be taken.
func (f *flow) check(t *testing.T, m *looper, l *acceleration) (rounds int, ok bool) {
	now := map[*expr.Expr]uint64{}
	for _, v := range expr.Vars(append(append([]*expr.Expr{l.when}, l.terms...), m.vars...)...) {
		now[v] = v.Type().Trunc(m.r.Uint64())
	}
	now[l.rounds] = uint64(m.r.IntN(20))
	value := func(v *expr.Expr) uint64 { return now[v] }
	if now[l.rounds] >= l.most || expr.Eval(l.when, value) == 0 {
		return 0, false
	}
	want := map[*expr.Expr]uint64{}
	for i, v := range l.writes {
		want[f.vars[v]] = expr.Eval(l.terms[i], value)
	}
	for range now[l.rounds] + 1 {
		for _, id := range l.cycle {
			e := &f.edges[id]
			require.EqualValues(t, 1, expr.Eval(e.guard, value), "%v: %v", f.graph.Comp.CFA, l.when)
			next := map[*expr.Expr]uint64{}
			for _, u := range e.Update {
				next[u.Var] = expr.Eval(u.Term, value)
			}
			for v, x := range next {
				now[v] = x
			}
		}
	}
	for v, x := range want {
		require.Equal(t, x, now[v], "%v: %v", f.graph.Comp.CFA, v)
	}
	return int(now[l.rounds]), true
}

// TestFarViolation: a violation behind more rounds than layers that can be made is found, with all its rounds.
func TestFarViolation(t *testing.T) {
	const rounds = 20_000
	pool, actions := expr.NewPool(), lts.NewActions()
	x, y, any := pool.Var("x", expr.Uint16), pool.Var("y", expr.Uint8), pool.Var("n", expr.Uint16)
	loop := &cfa.CFA{Name: "f", Pool: pool, Frames: []cfa.Frame{{Proc: "f", Parent: -1}}, Locs: []cfa.Location{
		{Stmt: cfa.Assign{LHS: x, RHS: pool.Int(expr.Uint16, 0)}, Succ: []cfa.Loc{1}},
		{Stmt: cfa.Branch{Cond: pool.Ne(x, any)}, Succ: []cfa.Loc{2, 4}},
		{Stmt: cfa.Assign{LHS: x, RHS: pool.Add(x, pool.Int(expr.Uint16, 1))}, Succ: []cfa.Loc{3}},
		{Stmt: cfa.Assign{LHS: y, RHS: pool.Add(y, pool.Int(expr.Uint8, 3))}, Succ: []cfa.Loc{1}}, // wraps around
		{Stmt: cfa.Branch{Cond: pool.Eq(x, pool.Int(expr.Uint16, rounds))}, Succ: []cfa.Loc{5, 6}},
		{Stmt: cfa.Act{Action: "error"}, Succ: []cfa.Loc{6}},
		{Stmt: cfa.Halt{}},
	}}
	s, err := New(t.Context(), component.NewGraph(&component.Component{CFA: loop, Actions: actions}), silent(actions))
	require.NoError(t, err)
	a, err := s.Deepen(t.Context(), 1<<20, 0)
	require.NoError(t, err)
	require.True(t, a.Accelerated)
	require.Len(t, a.Path, 2+3*rounds+3)
	bounded, err := s.deepen(t.Context(), 1<<20, 0)
	require.NoError(t, err)
	require.Nil(t, bounded.Path)
}

// TestFoldedViolation: of a violation behind 300 million rounds the path has the first round and the last one.
func TestFoldedViolation(t *testing.T) {
	const rounds = 300_000_000
	pool, actions := expr.NewPool(), lts.NewActions()
	x, any := pool.Var("x", expr.Uint32), pool.Var("n", expr.Uint32)
	loop := &cfa.CFA{Name: "f", Pool: pool, Frames: []cfa.Frame{{Proc: "f", Parent: -1}}, Locs: []cfa.Location{
		{Stmt: cfa.Assign{LHS: x, RHS: pool.Int(expr.Uint32, 0)}, Succ: []cfa.Loc{1}},
		{Stmt: cfa.Branch{Cond: pool.Ne(x, any)}, Succ: []cfa.Loc{2, 3}},
		{Stmt: cfa.Assign{LHS: x, RHS: pool.Add(x, pool.Int(expr.Uint32, 1))}, Succ: []cfa.Loc{1}},
		{Stmt: cfa.Branch{Cond: pool.Eq(x, pool.Int(expr.Uint32, rounds))}, Succ: []cfa.Loc{4, 5}},
		{Stmt: cfa.Act{Action: "error"}, Succ: []cfa.Loc{5}},
		{Stmt: cfa.Halt{}},
	}}
	s, err := New(t.Context(), component.NewGraph(&component.Component{CFA: loop, Actions: actions}), silent(actions))
	require.NoError(t, err)
	a, err := s.Deepen(t.Context(), 1<<20, 0)
	require.NoError(t, err)
	require.Len(t, a.Path, 2+2+2+3)
	require.Len(t, a.Repeats, 1)
	require.EqualValues(t, rounds-2, a.Repeats[0].Times)
	require.Equal(t, 4, a.Repeats[0].At)
	require.Equal(t, a.Path[2:4], a.Repeats[0].Cycle)
	s, err = New(t.Context(), component.NewGraph(&component.Component{CFA: loop, Actions: actions}), silent(actions))
	require.NoError(t, err)
	s.Written(-1)
	a, err = s.Deepen(t.Context(), 1<<18, 0)
	require.NoError(t, err)
	require.Nil(t, a.Path)
}

// TestLookingForCyclesIsInterrupted: loops are not looked at any more when the context has ended.
func TestLookingForCyclesIsInterrupted(t *testing.T) {
	m := &looper{maker{r: rand.New(rand.NewPCG(1, 16)), pool: expr.NewPool(), actions: lts.NewActions()},
		[]expr.Type{{Width: 4}}}
	m.vars = append(m.vars, m.pool.Var("a", m.types[0]))
	f, err := newFlow(t.Context(), component.NewGraph(&component.Component{CFA: m.loop(), Actions: m.actions}))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = f.accelerations(ctx, silent(m.actions))
	require.ErrorIs(t, err, context.Canceled)
}
