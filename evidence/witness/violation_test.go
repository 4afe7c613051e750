package witness_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/source"
	"magus/component"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/lts"
	"magus/predabs"
	"magus/smt/embedded"
	"magus/specs"
)

// A found counterexample is what predicate abstraction without predicates gives
// for a program of one component.
type found struct {
	claim     *component.Claim
	system    *component.System
	graph     *component.Graph
	execution *component.Execution
	trace     []lts.Action
}

func (f found) replay() (*witness.Violation, error) {
	return f.replayIn(context.Background())
}

func (f found) replayIn(ctx context.Context) (*witness.Violation, error) {
	var schedule []witness.Joint
	for _, a := range f.trace {
		schedule = append(schedule, witness.Joint{Action: a, Parts: []int{0}})
	}
	return witness.Replay(ctx, f.system, []witness.Part{{Graph: f.graph, Execution: f.execution}}, schedule)
}

func find(t *testing.T, c, spec string) found {
	t.Helper()
	ctx := context.Background()
	program, err := source.Parse(ctx, []source.Source{{Name: "t.c", Text: []byte(c)}}, source.Options{})
	require.NoError(t, err)
	file, err := specs.Parse(context.Background(), []specs.Source{{Name: "t.spec", Text: []byte(spec)}}, nil)
	require.NoError(t, err)
	sources := &component.Sources{Program: program, Specs: file, LongWidth: 64}
	f := found{claim: sources.ProgramClaim(file.Programs[0], file.Programs[0].Specs[0])}
	unbound, err := f.claim.Spec(context.Background(), lts.NewActions())
	require.NoError(t, err)
	auto, err := f.claim.Lower(ctx, 0, component.Options{})
	require.NoError(t, err)
	s := embedded.New(auto.Pool)
	comp, err := f.claim.Bind(ctx, 0, auto, unbound, s)
	require.NoError(t, err)
	f.system, err = f.claim.NewSystem(ctx, unbound, []*component.Component{comp})
	require.NoError(t, err)
	x, err := predabs.New(ctx, comp, s, predabs.Options{})
	require.NoError(t, err)
	mp, err := x.Build(ctx, nil, 0)
	require.NoError(t, err)
	r, err := lts.Contains(ctx, []*lts.LTS{mp.LTS}, f.system.Spec, lts.Limits{})
	require.NoError(t, err)
	require.Equal(t, lts.Fails, r.Verdict)
	edges, err := mp.Edges(ctx, r.Counterexample.Path(0))
	require.NoError(t, err)
	path, err := x.Keep(edges)
	require.NoError(t, err)
	feasible, err := x.Feasible(ctx, path)
	require.NoError(t, err)
	require.True(t, feasible.Feasible)
	f.graph, f.execution, f.trace = x.Graph, feasible.Run, r.Counterexample.Trace()
	return f
}

const takesTwice = `
int __VERIFIER_nondet_int(void);
int lib(int);
int main(void)
{
	int n = __VERIFIER_nondet_int(), m = n + 1;
	if (n > 3)
		__MAGUS_ACTION__("lock");
	if (lib(n) == 7)
		__MAGUS_ACTION__("lock");
	return 0;
}`

const locks = `
L = ( return {$0 > 5} -> STOP ). procedure lib { abstract { l, (1), L }; }
S = ( lock -> STOP ). program main { specification s, {1}, S; }`

// TestReplay: the run, what of it matters, and what a compiled program is given.
func TestReplay(t *testing.T) {
	f := find(t, takesTwice, locks)
	v, err := f.replay()
	require.NoError(t, err)
	require.Equal(t, []string{"lock", "lock"}, v.Run.Trace)
	run := v.Report()
	require.Empty(t, run.Allowed)
	idle := map[string]bool{}
	for _, st := range run.Steps {
		for _, value := range st.Values {
			idle[value.Name] = value.Idle
		}
	}
	require.False(t, idle["n"])
	require.True(t, idle["m"], "nothing depends on m")
	in := v.Inputs(f.claim)
	require.Equal(t, []string{"lib"}, in.Routines)
	require.Len(t, in.Components[0].Choices, 2)
	require.Equal(t, "__VERIFIER_nondet_int", in.Components[0].Choices[0].Name)
	require.Greater(t, int32(in.Components[0].Choices[0].Value), int32(3))
	require.Equal(t, uint64(7), in.Components[0].Choices[1].Value)
}

// TestReplayRefuses: what is not a run of the component with that trace, or is
// allowed, is a fault of whoever found it.
func TestReplayRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*found)
		want  string
	}{
		{"a value that takes another branch", func(f *found) { f.choose(0, 0) }, "could not be replayed"},
		{"a result that no return action covers", func(f *found) { f.choose(1, 5) }, "could not be replayed"},
		{"a path cut short", func(f *found) { f.execution.Edges = f.execution.Edges[:3] }, "could not be replayed"},
		{"another trace", func(f *found) { f.trace = append(slices.Clone(f.trace), f.trace[0]) }, "could not be replayed"},
		{"an allowed trace", func(f *found) {
			b := lts.NewBuilder(f.system.Spec.Actions())
			b.AddEdge(b.AddState(""), f.trace[0], 0)
			f.system = &component.System{Components: f.system.Components, Copies: f.system.Copies, Spec: b.Build()}
		}, "the specification allows"},
		{"a start that the guard does not allow", func(f *found) {
			comp := *f.system.Components[0]
			comp.Guard = comp.CFA.Pool.False()
			f.system = &component.System{Components: []*component.Component{&comp}, Copies: f.system.Copies, Spec: f.system.Spec}
		}, "does not satisfy its guard"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := find(t, takesTwice, locks)
			c.spoil(&f)
			_, err := f.replay()
			var why *verdict.Reason
			require.ErrorAs(t, err, &why)
			require.Equal(t, verdict.Fault, why.Kind)
			require.Contains(t, why.Text, c.want)
		})
	}
}

// choose replaces the value of choice number n.
func (f *found) choose(n int, value uint64) {
	for i := range f.execution.Step {
		for k := range f.execution.Step[i] {
			if n--; n == -1 {
				f.execution.Step[i][k].Value = value
			}
		}
	}
}

// TestReplayNotModelled: a run that rests on a value which is not modelled is no
// violation.
func TestReplayNotModelled(t *testing.T) {
	f := find(t, `int main(void) { _Complex double d = 0.5; if (d == 1) __MAGUS_ACTION__("bad"); return 0; }`,
		`S = ( ok -> S ) + {bad}. program main { specification s, {1}, S; }`)
	_, err := f.replay()
	var why *verdict.Reason
	require.ErrorAs(t, err, &why)
	require.Equal(t, verdict.NotModelled, why.Kind)
	require.Contains(t, why.Text, "floating point")
	require.Equal(t, 1, why.Place.Line)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = f.replayIn(ctx)
	require.ErrorIs(t, err, context.Canceled)
}
