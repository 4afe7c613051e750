package report

import (
	"fmt"
	"strconv"
	"strings"

	"magus"
	"magus/cfa"
	"magus/evidence/verdict"
)

// Sources give the text of source lines, so that steps can be shown as the
// programmer wrote them.
type Sources interface {
	// Line is line n (from 1) of a file, or "" where there is none.
	Line(file string, n int) string
}

// NewClaim makes the report of one outcome. Times are in seconds.
func NewClaim(o *magus.Outcome, phases []Phase, seconds float64, src Sources) Claim {
	loop := o.Loop
	if loop == nil {
		loop = &verdict.Loop{}
	}
	c := Claim{
		Name:        o.Claim,
		Verdict:     o.Verdict.String(),
		Because:     NewBecause(o.Reason),
		Divergence:  NewDivergence(o.Divergence),
		Relation:    o.Relation,
		ByTraces:    o.ByTraces,
		Checked:     o.Confirmation.Checked,
		NotChecked:  o.Confirmation.Why,
		Engine:      engine(o.Verdict, o.Loop),
		Depth:       loop.Depth,
		Assumed:     loop.Assumed,
		Executed:    loop.Executed,
		Accelerated: loop.Accelerated,
		Smallest:    loop.Smallest,
		NotShown:    loop.NotShown,
		Components:  make([]Component, 0, len(o.Components)),
		Assumptions: Remarks(o.Assumptions),
		Statistics:  statistics(loop.Stats, phases, seconds),
		Doubts:      newDoubts(o.Doubts),
	}
	for _, covered := range o.Coverage {
		c.Coverage = append(c.Coverage, NewCoverage(covered))
	}
	c.Methods = NewMethods(o.Methods)
	for i, name := range o.Components {
		var a verdict.Abstraction
		if i < len(loop.Components) {
			a = loop.Components[i]
		}
		c.Components = append(c.Components, component(name, a))
	}
	if o.Run != nil {
		c.Counterexample = counterexample(o.Run, src)
	}
	return c
}

// NewMethods are the methods that were tried in the form of the report.
func NewMethods(shares []verdict.Share) []Method {
	var all []Method
	for _, m := range shares {
		all = append(all, Method{m.Method, m.Shares, m.Effort, m.Result})
	}
	return all
}

// engine names what decided; "" where nothing did.
func engine(v verdict.Verdict, loop *verdict.Loop) string {
	switch {
	case v == verdict.Unknown:
		return ""
	case loop == nil:
		return "threads"
	case loop.Executed > 0:
		return "execution"
	case loop.Cells:
		return "cells"
	case loop.Bounded:
		return "bounded"
	case loop.Induction:
		return "kinduction"
	case loop.Summaries:
		return "summaries"
	case loop.Contracts:
		return "contracts"
	}
	return "loop"
}

// NewBecause is a reason in the form of the report.
func NewBecause(r verdict.Reason) Because {
	return Because{Reason: r.Text, Kind: string(r.Kind), Place: NewPlace(r.Place)}
}

// Remarks are warnings in the form of the report.
func Remarks(ws []cfa.Warning) []Remark {
	rs := make([]Remark, 0, len(ws))
	for _, w := range ws {
		rs = append(rs, Remark{Place: NewPlace(w.Pos), Text: w.Text, Kind: string(w.Kind)})
	}
	return rs
}

// Verdict is the worst verdict over claims: see [Check.Verdict].
func Verdict(claims []Claim) string {
	worst := magus.Conforms.String()
	if len(claims) == 0 {
		worst = magus.Unknown.String()
	}
	for _, c := range claims {
		switch c.Verdict {
		case magus.Violates.String():
			return c.Verdict
		case magus.Unknown.String():
			worst = c.Verdict
		}
	}
	return worst
}

// NewPlace is the place of a position, nil where there is none.
func NewPlace(p cfa.Pos) *Place {
	if !p.IsValid() {
		return nil
	}
	return &Place{File: p.File, Line: p.Line, Column: p.Col}
}

