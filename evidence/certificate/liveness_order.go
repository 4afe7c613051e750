package certificate

// What is said of variables, along a run.
//
// Idea: a formula about variables has positions between silent steps, too. So the certificate says in which order the
// runs make their moves; each order is one of a run. A move is a position if its action is seen, or if afterwards
// another condition holds than before. The first position is where all variables have their first values: the silent
// moves that give these are taken before all others, wherever the order has them, for else what one run does before
// another has begun would be no position. In the round the variables of which the formula speaks have to come back,
// and all that they are computed from while it is made.
//
// Source: docs/semantics.md, "What happens at last". Cost: the moves times the conditions.

import (
	"context"
	"slices"

	"magus/smt/expr"
)

// wordOf is what holds at the positions of a run, and the position to which the last one leads back.
func (w *wholeRun) wordOf(ctx context.Context, f *owing) (word []uint64, loop int, err error) {
	o := &moments{wholeRun: w, owing: f, fluents: f.initially}
	if err := o.evaluate(ctx); err != nil {
		return nil, 0, err
	}
	next := make([]int, len(w.c.Runs)) // by run: moves made
	performed, goes := 0, false
	for _, k := range o.begunFirst(w.c.Order) {
		if w.c.Round != nil && performed == w.stem && slices.Equal(next, w.rounds) {
			loop, goes = len(o.word), true
		}
		if k < 0 || k >= len(next) || next[k] >= len(w.c.Runs[k].Moves) {
			return nil, 0, refuted(w.c.traceLine, "the order has a move that run %d does not make", k)
		}
		action := w.c.Runs[k].Moves[next[k]].Action
		movers := []int{k}
		if action != "" {
			if performed == len(w.c.Trace) || w.c.Trace[performed] != action {
				return nil, 0, refuted(w.c.traceLine, "the order has another trace")
			}
			movers = w.takers(performed)
			performed++
		}
		for _, m := range movers {
			if next[m] >= len(w.c.Runs[m].Moves) || w.c.Runs[m].Moves[next[m]].Action != action {
				return nil, 0, refuted(w.c.traceLine, "a run does not take part in %s in this order", action)
			}
			next[m]++
		}
		if !o.step(action, next) {
			return nil, 0, refuted(w.c.traceLine, "%s is performed before variables have their first values", action)
		}
	}
	for k := range next {
		if next[k] != len(w.c.Runs[k].Moves) {
			return nil, 0, refuted(w.c.traceLine, "the order leaves out moves of run %d", k+1)
		}
	}
	if o.word == nil || goes != (w.c.Round != nil) {
		return nil, 0, refuted(w.c.traceLine, "the order does not come to where variables have values, or the round begins")
	}
	if !goes || loop == len(o.word) { // nothing happens any more
		return append(o.word, o.fluents|o.conds), len(o.word), nil
	}
	return o.again(loop), len(o.word), nil
}

// moments follow the moves of all runs in their order.
type moments struct {
	*wholeRun
	owing   *owing
	holds   [][]uint64 // by run and move: the conditions that hold behind it
	begun   [][]bool   // by run and move: first values are set behind it
	word    []uint64
	fluents uint64
	conds   uint64
	actions []string // by position behind the first one
}

// begunFirst is an order in which all runs first make the silent moves up to where they have their first values. Runs
// share no variables, so nothing else changes.
func (o *moments) begunFirst(order []int) (all []int) {
	first := make([]int, len(o.begun)) // by run: how many moves
	for k, begun := range o.begun {
		n := slices.Index(begun, true) + 1
		silent := !slices.ContainsFunc(o.c.Runs[k].Moves[:n], func(m Move) bool { return m.Action != "" })
		if silent {
			first[k] = n
		}
	}
	moves := func(beginning bool) {
		made := make([]int, len(first))
		for _, k := range order {
			is := k >= 0 && k < len(first) && made[k] < first[k]
			if is {
				made[k]++
			}
			if is == beginning {
				all = append(all, k)
			}
		}
	}
	moves(true)
	moves(false)
	return all
}

// evaluate finds the conditions that hold behind each move.
func (o *moments) evaluate(ctx context.Context) error {
	for k := range o.c.Runs {
		prog := o.prog(k)
		conds := o.owing.conds[o.copies[k].Component]
		first := &liveModel{obligations: &obligations{Checker: o.checkers[o.copies[k].Component]}, before: map[Node]bool{}}
		first.begins()
		holds, begun := make([]uint64, len(o.c.Runs[k].Moves)), make([]bool, len(o.c.Runs[k].Moves))
		var wrong error
		_, err := o.c.Runs[k].executeSeeing(ctx, prog, func(i int, s *step, x *execution) {
			begun[i] = !first.before[s.to]
			for n := range mostPropositions {
				c := conds[n]
				if c == nil || !begun[i] {
					continue
				}
				if anyTainted(c, func(v *expr.Expr) bool { return x.tainted[v] }) {
					wrong = refuted(o.c.Runs[k].line, "a condition of the formula rests on a value that is not modelled")
				}
				holds[i] |= expr.Eval(c, func(v *expr.Expr) uint64 { return x.values[v] }) << n
			}
		})
		if err != nil {
			return err
		}
		if wrong != nil {
			return wrong
		}
		o.holds, o.begun = append(o.holds, holds), append(o.begun, begun)
	}
	return nil
}

// step notes a position, if a step leads to one; it is not ok that an action comes before the first position.
func (o *moments) step(action string, made []int) (ok bool) {
	conds := uint64(0)
	for k, n := range made {
		if n == 0 || !o.begun[k][n-1] {
			return action == ""
		}
		conds |= o.holds[k][n-1]
	}
	hidden := action == "" || o.sub.Claim.Live.Hides(action)
	switch {
	case o.word == nil && action != "":
		return false
	case o.word != nil && hidden && conds == o.conds:
		return true
	}
	o.conds = conds
	if action != "" {
		o.fluents = o.owing.fluents(o.fluents, action)
	}
	o.word = append(o.word, o.fluents|conds|o.owing.acts[action])
	o.actions = append(o.actions, action)
	return true
}

// again is the word with the round once more: in the first one fluents may be others than in those behind it.
func (o *moments) again(loop int) []uint64 {
	word, fluents := slices.Clone(o.word), o.fluents
	conds := uint64(0)
	for n := range mostPropositions {
		for _, by := range o.owing.conds {
			if by[n] != nil {
				conds |= 1 << n
			}
		}
	}
	for i := loop; i < len(o.word); i++ {
		fluents = o.owing.fluents(fluents, o.actions[i])
		word = append(word, fluents|o.word[i]&conds|o.owing.acts[o.actions[i]])
	}
	return word
}

// watched are the variables of which the formula speaks.
func (f *owing) watched(component int) []*expr.Expr {
	var all []*expr.Expr
	for n := range mostPropositions {
		if c := f.conds[component][n]; c != nil {
			all = append(all, expr.Vars(c)...)
		}
	}
	return all
}
