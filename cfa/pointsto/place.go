package pointsto

// Places: the finitely many things that the targets of a problem are.
//
// Idea: a place is an offset of an object, or an area of offsets that are not
// told apart. Arithmetic on pointers must be followed out of the object and
// back in, or `p = a - 1; p[1]` and `*sp++ = x; … *--sp` in a loop would lose
// their targets, and yet there must be finitely many places or a loop around
// p++ would never end. So the offsets outside are folded: those below are told
// apart modulo 8 only and stand at -8 … -1, those above at size+1 … size+8. The
// offset size, behind the last byte, is inside.
//
//	 -8 … -1 │ 0 …  size │ size+1 … size+8
//	stands   │ each is   │ stands for itself
//	for -k·8 │ itself    │ + k·8
//
// A place above that moves down by d leads to the offsets of its class in the
// window that is d wide, no further: p++ and p-- over an array of int keep
// multiples of four.
//
// Deviation from Pearce, Kelly, Hankin ("Efficient field-sensitive pointer
// analysis of C", TOPLAS 30, 2007): offsets are bytes, not field numbers, and
// cycles of positive weight end by folding.
//
// Cost: a step is one look-up; what comes back in, or goes anywhere, as many as
// there are offsets.

import (
	"cmp"
	"slices"
)

// classes is the modulus to which offsets outside of objects are told apart.
const classes = 8

// A place is one thing that a pointer may point to. Invariant: it has the
// first offset of its area, and is folded.
type place struct {
	object      Object
	first, last int64
	cells       []cell // inside the area
}

// inside reports whether the place is in its object, or right behind it.
func (p place) inside(o *object) bool { return o.size == 0 || 0 <= p.first && p.first <= o.size }

// beside reports whether the place may be in the memory around its object.
func (p place) beside(o *object) bool { return o.open && (p.first < 0 || p.last >= o.size) }

// A spot is the key of a place.
type spot struct {
	object Object
	offset int64
}

// places numbers the places that have been met.
type places struct {
	objects []object
	all     []place
	number  map[spot]uint32 // of those in large objects
	pages   [][]*page       // of those in others, by object
}

// of is the number of the place at an offset.
func (ps *places) of(o Object, offset int64) uint32 {
	obj := &ps.objects[o]
	first, last := obj.fold(offset)
	if obj.size <= large {
		n := ps.nearby(o, first)
		if *n == 0 {
			*n = ps.add(place{object: o, first: first, last: last}) + 1
		}
		return *n - 1
	}
	key := spot{o, first}
	n, ok := ps.number[key]
	if !ok {
		n = ps.add(place{object: o, first: first, last: last})
		ps.number[key] = n
	}
	return n
}

const (
	large    = 1 << 20 // the size of objects beyond which the numbers of their places are in a map
	pageSize = 128
)

// A page has the numbers of places at offsets next to each other, plus 1.
type page [pageSize]uint32

// nearby is where the number of a place is kept, plus 1.
func (ps *places) nearby(o Object, offset int64) *uint32 {
	if len(ps.pages) < len(ps.objects) {
		ps.pages = append(ps.pages, make([][]*page, len(ps.objects)-len(ps.pages))...)
	}
	if ps.pages[o] == nil {
		ps.pages[o] = make([]*page, (ps.objects[o].size+2*classes)/pageSize+1)
	}
	offset += classes
	p := &ps.pages[o][offset/pageSize]
	if *p == nil {
		*p = &page{}
	}
	return &(*p)[offset%pageSize]
}

// add gives a place its cells and a number.
func (ps *places) add(p place) uint32 {
	obj := &ps.objects[p.object]
	p.cells = obj.cellsIn(p.first, p.last)
	if p.beside(obj) {
		p.cells = slices.Concat(p.cells, ps.objects[Unknown].cells)
	}
	ps.all = append(ps.all, p)
	return uint32(len(ps.all) - 1)
}

