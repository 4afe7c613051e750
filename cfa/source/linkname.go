package source

// Names for the linker: int f(void) __asm__("g"), GCC's asm labels, and #pragma redefine_extname f g.
//
// Idea: such a name says which function or object a declaration is about, whatever the declaration calls it. Where
// that matters, the declarators of file scope get it before units are linked: void give(void *) __asm__("free")
// declares the library's free. Expressions know their declarators, so nothing else changes, whatever is called give or
// free elsewhere. It matters where another declaration is about the same, and where a function of the C library is
// meant by a name of the program's. Headers use labels to choose among several functions of the library (strerror_r
// is __xpg_strerror_r, fopen is fopen64): there the name in C says enough, and stays.
//
// Left out: names for the linker within functions, and of types that differ; both are refused.
// Cost: linear in the declarations of file scope of programs with labels.

import (
	"cmp"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source/lex"
	"magus/cfa/source/libc"
	"magus/cfa/source/preprocess"

	"modernc.org/cc/v4"
)

// A label is the name for the linker of what a declaration calls otherwise.
type label struct {
	d    *cc.Declarator
	name string
}

// extnameMarker begins the tags that stand for #pragma redefine_extname in the text that the C library reads: that of
// the old name, and within it that of the new one.
const extnameMarker = "__magus_extname_"

// renamed is what stands in the place of #pragma redefine_extname with these words behind it; "" if it has another
// form.
func renamed(words []preprocess.Token) string {
	if len(words) != 2 || words[0].Kind != lex.Name || words[1].Kind != lex.Name {
		return ""
	}
	return "struct " + extnameMarker + words[0].Text + " { struct " + extnameMarker + words[1].Text + " *to; };"
}

// noteLabels notes the names for the linker of what is declared at file scope.
func (f *File) noteLabels() {
	f.labels = map[string]label{}
	if !f.Asm && !f.renames {
		return
	}
	redefined := map[string]string{}
	if f.renames {
		Inspect(f.ast.TranslationUnit, func(x any) bool {
			n, ok := x.(*cc.StructOrUnionSpecifier)
			if ok && n.Case == cc.StructOrUnionSpecifierDef {
				if old, is := strings.CutPrefix(n.Token.SrcStr(), extnameMarker); is {
					inner := n.StructDeclarationList.StructDeclaration.SpecifierQualifierList.TypeSpecifier
					redefined[old] = strings.TrimPrefix(inner.StructOrUnionSpecifier.Token.SrcStr(), extnameMarker)
				}
			}
			return true
		})
	}
	f.eachDeclarator(func(d *cc.Declarator, n *cc.InitDeclarator, _ bool) {
		as := redefined[d.Name()]
		if n != nil && n.Asm != nil {
			as = strings.Trim(n.Asm.Token3.SrcStr(), `"`)
		}
		if as != "" && as != d.Name() && d.Linkage() == cc.External && f.labels[d.Name()].d == nil {
			f.labels[d.Name()] = label{d, as}
		}
	})
}

// refuseLabels refuses a file with a label within a function, but for those of variables that
// live there, which name registers.
func (f *File) refuseLabels(def *cc.FunctionDefinition) {
	if !f.Asm {
		return
	}
	Inspect(def.CompoundStatement, func(x any) bool {
		n, ok := x.(*cc.InitDeclarator)
		if ok && n.Asm != nil && (n.Declarator.IsExtern() || n.Declarator.Type().Kind() == cc.Function) && f.Refused == nil {
			f.Refused = cfa.Unsupported(place(n.Declarator), n.Declarator.Name()+" with a name for the linker", "")
		}
		return true
	})
}

// linkName is the linker's name of what a file declares, where that is not the name in C.
func (f *File) linkName(name string) string { return f.labels[name].name }

// renameLabelled gives what files declare with a name for the linker this name, where that matters.
func (p *Program) renameLabelled() {
	for _, f := range p.Files {
		f.noteLabels()
	}
	if !slices.ContainsFunc(p.Files, func(f *File) bool { return len(f.labels) > 0 }) {
		return
	}
	s := p.symbols()
	for _, f := range p.Files {
		for _, name := range sortedKeys(f.labels) {
			l := f.labels[name]
			_, known := libc.Known(name)
			_, means := libc.Known(l.name)
			if !s.inlined[l.name] && means && !known || s.defined[f][l.name] || s.defined[nil][l.name] ||
				s.isOneOfTwo(l.name) || s.isOneOfTwo(name) || s.meansTwo(name) {
				f.rename(name, l)
			}
		}
	}
}

