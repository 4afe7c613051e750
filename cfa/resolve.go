package cfa

// Resolution: statements on memory become assignments and branches (paper
// section 3.3).
//
// The automaton is written anew, location by location; what stood for an
// access becomes a sequence of tests with an assignment behind each.

import (
	"cmp"
	"fmt"
	"slices"

	"magus/internal/expr"
)

// resolve writes the automaton without statements on memory. start is where it
// begins; what the lowering wrote from there on comes first.
func (l *lowerer) resolve(start Loc) Loc {
	changed := make([][]*expr.Expr, len(l.locs))
	if l.pts != nil {
		changed = l.escapes(start)
	}
	l.clobber(changed)
	old := l.locs
	l.locs = nil
	first := make([]Loc, len(old))
	ends := make([][2][]hole, len(old))
	entry := Loc(-1)
	write := func(i Loc) {
		loc := old[i]
		l.fr = l.instances[loc.Frame]
		first[i] = Loc(len(l.locs))
		l.open = nil
		if i == start {
			entry = l.emit(Goto{}, loc.Pos)
			for _, v := range l.atStart {
				l.assign(v, l.pool.Const(v.Type(), 0), loc.Pos)
			}
			for _, b := range l.blocks {
				if b.outside || b.static != nil && !l.starts(b) || b.decl.Kind == Param && b.decl.Frame == 0 {
					l.agree(b, loc.Pos)
				}
			}
			l.ownOrNull(loc.Pos)
		}
		ends[i] = l.rewrite(i, loc, changed[i])
	}
	for i := start; int(i) < len(old); i++ {
		write(i)
	}
	for i := range start {
		write(i)
	}
	for i, loc := range old {
		for k, to := range loc.Succ {
			if to >= 0 {
				l.patch(ends[i][k], first[to])
			}
		}
	}
	return entry
}

// ownOrNull lets a run begin only where each pointer from outside is NULL or
// points to its object, where pointers are checked; elsewhere its use sees to
// that.
func (l *lowerer) ownOrNull(pos Pos) {
	if !l.opt.CheckPointers || l.pts == nil {
		return
	}
	either := func(v *expr.Expr, own *block) {
		null, other := l.branch(l.pool.Eq(v, l.pool.Const(v.Type(), 0)), pos)
		l.open = other
		is, not := l.branch(l.pool.Eq(v, l.addressIn(own, 0)), pos)
		l.open = not
		l.halt("a pointer from outside", pos)
		l.open = append(null, is...)
	}
	for _, v := range l.anyAtEntry() {
		if own := l.own[v]; own != nil {
			either(v, own)
		}
	}
	for _, b := range l.blocks {
		for _, lf := range b.leaves {
			if lf.own != nil && lf.v != nil {
				either(lf.v, lf.own)
			}
		}
	}
}

// rewrite writes one location anew and gives its open ends.
func (l *lowerer) rewrite(i Loc, loc Location, changed []*expr.Expr) (ends [2][]hole) {
	switch s := loc.Stmt.(type) {
	case Branch:
		b := l.emit(s, loc.Pos)
		return [2][]hole{{{b, 0}}, {{b, 1}}}
	case Assign:
		l.emit(s, loc.Pos)
		l.toldBy(s.LHS, loc.Pos)
	case Call:
		does, may := l.split(i, changed)
		s.Clobbers = does
		l.emit(s, loc.Pos)
		for _, v := range may {
			l.emit(Assign{LHS: v, Nondet: s.Callee, Approx: "what " + s.Callee + " may reach"}, loc.Pos)
		}
		l.agreeAll(changed, loc.Pos)
		l.toldBy(s.LHS, loc.Pos)
	case unknownCall:
		l.emit(Goto{}, loc.Pos)
		does, may := l.split(i, changed)
		for _, v := range does {
			l.emit(Assign{LHS: v, Nondet: s.name, Approx: s.approx}, loc.Pos)
		}
		for _, v := range may {
			l.emit(Assign{LHS: v, Nondet: s.name, Approx: cmp.Or(s.approx, "what "+s.name+" may reach")}, loc.Pos)
		}
		l.agreeAll(changed, loc.Pos)
		if s.lhs != nil {
			l.emit(Assign{LHS: s.lhs, Nondet: s.name, Approx: s.approx}, loc.Pos)
			l.toldBy(s.lhs, loc.Pos)
		}
	case loadStmt, storeStmt, copyStmt, fillStmt, allocStmt, freeStmt, startStmt, reachStmt:
		l.emit(Goto{}, loc.Pos)
		l.access(i, s, loc.Pos)
	default:
		l.emit(s, loc.Pos)
	}
	return [2][]hole{l.open, nil}
}

