package memory

// Stores that may write watched members.
//
// Idea: types say which of their members are watched ([Member.Watched]). Of a store it is asked where it
// goes, and whether a watched leaf is there. Where it may go to memory that is not modelled, it may write
// one, unless it stores a single byte.
//
// LAW: a run in which one of the statements writes a watched leaf of a typed object comes by a statement of the answer.
//
// Cost: a search for each statement.

import (
	"slices"

	"magus/cfa"
)

// HoldsWatched reports whether some part of an object of the type is watched.
func (t *Type) holdsWatched() bool {
	return t != nil && (t.Elem.holdsWatched() ||
		slices.ContainsFunc(t.Members, func(m Member) bool { return m.Watched || m.Type.holdsWatched() }))
}

// WritesWatched are those of the statements that may write something watched; a call of a routine whose body has such a
// statement is one of them. The statements for which asked has true are to named members: of these it is asked only
// whether they overlap a watched one.
func (a *Analysis) WritesWatched(asked map[cfa.Loc]bool) []Outside {
	found := map[cfa.Loc]string{}
	for at, named := range asked {
		if what := a.watchedAt(at, named); what != "" {
			found[at] = what
		}
	}
	var all []Outside
	for i := range a.code.Len() {
		at := cfa.Loc(i)
		if a.code.IsOutOfLine(at) || a.refused(at) {
			continue
		}
		what := found[at]
		if b := a.bodies[at]; b != nil {
			for _, inner := range a.closure(b) {
				if w := found[inner]; w != "" {
					what = w
				}
			}
		}
		if what != "" {
			all = append(all, Outside{At: at, What: what})
		}
	}
	return all
}

// watchedAt is what the statement at a location may write that is watched, "" for nothing.
func (a *Analysis) watchedAt(at cfa.Loc, named bool) string {
	for _, w := range a.effects.writes(at) {
		what := ""
		switch c, isCell := a.cells[w.variable]; {
		case w.to != nil:
			what = a.watchedStore(at, w, named)
		case isCell && c.leaf.watched:
			what = w.variable.Name()
		case isCell:
			for _, lf := range c.Object.overlapping(c.leaf.Extent) {
				if lf.watched {
					what = w.variable.Name()
				}
			}
		}
		if what != "" {
			return what
		}
	}
	return ""
}

// watchedStore is what a store through an address may write that is watched.
func (a *Analysis) watchedStore(at cfa.Loc, w write, named bool) string {
	if a.pts == nil {
		return ""
	}
	unknown := ""
	if !named && (w.size != 0 || w.to.Scalar.Type.Width > 8 || w.to.Scalar.Class == Opaque) {
		unknown = "memory that is not modelled"
	}
	targets := a.pts.targets(a.pts.used[at][0])
	for _, t := range targets {
		switch b := a.pts.at(t.Object); {
		case b == nil || b.unbounded:
			if unknown != "" {
				return unknown
			}
		}
	}
	found := a.find.search(at, 0, *w.to)
	if unknown != "" && found.leads(isUnknown) {
		return unknown
	}
	hit := a.newSet()
	for h := range found.all {
		hit.add(h.b.number)
		if h.isWatched(w.size, named) {
			return h.b.name
		}
	}
	for _, t := range targets { // not where its parts are, but somewhere
		if b := a.pts.at(t.Object); !named && b != nil && !hit.has(b.number) && b.isWatched() {
			return b.name
		}
	}
	return ""
}

// isWatched reports whether some part of an object is watched.
func (b *Object) isWatched() bool {
	return b.typ.holdsWatched() || slices.ContainsFunc(b.leaves, func(lf *leaf) bool { return lf.watched }) ||
		slices.ContainsFunc(b.spans, func(s span) bool { return s.elem.holdsWatched() })
}

// isWatched reports whether a watched leaf is where a hit is, of so many bytes; 0 is a scalar, and a negative
// number means the innermost array that it is in, or else the object.
func (h hit) isWatched(size int64, named bool) bool {
	e := h.e
	if size > 0 {
		e.width = 8 * size
	} else if size < 0 {
		e.width = h.b.arrayEnd(e.at) - e.at
	}
	switch {
	case h.doubtful, h.rest && named: // indices are within their arrays
		return false
	case h.rest && size == 0 && len(h.b.spans) == 0:
		return slices.ContainsFunc(h.b.leaves, func(lf *leaf) bool { return lf.watched && h.touches(lf) })
	case h.rest:
		return h.b.isWatched()
	}
	for _, lf := range h.b.leaves {
		if lf.watched && lf.overlaps(e) {
			return true
		}
	}
	return slices.ContainsFunc(h.b.spans, func(s span) bool {
		return !named && s.at < e.end() && e.at < s.end && s.elem.holdsWatched()
	})
}

// arrayEnd is where the innermost array ends that a bit of an object is in, or else the object.
func (b *Object) arrayEnd(at int64) int64 {
	end := 8 * b.size
	for _, a := range b.arrays { // outer ones first
		if a.at <= at && at < a.end {
			end = a.end
		}
	}
	return end
}
