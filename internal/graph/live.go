package graph

import (
	"context"
	"slices"

	"magus/internal/bitset"
)

// Live finds the variables that are live before each node: those that some path from there reads before
// it writes them. There are vars of them.
//
// before makes in, which is empty, what is live before node n, of what is live before the nodes that n
// leads to. Laws: it reads live of successors of n only, changes nothing but in, and is monotone.
//
// Source: Aho, Lam, Sethi, Ullman, Compilers (2nd ed.), section 9.2.5. Cost: as [Fixpoint] in postorder;
// a bit for each node and variable.
func Live[N bitset.Number](ctx context.Context, g Graph, vars int,
	before func(n int, live []bitset.Set[N], in bitset.Set[N])) ([]bitset.Set[N], error) {
	nodes := make([]int, g.NumNodes())
	live := make([]bitset.Set[N], len(nodes))
	words := bitset.Words(vars)
	bits := make(bitset.Set[N], words*len(nodes))
	for n := range nodes {
		nodes[n], live[n] = n, slices.Clip(bits[n*words:(n+1)*words])
	}
	in := bitset.New[N](vars)
	err := Fixpoint(ctx, Reverse(g), Postorder(g, nodes...), nodes, func(n int) bool {
		clear(in)
		before(n, live, in)
		return live[n].Unite(in)
	})
	return live, err
}
