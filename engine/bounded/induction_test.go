package bounded

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/component"
	"magus/engine/invariants"
	"magus/lts"
	"magus/smt/expr"
)

// A proof by induction is there only if enumeration of all states finds no violation, mostly if it finds
// none, its invariants hold of all states, and so do the bounds that it was given; also if it is
// made of many small efforts.
func TestInductionAgainstEnumeration(t *testing.T) {
	programs := 1200
	if testing.Short() {
		programs = 300
	}
	var safe, proofs, deep, told int
	for seed := range uint64(programs) {
		m := newMaker(seed, 5)
		c := m.component(4 + m.r.IntN(8))
		if seed%3 == 0 {
			c.Cut = m.actions.Intern("y")
		}
		g, spec := component.NewGraph(c), m.specification(c.Cut)
		f, err := newFlow(t.Context(), g)
		require.NoError(t, err)
		x := &explorer{flow: f, vars: m.vars, spec: spec, taken: make([]bool, len(g.Edges))}
		found, err := invariants.Bounds(t.Context(), g, x.order)
		require.NoError(t, err)
		if seed%5 == 0 { // candidates that do not hold are no harm
			for _, n := range x.order {
				found[n] = append(found[n], m.cond(), m.cond())
			}
		}
		induction, err := NewInduction(t.Context(), g, spec, found)
		require.NoError(t, err)
		if seed%7 == 2 {
			induction.Interleaves()
		}
		if seed%4 == 1 { // another layer at once, and no invariants
			induction.most = 0
			require.NoError(t, induction.deepen(t.Context(), func() bool { return true }))
			induction.stage = max(induction.stage, decide)
		}
		step := int64(1 << 40)
		if seed%2 == 0 || induction.most == 0 { // without invariants it may have no end
			step = 900
		}
		var proof *Proof
		over := false
		for effort := step; proof == nil && !over && effort-step < 200_000; effort += step {
			proof, over, err = induction.Prove(t.Context(), effort)
			require.NoError(t, err)
		}
		left, arrivals := x.reach()
		if !left && !x.cut {
			safe++
		}
		if seed%5 != 0 {
			for s := range arrivals {
				for _, c := range found[s.node] {
					told++
					require.True(t, x.holds(c, s), "seed %d: %v", seed, c)
				}
			}
		}
		if proof == nil {
			continue
		}
		require.False(t, left || x.cut, "seed %d", seed)
		proofs++
		if proof.K > 0 {
			deep++
		}
		for s := range arrivals {
			i := slices.Index(proof.CutPoints, CutPoint{s.node, s.spec})
			require.GreaterOrEqual(t, i, 0, "seed %d", seed)
			for _, c := range proof.Invariants[i] {
				require.True(t, x.holds(c, s), "seed %d: %v", seed, c)
			}
		}
		taken, err := induction.Taken(t.Context(), 1<<40)
		require.NoError(t, err)
		for id, is := range x.taken {
			require.True(t, !is || taken[id], "seed %d: edge %d", seed, id)
		}
	}
	t.Logf("%d safe, %d proofs, %d of them assume a layer", safe, proofs, deep)
	assert.Greater(t, safe, programs/10)
	assert.Greater(t, 10*proofs, 9*safe)
	if !testing.Short() { // one in some hundred
		assert.Positive(t, deep)
	}
	assert.Greater(t, told, programs/10)
}

// holds reports whether a condition holds in a state.
func (x *explorer) holds(c *expr.Expr, s state) bool {
	return expr.Eval(c, func(v *expr.Expr) uint64 { return s.vals[slices.Index(x.vars, v)] }) == 1
}

// reach finds all states that a loop was closed to, and whether a run leaves the specification.
func (x *explorer) reach() (left bool, arrivals map[state]bool) {
	arrivals = map[state]bool{}
	for now := x.initial(); len(now) > 0; {
		behind, l := x.layer(now)
		left = left || l
		now = map[state]bool{}
		for s := range behind {
			if !arrivals[s] {
				arrivals[s], now[s] = true, true
			}
		}
	}
	return left, arrivals
}

