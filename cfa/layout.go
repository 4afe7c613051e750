package cfa

// The layout of C types: their scalar leaves.
//
// A leaf is a scalar at a place of a block of memory, in bits from its
// beginning: a member that is no aggregate, an element, a bit-field. The leaves
// of a union lie over each other; two of equal place, width and kind are one.
// An array of more elements than the limit is a span: its elements become
// leaves only as they are named by constant indices.

import (
	"fmt"
	"slices"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// A kind of leaves: values of different kinds have no bits in common that the
// model knows of.
type kind uint8

const (
	kindInt   kind = iota // integers and pointers
	kindBool              // _Bool, one bit of its byte
	kindFloat             // any value, always
)

// An extent is a range of bits of a block that is accessed as one scalar.
type extent struct {
	at, width int64
	kind      kind
}

func (e extent) end() int64             { return e.at + e.width }
func (e extent) within(o extent) bool   { return o.at <= e.at && e.end() <= o.end() }
func (e extent) overlaps(o extent) bool { return e.at < o.end() && o.at < e.end() }

// A leaf is a scalar part of a block.
type leaf struct {
	extent
	t    ctype
	path string     // as in C, after the block's name: ".next", "[2]"
	typ  cc.Type    // nil where accesses made the leaf
	v    *expr.Expr // its variable, once something mentions it; nil for floats
	own  *block     // what it points to at the start, if that is outside
	// foreign says that it may hold addresses that something else than a
	// pointer was written with, leaks that something else reads it.
	foreign, leaks bool
}

// A span is an array of a block whose elements are summarised.
type span struct {
	at, end int64 // in bits
	elem    cc.Type
	path    string
}

// A layout is what a type says of a block.
type layout struct {
	leaves []*leaf // by place; leaves of unions overlap
	spans  []span
	arrays []array // outer ones before inner ones
}

// An array of a block, from at to end in bits, with elements of size bytes.
type array struct{ at, end, size int64 }

// extentOf is the extent of a scalar type at a place.
func (m DataModel) extentOf(t ctype, size, at int64) extent {
	e := extent{at: at, width: 8 * size, kind: kindInt}
	switch {
	case t.class == classFloat, t.class == classOther:
		e.kind = kindFloat
	case t.cut, t.bit:
		e.width = int64(t.typ.Width)
	case t.typ == bool1:
		e.kind = kindBool
	}
	return e
}

// lay adds the leaves of type t at a place. room is the number of bits that the
// block has from there on, for arrays without a length.
func (m DataModel) lay(ly *layout, t cc.Type, at, room int64, path string, limit int64) {
	switch x := t.(type) {
	case *cc.ArrayType:
		n := elements(x, room)
		size := 8 * x.Elem().Size()
		switch {
		case n <= 0 || size <= 0:
			return
		}
		ly.arrays = append(ly.arrays, array{at, at + n*size, size / 8})
		switch {
		case n > limit || len(ly.leaves) > maxLeaves:
			ly.spans = append(ly.spans, span{at, at + n*size, x.Elem(), path})
		default:
			for i := range n {
				m.lay(ly, x.Elem(), at+i*size, size, fmt.Sprintf("%s[%d]", path, i), limit)
			}
		}
		return
	case *cc.StructType, *cc.UnionType:
		for _, f := range members(t) {
			name := path
			if f.Name() != "" {
				name += "." + f.Name()
			}
			if f.IsBitfield() {
				if f.Name() != "" {
					ft, off := m.bitField(f)
					ly.add(&leaf{extent: m.extentOf(ft, 0, at+off), t: ft, path: name, typ: f.Type()})
				}
				continue
			}
			off := 8 * f.Offset()
			m.lay(ly, f.Type(), at+off, room-off, name, limit)
		}
		return
	}
	if ct := m.ctypeOf(t); ct.class != classVoid && ct.class != classAggregate {
		ly.add(&leaf{extent: m.extentOf(ct, t.Size(), at), t: ct, path: path, typ: t})
	}
}

// maxLeaves is the number of leaves from which on arrays are summarised whatever
// their length.
const maxLeaves = 4096

// elements is the length of an array that has room bits.
func elements(a *cc.ArrayType, room int64) int64 {
	if n := a.Len(); n > 0 || a.Elem().Size() <= 0 {
		return n
	}
	return room / (8 * a.Elem().Size())
}

// members are the members of a structure or union, in order.
func members(t cc.Type) []*cc.Field {
	var fs []*cc.Field
	switch x := t.(type) {
	case *cc.StructType:
		for i := range x.NumFields() {
			fs = append(fs, x.FieldByIndex(i))
		}
	case *cc.UnionType:
		for i := range x.NumFields() {
			fs = append(fs, x.FieldByIndex(i))
		}
	}
	return fs
}

// bitField is the type of a bit-field and its place in bits.
func (m DataModel) bitField(f *cc.Field) (ctype, int64) {
	t := m.ctypeOf(f.Type())
	if t.typ == bool1 {
		t.bit = true
		return t, 8*f.Offset() + int64(f.OffsetBits())
	}
	return ctype{class: classInt, typ: expr.Type{Width: uint8(f.ValueBits()), Signed: t.typ.Signed}, cut: true}, 8*f.Offset() + int64(f.OffsetBits())
}

// add inserts a leaf unless there is one like it.
func (ly *layout) add(lf *leaf) *leaf {
	i, _ := slices.BinarySearchFunc(ly.leaves, lf.at, func(a *leaf, at int64) int { return int(min(max(a.at-at, -1), 1)) })
	for j := i; j < len(ly.leaves) && ly.leaves[j].at == lf.at; j++ {
		if ly.leaves[j].extent == lf.extent {
			return ly.leaves[j]
		}
	}
	ly.leaves = slices.Insert(ly.leaves, i, lf)
	return lf
}

// find is the leaf of exactly this extent, or nil.
func (ly *layout) find(e extent) *leaf {
	i, _ := slices.BinarySearchFunc(ly.leaves, e.at, func(a *leaf, at int64) int { return int(min(max(a.at-at, -1), 1)) })
	for ; i < len(ly.leaves) && ly.leaves[i].at == e.at; i++ {
		if ly.leaves[i].extent == e {
			return ly.leaves[i]
		}
	}
	return nil
}

// overlapping are the leaves that have a bit in common with e, other than one
// of just that extent.
func (ly *layout) overlapping(e extent) []*leaf {
	var all []*leaf
	for _, lf := range ly.leaves {
		if lf.extent != e && lf.overlaps(e) {
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
