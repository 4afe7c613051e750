package source

// Sizes, alignments and members' places of C types.
//
// Idea: the C library's types have no packing, and where it made a number of a size (an
// array's length, an enumerator) that number is its own. So all that depends on a layout is asked
// here: attributes are read off the syntax where a record is defined, and the types' sizes are worked
// out anew. A record is known by the declarator of its first named member, which copies of the
// type share. Constant expressions that ask for a size are evaluated by package lower, or by
// [Layouts.Constant]. Cost: linear in the text, once.

import (
	"context"
	"math"
	"slices"
	"strings"

	"magus/cfa"

	"modernc.org/cc/v4"
)

// Layouts are those of a program's types.
type Layouts struct {
	model   cfa.DataModel
	long    cfa.LongDouble
	excess  bool // floating point may be computed with more precision than its type has
	records map[recordKey]*definition
	shapes  map[cc.Type]*shape
	differs map[cc.Type]bool
	before  map[*cc.Enumerator]*cc.Enumerator // the one before it in its enumeration
	of      map[*cc.Enumerator]cc.Type        // its enumeration, where a type is written there
	beyond  map[*cc.Enumerator]bool           // of enumerations with a value beyond long, without a type that is written
	ints    cc.Type
	// compatible are the values of calls of __builtin_types_compatible_p.
	compatible map[*cc.PostfixExpression]bool
	own        ownAlignments
}

// A definition is what the text of a record says of its layout.
type definition struct {
	packed  bool
	aligned int64 // bytes, or 0
	pack    int64 // #pragma pack, bytes, or 0
	members map[*cc.Declarator]memberSays
	mode    bool // a member has the attribute mode
	// unnamed are the declarations of members without a name, in order.
	unnamed []memberSays
}

// MemberSays is what the declaration of a member says.
type memberSays struct {
	packed  bool
	aligned int64
	mode    bool
}

func newLayouts(model cfa.DataModel) *Layouts {
	return &Layouts{model: model, records: map[recordKey]*definition{}, shapes: map[cc.Type]*shape{},
		differs: map[cc.Type]bool{}, before: map[*cc.Enumerator]*cc.Enumerator{}, of: map[*cc.Enumerator]cc.Type{},
		beyond: map[*cc.Enumerator]bool{}, compatible: map[*cc.PostfixExpression]bool{},
		own: ownAlignments{map[*cc.Declarator]int64{}, map[string]int{}}}
}

// read notes the definitions of a file. The error is that of assertions that do not hold, or ctx's.
func (l *Layouts) read(ctx context.Context, f *File) error {
	l.ints = f.ast.Int
	var packs []pragmaPack
	type found struct {
		seq int
		d   *definition
	}
	var all []found
	var asserted assertions
	var compared []*cc.PostfixExpression
	w := walk{ctx: ctx}
	Inspect(f.ast.TranslationUnit, func(n any) bool {
		if w.interrupted() {
			return false
		}
		switch n := n.(type) {
		case *cc.Declaration:
			l.noteAlignments(n)
		case *cc.EnumSpecifier:
			asserted.add(l.enumeration(n))
		case *cc.PostfixExpression:
			if n.Case == cc.PostfixExpressionCall && CalleeName(n) == TypesCompatibleName {
				compared = append(compared, n)
			}
		case *cc.StaticAssertDeclaration:
			asserted = append(asserted, assertion{n, n.ConstantExpression})
		case *cc.StructOrUnionSpecifier:
			if n.Case == cc.StructOrUnionSpecifierTag {
				if op, ok := strings.CutPrefix(n.Token.SrcStr(), packMarker); ok {
					packs = append(packs, pragmaPack{n.Token.Seq(), op})
				}
			} else if n.Type() != nil {
				if d := l.define(n); d != nil {
					all = append(all, found{n.Token3.Seq(), d})
				}
			}
		}
		return true
	})
	if w.err != nil {
		return w.err
	}
	l.compare(f.ast, compared)
	slices.SortFunc(packs, func(a, b pragmaPack) int { return a.seq - b.seq })
	var stack packStack
	slices.SortStableFunc(all, func(a, b found) int { return a.seq - b.seq })
	for _, x := range all {
		for len(packs) > 0 && packs[0].seq < x.seq {
			stack.apply(packs[0].op)
			packs = packs[1:]
		}
		x.d.pack = stack.now
	}
	return l.judge(asserted)
}

// enumeration notes the order of an enumeration, and gives its last enumerator.
func (l *Layouts) enumeration(e *cc.EnumSpecifier) (last *cc.Enumerator) {
	beyond := false
	for list := e.EnumeratorList; list != nil; list = list.EnumeratorList {
		l.before[list.Enumerator] = last
		if hasWrittenType(e) {
			l.of[list.Enumerator] = e.Type()
		}
		beyond = beyond || isBeyondLong(list.Enumerator)
		last = list.Enumerator
	}
	if beyond && !hasWrittenType(e) {
		for en := last; en != nil; en = l.before[en] {
			l.beyond[en] = true
		}
	}
	return last
}