// An invariant about a variable that only the loop before reads is found, and one that no layer
// keeps by itself.
func TestProofsOfLoops(t *testing.T) {
	for _, test := range []struct {
		name  string
		locs  func(p *expr.Pool, n, i, k *expr.Expr) []cfa.Location
		right bool
	}{
		{"counted up, then down", func(p *expr.Pool, n, i, k *expr.Expr) []cfa.Location {
			zero, one := p.Int(expr.Int32, 0), p.Int(expr.Int32, 1)
			j := p.Var("j", expr.Int32)
			return []cfa.Location{
				{Stmt: cfa.Assign{LHS: i, RHS: zero}, Succ: []cfa.Loc{1}},
				{Stmt: cfa.Assign{LHS: k, RHS: zero}, Succ: []cfa.Loc{2}},
				{Stmt: cfa.Branch{Cond: p.Lt(i, n)}, Succ: []cfa.Loc{3, 5}},
				{Stmt: cfa.Assign{LHS: i, RHS: p.Add(i, one)}, Succ: []cfa.Loc{4}},
				{Stmt: cfa.Assign{LHS: k, RHS: p.Add(k, one)}, Succ: []cfa.Loc{2}},
				{Stmt: cfa.Assign{LHS: j, RHS: zero}, Succ: []cfa.Loc{6}},
				{Stmt: cfa.Branch{Cond: p.Lt(j, n)}, Succ: []cfa.Loc{7, 11}},
				{Stmt: cfa.Branch{Cond: p.Lt(zero, k)}, Succ: []cfa.Loc{8, 10}},
				{Stmt: cfa.Assign{LHS: j, RHS: p.Add(j, one)}, Succ: []cfa.Loc{9}},
				{Stmt: cfa.Assign{LHS: k, RHS: p.Sub(k, one)}, Succ: []cfa.Loc{6}},
				{Stmt: cfa.Act{Action: "error"}, Succ: []cfa.Loc{11}},
				{Stmt: cfa.Halt{}},
			}
		}, true},
		{"even for ever", func(p *expr.Pool, n, i, k *expr.Expr) []cfa.Location {
			zero, two := p.Int(expr.Int32, 0), p.Int(expr.Int32, 2)
			return []cfa.Location{
				{Stmt: cfa.Assign{LHS: i, RHS: zero}, Succ: []cfa.Loc{1}},
				{Stmt: cfa.Assign{LHS: i, RHS: p.Add(i, two)}, Succ: []cfa.Loc{2}},
				{Stmt: cfa.Branch{Cond: p.Eq(i, p.Int(expr.Int32, 77))}, Succ: []cfa.Loc{3, 1}},
				{Stmt: cfa.Act{Action: "error"}, Succ: []cfa.Loc{4}},
				{Stmt: cfa.Halt{}},
			}
		}, true},
		{"one too many", func(p *expr.Pool, n, i, k *expr.Expr) []cfa.Location {
			zero, one := p.Int(expr.Int32, 0), p.Int(expr.Int32, 1)
			return []cfa.Location{
				{Stmt: cfa.Assign{LHS: i, RHS: zero}, Succ: []cfa.Loc{1}},
				{Stmt: cfa.Assign{LHS: i, RHS: p.Add(i, one)}, Succ: []cfa.Loc{2}},
				{Stmt: cfa.Branch{Cond: p.Eq(i, p.Int(expr.Int32, 5))}, Succ: []cfa.Loc{3, 1}},
				{Stmt: cfa.Act{Action: "error"}, Succ: []cfa.Loc{4}},
				{Stmt: cfa.Halt{}},
			}
		}, false},
		{"every element set to its index", func(p *expr.Pool, n, i, k *expr.Expr) []cfa.Location {
			return passes(p, n, i, k, 0)
		}, true},
		{"every element but the first set to its index", func(p *expr.Pool, n, i, k *expr.Expr) []cfa.Location {
			return passes(p, n, i, k, 1)
		}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, actions := expr.NewPool(), lts.NewActions()
			v := func(name string) *expr.Expr { return p.Var(name, expr.Int32) }
			auto := &cfa.CFA{Name: "f", Pool: p, Frames: []cfa.Frame{{Proc: "f", Parent: -1}},
				Locs: test.locs(p, v("n"), v("i"), v("k"))}
			b := lts.NewBuilder(actions)
			b.AddState("")
			b.Alphabet(actions.Intern("error"))
			g := component.NewGraph(&component.Component{CFA: auto, Actions: actions})
			induction, err := NewInduction(t.Context(), g, b.Build(), nil)
			require.NoError(t, err)
			proof, over, err := induction.Prove(t.Context(), 1<<24)
			require.NoError(t, err)
			require.Equal(t, test.right, proof != nil)
			require.Equal(t, !test.right, over)
		})
	}
}

// passes sets element k of n, which stands for any of them, to its index in a loop that begins with an element, and
// checks them all in another loop.
func passes(p *expr.Pool, n, i, k *expr.Expr, first int64) []cfa.Location {
	zero, one, a, j := p.Int(expr.Int32, 0), p.Int(expr.Int32, 1), p.Var("a", expr.Int32), p.Var("j", expr.Int32)
	return []cfa.Location{
		{Stmt: cfa.Branch{Cond: p.Land(p.Le(zero, k), p.Lt(k, n))}, Succ: []cfa.Loc{1, 11}},
		{Stmt: cfa.Assign{LHS: i, RHS: p.Int(expr.Int32, first)}, Succ: []cfa.Loc{2}},
		{Stmt: cfa.Branch{Cond: p.Lt(i, n)}, Succ: []cfa.Loc{3, 6}},
		{Stmt: cfa.Branch{Cond: p.Eq(i, k)}, Succ: []cfa.Loc{4, 5}},
		{Stmt: cfa.Assign{LHS: a, RHS: i}, Succ: []cfa.Loc{5}},
		{Stmt: cfa.Assign{LHS: i, RHS: p.Add(i, one)}, Succ: []cfa.Loc{2}},
		{Stmt: cfa.Assign{LHS: j, RHS: zero}, Succ: []cfa.Loc{7}},
		{Stmt: cfa.Branch{Cond: p.Lt(j, n)}, Succ: []cfa.Loc{8, 11}},
		{Stmt: cfa.Branch{Cond: p.Land(p.Eq(j, k), p.Ne(a, j))}, Succ: []cfa.Loc{10, 9}},
		{Stmt: cfa.Assign{LHS: j, RHS: p.Add(j, one)}, Succ: []cfa.Loc{7}},
		{Stmt: cfa.Act{Action: "error"}, Succ: []cfa.Loc{11}},
		{Stmt: cfa.Halt{}},
	}
}
