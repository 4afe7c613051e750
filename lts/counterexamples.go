package lts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// All shortest counterexamples.
//
// Idea: [Contains] returns one counterexample with the fewest observed actions.
// Others of that length are found by a depth-first search over the sets of
// product states (tuples with what is known of the specification) that one trace
// leads to. A search backwards over the same states, by the number of observed
// actions still to come, would prune exactly; here a state from which no
// violation was found within a number of actions is remembered, which prunes
// nearly as well and needs no predecessors.
//
// Source: ours. Cost: product states × length for the table, and for each trace
// its length times the states it leads to.

// Counterexamples returns runs of impl_1 ‖ … ‖ impl_n that violate spec as in
// [Contains] with exactly n observed actions, the last of which leaves spec. Of
// the runs that differ in other actions only, a short one is returned. They come in the order of the names of their
// observed actions, at most limit; complete says that there are no more. The
// error is not nil if ctx ended or there are too many product states.
func Counterexamples(ctx context.Context, impl []*LTS, spec *LTS, n,
	limit int) (found []*Counterexample, complete bool, err error) {
	p, err := newProduct(impl)
	if err == nil && spec.actions != impl[0].actions {
		err = errForeignActions
	}
	if err != nil {
		return nil, false, err
	}
	o, _ := newObserver(spec, false, nil)
	a := &alternatives{ctx: ctx, product: p, observer: o, spec: spec, limit: limit,
		index: newTuples[State](len(impl) + 1), dead: map[deadEnd]bool{}}
	start, violated := o.start()
	if violated {
		return []*Counterexample{{}}, true, nil
	}
	if n < 1 {
		return nil, true, nil
	}
	var roots []reach
	for _, s := range start {
		roots = append(roots, reach{at: a.number(p.initial(), s)})
	}
	if _, err = a.search(roots, n); err != nil {
		return nil, false, err
	}
	return a.found[:min(limit, len(a.found))], len(a.found) <= limit, nil
}

// maxAlternativeStates bounds the product states that are looked at.
const maxAlternativeStates = 1 << 20

// alternatives is the state of one call of Counterexamples.
type alternatives struct {
	ctx      context.Context
	product  *product
	observer observer
	spec     *LTS
	limit    int
	index    *tuples[State] // product states: tuples with the specification's number
	dead     map[deadEnd]bool
	found    []*Counterexample // one more than limit if there are more
}

// A deadEnd is a product state from which no violation is observed after so many
// actions.
type deadEnd struct {
	at   int32
	left int
}

// A reach is a product state with the steps that lead to it.
type reach struct {
	at    int32
	steps []Step
}

func (a *alternatives) number(at []State, spec int32) int32 {
	id, _ := a.index.insert(append(slices.Clone(at), State(spec)))
	return id
}

func (a *alternatives) state(id int32) (at []State, spec int32) {
	key := slices.Clone(a.index.at(id))
	return key[:len(key)-1], int32(key[len(key)-1])
}

// over returns why the search has to stop: its context ended, or there are too many product states.
func (a *alternatives) over() error {
	if a.index.count > maxAlternativeStates {
		return fmt.Errorf("more than %d product states", maxAlternativeStates)
	}
	return a.ctx.Err()
}

// unobserved adds to product states those that unobserved actions lead to.
func (a *alternatives) unobserved(from []reach) ([]reach, error) {
	seen := map[int32]bool{}
	var all []reach
	add := func(r reach) {
		if !seen[r.at] {
			seen[r.at] = true
			all = append(all, r)
		}
	}
	for _, r := range from {
		add(r)
	}
	for i := 0; i < len(all); i++ {
		if err := a.over(); err != nil {
			return nil, err
		}
		r := all[i]
		at, spec := a.state(r.at)
		a.product.successors(at, func(act Action, next []State) bool {
			if act == Tau || !a.spec.HasAction(act) {
				add(reach{a.number(next, spec), append(slices.Clip(r.steps), a.product.step(at, act, slices.Clone(next)))})
			}
			return true
		})
	}
	return all, nil
}

// search follows one observed action after the other from all states that a
// trace leads to, and says whether it found a violation after n more.
func (a *alternatives) search(from []reach, n int) (bool, error) {
	if err := a.over(); err != nil {
		return false, err
	}
	from, err := a.unobserved(from)
	if err != nil {
		return false, err
	}
	from = slices.DeleteFunc(from, func(r reach) bool { return a.dead[deadEnd{r.at, n}] })
	some := false
	for _, m := range a.observed(from, n == 1) {
		found := n == 1
		if found {
			a.found = append(a.found, &Counterexample{m.to[0].steps})
		} else {
			if found, err = a.search(m.to, n-1); err != nil {
				return false, err
			}
		}
		some = some || found
		if len(a.found) > a.limit {
			return true, nil
		}
	}
	if !some {
		for _, r := range from {
			a.dead[deadEnd{r.at, n}] = true
		}
	}
	return some, nil
}

// An observedMove is an observed action with where it leads, in order of steps.
type observedMove struct {
	action Action
	to     []reach
}

// observed are the observed actions that the states can perform, by name: the
// last ones of a trace, which violate, or those that do not.
func (a *alternatives) observed(from []reach, last bool) []observedMove {
	by := map[Action]*observedMove{}
	var moves []*observedMove
	for _, r := range from {
		at, spec := a.state(r.at)
		a.product.successors(at, func(act Action, next []State) bool {
			if act == Tau || !a.spec.HasAction(act) {
				return true
			}
			specs, violated := a.observer.step(spec, act)
			if violated != last {
				return true
			}
			m := by[act]
			if m == nil {
				m = &observedMove{action: act}
				by[act] = m
				moves = append(moves, m)
			}
			steps := append(slices.Clip(r.steps), a.product.step(at, act, slices.Clone(next)))
			if last {
				specs = []int32{0}
			}
			for _, s := range slices.Clone(specs) {
				m.to = append(m.to, reach{a.number(next, s), steps})
			}
			return true
		})
	}
	out := make([]observedMove, len(moves))
	for i, m := range moves {
		slices.SortStableFunc(m.to, func(x, y reach) int { return cmp.Compare(len(x.steps), len(y.steps)) })
		out[i] = *m
	}
	slices.SortFunc(out, func(x, y observedMove) int {
		return cmp.Compare(a.product.components[0].actions.Name(x.action), a.product.components[0].actions.Name(y.action))
	})
	return out
}
