package witness

// A run of components that were looked at together, told of each of them.
//
// Idea: each step of the product is one of a part, or an exchange of several. Steps that only choose what
// comes next, or look at what is carried, are not told. An action that carries a value is written with it:
// a(3).
//
// Cost: linear in the run.

import (
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/evidence/verdict"
	"magus/internal/pattern"
	"magus/lts"
	"magus/smt/expr"
)

// apart is the run as its parts do it.
func (v *Violation) apart(r *verdict.Run, c *component.Component) *verdict.Run {
	a := &apart{joint: c.CFA.Joint, c: c, values: map[*expr.Expr]uint64{}, names: map[string]string{}}
	run := v.Run.Runs[0]
	a.begins(r, run.Script.Init)
	spec := v.System.Spec
	observed := func(action string) bool {
		known, ok := spec.Actions().Lookup(action)
		return ok && spec.HasAction(known)
	}
	var steps []verdict.RunStep
	var trace, full []string
	loop := -1 // where it begins
	for k, st := range r.Steps {
		if r.Round != nil && k == r.Round.First {
			loop = len(steps)
		}
		is := run.Steps[v.Run.Steps[k].Steps[0]]
		for _, b := range is.Changed {
			a.values[b.Var] = b.Value
		}
		if d, ends := a.joint.Deadlocks[is.Loc]; ends {
			r.Standing = a.stands(d)
			v.refusedTogether(r, a, a.joint.Offered[is.Loc])
			continue
		}
		if a.joint.Opens[is.Loc] {
			continue
		}
		if st = a.step(st, is); st.Action != "" {
			if full = append(full, st.Action); observed(r.Steps[k].Action) {
				trace = append(trace, st.Action)
			}
		}
		steps = append(steps, st)
	}
	r.Steps, r.Trace, r.Full = steps, trace, full
	if r.Round != nil {
		a.round(r, loop)
	}
	r.Components, r.Copied = nil, len(a.joint.Parts) > 1 // who runs is not who is checked
	for _, p := range a.joint.Parts {
		r.Components = append(r.Components, p.Name)
	}
	if r.Standing != nil {
		r.Allowed = nil
	}
	if r.Standing != nil && r.Must == nil {
		r.Spec = nil
	}
	r.Allowed = a.allowed(r.Allowed, spec.Actions().Names(spec.Alphabet()))
	return r
}

// refusedTogether notes what a specification must be offered where the parts said what they offer, and what that is.
func (v *Violation) refusedTogether(r *verdict.Run, a *apart, offered []string) {
	spec := v.System.Spec
	trace := lts.Project(v.Trace, spec.Alphabet())
	if len(trace) == 0 || !component.IsSaid(spec.Actions().Name(trace[len(trace)-1])) {
		return
	}
	alphabet := spec.Actions().Names(spec.Alphabet())
	must, _ := lts.Acceptances(spec, trace[:len(trace)-1])
	r.Must = [][]string{}
	for _, set := range must {
		names := slices.DeleteFunc(spec.Actions().Names(set), component.IsSaid)
		r.Must = append(r.Must, a.allowed(names, alphabet))
	}
	r.Offered = a.allowed(offered, alphabet)
}

// round says which steps come again and again, and what they carry: those from first on, none if it is negative.
func (a *apart) round(r *verdict.Run, first int) {
	if first < 0 {
		first = len(r.Steps)
	}
	r.Round.First, r.Round.Actions = first, nil
	for _, st := range r.Steps[first:] {
		if st.Action != "" {
			r.Round.Actions = append(r.Round.Actions, st.Action)
		}
	}
	if n := r.Round.Times; n > 1 {
		r.Round.Actions = r.Round.Actions[:len(r.Round.Actions)/n]
	}
}

// allowed are the actions that the specification allows: by the name alone if it allows any value, else with what is
// carried.
func (a *apart) allowed(names, alphabet []string) (all []string) {
	channelOf := func(name string) string {
		channel, _, _ := strings.Cut(name, "(")
		return channel
	}
	for _, name := range names {
		if component.IsSaid(name) {
			continue
		}
		isOf := func(other string) bool { return strings.HasPrefix(other, channelOf(name)+"(") }
		lacks := func(other string) bool { return isOf(other) && !slices.Contains(names, other) }
		shown := a.shown(name)
		if isOf(name) && !slices.ContainsFunc(alphabet, lacks) {
			shown = channelOf(name)
		}
		if !slices.Contains(all, shown) {
			all = append(all, shown)
		}
	}
	return all
}

