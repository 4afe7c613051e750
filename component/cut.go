package component

// What is asked of components whose recursion is not followed to its end.
//
// Idea: a component says by actions of its own that it comes to a call that is not followed:
// a cut ends it, a skip lets it go on with any value as the result. A proof has to show
// besides what is asked that there is no cut; what happens after a skip counts like all else, since
// any value has more runs than the program. A violation is one only if it comes before the
// first of either.

import (
	"slices"
	"strings"

	"magus/cfa"
	"magus/lts"
)

// cutsOf are the cuts of the components that matter: all where it is asked whether runs end.
func cutsOf(components []*Component, question Question) (cuts []lts.Action) {
	for _, c := range components {
		if c.Cut != lts.Tau && (question == Terminates || !c.isSilent()) {
			cuts = append(cuts, c.Cut)
		}
	}
	return cuts
}

// skipsOf are the skips of the components.
func skipsOf(components []*Component) (skips []lts.Action) {
	for _, c := range components {
		if c.Skip != lts.Tau {
			skips = append(skips, c.Skip)
		}
	}
	return skips
}

// without is a specification that observes some actions and never allows one; spec itself
// if there are none. Where spec asks the opposite question, because it has an ERROR state,
// each of them leads to such a state.
func without(spec *lts.LTS, actions []lts.Action) *lts.LTS {
	if actions == nil {
		return spec
	}
	b := copyAll(spec)
	if spec.HasError() {
		end := b.AddState("recursion")
		b.SetError(end)
		leadTo(b, spec, actions, end)
	}
	b.Alphabet(slices.Concat(spec.Alphabet(), actions)...)
	return b.Build()
}

// before is a specification that observes some actions, and after one of them allows
// everything; spec itself if there are none.
func before(spec *lts.LTS, actions []lts.Action) *lts.LTS {
	if actions == nil {
		return spec
	}
	b := copyAll(spec)
	all := slices.Concat(spec.Alphabet(), actions)
	after := b.AddState("skipped")
	leadTo(b, spec, actions, after)
	for _, a := range all {
		b.AddEdge(after, a, after)
	}
	b.Alphabet(all...)
	return b.Build()
}

// copyAll has the states and transitions of a specification.
func copyAll(spec *lts.LTS) *lts.Builder {
	b := copyStates(spec)
	for s := range lts.State(spec.NumStates()) {
		for _, e := range spec.Out(s) {
			b.AddEdge(s, e.Action, e.To)
		}
	}
	return b
}

// leadTo adds transitions from all states of spec.
func leadTo(b *lts.Builder, spec *lts.LTS, actions []lts.Action, to lts.State) {
	for s := range lts.State(spec.NumStates()) {
		for _, a := range actions {
			b.AddEdge(s, a, to)
		}
	}
}

// IsCut reports whether an action is the cut of a component, or its skip.
func (s *System) IsCut(a lts.Action) bool {
	return a != lts.Tau && slices.ContainsFunc(s.Components, func(c *Component) bool { return c.IsCut(a) })
}

// IsCut reports whether an action, not τ, is the component's cut, or its skip.
func (c *Component) IsCut(a lts.Action) bool { return a == c.Cut || a == c.Skip }

// isSilent reports whether a component performs nothing that anybody observes, also
// where it is cut.
func (c *Component) isSilent() bool {
	return c.CFA.Silent && !c.Returns.Observed && len(c.Shared) == 0 && c.Stands == 0
}

// writesOf are the actions of components that write what they must not: see [lower.Frame]. A specification never allows
// one.
func writesOf(components []*Component) (writes []lts.Action) {
	for _, c := range components {
		for _, loc := range c.CFA.Locs {
			if act, ok := loc.Stmt.(cfa.Act); ok && strings.HasPrefix(act.Action, cfa.WritesPrefix) {
				writes = append(writes, c.Actions.Intern(act.Action))
			}
		}
	}
	slices.Sort(writes)
	return slices.Compact(writes)
}
