package component

// What a proof about components has to show whose recursion is not followed to its
// end: besides what is asked, that they never come to where it is cut.

import (
	"slices"

	"magus/lts"
)

// uncut is a specification that observes the cuts of the components and never allows
// one; spec itself if there are none. Where spec asks the opposite question, because it
// has an ERROR state, each cut leads to such a state.
func uncut(spec *lts.LTS, components []*Component) *lts.LTS {
	var cuts []lts.Action
	for _, c := range components {
		if c.Cut != lts.Tau && !c.isSilent() {
			cuts = append(cuts, c.Cut)
		}
	}
	if cuts == nil {
		return spec
	}
	b := copyStates(spec)
	for s := range lts.State(spec.NumStates()) {
		for _, e := range spec.Out(s) {
			b.AddEdge(s, e.Action, e.To)
		}
	}
	if spec.HasError() {
		end := b.AddState("recursion")
		b.SetError(end)
		for s := range lts.State(spec.NumStates()) {
			for _, a := range cuts {
				b.AddEdge(s, a, end)
			}
		}
	}
	b.Alphabet(slices.Concat(spec.Alphabet(), cuts)...)
	return b.Build()
}

// IsCut reports whether an action is the cut of a component.
func (s *System) IsCut(a lts.Action) bool {
	return a != lts.Tau && slices.ContainsFunc(s.Components, func(c *Component) bool { return c.Cut == a })
}

// isSilent reports whether a component performs nothing that anybody observes, also
// where it is cut.
func (c *Component) isSilent() bool {
	return c.CFA.Silent && !c.Returns.Observed && len(c.Shared) == 0
}
