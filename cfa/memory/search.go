package memory

// Where an access goes: a decision tree over the cells it may mean.
//
// Idea: where the base of an access is one offset of an object and the rest are
// indices, the tests are on the indices, one after the other; otherwise they are on
// the address. An address that no test admits is invalid or, if the pointer may come
// from code that nobody described, that of memory that is not modelled. An array of
// more elements than the limit is summarised: only elements that constants name are
// told apart.
//
// Cost: as many tests as there are cells at a fitting offset, of fitting size and kind.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/smt/expr"
)

// A miss says what it means that no test of a tree holds.
type miss uint8

const (
	isInvalid miss = iota // NULL, dangling, out of bounds
	isUnknown             // memory that is not modelled
)

// A tree is a sequence of tests, or a hit.
type tree struct {
	arms       []arm
	els        miss
	hit        *hit
	summarised []arm // the hits behind them are not told apart (summary.go)
	// unbounded are the objects of unknown extent that may be meant where no test holds.
	unbounded []*Object
}

// An arm leads to a tree if a condition holds. Where there is none, the arm tests whether the address
// of the access, or its base, is that of an offset of an object, or of one of the bytes behind it. Such
// tests become terms only where they are written: a pointer that may lead anywhere has one for each of
// thousands of targets, and most are never told apart.
type arm struct {
	cond   *expr.Expr
	base   bool    // the base is at the offset
	b      *Object // where cond is nil: off bytes into it, or up to more bytes further
	off    int64
	more   int64
	then   *tree // nil: the hit is e, moved to the offset
	e      *Extent
	likely bool // an object of the pointer's type stands there
}

// test is the condition of an arm, for an access.
func (m *addressing) test(a arm, r Ref) *expr.Expr {
	if a.cond != nil {
		return a.cond
	}
	addr := r.Base
	if !a.base {
		addr = m.Term(r.Address)
	}
	if a.more > 0 {
		d := m.pool.Sub(addr, m.AddressIn(a.b, a.off))
		return m.pool.Lt(d, m.pool.Const(d.Type(), uint64(a.more+1)))
	}
	return m.pool.Eq(addr, m.AddressIn(a.b, a.off))
}

// tree is what an arm leads to.
func (a arm) tree() *tree {
	if a.then != nil {
		return a.then
	}
	h := a.single()
	return &tree{hit: &h}
}

// single is the hit of an arm without a tree.
func (a arm) single() hit { return hit{b: a.b, e: a.e.moved(8 * a.off)} }

// each yields the hits of an arm.
func (a arm) each(yield func(hit) bool) bool {
	if a.then != nil {
		return a.then.each(yield)
	}
	return yield(a.single())
}

// A hit is an extent of an object. With rest, it is some element of a summarised
// array that has no cell: at the Extent plus a multiple of stride, anywhere in the
// object if that is 0.
type hit struct {
	b      *Object
	e      Extent
	rest   bool
	stride int64 // in bits
	count  int64
	inside bool           // or somewhere in the element, up to the next one
	align  int64          // and at a multiple of so many bits
	skip   map[*leaf]bool // cells that tests before have excluded
	base   *expr.Expr     // what tests have found the base of the access to be; nil where none has
	// doubtful says that the pointer may be one to an array that this lies outside of.
	doubtful bool
}

// touches reports whether a store to the rest may change a leaf: whether the leaf overlaps an
// extent that the hit may mean. Tests before have excluded a skipped leaf at its own extent only.
func (h hit) touches(lf *leaf) bool {
	first, last := h.starts()
	switch {
	case h.stride == 0:
		return true
	case h.inside:
		return !h.skip[lf] && first < lf.end() && lf.at < last
	}
	step := max(h.stride, -h.stride)
	at := first + max(0, floorDiv(lf.at-h.e.width-first, step)+1)*step
	for ; at <= last && at < lf.end(); at += step {
		if !h.skip[lf] || at != lf.at && at%max(h.align, 1) == 0 {
			return true
		}
	}
	return false
}

