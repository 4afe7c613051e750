package sequential

// Which threads are copies of each other, and whose a variable is.
//
// Idea: two copies are walked side by side. Each statement of one must be the other's, where the
// variables of one stand for those of the other, one for one, and so do the addresses of their
// objects. Any other constant that differs is who the copy is: the number of a thread. What depends
// on it is forgotten, in all copies: a branch goes either way, what is assigned is any value. So
// copies have more runs than before, and are alike. Addresses must stay in the copy's own variables:
// if others could see them, they would tell one copy from another.
//
// Cost: linear in the copies.

import (
	"reflect"
	"slices"

	"magus/cfa"
	"magus/internal/graph"
	"magus/smt/expr"
)

// classify finds the classes of threads, what each owns, and what is shared.
func (m *modular) classify() error {
	type class struct {
		proc string
		site cfa.Pos
	}
	index := map[class]int{}
	var walks []*symmetry
	apart := map[*expr.Expr]bool{} // variables and addresses that copies have each for itself
	for t, thread := range m.c.Threads {
		if thread.Entry < 0 {
			continue
		}
		k, ok := index[class{thread.Proc, thread.Site}]
		if !ok {
			index[class{thread.Proc, thread.Site}] = len(m.classes)
			m.classes = append(m.classes, []int{t})
			continue
		}
		w := &symmetry{c: m.c, to: map[*expr.Expr]*expr.Expr{}, from: map[*expr.Expr]*expr.Expr{}, at: map[cfa.Loc]cfa.Loc{}}
		if !w.walk(m.c.Threads[m.classes[k][0]].Entry, thread.Entry) {
			return ErrIdentity
		}
		walks = append(walks, w)
		for x, y := range w.to {
			if x != y {
				apart[x], apart[y] = true, true
			}
		}
		m.classes[k] = append(m.classes[k], t)
	}
	if slices.ContainsFunc(m.c.Locs, func(l cfa.Location) bool { _, calls := l.Stmt.(cfa.Call); return calls }) {
		return ErrIdentity
	}
	m.forget(walks)
	m.owners(apart)
	if m.escapes(apart) {
		return ErrIdentity
	}
	m.effects()
	return nil
}

// forget finds the statements at which copies are not alike, in all copies.
func (m *modular) forget(walks []*symmetry) {
	m.blind = make([]bool, len(m.c.Locs))
	for range walks { // what one copy forgets, the others do
		for _, w := range walks {
			for _, l := range w.differ {
				m.blind[l] = true
			}
			for a, b := range w.at {
				blind := m.blind[a] || m.blind[b]
				m.blind[a], m.blind[b] = blind, blind
			}
		}
	}
}

// escapes reports whether an address of a copy's own may come to what others see.
func (m *modular) escapes(apart map[*expr.Expr]bool) bool {
	seen := func(x *expr.Expr) bool { return !apart[x] || m.opaque[x] }
	carries := map[*expr.Expr]bool{}
	for x := range apart {
		carries[x] = x.IsConst()
	}
	for changed := true; changed; {
		changed = false
		for i := range m.c.Locs {
			a, ok := m.c.Locs[i].Stmt.(cfa.Assign)
			if !ok || a.RHS == nil || carries[a.LHS] {
				continue
			}
			own := false
			expr.Walk(func(e *expr.Expr) { own = own || carries[e] }, a.RHS)
			if own && seen(a.LHS) {
				return true
			}
			carries[a.LHS], changed = own, changed || own
		}
	}
	return false
}

// owners says of each variable whose it is.
func (m *modular) owners(apart map[*expr.Expr]bool) {
	const several = -1
	m.user = map[*expr.Expr]int{}
	user := m.user
	written, late := make([]map[*expr.Expr]bool, len(m.c.Threads)), map[*expr.Expr]bool{}
	for t := range written {
		written[t] = map[*expr.Expr]bool{}
	}
	after := m.c.InParallel()
	for l, t := range m.c.ThreadOf() {
		read, writes := m.c.Accesses(cfa.Loc(l))
		for _, x := range append(slices.Clone(read), writes...) {
			if u, ok := user[x]; ok && u != int(t) {
				user[x] = several
			} else {
				user[x] = int(t)
			}
		}
		for _, x := range writes {
			written[t][x] = true
			late[x] = late[x] || after[l]
		}
	}
	m.own, m.shared, m.opaque = make([][]*expr.Expr, len(m.c.Threads)), map[*expr.Expr]bool{}, map[*expr.Expr]bool{}
	for _, v := range m.c.Vars {
		switch u, ok := user[v.Expr]; {
		case !ok:
		case u == several && apart[v.Expr]:
			m.opaque[v.Expr] = true
		case u == several:
			m.shared[v.Expr] = late[v.Expr]
		case written[u][v.Expr] && !m.defined(u, v.Expr):
			m.own[u] = append(m.own[u], v.Expr)
		}
	}
}

// defined reports whether a thread never reads a variable before it has written it.
func (m *modular) defined(t int, x *expr.Expr) bool {
	entry := m.c.Threads[t].Entry
	if t == 0 || entry < 0 {
		return false
	}
	read := false
	graph.Closure(func(l cfa.Loc, yield func(cfa.Loc)) {
		reads, writes := m.c.Accesses(l)
		read = read || slices.Contains(reads, x)
		if read || slices.Contains(writes, x) {
			return
		}
		for _, n := range m.c.Next(l) {
			yield(n)
		}
	}, entry)
	return !read
}

