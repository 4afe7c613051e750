package predabs

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/component"
	"magus/internal/sample"
	"magus/lts"
	"magus/smt/embedded"
	"magus/smt/expr"
)

// A tiny random component over three variables of three bits, small enough
// that all its concrete states can be enumerated: the oracle of this package.
type randomComponent struct {
	*component.Component
	vars []*expr.Expr
}

var tiny = expr.Type{Width: 3, Signed: true}

func newRandomComponent(r *rand.Rand, size int) *randomComponent {
	p := expr.NewPool()
	c := &randomComponent{vars: []*expr.Expr{p.Var("a", tiny), p.Var("b", tiny), p.Var("c", expr.Type{Width: 2})}}
	auto := &cfa.CFA{Name: "f", Pool: p, Ret: tiny, Frames: []cfa.Frame{{Proc: "f", Parent: -1}}}
	for i := range size {
		auto.Locs = append(auto.Locs, c.location(r, p, size, cfa.Loc(i)))
	}
	for _, v := range c.vars {
		auto.Vars = append(auto.Vars, cfa.Var{Expr: v, Name: v.Name()})
	}
	actions := lts.NewActions()
	c.Component = &component.Component{CFA: auto, Actions: actions, Calls: c.calls(p, auto, actions)}
	if r.IntN(2) == 0 {
		c.Guard = c.cond(r, p)
	}
	if r.IntN(2) == 0 {
		e := p.Var("f:$0", tiny)
		c.Returns = component.Returns{Observed: true, Result: e, Other: actions.Intern("other"),
			Actions: []component.ReturnAction{
				{Action: actions.Intern("zero"), Cond: p.Not(p.Truth(e))},
				{Action: actions.Intern("neg"), Cond: p.Lt(e, p.Int(e.Type(), 0))},
			}}
	}
	return c
}

func (c *randomComponent) location(r *rand.Rand, p *expr.Pool, size int, at cfa.Loc) cfa.Location {
	next := func() cfa.Loc {
		if r.IntN(3) > 0 && int(at)+1 < size {
			return at + 1
		}
		return cfa.Loc(r.IntN(size))
	}
	v := c.vars[r.IntN(len(c.vars))]
	switch r.IntN(10) {
	case 0, 1, 2:
		return cfa.Location{Stmt: cfa.Assign{LHS: v, RHS: c.term(r, p, v.Type())}, Succ: []cfa.Loc{next()}}
	case 3:
		return cfa.Location{Stmt: cfa.Assign{LHS: v, Nondet: "any"}, Succ: []cfa.Loc{next()}}
	case 4, 5, 6:
		return cfa.Location{Stmt: cfa.Branch{Cond: c.cond(r, p)}, Succ: []cfa.Loc{next(), next()}}
	case 7:
		return cfa.Location{Stmt: cfa.Act{Action: []string{"x", "y"}[r.IntN(2)]}, Succ: []cfa.Loc{next()}}
	case 8:
		call := cfa.Call{Callee: "lib", Args: []*expr.Expr{c.vars[0]}, Ret: tiny, Clobbers: []*expr.Expr{c.vars[2]}}
		if r.IntN(2) == 0 {
			call.LHS = c.vars[r.IntN(2)]
		}
		return cfa.Location{Stmt: call, Succ: []cfa.Loc{next()}}
	}
	return cfa.Location{Stmt: cfa.Return{Value: c.term(r, p, tiny)}}
}

func (c *randomComponent) term(r *rand.Rand, p *expr.Pool, t expr.Type) *expr.Expr {
	v := p.Cast(t, c.vars[r.IntN(len(c.vars))])
	k := p.Int(t, int64(r.IntN(8)-4))
	switch r.IntN(5) {
	case 0:
		return k
	case 1:
		return v
	case 2:
		return p.Add(v, k)
	case 3:
		return p.Add(v, p.Cast(t, c.vars[r.IntN(len(c.vars))]))
	}
	return p.FromBool(t, c.cond(r, p))
}

func (c *randomComponent) cond(r *rand.Rand, p *expr.Pool) *expr.Expr {
	v, w := c.vars[r.IntN(len(c.vars))], c.vars[r.IntN(len(c.vars))]
	k := p.Int(v.Type(), int64(r.IntN(8)-4))
	switch r.IntN(5) {
	case 0, 1:
		return p.Eq(v, k)
	case 2:
		return p.Lt(v, k)
	case 3:
		return p.Lt(v, p.Cast(v.Type(), w))
	}
	return p.Land(p.Eq(v, p.Cast(v.Type(), w)), p.Ne(w, p.Int(w.Type(), 1)))
}

