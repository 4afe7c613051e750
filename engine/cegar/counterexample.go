package cegar

import (
	"slices"

	"magus/component"
	"magus/lts"
)

// examined is the counterexample that was found last, as far as it was looked at.
type examined struct {
	trace   []lts.Action // all visible actions; nil if none was found
	cex     *cex         // as found
	status  Status
	against *lts.LTS     // what it is one of: the specification, or what a proof has to show
	paths   [][]lts.Edge // of its copies, in their MP_i
	taken   []taken      // these, validated
	// the components to refine, the first that lacks its part of the counterexample before the others
	refine     []int
	lacking    []int                    // the parts that their components do not have, one a component
	apart      *apart                   // why a component does not have a tree whose branches it has; nil of others
	runs       [][]*component.Execution // of a tree: by branch and copy
	otherParts []otherPart              // those of others of the same search, of other components
}

// first is the component that is refined first.
func (x *examined) first() int {
	if len(x.refine) == 0 {
		return 0
	}
	return x.refine[0]
}

// lacks reports whether one of some parts of the counterexample is a component's.
func (x *examined) lacks(parts []int, comp int) bool {
	return slices.ContainsFunc(parts, func(k int) bool { return x.cex.copies[k].Component == comp })
}

// shown is the copy of a component whose part of the counterexample a view shows: the one that was found to be
// spurious, or else the first; -1 if there is none.
func (x *examined) shown(comp int) int {
	if x.cex == nil {
		return -1
	}
	parts := x.cex.parts(comp)
	for _, k := range parts {
		if slices.Contains(x.lacking, k) {
			return k
		}
	}
	return parts[0]
}

// A Status says what has become of the counterexample that was found last.
// None was found where there is no trace.
type Status string

// The standings. A session without a counterexample has none of them.
const (
	Open     Status = "open"     // no component was found not to have it so far
	Refuted  Status = "refuted"  // a component does not have it; nothing was refined since
	Past     Status = "past"     // the abstractions that had it are no more, or do not have it
	Replayed Status = "replayed" // the interpreter has executed it
)

// Shown reports whether the counterexample is one of the present abstractions.
func (s Status) Shown() bool { return s == Open || s == Refuted || s == Replayed }

// after is the status after a phase with a result, from that before it.
func (s Status) after(now Phase, r result) Status {
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

// atEnd is the status after a verdict, from that before it.
func (s Status) atEnd(conforms, violates bool) Status {
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
