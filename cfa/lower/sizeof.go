package lower

// Sizes: sizeof, and types whose layout is not known.

import (
	"math/bits"

	"magus/cfa/source"

	"modernc.org/cc/v4"
)

// sizeof is the value of sizeof applied to an expression.
func (l *terms) sizeof(x *cc.UnaryExpression) value {
	n := source.Unparen(x.UnaryExpression)
	if source.Misselected(n) != nil {
		return l.refuse(x, "sizeof of a _Generic on a pointer of this type", "")
	}
	t := l.ctypeOf(x.Type())
	if chosen := source.ChosenPointee(n); chosen != nil && l.bytes(chosen) > 0 {
		return value{t, l.Pool.Const(t.typ, uint64(l.bytes(chosen))), nil}
	} else if chosen != nil && chosen.Kind() == cc.Void {
		return value{t, l.Pool.Const(t.typ, 1), nil}
	}
	size := l.bytes(n.Type().Undecay())
	s := l.staticType(n)
	if r := source.RealType(n); r != nil && cc.IsFloatingPointType(r) {
		size = l.bytes(r)
	}
	switch {
	case source.IsArray(n):
		a, ok := n.Type().Undecay().(*cc.ArrayType)
		if c, literal := n.(*cc.PostfixExpression); literal && c.Case == cc.PostfixExpressionComplit && l.misread(c) {
			ok = false
		}
		if !ok || a.IsVLA() || l.bytes(a) < 0 {
			return l.refuse(x, "expression "+source.Text(x), "")
		}
		size = l.bytes(a)
	case source.IsFunction(n):
		size = 1 // GCC's
	case source.Decayed(n):
		size = int64(l.pointer.Width) / 8
	case s.class == classInt:
		// Of a bit-field, the integer type that has room for it.
		size = 1
		if s.typ.Width > 8 {
			size = 1 << (bits.Len8(s.typ.Width-1) - 3)
		}
	}
	if size < 0 {
		return l.refuse(x, "expression "+source.Text(x), "")
	}
	return value{t, l.Pool.Const(t.typ, uint64(size)), nil}
}

// bytes is the size of a type, negative if it is not known.
func (l *facts) bytes(t cc.Type) int64 { return l.prog.Layouts.Size(t) }

// strangeLayout refuses an expression that depends on the layout of a type that
// is not known.
func (l *terms) strangeLayout(n cc.Node, t cc.Type, what string) bool {
	if t == nil {
		return false
	}
	why := l.unknownLayout(t)
	if why != "" {
		l.refuse(n, what, why)
	}
	return why != ""
}

func (l *facts) unknownLayout(t cc.Type) string {
	why, ok := l.layouts[t]
	if !ok {
		why = l.prog.Layouts.Unknown(t)
		l.layouts[t] = why
	}
	return why
}
