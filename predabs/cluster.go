package predabs

// Clusters of candidates: the fast elimination test.
//
// Idea: candidates whose predicates never share a variable cannot help each
// other to eliminate a path. Candidates fall into clusters, connected by the
// variables of their predicates and of the program's guards, and a set of
// candidates eliminates a path iff its part in one cluster does. Each cluster
// is simulated on its own, over those edges of the path only that touch its
// variables, with valuations as bit masks over the cluster's atoms; guards
// that compare a term with a constant are decided by intervals, and what
// remains goes to the decision procedure and is remembered. The answer for a
// path and a part is remembered too.
//
// Source: ours; the meaning is figure 8's CEEliminate, and [Abstraction.pass]
// is the plain version of the same simulation, which the tests compare.
//
// A cluster can only eliminate a path if the guards on it that concern the
// cluster's variables contradict each other; the others are not simulated
// (contradiction.go).
//
// Law: Eliminates(path, S) = Eliminates(path, S ∩ Relevant(path)).
//
// Limit: in a cluster of more atoms than a mask holds, of a path's candidates
// only those count that stand in its unsatisfiable core, which suffice to
// eliminate it but need not be a smallest way to do so.
//
// Cost: per test and touched edge a few word operations per row.

import (
	"context"
	"encoding/binary"
	"slices"

	"magus/component"
	"magus/smt/expr"
)

// A cluster is a maximal set of candidates connected by variables.
type cluster struct {
	x     *eliminator
	cands []int // increasing
	atoms []atom
	bit   map[atom]int
	vars  map[*expr.Expr]bool
	preds [][]mask // by node and candidate (as in cands); nil where nobody asked
	group []mask   // by bit: the atoms that compare the same term with constants; empty if it is no such
	other []mask   // by bit: atoms outside the group that share a variable with it
	bound []bound  // by bit
	edges []*clusterEdge
	parts map[int]bool // of the path formula's parts, those with the cluster's variables
	slow  map[slowKey][]mask
	died  map[string]fate // by path and part

	prepared, fits bool
}

// An eliminator says whether sets of candidates eliminate a spurious path.
type eliminator struct {
	*space
	*candidateList
	paths       *paths
	planner     *planner
	inferrer    *inferrer
	feasibility *feasibility
	clusters    *clusterIndex // of the candidates there were when it was asked last
}

// A clusterIndex holds the clusters of the current candidates.
type clusterIndex struct {
	n    int   // candidates when computed
	of   []int // cluster of a candidate
	list []*cluster
}

// index computes the clusters anew when candidates were added: by the variables
// of each candidate and of everything that these are computed from.
func (x *eliminator) index() *clusterIndex {
	if x.clusters != nil && x.clusters.n == len(x.Candidates) {
		return x.clusters
	}
	u := newUnionFind(len(x.Candidates))
	for i, c := range x.Candidates {
		for _, q := range c.conds {
			for _, p := range q.at {
				u.touch(i, x.atoms.vars[p.atom])
			}
		}
	}
	x.connect(u)
	ci := &clusterIndex{n: len(x.Candidates), of: make([]int, len(x.Candidates))}
	number := map[int]int{}
	for i := range x.Candidates {
		root := u.find(i)
		k, ok := number[root]
		if !ok {
			k = len(ci.list)
			number[root] = k
			ci.list = append(ci.list, &cluster{x: x, died: map[string]fate{}, parts: map[int]bool{}})
		}
		ci.of[i] = k
		ci.list[k].cands = append(ci.list[k].cands, i)
		x.feasibility.partsOf(x.Candidates[i], ci.list[k].parts)
	}
	x.clusters = ci
	return ci
}

// connect joins the owners of variables that meet in a guard, or of which one
// is computed from the other.
func (x *space) connect(u *unionFind) {
	edges := x.Graph.Base().Edges
	for i := range edges {
		e := &edges[i]
		for _, g := range e.Guard {
			u.touch(u.item(), x.Graph.Concerned(g))
		}
		for _, up := range e.Update {
			u.touch(u.item(), append(x.Graph.Concerned(up.Term), up.Var))
		}
	}
}

// prepare numbers the cluster's atoms and reports whether there is room for
// them. If not, the cluster is simulated the plain way.
func (k *cluster) prepare(ctx context.Context) (fits bool, err error) {
	if k.prepared {
		return k.fits, nil
	}
	if k.fits, err = k.number(ctx); err != nil {
		return false, err
	}
	k.prepared = true
	if !k.fits {
		return false, nil
	}
	k.bit, k.vars, k.slow = map[atom]int{}, map[*expr.Expr]bool{}, map[slowKey][]mask{}
	k.edges, k.preds = make([]*clusterEdge, len(k.x.Graph.Edges)), make([][]mask, k.x.Graph.NumNodes())
	for i, a := range k.atoms {
		k.bit[a] = i
		for _, v := range k.x.atoms.vars[a] {
			k.vars[v] = true
		}
	}
	k.groups()
	return true, nil
}

// number makes the list of the cluster's atoms and reports whether a mask holds
// so many.
func (k *cluster) number(ctx context.Context) (fits bool, err error) {
	k.atoms = nil
	if len(k.cands) > 64*maskWords {
		return false, nil
	}
	for _, c := range k.cands {
		for _, q := range k.x.Candidates[c].conds {
			if err := k.x.inferrer.infer(ctx, q); err != nil {
				return false, err
			}
			if len(q.preds) > 64*maskWords {
				return false, nil
			}
			own := make([]atom, len(q.preds))
			for i, t := range q.preds {
				own[i] = t.atom
			}
			k.atoms = mergeAtoms(k.atoms, own)
		}
		if len(k.atoms) > 64*maskWords {
			return false, nil
		}
	}
	return true, nil
}

