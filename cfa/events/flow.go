package events

// What unrolling needs to know of an automaton, worked out once: live variables, which variables
// are shared, and which loops only wait.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/internal/bitset"
	"magus/smt/expr"
)

// A flow is an automaton made ready.
type flow struct {
	c         *cfa.CFA
	index     map[*expr.Expr]int // of variables, as in CFA.Vars
	live      []bitset.Set[int]  // by location: the variables whose values may matter there
	read      [][]int            // by location
	written   [][]int
	inSection []bool
	thread    []int32
}

// newFlow makes an automaton ready. The error is ctx's.
func newFlow(ctx context.Context, c *cfa.CFA) (*flow, error) {
	u, err := c.Uses(ctx)
	if err != nil {
		return nil, err
	}
	live, err := u.Live(ctx)
	return &flow{c: c, index: u.Index, live: live, read: u.Read, written: u.Written,
		inSection: c.InSection(), thread: c.ThreadOf()}, err
}

// accessors are by variable the threads that access it.
func (f *flow) accessors() [][]int32 {
	by := make([][]int32, len(f.c.Vars))
	for l := range f.c.Locs {
		for _, list := range [2][]int{f.read[l], f.written[l]} {
			for _, v := range list {
				if !slices.Contains(by[v], f.thread[l]) {
					by[v] = append(by[v], f.thread[l])
				}
			}
		}
	}
	return by
}

// sharedVars are the variables that two threads access, one of them writing, while there may be
// several.
func (f *flow) sharedVars() []int {
	concurrent := f.c.InParallel()
	written := make([]bool, len(f.c.Vars))
	for l := range f.c.Locs {
		for _, v := range f.written[l] {
			written[v] = written[v] || concurrent[l]
		}
	}
	var shared []int
	for v, by := range f.accessors() {
		if len(by) > 1 && written[v] {
			shared = append(shared, v)
		}
	}
	return shared
}

// owners are by shared variable the only thread that writes it while there may be several, if it
// reads it then too; -1 where there is none.
func (f *flow) owners(shared []bool) []int32 {
	const nobody, several = -1, -2
	concurrent := f.c.InParallel()
	owner, read := make([]int32, len(f.c.Vars)), make([]bool, len(f.c.Vars))
	for v := range owner {
		owner[v] = nobody
	}
	for l := range f.c.Locs {
		for _, v := range f.written[l] {
			switch {
			case !concurrent[l] || owner[v] == f.thread[l]:
			case owner[v] == nobody:
				owner[v] = f.thread[l]
			default:
				owner[v] = several
			}
		}
	}
	for l := range f.c.Locs {
		for _, v := range f.read[l] {
			read[v] = read[v] || concurrent[l] && owner[v] == f.thread[l]
		}
	}
	for v := range owner {
		if !shared[v] || !read[v] {
			owner[v] = nobody
		}
	}
	return owner
}

// spins says of the component of a head whether it only waits: it writes no shared variable, and no
// local one whose value matters in the next round. All rounds but the last can be left out then: no
// other thread can tell, nor can this one.
func (f *flow) spins(head cfa.Loc, order map[cfa.Loc]*ordered, shared []bool) bool {
	depth := len(order[head].heads)
	for l, p := range order {
		if len(p.heads) < depth || p.heads[depth-1] != head {
			continue
		}
		switch f.c.Locs[l].Stmt.(type) {
		case cfa.Spawn, cfa.Join:
			return false
		}
		for _, v := range f.written[l] {
			if shared[v] || f.live[head].Has(v) {
				return false
			}
		}
	}
	return true
}
