package cfa

import (
	"context"

	"magus/internal/bitset"
	"magus/internal/graph"
	"magus/smt/expr"
)

// Graph has an edge for each way that control takes: also from where a thread is created to where it begins.
func (c *CFA) Graph() graph.Graph {
	return graph.Func{Nodes: len(c.Locs), Succ: func(n int, yield func(int)) { each(c.Locs[n].Succ, yield) }}
}

// ThreadGraph has an edge for each way that control takes within a thread.
func (c *CFA) ThreadGraph() graph.Graph {
	return graph.Func{Nodes: len(c.Locs), Succ: func(n int, yield func(int)) { each(c.Next(Loc(n)), yield) }}
}

// known are locations with edges to those that exist: an automaton that is not finished has others.
func known(locs []Location) graph.Graph {
	return graph.Func{Nodes: len(locs), Succ: func(n int, yield func(int)) {
		for _, l := range locs[n].Succ {
			if l >= 0 && int(l) < len(locs) {
				yield(int(l))
			}
		}
	}}
}

func each(locs []Loc, yield func(int)) {
	for _, l := range locs {
		yield(int(l))
	}
}

// InParallel says by location whether another thread may have been created when control is there: only
// what is done there may happen in parallel with something else. That a thread has ended is not looked at.
func (c *CFA) InParallel() []bool {
	var after []int
	for l := range c.Locs {
		if _, ok := c.Locs[l].Stmt.(Spawn); ok {
			each(c.Locs[l].Succ, func(n int) { after = append(after, n) })
		}
	}
	return graph.Reachable(c.Graph(), after...)
}

// Uses are the variables that locations read and write, by their index in CFA.Vars.
type Uses struct {
	c             *CFA
	Index         map[*expr.Expr]int
	Read, Written [][]int // by location
}

// Uses finds them. The error is ctx's.
func (c *CFA) Uses(ctx context.Context) (*Uses, error) {
	u := &Uses{c: c, Index: map[*expr.Expr]int{}}
	for i, v := range c.Vars {
		u.Index[v.Expr] = i
	}
	for l := range c.Locs {
		if l%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		read, written := c.Accesses(Loc(l))
		u.Read, u.Written = append(u.Read, u.numbers(read)), append(u.Written, u.numbers(written))
	}
	return u, nil
}

func (u *Uses) numbers(vars []*expr.Expr) []int {
	var ns []int
	for _, v := range vars {
		if i, ok := u.Index[v]; ok {
			ns = append(ns, i)
		}
	}
	return ns
}

// Live says by location which variables may be read from there before they are written. What is live where a
// thread begins is live where it is created. The error is ctx's.
func (u *Uses) Live(ctx context.Context) ([]bitset.Set[int], error) {
	return graph.Live(ctx, u.c.Graph(), len(u.c.Vars), func(n int, live []bitset.Set[int], in bitset.Set[int]) {
		for _, s := range u.c.Locs[n].Succ {
			in.Unite(live[s])
		}
		for _, v := range u.Written[n] {
			in.Remove(v)
		}
		for _, v := range u.Read[n] {
			in.Add(v)
		}
	})
}
