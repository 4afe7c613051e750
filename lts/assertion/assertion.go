package assertion

import (
	"fmt"

	"magus/lts"
	"magus/lts/ltl"
)

// A Fairness says which runs count.
type Fairness string

// The kinds of fairness.
const (
	None   Fairness = "none"   // all
	Weak   Fairness = "weak"   // those in which each action that is possible at each moment from some time on is done
	Strong Fairness = "strong" // those in which each action that is possible again and again is done again and again
	Choice Fairness = "choice" // those in which each transition that is possible again and again is taken again and again
)

// A Prop is a proposition: actions, or a fluent.
type Prop struct {
	Name      string
	Acts      func(action string) bool // nil of a fluent
	Begins    func(action string) bool // nil of actions, as what follows
	Ends      func(action string) bool
	Initially bool
}

// An Assertion is a formula; proposition n is the one of that number.
type Assertion struct {
	Name    string
	Pool    *ltl.Pool
	Formula *ltl.Formula
	Props   []Prop
}

// A Run violates an assertion: a stem, and a loop for ever, or the end where there is none.
type Run struct {
	Stem, Loop []lts.Edge
	// Rest says that with fairness other transitions are taken again and again besides those of the loop.
	Rest bool
}

// meaning is what actions mean to the propositions.
type meaning struct {
	acts, begins, ends []uint64 // by action
	initially          uint64
}

// means is the meaning of the actions of an LTS.
func (a *Assertion) means(m *lts.LTS) *meaning {
	n := 0
	for _, x := range m.Alphabet() {
		n = max(n, int(x)+1)
	}
	k := &meaning{make([]uint64, n), make([]uint64, n), make([]uint64, n), 0}
	for i, p := range a.Props {
		bit := uint64(1) << i
		if p.Initially {
			k.initially |= bit
		}
		set := func(of []uint64, has func(string) bool) {
			for _, x := range m.Alphabet() {
				if has != nil && has(m.Actions().Name(x)) {
					of[x] |= bit
				}
			}
		}
		set(k.acts, p.Acts)
		set(k.begins, p.Begins)
		set(k.ends, p.Ends)
	}
	return k
}

// after are the fluents that hold behind an action.
func (k *meaning) after(fluents uint64, a lts.Action) uint64 { return fluents&^k.ends[a] | k.begins[a] }

// Unperformed are the propositions of which an LTS has no action in its alphabet.
func (a *Assertion) Unperformed(m *lts.LTS) (names []string) {
	k := a.means(m)
	all := uint64(0)
	for i := range k.acts {
		all |= k.acts[i] | k.begins[i] | k.ends[i]
	}
	for i, p := range a.Props {
		if all>>i&1 == 0 {
			names = append(names, p.Name)
		}
	}
	return names
}

// confirm evaluates the formula on a run, with nothing of the search.
func (a *Assertion) confirm(k *meaning, r *Run) error {
	w, fluents := ltl.Word{}, k.initially
	along := func(edges []lts.Edge) (at []uint64) {
		for _, e := range edges {
			if e.Action != lts.Tau {
				fluents = k.after(fluents, e.Action)
				at = append(at, fluents|k.acts[e.Action])
			}
		}
		return at
	}
	w.Stem = along(r.Stem)
	w.Stem = append(w.Stem, along(r.Loop)...) // fluents may be others the first time round
	if w.Loop = along(r.Loop); len(w.Loop) == 0 {
		w.Loop = []uint64{fluents}
	}
	if ltl.Holds(a.Formula, w) {
		return fmt.Errorf("%s holds of the run that was found, which is a fault of this tool", a.Name)
	}
	return nil
}
