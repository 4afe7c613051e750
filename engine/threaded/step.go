package threaded

import (
	"magus/cfa"
	"magus/engine/cegar"
	"magus/engine/threads"
	"magus/evidence/verdict"
	"magus/internal/phrase"
	"magus/smt/expr"
)

// Searched is what a step of the search has done. It is a [cegar.Event].
type Searched struct {
	threads.Event
	Anew string // why more is modelled from here on; "" if the search goes on
}

// Phase implements [cegar.Event].
func (Searched) Phase() cegar.Phase { return cegar.Unroll }

func (t Searched) String() string {
	text := t.Event.String()
	if t.Anew != "" {
		text += "; " + t.Anew
	}
	return text
}

// Progress is how far the search is, instead of iterations and states.
func (t Searched) Progress() string {
	return "loops unrolled " + phrase.Plural(t.Bound, "time") + ", " + phrase.Plural(t.Stats.Events, "event") +
		", " + t.Effort()
}

// Figures are how large the question was, and what it took, up to this step.
func (t Searched) Figures() []verdict.Figure {
	s := t.Stats
	return []verdict.Figure{
		{Name: "threads", Value: s.Threads}, {Name: "events", Value: s.Events}, {Name: "orders between events",
			Value: s.Links},
		{Name: "clauses", Value: s.Clauses}, {Name: "rounds", Value: s.Rounds}, {Name: "clauses of the order",
			Value: s.Reasons}, {Name: "conflicts", Value: int(s.Conflicts)},
	}
}

// Figures are how large the question of the last bound was, and what it took.
func (s *Session) Figures() []verdict.Figure {
	return Searched{Event: threads.Event{Stats: s.Stats()}}.Figures()
}

// View is the session as it is now: its automaton. It has neither of the two levels.
func (s *Session) View() cegar.View {
	v := cegar.View{Claim: s.claim.Name, Phase: s.Next(), Refine: -1, Outcome: s.outcome,
		Methods: s.rows()}
	if s.auto != nil {
		at := func(cfa.Loc) []*expr.Expr { return nil }
		v.Components = []cegar.ComponentView{{Name: s.claim.Procedures[0], CFA: s.auto, At: at}}
	}
	return v
}
