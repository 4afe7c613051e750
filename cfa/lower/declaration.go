package lower

// Lowering of declarations in compound statements.

import (
	"fmt"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// declaration lowers a declaration in a compound statement.
func (l *objects) declaration(n *cc.Declaration) {
	switch n.Case {
	case cc.DeclarationDecl:
		for list := n.InitDeclaratorList; list != nil; list = list.InitDeclaratorList {
			d := list.InitDeclarator.Declarator
			l.declarator(n, d, list.InitDeclarator.Initializer)
			if by, is := source.IsCleaned(n, list.InitDeclarator); is && d.Type().Kind() != cc.Function &&
				!d.IsStatic() && !d.IsExtern() && !d.IsTypename() {
				l.statements.cleanedUp(d, by)
			}
		}
	case cc.DeclarationAuto:
		l.declarator(n, n.Declarator, n.Initializer)
	}
}

func (l *objects) declarator(n *cc.Declaration, d *cc.Declarator, init *cc.Initializer) {
	if !d.IsExtern() && !d.IsStatic() && d.Type().Kind() != cc.Function && !hasVariableSize(d.Type()) || d.IsTypename() {
		l.evaluateLengths(d.Type(), d, source.Position(d.NameTok().Position()), n)
	}
	if d.IsTypename() || d.IsExtern() || d.IsSynthetic() || d.Type().Kind() == cc.Function {
		return
	}
	pos := source.Position(d.NameTok().Position())
	t := l.ctypeOf(d.Type())
	if d.IsStatic() {
		l.declareStatic(d, init)
		return
	}
	if hasVariableSize(d.Type()) {
		l.declareVariable(n, d, pos)
		return
	}
	if init != nil {
		defer l.EndStatement(l.statements.begin(pos))
	}
	switch {
	case t.scalar():
		v := l.calls.local(d, t)
		l.statements.declared(v, nil, pos)
		if e := source.ScalarInit(init); e != nil {
			if source.Uses(e, d) {
				l.Emit(cfa.Assign{LHS: v, Nondet: "uninitialised"}, pos)
			}
			l.accesses.store(target{v, t}, e, pos)
			l.noteConstant(d, v, e, 1)
		} else if b := l.ownObjectOf(d, v); b != nil {
			l.Assign(v, l.mem.AddressIn(b, 0), pos)
		} else {
			l.Emit(cfa.Assign{LHS: v, Nondet: "uninitialised"}, pos)
			l.observing.neverSet(d, v, pos)
		}
	case t.class == classExtended:
		l.declareExtended(d, init, pos)
	case t.class == classAggregate:
		l.aggregate(d, init, pos)
	case init != nil:
		l.initUnmodelled(d, init, t)
	}
}

// ownObjectOf is the object that an uninitialised pointer points to, if it is to
// have one.
func (l *objects) ownObjectOf(d *cc.Declarator, v *expr.Expr) *memory.Object {
	if !l.opt.PointerObjects || l.opt.Observer != nil || d.Type().Kind() != cc.Ptr {
		return nil
	}
	return l.mem.Uninitialised(v.Name(), l.target(d.Type(), 1+memory.ExternalDepth), l.Describe(v))
}

// followed is how many pointers are followed from objects that nothing has been stored to, where
// pointers in them are to have objects of their own.
func (l *facts) followed() int {
	if !l.opt.PointerObjects {
		return 0
	}
	return 1 + memory.ExternalDepth
}

// isNeverSet reports whether a static object begins with zeros, no procedure makes a
// pointer in it one to anything, and such pointers are to have objects of their own.
func (l *facts) isNeverSet(o *source.Object) bool {
	return l.opt.PointerObjects && o.Init == nil && !o.Library && l.starts(o) && !l.prog.SetsPointers()[o]
}

// aggregate declares a structure, union or array.
func (l *objects) aggregate(d *cc.Declarator, init *cc.Initializer, pos cfa.Pos) {
	b := l.localObject(d)
	l.statements.declared(nil, b, pos)
	if init == nil || source.UsesIn(init, d) {
		if init == nil && l.opt.PointerObjects {
			l.mem.OwnMembers(b)
		}
		l.statements.uninitialised(b, pos)
	}
	if init != nil {
		l.initialiseObject(b, d.Type(), init, pos)
	}
}

// noteConstant notes that a variable always has the value of e, an address,
// once it is declared: nothing else stores to it.
func (l *objects) noteConstant(d *cc.Declarator, v *expr.Expr, e cc.ExpressionNode, writes int) {
	if d.WriteCount() != writes || d.AddressTaken() || source.IsArgumentList(d.Type()) ||
		!l.expressions.pure(e) || l.Dead() {
		return
	}
	l.noteValue(v, l.expressions.rvalue(e))
}

// noteValue is noteConstant for a value.
func (l *objects) noteValue(v *expr.Expr, val value) {
	if val.t == nil || !val.t.IsConst() {
		return
	}
	if val.class == classFloat || v.Type().IsFloat() {
		return
	}
	val.t = l.Pool.Cast(v.Type(), val.t)
	if b, _ := l.mem.ObjectOf(val.t); b != nil && l.mem.IsPointer(v) {
		l.fr.known[v] = val.t
	}
	l.fr.constants[v] = val.t
}

// initUnmodelled evaluates the initialiser of a variable that has no terms.
func (l *objects) initUnmodelled(d *cc.Declarator, init *cc.Initializer, t ctype) {
	if e := source.ScalarInit(init); e != nil && t.class == classOpaque {
		if l.opt.Races { // it reads what it mentions
			l.expressions.rvalue(e)
		} else {
			l.expressions.discard(e)
		}
		return
	}
	effects := false
	source.WalkInitializer(init, func(e cc.ExpressionNode) { effects = effects || !l.harmless(e) })
	if effects {
		l.refuse(d, fmt.Sprintf("initialiser of %s, of type %s", d.Name(), source.Describe(d.Type())), "")
	}
}

func (l *objects) declareStatic(d *cc.Declarator, init *cc.Initializer) {
	o := l.staticLocal(d)
	if init == nil || o.Init != nil {
		return
	}
	o.Init = init
	if d.WriteCount() > 0 {
		o.Stores--
	}
}
