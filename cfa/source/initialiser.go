package source

// Which part of an object each expression of an initialiser is for.
//
// Idea: the current object of C11 6.7.9p17 to p22 as a recursive walk over the list and the type at once. A
// list in braces begins its object anew: what was given for parts of it before is dropped, and the rest of it is
// zero (p19, p21). So is a union of which another member is given. Without braces, a list goes on behind the
// part that it came from.
// Source: C11 6.7.9; ranges of designators as GCC has them.
// Deviations: the C library's own places are not used, as it keeps what a later list replaces.
// Cost: linear in the parts, and in the parts before one that replaces some.

import (
	"fmt"
	"slices"

	"magus/cfa/source/reword"

	"modernc.org/cc/v4"
)

// An InitPart says that a part of an object begins with the value of an expression, or with zeros. Parts of one
// object are stored in their order; what no part is about is zero.
type InitPart struct {
	At    int64 // in bits, from the beginning of the object
	Bits  int64
	Type  cc.Type
	Field *cc.Field // if it is a bit-field
	// Expr is the value: a scalar's, a structure's or union's, or a string literal for an array of characters.
	// It is nil where the part is zero again.
	Expr cc.ExpressionNode
}

// An initialiser is being walked over.
type initialiser struct {
	layouts *Layouts
	parts   []InitPart
	active  []activeMember
}

// An activeMember is the member of a union that the parts so far are about.
type activeMember struct {
	at, bits int64
	union    cc.Type
	index    int64
}

// Initialise takes an initialiser of an object of a type apart. The error says what is not known.
func (l *Layouts) Initialise(n *cc.Initializer, object cc.Type) ([]InitPart, error) {
	in := &initialiser{layouts: l}
	err := in.value(n, object, 0, nil)
	return in.parts, err
}

// InitialiseList is Initialise for the list of a compound literal.
func (l *Layouts) InitialiseList(list *cc.InitializerList, object cc.Type) ([]InitPart, error) {
	in := &initialiser{layouts: l}
	err := in.braces(list, object, 0, nil)
	return in.parts, err
}

// value is an initialiser for a part as a whole.
func (in *initialiser) value(n *cc.Initializer, t cc.Type, at int64, f *cc.Field) error {
	if n.Case == cc.InitializerInitList {
		return in.braces(n.InitializerList, t, at, f)
	}
	return in.whole(n.AssignmentExpression, t, at, f)
}

// whole gives a part the value of one expression.
func (in *initialiser) whole(e cc.ExpressionNode, t cc.Type, at int64, f *cc.Field) error {
	if x, ok := Unparen(e).(*cc.PostfixExpression); ok && x.Case == cc.PostfixExpressionComplit && isAggregate(t) &&
		isPart(t, x.TypeName.Type()) {
		return in.braces(x.InitializerList, t, at, f)
	}
	bits := in.bits(t, f)
	if err := in.clear(at, bits, nil, nil); err != nil {
		return err
	}
	in.parts = append(in.parts, InitPart{At: at, Bits: bits, Type: t, Field: f, Expr: e})
	return nil
}

// braces is a list in braces for a part as a whole.
func (in *initialiser) braces(list *cc.InitializerList, t cc.Type, at int64, f *cc.Field) error {
	if err := in.clear(at, in.bits(t, f), t, f); err != nil {
		return err
	}
	switch {
	case list == nil:
		return nil
	case !isAggregate(t):
		return in.value(list.Initializer, t, at, f)
	case list.InitializerList == nil && list.Designation == nil && in.isText(list.Initializer, t):
		return in.value(list.Initializer, t, at, f)
	}
	for list != nil {
		rest, err := in.from(list, t, at)
		if err != nil {
			return err
		}
		if rest == list {
			return nil // more than the object has, which is no matter of values
		}
		list = rest
	}
	return nil
}

// from goes on with a list of braces around an object: at its designated part, or at its first one.
func (in *initialiser) from(list *cc.InitializerList, t cc.Type, at int64) (*cc.InitializerList, error) {
	if list.Designation != nil {
		return in.designated(list, list.Designation.DesignatorList, t, at)
	}
	return in.fill(list, t, at, 0)
}

// fill gives the parts of an aggregate values in their order, from a number on, until the list has an end or a
// designation, or there are no more parts. The list that is left begins behind what was used.
func (in *initialiser) fill(list *cc.InitializerList, t cc.Type, at int64, from int64) (
	rest *cc.InitializerList, err error) {
	for i := from; list != nil && list.Designation == nil; i++ {
		part, ok := in.part(t, i)
		switch {
		case !ok:
			return list, nil
		case part.skipped:
			continue
		}
		if err := in.choose(t, at, i); err != nil {
			return nil, err
		}
		if list, err = in.one(list, part.typ, at+part.at, part.field); err != nil {
			return nil, err
		}
		in.chosen(t, at, i)
		if t.Kind() == cc.Union {
			return list, nil
		}
	}
	return list, nil
}

