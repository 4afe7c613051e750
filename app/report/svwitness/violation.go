package svwitness

// The waypoints of a violation.
//
// Idea: the run is determined by the values that functions without a body return, and these are what
// a validator has to guess. So each of them is a waypoint, in the order of the run, with the
// decisions of its if, while and for between them, and the call of the error function at the end. A
// waypoint that cannot be placed is left out: the others still lead to the same place, for a segment
// says only that the run comes there some time. So are those of rounds of a loop that are one step of
// the run. Cost: linear in the run.

import (
	"slices"
	"strconv"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/source"
	"magus/smt/expr"
)

// Violation is the waypoints of a run of a sequential program to an error, and the function
// whose call is the error; "" where that has no place in the files.
func Violation(c *cfa.CFA, run *interp.Run, units []source.Source) (waypoints []Waypoint, called string) {
	p := newPlaces(units)
	for i, step := range run.Steps {
		if step.Action != "" {
			at, called := p.target(c, step)
			return append(waypoints, Waypoint{Kind: "target", Location: at}), called
		}
		if _, ok := step.Event.(interp.Repeated); ok {
			continue
		}
		if w, ok := p.returned(c, step); ok {
			waypoints = append(waypoints, w)
		}
		if w, ok := p.decided(c, run.Steps, i); ok {
			waypoints = append(waypoints, w)
		}
	}
	return nil, ""
}

// Endless is the waypoints of a run that goes round for ever, behind so many steps of the stem by so many steps; same
// says that each round is as the first. Else the loop's place is passed again and again, and more is not said. There
// are none where the loop has no place.
func Endless(c *cfa.CFA, run *interp.Run, stem, round int, same bool, units []source.Source) (waypoints []Waypoint) {
	p := newPlaces(units)
	last := min(stem+round, len(run.Steps))
	begins := -1
	for i := range last {
		if i == stem {
			begins = len(waypoints)
		}
		step := run.Steps[i]
		if _, ok := step.Event.(interp.Repeated); ok || i >= stem && !same {
			continue
		}
		if w, ok := p.returned(c, step); ok {
			waypoints = append(waypoints, w)
		}
		if w, ok := p.decided(c, run.Steps, i); ok {
			waypoints = append(waypoints, w)
		}
	}
	if begins < 0 {
		return nil
	}
	if begins == len(waypoints) {
		at, ok := p.somewhere(c, run.Steps[stem:last])
		if !ok {
			return nil
		}
		waypoints = append(waypoints, Waypoint{Kind: "assumption", Location: at, Value: "1"})
	}
	for i := begins; i < len(waypoints); i++ {
		waypoints[i].Cycles = true
	}
	return waypoints
}

// somewhere is where a statement begins of which a location is passed in some steps.
func (p *places) somewhere(c *cfa.CFA, steps []interp.RunStep) (Location, bool) {
	for _, step := range steps {
		if at, ok := p.statement(c, step.Loc); ok {
			return at, true
		}
	}
	return Location{}, false
}

// Lacks reports whether rounds of a loop are one step of a run, in which values are chosen: the
// waypoints have none for these.
func Lacks(c *cfa.CFA, run *interp.Run) bool {
	return slices.ContainsFunc(run.Steps, func(st interp.RunStep) bool {
		rounds, _ := st.Event.(interp.Repeated)
		return slices.ContainsFunc(rounds.Round, func(l cfa.Loc) bool {
			a, ok := c.Locs[l].Stmt.(cfa.Assign)
			return ok && a.RHS == nil
		})
	})
}

// place is where a step is, with its function.
func (p *places) place(c *cfa.CFA, frame int, pos cfa.Pos) (Location, bool) {
	at, ok := p.find(pos)
	at.Function = c.Frames[frame].Proc
	return at, ok
}

// statement is where the statement begins that a location belongs to, if it is one of the same
// procedure.
func (p *places) statement(c *cfa.CFA, loc cfa.Loc) (Location, bool) {
	s := &c.Sight
	point := s.Origin[loc]
	if point < 0 || s.Points[point].Statement < 0 {
		return Location{}, false
	}
	st := s.Statements[s.Points[point].Statement]
	at, ok := p.place(c, c.Locs[loc].Frame, st.Pos)
	return at, ok && st.Proc == at.Function
}

// returned is the value that a function without a body returned.
func (p *places) returned(c *cfa.CFA, step interp.RunStep) (Waypoint, bool) {
	stmt, ok := c.Locs[step.Loc].Stmt.(cfa.Assign)
	if !ok || stmt.RHS != nil || stmt.Approx != "" || len(step.Changed) != 1 || step.Chosen == "" {
		return Waypoint{}, false
	}
	at, ok := p.place(c, step.Frame, step.Pos)
	if !ok {
		return Waypoint{}, false
	}
	at, ok = p.closing(at, step.Chosen)
	b := step.Changed[0]
	return Waypoint{Kind: "function_return", Location: at, Value: `\result == ` + constant(b.Var.Type(), b.Value)}, ok
}

// decided is what step i makes of the condition of an if, while or for.
func (p *places) decided(c *cfa.CFA, steps []interp.RunStep, i int) (Waypoint, bool) {
	loc := c.Locs[steps[i].Loc]
	if _, ok := loc.Stmt.(cfa.Branch); !ok || i+1 >= len(steps) || loc.Succ[0] == loc.Succ[1] {
		return Waypoint{}, false
	}
	n := slices.Index(loc.Succ, steps[i+1].Loc)
	if n < 0 || loc.Decides[n] == cfa.Undecided {
		return Waypoint{}, false
	}
	at, ok := p.statement(c, steps[i].Loc)
	if !ok || !slices.Contains([]string{"if", "while", "for"}, p.word(at)) {
		return Waypoint{}, false
	}
	return Waypoint{Kind: "branching", Location: at, Value: strconv.FormatBool(loc.Decides[n] == cfa.HoldsThere)}, true
}

// target is where the statement begins that calls the error function, or the call itself where that is a
// part of something else; and the function.
func (p *places) target(c *cfa.CFA, step interp.RunStep) (at Location, called string) {
	call, ok := p.place(c, step.Frame, step.Pos)
	if !ok {
		return call, ""
	}
	called = p.word(call)
	at, whole := p.statement(c, step.Loc)
	if whole && !slices.Contains([]string{"if", "while", "for", "do", "switch", "return"}, p.word(at)) {
		return at, called
	}
	return call, called
}

// constant is a value of a type in C.
func constant(t expr.Type, v uint64) string {
	switch {
	case t.IsFloat():
		text, _ := t.Exactly(v)
		return "(" + text + ")"
	case t.Signed && t.Sext(v) == -1<<(t.Width-1) && t.Width >= 32:
		return "(" + constant(t, v+1) + " - 1)"
	case t.Signed && t.Sext(v) < 0:
		return "(" + strconv.FormatInt(t.Sext(v), 10) + suffix(t) + ")"
	case t.Signed:
		return strconv.FormatInt(t.Sext(v), 10) + suffix(t)
	}
	return strconv.FormatUint(v, 10) + suffix(t)
}

// suffix makes a constant one of a type that integers are promoted to.
func suffix(t expr.Type) string {
	s := ""
	if !t.Signed && t.Width >= 32 {
		s = "U"
	}
	if t.Width > 32 {
		s += "LL"
	}
	return s
}
