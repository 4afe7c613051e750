package pointsto

// The domain of the analysis: finitely many targets.
//
// Idea: a target is an offset of an object, or an area of offsets that are not
// told apart. Arithmetic on pointers must be followed out of the object and
// back in: otherwise `p = a - 1; p[1]` and `*sp++ = x; … *--sp` in a loop would
// lose their targets. But the targets must be finitely many: otherwise a loop
// around p++ would never end. So the offsets outside are folded. Those below are
// told apart modulo 8 only and stand at -8 … -1, those above at size+1 … size+8.
// The offset size, behind the last byte, is inside.
//
//	 -8 … -1 │ 0 …  size │ size+1 … size+8
//	stands   │ each is   │ stands for itself
//	for -k·8 │ itself    │ + k·8
//
// A target above that moves down by d leads to the offsets of its class in the
// window that is d wide, no further: p++ and p-- over an array of int keep
// multiples of four.
//
// Deviation from Pearce, Kelly, Hankin ("Efficient field-sensitive pointer
// analysis of C", TOPLAS 30, 2007): offsets are bytes, not field numbers, and
// cycles of positive weight end by folding.
//
// Cost: one look-up for a move within the object. A target that comes back in, or
// goes anywhere, takes as many as there are offsets.

import (
	"cmp"
	"slices"
)

// classes is the modulus to which offsets outside of objects are told apart.
const classes = 8

// A target is an offset that a pointer may point to, or an area of them.
// Invariant: first is the first offset of its area, and is folded.
type target struct {
	object      Object
	first, last int64
	cells       []cell // inside the area
}

// inside reports whether the target is in its object, or right behind it.
func (p target) inside(o *object) bool { return o.size == 0 || 0 <= p.first && p.first <= o.size }

// beside reports whether the target may be in the memory around its object.
func (p target) beside(o *object) bool { return o.open && (p.first < 0 || p.last >= o.size) }

// A targetKey is the key of a target.
type targetKey struct {
	object Object
	offset int64
}

// A domain numbers the targets that have been met.
type domain struct {
	objects []object
	all     []target
	number  map[targetKey]uint32 // of those in large objects
	pages   [][]*page            // of those in others, by object
}

// numberOf is the number of the target at an offset.
func (d *domain) numberOf(o Object, offset int64) uint32 {
	obj := &d.objects[o]
	first, last := obj.fold(offset)
	if obj.size <= large {
		n := d.nearby(o, first)
		if *n == 0 {
			*n = d.add(target{object: o, first: first, last: last}) + 1
		}
		return *n - 1
	}
	key := targetKey{o, first}
	n, ok := d.number[key]
	if !ok {
		n = d.add(target{object: o, first: first, last: last})
		d.number[key] = n
	}
	return n
}

const (
	large    = 1 << 20 // the size of objects beyond which the numbers of their targets are in a map
	pageSize = 128
)

// A page has the numbers of targets at offsets next to each other, plus 1.
type page [pageSize]uint32

// nearby is where the number of a target is kept, plus 1.
func (d *domain) nearby(o Object, offset int64) *uint32 {
	if len(d.pages) < len(d.objects) {
		d.pages = append(d.pages, make([][]*page, len(d.objects)-len(d.pages))...)
	}
	if d.pages[o] == nil {
		d.pages[o] = make([]*page, (d.objects[o].size+2*classes)/pageSize+1)
	}
	offset += classes
	p := &d.pages[o][offset/pageSize]
	if *p == nil {
		*p = &page{}
	}
	return &(*p)[offset%pageSize]
}

// add gives a target its cells and a number.
func (d *domain) add(p target) uint32 {
	obj := &d.objects[p.object]
	p.cells = obj.cellsIn(p.first, p.last)
	if p.beside(obj) {
		p.cells = slices.Concat(p.cells, d.objects[Unknown].cells)
	}
	d.all = append(d.all, p)
	return uint32(len(d.all) - 1)
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

// shift yields the targets that target n leads to when delta bytes are added.
func (d *domain) shift(n uint32, delta int64, yield func(uint32)) {
	p := d.all[n]
	o := &d.objects[p.object]
	from, to := p.first+delta, p.last+delta
	switch {
	case o.size == 0:
		yield(n)
	case p.first == p.last && p.inside(o):
		yield(d.numberOf(p.object, from))
	case p.first < 0: // from, from-8, …
		d.run(p.object, modulo(from, classes)-classes, o.clip(from), classes, yield)
	case p.first > o.size: // from, from+8, …
		d.run(p.object, o.clip(from), o.size+classes, classes, yield)
	default: // from … to, but outside no class twice
		from = max(from, min(to, -1)-(classes-1))
		to = min(to, max(from, o.size+1)+(classes-1))
		d.run(p.object, from, to, 1, yield)
	}
}

// indexed yields the targets that target n leads to when multiples of stride are
// added. Those outside of its object are left out, unless the object is open.
func (d *domain) indexed(n uint32, stride int64, yield func(uint32)) {
	p := d.all[n]
	o := &d.objects[p.object]
	if o.size == 0 {
		yield(n)
		return
	}
	d.run(p.object, modulo(p.first, d.period(p, stride)), o.size, d.period(p, stride), yield)
	if o.open {
		d.outOfBounds(p, stride, yield)
	}
}

// anywhere yields these targets and those outside of the object.
func (d *domain) anywhere(n uint32, stride int64, yield func(uint32)) {
	d.indexed(n, stride, yield)
	if p := d.all[n]; d.objects[p.object].size > 0 && !d.objects[p.object].open {
		d.outOfBounds(p, stride, yield)
	}
}

// outOfBounds yields the targets outside of the object that multiples of stride
// lead to.
func (d *domain) outOfBounds(p target, stride int64, yield func(uint32)) {
	o := &d.objects[p.object]
	stride = d.period(p, stride)
	step := gcd(stride, classes)
	for at := modulo(p.first, step); at < classes; at += step {
		yield(d.numberOf(p.object, at-classes))
		yield(d.numberOf(p.object, at+(o.size/classes+2)*classes))
	}
}

// period is the stride at which anywhere gets through the object from a target.
// An area of several offsets is everywhere; a target outside is known modulo
// classes.
func (d *domain) period(p target, stride int64) int64 {
	switch {
	case p.first != p.last:
		return 1
	case !p.inside(&d.objects[p.object]):
		return gcd(stride, classes)
	}
	return stride
}

// run yields the targets at the offsets from, from+step, … up to to.
func (d *domain) run(obj Object, from, to, step int64, yield func(uint32)) {
	for at := from; at <= to; at += step {
		n := d.numberOf(obj, at)
		yield(n)
		if p := d.all[n]; p.first != p.last { // the rest of the area
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
