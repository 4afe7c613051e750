package lts

import (
	"context"
	"errors"
	"fmt"
)

// Comparison is the outcome of [Compare].
type Comparison struct {
	Holds bool
	// Trace is a shortest trace that one side has and the other has not, whichever side that is (of
	// two of one length left's): for a preorder, where it is left's, and for traces always if it does
	// not hold, for a bisimulation if a short search found one, for a simulation never. It is a
	// shortest one only breadth first, and if no limit ended the search of the other side. It is weak
	// unless the relation is strong. If the difference is that only one side can be in an ERROR
	// state, it is the trace that leads there, perhaps empty.
	Trace    []Action
	HasTrace bool // whether there is a trace
	// OfRight says that it is right that has the trace, and left that has not.
	OfRight bool
	// Refusal is, of failures, what is refused after Trace, which both sides have then; nil if that is not how
	// they differ.
	Refusal *Refusal
	// Cycle is, of failures and divergences, a cycle of τ of left after Trace, where right does not diverge; nil
	// as Refusal.
	Cycle []State
	// Explanation says, a line a step, how the two differ; it is nil if the relation holds. It has about a
	// hundred lines at most, and shows the beginning of a trace that is longer than that.
	Explanation []string
}

// Compare decides whether a, the left, and b, the right, are related by r. The error says that they
// have different Actions tables, that r is unknown, that ctx ended, or, being a *[LimitError], that it
// would take too much: more states than lim allows, which are pairs for traces and failures, and those of both LTSs for
// the other relations; or more bytes, which are bounded for traces, failures and simulations.
//
// Cost: bisimulations as [Partition] on both together; equivalences of traces the same, if the LTSs are
// strongly, or for weak traces branching bisimilar; else relations of traces and failures may take time and space
// exponential in the states of the side whose traces are to include the other's (by antichains, see
// [Contains]); simulations time and space proportional to the product of the sizes.
func Compare(ctx context.Context, a, b *LTS, r Relation, lim Limits) (Comparison, error) {
	if a.actions != b.actions {
		return Comparison{}, errForeignActions
	}
	switch {
	case r < 0 || int(r) >= len(relationNames):
		return Comparison{}, fmt.Errorf("lts: unknown relation %v", r)
	case r.isBisimulation():
		return compareBisimilar(ctx, a, b, r, lim)
	case r == Simulation || r == WeakSimulation:
		return compareSimulated(ctx, a, b, r == WeakSimulation, lim)
	}
	if r == StableFailures || r == FailuresDivergences {
		return compareFailures(ctx, a, b, r, lim)
	}
	return compareTraces(ctx, a, b, r, lim)
}

func compareTraces(ctx context.Context, a, b *LTS, r Relation, lim Limits) (Comparison, error) {
	weak := r == WeakTraceEq || r == WeakTraceIncl
	if !r.IsPreorder() {
		finer := StrongBisim
		if weak {
			finer = BranchingBisim
		}
		bisimilar, x, y, err := quotients(ctx, a, b, finer)
		if err != nil || bisimilar {
			return Comparison{Holds: bisimilar}, err
		}
		a, b = x, y
	}
	if r.IsPreorder() {
		return tracesIncluded(ctx, a, b, weak, lim, "left", "right")
	}
	if lim.MaxStates == 0 || lim.MaxStates > firstPairs {
		short := lim
		short.MaxStates = firstPairs
		c, err := sameTraces(ctx, a, b, weak, short)
		var limit *LimitError
		if !errors.As(err, &limit) {
			return c, err
		}
	}
	return sameTraces(ctx, a, b, weak, lim)
}

// firstPairs is how many pairs are looked at in either direction before more are looked at in one: one may
// fail soon, and the other take long.
const firstPairs = 1 << 12

// sameTraces says whether a's traces are b's. That a limit was reached in one direction does not matter if
// the other fails.
func sameTraces(ctx context.Context, a, b *LTS, weak bool, lim Limits) (Comparison, error) {
	c, err := tracesIncluded(ctx, a, b, weak, lim, "left", "right")
	var limit *LimitError
	if err != nil && !errors.As(err, &limit) {
		return c, err
	}
	if err == nil && !c.Holds {
		return shorter(ctx, c, a, b, weak, lim), nil
	}
	d, other := tracesIncluded(ctx, b, a, weak, lim, "right", "left")
	if other != nil || !d.Holds {
		return d, other
	}
	return c, err
}

// shorter is c, which has a trace that a has and b has not, or one that it is the other way round for and that
// has fewer actions. The second search looks at no more of them, and if it comes to a limit c is as good as it
// gets.
func shorter(ctx context.Context, c Comparison, a, b *LTS, weak bool, lim Limits) Comparison {
	if lim.Order == DepthFirst || len(c.Trace) == 0 {
		return c
	}
	lim.MaxTrace = len(c.Trace) - 1
	if b.HasError() {
		lim.MaxTrace++ // what shows an ERROR state counts as an action
	}
	if lim.MaxTrace == 0 {
		return c
	}
	d, err := tracesIncluded(ctx, b, a, weak, lim, "right", "left")
	if err != nil || d.Holds || len(d.Trace) >= len(c.Trace) {
		return c
	}
	return d
}

