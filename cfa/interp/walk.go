package interp

// Random runs.
//
// Idea: whatever is open is drawn, mostly from values at which programs
// decide: small ones, the constants of the automaton and their neighbours; now
// and then any bits. A walk records the script that leads to it, so that it
// can be replayed, shrunk or shown.
//
// Cost: linear in the number of steps.

import (
	"context"
	"math/rand"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// Walk makes a run of at most maxSteps statements and routine moves, with
// initial values and open choices drawn by rnd. It ends early when the
// component ends or a routine stops. Without an Env, routines perform no
// action and return any value, and returns are not observed. The error is that
// of ctx.
func (m *Machine) Walk(ctx context.Context, rnd *rand.Rand, maxSteps int, env Env) (*Run, error) {
	w := &walker{m: m, rnd: rnd, env: env, left: maxSteps, pool: m.constants(), run: &Run{}}
	w.run.Script.Env = env
	w.state = m.Initial(func(v *expr.Expr) uint64 {
		val := cut(v.Type(), w.draw(v.Type()))
		w.run.Script.Init = append(w.run.Script.Init, Binding{v, val})
		return val
	})
	for w.left > 0 && !w.state.ended && !w.inside {
		if w.left%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		w.left--
		w.step()
	}
	w.run.End = w.state
	return w.run, nil
}

// constants are the automaton's constants with their neighbours, in order.
func (m *Machine) constants() []uint64 {
	var pool []uint64
	for i := range m.locs {
		for _, c := range append(slices.Clone(m.locs[i].args), m.locs[i].val) {
			if c == nil {
				continue
			}
			for _, in := range c.ins {
				if in.op == expr.Const {
					v := widen(in.typ, in.val)
					pool = append(pool, v-1, v, v+1)
				}
			}
		}
	}
	slices.Sort(pool)
	return slices.Compact(pool)
}

type walker struct {
	m      *Machine
	rnd    *rand.Rand
	env    Env
	left   int
	pool   []uint64
	state  State
	spare  ThreadState // of no state that is used, see cloneIn
	inside bool        // a routine has not returned
	// insists has every open choice of threads be 1
	insists bool
	run     *Run
}

// draw is a value for a variable of type t; only its low bits count.
func (w *walker) draw(t expr.Type) uint64 {
	switch k := w.rnd.Intn(10); {
	case k < 5:
		return uint64(w.rnd.Intn(8) - 2)
	case k < 8 && len(w.pool) > 0:
		return w.pool[w.rnd.Intn(len(w.pool))]
	case k < 9:
		return []uint64{t.Min(), t.Max(), t.Max() - 1, t.Min() + 1}[w.rnd.Intn(4)]
	}
	return w.rnd.Uint64()
}

// step executes the statement at the current location, whatever it does.
func (w *walker) step() {
	want := ScriptStep{Loc: w.state.loc}
	stmt := w.m.locs[w.state.loc].stmt
	var guard *Taint
	if call, ok := stmt.(cfa.Call); ok {
		guard = w.call(call, &want)
	}
	ch := ChoiceFunc(func(_ cfa.Loc, v *expr.Expr) uint64 {
		if call, ok := stmt.(cfa.Call); ok && call.LHS == v {
			return want.Result
		}
		return w.choose(v, &want)
	})
	var res StepResult
	if w.inside = want.Inside; w.inside {
		res = w.state.enter()
	} else {
		res = w.state.step(ch)
	}
	if res.Tainted == nil {
		res.Tainted = guard
	}
	switch e := res.Event.(type) {
	case Acted:
		want.Actions = []string{e.Action}
	case Returned:
		if w.env != nil {
			if acts := w.env.Return(e, w.state.here()); len(acts) > 0 {
				want.Actions = []string{acts[w.rnd.Intn(len(acts))]}
			}
		}
	}
	w.add(&want, res)
}

// choose draws the value of an open variable, once.
func (w *walker) choose(v *expr.Expr, want *ScriptStep) uint64 {
	if val, drawn := lookup(want.Choices, v); drawn {
		return val
	}
	b := Binding{v, cut(v.Type(), w.draw(v.Type()))}
	want.Choices = append(want.Choices, b)
	return b.Value
}

func (w *walker) add(want *ScriptStep, res StepResult) {
	w.run.Script.Steps = append(w.run.Script.Steps, *want)
	w.run.record(w.m, len(w.run.Script.Steps)-1, want, res)
}

// call lets the routine run and fills in what it does. The taint is that of a
// guard.
func (w *walker) call(call cfa.Call, want *ScriptStep) *Taint {
	want.Result = cut(call.Ret, w.draw(call.Ret))
	if w.env == nil {
		return nil
	}
	site, _ := w.state.site()
	site.behind = func(v *expr.Expr) uint64 { return w.choose(v, want) }
	states := w.env.Start(site)
	guard := w.state.tainted(site.origin)
	want.Inside = true
	if len(states) == 0 {
		return guard
	}
	for q := states[w.rnd.Intn(len(states))]; w.left > 0; w.left-- {
		moves := w.env.Moves(site, q)
		if len(moves) == 0 {
			return guard
		}
		mv := moves[w.rnd.Intn(len(moves))]
		switch {
		case !mv.Returns:
			q = mv.To
			if mv.Action != "" {
				want.Actions = append(want.Actions, mv.Action)
			}
		case w.result(call, mv, want):
			want.Inside = false
			return guard
		}
	}
	return guard
}

// result draws a value that the move may return, if one is found.
func (w *walker) result(call cfa.Call, mv Move, want *ScriptStep) bool {
	t := call.Ret
	for range 20 {
		if mv.admits(call, want.Result) {
			return true
		}
		want.Result = cut(t, w.draw(t))
	}
	for _, v := range w.pool {
		if want.Result = cut(t, v); mv.admits(call, want.Result) {
			return true
		}
	}
	return false
}
