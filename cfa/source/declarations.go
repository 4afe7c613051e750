package source

// Constraints of declarations: types that are complete, names that are new, initialisers that are known.

import (
	"math/bits"

	"modernc.org/cc/v4"
)

// function looks at a definition, and at what is in it.
func (c *constraints) function(x *cc.FunctionDefinition) {
	outer, choice := c.result, c.choice
	defer func() { c.result, c.choice = outer, choice }()
	c.storage(x.DeclarationSpecifiers)
	c.inspect(x.DeclarationSpecifiers)
	c.inspect(x.Declarator)
	c.result, c.choice = cc.Invalid, nil
	if t, ok := x.Declarator.Type().(*cc.FunctionType); ok {
		c.returns(x.Declarator, t)
		for _, p := range t.Parameters() {
			if p.Declarator != nil {
				c.complete(p.Declarator, p.Type(), "parameter "+p.Declarator.Name())
			}
		}
		if c.sureOf(x.DeclarationSpecifiers) && t.Result().VectorSize() <= 0 {
			c.result = t.Result()
		}
	}
	c.labels(x.CompoundStatement)
	c.jumps(x.CompoundStatement)
	c.inspect(x.DeclarationList)
	c.inspect(x.CompoundStatement)
}

// labels looks for one that a function has twice. Blocks that declare labels of their own have them to themselves.
func (c *constraints) labels(body *cc.CompoundStatement) {
	first := map[string]*cc.LabeledStatement{}
	Inspect(body.BlockItemList, func(n any) bool {
		if c.interrupted() {
			return false
		}
		switch x := n.(type) {
		case *cc.BlockItem:
			return x.Case != cc.BlockItemFuncDef
		case *cc.CompoundStatement:
			if declaring(x, nil) != nil {
				c.labels(x)
				return false
			}
		case *cc.LabeledStatement:
			if x.Case != cc.LabeledStatementLabel {
				break
			}
			name := x.Token.SrcStr()
			if old := first[name]; old != nil {
				c.fault(x, "label %s is defined a second time, first at %v", name, Position(old.Position()))
			} else {
				first[name] = x
			}
		}
		return true
	})
}

// storage looks at specifiers that exclude each other.
func (c *constraints) storage(s *cc.DeclarationSpecifiers) (words []string) {
	for ; s != nil; s = s.DeclarationSpecifiers {
		if s.Case != cc.DeclarationSpecifiersStorage {
			continue
		}
		switch s.StorageClassSpecifier.Case {
		case cc.StorageClassSpecifierThreadLocal, cc.StorageClassSpecifierDeclspec:
			continue
		}
		words = append(words, s.StorageClassSpecifier.Token.SrcStr())
		if len(words) == 2 && words[0] != words[1] {
			c.fault(s.StorageClassSpecifier, "%s and %s exclude each other", words[0], words[1])
		}
	}
	return words
}

// declaration looks at what one declares.
func (c *constraints) declaration(x *cc.Declaration) {
	global := c.result == nil
	words := c.storage(x.DeclarationSpecifiers)
	says := func(word string) bool { return len(words) > 0 && words[0] == word }
	if global && says("auto") {
		c.fault(x, "auto is for variables of functions")
	}
	for l := x.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		d, init := l.InitDeclarator.Declarator, l.InitDeclarator.Initializer
		if d.Type() == nil {
			continue
		}
		c.derived(d)
		if f, ok := d.Type().(*cc.FunctionType); ok {
			c.returns(d, f)
			continue
		}
		if d.IsTypename() {
			continue
		}
		if init != nil && says("extern") && !global {
			c.fault(d, "%s is declared extern, so it cannot be initialised here", d.Name())
		}
		if !says("extern") {
			c.complete(d, d.Type(), d.Name())
			if a, ok := d.Type().(*cc.ArrayType); ok && !global && init == nil && a.SizeExpression() == nil &&
				a.Len() < 0 && !c.asksType(d) {
				c.fault(d, "%s is an array of no known length", d.Name())
			}
		}
		if init != nil {
			c.initialiser(d, init, global || says("static"))
		}
	}
}

