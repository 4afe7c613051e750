package counting

import (
	"math"
	"slices"

	"magus/lts"
)

// Any number of copies, in a Composition one or more.
const Any = -1

// A Composition is LTSs side by side, each in a number of copies. All are numbered by one Actions table.
type Composition struct {
	LTSs   []*lts.LTS
	Copies []int // of each LTS: how many run, 1 or more, or Any
	Spec   *lts.LTS
}

// A Marking says how many copies of each LTS are in each of its states: marking[i][s]. [Unbounded] stands for
// every number, so that a marking stands for all that are not greater.
type Marking [][]uint32

// Unbounded is every number of copies.
const Unbounded = math.MaxUint32

// covers says whether every number in n is at most that in m.
func (m Marking) covers(n Marking) bool {
	for i := range m {
		for s, k := range n[i] {
			if k > m[i][s] {
				return false
			}
		}
	}
	return true
}

func (m Marking) clone() Marking {
	c := make(Marking, len(m))
	for i := range m {
		c[i] = slices.Clone(m[i])
	}
	return c
}

// initial has all copies in their initial states.
func (c *Composition) initial() Marking {
	m := make(Marking, len(c.LTSs))
	for i, l := range c.LTSs {
		m[i] = make([]uint32, l.NumStates())
		m[i][l.Init()] = Unbounded
		if n := c.Copies[i]; n != Any {
			m[i][l.Init()] = uint32(n)
		}
	}
	return m
}

// A move is the part of one copy in a step: of which LTS, from where, to where.
type move struct {
	lts      int
	from, to lts.State
}

// after is where a step leads: a copy leaves each source and one comes to each target, where numbers are
// exact.
func (m Marking) after(moves []move) Marking {
	next := slices.Clone(m)
	for _, v := range moves {
		at := slices.Clone(next[v.lts])
		if at[v.from] != Unbounded {
			at[v.from]--
		}
		if at[v.to] != Unbounded {
			at[v.to]++
		}
		next[v.lts] = at
	}
	return next
}
