package threaded

import (
	"magus/cfa"
	"magus/cfa/interp"
	"magus/engine/portfolio"
	"magus/engine/threads"
	"magus/evidence/verdict"
)

// Method is what a session knows of a way to an answer. The search and the one that slices count how often they
// look at their contexts, runs their statements, and sequentialisations the phases of their provers.
type Method = portfolio.Method[*Finding]

// What methods do with a share.
type (
	event  = portfolio.Event[*Finding]
	worked = portfolio.Worked[*Finding]
	paused = portfolio.Paused[*Finding]
	gaveUp = portfolio.GaveUp[*Finding]
	ended  = portfolio.Ended[*Finding]
)

// A Finding is what a method ends with: a violation, or a proof.
type Finding struct {
	Verdict   verdict.Verdict
	violation *violation
	search    *threads.Search // whose proof it is
	by        *pair           // or whose
	// confirmation of a proof by a pair
	confirmation verdict.Confirmation
}

// String is the verdict.
func (f *Finding) String() string { return f.Verdict.String() }

// noAnswer is why a method gives up for no fault of anybody: the others go on.
type noAnswer struct{ error }

func (n *noAnswer) Unwrap() error { return n.error }

// A violation is a run that was replayed, of an automaton.
type violation struct {
	replayed
	auto   *cfa.CFA
	limit  int // of threads of one call
	report *verdict.Run
}

// A replayed run is what the interpreter has made of a schedule.
type replayed struct {
	script interp.ThreadScript
	run    *interp.ThreadRun
	last   int               // how many of its steps lead to the violation
	plan   *threads.Schedule // that it follows; of errors there may be none
}
