package predabs

import "magus/smt/expr"

// A unionFind joins items by the variables that they share: the sets are the parts
// of a question that have nothing to do with each other. Cost: nearly linear.
type unionFind struct {
	parent []int
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
	for i := range n {
		u.parent = append(u.parent, i)
	}
	if u.owner == nil {
		u.owner = map[*expr.Expr]int{}
	}
	clear(u.owner)
}

// item adds an item.
func (u *unionFind) item() int {
	u.parent = append(u.parent, len(u.parent))
	return len(u.parent) - 1
}

func (u *unionFind) find(i int) int {
	for u.parent[i] != i {
		u.parent[i] = u.parent[u.parent[i]]
		i = u.parent[i]
	}
	return i
}

func (u *unionFind) join(i, j int) {
	i, j = u.find(i), u.find(j)
	u.parent[max(i, j)] = min(i, j)
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