type apart struct {
	joint  *cfa.Joint
	c      *component.Component
	values map[*expr.Expr]uint64
	names  map[string]string // of values, as they are in this run
}

// begins tells the parts' initial values apart.
func (a *apart) begins(r *verdict.Run, init []interp.Binding) {
	inputs := make([][]verdict.Initial, len(a.joint.Parts))
	at := 0
	for _, b := range init {
		a.values[b.Var] = b.Value
		x, ok := variable(a.c, b.Var)
		if !ok || x.Kind == cfa.Temp {
			continue
		}
		in := r.Inputs[0][at]
		at++
		part := a.joint.PartOf(x.Frame)
		if x.Frame < 0 {
			part = slices.IndexFunc(a.joint.Parts, func(p cfa.JointPart) bool { return slices.Contains(p.Globals, b.Var) })
		}
		if part < 0 { // names of values
			for _, name := range strings.Split(x.Name, ", ") {
				a.names[name] = in.Value
			}
			continue
		}
		inputs[part] = append(inputs[part], in)
	}
	inputs[0] = append(inputs[0], r.Inputs[0][at:]...) // elements of memory, of the only part that has such
	r.Inputs = inputs
}

// step is a step as its parts do it.
func (a *apart) step(st verdict.RunStep, is interp.RunStep) verdict.RunStep {
	x, together := a.joint.Exchanges[is.Loc]
	if !together {
		if st.Component = max(a.joint.Of[is.Loc], 0); st.Joins != nil {
			st.Joins = []int{st.Component}
		}
		return st
	}
	st.Component, st.Joins = x.Parts[0], slices.Sorted(slices.Values(x.Parts))
	st.Pos, st.Proc, st.Text = x.Pos[0], a.c.CFA.Frames[x.Frames[0]].Proc, x.Texts[0]
	st.Values = nil
	for k, part := range x.Parts[1:] {
		st.Others = append(st.Others, verdict.OtherStep{Component: part, Pos: x.Pos[k+1],
			Proc: a.c.CFA.Frames[x.Frames[k+1]].Proc, Text: x.Texts[k+1]})
	}
	switch {
	case x.Values == nil:
	case x.Action == "return":
		st.Values = []verdict.Value{{Name: "$0", Value: a.carried(x)}}
	default:
		st.Action = x.Action + "(" + a.carried(x) + ")"
	}
	return st
}

// carried is what an exchange carries: 3, or seq = 1, kind = 2.
func (a *apart) carried(x cfa.Exchange) string {
	var all []string
	for i, v := range x.Values {
		n := number(a.c, interp.Binding{Var: v, Value: a.values[v]})
		if path := x.Paths[i]; path != "" {
			n = strings.TrimPrefix(path, ".") + " = " + n
		}
		all = append(all, n)
	}
	return strings.Join(all, ", ")
}

// stands is where the parts stand still.
func (a *apart) stands(all []cfa.JointStand) []verdict.Stand {
	var out []verdict.Stand
	for _, s := range all {
		stand := verdict.Stand{Ended: s.Ended}
		if s.At {
			stand.Pos, stand.Proc = s.Pos, a.c.CFA.Frames[s.Frame].Proc
			stand.Offers = []verdict.Offer{{Action: s.Action, Without: s.Without}}
		}
		out = append(out, stand)
	}
	return out
}

// equation is what a condition on a message looks like that one value satisfies.
var equation = pattern.New(`^\$1 ([!=]=) ([A-Za-z_][A-Za-z_0-9]*|-?[0-9]+)$`)

// shown is an action that the specification allows, with the value where there is one only: a(3) for a($1 == 3).
func (a *apart) shown(name string) string {
	channel, cond, found := strings.Cut(name, "(")
	m := equation().FindStringSubmatch(strings.TrimSuffix(cond, ")"))
	if !found || m == nil {
		return name
	}
	value := m[2]
	if v, known := a.names[value]; known {
		value = v
	}
	if m[1] == "!=" {
		return channel + "($1 != " + value + ")"
	}
	return channel + "(" + value + ")"
}
