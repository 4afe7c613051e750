package cfa

// Compaction: the lowering leaves a Goto at every label, head of a loop and
// place where two ways meet. Here each edge is led past them, branches whose
// two ends are one become nothing, and what control cannot reach is dropped.
// A Goto stays only where a loop does nothing at all. Locations keep their
// order, which is that of the source, but for the entry, which comes first.
// Cost: linear, times the depth of nested empty branches.

// compact gives the entry and the locations that are left.
func compact(locs []Location, start Loc) (Loc, []Location) {
	target := make([]Loc, len(locs))
	for changed := true; changed; {
		for i := range target {
			target[i] = -1
		}
		for i := range locs {
			follow(locs, target, Loc(i))
		}
		changed = false
		for i := range locs {
			if _, ok := locs[i].Stmt.(Branch); ok && locs[i].Succ[0] >= 0 && locs[i].Succ[1] >= 0 {
				if a := target[locs[i].Succ[0]]; a == target[locs[i].Succ[1]] && a != Loc(i) {
					locs[i].Stmt, locs[i].Succ, changed = Goto{}, []Loc{a}, true
				}
			}
		}
	}
	return renumber(locs, target, target[start])
}

// follow finds where control is once it has left the gotos at a location. A
// cycle of gotos is represented by one of them.
func follow(locs []Location, target []Loc, at Loc) {
	var path []Loc
	end := at
	for target[end] < 0 {
		if _, ok := locs[end].Stmt.(Goto); !ok {
			target[end] = end
			break
		}
		path = append(path, end)
		target[end] = end // provisional: met again, it is a cycle
		next := locs[end].Succ[0]
		if next < 0 {
			break
		}
		end = next
	}
	for _, p := range path {
		target[p] = target[end]
	}
}

// renumber keeps what is reachable from entry.
func renumber(locs []Location, target []Loc, entry Loc) (Loc, []Location) {
	seen := make([]bool, len(locs))
	work := []Loc{entry}
	seen[entry] = true
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for k, s := range locs[at].Succ {
			if ends(locs[at].Stmt) {
				break
			}
			s = target[s]
			locs[at].Succ[k] = s
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	number := make([]Loc, len(locs))
	order := []Loc{}
	add := func(i Loc) { number[i] = Loc(len(order)); order = append(order, i) }
	add(entry)
	for i := range locs {
		if seen[i] && Loc(i) != entry {
			add(Loc(i))
		}
	}
	out := make([]Location, len(order))
	for k, i := range order {
		loc := locs[i]
		succ := make([]Loc, 0, len(loc.Succ))
		if !ends(loc.Stmt) {
			for _, s := range loc.Succ {
				succ = append(succ, number[s])
			}
		}
		loc.Succ = succ
		out[k] = loc
	}
	return 0, out
}

// ends reports whether a statement has no successor.
func ends(s Stmt) bool {
	switch s.(type) {
	case Return, Halt, unsupported:
		return true
	}
	return false
}
