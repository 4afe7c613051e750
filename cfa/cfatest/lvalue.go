package cfatest

import (
	"fmt"
	"slices"
	"strings"
)

// terms are what can be written of the types and objects that there are: types, lvalues, values, initialisers.
type terms struct {
	*writer
	records []*ctype
	scope   []object
	simple  []string // functions of type int (int)
}

// A path is an lvalue with what must be true before it is looked at.
type path struct {
	text   string
	guards []string
	typ    *ctype
	level  int // of the object
	fixed  bool
	bits   bool // a bit-field
}

func (p path) guard() string {
	if len(p.guards) == 0 {
		return "1"
	}
	return strings.Join(p.guards, " && ")
}

// value is what stands there, or a constant where there is nothing.
func (p path) value() string {
	if len(p.guards) == 0 {
		return p.text
	}
	return fmt.Sprintf("(%s ? %s : 7)", p.guard(), p.text)
}

// walk goes from an object to a random part of it, or behind pointers in it,
// of a type that is wanted.
func (g *terms) walk(o object, wanted func(*ctype) bool) (path, bool) {
	p := path{text: o.name, typ: o.typ, level: o.level, fixed: o.fixed}
	for derefs := 0; ; {
		if wanted(p.typ) && (p.typ.kind != pointer || g.IntN(2) == 0) {
			return p, true
		}
		switch p.typ.kind {
		case array:
			p.text = fmt.Sprintf("%s[%s]", p.text, g.index(p.typ.n))
			p.typ = p.typ.elem
		case record:
			f := p.typ.fields[g.IntN(len(p.typ.fields))]
			p.text, p.typ, p.bits = p.text+"."+f.name, f.typ, f.bits > 0
		case pointer:
			if derefs++; derefs > 2 {
				return p, false
			}
			if p.text != o.name {
				p.level = 0
			}
			p.guards = append(p.guards, p.text)
			p.text, p.typ, p.fixed = g.pick("(*%s)", "%s[0]"), p.typ.elem, false
			p.text = fmt.Sprintf(p.text, p.guards[len(p.guards)-1])
		default:
			return p, false
		}
	}
}

// lvalue is a random one in scope, with a type that stands in a relation to t.
func (g *terms) lvalue(is func(a, b *ctype) bool, t *ctype, write bool) (path, bool) {
	for range 12 {
		if len(g.scope) == 0 {
			break
		}
		p, ok := g.walk(g.scope[g.IntN(len(g.scope))], func(u *ctype) bool { return is(u, t) })
		if ok && !(write && p.fixed) {
			return p, true
		}
	}
	return path{}, false
}

func isScalar(a, _ *ctype) bool { return a.kind == scalar }

// index is a subscript below n, a power of two.
func (g *terms) index(n int) string {
	for _, o := range g.scope {
		if o.typ.kind == scalar && g.IntN(2) == 0 {
			return fmt.Sprintf("%s & %d", o.name, n-1)
		}
	}
	return fmt.Sprint(g.IntN(n))
}

// value is an expression of any integer type without side effects.
func (g *terms) value(depth int) string {
	if depth <= 0 {
		if p, ok := g.lvalue(isScalar, nil, false); ok && g.IntN(3) > 0 && len(p.text) < 80 {
			return p.value()
		}
		if g.IntN(8) == 0 {
			return "__VERIFIER_nondet_int()"
		}
		return fmt.Sprint(g.IntN(9))
	}
	switch g.IntN(9) {
	case 0:
		return g.comparison()
	case 1:
		return fmt.Sprintf("(%s ? %s : %s)", g.value(0), g.value(depth-1), g.value(depth-1))
	case 2:
		return fmt.Sprintf("(%s %s %d)", g.value(depth-1), g.pick("/", "%", ">>"), 2+g.IntN(3))
	case 3:
		return fmt.Sprintf("%s(%s)", g.pick("-", "!", "~"), g.value(depth-1))
	case 4, 5:
		return g.value(0)
	}
	return fmt.Sprintf("(%s %s %s)", g.value(depth-1), g.pick("+", "-", "*", "&", "|", "^", "<", "==", "!=",
		"&&", "||"), g.value(depth-1))
}

// comparison compares pointers, or subtracts them.
func (g *terms) comparison() string {
	p, ok := g.lvalue(func(a, _ *ctype) bool { return a.kind == pointer || a.kind == code }, nil, false)
	if ok && len(p.text) < 60 {
		switch q := g.address(p.typ, anyLevel); g.IntN(4) {
		case 0:
			return fmt.Sprintf("(%s && !%s)", p.guard(), p.text)
		case 1:
			return fmt.Sprintf("(%s && (__UINTPTR_TYPE__)%s == (__UINTPTR_TYPE__)%s)", p.guard(), p.text, q)
		default:
			return fmt.Sprintf("(%s && %s %s %s)", p.guard(), p.text, g.pick("==", "!="), q)
		}
	}
	a, ok := g.lvalue(func(a, _ *ctype) bool { return a.kind == array }, nil, false)
	if ok && len(a.guards) == 0 && len(a.text) < 60 {
		return fmt.Sprintf("(&%s[%s] %s &%s[%s])", a.text, g.index(a.typ.n), g.pick("-", "<", ">=", "=="),
			a.text, g.index(a.typ.n))
	}
	return g.value(0)
}

// anyLevel is that of pointers that nobody keeps.
const anyLevel = 1 << 30

// address is a pointer of type t to an object of some level at most.
func (g *terms) address(t *ctype, level int) string {
	if t.kind == code {
		if p, ok := g.lvalue(same, t, false); ok && g.IntN(2) == 0 {
			return fmt.Sprintf("(%s ? %s : 0)", p.guard(), p.text)
		}
		return g.pick(append(slices.Clone(g.simple), "0")...)
	}
	for range 3 {
		if p, ok := g.lvalue(same, t.elem, false); ok && !p.bits && !p.fixed && p.level <= level && g.IntN(4) > 0 {
			return fmt.Sprintf("(%s ? &%s : 0)", p.guard(), p.text)
		}
		if p, ok := g.lvalue(same, t, false); ok && g.levelBehind(p) <= level {
			return fmt.Sprintf("(%s ? %s : 0)", p.guard(), p.text)
		}
	}
	if g.IntN(2) == 0 {
		return "0"
	}
	return fmt.Sprintf("(%s)NULL", t.spelled())
}

// levelBehind is the level of what a pointer points to at most.
func (g *terms) levelBehind(p path) int {
	if i := slices.IndexFunc(g.scope, func(o object) bool { return o.name == p.text }); i >= 0 {
		return g.scope[i].level
	}
	return 0
}
