package minimize

import "slices"

// The totalizer: an adder of costs in clauses, so that a bound on the objective
// is a matter of assumptions.
//
// Idea: a balanced binary tree over the variables of the objective. A node has
// one output for each sum its variables can have, and the output is true when
// some of the true variables below add up to that sum. Only this direction is
// encoded: it is enough for "the cost is at most k", which is the negation of
// all outputs of the root above k. Sums above the cap are one output, cap+1.
//
// Source: Bailleux and Boufkhad, "Efficient CNF Encoding of Boolean Cardinality
// Constraints" (CP 2003); for costs other than 1 the generalized totalizer of
// Joshi, Martins and Manquinho (CP 2015).
//
// Cost: for n variables of cost 1, about n·cap clauses per level of the tree;
// other costs can need as many outputs per node as there are different sums, up
// to the cap. More than maxTotalizer clauses are refused with ErrBudget.
//
// The tree is laid out before the solver exists, because the solver must know
// the number of its variables from the start.

// maxTotalizer bounds the clauses of a totalizer.
const maxTotalizer = 2_000_000

// output is the variable that is true when a sum is reached.
type output struct {
	sum      int
	variable int
}

// totalizer is the encoding, and the outputs of its root by ascending sum.
type totalizer struct {
	clauses [][]int
	outputs []output
	cap     int
	nextVar int // first variable that is not in use
}

// newTotalizer encodes the sum of costs[i] over the true variables i+1, i in
// over. Sums up to the cap are told apart. Its own variables are numbered from
// firstVar.
func newTotalizer(costs []int, over Set, cap, firstVar int) (*totalizer, error) {
	t := &totalizer{cap: cap, nextVar: firstVar}
	var leaves []output
	for _, i := range over.Elements() {
		leaves = append(leaves, output{min(costs[i], cap+1), i + 1})
	}
	var err error
	t.outputs, err = t.node(leaves)
	return t, err
}

// node encodes the sum of the leaves.
func (t *totalizer) node(leaves []output) ([]output, error) {
	if len(leaves) <= 1 {
		return leaves, nil
	}
	left, err := t.node(leaves[:len(leaves)/2])
	if err != nil {
		return nil, err
	}
	right, err := t.node(leaves[len(leaves)/2:])
	if err != nil {
		return nil, err
	}
	return t.merge(left, right)
}

// merge encodes l ∧ r → sum of l and r, for each output on either side or both.
func (t *totalizer) merge(left, right []output) ([]output, error) {
	if len(t.clauses)+(len(left)+1)*(len(right)+1) > maxTotalizer {
		return nil, ErrBudget
	}
	none := output{}
	left, right = append([]output{none}, left...), append([]output{none}, right...)
	sums := make([]int, 0, len(left)*len(right))
	for _, l := range left {
		for _, r := range right {
			sums = append(sums, min(l.sum+r.sum, t.cap+1))
		}
	}
	slices.Sort(sums)
	sums = slices.Compact(sums)[1:]
	out := make([]output, len(sums))
	for i, s := range sums {
		out[i] = output{s, t.nextVar}
		t.nextVar++
	}
	for _, l := range left {
		for _, r := range right {
			t.imply(l, r, sums, out)
		}
	}
	return out, nil
}

func (t *totalizer) imply(l, r output, sums []int, out []output) {
	sum := min(l.sum+r.sum, t.cap+1)
	if sum == 0 {
		return
	}
	i, _ := slices.BinarySearch(sums, sum)
	clause := []int{out[i].variable}
	if l.sum > 0 {
		clause = append(clause, -l.variable)
	}
	if r.sum > 0 {
		clause = append(clause, -r.variable)
	}
	t.clauses = append(t.clauses, clause)
}

// atMost returns the assumptions that bound the sum by k ≤ cap.
func (t *totalizer) atMost(k int) []int {
	var lits []int
	for _, o := range t.outputs {
		if o.sum > k {
			lits = append(lits, -o.variable)
		}
	}
	return lits
}

// next returns the least sum above k that the root has an output for.
func (t *totalizer) next(k int) int {
	for _, o := range t.outputs {
		if o.sum > k {
			return o.sum
		}
	}
	return k + 1
}

// previous returns the greatest sum below k that the root has an output for,
// or 0.
func (t *totalizer) previous(k int) int {
	below := 0
	for _, o := range t.outputs {
		if o.sum < k {
			below = o.sum
		}
	}
	return below
}
