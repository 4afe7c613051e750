package certificate

// A run that violates what is asked of whole runs.
//
// Idea: there are runs as of each violation, and where the round of each begins. A run without a round ends where no
// component can go on. A round leads each component back to where it was, with the values on which its steps rest
// (lasso.go), so it can be made for ever. What holds at the positions of that run is then known, and the negation of
// the formula is evaluated there, from the last position backwards, until nothing changes. That the run is fair is
// looked at for components that do not move in the round. Those that do are seen where they stand before their next
// action, as if their silent steps took no time.
//
// SOUND: whom fairness is about counts as able to go on where a step with a guard might be made.
//
// Left out: fair choice, which no single run shows (liveness_trap.go).
//
// Source: docs/semantics.md, "What happens at last"; written from there and not from package engine/liveness. Cost:
// the run times the formula, and the round times the components that do not move.

import (
	"cmp"
	"context"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/lts"
	"magus/smt/expr"
)

// A wholeRun is a run that goes on for ever, or ends.
type wholeRun struct {
	c        *Certificate
	sub      *Subject
	copies   []component.Copy
	checkers []*Checker
	owing    *owing // what is asked
	stem     int    // actions of the trace before the round
	rounds   []int  // by run: moves before the round
}

// checkRunAtLast checks that the runs violate a claim about whole runs.
func (c *Certificate) checkRunAtLast(ctx context.Context, sub *Subject, checkers []*Checker) error {
	if sub.Claim == nil || sub.Claim.Live == nil || c.Branches != nil || len(c.Runs) == 0 {
		return refuted(c.line, "nothing shows what does not happen at last")
	}
	copies, err := c.copies(sub)
	if err != nil {
		return err
	}
	f, err := newOwing(ctx, sub)
	if err != nil {
		return refuted(c.line, "%v", err)
	}
	w := &wholeRun{c: c, sub: sub, copies: copies, checkers: checkers, owing: f, stem: len(c.Trace)}
	for k := range c.Runs {
		w.rounds = append(w.rounds, len(c.Runs[k].Moves))
	}
	if c.Round != nil {
		if len(c.Round.Moves) != len(c.Runs) || c.Round.Actions < 0 || c.Round.Actions > len(c.Trace) {
			return refuted(c.Round.line, "it is not said of each run where its round begins")
		}
		w.stem, w.rounds = c.Round.Actions, c.Round.Moves
		if err := c.checkSets(sub); err != nil {
			return err
		}
	}
	if err := w.execute(ctx); err != nil {
		return err
	}
	for _, name := range c.Trace {
		if a, known := sub.Spec.Actions().Lookup(name); known && sub.IsCut(a) {
			return refuted(c.traceLine, "the run comes to where recursion is not followed")
		}
	}
	if sub.Claim.Live.Fairness == component.ChoiceFairness {
		return w.checkTrap(ctx)
	}
	if c.Round == nil {
		err = w.ends()
	} else {
		err = w.isFair()
	}
	if err != nil {
		return err
	}
	return w.violates(ctx)
}

// execute makes the moves of all runs, which go round if they are to, and perform the trace together.
func (w *wholeRun) execute(ctx context.Context) error {
	var lines []*lts.LTS
	goes := false
	for k := range w.c.Runs {
		run := &w.c.Runs[k]
		if len(run.Moves) == 0 {
			return refuted(run.line, "the run does not begin")
		}
		var set *RecurrenceSet
		if w.c.Round != nil {
			set = w.c.Round.set(run)
		}
		line, err := run.goesRound(ctx, w.checkers[w.copies[k].Component], w.rounds[k], set,
			w.owing.watched(w.copies[k].Component))
		if err != nil {
			return err
		}
		lines, goes = append(lines, line), goes || w.rounds[k] < len(run.Moves)
	}
	if w.c.Round != nil && !goes {
		return refuted(w.c.Round.line, "nothing goes round")
	}
	own := w.c
	if w.sub.Single() {
		own = w.c.withParts(lines)
	}
	if err := own.together(w.sub, w.copies, lines); err != nil || w.c.Round == nil {
		return err
	}
	return w.c.beginTogether(own.By[:w.stem])
}

