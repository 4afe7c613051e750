package certificate

// Deadlocks, in few orders of independent steps.
//
// Idea: of copies that do not depend on each other one may go first. To stand still is a choice of a copy, a
// silent step to a place that offers what the action of its state says, and nothing else; one more choice is
// what no such action offers. A deadlock is a tuple of places without steps in which all stand and one waits.
// A set P of copies is closed at a tuple if for every copy in P and every action a of its steps there:
//
//	if each component with a in its alphabet has a copy that can perform it, all copies of the other ones are in P;
//	else all copies of one component that has none are.
//
// Of a tuple the steps are taken that copies of a closed set make, one that has any; without such a set the tuple has
// no steps.
//
// Theorem: each tuple without steps that can be reached is met. Proof: let w lead to it from a tuple that is
// met and not the end, with set P. P can make a step, which it could still make at the end if no copy of P
// took part in w. So one does; let t be the first such step. All who take part in t are in P: they are where
// they were, so if t could not be made at first, all copies of a component that lacks it would be in P, and
// one of them had to move before. What comes before t in w is made by others, so t can come first. It leads
// to a tuple that is met, from which there are fewer steps to the end. ∎
//
// Source: Godefroid, Partial-order methods for the verification of concurrent systems (LNCS 1032, 1996), chapter 4;
// written from that and not from package lts. Deviation: copies of one component are not told apart in the rule.
//
// Cost: for each tuple that is met, the closure from each copy.

import (
	"context"
	"encoding/binary"
	"slices"

	"magus/lts"
)

// A place is a state of a model, or one way to stand still in it.
type place struct {
	state  int
	edges  []lts.Edge // to places
	stands bool
	ended  bool
}

// placesOf are the places of a model, the states first.
func placesOf(m *lts.LTS, standing map[lts.Action]lts.Standing) []place {
	all := make([]place, m.NumStates())
	for q := range m.NumStates() {
		all[q].state = q
		var ways []lts.Standing
		for _, e := range m.Out(lts.State(q)) {
			if s, says := standing[e.Action]; says {
				ways = append(ways, s)
			} else {
				all[q].edges = append(all[q].edges, e)
			}
		}
		moves := all[q].edges
		among := func(ways ...lts.Standing) (offered, others []lts.Edge) {
			for _, e := range moves {
				if slices.ContainsFunc(ways, func(s lts.Standing) bool { return slices.Contains(s.Offers, e.Action) }) {
					offered = append(offered, e)
				} else {
					others = append(others, e)
				}
			}
			return offered, others
		}
		if len(ways) == 0 {
			continue
		}
		_, others := among(ways...)
		if len(ways) == 1 && others == nil { // there is no choice
			all[q].stands, all[q].ended = true, ways[0].Ended
			continue
		}
		var chosen []place
		for _, s := range ways {
			offered, _ := among(s)
			chosen = append(chosen, place{q, offered, true, s.Ended})
		}
		if others != nil {
			chosen = append(chosen, place{q, others, false, false})
		}
		all[q].edges = nil
		for k := range chosen {
			all[q].edges = append(all[q].edges, lts.Edge{Action: lts.Tau, To: lts.State(len(all) + k)})
		}
		all = append(all, chosen...)
	}
	return all
}

// ordered are the tuples of places that are met.
type ordered struct {
	places [][]place // by component
	of     []int     // by copy: its component
	copies [][]int   // by component
	owners map[lts.Action][]int
	met    map[string]bool
	todo   [][]lts.State
}

// checkOrder checks that no tuple of the models' states is a deadlock.
func (c *Certificate) checkOrder(ctx context.Context, sub *Subject, checkers []*Checker, models []*lts.LTS) error {
	o := &ordered{owners: map[lts.Action][]int{}, met: map[string]bool{}}
	var first []lts.State
	for i, m := range models {
		o.places = append(o.places, placesOf(m, checkers[i].prog.standing))
		for _, a := range m.Alphabet() {
			o.owners[a] = append(o.owners[a], i)
		}
		var copies []int
		for range sub.Copies[i] {
			copies = append(copies, len(o.of))
			o.of, first = append(o.of, i), append(first, m.Init())
		}
		o.copies = append(o.copies, copies)
	}
	o.meet(first)
	for len(o.todo) > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		at := o.todo[len(o.todo)-1]
		o.todo = o.todo[:len(o.todo)-1]
		if set := o.least(at); set != nil {
			o.expand(at, set)
		} else if o.stuck(at) {
			return refuted(c.line, "a tuple of states of the models is a deadlock")
		}
	}
	return nil
}

