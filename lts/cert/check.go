package cert

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/lts"
)

// Idea. For an antichain: "spec can be in every state of S, or in more, after what was observed on
// the way to q, for some pair (q, S) of the certificate" is shown to be an invariant of all runs of
// the composition: it holds at the start (C1) and every step preserves it (C2). As no S is empty (C3),
// every trace is one of spec.
//
//	C1  some (q0, S) has S ⊆ closure of spec's initial state
//	C2  for every (q, S) and step q -a-> q': some (q', S') has S' ⊆ S if a is not observed, and
//	    S' ⊆ what S becomes by a if it is
//	C3  every S is not empty
//
// A larger S' would not do in C2: it claims more of spec than is known. If spec has an ERROR state,
// inclusion goes the other way: T(q), the union of the sets of the pairs with q, must contain all that
// spec can be in, and no ERROR state. What spec reaches by τ from the set of a pair is followed by the steps of that
// pair, or is in T(q) itself, where other pairs follow it: by other components, perhaps, if pairs leave some out
// (persistent.go; a run counts the steps of spec by τ, so that it is shorter from there).
//
// With simulations, the relations are shown to be ones first, so that what is simulated has no more traces.
// Then for q' and the set T that spec can be in with it, C1 and C2 are satisfied too by a state of T
// that simulates q', and by a pair (p, S') where p is q' or simulates it and each member of S' is in T
// or simulated by a member. The invariant is then about traces: whatever trace a pair's state q has is one
// of a member of S. By induction on the steps: a step of q leads to such a q' and T, and the rest of
// the trace is, by a simulation or by the induction and simulations, one of a member of T.
//
// For a trace: trace.go.
//
// Source: the invariant is the one behind antichain algorithms (De Wulf, Doyen, Henzinger, Raskin,
// CAV 2006). Cost: one τ-closure in spec for every pair and step; not tuned, so that it can be read.

// A RefutedError says why a certificate does not show what it claims. Line is where the fault stands in
// the text that it was read from, 0 if it was read from none: the first pair, in their order, that does
// not hold, or the line where something is missing.
type RefutedError struct {
	Line   int
	Reason string
}

func (e *RefutedError) Error() string { return "the certificate does not hold: " + e.Reason }

func refuted(line int, format string, args ...any) error {
	return &RefutedError{line, fmt.Sprintf(format, args...)}
}

// Check returns nil if the certificate shows its answer for impl and spec, and a *RefutedError if
// not. Any other error is ctx's, or says that the LTSs are not of one Actions table.
func (c *Certificate) Check(ctx context.Context, impl []*lts.LTS, spec *lts.LTS) error {
	for _, m := range impl {
		if m.Actions() != spec.Actions() {
			return fmt.Errorf("cert: the LTSs are numbered by different Actions tables")
		}
	}
	if err := c.checkSubject(impl, spec); err != nil {
		return err
	}
	v := &validation{ctx: ctx, at: c.at, impl: newProduct(impl), strong: c.Strong, taking: map[lts.Action][]int{}}
	v.spec = view{spec, func(a lts.Action) bool { return a == lts.Tau && !c.Strong }}
	if !c.Holds {
		return v.trace(c.Trace)
	}
	if spec.HasError() {
		return v.errorInvariant(c.Pairs)
	}
	return v.antichain(c.Pairs, c.Simulations)
}

// checkSubject finds out whether the certificate is about LTSs like impl and spec, and whether all
// states it mentions are states.
func (c *Certificate) checkSubject(impl []*lts.LTS, spec *lts.LTS) error {
	if len(c.Impl) != len(impl) {
		return refuted(c.at.impl, "it is about %d components, not %d", len(c.Impl), len(impl))
	}
	for i, m := range impl {
		if c.Impl[i] != sizeOf(m) {
			return refuted(c.at.of(c.at.impl, i), "its component %d has %v, this one has %v", i+1, c.Impl[i], sizeOf(m))
		}
	}
	if c.Spec != sizeOf(spec) {
		return refuted(c.at.spec, "its specification has %v, this one has %v", c.Spec, sizeOf(spec))
	}
	if names := observed(spec); !slices.Equal(c.Observed, names) {
		return refuted(c.at.observed, "it observes {%s}, the specification's alphabet is {%s}",
			strings.Join(c.Observed, ", "), strings.Join(names, ", "))
	}
	for k, pair := range c.Pairs {
		if len(pair.Impl) != len(impl) {
			return refuted(c.at.pair(k), "pair %d has %d component states, not %d", k+1, len(pair.Impl), len(impl))
		}
		for i, s := range pair.Impl {
			if int(s) >= impl[i].NumStates() {
				return refuted(c.at.pair(k), "pair %d: component %d has no state %d", k+1, i+1, s)
			}
		}
		for _, s := range pair.Spec {
			if int(s) >= spec.NumStates() {
				return refuted(c.at.pair(k), "pair %d: the specification has no state %d", k+1, s)
			}
		}
		for _, i := range pair.Of {
			if int(i) >= len(impl) {
				return refuted(c.at.pair(k), "pair %d: there is no component %d", k+1, i+1)
			}
		}
	}
	return nil
}

