package memory

// Types as memory sees them, and the layout of an object: its scalar leaves.
//
// A leaf is a scalar at an offset of an object, in bits: a member that is no
// aggregate, an element, a bit-field. The leaves of a union lie over each other;
// two of equal offset, width and kind are one. An array of more elements than the
// limit is a span: its elements become leaves only as constant indices name them.

import (
	"fmt"
	"slices"

	"magus/smt/expr"
)

// A Class says how the values of a scalar are modelled.
type Class uint8

// The classes of scalars.
const (
	Integer Class = iota
	Pointer
	Opaque // any value, always: floating point
)

// A Scalar is the type of a scalar.
type Scalar struct {
	Class Class
	Type  expr.Type // of its terms; of an opaque one, of a stand-in
	// Cut says that it has just the width of its type: a bit-field. Bit says
	// the same of one of type _Bool.
	Cut, Bit bool
}

// boolean is the type of _Bool.
var boolean = expr.Type{Width: 1}

// A Type is the type of an object, or of a part of one. It is a scalar, an array
// or a record (a structure or a union); what is none of them has no leaves.
type Type struct {
	Size   int64 // in bytes; not positive if it is not known
	Scalar *Scalar
	// Target is what a pointer that comes from outside points to, an object of
	// its own; nil is memory that is not modelled.
	Target  *Type
	Elem    *Type    // of an array
	Len     int64    // of an array; not positive if it is open
	Members []Member // of a record, in order
	Const   bool     // objects of it are not to be written
}

// Bytes is the type of what a pointer leads to that may be of any type.
var Bytes = &Type{Size: 1}

// HoldsPointer reports whether some part of an object of the type is a pointer.
func (t *Type) HoldsPointer() bool {
	switch {
	case t == nil:
		return false
	case t.Scalar != nil:
		return t.Scalar.Class == Pointer
	}
	return t.Elem.HoldsPointer() || slices.ContainsFunc(t.Members, func(m Member) bool { return m.Type.HoldsPointer() })
}

// A Member is a part of a record that has a name or parts with names.
type Member struct {
	Name    string
	At      int64 // in bits
	Type    *Type
	Watched bool   // stores to it are asked for
	Suffix  string // what the part is called where it has no name
}

// A kind of leaves: values of different kinds have no bits in common that the
// model knows of.
type kind uint8

const (
	kindInt   kind = iota // integers and pointers
	kindBool              // _Bool, one bit of its byte
	kindFloat             // any value, always
)

// An Extent is a range of bits of an object that is accessed as one scalar.
type Extent struct {
	at, width int64
	kind      kind
}

// ExtentOf is the extent of a scalar of size bytes at an offset in bits.
func ExtentOf(t Scalar, size, at int64) Extent {
	e := Extent{at: at, width: 8 * size, kind: kindInt}
	switch {
	case t.Class == Opaque:
		e.kind = kindFloat
	case t.Cut, t.Bit:
		e.width = int64(t.Type.Width)
	case t.Type == boolean:
		e.kind = kindBool
	}
	return e
}

func (e Extent) end() int64             { return e.at + e.width }
func (e Extent) within(o Extent) bool   { return o.at <= e.at && e.end() <= o.end() }
func (e Extent) overlaps(o Extent) bool { return e.at < o.end() && o.at < e.end() }

// common are the bits that two extents have in common, of which there are some.
func (e Extent) common(o Extent) Extent {
	at := max(e.at, o.at)
	return Extent{at: at, width: min(e.end(), o.end()) - at}
}

func (e Extent) moved(by int64) Extent {
	e.at += by
	return e
}

// A leaf is a scalar part of an object.
type leaf struct {
	Extent
	t      Scalar
	path   string     // as in C, after the object's name: ".next", "[2]"
	target *Type      // of a pointer: see Type
	v      *expr.Expr // its variable, once something needs it; nil for floats
	own    *Object    // what it points to at the start, if that is outside
	// foreign says that it may hold addresses that something else than a
	// pointer was written with, leaks that something else reads it.
	foreign, leaks bool
	// pointer says that it is one, or that something reads it as one.
	pointer bool
	// constant says that it is declared const: nobody but the declaration gives
	// it a value.
	constant bool
	watched  bool // see Member
}

// A span is an array of an object whose elements are summarised.
type span struct {
	at, end int64 // in bits
	elem    *Type
	path    string
	first   int64 // the index of its first element
}

