package certificate

// Ranks of claims about whole runs.
//
// Idea: a term has finitely many values, in the order of its type. Where no step of a part makes it greater,
// a run that stays in the part makes it less finitely often. What a way does to a term is looked at with the
// values that its states say, the conditions of its steps, and what they assign.
//
// Source: docs/semantics.md; Podelski, Rybalchenko: A complete method for the synthesis of linear ranking functions
// (2004) for the idea. Cost: two queries for a way and a rank.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"magus/smt/expr"
)

// A lessening is a rank, with what ways do to it.
type lessening struct {
	Lessening
	term  *expr.Expr
	model *liveModel
	known map[string]effect // by way
}

// An effect is what a way does to a rank, whatever the values are.
type effect uint8

const (
	lesser  effect = iota
	same           // or less
	greater        // it may make it greater
)

// effect is what a way does to the rank: the steps from state to state, one after the other, each choice of them.
func (r *lessening) effect(w *liveWay) (effect, error) {
	key := fmt.Sprint(w.action, w.path)
	if e, ok := r.known[key]; ok {
		return e, nil
	}
	first := w.path[0]
	f := &following{lessening: r, way: w, pool: r.model.prog.comp.CFA.Pool}
	f.before = f.pool.Subst(r.term, r.model.states[first].by)
	err := f.step(0, r.model.states[first].by, r.model.sets[first])
	if err == nil {
		r.known[key] = f.most
	}
	return f.most, err
}

// following follows the steps of a way.
type following struct {
	*lessening
	way    *liveWay
	pool   *expr.Pool
	before *expr.Expr // the rank
	most   effect     // of all choices
}

// step follows the steps from a state of the way on, with variables' values in terms of those at its beginning, and
// conditions.
func (f *following) step(i int, values map[*expr.Expr]*expr.Expr, conds []*expr.Expr) error {
	if i == len(f.way.path)-1 {
		return f.compare(f.pool.Subst(f.term, values), conds)
	}
	m := f.model
	action := ""
	if i == 0 {
		action = f.way.action
	}
	for _, st := range m.stepsAt(m.comp.States[f.way.path[i]].At) {
		if st.to != m.comp.States[f.way.path[i+1]].At || m.label(st) != action || f.most == greater {
			continue
		}
		now, behind := maps.Clone(values), maps.Clone(values)
		terms := slices.Clone(st.guard)
		for _, a := range st.assign {
			terms = append(terms, a.value)
		}
		for _, v := range expr.Vars(terms...) { // what this step chooses is not what others do
			if !m.own[v] {
				now[v] = f.pool.Var(v.Name()+"'"+strconv.Itoa(i), v.Type())
			}
		}
		for _, a := range st.assign {
			behind[a.to] = f.pool.Subst(a.value, now)
		}
		more := slices.Clone(conds)
		for _, g := range st.guard {
			more = append(more, f.pool.Subst(g, now))
		}
		for _, l := range m.sets[f.way.path[i+1]] {
			more = append(more, f.pool.Subst(l, behind))
		}
		if err := f.step(i+1, behind, slices.DeleteFunc(more, (*expr.Expr).IsTrue)); err != nil {
			return err
		}
	}
	return nil
}

// compare notes what one choice does to the rank.
func (f *following) compare(after *expr.Expr, conds []*expr.Expr) error {
	small, large := after, f.before
	if f.Up {
		small, large = large, small
	}
	never, err := f.model.unsat(append(slices.Clone(conds), f.pool.Lt(large, small)))
	if err != nil {
		return err
	}
	if !never {
		f.most = greater
		return nil
	}
	if never, err = f.model.unsat(append(slices.Clone(conds), f.pool.Eq(large, small))); err == nil && !never {
		f.most = max(f.most, same)
	}
	return err
}