// one gives a part the next values of a list: one, or as many as it has parts.
func (in *initialiser) one(list *cc.InitializerList, t cc.Type, at int64, f *cc.Field) (*cc.InitializerList, error) {
	n := list.Initializer
	if n.Case == cc.InitializerInitList || !isAggregate(t) || in.isText(n, t) || isValueOf(n.AssignmentExpression, t) {
		return list.InitializerList, in.value(n, t, at, f)
	}
	undesignated := *list
	undesignated.Designation = nil
	rest, err := in.fill(&undesignated, t, at, 0)
	if rest == &undesignated {
		return nil, fmt.Errorf("what of %s it is for is not known", t)
	}
	return rest, err
}

// designated gives the part that a designation names the next values of a list, and what follows it others.
func (in *initialiser) designated(list *cc.InitializerList, names *cc.DesignatorList, t cc.Type, at int64) (
	rest *cc.InitializerList, err error) {
	path, last, err := in.find(names.Designator, t)
	if err != nil {
		return nil, err
	}
	outer, base := t, at
	for _, i := range path[:len(path)-1] { // members without a name around it
		p, _ := in.part(outer, i)
		if err := in.choose(outer, base, i); err != nil {
			return nil, err
		}
		outer, base = p.typ, base+p.at
	}
	for i := path[len(path)-1]; i <= last; i++ {
		p, ok := in.part(outer, i)
		if !ok {
			return nil, fmt.Errorf("what of %s is designated is not known", t)
		}
		if err := in.choose(outer, base, i); err != nil {
			return nil, err
		}
		given := *list
		if i < last { // its values are given again
			given.InitializerList = nil
		}
		if names.DesignatorList != nil {
			rest, err = in.designated(&given, names.DesignatorList, p.typ, base+p.at)
		} else {
			rest, err = in.one(&given, p.typ, base+p.at, p.field)
		}
		if err != nil {
			return nil, err
		}
		in.chosen(outer, base, i)
	}
	path[len(path)-1] = last
	in.chosenAlong(path, t, at)
	return in.behind(rest, path, t, at)
}

// chosenAlong notes the members of unions that a path goes through.
func (in *initialiser) chosenAlong(path []int64, t cc.Type, at int64) {
	p, _ := in.part(t, path[0])
	if len(path) > 1 {
		in.chosenAlong(path[1:], p.typ, at+p.at)
	}
	in.chosen(t, at, path[0])
}

// behind goes on behind the part at the end of a path, in the aggregates around it from the inside out.
func (in *initialiser) behind(list *cc.InitializerList, path []int64, t cc.Type, at int64) (
	rest *cc.InitializerList, err error) {
	if len(path) > 1 {
		p, _ := in.part(t, path[0])
		if list, err = in.behind(list, path[1:], p.typ, at+p.at); err != nil {
			return nil, err
		}
	}
	if t.Kind() == cc.Union {
		return list, nil
	}
	return in.fill(list, t, at, path[0]+1)
}

// find is the way to what a designator names: numbers of parts, more than one where members without a name stand
// around it; last is greater than the last of them for a range.
func (in *initialiser) find(d *cc.Designator, t cc.Type) (path []int64, last int64, err error) {
	switch d.Case {
	case cc.DesignatorIndex, cc.DesignatorIndex2:
		from, to := designatedRange(d)
		low, ok := in.layouts.Constant(from)
		high := low
		if ok && to != nil {
			high, ok = in.layouts.Constant(to)
		}
		if !ok || low < 0 || high < low || t.Kind() != cc.Array {
			return nil, 0, fmt.Errorf("which element is designated is not known")
		}
		return []int64{low}, high, nil
	}
	name := d.Token2.SrcStr()
	if d.Case == cc.DesignatorField2 {
		name = d.Token.SrcStr()
	}
	if path = pathTo(name, t); path == nil {
		return nil, 0, fmt.Errorf("which member is designated is not known")
	}
	return path, path[len(path)-1], nil
}

// designatedRange are the bounds of the elements that are designated; the last one is nil where it is one element.
func designatedRange(d *cc.Designator) (from, to cc.ExpressionNode) {
	if d.Case == cc.DesignatorIndex2 {
		return d.ConstantExpression, d.ConstantExpression2
	}
	if c, ok := Unparen(d.ConstantExpression).(*cc.ConditionalExpression); ok {
		if mark, ok := c.LogicalOrExpression.(*cc.PrimaryExpression); ok && mark.Token.SrcStr() == reword.RangeMark {
			return c.ConditionalExpression, c.ExpressionList
		}
	}
	return d.ConstantExpression, nil
}