// quotients returns the quotients of a and b under a bisimulation, unless they are bisimilar.
func quotients(ctx context.Context, a, b *LTS, r Relation) (bisimilar bool, x, y *LTS, err error) {
	k := newMarks(a, b)
	blocks, _, err := partition(ctx, k, disjoint(k, a, b), r)
	if err != nil || blocks[a.init] == blocks[a.NumStates()+int(b.init)] {
		return err == nil, nil, nil, err
	}
	if x, err = Minimize(ctx, a, r, Limits{}); err != nil {
		return false, nil, nil, err
	}
	y, err = Minimize(ctx, b, r, Limits{})
	return false, x, y, err
}

// tracesIncluded says whether a's traces are among b's.
func tracesIncluded(ctx context.Context, a, b *LTS, weak bool, lim Limits, left, right string) (Comparison, error) {
	k := newMarks(a, b)
	alphabet := observedAlphabet(k, a, b)
	return included(ctx, k, observable(k, a, weak, alphabet), observable(k, b, weak, alphabet), lim, left, right)
}

// included is tracesIncluded of LTSs with marks.
func included(ctx context.Context, k marks, impl, spec *LTS, lim Limits, left, right string) (Comparison, error) {
	result, err := Contains(ctx, []*LTS{impl}, spec, lim)
	if err == nil && result.Verdict == Unknown {
		err = &LimitError{result.Reason}
	}
	if err != nil {
		return Comparison{}, err
	}
	if result.Verdict != Fails {
		return Comparison{Holds: true}, nil
	}
	c := Comparison{HasTrace: true, OfRight: left == "right"}
	for _, action := range result.Counterexample.Trace() {
		switch action {
		case k.err:
			c.Explanation = []string{fmt.Sprintf("after %s, %s can be in an ERROR state; %s cannot",
				traceText(impl.actions, c.Trace), left, right)}
			return c, nil
		case k.tau:
			action = Tau
		}
		c.Trace = append(c.Trace, action)
	}
	c.Explanation = []string{fmt.Sprintf("%s has the trace %s; %s has not", left, traceText(impl.actions, c.Trace), right)}
	return c, nil
}

// maxTraceText is how many actions of a trace an explanation shows.
const maxTraceText = 100

func traceText(t *Actions, trace []Action) string {
	switch {
	case len(trace) == 0:
		return "the empty trace"
	case len(trace) > maxTraceText:
		return fmt.Sprintf("%s … (%d actions in all)", FormatTrace(t, trace[:maxTraceText]), len(trace))
	}
	return FormatTrace(t, trace)
}

// Bounds of the search for a trace that tells two LTSs apart which are not bisimilar: pairs, and bits
// of the sets of states that come with them.
const (
	tracePairs = 100_000
	traceBits  = 1 << 30
)

func compareBisimilar(ctx context.Context, a, b *LTS, r Relation, lim Limits) (Comparison, error) {
	if err := lim.allow(a.NumStates() + b.NumStates()); err != nil {
		return Comparison{}, err
	}
	k := newMarks(a, b)
	u := disjoint(k, a, b)
	blocks, count, err := partition(ctx, k, u, r)
	if err != nil {
		return Comparison{}, err
	}
	left, right := a.init, State(a.NumStates())+b.init
	if blocks[left] == blocks[right] {
		return Comparison{Holds: true}, nil
	}
	game, err := newGame(ctx, k, u, a, b, blocks, count, r)
	if err != nil {
		return Comparison{}, err
	}
	c, err := shortTrace(ctx, a, b, r != StrongBisim, lim)
	if err != nil {
		return Comparison{}, err
	}
	c.Explanation = append(game.play(game.at(left), game.at(right)), c.Explanation...)
	return c, nil
}

// shortTrace looks for a trace of one side that the other has not, within bounds.
func shortTrace(ctx context.Context, a, b *LTS, weak bool, lim Limits) (Comparison, error) {
	states := max(a.NumStates(), b.NumStates())
	lim = Limits{MaxStates: min(tracePairs, 1+traceBits/states), MaxBytes: lim.MaxBytes, Subsumption: NoSubsumption}
	c, err := tracesIncluded(ctx, a, b, weak, lim, "left", "right")
	var limit *LimitError
	switch {
	case err == nil && c.Holds || errors.As(err, &limit):
		c, err = tracesIncluded(ctx, b, a, weak, lim, "right", "left")
	case err == nil:
		c = shorter(ctx, c, a, b, weak, lim)
	}
	if errors.As(err, &limit) {
		return Comparison{}, nil
	}
	c.Holds = false
	return c, err
}