// calls gives lib the abstraction ⟨arg < 0, x then return 1⟩, ⟨arg >= 0,
// return any⟩.
func (c *randomComponent) calls(p *expr.Pool, auto *cfa.CFA, actions *lts.Actions) map[cfa.Loc]component.Call {
	one, ret := actions.Intern("return{1}"), actions.Intern("return{}")
	b := lts.NewBuilder(actions)
	s0, s1, stop := b.AddState(""), b.AddState(""), b.AddState("")
	b.AddEdge(s0, actions.Intern("x"), s1)
	b.AddEdge(s1, one, stop)
	first := b.Build()
	b = lts.NewBuilder(actions)
	s0, stop = b.AddState(""), b.AddState("")
	b.AddEdge(s0, ret, stop)
	second := b.Build()
	calls := map[cfa.Loc]component.Call{}
	for l := range auto.Locs {
		call, ok := auto.Locs[l].Stmt.(cfa.Call)
		if !ok {
			continue
		}
		bound := component.Call{}
		returnsOne := map[lts.Action]*expr.Expr{one: nil}
		if call.LHS != nil {
			bound.Result = component.Prime(p, call.LHS)
			returnsOne[one] = p.Eq(bound.Result, p.Int(bound.Result.Type(), 1))
		}
		neg := p.Lt(call.Args[0], p.Int(tiny, 0))
		bound.Choices = []component.Choice{{Guard: neg, LTS: first, Returns: returnsOne},
			{Guard: p.Not(neg), LTS: second, Returns: map[lts.Action]*expr.Expr{ret: nil}}}
		calls[cfa.Loc(l)] = bound
	}
	return calls
}

// concrete enumerates the concrete transition system over the control graph.
type concrete struct {
	g    *component.Graph
	vars []*expr.Expr
}

type concreteState struct {
	node component.Node
	vals [3]uint64
}

func (k concrete) successors(s concreteState, e *component.Edge) []concreteState {
	terms := slices.Clone(e.Guard)
	for _, u := range e.Update {
		terms = append(terms, u.Term)
	}
	fresh := slices.DeleteFunc(expr.Vars(terms...), func(v *expr.Expr) bool { return !k.g.IsFresh(v) })
	var out []concreteState
	var choose func(i int, chosen map[*expr.Expr]uint64)
	choose = func(i int, chosen map[*expr.Expr]uint64) {
		if i < len(fresh) {
			for x := range uint64(1) << fresh[i].Type().Width {
				chosen[fresh[i]] = x
				choose(i+1, chosen)
			}
			return
		}
		env := func(v *expr.Expr) uint64 {
			if x, ok := chosen[v]; ok {
				return x
			}
			return s.vals[slices.Index(k.vars, v)]
		}
		for _, c := range e.Guard {
			if expr.Eval(c, env) == 0 {
				return
			}
		}
		t := concreteState{e.To, s.vals}
		for _, u := range e.Update {
			t.vals[slices.Index(k.vars, u.Var)] = expr.Eval(u.Term, env)
		}
		out = append(out, t)
	}
	choose(0, map[*expr.Expr]uint64{})
	return out
}

func (k concrete) initial() []concreteState {
	var out []concreteState
	for a := range uint64(8) {
		for b := range uint64(8) {
			for c := range uint64(4) {
				out = append(out, concreteState{component.Init, [3]uint64{a, b, c}})
			}
		}
	}
	return out
}

// lts is the whole concrete system with one silent step to each initial state.
func (k concrete) lts(actions *lts.Actions) *lts.LTS {
	b := lts.NewBuilder(actions)
	b.SetInit(b.AddState("start"))
	number := map[concreteState]lts.State{}
	var todo []concreteState
	at := func(s concreteState) lts.State {
		n, ok := number[s]
		if !ok {
			n = b.AddState("")
			number[s] = n
			todo = append(todo, s)
		}
		return n
	}
	for _, s := range k.initial() {
		b.AddEdge(0, lts.Tau, at(s))
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, id := range k.g.Out(s.node) {
			e := &k.g.Edges[id]
			for _, t := range k.successors(s, e) {
				b.AddEdge(at(s), e.Action, at(t))
			}
		}
	}
	return b.Build()
}

