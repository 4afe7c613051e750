package witness

// Who meets whom in a deadlock of components.
//
// Idea: each action of the run is a meeting of those that take part in it, and behind the last one each offers what it
// waits for. Whoever executes the components beside each other, and has them meet in this order, sees by
// himself that nobody goes on: no action is offered by one of each group that takes part in it.
//
// Cost: linear in the run, and the alphabets.

import "slices"

// meetings notes them, if they agree with what each component performs.
func (v *Violation) meetings(in *Inputs) {
	done, meetings := make([]int, len(v.Copies)), [][]int{}
	for _, st := range v.Run.Steps {
		if st.Action == "" {
			continue
		}
		for _, i := range st.Components {
			trace := in.Components[i].Trace
			if done[i] == len(trace) || trace[done[i]] != st.Action {
				return
			}
			done[i]++
		}
		meetings = append(meetings, st.Components)
	}
	for i, n := range done {
		if n != len(in.Components[i].Trace) {
			return
		}
	}
	in.Meetings = meetings
	for _, c := range in.Components {
		for _, a := range c.Stand.Offers {
			if !slices.ContainsFunc(in.Shared, func(s SharedAction) bool { return s.Action == a }) {
				in.Shared = append(in.Shared, SharedAction{a, v.groups(a)})
			}
		}
	}
}

// groups are the copies of each component that takes part in an action.
func (v *Violation) groups(action string) (all [][]int) {
	a, known := v.System.Spec.Actions().Lookup(action)
	for i, copied := range v.Copies {
		same := i > 0 && v.Copies[i-1].Component == copied.Component
		switch {
		case !known || !slices.Contains(v.alphabets[i], a):
		case same:
			all[len(all)-1] = append(all[len(all)-1], i)
		default:
			all = append(all, []int{i})
		}
	}
	return all
}
