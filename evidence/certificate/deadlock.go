package certificate

// Deadlocks.
//
// Idea: a claim that components do not wait for each other for ever is shown by their models, which have been checked:
// whoever checks the certificate looks at all tuples of their states, one after the other, with no reduction, and asks
// of each whether the copies can all stand still there. A copy at a state of its model may stand in each way that an
// action of the state says. Of a deadlock there are the runs: together they perform the trace, the last action of each
// says where it stands, and no action is offered by all that take part in it.
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
		if step.action == lts.Tau || step.guard != nil || p.comp.IsCut(step.action) {
			return
		}
		s.Offers = append(s.Offers, step.action)
	}
	slices.Sort(s.Offers)
	s.Offers = slices.Compact(s.Offers)
	p.standsAt(at, s)
}

func (p *program) standsAt(at Node, s lts.Standing) {
	a := p.comp.Actions.Intern(p.comp.StandingName(s))
	p.standing[a] = s
	p.add(at, step{to: at, action: a})
}

// checkFree checks that no tuple of the models' states is a deadlock.
func (c *Certificate) checkFree(ctx context.Context, sub *Subject, checkers []*Checker, models []*lts.LTS) error {
	t := &tuples{models: models, at: map[string]bool{}}
	for i, n := range sub.Copies {
		if n < 1 {
			return refuted(c.line, "any number of copies: tuples of states do not show that there is no deadlock")
		}
		t.progs = append(t.progs, checkers[i].prog)
		for range n {
			t.of = append(t.of, i)
		}
	}
	first := make([]lts.State, len(t.of))
	for k, i := range t.of {
		first[k] = models[i].Init()
	}
	t.meet(first)
	for n := 0; n < len(t.all); n++ {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if t.isDeadlock(t.all[n]) {
			return refuted(c.line, "a tuple of states of the models is a deadlock")
		}
		t.expand(t.all[n])
	}
	return nil
}

// tuples are those of states of copies of models that are met.
type tuples struct {
	models []*lts.LTS
	progs  []*program
	of     []int // by copy: its model
	all    [][]lts.State
	at     map[string]bool
}

func (t *tuples) meet(q []lts.State) {
	var key []byte
	for _, s := range q {
		key = binary.LittleEndian.AppendUint32(key, s)
	}
	if !t.at[string(key)] {
		t.at[string(key)] = true
		t.all = append(t.all, slices.Clone(q))
	}
}

// expand meets the tuples to which a step leads.
func (t *tuples) expand(q []lts.State) {
	next := slices.Clone(q)
	for k, i := range t.of {
		for _, e := range t.models[i].Out(q[k]) {
			_, says := t.progs[i].standing[e.Action]
			switch {
			case says:
			case e.Action == lts.Tau:
				next[k] = e.To
				t.meet(next)
				next[k] = q[k]
			case t.first(e.Action) == i: // its first component begins
				next[k] = e.To
				t.join(q, next, e.Action, i+1)
				next[k] = q[k]
			}
		}
	}
}

// first is the first component with an action in its alphabet.
func (t *tuples) first(a lts.Action) int {
	return slices.IndexFunc(t.models, func(m *lts.LTS) bool { return m.HasAction(a) })
}

// join has one copy of each component from a number on take part in an action.
func (t *tuples) join(q, next []lts.State, a lts.Action, from int) {
	if from == len(t.models) {
		t.meet(next)
		return
	}
	if !t.models[from].HasAction(a) {
		t.join(q, next, a, from+1)
		return
	}
	for k, i := range t.of {
		if i != from {
			continue
		}
		for _, e := range t.models[i].OutBy(q[k], a) {
			next[k] = e.To
			t.join(q, next, a, from+1)
		}
		next[k] = q[k]
	}
}

// isDeadlock reports whether all copies can stand still at a tuple such that nobody goes on, and one waits.
func (t *tuples) isDeadlock(q []lts.State) bool {
	var choose func(stands []lts.Standing) bool
	choose = func(stands []lts.Standing) bool {
		k := len(stands)
		if t.goesOn(stands) {
			return false
		}
		if k == len(q) {
			return slices.ContainsFunc(stands, func(s lts.Standing) bool { return !s.Ended })
		}
		for _, e := range t.models[t.of[k]].Out(q[k]) {
			if s, says := t.progs[t.of[k]].standing[e.Action]; says && choose(append(slices.Clip(stands), s)) {
				return true
			}
		}
		return false
	}
	return choose(nil)
}

// goesOn reports whether the first copies, which stand so, can perform an action whatever the others do.
func (t *tuples) goesOn(stands []lts.Standing) bool {
	return goesOn(stands, t.of, func(i int, a lts.Action) bool { return t.models[i].HasAction(a) }, len(t.models))
}

// goesOn reports whether some action is offered by a copy of each component that has it; of says of which component the
// copies are, has whether one has an action.
func goesOn(stands []lts.Standing, of []int, has func(int, lts.Action) bool, components int) bool {
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
			all := true
			for i := range components {
				all = all && (!has(i, a) || offers(i, a))
			}
			if all {
				return true
			}
		}
	}
	return false
}

// checkDeadlock checks that the runs, each a line of states, perform the trace together, and end in a deadlock.
func (c *Certificate) checkDeadlock(sub *Subject, copies []component.Copy, checkers []*Checker, lines []*lts.LTS) error {
	if sub.Single() {
		c = c.withParts(lines)
	}
	if err := c.together(sub, copies, lines); err != nil {
		return err
	}
	var stands []lts.Standing
	var of []int
	waits := false
	for k, line := range lines {
		prog := checkers[copies[k].Component].prog
		performed := visible(line)
		if len(performed) == 0 {
			return refuted(c.Runs[k].line, "the run does not say where the component stands still")
		}
		s, says := prog.standing[performed[len(performed)-1]]
		if !says {
			return refuted(c.Runs[k].line, "the run does not end where the component stands still")
		}
		stands, of, waits = append(stands, s), append(of, copies[k].Component), waits || !s.Ended
	}
	has := func(i int, a lts.Action) bool { return slices.Contains(checkers[i].prog.alphabet, a) }
	switch {
	case !waits:
		return refuted(c.traceLine, "all components have ended")
	case goesOn(stands, of, has, len(sub.Components)):
		return refuted(c.traceLine, "the components can go on")
	}
	return nil
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
