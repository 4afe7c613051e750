package memory

// Objects with addresses, and cells.
//
// Idea: whatever needs an address (aggregates, variables whose address is taken,
// strings, functions, allocated memory) is an object at a constant address. Its
// scalar leaves are cells: each is an ordinary variable of the automaton, made
// when something first needs it. A scalar whose address nobody takes is a
// variable and nothing else.
//
// Addresses are numbers far from those that programs write, all different, with
// room between the objects: what is less than gap/2 bytes outside of an object is
// taken for an address that was computed from the object's.
//
// Source: the blocks with offsets of CompCert's memory model (Leroy, Blazy:
// Formal verification of a C-like memory model and its uses for verifying program
// transformations, JAR 41, 2008), except that an object has a number as its
// address. Cost: the layout of an object is linear in its leaves.

import (
	"fmt"
	"sort"
	"strings"

	"magus/cfa"
	"magus/smt/expr"
)

// gap is the least room between two objects, and what addresses of objects are
// multiples of.
func (m *addressing) gap() uint64 {
	if m.opt.Data == cfa.ILP32 {
		return 1 << 14
	}
	return 1 << 20
}

// largest is the room for an object whose size is not constant. Larger ones are not
// modelled.
func (m *addressing) largest() int64 {
	if m.opt.Data == cfa.ILP32 {
		return 1 << 22
	}
	return 1 << 40
}

// firstAddress is the address of the first object.
func (m *addressing) firstAddress() uint64 {
	if m.opt.Data == cfa.ILP32 {
		return 0x5eed0000
	}
	return 0x5eed00000000
}

// An Object is a piece of memory with an address, or a function.
type Object struct {
	layout
	number   int
	name     string // unique
	base     uint64
	size     int64 // in bytes
	typ      *Type // nil if it is not known
	untyped  bool  // leaves come from accesses
	constant bool  // nothing may store to it: strings, constants, functions
	literal  bool  // a string literal
	shared   bool  // a compound literal that may share its memory with other literals
	global   *Global
	// external says that the object is one that a pointer from outside points
	// to: there may be more around it.
	external bool
	// owned says that pointers in it begin with the addresses of objects of their own.
	owned   bool
	assumes cfa.Warning // what is assumed if it is accessed
	// unbounded is memory of an extent that is not known: summarised.
	unbounded bool
	// each is, of all further objects of one call of malloc, the size of one of them;
	// 0 where they have no addresses of their own. freed is nonzero once one of them has
	// been freed. See furtherObjects.
	each  int64
	freed *expr.Expr
	// length is, of allocated memory whose size is not constant, how many bytes it
	// has, where that is checked.
	length *expr.Expr
	// arguments says of what argv points to how many arguments there are.
	arguments *expr.Expr
	inner     *expr.Expr // nonzero until the block is left whose object it is, where that is checked
	// foreign and leaks are those of the summarised parts, see leaf.
	foreign, leaks bool
	heap           bool
	stacked        bool       // memory of alloca
	returned       bool       // the structure that the component's procedure returns
	handle         bool       // what a stream is, which ends where it is closed
	gone           *expr.Expr // nonzero from its end on, where it may be given out once more
	fill           *expr.Expr // of allocated memory, what every byte begins with, or nil
	live           *expr.Expr // nonzero while allocated, where that is checked
	alive          *expr.Expr // nonzero until the procedure returns whose object it is, where that is checked
	inits          []Initial  // what its initialiser gives to its parts
	hasInits       bool
	function       bool
	hasBody        bool    // of a function
	decl           cfa.Var // kind, frame, name of its cells
	variables      int     // that its cells have been given
}

// An Initial is the value of a part of an object at the start; Value is nil where
// it is not modelled.
type Initial struct {
	Extent Extent
	Value  *expr.Expr
}

// A Global describes an object of static storage duration.
type Global struct {
	Var *expr.Expr // of a scalar
	// Object is its memory, if it is no scalar or its address is taken.
	Object *Object
	Const  bool // every declaration says so
	// Starts says that it has the value of its initialiser when the component
	// begins; else it has any value.
	Starts bool
	// May are the parts of what begins with any value that may still have the address of an
	// object that the initialiser gives them; without a Value, any that code without a body knows.
	May []Initial
	// Known says that code without a body may know its address from the start.
	Known bool
	// Elsewhere says that other code defines it, and may change it.
	Elsewhere bool
	// Own says that models of the library have it for themselves: nobody looks for a handle there.
	Own bool
	// Named is its type if it has external linkage, and may be written.
	Named *Type
	// Pointer says that it is a pointer; Target is what it points to if it
	// comes from outside, see Type.
	Pointer bool
	Target  *Type
}

// A Cell is a scalar part of an object that is accessed as one.
type Cell struct {
	Object *Object
	leaf   *leaf
}

// Scalar is the type of a cell.
func (c Cell) Scalar() Scalar { return c.leaf.t }

// Const reports whether nothing may store to the object.
func (b *Object) Const() bool { return b.constant }

// Size is the size of the object in bytes.
func (b *Object) Size() int64 { return b.size }

