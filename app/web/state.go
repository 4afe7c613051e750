package web

// What pages are shown of a session.

import (
	"context"
	"fmt"
	"slices"

	"magus/app/draw"
	"magus/app/repl"
	"magus/cfa"
	"magus/engine/cegar"
	"magus/internal/phrase"
	"magus/lts"
)

// Limits of what is shown; each says so where it cuts.
const (
	mostRows       = 1000 // of a counterexample
	mostLines      = 5000 // of a source
	mostBlank      = 200  // lines without text: then a source has ended
	mostPredicates = 2000 // candidates of a component
	mostThreadText = 20_000
)

// emptyState is that of a shell that is about nothing.
func emptyState() *State {
	return &State{Session: &Session{}, Counterexample: &Counterexample{}, Specification: &Specification{},
		Run: &Run{}, Threads: &Threads{}, Busy: &Busy{}, Processes: &Processes{}}
}

// stateOf is the state of what a shell is about. Who calls has the shell.
func (s *Shared) stateOf(p repl.Present, loaded bool) *State {
	st := emptyState()
	if !loaded {
		return st
	}
	v := &p.View
	st.Session = sessionOf(p)
	st.Session.Tour = s.tour
	for _, m := range p.Moments {
		st.Moments = append(st.Moments, Moment{m.Head, m.By, m.Lines, m.Seconds})
	}
	st.Branches = branchesOf(p.Branches)
	for _, c := range v.Components {
		st.Components = append(st.Components, componentOf(c))
	}
	x := newCrossed(v, s.outer.Engine)
	st.Counterexample, st.Specification = x.counterexample(), x.specification()
	st.Counters = countersOf(v)
	st.Run = runOf(s.violation(v.Outcome))
	st.Sources = s.sources(p)
	for _, f := range st.Sources {
		st.Marks = append(st.Marks, marksOf(f.Name, v, st.Counterexample, st.Run))
	}
	st.Script = p.Script
	if p.Threads {
		st.Threads = s.threads(p)
	}
	return st
}

// sessionOf is what the shell is about.
func sessionOf(p repl.Present) *Session {
	v := &p.View
	s := &Session{Loaded: true, Files: p.Files, Claims: p.Claims, Claim: p.Claim, Assumed: p.Assumed, Moment: p.At,
		Next: v.Phase.String(), Iteration: v.Stats.Iterations, Levels: v.Levels, Strategy: v.Strategy,
		Proved: v.Proved, Product: v.Stats.ProductStates, Unspecified: p.Unspecified, Threads: p.Threads}
	if o := v.Outcome; o != nil {
		s.Verdict, s.Reason = o.Verdict.String(), o.Reason.String()
	}
	return s
}

// componentOf is a component with its sizes and candidates.
func componentOf(c cegar.ComponentView) Component {
	x := Component{Name: c.Name, File: fileOf(c), Locations: len(c.CFA.Locs), States: -1, Blocks: -1, Stale: c.Stale,
		Copies: c.Copies}
	if c.MP != nil {
		x.States = c.MP.LTS.NumStates()
	}
	if c.MA != nil {
		x.Blocks = c.MA.NumBlocks()
	}
	for i, k := range c.Candidates[:min(mostPredicates, len(c.Candidates))] {
		x.Predicates = append(x.Predicates, Predicate{Number: i, Text: k.Text, Conditions: k.Conditions,
			Chosen: slices.Contains(c.Chosen, i), Origin: k.Origin, Place: placeOf(k.Pos)})
	}
	return x
}

// fileOf is the file that a component begins in.
func fileOf(c cegar.ComponentView) string {
	for _, l := range c.CFA.Locs {
		if l.Pos.IsValid() {
			return l.Pos.File
		}
	}
	return ""
}

// placeOf is a place, nil if there is none.
func placeOf(p cfa.Pos) *Place {
	if !p.IsValid() {
		return nil
	}
	return &Place{p.File, p.Line}
}