// along are the states that all states at a node lead to along a path, from each.
func (k concrete) along(from component.Node, path []int32) []map[concreteState]bool {
	var all []map[concreteState]bool
	for _, s := range k.initial() {
		s.node = from
		all = append(all, k.run(map[concreteState]bool{s: true}, path))
	}
	return all
}

// run are the states behind a path from some.
func (k concrete) run(now map[concreteState]bool, path []int32) map[concreteState]bool {
	for _, id := range path {
		next := map[concreteState]bool{}
		for s := range now {
			for _, t := range k.successors(s, &k.g.Edges[id]) {
				next[t] = true
			}
		}
		now = next
	}
	return now
}

// feasible runs all initial states along a path.
func (k concrete) feasible(path []int32) bool {
	now := map[concreteState]bool{}
	for _, s := range k.initial() {
		now[s] = true
	}
	return len(k.run(now, path)) > 0
}

// backward is the reference for Feasible: section 6.1's weakest precondition
// of the path, decided by enumeration.
func (k concrete) backward(p *expr.Pool, path []int32) bool {
	x := p.True()
	n := 0
	for i := len(path) - 1; i >= 0; i-- {
		e := &k.g.Edges[path[i]]
		by := map[*expr.Expr]*expr.Expr{}
		rename := map[*expr.Expr]*expr.Expr{}
		terms := slices.Clone(e.Guard)
		for _, u := range e.Update {
			terms = append(terms, u.Term)
		}
		for _, f := range slices.DeleteFunc(expr.Vars(terms...), func(v *expr.Expr) bool { return !k.g.IsFresh(v) }) {
			n++
			rename[f] = p.Var(fmt.Sprintf("%s:%d", f.Name(), n), f.Type())
		}
		for _, u := range e.Update {
			by[u.Var] = p.Subst(u.Term, rename)
		}
		x = p.Subst(x, by)
		for _, g := range e.Guard {
			x = p.Land(x, p.Subst(g, rename))
		}
	}
	s := embedded.New(p)
	answer, err := s.Check(context.Background(), x)
	if err != nil {
		panic(err)
	}
	return answer.String() == "sat"
}

// alongPath reports whether MP has a run along the control points of a path.
func alongPath(m *MP, path []int32) bool {
	now := map[lts.State]bool{m.LTS.Init(): true}
	for _, id := range path {
		e := &m.x.Graph.Edges[id]
		next := map[lts.State]bool{}
		for s := range now {
			val := m.vals[int(s)*m.words : (int(s)+1)*m.words]
			_ = m.post(context.Background(), e, m.known[s], val, newPostBuffer(m.words), func(known int32, v []uint64) error {
				for _, step := range m.LTS.Out(s) {
					if step.Action == e.Action && m.nodes[step.To] == e.To && m.known[step.To] == known &&
						slices.Equal(v, m.vals[int(step.To)*m.words:(int(step.To)+1)*m.words]) {
						next[step.To] = true
					}
				}
				return nil
			})
		}
		now = next
	}
	return len(now) > 0
}

func randomPath(r *rand.Rand, m *MP, length int) []lts.Edge {
	s := m.LTS.Init()
	var path []lts.Edge
	for range length {
		out := m.LTS.Out(s)
		if len(out) == 0 {
			break
		}
		e := out[r.IntN(len(out))]
		path = append(path, e)
		s = e.To
	}
	return path
}

// keep stores a path.
func keep(t *testing.T, x *Abstraction, steps []int32) Path {
	p, err := x.Keep(steps)
	require.NoError(t, err)
	require.True(t, slices.Equal(steps, x.Steps(p)))
	return p
}

func randomSet(r *rand.Rand, n int) []int {
	var set []int
	for i := range n {
		if r.IntN(2) == 0 {
			set = append(set, i)
		}
	}
	return set
}

// blocks are options with large blocks for every other seed.
func blocks(seed uint64) Options { return Options{LargeBlocks: seed%2 == 1} }

// seeds are those of the components that a test looks at.
func seeds() iter.Seq[uint64] { return sample.Seeds(0, sample.Count(120)) }