// IsFunction reports whether the object is a function.
func (b *Object) IsFunction() bool { return b.function }

// starts reports whether the object has the values of its initialiser at entry.
func (b *Object) starts() bool {
	return b.global == nil && b.hasInits || b.global != nil && b.global.Starts
}

// NewObject makes an object of a type, or one whose leaves are what is accessed;
// v says what its cells are.
func (s *addressSpace) NewObject(name string, t *Type, size int64, v cfa.Var) *Object {
	b := &Object{number: len(s.objects), name: s.code.UniqueName(name), size: max(size, 0), typ: t, decl: v,
		base: s.nextAddress()}
	if !s.hasRoom(b.size) {
		s.code.Stop(&cfa.UnsupportedError{Pos: v.Pos, What: "more memory than the data model has addresses"})
	}
	if b.untyped = t == nil; t != nil {
		b.lay(t, 0, 8*b.size, "", s.arrayLimit())
	}
	s.objects = append(s.objects, b)
	return b
}

// nextAddress is the address of the next object.
func (s *addressSpace) nextAddress() uint64 {
	if len(s.objects) == 0 {
		return s.firstAddress()
	}
	last, gap := s.objects[len(s.objects)-1], s.gap()
	return (last.base+uint64(last.size)+gap-1)/gap*gap + gap
}

// hasRoom reports whether there are addresses for another object of a size.
func (s *addressSpace) hasRoom(size int64) bool {
	return size <= 1<<40 && s.nextAddress()+uint64(size)+s.gap() <= s.pointer.Mask()
}

// VariableObject is the object of a scalar variable whose address is taken.
func (s *addressSpace) VariableObject(v *expr.Expr, t *Type) *Object {
	if c, ok := s.cells[v]; ok {
		return c.Object
	}
	b := s.NewObject(v.Name()+"&", t, t.Size, s.code.Describe(v))
	b.name = v.Name()
	if len(b.leaves) == 1 {
		b.leaves[0].v = v
		s.claimCell(b, b.leaves[0])
	}
	return b
}

// GlobalObject makes the object of a global: of a scalar, that of its variable.
func (s *addressSpace) GlobalObject(g *Global, name string, t *Type, size int64, v cfa.Var) *Object {
	if g.Var != nil {
		g.Object = s.VariableObject(g.Var, t)
	} else {
		g.Object = s.NewObject(name, t, size, v)
		g.Object.unbounded = size < 0
	}
	g.Object.global = g
	g.Object.constant = g.Const
	return g.Object
}

// FunctionObject makes the object whose address is that of a function.
func (s *addressSpace) FunctionObject(name string, hasBody bool) *Object {
	b := s.NewObject("&"+name, nil, 1, cfa.Var{})
	b.untyped, b.function, b.hasBody, b.constant = false, true, hasBody, true
	b.decl.Name = name
	return b
}

// ConstantObject makes an object that always has the values of its initialiser:
// a string literal.
func (s *addressSpace) ConstantObject(name string, t *Type, v cfa.Var, inits []Initial) *Object {
	b := s.NewObject(name, t, t.Size, v)
	b.constant = true
	b.Initialise(inits)
	return b
}

// Initialise says what the initialiser of an object gives to its parts; what it
// does not speak of is zero.
func (b *Object) Initialise(inits []Initial) { b.inits, b.hasInits = inits, true }

// IsInitialised reports whether that has been said.
func (b *Object) IsInitialised() bool { return b.hasInits }

// HasLeaf reports whether the object is laid out with this extent.
func (b *Object) HasLeaf(e Extent) bool { return b.find(e) != nil }

// Members are the cells of an object that a path names, as C has it after the
// object's name: ".next", "[2].f". There are several in a union of two types.
func (b *Object) Members(path string) []Cell {
	var all []Cell
	for _, lf := range b.leaves {
		if lf.path == path {
			all = append(all, Cell{b, lf})
		}
	}
	return all
}

// AddressIn is the constant address at an offset of an object.
func (m *addressing) AddressIn(b *Object, off int64) *expr.Expr {
	return m.pool.Const(m.pointer, b.base+uint64(off))
}

// Term is the term for an address.
func (m *addressing) Term(a Address) *expr.Expr {
	t := a.Base
	for _, x := range a.Idx {
		t = m.pool.Add(t, m.pool.Mul(m.pool.Cast(m.pointer, x.I), m.pool.Int(m.pointer, x.Stride)))
	}
	return m.pool.Add(t, m.pool.Int(m.pointer, a.Off))
}

// objectAt is the object whose address, give or take, a constant is, with the
// offset in it; nil for other constants.
func (s *addressSpace) objectAt(addr uint64) (*Object, int64) {
	room := int64(s.gap() / 2)
	i := sort.Search(len(s.objects), func(i int) bool { return s.objects[i].base+uint64(s.objects[i].size+room) > addr })
	if i < len(s.objects) && s.objects[i].base-uint64(room) <= addr {
		return s.objects[i], int64(addr - s.objects[i].base)
	}
	return nil, 0
}