// at is P_s at a node, by candidate as in cands.
func (k *cluster) at(n component.Node) []mask {
	if k.preds[n] == nil {
		k.preds[n] = make([]mask, len(k.cands))
		for i, c := range k.cands {
			k.preds[n][i] = k.tracked(n, k.x.Candidates[c])
		}
	}
	return k.preds[n]
}

// tracked is P_s of one candidate at a node.
func (k *cluster) tracked(n component.Node, c *Candidate) mask {
	var ps mask
	for _, q := range c.conds {
		for _, t := range q.preds {
			if t.nodes.Has(n) {
				ps.add(k.bit[t.atom])
			}
		}
	}
	return ps
}

// groups finds for each atom the atoms that compare the same term, and those
// that share a variable with it otherwise.
func (k *cluster) groups() {
	n := len(k.atoms)
	k.group, k.other, k.bound = make([]mask, n), make([]mask, n), make([]bound, n)
	for i, a := range k.atoms {
		t := k.x.atoms.terms[a]
		g := group(t)
		compares := g != t
		if compares {
			k.bound[i] = boundOf(t)
		}
		for j, b := range k.atoms {
			switch s := k.x.atoms.terms[b]; {
			case compares && group(s) == g && s != g:
				k.group[i].add(j)
			case shareVariable(k.x.atoms.vars[a], k.x.atoms.vars[b]):
				k.other[i].add(j)
			}
		}
	}
}

func shareVariable(a, b []*expr.Expr) bool {
	for _, v := range a {
		if slices.Contains(b, v) {
			return true
		}
	}
	return false
}

// Eliminates reports whether MP built from the candidates of set (increasing)
// has no run along the path.
func (x *Abstraction) Eliminates(ctx context.Context, path Path, set []int) (bool, error) {
	ci := x.eliminator.index()
	parts := make([][]int, len(ci.list))
	for _, c := range set {
		k := ci.of[c]
		parts[k] = append(parts[k], c)
	}
	for k, part := range parts {
		if len(part) == 0 || !ci.list[k].contradicted(path) {
			continue
		}
		switch f, err := ci.list[k].eliminates(ctx, path, part); {
		case err != nil:
			return false, err
		case f == dies:
			return true, nil
		}
	}
	return false, nil
}

// Relevant are the candidates that can have a part in eliminating the path:
// those of the clusters that eliminate it, taken whole.
func (x *Abstraction) Relevant(ctx context.Context, path Path) ([]int, error) {
	var all []int
	for _, k := range x.eliminator.index().list {
		if !k.contradicted(path) {
			continue
		}
		f, err := k.eliminates(ctx, path, k.cands)
		if err != nil {
			return nil, err
		}
		if f == lives {
			continue
		}
		// A limit says nothing about parts of the cluster.
		fits, err := k.prepare(ctx)
		if err != nil {
			return nil, err
		}
		if fits {
			all = append(all, k.cands...)
		} else {
			all = append(all, k.ofCore(path, k.cands)...)
		}
	}
	slices.Sort(all)
	return all, nil
}

// A fate is what becomes of the valuations along a path.
type fate int

const (
	lives fate = iota // some are left at the end
	dies              // none are
	limit             // there were too many to follow
)

// eliminates answers for candidates of this cluster, from memory if it can.
func (k *cluster) eliminates(ctx context.Context, path Path, part []int) (fate, error) {
	fits, err := k.prepare(ctx)
	if err != nil {
		return lives, err
	}
	if !fits {
		part = k.ofCore(path, part)
	}
	key := k.key(path, part)
	if f, ok := k.died[key]; ok {
		return f, nil
	}
	steps := k.x.paths.steps(path)
	err = errRows
	if fits {
		s := simulation{k: k, part: k.local(part)}
		err = s.run(ctx, steps)
	}
	if err == errRows {
		err = k.x.follow(ctx, steps, part)
	}
	f := lives
	switch err {
	case nil:
	case errEmpty:
		f = dies
	case errRows:
		f = limit
	default:
		return lives, err
	}
	k.died[key] = f
	return f, nil
}

// ofCore are the candidates of part one of whose conditions is a guard of the
// path's unsatisfiable core, if the path has one. In a cluster too large for masks
// only these are considered.
func (k *cluster) ofCore(path Path, part []int) []int {
	why, ok := k.x.feasibility.why[path]
	if !ok {
		return part
	}
	return slices.DeleteFunc(slices.Clone(part), func(c int) bool {
		return !slices.ContainsFunc(k.x.Candidates[c].conds, func(q *condition) bool { return q.local || why.core[q.cond] })
	})
}

// key names a path, by its number, and a part.
func (k *cluster) key(path Path, part []int) string {
	b := binary.AppendUvarint(nil, uint64(path))
	for _, c := range part {
		b = binary.AppendUvarint(b, uint64(c))
	}
	return string(b)
}

func (k *cluster) local(part []int) []int {
	l := make([]int, len(part))
	for i, c := range part {
		l[i], _ = slices.BinarySearch(k.cands, c)
	}
	return l
}
