package cfa

// Values at entry.

import (
	"cmp"
	"slices"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// initialise writes the assignments that give globals their values at entry,
// and returns where the automaton starts; entry is where they lead.
func (l *lowerer) initialise(entry Loc, pr *procedure) Loc {
	l.open = nil
	start := l.emit(Goto{}, pr.pos)
	for done := 0; done < len(l.used); {
		// An initialiser may name further objects.
		batch := slices.Clone(l.used[done:])
		done = len(l.used)
		slices.SortStableFunc(batch, func(a, b *object) int { return cmp.Compare(a.seq, b.seq) })
		for _, o := range batch {
			if !o.defined || !l.opt.InitGlobals && !o.keepsValue() {
				continue
			}
			if o.typ.scalar() {
				l.initialValue(o)
			} else {
				l.initsOf(l.staticBlock(o))
				l.emit(startStmt{l.staticBlock(o)}, o.pos)
			}
		}
	}
	l.patch(l.open, entry)
	l.open = nil
	return start
}

// keepsValue reports whether no part of any program can change the object:
// const ones, and static scalars that no expression of their unit stores to
// and no pointer can reach.
func (o *object) keepsValue() bool {
	return o.isConst || o.typ.scalar() && o.static && o.stores == 0 && !o.addressed && !o.asm
}

func (l *lowerer) initialValue(o *object) {
	v := l.objects[o]
	e := scalarInit(o.init)
	switch {
	case e == nil:
		l.assign(v, l.pool.Const(o.typ.typ, 0), o.pos)
	case l.pure(e):
		l.storeValue(target{v, o.typ}, l.rvalue(e), e, o.pos)
	default:
		if c, ok := l.libraryConst(e); ok {
			l.storeValue(target{v, o.typ}, c, e, o.pos)
			return
		}
		l.emit(Assign{LHS: v, Nondet: "initialiser", Approx: "initialiser " + source(e)}, o.pos)
	}
}

// staticBlock is the block of an object of static storage duration.
func (l *lowerer) staticBlock(o *object) *block {
	if b := l.staticBlocks[o]; b != nil {
		return b
	}
	if o.typ.scalar() {
		v := l.object(o)
		if l.staticBlocks[o] == nil {
			b := l.variableBlock(v, o.ctyp, l.varInfo(v))
			b.static, b.fixed = o, o.isConst
			l.staticBlocks[o] = b
		}
		return l.staticBlocks[o]
	}
	base := o.name
	if o.proc != "" {
		base = o.proc + "::" + o.name
	}
	b := l.newBlock(base, o.ctyp, l.extentOf(o), Var{Name: o.name, Kind: Global, Frame: -1, Proc: o.proc, Pos: o.pos})
	b.static, b.fixed = o, o.isConst && o.defined
	l.staticBlocks[o] = b
	l.used = append(l.used, o)
	if !o.defined {
		l.warnf(o.pos, "%s is declared but not defined: it starts with any value", o.name)
	}
	return b
}

// extentOf is the size of a static object, with what its initialiser gives an
// array without a length at its end.
func (l *lowerer) extentOf(o *object) int64 {
	size := o.ctyp.Size()
	fields := members(o.ctyp)
	if len(fields) == 0 || o.init == nil {
		return size
	}
	if last, ok := fields[len(fields)-1].Type().(*cc.ArrayType); ok && last.Len() <= 0 {
		for _, it := range l.items(o.init, 0) {
			size = max(size, it.at/8+it.typ.Size())
		}
	}
	return size
}

// starts reports whether the block has the values of its initialiser at entry.
func (l *lowerer) starts(b *block) bool {
	return b.hasInits || b.static != nil && b.static.defined && (l.opt.InitGlobals || b.static.keepsValue())
}

// initsOf evaluates the initialiser of a static object.
func (l *lowerer) initsOf(b *block) {
	if b.hasInits {
		return
	}
	b.hasInits = true
	if b.static.init == nil {
		return
	}
	for _, it := range l.items(b.static.init, 0) {
		in := initial{l.prog.model.extentOf(it.t, it.typ.Size(), it.at), it.val}
		if it.t.scalar() && it.e != nil && l.strange(b.typ) == "" {
			in.val = l.constantTerm(it.e, it.t)
		}
		b.inits = append(b.inits, in)
	}
}

// constantTerm is the value of a constant expression, addresses included, or
// nil.
func (l *lowerer) constantTerm(e cc.ExpressionNode, t ctype) *expr.Expr {
	v, ok := l.libraryConst(e)
	if l.pure(e) {
		v, ok = l.rvalue(e), true
	}
	if !ok || v.t == nil {
		return nil
	}
	if t.typ == bool1 && !t.cut {
		return l.pool.FromBool(bool1, l.pool.Truth(v.t))
	}
	return l.pool.Cast(t.typ, v.t)
}

// initialOf is the value at entry of an extent of a block; its val is nil if
// that is not modelled.
func (l *lowerer) initialOf(b *block, e extent, t ctype) initial {
	if !b.hasInits {
		l.initsOf(b)
	}
	in := initial{e, l.pool.Const(t.typ, 0)}
	for _, i := range b.inits {
		switch {
		case i.extent == e && i.val != nil:
			in.val = l.pool.Cast(t.typ, i.val)
		case i.overlaps(e):
			in.val = l.initialPart(in, i)
		}
	}
	return in
}

// initialPart is the value at entry of an extent that an initialiser of another
// one gives a part of, or more than all; nil if that is not modelled. Parts of
// addresses are not.
func (l *lowerer) initialPart(in, part initial) *expr.Expr {
	if in.val == nil || part.val == nil || !part.val.IsConst() || in.kind != kindInt || part.kind != kindInt {
		return nil
	}
	if b, _ := l.blockOf(part.val); b != nil {
		return nil
	}
	mask, bits := expr.Type{Width: uint8(part.width)}.Mask(), part.val.Value()
	bits &= mask
	if d := part.at - in.at; d >= 0 {
		mask, bits = mask<<d, bits<<d
	} else {
		mask, bits = mask>>-d, bits>>-d
	}
	return l.pool.Const(in.val.Type(), in.val.Value()&^mask|bits)
}
