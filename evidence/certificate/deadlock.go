package certificate

// Deadlocks.
//
// Idea: a claim that components do not wait for each other for ever is shown by their models, which have been checked:
// whoever checks the certificate looks at the tuples of their states without steps (deadlock_order.go), or
// of any number of copies counts these (deadlock_any.go). Where it is asked
// what is refused, it looks at all tuples, one after the other, and asks of each whether the copies can all stand still
// there. A copy at a state of its model may stand in each way that an action of the state says. Of a deadlock there are
// the runs: together they perform the trace, the last action of each says where it stands, and no action is offered by
// all that take part in it.
//
// That a control point is one where a component stands is said here anew: nothing but visible actions leads from it, or
// it is the component's end.
//
// Source: docs/semantics.md, "Deadlock". Cost: as many tuples as there are, times the ways in which their copies stand.

import (
	"context"
	"encoding/binary"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/lts"
	"magus/smt/expr"
)

// stand adds the steps that say where the component stands still.
func (p *program) stand() {
	p.standing = map[lts.Action]lts.Standing{}
	ended := lts.Standing{Ended: true}
	p.standsAt(Node{Kind: End}, ended)
	for l := range p.comp.CFA.Locs {
		at := Node{Kind: Location, Loc: l}
		switch s := p.comp.CFA.Locs[l].Stmt.(type) {
		case cfa.Halt:
			if s.Ends || s.Waits {
				p.standsAt(at, lts.Standing{Ended: s.Ends})
			}
		case cfa.Act:
			p.waitsAt(at)
		case cfa.Return:
			for _, st := range slices.Clone(p.steps[at]) { // silent where returns are not observed
				if st.action != lts.Tau && !slices.ContainsFunc(st.guard, (*expr.Expr).IsFalse) {
					p.standsIf(at, st.guard, lts.Standing{Offers: []lts.Action{st.action}})
				}
			}
		case cfa.Call:
			for i, ch := range p.comp.Calls[cfa.Loc(l)].Choices {
				for st := range ch.LTS.NumStates() {
					if inside := (Node{Inside, l, i, st}); len(p.steps[inside]) == 0 {
						p.standsAt(inside, ended)
					} else {
						p.waitsAt(inside)
					}
				}
			}
		}
	}
}

// waitsAt adds the step at a control point from which visible actions lead, and nothing else.
func (p *program) waitsAt(at Node) {
	var s lts.Standing
	for _, step := range p.steps[at] {
		if slices.ContainsFunc(step.guard, (*expr.Expr).IsFalse) { // it is never made
			continue
		}
		if step.action == lts.Tau || step.guard != nil || p.comp.IsCut(step.action) {
			return
		}
		s.Offers = append(s.Offers, step.action)
	}
	slices.Sort(s.Offers)
	s.Offers = slices.Compact(s.Offers)
	p.standsAt(at, s)
}

func (p *program) standsAt(at Node, s lts.Standing) { p.standsIf(at, nil, s) }

func (p *program) standsIf(at Node, guard []*expr.Expr, s lts.Standing) {
	a := p.comp.Actions.Intern(p.comp.StandingName(s))
	p.standing[a] = s
	p.add(at, step{to: at, action: a, guard: guard})
}

// checkFree checks that no tuple of the models' states is a deadlock, or refuses what must be offered.
func (c *Certificate) checkFree(ctx context.Context, sub *Subject, checkers []*Checker, models []*lts.LTS) error {
	for _, n := range sub.Copies {
		if n > 0 {
			continue
		}
		if sub.asksDivergence() {
			if err := c.checkAlone(ctx, sub, checkers, models); err != nil {
				return err
			}
		}
		return c.checkAny(ctx, sub, checkers, models)
	}
	if sub.Question == component.NoDeadlock {
		return c.checkOrder(ctx, sub, checkers, models)
	}
	return c.checkTuples(ctx, sub, checkers, models)
}

// checkTuples looks at all tuples, with no reduction.
func (c *Certificate) checkTuples(ctx context.Context, sub *Subject, checkers []*Checker, models []*lts.LTS) error {
	t := &tuples{models: models, sub: sub, spec: sub.Spec, deadlock: sub.Question == component.NoDeadlock,
		met: map[string]bool{}}
	var first []lts.State
	for i, n := range sub.Copies {
		t.progs = append(t.progs, checkers[i].prog)
		for range n {
			t.of, first = append(t.of, i), append(first, models[i].Init())
		}
	}
	t.meet(first, closed(t.spec, []lts.State{t.spec.Init()}))
	for n := 0; n < len(t.all); n++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if q := t.all[n]; t.isWrong(q, nil) {
			what := "refuses what must be offered"
			if t.deadlock {
				what = "is a deadlock"
			}
			return refuted(c.line, "a tuple of states of the models %s", what)
		}
		t.expand(t.all[n])
	}
	if sub.asksDivergence() {
		return c.checkEndless(ctx, t, checkers)
	}
	return nil
}

