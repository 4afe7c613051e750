package interp

// Replay of a counterexample.
//
// Idea: a path of the abstraction and a model of its path formula prescribe a
// run: initial values, the location of every step, a value for every open
// choice. The machine starts at the entry with the initial values and executes
// its own statements; the script is consulted for open choices only, and at
// every step it is compared with what the machine does. A run that comes back
// is therefore a run of the automaton, whatever the abstraction believed.
//
// Source: Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), section 6, validates a counterexample by weakest
// preconditions and does not execute it; replay is an addition. Cost: linear in
// the script's length, a few evaluations per step.

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// A Script prescribes a run of one component.
type Script struct {
	// Init gives variables their values before the first statement. Others
	// begin at 0, which is as good as any value.
	Init  []Binding
	Steps []ScriptStep
	// Env is asked whether routines and returns may do what the steps say;
	// nil believes the steps.
	Env Env
}

// A ScriptStep prescribes one statement.
type ScriptStep struct {
	Loc cfa.Loc // where the component is before the step
	// Choices are the values of the variables that the statement leaves open,
	// but for the result of a call. A variable that is left out gets 0.
	Choices []Binding
	// Actions are the visible actions of the step, in order: the action of an
	// Act, those that a called routine performs, at most one for an observed
	// return, and none elsewhere.
	Actions []string
	// Result is the value that a called routine returns.
	Result uint64
	// Inside says that the routine called has not returned when the script
	// ends. Only the last step can be so.
	Inside bool
	// Repeat are many rounds of a loop in place of a statement, from Loc back to it; nil for a statement.
	Repeat *Repeat
}

// A Run is what a component did.
type Run struct {
	Script Script // that leads to this run
	Steps  []RunStep
	Trace  []string // the visible actions in order
	End    State
	// Tainted is the first decision of the run that depends on a value that is
	// not modelled; nil if there is none. Where it is set, the run is one of
	// the automaton, but perhaps none of the C program.
	Tainted *Taint
}

// A RunStep is one statement, or for a call one action of the routine called
// or its return; or many rounds of a loop, whose event is [Repeated].
type RunStep struct {
	Step    int // index into the script's steps
	Loc     cfa.Loc
	Pos     cfa.Pos
	Frame   int       // index into the automaton's Frames
	Stmt    string    // the statement as C
	Event   Event     // what the whole statement did
	Changed []Binding // the variables that got a value
	// Chosen says where the values come from that were chosen and not
	// computed: the source of any value, or the routine called; "" if they
	// were computed.
	Chosen string
	Action string // "" for an internal step
}

// States goes through the run again and gives the state before each step of
// its script, and at last the state at its end with the number of steps. A state is
// changed by the next step, and not to be kept. It is a range function.
func (run *Run) States(yield func(step int, s State) bool) {
	m := run.End.m
	s := m.Initial(valuesOf(run.Script.Init))
	for i := range run.Script.Steps {
		if !yield(i, s) {
			return
		}
		switch step := &run.Script.Steps[i]; {
		case step.Repeat != nil:
			run.skip(&s, i)
		case !step.Inside:
			s.step(scripted{step, m.locs[s.loc].stmt})
		}
	}
	yield(len(run.Script.Steps), s)
}

// skip gives a state the values that step i of the script, rounds of a loop, has led to.
func (run *Run) skip(s *State, i int) {
	k, _ := slices.BinarySearchFunc(run.Steps, i, func(st RunStep, i int) int { return st.Step - i })
	for _, b := range run.Steps[k].Changed {
		s.vals[s.m.index[b.Var]] = b.Value
	}
}

// A Divergence says where a component does not follow its script.
type Divergence struct {
	Step      int     // index into the script's steps
	Want, Got cfa.Loc // the script's location and the component's
	Pos       cfa.Pos // of the component's location
	Why       string
}

// Error names the step, the component's place and what differs.
func (d *Divergence) Error() string {
	return fmt.Sprintf("step %d: %v: %s", d.Step, d.Pos, d.Why)
}

