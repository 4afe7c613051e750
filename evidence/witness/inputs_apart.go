package witness

// What components need that were looked at together: each what its own steps are given, with what it sends and
// receives.
//
// Idea: a step of the product is one of a part, or an exchange. Each part is given its part of them, by itself: what it
// receives is what was sent, so that it need not run beside the others.
//
// Cost: the run, for each part.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/source"
	"magus/evidence/verdict"
	"magus/smt/expr"
)

// inputsApart gathers what the parts need.
func (v *Violation) inputsApart(in *Inputs, functions map[string]source.Function) {
	r := recorded{v.component(0), v.Run.Runs[0]}
	circle, _ := v.circled(0)
	steps, initially := relevance(r.Component, r.run)
	a := &inputsApart{recorded: r, joint: r.CFA.Joint, in: in, functions: functions, circle: circle, initially: initially,
		done: statements(r.run, steps)}
	standing, stands := a.joint.Deadlocks[a.lastLoc()]
	in.Stands = stands
	for k := range a.joint.Parts {
		part := a.part(k, stands)
		if stands {
			part.Stand = a.standing(standing[k])
		}
		in.Components = append(in.Components, part)
	}
	in.Overflows = r.overflows()
}

// inputsApart is a run of parts.
type inputsApart struct {
	recorded
	joint     *cfa.Joint
	in        *Inputs
	functions map[string]source.Function
	circle    Circle
	initially map[*expr.Expr]bool
	done      []statement
}

// lastLoc is where the last step of the run is made.
func (a *inputsApart) lastLoc() cfa.Loc {
	all := a.run.Script.Steps
	return all[len(all)-1].Loc
}

// does reports whether a part makes a step of the script, and whether it performs an action with it.
func (a *inputsApart) does(k, step int) (is, acts bool) {
	loc := a.run.Script.Steps[step].Loc
	if x, exchanges := a.joint.Exchanges[loc]; exchanges {
		is = slices.Contains(x.Parts, k)
		return is, is
	}
	_, acts = a.CFA.Locs[loc].Stmt.(cfa.Act)
	is = a.joint.Of[loc] == k && !a.joint.Opens[loc]
	return is, is && acts
}

// part gathers what a part needs; stands says that the run ends where all stand still.
func (a *inputsApart) part(k int, stands bool) ComponentInputs {
	p := a.joint.Parts[k]
	in := ComponentInputs{Name: p.Name, Entry: a.CFA.Frames[p.Frame].Proc}
	in.Args = make([]Arg, len(a.functions[in.Entry].Params))
	a.begins(&in, k)
	left, goes := 0, false
	for i := range a.run.Script.Steps {
		is, acts := a.does(k, i)
		if goes = goes || is && a.within(i); acts {
			left++
		}
	}
	values := map[*expr.Expr]uint64{}
	choices, actions := 0, 0
	for i, want := range a.run.Script.Steps {
		if a.circle.Length > 0 && i == a.circle.From {
			choices, actions = len(in.Choices), len(in.Trace)
		}
		if left == 0 && !stands && !goes || a.circle.Length > 0 && i == a.circle.From+a.circle.Length {
			break // what follows the last action is not looked at
		}
		for _, b := range a.done[i].changed {
			values[b.Var] = b.Value
		}
		is, acts := a.does(k, i)
		if acts {
			left--
			a.performs(&in, k, want.Loc, values)
		}
		if is {
			a.asks(&in, i)
		}
	}
	if goes {
		a.circle.asked(&in, choices, actions)
	}
	return in
}

// within reports whether a step is one of what comes again and again.
func (a *inputsApart) within(step int) bool {
	return step >= a.circle.From && step < a.circle.From+a.circle.Length
}