// define notes what the text of a record says; nil if it has no member with a name.
func (l *Layouts) define(s *cc.StructOrUnionSpecifier) *definition {
	d := &definition{members: map[*cc.Declarator]memberSays{}}
	all := says(s.AttributeSpecifierList, s.AttributeSpecifierList2)
	d.packed, d.aligned = all.packed, all.aligned
	for list := s.StructDeclarationList; list != nil; list = list.StructDeclarationList {
		decl := list.StructDeclaration
		lists := []*cc.AttributeSpecifierList{decl.AttributeSpecifierList}
		var alignas int64
		for q := decl.SpecifierQualifierList; q != nil; q = q.SpecifierQualifierList {
			lists = append(lists, q.AttributeSpecifierList)
			alignas = max(alignas, l.alignas(q.AlignmentSpecifier))
		}
		m := says(lists...)
		m.aligned = max(m.aligned, alignas)
		d.mode = d.mode || m.mode
		if decl.StructDeclaratorList == nil {
			d.unnamed = append(d.unnamed, m)
		}
		for ds := decl.StructDeclaratorList; ds != nil; ds = ds.StructDeclaratorList {
			x := ds.StructDeclarator
			if x.Declarator == nil {
				d.unnamed = append(d.unnamed, m)
				continue
			}
			d.members[x.Declarator] = m
		}
	}
	key := keyOf(s.Type())
	if key.first == nil {
		return nil
	}
	l.records[key] = d
	return d
}

// alignas is what _Alignas asks for, in bytes, or 0.
func (l *Layouts) alignas(a *cc.AlignmentSpecifier) int64 {
	switch {
	case a == nil:
		return 0
	case a.TypeName != nil:
		return l.Align(a.TypeName.Type())
	}
	return number(a.ConstantExpression)
}

// A recordKey is how a record is known: by its first member with a name, which may be one of
// records without a name in it.
type recordKey struct {
	first *cc.Declarator
	depth int
}

func keyOf(t cc.Type) recordKey {
	for _, f := range Members(t) {
		if d := f.Declarator(); d != nil && f.Name() != "" {
			return recordKey{d, 0}
		}
		if !f.IsBitfield() && isAnonymous(f.Type()) {
			if k := keyOf(f.Type()); k.first != nil {
				return recordKey{k.first, k.depth + 1}
			}
		}
	}
	return recordKey{}
}

// says are the attributes in some lists.
func says(lists ...*cc.AttributeSpecifierList) (m memberSays) {
	for _, list := range lists {
		Inspect(list, func(n any) bool {
			a, ok := n.(*cc.AttributeValue)
			if !ok {
				return true
			}
			switch strings.Trim(a.Token.SrcStr(), "_") {
			case "packed":
				m.packed = true
			case "mode":
				m.mode = true
			case "aligned":
				align := int64(16)
				if args := a.ArgumentExpressionList; args != nil {
					align = number(args.AssignmentExpression)
				}
				m.aligned = max(m.aligned, align)
			}
			return false
		})
	}
	return m
}

// number is the value of a constant expression, 0 if the C library did not find it.
func number(n cc.ExpressionNode) int64 {
	switch v := n.Value().(type) {
	case cc.Int64Value:
		return int64(v)
	case cc.UInt64Value:
		return int64(v)
	}
	return 0
}

// shape is the layout of a record.
func (l *Layouts) shape(t cc.Type) *shape {
	if s := l.shapes[t]; s != nil {
		return s
	}
	d := l.records[keyOf(t)]
	if d == nil {
		d = &definition{}
	}
	p := packing{union: t.Kind() == cc.Union, most: 8 * d.pack, least: 8 * d.aligned, narrow: l.model == cfa.ILP32}
	fields := Members(t)
	var slots []slot
	var of []int
	unnamed := 0
	for i, f := range fields {
		says, named := d.members[f.Declarator()]
		if !named && f.Name() == "" {
			if unnamed < len(d.unnamed) {
				says = d.unnamed[unnamed]
			}
			unnamed++
		}
		if f.Name() == "" && !f.IsBitfield() && !isAnonymous(f.Type()) {
			continue // declares no member
		}
		slots, of = append(slots, l.slot(f, says, d.packed)), append(of, i)
	}
	s := layOut(slots, p)
	at := make([]int64, len(fields))
	for k, i := range of {
		at[i] = s.at[k]
	}
	s.at = at
	l.shapes[t] = &s
	return &s
}

