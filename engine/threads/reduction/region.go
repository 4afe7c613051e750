package reduction

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// A region is a connected part of a thread in which it holds locks.
type region struct {
	locs   []cfa.Loc // those where it does, and of sections that take the first
	begins []cfa.Loc // of these sections
}

// regions are all of them. A location is in one at most.
func (m *merger) regions() []*region {
	in := make([]bool, len(m.c.Locs)) // in some region
	for l := range m.c.Locs {
		in[l] = m.concurrent[l] && m.holds(cfa.Loc(l))
	}
	for b, list := range m.within {
		if m.concurrent[b] && !m.holds(b) && slices.ContainsFunc(list, func(l cfa.Loc) bool {
			return m.atomic(l, false) && len(m.step(l, 0).held) > 0
		}) {
			in[b] = true
			for _, l := range list {
				in[l] = true
			}
		}
	}
	before := make([][]cfa.Loc, len(m.c.Locs))
	for l := range m.c.Locs {
		for _, s := range m.c.Next(cfa.Loc(l)) {
			before[s] = append(before[s], cfa.Loc(l))
		}
	}
	var all []*region
	done := make([]bool, len(m.c.Locs))
	for l := range m.c.Locs {
		if !in[l] || done[l] {
			continue
		}
		r := &region{}
		for work := []cfa.Loc{cfa.Loc(l)}; len(work) > 0; {
			at := work[len(work)-1]
			work = work[:len(work)-1]
			if !in[at] || done[at] {
				continue
			}
			done[at] = true
			r.locs = append(r.locs, at)
			if !m.holds(at) && m.atomic(at, true) {
				r.begins = append(r.begins, at)
			}
			if !m.leaves(at) {
				work = append(work, m.next(at)...)
			}
			for _, b := range before[at] {
				if in[b] && !m.leaves(b) {
					work = append(work, b)
				}
			}
		}
		slices.Sort(r.locs)
		all = append(all, r)
	}
	return all
}

// leaves reports whether a thread holds nothing behind a statement, where it held something, and is in no section.
func (m *merger) leaves(l cfa.Loc) bool {
	if !m.holds(l) {
		return false
	}
	switch m.c.Locs[l].Stmt.(type) {
	case cfa.Atomic, cfa.Assign:
		return len(m.step(l, 0).held) == 0 && (!m.section[l] || m.atomic(l, false))
	}
	return false
}

// maxSpread bounds the shared variables that a region accesses which becomes one section. An access to one of
// many cells has a term for each of them, and in a section these terms go into each other.
const maxSpread = 16

// spread is the number of shared variables that a region accesses.
func (m *merger) spread(r *region) int {
	vars := map[*expr.Expr]bool{}
	for _, l := range r.locs {
		read, written := m.c.Accesses(l)
		for _, v := range slices.Concat(read, written) {
			if m.shared[v] {
				vars[v] = true
			}
		}
	}
	return len(vars)
}

// merges reports whether nobody can tell that a region is one section.
func (m *merger) merges(r *region) bool {
	in := map[cfa.Loc]bool{}
	for _, l := range r.locs {
		in[l] = true
	}
	if len(r.begins) == 0 || m.spread(r) > maxSpread {
		return false
	}
	for _, l := range r.locs {
		switch stmt := m.c.Locs[l].Stmt.(type) {
		case cfa.Spawn, cfa.Join, cfa.End, cfa.Return:
			return false
		case cfa.Atomic:
			if !stmt.Begin && m.begin[l] < 0 {
				return false
			}
		}
		if m.leaves(l) {
			continue
		}
		for _, s := range m.next(l) {
			if !in[s] || m.atomic(s, true) && !m.holds(s) {
				return false // what it holds it does not know any more, or it takes the lock twice
			}
		}
	}
	return m.commutes(r)
}

// commutes reports whether all paths of a region have right movers, then one non-mover at most, then left
// movers, and come to the region's end from there on.
func (m *merger) commutes(r *region) bool {
	const before, behind = 1, 2
	phase := map[cfa.Loc]uint8{}
	work := slices.Clone(r.begins)
	for _, b := range r.begins {
		phase[b] = before
	}
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		p := phase[l]
		switch k := m.movers[l]; {
		case k == bothMover:
		case p == behind && k != leftMover:
			return false
		case k != rightMover:
			p = behind
		}
		if m.leaves(l) {
			continue
		}
		for _, s := range m.next(l) {
			if phase[s] < p {
				phase[s] = p
				work = append(work, s)
			}
		}
	}
	return m.ends(phase, behind)
}

// ends reports whether control comes to the end of a region from all locations in the last phase.
func (m *merger) ends(phase map[cfa.Loc]uint8, last uint8) bool {
	const open, closed = 1, 2
	state := map[cfa.Loc]uint8{}
	var visit func(l cfa.Loc) bool
	visit = func(l cfa.Loc) bool {
		if m.leaves(l) {
			return true
		}
		if _, ok := m.c.Locs[l].Stmt.(cfa.Halt); ok {
			return false // also if the process ends: others may go on before
		}
		state[l] = open
		for _, s := range m.next(l) {
			if state[s] == open || state[s] == 0 && !visit(s) {
				return false
			}
		}
		state[l] = closed
		return true
	}
	for l, p := range phase {
		// A visible action within a section is done at its end.
		if p == last && state[l] == 0 && !visit(l) {
			return false
		}
	}
	return true
}

// merge makes sections of regions.
func (m *merger) merge() *cfa.CFA {
	out := *m.c
	out.Locs = slices.Clone(m.c.Locs)
	merged := false
	for _, r := range m.regions() {
		if !m.merges(r) {
			continue
		}
		merged = true
		for _, l := range r.locs {
			m.rewrite(&out, l, slices.Contains(r.begins, l))
		}
	}
	if !merged {
		return m.c
	}
	return &out
}

// rewrite drops the beginnings and ends of sections within a region, and ends it where it ends.
func (m *merger) rewrite(out *cfa.CFA, l cfa.Loc, first bool) {
	loc := &out.Locs[l]
	_, atomic := loc.Stmt.(cfa.Atomic)
	switch {
	case atomic && !first && !m.leaves(l):
		loc.Stmt = cfa.Goto{}
	case !atomic && m.leaves(l):
		end := *loc
		end.Stmt, end.Decides = cfa.Atomic{}, [2]cfa.Decision{}
		loc.Succ = []cfa.Loc{cfa.Loc(len(out.Locs))}
		out.Locs = append(out.Locs, end)
		if len(out.Sight.Origin) > 0 {
			out.Sight.Origin = append(slices.Clone(out.Sight.Origin), out.Sight.Origin[l])
		}
	}
}