// effects finds the steps that change what is shared.
func (m *modular) effects() {
	m.effect = make([]bool, len(m.c.Locs))
	writes := func(l cfa.Loc) bool {
		_, w := m.c.Accesses(l)
		return slices.ContainsFunc(w, func(x *expr.Expr) bool { return m.shared[x] })
	}
	for l := range m.c.Locs {
		if s, ok := m.c.Locs[l].Stmt.(cfa.Atomic); ok && s.Begin {
			m.effect[l] = slices.ContainsFunc(m.section(cfa.Loc(l)), writes)
		} else {
			m.effect[l] = !m.in[l] && writes(cfa.Loc(l))
		}
	}
	var changes []int
	for l, is := range m.effect {
		if is {
			changes = append(changes, l)
		}
	}
	m.leads = graph.Reachable(graph.Reverse(m.c.ThreadGraph()), changes...)
}

// section are the locations of a section.
func (m *modular) section(begin cfa.Loc) []cfa.Loc {
	return graph.Closure(func(l cfa.Loc, yield func(cfa.Loc)) {
		for _, n := range m.c.Next(l) {
			if m.in[n] {
				yield(n)
			}
		}
	}, m.c.Next(begin)...)
}

// A symmetry is what is known of two copies: thread symmetry.
type symmetry struct {
	c        *cfa.CFA
	to, from map[*expr.Expr]*expr.Expr // variables, and addresses that differ
	at       map[cfa.Loc]cfa.Loc
	differ   []cfa.Loc       // of the first copy: what is done there depends on which copy it is
	trail    [][2]*expr.Expr // what the statement at hand has added to both
}

// attempt compares, and notes what stands for what only if all of it is alike.
func (w *symmetry) attempt(compare func() bool) bool {
	w.trail = w.trail[:0]
	ok := compare()
	if !ok {
		for _, pair := range w.trail {
			delete(w.to, pair[0])
			delete(w.from, pair[1])
		}
	}
	return ok
}

// forgettable reports whether two statements can be taken for one that depends on nothing: a branch,
// or an assignment to variables that stand for each other.
func (w *symmetry) forgettable(a, b cfa.Stmt) bool {
	switch a := a.(type) {
	case cfa.Assign:
		b, ok := b.(cfa.Assign)
		return ok && w.term(a.LHS, b.LHS)
	case cfa.Branch:
		_, ok := b.(cfa.Branch)
		return ok
	}
	return false
}

// walk compares two copies from their entries on.
func (w *symmetry) walk(a, b cfa.Loc) bool {
	for work := [][2]cfa.Loc{{a, b}}; len(work) > 0; {
		a, b := work[len(work)-1][0], work[len(work)-1][1]
		work = work[:len(work)-1]
		if other, ok := w.at[a]; ok {
			if other != b {
				return false
			}
			continue
		}
		w.at[a] = b
		next, others := w.c.Next(a), w.c.Next(b)
		if len(next) != len(others) {
			return false
		}
		if x, y := w.c.Locs[a].Stmt, w.c.Locs[b].Stmt; !w.attempt(func() bool { return w.stmt(x, y) }) {
			if !w.attempt(func() bool { return w.forgettable(x, y) }) {
				return false
			}
			w.differ = append(w.differ, a)
		}
		for i := range next {
			work = append(work, [2]cfa.Loc{next[i], others[i]})
		}
	}
	return true
}

// stmt compares two statements.
func (w *symmetry) stmt(a, b cfa.Stmt) bool {
	switch a := a.(type) {
	case cfa.Assign:
		b, ok := b.(cfa.Assign)
		return ok && w.assign(a, b)
	case cfa.Branch:
		b, ok := b.(cfa.Branch)
		return ok && w.term(a.Cond, b.Cond)
	case cfa.Return:
		b, ok := b.(cfa.Return)
		return ok && w.term(a.Value, b.Value)
	case cfa.Spawn: // threads of one call are compared by themselves
		_, ok := b.(cfa.Spawn)
		return ok
	}
	return reflect.DeepEqual(a, b)
}

func (w *symmetry) assign(a, b cfa.Assign) bool {
	if (a.Memory == nil) != (b.Memory == nil) || (a.Exact == nil) != (b.Exact == nil) ||
		(a.Approx == "") != (b.Approx == "") {
		return false
	}
	if a.Memory != nil && !(w.term(a.Memory.Addr, b.Memory.Addr) && w.term(a.Memory.Length, b.Memory.Length)) {
		return false
	}
	if a.Exact != nil && !(w.term(a.Exact.When, b.Exact.When) && w.term(a.Exact.Value, b.Exact.Value)) {
		return false
	}
	return w.term(a.LHS, b.LHS) && w.term(a.RHS, b.RHS)
}

// term compares two terms; both may be nil.
func (w *symmetry) term(a, b *expr.Expr) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Op() != b.Op() || a.Type() != b.Type() {
		return false
	}
	switch a.Op() {
	case expr.Const:
		if a == b || !w.object(a) || !w.object(b) {
			return a == b
		}
		fallthrough
	case expr.Var:
		x, known := w.to[a]
		y, used := w.from[b]
		if !known && !used {
			w.to[a], w.from[b] = b, a
			w.trail = append(w.trail, [2]*expr.Expr{a, b})
			return true
		}
		return x == b && y == a
	}
	return slices.EqualFunc(a.Args(), b.Args(), w.term)
}

// object reports whether a constant is the address of an object.
func (w *symmetry) object(a *expr.Expr) bool {
	return slices.ContainsFunc(w.c.Objects, func(o cfa.Object) bool {
		return !o.Function && o.Base <= a.Value() && a.Value() <= o.Base+o.Size
	})
}
