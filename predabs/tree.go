package predabs

// Feasibility of a tree.
//
// Idea: several paths that begin alike are one tree: up to where a path leaves the one before it, both have the same
// initial and chosen values, behind it values of their own. Each is executed symbolically by itself, with names of
// chosen values that say which path a step belongs to; the tree is feasible iff all conditions hold together.
//
// Source: as in path.go; that a counterexample of simulation is a tree: Chaki, Clarke, Groce, Jha, Veith: Modular
// verification of software components in C (IEEE TSE 30, 2004), section 6.
//
// Cost: that of the paths, one query.

import (
	"context"
	"slices"

	"magus/component"
	"magus/smt/expr"
	"magus/smt/solver"
)

// A Branch is a path of a tree.
type Branch struct {
	Path   Path
	Shared int // steps of the path that are those of the branch before it, with the same values
}

// A TreeFeasibility is the answer for a tree.
type TreeFeasibility struct {
	Feasible bool
	Cores    [][]int                // by branch, as [Feasibility.Core]; of an infeasible tree
	Runs     []*component.Execution // by branch; of a feasible one
}

// FeasibleTree decides whether the component can take all branches of a tree from one initial state, such that those
// that share steps share their values. The error is the decision procedure's.
func (x *Abstraction) FeasibleTree(ctx context.Context, branches []Branch) (TreeFeasibility, error) {
	f := x.feasibility
	var conds []*expr.Expr
	var kept []wish
	var memories [][]access
	at := map[*expr.Expr][]treePosition{}
	var traces []*trace
	owners := []int{}
	for b, br := range branches {
		steps := x.Steps(br.Path)
		path := x.Graph.Program(steps)
		shared := len(x.Graph.Program(steps[:br.Shared]))
		owners = slices.Clip(owners[:shared])
		for len(owners) < len(path) {
			owners = append(owners, b)
		}
		t := f.traceOf(path, nil, owners)
		for i, c := range t.conds {
			if at[c] == nil {
				conds = append(conds, c)
			}
			at[c] = append(at[c], treePosition{b, t.where[i]})
		}
		kept, memories, traces = append(kept, t.kept...), append(memories, t.memory), append(traces, t)
	}
	answer, err := f.check(ctx, conds...)
	switch {
	case err != nil:
		return TreeFeasibility{}, err
	case answer == solver.Unsat:
		cores := make([][]int, len(branches))
		for _, i := range f.solver.Core() {
			for _, p := range at[conds[i]] {
				cores[p.branch] = append(cores[p.branch], p.step)
			}
		}
		for b := range cores {
			slices.Sort(cores[b])
			cores[b] = slices.Compact(cores[b])
		}
		return TreeFeasibility{Cores: cores}, nil
	}
	all, err := f.settle(ctx, conds, kept)
	if err != nil {
		return TreeFeasibility{}, err
	}
	if all, err = f.memory.remember(ctx, all, memories...); err != nil {
		return TreeFeasibility{}, err
	}
	out := TreeFeasibility{Feasible: true}
	own := map[*expr.Expr]bool{}
	for _, t := range traces {
		for _, chosen := range t.chosen {
			for _, c := range chosen {
				own[c] = true
			}
		}
	}
	for _, t := range traces {
		out.Runs = append(out.Runs, f.runOf(t, all, own))
	}
	return out, nil
}

// A treePosition is a step of a branch.
type treePosition struct{ branch, step int }

// Asking are the candidates about what the program asks at some positions of a path, in the program's edges.
func (x *Abstraction) Asking(p Path, core []int) []int {
	var all []int
	path := x.Graph.Program(x.Steps(p))
	for _, at := range core {
		for _, l := range leavesOf(x.Graph.Base().Edges[path[at]].Guard) {
			if k := x.last(subjectOf(l)); k >= 0 && !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	return all
}

// leavesOf are the atomic conditions of some conditions.
func leavesOf(conds []*expr.Expr) (all []*expr.Expr) {
	for _, c := range conds {
		all = append(all, leaves(c)...)
	}
	return all
}