// ends checks that no component can go on behind the runs, and that no assumption has failed.
func (w *wholeRun) ends() error {
	at := make([][]Node, len(w.c.Runs))
	for k := range w.c.Runs {
		at[k] = []Node{w.last(k)}
		prog := w.prog(k)
		if h, halts := prog.halt(at[k][0]); halts && !h.Ends && !h.Waits {
			return refuted(w.c.Runs[k].line, "an assumption ends the run")
		} else if len(prog.steps[at[k][0]]) == 0 && at[k][0].Kind == Location && !halts {
			return refuted(w.c.Runs[k].line, "what comes where the run ends is not modelled")
		}
	}
	for k := range w.c.Runs {
		if w.can(k, at) {
			return refuted(w.c.Runs[k].line, "the run ends, and can go on")
		}
	}
	return nil
}

// isFair checks that the components that do not move in the round need not.
func (w *wholeRun) isFair() error {
	fairness := w.sub.Claim.Live.Fairness
	switch fairness {
	case component.NoFairness:
		return nil
	case component.WeakFairness, component.StrongFairness:
	default:
		return refuted(w.c.line, "no single run shows what does not happen with %s", fairness.Said())
	}
	if j := w.joint(); j != nil {
		return w.isFairTogether(j, fairness)
	}
	moments := w.moments()
	for k := range w.c.Runs {
		if w.rounds[k] < len(w.c.Runs[k].Moves) {
			continue
		}
		able := 0
		for _, at := range moments {
			if w.can(k, at) {
				able++
			}
		}
		if able > 0 && fairness == component.StrongFairness || able == len(moments) {
			return refuted(w.c.Runs[k].line, "the round is not fair to a component that can go on")
		}
	}
	return nil
}

// joint is what the one component is made of, if it stands for several; else nil.
func (w *wholeRun) joint() *cfa.Joint { return w.sub.Components[0].CFA.Joint }

// isFairTogether is isFair of what one component is made of.
func (w *wholeRun) isFairTogether(j *cfa.Joint, fairness component.Fairness) error {
	if len(w.c.Runs) != 1 || j.Ready == nil {
		return refuted(w.c.line, "who can go on is not known")
	}
	run := &w.c.Runs[0]
	moved, always, ever := uint64(0), ^uint64(0), uint64(0)
	for i := w.rounds[0]; i < len(run.Moves); i++ {
		from := run.Moves[i-1].To // a round has moves before it
		if from.Kind != Location || from.Loc < 0 || from.Loc >= len(j.Ready) {
			return refuted(run.Moves[i].line, "who can go on is not known")
		}
		ready := j.Ready[from.Loc]
		moved, always, ever = moved|j.Movers(cfa.Loc(from.Loc)), always&ready, ever|ready
	}
	owed := always
	if fairness == component.StrongFairness {
		owed = ever
	}
	if owed&^moved != 0 {
		return refuted(run.line, "the round is not fair to who can go on")
	}
	return nil
}

func (w *wholeRun) prog(k int) *program { return w.checkers[w.copies[k].Component].prog }

func (w *wholeRun) last(k int) Node { return w.c.Runs[k].Moves[len(w.c.Runs[k].Moves)-1].To }

// moments are where the runs are between two actions of the round: each where it performs its next action, all where
// it comes to if it performs none, and where it is if it does not move.
func (w *wholeRun) moments() (all [][][]Node) {
	performed := make([]int, len(w.c.Runs))
	next := make([][]Node, len(w.c.Runs)) // by run: where its actions of the round are performed
	own := w.c
	var by [][]int
	for k := range w.c.Runs {
		run := &w.c.Runs[k]
		for i := w.rounds[k]; i < len(run.Moves); i++ {
			if run.Moves[i].Action != "" {
				next[k] = append(next[k], run.Moves[i-1].To)
			}
		}
	}
	for t := w.stem; t < len(own.Trace); t++ {
		by = append(by, w.takers(t))
	}
	for t := range max(1, len(by)) {
		at := make([][]Node, len(w.c.Runs))
		for k := range w.c.Runs {
			run := &w.c.Runs[k]
			switch {
			case w.rounds[k] == len(run.Moves):
				at[k] = []Node{w.last(k)}
			case len(next[k]) > 0:
				at[k] = []Node{next[k][performed[k]%len(next[k])]}
			default:
				for i := w.rounds[k]; i < len(run.Moves); i++ {
					at[k] = append(at[k], run.Moves[i].To)
				}
			}
		}
		all = append(all, at)
		if t < len(by) {
			for _, k := range by[t] {
				performed[k]++
			}
		}
	}
	return all
}