// A locator finds where accesses go, by what one run of the analysis of pointers has found.
type locator struct {
	*addressSpace
	pts   *pointers
	apart bool                  // distances of objects are computed
	trees map[treeKey]treeEntry // see cachedTree
}

func newLocator(space *addressSpace, pts *pointers, apart bool) *locator {
	return &locator{addressSpace: space, pts: pts, apart: apart, trees: map[treeKey]treeEntry{}}
}

// search finds where a statement's i-th access goes.
func (a *locator) search(at cfa.Loc, i int, r Ref) *tree {
	if b, off := a.ObjectOf(r.Base); b != nil && !(a.apart && len(r.Idx) > 0) {
		return a.searchObject(b, off, r)
	}
	return a.cachedTree(a.pts.targets(a.pts.used[at][i]), r)
}

// searchAddress finds where an access goes whose address has these targets.
func (a *locator) searchAddress(targets []pointsto.Target, r Ref) *tree {
	targets, exact := a.exactFor(targets, r)
	t := &tree{arms: make([]arm, 0, len(targets))}
	for len(targets) > 0 {
		n := 1
		for n < len(targets) && targets[n].Object == targets[0].Object {
			n++
		}
		b := a.pts.at(targets[0].Object)
		off, one := exact[b]
		switch {
		case b != nil && b.length != nil && one:
			t.arms = append(t.arms, a.searchFrom(b, off, r))
		case b != nil && b.length != nil:
			t.arms = append(t.arms, a.searchBytes(b, r)...)
		case b != nil && b.each > 0:
			t.arms = append(t.arms, a.searchFurther(b, r))
		case b == nil || b.unbounded:
			t.els = isUnknown
			if b != nil {
				t.unbounded = append(t.unbounded, b)
			} else if r.Off < 0 {
				t.unbounded = append(t.unbounded, a.externalsOf(r.Base)...)
			}
		case one:
			t.arms = append(t.arms, arm{base: true, b: b, off: off, then: a.searchObject(b, off, r),
				likely: b.holds(off, r.Pointee)})
		default:
			if a.opt.Recorded && len(r.Idx) > 0 && b.isArray() { // an index is told best
				t.arms = append(t.arms, arm{base: true, b: b, then: a.searchObject(b, 0, r)})
			}
			a.searchOffsets(t, b, r, targets[:n])
			if b.external && (len(r.Idx) > 0 || targets[n-1].Last != targets[0].Offset) {
				t.els = isUnknown
				t.unbounded = append(t.unbounded, b)
			}
		}
		targets = targets[n:]
	}
	if r.Base.IsConst() && r.Base.Value() >= nullPage && !a.opt.CheckPointers {
		t.els = isUnknown
	}
	slices.SortStableFunc(t.arms, likelyFirst)
	a.thin(t)
	return t
}

// isArray reports whether all of an object are elements that are not told apart, so that pointers to its beginning are
// not told from those to elements either.
func (b *Object) isArray() bool {
	return len(b.spans) == 1 && b.spans[0].at == 0 && b.spans[0].end == 8*b.size
}

// exactFor are the objects in which the base of an access has one offset only, where that tells
// more than the address, and the targets that are left then.
func (a *locator) exactFor(targets []pointsto.Target, r Ref) (left []pointsto.Target, exact map[*Object]int64) {
	several := func(t pointsto.Target) bool { return t.Offset != t.Last }
	if a.apart && len(r.Idx) > 0 || len(r.Idx) == 0 && !slices.ContainsFunc(targets, several) {
		return targets, nil
	}
	base := a.pts.term(r.Base)
	exact = a.pts.exactTargets(base)
	if len(exact) == 0 || len(exact) != len(a.pts.targets(base)) {
		return targets, exact
	}
	// What is added to the base leads to no other object.
	return slices.DeleteFunc(slices.Clone(targets), func(t pointsto.Target) bool {
		_, one := exact[a.pts.at(t.Object)]
		return !one
	}), exact
}

