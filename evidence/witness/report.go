package witness

import (
	"slices"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/source"
	"magus/component"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/smt/expr"
)

// Report writes the run for people: with the names of the source, and with what
// of it matters.
func (v *Violation) Report() *verdict.Run { return v.ReportWith(nil) }

// Names are the names that the source has for the values of a variable, by the place
// of its declaration; nil if it has none.
type Names func(name string, declared cfa.Pos) *source.Enumeration

// ReportWith is Report with names for values.
func (v *Violation) ReportWith(names Names) *verdict.Run {
	spec, run := v.System.Spec, v.Run
	observed := lts.Project(v.Trace, spec.Alphabet())
	r := &verdict.Run{Trace: spec.Actions().Names(observed), Full: run.Trace, Copied: !v.System.Single(),
		Inputs: make([][]verdict.Initial, len(v.Copies))}
	if !spec.HasError() && len(observed) > 0 && !v.isBranch && v.Diverges == nil {
		r.Allowed = Allowed(spec, observed[:len(observed)-1])
	}
	along := v.states(r, observed)
	matters := make([][][]bool, len(v.Copies))
	for i, copied := range v.Copies {
		c := v.component(i)
		r.Components = append(r.Components, v.System.CopyName(copied))
		steps, initially := relevance(c, run.Runs[i])
		matters[i] = steps
		r.Inputs[i] = initials(c, run.Runs[i].Script.Init, initially)
	}
	for i := range v.Copies {
		c, done := v.component(i), statements(run.Runs[i], matters[i])
		for _, e := range elements(c, run.Runs[i]) {
			if e.name != "" {
				r.Inputs[i] = append(r.Inputs[i], verdict.Initial{Name: e.name, Value: number(c, e.binding),
					Pos: e.pos, Idle: !slices.Contains(done[e.step].matters, true)})
			}
		}
	}
	known, long := v.knownAtFirst(), make([]longDoubles, len(v.Copies))
	for i := range long {
		long[i] = longDoubles{}
	}
	order := run.Steps
	if v.Lasso != nil {
		r.Round = &verdict.Round{}
		if order, r.Round.First = v.Lasso.order(order); v.Diverges == nil {
			r.Trace, r.Allowed = r.Full, nil
		}
	}
	for _, st := range order {
		step := v.step(st, matters, known, long, names)
		if a, known := spec.Actions().Lookup(st.Action); known && spec.HasAction(a) {
			step.Spec, step.Forbidden, along = along[0].after, along[0].forbidden, along[1:]
		}
		r.Steps = append(r.Steps, step)
	}
	if v.Refused != nil {
		v.reportRefusal(r)
	}
	if v.Choices != nil {
		r.Choices = v.Choices.report(v.System, []lts.State{spec.Init()})
		for _, b := range v.Branches {
			r.Branches = append(r.Branches, b.ReportWith(names))
		}
	}
	if v.Lasso != nil {
		v.reportRound(r)
	}
	for i, s := range v.Standing {
		r.Standing = append(r.Standing, v.standing(i, &s))
	}
	if c := v.component(0); c.CFA.Joint != nil {
		return v.apart(r, c)
	}
	return r
}

// knownAtFirst are the values of globals and parameters of each copy where its run begins.
func (v *Violation) knownAtFirst() []map[*expr.Expr]uint64 {
	known := make([]map[*expr.Expr]uint64, len(v.Copies))
	for i := range v.Copies {
		known[i] = map[*expr.Expr]uint64{}
		for _, b := range v.Run.Runs[i].Script.Init {
			if x, ok := variable(v.component(i), b.Var); ok && (x.Kind == cfa.Global || x.Kind == cfa.Param) {
				known[i][b.Var] = b.Value
			}
		}
	}
	return known
}

