package repl

// What a step did and why, in a line or two.

import (
	"fmt"
	"slices"
	"strings"

	"magus"
	"magus/cfa"
	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/phrase"
	"magus/lts"
	"magus/smt/expr"
	"magus/specs"
)

// explain tells an event; before and after are the session around it.
func explain(h Host, before, after cegar.View, e cegar.Event) []string {
	x := explanation{h, before, after}
	switch e := e.(type) {
	case cegar.DataAbstracted:
		return x.dataAbstracted(e)
	case cegar.EventsAbstracted:
		return x.eventsAbstracted(e)
	case cegar.Verified:
		return x.verified(e)
	case cegar.ValidatedMP:
		return x.validatedMP(e)
	case cegar.ValidatedC:
		return x.validatedC(e)
	case cegar.EventsRefined:
		return x.eventsRefined(e)
	case cegar.DataRefined:
		return x.dataRefined(e)
	case cegar.Ended:
		return x.ended(e)
	}
	return []string{e.String()}
}

type explanation struct {
	host          Host
	before, after cegar.View
}

// name is the name of component i.
func (x *explanation) name(i int) string { return x.after.Components[i].Name }

// part is what a copy of component i does in the counterexample.
func (x *explanation) part(i, number int) cegar.PartView {
	for _, p := range x.after.Parts {
		if p.Component == i && p.Number == number {
			return p
		}
	}
	return cegar.PartView{Name: x.name(i)}
}

// dataAbstracted tells the sizes of the MP that were built.
func (x *explanation) dataAbstracted(e cegar.DataAbstracted) []string {
	if e.GaveUp > 0 || e.PutOff {
		return []string{e.String()}
	}
	var parts []string
	for i, c := range x.after.Components {
		switch old := x.before.Components[i].MP; {
		case !slices.Contains(e.Rebuilt, i):
			parts = append(parts, fmt.Sprintf("%s unchanged", c.Name))
		case old == nil:
			parts = append(parts, fmt.Sprintf("%s has %s", c.Name, phrase.Plural(e.States[i], "state")))
		default:
			parts = append(parts, fmt.Sprintf("%s has %s, was %d", c.Name, phrase.Plural(e.States[i], "state"),
				old.LTS.NumStates()))
		}
	}
	return []string{fmt.Sprintf("iteration %d: MP of %s", e.Iteration, strings.Join(parts, "; of "))}
}

// eventsAbstracted tells the sizes of the MA that were built.
func (x *explanation) eventsAbstracted(e cegar.EventsAbstracted) []string {
	var parts []string
	for i := range x.after.Components {
		text := fmt.Sprintf("%s has %s", x.name(i), phrase.Plural(e.Blocks[i], "block"))
		if n := x.after.Components[i].Traces; n > 0 && slices.Contains(e.Rebuilt, i) {
			text += fmt.Sprintf(" after %s refuted before", phrase.Plural(n, "trace"))
		}
		parts = append(parts, text)
	}
	return []string{"MA of " + strings.Join(parts, "; of ")}
}

// verified tells the counterexample, or that there is none.
func (x *explanation) verified(e cegar.Verified) []string {
	what := "product state"
	for _, c := range x.after.Components {
		if c.Copies == specs.AnyNumber {
			what = "marking"
		}
	}
	met := phrase.Plural(e.States, what)
	if e.Holds {
		return []string{fmt.Sprintf("contained in the specification: the claim is proved (%s)", met),
			"what is left is to look for smaller sets of predicates"}
	}
	lines := []string{fmt.Sprintf("counterexample of %s (%s): %s", phrase.Plural(len(e.Trace), "action"), met,
		phrase.Few(quoted(e.Trace), 8))}
	if e.Copies != nil {
		lines = append(lines, "running: "+phrase.Few(e.Copies, 8))
	}
	if why := x.forbidden(); why != "" {
		lines = append(lines, why)
	}
	return lines
}

// quoted writes actions so that each is one word.
func quoted(actions []string) []string {
	all := make([]string, len(actions))
	for i, a := range actions {
		all[i] = actionWord(a)
	}
	return all
}

