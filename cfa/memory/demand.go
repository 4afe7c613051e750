package memory

// Which cells the accesses of a component need.
//
// Every access is looked for as it will be when it is resolved. Elements of spans
// and extents of untyped memory become cells, and copies take along what is needed
// at their target. What is not read or written as one cell is noted for the
// analysis of pointers: addresses in it are not followed.

import (
	"iter"
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/smt/expr"
)

// demands are what an analysis asks for.
type demands struct{ *Analysis }

// demand reports whether there is something new for the analysis of pointers.
func (a demands) demand() bool {
	before := a.changes
	for {
		round := a.changes
		for i := range a.code.Len() {
			if a.code.Err() != nil {
				return false
			}
			if now := a.stateAt(cfa.Loc(i)); !now.equal(a.demanded[cfa.Loc(i)]) {
				a.demanded[cfa.Loc(i)] = now
				a.demandAt(cfa.Loc(i))
			}
		}
		if a.opt.CheckLeaks && a.isCalled() {
			a.demandKept()
		}
		if a.changes == round {
			break
		}
	}
	return a.changes != before || a.allocates()
}

// A demandState is what the cells that a statement needs depend on. Only where it
// changes, the statement has to be looked at again.
type demandState struct {
	targets [][]pointsto.Target // of its accesses
	// of all objects that it may access, for a copy counted again if they have a variable; only grows
	cells   int
	objects int // of the model
	apart   bool
}

// stateAt is the state of a statement, nil if it accesses no memory.
func (a demands) stateAt(at cfa.Loc) *demandState {
	refs := a.refs(at)
	if len(refs) == 0 {
		return nil
	}
	s := &demandState{objects: len(a.objects), apart: a.apart}
	_, copies := a.code.At(at).Stmt.(Copy) // takes along what has a variable
	cells := func(b *Object) int {
		if copies {
			return len(b.leaves) + b.variables
		}
		return len(b.leaves)
	}
	for i, r := range refs {
		if b, _ := a.ObjectOf(r.Base); b != nil {
			s.cells += cells(b)
		}
		targets := a.pts.targets(a.pts.used[at][i])
		s.targets = append(s.targets, targets)
		for b := range a.pts.objectsOf(targets) {
			s.cells += cells(b)
		}
	}
	return s
}

func (s *demandState) equal(o *demandState) bool {
	if s == nil || o == nil {
		return s == o
	}
	same := func(x, y []pointsto.Target) bool {
		return len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0] || slices.Equal(x, y))
	}
	return s.cells == o.cells && s.objects == o.objects && s.apart == o.apart &&
		slices.EqualFunc(s.targets, o.targets, same)
}

func (a demands) demandAt(at cfa.Loc) {
	if a.opt.Races {
		a.demandRaces(at, a.code.At(at).Stmt)
	}
	switch s := a.code.At(at).Stmt.(type) {
	case Load:
		if s.LHS == nil {
			return
		}
		t := a.find.search(at, 0, s.From)
		for h := range t.hits {
			a.demandLoad(s, h)
		}
		for h := range t.summarisedHits {
			a.demandSummarised(s, h)
		}
		if t.leads(isUnknown) && a.wide(s.LHS.Type()) {
			a.mark(a.foreign, s.LHS)
		}
	case Store:
		t := a.find.search(at, 0, s.To)
		for h := range t.all {
			a.demandStore(at, s, h)
			a.demandFound(s, h)
		}
		if t.leads(isUnknown) {
			a.leak(at, s)
		}
	case Measure:
		for h := range a.find.search(at, 0, s.At).hits {
			a.demandMeasure(h)
		}
	case ScanText:
		for h := range a.find.search(at, 0, s.At).hits {
			a.demandPrefix(h, s.wanted())
		}
	case Copy:
		a.demandCopy(at, s)
	case Touch:
		if s.Out {
			for h := range a.find.search(at, 0, s.At).all {
				a.setLeaks(a.within(h, s.Size))
				if len(h.b.spans) > 0 || h.b.unbounded {
					a.set(&h.b.leaks)
				}
			}
		}
	case Fill:
		if s.Approx != "" || s.Val == nil && !indeterminate(s.Nondet) {
			for h := range a.find.search(at, 0, s.To).all {
				a.setForeign(a.within(h, s.Size))
				if len(h.b.spans) > 0 || h.b.unbounded {
					a.set(&h.b.foreign)
				}
			}
		}
	}
}

// hits yields every hit of a tree.
func (t *tree) hits(yield func(hit) bool) { t.each(yield) }

func (t *tree) each(yield func(hit) bool) bool {
	if t.hit != nil && !yield(*t.hit) {
		return false
	}
	for _, a := range t.arms {
		if !a.each(yield) {
			return false
		}
	}
	return true
}

// leads reports whether some test of the tree may fail to o.
func (t *tree) leads(o miss) bool {
	if t.hit != nil {
		return false
	}
	for _, arms := range [][]arm{t.arms, t.summarised} {
		if slices.ContainsFunc(arms, func(a arm) bool { return a.then != nil && a.then.leads(o) }) {
			return true
		}
	}
	return t.els == o
}

