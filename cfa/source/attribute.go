package source

// GCC's attributes that change what a program does.
//
// The C library notes attributes and heeds few. A function
// or object with the attribute alias is another name of the one that it names; functions with
// constructor run before main, those with destructor at its end, and one with cleanup where the life of a
// variable ends, which the lowering sees to. A program with other ways to make two names one is
// refused. packed, mode, transparent_union and weak are looked at where they matter; no other
// attribute changes a value.

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"

	"modernc.org/cc/v4"
)

// behindTheBack are the attributes of functions and objects that the whole
// program is refused for.
var behindTheBack = []string{"ifunc", "weakref"}

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
	Inspect(n, func(x any) bool {
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
func (f *File) noteTypes(l *Layouts, n *cc.Declaration) {
	if m := l.Mistyped(n); m != nil && f.Refused == nil {
		f.Refused = m
	}
}

// An alias is a function or an object that is another name of one of its unit.
type alias struct {
	d  *cc.Declarator
	to string
}

// noteAlias notes that a declarator is an alias.
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
	f.aliases = append(f.aliases, alias{d, strings.TrimSuffix(to, "\x00")})
}

// bindAliases gives aliases the bodies, or the objects, of what they name.
func (p *Program) bindAliases() {
	for _, f := range p.Files {
		for _, a := range f.aliases {
			bound := false
			if a.d.Type().Kind() == cc.Function {
				bound = p.bindFunction(f, a)
			} else {
				bound = p.bindObject(f, a)
			}
			if !bound && f.Refused == nil {
				f.Refused = cfa.Unsupported(Position(a.d.NameTok().Position()), a.d.Name()+", an alias of "+
					a.to+", which this file does not define so", "")
			}
		}
	}
}

func (p *Program) bindFunction(f *File, a alias) bool {
	pr := p.Body(f, a.to)
	if name := a.d.Name(); a.d.Linkage() == cc.Internal || f.private[name] {
		f.statics[name] = pr
	} else {
		p.aliases[name] = pr
	}
	return pr != nil
}

// bindObject makes all declarations of an object those of the one that it is another name of.
func (p *Program) bindObject(f *File, a alias) bool {
	o, to := p.objects[a.d], f.Objects[a.to]
	if o == nil || to == nil || o == to || o.Defined || !to.Defined || p.differ(to.decl, a.d) != "" {
		return o != nil && o == to
	}
	for d, named := range p.objects {
		if named == o {
			p.objects[d] = to
		}
	}
	for _, f := range p.Files {
		if f.Objects[o.Name] == o {
			f.Objects[o.Name] = to
		}
	}
	to.Stores += o.Stores
	to.Addressed = to.Addressed || o.Addressed
	to.Asm = to.Asm || o.Asm
	to.Const = to.Const && o.Const
	to.Static = to.Static && o.Static
	p.globals = slices.DeleteFunc(p.globals, func(g *Object) bool { return g == o })
	return true
}

// argument is the argument of an attribute below a node, or nil.
func argument(n any, name string) (found cc.ExpressionNode) {
	Inspect(n, func(x any) bool {
		if a, ok := x.(*cc.AttributeValue); ok && a.Case == cc.AttributeValueExpr &&
			a.ArgumentExpressionList != nil && strings.Trim(a.Token.SrcStr(), "_") == name {
			found = a.ArgumentExpressionList.AssignmentExpression
		}
		return found == nil
	})
	return found
}

// IsCleaned reports whether a function is called at the end of a variable's life, and
// which expression of its declaration names it; nil if that is not found. The attribute of
// a type says nothing, as GCC has it.
func IsCleaned(decl *cc.Declaration, n *cc.InitDeclarator) (by cc.ExpressionNode, is bool) {
	lists := []any{n.AttributeSpecifierList, n.Declarator}
	for s := decl.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
		lists = append(lists, s.AttributeSpecifierList)
	}
	for _, list := range lists {
		is = is || listed(list, "cleanup")
		if by = argument(list, "cleanup"); by != nil {
			return by, true
		}
	}
	return nil, is
}

