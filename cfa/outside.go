package cfa

// Pointers from outside: parameters of the component's own procedure, globals
// that start with any value, results of routines without a body.
//
// Such a pointer is NULL or points to an object of its own, of the type that it
// is declared to point to and with any contents; pointers in that object
// likewise, to a small depth. Beyond, and where the type says nothing, it
// points to memory that is not modelled. Each is an assumption that is listed.

import (
	"fmt"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

const (
	outsideDepth   = 2   // pointers followed from the first one
	outsideObjects = 256 // of one component
)

// outsideObject is an object that a pointer of type t from outside points to,
// or nil if it is not modelled.
func (l *lowerer) outsideObject(name string, t cc.Type, decl Var, depth int) *block {
	p, ok := t.(*cc.PointerType)
	if !ok || l.outsiders >= outsideObjects {
		return nil
	}
	e := p.Elem()
	switch e.Kind() {
	case cc.Void, cc.Function, cc.Char, cc.SChar, cc.UChar:
		return nil
	}
	if e.Size() <= 0 || e.IsIncomplete() {
		return nil
	}
	l.outsiders++
	decl.Name = "*" + name
	b := l.newBlock("*"+name, e, e.Size(), decl)
	b.outside = true
	b.assumes = Warning{decl.Pos, name + " points to an object of its own, or is NULL"}
	if depth < outsideDepth {
		l.follow(b, depth)
	}
	return b
}

// follow gives the pointers in a block objects of their own.
func (l *lowerer) follow(b *block, depth int) {
	for _, lf := range b.leaves {
		if lf.typ != nil && lf.t.class == classPtr {
			if o := l.outsideObject(b.name+lf.path, lf.typ, b.decl, depth+1); o != nil {
				lf.own = o
			}
		}
	}
}

// ownParameter gives a parameter of the component's own procedure its object.
func (l *lowerer) ownParameter(v *expr.Expr, q *cc.Parameter) {
	if q.Type().Kind() != cc.Ptr {
		return
	}
	info := l.varInfo(v)
	l.own[v] = l.outsideObject(v.Name(), q.Type(), info, 0)
}

// ownObject is the object that the result of a routine without a body points
// to.
func (l *lowerer) ownObject(c *callSite) *block {
	if c.ret.class != classPtr {
		return nil
	}
	name := fmt.Sprintf("%s@%d:%d", c.name, c.pos.Line, c.pos.Col)
	return l.outsideObject(name, c.typ.Result(), Var{Name: name, Kind: Temp, Frame: l.fr.id, Pos: c.pos}, 1)
}

// ownGlobals gives the pointers among the globals that start with any value
// objects of their own.
func (l *lowerer) ownGlobals() {
	for _, o := range l.used {
		switch {
		case o.defined && (l.opt.InitGlobals || o.keepsValue()):
		case o.typ.class == classPtr:
			v := l.objects[o]
			l.own[v] = l.outsideObject(v.Name(), o.ctyp, l.varInfo(v), 0)
		case o.typ.class == classAggregate:
			if b := l.staticBlocks[o]; b != nil {
				l.follow(b, 0)
			}
		}
	}
}
