package interp_test

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/internal/sample"
	"magus/smt/expr"
)

// bits is a domain of all values of one to three bits for every variable.
func bits(n int) func(*expr.Expr) []uint64 {
	var vals []uint64
	for v := range 1 << n {
		vals = append(vals, uint64(v))
	}
	return func(*expr.Expr) []uint64 { return vals }
}

func TestExplore(t *testing.T) {
	b, x := guarded()
	g, err := b.machine().Explore(ctx(), bits(3), nil, 1000)
	require.NoError(t, err)
	// Entry; 8 values at 1; 7 at the error; 8 at the return and ended.
	require.Len(t, g.Nodes, 1+8+1+8+8)
	require.Equal(t, 1, g.Initial)
	require.Equal(t, [][]string{nil, {"error"}}, g.Traces(3))
	require.True(t, g.Has([]string{"error"}))
	require.False(t, g.Has([]string{"error", "error"}))
	for _, n := range g.Nodes {
		if v, _ := n.State.Value(x); n.State.Loc() == 2 {
			require.Equal(t, uint64(7), v)
		}
	}
	_, err = b.machine().Explore(ctx(), bits(3), nil, 10)
	require.ErrorIs(t, err, interp.ErrLimit)
}

func TestExploreInsideRoutine(t *testing.T) {
	b, _, _, _ := server()
	domain := func(v *expr.Expr) []uint64 { return []uint64{1, 0, 0xffffffff, 0xfffffffe} }
	g, err := b.machine().Explore(ctx(), domain, serveEnv{}, 1000)
	require.NoError(t, err)
	require.True(t, g.Has([]string{"req", "rep", "rep", "rep", "done", "return {}"}))
	require.True(t, g.Has([]string{"fail"}))
	require.False(t, g.Has([]string{"fail", "done"}), "serve returns -1 after fail, and only then")
	require.False(t, g.Has([]string{"done"}))
	require.False(t, g.Has([]string{"req", "fail"}))
}

// Locals that are read before they are set have any value.
func TestExploreReadBeforeSet(t *testing.T) {
	b := newBuilder()
	x, y := b.local("x"), b.local("y")
	b.assign(y, x)
	b.branch(b.p.Eq(y, b.int(1)), 2, 3)
	b.act("a")
	b.add(cfa.Return{})
	g, err := b.machine().Explore(ctx(), bits(1), nil, 100)
	require.NoError(t, err)
	require.Equal(t, 2, g.Initial, "x is open, y is not")
	require.True(t, g.Has([]string{"a"}))
}

// What a call may change says nothing of other variables: those that are read behind it are open.
func TestExploreReadBehindCall(t *testing.T) {
	b := newBuilder()
	x, g := b.local("x"), b.variable("g", expr.Int32, cfa.Global)
	b.add(cfa.Call{Callee: "f", Args: []*expr.Expr{b.int(1)}, Clobbers: []*expr.Expr{g}}, 1)
	b.branch(b.p.Eq(x, b.int(1)), 2, 3)
	b.act("a")
	b.add(cfa.Return{})
	e, err := b.machine().Explore(ctx(), bits(1), smallEnv{}, 100)
	require.NoError(t, err)
	require.Equal(t, 4, e.Initial, "x and g are open")
	require.True(t, e.Has([]string{"a"}))
}

// anyAutomaton makes a small automaton over variables of few bits.
func anyAutomaton(t *rapid.T) *interp.Machine {
	b := newBuilder()
	small := expr.Type{Width: 2, Signed: true}
	vars := []*expr.Expr{b.variable("p", small, cfa.Param), b.variable("x", small, cfa.Local),
		b.variable("g", expr.Type{Width: 1}, cfa.Global)}
	term := func(typ expr.Type) *expr.Expr {
		v := b.p.Cast(typ, rapid.SampledFrom(vars).Draw(t, "var"))
		w := b.p.Cast(typ, rapid.SampledFrom(vars).Draw(t, "var"))
		k := b.p.Const(typ, uint64(rapid.IntRange(0, 3).Draw(t, "const")))
		return rapid.SampledFrom([]*expr.Expr{v, k, b.p.Add(v, k), b.p.Mul(v, w), b.p.Sub(v, w)}).Draw(t, "term")
	}
	n := rapid.IntRange(2, 9).Draw(t, "locations")
	loc := func() cfa.Loc { return cfa.Loc(rapid.IntRange(0, n).Draw(t, "successor")) }
	for range n {
		v := rapid.SampledFrom(vars).Draw(t, "lhs")
		switch rapid.IntRange(0, 7).Draw(t, "statement") {
		case 0, 1:
			b.add(cfa.Assign{LHS: v, RHS: term(v.Type())}, loc())
		case 2:
			b.add(cfa.Assign{LHS: v, Nondet: "nondet", Approx: rapid.SampledFrom([]string{"", "floating point"}).
				Draw(t, "approx")}, loc())
		case 3, 4:
			c := b.p.Lt(term(small), term(small))
			b.add(cfa.Branch{Cond: b.p.Lor(c, b.p.Eq(term(small), term(small)))}, loc(), loc())
		case 5:
			b.add(cfa.Act{Action: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "action")}, loc())
		case 6:
			b.add(cfa.Call{Callee: "f", Args: []*expr.Expr{term(small)}, LHS: v, Ret: v.Type(), Clobbers: vars[2:]}, loc())
		case 7:
			b.add(cfa.Halt{Reason: "stop"})
		}
	}
	b.add(cfa.Return{Value: vars[1]})
	return b.machine()
}

