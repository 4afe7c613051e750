package source

// Constraints of C that the library does not look at (C11 6.5 to 6.8).
//
// The library types expressions, and lets pass what a compiler refuses: calls with too few arguments,
// stores to constants, variables of types that are not complete. What is no C has no meaning that a verdict could be
// about, so it is told here, in the words of the one who wrote it.
//
// What GCC accepts, with a warning or without, is accepted. Where the library may know a type
// otherwise than GCC does (typeof, builtin functions, vectors), nothing is said; nor is it about headers of the system.
//
// Here are statements; operands.go has expressions, declarations.go declarations, constness.go what is constant.
// Cost: linear in the text, but for what is nested in arguments of builtin functions.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"

	"modernc.org/cc/v4"
)

// constraints says what of them a file does not keep. The error may be ctx's.
func (l *Layouts) constraints(ctx context.Context, f *File, opt Options) error {
	c := &constraints{walk: walk{ctx: ctx}, layouts: l, specifiers: map[*cc.Declarator]any{},
		asks: map[any]bool{}, tags: map[string]bool{}, formers: map[string]former{}}
	for tu := f.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		c.note(tu.ExternalDeclaration)
	}
	for tu := f.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		d := tu.ExternalDeclaration
		if !opt.ofSystem(Position(d.Position()).File) {
			c.redeclared(d)
			c.inspect(d)
		}
	}
	if c.walk.err != nil {
		return c.walk.err
	}
	return c.errs.Once()
}

// ofSystem reports whether a file is a header that the user did not write.
func (opt Options) ofSystem(file string) bool {
	if strings.HasPrefix(file, "<") {
		return true
	}
	for _, dirs := range [][]string{opt.HostDirs, opt.CompilerDirs} {
		for _, dir := range dirs {
			if strings.HasPrefix(file, dir+"/") {
				return true
			}
		}
	}
	return false
}

// constraints is what is known at a node.
type constraints struct {
	walk
	layouts    *Layouts
	specifiers map[*cc.Declarator]any // what each was declared with: DeclarationSpecifiers or a SpecifierQualifierList
	asks       map[any]bool           // which of these say a type that the library may not know
	tags       map[string]bool        // structures, unions and enumerations that are defined somewhere
	formers    map[string]former      // the first declaration of each name of file scope
	result     cc.Type                // of the function around, nil outside
	choice     *choice                // the switch around
	errs       cfa.Errors
}

// A choice is a switch with its labels so far.
type choice struct {
	cases  []caseRange          // in their order, none of which overlap
	others *cc.LabeledStatement // default
}

type caseRange struct {
	low, high int64
	at        cfa.Pos
}

func (c *constraints) fault(n cc.Node, format string, args ...any) {
	at := Position(n.Position())
	if d, ok := n.(*cc.Declarator); ok {
		at = place(d)
	}
	c.errs = append(c.errs, cfa.Error{Pos: at, Msg: fmt.Sprintf(format, args...)})
}

// note remembers what declarators were declared with.
func (c *constraints) note(n cc.Node) {
	Inspect(n, func(x any) bool {
		if c.interrupted() {
			return false
		}
		switch x := x.(type) {
		case *cc.FunctionDefinition:
			c.specifiers[x.Declarator] = x.DeclarationSpecifiers
		case *cc.Declaration:
			for l := x.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
				c.specifiers[l.InitDeclarator.Declarator] = x.DeclarationSpecifiers
			}
		case *cc.ParameterDeclaration:
			if x.Declarator != nil {
				c.specifiers[x.Declarator] = x.DeclarationSpecifiers
			}
		case *cc.StructOrUnionSpecifier:
			if x.StructDeclarationList != nil && x.Type() != nil {
				c.tags[Describe(x.Type())+" "+x.Token.SrcStr()] = true
			}
		case *cc.EnumSpecifier:
			if x.EnumeratorList != nil {
				c.tags["enum "+x.Token2.SrcStr()] = true
			}
		case *cc.StructDeclaration:
			for l := x.StructDeclaratorList; l != nil; l = l.StructDeclaratorList {
				if d := l.StructDeclarator.Declarator; d != nil {
					c.specifiers[d] = x.SpecifierQualifierList
				}
			}
		}
		return true
	})
}

