package lts

import (
	"fmt"
	"slices"
)

// check returns every violation of the invariants written at the fields of LTS. It does not check
// names.
func (m *LTS) check() []error {
	var faults []error
	report := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	n := m.NumStates()
	if n < 1 {
		report("no state")
	}
	if int(m.init) >= n {
		report("initial state %d of %d", m.init, n)
	}
	if m.offsets[0] != 0 || !slices.IsSorted(m.offsets) || int(m.offsets[n]) != len(m.edges) {
		report("offsets do not partition the edges")
		return faults
	}
	for s := range State(n) {
		out := m.Out(s)
		for i, e := range out {
			if i > 0 && out[i-1].Compare(e) >= 0 {
				report("edges of state %d are not sorted or not distinct", s)
			}
			if int(e.To) >= n {
				report("edge from %d to %d of %d states", s, e.To, n)
			}
			if e.Action != Tau && !m.HasAction(e.Action) {
				report("action %d is not in the alphabet", e.Action)
			}
		}
	}
	for i, a := range m.alphabet {
		if a <= Tau || i > 0 && m.alphabet[i-1] >= a {
			report("the alphabet is not sorted, not distinct or holds τ")
		}
	}
	if m.errors != nil && m.errors.Empty() {
		report("an empty set of ERROR states")
	}
	return faults
}
