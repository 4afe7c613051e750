package lts

// refinable is a refinable partition of the numbers 0 … n-1: sets are split by marking some of their
// elements. A set is a range of items, with the marked elements at its front, so marking takes
// constant time and splitting time proportional to what was marked. The elements at the end of items
// may be in no set yet.
//
// Source: Valmari, Lehtinen, "Efficient minimization of DFAs with partial transition functions"
// (STACS 2008), section 3. Memory: 12 bytes an element and 12 bytes a set.
type refinable struct {
	items   []uint32
	cells   []cell     // by element
	sets    []setRange // by set
	tail    uint32     // items[tail:] are in no set
	touched []uint32   // the sets with marked elements
}

// cell is where an element is.
type cell struct {
	at  uint32 // invariant: items[at] is the element
	set uint32 // not valid if at is not below tail
}

// setRange is the set items[first:end]; items[first:mid] are marked.
type setRange struct{ first, mid, end uint32 }

func (r setRange) size() uint32 { return r.end - r.first }

// newRefinable returns the partition whose sets, in order, hold the elements of items from one offset
// to the next; what is beyond the last offset is in no set. It keeps items.
func newRefinable(items []uint32, offsets []uint32) *refinable {
	r := &refinable{items: items, cells: make([]cell, len(items)), sets: make([]setRange, len(offsets)-1)}
	r.tail = offsets[len(offsets)-1]
	for k := range r.sets {
		first, end := offsets[k], offsets[k+1]
		r.sets[k] = setRange{first, first, end}
		for i := first; i < end; i++ {
			r.cells[items[i]] = cell{i, uint32(k)}
		}
	}
	for i := r.tail; int(i) < len(items); i++ {
		r.cells[items[i]].at = i
	}
	return r
}

// identity returns 0 … n-1.
func identity(n int) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	return all
}

func (r *refinable) count() int { return len(r.sets) }

// members returns the elements of a set; it is valid until elements of it are marked.
func (r *refinable) members(set uint32) []uint32 {
	return r.items[r.sets[set].first:r.sets[set].end]
}

// has says whether element i is in a set.
func (r *refinable) has(i uint32) bool { return r.cells[i].at < r.tail }

// adopt makes a set of elements that are in none and returns its number. The set is next to the one
// adopted before.
func (r *refinable) adopt(elements []uint32) uint32 {
	k, first := uint32(len(r.sets)), r.tail
	for _, i := range elements {
		at, other := r.cells[i].at, r.items[r.tail]
		r.items[at], r.cells[other].at = other, at
		r.items[r.tail], r.cells[i] = i, cell{r.tail, k}
		r.tail++
	}
	r.sets = append(r.sets, setRange{first, first, r.tail})
	return k
}

// mark marks element i, unless it is marked.
func (r *refinable) mark(i uint32) {
	c := r.cells[i]
	s := &r.sets[c.set]
	if c.at < s.mid {
		return
	}
	if s.mid == s.first {
		r.touched = append(r.touched, c.set)
	}
	other := r.items[s.mid]
	r.items[c.at], r.items[s.mid] = other, i
	r.cells[other].at, r.cells[i].at = c.at, s.mid
	s.mid++
}

// split separates the marked elements of every touched set from the others and unmarks them. The
// smaller part becomes a new set, whose number is the next. done is told the numbers of both; they
// are the same if all elements were marked, so that nothing was split.
func (r *refinable) split(done func(old, part uint32)) {
	for _, old := range r.touched {
		s := &r.sets[old]
		mid := s.mid
		s.mid = s.first
		if mid == s.end {
			done(old, old)
			continue
		}
		part := setRange{mid, mid, s.end}
		if mid-s.first <= s.end-mid {
			part = setRange{s.first, s.first, mid}
			s.first, s.mid = mid, mid
		} else {
			s.end = mid
		}
		k := uint32(len(r.sets))
		for _, i := range r.items[part.first:part.end] {
			r.cells[i].set = k
		}
		r.sets = append(r.sets, part)
		done(old, k)
	}
	r.touched = r.touched[:0]
}
