package source

// Compatible types of different units (C11 6.2.7). Structures, unions and
// enumerations of two units are compatible if they have the same tag and the
// same members in the same order, with the same names, compatible types and
// widths of bit-fields; one that is declared only goes with any of its tag.
// More than C, magus lets integers of equal width and signedness pass (long and
// long long), and differing qualifiers: the linked program does not see them.
// Cost: linear in the size of the types, each pair of records being compared once.

import (
	"fmt"
	"strings"

	"magus/cfa/source/reword"

	"modernc.org/cc/v4"
)

// A comparison keeps the pairs of records that it has seen, which are taken to be
// compatible: structures point to each other, and one fault is enough.
type comparison struct {
	layouts *Layouts
	seen    map[[2]cc.Type]bool
}

// types says how two declared types differ, "" if they are compatible. In the
// words of what it says, b is here and a is there.
func (c *comparison) types(a, b cc.Type) string {
	if a == b || a == nil || b == nil {
		return ""
	}
	switch x := a.(type) {
	case *cc.PointerType:
		if y, ok := b.(*cc.PointerType); ok {
			return within("what it points to", c.types(x.Elem(), y.Elem()))
		}
	case *cc.ArrayType:
		if y, ok := b.(*cc.ArrayType); ok {
			return c.arrays(x, y)
		}
	case *cc.FunctionType:
		if y, ok := b.(*cc.FunctionType); ok {
			return c.functions(x, y)
		}
	case *cc.StructType:
		if y, ok := b.(*cc.StructType); ok {
			return c.records(x, y)
		}
	case *cc.UnionType:
		if y, ok := b.(*cc.UnionType); ok {
			return c.records(x, y)
		}
	case *cc.EnumType:
		if y, ok := b.(*cc.EnumType); ok {
			return c.enumerations(x, y)
		}
		if integer(b) {
			return c.types(x.UnderlyingType(), b)
		}
	default:
		if y, ok := b.(*cc.EnumType); ok && integer(a) {
			return c.types(a, y.UnderlyingType())
		}
		if a.Kind() == b.Kind() && a.VectorSize() == b.VectorSize() || integer(a) && integer(b) &&
			a.Size() == b.Size() && signed(a) == signed(b) {
			return ""
		}
	}
	return fmt.Sprintf("%s here, %s there", named(b), named(a))
}

// named is a type in words, a record without its members.
func named(t cc.Type) string {
	if r, ok := t.(record); ok {
		return strings.TrimSuffix(Describe(t)+" "+tag(r), " ")
	}
	return strings.ReplaceAll(t.String(), reword.Half, "_Float16")
}

func integer(t cc.Type) bool {
	_, ok := t.(*cc.PredefinedType)
	return ok && t.Kind() != cc.Bool && t.VectorSize() <= 0 && cc.IsIntegerType(t)
}

func signed(t cc.Type) bool { return cc.IsSignedInteger(t) }

// within says where in a type a difference lies, if there is any.
func within(where, difference string) string {
	if difference == "" {
		return ""
	}
	return where + ": " + difference
}

func (c *comparison) arrays(a, b *cc.ArrayType) string {
	if a.Len() >= 0 && b.Len() >= 0 && a.Len() != b.Len() && !a.IsVLA() && !b.IsVLA() {
		return fmt.Sprintf("%d elements here, %d there", b.Len(), a.Len())
	}
	return within("its elements", c.types(a.Elem(), b.Elem()))
}

func (c *comparison) functions(a, b *cc.FunctionType) string {
	if d := c.types(a.Result(), b.Result()); d != "" {
		return within("what it returns", d)
	}
	p, q := Parameters(a), Parameters(b)
	if !a.IsVariadic() && a.MaxArgs() < 0 || !b.IsVariadic() && b.MaxArgs() < 0 {
		return "" // one of them says nothing of its parameters
	}
	if len(p) != len(q) {
		return fmt.Sprintf("%s here, %s there", counted(len(q), "parameter"), counted(len(p), "parameter"))
	}
	for i := range p {
		if d := c.types(p[i].Type().Decay(), q[i].Type().Decay()); d != "" {
			return within(fmt.Sprintf("parameter %d", i+1), d)
		}
	}
	if a.IsVariadic() != b.IsVariadic() {
		return "variable arguments only in one of them"
	}
	return ""
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// A record is a structure or a union.
type record interface {
	cc.Type
	Tag() cc.Token
	NumFields() int
	FieldByIndex(int) *cc.Field
}

func (c *comparison) records(a, b record) string {
	pair := [2]cc.Type{a, b}
	if c.seen[pair] {
		return ""
	}
	c.seen[pair] = true
	what := named(a)
	if tag(a) != tag(b) {
		return fmt.Sprintf("%s here, %s there", named(b), what)
	}
	if a.IsIncomplete() || b.IsIncomplete() {
		return ""
	}
	if a.NumFields() != b.NumFields() {
		return fmt.Sprintf("%s has %s here, %s there", what, counted(b.NumFields(), "member"),
			counted(a.NumFields(), "member"))
	}
	for i := range a.NumFields() {
		f, g := a.FieldByIndex(i), b.FieldByIndex(i)
		if f.Name() != g.Name() {
			return fmt.Sprintf("member %d of %s is %s here, %s there", i+1, what, g.Name(), f.Name())
		}
		where := fmt.Sprintf("member %s of %s", f.Name(), what)
		if d := c.types(f.Type(), g.Type()); d != "" {
			return within(where, d)
		}
		if f.IsBitfield() != g.IsBitfield() || f.ValueBits() != g.ValueBits() {
			return fmt.Sprintf("%s: %s here, %s there", where, counted(int(g.ValueBits()), "bit"),
				counted(int(f.ValueBits()), "bit"))
		}
		if there, here := c.layouts.Offset(f), c.layouts.Offset(g); here != there {
			return fmt.Sprintf("%s: at byte %d here, at byte %d there", where, here/8, there/8)
		}
	}
	return ""
}

func tag(r record) string {
	t := r.Tag()
	return t.SrcStr()
}

func (c *comparison) enumerations(a, b *cc.EnumType) string {
	s, t := a.Enumerators(), b.Enumerators()
	if a.IsIncomplete() || b.IsIncomplete() {
		return ""
	}
	values := map[string]string{}
	for _, e := range s {
		values[e.Token.SrcStr()] = fmt.Sprint(e.Value())
	}
	for _, e := range t {
		name, here := e.Token.SrcStr(), fmt.Sprint(e.Value())
		if there, ok := values[name]; ok && here != there {
			return fmt.Sprintf("constant %s is %s here, %s there", name, here, there)
		}
	}
	if len(s) != len(t) {
		return fmt.Sprintf("an enumeration of %s here, of %s there", counted(len(t), "constant"), counted(len(s), "constant"))
	}
	return c.types(a.UnderlyingType(), b.UnderlyingType())
}
