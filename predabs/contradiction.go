package predabs

// Why a path is infeasible.
//
// Idea: guards and updates connect the variables of a program; the variables
// fall into parts that nothing connects. The formula of a path is a conjunction
// of one formula for each part, and predicates over one part cannot eliminate a
// path whose formula for that part is satisfiable, since the concrete run that
// satisfies it has its valuations all along the path. One small query for each
// part tells which parts are left. Most paths contradict themselves in one.
//
// Source: ours. Cost: a query for each part with guards on the path.

import (
	"context"

	"magus/smt/expr"
	"magus/smt/solver"
)

// A contradiction says why a path is infeasible.
type contradiction struct {
	core  map[*expr.Expr]bool // the atomic conditions of an unsatisfiable core
	parts map[int]bool        // the parts whose formulas are unsatisfiable
}

// partOf is the part of the variables that a condition of the program concerns,
// -1 if it concerns none.
func (x *feasibility) partOf(cond *expr.Expr) int {
	for _, v := range x.Graph.Concerned(cond) {
		if i, ok := x.flow.owner[v]; ok {
			return x.flow.find(i)
		}
	}
	return -1
}

// partsOf adds the parts that a candidate's atoms speak about.
func (x *feasibility) partsOf(c *Candidate, to map[int]bool) {
	for _, q := range c.conds {
		for _, p := range q.at {
			for _, v := range x.atoms.vars[p.atom] {
				if i, ok := x.flow.owner[v]; ok {
					to[x.flow.find(i)] = true
				}
			}
		}
	}
}

// contradict notes why the path is infeasible: core are the positions in the program's edges of an unsatisfiable
// core and first its numbers in the conditions.
func (x *feasibility) contradict(ctx context.Context, path Path, t *trace, core, first []int) error {
	why := contradiction{core: map[*expr.Expr]bool{}, parts: map[int]bool{}}
	for _, i := range core {
		for _, g := range x.Graph.Base().Edges[t.path[i]].Guard {
			for _, l := range leaves(g) {
				why.core[l] = true
			}
		}
	}
	for _, i := range first {
		why.parts[t.part[i]] = true
	}
	byPart := map[int][]*expr.Expr{}
	var order []int
	for i, g := range t.conds {
		if p := t.part[i]; !why.parts[p] {
			if byPart[p] == nil {
				order = append(order, p)
			}
			byPart[p] = append(byPart[p], g)
		}
	}
	for _, p := range order {
		answer, err := x.check(ctx, byPart[p]...)
		if err != nil {
			return err
		}
		why.parts[p] = answer == solver.Unsat
	}
	x.why[path] = why
	return nil
}

// contradicted reports whether the guards that concern the cluster's variables
// contradict each other on the path, as far as is known.
func (k *cluster) contradicted(path Path) bool {
	why, known := k.x.feasibility.why[path]
	if !known {
		return true
	}
	for p := range k.parts {
		if why.parts[p] {
			return true
		}
	}
	return false
}