// tuples are those of states of copies of models that are met, each with the states that the specification can be in.
type tuples struct {
	models   []*lts.LTS
	progs    []*program
	sub      *Subject
	spec     *lts.LTS
	deadlock bool  // is looked for; else a refusal
	of       []int // by copy: its model
	all      []tuple
	met      map[string]bool
	// leads, if it is not nil, is told in place of meeting tuples where steps lead that the specification does not
	// observe, which alone are taken then
	leads func(to tuple, made []modelMove)
	made  []modelMove // the moves of the step that is followed
}

type tuple struct{ at, known []lts.State }

// A modelMove is the part that a copy takes in a step of the models.
type modelMove struct {
	copy     int
	from, to lts.State
	action   lts.Action
}

// meet notes a tuple. Where the specification does not have the trace, others say so.
func (t *tuples) meet(at, known []lts.State) {
	slices.Sort(known)
	q := tuple{slices.Clone(at), slices.Clone(known)}
	if key := tupleKey(q); len(known) > 0 && !t.met[key] {
		t.met[key] = true
		t.all = append(t.all, q)
	}
}

func tupleKey(q tuple) string {
	var key []byte
	for _, s := range slices.Concat(q.at, q.known) {
		key = binary.LittleEndian.AppendUint32(key, s)
	}
	return string(key)
}

// expand meets the tuples to which a step leads.
func (t *tuples) expand(q tuple) {
	next := slices.Clone(q.at)
	for k, i := range t.of {
		for _, e := range t.models[i].Out(q.at[k]) {
			_, says := t.progs[i].standing[e.Action]
			switch {
			case says, t.leads != nil && t.spec.HasAction(e.Action):
			case e.Action == lts.Tau:
				t.move(modelMove{k, q.at[k], e.To, e.Action}, next, func() { t.arrive(next, q.known) })
			case t.first(e.Action) == i: // its first component begins
				known := q.known
				if t.spec.HasAction(e.Action) {
					known = after(t.spec, known, e.Action)
				}
				t.move(modelMove{k, q.at[k], e.To, e.Action}, next, func() { t.join(q.at, next, known, e.Action, i+1) })
			}
		}
	}
}

// move has a copy make a move while something is done.
func (t *tuples) move(m modelMove, next []lts.State, do func()) {
	next[m.copy], t.made = m.to, append(t.made, m)
	do()
	next[m.copy], t.made = m.from, t.made[:len(t.made)-1]
}

// arrive meets a tuple, or tells where a step leads.
func (t *tuples) arrive(at, known []lts.State) {
	if t.leads == nil {
		t.meet(at, known)
		return
	}
	slices.Sort(known)
	t.leads(tuple{at, known}, slices.Clone(t.made))
}

// first is the first component with an action in its alphabet.
func (t *tuples) first(a lts.Action) int {
	return slices.IndexFunc(t.models, func(m *lts.LTS) bool { return m.HasAction(a) })
}

// join has one copy of each component from a number on take part in an action.
func (t *tuples) join(q, next, known []lts.State, a lts.Action, from int) {
	if from == len(t.models) {
		t.arrive(next, known)
		return
	}
	if !t.models[from].HasAction(a) {
		t.join(q, next, known, a, from+1)
		return
	}
	for k, i := range t.of {
		if i != from {
			continue
		}
		for _, e := range t.models[i].OutBy(q[k], a) {
			t.move(modelMove{k, q[k], e.To, a}, next, func() { t.join(q, next, known, a, from+1) })
		}
	}
}

