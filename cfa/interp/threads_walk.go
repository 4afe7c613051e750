package interp

// Random runs of a program with threads.
//
// Idea: the thread of each step is drawn among those that do not wait. A section is executed in one
// piece; one that comes to where it would wait has not begun, and its thread waits for the moment.
// What is open is drawn as in runs without threads. A run ends early where threads only go round:
// where for long no statement has changed anything.
//
// Cost: a copy of the state for each section, else linear in the number of steps.

import (
	"context"
	"math/rand"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// WalkThreads makes a run of at most most statements, and calls step before each that is executed. The error is ctx's.
func (m *Machine) WalkThreads(ctx context.Context, rnd *rand.Rand, most int, step func(thread int, at cfa.Loc)) error {
	w := &walker{m: m, rnd: rnd, pool: m.constants()}
	s := m.InitialThreads(nil).clone()
	changed := 0                   // the step that changed something last
	vain := make([]int, len(s.at)) // by thread: times without a step since the last step of any
	for n := 0; n < most && n-changed < mostQuiet*len(s.at) && !s.ended && slices.Min(vain) < mostVain; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t := rnd.Intn(len(s.at))
		if s.Waits(t) != "" {
			vain[t]++
			continue
		}
		next, made, news := w.advance(s, t)
		n += len(made)
		if news {
			changed = n
		}
		if made == nil {
			vain[t]++
			continue
		}
		clear(vain)
		for _, at := range made {
			step(t, at)
		}
		s = next
	}
	return nil
}

// mostVain is how often each thread is tried where none makes a step: a section may wait for a value that it draws.
const mostVain = 4

// mostQuiet is how many steps, of each thread or of a section, may change nothing.
const mostQuiet = 200

// mostSection bounds the statements of a section: one that goes round for longer has not begun.
const mostSection = 10_000

// advance executes a statement of a thread, or a section, and reports whether a variable or another
// thread is other than before. The locations are nil if the section would wait.
func (w *walker) advance(s ThreadState, t int) (next ThreadState, made []cfa.Loc, news bool) {
	choose := ChoiceFunc(func(_ cfa.Loc, v *expr.Expr) uint64 { return cut(v.Type(), w.draw(v.Type())) })
	if a, ok := w.m.locs[s.at[t]].stmt.(cfa.Atomic); ok && a.Begin {
		s = s.clone()
	}
	for changed := 0; len(made) < mostSection && len(made)-changed < mostQuiet; {
		at := &w.m.locs[s.at[t]]
		made = append(made, s.at[t])
		switch stmt := at.stmt.(type) {
		case cfa.Assign:
			was := s.store.vals[at.lhs]
			s.step(t, choose)
			if stmt.Memory != nil || s.store.vals[at.lhs] != was {
				changed, news = len(made), true
			}
		case cfa.Branch, cfa.Goto, cfa.Atomic:
			s.step(t, choose)
		default:
			s.step(t, choose)
			changed, news = len(made), true
		}
		if s.within < 0 || s.ended {
			return s, made, news
		}
		if s.Waits(t) != "" {
			break
		}
	}
	return s, nil, false
}