// likelyFirst orders arms. The shortest path to what a claim forbids goes through the first
// tests. It shall rest on a pointer to what its type says, where such a pointer does as
// well as one into something of another type, which is not told apart. The offsets of one
// object stay in their order, since the tests behind leave out what is found at one.
func likelyFirst(a, b arm) int {
	switch {
	case a.likely == b.likely:
		return 0
	case a.likely:
		return -1
	}
	return 1
}

// externalsOf are the objects behind pointers from outside that an address may be of.
func (a *locator) externalsOf(base *expr.Expr) []*Object {
	var all []*Object
	targets := a.pts.targets(a.pts.term(base))
	if len(targets) > a.targetLimit() {
		return nil
	}
	for _, t := range targets {
		if b := a.pts.at(t.Object); b != nil && b.external && !slices.Contains(all, b) {
			all = append(all, b)
		}
	}
	return all
}

// searchBytes are the tests for memory whose size is not constant: whether a
// pointer was computed from its address, and whether what is accessed lies within.
func (m *addressing) searchBytes(b *Object, r Ref) []arm {
	addr := m.Term(r.Address)
	return []arm{m.searchFrom(b, 0, r),
		{cond: m.near(addr, b), then: m.searchWithin(b, m.pool.Sub(addr, m.AddressIn(b, 0)), r)}}
}

// searchFrom is the test for such memory where the base is at an offset of it.
func (m *addressing) searchFrom(b *Object, off int64, r Ref) arm {
	at := m.Term(Address{Base: m.pool.Const(m.pointer, 0), Off: off + r.Off, Idx: r.Idx})
	return arm{base: true, b: b, off: off, then: m.searchWithin(b, at, r)}
}

// searchWithin tests whether what is accessed at an offset of such memory lies within.
func (m *addressing) searchWithin(b *Object, at *expr.Expr, r Ref) *tree {
	width := m.pool.Int(m.pointer, (r.Extent.width+7)/8)
	some := &hit{b: b, e: r.Extent, rest: true, stride: 8, count: b.size}
	return &tree{arms: []arm{{cond: m.fits(at, width, b.length), then: &tree{hit: some}}}}
}

// searchFurther is the test for objects of malloc beyond the limit.
func (m *addressing) searchFurther(b *Object, r Ref) arm {
	addr := m.Term(r.Address)
	fits := m.fits(m.inFurther(addr, b), m.pool.Int(m.pointer, (r.Extent.width+7)/8), m.pool.Int(m.pointer, b.each))
	some := &hit{b: b, e: r.Extent, rest: true}
	return arm{cond: m.near(addr, b), then: &tree{arms: []arm{{cond: fits, then: &tree{hit: some}}}}}
}

// near is the condition that an address was computed from an object's.
func (m *addressing) near(addr *expr.Expr, b *Object) *expr.Expr {
	addr = m.pool.Cast(m.pointer, addr) // a number may have it
	half := int64(m.gap() / 2)
	room, size := m.pool.Int(m.pointer, half), b.size
	if b.unbounded && b.length == nil && b.each == 0 { // not known
		size = half
	}
	return m.pool.Lt(m.pool.Add(m.pool.Sub(addr, m.AddressIn(b, 0)), room),
		m.pool.Add(m.pool.Int(m.pointer, max(size, 1)), room))
}

// fits is the condition that width bytes at an offset lie within an object of so
// many.
func (m *addressing) fits(offset, width, length *expr.Expr) *expr.Expr {
	return m.pool.Land(m.pool.Le(width, length), m.pool.Le(offset, m.pool.Sub(length, width)))
}

// Foreign says that an address is that of nothing of the program's, and not NULL.
func (m *addressing) Foreign(addr *expr.Expr) *expr.Expr {
	t := addr.Type()
	return m.pool.Land(m.pool.Le(m.pool.Const(t, nullPage), addr),
		m.pool.Lt(addr, m.pool.Const(t, m.firstAddress()-m.gap())))
}

