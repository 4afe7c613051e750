package cert

import (
	"slices"

	"magus/lts"
)

// Idea: a pair with components P need only be closed under the steps of P, if these are evidently
// enough (the theorem in package lts, persistent.go). A component that can perform an action in each
// of its states, and stays where it is, does not take part in it; then
//
//	P1  in what a component in P can perform at the pair, together with all that own the action, only
//	    components in P take part;
//	P2  what one of them cannot perform there, since others are not ready, one in P is not ready for;
//	P3  none of what they can perform there is observed;
//	P4  a later pair covers one of their steps.
//
// Let w be a run from a pair's tuple that is not allowed by the pair's set, a shortest one, and the pair the last
// that has one. If a component in P takes part in w, its first step there can be the first of w, and leads to
// a shorter one; if not, w is possible after the step of P4. So there is none.

// persistent checks P1, P2 and P3 of a pair.
func (v *validation) persistent(k int, pair lts.Pair) error {
	in := func(j int) bool { return slices.Contains(pair.Of, int32(j)) }
	for _, i := range pair.Of {
		for _, e := range v.impl.components[i].Out(pair.Impl[i]) {
			parties := v.parties(int(i), e.Action)
			missing := v.notReady(pair.Impl, e.Action)
			switch {
			case !slices.Contains(parties, int(i)):
			case missing != nil && !slices.ContainsFunc(missing, in):
				return refuted(v.at.pair(k),
					"pair %d: component %d waits for others to perform %s, which the pair leaves out", k+1, i+1, v.name(e.Action))
			case missing != nil:
			case slices.ContainsFunc(parties, func(j int) bool { return !in(j) }):
				return refuted(v.at.pair(k),
					"pair %d: component %d performs %s with others, which the pair leaves out", k+1, i+1, v.name(e.Action))
			case v.observes(e.Action):
				return refuted(v.at.pair(k), "pair %d: component %d performs %s, which is observed", k+1, i+1, v.name(e.Action))
			}
		}
	}
	return nil
}

// stepsOfSome calls f with the steps in which a pair's components take part, where P1 and P2 are satisfied.
func (v *validation) stepsOfSome(pair lts.Pair, f func(a lts.Action, next []lts.State) error) error {
	for _, i := range pair.Of {
		out := v.impl.components[i].Out(pair.Impl[i])
		for k, e := range out {
			parties := v.parties(int(i), e.Action)
			var err error
			switch {
			case e.Action == lts.Tau:
				err = f(e.Action, with(pair.Impl, int(i), e.To))
			case k > 0 && out[k-1].Action == e.Action: // edges are in the order of actions
			case parties != nil && parties[0] == int(i):
				err = v.impl.performing(pair.Impl, e.Action, f)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// parties are the components that take part in an action of component i, in ascending order.
func (v *validation) parties(i int, a lts.Action) []int {
	if a == lts.Tau {
		return []int{i}
	}
	parties, known := v.taking[a]
	if !known {
		for _, j := range v.impl.owners[a] {
			if !indifferent(v.impl.components[j], a) {
				parties = append(parties, j)
			}
		}
		v.taking[a] = parties
	}
	return parties
}

// indifferent reports whether a leads from each state to itself, and nowhere else.
func indifferent(m *lts.LTS, a lts.Action) bool {
	for s := range lts.State(m.NumStates()) {
		if out := m.OutBy(s, a); len(out) != 1 || out[0].To != s {
			return false
		}
	}
	return true
}

// notReady returns the components that own an action and cannot perform it.
func (v *validation) notReady(at []lts.State, a lts.Action) (missing []int) {
	for _, j := range v.impl.owners[a] {
		if len(v.impl.components[j].OutBy(at[j], a)) == 0 {
			missing = append(missing, j)
		}
	}
	return missing
}

// someLeaveOut reports whether a pair has components.
func someLeaveOut(pairs []lts.Pair) bool {
	return slices.ContainsFunc(pairs, func(p lts.Pair) bool { return p.Of != nil })
}
