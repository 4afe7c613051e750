package lower

// Labels as values, GCC's &&label and goto *p: each label whose address is taken is an
// object of one byte, and a computed goto tests which of those of its function the
// pointer is the address of. A pointer to none of them ends the run like any invalid
// pointer.

import (
	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

func (l *statements) labelsOf(pr *source.Procedure) *source.Labels {
	if l.labels[pr] == nil {
		l.labels[pr] = source.LabelsOf(pr.Def.CompoundStatement)
	}
	return l.labels[pr]
}

// goTo leads control from here to a label of the current instance.
func (l *statements) goTo(to *cc.LabeledStatement, pos cfa.Pos) {
	l.fr.gotos = append(l.fr.gotos, pendingGoto{l.Ends(), to, l.fr.scope, pos})
	l.Cut()
}

// labelAddress is &&label.
func (l *statements) labelAddress(x *cc.UnaryExpression) value {
	to := l.labelsOf(l.fr.proc).Named(x, x.Token2.SrcStr())
	for i := 0; to == nil && i < len(l.instances); i++ { // in the initialiser of a static local
		to = l.labelsOf(l.instances[i].proc).Named(x, x.Token2.SrcStr())
	}
	if to == nil {
		return l.refuse(x, source.Text(x)+", which is not a label of this function", "")
	}
	return value{ctype{class: classPtr, typ: l.pointer}, l.mem.AddressIn(l.labelObject(to), 0), nil}
}

// labelObject is the object whose address a label has, the same in all instances of
// its function.
func (l *statements) labelObject(to *cc.LabeledStatement) *memory.Object {
	b := l.addressed[to]
	if b == nil {
		name := "&&" + to.Token.SrcStr()
		byteType := &memory.Type{Size: 1, Scalar: &memory.Scalar{Type: expr.Uint8}}
		b = l.mem.ConstantObject(name, byteType, cfa.Var{Name: name, Kind: cfa.Temp, Frame: l.fr.id,
			Pos: source.Position(to.Position())}, nil)
		l.addressed[to] = b
	}
	return b
}

// computedGoto is goto *e.
func (l *statements) computedGoto(n *cc.JumpStatement, pos cfa.Pos) {
	v := l.expressions.rvalue(n.ExpressionList)
	if v.t == nil || l.Dead() {
		return
	}
	addr := l.Pool.Cast(l.pointer, v.t)
	for _, to := range l.labelsOf(l.fr.proc).Taken {
		is, not := l.Branch(l.Pool.Eq(addr, l.mem.AddressIn(l.labelObject(to), 0)), pos)
		l.Continue(is)
		l.goTo(to, pos)
		l.Continue(not)
	}
	l.mem.Invalid(pos)
}

// asmLabels are the labels that assembly may jump to.
func (l *statements) asmLabels(n *cc.Asm, names []*cc.AsmExpressionList) (all []*cc.LabeledStatement, ok bool) {
	for _, e := range names {
		p, isName := source.Unparen(e.AssignmentExpression).(*cc.PrimaryExpression)
		if !isName || p.Case != cc.PrimaryExpressionIdent {
			return nil, false
		}
		to := l.labelsOf(l.fr.proc).Named(n, p.Token.SrcStr())
		if to == nil {
			return nil, false
		}
		all = append(all, to)
	}
	return all, true
}

// asmJump lets control go on or to any of the labels.
func (l *statements) asmJump(labels []*cc.LabeledStatement, pos cfa.Pos) {
	for i, to := range labels {
		some := l.Any(expr.Uint8, "jump", inlineAssembly, pos)
		there, on := l.Branch(l.Pool.Eq(some, l.Pool.Const(expr.Uint8, uint64(i))), pos)
		l.Continue(there)
		l.goTo(to, pos)
		l.Continue(on)
	}
}
