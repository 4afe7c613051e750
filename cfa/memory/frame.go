package memory

// What code writes that it is claimed not to.
//
// Idea: of each statement it is asked what it may write, as for calls (effects.go), and which of that existed
// before the code began: static storage, and what pointers from outside point to. Local variables and what
// the code allocates are its own. Where all that the statement may write is outside of the frame, the write
// is certain where control comes there; where only some of it may be, or where it is not known, there is a
// doubt. Memory that is not modelled is outside.
//
// LAW: a run that writes something that existed before and is not in the frame comes by a statement of the answer.
//
// Source: frame conditions of contracts, as in ACSL (Baudin et al.: ACSL, ANSI/ISO C Specification Language, 2.3.2),
// but what is written and then restored is written. Cost: a pass over the code, and one search for what escapes.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/internal/phrase"
	"magus/smt/expr"
)

// A Frame is what code may write of what existed before it.
type Frame struct {
	Variables map[*expr.Expr]bool // without memory of their own, or with
	Areas     []FrameArea
	Errno     bool // what functions of the library leave in errno
	// Internal says of a variable that no program can name it: the library's own.
	Internal func(*expr.Expr) bool
	// InternalObject says it of an object.
	InternalObject func(*Object) bool
}

// A FrameArea is bytes of an object.
type FrameArea struct {
	Object   *Object
	From, To int64
}

// An Outside is a statement that writes something outside of a frame, or may.
type Outside struct {
	At   cfa.Loc
	What string // is written
	Sure bool   // whenever control comes there
}

// A framing is one run of the question.
type framing struct {
	*effects
	Frame
	escaped []objectSet
}

// WrittenOutside are the statements from one location up to another that write outside of a frame or may;
// start is where the automaton begins.
func (a *Analysis) WrittenOutside(start, from, to cfa.Loc, frame Frame) []Outside {
	f := &framing{effects: a.effects, Frame: frame}
	f.Areas = append(slices.Clone(f.Areas), a.areasOf(frame.Variables)...)
	if a.pts != nil {
		f.escaped = a.effects.escapedAt(start)
	}
	var all []Outside
	for at := from; at < to; at++ {
		if f.code.IsOutOfLine(at) || f.refused(at) {
			continue
		}
		what, sure := f.outside(at)
		if b := f.bodies[at]; b != nil {
			sure = false
			for _, inner := range f.closure(b) {
				if w, _ := f.outside(inner); w != "" {
					what = w
				}
				if f.refused(inner) {
					what = "what the body of a routine writes that is not modelled"
				}
			}
		}
		if what != "" {
			all = append(all, Outside{at, what, sure})
		}
	}
	return all
}

// areasOf are the whole bytes in which variables lie that have memory by now.
func (a *Analysis) areasOf(vars map[*expr.Expr]bool) (areas []FrameArea) {
	for _, b := range a.objects {
		for _, lf := range b.leaves {
			if lf.v != nil && vars[lf.v] {
				areas = append(areas, FrameArea{Object: b, From: (lf.at + 7) / 8, To: lf.end() / 8})
			}
		}
	}
	return areas
}

// outside is what the statement at a location may write outside of the frame, "" for nothing, and whether it writes
// that whenever control comes there.
func (f *framing) outside(at cfa.Loc) (what string, sure bool) {
	switch s := f.code.At(at).Stmt.(type) {
	case ErrnoCall:
		if f.Errno {
			return "", false
		}
		return "errno", false
	case Free:
		return f.pointed(f.pts.term(s.Addr), "memory that is freed"), false
	case Touch:
		if s.Store {
			return f.pointed(f.pts.used[at][0], "memory that a function writes"), false
		}
		return "", false
	}
	for _, w := range f.writes(at) {
		switch {
		case w.all:
			return "anything", false
		case w.to != nil:
			if what, sure = f.stored(at, w); what != "" {
				return what, sure
			}
		case w.call:
			if what = f.called(at); what != "" {
				return what, false
			}
		case w.variable != nil:
			if what = f.assigned(w.variable); what != "" {
				return what, true
			}
		}
	}
	return "", false
}

// assigned is the variable if it is outside.
func (f *framing) assigned(v *expr.Expr) string {
	if c, ok := f.cells[v]; ok {
		if f.isOutside(c.Object) && !f.within(c.Object, c.leaf.at, c.leaf.end()) && !f.Variables[v] {
			return v.Name()
		}
		return ""
	}
	d := f.code.Describe(v)
	if d.Kind != cfa.Global || d.Proc != "" || f.Variables[v] || f.Internal(v) { // a static local has no other name
		return ""
	}
	return v.Name()
}

