package memory

// Comparisons and differences of pointers.
//
// Idea: every address is one number, so the order and the distance of two objects, and
// whether one lies right behind the other, is that of one layout of memory. Where
// the analysis of pointers does not exclude that the answer depends on it, this is an
// assumption that is listed. A distance of two objects, added to a pointer into the
// one, leads to the other: where one is computed, sums of pointers and numbers may
// lead to all objects whose distance is.
//
// Cost: a pass over the targets of both sides.

import (
	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/smt/expr"
)

// A Relation is what an operator says of two pointers.
type Relation uint8

// The relations.
const (
	Equal Relation = iota
	Order
	Distance
)

// A relation of two pointers that a location computes.
type relation struct {
	op   Relation
	at   cfa.Loc
	x, y *expr.Expr
	pos  cfa.Pos
}

// Relates notes that the next location relates two pointers.
func (m *Model) Relates(op Relation, x, y *expr.Expr, pos cfa.Pos) {
	if !m.code.Dead() {
		m.relations = append(m.relations, relation{op, cfa.Loc(m.code.Len()), x, y, pos})
	}
}

// different reports whether two pointers may be into different objects. Those to memory
// that is not modelled have any value.
func (p *pointers) different(x, y pointsto.Node) bool {
	first := -1
	for _, n := range []pointsto.Node{x, y} {
		for _, t := range p.targets(n) {
			b := p.at(t.Object)
			if b == nil || b.unbounded && b.each == 0 {
				continue
			}
			if first < 0 {
				first = b.number
			}
			if (b.number != first || b.each > 0) && len(p.targets(x)) > 0 && len(p.targets(y)) > 0 {
				return true
			}
		}
	}
	return false
}

// adjacent reports whether one pointer may be to the end of an object, and the other to the
// beginning of another one.
func (p *pointers) adjacent(x, y pointsto.Node) bool {
	for _, s := range p.targets(x) {
		b := p.at(s.Object)
		if b == nil || b.unbounded || b.function || s.Last < uint64(b.size) {
			continue
		}
		for _, t := range p.targets(y) {
			if c := p.at(t.Object); c != nil && c != b && !c.unbounded && !c.function && t.Offset == 0 {
				return true
			}
		}
	}
	return false
}

// measuresApart notes whether the distance of two objects is computed, and reports whether
// that is new.
func (a *Analysis) measuresApart() bool {
	if a.apart {
		return false
	}
	a.apart = a.pts.far
	for _, d := range a.pts.differences {
		a.apart = a.apart || a.pts.different(d[0], d[1])
	}
	if a.apart {
		a.derive(a.pts)
	}
	return a.apart
}

// apartFrom says that a pointer which is moved by a number that is not constant, or
// very large, may lead to an object whose distance is known.
func (p *pointers) apartFrom(n pointsto.Node) {
	if p.a.apart {
		p.g.Copy(n, p.apart)
	}
}

// distances enters what is known of distances.
func (p *pointers) distances() {
	for _, s := range p.a.relations {
		x, y := p.term(s.x), p.term(s.y)
		switch {
		case x == none || y == none:
		case s.op == Distance:
			p.differences = append(p.differences, [2]pointsto.Node{x, y})
			fallthrough
		default: // a guess may be right
			p.g.Copy(p.guessed, x)
			p.g.Copy(p.guessed, y)
		}
	}
	p.far = p.far || p.a.namesDistance()
	if !p.a.apart {
		return
	}
	p.g.Copy(p.apart, p.exposed)
	for _, d := range p.differences {
		p.g.Anywhere(p.apart, d[0])
		p.g.Anywhere(p.apart, d[1])
	}
}

// namesDistance reports whether some statement reads a constant that is the distance of an
// object whose address is exposed from another one.
func (a *Analysis) namesDistance() bool {
	var exposed []uint64
	for _, x := range a.exposures {
		if b, _ := a.ObjectOf(x.address); b != nil {
			exposed = append(exposed, x.address.Value())
		}
	}
	for i := 0; len(exposed) > 0 && i < a.code.Len(); i++ {
		for _, t := range a.values(cfa.Loc(i)) {
			if !t.IsConst() || t.Type().IsBool() || !a.isFar(t.Type().Sext(t.Value())) {
				continue
			}
			for _, from := range exposed {
				b, _ := a.objectAt(from + uint64(t.Type().Sext(t.Value())))
				if c, _ := a.objectAt(t.Value()); b != nil && c == nil {
					return true
				}
			}
		}
	}
	return false
}

// isFar reports whether a number of bytes leads from one object to another.
func (m *addressing) isFar(bytes int64) bool { return uint64(max(bytes, -bytes)) >= m.gap()/2 }

// tellLayouts lists the assumptions on the layout of memory that relations make.
func (r *entry) tellLayouts() {
	if r.pts == nil {
		return
	}
	for _, pos := range r.ended {
		r.code.Assume(cfa.AboutLayout, pos,
			"an object has another address than those that have ended before it begins: in one layout of memory")
	}
	for _, s := range r.relations {
		if r.code.IsOutOfLine(s.at) {
			continue
		}
		x, y := r.pts.term(s.x), r.pts.term(s.y)
		switch {
		case s.op == Order && r.pts.different(x, y):
			r.code.Assume(cfa.AboutLayout, s.pos,
				"the order of the addresses of different objects is looked at: that of one layout of memory")
		case s.op == Distance && r.pts.different(x, y):
			r.code.Assume(cfa.AboutLayout, s.pos, "the distance of different objects is looked at: that of one layout of memory")
		case s.op == Equal && (r.pts.adjacent(x, y) || r.pts.adjacent(y, x)):
			r.code.Assume(cfa.AboutLayout, s.pos,
				"the end of an object is compared with the beginning of another: in one layout of memory, where they are apart")
		}
	}
}