// reportRefusal tells which actions the specification must have offered, and which the run offers.
func (v *Violation) reportRefusal(r *verdict.Run) {
	names := v.System.Spec.Actions().Names
	r.Must = [][]string{}
	for _, m := range v.Refused.Must {
		r.Must = append(r.Must, names(m))
	}
	r.Offered, r.Allowed = names(v.Refused.Offered), nil
}

// standing is where part i stands still.
func (v *Violation) standing(i int, s *Stand) verdict.Stand {
	out := verdict.Stand{Ended: s.Ended}
	if c := v.component(i); s.Loc >= 0 {
		out.Pos, out.Proc = c.CFA.Locs[s.Loc].Pos, c.CFA.Frames[c.CFA.Locs[s.Loc].Frame].Proc
	}
	for k, a := range s.Offers {
		out.Offers = append(out.Offers, verdict.Offer{Action: v.System.Spec.Actions().Name(a), Without: s.Lacking[k]})
	}
	return out
}

// An observation is what an observed action does to the specification.
type observation struct {
	after     []verdict.SpecState
	forbidden bool
}

// states notes the specification's states at the end, and gives those after each
// observed action.
func (v *Violation) states(r *verdict.Run, observed []lts.Action) []observation {
	all := make([]observation, len(observed))
	along := v.System.StatesAlong(observed)
	last := along[len(along)-1]
	if r.Opposite = v.System.Spec.HasError(); r.Opposite {
		last = slices.DeleteFunc(slices.Clone(last), func(s component.SpecState) bool { return s.Name != "ERROR" })
	}
	r.Spec = specStates(last)
	for i, states := range along[1:] {
		all[i].after = specStates(states)
	}
	if len(all) > 0 && v.Refused == nil && v.Diverges == nil && !v.isBranch {
		all[len(all)-1].forbidden = true
	}
	return all
}

func specStates(states []component.SpecState) []verdict.SpecState {
	var all []verdict.SpecState
	for _, s := range states {
		all = append(all, verdict.SpecState(s))
	}
	return all
}

func (v *Violation) step(st interp.ProgramStep, matters [][][]bool, known []map[*expr.Expr]uint64,
	long []longDoubles, names Names) verdict.RunStep {
	i := st.Components[0]
	c, is := v.component(i), v.Run.Runs[i].Steps[st.Steps[0]]
	out := verdict.RunStep{Component: i, Pos: is.Pos, Proc: c.CFA.Frames[is.Frame].Proc, Text: is.Stmt, Action: st.Action}
	if st.Action != "" {
		out.Joins = st.Components
	}
	if rounds, ok := is.Event.(interp.Repeated); ok {
		out.Rounds = &verdict.Rounds{Times: rounds.Times, Steps: rounds.Times * uint64(len(rounds.Round)),
			Lines: lines(c.CFA, rounds.Round)}
		out.Text = out.Rounds.String()
	}
	out.Branch = v.branch(i, st.Steps[0])
	for k, i := range st.Components {
		c, is := v.component(i), v.Run.Runs[i].Steps[st.Steps[k]]
		if k > 0 {
			out.Others = append(out.Others, verdict.OtherStep{Component: i, Pos: is.Pos,
				Proc: c.CFA.Frames[is.Frame].Proc, Text: is.Stmt})
		}
		for n, b := range is.Changed {
			val := verdict.Value{Name: b.Var.Name(), Value: number(c, b), Chosen: is.Chosen, Idle: !matters[i][st.Steps[k]][n]}
			var enum *source.Enumeration
			if x, ok := variable(c, b.Var); ok {
				val.Made = x.Kind == cfa.Temp
				if val.Name = x.Name; names != nil {
					enum = names(x.Name, x.Pos)
				}
			}
			val.Named = named(enum, b)
			if before, had := known[i][b.Var]; had {
				old := interp.Binding{Var: b.Var, Value: before}
				val.Before, val.BeforeNamed = number(c, old), named(enum, old)
			}
			if known[i][b.Var] = b.Value; val.Idle && is.Chosen != "" { // any value would do
				delete(known[i], b.Var)
			}
			if long[i].joined(&val, b.Value, is.Pos) {
				out.Values = append(out.Values, val)
			}
		}
		if ret, ok := is.Event.(interp.Returned); ok && ret.Has {
			out.Values = append(out.Values, verdict.Value{Name: "$0", Value: Format(c, c.CFA.Ret, ret.Value)})
		}
	}
	return out
}

