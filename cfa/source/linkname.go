package source

// Names for the linker: int f(void) __asm__("g"), GCC's asm labels.
//
// A label says which function or object a declaration is about, whatever the declaration calls
// it. Headers use labels to choose among several functions of the library (strerror_r is
// __xpg_strerror_r, fopen is fopen64); there the name in C says enough. A program in which a
// label makes two names one, or one name two, is refused: names are told apart by C's here.

import (
	"strings"

	"magus/cfa"

	"modernc.org/cc/v4"
)

// A label is the name for the linker of what a declaration calls otherwise.
type label struct {
	d    *cc.Declarator
	name string
}

// noteLabel notes the label of a declaration of file scope, if it has one.
func (f *File) noteLabel(n *cc.InitDeclarator) {
	if n.Asm == nil {
		return
	}
	name := strings.Trim(n.Asm.Token3.SrcStr(), `"`)
	if d := n.Declarator; name != "" && name != d.Name() && f.labels[d.Name()].d == nil {
		f.labels[d.Name()] = label{d, name}
	}
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

// bindLabels refuses files with labels that matter.
func (p *Program) bindLabels() {
	for _, f := range p.Files {
		for _, name := range sortedKeys(f.labels) {
			if l := f.labels[name]; f.Refused == nil && p.labelMatters(name, l) {
				f.Refused = cfa.Unsupported(place(l.d), name+", which is "+l.name+" to the linker,", "")
			}
		}
	}
}

// labelMatters reports whether some name would be taken for something else than it is.
func (p *Program) labelMatters(name string, l label) bool {
	if l.d.Type().Kind() == cc.Function {
		return p.hasSymbol(l.name) ||
			p.hasSymbol(name) && (p.decls[l.name] != nil || p.ambiguous[name] || p.labelledOtherwise(name, l.name))
	}
	for _, g := range p.Files {
		if g.Objects[l.name] != nil {
			return true
		}
	}
	return p.labelledOtherwise(name, l.name)
}

// hasSymbol reports whether the program has a function of that name for the linker; one that is there to
// be inlined only, as those of headers that check sizes, stands before another of the library.
func (p *Program) hasSymbol(name string) bool {
	pr := p.byName[name]
	return pr != nil && !pr.inlined || p.aliases[name] != nil
}

// labelledOtherwise reports whether some file declares another name with the label, or the name
// without it.
func (p *Program) labelledOtherwise(name, label string) bool {
	for _, g := range p.Files {
		for other, l := range g.labels {
			if other != name && l.name == label {
				return true
			}
		}
		o := g.Objects[name]
		if o != nil && !o.Static && g.linkName(name) != label {
			return true
		}
	}
	return false
}