// Replay executes the script from the automaton's entry. The error is a
// *Divergence if the component does not follow the script, or that of ctx.
func (m *Machine) Replay(ctx context.Context, script Script) (*Run, error) {
	for _, b := range script.Init {
		if _, ok := m.index[b.Var]; !ok {
			return nil, &Divergence{Want: m.cfa.Entry, Got: m.cfa.Entry, Pos: m.cfa.Locs[m.cfa.Entry].Pos,
				Why: "the script gives a value to " + b.Var.Name() + ", which the component does not have"}
		}
	}
	r := &replayer{m: m, script: &script, run: &Run{Script: script}}
	r.state = m.Initial(valuesOf(script.Init))
	for i := range script.Steps {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		why, err := r.step(ctx, i)
		if err != nil {
			return nil, err
		}
		if why != "" {
			return nil, &Divergence{Step: i, Want: script.Steps[i].Loc, Got: r.state.loc,
				Pos: m.cfa.Locs[r.state.loc].Pos, Why: why}
		}
	}
	r.run.End = r.state
	return r.run, nil
}

// lookup finds v's first binding.
func lookup(bs []Binding, v *expr.Expr) (uint64, bool) {
	for _, b := range bs {
		if b.Var == v {
			return b.Value, true
		}
	}
	return 0, false
}

// valuesOf gives the value of each variable by its first binding, 0 if it has none.
func valuesOf(bs []Binding) func(*expr.Expr) uint64 {
	values := make(map[*expr.Expr]uint64, len(bs))
	for _, b := range bs {
		if _, bound := values[b.Var]; !bound {
			values[b.Var] = b.Value
		}
	}
	return func(v *expr.Expr) uint64 { return values[v] }
}

type replayer struct {
	m      *Machine
	script *Script
	state  State
	run    *Run
	inside bool // the last step's routine has not returned
}

// step executes the script's step i; it says why if the component cannot. The error is ctx's.
func (r *replayer) step(ctx context.Context, i int) (why string, err error) {
	want := &r.script.Steps[i]
	switch {
	case r.state.ended:
		return "the component has ended before", nil
	case r.inside:
		return "the routine called in the step before has not returned", nil
	case want.Loc != r.state.loc:
		return fmt.Sprintf("the component is at location %d, the script at %d", r.state.loc, want.Loc), nil
	case want.Repeat != nil:
		return r.rounds(ctx, i)
	}
	return r.statement(i), nil
}

// statement executes one that is not repeated.
func (r *replayer) statement(i int) (why string) {
	want := &r.script.Steps[i]
	before := r.state.loc
	defer func() {
		if why != "" {
			r.state.loc = before
		}
	}()
	var guard *Taint
	if _, isCall := r.m.locs[before].stmt.(cfa.Call); isCall {
		if why, guard = r.admitted(want); why != "" {
			return why
		}
	} else if want.Inside {
		return "the script is inside a routine, but no call is made here"
	}
	var res StepResult
	if want.Inside {
		res = r.state.enter()
	} else {
		res = r.state.step(scripted{want, r.m.locs[before].stmt})
	}
	if res.Tainted == nil {
		res.Tainted = guard
	}
	if why := r.agree(want, &res); why != "" {
		return why
	}
	r.inside = want.Inside
	r.run.record(r.m, i, want, res)
	return ""
}

// rounds executes rounds of a loop.
func (r *replayer) rounds(ctx context.Context, i int) (why string, err error) {
	want := &r.script.Steps[i]
	switch {
	case want.Inside || len(want.Actions) > 0 || len(want.Choices) > 0:
		return "rounds of a loop are all that the step may say", nil
	case len(want.Repeat.Round) == 0 || want.Repeat.Times == 0 || want.Repeat.Round[0].Loc != want.Loc:
		return fmt.Sprintf("the rounds do not begin at location %d", want.Loc), nil
	}
	res, why, err := r.repeat(ctx, want)
	if why == "" && err == nil {
		r.run.recordRounds(r.m, i, want, res)
	}
	return why, err
}

// scripted takes choices from a script's step.
type scripted struct {
	step *ScriptStep
	stmt cfa.Stmt
}

func (c scripted) Value(_ cfa.Loc, v *expr.Expr) uint64 {
	if call, ok := c.stmt.(cfa.Call); ok && call.LHS == v {
		return c.step.Result
	}
	val, _ := lookup(c.step.Choices, v)
	return val
}

