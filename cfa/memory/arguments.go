package memory

// The arguments of main: argc is not negative, and argv points to argc pointers
// that are not NULL and a last one that is (C11 5.1.2.2.1). What they point to is
// not modelled.

import (
	"magus/cfa"
	"magus/internal/expr"
)

// MainArguments lets control pass only with arguments that main may be called
// with. argv is nil if main does not have it.
func (m *Model) MainArguments(argc, argv *expr.Expr, pos cfa.Pos) {
	negative, rest := m.code.Branch(m.pool.Lt(m.pool.Cast(expr.Int32, argc), m.pool.Int(expr.Int32, 0)), pos)
	m.code.Continue(negative)
	m.code.Halt("argc is not negative", pos)
	m.code.Continue(rest)
	if argv == nil {
		return
	}
	decl := m.code.Describe(argv)
	decl.Name = "*" + decl.Name
	b := m.NewObject("*"+argv.Name(), nil, m.arrayLimit()*m.word()/8, decl)
	b.outside, b.arguments = true, m.code.Temp("argc", argc.Type(), pos)
	m.code.Assign(b.arguments, argc, pos)
	m.code.Assign(argv, m.AddressIn(b, 0), pos)
	m.argv = argv
	m.code.Emit(Arguments{Object: b}, pos)
}

// word is the width of an address in bits.
func (m *Model) word() int64 { return int64(m.pointer.Width) }

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
		beyond, within := r.code.Branch(r.pool.Lt(b.arguments, i), pos)
		r.code.Continue(within)
		null, some := r.code.Branch(r.isNull(lf.v), pos)
		r.code.Continue(null)
		r.code.Halt("arguments are not NULL", pos)
		r.code.Continue(append(append(some, ends...), beyond...))
	}
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
