package memory

// What a piece of code may write.
//
// Idea: one function, [Model.writes], says what a statement may write; everything that
// asks what code writes is put together from it.
//
//   - [Model.Changes]: whether the code from a location on may change the value of a
//     term (order of evaluation).
//   - stores: the same once it is known what pointers point to (body.go); from it,
//     what the body of an abstracted routine may write.
//   - clobbers: what a call in the automaton may write: what has escaped to a
//     routine without a body, and what the body of an abstracted one may write.
//     Without a body, a routine is assumed to store to nothing but what
//     can be reached from what it is given, or what an earlier one was given.
//
// LAW: what a run of the code stores to, and what exists outside of it, is in the
// answer. Where that is not known, the answer is anything.
//
// Source: ours. Chaki, Clarke, Groce, Ouaknine, Strichman, Yorav: Efficient
// Verification of Sequential and Concurrent C Programs, section 5.4, puts a
// procedure abstraction in for a call and leaves memory out; soundness asks for it.
// Cost: linear in the code, but for clobbers, which costs two analyses of the
// automaton with a bit for each object.

import (
	"slices"
	"strings"

	"magus/cfa"
	"magus/smt/expr"
)

// A write is one thing that a statement may write: a variable, memory from an address on,
// what a call may reach, or everything.
type write struct {
	variable *expr.Expr
	to       *Ref
	size     int64 // of what is written there; negative: not known, 0: the scalar
	call     bool
	all      bool
}

// writes is what the statement at a location may write.
func (m *Model) writes(at cfa.Loc) []write {
	switch s := m.code.At(at).Stmt.(type) {
	case cfa.Assign:
		return []write{{variable: s.LHS}}
	case Load:
		return []write{{variable: s.LHS}}
	case Alloc:
		return []write{{variable: s.LHS}}
	case Measure:
		return []write{{variable: s.LHS}}
	case ScanText:
		var all []write
		for _, x := range s.Says {
			all = append(all, write{variable: x.LHS})
		}
		return all
	case ErrnoCall:
		if m.errno != nil {
			return []write{{variable: m.errno.Var}}
		}
	case cfa.Call:
		if s.Framed {
			return []write{{variable: s.LHS}}
		}
		return []write{{variable: s.LHS}, {call: true}}
	case UnknownCall:
		if s.Framed {
			return []write{{variable: s.LHS}}
		}
		return []write{{variable: s.LHS}, {call: true, all: s.All}}
	case Store:
		return []write{{to: &s.To}}
	case Copy:
		return []write{{to: &s.To, size: s.Size}}
	case Fill:
		return []write{{to: &s.To, size: s.Size}}
	default:
		if m.refused(at) {
			return []write{{all: true}}
		}
	}
	return nil
}

// Changes reports whether the code from a location on may change the value of a
// term. What pointers may point to is not known yet: a store through one may be to
// anything that has an address.
func (m *Model) Changes(t *expr.Expr, from cfa.Loc) bool {
	vars := expr.Vars(t)
	for at := from; int(at) < m.code.Len(); at++ {
		for _, w := range m.writes(at) {
			if slices.ContainsFunc(vars, func(v *expr.Expr) bool { return m.mayChange(w, at, v) }) {
				return true
			}
		}
	}
	return false
}

// Conflicts reports whether the order of two pieces of code matters, that from a location up to another one and that
// behind it, with the terms that it gives: the one writes what the other reads or writes. What the library keeps for
// itself is left out, and what is the lowering's own.
func (m *Model) Conflicts(from, second cfa.Loc, terms []*expr.Expr) bool {
	for at := from; at < second; at++ {
		for _, w := range m.writes(at) {
			if w.variable != nil && !m.ofProgram(w.variable) {
				continue
			}
			changed := func(v *expr.Expr) bool { return m.ofProgram(v) && m.mayChange(w, at, v) }
			if slices.ContainsFunc(expr.Vars(terms...), changed) || m.touches(second, w, changed) {
				return true
			}
		}
	}
	return false
}

// touches reports whether the code from a location on accesses what is written.
func (m *Model) touches(from cfa.Loc, w write, changed func(*expr.Expr) bool) bool {
	for at := from; int(at) < m.code.Len(); at++ {
		terms := m.values(at)
		for _, other := range m.writes(at) {
			if other.variable != nil {
				terms = append(terms, other.variable)
			}
		}
		if slices.ContainsFunc(expr.Vars(terms...), changed) {
			return true
		}
		if w.to != nil && slices.ContainsFunc(m.refs(at), func(r Ref) bool { return m.mayMeet(r, *w.to) }) {
			return true
		}
	}
	return false
}