// sources are the files of the session, and those that its components lie in.
func (s *Shared) sources(p repl.Present) []Source {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, c := range p.View.Components {
		for _, l := range c.CFA.Locs {
			add(l.Pos.File)
		}
	}
	for _, f := range p.Files {
		add(f)
	}
	var all []Source
	for _, name := range names {
		if f := s.source(name); len(f.Lines) > 0 {
			all = append(all, f)
		}
	}
	return all
}

// source is the text of a file that was read.
func (s *Shared) source(name string) Source {
	f := Source{Name: name}
	last := 0
	for n := 1; n-last <= mostBlank; n++ {
		if n > mostLines {
			f.Left = fmt.Sprintf("the first %d lines are shown", mostLines)
			break
		}
		text := s.outer.Engine.Line(name, n)
		if f.Lines = append(f.Lines, text); text != "" {
			last = n
		}
	}
	f.Lines = f.Lines[:last]
	return f
}

// marksOf says where the counterexample goes through a file, or the run that violates the claim;
// and which predicates there are.
func marksOf(name string, v *cegar.View, x *Counterexample, r *Run) Marks {
	f := Marks{Name: name}
	through := func(p *Place) {
		if p != nil && p.File == f.Name && !slices.Contains(f.Path, p.Line) {
			f.Path = append(f.Path, p.Line)
		}
	}
	for _, r := range x.Rows {
		for _, c := range r.Cells {
			through(c.Place)
		}
	}
	for _, s := range r.Steps {
		through(s.Place)
	}
	slices.Sort(f.Path)
	for _, c := range v.Components {
		f.markPredicates(c)
	}
	return f
}

// markPredicates says which predicates of a component there are at the lines of the file.
func (f *Marks) markPredicates(c cegar.ComponentView) {
	at := map[int]int{} // the place in Predicates of a line
	for l := range c.CFA.Locs {
		pos := c.CFA.Locs[l].Pos
		if pos.File != f.Name || pos.Line < 1 {
			continue
		}
		for _, e := range c.At(cfa.Loc(l)) {
			k, ok := at[pos.Line]
			if !ok {
				k = len(f.Predicates)
				at[pos.Line] = k
				f.Predicates = append(f.Predicates, LinePredicates{Line: pos.Line, Component: c.Name})
			}
			if text := e.String(); !slices.Contains(f.Predicates[k].Texts, text) {
				f.Predicates[k].Texts = append(f.Predicates[k].Texts, text)
			}
		}
	}
}

// threads is what the shell prints of a search: of threads, or of whole runs.
func (s *Shared) threads(p repl.Present) *Threads {
	show := func(line string) string {
		text, err := s.shell.Show(context.Background(), line)
		if err != nil {
			return err.Error()
		}
		if len(text) > mostThreadText {
			text = text[:mostThreadText] + "\n... the terminal has the rest\n"
		}
		return text
	}
	t := &Threads{Steps: p.Steps, WholeRuns: p.WholeRuns}
	if !p.WholeRuns {
		t.Threads, t.Events, t.Reasons = show("threads"), show("events"), show("reasons")
		t.Clauses = s.shell.Reasons(context.Background())
	}
	if p.View.Outcome != nil {
		t.Report = show("report")
	}
	return t
}

// crossed is a counterexample with what its parts do.
type crossed struct {
	v       *cegar.View
	src     draw.Source
	trace   []lts.Action // that the specification observes
	reached [][]string   // states of the specification along it
	places  []Place      // of the last of them
}

// newCrossed looks at the counterexample of a session.
func newCrossed(v *cegar.View, src draw.Source) *crossed {
	x := &crossed{v: v, src: src}
	if v.Spec == nil || v.StatesAlong == nil || v.Trace == nil {
		return x
	}
	x.trace = lts.Project(v.Trace, v.Spec.Alphabet())
	for _, states := range v.StatesAlong(x.trace) {
		names := []string{}
		x.places = nil
		for _, st := range states {
			names = append(names, st.Name)
			if p := placeOf(st.Pos); p != nil {
				x.places = append(x.places, *p)
			}
		}
		x.reached = append(x.reached, names)
	}
	return x
}

