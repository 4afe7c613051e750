package engine

import (
	"context"
	"encoding/binary"

	"magus/param"
	"magus/param/linear"
)

// Idea: what a zone does not touch is kept from one search to the next. What leads into a set has
// nothing to do with the order, so it is computed once. Of its upward closure, a new zone changes
// only those parts that it divides or cuts; another part stays the same set, with all that was
// derived from it. So does a set that is derived again, in another way. Which set lies within which
// one is remembered too. The searches themselves are done again, in their order, and find what they
// would have found: that is why it does not matter whether what lay within a set that is gone was
// ever expanded. Source: Abdulla et al., Constrained Monotonic Abstraction, start every iteration
// from nothing; the tree of what is kept is that of lazy abstraction (T. A. Henzinger, R. Jhala, R.
// Majumdar, G. Sutre, POPL 2002). Cost: memory for the sets that the last orders have, and a look at
// each of them in each search.

// A history is what the searches of one loop have in common.
type history[S any] struct {
	sys      *param.System
	dom      domain[S]
	initial  []initial[S]
	roots    []*derived[S]          // the bad sets
	known    map[string]*derived[S] // by control part and set
	searches int                    // begun so far
}

// An initial is an initial cube of the system.
type initial[S any] struct {
	cube    int // its number
	control uint64
	set     S
}

// A derived is a set with what was derived from it.
type derived[S any] struct {
	shape
	set    S
	cases  []lead[S]   // what each case leads into the set, as far as it is known
	within *derived[S] // one in which it lies, or nil
	search int         // the last one in which it is a node that lies within no other
	used   int         // the last one that derived it
	asked  bool        // whether start is known
	start  int         // the number of an initial cube that it meets, or -1
}

// A lead is what a case leads into a set, closed upwards.
type lead[S any] struct {
	known   bool
	control uint64
	zones   int // of the order
	parts   []leaf[S]
}

// A leaf is a part of an upward closure and the set that it is.
type leaf[S any] struct {
	part[S]
	is *derived[S]
}

func newHistory[S any](sys *param.System, dom domain[S], property int) *history[S] {
	h := &history[S]{sys: sys, dom: dom, known: map[string]*derived[S]{}}
	for i, c := range sys.Init {
		if set, ok := dom.of(c.Atoms); ok {
			h.initial = append(h.initial, initial[S]{i, c.Control, set})
		}
	}
	for _, c := range sys.Bad[property] {
		if set, ok := dom.of(c.Atoms); ok {
			h.roots = append(h.roots, h.derive(c.Control, set))
		}
	}
	return h
}

// derive is what is known of a set, which may have been derived before in another way.
func (h *history[S]) derive(control uint64, set S) *derived[S] {
	key := string(h.dom.key(binary.AppendUvarint(nil, control), set))
	d := h.known[key]
	if d == nil {
		d = &derived[S]{shape: shapeOf(control, h.dom.least(set)), set: set}
		h.known[key] = d
	}
	d.used = h.searches
	return d
}

// begin counts a search, and forgets what the last one had no use for.
func (h *history[S]) begin() {
	for key, d := range h.known {
		if d.used < h.searches {
			delete(h.known, key)
		}
	}
	h.searches++
}

// before is what a case, by its number, leads into a set, closed upwards for the order of zones, of which
// the first are those of the last time. Kept is true if nothing had to be computed. There is nothing if the context
// has ended.
func (h *history[S]) before(ctx context.Context, d *derived[S], number int,
	zones []linear.Atom) (sets []*derived[S], kept bool) {
	if d.cases == nil {
		d.cases = make([]lead[S], len(h.sys.Cases))
	}
	l := &d.cases[number]
	if kept = l.known; !kept {
		*l = h.lead(&h.sys.Cases[number], d)
	}
	if l.zones < len(zones) {
		var parts []leaf[S]
		for _, old := range l.parts {
			for _, p := range strengthen(ctx, h.dom, zones[l.zones:], old.part) {
				is := old.is
				if any(p.set) != any(old.set) {
					is, kept = h.derive(l.control, p.set), false
				}
				parts = append(parts, leaf[S]{p, is})
			}
		}
		if ctx.Err() != nil {
			return nil, false
		}
		l.parts, l.zones = parts, len(zones)
	}
	for _, p := range l.parts {
		p.is.used = h.searches
		sets = append(sets, p.is)
	}
	return sets, kept
}

// lead is what a case leads into a set, closed upwards for the plain order.
func (h *history[S]) lead(c *param.Case, d *derived[S]) lead[S] {
	l := lead[S]{known: true}
	control, ok := h.sys.Before(c, d.control)
	if !ok {
		return l
	}
	set, ok := h.dom.before(c, d.set)
	if !ok {
		return l
	}
	l.control = control
	up := h.dom.upward(set)
	l.parts = []leaf[S]{{part[S]{inside: set, set: up}, h.derive(control, up)}}
	return l
}

// meets is the number of an initial cube that a set meets, or -1.
func (h *history[S]) meets(d *derived[S]) int {
	if d.asked {
		return d.start
	}
	d.asked, d.start = true, -1
	for _, c := range h.initial {
		if !h.sys.Possible(c.control & d.control) {
			continue
		}
		if _, ok := h.dom.with(c.set, h.dom.atoms(d.set)...); ok {
			d.start = c.cube
			break
		}
	}
	return d.start
}
