package counting

import (
	"cmp"
	"slices"

	"magus/lts"
)

// missing says that a path needs one more copy in a state than there is, and how many there were at most on
// the way.
type missing struct {
	lts   int
	state lts.State
	most  uint32
}

// follow takes the steps of a path with exact numbers. They can be taken, or the first copy is missing.
func (c *Composition) follow(path []step) (m missing, real bool) {
	at := c.initial()
	most := at.clone()
	for _, s := range path {
		for _, v := range s.moves {
			if at[v.lts][v.from] == 0 {
				return missing{v.lts, v.from, most[v.lts][v.from]}, false
			}
		}
		at = at.after(s.moves)
		for _, v := range s.moves {
			most[v.lts][v.to] = max(most[v.lts][v.to], at[v.lts][v.to])
		}
	}
	return missing{}, true
}

// A crew is the copies of one LTS while a path is turned into a run.
type crew struct {
	at    [][]int // by state: the copies there, the one that came last at the end
	count int
}

// run tells the copies apart: of those in a state, the one that came last goes on. Copies come into
// being when they are needed. The path can be taken.
func (c *Composition) run(path []step) (*lts.Counterexample, []int) {
	crews := make([]crew, len(c.LTSs))
	for i, m := range c.LTSs {
		crews[i].at = make([][]int, m.NumStates())
		for range max(c.Copies[i], 0) {
			crews[i].join(m.Init())
		}
	}
	x := &lts.Counterexample{}
	var copies [][]int // of each step, which copy makes each move
	for _, s := range path {
		var who []int
		for _, v := range s.moves {
			if len(crews[v.lts].at[v.from]) == 0 {
				crews[v.lts].join(v.from)
			}
			who = append(who, crews[v.lts].leave(v.from))
		}
		for k, v := range s.moves {
			crews[v.lts].at[v.to] = append(crews[v.lts].at[v.to], who[k])
		}
		copies = append(copies, who)
	}
	numbers, first := make([]int, len(crews)), make([]int, len(crews))
	for i := range crews {
		numbers[i] = max(1, crews[i].count)
		if i > 0 {
			first[i] = first[i-1] + numbers[i-1]
		}
	}
	for k, s := range path {
		out := lts.Step{Action: s.action}
		for j, v := range s.moves {
			out.Moves = append(out.Moves, lts.Move{Component: first[v.lts] + copies[k][j], From: v.from, To: v.to})
		}
		slices.SortFunc(out.Moves, func(a, b lts.Move) int { return cmp.Compare(a.Component, b.Component) })
		x.Steps = append(x.Steps, out)
	}
	return x, numbers
}

// join lets one more copy begin.
func (c *crew) join(s lts.State) {
	c.at[s] = append(c.at[s], c.count)
	c.count++
}

// leave takes the copy that came to a state last.
func (c *crew) leave(s lts.State) int {
	last := len(c.at[s]) - 1
	k := c.at[s][last]
	c.at[s] = c.at[s][:last]
	return k
}
