package memory

// What a piece of code may write.
//
// Idea: one function, effectOf, says what a statement may write; everything that
// asks for more than a statement is put together from it.
//
//   - [Model.Changes]: whether code written since some place may change the value
//     of a term (order of evaluation).
//   - clobbers: what a call in the automaton may write: what has escaped to a
//     routine without a body, and what the body of an abstracted one may write
//     (body.go). Without a body, a routine is assumed to store to nothing but what
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

	"magus/cfa"
	"magus/internal/expr"
)

// An effect is what one statement may write.
type effect struct {
	variable *expr.Expr // that it assigns, or nil
	memory   bool       // it may store to variables whose address is taken:
	objects  []*Object  // to the cells of these,
	anything bool       // and wherever pointers lead
}

// effectOf is the effect of the statement at a location, without what the pointer
// analysis says: a store through a pointer that is no constant may be to anything.
func (m *Model) effectOf(at cfa.Loc) effect {
	switch s := m.code.At(at).Stmt.(type) {
	case cfa.Assign:
		return effect{variable: s.LHS}
	case cfa.Call:
		return m.effectOfCall(s.LHS, s.Args, m.passed[at])
	case UnknownCall:
		return m.effectOfCall(s.LHS, s.Args, s.Passed)
	case Measure:
		return effect{variable: s.LHS}
	case Store, Copy, Fill:
		b, _ := m.ObjectOf(m.refs(at)[0].Base)
		if b == nil {
			return effect{memory: true, anything: true}
		}
		return effect{memory: true, objects: []*Object{b}}
	case IndirectCall:
		return effect{anything: true} // what it calls stands behind it
	default:
		_, refused := cfa.Refused(s)
		return effect{anything: refused}
	}
}

// effectOfCall is that of a call of a routine that is not inlined.
func (m *Model) effectOfCall(lhs *expr.Expr, args []*expr.Expr, passed []Ref) effect {
	e := effect{variable: lhs, memory: true, anything: len(passed) > 0}
	for _, t := range args {
		b, _ := m.ObjectOf(t)
		if b != nil {
			e.objects = append(e.objects, b)
		}
		if !t.IsConst() && m.wide(t.Type()) || b != nil && b.holdsPointers() {
			e.anything = true
		}
	}
	return e
}

// holdsPointers reports whether addresses may stand in an object.
func (b *Object) holdsPointers() bool {
	return b.untyped || len(b.spans) > 0 || slices.ContainsFunc(b.leaves, func(lf *leaf) bool { return lf.t.Class == Pointer })
}

// Changes reports whether the code from a location on may change the value of a
// term.
func (m *Model) Changes(t *expr.Expr, from cfa.Loc) bool {
	vars := expr.Vars(t)
	for i := from; int(i) < m.code.Len(); i++ {
		e := m.effectOf(i)
		if slices.ContainsFunc(vars, func(v *expr.Expr) bool {
			return v == e.variable || e.memory && m.addressed[v] || m.overlaid(v, e.variable)
		}) {
			return true
		}
	}
	return false
}

// overlaid reports whether two variables are cells of one object, so that a
// store to one may change the other.
func (m *Model) overlaid(v, w *expr.Expr) bool {
	a, ok := m.cells[v]
	b, found := m.cells[w]
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
	given   objectSet             // those that some call is given
	written map[cfa.Loc][]written // by calls of routines with a body
}

// clobbers finds what calls may write, where the automaton begins at start.
func (a *Analysis) clobbers(start cfa.Loc) clobbers {
	c := clobbers{variables: make([][]*expr.Expr, a.code.Len()), written: map[cfa.Loc][]written{}}
	var escaped []objectSet
	if a.pts != nil {
		escaped = a.escapes(start)
		c.certain = a.certainly(start)
		c.given = a.givenAnywhere()
	}
	a.refuseMisfits()
	for i, loc := range a.code.Since(0) {
		result := resultOf(loc.Stmt)
		if body := a.bodies[cfa.Loc(i)]; body != nil {
			for _, w := range a.writtenBy(cfa.Loc(i), body) {
				if w.v != result {
					c.variables[i] = append(c.variables[i], w.v)
					c.written[cfa.Loc(i)] = append(c.written[cfa.Loc(i)], w)
				}
			}
		} else if escaped != nil && escaped[i] != nil {
			c.variables[i] = a.cellsOf(escaped[i], result)
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
func (a *Analysis) cellsOf(set objectSet, but *expr.Expr) []*expr.Expr {
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
	return lf.constant && !b.outside && !b.heap && len(b.overlapping(lf.Extent)) == 0
}