// toldBy tells the cells that overlap a variable what has been stored in it.
func (l *lowerer) toldBy(v *expr.Expr, pos Pos) {
	if c, ok := l.cells[v]; ok {
		l.tell(c.b, c.lf.extent, v, pos)
	}
}

// split tells the cells that a call is certainly given from those that it may
// reach.
func (l *lowerer) split(at Loc, changed []*expr.Expr) (does, may []*expr.Expr) {
	for _, v := range changed {
		if c, ok := l.cells[v]; ok && !l.certain[at].has(c.b.number) {
			may = append(may, v)
		} else {
			does = append(does, v)
		}
	}
	return does, may
}

// agreeAll lets the cells of the blocks agree that have been given any value.
func (l *lowerer) agreeAll(changed []*expr.Expr, pos Pos) {
	var last *block
	for _, v := range changed {
		if c, ok := l.cells[v]; ok && c.b != last {
			last = c.b
			l.agree(c.b, pos)
		}
	}
}

func (l *lowerer) access(i Loc, s Stmt, pos Pos) {
	switch s := s.(type) {
	case loadStmt:
		l.along(l.search(i, 0, s.from), s.from, pos, func(h hit) { l.load(s, h, pos) }, func() { l.unmodelled(s.lhs, pos) })
	case storeStmt:
		l.along(l.search(i, 0, s.to), s.to, pos, func(h hit) { l.storeAt(s, h, pos) }, func() {})
	case copyStmt:
		l.copyMemory(i, s, pos)
	case fillStmt:
		l.along(l.search(i, 0, s.to), s.to, pos, func(h hit) { l.fill(s, h, pos) }, func() {})
	case allocStmt:
		l.allocateAt(s, pos)
	case freeStmt:
		l.freeAt(s, pos)
	case startStmt:
		l.startBlock(s.b, pos)
	}
}

// unmodelled gives a variable a value from memory that is not modelled.
func (l *lowerer) unmodelled(lhs *expr.Expr, pos Pos) {
	if lhs != nil {
		l.emit(Assign{LHS: lhs, Nondet: "memory", Approx: "memory that is not modelled"}, pos)
	}
}

// along writes the tests of a tree, with do behind each hit and unknown where
// the memory is not modelled.
func (l *lowerer) along(t *tree, r ref, pos Pos, do func(hit), unknown func()) {
	if t.hit != nil {
		if a := t.hit.b.assumes; a.Text != "" {
			l.warnf(a.Pos, "%s", a.Text)
		}
		l.alive(t.hit.b, pos)
		if b, _ := l.blockOf(r.base); b == nil {
			l.inLife(t.hit.b.alive, pos)
		}
		do(*t.hit)
		return
	}
	var ends []hole
	for _, a := range t.arms {
		yes, no := l.branch(a.cond, pos)
		l.open = yes
		l.along(a.then, r, pos, do, unknown)
		ends = append(ends, l.open...)
		l.open = no
	}
	if len(l.open) > 0 {
		l.beyond(t.els, r, pos, unknown)
	}
	l.open = append(l.open, ends...)
}

// beyond is where no test has held.
func (l *lowerer) beyond(o outside, r ref, pos Pos, unknown func()) {
	if o == isInvalid {
		l.invalid(pos)
		return
	}
	if l.opt.CheckPointers {
		null, other := l.branch(l.pool.Eq(r.base, l.pool.Const(r.base.Type(), 0)), pos)
		l.open = null
		l.invalid(pos)
		l.open = other
	}
	unknown()
}

// alive lets only accesses to memory pass that has not been freed.
func (l *lowerer) alive(b *block, pos Pos) { l.inLife(b.live, pos) }

// inLife lets control pass only while a flag is set; nil always is.
func (l *lowerer) inLife(flag *expr.Expr, pos Pos) {
	if flag == nil {
		return
	}
	yes, no := l.branch(l.pool.Truth(flag), pos)
	l.open = no
	l.invalid(pos)
	l.open = yes
}

// value is what an extent of a block holds, or nil.
func (l *lowerer) valueAt(b *block, e extent, t ctype) *expr.Expr {
	if b.fixed && l.starts(b) {
		return l.initialOf(b, e, t).val
	}
	if lf := b.find(e); lf != nil {
		if lf.v == nil {
			return nil
		}
		return l.pool.Cast(t.typ, lf.v)
	}
	return l.bitsAt(b, e, t.typ)
}

