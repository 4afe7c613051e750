package threaded

// Actions in the schedule of the compiled program.
//
// Idea: where a claim has a specification, each action of the run has a slot, so that the compiled program performs
// all of them in the order of the run, and the last one is the one that is forbidden. Who performs an action is read
// off the text: a call of an intrinsic, or one of a routine without a body whose abstraction says so.
//
// Left out: returns that are observed, and calls through pointers.
//
// Cost: a look at the calls of the text, for each action.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/source"
	"magus/evidence/verdict"
	"magus/evidence/witness"
)

// acts adds the action of a step.
func (o *ordering) acts(i int, plan *witness.Schedule) {
	st := &o.steps[i]
	a, ok := st.Event.(interp.Acted)
	if !ok || o.s.claim.Monitors() == nil || a.Action == cfa.ErrorAction {
		return
	}
	slot := witness.Slot{Thread: st.Thread, Cell: -1, Action: shown(a.Action), Pos: st.Pos}
	if slot.Routine = o.routineAt(st.Pos); slot.Routine != "" {
		slot.Begins = !o.sameCall(i)
	}
	plan.Slots = append(plan.Slots, slot)
	c := &o.in.Components[st.Thread]
	c.Trace = append(c.Trace, slot.Action)
}

// routineAt is the function without a body that is called at a place; "" if the text performs the action there.
func (o *ordering) routineAt(pos cfa.Pos) string {
	name := o.s.claim.Program.CalledAt(pos)
	if slices.ContainsFunc(o.in.Functions, func(f source.Function) bool {
		return f.Name == name && !f.Body.IsValid() && !source.PerformsAction(name) && !slices.Contains(o.in.Errors, name)
	}) {
		return name
	}
	return ""
}

// sameCall reports whether the thread was at the place of a step before, in the same call: it has been
// nowhere else since its last action.
func (o *ordering) sameCall(i int) bool {
	st := &o.steps[i]
	for k := i - 1; k >= 0; k-- {
		before := &o.steps[k]
		if before.Thread != st.Thread {
			continue
		}
		if before.Pos != st.Pos || before.Frame != st.Frame {
			return false
		}
		if _, ok := before.Event.(interp.Acted); ok {
			return true
		}
	}
	return false
}

// performs ends the plan with the action that is forbidden, and returns why that cannot be shown.
func (o *ordering) performs(plan *witness.Schedule) string {
	plan.Performs = true
	for _, t := range plan.Slots {
		if t.Action == "" || t.Routine != "" || t.Action == cfa.ErrorAction ||
			source.PerformsAction(o.s.claim.Program.CalledAt(t.Pos)) {
			continue
		}
		return fmt.Sprintf("%v: no call by its name performs %s", t.Pos, t.Action)
	}
	if r := o.s.outcome.Run; len(r.Trace) > 0 {
		o.in.Forbidden = verdict.Forbidden(r.Trace[len(r.Trace)-1], r.Spec, r.Opposite)
	}
	return ""
}
