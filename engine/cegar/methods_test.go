package cegar

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/engine/portfolio"
	"magus/evidence/verdict"
)

// methodsOf are the methods of a new task about a claim.
func methodsOf(t *testing.T, c *component.Claim, opt Options) []method {
	t.Helper()
	task, err := newTask(t.Context(), c, opt)
	require.NoError(t, err)
	return task.methods()
}

// advanced gives a method small shares until it has an answer or has given up, or has had many.
func advanced(t *testing.T, m method, share portfolio.Effort) (all []methodEvent) {
	t.Helper()
	for range 400 {
		e := m.Advance(t.Context(), share)
		all = append(all, e)
		switch e.(type) {
		case ended, gaveUp:
			return all
		}
	}
	return all
}

// Each method of a session is driven alone, by small shares: what its engine decides it decides as well, it
// is never wrong, and equal shares give equal events with equal effort.
func TestMethodsAlone(t *testing.T) {
	const share = 20_000
	for _, c := range []struct {
		name, c string
		method  int
		engine  Engine
		want    verdict.Verdict // Unknown: it gives up
	}{
		{"the loop proves", saturates, loopMethod, AutoEngine, verdict.Conforms},
		{"the loop finds a violation", "#define LIMIT 6\n" + steps, loopMethod, AutoEngine, verdict.Violates},
		{"all runs end", "#define LIMIT 7\n" + steps, searchMethod, AutoEngine, verdict.Conforms},
		{"the search finds a violation", "#define LIMIT 6\n" + steps, searchMethod, BoundedEngine, verdict.Violates},
		{"the induction proves", saturates, inductionMethod, AutoEngine, verdict.Conforms},
		{"k-induction", saturates, inductionMethod, KInductionEngine, verdict.Conforms},
		{"property-directed reachability", saturates, inductionMethod, PropertyDirectedEngine, verdict.Conforms},
		{"bounds", saturates, inductionMethod, IntervalsEngine, verdict.Conforms},
		{"bounds do not suffice", "#define LIMIT 6\n" + steps, inductionMethod, IntervalsEngine, verdict.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			var runs [2][]methodEvent
			for i := range runs {
				runs[i] = advanced(t, methodsOf(t, claimOf(t, c.c, never), Options{Loop: Loop{Engine: c.engine}})[c.method], share)
			}
			require.Len(t, runs[1], len(runs[0]))
			for i, e := range runs[0] {
				require.IsType(t, e, runs[1][i])
				require.Equal(t, e.Spent(), runs[1][i].Spent(), "event %d: %v", i, e)
				if told(e) != nil {
					require.Equal(t, text(told(e)), text(told(runs[1][i])))
				}
			}
			switch last := runs[0][len(runs[0])-1].(type) {
			case ended:
				require.Equal(t, c.want, last.Outcome.Verdict, "%v", last.Outcome.Reason)
			case gaveUp:
				require.Equal(t, verdict.Unknown, c.want, "%v", last.Why)
				require.NotNil(t, told(last))
			default:
				require.Fail(t, "no end", "%v", last)
			}
		})
	}
}

// A loop whose share is used up has come to the end of an iteration, and goes on with the next one; whoever
// has the smallest shares performs the phases that a session of the loop alone does.
func TestTheLoopInSmallShares(t *testing.T) {
	claim := example(t, "figure2", []string{"figure2.c"}, []string{"figure2.spec"})
	s, err := NewSession(t.Context(), claim, Options{Loop: Loop{Engine: LoopEngine}})
	require.NoError(t, err)
	var want []string
	s.Run(t.Context(), func(e Event) { want = append(want, text(e)) })
	var got []string
	shares := 0
	for _, e := range advanced(t, methodsOf(t, claim, Options{})[loopMethod], 1) {
		switch e := e.(type) {
		case worked:
			require.Equal(t, RefineData, told(e).Phase())
			shares++
		case ended:
			got = append(got, text(Ended{e.Outcome}))
			continue
		}
		got = append(got, text(told(e)))
	}
	require.Equal(t, want, got)
	require.Positive(t, shares)
}

// TestRounds: the loop works until it has made twice the effort of the round before, then the others have
// their shares; where the loop has no part, efforts double.
func TestRounds(t *testing.T) {
	open := func() []portfolio.Row {
		rows := make([]portfolio.Row, 5)
		for i := range rows {
			rows[i].State = portfolio.Open
		}
		return rows
	}
	type step struct {
		method int
		share  portfolio.Effort
	}
	// drive has methods use what they are given, the loop in steps of 100; failed ones have given up at a
	// step.
	drive := func(r rounds, n int, failed map[int]int) (all []step) {
		rows := open()
		for i := range n {
			for m, at := range failed {
				if i >= at {
					rows[m].State = portfolio.Failed
				}
			}
			m, share, ok := r.Next(rows)
			if !ok {
				return append(all, step{nobody, 0})
			}
			all = append(all, step{m, share})
			rows[m].Granted += share
			r = r.after(m, worked{Used: share}, rows, false)
		}
		return all
	}
	require.Equal(t, []step{{loopMethod, 800}, {searchMethod, 100}, {inductionMethod, 800},
		{loopMethod, 800}, {searchMethod, 100}, {inductionMethod, 800}, {loopMethod, 1600}, {searchMethod, 200},
		{inductionMethod, 1600}}, drive(newRounds(Options{Loop: Loop{FirstShare: 800}}, true, false, false, false,
		false), 9, nil))
	require.Equal(t, []step{{loopMethod, portfolio.Unlimited}, {loopMethod, portfolio.Unlimited}},
		drive(newRounds(Options{Loop: Loop{Engine: LoopEngine}}, false, false, false, false, false), 2, nil))
	require.Equal(t, []step{{searchMethod, firstEffort / 8}, {searchMethod, firstEffort / 8},
		{searchMethod, firstEffort / 4}},
		drive(newRounds(Options{Loop: Loop{Engine: BoundedEngine}}, true, false, false, false, false), 3, nil))
	require.Equal(t, []step{{searchMethod, firstEffort / 8}, {inductionMethod, firstEffort},
		{searchMethod, firstEffort / 8},
		{searchMethod, firstEffort / 4}},
		drive(newRounds(Options{Loop: Loop{Engine: InductionEngine}}, true, false, false, false, false), 4,
			map[int]int{inductionMethod: 2}))
	require.Equal(t, []step{{searchMethod, 500}, {inductionMethod, 1}, {loopMethod, 800}, {searchMethod, 1},
		{inductionMethod, 799}},
		drive(newRounds(Options{Loop: Loop{FirstShare: 800, SearchFirst: 500}}, true, false, false, false, false), 5, nil),
		"the search has a share ahead")
	require.Equal(t, []step{{loopMethod, 800}, {searchMethod, 800}, {inductionMethod, 800},
		{cellsMethod, 3200}, {loopMethod, 800}},
		drive(newRounds(Options{Loop: Loop{FirstShare: 800}}, true, true, false, false, false), 5, nil),
		"elements of arrays have as much as the induction")
	last := drive(newRounds(Options{}, true, false, false, false, false), 100, map[int]int{loopMethod: 3})
	require.Equal(t, nobody, last[len(last)-1].method, "a last effort has an end")
	require.Greater(t, len(last), 10)
}
