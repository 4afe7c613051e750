package component_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/internal/countdown"
	"magus/lts"
	"magus/smt/expr"
)

// graphOf is the control graph of a program's function f, which performs a, b and c, and returns.
func graphOf(t *testing.T, body string) *component.Graph {
	t.Helper()
	c := claim(t, "void a(void); void b(void); void c(void); int any(void); int x, y;\n"+body, `
		A = ( a -> return {} -> STOP ). B = ( b -> return {} -> STOP ). C = ( c -> return {} -> STOP ).
		procedure a { abstract { a, (1), A }; } procedure b { abstract { b, (1), B }; } procedure c { abstract { c, (1), C }; }
		S = ( a -> S | b -> S | c -> S | return {$0 == 1} -> STOP ).
		program f { specification s, {1}, S; }`)
	return component.NewGraph(bind(t, c, 0).Components[0])
}

// choices are what fresh variables may be when graphs are executed. A graph of large blocks chooses the same
// ones for the same variables, so that both have the same runs.
var choices = []uint64{0, 1, 2}

// executed is the LTS of a graph, by doing what its edges say: control and the values of variables, of which
// all are 0 at the start. It shares nothing with abstraction but the terms.
func executed(t *testing.T, g *component.Graph) *lts.LTS {
	t.Helper()
	var vars []*expr.Expr
	for _, v := range g.Comp.CFA.Vars {
		vars = append(vars, v.Expr)
	}
	b := lts.NewBuilder(g.Comp.Actions)
	numbers, waiting := map[string]lts.State{}, []func(){}
	var visit func(at component.Node, values map[*expr.Expr]uint64) lts.State
	visit = func(at component.Node, values map[*expr.Expr]uint64) lts.State {
		key := fmt.Sprint(at)
		for _, v := range vars {
			key += fmt.Sprint(" ", values[v])
		}
		if s, met := numbers[key]; met {
			return s
		}
		s := b.AddState("")
		numbers[key] = s
		require.Less(t, len(numbers), 20_000)
		waiting = append(waiting, func() {
			for _, id := range g.Out(at) {
				e := &g.Edges[id]
				var fresh []*expr.Expr
				terms := slices.Clone(e.Guard)
				for _, u := range e.Update {
					terms = append(terms, u.Term)
				}
				for _, v := range expr.Vars(terms...) {
					if g.IsFresh(v) {
						fresh = append(fresh, v)
					}
				}
				chosen := make([]int, len(fresh))
				for more := true; more; {
					env := func(v *expr.Expr) uint64 {
						if i := slices.Index(fresh, v); i >= 0 {
							return choices[chosen[i]]
						}
						return values[v]
					}
					if !slices.ContainsFunc(e.Guard, func(c *expr.Expr) bool { return expr.Eval(c, env) == 0 }) {
						next := map[*expr.Expr]uint64{}
						for v, n := range values {
							next[v] = n
						}
						for _, u := range e.Update {
							next[u.Var] = expr.Eval(u.Term, env)
						}
						b.AddEdge(s, e.Action, visit(e.To, next))
					}
					more = false
					for i := range chosen {
						if chosen[i]++; chosen[i] < len(choices) {
							more = true
							break
						}
						chosen[i] = 0
					}
				}
			}
		})
		return s
	}
	visit(component.Init, map[*expr.Expr]uint64{})
	for len(waiting) > 0 {
		next := waiting[0]
		waiting = waiting[1:]
		next()
	}
	b.Alphabet(g.Alphabet()...)
	return b.Build()
}

// randomBody is a function f with small loops, choices, gotos, calls and returns.
func randomBody(r *rand.Rand) string {
	var statement func(depth int) string
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	statement = func(depth int) string {
		cond := pick("x == 1", "y != 2", "x < y", "any()", "x && !y", "x || y == 1")
		switch n := r.IntN(10); {
		case n < 4 || depth == 0:
			return pick("x = 1;", "y = x;", "x = y + 1 & 3;", "x = any();", "y = any();",
				"{ int t = x; x = y; y = t; }", "x = 2; y = x;")
		case n < 6:
			return pick("a();", "b();", "c();")
		case n < 7:
			return "if (" + cond + ") { " + statement(depth-1) + " } else { " + statement(depth-1) + statement(depth-1) + " }"
		case n < 8:
			return "while (" + cond + ") { " + statement(depth-1) + statement(depth-1) + " }"
		case n < 9:
			return "if (" + cond + ") return x;"
		}
		return statement(depth-1) + " " + statement(depth-1) + " " + statement(depth-1)
	}
	var b strings.Builder
	b.WriteString("int f(void) { x = 0; y = 0; ")
	for range 2 + r.IntN(4) {
		b.WriteString(statement(3))
	}
	b.WriteString(" return y; }")
	return b.String()
}