// findConstructors notes which functions some declaration says to run before main, or at
// its end.
func (p *Program) findConstructors() {
	for _, f := range p.Files {
		says := map[string]*cc.Attributes{}
		note := func(d *cc.Declarator) {
			if HasAttribute(d.Type(), constructor) || HasAttribute(d.Type(), destructor) {
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
				pr.runs = a
			}
		}
	}
}

// IsTransparent reports whether an argument of a parameter of a union type may be a value of any of its
// members.
func IsTransparent(t cc.Type) bool { return HasAttribute(t, "transparent_union") }

// weakMarker begins the tags that stand for #pragma weak in the text that the C library reads.
const weakMarker = "__magus_weak_"

// weakened is what stands in the place of #pragma weak with these words behind it; "" if it has another form.
func weakened(words []preprocess.Token) string {
	switch {
	case len(words) == 1 && words[0].Kind == lex.Name:
		return "struct " + weakMarker + words[0].Text + ";"
	case len(words) == 3 && words[0].Kind == lex.Name && words[1].Is("=") && words[2].Kind == lex.Name:
		name, of := words[0].Text, words[2].Text
		return fmt.Sprintf("extern __typeof__(%s) %s __attribute__((weak)) __attribute__((alias(%q)));", of, name, of)
	}
	return ""
}

// saysWeak reports whether the text that the C library reads may say of a name that it is weak, as few do.
func saysWeak(text []byte) bool { return bytes.Contains(text, []byte("weak")) }

// noteWeak notes the names that a file says to be weak, by pragmas and in blocks too.
func (f *File) noteWeak() {
	f.weak = map[string]bool{}
	if !f.saysWeak {
		return
	}
	Inspect(f.ast.TranslationUnit, func(n any) bool {
		switch n := n.(type) {
		case *cc.StructOrUnionSpecifier:
			if name, ok := strings.CutPrefix(n.Token.SrcStr(), weakMarker); ok && n.Case == cc.StructOrUnionSpecifierTag {
				f.weak[name] = true
			}
		case *cc.Declaration:
			for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
				d := l.InitDeclarator.Declarator
				if attribute(d, l.InitDeclarator.AttributeSpecifierList, "weak") != "" || listed(n.DeclarationSpecifiers, "weak") {
					f.weak[d.Name()] = true
				}
			}
		}
		return true
	})
}

// IsWeak reports whether a file says that a function or an object is weak: another definition counts if there
// is one, and there need be none.
func (f *File) IsWeak(d *cc.Declarator) bool {
	a := d.Type().Attributes()
	return f.weak[d.Name()] || a != nil && (a.Weak() || HasAttribute(d.Type(), "weak"))
}

const constructor, destructor = "constructor", "destructor"

// Constructors are the functions that run before main, in the order in which they do.
func (p *Program) Constructors() []*Procedure { return p.running(constructor) }

// Destructors are the functions that run when main has returned, or at exit, in the order in which
// they do: against that of constructors.
func (p *Program) Destructors() []*Procedure {
	all := p.running(destructor)
	slices.Reverse(all)
	return all
}

// running are the functions with one of the two attributes, those with smaller numbers first.
func (p *Program) running(attribute string) (all []*Procedure) {
	for _, f := range p.Files {
		for _, pr := range p.procs {
			if pr.File == f && pr.runs != nil && (pr.runs.IsAttrSet(attribute) || pr.runs.IsAttrSet("__"+attribute+"__")) {
				all = append(all, pr)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *Procedure) int {
		return cmp.Compare(priority(a, attribute), priority(b, attribute))
	})
	return all
}

// priority is that of a constructor or destructor; those without one come last among constructors.
func priority(pr *Procedure, attribute string) int64 {
	for _, name := range []string{attribute, "__" + attribute + "__"} {
		if v := pr.runs.AttrValue(name); len(v) == 1 {
			if n, ok := v[0].(cc.Int64Value); ok {
				return int64(n)
			}
		}
	}
	return 1 << 16
}