// branch is what step k of part i makes of the condition of its statement.
func (v *Violation) branch(i, k int) string {
	steps := v.Run.Runs[i].Steps
	if k+1 >= len(steps) {
		return ""
	}
	loc := v.component(i).CFA.Locs[steps[k].Loc]
	_, repeated := steps[k].Event.(interp.Repeated)
	if _, ok := loc.Stmt.(cfa.Branch); !ok || repeated || loc.Succ[0] == loc.Succ[1] {
		return ""
	}
	for n, to := range loc.Succ {
		if to == steps[k+1].Loc {
			return map[cfa.Decision]string{cfa.HoldsThere: "true", cfa.FailsThere: "false"}[loc.Decides[n]]
		}
	}
	return ""
}

// lines are those of locations, each once.
func lines(c *cfa.CFA, locs []cfa.Loc) (all []cfa.Pos) {
	for _, l := range locs {
		all = append(all, c.Locs[l].Pos)
	}
	return distinct(all)
}

// distinct are lines of places, each once.
func distinct(at []cfa.Pos) (all []cfa.Pos) {
	for _, p := range at {
		if p.Col = 0; p.IsValid() && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// named is a value by the names that an enumeration has for it.
func named(e *source.Enumeration, b interp.Binding) string {
	if e == nil {
		return ""
	}
	return e.Name(b.Var.Type().Sext(b.Value))
}

// variable is the variable of the source that a term is.
func variable(c *component.Component, e *expr.Expr) (cfa.Var, bool) {
	i := slices.IndexFunc(c.CFA.Vars, func(v cfa.Var) bool { return v.Expr == e })
	if i < 0 {
		return cfa.Var{}, false
	}
	return c.CFA.Vars[i], true
}

// number writes a value by its variable's type.
func number(c *component.Component, b interp.Binding) string {
	return Format(c, b.Var.Type(), b.Value)
}

// Format writes a value by the signedness of its type, and addresses by what
// stands there.
func Format(c *component.Component, t expr.Type, value uint64) string {
	if name, ok := c.CFA.AddressName(value); ok && !t.Signed && !t.IsFloat() {
		return name
	}
	return t.Show(value)
}

// Allowed are the actions that a specification allows after a trace, by name.
func Allowed(spec *lts.LTS, trace []lts.Action) []string {
	var names []string
	for _, a := range spec.Alphabet() {
		if _, ok := lts.Member(spec, append(slices.Clone(trace), a)); ok {
			names = append(names, spec.Actions().Name(a))
		}
	}
	slices.Sort(names)
	return names
}

// initials are the values that variables begin with, and whether they matter.
func initials(c *component.Component, bound []interp.Binding, matters map[*expr.Expr]bool) []verdict.Initial {
	var list []verdict.Initial
	words, long := map[string]bool{}, longDoubles{}
	for _, b := range bound {
		if x, ok := variable(c, b.Var); ok {
			words[x.Name] = true
		}
	}
	for _, b := range bound {
		x, ok := variable(c, b.Var)
		if !ok || x.Kind == cfa.Temp {
			continue
		}
		val := verdict.Value{Name: x.Name, Value: number(c, b), Idle: !matters[b.Var]}
		if words[otherWord(x.Name)] && !long.joined(&val, b.Value, x.Pos) {
			continue
		}
		list = append(list, verdict.Initial{Name: val.Name, Value: val.Value, Pos: x.Pos, Idle: val.Idle})
	}
	return list
}
