package monitor

// A monitor woven into an automaton.
//
// Idea: the location of an action begins a section in which the action is performed and the
// monitor's variable is tested, state by state, and changed. In a section of the program
// the step is a part of it. What is added stands behind the locations that were there,
// which keep their numbers.
//
// Cost: the states of the monitor for each location of an action.

import (
	"slices"
	"strings"

	"magus/cfa"
	"magus/smt/expr"
)

// ProgramError is what the program's own action error is called in a woven automaton, where the
// specification observes it: there, error says that something was forbidden.
const ProgramError = "error of the program"

// A Return says what the return at some location is observed as: the first action whose
// condition holds, nil being no condition.
type Return struct {
	When   *expr.Expr
	Action string
}

// An Observed is what of an automaton is observed besides actions.
type Observed struct {
	// Start is the condition under which runs begin; nil: all do.
	Start *expr.Expr
	// Returns are by location the observed returns.
	Returns map[cfa.Loc][]Return
	// Errors says that errors of the program stay what they are, whether or not they are observed.
	Errors bool
	// Calls are by location the calls that a routine's abstraction stands for.
	Calls map[cfa.Loc]*Call
	// Must is what the specification must be offered; nil if that is not asked. The end of the process is an error
	// where it must be offered something. Returns are not observed then.
	Must *Must
	// Stands says that all threads stand just where they refuse what Must says, in place of errors: nobody does what
	// is forbidden.
	Stands bool
}

// Weave is an automaton in which the monitor goes along; c is not changed. Its pool gets
// another variable.
func (m *Monitor) Weave(c *cfa.CFA, obs Observed) *cfa.CFA {
	out := *c
	out.Locs = slices.Clone(c.Locs)
	out.Vars = slices.Clone(c.Vars)
	out.Threads = slices.Clone(c.Threads)
	out.Sight.Origin = slices.Clone(c.Sight.Origin)
	w := &weaver{m: m, c: &out, section: c.InSection(), state: c.Pool.Var(prefix+"state", stateType)}
	w.declare(w.state, "specification's state")
	if obs.Stands {
		w.tests = &tester{weaver: w, must: obs.Must, test: c.Pool.Var(prefix+"wanted", stateType)}
		w.declare(w.tests.test, "what is wanted")
	}
	for l := range c.Locs {
		w.from = cfa.Loc(l)
		switch stmt := c.Locs[l].Stmt.(type) {
		case cfa.Act:
			if stmt.Action != cfa.ErrorAction || !obs.Errors {
				w.act(stmt)
			}
		case cfa.Return:
			w.returns(obs.Returns[w.from])
			if obs.Must != nil && !obs.Stands {
				w.ends(obs.Must)
			}
		case cfa.Halt:
			if obs.Must != nil && !obs.Stands && stmt.Ends {
				w.ends(obs.Must)
			}
		case cfa.Call:
			if call := obs.Calls[w.from]; call != nil {
				w.call(stmt, call)
			}
		}
	}
	w.begin(obs.Start)
	return &out
}

// prefix begins the names of variables that no source has.
const prefix = "specification!"

// Owns reports whether a variable is one that Weave has added.
func Owns(v *expr.Expr) bool { return strings.HasPrefix(v.Name(), prefix) }

// stateType is that of the monitor's variable.
var stateType = expr.Type{Width: 16}

type weaver struct {
	m       *Monitor
	c       *cfa.CFA
	section []bool // by location of the automaton that there was
	state   *expr.Expr
	from    cfa.Loc // the location that is rewritten
	tests   *tester // nil if refusals are not asked for
}

// declare gives the automaton a variable.
func (w *weaver) declare(v *expr.Expr, name string) {
	w.c.Vars = append(w.c.Vars, cfa.Var{Expr: v, Name: name, Kind: cfa.Temp, Pos: w.c.Locs[w.c.Entry].Pos})
}

// add is a new location, at the place of the one that is rewritten.
func (w *weaver) add(stmt cfa.Stmt, succ ...cfa.Loc) cfa.Loc {
	at := &w.c.Locs[w.from]
	w.c.Locs = append(w.c.Locs, cfa.Location{Stmt: stmt, Succ: succ, Pos: at.Pos, Frame: at.Frame})
	if len(w.c.Sight.Origin) > 0 {
		w.c.Sight.Origin = append(w.c.Sight.Origin, w.c.Sight.Origin[w.from])
	}
	return cfa.Loc(len(w.c.Locs) - 1)
}