// begins notes what a part begins with.
func (a *inputsApart) begins(in *ComponentInputs, k int) {
	p := a.joint.Parts[k]
	for _, b := range a.run.Script.Init {
		x, ok := variable(a.Component, b.Var)
		of := a.joint.PartOf(x.Frame)
		if x.Frame < 0 {
			of = slices.IndexFunc(a.joint.Parts, func(p cfa.JointPart) bool { return slices.Contains(p.Globals, b.Var) })
		}
		if !ok || !a.initially[b.Var] || of != k {
			continue
		}
		n := slices.IndexFunc(a.functions[in.Entry].Params, func(q source.FunctionParam) bool { return q.Name == x.Name })
		switch {
		case x.Kind == cfa.Global && x.Proc == "":
			in.Sets = append(in.Sets, a.set(x.Name, x.Pos, b))
		case x.Kind == cfa.Param && x.Frame == p.Frame && n >= 0 && !a.functions[in.Entry].Params[n].Pointer:
			in.Args[n] = Arg{Value: b.Value}
		default:
			in.Missing = append(in.Missing, cfa.Warning{Pos: x.Pos, Text: "the value that " + x.Name + " begins with"})
		}
	}
	for _, e := range elements(a.Component, a.run) {
		if a.joint.Of[a.run.Script.Steps[e.step].Loc] == k && slices.Contains(a.done[e.step].matters, true) {
			in.Missing = append(in.Missing, cfa.Warning{Pos: a.done[e.step].pos,
				Text: "what is read of memory that is not modelled"})
		}
	}
}

// performs notes the action of a part at a location.
func (a *inputsApart) performs(in *ComponentInputs, k int, loc cfa.Loc, values map[*expr.Expr]uint64) {
	x, exchanges := a.joint.Exchanges[loc]
	number := func(i int) string {
		return number(a.Component, interp.Binding{Var: x.Values[i], Value: values[x.Values[i]]})
	}
	switch {
	case !exchanges:
		in.Trace = append(in.Trace, a.CFA.Locs[loc].Stmt.(cfa.Act).Action)
	case x.Action == "return":
		in.Return = &Return{Action: a.CFA.Locs[loc].Stmt.(cfa.Act).Action}
		if x.Values != nil {
			in.Return.Value, in.Return.Width = values[x.Values[0]], int(x.Values[0].Type().Width)
		}
		in.Trace = append(in.Trace, in.Return.Action)
	case x.Values == nil:
		in.Trace = append(in.Trace, x.Action)
	case len(x.Values) > 1 || x.Paths[0] != "":
		a.in.Refused = "structures that components exchange are not replayed by a program"
	default:
		c := ChannelInputs{x.Channel, int(x.Values[0].Type().Width)}
		if !slices.Contains(a.in.Channels, c) {
			a.in.Channels = append(a.in.Channels, c)
		}
		in.Trace = append(in.Trace, onChannel(slices.Index(x.Parts, k) < x.Senders, x.Channel)+"("+number(0)+")")
	}
}

// onChannel is what a component does on a channel, without the value.
func onChannel(sends bool, channel string) string {
	return map[bool]string{true: "send ", false: "receive "}[sends] + channel
}

// asks notes what a step of a part is given.
func (a *inputsApart) asks(in *ComponentInputs, step int) {
	want := a.run.Script.Steps[step]
	if _, exchanges := a.joint.Exchanges[want.Loc]; exchanges {
		return
	}
	if want.Repeat != nil {
		a.again(in, a.functions, want.Repeat)
		return
	}
	changes, gives := a.from(a.functions, a.run.Script.Steps[step:], a.done[step:])
	if changes {
		a.changedBy(in, want, a.done[step])
	}
	if gives {
		a.took(in, want, a.done[step])
	}
}

// standing says where a part stands still.
func (a *inputsApart) standing(s cfa.JointStand) *StandInputs {
	in := &StandInputs{Ended: s.Ended}
	switch {
	case !s.At:
	case s.Action == "return":
		a.in.Refused = "a component stands where it returns, which no program shows"
	case s.Message != nil:
		in.Offers = []string{onChannel(s.Message.Sends, s.Message.Channel)}
	default:
		in.Offers = []string{s.Action}
	}
	return in
}

// forbiddenAction is the last action of a run, as people are told of it; "" if it is not what is wrong.
func (in *Inputs) forbiddenAction(r *verdict.Run) string {
	if len(r.Trace) == 0 || in.Stands || in.GoesOn {
		return ""
	}
	return verdict.Forbidden(r.Trace[len(r.Trace)-1], r.Spec, r.Opposite)
}