// admitted asks the environment whether the routine called may do what the
// step says. The taint is that of a guard.
func (r *replayer) admitted(want *ScriptStep) (why string, guard *Taint) {
	env := r.script.Env
	if env == nil {
		return "", nil
	}
	site, call := r.state.site()
	site.behind = func(v *expr.Expr) uint64 {
		val, _ := lookup(want.Choices, v)
		return val
	}
	states := site.after(env, want.Actions)
	may := want.Inside || site.returns(env, states, call, cut(call.Ret, want.Result))
	guard = r.state.tainted(site.origin)
	switch {
	case len(states) == 0:
		return fmt.Sprintf("%s may not perform %q when called with %v", call.Callee, want.Actions, site.Args), guard
	case !may:
		return fmt.Sprintf("%s may not return %d after %q when called with %v", call.Callee, want.Result,
			want.Actions, site.Args), guard
	}
	return "", guard
}

// agree compares the script's step with what the machine did.
func (r *replayer) agree(want *ScriptStep, res *StepResult) string {
	for _, b := range want.Choices {
		if !open(r.m.cfa.Locs[want.Loc].Stmt, b.Var) {
			return fmt.Sprintf("the script chooses a value for %s, which this statement does not leave open", b.Var.Name())
		}
	}
	var allowed []string
	switch e := res.Event.(type) {
	case Called:
		return ""
	case Acted:
		allowed = []string{e.Action}
	case Returned:
		if r.script.Env == nil {
			allowed = want.Actions
		} else {
			at := r.state.here()
			allowed = r.script.Env.Return(e, at)
			if res.Tainted == nil {
				res.Tainted = r.state.tainted(at.origin)
			}
		}
	}
	switch {
	case len(allowed) == 0 && len(want.Actions) > 0:
		return fmt.Sprintf("the script performs %q in a step without a visible action", want.Actions)
	case len(allowed) > 0 && (len(want.Actions) != 1 || !slices.Contains(allowed, want.Actions[0])):
		return fmt.Sprintf("the component performs %q, the script %q", allowed, want.Actions)
	}
	return ""
}

// open reports whether the statement leaves v's value open.
func open(s cfa.Stmt, v *expr.Expr) bool {
	switch s := s.(type) {
	case cfa.Assign:
		return s.RHS == nil && s.LHS == v
	case cfa.Call:
		return slices.Contains(s.Clobbers, v)
	}
	return false
}

// recordRounds appends rounds of a loop that were executed as script step i.
func (run *Run) recordRounds(m *Machine, i int, want *ScriptStep, res StepResult) {
	loc := &m.cfa.Locs[want.Loc]
	run.Steps = append(run.Steps, RunStep{Step: i, Loc: want.Loc, Pos: loc.Pos, Frame: loc.Frame,
		Stmt: loc.Stmt.String(), Event: res.Event, Changed: res.Changed})
	if run.Tainted == nil {
		run.Tainted = res.Tainted
	}
}

// record appends a statement that was executed as script step i.
func (run *Run) record(m *Machine, i int, want *ScriptStep, res StepResult) {
	loc := &m.cfa.Locs[want.Loc]
	step := RunStep{Step: i, Loc: want.Loc, Pos: loc.Pos, Frame: loc.Frame, Stmt: loc.Stmt.String(), Event: res.Event}
	for _, a := range want.Actions {
		step.Action = a
		run.Trace = append(run.Trace, a)
		run.Steps = append(run.Steps, step)
	}
	step.Action = ""
	switch s := loc.Stmt.(type) {
	case cfa.Call:
		step.Chosen = s.Callee
	case cfa.Assign:
		if s.RHS == nil {
			step.Chosen = s.Nondet
		}
	}
	_, isCall := res.Event.(Called)
	if want.Inside {
		step.Chosen = ""
	}
	if len(want.Actions) == 0 || isCall && !want.Inside {
		step.Changed = res.Changed
		run.Steps = append(run.Steps, step)
	}
	_, isReturn := res.Event.(Returned)
	if run.Tainted == nil && !(isReturn && len(want.Actions) == 0) {
		run.Tainted = res.Tainted
	}
}
