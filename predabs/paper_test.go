package predabs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"magus/cfa"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/component"
	"magus/internal/golden"
	"magus/lts"
	"magus/smt/expr"

	"github.com/stretchr/testify/require"
)

// Figure 2 of the paper, its statement labels in comments.
const figure2 = `
void do_a(void);
void do_b(void);
int C(void) {
	int x, y = 8;          // S0
	if (x == 0) {          // S1
		do_a();            // S2
		if (y < 10)        // S4
			return 0;      // S6
		else
			return 1;      // S7
	} else {
		do_b();            // S3
		if (y > 5)         // S5
			return 2;      // S8
		else
			return 3;      // S9
	}
}
`

// figure3 binds do_a and do_b to the LTSs of figure 3, and observes the return
// actions of Spec: return{0} and return{2}.
func figure3(t *testing.T) *Abstraction {
	ctx := context.Background()
	prog, err := source.Parse(ctx, []source.Source{{Name: "figure2.c", Text: []byte(figure2)}}, source.Options{})
	require.NoError(t, err)
	p := expr.NewPool()
	auto, err := lower.Lower(ctx, prog, "C", p, lower.Options{Abstracted: func(name string) bool { return name != "C" }})
	require.NoError(t, err)
	actions := lts.NewActions()
	ret := actions.Intern("return{}")
	do := func(action string) *lts.LTS {
		b := lts.NewBuilder(actions)
		first, second, stop := b.AddState(""), b.AddState(""), b.AddState("STOP")
		b.AddEdge(first, actions.Intern(action), second)
		b.AddEdge(second, ret, stop)
		return b.Build()
	}
	procs := map[string]*lts.LTS{"do_a": do("a"), "do_b": do("b")}
	calls := map[cfa.Loc]component.Call{}
	for l := range auto.Locs {
		if call, ok := auto.Locs[l].Stmt.(cfa.Call); ok {
			calls[cfa.Loc(l)] = component.Call{Choices: []component.Choice{
				{Guard: p.True(), LTS: procs[call.Callee], Returns: map[lts.Action]*expr.Expr{ret: nil}}}}
		}
	}
	result := p.Var("C:$0", auto.Ret)
	is := func(k int64) *expr.Expr { return p.Eq(result, p.Int(auto.Ret, k)) }
	return abstractionOf(t, &component.Component{
		CFA: auto, Actions: actions, Calls: calls,
		Returns: component.Returns{Observed: true, Result: result, Other: actions.Intern("return{other}"),
			Actions: []component.ReturnAction{
				{Action: actions.Intern("return{0}"), Cond: is(0)}, {Action: actions.Intern("return{2}"), Cond: is(2)}}},
	}, Options{})
}

// candidates finds the paper's branches p1 = (y < 10), p2 = (y > 5), which are
// one candidate, for both compare y with a constant.
func candidates(t *testing.T, x *Abstraction) []int {
	for i, c := range x.Candidates {
		if slices.Equal(c.Conditions(), []string{"y < 10", "y < 6"}) {
			return []int{i}
		}
	}
	require.Fail(t, "no candidate of y")
	return nil
}

// TestFigure4 checks P_s at every control point: section 5.2, example 2. y > 5
// is !(y < 6) in canonical form.
func TestFigure4(t *testing.T) {
	x := figure3(t)
	set := candidates(t, x)
	var b strings.Builder
	for l, loc := range x.Graph.Comp.CFA.Locs {
		fmt.Fprintf(&b, "%d: %v %v\n", loc.Pos.Line, loc.Stmt, x.PredicatesAt(cfa.Loc(l), set))
	}
	golden.Equal(t, "testdata/figure4.txt", b.String())
	require.Len(t, x.Expressions(set), 2)
	require.Equal(t, 1, Groups(x.Expressions(set)), "two comparisons of one variable are one many-valued predicate")
}

// graphOf writes MP state by state, locations by their line.
func graphOf(m *MP) string {
	name := func(s lts.State) string {
		text := m.StateString(s)
		if l, ok := m.x.Graph.Loc(m.Node(s)); ok {
			loc := m.x.Graph.Comp.CFA.Locs[l]
			text = strings.Replace(text, fmt.Sprintf("L%d", l), fmt.Sprintf("%d %v", loc.Pos.Line, loc.Stmt), 1)
		}
		return text
	}
	var b strings.Builder
	for s := range m.LTS.NumStates() {
		fmt.Fprintf(&b, "%s\n", name(lts.State(s)))
		for _, e := range m.LTS.Out(lts.State(s)) {
			fmt.Fprintf(&b, "    -%s-> %s\n", m.LTS.Actions().Name(e.Action), name(e.To))
		}
	}
	return b.String()
}

// TestFigure6a is MP of no predicate: every return can be reached.
func TestFigure6a(t *testing.T) {
	m, err := figure3(t).Build(context.Background(), nil, 0)
	require.NoError(t, err)
	golden.Equal(t, "testdata/figure6a.txt", graphOf(m))
}

// TestFigure6b is MP of p1 and p2: only return{0} and return{2} are left.
func TestFigure6b(t *testing.T) {
	x := figure3(t)
	m, err := x.Build(context.Background(), candidates(t, x), 0)
	require.NoError(t, err)
	golden.Equal(t, "testdata/figure6b.txt", graphOf(m))
}
