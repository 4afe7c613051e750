package repl

// The moments of a session: the start, and one for each phase that was performed
// and each thing that was done by hand.
//
// Snapshots share structure, but the models of a long run are many. When those
// of the older moments become too many, only every other one keeps its snapshot;
// going back to one without restores an earlier one and performs the steps in
// between again, which gives the same events. What was done by hand keeps its
// snapshot.

import (
	"context"
	"fmt"
	"strings"

	"magus/app/report"
	"magus/engine/cegar"
	"magus/evidence/verdict"
)

// A moment is a session after a step, and how it came about.
type moment struct {
	id    int         // of the session, from 1; branches share their first moments
	by    string      // "step", the line of an act, or "" for the start
	event cegar.Event // nil for the start
	lines []string    // what happened and why
	snap  *cegar.Snapshot
	sizes []size // by component
	// seconds is how long the phase took.
	seconds float64
}

// A size is what diff compares of a component.
type size struct {
	predicates []string
	states     int // of MP
	blocks     int
}

// defaultWeight bounds the abstract states that the moments keep.
const defaultWeight = 4_000_000

// sizes are those of all components.
func sizes(v cegar.View) []size {
	var all []size
	for _, c := range v.Components {
		s := size{predicates: chosen(c)}
		if c.MP != nil {
			s.states = c.MP.LTS.NumStates()
		}
		if c.MA != nil {
			s.blocks = c.MA.NumBlocks()
		}
		all = append(all, s)
	}
	return all
}

// chosen are the texts of a component's predicates.
func chosen(c cegar.ComponentView) []string {
	var all []string
	for _, i := range c.Chosen {
		all = append(all, c.Candidates[i].Text)
	}
	return all
}

// conditionsOf are the conditions of a component's predicates.
func conditionsOf(c cegar.ComponentView) []string {
	var all []string
	for _, i := range c.Chosen {
		all = append(all, c.Candidates[i].Conditions...)
	}
	return all
}

// history keeps the moments of a session, to go back to.
type history struct {
	*console
	*loaded
	moments   []moment // since the session began; not empty if there is one
	at        int      // the current one
	maxWeight int      // of the moments
	met       int      // moments that there were, the ids of which are given
	branches  branches // what was done instead
}

// begin makes s the session, at its first moment.
func (sh *history) begin(s *cegar.Session) {
	sh.close()
	sh.session, sh.at, sh.met, sh.branches = s, 0, 1, branches{here: way{number: 1}, last: 1}
	sh.moments = []moment{{id: 1, snap: s.Snapshot(), sizes: sizes(s.View())}}
}

// record adds a moment behind the current one; those that followed it become a branch, unless the
// first of them was the same act, which leads to them again.
func (sh *history) record(by string, e cegar.Event, lines []string) {
	if next := sh.at + 1; next < len(sh.moments) && by != "step" && sh.moments[next].by == by {
		sh.moments[next].snap = sh.session.Snapshot()
		sh.at, sh.walk = next, nil
		return
	}
	sh.leave()
	sh.met++
	sh.moments = append(sh.moments[:sh.at+1:sh.at+1],
		moment{id: sh.met, by: by, event: e, lines: lines, snap: sh.session.Snapshot(), sizes: sizes(sh.session.View())})
	sh.at++
	sh.walk = nil
	sh.thin()
}

// thin gives up snapshots while there is too much in them.
func (sh *history) thin() {
	for {
		weight := 0
		var before *cegar.Snapshot
		var removable []int
		for i, m := range sh.moments {
			if m.snap == nil {
				continue
			}
			weight += m.snap.Weight(before)
			before = m.snap
			if i > 0 && i+1 < len(sh.moments) && i != sh.at && m.by == "step" {
				removable = append(removable, i)
			}
		}
		if weight <= sh.maxWeight || len(removable) < 2 {
			return
		}
		for k := 0; k < len(removable); k += 2 {
			sh.moments[removable[k]].snap = nil
		}
	}
}

// travel makes moment i the current one. If ctx ends, nothing changes.
func (sh *history) travel(ctx context.Context, i int) error {
	from := i
	for sh.moments[from].snap == nil {
		from--
	}
	sh.session.Restore(sh.moments[from].snap)
	for k := from + 1; k <= i; k++ {
		if _, err := sh.session.Try(ctx); err != nil {
			sh.session.Restore(sh.moments[sh.at].snap)
			return err
		}
	}
	sh.moments[i].snap = sh.session.Snapshot()
	sh.at, sh.walk = i, nil
	return nil
}

// stuck says what the session does again and again, if it does, in lines behind a
// message.
func (sh *history) stuck() string {
	x := sh.session.Divergence(verdict.Interrupted)
	if x == nil || x.Component == "" {
		return ""
	}
	var b strings.Builder
	report.WriteDivergence(&b, report.NewDivergence(x), sh.host.Text)
	return "\n" + strings.TrimRight(b.String(), "\n")
}

// advance performs the next phase, or goes to the moment after it if it was
// performed before.
func (sh *history) advance(ctx context.Context) (moment, error) {
	if sh.session == nil {
		return moment{}, errNothing
	}
	if next := sh.at + 1; next < len(sh.moments) && sh.moments[next].by == "step" {
		err := sh.travel(ctx, next)
		return sh.moments[next], err
	}
	before := sh.session.View()
	if before.Phase == cegar.Finished {
		return moment{},
			fmt.Errorf(
				"the session has ended (%v); back goes back, claim N begins another one, reload this one", before.Outcome.Verdict)
	}
	sh.say(before)
	spent := sh.spent
	e, err := sh.try(ctx)
	if err != nil {
		return moment{}, fmt.Errorf("%w during %v; the session is as it was before%s", err, before.Phase, sh.stuck())
	}
	sh.record("step", e, explain(sh.host, before, sh.session.View(), e))
	sh.moments[sh.at].seconds = sh.spent - spent
	return sh.moments[sh.at], nil
}

// try performs a phase, within what is left of the time for the claim; without any left the verdict is unknown.
func (sh *history) try(ctx context.Context) (cegar.Event, error) {
	begin := sh.host.Seconds()
	defer func() { sh.spent += sh.host.Seconds() - begin }()
	limited, cancel := sh.host.Within(ctx, sh.spent)
	defer cancel()
	e, err := sh.session.Try(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return sh.session.Step(limited), nil
	}
	return e, err
}