// derived looks at the types that a declarator is made of.
func (c *constraints) derived(d *cc.Declarator) {
	for t := d.Type(); t != nil; {
		switch x := t.(type) {
		case *cc.ArrayType:
			switch x.Elem().Kind() {
			case cc.Void, cc.Function:
				c.fault(d, "%s is an array of %s, which is no type of objects", d.Name(), asC(x.Elem()))
				return
			}
			if size := x.SizeExpression(); size != nil {
				if s := c.sure(size); s != nil && !cc.IsIntegerType(s) {
					c.fault(size, "the length of an array must be an integer, and this is %s", asC(s))
					return
				}
				if read := c.reads(size); read != nil && c.result == nil {
					c.fault(size, "the length of %s is not constant: %s", d.Name(), Text(read))
					return
				}
				if c.tooLarge(x) {
					c.fault(size, "%s is too large: no object has more than %d bytes", d.Name(), c.layouts.largest())
					return
				}
			}
			t = x.Elem()
		case *cc.PointerType:
			t = x.Elem()
		default:
			return
		}
	}
}

// tooLarge reports whether an array, or one of its elements, has more bytes than an object can have.
func (c *constraints) tooLarge(a *cc.ArrayType) bool {
	if inner, ok := a.Elem().(*cc.ArrayType); ok && inner.SizeExpression() != nil && c.tooLarge(inner) {
		return true
	}
	n, ok := c.layouts.Constant(a.SizeExpression())
	elem := c.layouts.Size(a.Elem())
	if !ok || elem < 0 || n < 0 && cc.IsSignedInteger(a.SizeExpression().Type()) { // negative: the library tells
		return false
	}
	over, bytes := bits.Mul64(uint64(n), uint64(elem))
	return over > 0 || bytes > uint64(c.layouts.largest())
}

// returns looks at the type of what a function gives.
func (c *constraints) returns(d *cc.Declarator, t *cc.FunctionType) {
	switch t.Result().Undecay().Kind() {
	case cc.Array, cc.Function:
		c.fault(d, "%s returns %s, which no function can", d.Name(), asC(t.Result()))
	}
}

// complete looks whether a type is one that objects can have.
func (c *constraints) complete(n cc.Node, t cc.Type, name string) {
	switch {
	case t == nil || c.asksType(n):
	case t.Kind() == cc.Void:
		c.fault(n, "%s cannot be of type void", name)
	case isRecord(t) && t.IsIncomplete() && !c.defined(t):
		c.fault(n, "%s is of type %s, which is not defined", name, asC(t))
	case isUnknownEnum(t) && !c.tags["enum "+enumTag(t)]:
		c.fault(n, "%s is of type enum %s, which is not defined", name, enumTag(t))
	case t.Kind() == cc.Array:
		if e := t.(*cc.ArrayType).Elem(); isRecord(e) {
			c.complete(n, e, "what is in "+name)
		}
	}
}

// isUnknownEnum reports whether a type is an enumeration that has been declared only.
func isUnknownEnum(t cc.Type) bool {
	e, ok := t.(*cc.EnumType)
	return ok && e.IsIncomplete()
}

// enumTag is the tag of an enumeration.
func enumTag(t cc.Type) string {
	tag := t.(*cc.EnumType).Tag()
	return tag.SrcStr()
}

// defined reports whether a structure that was only declared is known to be defined elsewhere in the text.
func (c *constraints) defined(t cc.Type) bool {
	r, ok := t.(record)
	return ok && c.tags[Describe(t)+" "+tag(r)]
}

func (c *constraints) asksType(n cc.Node) bool {
	d, ok := n.(*cc.Declarator)
	return ok && c.typeof(c.specifiers[d])
}

func (c *constraints) sureOf(s *cc.DeclarationSpecifiers) bool { return !c.typeof(s) }

// initialiser looks at the value that an object begins with.
func (c *constraints) initialiser(d *cc.Declarator, init *cc.Initializer, static bool) {
	if init.Case != cc.InitializerExpr {
		return
	}
	n, t := init.AssignmentExpression, d.Type()
	switch {
	case c.asksType(d):
	case t.Kind() == cc.Array:
		switch x := Unparen(n).(type) {
		case *cc.PrimaryExpression:
			switch x.Case {
			case cc.PrimaryExpressionString, cc.PrimaryExpressionLString, cc.PrimaryExpressionStmt, cc.PrimaryExpressionGeneric:
				return
			}
		case *cc.PostfixExpression:
			if x.Case != cc.PostfixExpressionIndex && x.Case != cc.PostfixExpressionSelect &&
				x.Case != cc.PostfixExpressionPSelect {
				return
			}
		}
		if t.VectorSize() <= 0 {
			c.fault(n, "%s is an array: its initialiser stands in braces", d.Name())
		}
	default:
		before := len(c.errs)
		if static && narrow(t, address(n)) {
			c.fault(n, "%s has no room for an address, and what initialises it must be known before the program runs", d.Name())
			return
		}
		c.becomes(n, t, "what initialises "+d.Name())
		if read := c.reads(n); static && len(c.errs) == before && cc.IsScalarType(t) && read != nil {
			c.fault(read,
				"%s lives as long as the program, so what initialises it must be constant, and %s is not", d.Name(), Text(read))
		}
	}
}

