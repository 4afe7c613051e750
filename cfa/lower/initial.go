package lower

// Values at entry.

import (
	"cmp"
	"slices"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// initialise writes the assignments that give globals their values at entry,
// and returns where the automaton starts; entry is where they lead.
func (l *objects) initialise(entry cfa.Loc, pr *source.Procedure) cfa.Loc {
	l.evaluatesStatic = true
	defer func() { l.evaluatesStatic = false }()
	l.Cut()
	start := l.Emit(cfa.Goto{}, pr.Pos)
	for done := 0; done < len(l.used); {
		// An initialiser may name further objects.
		batch := slices.Clone(l.used[done:])
		done = len(l.used)
		slices.SortStableFunc(batch, func(a, b *source.Object) int { return cmp.Compare(a.Seq, b.Seq) })
		for _, o := range batch {
			if l.Err() != nil {
				return start
			}
			switch g := l.global(o); {
			case !g.Starts:
				l.mayStillName(o)
			case g.Var != nil:
				l.initialValue(o)
			default:
				l.readInitialiser(o)
				l.Emit(memory.Start{Object: g.Object}, o.Pos)
			}
		}
	}
	for _, o := range l.used {
		if g := l.global(o); g.Object != nil && g.Const && g.Starts {
			l.readInitialiser(o)
		}
		if e := l.unread[o]; e != nil {
			l.refuse(e, "initialiser "+source.Text(e), "what it points to is not known")
		}
	}
	l.Patch(l.Ends(), entry)
	l.Cut()
	return start
}

// mayStillName notes the addresses of objects and functions in the initialiser of an object that
// starts with any value: nobody may have changed them. Strings are left out, for a pointer from
// outside may lead to any characters.
func (l *objects) mayStillName(o *source.Object) {
	if o.Library || o.Init == nil {
		return
	}
	g, t := l.global(o), l.ctypeOf(o.Type)
	if t.class == classExtended {
		return
	}
	parts := []item{{typ: o.Type, t: t, e: source.ScalarInit(o.Init)}}
	if !t.scalar() {
		parts = l.items(o.Init, o.Type)
	}
	for _, it := range parts {
		if it.e != nil && it.t.scalar() && l.namesStatic(it.e) {
			g.May = append(g.May, memory.Initial{Extent: extentOf(it.t, l.bytes(it.typ), it.at),
				Value: l.constantTerm(it.e, it.t)})
		}
	}
}

// namesStatic reports whether an expression names an object of static storage duration or a function.
func (l *facts) namesStatic(e cc.ExpressionNode) bool {
	found := false
	source.WalkExpr(e, func(e cc.ExpressionNode) {
		d := source.Declarator(e)
		found = found || d != nil && (d.Type().Kind() == cc.Function || l.prog.Object(d) != nil)
	})
	return found
}

// readInitialiser evaluates the initialiser of a static object that has memory.
func (l *objects) readInitialiser(o *source.Object) {
	b := l.global(o).Object
	if b.IsInitialised() {
		return
	}
	before := l.evaluatesStatic
	l.evaluatesStatic = true
	defer func() { l.evaluatesStatic = before }()
	b.Initialise(nil) // where it names itself
	if o.Init == nil {
		return
	}
	var items []item
	if e := source.ScalarInit(o.Init); e != nil && l.ctypeOf(o.Type).class == classExtended {
		items = []item{{typ: o.Type, t: l.ctypeOf(o.Type), e: e}}
	} else {
		items = l.items(o.Init, o.Type)
	}
	inits := make([]memory.Initial, 0, len(items))
	for _, it := range items {
		if l.Err() != nil {
			return
		}
		if it.t.class == classExtended {
			if it.e != nil {
				it.val = l.constantTerm(it.e, it.t)
			}
			inits = append(inits, it.parts()...)
			continue
		}
		in := memory.Initial{Extent: extentOf(it.t, l.bytes(it.typ), it.at), Value: it.val}
		if it.t.scalar() && it.e != nil && l.unknownLayout(o.Type) == "" {
			in.Value = l.constantTerm(it.e, it.t)
		}
		if in.Value == nil && it.e != nil && it.t.class == classPtr {
			l.unread[o] = it.e
		}
		inits = append(inits, in)
	}
	b.Initialise(inits)
}

// readConstant evaluates the initialiser of an object that always is what it says.
func (l *objects) readConstant(b *memory.Object) {
	if o := l.owners[b]; o != nil && l.global(o).Starts && b.Const() {
		l.readInitialiser(o)
	}
}

// textLength is the length of a text that never changes.
func (l *objects) textLength(at *expr.Expr) (int64, bool) {
	if b, _ := l.mem.ObjectOf(at); b != nil {
		l.readConstant(b)
	}
	return l.mem.TextLength(at)
}

func (l *objects) initialValue(o *source.Object) {
	v, t := l.object(o), l.ctypeOf(o.Type)
	e := l.initialOf(source.ScalarInit(o.Init))
	switch {
	case e == nil && t.class == classPtr && l.isNeverSet(o):
		begins := l.Pool.Const(t.typ, 0)
		if own := l.mem.Uninitialised(v.Name(), l.target(o.Type, l.followed()), l.Describe(v)); own != nil {
			begins = l.mem.AddressIn(own, 0)
		}
		l.Assign(v, begins, o.Pos)
	case e == nil:
		l.Assign(v, l.Pool.Const(t.typ, 0), o.Pos)
	case l.floatInitial(e, t) != nil:
		l.Assign(v, l.floatInitial(e, t), o.Pos)
	case l.expressions.pure(e):
		l.accesses.storeValue(target{v, t}, l.expressions.rvalue(e), e, o.Pos)
	default:
		if c, ok := l.libraryConst(e); ok {
			l.accesses.storeValue(target{v, t}, c, e, o.Pos)
			return
		}
		if t.class == classPtr {
			l.refuse(e, "initialiser "+source.Text(e), "what it points to is not known")
			return
		}
		l.Emit(cfa.Assign{LHS: v, Nondet: "initialiser", Approx: "initialiser " + source.Text(e)}, o.Pos)
	}
}

// constantTerm is the value of a constant expression, addresses included, or
// nil.
func (l *objects) constantTerm(e cc.ExpressionNode, t ctype) *expr.Expr {
	e = l.initialOf(e)
	if f := l.floatInitial(e, t); f != nil {
		return f
	}
	v, ok := l.libraryConst(e)
	if l.expressions.pure(e) {
		v, ok = l.expressions.rvalue(e), true
	}
	if !ok || v.t == nil {
		return nil
	}
	if t.typ == bool1 && !t.cut {
		return l.Pool.FromBool(bool1, l.isTrue(v.t))
	}
	if v.class == classFloat || t.class == classFloat || v.class == classExtended || t.class == classExtended {
		return l.constantFloat(v, t)
	}
	return l.Pool.Cast(t.typ, v.t)
}

// floatInitial is the integer that a floating-point constant becomes; nil if it is none.
func (l *objects) floatInitial(e cc.ExpressionNode, t ctype) *expr.Expr {
	if l.ctypeOf(e.Type()).class != classOpaque {
		return nil
	}
	f, _ := l.prog.Layouts.Float(e)
	if v, ok := l.floatConstant(f, t); ok {
		return v.t
	}
	return nil
}

// initialOf is an expression of an initialiser, of a scalar compound literal of the same size and sign its own, since
// what that begins with counts.
func (l *objects) initialOf(e cc.ExpressionNode) cc.ExpressionNode {
	for e != nil {
		x, ok := source.Unparen(e).(*cc.PostfixExpression)
		if !ok || x.Case != cc.PostfixExpressionComplit || l.prog.Literal(x) == nil {
			return e
		}
		inner := source.ScalarInit(l.prog.Literal(x).Init)
		if t := l.ctypeOf(x.TypeName.Type()); inner == nil || !t.scalar() || l.staticType(inner) != t {
			return e
		}
		e = inner
	}
	return e
}