// actionWord writes an action; return actions hold together by their braces.
func actionWord(a string) string {
	if a == "" || strings.ContainsAny(a, " \t\"'#") && !strings.Contains(a, "{") {
		return quote(a)
	}
	return a
}

// forbidden says what the specification wants instead of the last action, and which
// of its states do.
func (x *explanation) forbidden() string {
	v := &x.after
	observed := lts.Project(v.Trace, v.Spec.Alphabet())
	if len(observed) == 0 {
		return ""
	}
	along := v.StatesAlong(observed)
	at := along[len(along)-1]
	if v.Spec.HasError() {
		at = slices.DeleteFunc(at, func(s component.SpecState) bool { return s.Name != "ERROR" })
		return "the specification leads to " + specStates(at)
	}
	allowed := allowedAfter(v, observed[:len(observed)-1])
	where := "at the start"
	if n := len(observed) - 1; n > 0 {
		where = "after " + phrase.Few(quoted(v.Actions.Names(observed[:n])), 8)
	}
	switch {
	case !slices.ContainsFunc(at, func(s component.SpecState) bool { return s.Pos.IsValid() }): // nobody wrote it
		return fmt.Sprintf("the specification does not allow %s %s",
			actionWord(v.Actions.Name(observed[len(observed)-1])), where)
	case !slices.ContainsFunc(at, func(s component.SpecState) bool { return !s.Ended }):
		return fmt.Sprintf("the specification allows nothing %s: it ended at %v", where, at[0].Pos)
	case len(allowed) == 0:
		return fmt.Sprintf("the specification allows nothing %s, in %s", where, specStates(at))
	}
	return fmt.Sprintf("the specification allows %s %s, in %s", phrase.Few(quoted(allowed), 6), where, specStates(at))
}

// specStates are states of the specification with their places.
func specStates(states []component.SpecState) string {
	var all []string
	for _, s := range states {
		all = append(all, fmt.Sprintf("%s (%v)", s.Name, s.Pos))
	}
	return phrase.Or(all, 4)
}

// allowedAfter are the actions that the specification allows after a trace, by
// name.
func allowedAfter(v *cegar.View, trace []lts.Action) []string {
	var names []string
	for _, a := range v.Spec.Alphabet() {
		if _, ok := lts.Member(v.Spec, append(slices.Clone(trace), a)); ok {
			names = append(names, v.Actions.Name(a))
		}
	}
	slices.Sort(names)
	return names
}

// validatedMP tells whether the MP have the counterexample, or which one has not.
func (x *explanation) validatedMP(e cegar.ValidatedMP) []string {
	if !e.Spurious {
		if x.after.Levels == 1 {
			return []string{"level two is off: the counterexample is one of the predicate abstractions"}
		}
		return []string{"every component has the trace at level one"}
	}
	c := x.after.Components[e.Component]
	part := x.part(e.Component, e.Copy)
	trace := part.Trace
	n := 0
	for n < len(trace) {
		if _, ok := lts.Member(c.MP.LTS, trace[:n+1]); !ok {
			break
		}
		n++
	}
	where := "at the start"
	if n > 0 {
		where = "after " + phrase.Few(quoted(x.after.Actions.Names(trace[:n])), 8)
	}
	line := fmt.Sprintf("spurious at level two: MP of %s cannot do %s %s", part.Name,
		actionWord(x.after.Actions.Name(trace[n])), where)
	var others []string
	for _, c := range e.Also {
		others = append(others, x.part(c.Component, c.Number).Name)
	}
	lines := append([]string{line}, likewise(others)...)
	return append(lines, x.onOthers(e.Besides)...)
}

// onOthers is the line, if there is one, that tells of components that lack other counterexamples.
func (x *explanation) onOthers(besides []component.Copy) []string {
	if besides == nil {
		return nil
	}
	var names []string
	for _, c := range besides {
		names = append(names, x.part(c.Component, c.Number).Name)
	}
	return []string{"other counterexamples of the same search are refuted by " + phrase.Few(names, 4)}
}

