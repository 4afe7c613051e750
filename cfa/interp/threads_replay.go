package interp

// Replay of a run of several threads.
//
// Idea: as for one thread (replay.go): the script says which thread makes each step, where it is,
// and what is chosen; the machine executes its own statements and says where it cannot follow.
// What is read is noted with the step that wrote it.
//
// Cost: linear in the script's length, times the variables.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/internal/expr"
)

// A ThreadStep prescribes one statement of one thread.
type ThreadStep struct {
	Thread  int
	Loc     cfa.Loc
	Choices []Binding // of an assignment of any value; what is left out gets 0
}

// A ThreadScript prescribes a run of several threads.
type ThreadScript struct {
	Init  []Binding // what variables hold before; others are 0
	Steps []ThreadStep
}

// A ThreadRun is what the threads did.
type ThreadRun struct {
	Steps []ThreadRunStep
	Trace []string // the actions in order
	End   ThreadState
	// Tainted is the first decision that depends on a value that is not modelled.
	Tainted *Taint
}

// A ThreadRunStep is one statement of one thread.
type ThreadRunStep struct {
	Thread  int
	Loc     cfa.Loc
	Pos     cfa.Pos
	Frame   int
	Stmt    string
	Event   Event
	Changed []Binding
	Chosen  string // the source of a value that was chosen; "" if it was computed
	Reads   []Read
}

// A Read is a variable that a step read, with the step that wrote it last; -1: none did.
type Read struct {
	Binding
	Writer int
}

// ReplayThreads executes a script from the automaton's entry. The error is a *Divergence if
// the threads do not follow it, or that of ctx.
func (m *Machine) ReplayThreads(ctx context.Context, script ThreadScript) (*ThreadRun, error) {
	run := &ThreadRun{}
	s := m.InitialThreads(func(v *expr.Expr) uint64 { val, _ := lookup(script.Init, v); return val })
	writer := map[*expr.Expr]int{}
	for i, want := range script.Steps {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if why, at := m.follows(s, want); why != "" {
			return nil, &Divergence{Step: i, Want: want.Loc, Got: at, Pos: m.cfa.Locs[at].Pos, Why: why}
		}
		loc := &m.cfa.Locs[want.Loc]
		step := ThreadRunStep{Thread: want.Thread, Loc: want.Loc, Pos: loc.Pos, Frame: loc.Frame, Stmt: loc.Stmt.String()}
		read, _ := m.cfa.Accesses(want.Loc)
		for _, v := range read {
			val, _ := s.Value(v)
			by, ok := writer[v]
			if !ok {
				by = -1
			}
			step.Reads = append(step.Reads, Read{Binding{v, val}, by})
		}
		if a, ok := loc.Stmt.(cfa.Assign); ok && a.RHS == nil {
			step.Chosen = a.Nondet
		}
		res := s.step(want.Thread, ChoiceFunc(func(_ cfa.Loc, v *expr.Expr) uint64 { val, _ := lookup(want.Choices, v); return val }))
		step.Event, step.Changed = res.Event, res.Changed
		for _, b := range res.Changed {
			writer[b.Var] = i
		}
		if a, ok := res.Event.(Acted); ok {
			run.Trace = append(run.Trace, a.Action)
		}
		if run.Tainted == nil {
			run.Tainted = res.Tainted
		}
		run.Steps = append(run.Steps, step)
	}
	run.End = s
	return run, nil
}

// follows is why the threads cannot make a step, "" if they can, and where its thread is.
func (m *Machine) follows(s ThreadState, want ThreadStep) (why string, at cfa.Loc) {
	at = m.cfa.Entry
	if want.Thread >= 0 && want.Thread < len(s.at) && s.at[want.Thread] >= 0 {
		at = s.at[want.Thread]
	}
	if why = s.Waits(want.Thread); why != "" {
		return why, at
	}
	if at != want.Loc {
		return "the thread is elsewhere than the script", at
	}
	stmt := m.cfa.Locs[at].Stmt
	if _, ok := stmt.(cfa.Call); ok {
		return "a call of a routine that is given by an abstraction", at
	}
	if slices.ContainsFunc(want.Choices, func(b Binding) bool { return !open(stmt, b.Var) }) {
		return "the script chooses a value that the statement does not leave open", at
	}
	return "", at
}
