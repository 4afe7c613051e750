package lts

import (
	"fmt"
	"unsafe"
)

// Limits bounds what a computation looks at and stores. The zero value sets no bound. It also says,
// for the searches of traces, what else they are to do.
type Limits struct {
	MaxStates int   // states, or pairs of states for traces, that are stored; 0 = no bound
	MaxBytes  int64 // bytes of the states, pairs and sets of states that are stored; 0 = no bound

	Order       Order       // of searches; breadth first is the default
	Subsumption Subsumption // in searches; automatic is the default
	Antichain   bool        // return the antichain of a containment that holds; costs memory
	// PartialOrder lets searches look at few of the orders in which components take steps that do not depend on each
	// other. Breadth first, a counterexample has the fewest observed actions still, but perhaps more steps
	// than necessary. An antichain says which steps its pairs need (Pair.Of). See persistent.go.
	PartialOrder bool
	// Visited asks for the states that each component was in, where the search looks at all of them: if
	// the containment holds, spec has no ERROR state, and no simulations and no reduction were made use of.
	Visited bool
	// MaxTrace bounds the observed actions of counterexamples that are looked for; 0 = no bound. If there is none
	// within the bound and there may be longer ones, the verdict is Unknown.
	MaxTrace int
	// Others is how many further counterexamples are looked for beside the first, as far as that takes little. Their
	// last actions differ, and nothing is promised about their lengths.
	Others int
	// Reduce lets [Contains] make the components smaller before the search, alone and in groups. There
	// is no antichain then, for it would be one of other LTSs; and a counterexample, which is a run of the
	// components given, may have more steps than necessary that are not observed.
	Reduce bool
}

// A LimitError says that a limit was reached before there was an answer.
type LimitError struct{ Reason string }

func (e *LimitError) Error() string { return "lts: " + e.Reason }

// exceeded returns why a computation with that many states in that many bytes has reached a limit, or
// "" if it has not; what names the states.
func (l Limits) exceeded(states int, bytes int64, what string) string {
	switch {
	case l.MaxStates > 0 && states > l.MaxStates:
		return fmt.Sprintf("more than %d %s", l.MaxStates, what)
	case l.MaxBytes > 0 && bytes > l.MaxBytes:
		return fmt.Sprintf("more than %d bytes of %s", l.MaxBytes, what)
	}
	return ""
}

// allow returns a *LimitError if there are more than MaxStates states.
func (l Limits) allow(states int) error {
	if why := l.exceeded(states, 0, "states"); why != "" {
		return &LimitError{why}
	}
	return nil
}

// bytesOf is the memory of a slice's array.
func bytesOf[T any](s []T) int64 {
	var one T
	return int64(cap(s)) * int64(unsafe.Sizeof(one))
}
