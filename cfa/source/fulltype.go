package source

// Types of expressions with their qualifiers, for _Generic (C11 6.5.1.1).
//
// The library loses qualifiers: const char *const *p is a constant pointer to it, and a member const char *q one to
// char. So types are read off the syntax here, of declarations, of names of types and of expressions. What is not known
// (a type that an attribute changes) is nil, and so is what it is a part of.
//
// Cost: linear in the expressions and declarations that are asked for.

import (
	"slices"
	"strings"

	"magus/cfa/source/reword"

	"modernc.org/cc/v4"
)

type fullKind uint8

const (
	ofNumber fullKind = iota // void, too
	ofEnum
	ofRecord
	ofPointer
	ofArray
	ofFunction
)

// A fullType is a type.
type fullType struct {
	kind      fullKind
	qualified qualifierSet
	number    cc.Kind // of an enumeration that of its integers
	record    cc.Type
	first     *cc.Enumerator // of an enumeration, by which it is known
	to        *fullType      // of a pointer or array; of a function what it returns
	len       int64          // of an array; notSaid or notKnown
	params    []*fullType
	prototype bool
	variadic  bool
}

// Lengths of arrays that are no numbers.
const (
	notSaid  = -1 // an incomplete type
	notKnown = -2
)

// A qualifierSet says which qualifiers a type has: const, volatile, restrict and _Atomic.
type qualifierSet [4]bool

// atomic is the place of _Atomic in a qualifierSet.
const atomic = 3

// add adds what a qualifier says; false if that is not known, as of an attribute.
func (q *qualifierSet) add(x *cc.TypeQualifier) bool {
	switch x.Case {
	case cc.TypeQualifierConst:
		q[0] = true
	case cc.TypeQualifierVolatile:
		q[1] = true
	case cc.TypeQualifierRestrict:
		q[2] = true
	case cc.TypeQualifierAtomic:
		q[atomic] = true
	default:
		return false
	}
	return true
}

// isNumber reports whether a type is one of numbers.
func (s *fullType) isNumber() bool {
	return s.kind == ofEnum || s.kind == ofNumber && s.number != cc.Void
}

func numberType(k cc.Kind) *fullType { return &fullType{kind: ofNumber, number: k} }

func pointerTo(to *fullType) *fullType {
	if to == nil {
		return nil
	}
	return &fullType{kind: ofPointer, to: to}
}

// with is a type with further qualifiers; those of an array are its elements', and what those of a function mean
// C leaves open (6.7.3p9).
func (s *fullType) with(q qualifierSet) *fullType {
	switch {
	case s == nil || q == (qualifierSet{}):
		return s
	case s.kind == ofFunction:
		return nil
	}
	c := *s
	if s.kind == ofArray {
		if c.to = s.to.with(q); c.to == nil {
			return nil
		}
		return &c
	}
	for i := range q {
		c.qualified[i] = s.qualified[i] || q[i]
	}
	return &c
}

// value is the type of what an expression of a type gives where it is used (C11 6.3.2.1).
func (s *fullType) value() *fullType {
	switch {
	case s == nil:
		return nil
	case s.kind == ofArray:
		return pointerTo(s.to)
	case s.kind == ofFunction:
		return pointerTo(s)
	}
	c := *s
	c.qualified = qualifierSet{}
	return &c
}

// parameter is the type of a parameter that is declared with one. What qualifies it does not count, but _Atomic
// does (C11 6.7.6.3p15; GCC).
func (s *fullType) parameter() *fullType {
	p := s.value()
	if p != nil && s.kind != ofArray && s.qualified[atomic] {
		return p.with(qualifierSet{atomic: true})
	}
	return p
}

// unqualified is a type without qualifiers, an array without those of its elements.
func (s *fullType) unqualified() *fullType {
	if s == nil {
		return nil
	}
	c := *s
	c.qualified = qualifierSet{}
	if s.kind == ofArray {
		if c.to = s.to.unqualified(); c.to == nil {
			return nil
		}
	}
	return &c
}