func (l *lowerer) load(s loadStmt, h hit, pos Pos) {
	if s.lhs == nil {
		return
	}
	a := Assign{LHS: s.lhs}
	if h.rest {
		a.Nondet, a.Approx = "element", fmt.Sprintf("an element of %s, which has more than %d", h.b.name, l.arrayLimit())
		if h.skip != nil && h.stride == 8 && h.b.spanAt(h.e.at) == nil {
			a.Nondet, a.Approx = "memory", fmt.Sprintf("memory of %s by a pointer to any place in it", h.b.name)
		}
	} else if a.RHS = l.valueAt(h.b, h.e, s.from.t); a.RHS == nil {
		a.Nondet, a.Approx = "overlap", punned
		l.warnf(pos, "%s reads memory by another type than it was written: any value", source(s.from.n))
	}
	l.emit(a, pos)
}

func (l *lowerer) storeAt(s storeStmt, h hit, pos Pos) {
	if h.b.fixed && !s.lazy {
		l.invalid(pos)
		return
	}
	if h.rest {
		for _, lf := range h.b.leaves {
			if lf.v != nil && h.touches(lf) {
				l.emit(Assign{LHS: lf.v, Nondet: "element", Approx: "a store to an element of " + h.b.name}, pos)
			}
		}
		return
	}
	lf := h.b.find(h.e)
	if s.lazy && !mentioned(h) {
		return
	}
	if lf != nil && lf.v != nil {
		a := Assign{LHS: lf.v, Nondet: s.nondet, Approx: s.approx}
		if s.val != nil {
			a.RHS = l.pool.Cast(lf.t.typ, s.val)
		}
		l.emit(a, pos)
		l.tell(h.b, h.e, lf.v, pos)
		return
	}
	val := s.val
	if val != nil && !val.IsConst() && h.e.kind == kindInt && len(h.b.overlapping(h.e)) > 1 {
		val = l.temp("stored", s.val.Type(), pos)
		l.assign(val, s.val, pos)
	}
	l.tell(h.b, h.e, val, pos)
}

// mentioned reports whether a leaf at the extent of a hit, or one that overlaps
// it, has a variable.
func mentioned(h hit) bool {
	has := func(lf *leaf) bool { return lf != nil && lf.v != nil }
	return has(h.b.find(h.e)) || slices.ContainsFunc(h.b.overlapping(h.e), has)
}

// fill gives size bytes from a hit on a value.
func (l *lowerer) fill(s fillStmt, h hit, pos Pos) {
	if h.b.fixed {
		return
	}
	for _, lf := range l.within(h, s.size) {
		if lf.v == nil || containsExtent(s.except, lf.extent.moved(-h.e.at)) {
			continue
		}
		a := Assign{LHS: lf.v, Nondet: s.nondet, Approx: s.approx}
		inside := !h.rest && lf.at >= h.e.at && (s.size < 0 || lf.end() <= h.e.at+8*s.size)
		if s.val != nil && inside {
			a.RHS = l.repeated(s.val, lf)
		}
		if a.RHS == nil && s.val != nil {
			a.Nondet, a.Approx = "overlap", punned
		}
		l.emit(a, pos)
	}
	if s.val == nil {
		l.agree(h.b, pos)
	}
}

func containsExtent(es []extent, e extent) bool {
	for _, x := range es {
		if x == e {
			return true
		}
	}
	return false
}

// repeated is the value of a leaf all of whose bytes are val; nil where that is
// not modelled.
func (l *lowerer) repeated(val *expr.Expr, lf *leaf) *expr.Expr {
	switch {
	case val.IsConst() && (lf.kind == kindInt || val.Value() <= 1):
		pattern := val.Value() * 0x0101010101010101 >> (lf.at % 8)
		return l.pool.Const(lf.t.typ, pattern)
	case lf.kind == kindInt && lf.width == 8:
		return l.pool.Cast(lf.t.typ, val)
	}
	return nil
}

// startBlock gives the cells of a static object their values at the start.
func (l *lowerer) startBlock(b *block, pos Pos) {
	for _, lf := range b.leaves {
		if lf.v == nil {
			continue
		}
		a := Assign{LHS: lf.v, RHS: l.initialOf(b, lf.extent, lf.t).val}
		if a.RHS == nil {
			a.Nondet, a.Approx = "initialiser", "initialiser of "+lf.v.Name()
		}
		l.emit(a, pos)
	}
}

