package lower

// Handles: parameters whose type says less than what they point to.
//
// Idea: a library hands out pointers to a small structure and casts them, where they come
// back, to the structure that begins with it (gzFile of zlib, base classes in C). The object
// of its own behind such a parameter is of the structure that the procedure's body casts the
// parameter to, so that its members are cells and not bytes that were written by another type.
// Its size stays open, and the bytes are the same. Only casts of the parameter itself count;
// the largest structure is taken. Under --check-pointers the declared type stands: what a
// caller passes may be no more than that.
//
// Source: our own. Cost: one walk over the body for a parameter that points to a structure.

import (
	"modernc.org/cc/v4"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
)

// behind is the type of the object of its own that parameter i of the component's procedure
// points to; nil is memory that is not modelled.
func (l *objects) behind(pr *source.Procedure, i int) *memory.Type {
	declared := source.Parameters(pr.Type)[i].Type()
	t, at := declared, cfa.Pos{}
	if !l.opt.CheckPointers {
		t, at = l.handled(pr, i, declared)
	}
	if t != declared {
		l.Assume(cfa.AboutPointers, at,
			"parameter %d of %s points to what it is cast to here, which is more than its type says", i+1, pr.Name)
	}
	return l.target(t, 1+memory.ExternalDepth)
}

// handled is the widest pointer type to which the body casts parameter i, among pointers to
// structures that begin with what the parameter points to, and where.
func (l *facts) handled(pr *source.Procedure, i int, declared cc.Type) (widest cc.Type, at cfa.Pos) {
	widest = declared
	p, ok := declared.(*cc.PointerType)
	if !ok || p.Elem().Kind() != cc.Struct {
		return declared, at
	}
	source.Inspect(pr.Def.CompoundStatement, func(n any) bool {
		x, ok := n.(*cc.CastExpression)
		if !ok || x.Case != cc.CastExpressionCast || parameterOf(pr, x.CastExpression) != i {
			return true
		}
		if to, ok := x.Type().(*cc.PointerType); ok && source.BeginsWith(to.Elem(), widest.(*cc.PointerType).Elem()) {
			widest, at = to, source.Position(x.Position())
		}
		return true
	})
	return widest, at
}
