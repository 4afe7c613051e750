package cert

import (
	"errors"
	"slices"

	"magus/lts"
)

// Certificate is an answer to the question whether impl_1 ‖ … ‖ impl_n, restricted to the alphabet of
// spec, has only weak traces of spec, or only traces if Strong, together with what shows that it is
// right. If spec has an ERROR state, the question is whether no trace can lead spec there, as in
// [lts.Contains].
type Certificate struct {
	Strong      bool     // τ is observed
	Observed    []string // the alphabet of spec, sorted
	Impl        []Size   // by component; at least one
	Spec        Size
	Holds       bool
	Simulations lts.Simulations // if Holds: what Pairs relies on
	Pairs       []lts.Pair      // if Holds: the antichain
	Trace       []string        // if not Holds: the visible actions of a run of the composition, and τ if Strong

	at lines
}

// lines are where the parts of a certificate begin in the text that it was read from, 0 if it was read
// from none: the first component's line, and those with the counts of simulations, pairs and actions.
type lines struct {
	impl, spec, observed, pairs, trace int
	simulations                        [3]int // of spec, of impl, across
}

// of is the line of item i of what begins at a line.
func (lines) of(start, i int) int {
	if start == 0 {
		return 0
	}
	return start + i
}

// pair is the line of a pair.
func (at lines) pair(k int) int { return at.of(at.pairs, k+1) }

// Size is how large an LTS is.
type Size struct{ States, Edges int }

// ErrNothingToCertify is returned for an unknown result and for one without an antichain.
var ErrNothingToCertify = errors.New("an answer without an antichain or a trace has no certificate")

// Of makes the certificate of what lts.Contains or lts.ContainsStrong returned for impl and spec when
// its Limits asked for the antichain. The error is [ErrNothingToCertify] or nil.
func Of(impl []*lts.LTS, spec *lts.LTS, r lts.Result) (*Certificate, error) {
	c := &Certificate{Strong: r.Strong, Observed: observed(spec), Spec: sizeOf(spec)}
	for _, m := range impl {
		c.Impl = append(c.Impl, sizeOf(m))
	}
	switch {
	case r.Verdict == lts.Holds && r.Antichain != nil:
		c.Holds, c.Pairs, c.Simulations = true, r.Antichain, r.Simulations
	case r.Verdict == lts.Fails && r.Counterexample != nil:
		trace := r.Counterexample.Trace()
		if r.Strong {
			trace = r.Counterexample.Actions()
		}
		c.Trace = spec.Actions().Names(trace)
	default:
		return nil, ErrNothingToCertify
	}
	return c, nil
}

func sizeOf(m *lts.LTS) Size { return Size{m.NumStates(), m.NumEdges()} }

// observed returns the names of m's alphabet, sorted.
func observed(m *lts.LTS) []string {
	names := m.Actions().Names(m.Alphabet())
	slices.Sort(names)
	return names
}