// nullPage bounds the constants that are NULL plus the offset of a member.
const nullPage = 4096

// exactTargets are the objects in which a pointer has one offset only, with that.
func (p *pointers) exactTargets(n pointsto.Node) map[*Object]int64 {
	exact := map[*Object]int64{}
	targets := p.targets(n)
	for i, t := range targets {
		if i > 0 && targets[i-1].Object == t.Object || i+1 < len(targets) && targets[i+1].Object == t.Object {
			continue
		}
		if b := p.at(t.Object); t.Offset == t.Last && b != nil && (!b.unbounded || b.length != nil) {
			exact[b] = int64(t.Offset)
		}
	}
	return exact
}

// fewOffsets is the number of offsets of an object that are tested one by one even
// if there is no cell of the kind that is accessed. Those of different elements of an array
// are as many as its elements may be.
const fewOffsets = 4

// searchOffsets adds the tests for the offsets of an object that the address may
// have. Where there are many, or some that are not told apart, those without a
// fitting cell are tested at once.
func (m *addressing) searchOffsets(t *tree, b *Object, r Ref, targets []pointsto.Target) {
	few := len(targets) <= fewOffsets && targets[0].Offset == targets[0].Last || m.ofElements(b, r.Extent, targets)
	var skip map[*leaf]bool
	if !few {
		skip = map[*leaf]bool{}
	}
	first, last := int64(-1), int64(0)
	try := func(off int64) {
		e := r.Extent.moved(8 * off)
		lf := b.find(e)
		switch {
		case e.end() > 8*b.size:
			if b.external {
				t.els = isUnknown
			}
			return
		case lf == nil && !few && e.width > 0 && !b.untyped:
			if first < 0 {
				first = off
			}
			last = off
			return
		case lf != nil && !few:
			skip[lf] = true
		}
		t.arms = append(t.arms, arm{b: b, off: off, e: &r.Extent, likely: b.holds(off-r.Off, r.Pointee)})
	}
	for _, target := range targets {
		if target.Offset == target.Last {
			try(int64(target.Offset))
			continue
		}
		for _, lf := range b.leaves {
			if off := lf.at / 8; lf.Extent == r.Extent.moved(8*off) && uint64(off) >= target.Offset &&
				uint64(off) <= target.Last {
				try(off)
			}
		}
		if first < 0 {
			first = int64(target.Offset)
		}
		last = int64(target.Last)
	}
	if first >= 0 {
		t.arms = append(t.arms, arm{b: b, off: first, more: last - first,
			then: &tree{hit: &hit{b: b, e: r.Extent.moved(8 * first), rest: true, stride: 8,
				count: last - first + 1, align: m.alignment(r), skip: skip}}})
	}
}

// ofElements reports whether the offsets are those of an access to each element of an array, or to what would be one
// behind it, and no more than as many as are told apart.
func (m *addressing) ofElements(b *Object, e Extent, targets []pointsto.Target) bool {
	first := e.moved(8 * int64(targets[0].Offset))
	return len(targets) <= int(m.arrayLimit()) && slices.ContainsFunc(b.arrays, func(a array) bool {
		return a.at <= first.at && first.end() <= a.end && e.width <= 8*a.size &&
			!slices.ContainsFunc(targets, func(t pointsto.Target) bool {
				return t.Offset != t.Last || (t.Offset-targets[0].Offset)%uint64(a.size) != 0
			})
	})
}

// alignment is that of an access, in bits: C leaves open what one elsewhere does.
func (m *addressing) alignment(r Ref) int64 {
	e := r.Extent
	if r.Loose {
		return 8
	}
	if r.Scalar.Cut || e.width < 8 || e.width&(e.width-1) != 0 {
		return 1
	}
	return min(e.width, m.word())
}

