package termination

// Several rounds of a loop as one step.
//
// Idea: what gets smaller with every second round only, or cannot be done five times in a row, is seen where
// so many steps are looked at as one. A run without an end is one of these, too. If none can be made, that is
// all.
//
// Source: k-induction's idea; Babić et al.: Proving termination by divergence (SEFM 2007) for loops that end since they
// diverge. Cost: the sequences of steps that are possible, of which few are looked at.

import (
	"context"
	"fmt"
	"slices"

	"magus/smt/expr"
	"magus/smt/solver"
)

// Bounds of what is tried.
const (
	mostRanks     = 4  // steps at once for which ranks are looked for
	mostTogether  = 64 // steps of which it is asked whether they can be made
	mostSequences = 60
	fewSequences  = 4 // with more, long ones are not looked at
)

// together looks at several steps of what is left as one.
func (s *Session) together(ctx context.Context) (string, error) {
	x := s.asked.ranking
	if len(x.left) == 0 || s.asked.cutOff != nil {
		return "", nil
	}
	parts := cycles(x.left)
	for i, part := range parts {
		k, ranks, err := x.compose(ctx, part)
		if err != nil {
			return "", err
		}
		if k == 0 {
			x.left = slices.Concat(parts[i:]...)
			return "nothing gets smaller with some steps together", nil
		}
		x.ranks = append(x.ranks, ranks...)
		if x.together = common(x.together, k, ranks == nil); x.together > mostTogether {
			return "the loops end, but the steps to be looked at together are too many", nil
		}
	}
	x.left = nil
	s.proved(ctx)
	return fmt.Sprintf("with %d steps together", x.together), nil
}

// common is a number of steps that shows what a number did and what k does: a multiple, or where k steps
// cannot be made a multiple that is no less.
func common(number, k int, any bool) int {
	for n := number; ; n += number {
		if n >= k && (any || n%k == 0) {
			return n
		}
	}
}

// compose finds how many steps of a component show that it is left at last, with ranks, or without if so many
// cannot be made; 0 if nothing does.
func (x *ranking) compose(ctx context.Context, part []*remaining) (int, []Rank, error) {
	now := part
	for k := 2; k <= mostTogether; k++ {
		var next []*remaining
		for _, a := range now {
			for _, b := range part {
				if b.from != a.to {
					continue
				}
				both := x.behind(a, b, k-1)
				result, err := x.prover.satisfiable(ctx, x.given(both)...)
				if err != nil {
					return 0, nil, err
				}
				if result != solver.Unsat {
					next = append(next, both)
				}
				if len(next) > mostSequences || result == solver.Unknown && k > mostRanks {
					return 0, nil, nil
				}
			}
		}
		switch now = next; {
		case len(now) == 0:
			return k, nil, nil
		case len(cycles(now)) == 0:
			return k, []Rank{}, nil
		}
		if k > mostRanks {
			if len(now) > fewSequences {
				return 0, nil, nil
			}
			continue
		}
		y := &ranking{relation: x.relation, prover: x.prover, inv: x.inv, vars: x.vars}
		if err := y.rank(ctx, now); err != nil {
			return 0, nil, err
		}
		if len(y.left) == 0 {
			return k, y.ranks, nil
		}
	}
	return 0, nil, nil
}

// behind is a step and another one behind it, the one of a number.
func (x *ranking) behind(a, b *remaining, number int) *remaining {
	by := env{}
	terms := slices.Concat([]*expr.Expr{b.guard}, b.same, x.inv[b.from])
	conds, vars := len(terms), variables(b.next)
	for _, v := range vars {
		terms = append(terms, b.next[v])
	}
	for _, v := range expr.Vars(terms...) {
		if x.isInput(v) {
			by[v] = x.input(v, number)
		} else {
			by[v] = a.next.of(v)
		}
	}
	x.pool.SubstAll(terms, by)
	next := env{}
	for _, v := range variables(a.next) {
		next[v] = a.next[v]
	}
	for i, v := range vars {
		next[v] = terms[conds+i]
	}
	guard := x.pool.Land(slices.Concat([]*expr.Expr{a.guard}, a.same, terms[:conds])...)
	return &remaining{step: &step{from: a.from, to: b.to, guard: guard, next: next}}
}
