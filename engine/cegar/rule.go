package cegar

// Whose share is next.
//
// Idea: a violation that lies deep may be found sooner by looking for it than by failing to prove its
// absence; and a proof by induction needs few facts about where loops close, where the loop would need a
// predicate for each value. So effort goes in rounds. The loop works until it has made twice the effort of
// the round before. Then the bounded search has a share, until it was granted an eighth of the loop's
// effort, and then the induction, until it was granted as much as the loop. Where the loop has no part, or
// is at its end, the next round has twice the effort.
//
// Which of them finds a violation, and so which one people see, must not depend on the machine. The first
// share of the bounded search comes late, so that it has no part in what the loop decides in few iterations.
// Where memory without variables is read, which is any value in abstractions, it is granted as much as the loop.
//
// Source: the combination is common among the verifiers that compete in SV-COMP; sharing by counted effort
// is ours. Cost: of the bounded search an eighth of the loop's, as far as effort can be compared
// (bench/README.md has what was measured), and the abstractions that are given up for a share.

import (
	"cmp"

	"magus/engine/portfolio"
)

const (
	firstEffort = 1 << 18 // of the loop, before the bounded search has its first share
	searchPart  = 8       // of the loop's effort, the part that the bounded search is granted
	memoryPart  = 1       // the same, where elements of arrays are followed: abstractions know little there
	proofPart   = 64      // the same, where nobody looks at violations: they only say that there is no proof
	cellsPart   = 4       // times the loop's effort, that of the session about elements: few programs have them
	runPart     = 4       // times the loop's effort, that of the only run: no other way is as cheap where there is one
	// of the summaries, where bodies stand once: the others take long there
	leastSummaries = 1 << 20
	lateSummaries  = 1 << 18 // of the loop, where recursion is inlined, before the summaries have a share
	lastEffort     = 1 << 26 // is made, in the loop's terms, where the loop itself is at its end
)

// rounds is the rule by which methods have shares. It is a value, which each step replaces.
type rounds struct {
	engine     methods
	firstShare portfolio.Effort // of the loop, before the others have a share
	ahead      portfolio.Effort // of the bounded search, before the loop has one
	part       portfolio.Effort // of the effort, that of the bounded search
	others     bool             // can be asked about the question
	cells      bool             // elements of arrays can be followed
	executes   bool             // the only run can be executed
	elements   bool             // only who follows them can still answer
	beside     bool             // summaries can
	late       portfolio.Effort // then; of the loop, before they have a share
	alone      bool             // and nobody else
	effort     portfolio.Effort // of the loop, or what it would have made
	granted    portfolio.Effort // of it, when others had their last share
	due        int              // the method whose share is next
}

// newRounds are those of a session that begins.
func newRounds(opt Options, others, cells, executes, beside, alone bool) rounds {
	r := rounds{engine: opt.Engine.methods(), others: others, cells: cells, executes: executes, beside: beside,
		alone: alone, firstShare: portfolio.Effort(cmp.Or(opt.FirstShare, firstEffort)), part: searchPart}
	switch {
	case opt.Written < 0:
		r.part = proofPart
	case cells:
		r.part = memoryPart
	}
	if beside || alone {
		r.due, r.effort = summariesMethod, firstEffort
	} else if r.due = r.engine.first(); r.due != loopMethod {
		r.effort = firstEffort
	} else if opt.SearchFirst > 0 && others && r.engine.search {
		r.ahead, r.due = portfolio.Effort(opt.SearchFirst), searchMethod
	}
	return r
}

// Next implements [portfolio.Rule].
func (r rounds) Next(rows []portfolio.Row) (method int, share portfolio.Effort, ok bool) {
	if r.due == nobody {
		return 0, 0, false
	}
	return r.due, r.share(rows), true
}

