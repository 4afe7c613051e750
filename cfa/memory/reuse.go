package memory

// Addresses that come again.
//
// Idea: every object has an address of its own here. Memory that is allocated when other memory was freed may have
// the address of that, and so may a local variable of a procedure or thread that begins when another one has
// ended. A program can tell the difference only where it compares or measures a pointer whose object may have
// ended, or where two addresses become numbers or are read byte by byte. Where that may be so of two objects of the
// heap, a call that allocates one may give out the other once more, if it was freed: which one is any value, as the
// allocator decides it. So may realloc give out what it was given. What is not written so (the new memory may be
// larger than the old one, has no constant size, or is no memory of the heap; pointers or races are checked, or the
// memory model is weak) is an assumption that is listed.
//
// Source: the lifetimes of C11 6.2.4p2, and that a pointer to an object that has ended may compare equal to one to
// a new object. Deviation: without threads, the order of the code says which object may begin behind the end of
// another one.
//
// Cost: for each end of an object that a comparison may meet, a pass over the code.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/internal/graph"
	"magus/smt/expr"
)

const (
	maxAgain    = 24 // objects that all calls together give out once more
	maxCompared = 64 // objects on one side of a comparison that are looked at one by one
)

// reuse knows which objects may begin behind the end of which others.
type reuse struct {
	*Analysis
	ends, begins map[*Object][]cfa.Loc
	behind       map[cfa.Loc][]bool // where control may come from the end of a location on
	pairs        map[[2]*Object][]cfa.Loc
	spanned      map[*Object]bool
	others       map[*Object]bool // those that are not told apart, see anyallocation.go
}

// A coincidence is a place that can tell whether one object has the address of another that has ended; both are
// nil where there are too many objects to look at each.
type coincidence struct {
	pos        cfa.Pos
	ended, new *Object
	number     bool // the address becomes a number, of which another assumption is listed
}

func (a *Analysis) newReuse() *reuse {
	r := &reuse{Analysis: a, ends: map[*Object][]cfa.Loc{}, begins: map[*Object][]cfa.Loc{},
		behind: map[cfa.Loc][]bool{}, pairs: map[[2]*Object][]cfa.Loc{}, spanned: map[*Object]bool{},
		others: map[*Object]bool{}}
	for i, loc := range a.code.Since(0) {
		if s, ok := loc.Stmt.(Alloc); ok && s.Site.any {
			r.others[s.Site.rest] = true
			r.begins[s.Site.rest] = append(r.begins[s.Site.rest], cfa.Loc(i))
		}
	}
	for i, loc := range a.code.Since(0) {
		switch s := loc.Stmt.(type) {
		case Free:
			r.endsAt(cfa.Loc(i), s.Addr)
		case Alloc:
			for _, b := range slices.Concat(s.Site.objects, s.Site.again) {
				r.begins[b] = append(r.begins[b], cfa.Loc(i))
			}
			if s.Site.Old != nil {
				r.endsAt(cfa.Loc(i), s.Site.Old)
			}
		}
	}
	return r
}

// endsAt notes that a location ends what a pointer points to.
func (r *reuse) endsAt(at cfa.Loc, addr *expr.Expr) {
	for _, t := range r.targets(addr) {
		if b := r.pts.at(t.Object); b != nil && (b.heap || r.others[b]) && b.each == 0 {
			r.ends[b] = append(r.ends[b], at)
		}
	}
}

// isMortal reports whether an object may end before the component does.
func (r *reuse) isMortal(b *Object) bool {
	return b != nil && b.each == 0 && !b.external && (len(r.ends[b]) > 0 || r.isAutomatic(b))
}

// onStack reports whether an object ends with an instance of a procedure.
func (b *Object) onStack() bool { return b.dies() || b.stacked }

// isAutomatic reports the same, but for the component's own instance.
func (r *reuse) isAutomatic(b *Object) bool {
	return b.onStack() && b.decl.Frame != 0 && !r.code.IsOutOfLineFrame(b.decl.Frame)
}

// span enters where an object of an instance begins and ends: where control comes into the instance and what it
// calls, and where it goes on behind.
func (r *reuse) span(b *Object) {
	if r.spanned[b] || !r.isAutomatic(b) {
		return
	}
	r.spanned[b] = true
	if r.opt.Threads { // each order is possible
		r.ends[b], r.begins[b] = append(r.ends[b], 0), append(r.begins[b], 0)
		return
	}
	inside := r.subtree(b.decl.Frame)
	for i, loc := range r.code.Since(0) {
		for _, to := range loc.Succ {
			switch in := inside[loc.Frame]; {
			case to < 0 || in == inside[r.code.At(to).Frame]:
			case in:
				r.ends[b] = append(r.ends[b], cfa.Loc(i))
			default:
				r.begins[b] = append(r.begins[b], to)
			}
		}
	}
}