func (s Size) String() string { return fmt.Sprintf("%d states and %d transitions", s.States, s.Edges) }

// A validation is one call of Check.
type validation struct {
	ctx    context.Context
	at     lines
	impl   product
	spec   view
	strong bool
	taking map[lts.Action][]int // the components that take part in an action
}

// observes says whether spec is to follow action a.
func (v *validation) observes(a lts.Action) bool {
	return v.spec.HasAction(a) || a == lts.Tau && v.strong
}

// possible says whether some component can do a.
func (v *validation) possible(a lts.Action) bool {
	return a == lts.Tau || len(v.impl.owners[a]) > 0
}

// antichain checks C1, C2 and C3.
func (v *validation) antichain(pairs []lts.Pair, simulations lts.Simulations) error {
	if someLeaveOut(pairs) && len(simulations.Spec)+len(simulations.Impl)+len(simulations.Cross) > 0 {
		return refuted(v.at.pairs, "pairs that leave components out, and simulations")
	}
	c, err := v.newCover(simulations)
	if err != nil {
		return err
	}
	for k, pair := range pairs {
		if len(pair.Spec) == 0 {
			return refuted(v.at.pair(k), "pair %d has no specification state", k+1)
		}
		c.at[key(pair.Impl)] = append(c.at[key(pair.Impl)], covering{k, pair.Spec})
	}
	if !c.covers(v.impl.initial(), v.spec.closed([]lts.State{v.spec.Init()})) {
		return refuted(v.at.pairs, "no pair covers the initial states")
	}
	closed := func(pair lts.Pair) set { return v.spec.closed(pair.Spec) }
	return v.closedUnderSteps(pairs, closed, func(k int, a lts.Action, next []lts.State, s set) (later bool, err error) {
		switch {
		case len(s) == 0:
			return false, refuted(v.at.pair(k), "pair %d: the specification cannot follow %s", k+1, v.name(a))
		case !c.covers(next, s):
			return false, refuted(v.at.pair(k), "pair %d: no pair covers the step %s to %v", k+1, v.name(a), next)
		}
		return pairs[k].Of != nil && c.coversAfter(k, next, s), nil
	})
}

// closedUnderSteps checks the steps of each pair, with spec where followed says, that need to be looked at by
// step, which says whether a later pair covers them; and for pairs that leave components out, that these
// steps are enough.
func (v *validation) closedUnderSteps(pairs []lts.Pair, followed func(lts.Pair) set,
	step func(k int, a lts.Action, next []lts.State, s set) (later bool, err error)) error {
	for k, pair := range pairs {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		if err := v.persistent(k, pair); err != nil {
			return err
		}
		goesOn := pair.Of == nil
		err := v.stepsOf(pair, followed(pair), func(a lts.Action, next []lts.State, s set) error {
			later, err := step(k, a, next, s)
			goesOn = goesOn || later
			return err
		})
		if err != nil {
			return err
		}
		if !goesOn {
			return refuted(v.at.pair(k), "pair %d leaves components out, and no later pair covers one of its steps", k+1)
		}
	}
	return nil
}

// A cover is the sets of the pairs by tuple, and the simulations.
type cover struct {
	at    map[string][]covering
	spec  *simulation
	impl  *simulation // nil if there are several components
	cross *simulation // nil if there are several components
}

// covering is the set of a pair, and which one it is.
type covering struct {
	pair   int
	states []lts.State
}

