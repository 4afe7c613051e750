package actionref

import (
	"fmt"
	"slices"

	"magus/lts"
)

// Check returns every violation of the invariants of a: the partition is disjoint and covers the
// concrete states, and the quotient has an edge between two blocks exactly if a concrete transition
// with that action leads from a member of one to a member of the other. The latter implies
// L(concrete) ⊆ L(quotient). It recomputes everything from the blocks and shares nothing with Split.
func (a *Abstraction) Check() []error {
	var faults []error
	report := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	seen := make([]int, a.concrete.NumStates())
	for b := range a.NumBlocks() {
		if len(a.Members(b)) == 0 || !slices.IsSorted(a.Members(b)) {
			report("block %d is empty or not sorted", b)
		}
		for _, s := range a.Members(b) {
			seen[s]++
			if a.Block(s) != b {
				report("state %d is in block %d but assigned to %d", s, b, a.Block(s))
			}
		}
	}
	for s, n := range seen {
		if n != 1 {
			report("state %d is in %d blocks", s, n)
		}
	}
	a.checkQuotient(report)
	return faults
}

func (a *Abstraction) checkQuotient(report func(string, ...any)) {
	m, q := a.concrete, a.quotient
	if q.NumStates() != a.NumBlocks() || q.Init() != lts.State(a.Block(m.Init())) {
		report("the quotient's states or its initial state are not the blocks")
	}
	if !slices.Equal(q.Alphabet(), m.Alphabet()) {
		report("the alphabets differ")
	}
	type transition struct {
		from int
		edge lts.Edge
	}
	witnessed := map[transition]bool{}
	for s := range lts.State(m.NumStates()) {
		for _, e := range m.Out(s) {
			abstract := transition{a.Block(s), lts.Edge{Action: e.Action, To: lts.State(a.Block(e.To))}}
			if !witnessed[abstract] && !slices.Contains(q.Out(lts.State(abstract.from)), abstract.edge) {
				report("the quotient lacks %d -%d-> %d", abstract.from, e.Action, abstract.edge.To)
			}
			witnessed[abstract] = true
		}
		if m.IsError(s) && !q.IsError(lts.State(a.Block(s))) {
			report("block %d lacks its member's ERROR", a.Block(s))
		}
	}
	if q.NumEdges() > len(witnessed) {
		report("the quotient has %d edges, %d have a concrete witness", q.NumEdges(), len(witnessed))
	}
}

// CheckRefines returns every violation of: a is a partition of the same LTS as coarse, and each of its
// blocks lies within one block of coarse.
func (a *Abstraction) CheckRefines(coarse *Abstraction) []error {
	if a.concrete != coarse.concrete {
		return []error{fmt.Errorf("partitions of different LTSs")}
	}
	var faults []error
	for b := range a.NumBlocks() {
		members := a.Members(b)
		for _, s := range members {
			if coarse.Block(s) != coarse.Block(members[0]) {
				faults = append(faults, fmt.Errorf("block %d joins blocks %d and %d", b, coarse.Block(members[0]), coarse.Block(s)))
				break
			}
		}
	}
	return faults
}