// follows are the beginnings of c that may come behind an end of b.
func (r *reuse) follows(b, c *Object) []cfa.Loc {
	if found, ok := r.pairs[[2]*Object{b, c}]; ok {
		return found
	}
	r.span(b)
	r.span(c)
	var found []cfa.Loc
	for _, at := range r.begins[c] {
		if slices.ContainsFunc(r.ends[b], func(end cfa.Loc) bool { return r.mayFollow(end, at) }) {
			found = append(found, at)
		}
	}
	r.pairs[[2]*Object{b, c}] = found
	return found
}

// mayFollow reports whether control may come to a location when it has been at another one, or is there.
func (r *reuse) mayFollow(from, to cfa.Loc) bool {
	if r.opt.Threads || from == to || r.code.IsOutOfLine(from) || r.code.IsOutOfLine(to) {
		return true
	}
	if r.behind[from] == nil {
		g := graph.Func{Nodes: r.code.Len(), Succ: func(n int, yield func(m int)) {
			for _, s := range r.code.At(cfa.Loc(n)).Succ {
				if s >= 0 {
					yield(int(s))
				}
			}
		}}
		var next []int
		g.Out(int(from), func(n int) { next = append(next, n) })
		r.behind[from] = graph.Reachable(g, next...)
	}
	return r.behind[from][to]
}

// subtree has the instances that an instance leads to, itself included.
func (r *reuse) subtree(frame int) map[int]bool {
	inside := map[int]bool{frame: true}
	for f, caller := range r.code.Callers() { // who calls was there first
		if inside[caller] {
			inside[f] = true
		}
	}
	return inside
}

// coincidences are what the component can tell of objects that have ended.
func (r *reuse) coincidences() []coincidence {
	var all []coincidence
	for _, s := range r.relations {
		if !r.code.IsOutOfLine(s.at) {
			x, y := r.objectsIn(r.pts.term(s.x)), r.objectsIn(r.pts.term(s.y))
			all = append(all, r.between(x, y, s.at, s.pos)...)
		}
	}
	numbers := r.objectsIn(r.pts.exposed)
	for _, x := range r.exposures {
		if r.code.IsOutOfLine(x.at) || int(x.at) >= r.code.Len() || len(numbers) < 2 {
			continue
		}
		for _, c := range r.between(r.objectsIn(r.pts.term(x.address)), numbers, -1, r.code.At(x.at).Pos) {
			c.number = true
			all = append(all, c)
		}
	}
	return append(all, r.byBytes(numbers, all)...)
}

// byBytes are the coincidences of objects whose addresses are known by the bytes of pointers, other than those that are
// known: where the newer one begins.
func (r *reuse) byBytes(exposed []*Object, known []coincidence) []coincidence {
	if len(exposed) < 2 {
		return nil
	}
	var all []coincidence
	for _, c := range r.between(exposed, exposed, -1, r.code.At(0).Pos) {
		same := func(d coincidence) bool { return d.ended == c.ended && d.new == c.new }
		if slices.ContainsFunc(known, same) || slices.ContainsFunc(all, same) {
			continue
		}
		if c.new != nil {
			c.pos = r.code.At(r.follows(c.ended, c.new)[0]).Pos
		}
		all = append(all, c)
	}
	return all
}

// objectsIn are the objects that a node may lead to and that may be of a time before or behind another's.
func (r *reuse) objectsIn(n pointsto.Node) []*Object {
	var all []*Object
	if n == none {
		return nil
	}
	for _, t := range r.pts.targets(n) {
		if b := r.pts.at(t.Object); r.isMortal(b) || b != nil && len(r.begins[b]) > 0 {
			all = append(all, b)
		}
	}
	return all
}

// between are the coincidences of two sets of objects at a place; at is negative where it may be anywhere.
func (r *reuse) between(x, y []*Object, at cfa.Loc, pos cfa.Pos) []coincidence {
	var all []coincidence
	add := func(b, c *Object) {
		if b == c || !r.isMortal(b) || b.handle != c.handle {
			return
		}
		if slices.ContainsFunc(r.follows(b, c), func(begin cfa.Loc) bool { return at < 0 || r.mayFollow(begin, at) }) {
			all = append(all, coincidence{pos: pos, ended: b, new: c})
		}
	}
	if len(x) > maxCompared || len(y) > maxCompared {
		return []coincidence{{pos: pos}}
	}
	for _, b := range x {
		for _, c := range y {
			add(b, c)
			add(c, b)
		}
	}
	return all
}

// recycles lets calls give out once more what has ended, where the component can tell, and reports whether that is
// new.
func (a *Analysis) recycles() bool {
	if a.pts == nil || a.opt.CheckPointers || a.opt.Races || a.opt.Weak {
		return false
	}
	changed := false
	r := a.newReuse()
	for _, c := range r.coincidences() {
		if c.new == nil {
			continue
		}
		for _, at := range r.follows(c.ended, c.new) {
			s, ok := a.code.At(at).Stmt.(Alloc)
			if !ok || !s.Site.mayBeAt(c.ended) || slices.Contains(s.Site.again, c.ended) || a.again >= maxAgain {
				continue
			}
			a.again++
			changed = true
			s.Site.again = append(s.Site.again, c.ended)
			if c.ended.gone == nil {
				a.markGone(c.ended)
			}
		}
	}
	return changed
}