// set sets a mark.
func (a demands) set(mark *bool) {
	if !*mark {
		*mark = true
		a.changes++
	}
}

func (a demands) mark(marks map[*expr.Expr]bool, v *expr.Expr) {
	if !marks[v] {
		marks[v] = true
		a.changes++
	}
}

func (a demands) setForeign(leaves []*leaf) {
	for _, lf := range leaves {
		a.set(&lf.foreign)
	}
}

func (a demands) setLeaks(leaves []*leaf) {
	for _, lf := range leaves {
		a.set(&lf.leaks)
	}
}

// demandLeaf is the leaf of an access, made if it may be, with its variable.
func (a demands) demandLeaf(b *Object, e Extent, t Scalar) *leaf {
	n := len(b.leaves)
	lf := a.leafAt(b, e, t, true)
	if lf != nil && lf.v == nil && lf.kind != kindFloat && !(b.constant && b.starts()) {
		a.cellVar(b, lf)
		a.changes++
	}
	if len(b.leaves) != n {
		a.changes++
	}
	return lf
}

// demandBits makes the cells whose bits an extent is read from that is no cell.
func (a demands) demandBits(b *Object, e Extent, t expr.Type) {
	vars := len(a.code.Vars())
	a.bitsAt(b, e, t)
	a.changes += len(a.code.Vars()) - vars
}

func (a demands) demandLoad(s Load, h hit) {
	if h.rest {
		if !h.held(s.From.Scalar) {
			a.mark(a.foreign, s.LHS)
			a.set(&h.b.leaks)
			a.setLeaks(h.touched())
		} else {
			a.setLeaks(h.otherwise())
		}
		return
	}
	lf := a.demandLeaf(h.b, h.e, s.From.Scalar)
	if lf == nil {
		a.demandBits(h.b, h.e, s.LHS.Type())
		a.mark(a.foreign, s.LHS)
		a.setLeaks(h.b.overlapping(h.e))
		return
	}
	a.changes += a.accessed(lf, s.From.Scalar)
}

// demandSummarised is demandLoad for a hit that is not told apart: an address in it
// is followed only where it is a cell of its own.
func (a demands) demandSummarised(s Load, h hit) {
	if h.rest {
		a.demandLoad(s, h)
	} else if a.leafAt(h.b, h.e, s.From.Scalar, false) == nil && a.wide(s.LHS.Type()) {
		a.mark(a.foreign, s.LHS)
		a.setLeaks(h.b.overlapping(h.e))
	}
}

func (a demands) demandStore(at cfa.Loc, s Store, h hit) {
	leak := false
	if h.rest {
		if leak = !h.held(s.To.Scalar); leak {
			a.set(&h.b.foreign)
		}
		leak = leak || len(h.otherwise()) > 0
		a.setForeign(h.touched())
	} else if lf := a.leafAt(h.b, h.e, s.To.Scalar, h.b.untyped); lf == nil {
		over := h.b.overlapping(h.e)
		leak = !s.Init || len(over) > 0
		a.setForeign(over)
	} else {
		a.changes += a.accessed(lf, s.To.Scalar)
		if h.b.untyped {
			a.demandLeaf(h.b, h.e, s.To.Scalar)
		}
	}
	if leak {
		a.leak(at, s)
	}
}

// leak notes that what a statement stores is not followed.
func (a demands) leak(at cfa.Loc, s Store) {
	if s.Val != nil && !a.leaks[at] {
		a.leaks[at] = true
		a.changes++
	}
}

// touched are the leaves that a store to the rest may change.
func (h hit) touched() []*leaf {
	var all []*leaf
	for _, lf := range h.b.leaves {
		if h.touches(lf) {
			all = append(all, lf)
		}
	}
	return all
}

// otherwise are those of them that are no elements like the hit, but lie over such: members of
// a union with the array.
func (h hit) otherwise() []*leaf {
	return slices.DeleteFunc(h.touched(), func(lf *leaf) bool { return lf.width == h.e.width && lf.kind == h.e.kind })
}

// within are the leaves of a hit's object in size bytes from it on.
func (m *addressing) within(h hit, size int64) []*leaf { return slices.Collect(h.within(size)) }

// within yields the leaves of a hit's object in size bytes from it on.
func (h hit) within(size int64) iter.Seq[*leaf] {
	return func(yield func(*leaf) bool) {
		first, last := h.starts()
		for _, lf := range h.b.leaves[h.b.from(first-widest):] {
			if size >= 0 && lf.at >= last+8*size || h.covers(lf, size) && !yield(lf) {
				return
			}
		}
	}
}

// allWithin yields the leaves in size bytes from each of the hits of a tree on, some
// of them several times.
func (a demands) allWithin(t *tree, size int64) iter.Seq[[]*leaf] {
	return func(yield func([]*leaf) bool) {
		least := map[*Object]int64{} // without an end, only the first hit counts
		for h := range t.all {
			if a.code.Err() != nil {
				return
			}
			if first, _ := h.starts(); size < 0 {
				if at, ok := least[h.b]; ok && at <= first {
					continue
				}
				least[h.b] = first
			}
			if !yield(a.within(h, size)) {
				return
			}
		}
	}
}

