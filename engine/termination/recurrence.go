package termination

// Recurrence sets.
//
// Idea: a way round a loop, and a set of states that it leads back to: from each of them the way can be
// taken, with some values chosen, and ends in one of them. If a run comes to one of them, one goes round for ever. What
// is chosen is taken to be the same each time, so that the way is a function. The set is a conjunction of
// conditions: all those that hold in a state that was met, less those that the way breaks, until it breaks none
// (the greatest set of that form that has the state). It is a recurrence set if it says that the way can be taken.
//
// Source: Gupta, Henzinger, Majumdar, Rybalchenko, Xu: Proving non-termination, POPL 2008. Deviations: the set is found
// as Houdini finds invariants; the stem is a run that was executed, or a formula for one, and is executed.
//
// Cost: for each way, choice and state, as many queries as there are conditions at most.

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/evidence/witness"
	"magus/smt/expr"
	"magus/smt/solver"
)

// Bounds of what is tried.
const (
	mostWays    = 40  // round the loops of one head
	longestWay  = 4   // steps of one
	mostStates  = 6   // that sets are grown from, for each way and choice
	mostStems   = 300 // paths that may lead there
	longestStem = 8
)

// A round is a way round a loop.
type round struct {
	head   component.Node
	steps  int
	guard  *expr.Expr
	next   env
	chosen []*expr.Expr // inputs
}

// A policy gives inputs their values.
type policy map[*expr.Expr]*expr.Expr

// recur looks for a recurrence set that a run comes to.
func (s *Session) recur(ctx context.Context) (string, error) {
	q := s.asked
	x := q.ranking
	if len(q.comp.Calls) > 0 || len(x.left) == 0 {
		return "", nil
	}
	_, at, err := x.relation.samples(ctx, x.vars, seed+7)
	if err != nil {
		return "", err
	}
	tried := 0
	for _, h := range headsOf(x.left) {
		for _, w := range x.rounds(h) {
			for _, by := range x.policies(ctx, w) {
				tried++
				found, err := q.grow(ctx, w, by, at[h])
				if err != nil {
					return "", err
				}
				if found != nil {
					s.violated(found)
					return "", nil
				}
			}
		}
	}
	return fmt.Sprintf("no recurrence set of %d ways round", tried), nil
}

// rounds are ways round loops at a head, short ones first, and behind those of one step all of these at once.
func (x *ranking) rounds(h component.Node) []*round {
	var out []*round
	var walk func(w *round, at component.Node)
	walk = func(w *round, at component.Node) {
		for _, s := range x.left {
			if s.from != at || len(out) >= mostWays {
				continue
			}
			next := x.then(w, s.step)
			switch {
			case next.guard.IsFalse():
			case s.to == h:
				out = append(out, next)
			case next.steps < longestWay:
				walk(next, s.to)
			}
		}
	}
	walk(&round{head: h, guard: x.pool.True(), next: env{}}, h)
	slices.SortStableFunc(out, func(a, b *round) int { return a.steps - b.steps })
	if all := x.either(out); all != nil {
		out = append([]*round{all}, out...)
	}
	return out
}

// then is a way and a step behind it.
func (x *ranking) then(w *round, s *step) *round {
	by := env{}
	terms := []*expr.Expr{s.guard}
	vars := variables(s.next)
	for _, v := range vars {
		terms = append(terms, s.next[v])
	}
	out := &round{head: w.head, steps: w.steps + 1, chosen: slices.Clone(w.chosen)}
	for _, v := range expr.Vars(terms...) {
		if x.isInput(v) {
			by[v] = x.input(v, w.steps)
			out.chosen = append(out.chosen, by[v])
		} else {
			by[v] = w.next.of(v)
		}
	}
	x.pool.SubstAll(terms, by)
	out.guard, out.next = x.pool.Land(w.guard, terms[0]), env{}
	for _, v := range variables(w.next) {
		out.next[v] = w.next[v]
	}
	for i, v := range vars {
		out.next[v] = terms[i+1]
	}
	return out
}

// isInput reports whether a variable stands for what a step chooses.
func (r *relation) isInput(v *expr.Expr) bool { return r.inputs[v] }