// mayBeAt reports whether a call that allocates can be written as giving out an object once more.
func (s *Site) mayBeAt(b *Object) bool {
	return b.heap && !b.onStack() && !b.unbounded && b.length == nil && s.Size >= 0 && s.Size <= b.size &&
		(s.Null || s.Lasts) && s.Lasts == b.handle
}

// markGone gives an object a flag that is set from its end on until it is given out once more.
func (a *Analysis) markGone(b *Object) {
	b.gone = a.code.NewVar(b.name+".freed", b.name+".freed", boolean)
	a.code.List(cfa.Var{Expr: b.gone, Name: b.decl.Name + ".freed", Kind: cfa.Temp, Frame: b.decl.Frame,
		Pos: b.decl.Pos})
	a.atStart = append(a.atStart, b.gone)
}

// layoutOfEnded are the places that can tell that objects do not have the addresses of others that have ended.
func (a *Analysis) layoutOfEnded() []cfa.Pos {
	if a.pts == nil {
		return nil
	}
	var all []cfa.Pos
	r := a.newReuse()
	for _, c := range r.coincidences() {
		if !c.number && !r.isWritten(c) {
			all = append(all, c.pos)
		}
	}
	return all
}

// isWritten reports whether calls give out what has ended wherever the other object begins.
func (r *reuse) isWritten(c coincidence) bool {
	return c.new != nil && !slices.ContainsFunc(r.follows(c.ended, c.new), func(at cfa.Loc) bool {
		s, ok := r.code.At(at).Stmt.(Alloc)
		return !ok || !slices.Contains(s.Site.again, c.ended)
	})
}

// giveAgain gives out an object that has ended once more, if that is chosen, and goes on where it is not.
func (r *resolution) giveAgain(s Alloc, pos cfa.Pos) cfa.Ends {
	if len(s.Site.again) == 0 {
		return nil
	}
	which := r.code.Any(expr.Uint8, "which memory that was freed is given out again", "", pos)
	var ends cfa.Ends
	r.alone(true, pos)
	for i, b := range s.Site.again {
		chosen := r.pool.Eq(which, r.pool.Int(which.Type(), int64(i+1)))
		is, other := r.code.Branch(r.pool.Land(chosen, r.pool.Truth(b.gone)), pos)
		r.code.Continue(is)
		r.code.Assign(b.gone, r.pool.Const(boolean, 0), pos)
		r.alone(false, pos)
		r.give(s, b, pos)
		ends = append(ends, r.code.Ends()...)
		r.code.Continue(other)
	}
	r.alone(false, pos)
	for i, b := range s.Site.again { // where it was, as realloc may leave it
		if s.Site.Old == nil || r.code.Dead() {
			break
		}
		chosen := r.pool.Eq(which, r.pool.Int(which.Type(), int64(len(s.Site.again)+i+1)))
		is, other := r.code.Branch(r.pool.Land(chosen, r.pool.Eq(s.Site.Old, r.AddressIn(b, 0))), pos)
		r.code.Continue(is)
		r.code.Assign(s.LHS, s.Site.Old, pos)
		ends = append(ends, r.code.Ends()...)
		r.code.Continue(other)
	}
	return ends
}

// alone begins or ends what no other thread comes between.
func (r *resolution) alone(begin bool, pos cfa.Pos) {
	if r.opt.Threads && !r.code.Dead() {
		r.code.Emit(cfa.Atomic{Begin: begin}, pos)
	}
}

// stays is where realloc has left memory where it is, and goes on where it has not.
func (r *resolution) stays(s Free, pos cfa.Pos) cfa.Ends {
	if s.Unless == nil || !slices.ContainsFunc(r.targets(s.Addr), func(t pointsto.Target) bool {
		b := r.pts.at(t.Object)
		return b != nil && b.gone != nil
	}) {
		return nil
	}
	stays, moved := r.code.Branch(r.pool.Eq(s.Addr, s.Unless), pos)
	r.code.Continue(moved)
	return stays
}

// end notes the end of an object that may be given out once more.
func (r *resolution) end(s Free, pos cfa.Pos) {
	var ends cfa.Ends
	for _, t := range r.targets(s.Addr) {
		b := r.pts.at(t.Object)
		if b == nil || b.gone == nil || t.Offset != 0 || r.code.Dead() {
			continue
		}
		is, other := r.code.Branch(r.pool.Eq(s.Addr, r.AddressIn(b, 0)), pos)
		r.code.Continue(is)
		r.code.Assign(b.gone, r.pool.Const(boolean, 1), pos)
		ends = append(ends, r.code.Ends()...)
		r.code.Continue(other)
	}
	r.code.Join(ends)
}