// searchObject is the tree of an access whose base is at an offset of an object.
func (a *locator) searchObject(b *Object, off int64, r Ref) *tree {
	if b.unbounded {
		return &tree{els: isUnknown, unbounded: []*Object{b}}
	}
	return a.searchIndex(b, r.Extent.moved(8*(off+r.Off)), r.Idx)
}

// searchIndex tests the indices that are left; e is the Extent if all of them
// are 0.
func (a *locator) searchIndex(b *Object, e Extent, idx []Index) *tree {
	t := &tree{}
	if b.external && !a.isInner(b, e, idx) {
		t.els = isUnknown
		t.unbounded = []*Object{b}
	}
	if len(idx) == 0 {
		if e.at < 0 || e.end() > 8*b.size {
			return t
		}
		return &tree{hit: &hit{b: b, e: e}}
	}
	x := idx[0]
	lo, hi := a.indexRange(b, e, x, len(idx) == 1)
	if len(idx) == 1 && x.N <= 1 {
		switch from, to := a.rows(b, e, x); {
		case x.Stride == 1 || x.Stride == -1:
			first, last := a.indexRange(b, e, x, false)
			a.addFurther(t, b, e, x, [2]int64{lo, hi}, [2]int64{first, last})
		case a.opt.CheckPointers:
			a.addFurther(t, b, e, x, [2]int64{lo, hi}, [2]int64{from, to})
		default:
			lo, hi = from, to
		}
	}
	if hi-lo > a.arrayLimit() {
		ks, skip := a.named(b, e, x, lo, hi, len(idx) > 1)
		for _, k := range ks {
			a.addIndex(t, x, k, a.searchIndex(b, e.moved(8*k*x.Stride), idx[1:]))
		}
		some := &hit{b: b, e: e.moved(8 * lo * x.Stride), rest: true, stride: 8 * x.Stride, count: hi - lo,
			inside: len(idx) > 1, skip: skip}
		if slices.ContainsFunc(idx[1:], func(y Index) bool { return y.N <= 1 }) { // out of the element
			some.stride, some.inside, some.skip = 0, false, nil
		}
		if c := a.between(x.I, lo, hi); !c.IsFalse() {
			t.arms = append(t.arms, arm{cond: c, then: &tree{hit: some}})
		}
		return t
	}
	for k := lo; k < hi; k++ {
		a.addIndex(t, x, k, a.searchIndex(b, e.moved(8*k*x.Stride), idx[1:]))
	}
	return t
}

// isInner reports whether the first index is one of an array within an object, with something behind it: unless
// pointers are checked, it is taken to stay in there. An array at the end may be longer than it says.
func (a *locator) isInner(b *Object, e Extent, idx []Index) bool {
	return !a.opt.CheckPointers && len(idx) > 0 && idx[0].N > 1 && idx[0].Stride > 0 &&
		e.at+8*idx[0].Stride*idx[0].N < 8*b.size
}

// addFurther tests whether an index leads out of the array, but not out of what is around
// it: a pointer to bytes may be one to the object's bytes, one to an element of a row one to
// an element of the matrix.
func (m *addressing) addFurther(t *tree, b *Object, e Extent, x Index, array, around [2]int64) {
	lo, hi := array[0], array[1]
	for _, part := range [][2]int64{{around[0], lo}, {hi, around[1]}} {
		from, to := part[0], part[1]
		if from >= to {
			continue
		}
		if c := m.between(x.I, from, to); !c.IsFalse() {
			some := &hit{b: b, e: e.moved(8 * from * x.Stride), rest: true, stride: 8 * x.Stride,
				count: to - from, doubtful: lo < hi}
			t.arms = append(t.arms, arm{cond: c, then: &tree{hit: some}})
		}
	}
}

// addIndex tests whether an index is k, if it can be.
func (m *addressing) addIndex(t *tree, x Index, k int64, then *tree) {
	c := m.pool.Int(x.I.Type(), k)
	wide := m.pointer
	if m.pool.Cast(wide, c) == m.pool.Int(wide, k) {
		t.arms = append(t.arms, arm{cond: m.pool.Eq(x.I, c), then: then})
	}
}

