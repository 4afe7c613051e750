package magus

// From a feasible counterexample to a violation that people can read: the
// model of each path formula becomes a script, the interpreter replays all of
// them together, and only a run that it confirms is reported.
//
// Source: the paper stops at the satisfiable path formula (section 6.1).
// Cost: linear in the run.

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/internal/expr"
	"magus/lts"
	"magus/predabs"
	"magus/specs"
)

// violation replays the counterexample and ends the session.
func (s *Session) violation(ctx context.Context) (Event, error) {
	var machines []*interp.Machine
	var scripts []interp.Script
	var alphabets [][]string
	for _, c := range s.comps {
		machines = append(machines, interp.New(c.cfa))
		scripts = append(scripts, c.script(c.feasible.Run))
		alphabets = append(alphabets, s.actions.Names(c.mp.LTS.Alphabet()))
	}
	run, err := interp.ReplayProgram(ctx, machines, scripts, s.schedule(), alphabets)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return s.end(Unknown, fmt.Sprintf("the counterexample could not be replayed, which is a fault of this tool: %v", err)), nil
	}
	if err := s.confirm(run); err != nil {
		return s.end(Unknown, fmt.Sprintf("the replayed run is no violation, which is a fault of this tool: %v", err)), nil
	}
	if t := run.Tainted; t != nil {
		e := s.end(Unknown, fmt.Sprintf("a counterexample was found, but it depends on a value that is not modelled (%s)", t.Reason))
		s.outcome.Pos = t.Pos
		return e, nil
	}
	if s.proved {
		return s.end(Unknown, "the claim was proved, and then a run was replayed that violates it, which is a fault of this tool"), nil
	}
	e := s.end(Violates, "")
	s.replayed = run
	s.outcome.Run = s.report(run)
	return e, nil
}

// schedule is the order of the joint actions.
func (s *Session) schedule() []interp.Joint {
	var js []interp.Joint
	for _, a := range s.trace {
		j := interp.Joint{Action: s.actions.Name(a)}
		for i, c := range s.comps {
			if c.mp.LTS.HasAction(a) {
				j.Components = append(j.Components, i)
			}
		}
		js = append(js, j)
	}
	return js
}

// script turns a path with its model into what the interpreter replays: the
// edges of one statement become one step.
func (c *component) script(run *predabs.Run) interp.Script {
	script := interp.Script{Env: environment{c}}
	for _, b := range run.Init {
		script.Init = append(script.Init, interp.Binding(b))
	}
	g := c.abs.Graph
	for i, id := range run.Path {
		e := &g.Edges[id]
		if e.Loc < 0 {
			continue
		}
		if g.IsLocation(e.From) {
			script.Steps = append(script.Steps, interp.ScriptStep{Loc: e.Loc})
		}
		step := &script.Steps[len(script.Steps)-1]
		if e.Action != lts.Tau {
			step.Actions = append(step.Actions, c.binder.actions.Name(e.Action))
		}
		call, isCall := c.cfa.Locs[e.Loc].Stmt.(cfa.Call)
		for _, b := range run.Step[i] {
			if isCall && b.Var == call.LHS {
				step.Result = b.Value
			} else {
				step.Choices = append(step.Choices, interp.Binding(b))
			}
		}
		if step.Inside = isCall && !g.IsLocation(e.To); isCall {
			step.Result = fixedResult(e, call, step.Result)
		}
	}
	return script
}

// fixedResult is the result of a call where the edge's return action leaves
// only one value.
func fixedResult(e *predabs.Edge, call cfa.Call, chosen uint64) uint64 {
	for _, u := range e.Update {
		if u.Var == call.LHS && u.Term.IsConst() {
			return u.Term.Value()
		}
	}
	return chosen
}

// environment answers the interpreter from the procedure abstractions and
// return conditions, by evaluation.
type environment struct{ c *component }

// encode numbers a state: the chosen abstraction and the state in its LTS.
func (v environment) encode(choice int, st lts.State) int { return choice<<32 | int(st) }

// Start gives the initial states of the abstractions whose guard holds.
func (v environment) Start(site *interp.Site) []int {
	r := v.c.binder.procs[site.Callee]
	value := func(e *expr.Expr) uint64 {
		if i := slices.Index(r.args, e); i >= 0 {
			return site.Args[i]
		}
		return site.Value(e)
	}
	var states []int
	for i, ch := range r.choices {
		if expr.Eval(ch.guard, value) == 1 {
			states = append(states, v.encode(i, ch.lts.Init()))
		}
	}
	return states
}

// Moves are the transitions of the inlined LTS.
func (v environment) Moves(site *interp.Site, state int) []interp.Move {
	ch := v.c.binder.procs[site.Callee].choices[state>>32]
	var moves []interp.Move
	for _, e := range ch.lts.Out(lts.State(state & 0xffffffff)) {
		m := interp.Move{To: v.encode(state>>32, e.To)}
		if ret, ok := ch.returns[e.Action]; ok {
			m.Returns = true
			if !ret.Void {
				m.Admits = func(value uint64) bool { return v.holds(site, value, ret) }
			}
		} else if e.Action != lts.Tau {
			m.Action = v.c.binder.actions.Name(e.Action)
		}
		moves = append(moves, m)
	}
	return moves
}

// holds evaluates the condition of a return action for a result.
func (v environment) holds(site *interp.Site, value uint64, ret specs.ReturnAction) bool {
	t := v.c.binder.resultType(site.Callee)
	cond, err := v.c.binder.condition(ret, v.c.cfa.Pool.Const(t, value))
	return err == nil && expr.Eval(cond, site.Value) == 1
}

