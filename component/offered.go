package component

// What components refuse that exchange messages with values.
//
// Idea: a run of their product may say at its end what is offered (package joint). Of what is offered it only matters
// which of the least sets are in it of which the specification wants all, so that is the name of the action that says
// it, and the specification allows it in each stable state that wants one of these. So refusals become traces. Who
// sends chooses the value: one class of values that somebody sends is as good to offer as another one, and so it
// is with the returns of one component.
//
// Source: failures as traces that end in what is refused, Roscoe, Understanding Concurrent Systems (2010), section
// 11.1. Cost: exponential in the sets that the specification wants, which are few and bounded.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/joint"
	"magus/lts"
)

// mostWanted bounds the sets of which a specification wants all, each counted once.
const mostWanted = 10

// wanted are the sets of actions of which a specification wants all of one.
type wanted struct {
	sets  [][]string        // with alike actions as one
	of    map[lts.State]int // by state without τ, its own
	alike map[string]string // what an action is as good to offer as
	spec  *lts.LTS
}

// wants is what a specification for the actions of the product wants.
func (j *joined) wants(spec *lts.LTS) (*wanted, error) {
	w := &wanted{of: map[lts.State]int{}, alike: map[string]string{}, spec: spec}
	for name, ch := range j.channels {
		for _, c := range ch.cells {
			if ch.isSent {
				w.alike[c.action] = name
			}
		}
	}
	for _, all := range j.backs {
		for _, a := range all {
			w.alike[a] = all[0]
		}
	}
	for s := range lts.State(spec.NumStates()) {
		if len(spec.OutBy(s, lts.Tau)) > 0 {
			continue
		}
		var set []string
		for _, e := range spec.Out(s) {
			set = append(set, w.one(spec.Actions().Name(e.Action)))
		}
		slices.Sort(set)
		set = slices.Compact(set)
		k := slices.IndexFunc(w.sets, func(other []string) bool { return slices.Equal(set, other) })
		if k < 0 {
			k = len(w.sets)
			w.sets = append(w.sets, set)
		}
		w.of[s] = k
	}
	if len(w.sets) > mostWanted {
		return nil, cfa.Unsupported(j.of.Pos, "what components that exchange values refuse of "+j.of.Specification,
			fmt.Sprintf("it must be offered more than %d sets of actions", mostWanted))
	}
	return w, nil
}

// asksOffers has the product say what it offers.
func (j *joined) asksOffers(ctx context.Context, q *joint.Question) error {
	spec, err := j.plain(ctx, lts.NewActions())
	if err != nil {
		return err
	}
	w, err := j.wants(spec)
	if err != nil {
		return err
	}
	q.Stands = w.name
	q.Observed = func(name string) bool {
		a, known := spec.Actions().Lookup(name)
		return known && spec.HasAction(a)
	}
	return nil
}

// one is what an action is as good to offer as.
func (w *wanted) one(action string) string {
	if as, ok := w.alike[action]; ok {
		return as
	}
	return action
}

// name is the action that says which of the sets are within what is offered.
func (w *wanted) name(offered []string) string {
	var all []string
	for _, a := range offered {
		all = append(all, w.one(a))
	}
	bits := 0
	for k, set := range w.sets {
		if !slices.ContainsFunc(set, func(a string) bool { return !slices.Contains(all, a) }) {
			bits |= 1 << k
		}
	}
	return w.says(bits)
}

// says is the action that says that some sets are offered.
func (w *wanted) says(bits int) string {
	var all []string
	for k, set := range w.sets {
		if bits>>k&1 == 1 {
			all = append(all, "{"+strings.Join(set, ", ")+"}")
		}
	}
	if all == nil {
		return offersPrefix + "too little}"
	}
	return offersPrefix + strings.Join(all, ", ") + "}"
}

// offersPrefix begins the names of these actions. No action of a program has such a name.
const offersPrefix = cfa.StandsPrefix + "offers "

// extended is the specification that allows what offers enough.
func (w *wanted) extended() *lts.LTS {
	b := copyAll(w.spec)
	done := b.AddState("offered")
	var says []lts.Action
	for bits := range 1 << len(w.sets) {
		says = append(says, w.spec.Actions().Intern(w.says(bits)))
	}
	b.Alphabet(w.spec.Alphabet()...)
	b.Alphabet(says...)
	for s := range lts.State(w.spec.NumStates()) {
		own, stable := w.of[s]
		for bits, a := range says {
			if stable && bits>>own&1 == 1 {
				b.AddEdge(s, a, done)
			}
		}
	}
	return b.Build()
}

// IsSaid reports whether an action only says what is offered.
func IsSaid(name string) bool { return strings.HasPrefix(name, offersPrefix) }