// isOutside reports whether an object existed before the code began, and may be written at all.
func (f *framing) isOutside(b *Object) bool {
	return !b.constant && (b.external || b.unbounded || b.global != nil) && !f.InternalObject(b)
}

// within reports whether bits of an object are in the frame.
func (f *framing) within(b *Object, from, to int64) bool {
	for _, a := range f.Areas {
		if a.Object == b && 8*a.From <= from && to <= 8*a.To {
			return true
		}
	}
	return false
}

// overlaps reports whether bits of an object overlap the frame.
func (f *framing) overlaps(b *Object, from, to int64) bool {
	for _, a := range f.Areas {
		if a.Object == b && 8*a.From < to && from < 8*a.To {
			return true
		}
	}
	return false
}

// whole reports whether all of an object is in the frame.
func (f *framing) whole(b *Object) bool {
	return !b.unbounded && b.size >= 0 && f.within(b, 0, 8*b.size)
}

// stored is what a store through an address may write outside.
func (f *framing) stored(at cfa.Loc, w write) (what string, sure bool) {
	sure = true
	n := f.pts.used[at][0]
	for _, t := range f.pts.targets(n) {
		b := f.pts.at(t.Object)
		switch {
		case b == nil || b.unbounded:
			return "memory that is not modelled", false
		case !f.isOutside(b):
			sure = false
		case w.size < 0 && f.whole(b):
			sure = false
		case w.size < 0:
			what, sure = b.name, false
		}
	}
	if w.size < 0 {
		return what, false
	}
	found := f.find.search(at, 0, *w.to)
	if found.leads(isUnknown) {
		return "memory that is not modelled", false
	}
	hit := f.newSet()
	var outside []outsidePart
	for h := range found.all {
		hit.add(h.b.number)
		from, to := h.e.at, h.e.end()
		if w.size > 0 {
			to = max(to, from+8*w.size)
		}
		switch {
		case !f.isOutside(h.b):
			sure = false
		case f.whole(h.b) || !h.rest && f.within(h.b, from, to):
			sure = false
		case h.rest || f.overlaps(h.b, from, to):
			sure = false
			outside = append(outside, outsidePart{h.b, h.b.name})
		default:
			part := fmt.Sprintf("%s, from byte %d on", h.b.name, from/8)
			if lf := h.b.find(h.e); lf != nil && lf.v != nil {
				part = lf.v.Name()
			}
			outside = append(outside, outsidePart{h.b, part})
		}
	}
	what = nameOf(outside)
	for _, t := range f.pts.targets(n) { // not where its parts are, but somewhere
		if b := f.pts.at(t.Object); f.isOutside(b) && !f.whole(b) && !hit.has(b.number) {
			return b.name, false
		}
	}
	return what, sure && what != ""
}

// An outsidePart is a part of an object outside of a frame.
type outsidePart struct {
	of   *Object
	name string
}

// nameOf says which of some parts is written: one part by its name, several by their objects, of which some are named.
func nameOf(parts []outsidePart) string {
	if len(parts) == 1 {
		return parts[0].name
	}
	var names []string
	for _, p := range parts {
		if !slices.Contains(names, p.of.name) {
			names = append(names, p.of.name)
		}
	}
	return phrase.Or(names, 2)
}

// pointed is something outside that a node may point to, or name if that is not known.
func (f *framing) pointed(n pointsto.Node, name string) string {
	for _, t := range f.pts.targets(n) {
		b := f.pts.at(t.Object)
		if b == nil || b.unbounded {
			return name
		}
		if f.isOutside(b) && !f.whole(b) {
			return b.name
		}
	}
	return ""
}

// called is something outside that a call of a routine without a body may write.
func (f *framing) called(at cfa.Loc) string {
	if f.bodies[at] != nil {
		return "" // it is looked at itself
	}
	for _, n := range f.held(at) {
		if what := f.pointed(n, "what a routine writes that nothing describes"); what != "" {
			return what
		}
	}
	set := f.escaped
	if f.code.IsOutOfLine(at) {
		set = nil
		all := f.escapedAnywhere()
		for _, b := range f.objects {
			if all.has(b.number) && f.isOutside(b) && !f.whole(b) {
				return b.name
			}
		}
	}
	for _, b := range f.objects {
		if set != nil && set[at] != nil && set[at].has(b.number) && f.isOutside(b) && !f.whole(b) {
			return b.name
		}
	}
	if reachesAll(f.code.At(at).Stmt) {
		return "anything"
	}
	return ""
}

// held are the nodes of what a call is given.
func (f *framing) held(at cfa.Loc) []pointsto.Node {
	if f.pts == nil {
		return nil
	}
	return f.pts.held[at]
}