// isWrong reports whether all copies can stand still at a tuple, the first ones in some ways, such that it is what is
// looked for.
func (t *tuples) isWrong(q tuple, stands []lts.Standing) bool {
	has := func(i int, a lts.Action) bool { return t.models[i].HasAction(a) }
	offered := enabled(stands, t.of, has, len(t.models))
	if slices.ContainsFunc(offered, func(a lts.Action) bool { return t.deadlock || !t.spec.HasAction(a) }) { // they go on
		return false
	}
	k := len(stands)
	if k == len(q.at) {
		return isStuck(t.sub, q.known, stands, offered)
	}
	for _, e := range t.models[t.of[k]].Out(q.at[k]) {
		if s, says := t.progs[t.of[k]].standing[e.Action]; says && t.isWrong(q, append(slices.Clip(stands), s)) {
			return true
		}
	}
	return false
}

// isStuck reports whether copies that stand so are a deadlock, if that is looked for and nothing is offered; else
// whether what is offered contains nothing that a stable state of the specification must be offered.
func isStuck(sub *Subject, known []lts.State, stands []lts.Standing, offered []lts.Action) bool {
	isOffered := func(a lts.Action) bool {
		return slices.ContainsFunc(offered, func(b lts.Action) bool { return sub.Alike(a) == sub.Alike(b) })
	}
	if sub.Question == component.NoDeadlock {
		return slices.ContainsFunc(stands, func(s lts.Standing) bool { return !s.Ended })
	}
	return !slices.ContainsFunc(known, func(s lts.State) bool {
		return !slices.ContainsFunc(sub.Spec.Out(s), func(e lts.Edge) bool {
			return e.Action == lts.Tau || !isOffered(e.Action)
		})
	})
}

// enabled are the actions that are offered by a copy of each component that has them; of says of which component the
// copies are, has whether one has an action.
func enabled(stands []lts.Standing, of []int, has func(int, lts.Action) bool, components int) (all []lts.Action) {
	offers := func(i int, a lts.Action) bool {
		for k, s := range stands {
			if of[k] == i && slices.Contains(s.Offers, a) {
				return true
			}
		}
		return false
	}
	for _, s := range stands {
		for _, a := range s.Offers {
			by := true
			for i := range components {
				by = by && (!has(i, a) || offers(i, a))
			}
			if by {
				all = append(all, a)
			}
		}
	}
	return all
}

// checkStanding checks that the runs, each a line of states, perform the trace together, and end in a deadlock, or
// where something is refused.
func (c *Certificate) checkStanding(sub *Subject, copies []component.Copy, checkers []*Checker,
	lines []*lts.LTS) error {
	if sub.Single() {
		c = c.withParts(lines)
	}
	if err := c.together(sub, copies, lines); err != nil {
		return err
	}
	var stands []lts.Standing
	var of []int
	for k, line := range lines {
		s, says := c.says(checkers[copies[k].Component], line)
		if !says {
			return refuted(c.Runs[k].line, "the run does not end where the component stands still")
		}
		stands, of = append(stands, s), append(of, copies[k].Component)
	}
	has := func(i int, a lts.Action) bool { return slices.Contains(checkers[i].prog.alphabet, a) }
	deadlock := sub.Question == component.NoDeadlock
	offered := enabled(stands, of, has, len(sub.Components))
	if slices.ContainsFunc(offered, func(a lts.Action) bool { return deadlock || !sub.Spec.HasAction(a) }) {
		return refuted(c.traceLine, "the components can go on")
	}
	known := closed(sub.Spec, []lts.State{sub.Spec.Init()})
	for _, name := range c.Trace {
		if a, _ := sub.Spec.Actions().Lookup(name); sub.Spec.HasAction(a) {
			known = after(sub.Spec, known, a)
		}
	}
	switch {
	case !deadlock && len(known) == 0:
		return refuted(c.traceLine, "the specification does not have the trace")
	case !isStuck(sub, known, stands, offered):
		return refuted(c.traceLine, "all components have ended, or nothing is refused")
	}
	return nil
}

// says is what the last action of a line of states says of where the component stands still.
func (c *Certificate) says(k *Checker, line *lts.LTS) (s lts.Standing, ok bool) {
	performed := visible(line)
	if len(performed) == 0 {
		return s, false
	}
	s, ok = k.prog.standing[performed[len(performed)-1]]
	return s, ok
}

// withParts is the certificate with who performs the actions of the trace, where each component runs once.
func (c *Certificate) withParts(lines []*lts.LTS) *Certificate {
	out := *c
	out.By = make([][]int, len(c.Trace))
	for k, name := range c.Trace {
		for p, line := range lines {
			if a, ok := line.Actions().Lookup(name); ok && line.HasAction(a) {
				out.By[k] = append(out.By[k], p)
			}
		}
	}
	return &out
}