// clip folds an offset outside of the object.
func (o *object) clip(offset int64) int64 {
	switch {
	case o.size == 0:
		return 0
	case offset < 0:
		return modulo(offset, classes) - classes
	case offset > o.size:
		return o.size + 1 + modulo(offset-o.size-1, classes)
	}
	return offset
}

// fold is the area of an offset.
func (o *object) fold(offset int64) (first, last int64) {
	offset = o.clip(offset)
	i, j := 0, len(o.areas)
	for i < j {
		if h := (i + j) / 2; o.areas[h].last < offset {
			i = h + 1
		} else {
			j = h
		}
	}
	if i < len(o.areas) && o.areas[i].first <= offset {
		return o.areas[i].first, o.areas[i].last
	}
	return offset, offset
}

// cellsIn are the cells at the offsets first … last.
func (o *object) cellsIn(first, last int64) []cell {
	search := func(at int64) int {
		i, _ := slices.BinarySearchFunc(o.cells, at, func(c cell, x int64) int { return cmp.Compare(c.offset, x) })
		return i
	}
	return o.cells[search(first):search(last+1)]
}

// shift yields the places that place n leads to when delta bytes are added.
func (ps *places) shift(n uint32, delta int64, yield func(uint32)) {
	p := ps.all[n]
	o := &ps.objects[p.object]
	from, to := p.first+delta, p.last+delta
	switch {
	case o.size == 0:
		yield(n)
	case p.first == p.last && p.inside(o):
		yield(ps.of(p.object, from))
	case p.first < 0: // from, from-8, …
		ps.run(p.object, modulo(from, classes)-classes, o.clip(from), classes, yield)
	case p.first > o.size: // from, from+8, …
		ps.run(p.object, o.clip(from), o.size+classes, classes, yield)
	default: // from … to, but outside no class twice
		from = max(from, min(to, -1)-(classes-1))
		to = min(to, max(from, o.size+1)+(classes-1))
		ps.run(p.object, from, to, 1, yield)
	}
}

// indexed yields the places that place n leads to when multiples of stride are
// added, but for those outside of an object that is all there is.
func (ps *places) indexed(n uint32, stride int64, yield func(uint32)) {
	p := ps.all[n]
	o := &ps.objects[p.object]
	if o.size == 0 {
		yield(n)
		return
	}
	ps.run(p.object, modulo(p.first, ps.period(p, stride)), o.size, ps.period(p, stride), yield)
	if o.open {
		ps.outside(p, stride, yield)
	}
}

// anywhere yields these places and those outside of the object.
func (ps *places) anywhere(n uint32, stride int64, yield func(uint32)) {
	ps.indexed(n, stride, yield)
	if p := ps.all[n]; ps.objects[p.object].size > 0 && !ps.objects[p.object].open {
		ps.outside(p, stride, yield)
	}
}

// outside yields the places outside of the object that multiples of stride lead
// to.
func (ps *places) outside(p place, stride int64, yield func(uint32)) {
	o := &ps.objects[p.object]
	stride = ps.period(p, stride)
	outside := gcd(stride, classes)
	for at := modulo(p.first, outside); at < classes; at += outside {
		yield(ps.of(p.object, at-classes))
		yield(ps.of(p.object, at+(o.size/classes+2)*classes))
	}
}

// period is the stride at which anywhere gets through the object from a place:
// an area of several offsets is everywhere, a place outside is known modulo
// classes.
func (ps *places) period(p place, stride int64) int64 {
	switch {
	case p.first != p.last:
		return 1
	case !p.inside(&ps.objects[p.object]):
		return gcd(stride, classes)
	}
	return stride
}

// run yields the places of the offsets from, from+step, … up to to.
func (ps *places) run(obj Object, from, to, step int64, yield func(uint32)) {
	for at := from; at <= to; at += step {
		n := ps.of(obj, at)
		yield(n)
		if p := ps.all[n]; p.first != p.last { // the rest of the area
			at += (p.last - at) / step * step
		}
	}
}

// modulo is the remainder that is not negative.
func modulo(a, n int64) int64 { return ((a % n) + n) % n }

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