// same reports whether two types are compatible; unqualified says that their own qualifiers do not count. Where GCC
// passes over qualifiers, that is not known: of an enumeration beside its integer type behind a pointer.
func (s *fullType) same(t *fullType, unqualified bool) (same, known bool) {
	switch {
	case s == nil || t == nil:
		return false, false
	case s.kind == ofEnum && t.kind == ofNumber || s.kind == ofNumber && t.kind == ofEnum:
		// an enumeration is compatible with its integer type (6.7.2.2p4)
		plain := unqualified || s.qualified == t.qualified && t.qualified == (qualifierSet{})
		return s.number == t.number, s.number != t.number || plain
	case s.kind != t.kind || !unqualified && s.qualified != t.qualified:
		return false, true
	}
	switch s.kind {
	case ofNumber:
		return s.number == t.number, true
	case ofEnum:
		return s.first == t.first, true
	case ofRecord:
		return sameRecord(s.record, t.record)
	case ofArray:
		if same, known := s.to.same(t.to, false); !same || !known {
			return same, known
		}
		if s.len == notSaid || t.len == notSaid {
			return true, true
		}
		return s.len == t.len, s.len >= 0 && t.len >= 0
	case ofFunction:
		return s.sameFunction(t)
	}
	return s.to.same(t.to, false)
}

func (s *fullType) sameFunction(t *fullType) (same, known bool) {
	if same, known = s.to.same(t.to, true); !same || !known || s.to.qualified[atomic] || t.to.qualified[atomic] {
		return same, known && !same
	}
	if !s.prototype || !t.prototype {
		return s.prototype == t.prototype || s.passesUnchanged() && t.passesUnchanged(), s.known() && t.known()
	}
	if s.variadic != t.variadic || len(s.params) != len(t.params) {
		return false, true
	}
	for i := range s.params {
		if same, known = s.params[i].same(t.params[i], false); !same || !known {
			return same, known
		}
	}
	return true, true
}

// known reports whether the types of all parameters are known.
func (s *fullType) known() bool { return !slices.Contains(s.params, nil) }

// passesUnchanged reports whether a function is compatible with one without a prototype: the default promotions of
// arguments change no parameter (C11 6.7.6.3p15).
func (s *fullType) passesUnchanged() bool {
	for _, p := range s.params {
		if p == nil {
			return false
		}
		if p.kind == ofNumber || p.kind == ofEnum {
			switch p.number {
			case cc.Bool, cc.Char, cc.SChar, cc.UChar, cc.Short, cc.UShort, cc.Float:
				return false
			}
		}
	}
	return !s.variadic
}

// fullTypes reads types off the syntax of a unit.
type fullTypes struct {
	specifiers map[*cc.Declarator]cc.Node // of a declaration, by what it declares
	longSize   int64
	depth      int
}

func newFullTypes(ast *cc.AST) *fullTypes {
	s := &fullTypes{specifiers: map[*cc.Declarator]cc.Node{}, longSize: ast.Long.Size()}
	Inspect(ast.TranslationUnit, func(n any) bool {
		switch x := n.(type) {
		case *cc.Declaration:
			for l := x.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
				s.specifiers[l.InitDeclarator.Declarator] = x.DeclarationSpecifiers
			}
		case *cc.FunctionDefinition:
			s.specifiers[x.Declarator] = x.DeclarationSpecifiers
		case *cc.ParameterDeclaration:
			if x.Declarator != nil {
				s.specifiers[x.Declarator] = x.DeclarationSpecifiers
			}
		case *cc.StructDeclaration:
			for l := x.StructDeclaratorList; l != nil; l = l.StructDeclaratorList {
				if d := l.StructDeclarator.Declarator; d != nil {
					s.specifiers[d] = x.SpecifierQualifierList
				}
			}
		}
		return true
	})
	return s
}

// declared is the type of what a declarator declares.
func (s *fullTypes) declared(d *cc.Declarator) *fullType {
	specs := s.specifiers[d]
	if d == nil || specs == nil || s.depth > 50 {
		return nil
	}
	s.depth++
	defer func() { s.depth-- }()
	t := s.declarator(d, s.specified(specs))
	if t != nil && d.IsParam() && (t.kind == ofArray || t.kind == ofFunction) {
		return t.value()
	}
	if t != nil && t.kind == ofArray && t.len == notSaid && !d.IsTypename() {
		c := *t // an initialiser may say it, or another declaration
		c.len = notKnown
		return &c
	}
	return t
}

// named is the type of a name for one.
func (s *fullTypes) named(n *cc.TypeName) *fullType {
	t := s.specified(n.SpecifierQualifierList)
	if a := n.AbstractDeclarator; a != nil {
		return s.abstract(a, t)
	}
	return t
}