// input is the variable for what is chosen in the step of a number.
func (x *ranking) input(v *expr.Expr, number int) *expr.Expr {
	if number == 0 {
		return v
	}
	return x.pool.Var(fmt.Sprintf("%s~%d", v.Name(), number), v.Type())
}

// either is one way of all those of one step; nil if there are not several.
func (x *ranking) either(ways []*round) *round {
	var out *round
	for _, w := range slices.Backward(ways) {
		switch {
		case w.steps > 1:
			continue
		case out == nil:
			out = w
			continue
		}
		merged := &round{head: w.head, steps: 1, guard: x.pool.Lor(w.guard, out.guard), next: env{},
			chosen: slices.Concat(w.chosen, out.chosen)}
		for _, v := range variables(w.next, out.next) {
			merged.next[v] = x.pool.Ite(w.guard, w.next.of(v), out.next.of(v))
		}
		slices.SortFunc(merged.chosen, byAge)
		merged.chosen = slices.Compact(merged.chosen)
		out = merged
	}
	if slices.Contains(ways, out) {
		return nil
	}
	return out
}

// policies are values for what a way chooses: those with which some state stays as it is, or the way can be
// taken twice, and simple ones.
func (x *ranking) policies(ctx context.Context, w *round) []policy {
	if len(w.chosen) == 0 {
		return []policy{{}}
	}
	var out []policy
	inv := x.inv[w.head]
	var still []*expr.Expr
	for _, v := range x.vars {
		if w.next.of(v) != v {
			still = append(still, x.pool.Eq(w.next.of(v), v))
		}
	}
	for _, more := range [][]*expr.Expr{still, {x.pool.Subst(w.guard, w.next)}} {
		result, err := x.prover.satisfiable(ctx, slices.Concat([]*expr.Expr{w.guard}, inv, more)...)
		if err == nil && result == solver.Sat {
			by := policy{}
			for _, v := range w.chosen {
				by[v] = x.pool.Const(v.Type(), x.prover.Value(v))
			}
			out = append(out, by)
		}
	}
	for _, k := range []int64{0, 1, -1} {
		by := policy{}
		for _, v := range w.chosen {
			by[v] = x.pool.Int(v.Type(), k)
		}
		out = append(out, by)
	}
	return out
}

// grow looks for a recurrence set of a way, with some choice, that has a state which a run comes to.
func (q *question) grow(ctx context.Context, w *round, by policy, met []values) (*lasso, error) {
	x := q.ranking
	fixed := &round{head: w.head, steps: w.steps, guard: x.pool.Subst(w.guard, by), next: env{}}
	for _, v := range variables(w.next) {
		fixed.next[v] = x.pool.Subst(w.next[v], by)
	}
	if fixed.guard.IsFalse() {
		return nil, nil
	}
	var sets [][]*expr.Expr
	for _, first := range x.beginnings(ctx, fixed, met) {
		set, err := x.closed(ctx, fixed, first)
		if err == nil && set != nil {
			set, err = x.smaller(ctx, fixed, set)
		}
		if err != nil {
			return nil, err
		}
		if set == nil || slices.ContainsFunc(sets, func(o []*expr.Expr) bool { return slices.Equal(o, set) }) {
			continue
		}
		sets = append(sets, set)
		found, err := q.reach(ctx, w, by, set)
		if err != nil || found != nil {
			return found, err
		}
	}
	return nil, nil
}

// beginnings are states from which a way can be taken: those that were met, and one from which it can be
// taken three times.
func (x *ranking) beginnings(ctx context.Context, w *round, met []values) []values {
	var out []values
	for _, v := range slices.Backward(met) {
		if v.holds(w.guard) {
			if out = append(out, v); len(out) >= mostStates {
				break
			}
		}
	}
	second := x.pool.Subst(w.guard, w.next)
	third := x.pool.Subst(second, w.next)
	result, err := x.prover.satisfiable(ctx, append(slices.Clone(x.inv[w.head]), w.guard, second, third)...)
	if err == nil && result == solver.Sat {
		v := values{}
		for _, y := range x.vars {
			v[y] = x.prover.Value(y)
		}
		out = append(out, v)
	}
	return out
}

