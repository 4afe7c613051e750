package termination

// From a relation to ranking functions of all its loops.

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"magus/component"
	"magus/smt/expr"
	"magus/smt/solver"
)

// seed is that of sampled runs.
const seed = 1

// rankAll looks for ranking functions of all loops. What it has not found is left.
func rankAll(ctx context.Context, r *relation, p *prover) (*ranking, error) {
	x, err := prepare(ctx, r, p)
	if err != nil {
		return nil, err
	}
	return x, x.rank(ctx, x.all())
}

// prepare finds what holds at heads.
func prepare(ctx context.Context, r *relation, p *prover) (*ranking, error) {
	x := &ranking{relation: r, prover: p, inv: invariant{}, vars: r.relevant(), together: 1}
	if len(r.steps) == 0 {
		return x, nil
	}
	seen, at, err := r.samples(ctx, x.vars, seed)
	if err != nil {
		return nil, err
	}
	x.samples = seen
	if x.inv, err = r.guess(ctx, x.vars); err != nil {
		return nil, err
	}
	x.inv.agree(at)
	return x, r.shown(ctx, p, x.inv)
}

// all are the steps that loops may make.
func (x *ranking) all() []*remaining {
	var out []*remaining
	for _, s := range x.steps {
		if s.from != component.Init && !s.cut {
			out = append(out, &remaining{step: s})
		}
	}
	return out
}

// cutOff is a step by which a run may come to where it is cut off; nil if there is none.
func (x *ranking) cutOff(ctx context.Context) (*step, error) {
	for _, s := range x.steps {
		if !s.cut {
			continue
		}
		result, err := x.prover.satisfiable(ctx, x.given(&remaining{step: s})...)
		if err != nil || result != solver.Unsat {
			return s, err
		}
	}
	return nil, nil
}

// relevant are the variables on which it depends how loops go on, those first that guards of loops speak of.
func (r *relation) relevant() []*expr.Expr {
	of := map[*expr.Expr]bool{}
	for i := range r.g.Edges {
		for _, u := range r.g.Edges[i].Update {
			of[u.Var] = true
		}
	}
	for _, v := range r.g.Comp.CFA.Vars {
		of[v.Expr] = true
	}
	var out []*expr.Expr
	seen := map[*expr.Expr]bool{}
	add := func(ts ...*expr.Expr) {
		vars := slices.SortedFunc(maps.Values(setOf(expr.Vars(ts...))), byAge)
		for _, v := range vars {
			if of[v] && !seen[v] {
				seen[v] = true
				out = append(out, v)
			}
		}
	}
	for _, s := range r.steps {
		if s.from != component.Init || s.cut {
			add(s.guard)
		}
	}
	for i := 0; i < len(out); i++ {
		for _, s := range r.steps {
			if t := s.next[out[i]]; t != nil {
				add(t)
			}
		}
	}
	return out
}

func setOf(vars []*expr.Expr) map[int]*expr.Expr {
	out := map[int]*expr.Expr{}
	for _, v := range vars {
		out[v.ID()] = v
	}
	return out
}

func byAge(a, b *expr.Expr) int { return cmp.Compare(a.ID(), b.ID()) }
