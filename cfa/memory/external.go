package memory

// Pointers from outside: parameters of the component's own procedure, globals
// that start with any value, results of routines without a body.
//
// Such a pointer is NULL or points to an object of its own, of the type that it
// is declared to point to and with any contents. So do the pointers in that object, to a
// small depth; deeper ones point to memory that is not modelled. Each is an assumption
// that is listed.
//
// The pointer may be to the first of many such objects, one behind the other: nobody
// says how many. Where pointers are not checked, the object is as large as
// externalRoom, and the objects behind the first one are summarised, but for what
// constants name. Where they are checked, it has the size of its type, and nothing is
// known of what lies behind.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

const (
	// ExternalDepth is the number of pointers followed from the first one.
	ExternalDepth      = 2
	maxExternalObjects = 256 // of one component
	externalRoom       = 1 << 16
)

// An external has the objects that pointers from outside point to.
type external struct {
	space *addressSpace
	own   map[*expr.Expr]*Object // what pointers from outside point to
	made  int                    // objects that such point to
	argv  *expr.Expr             // what main's argv is called
}

func newExternal(space *addressSpace) *external {
	return &external{space: space, own: map[*expr.Expr]*Object{}}
}

// Pointee makes the object of type t that the pointer of that name, which comes from
// outside, points to; nil is memory that is not modelled. depth is how many pointers
// lead there from the first one.
func (x *external) Pointee(name string, t *Type, decl cfa.Var, depth int) *Object {
	if t == nil || x.space.opt.OutsideUnknown || x.made >= maxExternalObjects || x.space.opt.CheckPointers && t.bytes() {
		return nil
	}
	x.made++
	decl.Name = "*" + name
	b := x.externalObject("*"+name, t, decl)
	b.external = true
	if x.space.opt.Uses {
		live := b.name + ".live"
		b.live = x.space.code.NewVar(live, live, boolean)
		x.space.code.List(cfa.Var{Expr: b.live, Name: live, Kind: cfa.Temp, Frame: decl.Frame, Pos: decl.Pos})
	}
	b.assumes = cfa.Warning{Pos: decl.Pos, Text: name + " points to an object of its own, or is NULL"}
	if depth < ExternalDepth {
		x.follow(b, depth)
	}
	return b
}

// Uninitialised is the object of a pointer that nothing has been stored to, where
// such pointers have one.
func (x *external) Uninitialised(name string, t *Type, decl cfa.Var) *Object {
	b := x.Pointee(name, t, decl, 0)
	if b != nil {
		b.assumes.Text = name + " has no initialiser: it points to an object of its own"
	}
	return b
}

// OwnMembers gives each pointer in an object that nothing has been stored to an object of its own.
func (x *external) OwnMembers(b *Object) {
	for _, lf := range b.leaves {
		if o := x.Uninitialised(b.name+lf.path, lf.target, b.decl); o != nil {
			lf.own, b.owned = o, true
		}
	}
}

// begins is the address that a pointer in an object holds to which nothing has been stored; nil for
// what is no such pointer.
func (m *addressing) begins(b *Object, lf *leaf) *expr.Expr {
	if !b.owned || lf.own == nil {
		return nil
	}
	return m.AddressIn(lf.own, 0)
}

// bytes reports whether a type says nothing of how many bytes lie where a pointer to
// it leads.
func (t *Type) bytes() bool { return t.Size == 1 && t.Elem == nil && t.Members == nil }

// externalObject makes an object of type t, with as many behind it as there is room
// for.
func (x *external) externalObject(name string, t *Type, decl cfa.Var) *Object {
	n := externalRoom / max(t.Size, 1)
	switch {
	case x.space.opt.CheckPointers || n < 2:
		return x.space.NewObject(name, t, t.Size, decl)
	case t == Bytes:
		return x.space.NewObject(name, nil, externalRoom, decl)
	}
	b := x.space.NewObject(name, t, n*t.Size, decl)
	for _, s := range b.spans {
		if s.end > 8*t.Size { // its last member takes what room there is
			return b
		}
	}
	b.spans = append(b.spans, span{at: 8 * t.Size, end: 8 * n * t.Size, elem: t, first: 1})
	b.arrays = slices.Insert(b.arrays, 0, array{0, 8 * n * t.Size, t.Size})
	return b
}

// follow gives the pointers in an object objects of their own.
func (x *external) follow(b *Object, depth int) {
	for _, lf := range b.leaves {
		if o := x.Pointee(b.name+lf.path, lf.target, b.decl, depth+1); o != nil {
			lf.own = o
		}
	}
}

// OwnParameter gives a parameter of the component's own procedure, a pointer, its
// object of type t.
func (x *external) OwnParameter(v *expr.Expr, t *Type) {
	x.own[v] = x.Pointee(v.Name(), t, x.space.code.Describe(v), 0)
}

// Own is the object that a pointer from outside points to, or nil.
func (x *external) Own(v *expr.Expr) *Object { return x.own[v] }

// ownGlobals gives the pointers among the globals that start with any value
// objects of their own.
func (x *external) ownGlobals() {
	for _, g := range x.space.globals {
		switch {
		case g.Starts:
		case g.Pointer:
			x.own[g.Var] = x.Pointee(g.Var.Name(), g.Target, x.space.code.Describe(g.Var), 0)
			x.own[g.Var].orNamed(g.May)
		case g.Var == nil && g.Object != nil:
			x.follow(g.Object, 0)
			for _, lf := range g.Object.leaves {
				lf.own.orNamed(g.Object.mayAt(lf.Extent))
			}
		}
	}
}

// orNamed says of an object of its own that the pointer to it may also have the addresses that
// its initialiser gives it.
func (b *Object) orNamed(may []Initial) {
	if b != nil && len(may) > 0 {
		b.assumes.Text += ", or has the address in its initialiser"
	}
}

// anyAtEntry are the pointers that start with any value.
func (x *external) anyAtEntry() []*expr.Expr {
	var all []*expr.Expr
	for _, v := range x.space.code.Vars() {
		if v.Kind == cfa.Param && v.Frame == 0 && x.space.pointers[v.Expr] && v.Expr != x.argv {
			all = append(all, v.Expr)
		}
	}
	for _, g := range x.space.globals {
		if g.Pointer && !g.Starts {
			all = append(all, g.Var)
		}
	}
	return all
}