// mayMeet reports whether two accesses may be to one object.
func (m *Model) mayMeet(a, b Ref) bool {
	one, _ := m.ObjectOf(a.Base)
	other, _ := m.ObjectOf(b.Base)
	return one == nil || other == nil || one == other
}

// ofProgram reports whether a variable is one of the sources.
func (m *Model) ofProgram(v *expr.Expr) bool {
	d := m.code.Describe(v)
	return d.Kind != cfa.Temp && !strings.HasPrefix(d.Pos.File, "<") && !(m.errno != nil && m.errno.Var == v)
}

// mayChange reports whether a write of the statement at a location may change a variable.
func (m *Model) mayChange(w write, at cfa.Loc, v *expr.Expr) bool {
	if !w.call && !w.all && w.to == nil {
		return v == w.variable || m.overlaid(v, w.variable)
	}
	_, abstracted := m.code.At(at).Stmt.(cfa.Call) // its body may name a global
	return m.addressed[v] || (w.all || abstracted) && m.code.Describe(v).Kind == cfa.Global
}

// overlaid reports whether two variables are cells of one object, so that a
// store to one may change the other.
func (s *addressSpace) overlaid(v, w *expr.Expr) bool {
	a, ok := s.cells[v]
	b, found := s.cells[w]
	return ok && found && a.Object == b.Object && a.leaf.overlaps(b.leaf.Extent)
}

// clobbers are what the calls of an automaton may write.
type clobbers struct {
	variables [][]*expr.Expr // by location, besides the result
	// certain are the objects that a routine without a body is certainly given:
	// that they have any value afterwards is what the call means. Others may
	// not be reached at all, so that a violation that depends on a change of
	// them is not believed.
	certain []objectSet
	given   objectSet // those that some call is given
}

// clobbers finds what calls may write, where the automaton begins at start.
func (a *effects) clobbers(start cfa.Loc) clobbers {
	c := clobbers{variables: make([][]*expr.Expr, a.code.Len())}
	var escaped []objectSet
	if a.pts != nil {
		escaped = a.escapedAt(start)
		c.certain = a.certainly(start)
		c.given = a.givenAnywhere()
		a.escapedAnywhere() // as long as nothing is refused
		a.refuseCallbacks(start)
	}
	for i, loc := range a.code.Since(0) {
		result := resultOf(loc.Stmt)
		if body := a.bodies[cfa.Loc(i)]; body != nil {
			for _, v := range a.writtenBy(cfa.Loc(i), body) {
				if v != result {
					c.variables[i] = append(c.variables[i], v)
				}
			}
		} else if escaped != nil && escaped[i] != nil && !isFramed(loc.Stmt) {
			c.variables[i] = a.cellsOf(escaped[i], result)
			for _, b := range a.objects {
				if escaped[i].has(b.number) && !b.constant {
					a.leaveUnrecorded(b)
				}
			}
		}
		if reachesAll(loc.Stmt) {
			for _, g := range a.globals {
				if g.Var != nil && g.Object == nil && !g.Const && g.Var != result {
					c.variables[i] = append(c.variables[i], g.Var)
				}
			}
		}
	}
	return c
}

// isFramed reports whether a call writes nothing but its result.
func isFramed(s cfa.Stmt) bool {
	switch s := s.(type) {
	case cfa.Call:
		return s.Framed
	case UnknownCall:
		return s.Framed
	}
	return false
}

// resultOf is the variable that takes the result of a call, or nil.
func resultOf(s cfa.Stmt) *expr.Expr {
	switch s := s.(type) {
	case cfa.Call:
		return s.LHS
	case UnknownCall:
		return s.LHS
	}
	return nil
}

// cellsOf are the variables of objects that a call may change, but for one.
func (a *effects) cellsOf(set objectSet, but *expr.Expr) []*expr.Expr {
	var vars []*expr.Expr
	for _, b := range a.objects {
		if b.constant || !set.has(b.number) {
			continue
		}
		for _, lf := range b.leaves {
			if lf.v != nil && lf.v != but && !b.keeps(lf) {
				vars = append(vars, lf.v)
			}
		}
	}
	return vars
}

// keeps reports whether no other code writes a leaf: it belongs to a variable that
// is declared const. Memory that was allocated, or that comes from outside, may have
// been declared otherwise elsewhere.
func (b *Object) keeps(lf *leaf) bool {
	return lf.constant && !b.external && !b.heap && len(b.overlapping(lf.Extent)) == 0
}

// isContext reports whether an object is a structure that a pointer from outside points to.
func (b *Object) isContext() bool { return b.external && b.typ != nil && len(b.typ.Members) > 0 }
