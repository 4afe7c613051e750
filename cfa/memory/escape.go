package memory

// What escapes to routines without a body.
//
// Idea: what can be reached from the arguments of such a routine escapes when
// it is called; it, and what escaped to another one before, may then have any
// value. Reach is that of the points-to analysis, before is a forward
// may-analysis to a fixpoint, one bit for each object. With several threads it is what
// any location adds, for the others run in between.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/internal/bitset"
	"magus/smt/expr"
)

// escapes is the escape analysis: what code without a body may know.
type escapes struct {
	*Model
	pts *pointers
	all objectSet // see escapedAnywhere
}

func newEscapes(m *Model, pts *pointers) *escapes { return &escapes{Model: m, pts: pts} }

// escapedAtStart are the objects that code without a body may know at entry:
// objects whose address stands in an initialiser of an object that such code
// can name, and where the component does not start with main, all objects whose
// address may have been taken.
func (s *addressSpace) escapedAtStart() []*Object {
	var all []*Object
	for _, b := range s.objects {
		if b.global != nil && b.global.Known && !b.constant {
			all = append(all, b)
		}
	}
	return all
}

// escapedAt gives for every call of a routine without a body the objects that may
// have escaped to it or before; nil for other statements, and where control does
// not come.
func (a *escapes) escapedAt(start cfa.Loc) []objectSet {
	at := make([]objectSet, a.code.Len())
	for i, loc := range a.code.Since(0) {
		held := a.pts.held[cfa.Loc(i)]
		if a.code.Err() != nil {
			return at
		}
		switch s := loc.Stmt.(type) {
		case cfa.Call:
			if b := a.bodies[cfa.Loc(i)]; b != nil {
				at[i] = a.escapesIn(b)
			} else {
				at[i] = a.pts.reach(a.outside(held), nil)
			}
		case UnknownCall:
			var own []*Object
			if s.Own != nil {
				own = []*Object{s.Own}
			}
			if s.All {
				nodes, objects := a.static()
				held, own = append(nodes, held...), append(objects, own...)
			}
			at[i] = a.pts.reach(a.outside(held), own)
			if a.code.IsOutOfLine(cfa.Loc(i)) {
				at[i] = nil
			}
		}
	}
	known := a.knownAsNumbers(start)
	for i := range at {
		if at[i] != nil && known[i] != nil && a.givesNumbers(cfa.Loc(i)) {
			at[i].join(known[i])
		}
	}
	before := a.before(start, a.pts.reach(nil, a.escapedAtStart()), at)
	for i := range at {
		switch {
		case at[i] == nil:
		case before[i] == nil:
			at[i] = nil
		default:
			at[i].join(before[i])
		}
	}
	return at
}

// outside adds to what a routine without a body is given, where nothing is known of what it was given before,
// what stands in memory that is not modelled, at any time.
func (a *escapes) outside(held []pointsto.Node) []pointsto.Node {
	if !a.opt.OutsideUnknown {
		return held
	}
	return append(slices.Clone(held), pointsto.World)
}

// escapesIn are the objects that a body, or what it calls, lets escape; nil for
// none.
func (a *escapes) escapesIn(b *Body) objectSet {
	for _, at := range a.closure(b) {
		switch a.code.At(at).Stmt.(type) {
		case cfa.Call:
			if a.bodies[at] == nil {
				return a.escapedAnywhere()
			}
		case UnknownCall:
			return a.escapedAnywhere()
		}
	}
	return nil
}

// An objectSet is a set of objects, by number. Objects that came later are in none.
type objectSet bitset.Set[int]

func (s objectSet) has(n int) bool { return n/64 < len(s) && bitset.Set[int](s).Has(n) }

// add adds an object and reports whether it is new.
func (s objectSet) add(n int) bool { return bitset.Set[int](s).Add(n) }

// join adds all of t and reports whether something is new.
func (s objectSet) join(t objectSet) bool { return bitset.Set[int](s).Unite(bitset.Set[int](t)) }

func (s objectSet) remove(n int) { bitset.Set[int](s).Remove(n) }

// meet keeps what is in t too, and reports whether something went.
func (s objectSet) meet(t objectSet) bool { return bitset.Set[int](s).Intersect(bitset.Set[int](t)) }

func (s *addressSpace) newSet() objectSet { return objectSet(bitset.New[int](len(s.objects) + 1)) }