// closed is the greatest set with a state that a way leads back to, if the way can be taken from all of it; else nil.
func (x *ranking) closed(ctx context.Context, w *round, first values) ([]*expr.Expr, error) {
	p := x.pool
	candidates := x.relation.comparisons(x.vars)
	guards := conjuncts(p, w.guard)
	candidates = append(candidates, guards...)
	candidates = append(candidates, conjuncts(p, p.Subst(w.guard, w.next))...)
	for _, v := range x.vars {
		candidates = append(candidates, p.Eq(v, p.Const(v.Type(), first[v])))
	}
	seen := map[*expr.Expr]bool{}
	set := slices.DeleteFunc(candidates, func(c *expr.Expr) bool {
		drop := seen[c] || c.IsTrue() || !first.holds(c) || !x.speaksOfState(c)
		seen[c] = true
		return drop
	})
	for {
		result, err := x.prover.satisfiable(ctx, append(slices.Clone(set), p.Not(w.guard))...)
		if err != nil || result != solver.Unsat {
			return nil, err
		}
		after := slices.Clone(set)
		p.SubstAll(after, w.next)
		result, err = x.prover.satisfiable(ctx, append(slices.Clone(set), p.Not(p.Land(after...)))...)
		switch {
		case err != nil || result == solver.Unknown:
			return nil, err
		case result == solver.Unsat:
			return set, nil
		}
		v := expr.NewValuation(x.prover.Value)
		var left []*expr.Expr
		for i, c := range set {
			if v.Of(after[i]) != 0 {
				left = append(left, c)
			}
		}
		set = left
	}
}

// smaller leaves out conditions of a set that it does not need.
func (x *ranking) smaller(ctx context.Context, w *round, set []*expr.Expr) ([]*expr.Expr, error) {
	for i := 0; i < len(set); {
		less := slices.Delete(slices.Clone(set), i, i+1)
		ok, err := x.isClosed(ctx, w, less)
		switch {
		case err != nil:
			return nil, err
		case ok:
			set = less
		default:
			i++
		}
	}
	return set, nil
}

// isClosed reports whether a way can be taken from all of a set, and leads back to it.
func (x *ranking) isClosed(ctx context.Context, w *round, set []*expr.Expr) (bool, error) {
	after := slices.Clone(set)
	x.pool.SubstAll(after, w.next)
	leaves := x.pool.Not(x.pool.Land(append(after, w.guard)...))
	result, err := x.prover.satisfiable(ctx, append(slices.Clone(set), leaves)...)
	return result == solver.Unsat, err
}

// speaksOfState reports whether a condition is about values at a head.
func (x *ranking) speaksOfState(c *expr.Expr) bool {
	return !slices.ContainsFunc(expr.Vars(c), x.isInput)
}

// conjuncts are the parts of a conjunction.
func conjuncts(p *expr.Pool, c *expr.Expr) []*expr.Expr {
	if c.Op() == expr.Land {
		return slices.Clone(c.Args())
	}
	return []*expr.Expr{c}
}

// reach looks for a run that comes to a set, and executes it with two rounds behind it.
func (q *question) reach(ctx context.Context, w *round, by policy, set []*expr.Expr) (*lasso, error) {
	x := q.ranking
	inSet := x.pool.Land(set...)
	stems := []*round{{guard: x.pool.True(), next: env{}}}
	ends := []component.Node{component.Init}
	for n := 0; n < len(stems) && n < mostStems; n++ {
		stem, at := stems[n], ends[n]
		if at == w.head {
			result, err := x.prover.satisfiable(ctx, stem.guard, x.pool.Subst(inSet, stem.next))
			if err != nil {
				return nil, err
			}
			if result == solver.Sat {
				found, err := q.drive(ctx, stem, w, by, set)
				if err != nil || found != nil {
					return found, err
				}
			}
		}
		if stem.steps >= longestStem {
			continue
		}
		for _, s := range x.steps {
			if s.from != at || s.cut || len(stems) >= mostStems {
				continue
			}
			next := x.then(stem, s)
			if next.guard.IsFalse() {
				continue
			}
			result, err := x.prover.satisfiable(ctx, next.guard)
			if err != nil {
				return nil, err
			}
			if result == solver.Sat {
				stems, ends = append(stems, next), append(ends, s.to)
			}
		}
	}
	return nil, nil
}