// share is that of the method which is due. The loop has no bound where nobody waits for it.
func (r rounds) share(rows []portfolio.Row) portfolio.Effort {
	if r.alone {
		return portfolio.Unlimited
	}
	share := r.effort - rows[r.due].Granted
	switch r.due {
	case loopMethod:
		if !r.waiting(rows) {
			return portfolio.Unlimited
		}
		share = max(r.firstShare, 2*r.granted) - r.effort
	case summariesMethod:
		share = max(r.effort, leastSummaries) - rows[summariesMethod].Granted
	case searchMethod:
		share = max(r.effort/r.part, r.ahead) - rows[searchMethod].Granted
	case executionMethod:
		share = runPart*r.effort - rows[executionMethod].Granted
	case cellsMethod:
		share = cellsPart*r.effort - rows[cellsMethod].Granted
	}
	return max(share, 1)
}

// waiting reports whether the others have shares beside the loop.
func (r rounds) waiting(rows []portfolio.Row) bool {
	return r.searches(rows) || r.follows(rows) || r.onlyRun(rows)
}

// searches reports whether the bounded search, or what goes on only as long as that does, has.
func (r rounds) searches(rows []portfolio.Row) bool {
	return r.others && !r.elements && rows[searchMethod].State == portfolio.Open
}

// inductive reports whether the induction has.
func (r rounds) inductive(rows []portfolio.Row) bool {
	return r.engine.induction && r.searches(rows) && rows[inductionMethod].State == portfolio.Open
}

// summarises reports whether summaries have shares.
func (r rounds) summarises(rows []portfolio.Row) bool {
	return r.beside && r.effort >= r.late && rows[summariesMethod].State == portfolio.Open
}

// after are the rounds after a step of a method. atBound says that the bounded search does not go on.
func (r rounds) after(method int, e methodEvent, rows []portfolio.Row, atBound bool) rounds {
	switch method {
	case loopMethod:
		r.effort += e.Spent()
		if _, goesOn := e.(paused); goesOn {
			return r
		}
	case searchMethod, cellsMethod, executionMethod:
		r.granted = r.effort
	}
	if r.due = r.next(method, rows); r.due != nobody {
		return r
	}
	if r.due = r.begins(rows, atBound); r.due != loopMethod && r.due != nobody {
		r.effort *= 2
	}
	return r
}

// follows reports whether the elements of arrays have, whatever the search has come to: a run that it found may rest on
// elements that are any value.
func (r rounds) follows(rows []portfolio.Row) bool {
	return r.cells && r.others && rows[cellsMethod].State == portfolio.Open
}

// onlyRun reports whether the only run has.
func (r rounds) onlyRun(rows []portfolio.Row) bool {
	return r.executes && r.others && rows[executionMethod].State == portfolio.Open
}

// next is the method whose share follows one of a method within a round; nobody at its end.
func (r rounds) next(method int, rows []portfolio.Row) int {
	switch {
	case method == loopMethod && r.onlyRun(rows):
		return executionMethod
	case (method == loopMethod || method == executionMethod) && r.searches(rows) && r.engine.search:
		return searchMethod
	case method != inductionMethod && method != cellsMethod && method != summariesMethod && r.inductive(rows):
		return inductionMethod
	case method != cellsMethod && method != summariesMethod && r.follows(rows):
		return cellsMethod
	case method != summariesMethod && r.summarises(rows):
		return summariesMethod
	}
	return nobody
}

// begins is the method that begins a round; nobody if none goes on.
func (r rounds) begins(rows []portfolio.Row, atBound bool) int {
	if r.alone {
		if rows[summariesMethod].State != portfolio.Open {
			return nobody
		}
		return summariesMethod
	}
	goesOn := rows[loopMethod].State == portfolio.Open
	last := !r.inductive(rows) && !r.follows(rows) && !r.onlyRun(rows) || r.effort >= lastEffort
	switch {
	case goesOn && (r.engine.loop || !r.waiting(rows)):
		return loopMethod
	case !r.waiting(rows), !goesOn && r.effort >= lastEffort, atBound && last:
		return nobody
	case r.onlyRun(rows):
		return executionMethod
	case r.searches(rows) && r.engine.search:
		return searchMethod
	case r.inductive(rows):
		return inductionMethod
	case r.follows(rows):
		return cellsMethod
	}
	return nobody
}

// current is the rule of a task as it is now.
type current struct{ *task }

// Next implements [portfolio.Rule].
func (c current) Next(rows []portfolio.Row) (method int, share portfolio.Effort, ok bool) {
	return c.rounds.Next(rows)
}
