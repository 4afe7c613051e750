package interp

import (
	"context"

	"magus/internal/bitset"
	"magus/internal/graph"
)

// live says by location and number which variables some path from there reads before it sets them. Where a
// thread is created, the paths are those of both. The error is ctx's.
func (m *Machine) live(ctx context.Context) ([]bitset.Set[int32], error) {
	g := graph.Func{Nodes: len(m.locs), Succ: func(n int, yield func(int)) {
		for _, s := range m.locs[n].succ {
			yield(int(s))
		}
	}}
	return graph.Live(ctx, g, len(m.vars), func(n int, live []bitset.Set[int32], in bitset.Set[int32]) {
		m.before(&m.locs[n], live, in)
	})
}

// before makes in what is live before a statement.
func (m *Machine) before(p *laidOut, live []bitset.Set[int32], in bitset.Set[int32]) {
	for _, s := range p.succ {
		in.Unite(live[s])
	}
	if p.lhs >= 0 {
		in.Remove(p.lhs)
	}
	for _, v := range p.clobbers {
		in.Remove(v)
	}
	for _, c := range append(p.args[:len(p.args):len(p.args)], p.val, p.addr, p.length, p.when, p.value) {
		if c == nil {
			continue
		}
		for _, v := range c.vars {
			in.Add(v)
		}
	}
}