// takers are the runs that take part in an action of the trace.
func (w *wholeRun) takers(t int) (all []int) {
	if !w.sub.Single() {
		return w.c.By[t]
	}
	a, _ := w.sub.Spec.Actions().Lookup(w.c.Trace[t])
	for k := range w.c.Runs {
		if slices.Contains(w.prog(k).alphabet, a) {
			all = append(all, k)
		}
	}
	return all
}

// can reports whether a run may go on from where it is: by a silent step, or by an action that all may perform who take
// part, one of the copies of each component.
func (w *wholeRun) can(k int, at [][]Node) bool {
	for _, n := range at[k] {
		for i := range w.prog(k).steps[n] {
			s := &w.prog(k).steps[n][i]
			if slices.ContainsFunc(s.guard, (*expr.Expr).IsFalse) {
				continue
			}
			if s.action == lts.Tau || w.offeredByOthers(k, s.action, at) {
				return true
			}
		}
	}
	return false
}

// offeredByOthers reports whether of each other component that takes part in an action a copy may perform it.
func (w *wholeRun) offeredByOthers(k int, a lts.Action, at [][]Node) bool {
	for c := range w.sub.Components {
		if c == w.copies[k].Component || !slices.Contains(w.checkers[c].prog.alphabet, a) {
			continue
		}
		offers := false
		for other, copied := range w.copies {
			offers = offers || copied.Component == c && slices.ContainsFunc(at[other], func(n Node) bool {
				return slices.ContainsFunc(w.checkers[c].prog.steps[n], func(s step) bool { return s.action == a })
			})
		}
		if !offers {
			return false
		}
	}
	return true
}

// violates checks that the formula does not hold of the run.
func (w *wholeRun) violates(ctx context.Context) error {
	f := w.owing
	if f.formula == nil { // no livelock
		if w.c.Round == nil || slices.ContainsFunc(w.c.Trace[w.stem:], func(a string) bool {
			return !w.sub.Claim.Live.Hides(a)
		}) {
			return refuted(w.c.line, "the run does not go on for ever without an action")
		}
		return nil
	}
	if f.hasConds {
		word, loop, err := w.wordOf(ctx, f)
		if err == nil && f.formula.holdsOf(word, loop, map[*temporal][]bool{})[0] {
			return nil
		}
		return cmp.Or(err, refuted(w.c.traceLine, "the run has what is asked"))
	}
	fluents := f.initially
	var word []uint64
	perform := func(names []string) {
		for _, a := range names {
			fluents = f.fluents(fluents, a)
			word = append(word, f.acts[a]|fluents)
		}
	}
	perform(w.c.Trace)
	loop := len(word)
	if perform(w.c.Trace[w.stem:]); loop == len(word) { // nothing is performed any more
		word = append(word, fluents)
	}
	if !f.formula.holdsOf(word, loop, map[*temporal][]bool{})[0] {
		return refuted(w.c.traceLine, "the run has what is asked")
	}
	return nil
}

// holdsOf says at which positions of a run a formula holds; behind the last one comes the one called loop.
func (t *temporal) holdsOf(word []uint64, loop int, known map[*temporal][]bool) []bool {
	if v, ok := known[t]; ok {
		return v
	}
	var a, b []bool
	if t.a != nil {
		a = t.a.holdsOf(word, loop, known)
	}
	if t.b != nil {
		b = t.b.holdsOf(word, loop, known)
	}
	v := make([]bool, len(word))
	known[t] = v
	behind := func(i int) int {
		if i == len(word)-1 {
			return loop
		}
		return i + 1
	}
	for i := range v {
		v[i] = t.op == release // the greatest solution; of until it is the least
	}
	for changed := true; changed; {
		changed = false
		for i := range slices.Backward(v) {
			now := t.at(i, behind(i), word, a, b, v)
			changed, v[i] = changed || now != v[i], now
		}
	}
	return v
}

// at is whether a formula holds at a position, by what is known of its parts and of itself.
func (t *temporal) at(i, behind int, word []uint64, a, b, self []bool) bool {
	switch t.op {
	case always:
		return true
	case holds, lacks:
		return (word[i]>>t.prop&1 == 1) == (t.op == holds)
	case both:
		return a[i] && b[i]
	case either:
		return a[i] || b[i]
	case next:
		return a[behind]
	case until:
		return b[i] || a[i] && self[behind]
	case release:
		return b[i] && (a[i] || self[behind])
	}
	return false
}
