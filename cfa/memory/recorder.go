package memory

// Accesses of memory without variables.
//
// Idea: a load from an element that is summarised, or from memory that is not
// modelled, gives any value. On one run more is known: what was read and written at
// that address before. So each such access is recorded with its address
// ([cfa.Access]). Abstractions need not look at it, and whoever executes a run can
// tell which values to believe.
//
// LAW: whatever changes memory without variables is recorded, with all that it may
// change; what cannot be recorded so is a Forget. A routine without a body may leave
// memory as it is, and a violation may rest on that.

import (
	"math"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// mayLackVariables reports whether size bytes from a hit on may be memory without variables;
// negative: as many as there are.
func (h hit) mayLackVariables(size int64) bool {
	b := h.b
	if b.unbounded || b.length != nil || b.untyped && !b.function {
		return true
	}
	first, last := h.starts()
	return slices.ContainsFunc(b.spans, func(s span) bool {
		return s.end > first && (size < 0 || s.at < last+8*max(size, 1))
	})
}

// mayLackVariables reports whether size bytes from a hit of the tree on may be memory
// without variables.
func (t *tree) mayLackVariables(size int64) bool {
	if t.leads(isUnknown) {
		return true
	}
	for h := range t.all {
		if h.rest || h.mayLackVariables(size) {
			return true
		}
	}
	return false
}

// A recorder writes accesses of memory without variables.
type recorder struct {
	*Model
	scratches map[expr.Type]*expr.Expr // see scratch
	reads     bool                     // something reads such memory
	records   []record                 // of what is written there
	seen      map[*Object]bool         // objects of which something reads it
	only      []*Object                // see ifRead
}

// A record is a statement that says what is written.
type record struct {
	at   cfa.Loc // where it stands if it is needed
	what cfa.Assign
	t    expr.Type // of what it assigns to
	only []*Object // it is needed if one of these is read so; nil: if anything is
}

func newRecorder(m *Model) *recorder {
	return &recorder{Model: m, scratches: map[expr.Type]*expr.Expr{}, seen: map[*Object]bool{}}
}

// read is what a load reads of memory without variables in these areas; nil if
// there are none, or if what is read is no number of whole bytes.
func (r *recorder) read(s Load, areas []cfa.Area) *cfa.Access {
	size, ok := s.From.bytes()
	if !ok || len(areas) == 0 || int64(s.LHS.Type().Width) != 8*size {
		return nil
	}
	r.reads = true
	return &cfa.Access{Kind: cfa.Read, Addr: r.firstByte(s.From), Size: size, Areas: areas}
}

// bytes is the number of bytes of a scalar, if it has whole ones and all of them are
// its value.
func (ref Ref) bytes() (int64, bool) {
	e := ref.Extent
	return e.width / 8, e.kind == kindInt && e.at%8 == 0 && (e.width == 8 || e.width == 16 ||
		e.width == 32 || e.width == 64)
}

// firstByte is the address of the first byte that a reference accesses.
func (m *addressing) firstByte(ref Ref) *expr.Expr {
	return m.pool.Add(m.Term(ref.Address), m.pool.Int(m.pointer, ref.Extent.at/8))
}

// areasUnmodelled are those that a pointer may lead to which no test of a tree admits.
func (r *recorder) areasUnmodelled(t *tree) []cfa.Area {
	if t.els != isUnknown {
		return nil
	}
	areas := []cfa.Area{{First: nullPage, Last: r.firstAddress() - r.gap() - 1, Scattered: true}}
	for _, b := range t.unbounded {
		if b.external && b.arguments == nil {
			areas = append(areas, cfa.Area{First: b.base + uint64(b.size), Last: b.base + uint64(b.size) + r.gap()/2},
				cfa.Area{First: b.base - r.gap()/2 + 1, Last: b.base - 1})
		}
		if b.heap && b.filledKnown() {
			areas = append(areas, cfa.Area{First: b.base, Last: b.base + r.gap()/2, Zero: b.fill != nil})
		}
	}
	return areas
}

// filledKnown reports whether it is known what allocated memory begins with: any
// value, or zeros.
func (b *Object) filledKnown() bool { return b.fill == nil || b.fill.IsConst() && b.fill.Value() == 0 }

// areasOf is the area of a summarised array that a hit is in; none if something else
// has variables there that the tests before have not excluded.
func (r *recorder) areasOf(h hit) []cfa.Area {
	for _, lf := range h.touched() {
		if lf.v != nil && !r.opt.Mirrored {
			return nil
		}
	}
	b := h.b
	area := cfa.Area{First: b.base, Last: b.base + uint64(b.size) - 1}
	if !b.filledKnown() || b.arguments != nil {
		return nil
	}
	r.seen[b] = true
	area.Zero = b.fill != nil
	if b.starts() {
		area.Zero, area.Static = true, true
		for _, in := range b.inits {
			e := in.Extent
			part := cfa.InitialPart{At: b.base + uint64(e.at/8), Size: (e.at%8 + e.width + 7) / 8, Value: in.Value}
			if e.at%8 != 0 || e.width%8 != 0 || in.Value != nil && !in.Value.IsConst() {
				part.Value = nil
			}
			area.Initial = append(area.Initial, part)
		}
	}
	return []cfa.Area{area}
}

// elsewhere does what is to be done with a pointer to memory that is not modelled,
// or to one of the targets that are not told apart.
func (r *resolution) elsewhere(t *tree, ref Ref, pos cfa.Pos, unknown, summarised func()) {
	if t.els != isUnknown {
		summarised()
		return
	}
	below, other := r.code.Branch(r.pool.Lt(r.Term(ref.Address), r.pool.Const(r.pointer, r.firstAddress()-r.gap())), pos)
	r.code.Continue(below)
	unknown()
	ends := r.code.Ends()
	r.code.Continue(other)
	summarised()
	r.code.Join(ends)
}

// areaOf is the area of what a store to a summarised part of an object, whose extent is known, changes; none
// if it is not known that it changes nothing else.
func (r *recorder) areaOf(h hit) []cfa.Area {
	if h.b.unbounded && h.b.length == nil || h.b.external || h.b.function || h.b.size <= 0 {
		return nil
	}
	return []cfa.Area{{First: h.b.base, Last: h.b.base + uint64(h.b.size) - 1}}
}

// storeUnmodelled writes a store that may be to memory without variables, in areas if they are known.
func (r *recorder) storeUnmodelled(s Store, pos cfa.Pos, areas ...cfa.Area) {
	size, ok := s.To.bytes()
	if r.code.Dead() {
		return
	}
	if !ok {
		r.forget(r.firstByte(s.To), (s.To.Extent.width+15)/8, nil, pos)
		return
	}
	t := expr.Type{Width: uint8(8 * size)}
	a := cfa.Assign{Nondet: s.Nondet, Approx: s.Approx,
		Memory: &cfa.Access{Kind: cfa.Write, Addr: r.firstByte(s.To), Size: size, Areas: areas}}
	if s.Val != nil {
		a.RHS = r.pool.As(t, s.Val)
	}
	r.record(a, t, pos)
}

// record notes where an assignment of a type that changes memory without variables will stand.
func (r *recorder) record(a cfa.Assign, t expr.Type, pos cfa.Pos) {
	r.records = append(r.records, record{r.code.Emit(cfa.Goto{}, pos), a, t, r.only})
}

// ifRead has what is recorded meanwhile be needed only if some of these objects are read where they lack variables:
// what is written to them has its variables, but a pointer to any byte may read what has none.
func (r *recorder) ifRead(objects []*Object, records func()) {
	before := r.only
	r.only = objects
	records()
	r.only = before
}

// writeRecords writes the records that something reads.
func (r *recorder) writeRecords() {
	if !r.reads {
		return
	}
	if r.opt.Mirrored {
		r.mirror()
	}
	for _, rec := range r.records {
		if rec.only == nil || slices.ContainsFunc(rec.only, func(b *Object) bool { return r.seen[b] }) {
			rec.what.LHS = r.scratch(rec.t)
			r.code.Replace(rec.at, rec.what)
		}
	}
}

// mirror has each assignment to a variable of an object that is read so change the memory that it stands for. LAW:
// the variable is changed by assignments only, and by calls, behind which no run is followed.
func (r *recorder) mirror() {
	for at := range cfa.Loc(r.code.Len()) {
		a, ok := r.code.At(at).Stmt.(cfa.Assign)
		if !ok {
			continue
		}
		if c, is := r.cells[a.LHS]; is && r.seen[c.Object] {
			r.code.After(at, r.mirrored(c))
		}
	}
}

// mirrored gives the memory of a cell the value of its variable.
func (r *recorder) mirrored(c Cell) cfa.Assign {
	lf := c.leaf
	first, end := lf.at/8, (lf.end()+7)/8
	m := &cfa.Access{Kind: cfa.Write, Addr: r.AddressIn(c.Object, first), Size: end - first}
	whole := lf.at%8 == 0 && (lf.width == 8 || lf.width == 16 || lf.width == 32 || lf.width == 64)
	if !whole || lf.kind == kindFloat {
		m.Kind = cfa.Forget
		return cfa.Assign{LHS: r.scratch(boolean), RHS: r.pool.Const(boolean, 0), Memory: m,
			Approx: "a part of bytes"}
	}
	t := expr.Type{Width: uint8(lf.width)}
	v := lf.v
	if lf.kind == kindBool {
		v = r.pool.Cast(t, v)
	}
	return cfa.Assign{LHS: r.scratch(t), RHS: r.pool.As(t, v), Memory: m}
}

// fillUnmodelled writes a fill that may be of memory without variables: of an object, or anywhere if there is none.
func (r *recorder) fillUnmodelled(s Fill, b *Object, pos cfa.Pos) {
	if r.code.Dead() {
		return
	}
	if s.Val == nil && s.Approx == "" && !s.Init {
		// Any value may stand there, what was there before too.
		if r.opt.Recorded {
			length := s.Length
			if s.Size >= 0 {
				length = nil
			}
			r.forget(r.Term(s.To.Address), s.Size, length, pos)
			return
		}
		r.leaveUnrecorded(b)
		return
	}
	if s.Val == nil || s.Size < 0 && s.Length == nil {
		r.forget(r.Term(s.To.Address), s.Size, s.Length, pos)
		return
	}
	a := cfa.Access{Kind: cfa.Fill, Addr: r.Term(s.To.Address), Size: s.Size}
	if s.Size < 0 {
		a.Size, a.Length = 0, s.Length
	}
	if a.Size == 0 && a.Length == nil {
		return
	}
	r.record(cfa.Assign{RHS: r.pool.As(expr.Uint8, s.Val), Memory: &a}, expr.Uint8, pos)
	for _, e := range s.Except { // integers are stored behind the fill
		if e.kind != kindInt {
			r.forget(r.pool.Add(a.Addr, r.pool.Int(r.pointer, e.at/8)), (e.width+7)/8, nil, pos)
		}
	}
}

// forget says that nobody knows what stands in size bytes, or in so many as length
// says, or in all from there on; without an address, anywhere.
func (r *recorder) forget(addr *expr.Expr, size int64, length *expr.Expr, pos cfa.Pos) {
	if r.code.Dead() || addr != nil && size == 0 {
		return
	}
	a := cfa.Access{Addr: addr, Size: max(size, 0)}
	if size < 0 {
		a.Length = length
	}
	r.forgetAs(a, "memory that was copied, or written by what is not modelled", pos)
}

// forgetAs says that nobody knows what stands where an access leads, or without an address
// anywhere, and why.
func (r *recorder) forgetAs(a cfa.Access, why string, pos cfa.Pos) {
	a.Kind = cfa.Forget
	r.record(cfa.Assign{RHS: r.pool.Const(boolean, 0), Approx: why, Memory: &a}, boolean, pos)
}

// scratch is a variable that nothing reads.
func (r *recorder) scratch(t expr.Type) *expr.Expr {
	v := r.scratches[t]
	if v == nil {
		v = r.code.Temp("stored", t, cfa.Pos{})
		r.scratches[t] = v
	}
	return v
}

// unrecorded is where memory without variables may change though nothing is recorded.
type unrecorded struct {
	objects map[*Object]bool
	all     bool
}

// leaveUnrecorded notes that an object, or any memory if there is none, may get values that nothing records.
func (m *Model) leaveUnrecorded(b *Object) {
	if b == nil || b.unbounded {
		m.unrecorded.all = true
		return
	}
	if m.unrecorded.objects == nil {
		m.unrecorded.objects = map[*Object]bool{}
	}
	m.unrecorded.objects[b] = true
}

// Unrecorded is where memory without variables may change though nothing is recorded, in the order of addresses.
func (m *Model) Unrecorded() []cfa.Area {
	if m.unrecorded.all {
		return []cfa.Area{{Last: math.MaxUint64}}
	}
	var areas []cfa.Area
	for _, b := range m.objects {
		if m.unrecorded.objects[b] && !b.function {
			areas = append(areas, cfa.Area{First: b.base, Last: b.base + uint64(max(b.size, 1)) - 1})
		}
	}
	return areas
}
