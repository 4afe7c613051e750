package cegar

// A Standing says what has become of the counterexample that was found last.
// None was found where there is no trace.
type Standing string

// The standings. A session without a counterexample has none of them.
const (
	Open     Standing = "open"     // no component was found not to have it so far
	Refuted  Standing = "refuted"  // a component does not have it; nothing was refined since
	Past     Standing = "past"     // the abstractions that had it are no more, or do not have it
	Replayed Standing = "replayed" // the interpreter has executed it
)

// Shown reports whether the counterexample is one of the present abstractions.
func (s Standing) Shown() bool { return s == Open || s == Refuted || s == Replayed }

// after is the standing after a phase with a result, from that before it.
func (s Standing) after(now Phase, r result) Standing {
	switch {
	case r == counterexample:
		return Open
	case r == spurious:
		return Refuted
	case s == "" || r == atEnd:
		return s // end has noted it
	case r == contained, now == RefineEvents, now == RefineData:
		return Past
	case now == FollowRecursion, now == InlineBody:
		return ""
	}
	return s
}

// atEnd is the standing after a verdict, from that before it.
func (s Standing) atEnd(conforms, violates bool) Standing {
	switch {
	case s == "":
		return s
	case violates:
		return Replayed
	case conforms:
		return Past
	}
	return s
}
