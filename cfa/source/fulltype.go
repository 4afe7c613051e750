package source

// Types of expressions with their qualifiers, for _Generic (C11 6.5.1.1).
//
// The library loses qualifiers: const char *const *p is a constant pointer to it, and a member const char *q one to
// char. So types are read off the syntax here, of declarations, of names of types and of expressions. What is not known
// (a type that an attribute changes, enumerations) is nil, and so is what it is a part of.
//
// Cost: linear in the expressions and declarations that are asked for.

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

type fullKind uint8

const (
	ofNumber fullKind = iota // void, too
	ofRecord
	ofPointer
	ofArray
	ofFunction
)

// A fullType is a type.
type fullType struct {
	kind      fullKind
	qualified qualifierSet
	number    cc.Kind
	record    cc.Type
	to        *fullType // of a pointer or array; of a function what it returns
	len       int64     // of an array; negative if it is not said
	params    []*fullType
	prototype bool
	variadic  bool
}

// A qualifierSet says which qualifiers a type has: const, volatile and restrict.
type qualifierSet [3]bool

// add adds what a qualifier says; false if that is not known, as of _Atomic, which makes another type.
func (q *qualifierSet) add(x *cc.TypeQualifier) bool {
	switch x.Case {
	case cc.TypeQualifierConst:
		q[0] = true
	case cc.TypeQualifierVolatile:
		q[1] = true
	case cc.TypeQualifierRestrict:
		q[2] = true
	default:
		return false
	}
	return true
}

func numberType(k cc.Kind) *fullType { return &fullType{kind: ofNumber, number: k} }

func pointerTo(to *fullType) *fullType {
	if to == nil {
		return nil
	}
	return &fullType{kind: ofPointer, to: to}
}

// with is a type with further qualifiers; those of an array are its elements'.
func (s *fullType) with(q qualifierSet) *fullType {
	if s == nil || q == (qualifierSet{}) {
		return s
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

// same reports whether two types are compatible; unqualified says that their own qualifiers do not count.
func (s *fullType) same(t *fullType, unqualified bool) (same, known bool) {
	switch {
	case s == nil || t == nil:
		return false, false
	case s.kind != t.kind || !unqualified && s.qualified != t.qualified:
		return false, true
	}
	switch s.kind {
	case ofNumber:
		return s.number == t.number, true
	case ofRecord:
		return sameRecord(s.record, t.record)
	case ofArray:
		if same, known := s.to.same(t.to, false); !same || !known {
			return same, known
		}
		return s.len == t.len, s.len >= 0 && t.len >= 0
	case ofFunction:
		return s.sameFunction(t)
	}
	return s.to.same(t.to, false)
}

func (s *fullType) sameFunction(t *fullType) (same, known bool) {
	if same, known = s.to.same(t.to, true); !same || !known {
		return same, known
	}
	if !s.prototype || !t.prototype {
		return false, false
	}
	if s.variadic != t.variadic || len(s.params) != len(t.params) {
		return false, true
	}
	for i := range s.params {
		if same, known = s.params[i].same(t.params[i], true); !same || !known {
			return same, known
		}
	}
	return true, true
}

// fullTypes reads types off the syntax of a unit.
type fullTypes struct {
	specifiers map[*cc.Declarator]cc.Node // of a declaration, by what it declares
	depth      int
}

func newFullTypes(ast *cc.AST) *fullTypes {
	s := &fullTypes{specifiers: map[*cc.Declarator]cc.Node{}}
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
				if d := l.StructDeclarator.Declarator; d != nil && l.StructDeclarator.ConstantExpression == nil {
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
	"char unsigned": cc.UChar, "short": cc.Short, "short unsigned": cc.UShort, "unsigned": cc.UInt, "long": cc.Long, "long unsigned": cc.ULong,
	"long long": cc.LongLong, "long long unsigned": cc.ULongLong, "_Bool": cc.Bool, "float": cc.Float, "double": cc.Double,
	"double long": cc.LongDouble}

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

// arrayLength is the length that is written for an array; negative if none is that is known.
func arrayLength(n cc.ExpressionNode) int64 {
	if n == nil {
		return -1
	}
	if v, ok := folded(n.Value()); ok {
		return v
	}
	if p, ok := Unparen(n).(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionInt { // not yet looked at
		return decimal(p.Token.SrcStr())
	}
	return -1
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
		f.params = append(f.params, t.value())
	}
	return f
}
