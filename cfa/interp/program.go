package interp

// Replay of a whole program.
//
// Idea: components have no memory in common, so each one's run can be replayed
// alone; what ties them together is the order of the visible actions and who
// takes part in each. That is checked against the alphabets (CSP's parallel
// composition, Chaki et al., "Efficient Verification of Sequential and
// Concurrent C Programs" (2004), section 3: a component takes part in an action
// exactly if the action is in its alphabet). Of several copies of a component
// exactly one takes part.

import (
	"context"
	"fmt"
	"slices"
)

// A Joint is one visible action of a program with the components that perform
// it together.
type Joint struct {
	Action     string
	Components []int // increasing
}

// A ProgramStep is one internal step of one component, or one action of all
// components that take part.
type ProgramStep struct {
	Action     string // "" for an internal step
	Components []int  // increasing
	Steps      []int  // for each of these components, the index into its run's Steps
}

// A ProgramRun is an interleaved run of all components.
type ProgramRun struct {
	Runs  []*Run // by component
	Steps []ProgramStep
	Trace []string // the visible actions in order
	// Tainted is the first run's Tainted that is not nil, and TaintedIn its
	// component.
	Tainted   *Taint
	TaintedIn int
}

// A ScheduleError says why components that follow their scripts do not perform
// the schedule.
type ScheduleError struct {
	Joint     int // index into the schedule; its length for what comes after
	Component int
	Why       string
}

// Error names the component, the place in the schedule and what is wrong.
func (e *ScheduleError) Error() string {
	return fmt.Sprintf("action %d, component %d: %s", e.Joint+1, e.Component+1, e.Why)
}

// ReplayProgram replays one script per machine and checks that the runs
// together are the schedule: each component performs exactly the actions in
// which it takes part, in this order, and takes part in exactly those that its
// alphabet has. Machines with the same number in copyOf are copies of one
// component, of which exactly one takes part in an action of their alphabet; nil
// stands for components that have no copies. Internal steps are placed as late as
// the actions allow. The error is a *Divergence (wrapped, with the component's
// number), a *ScheduleError, or that of ctx.
//
// It is a fault of the caller, which panics, if ms, scripts, alphabets and copyOf
// are not of one length.
func ReplayProgram(ctx context.Context, ms []*Machine, scripts []Script, schedule []Joint,
	alphabets [][]string, copyOf []int) (*ProgramRun, error) {
	if copyOf == nil {
		for i := range ms {
			copyOf = append(copyOf, i)
		}
	}
	if len(scripts) != len(ms) || len(alphabets) != len(ms) || len(copyOf) != len(ms) {
		panic(fmt.Sprintf("interp: %d machines, %d scripts, %d alphabets, copies of %d", len(ms), len(scripts),
			len(alphabets), len(copyOf)))
	}
	p := &ProgramRun{}
	for i, m := range ms {
		run, err := m.Replay(ctx, scripts[i])
		if err != nil {
			return nil, fmt.Errorf("component %d: %w", i+1, err)
		}
		p.Runs = append(p.Runs, run)
		if p.Tainted == nil && run.Tainted != nil {
			p.Tainted, p.TaintedIn = run.Tainted, i
		}
	}
	w := weaver{p: p, schedule: schedule, alphabets: alphabets, copyOf: copyOf, at: make([]int, len(ms))}
	if err := w.weave(); err != nil {
		return nil, err
	}
	return p, nil
}

type weaver struct {
	p         *ProgramRun
	schedule  []Joint
	alphabets [][]string
	copyOf    []int
	at        []int // per component, the next of its run's steps
}

func (w *weaver) weave() error {
	for k, j := range w.schedule {
		if j.Action == "" {
			return &ScheduleError{k, 0, "an action without a name"}
		}
		if err := w.joint(k, j); err != nil {
			return err
		}
	}
	for i := range w.p.Runs {
		if a, ok := w.advance(i); ok {
			return &ScheduleError{len(w.schedule), i, fmt.Sprintf("performs %q after the schedule's end", a)}
		}
	}
	return nil
}

// joint lets all participants of action k come to it and perform it.
func (w *weaver) joint(k int, j Joint) error {
	step := ProgramStep{Action: j.Action}
	for i, alphabet := range w.alphabets {
		has, takes, copies := slices.Contains(alphabet, j.Action), slices.Contains(j.Components, i), w.taking(j, i)
		switch {
		case takes && !has:
			return &ScheduleError{k, i, fmt.Sprintf("takes part in %q, which its alphabet does not have", j.Action)}
		case has && copies == 0:
			return &ScheduleError{k, i, fmt.Sprintf("takes no part in %q, which its alphabet has", j.Action)}
		case copies > 1:
			return &ScheduleError{k, i, fmt.Sprintf("takes part in %q, and so does another copy", j.Action)}
		case !takes:
			continue
		}
		switch a, ok := w.advance(i); {
		case !ok:
			return &ScheduleError{k, i, fmt.Sprintf("ends without performing %q", j.Action)}
		case a != j.Action:
			return &ScheduleError{k, i, fmt.Sprintf("performs %q, not %q", a, j.Action)}
		}
		step.Components = append(step.Components, i)
		step.Steps = append(step.Steps, w.at[i])
	}
	if len(step.Components) == 0 || len(step.Components) != len(j.Components) {
		return &ScheduleError{k, 0, fmt.Sprintf("%q is performed by components %v of %d", j.Action,
			j.Components, len(w.alphabets))}
	}
	for _, i := range step.Components {
		w.at[i]++
	}
	w.p.Steps = append(w.p.Steps, step)
	w.p.Trace = append(w.p.Trace, j.Action)
	return nil
}

// taking is how many copies of i's component take part in an action.
func (w *weaver) taking(j Joint, i int) int {
	n := 0
	for _, k := range j.Components {
		if k < len(w.copyOf) && k >= 0 && w.copyOf[k] == w.copyOf[i] {
			n++
		}
	}
	return n
}

// advance makes component i's internal steps and gives the action that comes
// next, or false at its run's end.
func (w *weaver) advance(i int) (action string, ok bool) {
	for steps := w.p.Runs[i].Steps; w.at[i] < len(steps); w.at[i]++ {
		if a := steps[w.at[i]].Action; a != "" {
			return a, true
		}
		w.p.Steps = append(w.p.Steps, ProgramStep{Components: []int{i}, Steps: []int{w.at[i]}})
	}
	return "", false
}