// String is file:line:column.
func (p *Place) String() string {
	if p.Column <= 0 {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

func component(name string, r verdict.Abstraction) Component {
	c := Component{
		Name: name, Locations: r.Locations,
		Expressions: r.Expressions, Groups: r.Groups,
		Chosen:   make([]Predicate, 0, len(r.Predicates)),
		MPStates: r.MPStates, MAStates: r.MAStates, ReducedStates: r.ReducedStates,
	}
	switch {
	case r.Copies == verdict.AnyNumber:
		c.Copies, c.CountedTo = "*", r.CountedTo
	case r.Copies > 1:
		c.Copies = strconv.Itoa(r.Copies)
	}
	for _, p := range r.Predicates {
		c.Chosen = append(c.Chosen, Predicate{Text: p.Text, Conditions: append([]string{}, p.Conditions...),
			Origin: p.Origin, Place: NewPlace(p.Pos)})
	}
	return c
}

func statistics(s verdict.Stats, phases []Phase, seconds float64) Statistics {
	return Statistics{
		Iterations:          s.Iterations,
		PredicateIterations: s.PredicateIterations,
		ActionIterations:    s.ActionIterations,
		Splits:              s.Splits,
		ProductStates:       s.ProductStates,
		MaxProductStates:    s.MaxProductStates,
		Parts:               s.Parts,
		Candidates:          s.Candidates,
		Eliminations:        s.Minimization.Tests,
		Subsets:             s.Minimization.Subsets,
		LargestSubset:       s.Minimization.Largest,
		Learned:             s.Minimization.Clauses,
		LargestEliminating:  s.Minimization.LargestGood,
		Paths:               s.Paths,
		PathBytes:           s.PathBytes,
		SolverQueries:       s.SolverQueries,
		Seconds:             seconds,
		Phases:              append([]Phase{}, phases...),
	}
}

func counterexample(r *magus.Run, src Sources) *Counterexample {
	names := r.Components
	x := &Counterexample{
		Trace:   append([]string{}, r.Trace...),
		Actions: append([]string{}, r.Full...),
		Allowed: append([]string{}, r.Allowed...), Shortest: !r.Longer,
		Specification: specStates(r.Spec), Opposite: r.Opposite,
		By:      r.By,
		Initial: []Initial{},
		Steps:   make([]Step, 0, len(r.Steps)),
	}
	if r.Copied {
		x.Running = append([]string{}, names...)
	}
	for i, inputs := range r.Inputs {
		for _, in := range inputs {
			x.Initial = append(x.Initial, Initial{
				Component: nameOf(names, i), Name: in.Name, Value: in.Value, Place: NewPlace(in.Pos), Idle: in.Idle,
			})
		}
	}
	for _, s := range r.Steps {
		x.Steps = append(x.Steps, step(s, names, src))
	}
	nameLocks(x, threadsOf(r))
	x.Choices = choices(r.Choices)
	for _, b := range r.Branches {
		x.Branches = append(x.Branches, counterexample(b, src))
	}
	x.Must, x.Offered = r.Must, r.Offered
	x.Round = roundOf(r, names)
	for i, s := range r.Standing {
		x.Standing = append(x.Standing, stand(i, s, names, src))
	}
	for _, i := range r.Cycle() {
		if r.Must != nil { // others may go on
			break
		}
		x.Cycle = append(x.Cycle, nameOf(names, i))
	}
	return x
}

// choices are what the specification cannot follow.
func choices(all []verdict.Choice) (out []Choice) {
	for _, c := range all {
		from := specStates(c.From)
		if from == nil {
			from = []SpecState{}
		}
		out = append(out, Choice{c.Action, c.Run + 1, from, specStates(c.To), choices(c.Then)})
	}
	return out
}

// stand is where component i stands still.
func stand(i int, s verdict.Stand, names []string, src Sources) Stand {
	out := Stand{Component: nameOf(names, i), Ended: s.Ended, Place: NewPlace(s.Pos), Procedure: s.Proc}
	if out.Place != nil {
		out.Source = lineAt(src, s.Pos)
	}
	out.Object = s.Object
	for _, j := range s.Holders {
		out.Holders = append(out.Holders, nameOf(names, j))
	}
	for _, o := range s.Offers {
		offer := Offer{Action: o.Action}
		for _, j := range o.Without {
			offer.Without = append(offer.Without, nameOf(names, j))
		}
		out.Offers = append(out.Offers, offer)
	}
	return out
}

// longestLine is how long a line may be that is shown for a statement. Generated programs have all of
// a function on one: a report that repeats it for every step is quadratic.
const longestLine = 1000

// lineAt is the line of a statement without its indentation, "" if it is too long to say something about the statement.
func lineAt(src Sources, p cfa.Pos) string {
	text := strings.TrimSpace(src.Line(p.File, p.Line))
	if len(text) > longestLine {
		return ""
	}
	return text
}

func step(s verdict.RunStep, names []string, src Sources) Step {
	t := Step{
		Component: nameOf(names, s.Component),
		Place:     NewPlace(s.Pos),
		Procedure: s.Proc, Statement: s.Text, Action: s.Action,
		Values:        make([]Value, 0, len(s.Values)),
		Specification: specStates(s.Spec), Forbidden: s.Forbidden, Branch: s.Branch,
	}
	if t.Place != nil && s.Rounds == nil {
		t.Source = lineAt(src, s.Pos)
	}
	t.Rounds = roundsOf(s.Rounds)
	for _, j := range s.Joins {
		if j != s.Component {
			t.With = append(t.With, nameOf(names, j))
		}
	}
	for _, v := range s.Values {
		t.Values = append(t.Values, Value{Name: v.Name, Value: v.Value, Chosen: v.Chosen, Idle: v.Idle, Writer: v.Writer,
			State: v.State, Before: v.Before, Named: v.Named, BeforeNamed: v.BeforeNamed, Made: v.Made, Shared: v.Shared})
	}
	for _, o := range s.Others {
		other := Other{Component: nameOf(names, o.Component), Place: NewPlace(o.Pos), Procedure: o.Proc, Statement: o.Text}
		if other.Place != nil {
			other.Source = lineAt(src, o.Pos)
		}
		t.Others = append(t.Others, other)
	}
	return t
}

// roundsOf are rounds with the places of their lines.
func roundsOf(t *verdict.Rounds) *Rounds {
	if t == nil {
		return nil
	}
	out := &Rounds{Times: t.Times, Steps: t.Steps, Lines: []Place{}}
	for _, l := range t.Lines {
		out.Lines = append(out.Lines, *NewPlace(l))
	}
	return out
}

func specStates(states []verdict.SpecState) []SpecState {
	var all []SpecState
	for _, s := range states {
		all = append(all, SpecState{s.Name, NewPlace(s.Pos), s.Ended})
	}
	return all
}

func nameOf(names []string, i int) string {
	if i >= 0 && i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("component %d", i+1)
}
