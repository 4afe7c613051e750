package actionref

import (
	"fmt"
	"slices"

	"magus/lts"
)

// Check returns every violation of the invariants of a: the partition is disjoint and its states are the
// initial state and the reachable targets of visible transitions, and the quotient has an edge between
// two blocks exactly if a weak move with that action leads from a member of one to a member of the
// other. The latter implies L(concrete) ⊆ L(quotient).
// It follows the transitions of the concrete LTS and shares nothing with the way a was made. Cost:
// states × transitions; it is meant for tests.
func (a *Abstraction) Check() []error {
	c := checker{a: a, seen: make([]int, a.concrete.NumStates())}
	c.states()
	c.quotient()
	return c.faults
}

type checker struct {
	a      *Abstraction
	faults []error
	seen   []int // by state: the last search that met it
	search int
}

func (c *checker) report(format string, args ...any) {
	c.faults = append(c.faults, fmt.Errorf(format, args...))
}

// follow calls visit with the states that s leads to by any number of transitions, only τ if so wanted.
// It is not [graph.Reachable]: states are marked with the number of the search, so that a search pays only for the
// states that it meets.
func (c *checker) follow(s lts.State, onlyTau bool, visit func(lts.State)) {
	c.search++
	c.seen[s] = c.search
	stack := []lts.State{s}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		visit(s)
		for _, e := range c.a.concrete.Out(s) {
			if (e.Action == lts.Tau || !onlyTau) && c.seen[e.To] != c.search {
				c.seen[e.To] = c.search
				stack = append(stack, e.To)
			}
		}
	}
}

// states checks which states are partitioned and that each is in one block.
func (c *checker) states() {
	m := c.a.concrete
	want := make([]int, m.NumStates()) // in how many blocks
	want[m.Init()] = 1
	c.follow(m.Init(), false, func(s lts.State) {
		for _, e := range m.Out(s) {
			if e.Action != lts.Tau {
				want[e.To] = 1
			}
		}
	})
	got := make([]int, m.NumStates())
	for b := range c.a.NumBlocks() {
		members := c.a.Members(b)
		if len(members) == 0 || !slices.IsSorted(members) {
			c.report("block %d is empty or not sorted", b)
		}
		for _, s := range members {
			got[s]++
			if c.a.Block(s) != b {
				c.report("state %d is in block %d but assigned to %d", s, b, c.a.Block(s))
			}
		}
	}
	for s, n := range got {
		if n != want[s] || want[s] == 0 && c.a.Block(lts.State(s)) != none {
			c.report("state %d is in %d blocks, not %d", s, n, want[s])
		}
	}
}

// quotient checks each transition of the quotient, and that there are no others.
func (c *checker) quotient() {
	m, q := c.a.concrete, c.a.quotient
	if q.NumStates() != c.a.NumBlocks() || q.Init() != lts.State(c.a.Block(m.Init())) {
		c.report("the quotient's states or its initial state are not the blocks")
	}
	if !slices.Equal(q.Alphabet(), m.Alphabet()) {
		c.report("the alphabets differ")
	}
	for b := range lts.State(c.a.NumBlocks()) {
		out, isError := c.moves(b)
		if !slices.Equal(out, q.Out(b)) {
			c.report("block %d has transitions %v, its members have %v", b, q.Out(b), out)
		}
		if isError != q.IsError(b) {
			c.report("block %d is an ERROR state or not, unlike its members", b)
		}
	}
}

// moves returns the transitions that a block should have, and whether it should be an ERROR state.
func (c *checker) moves(block lts.State) (out []lts.Edge, isError bool) {
	m := c.a.concrete
	for _, s := range c.a.Members(int(block)) {
		c.follow(s, true, func(t lts.State) {
			isError = isError || m.IsError(t)
			for _, e := range m.Out(t) {
				if e.Action != lts.Tau {
					out = append(out, lts.Edge{Action: e.Action, To: lts.State(c.a.Block(e.To))})
				}
			}
		})
	}
	slices.SortFunc(out, lts.Edge.Compare)
	return slices.Compact(out), isError
}
