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
	"magus/smt/expr"
)

// A ThreadStep prescribes one statement of one thread.
type ThreadStep struct {
	Thread  int
	Loc     cfa.Loc
	Choices []Binding // of an assignment of any value; what is left out gets 0
	// Commit is the variable of which the thread's oldest write becomes visible to all; nil of statements.
	Commit *expr.Expr
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
	// Commits are the moments when writes became visible to all, under weaker memory models.
	Commits []Commit
	End     ThreadState
	// Tainted is the first decision that depends on a value that is not modelled.
	Tainted *Taint
}

// A Commit is a moment when a write of a thread became visible to all: before the step of number Before.
type Commit struct {
	Before, Thread int
	By             int // the step that wrote
	Binding
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
	s := m.InitialThreads(valuesOf(script.Init))
	writer := map[*expr.Expr]int{}
	type pending struct {
		v  *expr.Expr
		by int
	}
	delayed := make([][]pending, len(s.at)) // as s.late
	commit := func(thread int, v *expr.Expr) {
		s = s.clone()
		s.commit(thread, v)
		k := slices.IndexFunc(delayed[thread], func(d pending) bool { return d.v == v })
		writer[v] = delayed[thread][k].by
		delayed[thread] = slices.Delete(delayed[thread], k, k+1)
		run.Commits = append(run.Commits, Commit{len(run.Steps), thread, writer[v], Binding{v, s.store.vals[m.index[v]]}})
	}
	for i, want := range script.Steps {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if want.Thread < 0 || want.Thread >= len(s.at) {
			return nil, &Divergence{Step: i, Want: want.Loc, Got: m.cfa.Entry,
				Pos: m.cfa.Locs[m.cfa.Entry].Pos, Why: "there is no such thread"}
		}
		if want.Commit != nil {
			if !slices.Contains(s.Commits(want.Thread), want.Commit) {
				return nil, &Divergence{Step: i, Want: want.Loc, Got: want.Loc, Pos: m.cfa.Locs[want.Loc].Pos,
					Why: "no write is to become visible"}
			}
			commit(want.Thread, want.Commit)
			continue
		}
		if m.fences(m.cfa.Locs[want.Loc].Stmt) { // what nobody has asked for is seen at the last moment
			for all := s.Commits(want.Thread); len(all) > 0; all = s.Commits(want.Thread) {
				commit(want.Thread, all[0])
			}
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
			for k, d := range delayed[want.Thread] {
				if d.v == v {
					val, by = s.late[want.Thread][k].Value, d.by
				}
			}
			step.Reads = append(step.Reads, Read{Binding{v, val}, by})
		}
		if a, ok := loc.Stmt.(cfa.Assign); ok && a.RHS == nil {
			step.Chosen = a.Nondet
		}
		res := s.step(want.Thread, ChoiceFunc(func(_ cfa.Loc, v *expr.Expr) uint64 {
			val, _ := lookup(want.Choices, v)
			return val
		}))
		step.Event, step.Changed = res.Event, res.Changed
		here := len(run.Steps)
		if late := s.late[want.Thread]; len(late) > len(delayed[want.Thread]) {
			delayed[want.Thread] = append(delayed[want.Thread], pending{late[len(late)-1].Var, here})
		} else {
			for _, b := range res.Changed {
				writer[b.Var] = here
			}
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
