package source

// What is constant.
//
// Idea: the library keeps qualifiers of a type in objects that types share, so they are read off the declarations
// instead: a row of levels, the object's, then that of what it points to or consists of. What is declared in a way
// that is not followed here (parentheses, typeof) counts as not constant.
//
// Cost: linear in a declaration, once for each use.

import "modernc.org/cc/v4"

// A level says whether an object is constant; elem is the level of what it points to or consists of, nil if that is not
// known.
type level struct {
	constant bool
	elem     *level
}

// isConst reports whether an object must not be assigned to.
func (c *constraints) isConst(n cc.ExpressionNode) bool {
	l := c.level(n)
	if l != nil && l.constant {
		return true
	}
	return n.Type() != nil && isRecord(n.Type()) && c.hasConst(n.Type(), 0)
}

// hasConst reports whether a member of a structure is constant.
func (c *constraints) hasConst(t cc.Type, depth int) bool {
	for _, f := range Members(t) {
		if d := f.Declarator(); d != nil {
			if l := c.declared(d); l != nil && l.constant {
				return true
			}
		}
		if isRecord(f.Type()) && depth < 8 && c.hasConst(f.Type(), depth+1) {
			return true
		}
	}
	return false
}

// level is that of an expression, nil if nothing is known of it.
func (c *constraints) level(n cc.ExpressionNode) *level {
	switch x := Unparen(n).(type) {
	case *cc.PrimaryExpression:
		if d := Declarator(x); d != nil {
			return c.declared(d)
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			return c.level(x.CastExpression).to()
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionIndex:
			return c.level(x.PostfixExpression).to()
		case cc.PostfixExpressionSelect:
			return c.part(c.level(x.PostfixExpression), x.Field())
		case cc.PostfixExpressionPSelect:
			return c.part(c.level(x.PostfixExpression).to(), x.Field())
		}
	}
	return nil
}

func (l *level) to() *level {
	if l == nil {
		return nil
	}
	return l.elem
}

// part is the level of a member of an object.
func (c *constraints) part(of *level, f *cc.Field) *level {
	var own *level
	if f != nil && f.Declarator() != nil {
		own = c.declared(f.Declarator())
	}
	if of == nil || !of.constant {
		return own
	}
	if own == nil {
		return &level{constant: true}
	}
	return own.asConst(f.Type())
}

// asConst is a level of an object of type t that is constant: of an array, its elements are.
func (l *level) asConst(t cc.Type) *level {
	if a, ok := t.(*cc.ArrayType); ok && l.elem != nil {
		return &level{true, l.elem.asConst(a.Elem())}
	}
	return &level{true, l.elem}
}

// constant reports whether a variable is.
func (c *constraints) constant(d *cc.Declarator) bool {
	l := c.declared(d)
	return l != nil && l.constant
}

// declared is the level of what a declarator declares.
func (c *constraints) declared(d *cc.Declarator) *level {
	specs, ok := c.specifiers[d]
	if !ok || d.DirectDeclarator == nil {
		return nil
	}
	l := c.base(specs)
	for p := d.Pointer; l != nil && p != nil; p = p.Pointer {
		l = &level{saysConst(p.TypeQualifiers), l}
	}
	dd := d.DirectDeclarator
	for ; l != nil && dd.Case != cc.DirectDeclaratorIdent; dd = dd.DirectDeclarator {
		switch dd.Case {
		case cc.DirectDeclaratorArr, cc.DirectDeclaratorStaticArr, cc.DirectDeclaratorArrStatic:
			l = &level{elem: l} // it is assigned to by its elements, and as a parameter it is a pointer
		default:
			return nil
		}
	}
	return l
}

// base is the level that specifiers give.
func (c *constraints) base(specs any) *level {
	l := &level{}
	constant := false
	add := func(s *cc.TypeSpecifier, q *cc.TypeQualifier) bool {
		if q != nil && q.Case == cc.TypeQualifierConst {
			constant = true
		}
		if s != nil {
			switch s.Case {
			case cc.TypeSpecifierTypeofExpr, cc.TypeSpecifierTypeofType:
				return false
			case cc.TypeSpecifierTypeName:
				if l = c.alias(s); l == nil {
					return false
				}
			}
		}
		return true
	}
	switch s := specs.(type) {
	case *cc.DeclarationSpecifiers:
		for ; s != nil; s = s.DeclarationSpecifiers {
			if !add(s.TypeSpecifier, s.TypeQualifier) {
				return nil
			}
		}
	case *cc.SpecifierQualifierList:
		for ; s != nil; s = s.SpecifierQualifierList {
			if !add(s.TypeSpecifier, s.TypeQualifier) {
				return nil
			}
		}
	}
	if constant {
		return &level{true, l.elem}
	}
	return l
}

// alias is the level of a type's name.
func (c *constraints) alias(s *cc.TypeSpecifier) *level {
	name := s.Token.SrcStr()
	for scope := s.LexicalScope(); scope != nil; scope = scope.Parent {
		for _, n := range scope.Nodes[name] {
			if d, ok := n.(*cc.Declarator); ok && d.IsTypename() {
				if d.Type() != nil && d.Type().Kind() == cc.Array {
					return nil // const would be that of its elements
				}
				return c.declared(d)
			}
		}
	}
	return nil
}

// saysConst reports whether qualifiers contain const.
func saysConst(q *cc.TypeQualifiers) bool {
	for ; q != nil; q = q.TypeQualifiers {
		if q.TypeQualifier != nil && q.TypeQualifier.Case == cc.TypeQualifierConst {
			return true
		}
	}
	return false
}

// MayBeConst reports whether a compound literal of this type may be const-qualified, or its elements may be. The
// library keeps const only of what a type's name or typeof stands for; what is written in place is read off.
func MayBeConst(x *cc.TypeName) bool {
	t := x.Type()
	for a, ok := t.(*cc.ArrayType); ok && !qualifiers(t)[0]; a, ok = t.(*cc.ArrayType) {
		t = a.Elem()
	}
	if qualifiers(t)[0] {
		return true
	}
	if a := x.AbstractDeclarator; a != nil && a.Pointer != nil {
		return pointsConst(a.Pointer)
	}
	for s := x.SpecifierQualifierList; s != nil; s = s.SpecifierQualifierList {
		if q := s.TypeQualifier; q != nil && q.Case == cc.TypeQualifierConst {
			return true
		}
	}
	return false
}

// pointsConst reports whether a pointer is constant, or one that it points to.
func pointsConst(p *cc.Pointer) bool {
	for ; p != nil; p = p.Pointer {
		if saysConst(p.TypeQualifiers) {
			return true
		}
	}
	return false
}

// Constant reports whether a variable is constant: it is not assigned to after its initialisation. The library says it
// by the specifiers and the first pointer, but the last pointer of the innermost parentheses decides: of
// T (*const table[])(void) the elements are constant, and T *const *p is not.
func Constant(d *cc.Declarator) bool {
	pointer := d.Pointer
	for dd := d.DirectDeclarator; dd != nil; {
		if dd.Case != cc.DirectDeclaratorDecl {
			dd = dd.DirectDeclarator
			continue
		}
		if dd.Declarator.Pointer != nil {
			pointer = dd.Declarator.Pointer
		}
		dd = dd.Declarator.DirectDeclarator
	}
	if pointer == nil {
		return d.IsConst()
	}
	for pointer.Pointer != nil {
		pointer = pointer.Pointer
	}
	return saysConst(pointer.TypeQualifiers)
}
