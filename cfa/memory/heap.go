package memory

// Allocated memory.
//
// Idea: what a call of malloc allocates is an object. A call that control can
// pass several times gives out a fixed number of objects one after the other, and then
// addresses of memory that is not modelled. The type of an object is what sizeof
// says in the call; without one its cells are what is accessed.
//
// Where pointers are checked, and the size is constant, these further objects have
// addresses: those in one large object, each at a multiple of a power of two that
// leaves room behind it. What they hold is any value; whether an access lies within
// one of them is seen from its address. Which of them have been freed is not known once one has.

import (
	"fmt"

	"magus/cfa"
	"magus/internal/graph"
	"magus/smt/expr"
)

// A Site is a call that allocates memory, in one instance.
type Site struct {
	Name    string
	Size    int64      // in bytes; negative: not known
	Length  *expr.Expr // then, in bytes
	Type    *Type      // of one object or of the elements of an array; nil: not known
	Null    bool       // memory of the heap, which is freed, and may fail unless it is Certain
	Certain bool       // never fails
	Lasts   bool       // gives out what is never freed, and no memory of the procedure's
	Pos     cfa.Pos
	Fill    *expr.Expr // every byte, or nil: any value

	frame   int
	untold  *expr.Expr // nonzero once it has given out more, where leaks are looked for
	alive   *expr.Expr // of alloca: whether the procedure has not returned, see Life
	Old     *expr.Expr // of realloc: the memory that it is instead of
	objects []*Object
	again   []*Object  // that it may give out once more, see reuse.go
	any     bool       // it gives out its object at any time, see anyallocation.go
	rest    *Object    // stands for all further ones, if there may be any
	more    *Object    // has the addresses of the first of these, see furtherObjects
	count   *expr.Expr // how many there are
}

// Allocate writes an allocation and gives the address.
func (m *Model) Allocate(what string, s Site) *expr.Expr {
	v := m.code.Temp(what, m.pointer, s.Pos)
	m.pointers[v] = true
	s.frame = m.code.Frame()
	if !s.Null && !s.Lasts {
		s.alive = m.flags[s.frame]
		m.stacks[s.frame] = true
	}
	m.code.Emit(Alloc{LHS: v, Site: &s}, s.Pos)
	return v
}

// allocates gives the sites their objects, once it is known which of them
// control can pass several times, and reports whether there were new ones.
func (a *Analysis) allocates() bool {
	made := false
	var cyclic []bool
	for i, loc := range a.code.Since(0) {
		s, ok := loc.Stmt.(Alloc)
		if !ok || len(s.Site.objects) > 0 || s.Site.rest != nil {
			continue
		}
		if a.code.IsOutOfLine(cfa.Loc(i)) {
			made = true
			a.allocateRest(s.Site)
			continue
		}
		if cyclic == nil {
			cyclic = a.cyclic()
		}
		made = true
		a.allocateSite(s.Site, cyclic[i])
	}
	return made
}

func (a *Analysis) allocateSite(s *Site, again bool) {
	decl := cfa.Var{Name: s.Name, Kind: cfa.Temp, Frame: s.frame, Pos: s.Pos}
	n := 1
	if s.any = again && a.givesAny(s); again && !s.any {
		n = a.heapLimit()
		name := s.Name + "#count"
		s.count = a.code.NewVar(name, name, a.countType())
		a.code.List(cfa.Var{Expr: s.count, Name: name, Kind: cfa.Temp, Frame: s.frame, Pos: s.Pos})
		a.atStart = append(a.atStart, s.count)
	}
	for range n {
		b := a.newHeapObject(s, decl)
		s.objects = append(s.objects, b)
		if b.live != nil {
			a.atStart = append(a.atStart, b.live)
		}
	}
	if again || s.objects[0].length != nil {
		a.allocateRest(s)
		a.furtherObjects(s)
		if s.any {
			a.anyOnes = append(a.anyOnes, s.objects...)
		}
		a.beyond = a.beyond || s.Null && a.asksLives()
		if a.opt.Uses && !a.opt.CheckPointers && s.Null && !s.any {
			a.markFreed(s.rest)
		}
		if a.opt.CheckLeaks && s.Null && !s.any {
			name := s.Name + "#more"
			s.untold = a.code.NewVar(name, name, boolean)
			a.code.List(cfa.Var{Expr: s.untold, Name: name, Kind: cfa.Temp, Frame: s.frame, Pos: s.Pos})
			a.atStart = append(a.atStart, s.untold)
			a.untold = append(a.untold, s.untold)
		}
	}
}

