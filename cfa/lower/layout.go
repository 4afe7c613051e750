package lower

// C types as package memory has them.

import (
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/internal/pattern"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// cell is the type as one of a cell. That of an aggregate has no meaning.
func (c ctype) cell() memory.Scalar {
	s := memory.Scalar{Type: c.typ, Cut: c.cut, Bit: c.bit}
	switch c.class {
	case classPtr:
		s.Class = memory.Pointer
	case classOpaque, classOther:
		s.Class = memory.Opaque
	}
	return s
}

// extentOf is the extent of a scalar of size bytes at an offset in bits.
func extentOf(t ctype, size, at int64) memory.Extent { return memory.ExtentOf(t.cell(), size, at) }

// typeOf is a C type as memory has it.
func (l *facts) typeOf(t cc.Type) *memory.Type { return l.typeFollowed(t, 0) }

// typeFollowed is typeOf with what pointers point to, and the pointers in that,
// so many times.
func (l *facts) typeFollowed(t cc.Type, times int) *memory.Type {
	key := typeKey{t, times}
	if m := l.types[key]; m != nil {
		return m
	}
	m := &memory.Type{Size: l.bytes(t), Const: t.Attributes() != nil && t.Attributes().IsConst()}
	l.types[key] = m
	switch x := t.(type) {
	case *cc.ArrayType:
		m.Elem, m.Len = l.typeFollowed(x.Elem(), times), l.prog.Layouts.Len(x)
	case *cc.StructType, *cc.UnionType:
		for _, f := range source.Members(t) {
			m.Members = append(m.Members, l.memberType(t, f, times)...)
		}
	default:
		switch c := l.ctypeOf(t); c.class {
		case classVoid, classAggregate:
		case classExtended:
			m.Members = wordMembers(c.typ)
		default:
			s := c.cell()
			m.Scalar = &s
		}
		if times > 0 {
			m.Target = l.target(t, times)
		}
	}
	return m
}

type typeKey struct {
	t     cc.Type
	times int
}

// memberType is a member of a record; a bit-field without a name is none.
func (l *facts) memberType(of cc.Type, f *cc.Field, times int) []memory.Member {
	watched := l.watched(of, f) != nil
	named := reserved(of, f)
	if named && f.Declarator() != nil && l.prog.OfSystem(f.Declarator()) {
		times = 0
	}
	if !f.IsBitfield() {
		t := l.typeFollowed(f.Type(), times)
		if named && of.Kind() == cc.Union {
			t = bytesAsWords(t)
		}
		return []memory.Member{{Name: f.Name(), At: l.prog.Layouts.Offset(f), Type: t, Watched: watched}}
	}
	if f.Name() == "" {
		return nil
	}
	s := l.bitField(f).cell()
	return []memory.Member{{Name: f.Name(), At: l.prog.Layouts.Offset(f), Type: &memory.Type{Scalar: &s},
		Watched: watched}}
}

// reserved reports whether a member is the implementation's own, as those of a stream or
// of a mutex: the name of the member or of the record is one that programs do not use (C11
// 7.1.3). Some do. Where a header of the system has it, what its pointers lead to is nothing
// to a program.
func reserved(of cc.Type, f *cc.Field) bool {
	var tag cc.Token
	switch x := of.(type) {
	case *cc.StructType:
		tag = x.Tag()
	case *cc.UnionType:
		tag = x.Tag()
	}
	return reservedName().MatchString(f.Name()) || reservedName().MatchString(tag.SrcStr())
}

// reservedName matches names that are reserved for any use.
var reservedName = pattern.New(`^_[A-Z_]`)

// bytesAsWords is an array of bytes that only holds room in a union, __size of a
// pthread_mutex_t, as words: models of the library access it by these, and many bytes
// would be summarised, with all that shares their memory.
func bytesAsWords(t *memory.Type) *memory.Type {
	if t.Elem == nil || t.Elem.Scalar == nil || t.Elem.Size != 1 || t.Len <= 0 || t.Len%wordSize != 0 {
		return t
	}
	word := &memory.Type{Size: wordSize, Scalar: &memory.Scalar{Type: expr.Int32}}
	return &memory.Type{Size: t.Size, Elem: word, Len: t.Len / wordSize, Const: t.Const}
}

// wordSize is the bytes of what models of the library access.
const wordSize = 4

// target is what a pointer that comes from outside points to, an object of its
// own: bytes of any type, where the pointer's type does not say more. nil is memory
// that is not modelled.
func (l *facts) target(t cc.Type, times int) *memory.Type {
	p, ok := t.(*cc.PointerType)
	if !ok {
		return nil
	}
	e := p.Elem()
	switch {
	case e.Kind() == cc.Function:
		return nil
	case e.Kind() == cc.Void || l.bytes(e) <= 0 || e.IsIncomplete():
		return memory.Bytes
	}
	return l.typeFollowed(e, times-1)
}

// holdsArray reports whether a type is or contains an array, which is an
// address without any operator.
func holdsArray(t cc.Type) bool {
	if t.Kind() == cc.Array {
		return true
	}
	for _, f := range source.Members(t) {
		if holdsArray(f.Type()) {
			return true
		}
	}
	return false
}
