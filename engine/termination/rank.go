package termination

// Lexicographic ranking functions.
//
// Idea: a set of heads that steps connect, each with each (a strongly connected component). A term that no
// step within it makes greater can be made smaller finitely often only, for values of machine types are
// finitely many. So from some moment on each run that stays within it makes steps only that leave the term as
// it is. These are looked at again: some are impossible, the rest may fall apart into smaller components. If
// no cycle is left, no run goes on for ever. Choosing a term never hurts a later choice, so nothing is taken
// back.
//
// Source: Bradley, Manna, Sipma: Linear ranking with reachability, CAV 2005, for the lexicographic order;
// Ben-Amram, Genaim: Ranking functions for linear-constraint loops, JACM 2014, for the greedy choice.
// Deviations: terms are over bit-vectors, are guessed and agree with samples before they are asked about, and
// need no bound.
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
	// Offsets are added to the term at heads that have one.
	Offsets map[component.Node]int64
}

// at is the rank at a head.
func (r Rank) at(p *expr.Pool, h component.Node) *expr.Expr {
	if c := r.Offsets[h]; c != 0 {
		return p.Add(r.Term, p.Int(r.Term.Type(), c))
	}
	return r.Term
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
	// together is how many steps are looked at at once.
	together int
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
	ranks := x.ranksOf(headsOf(steps))
	var out []sample
	for _, m := range x.samples {
		if !slices.ContainsFunc(steps, func(s *remaining) bool { return s.from == m.from && s.to == m.to }) {
			continue
		}
		if !slices.ContainsFunc(ranks, func(r Rank) bool {
			return m.before.of(r.at(x.pool, m.from)) != m.after.of(r.at(x.pool, m.to))
		}) {
			out = append(out, m)
		}
	}
	return out
}

// ranksOf are those that were chosen for components that have some heads.
func (x *ranking) ranksOf(heads []component.Node) []Rank {
	var out []Rank
	for _, r := range x.ranks {
		if !slices.ContainsFunc(heads, func(h component.Node) bool { return !slices.Contains(r.Heads, h) }) {
			out = append(out, r)
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
	for _, t := range x.templates(rest) {
		r, ok, err := x.fit(ctx, rest, heads, t)
		if err != nil {
			return nil, false, err
		}
		if !ok {
			continue
		}
		x.ranks = append(x.ranks, r)
		var out []*remaining
		for _, s := range rest {
			out = append(out, &remaining{s.step, append(slices.Clip(s.same), x.pool.Eq(x.after(s, r), r.at(x.pool, s.from)))})
		}
		out, err = x.possible(ctx, out)
		return out, true, err
	}
	return rest, false, nil
}

// mostFits is how often offsets are chosen anew for one term.
const mostFits = 6

// fit makes a rank of a term, with offsets if it needs them.
func (x *ranking) fit(ctx context.Context, steps []*remaining, heads []component.Node,
	t *expr.Expr) (r Rank, ok bool, err error) {
	r = Rank{Heads: heads, Term: t}
	for range mostFits {
		seen := x.of(steps)
		if !r.agrees(x.pool, seen) {
			if r.Offsets = offsets(t, heads, seen); r.Offsets == nil || !r.agrees(x.pool, seen) {
				return r, false, nil
			}
		}
		never, more, err := x.neverGreater(ctx, steps, r)
		if err != nil || never {
			return r, never && r.agrees(x.pool, x.of(steps)), err
		}
		if !more {
			return r, false, nil
		}
	}
	return r, false, nil
}

// after is a rank behind a step.
func (x *ranking) after(s *remaining, r Rank) *expr.Expr {
	return x.pool.Subst(r.at(x.pool, s.to), s.next)
}

// agrees reports whether no sample makes a rank greater, and one makes it smaller.
func (r Rank) agrees(p *expr.Pool, seen []sample) bool {
	smaller := false
	for _, m := range seen {
		before, after := m.before.of(r.at(p, m.from)), m.after.of(r.at(p, m.to))
		if r.Term.Type().Less(before, after) {
			return false
		}
		smaller = smaller || before != after
	}
	return smaller
}

// neverGreater reports whether no step makes a rank greater. It notes one that does, and says whether it has.
func (x *ranking) neverGreater(ctx context.Context, steps []*remaining, r Rank) (never, noted bool, err error) {
	for _, s := range steps {
		before, after := r.at(x.pool, s.from), x.after(s, r)
		if after == before {
			continue
		}
		result, err := x.prover.satisfiable(ctx, append(x.given(s), x.pool.Lt(before, after))...)
		if err != nil || result == solver.Unknown {
			return false, false, err
		}
		if result == solver.Sat {
			x.note(s)
			return false, true, nil
		}
	}
	return true, false, nil
}

// greatestOffset bounds the numbers that are added to a term at some heads.
const greatestOffset = 1 << 20

// offsets are numbers for heads with which no sample makes a term greater; nil if there are none but 0. They solve
// difference constraints (Bellman, Ford).
func offsets(t *expr.Expr, heads []component.Node, seen []sample) map[component.Node]int64 {
	if len(heads) < 2 || t.Type() != expr.Int64 {
		return nil
	}
	type pair struct{ from, to component.Node }
	most := map[pair]int64{} // of the difference of the offsets
	for _, m := range seen {
		k, d := pair{m.from, m.to}, int64(m.before.of(t))-int64(m.after.of(t))
		if old, ok := most[k]; !ok || d < old {
			most[k] = d
		}
	}
	out := map[component.Node]int64{}
	for range heads {
		changed := false
		for k, d := range most {
			if out[k.from]+d < out[k.to] {
				out[k.to] = out[k.from] + d
				changed = true
			}
			if out[k.to] < -greatestOffset {
				return nil
			}
		}
		if !changed {
			return out
		}
	}
	return nil
}