// become gives the location that is rewritten another statement.
func (w *weaver) become(stmt cfa.Stmt, succ ...cfa.Loc) {
	at := &w.c.Locs[w.from]
	at.Stmt, at.Succ, at.Decides = stmt, succ, [2]cfa.Decision{}
}

// act rewrites an action.
func (w *weaver) act(a cfa.Act) {
	next := w.c.Locs[w.from].Succ[0]
	switch {
	case a.Action == cfa.ErrorAction && !w.m.Observes(a.Action):
		w.become(cfa.Goto{}, next)
	case w.m.Observes(a.Action):
		w.become(cfa.Goto{}, w.atomically(a.Action, next))
	}
}

// begin has the automaton begin with the monitor's first state, where the condition holds.
func (w *weaver) begin(start *expr.Expr) {
	w.from = w.c.Entry
	entry := w.c.Entry
	if start != nil {
		entry = w.add(cfa.Branch{Cond: start}, entry, w.add(cfa.Halt{Reason: "another initial state"}))
	}
	if w.tests != nil {
		entry = w.tests.choose(w.tests.thread(entry))
	}
	w.c.Entry = w.add(cfa.Assign{LHS: w.state, RHS: w.number(w.m.init)}, entry)
	if len(w.c.Threads) > 0 {
		w.c.Threads[0].Entry = w.c.Entry
	}
}

func (w *weaver) number(s int) *expr.Expr { return w.c.Pool.Const(stateType, uint64(s)) }

// atomically performs an observed action and steps the monitor, before next.
func (w *weaver) atomically(action string, next cfa.Loc) cfa.Loc {
	if w.section[w.from] || len(w.c.Threads) == 0 {
		return w.step(action, next)
	}
	end := w.add(cfa.Atomic{}, next)
	if w.tests == nil {
		return w.add(cfa.Atomic{Begin: true, Monitors: true}, w.step(action, end))
	}
	done := w.step(action, w.tests.choose(end))
	return w.add(cfa.Atomic{Begin: true, Monitors: true}, w.tests.met(action, done))
}

// last performs an observed action before a return, in one section with it: nothing comes in between.
func (w *weaver) last(action string, back cfa.Loc) cfa.Loc {
	at := w.step(action, back)
	if w.section[w.from] || len(w.c.Threads) == 0 {
		return at
	}
	return w.add(cfa.Atomic{Begin: true, Monitors: true}, at)
}

// step performs an observed action within a section.
func (w *weaver) step(action string, next cfa.Loc) cfa.Loc {
	shown := action
	if action == cfa.ErrorAction {
		shown = ProgramError
	}
	return w.add(cfa.Act{Action: shown}, w.move(action, next))
}

// move changes the monitor's variable, or performs an error. The last of the ways needs no test.
func (w *weaver) move(action string, next cfa.Loc) cfa.Loc {
	ways := w.m.ways(action)
	at := w.way(ways[len(ways)-1], next)
	for _, way := range slices.Backward(ways[:len(ways)-1]) {
		to := w.way(way, next)
		for _, s := range slices.Backward(way.from) {
			at = w.add(cfa.Branch{Cond: w.c.Pool.Eq(w.state, w.number(s))}, to, at)
		}
	}
	return at
}

func (w *weaver) way(x way, next cfa.Loc) cfa.Loc {
	switch {
	case x.to == Forbidden && w.tests != nil:
		return w.add(cfa.Halt{Reason: "it is forbidden"})
	case x.to == Forbidden:
		return w.add(cfa.Act{Action: cfa.ErrorAction}, next)
	case len(x.from) == 1 && x.from[0] == x.to:
		return next
	}
	return w.add(cfa.Assign{LHS: w.state, RHS: w.number(x.to)}, next)
}

// returns rewrites an observed return.
func (w *weaver) returns(ways []Return) {
	if len(ways) == 0 {
		return
	}
	back := w.add(w.c.Locs[w.from].Stmt)
	at := cfa.Loc(-1)
	for _, r := range slices.Backward(ways) {
		to := back
		if w.m.Observes(r.Action) {
			to = w.last(r.Action, back)
		}
		if at < 0 || r.When == nil {
			at = to
			continue
		}
		at = w.add(cfa.Branch{Cond: r.When}, to, at)
	}
	w.become(cfa.Goto{}, at)
}