// likewise is the line, if there is one, that tells of which others the same is true.
func likewise(others []string) []string {
	if others == nil {
		return nil
	}
	return []string{"likewise " + phrase.Few(others, 4)}
}

// validatedC tells whether the components can take their paths, or what in one of
// them contradicts itself.
func (x *explanation) validatedC(e cegar.ValidatedC) []string {
	if !e.Spurious {
		return []string{e.String()}
	}
	c := x.after.Components[e.Component]
	lines := []string{fmt.Sprintf("spurious at level one: %s cannot take its path of %s",
		x.part(e.Component, e.Copy).Name, phrase.Plural(e.Length, "step"))}
	var parts []string
	for _, id := range c.Failed {
		edge := &c.Graph.Base().Edges[id]
		if text := conjunction(edge.Guard); text != "" {
			parts = append(parts, text+place(c.CFA, edge.Loc))
		}
	}
	switch len(parts) {
	case 0:
	case 1:
		lines = append(lines, "it would need "+parts[0]+", which is false there")
	default:
		lines = append(lines, "it would need all of "+phrase.Few(parts, 4))
	}
	var others []string
	for _, r := range e.Also {
		others = append(others, x.part(r.Component, r.Copy).Name)
	}
	var besides []component.Copy
	for _, r := range e.Besides {
		besides = append(besides, component.Copy{Component: r.Component, Number: r.Copy})
	}
	return append(append(lines, likewise(others)...), x.onOthers(besides)...)
}

// conjunction joins conditions.
func conjunction(conds []*expr.Expr) string {
	texts := make([]string, len(conds))
	for i, c := range conds {
		texts[i] = c.String()
	}
	return strings.Join(texts, " && ")
}

// place is " at file:line" of a location.
func place(c *cfa.CFA, l cfa.Loc) string {
	if l < 0 || !c.Locs[l].Pos.IsValid() {
		return " at the start"
	}
	p := c.Locs[l].Pos
	return fmt.Sprintf(" at %s:%d", p.File, p.Line)
}

// eventsRefined tells the splits.
func (x *explanation) eventsRefined(e cegar.EventsRefined) []string {
	return each(e.All(), func(e cegar.EventsRefined) []string {
		var parts []string
		for _, s := range e.Splits {
			parts = append(parts, splitText(s))
		}
		return []string{fmt.Sprintf("%s: %s now", x.name(e.Component), phrase.Plural(e.Blocks, "block")),
			phrase.Few(parts, 4)}
	})
}

// toldComponents is of how many components a refinement is told.
const toldComponents = 4

// each tells the first refinements, and how many there are besides.
func each[E any](all []E, tell func(E) []string) []string {
	var lines []string
	for _, e := range all[:min(len(all), toldComponents)] {
		lines = append(lines, tell(e)...)
	}
	if n := len(all) - toldComponents; n > 0 {
		lines = append(lines, phrase.Plural(n, "component")+" more, see history")
	}
	return lines
}

// splitText is one split.
func splitText(s cegar.Split) string {
	into := make([]string, len(s.Into))
	for i, b := range s.Into {
		into[i] = fmt.Sprint(b)
	}
	return fmt.Sprintf("block %d was split by %s into %s", s.Block, actionWord(s.Action), strings.Join(into, ", "))
}

// dataRefined tells the predicates that were chosen, and what is new.
func (x *explanation) dataRefined(e cegar.DataRefined) []string {
	return each(e.All(), x.dataRefinedOne)
}