// pathTo is the way to a member of a record, also of its members without a name; nil if there is none.
func pathTo(name string, t cc.Type) []int64 {
	for i, m := range Members(t) {
		if m.Name() == name {
			return []int64{int64(i)}
		}
		if m.Name() == "" && !m.IsBitfield() {
			if path := pathTo(name, m.Type()); path != nil {
				return append([]int64{int64(i)}, path...)
			}
		}
	}
	return nil
}

// An aggregatePart is an element or a member.
type aggregatePart struct {
	at      int64 // in bits
	typ     cc.Type
	field   *cc.Field // of a bit-field
	skipped bool      // it takes no value
}

// part is part number i of an aggregate.
func (in *initialiser) part(t cc.Type, i int64) (p aggregatePart, ok bool) {
	if a, is := t.(*cc.ArrayType); is {
		if n := in.layouts.Len(a); n >= 0 && i >= n && !a.IsIncomplete() {
			return p, false
		}
		return aggregatePart{at: 8 * i * in.layouts.Size(a.Elem()), typ: a.Elem()}, true
	}
	members := Members(t)
	if i >= int64(len(members)) {
		return p, false
	}
	m := members[i]
	p = aggregatePart{at: in.layouts.shape(t).at[i], typ: m.Type()}
	if m.IsBitfield() {
		p.field, p.skipped = m, m.Name() == "" || m.ValueBits() == 0
	}
	return p, true
}

// bits is the size of a part.
func (in *initialiser) bits(t cc.Type, f *cc.Field) int64 {
	if f != nil && f.IsBitfield() {
		return f.ValueBits()
	}
	return 8 * max(in.layouts.Size(t), 0)
}

// choose says that a member of a union is about to be given a value: what was given for another one is dropped.
func (in *initialiser) choose(t cc.Type, at int64, index int64) error {
	if i := in.activeOf(t, at); i >= 0 && in.active[i].index != index {
		return in.clear(at, in.bits(t, nil), t, nil)
	}
	return nil
}

// chosen notes that a member of a union was given a value. It comes behind the values, since a list in braces for a
// member that is as large as the union forgets which member that is.
func (in *initialiser) chosen(t cc.Type, at int64, index int64) {
	if t.Kind() != cc.Union {
		return
	}
	if i := in.activeOf(t, at); i >= 0 {
		in.active[i].index = index
		return
	}
	in.active = append(in.active, activeMember{at, in.bits(t, nil), t, index})
}

// activeOf is which entry is about a union; -1 if none is.
func (in *initialiser) activeOf(t cc.Type, at int64) int {
	return slices.IndexFunc(in.active, func(a activeMember) bool { return a.at == at && a.union == t })
}

// clear drops what was given for parts within a range. If a part of the given type is zero then, but the text around
// it is still stored, the zeros are a part of their own. Compilers differ in what is left of a record that was
// given as a whole when a part of it is given again (WG14 DR 413), so that is an error.
func (in *initialiser) clear(at, bits int64, zero cc.Type, f *cc.Field) error {
	around := false
	for _, p := range in.parts {
		inside := at <= p.At && p.At+p.Bits <= at+bits
		if inside || p.At >= at+bits || at >= p.At+p.Bits {
			continue
		}
		if p.Expr != nil && p.Type.Kind() != cc.Array {
			return fmt.Errorf("a part of what was given as a whole is given again, and compilers differ in the rest")
		}
		around = true
	}
	in.parts = slices.DeleteFunc(in.parts, func(p InitPart) bool { return at <= p.At && p.At+p.Bits <= at+bits })
	in.active = slices.DeleteFunc(in.active, func(a activeMember) bool {
		return at <= a.at && a.at+a.bits <= at+bits
	})
	if zero != nil && around && bits > 0 {
		in.parts = append(in.parts, InitPart{At: at, Bits: bits, Type: zero, Field: f})
	}
	return nil
}

// isText reports whether an initialiser is a string literal for an array of characters.
func (in *initialiser) isText(n *cc.Initializer, t cc.Type) bool {
	a, ok := t.(*cc.ArrayType)
	if !ok || n.Case != cc.InitializerExpr || isAggregate(a.Elem()) {
		return false
	}
	x, ok := Unparen(n.AssignmentExpression).(*cc.PrimaryExpression)
	return ok && (x.Case == cc.PrimaryExpressionString || x.Case == cc.PrimaryExpressionLString)
}

// isValueOf reports whether an expression has the type of a record.
func isValueOf(e cc.ExpressionNode, t cc.Type) bool {
	is := e.Type()
	return is != nil && (t.Kind() == cc.Struct || t.Kind() == cc.Union) && isPart(t, is)
}

// isAggregate reports whether a type has parts.
func isAggregate(t cc.Type) bool {
	switch t.(type) {
	case *cc.ArrayType, *cc.StructType, *cc.UnionType:
		return true
	}
	return false
}