// slot is a member as the layout sees it.
func (l *Layouts) slot(f *cc.Field, says memberSays, packed bool) slot {
	t := f.Type()
	size := max(l.Size(t), 0)
	if f.IsFlexibleArrayMember() {
		size = 0
	}
	align, user := l.align(t)
	scalar := t
	for a, ok := scalar.(*cc.ArrayType); ok; a, ok = scalar.(*cc.ArrayType) {
		scalar = a.Elem()
	}
	m := slot{size: 8 * size, width: -1, align: 8 * align, user: user, declared: 8 * says.aligned,
		packed: packed || says.packed, named: f.Name() != "",
		narrow: scalar.Kind() != cc.Struct && scalar.Kind() != cc.Union && !l.isQuad(scalar)}
	if f.IsBitfield() {
		m.width = f.ValueBits()
	}
	return m
}

// isQuad reports whether a type is quad, whose alignment is the same everywhere.
func (l *Layouts) isQuad(t cc.Type) bool {
	return t.Kind() == cc.Float128 || t.Kind() == cc.LongDouble && l.long == cfa.Quad
}

// Size is the size of a type in bytes, negative if it is not known.
func (l *Layouts) Size(t cc.Type) int64 {
	switch x := t.(type) {
	case *cc.ArrayType:
		n, elem := l.Len(x), l.Size(x.Elem())
		if n < 0 || elem < 0 {
			return t.Size()
		}
		return n * elem
	case *cc.StructType, *cc.UnionType:
		if t.Size() < 0 || t.IsIncomplete() && len(Members(t)) == 0 {
			return t.Size()
		}
		return l.shape(t).size / 8
	}
	return t.Size()
}

// largest is how many bytes an object can have: a difference of pointers into it has to fit.
func (l *Layouts) largest() int64 {
	if l.model == cfa.ILP32 {
		return math.MaxInt32
	}
	return math.MaxInt64
}

// Len is the length of an array, negative if it is not known.
func (l *Layouts) Len(a *cc.ArrayType) int64 {
	if n := a.Len(); n < 0 || a.SizeExpression() == nil || !l.AsksForLayout(a.SizeExpression()) {
		return n
	}
	if v, ok := l.Constant(a.SizeExpression()); ok {
		return v
	}
	return -1
}

// Align is the alignment of a type in bytes.
func (l *Layouts) Align(t cc.Type) int64 {
	n, _ := l.align(t)
	return n
}

// align is the alignment of a type in bytes, and whether it was asked for.
func (l *Layouts) align(t cc.Type) (n int64, user bool) {
	if a := t.Attributes(); a != nil && a.Aligned() > 0 {
		return a.Aligned(), true
	}
	switch x := t.(type) {
	case *cc.ArrayType:
		return l.align(x.Elem())
	case *cc.StructType, *cc.UnionType:
		if t.Size() < 0 {
			return 1, false
		}
		s := l.shape(t)
		return s.align / 8, s.user
	}
	return max(int64(t.Align()), 1), false
}

// Offset is where a member stands in its record, in bits.
func (l *Layouts) Offset(f *cc.Field) int64 { return l.shape(f.ParentType()).at[f.Index()] }

// Member is where a member stands in a record, in bits; a member of a record without a name
// is one of those around it, too. The record may be another unit's definition.
func (l *Layouts) Member(record cc.Type, f *cc.Field) (at int64, ok bool) {
	at, ok = l.member(record, func(m *cc.Field) bool {
		return m == f || m.Declarator() != nil && m.Declarator() == f.Declarator()
	})
	if !ok && f.Name() != "" {
		at, ok = l.member(record, func(m *cc.Field) bool { return m.Name() == f.Name() })
	}
	return at, ok
}

func (l *Layouts) member(record cc.Type, is func(*cc.Field) bool) (at int64, ok bool) {
	for i, m := range Members(record) {
		if is(m) {
			return l.shape(record).at[i], true
		}
		if m.Name() == "" && !m.IsBitfield() {
			if at, ok := l.member(m.Type(), is); ok {
				return l.shape(record).at[i] + at, true
			}
		}
	}
	return 0, false
}

// Place is where a part of an object stands, in bits, that stands at a byte of it in the C
// library's layout: a scalar or a record of a type, or a bit-field.
func (l *Layouts) Place(object cc.Type, at int64, part cc.Type, f *cc.Field) (bits int64, ok bool) {
	bitField := f != nil && f.IsBitfield()
	if !l.Differs(object) {
		if bitField {
			return 8*at + int64(f.OffsetBits()), true
		}
		return 8 * at, true
	}
	if at == 0 && !bitField && isPart(object, part) {
		return 0, true
	}
	if a, ok := object.(*cc.ArrayType); ok {
		size := a.Elem().Size()
		if size <= 0 {
			return 0, false
		}
		bits, ok = l.Place(a.Elem(), at%size, part, f)
		return at/size*8*l.Size(a.Elem()) + bits, ok
	}
	for i, m := range Members(object) {
		if bitField && m.IsBitfield() && m.Declarator() == f.Declarator() && m.Offset() == at {
			return l.shape(object).at[i], true
		}
		if m.IsBitfield() || at < m.Offset() || at >= m.Offset()+max(m.Type().Size(), 0) && !m.IsFlexibleArrayMember() {
			continue
		}
		if bits, ok = l.Place(m.Type(), at-m.Offset(), part, f); ok {
			return l.shape(object).at[i] + bits, true
		}
	}
	return 0, false
}

