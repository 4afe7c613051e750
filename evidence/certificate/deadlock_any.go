package certificate

// Deadlocks of any number of copies, and what these refuse.
//
// Idea: the certificate says how many copies are told apart at each state of each model. Whoever checks it
// counts them: at each place there are exactly so many as are told apart, or more; one that leaves more
// leaves more, or as many as are told apart. All that every number of copies can come to is met so, whatever
// the certificate says. A deadlock is told by the places at which there are any: all stand, one waits, and no
// step leads on. Where only silent steps lead from a place, a copy there has to leave before all stand, and
// what others do before that does not depend on it: it goes first. Of what must not be refused the states are
// kept besides in which the specification can be. The places tell whether an action leads on that it does not
// observe, and what is offered.
//
// Source: docs/semantics.md, "Deadlocks of components"; counters as in Pnueli, Xu, Zuck: Liveness with (0,1,∞)-counter
// abstraction (CAV 2002). It is written from these and not from package lts.
//
// Cost: sets of numbers by place, of which there are finitely many.

import (
	"context"
	"encoding/binary"
	"slices"

	"magus/component"
	"magus/lts"
)

// mostTold bounds how many copies a certificate tells apart at a state.
const mostTold = 100

// numbers say how many copies are at each place of each model.
type numbers [][]int

func (n numbers) with(i, place, copies int) numbers {
	next := slices.Clone(n)
	next[i] = slices.Clone(next[i])
	next[i][place] = copies
	return next
}

// A crowded is what is met: numbers, and the states in which the specification can be.
type crowded struct {
	numbers
	known []lts.State
}

// counted are the numbers that are met.
type counted struct {
	sub    *Subject
	places [][]place // by model
	told   [][]int
	owners map[lts.Action][]int
	met    map[string]bool
	todo   []crowded
}

// checkAny checks that no number of copies has a deadlock, or refuses what must be offered.
func (c *Certificate) checkAny(ctx context.Context, sub *Subject, checkers []*Checker, models []*lts.LTS) error {
	if err := c.checkTold(models); err != nil {
		return err
	}
	k := &counted{sub: sub, told: c.Told, owners: map[lts.Action][]int{}, met: map[string]bool{}}
	var none numbers
	for i, m := range models {
		k.places = append(k.places, resting(placesOf(m, checkers[i].prog.standing)))
		none = append(none, make([]int, len(k.places[i])))
		for _, a := range m.Alphabet() {
			k.owners[a] = append(k.owners[a], i)
		}
	}
	k.begin(ctx, none, sub.Copies, models)
	if ctx.Err() != nil { // not all were met
		return context.Cause(ctx)
	}
	for len(k.todo) > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		at := k.todo[len(k.todo)-1]
		k.todo = k.todo[:len(k.todo)-1]
		if k.isWrong(at, k.expand(at)) {
			return refuted(c.line, "some number of copies at states of the models is a deadlock, "+
				"or refuses what must be offered")
		}
	}
	return nil
}

// checkTold checks that the certificate says of each state how many copies are told apart.
func (c *Certificate) checkTold(models []*lts.LTS) error {
	if len(c.Told) != len(models) {
		return refuted(c.line, "any number of copies, and nothing says how many are told apart")
	}
	for i, m := range models {
		if len(c.Told[i]) != m.NumStates() ||
			slices.ContainsFunc(c.Told[i], func(n int) bool { return n < 0 || n > mostTold }) {
			return refuted(c.line, "how many copies are told apart is not said of the states of component %d", i+1)
		}
	}
	return nil
}

// begin meets all numbers of copies in their initial states. Copies whose number is given are all told apart.
func (k *counted) begin(ctx context.Context, at numbers, copies []int, models []*lts.LTS) {
	i := len(models) - len(copies)
	if len(copies) == 0 {
		k.meet(crowded{at, closed(k.sub.Spec, []lts.State{k.sub.Spec.Init()})})
		return
	}
	init := int(models[i].Init())
	least, most := 1, k.told[i][init]+1
	if n := copies[0]; n > 0 {
		least, most = n, n
		k.told = slices.Clone(k.told)
		k.told[i] = slices.Repeat([]int{n}, len(k.told[i]))
	}
	for n := least; n <= most && ctx.Err() == nil; n++ {
		k.begin(ctx, at.with(i, init, n), copies[1:], models)
	}
}

func (k *counted) meet(at crowded) {
	var key []byte
	for _, m := range at.numbers {
		for _, n := range m {
			key = binary.AppendUvarint(key, uint64(n))
		}
	}
	slices.Sort(at.known)
	for _, q := range at.known {
		key = binary.AppendUvarint(key, uint64(q))
	}
	if !k.met[string(key)] {
		k.met[string(key)] = true
		k.todo = append(k.todo, at)
	}
}

