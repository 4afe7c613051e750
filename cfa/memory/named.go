package memory

// Globals that other code can name.
//
// Idea: a routine that nobody described may return the address of an object with external
// linkage, or of a part of it, though nothing here takes that address. What it
// returns may therefore point to all such objects that hold something of the type it is
// declared to point to; scalars among them get memory of their own where there is
// such a call.
//
// Deviation: the routine itself is assumed not to write to them, but for objects that are
// defined elsewhere.
//
// Cost: a node for each type, with as many targets as there are such objects.

import (
	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/smt/expr"
)

// ReturnsPointer notes that a call of a routine without a body returns a pointer to
// something of type t, nil if that may be anything.
func (m *Model) ReturnsPointer(call cfa.Loc, t *Type) { m.returned[call] = t }

// nameGlobals gives memory to the globals that the results of calls may point to.
func (m *Model) nameGlobals() {
	for i := range m.code.Len() {
		t, ok := m.returned[cfa.Loc(i)]
		if !ok || m.bodies[cfa.Loc(i)] != nil {
			continue
		}
		for _, g := range m.globals {
			if g.Named != nil && g.Var != nil && g.Object == nil && g.Named.includes(t) {
				m.GlobalObject(g, "", g.Named, 0, cfa.Var{})
			}
		}
	}
}

// named is a node with the globals that a result of that type may point to.
func (p *pointers) named(t *Type) pointsto.Node {
	n, ok := p.byType[t]
	if !ok {
		n = p.g.Node()
		p.byType[t] = n
		for _, g := range p.a.globals {
			if g.Object != nil && g.Named.includes(t) {
				p.g.AddressOf(n, p.ids[g.Object.number], 0)
			}
		}
		p.g.Anywhere(n, n)
	}
	return n
}

// returnedBy gives the result of a call of a routine without a body what it may point
// to.
func (p *pointers) returnedBy(call cfa.Loc, v *expr.Expr) {
	p.fromWorld(v)
	if t, ok := p.a.returned[call]; ok && v != nil {
		p.g.Copy(p.variable(v), p.named(t))
	}
}

// includes reports whether something of type part, nil: anything, stands in something of
// type t.
func (t *Type) includes(part *Type) bool {
	switch {
	case t == nil:
		return false
	case part == nil || t == part || t.Size == part.Size && t.like(part):
		return true
	case t.Scalar != nil:
		return part.Scalar != nil && part.Size == t.Size && part.Scalar.Class == t.Scalar.Class
	case t.Elem != nil:
		return t.Elem.includes(part)
	}
	for _, m := range t.Members {
		if m.Type.includes(part) {
			return true
		}
	}
	return false
}
