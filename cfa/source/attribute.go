package source

// GCC's attributes that change what a program does.
//
// The C library notes attributes and heeds few. A function with the attribute alias
// is another name of the function that it names; one with constructor runs before
// main, and one with cleanup where the life of a variable ends, which the lowering
// sees to. A program with destructors, or with other ways to make two names one, is
// refused. packed, mode and weak are looked at where they matter; no other attribute
// changes a value.

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"magus/cfa"

	"modernc.org/cc/v4"
)

// behindTheBack are the attributes of functions and objects that the whole
// program is refused for.
var behindTheBack = []string{"destructor", "ifunc", "weakref"}

// attribute finds an attribute of a declarator; list are those that follow it.
func attribute(d *cc.Declarator, list *cc.AttributeSpecifierList, names ...string) string {
	for _, name := range names {
		if HasAttribute(d.Type(), name) || listed(list, name) {
			return name
		}
	}
	return ""
}

// listed reports whether attributes in the source, anywhere below a node, have
// one of the name.
func listed(n any, name string) bool {
	found := false
	Inspect(reflect.ValueOf(n), func(x any) bool {
		if a, ok := x.(*cc.AttributeValue); ok {
			found = found || strings.Trim(a.Token.SrcStr(), "_") == name
		}
		return !found
	})
	return found
}

// noteAttributes notes why no program with this declarator can be verified.
func (f *File) noteAttributes(d *cc.Declarator, list *cc.AttributeSpecifierList) {
	if name := attribute(d, list, behindTheBack...); name != "" && f.Refused == nil {
		f.Refused = cfa.Unsupported(Position(d.NameTok().Position()), d.Name()+", which has the attribute "+name, "")
	}
}

// noteTypes does so for a declaration whose types the library got wrong.
func (f *File) noteTypes(n *cc.Declaration) {
	if m := Mistyped(n); m != nil && f.Refused == nil {
		f.Refused = m
	}
}

// An alias is a function that is another name of one of its unit.
type alias struct {
	d  *cc.Declarator
	to string
}

// noteAlias notes that a declarator is an alias. Objects are refused.
func (f *File) noteAlias(d *cc.Declarator, list *cc.AttributeSpecifierList) {
	if attribute(d, list, "alias") == "" {
		return
	}
	to := ""
	if x := argument(list, "alias"); x != nil {
		to, _ = StringLiteral(x)
	}
	if to == "" && d.Type().Attributes() != nil {
		to = d.Type().Attributes().Alias()
	}
	if d.Type().Kind() == cc.Function && to != "" {
		f.aliases = append(f.aliases, alias{d, strings.TrimSuffix(to, "\x00")})
	} else if f.Refused == nil {
		f.Refused = cfa.Unsupported(Position(d.NameTok().Position()), d.Name()+", which has the attribute alias", "")
	}
}

// bindAliases gives aliases the bodies of what they name.
func (p *Program) bindAliases() {
	for _, f := range p.Files {
		for _, a := range f.aliases {
			pr := p.Body(f, a.to)
			name := a.d.Name()
			switch {
			case pr == nil:
				if f.Refused == nil {
					f.Refused = cfa.Unsupported(Position(a.d.NameTok().Position()), name+", an alias of "+a.to+", which this file does not define", "")
				}
			case a.d.Linkage() == cc.Internal || f.private[name]:
				f.statics[name] = pr
			default:
				p.aliases[name] = pr
			}
		}
	}
}

// argument is the argument of an attribute below a node, or nil.
func argument(n any, name string) (found cc.ExpressionNode) {
	Inspect(reflect.ValueOf(n), func(x any) bool {
		if a, ok := x.(*cc.AttributeValue); ok && a.Case == cc.AttributeValueExpr && a.ArgumentExpressionList != nil && strings.Trim(a.Token.SrcStr(), "_") == name {
			found = a.ArgumentExpressionList.AssignmentExpression
		}
		return found == nil
	})
	return found
}

// IsCleaned reports whether a function is called at the end of a variable's life, and
// which expression of its declaration names it; nil if that is not found.
func IsCleaned(decl *cc.Declaration, n *cc.InitDeclarator) (by cc.ExpressionNode, is bool) {
	if attribute(n.Declarator, n.AttributeSpecifierList, "cleanup") == "" && !listed(decl.DeclarationSpecifiers, "cleanup") {
		return nil, false
	}
	for _, list := range []any{n.AttributeSpecifierList, n.Declarator, decl.DeclarationSpecifiers} {
		if by = argument(list, "cleanup"); by != nil {
			return by, true
		}
	}
	return nil, true
}

// findConstructors notes which functions some declaration says to run before main.
func (p *Program) findConstructors() {
	for _, f := range p.Files {
		says := map[string]*cc.Attributes{}
		note := func(d *cc.Declarator) {
			if HasAttribute(d.Type(), "constructor") {
				says[d.Name()] = d.Type().Attributes()
			}
		}
		for tu := f.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
			switch d := tu.ExternalDeclaration; d.Case {
			case cc.ExternalDeclarationFuncDef:
				note(d.FunctionDefinition.Declarator)
			case cc.ExternalDeclarationDecl:
				for l := d.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
					note(l.InitDeclarator.Declarator)
				}
			}
		}
		for _, pr := range p.procs {
			if a := says[pr.Name]; a != nil && pr.File == f {
				pr.constructor = a
				f.constructors = append(f.constructors, pr)
			}
		}
	}
}

// isWeak reports whether another definition of a function counts if there is one.
func isWeak(d *cc.Declarator) bool {
	a := d.Type().Attributes()
	return a != nil && (a.Weak() || HasAttribute(d.Type(), "weak"))
}

// Constructors are the functions that run before main, in the order in which they do.
func (p *Program) Constructors() (all []*Procedure) {
	for _, f := range p.Files {
		all = append(all, f.constructors...)
	}
	slices.SortStableFunc(all, func(a, b *Procedure) int { return cmp.Compare(priority(a), priority(b)) })
	return all
}

// priority is that of a constructor; those without one come last.
func priority(pr *Procedure) int64 {
	for _, name := range []string{"constructor", "__constructor__"} {
		if v := pr.constructor.AttrValue(name); len(v) == 1 {
			if n, ok := v[0].(cc.Int64Value); ok {
				return int64(n)
			}
		}
	}
	return 1 << 16
}