// covers reports whether size bytes from a hit on may have a bit in common with a
// leaf; negative: as many as there are.
func (h hit) covers(lf *leaf, size int64) bool {
	first, last := h.starts()
	return lf.end() > first && (size < 0 || lf.at < last+8*size)
}

// starts are the first and the last bit at which a hit may begin. Cells that are skipped
// count: several bytes from another start on may reach them.
func (h hit) starts() (first, last int64) {
	switch {
	case !h.rest:
		return h.e.at, h.e.at
	case h.stride == 0:
		return 0, 8 * h.b.size
	}
	first, last = h.e.at, h.e.at+(h.count-1)*h.stride
	if h.stride < 0 {
		first, last = last, first
	}
	if h.inside {
		last += max(h.stride, -h.stride)
	}
	return first, last
}

// demandCopy takes along what is needed at the target.
func (a demands) demandCopy(at cfa.Loc, s Copy) {
	to, from := a.find.search(at, 0, s.To), a.find.search(at, 1, s.From)
	a.demandUnmodelled(to, from, s)
	a.demandParts(slices.Collect(to.all), slices.Collect(from.all), s)
	a.demandCopied(s, to, from)
	carried := a.carried[at]
	if carried == nil {
		carried = &layout{}
		a.carried[at] = carried
	}
	for h := range to.hits {
		a.demandTarget(s, h, carried)
	}
	for h := range to.summarisedHits {
		a.demandTarget(s, h, nil)
	}
	if s.Size < 0 && s.Length == nil {
		return
	}
	for h := range from.hits {
		if !h.rest {
			a.demandSource(h, carried)
		}
	}
	for h := range from.summarisedHits {
		if a.code.Err() != nil {
			return
		}
		if !h.rest {
			a.demandSummarisedSource(h, carried)
		}
	}
}

// demandTarget finds out what the target of a copy needs. One that is not told apart,
// where carried is nil, takes any value.
func (a demands) demandTarget(s Copy, h hit, carried *layout) {
	for _, lf := range a.within(h, s.Size) {
		e := lf.Extent.moved(-h.e.at)
		if s.Size < 0 || h.rest || e.at < 0 || e.end() > 8*s.Size {
			a.set(&lf.foreign)
			if in, ok := s.into(h, lf); ok && carried != nil && lf.v != nil {
				a.carry(carried, in.moved(-h.e.at), bitsOf(in))
			}
			if !a.mayBePart(s, h, lf) {
				continue
			}
		}
		if carried != nil && lf.v != nil {
			a.carry(carried, e, lf.t)
		}
		if !a.aligned(e) {
			a.set(&lf.foreign)
		}
	}
}

// carry notes that a copy brings an extent.
func (a demands) carry(carried *layout, e Extent, t Scalar) {
	if carried.find(e) == nil {
		carried.add(&leaf{Extent: e, t: t})
		a.changes++
	}
}

// demandSource makes the cells that a copy reads.
func (a demands) demandSource(h hit, carried *layout) {
	for _, need := range carried.leaves {
		e := need.Extent.moved(h.e.at)
		if e.end() > 8*h.b.size || need.kind == kindFloat {
			continue
		}
		lf := a.demandLeaf(h.b, e, need.t)
		if lf == nil || !a.aligned(need.Extent) {
			a.setLeaks(h.b.sharing(e))
		}
		if lf == nil {
			a.demandBits(h.b, e, need.t.Type)
		}
	}
}

// demandSummarisedSource is demandSource for a source that is not told apart: what is read
// there is any value, but addresses in it are followed.
func (a demands) demandSummarisedSource(h hit, carried *layout) {
	for _, need := range carried.leaves {
		e := need.Extent.moved(h.e.at)
		if e.end() > 8*h.b.size || need.kind == kindFloat || !a.wide(need.t.Type) {
			continue
		}
		n := len(h.b.leaves)
		lf := a.leafAt(h.b, e, need.t, h.b.untyped)
		if len(h.b.leaves) != n {
			a.changes++
		}
		if lf == nil || !a.aligned(need.Extent) {
			a.setLeaks(h.b.sharing(e))
		}
	}
}

// sharing are the leaves that have a bit in common with e.
func (ly *layout) sharing(e Extent) []*leaf {
	var all []*leaf
	for _, lf := range ly.near(e) {
		if lf.overlaps(e) {
			all = append(all, lf)
		}
	}
	return all
}

// aligned reports whether a copy carries an address at this extent as one word.
func (m *addressing) aligned(e Extent) bool { return e.at%int64(m.pointer.Width) == 0 }

// demandUnmodelled notes what a copy takes to memory that is not modelled, and what
// comes from there.
func (a demands) demandUnmodelled(to, from *tree, s Copy) {
	if to.leads(isUnknown) {
		for leaves := range a.allWithin(from, s.Size) {
			a.setLeaks(leaves)
		}
	}
	if from.leads(isUnknown) {
		for leaves := range a.allWithin(to, s.Size) {
			a.setForeign(leaves)
		}
	}
}