// A layout is what a type says of an object.
type layout struct {
	leaves []*leaf // by offset; leaves of unions overlap
	spans  []span
	arrays []array // outer ones before inner ones
}

// An array of an object, from at to end in bits, with elements of size bytes.
type array struct{ at, end, size int64 }

// lay adds the leaves of type t at an offset. room is the number of bits that the
// object has from there on, for arrays without a length.
func (ly *layout) lay(t *Type, at, room int64, path string, limit int64) {
	ly.layPart(t, at, room, path, limit, part{last: true})
}

// A part of an object is declared const, or watched, or the last one of all that are around it.
type part struct{ constant, watched, last bool }

// layPart is lay for a part of an object.
func (ly *layout) layPart(t *Type, at, room int64, path string, limit int64, of part) {
	of.constant = of.constant || t.Const
	switch {
	case t.Elem != nil:
		ly.layArray(t, at, room, path, limit, of)
	case t.Scalar != nil:
		lf := ly.add(&leaf{Extent: ExtentOf(*t.Scalar, t.Size, at), t: *t.Scalar, path: path, target: t.Target,
			constant: of.constant})
		lf.constant, lf.watched = lf.constant && of.constant, lf.watched || of.watched
	default:
		for _, f := range t.Members {
			name := path + f.Suffix
			if f.Name != "" {
				name += "." + f.Name
			}
			last := of.last && !slices.ContainsFunc(t.Members, func(o Member) bool { return o.At > f.At })
			ly.layPart(f.Type, at+f.At, room-f.At, name, limit, part{of.constant, of.watched || f.Watched, last})
		}
	}
}

func (ly *layout) layArray(t *Type, at, room int64, path string, limit int64, of part) {
	n := t.elements(room)
	size := 8 * t.Elem.Size
	if n <= 0 || size <= 0 {
		return
	}
	end := at + n*size
	if n == 1 && of.last { // it stands for one of any length, as in C before C99 had those without a length
		end = max(end, at+room/size*size)
	}
	ly.arrays = append(ly.arrays, array{at, end, size / 8})
	of.last = false
	if n > limit || len(ly.leaves) > maxLeaves {
		ly.spans = append(ly.spans, span{at: at, end: at + n*size, elem: t.Elem, path: path})
		return
	}
	for i := range n {
		ly.layPart(t.Elem, at+i*size, size, fmt.Sprintf("%s[%d]", path, i), limit, of)
	}
}

// maxLeaves is the number of leaves from which on arrays are summarised whatever
// their length.
const maxLeaves = 4096

// elements is the length of an array that has room bits.
func (t *Type) elements(room int64) int64 {
	if t.Len > 0 || t.Elem.Size <= 0 {
		return t.Len
	}
	return room / (8 * t.Elem.Size)
}

// from is the index of the first leaf at or behind an offset.
func (ly *layout) from(at int64) int {
	i, j := 0, len(ly.leaves)
	for i < j {
		if h := (i + j) / 2; ly.leaves[h].at < at {
			i = h + 1
		} else {
			j = h
		}
	}
	return i
}

// widest is more than the bits of any scalar.
const widest = 1024

// near are the leaves of which some may have a bit in common with e, and no other has.
func (ly *layout) near(e Extent) []*leaf {
	first := ly.from(e.at - widest)
	return ly.leaves[first:max(first, ly.from(e.end()))]
}

// add inserts a leaf unless there is one like it.
func (ly *layout) add(lf *leaf) *leaf {
	if old := ly.find(lf.Extent); old != nil {
		return old
	}
	ly.leaves = slices.Insert(ly.leaves, ly.from(lf.at), lf)
	return lf
}

// find is the leaf of exactly this extent, or nil.
func (ly *layout) find(e Extent) *leaf {
	for i := ly.from(e.at); i < len(ly.leaves) && ly.leaves[i].at == e.at; i++ {
		if ly.leaves[i].Extent == e {
			return ly.leaves[i]
		}
	}
	return nil
}

// overlapping are the leaves that have a bit in common with e, other than one
// of just that extent.
func (ly *layout) overlapping(e Extent) []*leaf {
	var all []*leaf
	for _, lf := range ly.near(e) {
		if lf.Extent != e && lf.overlaps(e) {
			all = append(all, lf)
		}
	}
	return all
}

// spanAt is the span that has the bit, or nil.
func (ly *layout) spanAt(at int64) *span {
	for i := range ly.spans {
		if s := &ly.spans[i]; s.at <= at && at < s.end {
			return s
		}
	}
	return nil
}
