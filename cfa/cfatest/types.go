package cfatest

import (
	"fmt"
	"strings"
)

type kind int

const (
	scalar  kind = iota
	pointer      // to elem
	array        // n of elem
	record       // structure or union
	code         // pointer to int (int)
)

// A ctype is a C type. Equal types are the same pointer, but for pointer and
// array types.
type ctype struct {
	kind   kind
	name   string // scalar, record
	elem   *ctype
	n      int
	fields []field
	plain  bool // holds no pointers
	packed bool
}

type field struct {
	name string
	typ  *ctype
	bits int // of a bit-field
}

var (
	scalars = []*ctype{
		{name: "int", plain: true}, {name: "unsigned", plain: true}, {name: "char",
			plain: true}, {name: "signed char", plain: true},
		{name: "unsigned char", plain: true}, {name: "short", plain: true}, {name: "unsigned short",
			plain: true}, {name: "long", plain: true},
		{name: "long long", plain: true}, {name: "enum tone", plain: true}, {name: "_Bool", plain: true},
	}
	integer  = scalars[0]
	function = &ctype{kind: code}
)

func pointerTo(t *ctype) *ctype      { return &ctype{kind: pointer, elem: t} }
func arrayOf(t *ctype, n int) *ctype { return &ctype{kind: array, elem: t, n: n, plain: t.plain} }

// same reports whether two types are the same.
func same(a, b *ctype) bool {
	return a == b || a.kind == b.kind && (a.kind == pointer || a.kind == array && a.n == b.n) && same(a.elem, b.elem)
}

// declare is the declaration of a name of type t.
func (t *ctype) declare(name string) string {
	switch t.kind {
	case pointer:
		if t.elem.kind == array {
			return t.elem.declare("(*" + name + ")")
		}
		return t.elem.declare("*" + name)
	case array:
		return t.elem.declare(fmt.Sprintf("%s[%d]", name, t.n))
	case code:
		return fmt.Sprintf("int (*%s)(int)", name)
	}
	return t.name + " " + name
}

// spelled is the type as in a cast.
func (t *ctype) spelled() string { return strings.TrimSpace(t.declare("")) }

// define writes the definition of a structure or union.
func (g *writer) define(t *ctype) {
	g.line("%s {", t.name)
	for _, f := range t.fields {
		if f.bits > 0 {
			g.line("\t%s : %d;", f.typ.declare(f.name), f.bits)
		} else {
			g.line("\t%s;", f.typ.declare(f.name))
		}
	}
	if t.packed {
		g.line("} __attribute__((packed));")
		return
	}
	g.line("};")
}

// newRecord makes a structure or a union of what there is already. Unions have
// no pointers and no _Bool: any bytes may be read as any of their members.
func (g *terms) newRecord() *ctype {
	union := g.IntN(4) == 0
	g.next++
	t := &ctype{kind: record, name: fmt.Sprintf("struct s%d_%d", g.id, g.next), plain: true}
	if union {
		t.name = fmt.Sprintf("union u%d_%d", g.id, g.next)
	}
	t.packed = g.next%4 == 0
	for i := range 1 + g.IntN(4) {
		f := field{name: fmt.Sprintf("m%d", i)}
		switch k := g.IntN(10); {
		case union && k < 8:
			f.typ = scalars[g.IntN(len(scalars)-1)]
		case union:
			f.typ = arrayOf(scalars[2+g.IntN(5)], 2)
		case k == 0:
			f.typ, f.bits = integer, 1+g.IntN(9)
			if g.IntN(2) == 0 {
				f.typ = scalars[1]
			}
		case k == 1:
			f.typ = arrayOf(scalars[g.IntN(len(scalars))], 2<<g.IntN(2))
		case k == 2:
			f.typ = pointerTo(t)
		case k == 3:
			f.typ = pointerTo(scalars[g.IntN(len(scalars))])
		case k == 4:
			f.typ = function
		case k < 8 && len(g.records) > 0:
			f.typ = g.records[g.IntN(len(g.records))]
			if g.IntN(3) == 0 {
				f.typ = pointerTo(f.typ)
			} else if g.IntN(4) == 0 {
				f.typ = arrayOf(f.typ, 2)
			}
		default:
			f.typ = scalars[g.IntN(len(scalars))]
		}
		t.plain = t.plain && f.typ.plain
		t.fields = append(t.fields, f)
	}
	g.records = append(g.records, t)
	return t
}
