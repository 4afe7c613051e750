package component_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/source"
	"magus/component"
	"magus/lts"
	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/specs"
)

// claim reads C and the one program specification of a file.
func claim(t *testing.T, c, spec string) *component.Claim {
	t.Helper()
	program, err := source.Parse(context.Background(), []source.Source{{Name: "t.c", Text: []byte(c)}}, source.Options{})
	require.NoError(t, err)
	file, err := specs.Parse(context.Background(), []specs.Source{{Name: "t.spec", Text: []byte(spec)}}, nil)
	require.NoError(t, err)
	sources := &component.Sources{Program: program, Specs: file, LongWidth: 64}
	return sources.ProgramClaim(file.Programs[0], file.Programs[0].Specs[0])
}

// bind binds the components in the given order and puts them together in the
// claim's.
func bind(t *testing.T, c *component.Claim, order ...int) *component.System {
	t.Helper()
	ctx := context.Background()
	spec, err := c.Spec(context.Background(), lts.NewActions())
	require.NoError(t, err)
	comps := make([]*component.Component, len(c.Procedures))
	for _, i := range order {
		auto, err := c.Lower(ctx, i, component.Options{})
		require.NoError(t, err)
		before := text(spec)
		comps[i], err = c.Bind(ctx, i, auto, spec, embedded.New(auto.Pool))
		require.NoError(t, err)
		require.Equal(t, before, text(spec), "binding a component leaves the specification as it was")
	}
	system, err := c.NewSystem(ctx, spec, comps)
	require.NoError(t, err)
	return system
}

// text is an LTS in the names of its actions, in their order.
func text(m *lts.LTS) string {
	var lines []string
	for s := range lts.State(m.NumStates()) {
		for _, e := range m.Out(s) {
			lines = append(lines, fmt.Sprintf("%d -%s-> %d", s, m.Actions().Name(e.Action), e.To))
		}
	}
	names := m.Actions().Names(m.Alphabet())
	slices.Sort(lines)
	slices.Sort(names)
	return strings.Join(lines, "\n") + "\n" + strings.Join(names, ", ")
}

const pair = `
int one(int n) { return n; }
int two(int n) { return n; }
void three(void) { }`

// The returns of several components are observed each by its own conditions, in
// whatever order the components are bound.
func TestReturnsOfSeveralComponents(t *testing.T) {
	c := claim(t, pair, `
		R = ( one:return {$0 > 5} -> S | one:return {$0 >= 0} -> STOP | one:return {$0 > 5 && $0 < 0} -> STOP ),
		S = ( two:return {$0 == 1} -> STOP | three:return {} -> STOP ).
		program one, two, three { specification r, {1, 1, 1}, R; }`)
	system := bind(t, c, 0, 1, 2)
	want := text(system.Spec)
	require.Contains(t, want, "one:return{$0 > 5} and one:return{$0 >= 0}", "what satisfies both is an action of its own")
	require.NotContains(t, want, "0 -one:return{$0 > 5}-> ", "no value satisfies the first without the second")
	require.NotContains(t, want, "0 -one:return{$0 > 5 && $0 < 0}-> ", "no value satisfies it")
	for _, name := range []string{"one:return{other}", "two:return{other}", "three:return{other}"} {
		require.Contains(t, want, name)
		require.NotContains(t, want, "-"+name+"->")
	}
	require.Equal(t, want, text(bind(t, c, 2, 1, 0).Spec))
	require.Equal(t, want, text(bind(t, c, 1, 2, 0).Spec))
}

// Of the actions that stand for a component's returns, each value has one at
// most.
func TestReturnsExcludeEachOther(t *testing.T) {
	c := claim(t, pair, `
		R = ( one:return {$0 > 5} -> R | one:return {$0 > 3} -> R | one:return {$0 == 7} -> R | two:return {$0} -> R ).
		program one, two { specification r, {1, 1}, R; }`)
	for _, comp := range bind(t, c, 0, 1).Components {
		r, p := &comp.Returns, comp.CFA.Pool
		for v := int64(-3); v < 12; v++ {
			holding := 0
			for _, a := range r.Actions {
				if r.Of(p, a, p.Int(comp.CFA.Ret, v)).IsTrue() {
					holding++
					require.NotEmpty(t, a.StandsFor)
				}
			}
			require.LessOrEqual(t, holding, 1, "%s returns %d", comp.Name, v)
		}
	}
}

// What calls mean is there once the component is bound: arguments are put in, and
// conditions speak of the call's own result.
func TestCalls(t *testing.T) {
	c := claim(t, `int lib(int); int one(int n) { int x = lib(n + 1); lib(2); return x; }`, `
		L = ( a -> return {$0 > 5} -> STOP ). Z = ( return {$0} -> STOP ).
		procedure lib { abstract { l, ($1 > 3), L }; abstract { z, ($1 <= 3), Z }; }
		R = ( a -> R ). program one { specification r, {1}, R; }`)
	comp := bind(t, c, 0).Components[0]
	require.Len(t, comp.Calls, 2)
	require.Equal(t, []component.Routine{{Name: "lib", Pos: comp.Routines[0].Pos}}, comp.Routines)
	used := 0
	for l, call := range comp.Calls {
		stmt := comp.CFA.Locs[l].Stmt.(cfa.Call)
		require.Len(t, call.Choices, 2)
		require.Equal(t, stmt.LHS == nil, call.Result == nil)
		for _, choice := range call.Choices {
			require.Subset(t, expr.Vars(stmt.Args...), expr.Vars(choice.Guard))
			require.Len(t, choice.Returns, 1)
			for _, cond := range choice.Returns {
				if call.Result != nil {
					require.Equal(t, []*expr.Expr{call.Result}, expr.Vars(cond))
					used++
				} else {
					require.Nil(t, cond)
				}
			}
		}
	}
	require.Equal(t, 2, used)
	g := component.NewGraph(comp)
	require.Subset(t, g.Alphabet(), comp.Shared)
	for i := range g.Edges {
		for _, guard := range g.Edges[i].Guard {
			for _, v := range expr.Vars(guard) {
				require.False(t, strings.HasPrefix(v.Name(), "lib:$"), "%v", guard)
			}
		}
	}
}
