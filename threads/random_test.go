package threads_test

import (
	"context"
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/internal/expr"
	"magus/threads"
)

var (
	randomPrograms = flag.Int("threadprograms", 60, "number of random programs with threads")
	randomFirst    = flag.Uint64("threadseed", 1, "seed of the first one")
)

func automaton(t testing.TB, text string) *cfa.CFA {
	t.Helper()
	p, err := source.Parse(context.Background(), []source.Source{{Name: "a.c", Text: []byte(text)}}, source.Options{})
	require.NoError(t, err, text)
	c, err := lower.Lower(context.Background(), p, "main", expr.NewPool(), lower.Options{InitGlobals: true, Threads: 3})
	require.NoError(t, err, text)
	return c
}

// replay executes a schedule with the interpreter.
func replay(c *cfa.CFA, plan *threads.Schedule) (*interp.ThreadRun, error) {
	script := interp.ThreadScript{}
	for _, v := range c.Vars {
		script.Init = append(script.Init, interp.Binding{Var: v.Expr, Value: plan.Initial(v.Expr)})
	}
	for _, m := range plan.Moves {
		step := interp.ThreadStep{Thread: m.Thread, Loc: m.Loc}
		if m.Open {
			step.Choices = []interp.Binding{{Var: c.Locs[m.Loc].Stmt.(cfa.Assign).LHS, Value: m.Value}}
		}
		script.Steps = append(script.Steps, step)
	}
	return interp.New(c).ReplayThreads(context.Background(), script)
}

// TestRandomPrograms compares all orders with all interleavings. What an interpreter finds with
// some values for what is open, the search finds; what it does not find, the search finds only where other
// values do it, and then the interpreter can follow.
func TestRandomPrograms(t *testing.T) {
	counts := map[threads.Verdict]int{}
	explored, errors := 0, 0
	for seed := *randomFirst; seed < *randomFirst+uint64(*randomPrograms); seed++ {
		text := cfatest.Threads(seed, false)
		c := automaton(t, text)
		all, err := interp.New(c).Interleave(context.Background(), func(*expr.Expr) []uint64 { return []uint64{0, 1} }, 60_000)
		known := err == nil
		if known {
			explored++
		}
		var first threads.Verdict
		for i, order := range []threads.Order{threads.ByTheory, threads.Refined, threads.Full} {
			out, err := threads.Run(context.Background(), c, threads.Options{Order: order, Unwind: 4})
			require.NoError(t, err, text)
			if i == 0 {
				first = out.Verdict
			}
			require.Equal(t, first, out.Verdict, "seed %d: %s against %s\n%s", seed, threads.ByTheory, order, text)
			if out.Verdict == threads.Unsafe {
				run, err := replay(c, out.Schedule)
				require.NoError(t, err, "seed %d by %s\n%s", seed, order, text)
				require.Contains(t, run.Trace, cfa.ErrorAction, "seed %d by %s\n%s", seed, order, text)
			}
		}
		counts[first]++
		if known && all.Performs(cfa.ErrorAction) {
			errors++
			require.NotEqual(t, threads.Safe, first, "seed %d\n%s", seed, text)
		}
	}
	t.Logf("%d explored, %d of them with errors; %v", explored, errors, counts)
	require.Greater(t, counts[threads.Safe], *randomPrograms/20)
	require.Greater(t, counts[threads.Unsafe], *randomPrograms/20)
}
