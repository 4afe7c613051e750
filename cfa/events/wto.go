package events

// A weak topological order of a thread's locations: each edge goes forward, or back to the head of a
// component that it is in.
//
// Source: Bourdoncle, "Efficient chaotic iteration strategies with widenings" (1993), section 4.
// Cost: linear in the edges times the depth of loops.

import (
	"slices"

	"magus/cfa"
)

// ordered says where a location stands in the order.
type ordered struct {
	rank  int32
	heads []cfa.Loc // of the components that it is in, outermost first; its own if it is a head
}

// weakOrder gives the order of the locations that a thread can reach.
func weakOrder(c *cfa.CFA, entry cfa.Loc) map[cfa.Loc]*ordered {
	w := &wto{c: c, number: map[cfa.Loc]int{}}
	var top []element
	w.visit(entry, &top)
	slices.Reverse(top)
	order := map[cfa.Loc]*ordered{}
	rank := int32(0)
	var walk func(list []element, heads []cfa.Loc)
	walk = func(list []element, heads []cfa.Loc) {
		for _, e := range list {
			in := heads
			if e.head {
				in = append(slices.Clip(heads), e.loc)
			}
			order[e.loc] = &ordered{rank, in}
			rank++
			walk(e.body, in)
		}
	}
	walk(top, nil)
	return order
}

// An element is a location, or a component with its head.
type element struct {
	loc  cfa.Loc
	head bool
	body []element
}

type wto struct {
	c      *cfa.CFA
	number map[cfa.Loc]int // depth first number; maxNumber when done
	count  int
	stack  []cfa.Loc
}

const doneNumber = int(^uint(0) >> 1)

// visit appends what it finds in reverse order.
func (w *wto) visit(at cfa.Loc, partition *[]element) int {
	w.stack = append(w.stack, at)
	w.count++
	w.number[at] = w.count
	head, loop := w.count, false
	for _, s := range w.c.Next(at) {
		low := w.number[s]
		if low == 0 {
			low = w.visit(s, partition)
		}
		if low <= head {
			head, loop = low, true
		}
	}
	if head != w.number[at] {
		return head
	}
	w.number[at] = doneNumber
	top := w.pop()
	if !loop {
		*partition = append(*partition, element{loc: at})
		return head
	}
	for top != at {
		w.number[top] = 0
		top = w.pop()
	}
	var body []element
	for _, s := range w.c.Next(at) {
		if w.number[s] == 0 {
			w.visit(s, &body)
		}
	}
	slices.Reverse(body)
	*partition = append(*partition, element{at, true, body})
	return head
}

func (w *wto) pop() cfa.Loc {
	top := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	return top
}
