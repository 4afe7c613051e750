package interp

// Variables that may be read before they are set: backward data flow to a
// fixpoint, one bit per location and variable. Cost: locations times variables
// times the longest chain of locations, which is small where it is used.

import "magus/cfa"

// liveAtEntry says by number which variables some path reads before it sets
// them.
func (m *Machine) liveAtEntry() []bool {
	live := make([][]bool, len(m.locs))
	for i := range live {
		live[i] = make([]bool, len(m.vars))
	}
	for changed := true; changed; {
		changed = false
		for i := len(m.locs) - 1; i >= 0; i-- {
			changed = m.liveBefore(cfa.Loc(i), live) || changed
		}
	}
	return live[m.cfa.Entry]
}

// liveBefore adds to live[l] what is live before l, and reports whether
// anything was new.
func (m *Machine) liveBefore(l cfa.Loc, live [][]bool) (grew bool) {
	p := &m.locs[l]
	in := make([]bool, len(m.vars))
	for _, s := range p.succ {
		for v, b := range live[s] {
			in[v] = in[v] || b
		}
	}
	if p.lhs >= 0 {
		in[p.lhs] = false
	}
	for _, v := range p.clobbers {
		in[v] = false
	}
	for _, c := range append(p.args[:len(p.args):len(p.args)], p.val, p.addr, p.length) {
		if c == nil {
			continue
		}
		for _, v := range c.vars {
			in[v] = true
		}
	}
	for v, b := range in {
		if b && !live[l][v] {
			live[l][v], grew = true, true
		}
	}
	return grew
}