// between is the condition lo <= i < hi, as far as i can be elsewhere.
func (m *addressing) between(i *expr.Expr, lo, hi int64) *expr.Expr {
	t := i.Type()
	c := m.pool.True()
	if t.Signed {
		c = m.pool.Not(m.pool.Lt(i, m.pool.Int(t, lo)))
	} else if hi <= 0 {
		return m.pool.False()
	} else if lo > 0 {
		c = m.pool.Not(m.pool.Lt(i, m.pool.Int(t, lo)))
	}
	if top := m.pool.Int(t, hi); m.pool.Cast(m.pointer, top) == m.pool.Int(m.pointer, hi) {
		c = m.pool.Land(c, m.pool.Lt(i, top))
	}
	return c
}

// indexRange are the values lo … hi-1 of an index that stay in the array, or,
// where its length is not known, in the array or object around the extent.
func (a *locator) indexRange(b *Object, e Extent, x Index, last bool) (lo, hi int64) {
	if x.N > 1 {
		if x.Stride < 0 {
			return 1 - x.N, 1
		}
		return 0, x.N
	}
	from, to := int64(0), 8*b.size
	if last {
		from, to = a.arrayAround(b, e, max(x.Stride, -x.Stride))
	}
	stride := 8 * x.Stride
	if stride == 0 || e.at < from || e.width > to-from {
		return 0, 0
	}
	if stride < 0 {
		x.Stride = -x.Stride
		lo, hi = a.indexRange(b, e, x, last)
		return 1 - hi, 1 - lo
	}
	lo = -((e.at - from) / stride)
	hi = (to-e.width-e.at)/stride + 1
	if e.at+e.width > to {
		hi = 0
	}
	return lo, max(hi, lo)
}

// rows are the values of a pointer's index that stay in the matrix of which the array
// around the extent is a row; in the array, if it is no row.
func (a *locator) rows(b *Object, e Extent, x Index) (lo, hi int64) {
	lo, hi = a.indexRange(b, e, x, true)
	if x.Stride == 0 || lo == hi {
		return lo, hi
	}
	step := 8 * max(x.Stride, -x.Stride)
	from, to := a.arrayAround(b, e, step/8)
	for _, outer := range slices.Backward(b.arrays) {
		if outer.at <= from && to <= outer.end && 8*outer.size == to-from {
			from, to = outer.at, outer.end
		}
	}
	before, behind := (e.at-from)/step, (to-e.end())/step
	if x.Stride < 0 {
		return -behind, before + 1
	}
	return -before, behind + 1
}

// arrayAround is the innermost array with elements of this size, in bytes,
// around an extent, from … to in bits; else the whole object.
func (a *locator) arrayAround(b *Object, e Extent, size int64) (from, to int64) {
	from, to = 0, 8*b.size
	for _, a := range b.arrays {
		if a.at <= e.at && e.end() <= a.end && a.size == size {
			from, to = a.at, a.end
		}
	}
	return from, to
}

// named are the values of an index at which the object has cells, and these
// cells; with inner, any cells between the element and the next.
func (m *addressing) named(b *Object, e Extent, x Index, lo, hi int64, inner bool) ([]int64, map[*leaf]bool) {
	var ks []int64
	skip := map[*leaf]bool{}
	stride := 8 * x.Stride
	for _, lf := range b.leaves {
		if stride <= 0 {
			break
		}
		k := floorDiv(lf.at-e.at, stride)
		if k < lo || k >= hi || !inner && e.moved(k*stride) != lf.Extent {
			continue
		}
		skip[lf] = true
		if len(ks) == 0 || ks[len(ks)-1] != k {
			ks = append(ks, k)
		}
	}
	if len(ks) > int(4*m.arrayLimit()) {
		return nil, nil
	}
	return ks, skip
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
