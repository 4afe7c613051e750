package component

// What programs with threads refuse.
//
// Idea: the monitor is the specification made deterministic, each state of which is a set of the
// specification's states. These say what must be offered there. What no one place of a thread stands
// for is refused: actions within sections of the program, choices of routines without a body, and
// observed returns.
//
// Source: normalisation, Roscoe, Understanding Concurrent Systems (2010), section 16.1. Cost: that of
// making the specification deterministic.

import (
	"context"
	"fmt"

	"magus/cfa"
	"magus/cfa/monitor"
	"magus/lts"
)

// withTests is the automaton with the monitor of the claim of failures that c stands for: with errors
// for what is forbidden, or where all threads stand for what is refused.
func (c *Claim) withTests(ctx context.Context, auto *cfa.CFA, spec *lts.LTS, obs monitor.Observed) (*cfa.CFA, error) {
	of := c.monitors
	m, enough, err := of.normalised(ctx, spec)
	if err != nil {
		return nil, err
	}
	if obs.Must = monitor.NewMust(enough, maxMonitor); obs.Must == nil {
		return nil, cfa.Unsupported(of.Pos, "what a program with threads refuses of "+of.Specification,
			fmt.Sprintf("it must be offered more than %d sets of actions", maxMonitor))
	}
	if err := untestable(auto, m, obs); err != nil {
		return nil, err
	}
	obs.Stands = c.refusing // whatever it is made into: who asks for errors finds one where all stand
	return m.Weave(auto, obs), nil
}

// untestable says what of a program cannot be asked for refusals, or is nil.
func untestable(auto *cfa.CFA, m *monitor.Monitor, obs monitor.Observed) error {
	section := auto.InSection()
	for l := range auto.Locs {
		what := ""
		switch stmt := auto.Locs[l].Stmt.(type) {
		case cfa.Act:
			if m.Observes(stmt.Action) && section[l] {
				what = "an observed action in an atomic section"
			}
		case cfa.Return:
			if len(obs.Returns[cfa.Loc(l)]) > 0 {
				what = "a return that the specification speaks of"
			}
		case cfa.Call:
			switch call := obs.Calls[cfa.Loc(l)]; {
			case call != nil && section[l]:
				what = "a call of " + stmt.Callee + ", which has no body, in an atomic section"
			case chooses(call):
				what = "a call of " + stmt.Callee + ", whose abstraction may choose between actions"
			}
		}
		if what != "" {
			return cfa.Unsupported(auto.Locs[l].Pos, what+", in a program with threads that is asked what it refuses", "")
		}
	}
	return nil
}

// chooses reports whether a routine may go more than one way in some state.
func chooses(call *monitor.Call) bool {
	if call == nil {
		return false
	}
	for _, ch := range call.Choices {
		for _, edges := range ch.Edges {
			if len(edges) > 1 {
				return true
			}
		}
	}
	return false
}

// normalised is the monitor of a specification without ERROR, and what its states must be offered.
func (c *Claim) normalised(ctx context.Context, spec *lts.LTS) (*monitor.Monitor, [][][]string, error) {
	det, err := lts.Determinize(ctx, spec, lts.Limits{MaxStates: maxMonitor})
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, err
		}
		return nil, nil, cfa.Unsupported(c.Pos, "a program with threads and the specification "+c.Specification, err.Error())
	}
	names, next := det.Actions().Names(det.Alphabet()), make([][]int, det.NumStates())
	enough, traces := make([][][]string, det.NumStates()), shortest(det)
	for s := range next {
		for _, a := range det.Alphabet() {
			to := monitor.Forbidden
			for _, e := range det.OutBy(lts.State(s), a) {
				to = int(e.To)
			}
			next[s] = append(next[s], to)
		}
		sets, ok := lts.Acceptances(spec, traces[s])
		if !ok {
			return nil, nil, fmt.Errorf("%s does not have a trace that it has when made deterministic", c.Specification)
		}
		for _, set := range sets {
			enough[s] = append(enough[s], spec.Actions().Names(set))
		}
	}
	return monitor.New(names, next, int(det.Init())), enough, nil
}

// shortest are traces to the states of a deterministic LTS, all of which can be reached.
func shortest(det *lts.LTS) [][]lts.Action {
	traces, met := make([][]lts.Action, det.NumStates()), make([]bool, det.NumStates())
	met[det.Init()] = true
	for todo := []lts.State{det.Init()}; len(todo) > 0; todo = todo[1:] {
		s := todo[0]
		for _, e := range det.Out(s) {
			if !met[e.To] {
				met[e.To], todo = true, append(todo, e.To)
				traces[e.To] = append(append([]lts.Action{}, traces[s]...), e.Action)
			}
		}
	}
	return traces
}