// Return gives the actions of a return.
func (v environment) Return(r interp.Returned) []string {
	rs := &v.c.abs.Graph.Comp.Returns
	if !rs.Observed {
		return nil
	}
	var names []string
	for _, a := range rs.Actions {
		if a.Void != !r.Has {
			continue
		}
		if !a.Void {
			cond, err := a.Cond(v.c.cfa.Pool.Const(v.c.cfa.Ret, r.Value))
			if err != nil || !cond.IsTrue() {
				continue
			}
		}
		names = append(names, v.c.binder.actions.Name(a.Action))
	}
	if names == nil {
		names = []string{v.c.binder.actions.Name(rs.Other)}
	}
	return names
}

// resultType is the type of a routine's result, as its calls have it.
func (b *binder) resultType(callee string) expr.Type {
	for i := range b.cfa.Locs {
		if call, ok := b.cfa.Locs[i].Stmt.(cfa.Call); ok && call.Callee == callee && call.LHS != nil {
			return call.LHS.Type()
		}
	}
	return expr.Int32
}

// confirm checks what the replay does not: the initial states satisfy the
// claim's guards, and the trace is not one that the specification allows.
func (s *Session) confirm(run *interp.ProgramRun) error {
	for i, c := range s.comps {
		guard := c.abs.Graph.Comp.Guard
		if guard == nil {
			continue
		}
		init := run.Runs[i].Script.Init
		value := func(v *expr.Expr) uint64 {
			for _, b := range init {
				if b.Var == v {
					return b.Value
				}
			}
			return 0
		}
		if expr.Eval(guard, value) != 1 {
			return fmt.Errorf("the initial state of %s does not satisfy its guard", c.name)
		}
	}
	if !slices.Equal(run.Trace, s.actions.Names(s.trace)) {
		return fmt.Errorf("the run performs %q", run.Trace)
	}
	observed := lts.Project(s.trace, s.spec.Alphabet())
	_, allowed := lts.Member(s.spec, observed)
	if allowed && !s.spec.HasError() {
		return fmt.Errorf("the specification allows %q", s.actions.Names(observed))
	}
	return nil
}

// report writes the run for people.
func (s *Session) report(run *interp.ProgramRun) *Run {
	observed := lts.Project(s.trace, s.spec.Alphabet())
	r := &Run{Trace: s.actions.Names(observed), Full: run.Trace, Inputs: make([][]Initial, len(s.comps))}
	if !s.spec.HasError() && len(observed) > 0 {
		r.Allowed = s.allowed(observed[:len(observed)-1])
	}
	matters := make([][][]bool, len(s.comps))
	for i, c := range s.comps {
		steps, initially := c.relevance(run.Runs[i])
		matters[i] = steps
		for _, b := range run.Runs[i].Script.Init {
			if v, ok := c.variable(b.Var); ok && v.Kind != cfa.Temp {
				r.Inputs[i] = append(r.Inputs[i], Initial{v.Name, c.number(b), v.Pos, !initially[b.Var]})
			}
		}
	}
	for _, st := range run.Steps {
		r.Steps = append(r.Steps, s.step(run, st, matters))
	}
	return r
}

func (s *Session) step(run *interp.ProgramRun, st interp.ProgramStep, matters [][][]bool) RunStep {
	i := st.Components[0]
	c, is := s.comps[i], run.Runs[i].Steps[st.Steps[0]]
	out := RunStep{Component: i, Pos: is.Pos, Proc: c.cfa.Frames[is.Frame].Proc, Text: is.Stmt, Action: st.Action}
	if st.Action != "" {
		out.Joins = st.Components
	}
	for k, i := range st.Components {
		is := run.Runs[i].Steps[st.Steps[k]]
		for n, b := range is.Changed {
			name := b.Var.Name()
			if v, ok := s.comps[i].variable(b.Var); ok {
				name = v.Name
			}
			out.Values = append(out.Values, Value{name, s.comps[i].number(b), is.Chosen, !matters[i][st.Steps[k]][n]})
		}
		if ret, ok := is.Event.(interp.Returned); ok && ret.Has {
			out.Values = append(out.Values, Value{Name: "$0", Value: s.comps[i].format(s.comps[i].cfa.Ret, ret.Value)})
		}
	}
	return out
}

func (c *component) variable(e *expr.Expr) (cfa.Var, bool) {
	i := slices.IndexFunc(c.cfa.Vars, func(v cfa.Var) bool { return v.Expr == e })
	if i < 0 {
		return cfa.Var{}, false
	}
	return c.cfa.Vars[i], true
}

// number writes a value by its variable's type.
func (c *component) number(b interp.Binding) string { return c.format(b.Var.Type(), b.Value) }

// format writes a value by the signedness of its type, and addresses by what
// stands there.
func (c *component) format(t expr.Type, value uint64) string {
	if name, ok := c.cfa.AddressName(value); ok && !t.Signed {
		return name
	}
	if t.Signed {
		return strconv.FormatInt(t.Sext(value), 10)
	}
	return strconv.FormatUint(value, 10)
}

// allowed are the actions that the specification allows after a trace, by
// name.
func (s *Session) allowed(trace []lts.Action) []string {
	var names []string
	for _, a := range s.spec.Alphabet() {
		if _, ok := lts.Member(s.spec, append(slices.Clone(trace), a)); ok {
			names = append(names, s.actions.Name(a))
		}
	}
	slices.Sort(names)
	return names
}