// The law of large blocks: the graph has the same weak traces, whatever is taken out, and its edges stand for
// paths of the graph it was made of.
func TestLargeBlocksHaveTheSameTraces(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	taken := 0
	for range 150 {
		body := randomBody(r)
		g := graphOf(t, body)
		large, err := g.LargeBlocks(context.Background())
		require.NoError(t, err)
		taken += requireParts(t, g, large)
		require.LessOrEqual(t, len(large.Edges), len(g.Edges))
		require.Equal(t, g.Alphabet(), large.Alphabet())
		got, err := lts.Compare(context.Background(), executed(t, g), executed(t, large), lts.WeakTraceEq, lts.Limits{})
		require.NoError(t, err)
		require.True(t, got.Holds, body)
	}
	require.Greater(t, taken, 300)
}

// requireParts requires that edges stand for paths, in the order of their first parts, between nodes that are
// not passed. It returns how many nodes are.
func requireParts(t *testing.T, g, large *component.Graph) (passed int) {
	t.Helper()
	require.Same(t, g, large.Base())
	require.Same(t, g, g.Base())
	again, err := large.LargeBlocks(context.Background())
	require.NoError(t, err)
	require.Same(t, large, again)
	require.Equal(t, g.NumNodes(), large.NumNodes())
	for n := range component.Node(g.NumNodes()) {
		require.False(t, g.Passed(n))
		if large.Passed(n) {
			passed++
			require.Empty(t, large.In(n))
			require.Empty(t, large.Out(n))
		}
	}
	before := []int32{-1}
	for id := range int32(len(large.Edges)) {
		e, parts := large.Edges[id], large.Parts(id)
		require.Equal(t, int(id), e.ID)
		require.NotEmpty(t, parts)
		require.Positive(t, slices.Compare(parts, before), "in the order of their parts")
		before = parts
		at := e.From
		var actions []lts.Action
		for i, p := range parts {
			require.Equal(t, at, g.Edges[p].From)
			at = g.Edges[p].To
			require.Equal(t, i+1 < len(parts), large.Passed(at))
			if a := g.Edges[p].Action; a != lts.Tau {
				actions = append(actions, a)
			}
		}
		require.Equal(t, e.To, at)
		require.Equal(t, e.Loc, g.Edges[parts[0]].Loc)
		if e.Action == lts.Tau {
			require.Empty(t, actions)
		} else {
			require.Equal(t, []lts.Action{e.Action}, actions)
		}
		require.Equal(t, parts, large.Program([]int32{id}))
		require.Equal(t, []int32{id}, g.Parts(id))
	}
	for range 20 { // a path, and where its parts are
		var path []int32
		for n := range 4 {
			path = append(path, int32(n*7%len(large.Edges)))
		}
		var want []component.PathPart
		var positions []int
		for step, id := range path {
			for part := range large.Parts(id) {
				positions, want = append(positions, len(positions)), append(want, component.PathPart{Step: step, Part: part})
			}
		}
		require.Equal(t, want, large.Within(path, positions))
		require.Equal(t, want[len(want)-1:], large.Within(path, positions[len(positions)-1:]))
		require.Len(t, large.Program(path), len(positions))
		require.Equal(t, path, g.Program(path))
	}
	return passed
}

// shapeOf are the edges of the large blocks of a program, in short.
func shapeOf(t *testing.T, body string) []string {
	t.Helper()
	large, err := graphOf(t, body).LargeBlocks(context.Background())
	require.NoError(t, err)
	var all []string
	for _, e := range large.Edges {
		name := "tau"
		if e.Action != lts.Tau {
			name = large.Comp.Actions.Name(e.Action)
		}
		all = append(all, fmt.Sprintf("%s: %d parts, %d conditions, %d values", name,
			len(large.Parts(int32(e.ID))), len(e.Guard), len(e.Update)))
	}
	return all
}