// symbols are the linker's names of what files declare, and the names in C.
type symbols struct {
	named   map[string][]string       // by the linker's name those in C
	means   map[string][]string       // by the name in C those of the linker
	defined map[*File]map[string]bool // what is defined there by a name in C, of nil with external linkage
	inlined map[string]bool           // functions that are there to be inlined only
	objects map[string]bool           // names in C
}

func (p *Program) symbols() symbols {
	s := symbols{map[string][]string{}, map[string][]string{}, map[*File]map[string]bool{nil: {}}, map[string]bool{},
		map[string]bool{}}
	for _, f := range p.Files {
		s.defined[f] = map[string]bool{}
		f.eachDeclarator(func(d *cc.Declarator, n *cc.InitDeclarator, defines bool) {
			name := d.Name()
			as := cmp.Or(f.linkName(name), name)
			in := f
			if d.Linkage() == cc.External {
				in = nil
				s.named[as] = append(s.named[as], name)
				s.means[name] = append(s.means[name], as)
			}
			s.defined[in][name] = s.defined[in][name] || defines
			s.objects[name] = d.Type().Kind() != cc.Function
			s.inlined[name] = s.inlined[name] || n == nil && !defines
		})
	}
	return s
}

// isOneOfTwo reports whether the linker's name is one of two names in C, of an object, or of which one is defined.
func (s symbols) isOneOfTwo(as string) bool {
	names := s.named[as]
	return slices.ContainsFunc(names, func(n string) bool { return n != names[0] }) &&
		slices.ContainsFunc(names, func(n string) bool { return s.objects[n] || s.defined[nil][n] })
}

// meansTwo reports whether a name in C that is defined is two names of the linker.
func (s symbols) meansTwo(name string) bool {
	all := s.means[name]
	return s.defined[nil][name] && slices.ContainsFunc(all, func(n string) bool { return n != all[0] })
}

// rename gives the declarators of a name of file scope, and of blocks' extern declarations of it, the linker's name.
func (f *File) rename(name string, l label) {
	delete(f.labels, name)
	var within func(s *cc.Scope)
	within = func(s *cc.Scope) {
		for _, n := range s.Nodes[name] {
			d, ok := n.(*cc.Declarator)
			if !ok || d.Linkage() != cc.External || d.IsTypename() {
				continue
			}
			if err := nameOf(d).Set(nil, []byte(l.name)); err != nil && f.Refused == nil {
				f.Refused = cfa.Unsupported(place(l.d), name+", which is "+l.name+" to the linker,", "")
			}
			s.Nodes[l.name] = append(s.Nodes[l.name], d)
		}
		for _, c := range s.Children {
			within(c)
		}
	}
	within(f.ast.Scope)
}

// nameOf is the token that a declarator has its name from.
func nameOf(d *cc.Declarator) *cc.Token {
	n := d.DirectDeclarator
	for n.Case != cc.DirectDeclaratorIdent {
		if n.Case == cc.DirectDeclaratorDecl {
			n = n.Declarator.DirectDeclarator
		} else {
			n = n.DirectDeclarator
		}
	}
	return &n.Token
}

// eachDeclarator calls a function with the declarators of file scope, with what they stand in but for functions
// with bodies, and whether they define something: a function that is there to be inlined only is not defined.
func (f *File) eachDeclarator(visit func(d *cc.Declarator, n *cc.InitDeclarator, defines bool)) {
	for tu := f.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		switch e := tu.ExternalDeclaration; e.Case {
		case cc.ExternalDeclarationFuncDef:
			visit(e.FunctionDefinition.Declarator, nil, !f.isInlineOnly(e.FunctionDefinition))
		case cc.ExternalDeclarationDecl:
			for l := e.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
				if d := l.InitDeclarator.Declarator; !d.IsTypename() && d.Name() != "" {
					visit(d, l.InitDeclarator, d.Type().Kind() != cc.Function &&
						(!d.IsExtern() || l.InitDeclarator.Initializer != nil))
				}
			}
		}
	}
}