// narrow reports whether a type is an integer with fewer bytes than an address has, and not a truth value.
func narrow(t cc.Type, address int64) bool {
	return cc.IsIntegerType(t) && t.Kind() != cc.Bool && t.VectorSize() <= 0 && t.Size() > 0 && t.Size() < address
}

// address is the size of an expression that is surely the address of an object, whatever integer it is
// converted to; else 0.
func address(n cc.ExpressionNode) int64 {
	switch x := Unparen(n).(type) {
	case *cc.PrimaryExpression:
		d := Declarator(x)
		if x.Case == cc.PrimaryExpressionString || d != nil && !isBuiltin(d.Name()) &&
			(d.Type().Undecay().Kind() == cc.Array || d.Type().Undecay().Kind() == cc.Function) {
			return x.Type().Decay().Size()
		}
	case *cc.UnaryExpression:
		if d := Declarator(x.CastExpression); x.Case == cc.UnaryExpressionAddrof && d != nil && !isBuiltin(d.Name()) {
			return x.Type().Size()
		}
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast && cc.IsScalarType(x.Type()) && x.Type().Kind() != cc.Bool {
			return address(x.CastExpression)
		}
	}
	return 0
}

// reads is what makes an expression not constant: a call, or a variable that is read. What GCC may know is not
// taken for such.
func (c *constraints) reads(n cc.ExpressionNode) cc.ExpressionNode {
	switch x := Unparen(n).(type) {
	case *cc.PrimaryExpression:
		d := Declarator(x)
		if d != nil && !isBuiltin(d.Name()) && cc.IsScalarType(d.Type()) && !d.IsConst() && !c.constant(d) &&
			d.Type().Undecay().Kind() != cc.Function && d.Type().Undecay().Kind() != cc.Array {
			return x
		}
		return nil
	case *cc.PostfixExpression:
		if x.Case != cc.PostfixExpressionCall || isBuiltin(CalleeName(x)) || CalleeName(x) == "" {
			return nil
		}
		return x
	case *cc.CastExpression:
		return c.reads(x.CastExpression)
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl:
			return c.reads(x.CastExpression)
		}
	default:
		if b := AsBinary(x); b != nil {
			if read := c.reads(b.Left); read != nil {
				return read
			}
			return c.reads(b.Right)
		}
	}
	return nil
}

// members looks at those of a structure or a union.
func (c *constraints) members(x *cc.StructOrUnionSpecifier) {
	if x.StructDeclarationList == nil {
		return
	}
	own := x.Token.SrcStr()
	first := map[string]cc.Node{}
	named := 0
	for l := x.StructDeclarationList; l != nil; l = l.StructDeclarationList {
		s := l.StructDeclaration
		if s.Case != cc.StructDeclarationDecl {
			continue
		}
		if s.StructDeclaratorList == nil {
			for _, f := range anonymous(s) {
				named++
				c.newMember(first, f, s)
			}
		}
		for sl := s.StructDeclaratorList; sl != nil; sl = sl.StructDeclaratorList {
			d := sl.StructDeclarator
			if d.Declarator != nil && d.Declarator.Name() != "" {
				c.newMember(first, d.Declarator.Name(), d.Declarator)
			}
			last := sl.StructDeclaratorList == nil && l.StructDeclarationList == nil
			c.member(d, s, own, x.StructOrUnion.Case == cc.StructOrUnionStruct, named, last)
			named++
		}
	}
}

func (c *constraints) newMember(first map[string]cc.Node, name string, n cc.Node) {
	if old := first[name]; old != nil {
		c.fault(n, "a second member %s; the first one is at %v", name, Position(old.Position()))
		return
	}
	first[name] = n
}