func (o *ordered) meet(at []lts.State) {
	var key []byte
	for _, q := range at {
		key = binary.LittleEndian.AppendUint32(key, q)
	}
	if !o.met[string(key)] {
		o.met[string(key)] = true
		o.todo = append(o.todo, slices.Clone(at))
	}
}

// edges are the transitions of a copy at a tuple.
func (o *ordered) edges(at []lts.State, k int) []lts.Edge { return o.places[o.of[k]][at[k]].edges }

// stuck reports whether all copies stand still at a tuple, and one waits.
func (o *ordered) stuck(at []lts.State) bool {
	waits := false
	for k, q := range at {
		p := &o.places[o.of[k]][q]
		if !p.stands {
			return false
		}
		waits = waits || !p.ended
	}
	return waits
}

// least is a closed set with a step and few copies; nil where no copy has a step.
func (o *ordered) least(at []lts.State) (least []int) {
	for k, most := 0, len(at); k < len(at) && most > 0; k++ {
		if set, moves := o.closure(at, k, most); moves {
			least, most = set, len(set)-1
		}
	}
	return least
}

// closure is the closed set of a copy at a tuple, and whether one in it can make a step; none if it has more than so
// many copies.
func (o *ordered) closure(at []lts.State, k, most int) (set []int, moves bool) {
	in := make([]bool, len(at))
	add := func(k int) {
		if !in[k] {
			in[k] = true
			set = append(set, k)
		}
	}
	add(k)
	for n := 0; n < len(set); n++ {
		if len(set) > most {
			return nil, false
		}
		own := o.of[set[n]]
		for _, e := range o.edges(at, set[n]) {
			if e.Action == lts.Tau {
				moves = true
				continue
			}
			needed := o.owners[e.Action]
			if lacking := o.lacking(at, e.Action, own); lacking >= 0 {
				needed = []int{lacking}
			} else {
				moves = true
			}
			for _, i := range needed {
				for _, c := range o.copies[i] {
					if i != own {
						add(c)
					}
				}
			}
		}
	}
	return set, moves
}

// lacking is the first component besides one that has an action and no copy that can perform it; -1 if there is none.
func (o *ordered) lacking(at []lts.State, a lts.Action, own int) int {
	for _, i := range o.owners[a] {
		if i != own && !slices.ContainsFunc(o.copies[i], func(k int) bool { return o.performs(at, k, a) }) {
			return i
		}
	}
	return -1
}

func (o *ordered) performs(at []lts.State, k int, a lts.Action) bool {
	return slices.ContainsFunc(o.edges(at, k), func(e lts.Edge) bool { return e.Action == a })
}

// expand meets the tuples to which the steps of a closed set lead.
func (o *ordered) expand(at []lts.State, set []int) {
	for _, k := range set {
		for _, e := range o.edges(at, k) {
			next := slices.Clone(at)
			next[k] = e.To
			if e.Action == lts.Tau {
				o.meet(next)
				continue
			}
			others := slices.DeleteFunc(slices.Clone(o.owners[e.Action]), func(i int) bool { return i == o.of[k] })
			o.join(at, next, e.Action, others)
		}
	}
}

// join has a copy of each of some components take part in an action.
func (o *ordered) join(at, next []lts.State, a lts.Action, others []int) {
	if len(others) == 0 {
		o.meet(next)
		return
	}
	for _, k := range o.copies[others[0]] {
		for _, e := range o.edges(at, k) {
			if e.Action == a {
				next[k] = e.To
				o.join(at, next, a, others[1:])
				next[k] = at[k]
			}
		}
	}
}