// TestRandomMPHasAllTraces: L(C) ⊆ L(MP(P)) for any P, C enumerated.
func TestRandomMPHasAllTraces(t *testing.T) {
	ctx := context.Background()
	for seed := range seeds() {
		r := rand.New(rand.NewPCG(seed, 1))
		c := newRandomComponent(r, 3+r.IntN(7))
		x := abstractionOf(t, c.Component, blocks(seed))
		whole := concrete{g: x.Graph.Base(), vars: c.vars}.lts(c.Actions)
		for range 3 {
			set := randomSet(r, len(x.Candidates))
			m, err := x.Build(ctx, set, 0)
			require.NoError(t, err)
			res, err := lts.Contains(ctx, []*lts.LTS{whole}, m.LTS, lts.Limits{})
			require.NoError(t, err)
			require.Equal(t, lts.Holds, res.Verdict, "seed %d, set %v", seed, set)
		}
	}
}

// TestRandomLargeBlocks: the graph of large blocks has the traces of the program's, and each of its edges
// does what its parts do.
func TestRandomLargeBlocks(t *testing.T) {
	ctx := context.Background()
	passed, joined := 0, 0
	for seed := range sample.Seeds(0, sample.Count(60)) {
		r := rand.New(rand.NewPCG(seed, 5))
		c := newRandomComponent(r, 4+r.IntN(10))
		g := component.NewGraph(c.Component)
		large, err := g.LargeBlocks(ctx)
		require.NoError(t, err)
		require.Equal(t, g.Alphabet(), large.Alphabet(), "seed %d", seed)
		for n := range component.Node(g.NumNodes()) {
			if large.Passed(n) {
				passed++
				require.Empty(t, large.Out(n), "seed %d", seed)
				require.Empty(t, large.In(n), "seed %d", seed)
			}
		}
		plain, block := concrete{g: g, vars: c.vars}, concrete{g: large, vars: c.vars}
		for id := range large.Edges {
			parts := large.Parts(int32(id))
			if len(parts) > 1 {
				joined++
			}
			require.Equal(t, plain.along(large.Edges[id].From, parts),
				block.along(large.Edges[id].From, []int32{int32(id)}), "seed %d", seed)
		}
		all, some := plain.lts(c.Actions), block.lts(c.Actions)
		for _, pair := range [][2]*lts.LTS{{all, some}, {some, all}} {
			res, err := lts.Contains(ctx, pair[:1], pair[1], lts.Limits{})
			require.NoError(t, err)
			require.Equal(t, lts.Holds, res.Verdict, "seed %d", seed)
		}
	}
	require.Positive(t, passed)
	require.Positive(t, joined)
	t.Logf("%d control points taken out, %d edges that stand for several", passed, joined)
}

// TestRandomTracked: leaving out what nothing is known of changes no path of MP,
// and makes it smaller.
func TestRandomTracked(t *testing.T) {
	ctx := context.Background()
	tracked, all := 0, 0
	for seed := range seeds() {
		r := rand.New(rand.NewPCG(seed, 4))
		c := newRandomComponent(r, 4+r.IntN(8))
		x := abstractionOf(t, c.Component, blocks(seed))
		y := abstractionOf(t, c.Component, Options{Global: true, LargeBlocks: seed%2 == 1})
		set := randomSet(r, len(x.Candidates))
		m, err := x.Build(ctx, set, 0)
		require.NoError(t, err)
		g, err := y.Build(ctx, set, 0)
		require.NoError(t, err)
		tracked, all = tracked+m.LTS.NumStates(), all+g.LTS.NumStates()
		for _, pair := range [][2]*MP{{m, g}, {g, m}} {
			res, err := lts.Contains(ctx, []*lts.LTS{pair[0].LTS}, pair[1].LTS, lts.Limits{})
			require.NoError(t, err)
			require.Equal(t, lts.Holds, res.Verdict, "seed %d", seed)
			for range 10 {
				path, err := pair[0].Edges(ctx, randomPath(r, pair[0], 4+r.IntN(12)))
				require.NoError(t, err)
				require.True(t, alongPath(pair[1], path), "seed %d", seed)
			}
		}
	}
	require.Less(t, tracked, all)
	t.Logf("%d states instead of %d", tracked, all)
}