func (x *explanation) dataRefinedOne(e cegar.DataRefined) []string {
	c := x.after.Components[e.Component]
	if e.PutOff {
		return []string{c.Name + ": to choose predicates takes long; the others go first"}
	}
	what := "chosen of %s, to exclude " + phrase.Plural(e.Paths, "spurious path")
	if x.before.Proved {
		what = "of %s tried, in all fewer than the proof had"
	}
	lines := []string{fmt.Sprintf("%s: %s "+what+" (%s)", c.Name, phrase.Plural(len(e.Predicates), "predicate"),
		phrase.Plural(e.Candidates, "candidate"), phrase.Plural(e.Tests, "test"))}
	was := x.before.Components[e.Component].Chosen
	added, dropped := withPlaces(c, e.Added), withPlaces(c, e.Dropped)
	tellApart(added, dropped, without(c.Chosen, was), without(was, c.Chosen))
	var parts []string
	if len(added) > 0 {
		parts = append(parts, "new: "+phrase.Few(added, 4))
	}
	if len(dropped) > 0 {
		parts = append(parts, "gone: "+phrase.Few(dropped, 4))
	}
	if parts != nil {
		lines = append(lines, strings.Join(parts, "; "))
	}
	return lines
}

// without are the numbers of a list that another one has not.
func without(all, others []int) []int {
	return slices.DeleteFunc(slices.Clone(all), func(k int) bool { return slices.Contains(others, k) })
}

// tellApart adds the numbers of candidates, as preds has them, to what is new and what is gone where both read the
// same: their conditions are asked at other places, or differ in what a text leaves out.
func tellApart(added, dropped []string, new, gone []int) {
	both := map[string]bool{}
	for _, text := range added {
		both[text] = slices.Contains(dropped, text)
	}
	number := func(texts []string, of []int) {
		for i, text := range texts {
			if both[text] && i < len(of) {
				texts[i] += fmt.Sprintf(", candidate %d", of[i])
			}
		}
	}
	number(added, new)
	number(dropped, gone)
}

// withPlaces adds where candidates come from.
func withPlaces(c cegar.ComponentView, texts []string) []string {
	all := slices.Clone(texts)
	for i, text := range texts {
		k := slices.IndexFunc(c.Candidates, func(p verdict.Predicate) bool { return p.Text == text })
		if k >= 0 && c.Candidates[k].Pos.IsValid() {
			all[i] = fmt.Sprintf("%s (line %d)", text, c.Candidates[k].Pos.Line)
		}
	}
	return all
}

// ended tells the verdict.
func (x *explanation) ended(e cegar.Ended) []string {
	o := e.Outcome
	switch o.Verdict {
	case magus.Conforms:
		how := fmt.Sprintf("after %s: %s", phrase.Plural(o.Loop.Stats.Iterations, "iteration"),
			phrase.Plural(predicateCount(o), "predicate"))
		if o.Loop.Smallest {
			how += ", a smallest set"
		} else if o.Loop.NotShown != "" {
			how += " (smallest: not shown, " + o.Loop.NotShown + ")"
		}
		if o.Loop.Bounded {
			how = "by the bounded search: no run closes " + phrase.Plural(o.Loop.Depth, "loop")
		}
		if o.Loop.Induction {
			how = fmt.Sprintf("by induction over loops: %s assumed", phrase.Plural(o.Loop.Assumed, "layer"))
		}
		if o.Loop.Executed > 0 {
			how = "by the only run: it ends after " + phrase.Plural(int(o.Loop.Executed), "statement")
		}
		if o.Loop.Cells {
			how = "by a proof about one or two arbitrary elements of each large array, or one object"
		}
		if o.Loop.Summaries {
			how = "by summaries of procedures"
		}
		if o.Loop.Contracts {
			how = "by contracts of procedures"
		}
		all := []string{"conforms " + how}
		for _, d := range o.Doubts {
			all = append(all, fmt.Sprintf("warning: %s: %s", where(d.Pos), d.Text))
		}
		return all
	case magus.Violates:
		replayed := phrase.Few(quoted(o.Run.Trace), 8)
		if o.Run.Standing != nil {
			replayed = "the run to where all components stand still"
		}
		if o.Run.Round != nil {
			replayed = "the run, and what comes again and again"
		}
		return []string{"violates: the interpreter replayed " + replayed,
			"report shows the run, trace C one component's part of it"}
	}
	return []string{"unknown: " + o.Reason.String()}
}

// predicateCount is how many predicates the components have at the end.
func predicateCount(o *magus.Outcome) int {
	n := 0
	for _, c := range o.Loop.Components {
		n += len(c.Predicates)
	}
	return n
}