// smallEnv is a routine that performs c if its argument is 0, or does nothing, and
// returns any value but 1; a return of 0 is an action.
type smallEnv struct{}

func (smallEnv) Start(c *interp.Site) []int { return []int{int(truth(c.Args[0] == 0))} }
func (smallEnv) Moves(_ *interp.Site, state int) []interp.Move {
	if state == 1 {
		return []interp.Move{{Action: "c", To: 0}, {To: 0}}
	}
	return []interp.Move{{Returns: true, Admits: func(v uint64) bool { return v != 1 }}}
}
func (smallEnv) Return(r interp.Returned, _ *interp.Site) []string {
	if r.Value == 0 {
		return []string{"return {0}"}
	}
	return nil
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Random walks replay, and over the full domains the explored graph has their
// traces; the state at their end is one of its nodes.
func TestWalksAreExplored(t *testing.T) {
	visible := 0
	sample.Check(t, func(rt *rapid.T) {
		m := anyAutomaton(rt)
		all := func(v *expr.Expr) []uint64 { return bits(int(v.Type().Width))(v) }
		g, err := m.Explore(ctx(), all, smallEnv{}, 10000)
		require.NoError(rt, err)
		nodes := map[string]bool{}
		for _, n := range g.Nodes {
			nodes[valuation(n.State)] = true
		}
		rnd := rand.New(rand.NewSource(rapid.Int64().Draw(rt, "seed")))
		for range 5 {
			run := walk(rt, m, rnd, 30, smallEnv{})
			require.True(rt, g.Has(run.Trace), "%v", run.Trace)
			visible += len(run.Trace)
			if run.Script.Init[1].Value == 0 { // a local that is not read first begins at 0 in the graph
				require.True(rt, nodes[valuation(run.End)])
			}
		}
	})
	require.Positive(t, visible)
}

// Every trace of the graph is found by a walk before long: the graph has
// nothing that does not happen.
func TestTracesHappen(t *testing.T) {
	b, _, _, _ := server()
	m := b.machine()
	g, err := m.Explore(ctx(), bits(3), serveEnv{}, 10000)
	require.NoError(t, err)
	missing := map[string]bool{}
	for _, tr := range g.Traces(3) {
		missing[fmt.Sprint(tr)] = true
	}
	require.Greater(t, len(missing), 5)
	for seed := int64(0); len(missing) > 0 && seed < 10000; seed++ {
		run := walk(t, m, seeded(seed), 40, serveEnv{})
		for n := range len(run.Trace) + 1 {
			delete(missing, fmt.Sprint(run.Trace[:n]))
		}
	}
	require.Empty(t, missing)
}

func TestWalkWithoutEnv(t *testing.T) {
	b, _, _, _ := server()
	ends := map[string]bool{}
	for seed := range int64(200) {
		run := walk(t, b.machine(), seeded(seed), 100, nil)
		ends[fmt.Sprint(run.Steps[len(run.Steps)-1].Event)] = true
	}
	require.Equal(t, map[string]bool{"{abort}": true, "{0 false}": true}, ends)
}

// A walk finds the constants that a program compares with.
func TestWalkFindsConstants(t *testing.T) {
	b := newBuilder()
	x := b.param("x")
	b.branch(b.p.Eq(x, b.int(123456789)), 1, 2)
	b.act("hit")
	b.add(cfa.Return{})
	hits := 0
	for seed := range int64(200) {
		hits += len(walk(t, b.machine(), seeded(seed), 10, nil).Trace)
	}
	require.Positive(t, hits)
}

func BenchmarkWalk(b *testing.B) {
	bl := newBuilder()
	x, y := bl.local("x"), bl.local("y")
	bl.havoc(y)
	bl.assign(x, bl.p.Add(x, y))
	bl.branch(bl.p.Lt(x, bl.int(100)), 0, 3)
	bl.act("a")
	bl.add(cfa.Goto{}, 0)
	m := bl.machine()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Walk(ctx(), seeded(1), 1000, nil); err != nil {
			b.Fatal(err)
		}
	}
}
