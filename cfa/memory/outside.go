package memory

// Pointers from outside: parameters of the component's own procedure, globals
// that start with any value, results of routines without a body.
//
// Such a pointer is NULL or points to an object of its own, of the type that it
// is declared to point to and with any contents; pointers in that object
// likewise, to a small depth. Beyond, and where the type says nothing, it
// points to memory that is not modelled. Each is an assumption that is listed.

import (
	"magus/cfa"
	"magus/internal/expr"
)

const (
	// OutsideDepth is the number of pointers followed from the first one.
	OutsideDepth   = 2
	outsideObjects = 256 // of one component
)

// Outside is an object of type t that the pointer of that name, which comes from
// outside, points to; nil is memory that is not modelled. depth is how many
// pointers lead there from the first one.
func (m *Model) Outside(name string, t *Type, decl cfa.Var, depth int) *Object {
	if t == nil || m.outside >= outsideObjects {
		return nil
	}
	m.outside++
	decl.Name = "*" + name
	b := m.NewObject("*"+name, t, t.Size, decl)
	b.outside = true
	b.assumes = cfa.Warning{Pos: decl.Pos, Text: name + " points to an object of its own, or is NULL"}
	if depth < OutsideDepth {
		m.follow(b, depth)
	}
	return b
}

// Uninitialised is the object of a pointer that nothing has been stored to, where
// such pointers have one.
func (m *Model) Uninitialised(name string, t *Type, decl cfa.Var) *Object {
	b := m.Outside(name, t, decl, 0)
	if b != nil {
		b.assumes.Text = name + " has no initialiser: it points to an object of its own"
	}
	return b
}

// follow gives the pointers in an object objects of their own.
func (m *Model) follow(b *Object, depth int) {
	for _, lf := range b.leaves {
		if o := m.Outside(b.name+lf.path, lf.target, b.decl, depth+1); o != nil {
			lf.own = o
		}
	}
}

// OwnParameter gives a parameter of the component's own procedure, a pointer, its
// object of type t.
func (m *Model) OwnParameter(v *expr.Expr, t *Type) {
	m.own[v] = m.Outside(v.Name(), t, m.code.Describe(v), 0)
}

// Own is the object that a pointer from outside points to, or nil.
func (m *Model) Own(v *expr.Expr) *Object { return m.own[v] }

// ownGlobals gives the pointers among the globals that start with any value
// objects of their own.
func (m *Model) ownGlobals() {
	for _, g := range m.globals {
		switch {
		case g.Starts:
		case g.Pointer:
			m.own[g.Var] = m.Outside(g.Var.Name(), g.Target, m.code.Describe(g.Var), 0)
		case g.Var == nil && g.Object != nil:
			m.follow(g.Object, 0)
		}
	}
}

// anyAtEntry are the pointers that start with any value.
func (m *Model) anyAtEntry() []*expr.Expr {
	var all []*expr.Expr
	for _, v := range m.code.Vars() {
		if v.Kind == cfa.Param && v.Frame == 0 && m.pointers[v.Expr] && v.Expr != m.argv {
			all = append(all, v.Expr)
		}
	}
	for _, g := range m.globals {
		if g.Pointer && !g.Starts {
			all = append(all, g.Var)
		}
	}
	return all
}