// copyMemory copies leaf by leaf, on the way through temporaries where one of
// the places has to be searched for.
func (l *lowerer) copyMemory(i Loc, s copyStmt, pos Pos) {
	to, from := l.search(i, 0, s.to), l.search(i, 1, s.from)
	if to.hit != nil && from.hit != nil && !to.hit.rest && !from.hit.rest && to.hit.b != from.hit.b && s.size >= 0 {
		l.alive(from.hit.b, pos)
		l.alive(to.hit.b, pos)
		l.put(s, *to.hit, pos, func(e extent, t ctype) *expr.Expr { return l.get(s, *from.hit, e, t) })
		return
	}
	for _, need := range s.between.leaves {
		if need.v == nil && need.kind != kindFloat {
			need.v = l.temp("copied", need.t.typ, pos)
		}
	}
	carry := func(get func(e extent, t ctype) *expr.Expr) {
		for _, need := range s.between.leaves {
			if need.v == nil {
				continue
			}
			a := Assign{LHS: need.v, RHS: get(need.extent, need.t)}
			if a.RHS == nil {
				a.Nondet, a.Approx = "copy", punned
			}
			l.emit(a, pos)
		}
	}
	l.along(from, s.from, pos, func(h hit) {
		carry(func(e extent, t ctype) *expr.Expr { return l.get(s, h, e, t) })
	}, func() { carry(func(extent, ctype) *expr.Expr { return nil }) })
	l.along(to, s.to, pos, func(h hit) {
		l.put(s, h, pos, func(e extent, t ctype) *expr.Expr {
			if lf := s.between.find(e); lf != nil {
				return lf.v
			}
			return nil
		})
	}, func() {})
}

// get is what a copy takes from a hit.
func (l *lowerer) get(s copyStmt, h hit, e extent, t ctype) *expr.Expr {
	if h.rest || s.size < 0 || e.moved(h.e.at).end() > 8*h.b.size {
		return nil
	}
	return l.valueAt(h.b, e.moved(h.e.at), t)
}

// put stores what a copy brings to a hit.
func (l *lowerer) put(s copyStmt, h hit, pos Pos, get func(e extent, t ctype) *expr.Expr) {
	if h.b.fixed {
		l.invalid(pos)
		return
	}
	for _, lf := range l.within(h, s.size) {
		if lf.v == nil {
			continue
		}
		a := Assign{LHS: lf.v}
		if e := lf.extent.moved(-h.e.at); !h.rest && s.size >= 0 && e.at >= 0 && e.end() <= 8*s.size {
			a.RHS = get(e, lf.t)
		}
		if a.RHS == nil {
			a.Nondet, a.Approx = "copy", punned
		}
		l.emit(a, pos)
	}
}

// allocateAt gives out the next block of a site.
func (l *lowerer) allocateAt(s allocStmt, pos Pos) {
	var ends []hole
	if s.site.null {
		ok := l.any(bool1, "allocated", "", pos)
		yes, failed := l.branch(l.pool.Truth(ok), pos)
		l.open = failed
		l.assign(s.lhs, l.pool.Const(s.lhs.Type(), 0), pos)
		ends, l.open = l.open, yes
	}
	for i, b := range s.site.blocks {
		var more []hole
		if s.site.count != nil {
			l.open, more = l.branch(l.pool.Eq(s.site.count, l.pool.Int(expr.Uint8, int64(i))), pos)
			l.assign(s.site.count, l.pool.Int(expr.Uint8, int64(i+1)), pos)
		}
		l.assign(s.lhs, l.addressIn(b, 0), pos)
		f := fillStmt{size: b.size, val: s.site.fill, nondet: "uninitialised"}
		if !b.limitless {
			l.fill(f, hit{b: b}, pos)
		}
		if b.live != nil {
			l.assign(b.live, l.pool.Const(bool1, 1), pos)
		}
		ends = append(ends, l.open...)
		l.open = more
	}
	if s.site.rest != nil {
		l.emit(Assign{LHS: s.lhs, Nondet: "malloc", Approx: fmt.Sprintf("more than %d objects of %s", l.heapLimit(), s.site.name)}, pos)
		none, some := l.branch(l.pool.Eq(s.lhs, l.pool.Const(s.lhs.Type(), 0)), pos)
		l.open = none
		if len(none) > 0 {
			l.halt("no such address", pos)
		}
		l.open = some
	}
	l.open = append(l.open, ends...)
}

// freeAt ends the life of a block, where that is checked.
func (l *lowerer) freeAt(s freeStmt, pos Pos) {
	none, some := l.branch(l.pool.Eq(s.addr, l.pool.Const(s.addr.Type(), 0)), pos)
	ends := none
	l.open = some
	outside := isInvalid
	for _, target := range l.pts.targets(l.pts.term(s.addr)) {
		b := l.pts.blocks[target.Object]
		switch {
		case b == nil || b.limitless || b.outside:
			outside = isUnknown
		case b.live != nil && target.Offset == 0:
			yes, no := l.branch(l.pool.Eq(s.addr, l.addressIn(b, 0)), pos)
			l.open = yes
			l.alive(b, pos)
			l.assign(b.live, l.pool.Const(bool1, 0), pos)
			ends = append(ends, l.open...)
			l.open = no
		}
	}
	if outside == isInvalid {
		l.invalid(pos)
	}
	l.open = append(l.open, ends...)
}