// What is taken out is all that may be.
func TestLargeBlocksOfSmallPrograms(t *testing.T) {
	for what, test := range map[string]struct {
		body string
		want []string
	}{
		"straight on": {"int f(void) { x = 1; y = x + 1; x = y; return 1; }",
			[]string{"tau: 1 parts, 0 conditions, 0 values", "return{$0 == 1}: 6 parts, 0 conditions, 2 values"}},
		"a choice that comes together": {"int f(void) { if (x) y = 1; else y = 2; x = y; return 1; }",
			[]string{"tau: 1 parts, 0 conditions, 0 values", "return{$0 == 1}: 6 parts, 0 conditions, 2 values",
				"return{$0 == 1}: 3 parts, 0 conditions, 2 values"}},
		"a choice that no value makes": {"int f(void) { y = 1; if (y == 2) x = 3; return 1; }",
			[]string{"tau: 1 parts, 0 conditions, 0 values", "return{$0 == 1}: 5 parts, 0 conditions, 2 values",
				"return{$0 == 1}: 2 parts, 0 conditions, 1 values"}},
		"one condition after the same": {"int f(void) { if (x) y = 1; if (x) y = 2; return 1; }",
			[]string{"tau: 1 parts, 0 conditions, 0 values", "return{$0 == 1}: 5 parts, 0 conditions, 2 values",
				"return{$0 == 1}: 3 parts, 1 conditions, 1 values", "return{$0 == 1}: 4 parts, 1 conditions, 1 values"}},
		"two actions": {"int f(void) { a(); b(); return 1; }",
			[]string{"tau: 1 parts, 0 conditions, 0 values", "tau: 1 parts, 0 conditions, 0 values",
				"a: 1 parts, 0 conditions, 0 values", "tau: 1 parts, 0 conditions, 0 values",
				"tau: 1 parts, 0 conditions, 0 values", "b: 1 parts, 0 conditions, 0 values",
				"return{$0 == 1}: 2 parts, 0 conditions, 0 values"}},
		"a loop": {"int f(void) { while (any()) x = x + 1; return 1; }",
			[]string{"tau: 1 parts, 0 conditions, 0 values", "tau: 1 parts, 0 conditions, 1 values",
				"return{$0 == 1}: 3 parts, 1 conditions, 1 values", "tau: 3 parts, 1 conditions, 2 values"}},
		"values that are chosen one by another": {"int f(void) { x = any(); y = any(); x = any(); return 1; }",
			[]string{"tau: 1 parts, 0 conditions, 0 values", "tau: 4 parts, 0 conditions, 2 values",
				"return{$0 == 1}: 2 parts, 0 conditions, 1 values"}},
		"what is not reached": {"int f(void) { return 1; x = 2; y = 1; return 2; }",
			[]string{"tau: 1 parts, 0 conditions, 0 values", "return{$0 == 1}: 1 parts, 0 conditions, 0 values"}},
	} {
		t.Run(what, func(t *testing.T) { require.Equal(t, test.want, shapeOf(t, test.body)) })
	}
}

// An edge stands for so many parts at most, and has so many conditions.
func TestLargeBlocksAreBounded(t *testing.T) {
	body := "int f(void) { " + strings.Repeat("x = x + 1; y = x; ", 130) + "return 1; }"
	parts := 0
	for _, s := range shapeOf(t, body) {
		n := 0
		fmt.Sscanf(s[strings.Index(s, ": ")+2:], "%d", &n)
		parts = max(parts, n)
	}
	require.LessOrEqual(t, parts, 100)
	require.Greater(t, parts, 50)
}

func TestLargeBlocksEnd(t *testing.T) {
	g := graphOf(t, "int f(void) { x = 1; y = x + 1; x = y; return 1; }")
	ctx := countdown.Looks(t.Context(), 2)
	_, err := g.LargeBlocks(ctx)
	require.ErrorIs(t, err, context.Canceled)
}
