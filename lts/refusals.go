package lts

// Failures of one LTS beside those of another one.
//
// Idea: a state without τ is one where an LTS stands, and offers what leads from it. So it gets an action
// that says so, and the searches for what components refuse (failures.go), and for what goes on for ever
// (divergences.go), look at both LTSs with all actions observed. Traces come first, then what is refused,
// then divergences, which matter in one relation only. In that one everything is allowed where right
// diverges.
//
// Source: Roscoe, Understanding Concurrent Systems (2010), sections 10.3 (stable failures) and 12.1
// (failures, divergences).
// Cost: that of the searches: at worst exponential in right's states.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// A Refusal is what left offers in a stable state after a trace, and what the stable states of right offer
// that it may be in after it: all that left offers contains none of these. Where there are none, right always
// goes on by τ.
type Refusal struct {
	Offers []Action
	Must   [][]Action // the least ones, shorter ones first
}

// compared are two LTSs with all actions observed.
type compared struct {
	marks
	given      *LTS // left without marks
	left       *LTS
	right      *LTS
	chaos      *State // of right, where it diverges; nil if that does not matter
	divergence bool   // matters
	limits     Limits
}

// compareFailures decides one of the relations of failures.
func compareFailures(ctx context.Context, a, b *LTS, r Relation, lim Limits) (Comparison, error) {
	c := &compared{marks: newMarks(a, b), given: a, divergence: r == FailuresDivergences, limits: lim}
	alphabet := observedAlphabet(c.marks, a, b)
	c.left, c.right = observable(c.marks, a, true, alphabet), observable(c.marks, b, true, alphabet)
	if c.divergence {
		c.right, c.chaos = Chaos(c.right)
	}
	d, err := included(ctx, c.marks, c.left, c.right, lim, "left", "right")
	if err != nil || !d.Holds {
		return d, err
	}
	if d, err = c.refusals(ctx); err != nil || !d.Holds || !c.divergence {
		return d, err
	}
	return c.endless(ctx)
}

// refusals looks for a stable state of left that refuses too much.
func (c *compared) refusals(ctx context.Context) (Comparison, error) {
	saying, standing := c.standing()
	same := func(a Action) Action { return a }
	r, err := Failures(ctx, []*LTS{saying}, []map[Action]Standing{standing}, nil, c.right, same, same, c.limits)
	if err == nil && r.Verdict == Unknown {
		err = &LimitError{r.Reason}
	}
	if err != nil || r.Verdict == Holds {
		return Comparison{Holds: err == nil}, err
	}
	steps := r.Counterexample.Steps
	last := steps[len(steps)-1]
	trace := (&Counterexample{Steps: steps[:len(steps)-1]}).Trace()
	must, _ := Acceptances(c.right, trace)
	x := Refusal{Offers: standing[last.Action].Offers, Must: least(must)}
	d := Comparison{Trace: c.named(trace), HasTrace: true, Explanation: c.refusalText(trace, x)}
	d.Refusal = &Refusal{Offers: c.named(x.Offers)}
	for _, offers := range x.Must {
		d.Refusal.Must = append(d.Refusal.Must, c.named(offers))
	}
	return d, nil
}

// standing is left with an action at each state without τ that says what it offers.
func (c *compared) standing() (*LTS, map[Action]Standing) {
	b := NewBuilder(c.left.actions)
	b.AddStates(c.left.NumStates())
	b.SetInit(c.left.init)
	standing, says := map[Action]Standing{}, map[string]Action{}
	next := c.tau + 1
	for s := range State(c.left.NumStates()) {
		for _, e := range c.left.Out(s) {
			b.AddEdge(s, e.Action, e.To)
		}
		if len(c.left.OutBy(s, Tau)) > 0 {
			continue
		}
		offers := offered(c.left.Out(s))
		key := fmt.Sprint(offers)
		if _, met := says[key]; !met {
			says[key], standing[next] = next, Standing{Offers: offers}
			next++
		}
		b.AddEdge(s, says[key], s)
	}
	b.Alphabet(c.left.alphabet...)
	return b.Build(), standing
}

// endless looks for a cycle of τ in left where right does not diverge.
func (c *compared) endless(ctx context.Context) (Comparison, error) {
	none := func(context.Context, int, []Transition) ([]Transition, error) { return nil, nil }
	r, err := Divergences(ctx, []*LTS{c.left}, make([]map[Action]Standing, 1), nil, c.right, c.chaos, none, c.limits)
	if err == nil && r.Verdict == Unknown {
		err = &LimitError{r.Reason}
	}
	if err != nil || r.Verdict == Holds {
		return Comparison{Holds: err == nil}, err
	}
	trace := r.Stem.Trace()
	d := Comparison{Trace: c.named(trace), HasTrace: true}
	var states []string
	for _, step := range r.Cycle.Steps {
		d.Cycle = append(d.Cycle, step.Moves[0].From)
		states = append(states, c.given.StateName(step.Moves[0].From))
	}
	if len(states) > maxTraceText {
		states = append(states[:maxTraceText], "…")
	}
	states = append(states, c.given.StateName(d.Cycle[0]))
	d.Explanation = []string{fmt.Sprintf("after %s, left can do tau forever: %s; right cannot",
		traceText(c.given.actions, d.Trace),
		strings.Join(states, " → "))}
	return d, nil
}

// named are actions without marks.
func (c *compared) named(actions []Action) []Action {
	return slices.DeleteFunc(slices.Clone(actions), func(a Action) bool { return a == c.err })
}

// refusalText says what is refused.
func (c *compared) refusalText(trace []Action, x Refusal) []string {
	text := func(offers []Action) string {
		names := c.given.actions.Names(c.named(offers))
		if slices.Contains(offers, c.err) {
			names = append(names, "ERROR")
		}
		if len(names) > maxTraceText {
			names = append(names[:maxTraceText], "…")
		}
		return "{" + strings.Join(names, ", ") + "}"
	}
	offers := "nothing"
	if len(x.Offers) > 0 {
		offers = "no more than " + text(x.Offers)
	}
	line := fmt.Sprintf("after %s, left can offer %s", traceText(c.given.actions, c.named(trace)), offers)
	if len(x.Must) == 0 {
		return []string{line + "; right always goes on by tau"}
	}
	var all []string
	for _, must := range x.Must[:min(len(x.Must), maxTraceText)] {
		all = append(all, text(must))
	}
	return []string{line + "; right offers at least " + strings.Join(all, " or ")}
}

// least are the sets that contain no other one, each once, shorter ones first.
func least(sets [][]Action) (all [][]Action) {
	sets = slices.Clone(sets)
	slices.SortFunc(sets, func(a, b []Action) int { return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b)) })
	for _, s := range sets {
		contains := func(o []Action) bool {
			return !slices.ContainsFunc(o, func(a Action) bool { return !slices.Contains(s, a) })
		}
		if !slices.ContainsFunc(all, contains) {
			all = append(all, s)
		}
	}
	return all
}
