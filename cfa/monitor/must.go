package monitor

// What a specification must be offered, woven into an automaton.
//
// Idea: the threads together refuse a set of actions behind a trace just if they stand for ever where
// nobody takes part in any others. So a run may say behind each observed action that it was the last
// one, and which set is wanted from then on: with at least one action of each set that the
// specification would be content with, and no more than that needs. Whoever comes to an action that
// is not wanted waits there; whoever comes to one that is wanted goes no further, and does not stand.
// One more thread waits for ever, once something is wanted, so that threads which have all ended
// refuse everything; before that it goes no further. Then all stand just where too much is refused.
//
// The end of the process refuses everything: an error, where the specification wants something.
//
// Source: the characterisation of stable failures by tests, De Nicola, Hennessy: Testing equivalences
// for processes (TCS 1984). Cost: the wanted sets, for each location of an action.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// A Must is what a specification must be offered: by state of its monitor the sets of actions of which
// all of one are enough. Of a state without sets nothing is enough, but to go on.
type Must struct {
	enough [][][]string
	wanted []want
}

// A want is a set of actions that must not be refused in a state.
type want struct {
	state   int
	actions []string
}

// NewMust is what must be offered; nil if that are more than most sets.
func NewMust(enough [][][]string, most int) *Must {
	m := &Must{enough: enough}
	for s, sets := range enough {
		for _, actions := range hitting(sets, most) {
			m.wanted = append(m.wanted, want{s, actions})
		}
		if len(m.wanted) > most {
			return nil
		}
	}
	return m
}

// hitting are the smallest sets with an action of each of some sets, or more than most sets.
func hitting(sets [][]string, most int) [][]string {
	all := [][]string{{}}
	for _, set := range sets {
		var next [][]string
		for _, hit := range all {
			if slices.ContainsFunc(set, func(a string) bool { return slices.Contains(hit, a) }) {
				next = append(next, hit)
				continue
			}
			for _, a := range set {
				next = append(next, append(slices.Clone(hit), a))
			}
		}
		if all = smallest(next); len(all) > most {
			return all
		}
	}
	return all
}

// smallest are the sets that contain no other one, each once.
func smallest(sets [][]string) [][]string {
	var all [][]string
	within := func(a, b []string) bool {
		return !slices.ContainsFunc(a, func(x string) bool { return !slices.Contains(b, x) })
	}
	for _, set := range sets {
		if slices.ContainsFunc(all, func(x []string) bool { return within(x, set) }) {
			continue
		}
		all = append(slices.DeleteFunc(all, func(x []string) bool { return within(set, x) }), set)
	}
	return all
}

// content reports whether a state wants nothing.
func (m *Must) content(state int) bool {
	return slices.ContainsFunc(m.enough[state], func(set []string) bool { return len(set) == 0 })
}

// untested is the value of the variable that says what is wanted while nothing is; the sets are numbered from 1.
const untested = 0

// tester weaves that of [Must.wanted] nothing may be refused.
type tester struct {
	*weaver
	must *Must
	test *expr.Expr
}

// tests are the sets for which some condition holds, as one on the variable.
func (t *tester) tests(holds func(w want) bool) *expr.Expr {
	p, any := t.c.Pool, t.c.Pool.False()
	for i, w := range t.must.wanted {
		if holds(w) {
			any = p.Lor(any, p.Eq(t.test, t.number(i+1)))
		}
	}
	return any
}

// free is that nothing is wanted.
func (t *tester) free() *expr.Expr { return t.c.Pool.Eq(t.test, t.number(untested)) }

// choose lets a run say that what is before was all, and what is wanted then.
func (t *tester) choose(next cfa.Loc) cfa.Loc {
	p, possible := t.c.Pool, t.free()
	for s := range t.must.enough {
		here := t.tests(func(w want) bool { return w.state == s })
		possible = p.Lor(possible, p.Land(p.Eq(t.state, t.number(s)), here))
	}
	return t.add(cfa.Assign{LHS: t.test, Nondet: "what is wanted"}, t.assume(possible, next))
}

// met is what a thread does that comes to an action: it waits where that is not wanted.
func (t *tester) met(action string, next cfa.Loc) cfa.Loc {
	wanted := t.tests(func(w want) bool { return slices.Contains(w.actions, action) })
	offers := t.add(cfa.Halt{Reason: "what is wanted is offered"})
	waits := t.add(cfa.Halt{Reason: cfa.Waiting})
	return t.add(cfa.Branch{Cond: t.free()}, next, t.add(cfa.Branch{Cond: wanted}, offers, waits))
}

// tester adds a thread that stands just where something is wanted, before entry.
func (t *tester) thread(entry cfa.Loc) cfa.Loc {
	none := t.add(cfa.Halt{Reason: "nothing is wanted"})
	waits := t.add(cfa.Halt{Reason: cfa.Waiting})
	begin := t.add(cfa.Atomic{Begin: true, Monitors: true}, t.add(cfa.Branch{Cond: t.free()}, none, waits))
	number := len(t.c.Threads)
	at := t.add(cfa.Spawn{Thread: number, Name: TestThread}, entry, begin)
	t.c.Threads = append(t.c.Threads, cfa.Thread{Name: TestThread, Proc: t.c.Threads[0].Proc, Entry: begin, Spawn: at,
		Site: t.c.Locs[t.from].Pos, Copy: 1})
	return at
}

// TestThread is the thread that is added where refusals are asked for. No thread of a program has such a name.
const TestThread = prefix + "test"

// ends rewrites the end of the process: an error where the specification wants something.
func (w *weaver) ends(must *Must) {
	back := w.add(w.c.Locs[w.from].Stmt)
	wrong, at := w.add(cfa.Act{Action: cfa.ErrorAction}, back), back
	for s := range must.enough {
		if !must.content(s) {
			at = w.add(cfa.Branch{Cond: w.c.Pool.Eq(w.state, w.number(s))}, wrong, at)
		}
	}
	if !w.section[w.from] {
		at = w.add(cfa.Atomic{Begin: true, Monitors: true}, at)
	}
	w.become(cfa.Goto{}, at)
}