// ObjectOf is the object whose address a constant term is, give or take, with the
// offset in it; nil for other terms.
func (s *addressSpace) ObjectOf(t *expr.Expr) (*Object, int64) {
	if t == nil || !t.IsConst() || t.Type().Width != s.pointer.Width {
		return nil, 0
	}
	return s.objectAt(t.Value())
}

// leafAt is the leaf of an object with exactly this extent; nil if the object is
// laid out otherwise there. name says that an element of a span, or an extent
// of untyped memory, may become a leaf by being accessed.
func (m *addressing) leafAt(b *Object, e Extent, t Scalar, name bool) *leaf {
	if lf := b.find(e); lf != nil {
		return lf
	}
	if !name || e.at < 0 || e.end() > 8*b.size || e.kind == kindFloat {
		return nil
	}
	if s := b.spanAt(e.at); s != nil {
		var ly layout
		size := 8 * s.elem.Size
		i := (e.at - s.at) / size
		ly.lay(s.elem, s.at+i*size, size, fmt.Sprintf("%s[%d]", s.path, s.first+i), m.arrayLimit())
		if lf := ly.find(e); lf != nil {
			return b.add(lf)
		}
		return nil
	}
	if b.untyped && !b.unbounded && len(b.overlapping(e)) == 0 {
		t.Cut = t.Cut || e.width != int64(t.Type.Width) && t.Type != boolean
		return b.add(&leaf{Extent: e, t: t, path: fmt.Sprintf("+%d", e.at/8)})
	}
	return nil
}

// Direct is the cell that an access means, if it is one at a constant address
// whose object always exists.
func (s *addressSpace) Direct(r Ref) (Cell, bool) {
	if len(r.Idx) > 0 || r.Base == nil {
		return Cell{}, false
	}
	b, off := s.ObjectOf(r.Base)
	if b == nil || b.live != nil {
		return Cell{}, false
	}
	lf := s.leafAt(b, r.Extent.moved(8*(off+r.Off)), r.Scalar, true)
	if lf == nil {
		return Cell{}, false
	}
	s.accessed(lf, r.Scalar)
	return Cell{b, lf}, true
}

// Var is the variable of a cell.
func (s *addressSpace) Var(c Cell) *expr.Expr { return s.cellVar(c.Object, c.leaf) }

// cellVar is the variable of a leaf; nil for floating point, but where each access is to show.
func (s *addressSpace) cellVar(b *Object, lf *leaf) *expr.Expr {
	if lf.v != nil || lf.kind == kindFloat && !s.opt.Races {
		return lf.v
	}
	v := b.decl
	name := b.name + lf.path
	v.Name += lf.path
	switch {
	case lf.path == "" && b.external: // v is called *p
		name = "*" + name
	case lf.path == "":
		name, v.Name = "*"+name, "*"+v.Name
	case b.external && lf.path[0] == '[': // p[2], not (*p)[2]
		name, v.Name = strings.TrimPrefix(name, "*"), strings.TrimPrefix(v.Name, "*")
	}
	lf.v = s.code.NewVar(name, name, lf.t.Type)
	b.variables++
	v.Expr = lf.v
	s.code.List(v)
	s.claimCell(b, lf)
	return lf.v
}

// claimCell notes that the leaf's variable is a cell.
func (s *addressSpace) claimCell(b *Object, lf *leaf) {
	s.cells[lf.v] = Cell{b, lf}
	s.addressed[lf.v] = true
	s.pointers[lf.v] = lf.t.Class == Pointer
}

// StartValue is the value that a cell always has: that of the initialiser of a
// constant object. It is nil if that is not modelled, or if there is none.
func (s *addressSpace) StartValue(c Cell) *expr.Expr {
	if !c.Object.constant || !c.Object.starts() {
		return nil
	}
	return s.initialOf(c.Object, c.leaf.Extent, c.leaf.t).Value
}

// initialOf is the value at entry of an extent of an object; nil if that is not
// modelled.
func (s *addressSpace) initialOf(b *Object, e Extent, t Scalar) Initial {
	in := Initial{e, s.pool.Const(t.Type, 0)}
	for _, i := range b.inits {
		switch {
		case i.Extent == e && i.Value != nil:
			in.Value = s.pool.As(t.Type, i.Value)
		case i.Extent.overlaps(e):
			in.Value = s.initialPart(in, i)
		}
	}
	return in
}

// initialPart is the value at entry of an extent that an initialiser of another
// one gives a part of, or more than all; nil if that is not modelled. Parts of
// addresses are not.
func (s *addressSpace) initialPart(in, part Initial) *expr.Expr {
	if in.Value == nil || part.Value == nil || !part.Value.IsConst() || in.Extent.kind != kindInt ||
		part.Extent.kind != kindInt {
		return nil
	}
	if b, _ := s.ObjectOf(part.Value); b != nil {
		return nil
	}
	mask, bits := expr.Type{Width: uint8(part.Extent.width)}.Mask(), part.Value.Value()
	bits &= mask
	if d := part.Extent.at - in.Extent.at; d >= 0 {
		mask, bits = mask<<d, bits<<d
	} else {
		mask, bits = mask>>-d, bits>>-d
	}
	return s.pool.Const(in.Value.Type(), in.Value.Value()&^mask|bits)
}