// isPart reports whether a part of a type is the whole.
func isPart(whole, part cc.Type) bool {
	if whole == part {
		return true
	}
	a, ok := whole.(*cc.ArrayType)
	b, also := part.(*cc.ArrayType)
	if ok && also {
		return a.Len() == b.Len() && isPart(a.Elem(), b.Elem())
	}
	if k := keyOf(whole); k.first != nil || ok || also {
		return k.first != nil && k == keyOf(part) && whole.Kind() == part.Kind()
	}
	return whole.Kind() == part.Kind() && whole.Size() == part.Size()
}

// IsLoose reports whether a type, or members of a record, need not be aligned as others of
// their size are.
func (l *Layouts) IsLoose(t cc.Type) bool {
	if a := t.Attributes(); a != nil && a.Aligned() > 0 && a.Aligned() < t.Size() && len(Members(t)) == 0 {
		return true
	}
	fields := Members(t)
	if len(fields) == 0 {
		return false
	}
	s := l.shape(t)
	for i, f := range fields {
		if !f.IsBitfield() && (s.at[i]%(8*l.Align(f.Type())) != 0 || l.Align(f.Type()) > s.align/8 || l.IsLoose(f.Type())) {
			return true
		}
	}
	return false
}

// Differs reports whether the C library has another layout for a type.
func (l *Layouts) Differs(t cc.Type) bool {
	if t == nil {
		return false
	}
	if known, ok := l.differs[t]; ok {
		return known
	}
	l.differs[t] = false // a member points to it
	differs := l.Size(t) != t.Size() || l.Align(t) != int64(t.Align())
	switch x := t.(type) {
	case *cc.ArrayType:
		differs = differs || l.Differs(x.Elem())
	case *cc.StructType, *cc.UnionType:
		if t.Size() < 0 {
			break
		}
		s := l.shape(t)
		for i, f := range Members(t) {
			differs = differs || s.at[i] != 8*f.Offset()+int64(f.OffsetBits()) || l.Differs(f.Type())
		}
	}
	l.differs[t] = differs
	return differs
}

// maxMember is the size of the largest members whose layout, which is in bits, is worked out.
const maxMember = math.MaxInt64 / 64

// Unknown says why the layout of a type is not known, or is empty.
func (l *Layouts) Unknown(t cc.Type) string {
	if a, ok := t.(*cc.ArrayType); ok {
		return l.Unknown(a.Elem())
	}
	if d := l.records[keyOf(t)]; HasAttribute(t, "mode") || d != nil && d.mode {
		return "the attribute mode gives a type another size"
	}
	fields := Members(t)
	for _, f := range fields {
		if a, ok := f.Type().(*cc.ArrayType); ok && IsVariable(a) {
			return "a member is an array of variable length"
		}
		if l.Size(f.Type()) > maxMember {
			return "a member is too large"
		}
		if why := l.Unknown(f.Type()); why != "" {
			return why
		}
	}
	if len(fields) > 1 && keyOf(t).first == nil {
		return "the structure has members, none of them with a name"
	}
	return ""
}

// isAnonymous reports whether a member without a name gives its members to the structure:
// whether its type is a structure or union without a name.
func isAnonymous(t cc.Type) bool {
	var tag cc.Token
	switch x := t.(type) {
	case *cc.StructType:
		tag = x.Tag()
	case *cc.UnionType:
		tag = x.Tag()
	default:
		return false
	}
	return tag.SrcStr() == "" && t.Typedef() == nil
}

// HasAttribute reports whether a type, or what is declared with it, has a GCC
// attribute.
func HasAttribute(t cc.Type, name string) bool {
	a := t.Attributes()
	return a != nil && (a.IsAttrSet(name) || a.IsAttrSet("__"+name+"__"))
}

// SizedType is the type whose size or alignment an expression asks for.
func SizedType(x *cc.UnaryExpression) cc.Type {
	switch x.Case {
	case cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofType:
		return x.TypeName.Type()
	}
	if t := ChosenPointee(x.UnaryExpression); t != nil {
		return t
	}
	return x.UnaryExpression.Type().Undecay()
}
