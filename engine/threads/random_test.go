package threads_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/engine/threads"
	"magus/internal/sample"
	"magus/smt/expr"
)

// randomPrograms is how many random programs with threads a test looks at.
func randomPrograms() int { return sample.Count(24) }

// fewPrograms is how many a test looks at that asks much of each.
func fewPrograms() int { return sample.Count(10) }

// randomFirst is the seed of the first of them.
func randomFirst() uint64 { return sample.Seed(1) }

// randomStates are the states of the interleavings of one that are looked at.
const randomStates = 10_000

// program is a random one; three of four are small and have all means of synchronisation.
func program(seed uint64) string {
	switch {
	case seed%4 == 0:
		return cfatest.Threads(seed, false)
	case seed%16 == 7:
		text, _ := cfatest.Owned(seed, false)
		return text
	}
	text, _ := cfatest.Synchronised(seed, false)
	return text
}

func automaton(t testing.TB, text string) *cfa.CFA {
	t.Helper()
	return lowered(t, text, false)
}

// racing is an automaton that shows each access.
func racing(t testing.TB, text string) *cfa.CFA {
	t.Helper()
	return lowered(t, text, true)
}

func lowered(t testing.TB, text string, races bool) *cfa.CFA {
	t.Helper()
	c, err := lowering(text, races)
	require.NoError(t, err, text)
	return c
}

func lowering(text string, races bool) (*cfa.CFA, error) {
	p, err := source.Parse(context.Background(), []source.Source{{Name: "a.c", Text: []byte(text)}}, source.Options{})
	if err != nil {
		return nil, err
	}
	return lower.Lower(context.Background(), p, "main", expr.NewPool(),
		lower.Options{InitGlobals: true, Threads: 3, Races: races, Cut: "left"})
}

// replay executes a schedule with the interpreter.
func replay(c *cfa.CFA, plan *threads.Schedule) (*interp.ThreadRun, error) {
	return replayUnder(cfa.SC, c, plan)
}

func replayUnder(model cfa.MemoryModel, c *cfa.CFA, plan *threads.Schedule) (*interp.ThreadRun, error) {
	script := interp.ThreadScript{}
	for _, v := range c.Vars {
		script.Init = append(script.Init, interp.Binding{Var: v.Expr, Value: plan.Initial(v.Expr)})
	}
	for _, m := range plan.Moves {
		step := interp.ThreadStep{Thread: m.Thread, Loc: m.Loc, Commit: m.Commit}
		if m.Open {
			step.Choices = []interp.Binding{{Var: c.Locs[m.Loc].Stmt.(cfa.Assign).LHS, Value: m.Value}}
		}
		script.Steps = append(script.Steps, step)
	}
	return interp.New(c).Under(model).ReplayThreads(context.Background(), script)
}

// TestRandomModels compares weaker memory models with all runs that have buffers.
func TestRandomModels(t *testing.T) {
	sample.Long(t)
	more, counts := 0, map[threads.Answer]int{}
	for seed := randomFirst(); seed < randomFirst()+uint64(fewPrograms()); seed++ {
		text := program(seed)
		c := automaton(t, text)
		strong, err := interp.New(c).Interleave(context.Background(),
			func(*expr.Expr) []uint64 { return []uint64{0, 1} }, randomStates)
		if err != nil {
			continue
		}
		for _, model := range []cfa.MemoryModel{cfa.TSO, cfa.PSO} {
			all, err := interp.New(c).Under(model).Interleave(context.Background(),
				func(*expr.Expr) []uint64 { return []uint64{0, 1} }, randomStates)
			order := []threads.Order{threads.ByTheory, threads.Refined, threads.Full}[seed%3]
			out, err2 := threads.Run(context.Background(), c, threads.Options{Order: order, Unwind: 4, Model: model})
			require.NoError(t, err2, text)
			counts[out.Answer]++
			if out.Answer == threads.Unsafe {
				run, err := replayUnder(model, c, out.Schedule)
				require.NoError(t, err, "seed %d under %v by %s\n%s", seed, model, order, text)
				require.Contains(t, run.Trace, cfa.ErrorAction)
			}
			if err != nil {
				continue
			}
			found := all.Performs(cfa.ErrorAction)
			if found && !strong.Performs(cfa.ErrorAction) {
				more++
			}
			require.False(t, found && out.Answer == threads.Safe, "seed %d under %v by %s\n%s", seed, model, order, text)
		}
	}
	t.Log(more, counts)
	require.Positive(t, counts[threads.Safe])
	if sample.Whole() {
		require.Positive(t, counts[threads.Unsafe])
	}
}