// allocateRest makes the object that stands for all that are not told apart.
func (s *addressSpace) allocateRest(site *Site) {
	decl := cfa.Var{Name: site.Name, Kind: cfa.Temp, Frame: site.frame, Pos: site.Pos}
	site.rest = s.NewObject(site.Name+"#rest", nil, 1, decl)
	site.rest.unbounded = true
}

// furtherObjects gives the objects of a site that are not told apart addresses, if one of
// them is small enough.
func (a *Analysis) furtherObjects(s *Site) {
	if s.Size < 0 || s.Size > a.step()/2 || !a.opt.CheckPointers {
		return
	}
	decl := cfa.Var{Name: s.Name + "#more", Kind: cfa.Temp, Frame: s.frame, Pos: s.Pos}
	b := a.NewObject(decl.Name, nil, a.step()*a.further(), decl)
	b.unbounded, b.each, b.heap, b.fill = true, max(s.Size, 1), true, s.Fill
	if s.Null {
		a.markFreed(b)
	} else {
		b.alive = s.alive
	}
	s.more = b
}

// markFreed gives objects that are not told apart a flag that is set once one of them was freed.
func (a *Analysis) markFreed(b *Object) {
	b.freed = a.code.NewVar(b.name+".freed", b.name+".freed", boolean)
	decl := b.decl
	decl.Name, decl.Expr = b.name+".freed", b.freed
	a.code.List(decl)
	a.atStart = append(a.atStart, b.freed)
}

// further is the number of objects of a site beyond the limit that have addresses.
func (m *addressing) further() int64 {
	if m.opt.Data == cfa.ILP32 {
		return 32
	}
	return 256
}

// countType is that of the number of objects that a site has given out. Without addresses
// of further objects it is at most the limit.
func (m *addressing) countType() expr.Type {
	if m.opt.CheckPointers {
		return expr.Uint32
	}
	return expr.Uint8
}

// step is the distance of two of them, a power of two.
func (m *addressing) step() int64 { return int64(m.gap()) }

// inFurther is the offset of an address in that of them in which it lies.
func (m *addressing) inFurther(addr *expr.Expr, b *Object) *expr.Expr {
	return m.pool.And(m.pool.Sub(addr, m.AddressIn(b, 0)), m.pool.Int(m.pointer, m.step()-1))
}

// newHeapObject makes an object of a site.
func (m *Model) newHeapObject(s *Site, decl cfa.Var) *Object {
	m.allocations[s.Name]++
	decl.Name = fmt.Sprintf("%s#%d", s.Name, m.allocations[s.Name])
	size := s.Size
	if size < 0 && s.Length != nil && (m.opt.CheckPointers || m.opt.Recorded && m.hasRoom(m.largest())) {
		size = m.largest()
	}
	b := m.NewObject(decl.Name, nil, size, decl)
	b.heap, b.fill = true, s.Fill
	b.stacked, b.handle = !s.Null && !s.Lasts, s.Lasts
	if !s.Null {
		b.alive = s.alive
	}
	switch {
	case s.Size < 0:
		b.unbounded = true
		if size > 0 {
			b.length = m.code.NewVar(b.name+".size", b.name+".size", m.pointer)
			m.code.List(cfa.Var{Expr: b.length, Name: decl.Name + ".size", Kind: cfa.Temp, Frame: decl.Frame, Pos: decl.Pos})
		}
	case s.Type != nil:
		m.layOut(b, s.Type)
		if m.opt.PointerObjects && s.Fill == nil {
			m.OwnMembers(b)
		}
	}
	if m.lives() && s.Null {
		b.live = m.code.NewVar(b.name+".live", b.name+".live", boolean)
		m.code.List(cfa.Var{Expr: b.live, Name: decl.Name + ".live", Kind: cfa.Temp, Frame: decl.Frame, Pos: decl.Pos})
	}
	return b
}

// layOut gives an object the leaves of one or several objects of a type.
func (m *addressing) layOut(b *Object, t *Type) {
	b.untyped = false
	n := b.size / t.Size
	switch {
	case n <= 1 || b.size%t.Size != 0:
		b.lay(t, 0, 8*b.size, "", m.arrayLimit())
	case n > m.arrayLimit():
		b.spans = append(b.spans, span{end: 8 * n * t.Size, elem: t})
	default:
		for i := range n {
			b.lay(t, 8*i*t.Size, 8*t.Size, fmt.Sprintf("[%d]", i), m.arrayLimit())
		}
	}
}

// Cyclic says for each location of the draft whether control can come back to it.
func (a *Analysis) Cyclic() []bool { return a.cyclic() }

