package cert

import "magus/lts"

// A simulation is a relation between the states of two LTSs, left and right: whenever t simulates s,
// whatever s can do t can do too, with hidden actions before and after, and it simulates what s becomes
// then; a hidden action may be answered by hidden ones alone, or by none. So a trace of s is one
// of t. Left actions that no component has do not matter, as no trace has them.
type simulation struct {
	*validation
	what        string
	left, right view
	reflexive   bool                       // every state simulates itself, said or not
	by          map[lts.State]set          // the states that simulate a state
	steps       map[lts.State]map[move]set // where right can be after a move
}

// A move is a hidden one or an action.
type move struct {
	hidden bool
	action lts.Action
}

// simulation makes a simulation of what a certificate says from a line on, or says why it is none.
func (v *validation) simulation(what string, line int, said []lts.Simulated, left, right view,
	reflexive bool) (*simulation, error) {
	r := &simulation{v, what, left, right, reflexive, map[lts.State]set{}, map[lts.State]map[move]set{}}
	for k, pair := range said {
		if r.by[pair.State] == nil {
			r.by[pair.State] = set{}
		}
		for _, t := range pair.By {
			if int(pair.State) >= left.NumStates() || int(t) >= right.NumStates() {
				return nil, refuted(v.at.of(line, k+1), "%s: there are no states %d and %d", what, pair.State, t)
			}
			r.by[pair.State][t] = true
		}
	}
	for k, pair := range said {
		if err := v.ctx.Err(); err != nil {
			return nil, err
		}
		for _, t := range pair.By {
			if err := r.follows(pair.State, t, v.at.of(line, k+1)); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// simulatesFrom says whether one of states simulates s.
func (r *simulation) simulatesFrom(states set, s lts.State) bool {
	if r.reflexive && states[s] {
		return true
	}
	by := r.by[s]
	if len(by) > len(states) {
		return states.any(func(t lts.State) bool { return by[t] })
	}
	return by.any(func(t lts.State) bool { return states[t] })
}

// follows finds out whether t can do what s can; line says so.
func (r *simulation) follows(s, t lts.State, line int) error {
	for _, e := range r.left.Out(s) {
		m := move{true, lts.Tau}
		if !r.left.hidden(e.Action) {
			m = move{false, e.Action}
			if !r.possible(e.Action) {
				continue
			}
		}
		if !r.simulatesFrom(r.after(t, m), e.To) {
			return refuted(line, "%s: %d does not simulate %d, which goes by %s to %d", r.what, t, s, r.name(e.Action), e.To)
		}
	}
	return nil
}

// after returns where right can be when it was at t before a move.
func (r *simulation) after(t lts.State, m move) set {
	if r.steps[t] == nil {
		r.steps[t] = map[move]set{}
	}
	states, known := r.steps[t][m]
	if !known {
		if states = r.right.closed([]lts.State{t}); !m.hidden {
			states = r.right.after(states, m.action)
		}
		r.steps[t][m] = states
	}
	return states
}
