package cfa

// Compaction: the lowering leaves a Goto at every label, head of a loop and
// join of two branches. Here each edge is led past them, branches whose
// two ends are one become nothing, and what control cannot reach is dropped.
// A Goto stays only where a loop does nothing at all. Locations keep their
// order, which is that of the source, but for the entry, which comes first.
// Cost: near linear, once more for empty branches that loops hide from each other.

import "magus/internal/graph"

// compact gives the entry and the locations that are left, with the numbers that
// these had.
func compact(locs []Location, start Loc) (entry Loc, left []Location, numbers []Loc) {
	t := newThreads(locs)
	order := graph.Postorder(flowing(locs), int(start)) // nested empty branches become nothing in one pass
	for changed := true; changed; {
		changed = false
		for _, i := range order {
			if _, ok := locs[i].Stmt.(Branch); !ok || locs[i].Succ[0] < 0 || locs[i].Succ[1] < 0 {
				continue
			}
			if a := t.end(locs[i].Succ[0]); a == t.end(locs[i].Succ[1]) && a != Loc(i) {
				locs[i].Stmt, locs[i].Succ, changed = Goto{}, []Loc{a}, true
				t.next[i] = a
			}
		}
	}
	return renumber(locs, t, t.end(start))
}

// threads say where control is once it has left the gotos at a location. A cycle
// of gotos is represented by one of them.
type threads struct {
	next graph.Classes[Loc] // of a goto that is left behind; of all others the location itself
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
func (t *threads) end(at Loc) Loc { return t.next.Find(at) }

// flowing are the locations with the edges that control takes before the last gotos are left behind.
func flowing(locs []Location) graph.Graph {
	all := known(locs)
	return graph.Func{Nodes: len(locs), Succ: func(n int, yield func(int)) {
		if !ends(locs[n].Stmt) {
			all.Out(n, yield)
		}
	}}
}

// renumber keeps what is reachable from entry.
func renumber(locs []Location, t *threads, entry Loc) (Loc, []Location, []Loc) {
	seen := graph.Reachable(graph.Func{Nodes: len(locs), Succ: func(at int, yield func(int)) {
		if ends(locs[at].Stmt) {
			return
		}
		for k, s := range locs[at].Succ {
			s = t.end(s)
			locs[at].Succ[k] = s
			yield(int(s))
		}
	}}, int(entry))
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
