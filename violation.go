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
	"magus/component"
	"magus/internal/expr"
	"magus/lts"
	"magus/witness"
)

// violation replays the counterexample and ends the session.
func (s *Session) violation(ctx context.Context) (Event, error) {
	var machines []*interp.Machine
	var scripts []interp.Script
	var alphabets [][]string
	for _, c := range s.comps {
		machines = append(machines, interp.New(c.CFA))
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
func (c *part) script(run *component.Execution) interp.Script {
	script := interp.Script{Env: witness.Env(c.Component)}
	for _, b := range run.Init {
		script.Init = append(script.Init, interp.Binding(b))
	}
	g := c.abs.Graph
	for i, id := range run.Edges {
		e := &g.Edges[id]
		if e.Loc < 0 {
			continue
		}
		if g.IsLocation(e.From) {
			script.Steps = append(script.Steps, interp.ScriptStep{Loc: e.Loc})
		}
		step := &script.Steps[len(script.Steps)-1]
		if e.Action != lts.Tau {
			step.Actions = append(step.Actions, c.Actions.Name(e.Action))
		}
		call, isCall := c.CFA.Locs[e.Loc].Stmt.(cfa.Call)
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
func fixedResult(e *component.Edge, call cfa.Call, chosen uint64) uint64 {
	for _, u := range e.Update {
		if u.Var == call.LHS && u.Term.IsConst() {
			return u.Term.Value()
		}
	}
	return chosen
}

// confirm checks what the replay does not: the initial states satisfy the
// claim's guards, and the trace is not one that the specification allows.
func (s *Session) confirm(run *interp.ProgramRun) error {
	for i, c := range s.comps {
		guard := c.Guard
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
			return fmt.Errorf("the initial state of %s does not satisfy its guard", c.Name)
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
	out := RunStep{Component: i, Pos: is.Pos, Proc: c.CFA.Frames[is.Frame].Proc, Text: is.Stmt, Action: st.Action}
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
			out.Values = append(out.Values, Value{Name: "$0", Value: s.comps[i].format(s.comps[i].CFA.Ret, ret.Value)})
		}
	}
	return out
}

func (c *part) variable(e *expr.Expr) (cfa.Var, bool) {
	i := slices.IndexFunc(c.CFA.Vars, func(v cfa.Var) bool { return v.Expr == e })
	if i < 0 {
		return cfa.Var{}, false
	}
	return c.CFA.Vars[i], true
}

// number writes a value by its variable's type.
func (c *part) number(b interp.Binding) string { return c.format(b.Var.Type(), b.Value) }

// format writes a value by the signedness of its type, and addresses by what
// stands there.
func (c *part) format(t expr.Type, value uint64) string {
	if name, ok := c.CFA.AddressName(value); ok && !t.Signed {
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
