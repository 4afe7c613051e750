package lower

// Scopes: which automatic variables there are at some point of a procedure, and what
// begins and ends where control enters and leaves them.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// A scope is the list of automatic variables declared so far at some point of
// a procedure, the innermost first.
type scope struct {
	up     *scope
	depth  int        // how many there are, this one included
	v      *expr.Expr // a scalar, or
	object *memory.Object
	pos    cfa.Pos
	inner  bool // not of the procedure's outermost block
	// cleanup is called with the address of d where its life ends, instead of v and
	// object.
	cleanup cc.ExpressionNode
	d       *cc.Declarator
}

// declared adds a variable to those in scope.
func (l *statements) declared(v *expr.Expr, b *memory.Object, pos cfa.Pos) {
	depth := 1
	if l.fr.scope != nil {
		depth += l.fr.scope.depth
	}
	l.fr.scope = &scope{up: l.fr.scope, depth: depth, v: v, object: b, pos: pos, inner: l.fr.nesting > 1}
	l.exists(l.fr.scope, memory.Exists{Begins: true, Declares: true}, pos)
}

// openBlock begins a block, and gives the scope that closeBlock goes back to.
func (l *statements) openBlock() *scope {
	l.fr.nesting++
	return l.fr.scope
}

func (l *statements) closeBlock(outer *scope, pos cfa.Pos) {
	l.fr.nesting--
	l.exit(l.fr.scope, outer, pos)
	l.fr.scope = outer
}

// exit ends the lives of the objects of inner blocks that control leaves: those in
// scope at from that are not at to.
func (l *statements) exit(from, to *scope, pos cfa.Pos) { l.leave(from, to, pos, true) }

// leave is exit, with or without what is to be called where lives end.
func (l *statements) leave(from, to *scope, pos cfa.Pos, cleans bool) {
	for from != to {
		switch {
		case from == nil || to != nil && to.depth > from.depth:
			to = to.up
		default:
			if cleans {
				l.cleanUp(from, pos)
			}
			l.exists(from, memory.Exists{}, pos)
			from = from.up
		}
	}
}

// exists begins or ends the life of an object of an inner block.
func (l *statements) exists(s *scope, e memory.Exists, pos cfa.Pos) {
	if s.cleanup == nil && s.inner && l.opt.CheckPointers && !l.Dead() {
		e.Var, e.Object = s.v, s.object
		l.Emit(e, pos)
	}
}

// enterScope gives any value to the variables of scope to whose declarations
// a jump from scope from passes over.
func (l *statements) enterScope(from, to *scope, pos cfa.Pos) {
	var skipped []*scope
	for to != from {
		if to == nil || from != nil && from.depth > to.depth {
			from = from.up
			continue
		}
		skipped = append(skipped, to)
		to = to.up
	}
	slices.Reverse(skipped)
	for _, s := range skipped {
		if s.cleanup != nil {
			continue
		}
		l.exists(s, memory.Exists{Begins: true}, pos)
		if s.object != nil {
			l.uninitialised(s.object, pos)
			continue
		}
		l.Emit(cfa.Assign{LHS: s.v, Nondet: "uninitialised"}, pos)
	}
}

// uninitialised gives any value to all cells of an object.
func (l *statements) uninitialised(b *memory.Object, pos cfa.Pos) {
	l.Emit(memory.Fill{To: at(l.mem.AddressIn(b, 0)), Size: b.Size(), Nondet: "uninitialised"}, pos)
}