// TestRandomPaths: feasibility agrees with enumeration and with the backward
// reference; elimination agrees with MP; it is monotone; and what discovery
// adds eliminates what it was made for.
func TestRandomPaths(t *testing.T) {
	ctx := context.Background()
	feasible, spurious, eliminated := 0, 0, 0
	for seed := range seeds() {
		r := rand.New(rand.NewPCG(seed, 2))
		c := newRandomComponent(r, 4+r.IntN(8))
		x := abstractionOf(t, c.Component, blocks(seed))
		k := concrete{g: x.Graph, vars: c.vars}
		coarse, err := x.Build(ctx, nil, 0)
		require.NoError(t, err)
		for range 5 {
			path, err := coarse.Edges(ctx, randomPath(r, coarse, 4+r.IntN(12)))
			require.NoError(t, err)
			p := keep(t, x, path)
			f, err := x.Feasible(ctx, p)
			require.NoError(t, err)
			require.Equal(t, k.feasible(path), f.Feasible, "seed %d", seed)
			require.Equal(t, k.backward(c.CFA.Pool, path), f.Feasible, "seed %d", seed)
			set := randomSet(r, len(x.Candidates))
			gone, err := x.Eliminates(ctx, p, set)
			require.NoError(t, err)
			plain := x.eliminator.follow(ctx, path, set)
			require.Contains(t, []error{nil, errEmpty, errRows}, plain)
			// In a cluster too large for masks only some candidates count.
			large := slices.ContainsFunc(x.eliminator.index().list, func(k *cluster) bool {
				fits, err := k.prepare(context.Background())
				require.NoError(t, err)
				return !fits
			})
			require.True(t, plain == errEmpty == gone || large && !gone, "seed %d: clusters and plain", seed)
			relevant, err := x.Relevant(ctx, p)
			require.NoError(t, err)
			part, err := x.Eliminates(ctx, p,
				slices.DeleteFunc(slices.Clone(set), func(c int) bool { return !slices.Contains(relevant, c) }))
			require.NoError(t, err)
			require.Equal(t, gone, part, "seed %d: relevance", seed)
			m, err := x.Build(ctx, set, 0)
			require.NoError(t, err)
			require.True(t, alongPath(m, path) != gone || large && !gone, "seed %d: elimination and MP", seed)
			if f.Feasible {
				feasible++
				require.False(t, gone, "seed %d: a feasible path is eliminated", seed)
				continue
			}
			spurious++
			if gone {
				eliminated++
				all := make([]int, len(x.Candidates))
				for i := range all {
					all[i] = i
				}
				more, err := x.Eliminates(ctx, p, all)
				require.NoError(t, err)
				if !more { // only the limit on rows excuses it
					require.Equal(t, error(errRows), x.eliminator.follow(ctx, path, all), "seed %d: monotone", seed)
				}
			}
		}
	}
	require.Greater(t, feasible, 0)
	require.Greater(t, spurious, 0)
	require.Greater(t, eliminated, 0)
	t.Logf("%d feasible, %d spurious paths, %d eliminated by a random half of the candidates", feasible,
		spurious, eliminated)
}

// TestRandomDiscovery: candidates from the path itself eliminate it, but for
// the few where a value chosen on the way would have to be quantified.
func TestRandomDiscovery(t *testing.T) {
	ctx := context.Background()
	tried, excluded := 0, 0
	for seed := range seeds() {
		r := rand.New(rand.NewPCG(seed, 3))
		c := newRandomComponent(r, 4+r.IntN(8))
		x := abstractionOf(t, c.Component, blocks(seed))
		coarse, err := x.Build(ctx, nil, 0)
		require.NoError(t, err)
		path, err := coarse.Edges(ctx, randomPath(r, coarse, 4+r.IntN(12)))
		require.NoError(t, err)
		p := keep(t, x, path)
		f, err := x.Feasible(ctx, p)
		require.NoError(t, err)
		if f.Feasible {
			continue
		}
		tried++
		first := len(x.Candidates)
		x.Discover(p, f.Core)
		var set []int
		for i := first; i < len(x.Candidates); i++ {
			set = append(set, i)
		}
		gone, err := x.Eliminates(ctx, p, set)
		require.NoError(t, err)
		if gone {
			excluded++
		}
	}
	require.Greater(t, tried, 0)
	require.GreaterOrEqual(t, 100*excluded, 98*tried, "%d of %d", excluded, tried)
	t.Logf("%d of %d spurious paths excluded", excluded, tried)
}
