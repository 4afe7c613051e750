package interp

// Variables that may be read before they are set: backward data flow to a
// fixpoint, one bit per location and variable. Cost: locations times variables
// times the longest chain of locations against the order of the text, which is small where it is used.

import "magus/internal/bitset"

// live says by location and number which variables some path from there reads before it sets them. Where a
// thread is created, the paths are those of both.
func (m *Machine) live() []bitset.Set[int32] {
	live := make([]bitset.Set[int32], len(m.locs))
	for i := range live {
		live[i] = bitset.New[int32](len(m.vars))
	}
	in := bitset.New[int32](len(m.vars))
	for changed := true; changed; {
		changed = false
		for i := len(m.locs) - 1; i >= 0; i-- {
			m.before(&m.locs[i], live, in)
			changed = live[i].Unite(in) || changed
		}
	}
	return live
}

// before makes in what is live before a statement.
func (m *Machine) before(p *place, live []bitset.Set[int32], in bitset.Set[int32]) {
	clear(in)
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
