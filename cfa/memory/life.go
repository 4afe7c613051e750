package memory

// Lives of objects, where pointers are checked.
//
// Objects within a procedure are not told apart: one lives until its procedure
// returns. Each instance with such objects has a flag that is set while they
// live.

import (
	"magus/cfa"
	"magus/internal/expr"
)

// A Life is that of the objects of an instance.
type Life struct {
	begin cfa.Loc
	flag  *expr.Expr // nil where pointers are not checked, or in dead code
}

// BeginLife notes that the objects of the current instance, of a procedure of
// that name, begin to exist.
func (m *Model) BeginLife(proc string, pos cfa.Pos) Life {
	if !m.opt.CheckPointers || m.code.Dead() {
		return Life{}
	}
	name := proc + "::alive"
	flag := m.code.NewVar(name, name, boolean)
	return Life{m.code.Emit(cfa.Assign{LHS: flag, RHS: m.pool.Const(boolean, 1)}, pos), flag}
}

// EndLife ends the lives of the objects of the current instance that have
// addresses.
func (m *Model) EndLife(l Life, pos cfa.Pos) {
	if l.flag == nil {
		return
	}
	frame, found := m.code.Frame(), false
	for _, b := range m.objects {
		if b.decl.Frame == frame && b.dies() {
			b.alive, found = l.flag, true
		}
	}
	if !found {
		m.code.Replace(l.begin, cfa.Goto{})
		return
	}
	m.code.List(cfa.Var{Expr: l.flag, Name: "alive", Kind: cfa.Temp, Frame: frame, Pos: pos})
	if !m.code.Dead() {
		m.code.Assign(l.flag, m.pool.Const(boolean, 0), pos)
	}
}

// dies reports whether an object ends with its instance.
func (b *Object) dies() bool {
	switch b.decl.Kind {
	case cfa.Local, cfa.Param:
		return !b.heap
	case cfa.Temp:
		return !b.heap && b.decl.Name == "literal"
	}
	return false
}