// specification is what is checked, with the states that are reached.
func (x *crossed) specification() *Specification {
	if x.v.Spec == nil {
		return &Specification{}
	}
	s := &Specification{States: x.v.Spec.NumStates(), Actions: x.v.Actions.Names(x.v.Spec.Alphabet()), Places: x.places}
	if n := len(x.reached); n > 0 {
		s.Reached = x.reached[n-1]
	}
	return s
}

// counterexample has a lane for each part.
func (x *crossed) counterexample() *Counterexample {
	v := x.v
	if v.Trace == nil {
		return &Counterexample{}
	}
	c := &Counterexample{Status: string(v.Status), Standing: standing(v)}
	var doing []*part
	for _, p := range v.Parts {
		doing = append(doing, newPart(v, p))
		c.Lanes = append(c.Lanes, Lane{p.Name, p.Component,
			v.Status == cegar.Refuted && p.Component == v.Refine && p.Shown})
	}
	observed := 0
	for i, a := range v.Trace {
		r := Row{Number: i + 1, Action: v.Actions.Name(a), Observed: v.Spec != nil && v.Spec.HasAction(a)}
		if r.Observed {
			if observed < len(x.reached) {
				r.Before = x.reached[observed]
			}
			r.Refused = observed+1 >= len(x.reached) && observed < len(x.reached)
			observed++
		}
		if i < len(v.By) {
			for _, k := range v.By[i] {
				cell := doing[k].next()
				cell.Lane = k
				if cell.Place != nil {
					cell.Text = phrase.Clip(draw.SourceLine(x.src, cfa.Pos{File: cell.Place.File, Line: cell.Place.Line}), 60)
				}
				r.Cells = append(r.Cells, cell)
			}
		}
		c.Rows = append(c.Rows, r)
	}
	if n := len(c.Rows) - mostRows; n > 0 {
		c.Rows = c.Rows[n:]
		c.Others = fmt.Sprintf("the first %s left out", phrase.Plural(n, "action"))
	}
	return c
}

// standing is what has become of the counterexample.
func standing(v *cegar.View) string {
	switch {
	case v.Status == cegar.Replayed:
		return "it is real: the interpreter has executed it"
	case v.Status == cegar.Refuted && v.Refine >= 0 && v.Refine < len(v.Components):
		return "spurious: " + v.Components[v.Refine].Name + " does not have it"
	case v.Status == cegar.Past:
		return "of abstractions that are no more"
	}
	return "no component was found not to have it so far"
}

// part is what one lane does, action by action.
type part struct {
	cells []Cell
	at    int
}

// newPart follows the path of a part, or any path with its actions.
func newPart(v *cegar.View, p cegar.PartView) *part {
	c := v.Components[p.Component]
	if c.MP == nil || !v.Status.Shown() {
		return &part{}
	}
	path := p.Path
	if path == nil && !c.Stale {
		path = draw.Path(c.MP.LTS, p.Trace)
	}
	x := &part{}
	s := c.MP.LTS.Init()
	for _, e := range path {
		if e.Action != lts.Tau {
			cell := Cell{State: int(s)}
			if l, ok := c.Graph.Loc(c.MP.Node(s)); ok {
				cell.Place = placeOf(c.CFA.Locs[l].Pos)
			}
			x.cells = append(x.cells, cell)
		}
		s = e.To
	}
	return x
}

// next is what the part does in its next action.
func (p *part) next() Cell {
	if p.at >= len(p.cells) {
		return Cell{State: -1}
	}
	p.at++
	return p.cells[p.at-1]
}
