package memory

// The arguments of main: argc is not negative, and argv points to argc pointers
// that are not NULL and a last one that is (C11 5.1.2.2.1). What they point to is
// memory without variables, at an address of its own for each text.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// MainArguments lets control pass only with arguments that main may be called
// with. argv is nil if main does not have it.
func (x *external) MainArguments(argc, argv *expr.Expr, pos cfa.Pos) {
	number := x.space.pool.Cast(expr.Int32, argc)
	negative, rest := x.space.code.Branch(x.space.pool.Lt(number, x.space.pool.Int(expr.Int32, 0)), pos)
	x.space.code.Continue(negative)
	x.space.code.Halt("argc is not negative", pos)
	x.space.code.Continue(rest)
	if argv == nil {
		return
	}
	decl := x.space.code.Describe(argv)
	decl.Name = "*" + decl.Name
	b := x.space.NewObject("*"+argv.Name(), nil, x.space.arrayLimit()*x.space.word()/8, decl)
	b.external, b.arguments = true, x.space.code.Temp("argc", argc.Type(), pos)
	x.space.code.Assign(b.arguments, argc, pos)
	x.space.code.Assign(argv, x.space.AddressIn(b, 0), pos)
	x.argv = argv
	x.space.code.Emit(Arguments{Object: b}, pos)
}

// word is the width of an address in bits.
func (m *addressing) word() int64 { return int64(m.pointer.Width) }

// startArguments gives the elements of argv that are cells their values.
func (r *resolution) startArguments(b *Object, pos cfa.Pos) {
	for _, lf := range b.leaves {
		if lf.v == nil || lf.at%r.word() != 0 || lf.width != r.word() {
			continue
		}
		i := r.pool.Int(b.arguments.Type(), lf.at/r.word())
		r.code.Emit(cfa.Assign{LHS: lf.v, Nondet: "argument"}, pos)
		last, other := r.code.Branch(r.pool.Eq(b.arguments, i), pos)
		r.code.Continue(last)
		r.code.Assign(lf.v, r.pool.Const(lf.v.Type(), 0), pos)
		ends := r.code.Ends()
		r.code.Continue(other)
		past, within := r.code.Branch(r.pool.Lt(b.arguments, i), pos)
		r.code.Continue(within)
		r.code.Assign(lf.v, r.argumentText(lf.at/r.word()), pos)
		r.code.Join(append(ends, past...))
	}
}

// argumentText is the address of the text of an argument, in memory that is not modelled: far from all others,
// so that runs need not be looked for in which texts do not overlap.
func (m *addressing) argumentText(i int64) *expr.Expr {
	return m.pool.Const(m.pointer, m.firstAddress()/2/m.gap()*m.gap()+uint64(i)*m.gap())
}

// lastArgument is where a load from memory that is not modelled reads the end of what argv
// points to, which is NULL, if nothing may store there.
func (r *resolution) lastArgument(s Load, t *tree, pos cfa.Pos) cfa.Ends {
	b := t.arguments()
	if b == nil || r.code.Dead() || s.From.Extent.width != r.word() || !r.argumentsStay {
		return nil
	}
	end := r.pool.Add(r.AddressIn(b, 0), r.pool.Mul(r.pool.Cast(r.pointer, b.arguments),
		r.pool.Int(r.pointer, r.word()/8)))
	last, other := r.code.Branch(r.pool.Eq(r.firstByte(s.From), end), pos)
	r.code.Continue(last)
	if len(last) > 0 {
		r.code.Assign(s.LHS, r.pool.Const(s.LHS.Type(), 0), pos)
	}
	last = r.code.Ends()
	r.code.Continue(other)
	return last
}

// arguments is what argv points to, if a tree leads behind it; else nil.
func (t *tree) arguments() *Object {
	for _, b := range t.unbounded {
		if b.arguments != nil {
			return b
		}
	}
	for _, a := range t.arms {
		if b := a.tree().arguments(); b != nil {
			return b
		}
	}
	return nil
}

// keepsArguments reports whether nothing stores in what argv points to.
func (r *resolution) keepsArguments() bool {
	k := slices.IndexFunc(r.objects, func(b *Object) bool { return b.arguments != nil })
	if k < 0 || r.pts == nil || r.effects.escapedAnywhere().has(k) {
		return false
	}
	b := r.objects[k]
	for i := range r.code.Len() {
		for k, n := range r.pts.used[cfa.Loc(i)] {
			if _, load := r.code.At(cfa.Loc(i)).Stmt.(Load); (!load || k > 0) && r.lives.leadsTo(n, b) {
				return false
			}
		}
	}
	return true
}

// Errno says which object errno is.
func (m *Model) Errno(g *Global) { m.errno = g }

// changeErrno gives errno any value, if the component looks at it.
func (r *resolution) changeErrno(name string, pos cfa.Pos) {
	if r.errno == nil || !r.errno.Elsewhere {
		return
	}
	vars := []*expr.Expr{r.errno.Var}
	if b := r.errno.Object; b != nil {
		vars = nil
		for _, lf := range b.leaves {
			vars = append(vars, lf.v)
		}
	}
	for _, v := range vars {
		if v != nil {
			r.code.Emit(cfa.Assign{LHS: v, Nondet: name, Approx: "what " + name + " may reach"}, pos)
		}
	}
}
