package termination

// Lexicographic ranking functions.
//
// Idea: a set of heads that steps connect, each with each (a strongly connected component). A term that no step within it
// makes greater can be made smaller finitely often only, for values of machine types are finitely many. So
// from some moment on each run that stays within it makes steps only that leave the term as it is. These are
// looked at again: some are impossible, the rest may fall apart into smaller components. If no
// cycle is left, no run goes on for ever. Choosing a term never hurts a later choice, so nothing is taken back.
//
// Source: Bradley, Manna, Sipma: Linear ranking with reachability, CAV 2005, for the lexicographic order; Ben-Amram, Genaim:
// Ranking functions for linear-constraint loops, JACM 2014, for the greedy choice. Deviations: terms are
// over bit-vectors, are guessed and agree with samples before they are asked about, and need no bound.
//
// Cost: a query for each step, each term that agrees with all samples and each time that steps are taken away.

import (
	"context"
	"slices"

	"magus/component"
	"magus/internal/graph"
	"magus/smt/expr"
	"magus/smt/solver"
)

// A Rank is a term that no step within some heads makes greater, once the ranks before it are as they are.
type Rank struct {
	Heads []component.Node
	Term  *expr.Expr
}

// A ranking is the search for ranks.
type ranking struct {
	*relation
	prover  *prover
	inv     invariant
	samples []sample
	vars    []*expr.Expr
	ranks   []Rank
	left    []*remaining // steps of components for which no term was found
}

// A remaining step is one that leaves the ranks of its component as they are.
type remaining struct {
	*step
	same []*expr.Expr // conditions: that it leaves them
}

// cycles are the components of steps that have a cycle.
func cycles(steps []*remaining) [][]*remaining {
	number := map[component.Node]int{}
	add := func(n component.Node) {
		if _, ok := number[n]; !ok {
			number[n] = len(number)
		}
	}
	for _, s := range steps {
		add(s.from)
		add(s.to)
	}
	succ := make([][]int, len(number))
	for _, s := range steps {
		succ[number[s.from]] = append(succ[number[s.from]], number[s.to])
	}
	scc := graph.SCC(graph.Func{Nodes: len(number), Succ: func(n int, yield func(int)) {
		for _, m := range succ[n] {
			yield(m)
		}
	}})
	parts := make([][]*remaining, scc.Count)
	for _, s := range steps {
		if c := scc.Of[number[s.from]]; c == scc.Of[number[s.to]] {
			parts[c] = append(parts[c], s)
		}
	}
	return slices.DeleteFunc(parts, func(p []*remaining) bool { return len(p) == 0 })
}

// rank looks for ranks until no cycle of the steps is left, or notes what is left.
func (x *ranking) rank(ctx context.Context, steps []*remaining) error {
	for _, part := range cycles(steps) {
		rest, progress, err := x.lessen(ctx, part)
		switch {
		case err != nil:
			return err
		case !progress:
			x.left = append(x.left, part...)
		default:
			if err := x.rank(ctx, rest); err != nil {
				return err
			}
		}
	}
	return nil
}

// heads are those of some steps.
func headsOf(steps []*remaining) []component.Node {
	var all []component.Node
	for _, s := range steps {
		all = append(all, s.from, s.to)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// given are the conditions of a step.
func (x *ranking) given(s *remaining) []*expr.Expr {
	return slices.Concat([]*expr.Expr{s.guard}, s.same, x.inv[s.from])
}

// possible are the steps that can be taken. Those about which there is no answer can.
func (x *ranking) possible(ctx context.Context, steps []*remaining) ([]*remaining, error) {
	var out []*remaining
	for _, s := range steps {
		result, err := x.prover.satisfiable(ctx, x.given(s)...)
		if err != nil {
			return nil, err
		}
		if result == solver.Unsat {
			continue
		}
		if out = append(out, s); result == solver.Sat {
			x.note(s)
		}
	}
	return out, nil
}

// note takes the model of the last query down as a sample.
func (x *ranking) note(s *remaining) {
	before, after := values{}, values{}
	v := expr.NewValuation(x.prover.Value)
	for _, w := range x.vars {
		before[w], after[w] = x.prover.Value(w), v.Of(s.next.of(w))
	}
	x.samples = append(x.samples, sample{s.from, s.to, before, after})
}

// of are the samples of some steps that leave their ranks as they are.
func (x *ranking) of(steps []*remaining) []sample {
	terms := x.ranksOf(headsOf(steps))
	var out []sample
	for _, m := range x.samples {
		if !slices.ContainsFunc(steps, func(s *remaining) bool { return s.from == m.from && s.to == m.to }) {
			continue
		}
		if !slices.ContainsFunc(terms, func(t *expr.Expr) bool { return m.before.of(t) != m.after.of(t) }) {
			out = append(out, m)
		}
	}
	return out
}

// ranksOf are the terms that were chosen for components that have some heads.
func (x *ranking) ranksOf(heads []component.Node) []*expr.Expr {
	var out []*expr.Expr
	for _, r := range x.ranks {
		if !slices.ContainsFunc(heads, func(h component.Node) bool { return !slices.Contains(r.Heads, h) }) {
			out = append(out, r.Term)
		}
	}
	return out
}

// lessen takes steps away from a component, as long as that is possible without it falling apart; progress is
// false if it takes none.
func (x *ranking) lessen(ctx context.Context, part []*remaining) (rest []*remaining, progress bool, err error) {
	rest, err = x.possible(ctx, part)
	if err != nil || len(rest) < len(part) {
		return rest, true, err
	}
	heads := headsOf(rest)
	seen := x.of(rest)
	for _, t := range x.templates(rest) {
		if !agrees(t, seen) {
			continue
		}
		never, err := x.neverGreater(ctx, rest, t)
		if err != nil {
			return nil, false, err
		}
		seen = x.of(rest)
		if !never || !agrees(t, seen) {
			continue
		}
		x.ranks = append(x.ranks, Rank{heads, t})
		var out []*remaining
		for _, s := range rest {
			out = append(out, &remaining{s.step, append(slices.Clip(s.same), x.pool.Eq(x.after(s, t), t))})
		}
		out, err = x.possible(ctx, out)
		return out, true, err
	}
	return rest, false, nil
}

// after is a term behind a step.
func (x *ranking) after(s *remaining, t *expr.Expr) *expr.Expr { return x.pool.Subst(t, s.next) }

// agrees reports whether no sample makes a term greater, and one makes it smaller.
func agrees(t *expr.Expr, seen []sample) bool {
	smaller := false
	for _, m := range seen {
		before, after := m.before.of(t), m.after.of(t)
		if t.Type().Less(before, after) {
			return false
		}
		smaller = smaller || before != after
	}
	return smaller
}

// neverGreater reports whether no step makes a term greater, and notes one that does.
func (x *ranking) neverGreater(ctx context.Context, steps []*remaining, t *expr.Expr) (bool, error) {
	for _, s := range steps {
		after := x.after(s, t)
		if after == t {
			continue
		}
		result, err := x.prover.satisfiable(ctx, append(x.given(s), x.pool.Lt(t, after))...)
		if err != nil || result == solver.Unknown {
			return false, err
		}
		if result == solver.Sat {
			x.note(s)
			return false, nil
		}
	}
	return true, nil
}