// inspect looks at all nodes of a tree.
func (c *constraints) inspect(n any) { Inspect(n, c.visit) }

// visit looks at a node; it returns false where it has looked below.
func (c *constraints) visit(n any) bool {
	if c.interrupted() {
		return false
	}
	switch x := n.(type) {
	case *cc.FunctionDefinition:
		c.function(x)
		return false
	case *cc.BlockItem:
		if x.Case == cc.BlockItemFuncDef {
			c.function(&cc.FunctionDefinition{DeclarationSpecifiers: x.DeclarationSpecifiers, Declarator: x.Declarator,
				CompoundStatement: x.CompoundStatement})
			return false
		}
	case *cc.Declaration:
		c.declaration(x)
	case *cc.StructOrUnionSpecifier:
		c.members(x)
	case *cc.EnumSpecifier:
		c.enumerators(x)
	case *cc.SelectionStatement:
		return c.selection(x)
	case *cc.IterationStatement:
		condition := x.ExpressionList
		switch x.Case {
		case cc.IterationStatementFor:
			condition = x.ExpressionList2
		}
		c.condition(condition)
	case *cc.LabeledStatement:
		c.labeled(x)
	case *cc.JumpStatement:
		if x.Case == cc.JumpStatementReturn && x.ExpressionList != nil && c.result != nil && c.result.Kind() != cc.Void {
			c.becomes(x.ExpressionList, c.result, "what is returned")
		}
	case cc.ExpressionNode:
		c.expression(x)
	}
	return true
}

// selection looks at an if, or at a switch with its body.
func (c *constraints) selection(x *cc.SelectionStatement) bool {
	if x.Case != cc.SelectionStatementSwitch {
		c.condition(x.ExpressionList)
		return true
	}
	if t := c.sure(x.ExpressionList); t != nil && !cc.IsIntegerType(t) {
		c.fault(x.ExpressionList, "switch selects by an integer, and this is %s", asC(t))
	}
	outer := c.choice
	c.choice = &choice{}
	c.inspect(x.ExpressionList)
	c.inspect(x.Statement)
	c.choice = outer
	return false
}

// condition looks at what is tested.
func (c *constraints) condition(n cc.ExpressionNode) {
	if n == nil {
		return
	}
	if t := c.sure(n); t != nil && !cc.IsScalarType(t) {
		c.fault(n, "what is tested must be a number or a pointer, and this is %s", asC(t))
	}
}

// labeled compares the labels of a switch.
func (c *constraints) labeled(x *cc.LabeledStatement) {
	if c.choice == nil {
		return
	}
	switch x.Case {
	case cc.LabeledStatementDefault:
		if c.choice.others != nil {
			c.fault(x, "a second default; the first one is at %v", Position(c.choice.others.Position()))
			return
		}
		c.choice.others = x
	case cc.LabeledStatementCaseLabel, cc.LabeledStatementRange:
		low, ok := c.layouts.Constant(x.ConstantExpression)
		high := low
		if ok && x.Case == cc.LabeledStatementRange {
			high, ok = c.layouts.Constant(x.ConstantExpression2)
		}
		if !ok || high < low {
			return
		}
		i, _ := slices.BinarySearchFunc(c.choice.cases, low, func(r caseRange, low int64) int {
			return cmp.Compare(r.high, low)
		})
		if i < len(c.choice.cases) && c.choice.cases[i].low <= high {
			c.fault(x, "duplicate case, first at %v", c.choice.cases[i].at)
			return
		}
		c.choice.cases = slices.Insert(c.choice.cases, i, caseRange{low, high, Position(x.Position())})
	}
}