// cyclic says for each location whether control can come back to it: those of
// components with more than one location, or with an edge to themselves.
func (m *Model) cyclic() []bool {
	locs := m.code.Since(0)
	g := graph.Func{Nodes: len(locs), Succ: func(n int, yield func(m int)) {
		for _, s := range locs[n].Succ {
			if s >= 0 {
				yield(int(s))
			}
		}
	}}
	return graph.SCC(g).OnCycle(g)
}

// allocate gives out the next object of a site.
func (r *resolution) allocate(s Alloc, pos cfa.Pos) {
	site := s.Site
	var ends cfa.Ends
	if site.Null && !site.Certain {
		ok := r.code.Any(boolean, "allocated", "", pos)
		yes, failed := r.code.Branch(r.pool.Truth(ok), pos)
		r.code.Continue(failed)
		r.code.Assign(s.LHS, r.pool.Const(s.LHS.Type(), 0), pos)
		ends = r.code.Ends()
		r.code.Continue(yes)
	}
	ends = append(ends, r.giveAgain(s, pos)...)
	one := site.objects
	if site.any {
		ends, one = append(ends, r.giveAny(s, pos)...), nil
	}
	for i, b := range one {
		var more cfa.Ends
		if site.count != nil {
			var is cfa.Ends
			is, more = r.code.Branch(r.pool.Eq(site.count, r.pool.Int(site.count.Type(), int64(i))), pos)
			r.code.Continue(is)
			r.code.Assign(site.count, r.pool.Int(site.count.Type(), int64(i+1)), pos)
		}
		var larger cfa.Ends
		if b.length != nil {
			var room cfa.Ends
			room, larger = r.code.Branch(r.pool.Le(site.Length, r.pool.Int(r.pointer, b.size)), pos)
			r.code.Continue(room)
			r.code.Assign(b.length, site.Length, pos)
		}
		r.give(s, b, pos)
		ends = append(ends, r.code.Ends()...)
		r.code.Continue(append(more, larger...))
	}
	if site.rest != nil {
		if site.untold != nil {
			r.code.Assign(site.untold, r.pool.Const(boolean, 1), pos)
		}
		if site.more != nil {
			ends = append(ends, r.giveFurther(s, pos)...)
		}
		a := cfa.Assign{LHS: s.LHS, Nondet: "malloc", Approx: fmt.Sprintf("more than %d objects of %s",
			len(site.objects), site.Name)}
		if r.opt.Recorded {
			a.Memory = &cfa.Access{Kind: cfa.Give}
			if site.Null {
				a.Memory.Size = max(site.Size, 0)
			}
		}
		r.code.Emit(a, pos)
		none, some := r.code.Branch(r.isNull(s.LHS), pos)
		if site.any {
			var known cfa.Ends
			known, some = r.amongHeap(s.LHS, some, pos)
			none = append(none, known...)
		}
		r.code.Continue(none)
		if len(none) > 0 {
			r.code.Halt("no such address", pos)
		}
		r.code.Continue(some)
	}
	r.code.Join(ends)
}

// give gives out one object of a site.
func (r *resolution) give(s Alloc, b *Object, pos cfa.Pos) {
	r.code.Assign(s.LHS, r.AddressIn(b, 0), pos)
	to := Ref{Address: Address{Base: r.AddressIn(b, 0)}}
	switch {
	case b.length != nil && r.opt.Recorded && s.Site.Fill != nil:
		r.rec.fillUnmodelled(Fill{To: to, Size: -1, Length: s.Site.Length, Val: s.Site.Fill}, b, pos)
	case !b.unbounded:
		size := b.size
		if s.Site.Size >= 0 {
			size = min(size, s.Site.Size)
		}
		r.fill(Fill{To: to, Size: size, Val: s.Site.Fill, Nondet: "uninitialised"}, hit{b: b}, pos)
	}
	if b.live != nil {
		r.code.Assign(b.live, r.pool.Const(boolean, 1), pos)
	}
}

// giveFurther gives out an object beyond the limit, and goes on where there are no more.
func (r *resolution) giveFurther(s Alloc, pos cfa.Pos) cfa.Ends {
	site := s.Site
	n := r.pool.Sub(site.count, r.pool.Int(site.count.Type(), int64(len(site.objects))))
	is, none := r.code.Branch(r.pool.Lt(n, r.pool.Int(site.count.Type(), r.further())), pos)
	r.code.Continue(is)
	at := r.pool.Mul(r.pool.Cast(r.pointer, n), r.pool.Int(r.pointer, r.step()))
	r.code.Assign(s.LHS, r.pool.Add(r.AddressIn(site.more, 0), at), pos)
	r.code.Assign(site.count, r.pool.Add(site.count, r.pool.Int(site.count.Type(), 1)), pos)
	given := r.code.Ends()
	r.code.Continue(none)
	return given
}

