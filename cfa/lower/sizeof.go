package lower

// Sizes: sizeof, and types whose layout is not to be relied on.

import (
	"math/bits"

	"magus/cfa/source"

	"modernc.org/cc/v4"
)

// sizeof is the value of sizeof applied to an expression.
func (l *lowerer) sizeof(x *cc.UnaryExpression) value {
	n := source.Unparen(x.UnaryExpression)
	t := l.ctypeOf(x.Type())
	size := n.Type().Undecay().Size()
	s := l.staticType(n)
	switch {
	case source.IsArray(n):
		a, ok := n.Type().Undecay().(*cc.ArrayType)
		if c, literal := n.(*cc.PostfixExpression); literal && c.Case == cc.PostfixExpressionComplit && l.misread(c) {
			ok = false
		}
		if !ok || a.IsVLA() || a.Size() < 0 {
			return l.refuse(x, "expression "+source.Text(x), "")
		}
		size = a.Size()
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

// strangeLayout refuses an expression that depends on the layout of a type that
// GCC lays out in another way.
func (l *lowerer) strangeLayout(n cc.Node, t cc.Type, what string) bool {
	if t == nil {
		return false
	}
	why := l.strange(t)
	if why != "" {
		l.refuse(n, what, why)
	}
	return why != ""
}

// strange is the function of that name for a type as it stands here.
func (l *lowerer) strange(t cc.Type) string {
	always := l.fr.proc.File.Packs
	why, ok := l.layouts[t]
	if !ok || always {
		why = source.LayoutDiffers(t, always)
		l.layouts[t] = why
	}
	return why
}
