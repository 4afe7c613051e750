package cfa

// Compaction: the lowering leaves a Goto at every label, head of a loop and
// place where two ways meet. Here each edge is led past them, branches whose
// two ends are one become nothing, and what control cannot reach is dropped.
// A Goto stays only where a loop does nothing at all. Locations keep their
// order, which is that of the source, but for the entry, which comes first.
// Cost: near linear, once more for empty branches that loops hide from each other.

// compact gives the entry and the locations that are left, with the numbers that
// these had.
func compact(locs []Location, start Loc) (entry Loc, left []Location, numbers []Loc) {
	t := newThreads(locs)
	order := postorder(locs, start)
	for changed := true; changed; {
		changed = false
		for _, i := range order {
			if _, ok := locs[i].Stmt.(Branch); !ok || locs[i].Succ[0] < 0 || locs[i].Succ[1] < 0 {
				continue
			}
			if a := t.end(locs[i].Succ[0]); a == t.end(locs[i].Succ[1]) && a != i {
				locs[i].Stmt, locs[i].Succ, changed = Goto{}, []Loc{a}, true
				t.next[i] = a
			}
		}
	}
	return renumber(locs, t, t.end(start))
}

// postorder lists what can be reached from start, each location after those that
// it leads to, but for loops: nested empty branches become nothing in one go.
func postorder(locs []Location, start Loc) []Loc {
	type frame struct {
		at   Loc
		next int // successor to look at
	}
	seen := make([]bool, len(locs))
	seen[start] = true
	var order []Loc
	for stack := []frame{{start, 0}}; len(stack) > 0; {
		f := &stack[len(stack)-1]
		if ends(locs[f.at].Stmt) || f.next == len(locs[f.at].Succ) {
			order = append(order, f.at)
			stack = stack[:len(stack)-1]
			continue
		}
		s := locs[f.at].Succ[f.next]
		f.next++
		if s >= 0 && !seen[s] {
			seen[s] = true
			stack = append(stack, frame{s, 0})
		}
	}
	return order
}

// threads say where control is once it has left the gotos at a location. A cycle
// of gotos is represented by one of them.
type threads struct {
	next []Loc // of a goto that is left behind; of all others the location itself
}

func newThreads(locs []Location) *threads {
	const unseen, open = Loc(-1), Loc(-2)
	t := &threads{make([]Loc, len(locs))}
	for i := range t.next {
		t.next[i] = unseen
	}
	for i := range locs {
		var path []Loc
		at := Loc(i)
		for t.next[at] == unseen {
			if _, ok := locs[at].Stmt.(Goto); !ok || locs[at].Succ[0] < 0 {
				t.next[at] = at
				break
			}
			path = append(path, at)
			t.next[at] = open
			at = locs[at].Succ[0]
		}
		if t.next[at] == open { // met again: a cycle
			t.next[at] = at
		}
		for _, p := range path {
			if t.next[p] == open {
				t.next[p] = at
			}
		}
	}
	return t
}

// end is where control is then.
func (t *threads) end(at Loc) Loc {
	for t.next[at] != at {
		t.next[at] = t.next[t.next[at]]
		at = t.next[at]
	}
	return at
}

// renumber keeps what is reachable from entry.
func renumber(locs []Location, t *threads, entry Loc) (Loc, []Location, []Loc) {
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
			s = t.end(s)
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
	return 0, out, order
}

// ends reports whether a statement has no successor.
func ends(s Stmt) bool {
	switch s.(type) {
	case Return, Halt, End, unsupported:
		return true
	}
	return false
}
