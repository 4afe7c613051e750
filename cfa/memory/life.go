package memory

// Lives of objects, where pointers are checked.
//
// Objects of the outermost block of a procedure, and memory of alloca, live until
// their procedure returns. Each instance with such objects has a flag that is set
// while they live. An object of an inner block lives from its declaration on. It has
// a flag of its own, if something is accessed by a pointer that may lead there.
// dangling.go has the pointers that outlast an object which begins again.

import (
	"magus/cfa"
	"magus/smt/expr"
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
	m.flags[m.code.Frame()] = flag
	return Life{m.code.Emit(cfa.Assign{LHS: flag, RHS: m.pool.Const(boolean, 1)}, pos), flag}
}

// EndLife ends the lives of the objects of the current instance that have
// addresses.
func (m *Model) EndLife(l Life, pos cfa.Pos) {
	if l.flag == nil {
		return
	}
	frame := m.code.Frame()
	found := m.stacks[frame]
	for _, b := range m.objects {
		if b.decl.Frame == frame && b.dies() {
			b.alive, found = l.flag, true
		}
	}
	if !found {
		for _, at := range append(m.left[l.flag], l.begin) {
			m.code.Replace(at, cfa.Goto{})
		}
		return
	}
	m.lived[l.flag] = codeRange{l.begin, cfa.Loc(m.code.Len())}
	m.code.List(cfa.Var{Expr: l.flag, Name: "alive", Kind: cfa.Temp, Frame: frame, Pos: pos})
	if !m.code.Dead() {
		m.code.Assign(l.flag, m.pool.Const(boolean, 0), pos)
	}
}

// LeaveLife ends the life of the objects of an instance where control leaves it otherwise than by its end.
func (m *Model) LeaveLife(l Life, pos cfa.Pos) {
	if l.flag != nil && !m.code.Dead() {
		m.left[l.flag] = append(m.left[l.flag], m.code.Emit(cfa.Assign{LHS: l.flag, RHS: m.pool.Const(boolean, 0)}, pos))
	}
}

// StartsZero notes that a variable is zero when the component begins.
func (m *Model) StartsZero(v *expr.Expr) { m.zeroes = append(m.zeroes, v) }

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

// of is the object whose life a statement begins or ends; nil for that of a
// variable without an address.
func (s *addressSpace) of(e Exists) *Object {
	if e.Object != nil {
		return e.Object
	}
	return s.cells[e.Var].Object
}

// innerLives gives flags to the objects of inner blocks.
func (r *lifetimes) innerLives() {
	if !r.opt.CheckPointers || r.pts == nil {
		return
	}
	pointed := r.pointed()
	for i, loc := range r.code.Since(0) {
		s, ok := loc.Stmt.(Exists)
		if !ok || !s.Begins {
			continue
		}
		if b := r.of(s); b != nil && b.inner == nil && pointed.has(b.number) {
			name := b.name + ".alive"
			b.inner, b.alive = r.code.NewVar(name, name, boolean), nil
			r.liveRanges[b] = r.findLiveRange(b, cfa.Loc(i), s.Declares)
			r.code.List(cfa.Var{Expr: b.inner, Name: b.decl.Name + ".alive", Kind: cfa.Temp,
				Frame: b.decl.Frame, Pos: b.decl.Pos})
		}
	}
	r.restarts(pointed)
}

// findLiveRange is where an object lives that begins at a location: up to the last location at
// which it ends. If it does not begin by its declaration there, the range is empty.
func (r *lifetimes) findLiveRange(b *Object, from cfa.Loc, declared bool) codeRange {
	s := codeRange{from, from}
	if !declared {
		return s
	}
	for i, loc := range r.code.Since(from) {
		if e, ok := loc.Stmt.(Exists); ok && !e.Begins && r.of(e) == b {
			s.to = from + cfa.Loc(i) + 1
		}
	}
	return s
}

// pointed are the objects that accesses by pointers may mean.
func (r *lifetimes) pointed() objectSet {
	set := r.newSet()
	for at := range r.code.Len() {
		for i, ref := range r.refs(cfa.Loc(at)) {
			if b, _ := r.ObjectOf(ref.Base); b != nil {
				continue
			}
			for _, t := range r.pts.targets(r.pts.used[cfa.Loc(at)][i]) {
				if b := r.pts.at(t.Object); b != nil {
					set.add(b.number)
				}
			}
		}
	}
	return set
}

func (r *lifetimes) exists(s Exists, pos cfa.Pos) {
	b := r.of(s)
	if b == nil || b.inner == nil {
		return
	}
	is := uint64(0)
	if s.Begins {
		is = 1
	}
	r.code.Assign(b.inner, r.pool.Const(boolean, is), pos)
	if !s.Begins {
		r.outlast(b, pos)
	}
}