// anonymous are the names that a member without a name gives to the structure around it.
func anonymous(s *cc.StructDeclaration) (names []string) {
	for q := s.SpecifierQualifierList; q != nil; q = q.SpecifierQualifierList {
		if q.Case == cc.SpecifierQualifierListTypeSpec && q.TypeSpecifier.StructOrUnionSpecifier != nil {
			r := q.TypeSpecifier.StructOrUnionSpecifier
			for l := r.StructDeclarationList; l != nil; l = l.StructDeclarationList {
				if l.StructDeclaration.Case != cc.StructDeclarationDecl {
					continue
				}
				if l.StructDeclaration.StructDeclaratorList == nil {
					names = append(names, anonymous(l.StructDeclaration)...)
				}
				for sl := l.StructDeclaration.StructDeclaratorList; sl != nil; sl = sl.StructDeclaratorList {
					if d := sl.StructDeclarator.Declarator; d != nil && d.Name() != "" {
						names = append(names, d.Name())
					}
				}
			}
		}
	}
	return names
}

// member looks at one of a structure called own, with a number of others before it.
func (c *constraints) member(m *cc.StructDeclarator, s *cc.StructDeclaration, own string, inStruct bool,
	before int, last bool) {
	d := m.Declarator
	if m.Case == cc.StructDeclaratorBitField {
		c.bitField(m)
		return
	}
	if d == nil || d.Type() == nil {
		return
	}
	c.derived(d)
	t := d.Type()
	switch a, isArray := t.(*cc.ArrayType); {
	case t.Kind() == cc.Function:
		c.fault(d, "member %s is a function: only a pointer to one can be a member", d.Name())
	case own != "" && d.Pointer == nil && d.DirectDeclarator.Case == cc.DirectDeclaratorIdent && namesTag(s, own):
		c.fault(d, "member %s would be within itself: only a pointer to its structure can be a member", d.Name())
	case isArray && inStruct && a.SizeExpression() == nil && a.Len() < 0 && !c.asksType(d):
		if before == 0 && last {
			c.fault(d, "member %s, an array of no known length, needs others before it", d.Name())
		} else if !last {
			c.fault(d, "member %s, an array of no known length, must be the last one", d.Name())
		}
	default:
		c.complete(d, t, "member "+d.Name())
	}
}

// namesTag reports whether a member's type is the structure of a tag.
func namesTag(s *cc.StructDeclaration, own string) bool {
	for q := s.SpecifierQualifierList; q != nil; q = q.SpecifierQualifierList {
		if q.Case == cc.SpecifierQualifierListTypeSpec {
			if r := q.TypeSpecifier.StructOrUnionSpecifier; r != nil && r.StructDeclarationList == nil &&
				r.Token.SrcStr() == own {
				return true
			}
		}
	}
	return false
}

// bitField looks at the type and the width of one.
func (c *constraints) bitField(m *cc.StructDeclarator) {
	width, ok := c.layouts.Constant(m.ConstantExpression)
	d := m.Declarator
	if !ok || d == nil || d.Type() == nil || c.asksType(d) {
		return
	}
	t := d.Type()
	switch {
	case !cc.IsIntegerType(t):
		c.fault(d, "bit-field %s must be an integer, and it is %s", d.Name(), asC(t))
	case width == 0 && d.Name() != "":
		c.fault(d, "bit-field %s has no bits", d.Name())
	case t.Size() > 0 && width > 8*t.Size() && t.Attributes() == nil:
		c.fault(d, "bit-field %s has %d bits, and its type %d", d.Name(), width, 8*t.Size())
	}
}

// enumerators looks for one that was declared before.
func (c *constraints) enumerators(x *cc.EnumSpecifier) {
	scope := x.LexicalScope()
	if scope == nil {
		return
	}
	for l := x.EnumeratorList; l != nil; l = l.EnumeratorList {
		e := l.Enumerator
		for _, n := range scope.Nodes[e.Token.SrcStr()] {
			old, ok := n.(*cc.Enumerator)
			if ok && old != e && old.Token.Seq() < e.Token.Seq() {
				c.fault(e, "enumerator %s is declared a second time, first at %v", e.Token.SrcStr(), Position(old.Position()))
				break
			}
		}
	}
}

// search reports whether a test holds for a node of a tree.
func search(n any, is func(any) bool) (found bool) {
	Inspect(n, func(x any) bool {
		found = found || is(x)
		return !found
	})
	return found
}
