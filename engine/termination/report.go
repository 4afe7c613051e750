package termination

// A run that goes round for ever, for people: the stem, and the loop twice.

import (
	"context"

	"magus/cfa/interp"
	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/evidence/witness"
)

// violation is a run that goes round for ever.
func (q *question) violation(l *lasso) *witness.Violation {
	script := l.run.Script
	if l.set == nil {
		script.Steps = script.Steps[:l.stem+twiceAround*l.round]
	}
	run, err := interp.New(q.comp.CFA).Replay(context.Background(), script)
	if err != nil { // a part of a run that was replayed
		run = l.run
	}
	v := &witness.Violation{System: q.system, Copies: []component.Copy{{}},
		Run: &interp.ProgramRun{Runs: []*interp.Run{run}}}
	for i, st := range run.Steps {
		v.Run.Steps = append(v.Run.Steps, interp.ProgramStep{Action: st.Action, Components: []int{0}, Steps: []int{i}})
		if st.Action != "" {
			v.Run.Trace = append(v.Run.Trace, st.Action)
		}
	}
	v.Circles = []witness.Circle{{From: l.stem, Length: l.round}}
	return v
}

// Endless is a run that does not end, as far as views have it; nil if none was found.
func (s *Session) Endless() *cegar.View {
	if s.found == nil {
		return nil
	}
	v := s.asked.violation(s.found)
	return &cegar.View{Claim: s.claim.Name,
		Components: []cegar.ComponentView{{Name: s.asked.comp.Name, CFA: s.asked.comp.CFA}},
		Replayed:   v.Run, Outcome: s.outcome,
		Endless: &cegar.EndlessView{Stem: s.found.stem, Round: s.found.round, Same: s.found.set == nil}}
}

// report writes a run.
func (q *question) report(l *lasso) *verdict.Run {
	v := q.violation(l)
	r := v.Report()
	r.Trace, r.Spec, r.Allowed = nil, nil, nil
	r.Round = &verdict.Round{First: l.stem, Times: 2, Pos: q.comp.CFA.Locs[v.Run.Runs[0].Steps[l.stem].Loc].Pos}
	for _, st := range r.Steps[l.stem:min(l.stem+l.round, len(r.Steps))] {
		if st.Action != "" {
			r.Round.Actions = append(r.Round.Actions, st.Action)
		}
	}
	if l.set != nil && len(l.set) == 0 {
		r.Round.Set = []string{"any values"}
	}
	for _, c := range l.set {
		r.Round.Set = append(r.Round.Set, c.String())
	}
	return r
}
