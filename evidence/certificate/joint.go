package certificate

// The runs of several copies of components, put together.
//
// Idea: each action of the trace names the runs that take part in it: one copy of
// every component with the action in its alphabet. The actions of a run, in order,
// are those of the trace in which it takes part. So together the runs perform the
// trace, in which the specification comes to where it does not allow the next
// action.
//
// Source: docs/semantics.md, "Several copies of a component". Cost: linear in the
// runs times their number.

import (
	"slices"

	"magus/component"
	"magus/lts"
)

// copies are the copies whose runs the certificate has.
func (c *Certificate) copies(sub *Subject) ([]component.Copy, error) {
	var all []component.Copy
	numbers := make([]int, len(sub.Components))
	for i := range sub.Components {
		for k := len(all); k < len(c.Runs); k++ {
			next := component.Copy{Component: i, Number: numbers[i] + 1}
			if sub.Copies[i] == 1 {
				next.Number = 0
			}
			if c.Runs[k].Name != sub.CopyName(next) || next.Number == 0 && numbers[i] > 0 {
				break
			}
			all, numbers[i] = append(all, next), numbers[i]+1
		}
	}
	if len(all) < len(c.Runs) {
		return nil, refuted(c.Runs[len(all)].line, "run %s is not the next one of a copy that the claim has",
			c.Runs[len(all)].Name)
	}
	if !sub.Runs(all) {
		return nil, refuted(c.line, "the runs are not those of as many copies as the claim has")
	}
	return all, nil
}

// checkJoint checks that the runs, each a line of states, perform the trace
// together, and that the specification does not allow it.
func (c *Certificate) checkJoint(sub *Subject, copies []component.Copy, lines []*lts.LTS) error {
	if err := c.together(sub, copies, lines); err != nil {
		return err
	}
	possible := closed(sub.Spec, []lts.State{sub.Spec.Init()})
	for _, name := range c.Trace {
		if a, _ := sub.Spec.Actions().Lookup(name); sub.Spec.HasAction(a) {
			possible = after(sub.Spec, possible, a)
		}
	}
	if allowed := len(possible) > 0; allowed != sub.Spec.HasError() ||
		allowed && !slices.ContainsFunc(possible, sub.Spec.IsError) {
		return refuted(c.traceLine, "the trace is allowed by the specification")
	}
	return nil
}

// together checks that the runs, each a line of states, perform the trace together.
func (c *Certificate) together(sub *Subject, copies []component.Copy, lines []*lts.LTS) error {
	if len(c.By) != len(c.Trace) {
		return refuted(c.traceLine, "%d actions, and who performs them is said of %d", len(c.Trace), len(c.By))
	}
	actions := sub.Spec.Actions()
	performed := make([][]lts.Action, len(lines))
	for k, name := range c.Trace {
		a, known := actions.Lookup(name)
		if !known || a == lts.Tau {
			return refuted(c.traceLine, "action %d of the trace, %s, is no visible action", k+1, name)
		}
		taking := make([]int, len(sub.Components))
		for _, p := range c.By[k] {
			if p < 0 || p >= len(lines) {
				return refuted(c.traceLine, "action %d of the trace, %s, is performed by run %d, which is not there", k+1, name, p)
			}
			taking[copies[p].Component]++
			performed[p] = append(performed[p], a)
		}
		for p, copied := range copies {
			want := 0
			if lines[p].HasAction(a) {
				want = 1
			}
			if taking[copied.Component] != want {
				return refuted(c.traceLine, "action %d of the trace, %s, is performed by %d copies of %s, not %d",
					k+1, name, taking[copied.Component], sub.Components[copied.Component].Name, want)
			}
		}
	}
	for p, line := range lines {
		if !slices.Equal(performed[p], visible(line)) {
			return refuted(c.Runs[p].line, "the run does not perform its part of the trace")
		}
	}
	return nil
}

// visible are the visible actions of a line of states.
func visible(line *lts.LTS) []lts.Action {
	var all []lts.Action
	for at := line.Init(); len(line.Out(at)) > 0; {
		e := line.Out(at)[0]
		if at = e.To; e.Action != lts.Tau {
			all = append(all, e.Action)
		}
	}
	return all
}