// specified is the type that specifiers say.
func (s *fullTypes) specified(n cc.Node) *fullType {
	var words []*cc.TypeSpecifier
	var q qualifierSet
	known := true
	note := func(t *cc.TypeSpecifier, x *cc.TypeQualifier) {
		if t != nil {
			words = append(words, t)
		}
		if x != nil {
			known = q.add(x) && known
		}
	}
	switch x := n.(type) {
	case *cc.DeclarationSpecifiers:
		for ; x != nil; x = x.DeclarationSpecifiers {
			note(x.TypeSpecifier, x.TypeQualifier)
			known = known && x.AttributeSpecifierList == nil
		}
	case *cc.SpecifierQualifierList:
		for ; x != nil; x = x.SpecifierQualifierList {
			note(x.TypeSpecifier, x.TypeQualifier)
			known = known && x.AttributeSpecifierList == nil
		}
	}
	if !known || len(words) == 0 {
		return nil
	}
	return s.words(words).with(q)
}

// words is the type of the words that specifiers have for one.
func (s *fullTypes) words(words []*cc.TypeSpecifier) *fullType {
	w := words[0]
	switch w.Case {
	case cc.TypeSpecifierTypeName:
		return s.declared(typeNamed(w))
	case cc.TypeSpecifierTypeofExpr:
		return s.of(w.ExpressionList)
	case cc.TypeSpecifierTypeofType:
		return s.named(w.TypeName)
	case cc.TypeSpecifierAtomic:
		return s.named(w.AtomicTypeSpecifier.TypeName).with(qualifierSet{atomic: true})
	case cc.TypeSpecifierEnum:
		return enumNamed(w.EnumSpecifier)
	case cc.TypeSpecifierStructOrUnion:
		if t := recordNamed(w.StructOrUnionSpecifier); t != nil {
			return &fullType{kind: ofRecord, record: t}
		}
		return nil
	}
	var names []string
	for _, w := range words {
		switch name := plainWord(w.Token.SrcStr()); name {
		case "int", "signed":
		default:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if slices.Equal(names, []string{"char"}) && len(words) > 1 {
		names = []string{"char", "signed"}
	}
	if k, ok := numberKinds[strings.Join(names, " ")]; ok {
		return numberType(k)
	}
	return nil
}

// numberKinds are the arithmetic types, and void, by their words in order, int and signed left out.
var numberKinds = map[string]cc.Kind{"": cc.Int, "void": cc.Void, "char": cc.Char, "char signed": cc.SChar,
	"char unsigned": cc.UChar, "short": cc.Short, "short unsigned": cc.UShort, "unsigned": cc.UInt,
	"long": cc.Long, "long unsigned": cc.ULong,
	"long long": cc.LongLong, "long long unsigned": cc.ULongLong, "_Bool": cc.Bool, "float": cc.Float, "double": cc.Double,
	"double long": cc.LongDouble, reword.Half: HalfKind, "_Float128": cc.Float128, "__float128": cc.Float128}

// recordNamed is the structure or union of a specifier, which the library may not have looked at; nil if that is not
// known.
func recordNamed(w *cc.StructOrUnionSpecifier) cc.Type {
	if t := w.Type(); t != nil && t != cc.Invalid || w.Case != cc.StructOrUnionSpecifierTag {
		return t
	}
	for scope := w.LexicalScope(); scope != nil; scope = scope.Parent {
		for _, n := range scope.Nodes[w.Token.SrcStr()] {
			if d, ok := n.(*cc.StructOrUnionSpecifier); ok && d.Token.Seq() < w.Token.Seq() && d.Type() != nil {
				return d.Type()
			}
		}
	}
	return nil
}

// enumNamed is the enumeration of a specifier; nil if that is not known, as of one that is declared only.
func enumNamed(w *cc.EnumSpecifier) *fullType {
	t, ok := w.Type().(*cc.EnumType)
	if !ok && w.Case == cc.EnumSpecifierTag {
		t = enumAbove(w)
	}
	if t == nil || len(t.Enumerators()) == 0 {
		return nil
	}
	e := &fullType{kind: ofEnum, number: t.UnderlyingType().Kind(), first: t.Enumerators()[0]}
	if IsUnsignedLong(t) {
		e.number = cc.ULong
	}
	return e
}

// enumAbove is the enumeration that a tag names which the library has not looked at.
func enumAbove(w *cc.EnumSpecifier) *cc.EnumType {
	for scope := w.LexicalScope(); scope != nil; scope = scope.Parent {
		for _, n := range scope.Nodes[w.Token2.SrcStr()] {
			if d, ok := n.(*cc.EnumSpecifier); ok && d.Token2.Seq() < w.Token2.Seq() {
				if t, ok := d.Type().(*cc.EnumType); ok {
					return t
				}
			}
		}
	}
	return nil
}

// typeNamed is the declarator of the typedef that a specifier names.
func typeNamed(w *cc.TypeSpecifier) *cc.Declarator {
	name := w.Token.SrcStr()
	for scope := w.LexicalScope(); scope != nil; scope = scope.Parent {
		var found *cc.Declarator
		for _, n := range scope.Nodes[name] {
			if d, ok := n.(*cc.Declarator); ok && d.IsTypename() {
				tok := d.NameTok()
				if tok.Seq() < w.Token.Seq() {
					found = d
				}
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// pointers are as many pointers to a type as are written.
func (s *fullTypes) pointers(p *cc.Pointer, t *fullType) *fullType {
	for ; p != nil && t != nil; p = p.Pointer {
		if p.Case != cc.PointerTypeQual && p.Case != cc.PointerPtr {
			return nil
		}
		t = pointerTo(t)
		for l := p.TypeQualifiers; l != nil; l = l.TypeQualifiers {
			var q qualifierSet
			if l.TypeQualifier != nil && !q.add(l.TypeQualifier) {
				return nil
			}
			t = t.with(q)
		}
	}
	return t
}

func (s *fullTypes) declarator(d *cc.Declarator, t *fullType) *fullType {
	t = s.pointers(d.Pointer, t)
	for dd := d.DirectDeclarator; dd != nil && t != nil; dd = dd.DirectDeclarator {
		switch dd.Case {
		case cc.DirectDeclaratorIdent:
			return t
		case cc.DirectDeclaratorDecl:
			return s.declarator(dd.Declarator, t)
		case cc.DirectDeclaratorArr, cc.DirectDeclaratorStaticArr, cc.DirectDeclaratorArrStatic:
			t = &fullType{kind: ofArray, to: t, len: arrayLength(dd.AssignmentExpression)}
		case cc.DirectDeclaratorFuncParam:
			t = s.function(t, dd.ParameterTypeList)
		default:
			return nil
		}
	}
	return nil
}

func (s *fullTypes) abstract(a *cc.AbstractDeclarator, t *fullType) *fullType {
	t = s.pointers(a.Pointer, t)
	for dd := a.DirectAbstractDeclarator; dd != nil && t != nil; dd = dd.DirectAbstractDeclarator {
		switch dd.Case {
		case cc.DirectAbstractDeclaratorDecl:
			if dd.AbstractDeclarator == nil {
				return t
			}
			return s.abstract(dd.AbstractDeclarator, t)
		case cc.DirectAbstractDeclaratorArr:
			t = &fullType{kind: ofArray, to: t, len: arrayLength(dd.AssignmentExpression)}
		case cc.DirectAbstractDeclaratorFunc:
			t = s.function(t, dd.ParameterTypeList)
		default:
			return nil
		}
	}
	return t
}

// arrayLength is the length that is written for an array.
func arrayLength(n cc.ExpressionNode) int64 {
	if n == nil {
		return notSaid
	}
	if v, ok := folded(n.Value()); ok {
		return v
	}
	if p, ok := Unparen(n).(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionInt { // not yet looked at
		return decimal(p.Token.SrcStr())
	}
	return notKnown
}

// function is the type of a function with some parameters.
func (s *fullTypes) function(result *fullType, list *cc.ParameterTypeList) *fullType {
	f := &fullType{kind: ofFunction, to: result}
	if list == nil {
		return f
	}
	f.prototype, f.variadic = true, list.Case == cc.ParameterTypeListVar
	for l := list.ParameterList; l != nil; l = l.ParameterList {
		p := l.ParameterDeclaration
		t := s.specified(p.DeclarationSpecifiers)
		if p.Declarator != nil {
			t = s.declarator(p.Declarator, t)
		} else if p.AbstractDeclarator != nil {
			t = s.abstract(p.AbstractDeclarator, t)
		}
		if t != nil && t.kind == ofNumber && t.number == cc.Void {
			return f // (void)
		}
		f.params = append(f.params, t.parameter())
	}
	return f
}