// drive executes the stem of the last model, and then a way with some choice. It is nil if the interpreter
// does otherwise, or the run rests on what is not modelled.
func (q *question) drive(ctx context.Context, stem, w *round, by policy, set []*expr.Expr) (*lasso, error) {
	x := q.ranking
	d := &driver{q: q, machine: interp.New(q.comp.CFA), isHead: map[component.Node]bool{}}
	for _, h := range x.heads {
		d.isHead[h] = true
	}
	first := values{}
	for _, v := range q.comp.CFA.Vars {
		first[v.Expr] = x.prover.Value(v.Expr)
		d.script.Init = append(d.script.Init, interp.Binding{Var: v.Expr, Value: first[v.Expr]})
	}
	d.script.Env = witness.Env(q.comp)
	d.state = d.machine.Initial(func(v *expr.Expr) uint64 { return first[v] })
	inputs := map[*expr.Expr]uint64{}
	for _, v := range stem.chosen {
		inputs[v] = x.prover.Value(v)
	}
	if !d.follow(ctx, stem.steps, func(v *expr.Expr) uint64 { return inputs[v] }) || !d.within(w.head, set) {
		return nil, ctx.Err()
	}
	found := &lasso{stem: len(d.script.Steps), set: append([]*expr.Expr{}, set...), head: w.head,
		steps: w.steps, by: by}
	for i := range twiceAround {
		ok := d.follow(ctx, w.steps, func(v *expr.Expr) uint64 {
			if c := by[v]; c != nil {
				return c.Value()
			}
			return 0
		})
		if !ok || !d.within(w.head, set) {
			return nil, ctx.Err()
		}
		if i == 0 {
			found.round = len(d.script.Steps) - found.stem
		}
	}
	if d.rests {
		return nil, nil
	}
	return found, q.replay(ctx, d.machine, d.script, &found)
}

// A driver has the interpreter follow steps between heads.
type driver struct {
	q       *question
	machine *interp.Machine
	isHead  map[component.Node]bool
	state   interp.State
	script  interp.Script
	rests   bool // on what is not modelled
}

// mostDriven is how many statements are executed between two heads.
const mostDriven = 100_000

// follow goes on to the head that is so many steps away.
func (d *driver) follow(ctx context.Context, steps int, input func(*expr.Expr) uint64) bool {
	for k := range steps {
		for n := 0; ; n++ {
			if n > mostDriven || n%1024 == 1023 && ctx.Err() != nil || !d.statement(k, input) {
				return false
			}
			if d.isHead[d.q.graph.At(d.state.Loc())] {
				break
			}
		}
	}
	return true
}

// statement executes one, in the step of a number.
func (d *driver) statement(number int, input func(*expr.Expr) uint64) bool {
	at := d.state.Loc()
	stmt := d.q.comp.CFA.Locs[at].Stmt
	want := interp.ScriptStep{Loc: at}
	switch stmt := stmt.(type) {
	case cfa.Assign:
		d.rests = d.rests || stmt.Memory != nil || stmt.Approx != ""
	case cfa.Branch, cfa.Goto, cfa.Act:
	default:
		return false
	}
	r := d.machine.Step(d.state, interp.ChoiceFunc(func(_ cfa.Loc, v *expr.Expr) uint64 {
		x := d.q.relation.chosenAt(d.q.graph.At(at), v)
		value := uint64(0)
		if x != nil {
			value = input(d.q.ranking.input(x, number))
		}
		want.Choices = append(want.Choices, interp.Binding{Var: v, Value: value})
		return value
	}))
	if a, ok := r.Event.(interp.Acted); ok {
		want.Actions = []string{a.Action}
	}
	d.state = r.Next
	d.script.Steps = append(d.script.Steps, want)
	return true
}

// within reports whether the state is at a head and in a set.
func (d *driver) within(head component.Node, set []*expr.Expr) bool {
	if d.q.graph.At(d.state.Loc()) != head {
		return false
	}
	return !slices.ContainsFunc(set, func(c *expr.Expr) bool { return d.state.Eval(c) == 0 })
}

// chosenAt is the input that gives a variable its value at a control point.
func (r *relation) chosenAt(n component.Node, v *expr.Expr) *expr.Expr {
	for _, id := range r.g.Out(n) {
		for _, u := range r.fresh(id).Update {
			if u.Var == v && r.inputs[u.Term] {
				return u.Term
			}
		}
	}
	return nil
}
