package cfa

// Which cells the accesses of a component need.
//
// Every access is looked for as it will be when it is written out; elements of
// spans and places of untyped memory become cells, copies take along what is
// needed at their destination. What is not read or written as one cell is noted
// for the analysis of pointers: addresses in it are not followed.

import (
	"slices"

	"magus/internal/expr"
	"magus/internal/graph"
)

// demand reports whether there is something new for the analysis of pointers.
func (l *lowerer) demand() bool {
	before := l.news
	for {
		round := l.news
		for i := range l.locs {
			l.demandAt(Loc(i))
		}
		if l.news == round {
			break
		}
	}
	return l.news != before || l.allocates()
}

func (l *lowerer) demandAt(at Loc) {
	switch s := l.locs[at].Stmt.(type) {
	case loadStmt:
		if s.lhs != nil {
			t := l.search(at, 0, s.from)
			t.each(func(h hit) { l.demandLoad(s, h) })
			if t.leads(isUnknown) && l.wide(s.lhs.Type()) {
				l.mark(l.foreign, s.lhs)
			}
		}
	case storeStmt:
		t := l.search(at, 0, s.to)
		t.each(func(h hit) { l.demandStore(at, s, h) })
		if t.leads(isUnknown) {
			l.leak(at, s)
		}
	case copyStmt:
		l.demandCopy(at, s)
	case fillStmt:
		if s.approx != "" {
			l.search(at, 0, s.to).each(func(h hit) {
				for _, lf := range l.within(h, s.size) {
					l.set(&lf.foreign)
				}
			})
		}
	}
}

// each calls f for every hit.
func (t *tree) each(f func(hit)) {
	if t.hit != nil {
		f(*t.hit)
	}
	for _, a := range t.arms {
		a.then.each(f)
	}
}

// leads reports whether some test of the tree may fail to o.
func (t *tree) leads(o outside) bool {
	if t.hit != nil {
		return false
	}
	for _, a := range t.arms {
		if a.then.leads(o) {
			return true
		}
	}
	return t.els == o
}

// set sets a mark.
func (l *lowerer) set(mark *bool) {
	if !*mark {
		*mark = true
		l.news++
	}
}

func (l *lowerer) mark(marks map[*expr.Expr]bool, v *expr.Expr) {
	if !marks[v] {
		marks[v] = true
		l.news++
	}
}

// demandLeaf is the leaf of an access, made if it may be, with its variable.
func (l *lowerer) demandLeaf(b *block, e extent, t ctype) *leaf {
	n := len(b.leaves)
	lf := l.leafAt(b, e, t, true)
	if lf != nil && lf.v == nil && lf.kind != kindFloat && !(b.fixed && l.starts(b)) {
		l.cellVar(b, lf)
		l.news++
	}
	if len(b.leaves) != n {
		l.news++
	}
	return lf
}

func (l *lowerer) demandLoad(s loadStmt, h hit) {
	if h.rest {
		if h.b.spanAt(h.e.at) == nil && l.wide(s.lhs.Type()) {
			l.mark(l.foreign, s.lhs)
		}
		return
	}
	if l.demandLeaf(h.b, h.e, s.from.t) == nil {
		vars := len(l.vars)
		l.bitsAt(h.b, h.e, s.lhs.Type())
		l.news += len(l.vars) - vars
		l.mark(l.foreign, s.lhs)
		for _, lf := range h.b.overlapping(h.e) {
			l.set(&lf.leaks)
		}
	}
}

func (l *lowerer) demandStore(at Loc, s storeStmt, h hit) {
	leak := false
	if h.rest {
		leak = h.b.spanAt(h.e.at) == nil
		for _, lf := range h.b.leaves {
			if h.touches(lf) {
				l.set(&lf.foreign)
			}
		}
	} else if lf := l.leafAt(h.b, h.e, s.to.t, h.b.untyped); lf == nil {
		over := h.b.overlapping(h.e)
		leak = !s.lazy || len(over) > 0
		for _, lf := range over {
			l.set(&lf.foreign)
		}
	} else if h.b.untyped {
		l.demandLeaf(h.b, h.e, s.to.t)
	}
	if leak {
		l.leak(at, s)
	}
}

// leak notes that what a statement stores is not followed.
func (l *lowerer) leak(at Loc, s storeStmt) {
	if s.val != nil && !l.leaks[at] {
		l.leaks[at] = true
		l.news++
	}
}