// isWrong reports whether numbers from which steps lead by some actions are a deadlock, or refuse what must be offered.
func (k *counted) isWrong(at crowded, steps []lts.Action) bool {
	deadlock := k.sub.Question == component.NoDeadlock
	stands, waiting := k.stands(at.numbers)
	if !stands || deadlock && (len(steps) > 0 || waiting == nil) {
		return false
	}
	return deadlock || !slices.ContainsFunc(steps, func(a lts.Action) bool { return !k.observes(a) }) &&
		isStuck(k.sub, at.known, nil, steps)
}

// stands reports whether all copies stand still, and which of them wait.
func (k *counted) stands(at numbers) (all bool, waiting []place) {
	for i, m := range at {
		for p, n := range m {
			if n > 0 && !k.places[i][p].stands {
				return false, nil
			}
			if n > 0 && !k.places[i][p].ended {
				waiting = append(waiting, k.places[i][p])
			}
		}
	}
	return true, waiting
}

func (k *counted) observes(a lts.Action) bool { return a != lts.Tau && k.sub.Spec.HasAction(a) }

// expand meets what steps lead to, and returns the actions of the steps.
func (k *counted) expand(q crowded) (steps []lts.Action) {
	by := func(a lts.Action) func(numbers) {
		known := q.known
		if k.sub.Question != component.NoDeadlock && k.observes(a) {
			known = after(k.sub.Spec, known, a)
		}
		return func(next numbers) {
			steps = append(steps, a)
			if len(known) > 0 { // else others say so
				k.meet(crowded{next, slices.Clone(known)})
			}
		}
	}
	for i, m := range q.numbers {
		for p, n := range m {
			if n > 0 && k.places[i][p].silent() {
				k.leave(q.numbers, i, p, by)
				return steps
			}
		}
	}
	for i, m := range q.numbers {
		for p, n := range m {
			if n > 0 {
				k.leave(q.numbers, i, p, by)
			}
		}
	}
	return steps
}

// leave has a copy go from a place, with others.
func (k *counted) leave(at numbers, i, p int, by func(lts.Action) func(numbers)) {
	for _, e := range k.places[i][p].edges {
		emit := by(e.Action)
		switch {
		case e.Action == lts.Tau:
			k.move(at, i, p, int(e.To), emit)
		case k.owners[e.Action][0] == i:
			k.move(at, i, p, int(e.To), func(next numbers) { k.join(at, next, e.Action, k.owners[e.Action][1:], emit) })
		}
	}
}

// resting are places whose transitions lead to where no silent steps alone lead on, if such steps lead there:
// silent ones behind a transition are made at once.
func resting(places []place) []place {
	all := slices.Clone(places)
	for p := range all {
		all[p].edges = nil
		for _, e := range places[p].edges {
			met := []lts.State{e.To}
			rests := false
			for n := 0; n < len(met); n++ {
				if !places[met[n]].silent() {
					all[p].edges, rests = append(all[p].edges, lts.Edge{Action: e.Action, To: met[n]}), true
					continue
				}
				for _, next := range places[met[n]].edges {
					if !slices.Contains(met, next.To) {
						met = append(met, next.To)
					}
				}
			}
			if !rests {
				all[p].edges = append(all[p].edges, e)
			}
		}
	}
	return all
}

// silent reports whether only silent steps lead from a place, and some do.
func (p *place) silent() bool {
	return len(p.edges) > 0 && !slices.ContainsFunc(p.edges, func(e lts.Edge) bool { return e.Action != lts.Tau })
}

// join has one copy of each of some models take part in an action.
func (k *counted) join(at, next numbers, a lts.Action, others []int, emit func(numbers)) {
	if len(others) == 0 {
		emit(next)
		return
	}
	i := others[0]
	for p, n := range at[i] {
		for _, e := range k.places[i][p].edges {
			if n > 0 && e.Action == a {
				k.move(next, i, p, int(e.To), func(n numbers) { k.join(at, n, a, others[1:], emit) })
			}
		}
	}
}

// move has a copy go from a place to another one.
func (k *counted) move(at numbers, i, from, to int, emit func(numbers)) {
	n := at[i][from]
	arrive := func(left int) {
		next := at.with(i, from, left)
		next[i][to] = min(next[i][to]+1, k.most(i, to)+1)
		emit(next)
	}
	arrive(n - 1)
	if n > k.most(i, from) {
		arrive(n)
	}
}

// most is how many copies are told apart at a place.
func (k *counted) most(i, place int) int { return k.told[i][k.places[i][place].state] }