// reach are the objects that can be reached from what nodes point to.
func (p *pointers) reach(from []pointsto.Node, start []*Object) objectSet {
	objects := make([]pointsto.Object, len(start))
	for i, b := range start {
		objects[i] = p.ids[b.number]
	}
	if p.reachable == nil {
		p.reachable = p.solution.Reach()
	}
	seen := p.a.newSet()
	for _, o := range p.reachable.From(from, objects) {
		if b := p.at(o); b != nil {
			seen.add(b.number)
		}
	}
	return seen
}

// certainly gives for every call of a routine without a body the objects that it,
// or one before it on every way, is given the address of: a forward must-analysis. That these
// have any value afterwards is what the call means; the others may not be
// reached at all, so that a violation that depends on a change of them is not
// believed. Nor is one that depends on a change of a structure that came from outside by a pointer: it is handed
// on so that the routine may look at it, and nothing says which of its members it changes.
func (a *escapes) certainly(start cfa.Loc) []objectSet {
	given := make([]objectSet, a.code.Len())
	for i, loc := range a.code.Since(0) {
		switch s := loc.Stmt.(type) {
		case cfa.Call:
			if a.bodies[cfa.Loc(i)] == nil {
				given[i] = a.changedObjects(s.Args)
			}
		case UnknownCall:
			given[i] = a.changedObjects(s.Args)
			if s.Own != nil {
				given[i].add(s.Own.number)
			}
		}
	}
	before := make([]objectSet, a.code.Len())
	before[start] = a.newSet()
	for _, b := range a.escapedAtStart() {
		if !b.global.Elsewhere {
			before[start].add(b.number)
		}
	}
	work := []cfa.Loc{start}
	for len(work) > 0 && a.code.Err() == nil {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		out := slices.Clone(before[i])
		if given[i] != nil {
			out.join(given[i])
		}
		for _, s := range a.code.Since(0)[i].Succ {
			if s >= 0 && (before[s] == nil || before[s].meet(out)) {
				if before[s] == nil {
					before[s] = slices.Clone(out)
				}
				work = append(work, s)
			}
		}
	}
	for i := range before {
		if before[i] != nil && given[i] != nil {
			before[i].join(given[i])
		}
	}
	return before
}

// givenAnywhere are the objects that some call of a routine without a body is given.
func (a *escapes) givenAnywhere() objectSet {
	all := a.newSet()
	for i, loc := range a.code.Since(0) {
		switch s := loc.Stmt.(type) {
		case cfa.Call:
			if a.bodies[cfa.Loc(i)] == nil {
				all.join(a.givenObjects(s.Args))
			}
		case UnknownCall:
			all.join(a.givenObjects(s.Args))
		}
	}
	return all
}

// givenObjects are the objects whose addresses are arguments: constants, and
// pointers from outside to their objects.
func (a *escapes) givenObjects(args []*expr.Expr) objectSet {
	set := a.newSet()
	for _, x := range args {
		if b, _ := a.ObjectOf(x); b != nil {
			set.add(b.number)
		}
		for b := range a.pts.exactTargets(a.pts.term(x)) {
			if b.external {
				set.add(b.number)
			}
		}
	}
	return set
}

// changedObjects are those of the objects whose addresses are arguments that a call is known to change.
func (a *escapes) changedObjects(args []*expr.Expr) objectSet {
	set := a.givenObjects(args)
	for _, b := range a.objects {
		if b.isContext() {
			set.remove(b.number)
		}
	}
	return set
}

// before gives for each location what objects the locations on the ways to it
// add to those at the start; nil where control does not come.
func (a *escapes) before(start cfa.Loc, first objectSet, at []objectSet) []objectSet {
	before := make([]objectSet, a.code.Len())
	before[start] = first
	work := []cfa.Loc{start}
	for len(work) > 0 && a.code.Err() == nil {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		out := before[i]
		if at[i] != nil {
			out = slices.Clone(out)
			out.join(at[i])
		}
		for _, s := range a.code.Since(0)[i].Succ {
			switch {
			case s < 0:
			case before[s] == nil:
				before[s] = slices.Clone(out)
				work = append(work, s)
			case before[s].join(out):
				work = append(work, s)
			}
		}
	}
	if a.opt.Threads {
		a.atAnyTime(before, at)
	}
	return before
}

// atAnyTime adds what any location adds to all of them: another thread may have come
// there before.
func (a *escapes) atAnyTime(before, at []objectSet) {
	all := a.newSet()
	for i := range before {
		if before[i] != nil {
			all.join(before[i])
			if at[i] != nil {
				all.join(at[i])
			}
		}
	}
	for i := range before {
		if before[i] != nil {
			before[i] = all
		}
	}
}
