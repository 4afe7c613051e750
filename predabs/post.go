package predabs

// Abstract post.
//
// Idea: a valuation after an edge is possible iff some concrete state with the
// valuation before it satisfies the edge's guard and, for every atom after the
// edge, its weakest precondition has the value. Before the decision procedure
// is asked, the question is taken apart:
//
//   - an atom whose weakest precondition is a constant has that value;
//   - one whose weakest precondition is an atom before the edge, or the
//     negation of one, is carried over;
//   - a guard that is an atom before the edge, or a negation, is looked up;
//   - the rest falls into parts that share no variables. For each part a table
//     maps the values of the atoms before the edge that belong to it to all
//     possible values of its atoms after the edge, filled in when first asked;
//     a part of which nothing is known before the edge nor after it needs none
//     (tracked.go).
//
// The parts are independent, so the successors are the product of their rows.
//
// Source: Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), section 5.4 (Adm); taking unrelated predicates apart is as
// old as predicate abstraction itself.
//
// Deviations: one joint question Γ(V1) ∧ guard ∧ WP(Γ(V2)) where the paper
// asks about pairs separately, hence more precise. SOUND: every concrete step
// is covered; where a part has more atoms before the edge than a table's key
// holds, the atoms left out allow more rows, never fewer.
//
// Cost: a table row costs one projected enumeration of what its key leaves open (settle.go), once in the life of the
// component; plans and tables are kept across iterations, keyed by the edge
// and the atoms at its ends.

import (
	"context"
	"slices"
	"unsafe"

	"magus/component"
	"magus/smt/expr"
)

// A setBit is an atom with a value.
type setBit struct {
	atom  atom
	value bool
}

// A move carries the value of an atom before the edge to one after it.
type move struct {
	src, dst atom
	negated  bool
}

// A plan says how valuations pass an edge.
type plan struct {
	never bool // the guard contradicts itself
	// every atom after the edge is carried over from itself and nothing else is asked; nothing below
	// says so
	same    bool
	require []setBit // what the guard asks of atoms before the edge
	consts  []setBit // atoms after the edge whose value is fixed
	moves   []move
	tables  []*table
	after   []atom // the atoms tracked after the edge: those asked for, without the free ones
	list    int32  // the number of this list
}

// planning is memory that is used again for each plan: there are thousands in a small check.
type planning struct {
	guard, terms []*expr.Expr
	open, free   []atom
	parts        unionFind
	known        []bool
}

type planKey struct{ edge, src, dst int32 }

// maxKey is the number of atoms that a table's key holds, maxRow of a row. What
// clusters tell apart on a path (mask.go), the keys do too, or a path that was
// eliminated would come back.
const (
	maxKey = 64 * maskWords
	maxRow = 64
)

// A table is the relation between the values of atoms before and after an
// edge for one part of the question.
type table struct {
	src, dst []atom
	guard    []*expr.Expr // the guard's conjuncts of this part
	terms    []*expr.Expr // weakest preconditions of dst
	rows     map[[maskWords]uint64][]uint64
}

type tableID struct{ edge, src, dst int32 }

// A planner makes of each edge a plan, how the values of atoms before it give those after it, and its tables.
type planner struct {
	*preconditions
	oracle  *oracle
	lists   map[string]int32 // interned atom lists
	listed  [][]atom         // by number
	plans   map[planKey]*plan
	tables  map[tableID]*table
	asked   [][]guardTest // by edge, once asked for
	scratch planning
}

func newPlanner(wps *preconditions, o *oracle) *planner {
	return &planner{preconditions: wps, oracle: o, lists: map[string]int32{}, plans: map[planKey]*plan{},
		tables: map[tableID]*table{}, asked: make([][]guardTest, len(wps.Graph.Edges))}
}

// list interns a sorted list of atoms.
func (x *planner) list(as []atom) int32 {
	if len(as) == 0 {
		return -1
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&as[0])), 4*len(as))
	if id, ok := x.lists[string(bytes)]; ok {
		return id
	}
	id := int32(len(x.lists))
	x.lists[string(bytes)] = id
	x.listed = append(x.listed, as)
	return id
}

// listAtoms is the list of a number.
func (x *planner) listAtoms(id int32) []atom {
	if id < 0 {
		return nil
	}
	return x.listed[id]
}

// plan prepares the passage from the atoms src before the edge to the atoms
// dst after it, both sorted.
func (x *planner) plan(e *component.Edge, src, dst []atom) *plan {
	return x.planOf(planKey{int32(e.ID), x.list(src), x.list(dst)}, e, src, dst)
}

// planOf is plan for lists of atoms whose numbers are known.
func (x *planner) planOf(k planKey, e *component.Edge, src, dst []atom) *plan {
	if p := x.plans[k]; p != nil {
		return p
	}
	var p *plan
	if k.src == k.dst && len(e.Guard) == 0 && !x.touchesAny(e, dst) {
		p = x.passage(k.src, dst)
	} else {
		p = x.makePlan(e, src, dst)
	}
	x.plans[k] = p
	return p
}

// passage is the plan of all edges that leave the atoms of a list as they are.
func (x *planner) passage(list int32, as []atom) *plan {
	k := planKey{-1, list, list}
	if x.plans[k] == nil {
		x.plans[k] = &plan{same: true, after: as, list: list}
	}
	return x.plans[k]
}