// knownOutcomes are litmus tests with outcomes that tso has and sc has not (store buffering), and that pso
// has and tso has not (message passing): few random programs have one of the latter.
var knownOutcomes = []string{
	`#include <pthread.h>
extern void reach_error(void);
int x, y;
void *f(void *p) { x = 1; int r = y; return (void *)(long)r; }
int main(void) {
	pthread_t t; void *q;
	pthread_create(&t, 0, f, 0);
	y = 1;
	int s = x;
	pthread_join(t, &q);
	int all = (int)(long)q + 2 * s;
	if (all == WANT) reach_error();
	return all;
}`,
	`#include <pthread.h>
extern void reach_error(void);
int x, y;
void *f(void *p) { x = 1; y = 1; return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	int r = y, s = x, all = r + 2 * s;
	if (all == WANT) reach_error();
	return all;
}`,
}

// TestRandomOutcomes compares what random litmus tests come to with all runs that have buffers: outcomes that
// only weaker models have, others, and some that none has.
func TestRandomOutcomes(t *testing.T) {
	counts := map[cfa.MemoryModel]int{}
	models := []cfa.MemoryModel{cfa.SC, cfa.TSO, cfa.PSO}
	texts := slices.Clone(knownOutcomes)
	for seed := randomFirst(); seed < randomFirst()+uint64(fewPrograms()/2); seed++ {
		texts = append(texts, cfatest.Litmus(seed))
	}
	for i, text := range texts {
		seed := randomFirst() + uint64(i) - uint64(len(knownOutcomes))
		r := rand.New(rand.NewPCG(seed, 47))
		outcomes := map[cfa.MemoryModel][]uint64{}
		for _, model := range models {
			all, err := interp.New(automaton(t, "#define WANT -1\n"+text)).Under(model).
				Interleave(context.Background(), func(*expr.Expr) []uint64 { return []uint64{0} }, randomStates)
			if err != nil {
				break
			}
			outcomes[model] = all.Results
		}
		if outcomes[cfa.PSO] == nil {
			continue
		}
		wants := []uint64{outcomes[cfa.PSO][r.IntN(len(outcomes[cfa.PSO]))], r.Uint64N(1 << 13)}
		for i, weak := range models[1:] {
			more := slices.DeleteFunc(slices.Clone(outcomes[weak]),
				func(v uint64) bool { return slices.Contains(outcomes[models[i]], v) })
			if len(more) > 0 {
				counts[weak]++
				wants = append(wants, more[r.IntN(len(more))])
			}
		}
		for _, want := range wants {
			c := automaton(t, fmt.Sprintf("#define WANT %d\n%s", want, text))
			for i, model := range models {
				o := waysToDecide(seed)[(int(want)+i)%6]
				o.Model = model
				out, err := threads.Run(context.Background(), c, o)
				require.NoError(t, err, text)
				expected := map[bool]threads.Answer{true: threads.Unsafe,
					false: threads.Safe}[slices.Contains(outcomes[model], want)]
				require.Equal(t, expected, out.Answer, "seed %d, outcome %d under %v: %+v\n%s", seed, want, model, o, text)
				if out.Answer == threads.Unsafe {
					run, err := replayUnder(model, c, out.Schedule)
					require.NoError(t, err, "seed %d, outcome %d under %v: %+v\n%s", seed, want, model, o, text)
					require.Contains(t, run.Trace, cfa.ErrorAction)
				}
				counts[cfa.SC]++
			}
		}
	}
	t.Logf("%d verdicts; programs with outcomes that only weaker models have: %d under tso, %d more under pso",
		counts[cfa.SC], counts[cfa.TSO], counts[cfa.PSO])
	if !sample.Whole() {
		return
	}
	require.Positive(t, counts[cfa.TSO])
	require.Positive(t, counts[cfa.PSO])
}