// freeFurther frees an object beyond the limit, and goes on where the pointer is to none of
// them.
func (r *resolution) freeFurther(addr *expr.Expr, b *Object, pos cfa.Pos) cfa.Ends {
	is, other := r.code.Branch(r.near(addr, b), pos)
	r.code.Continue(is)
	inside, begin := r.code.Branch(r.pool.Truth(r.inFurther(addr, b)), pos)
	r.code.Continue(inside)
	r.check.invalidFree(pos)
	r.code.Continue(begin)
	if b.freed != nil {
		r.check.notFreed(b, pos)
		r.code.Assign(b.freed, r.pool.Const(boolean, 1), pos)
	} else {
		r.check.invalidFree(pos)
	}
	freed := r.code.Ends()
	r.code.Continue(other)
	return freed
}

// notFreed is where it is not known whether an object beyond the limit still exists, once
// one of them has been freed.
func (r *checker) notFreed(b *Object, pos cfa.Pos) {
	if b.freed == nil || r.code.Dead() {
		return
	}
	some, none := r.code.Branch(r.pool.Truth(b.freed), pos)
	r.code.Continue(some)
	r.undecided("whether an object of "+b.decl.Name+" has been freed", pos)
	r.code.Join(none)
}

// free ends the life of an object.
func (r *resolution) free(s Free, pos cfa.Pos) {
	stays := r.stays(s, pos)
	r.end(s, pos)
	if r.Analysis.lives() && !s.Handle {
		r.endChecked(s, pos)
	}
	r.code.Join(stays)
}

// endChecked ends the life of an object where that is checked.
func (r *resolution) endChecked(s Free, pos cfa.Pos) {
	ends, some := r.code.Branch(r.isNull(s.Addr), pos)
	r.code.Continue(some)
	els := isInvalid
	for _, target := range r.targets(s.Addr) {
		b := r.pts.at(target.Object)
		switch {
		case b != nil && b.each > 0:
			ends = append(ends, r.freeFurther(s.Addr, b, pos)...)
		case b != nil && b.external && b.live != nil && target.Offset == 0:
			els = isUnknown
			yes, no := r.code.Branch(r.pool.Eq(s.Addr, r.AddressIn(b, 0)), pos)
			r.code.Continue(yes)
			r.code.Assign(b.live, r.pool.Const(boolean, 0), pos)
			ends = append(ends, r.code.Ends()...)
			r.code.Continue(no)
		case b == nil || b.unbounded && b.live == nil || b.external:
			els = isUnknown
		case b.live != nil && target.Offset == 0:
			yes, no := r.code.Branch(r.pool.Eq(s.Addr, r.AddressIn(b, 0)), pos)
			r.code.Continue(yes)
			if r.opt.CheckPointers {
				r.check.inLife(b.live, pos)
			}
			r.code.Assign(b.live, r.pool.Const(boolean, 0), pos)
			ends = append(ends, r.code.Ends()...)
			r.code.Continue(no)
			r.check.notInside(s.Addr, b, pos)
		}
	}
	if els == isInvalid {
		r.check.invalidFree(pos)
	} else {
		r.check.undecided("whether what is freed was allocated", pos)
	}
	r.endOther(s.Addr, pos)
	r.code.Join(ends)
}

// endOther notes that an object may have been freed that is not told apart.
func (r *resolution) endOther(addr *expr.Expr, pos cfa.Pos) {
	for _, target := range r.targets(addr) {
		if b := r.pts.at(target.Object); b != nil && b.freed != nil && b.each == 0 && !r.code.Dead() {
			r.code.Assign(b.freed, r.pool.Const(boolean, 1), pos)
		}
	}
}

// notInside lets control pass only where a pointer was not computed from the
// address of an object whose size is not constant: it may not be freed.
func (r *checker) notInside(addr *expr.Expr, b *Object, pos cfa.Pos) {
	if b.length == nil || !r.opt.CheckPointers {
		return
	}
	inside, other := r.code.Branch(r.near(addr, b), pos)
	r.code.Continue(inside)
	r.Invalid(pos)
	r.code.Continue(other)
}

// invalidFree is a free of what was not allocated; it is looked for only where
// pointers are checked.
func (r *checker) invalidFree(pos cfa.Pos) {
	if r.opt.CheckPointers {
		r.Invalid(pos)
	}
}

// lives reports whether memory that is allocated is told from memory that was
// freed.
func (m *addressing) lives() bool {
	return m.opt.CheckPointers || m.opt.CheckLeaks || m.opt.Uses || m.opt.Finds
}
