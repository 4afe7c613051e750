package predabs

import (
	"magus/internal/graph"
	"magus/smt/expr"
)

// A unionFind joins items by the variables that they share: the sets are the parts
// of a question that have nothing to do with each other. Cost: nearly linear.
type unionFind struct {
	parent graph.Classes[int]
	owner  map[*expr.Expr]int
}

func newUnionFind(n int) *unionFind {
	u := &unionFind{}
	u.reset(n)
	return u
}

// reset begins again with n items.
func (u *unionFind) reset(n int) {
	u.parent = u.parent[:0]
	for range n {
		u.parent.Add()
	}
	if u.owner == nil {
		u.owner = map[*expr.Expr]int{}
	}
	clear(u.owner)
}

// item adds an item.
func (u *unionFind) item() int { return u.parent.Add() }

func (u *unionFind) find(i int) int { return u.parent.Find(i) }

// join makes the sets of i and j one; the least item stands for it.
func (u *unionFind) join(i, j int) {
	i, j = u.find(i), u.find(j)
	u.parent.Join(max(i, j), min(i, j))
}

// touch joins item i with all items that share a variable with it.
func (u *unionFind) touch(i int, vars []*expr.Expr) {
	for _, v := range vars {
		if j, ok := u.owner[v]; ok {
			u.join(i, j)
		} else {
			u.owner[v] = i
		}
	}
}