// TestRandomRaces compares races and deadlocks with those of all interleavings, by all orders.
func TestRandomRaces(t *testing.T) {
	counts := map[threads.Goal]map[threads.Answer]int{threads.Races: {}, threads.Deadlocks: {}}
	for seed := randomFirst(); seed < randomFirst()+uint64(randomPrograms()); seed++ {
		text := cfatest.Lockers(seed)
		if seed%8 < 4 {
			text = program(seed)
		}
		c := racing(t, text)
		all, err := interp.New(c).Interleave(context.Background(), func(*expr.Expr) []uint64 { return []uint64{0, 1} },
			randomStates)
		if err != nil {
			continue
		}
		for goal, found := range map[threads.Goal]bool{threads.Races: all.Race, threads.Deadlocks: all.Deadlock} {
			order := []threads.Order{threads.ByTheory, threads.Refined, threads.Full}[seed%3]
			out, err := threads.Run(context.Background(), c, threads.Options{Order: order, Unwind: 4, Goal: goal})
			require.NoError(t, err, text)
			counts[goal][out.Answer]++
			if out.Answer == threads.Unsafe {
				require.True(t, found, "seed %d, goal %d\n%s", seed, goal, text)
				run, err := replay(c, out.Schedule)
				require.NoError(t, err, "seed %d, goal %d\n%s", seed, goal, text)
				require.True(t, goal == threads.Races || interp.New(c).Deadlocked(run.End))
			}
			if found {
				require.NotEqual(t, threads.Safe, out.Answer, "seed %d, goal %d\n%s", seed, goal, text)
			}
		}
	}
	t.Log(counts)
	if !sample.Whole() {
		return
	}
	for goal := range counts {
		require.Positive(t, counts[goal][threads.Safe])
		require.Positive(t, counts[goal][threads.Unsafe])
	}
}

// waysToDecide are all orders, and slicing and likely links with one of them, alone and together.
func waysToDecide(seed uint64) []threads.Options {
	orders := []threads.Order{threads.ByTheory, threads.Refined, threads.Full}
	var all []threads.Options
	for _, o := range orders {
		all = append(all, threads.Options{Order: o, Unwind: 4})
	}
	o := orders[seed%3]
	return append(all, threads.Options{Order: o, Unwind: 4, Slice: true},
		threads.Options{Order: o, Unwind: 4, Likely: true},
		threads.Options{Order: o, Unwind: 4, Slice: true, Likely: true})
}

// TestRandomPrograms compares all orders with all interleavings. What an interpreter finds with
// some values for what is open, the search finds; what it does not find, the search finds only where other
// values do it, and then the interpreter can follow.
func TestRandomPrograms(t *testing.T) {
	counts := map[threads.Answer]int{}
	explored, errors, given, refinements := 0, 0, 0, 0
	for seed := randomFirst(); seed < randomFirst()+uint64(fewPrograms()); seed++ {
		text := program(seed)
		c := automaton(t, text)
		all, err := interp.New(c).Interleave(context.Background(), func(*expr.Expr) []uint64 { return []uint64{0, 1} },
			randomStates)
		known := err == nil
		if known {
			explored++
		}
		var first threads.Answer
		for i, o := range waysToDecide(seed) {
			out, err := threads.Run(context.Background(), c, o)
			require.NoError(t, err, text)
			if i == 0 {
				first = out.Answer
			}
			require.Equal(t, first, out.Answer, "seed %d: %+v\n%s", seed, o, text)
			given += out.Stats.Likely - out.Stats.Left
			refinements += out.Stats.Refinements
			if out.Answer == threads.Unsafe {
				run, err := replay(c, out.Schedule)
				require.NoError(t, err, "seed %d by %+v\n%s", seed, o, text)
				require.Contains(t, run.Trace, cfa.ErrorAction, "seed %d by %+v\n%s", seed, o, text)
			}
		}
		counts[first]++
		if known && all.Performs(cfa.ErrorAction) {
			errors++
			require.NotEqual(t, threads.Safe, first, "seed %d\n%s", seed, text)
		}
	}
	t.Logf("%d explored, %d of them with errors; %v; %d likely links given up, %d orders not reconstructed",
		explored, errors, counts, given, refinements)
	if sample.Whole() {
		require.Positive(t, given)
		require.Positive(t, refinements)
		require.Greater(t, counts[threads.Safe], fewPrograms()/20)
		require.Greater(t, counts[threads.Unsafe], fewPrograms()/20)
	}
}