func (v *validation) newCover(said lts.Simulations) (c *cover, err error) {
	c = &cover{at: map[string][]covering{}}
	if c.spec, err = v.simulation("simulations of spec", v.at.simulations[0], said.Spec, v.spec, v.spec,
		true); err != nil {
		return nil, err
	}
	if len(v.impl.components) > 1 {
		if len(said.Impl) > 0 || len(said.Cross) > 0 {
			return nil, refuted(max(v.at.simulations[1], v.at.simulations[2]), "simulations of the states of several components")
		}
		return c, nil
	}
	impl := view{v.impl.components[0], func(a lts.Action) bool { return !v.observes(a) }}
	if c.impl, err = v.simulation("simulations of impl", v.at.simulations[1], said.Impl, impl, impl, true); err != nil {
		return nil, err
	}
	c.cross, err = v.simulation("simulations of impl by spec", v.at.simulations[2], said.Cross, impl, v.spec, false)
	return c, err
}

// covers says whether there is a pair for q when spec can be in all states of s, or a simulation that
// makes one needless.
func (c *cover) covers(q []lts.State, s set) bool {
	if c.impl == nil {
		return c.coversAfter(-1, q, s)
	}
	return c.cross.simulatesFrom(s, q[0]) || c.coversAfter(-1, q, s) ||
		c.impl.by[q[0]].any(func(p lts.State) bool { return c.coversAfter(-1, []lts.State{p}, s) })
}

// coversAfter says whether there is a pair with tuple q itself, later than a given one.
func (c *cover) coversAfter(pair int, q []lts.State, s set) bool {
	return slices.ContainsFunc(c.at[key(q)], func(by covering) bool {
		return by.pair > pair && !slices.ContainsFunc(by.states, func(t lts.State) bool {
			return !c.spec.simulatesFrom(s, t)
		})
	})
}

// stepsOf calls f with every step of a pair, or of its components, and where spec can be after it from unmoved.
func (v *validation) stepsOf(pair lts.Pair, unmoved set, f func(a lts.Action, next []lts.State, s set) error) error {
	moved := map[lts.Action]set{}
	step := func(a lts.Action, next []lts.State) error {
		if !v.observes(a) {
			return f(a, next, unmoved)
		}
		if _, known := moved[a]; !known {
			moved[a] = v.spec.after(unmoved, a)
		}
		return f(a, next, moved[a])
	}
	if pair.Of == nil {
		return v.impl.steps(pair.Impl, step)
	}
	return v.stepsOfSome(pair, step)
}

// errorInvariant checks that the union of the sets at each tuple is closed and free of ERROR states.
func (v *validation) errorInvariant(pairs []lts.Pair) error {
	at := map[string][]covering{}
	for k, pair := range pairs {
		at[key(pair.Impl)] = append(at[key(pair.Impl)], covering{k, pair.Spec})
	}
	covered := func(after int, q []lts.State, states []lts.State) bool {
		all := set{}
		for _, by := range at[key(q)] {
			for _, t := range by.states {
				if by.pair > after {
					all[t] = true
				}
			}
		}
		return all.includes(states)
	}
	if !covered(-1, v.impl.initial(), v.spec.closed([]lts.State{v.spec.Init()}).sorted()) {
		return refuted(v.at.pairs, "no pair covers the initial states")
	}
	for k, pair := range pairs {
		if v.spec.hasError(v.spec.closed(pair.Spec)) {
			return refuted(v.at.pair(k), "the specification can be in an ERROR state with %v", pair.Impl)
		}
	}
	followed := func(pair lts.Pair) set {
		all := v.spec.closed(pair.Spec)
		if !covered(-1, pair.Impl, all.sorted()) {
			return all
		}
		own := set{}
		for _, t := range pair.Spec {
			own[t] = true
		}
		return own
	}
	return v.closedUnderSteps(pairs, followed, func(k int, a lts.Action, next []lts.State, s set) (later bool, err error) {
		if !covered(-1, next, s.sorted()) {
			return false, refuted(v.at.pair(k), "no pair covers the step %s from %v to %v", v.name(a), pairs[k].Impl, next)
		}
		return pairs[k].Of != nil && covered(k, next, pairs[k].Spec), nil
	})
}

func (v *validation) name(a lts.Action) string { return v.spec.Actions().Name(a) }
