package source

// Declarations of one name of file scope that do not go together (C11 6.2.2, 6.7): a name that is static here and was
// not there, a function that returns another type. The library compares parameters and the types of variables.
// Names that a header of the system declared may be declared otherwise by the system's own, and are left out.
// Cost: linear in the declarations.

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// A former is an earlier declaration of a name.
type former struct {
	declarator *cc.Declarator
	static     bool
}

// redeclared looks at what an external declaration says of names that have been declared before.
func (c *constraints) redeclared(x *cc.ExternalDeclaration) {
	switch x.Case {
	case cc.ExternalDeclarationFuncDef:
		c.declaredBefore(x.FunctionDefinition.Declarator, x.FunctionDefinition.DeclarationSpecifiers)
	case cc.ExternalDeclarationDecl:
		for l := x.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			c.declaredBefore(l.InitDeclarator.Declarator, x.Declaration.DeclarationSpecifiers)
		}
	}
}

// declaredBefore compares a declaration with the first one of its name.
func (c *constraints) declaredBefore(d *cc.Declarator, specifiers *cc.DeclarationSpecifiers) {
	if d.Type() == nil || d.IsTypename() || d.Name() == "" {
		return
	}
	words := storageOf(specifiers)
	static, extern := slices.Contains(words, "static"), slices.Contains(words, "extern")
	old, found := c.formers[d.Name()]
	if !found {
		c.formers[d.Name()] = former{d, static}
		return
	}
	_, isFunction := d.Type().(*cc.FunctionType)
	switch {
	case static && !old.static:
		c.fault(d, "%s is static here, and was not at %v", d.Name(), place(old.declarator))
	case !static && !extern && old.static && !isFunction:
		c.fault(d, "%s is not static here, and was at %v", d.Name(), place(old.declarator))
	case isFunction:
		c.sameResult(d, old.declarator)
	}
}

// sameResult compares what a function returns with what its first declaration says. The library gives both the
// type of the definition, so that what is written is looked at: a type and asterisks before the name.
func (c *constraints) sameResult(d, old *cc.Declarator) {
	t, n := c.written(d)
	u, m := c.written(old)
	if t == nil || u == nil {
		return
	}
	same := comparison{layouts: c.layouts, seen: map[[2]cc.Type]bool{}}
	if n != m || same.types(u, t) != "" {
		c.fault(d, "%s returns %s here, and %s at %v", d.Name(), pointers(t, n), pointers(u, m), place(old))
	}
}

// written are the type and the asterisks before the name of a function; nil if it is written in another way.
func (c *constraints) written(d *cc.Declarator) (t cc.Type, asterisks int) {
	specifiers, ok := c.specifiers[d].(*cc.DeclarationSpecifiers)
	direct := d.DirectDeclarator
	if !ok || specifiers == nil || c.typeof(specifiers) || direct.DirectDeclarator == nil ||
		direct.DirectDeclarator.Case != cc.DirectDeclaratorIdent {
		return nil, 0
	}
	for p := d.Pointer; p != nil; p = p.Pointer {
		asterisks++
	}
	t = specifiers.Type()
	if t == cc.Invalid || t.VectorSize() > 0 || t.Kind() == cc.Ptr || t.Kind() == cc.Array {
		return nil, 0 // a name of a type, perhaps, which has asterisks of its own
	}
	return t, asterisks
}

func pointers(t cc.Type, n int) string {
	return strings.TrimSpace(asC(t) + " " + strings.Repeat("*", n))
}

// storageOf are the words of specifiers for how an object is stored.
func storageOf(s *cc.DeclarationSpecifiers) (words []string) {
	for ; s != nil; s = s.DeclarationSpecifiers {
		if s.Case == cc.DeclarationSpecifiersStorage {
			words = append(words, s.StorageClassSpecifier.Token.SrcStr())
		}
	}
	return words
}