// within are the leaves of a hit's block in size bytes from it on.
func (l *lowerer) within(h hit, size int64) []*leaf {
	end := h.e.at + 8*size
	if size < 0 {
		end = 8 * h.b.size
	}
	var all []*leaf
	for _, lf := range h.b.leaves {
		if h.rest && h.touches(lf) || !h.rest && lf.at < end && lf.end() > h.e.at {
			all = append(all, lf)
		}
	}
	return all
}

// demandCopy takes what is needed at the destination along.
func (l *lowerer) demandCopy(at Loc, s copyStmt) {
	word := int64(l.prog.model.ptrType().Width)
	l.demandOutside(at, s)
	l.search(at, 0, s.to).each(func(h hit) {
		for _, lf := range l.within(h, s.size) {
			e := lf.extent.moved(-h.e.at)
			if s.size < 0 || h.rest || e.at < 0 || e.end() > 8*s.size {
				l.set(&lf.foreign)
				continue
			}
			if lf.v != nil && s.between.find(e) == nil {
				s.between.add(&leaf{extent: e, t: lf.t})
				l.news++
			}
			if e.at%word != 0 {
				l.set(&lf.foreign)
			}
		}
	})
	l.search(at, 1, s.from).each(func(h hit) {
		if h.rest || s.size < 0 {
			return
		}
		for _, need := range s.between.leaves {
			e := need.extent.moved(h.e.at)
			if e.end() > 8*h.b.size || need.kind == kindFloat {
				continue
			}
			if lf := l.demandLeaf(h.b, e, need.t); lf == nil || need.at%word != 0 {
				for _, lf := range h.b.leaves {
					if lf.overlaps(e) {
						l.set(&lf.leaks)
					}
				}
				if lf == nil {
					vars := len(l.vars)
					l.bitsAt(h.b, e, need.t.typ)
					l.news += len(l.vars) - vars
				}
			}
		}
	})
}

// demandOutside notes what a copy takes to memory that is not modelled, and what
// comes from there.
func (l *lowerer) demandOutside(at Loc, s copyStmt) {
	to, from := l.search(at, 0, s.to), l.search(at, 1, s.from)
	if to.leads(isUnknown) {
		from.each(func(h hit) {
			for _, lf := range l.within(h, s.size) {
				l.set(&lf.leaks)
			}
		})
	}
	if from.leads(isUnknown) {
		to.each(func(h hit) {
			for _, lf := range l.within(h, s.size) {
				l.set(&lf.foreign)
			}
		})
	}
}

// allocates gives the sites their blocks, once it is known which of them
// control can pass several times, and reports whether there were new ones.
func (l *lowerer) allocates() bool {
	made := false
	var cyclic []bool
	for i := range l.locs {
		s, ok := l.locs[i].Stmt.(allocStmt)
		if !ok || len(s.site.blocks) > 0 {
			continue
		}
		if cyclic == nil {
			cyclic = l.cyclic()
		}
		made = true
		n := 1
		if cyclic[i] {
			n = l.heapLimit()
			name := s.site.name + "#count"
			s.site.count = l.newVar(name, name, expr.Uint8)
			l.addVar(Var{Expr: s.site.count, Name: name, Kind: Temp, Frame: s.site.decl.Frame, Pos: s.site.decl.Pos})
			l.atStart = append(l.atStart, s.site.count)
		}
		for range n {
			b := l.newHeapBlock(s.site)
			s.site.blocks = append(s.site.blocks, b)
			if b.live != nil {
				l.atStart = append(l.atStart, b.live)
			}
		}
		if cyclic[i] {
			s.site.rest = l.newBlock(s.site.name+"#rest", nil, 1, s.site.decl)
			s.site.rest.limitless = true
		}
	}
	return made
}

func (l *lowerer) heapLimit() int {
	if l.opt.HeapLimit > 0 {
		return min(l.opt.HeapLimit, 200)
	}
	return DefaultHeapLimit
}

// cyclic says for each location whether control can come back to it: those of
// components with more than one location, or with an edge to themselves.
func (l *lowerer) cyclic() []bool {
	in := make([]bool, len(l.locs))
	succ := func(n int, yield func(m int)) {
		for _, s := range l.locs[n].Succ {
			if s >= 0 {
				yield(int(s))
			}
		}
	}
	for _, c := range graph.SCC(graph.Func{Nodes: len(l.locs), Succ: succ}).Members() {
		if len(c) > 1 || slices.Contains(l.locs[c[0]].Succ, Loc(c[0])) {
			for _, at := range c {
				in[at] = true
			}
		}
	}
	return in
}