func (x *planner) makePlan(e *component.Edge, src, dst []atom) *plan {
	p := &plan{}
	guard, terms := x.scratch.guard[:0], x.scratch.terms[:0]
	open := x.scratch.open[:0] // atoms after the edge that need a table
	for _, g := range e.Guard {
		a, negated, ok := x.atoms.find(g)
		if _, known := slices.BinarySearch(src, a); ok && known {
			p.require = append(p.require, setBit{a, !negated})
		} else {
			guard = append(guard, g)
		}
	}
	p.moves = make([]move, 0, min(len(src), len(dst)))
	for _, b := range dst {
		w := x.wp(e, b)
		a, negated, ok := b, false, true
		if w != x.atoms.terms[b] {
			a, negated, ok = x.atoms.find(w)
		}
		_, known := slices.BinarySearch(src, a)
		switch {
		case w.IsConst():
			p.consts = append(p.consts, setBit{b, w.IsTrue()})
		case ok && known:
			p.moves = append(p.moves, move{a, b, negated})
		default:
			open, terms = append(open, b), append(terms, w)
		}
	}
	x.scratch.guard, x.scratch.terms, x.scratch.open = guard, terms, open
	p.after = dst
	if free := x.split(p, e, src, guard, open, terms); len(free) > 0 {
		p.after = without(dst, free)
	}
	p.list = x.list(p.after)
	return p
}

// without is the difference of two sorted lists.
func without(all, gone []atom) []atom {
	rest := make([]atom, 0, len(all)-len(gone))
	for _, a := range all {
		if _, found := slices.BinarySearch(gone, a); !found {
			rest = append(rest, a)
		}
	}
	return rest
}

// split gathers the guard's conjuncts and the open atoms into parts that share
// no variables, each with the atoms before the edge that belong to it. It makes
// tables of them, and gives the atoms of parts that need none, sorted, until it is called again.
func (x *planner) split(p *plan, e *component.Edge, src []atom, guard []*expr.Expr, open []atom,
	terms []*expr.Expr) (free []atom) {
	if len(guard)+len(open) == 0 {
		return nil
	}
	u := &x.scratch.parts
	u.reset(len(guard) + len(open) + len(src))
	for i, g := range guard {
		u.touch(i, expr.Vars(g))
	}
	for i, t := range terms {
		if b := open[i]; t == x.atoms.terms[b] {
			u.touch(len(guard)+i, x.atoms.vars[b])
		} else {
			u.touch(len(guard)+i, expr.Vars(t))
		}
	}
	for i, a := range src {
		u.touch(len(guard)+len(open)+i, x.atoms.vars[a])
	}
	known := x.scratch.known[:0] // by part, whether there is a guard or an atom before the edge in it
	for range u.parent {
		known = append(known, false)
	}
	x.scratch.known = known
	for i := range u.parent {
		if i < len(guard) || i >= len(guard)+len(open) {
			known[u.find(i)] = true
		}
	}
	still := !x.global && !x.touchesAny(e, open) // what x.free would say of each part
	parts := map[int]*table{}
	var order []*table
	part := func(item int) *table {
		root := u.find(item)
		t := parts[root]
		if t == nil {
			t = &table{}
			parts[root], order = t, append(order, t)
		}
		return t
	}
	for i, g := range guard {
		t := part(i)
		t.guard = append(t.guard, g)
	}
	free = x.scratch.free[:0]
	for i, b := range open {
		if still && !known[u.find(len(guard)+i)] {
			free = append(free, b)
			continue
		}
		t := part(len(guard) + i)
		t.dst, t.terms = append(t.dst, b), append(t.terms, terms[i])
	}
	for i, a := range src {
		if t := parts[u.find(len(guard)+len(open)+i)]; t != nil && len(t.src) < maxKey {
			t.src = append(t.src, a)
		}
	}
	for _, t := range order {
		if len(t.src)+len(t.guard) == 0 && x.free(e, t.dst) {
			free = append(free, t.dst...)
		} else {
			x.addTables(p, e, t)
		}
	}
	slices.Sort(free)
	x.scratch.free = free
	return free
}

// addTables adds a part to the plan, in pieces of maxRow atoms, reusing a
// table that is known.
func (x *planner) addTables(p *plan, e *component.Edge, whole *table) {
	for first := true; first || len(whole.dst) > 0; first = false {
		n := min(maxRow, len(whole.dst))
		t := &table{src: whole.src, guard: whole.guard, dst: whole.dst[:n:n], terms: whole.terms[:n:n]}
		whole.dst, whole.terms = whole.dst[n:], whole.terms[n:]
		id := tableID{int32(e.ID), x.list(t.src), x.list(t.dst)}
		if len(t.dst) == 0 {
			id.dst = -2 - x.guardNumber(e, t.guard)
		}
		if known := x.tables[id]; known != nil && slices.Equal(known.guard, t.guard) {
			t = known
		} else {
			x.tables[id] = t
		}
		p.tables = append(p.tables, t)
	}
}

// guardNumber tells apart tables of one edge that have no atoms after it.
func (x *planner) guardNumber(e *component.Edge, guard []*expr.Expr) int32 {
	return int32(slices.Index(e.Guard, guard[0]))
}

// lookup gives the rows for the values of t.src in key.
func (x *planner) lookup(ctx context.Context, t *table, key [maskWords]uint64) ([]uint64, error) {
	if rows, ok := t.rows[key]; ok {
		return rows, nil
	}
	assumptions := make([]*expr.Expr, 0, len(t.src)+len(t.guard))
	for i, a := range t.src {
		assumptions = append(assumptions, x.atoms.literal(a, key[i/64]>>(i%64)&1 == 1))
	}
	rows, err := x.oracle.enumerate(ctx, t.terms, append(assumptions, t.guard...))
	if err != nil {
		return nil, err
	}
	if t.rows == nil {
		t.rows = map[[maskWords]uint64][]uint64{}
	}
	t.rows[key] = rows
	return rows, nil
}
