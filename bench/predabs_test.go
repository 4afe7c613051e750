package bench

// Level one on a routine of some hundred lines: the abstract post of a whole
// build, and the elimination test of one path.

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/component"
	"magus/lts"
	"magus/minimize"
	"magus/predabs"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/smt/solvertest"

	"github.com/stretchr/testify/require"
)

const routine = "testdata/transfer.c"

// newAbstraction reads the routine. open is the decision procedure.
func newAbstraction(tb testing.TB, open solver.Factory) *predabs.Abstraction {
	text, err := os.ReadFile(routine)
	require.NoError(tb, err)
	program, err := source.Parse(context.Background(), []source.Source{{Name: routine, Text: text}}, source.Options{})
	require.NoError(tb, err)
	pool := expr.NewPool()
	auto, err := lower.Lower(context.Background(), program, "main", pool, lower.Options{InitGlobals: true})
	require.NoError(tb, err)
	s, err := open(pool)
	require.NoError(tb, err)
	x, err := predabs.New(context.Background(), &component.Component{CFA: auto, Actions: lts.NewActions()},
		s, predabs.Options{})
	require.NoError(tb, err)
	return x
}

// A proof is what the loop leaves behind: the spurious paths that it met and
// the smallest set of candidates that excludes all of them.
type proof struct {
	paths []predabs.Path
	set   []int
}

// prove is the loop with one level, for one component that must not do the
// action `error`.
func prove(tb testing.TB, x *predabs.Abstraction) *proof {
	ctx := context.Background()
	b := lts.NewBuilder(x.Graph.Comp.Actions)
	b.AddState("Safe")
	b.Alphabet(x.Graph.Comp.Actions.Intern("error"))
	spec, p, strategy := b.Build(), &proof{}, minimize.NewMinimizer(minimize.Options{})
	for range 200 {
		mp, err := x.Build(ctx, p.set, 0)
		require.NoError(tb, err)
		r, err := lts.Contains(ctx, []*lts.LTS{mp.LTS}, spec, lts.Limits{})
		require.NoError(tb, err)
		if r.Verdict == lts.Holds {
			return p
		}
		path, err := mp.Edges(ctx, r.Counterexample.Path(0))
		require.NoError(tb, err)
		kept, err := x.Keep(path)
		require.NoError(tb, err)
		f, err := x.Feasible(ctx, kept)
		require.NoError(tb, err)
		require.False(tb, f.Feasible, "the routine is right")
		p.paths = append(p.paths, kept)
		p.set = p.refine(tb, x, strategy, f.Core)
	}
	require.Fail(tb, "no proof in 200 iterations")
	return nil
}

// refine chooses candidates, among new ones from the last path if need be.
func (p *proof) refine(tb testing.TB, x *predabs.Abstraction, s minimize.Strategy, core []int) []int {
	r, err := s.Minimize(context.Background(), elimination{x, p})
	if err != nil {
		require.ErrorIs(tb, err, minimize.ErrNotEliminable)
		require.Positive(tb, x.Discover(p.paths[len(p.paths)-1], core))
		r, err = s.Minimize(context.Background(), elimination{x, p})
	}
	require.NoError(tb, err)
	return r.Set.Elements()
}

// elimination is the problem of minimisation.
type elimination struct {
	x *predabs.Abstraction
	p *proof
}

func (e elimination) NumCandidates() int { return len(e.x.Candidates) }
func (e elimination) NumPaths() int      { return len(e.p.paths) }
func (e elimination) Cost(int) int       { return 1 }

func (e elimination) Eliminates(ctx context.Context, path int, set minimize.Set) (bool, error) {
	return e.x.Eliminates(ctx, e.p.paths[path], set.Elements())
}

// A chosen is a set of candidates with a name.
type chosen struct {
	name string
	set  []int
}

// all are all candidates.
func all(x *predabs.Abstraction) []int {
	set := make([]int, len(x.Candidates))
	for i := range set {
		set[i] = i
	}
	return set
}

// The routine has a proof, of predicates that are needed: what the benchmarks
// below measure is no empty work.
func TestRoutine(t *testing.T) {
	x := newAbstraction(t, solvertest.Embedded)
	p := prove(t, x)
	require.Greater(t, len(p.set), 3)
	for _, path := range p.paths {
		for _, want := range []bool{false, true} {
			set := []int{}
			if want {
				set = p.set
			}
			got, err := x.Eliminates(context.Background(), path, set)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
}

// BenchmarkAbstractPost builds MP for the set of the proof and for all
// candidates: cold with nothing known, warm with all rows of abstract posts in
// their tables.
func BenchmarkAbstractPost(b *testing.B) {
	proved := newAbstraction(b, solvertest.Embedded)
	p := prove(b, proved)
	for _, procedure := range []struct {
		name string
		open solver.Factory
	}{{"embedded", solvertest.Embedded}, {"bitblast", blast}} {
		b.Run("cold/"+procedure.name, func(b *testing.B) {
			queries := 0
			for b.Loop() {
				b.StopTimer()
				x := newAbstraction(b, procedure.open)
				set := slices.DeleteFunc(slices.Clone(p.set), func(i int) bool { return i >= len(x.Candidates) }) // found on a path
				b.StartTimer()
				build(b, x, set)
				queries = x.Queries
			}
			b.ReportMetric(float64(queries), "enumerations")
		})
	}
	for _, c := range []chosen{{"proof", p.set}, {"all", all(proved)}} {
		b.Run(fmt.Sprintf("warm/%s/candidates=%d", c.name, len(c.set)), func(b *testing.B) {
			mp := build(b, proved, c.set)
			b.ReportAllocs()
			for b.Loop() {
				build(b, proved, c.set)
			}
			b.ReportMetric(float64(mp.LTS.NumStates()), "states")
			b.ReportMetric(float64(mp.LTS.NumStates())*float64(b.N)/b.Elapsed().Seconds(), "states/s")
		})
	}
}

func build(b *testing.B, x *predabs.Abstraction, set []int) *predabs.MP {
	mp, err := x.Build(context.Background(), set, 0)
	require.NoError(b, err)
	return mp
}

// BenchmarkEliminates is one elimination test, over all spurious paths of the
// proof in turn.
func BenchmarkEliminates(b *testing.B) {
	x := newAbstraction(b, solvertest.Embedded)
	p := prove(b, x)
	steps := 0
	for _, path := range p.paths {
		steps += len(x.Steps(path))
	}
	for _, c := range []chosen{{"none", nil}, {"proof", p.set}, {"all", all(x)}} {
		b.Run(fmt.Sprintf("%s/candidates=%d", c.name, len(c.set)), func(b *testing.B) {
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				if _, err := x.Eliminates(context.Background(), p.paths[n%len(p.paths)], c.set); err != nil {
					b.Fatal(err)
				}
				n++
			}
			b.ReportMetric(float64(steps)/float64(len(p.paths)), "steps/path")
		})
	}
}
