package source

// Models of the C library (package libc), for what the sources call and do not
// define.
//
// Idea: after the units are linked, the functions that some unit names, that none
// defines, and that have a model are looked for; their models are one more unit.
// A model stands for a function only if the units declare it with a type that fits.
// The unit's names are its own: nothing in it is seen by the program, and it sees
// nothing of the program.
//
// Cost: nothing where no such function is named, but a look at all declarations.

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source/libc"

	"modernc.org/cc/v4"
)

// addLibrary reads the models that the program needs.
func (p *Program) addLibrary(ctx context.Context, opt Options) error {
	if opt.NoLibrary {
		return nil
	}
	wanted := p.undefined()
	plain := slices.Clone(wanted)
	for i, name := range wanted { // a function that is built in does what that of the library does
		plain[i] = strings.TrimPrefix(name, builtinPrefix)
	}
	p.strangers = map[string]string{}
	if err := p.compareRows(ctx, wanted); err != nil {
		return err
	}
	names := libc.Modelled(slices.Compact(slices.Sorted(slices.Values(plain))))
	if len(names) == 0 {
		return nil
	}
	text := libc.Unit(names, opt.LongDouble.String())
	f, err := read(ctx, Source{Name: libc.Dir, Text: text, Preprocessed: true},
		Options{Model: opt.Model, LongDouble: opt.LongDouble})
	if err != nil {
		return err
	}
	p.library, p.models = f, map[string]*Procedure{}
	return p.linkLibrary(names, wanted).Once()
}

// compareRows finds, of the functions that have rows without models and that the program declares itself, those whose
// types are not the C library's: a program may have link(struct node *, struct node *), or a scandir that keeps what it
// is given.
func (p *Program) compareRows(ctx context.Context, wanted []string) error {
	var text strings.Builder
	text.WriteString("#define _GNU_SOURCE 1\n")
	var names []string
	for _, name := range wanted {
		row, ok := libc.Known(name)
		if d := p.decls[name]; !ok || row.How != "row" && !row.Has(libc.Calls) || d == nil || p.OfSystem(d) {
			continue
		}
		if _, own := ownHeader(row.Header); own {
			names = append(names, name)
			fmt.Fprintf(&text, "#include <%s>\n", row.Header)
		}
	}
	if len(names) == 0 {
		return nil
	}
	f, err := read(ctx, Source{Name: libc.Dir + "/rows", Text: []byte(text.String())},
		Options{Model: p.Model, LongDouble: p.LongDouble, Headers: BuiltinHeaders})
	if err != nil {
		return err
	}
	for _, name := range names {
		nodes := f.ast.Scope.Nodes[name]
		if row, _ := libc.Known(name); len(nodes) == 0 && row.Has(libc.Calls) {
			p.strangers[name] = "its header does not say which"
		}
		for _, n := range nodes {
			if d, ok := n.(*cc.Declarator); ok && d.Type().Kind() == cc.Function {
				if how := p.mismatch(d.Type().(*cc.FunctionType), p.decls[name]); how != "" {
					p.strangers[name] = how
				}
				break
			}
		}
	}
	return nil
}

// undefined are the functions that the units name, each with external linkage, and do
// not define, sorted.
func (p *Program) undefined() []string {
	named := map[string]bool{}
	for _, f := range p.Files {
		namedIn(f.ast.Scope, named)
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(named)), func(name string) bool {
		pr := p.byName[name]
		return pr != nil && !pr.Static
	})
}

// namedIn notes which functions expressions in a scope name.
func namedIn(s *cc.Scope, named map[string]bool) {
	for name, nodes := range s.Nodes {
		for _, n := range nodes {
			if d, ok := n.(*cc.Declarator); ok && d.Type().Kind() == cc.Function &&
				d.Linkage() != cc.Internal && (d.ReadCount() > 0 || d.AddressTaken()) {
				named[name] = true
			}
		}
	}
	for _, child := range s.Children {
		namedIn(child, named)
	}
}

// linkLibrary enters what the models' unit defines, by the names that are wanted.
func (p *Program) linkLibrary(names, wanted []string) (errs cfa.Errors) {
	f := p.library
	f.statics, f.Objects, f.private = map[string]*Procedure{}, map[string]*Object{}, map[string]bool{}
	for tu := f.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		switch e := tu.ExternalDeclaration; e.Case {
		case cc.ExternalDeclarationFuncDef:
			def := e.FunctionDefinition
			d := def.Declarator
			pr := &Procedure{Name: d.Name(), File: f, Def: def, Type: d.Type().(*cc.FunctionType),
				Pos: place(d), Static: d.Linkage() == cc.Internal}
			if pr.Static {
				f.statics[pr.Name] = pr
			} else if slices.Contains(names, pr.Name) {
				for _, name := range []string{pr.Name, builtinPrefix + pr.Name} {
					if slices.Contains(wanted, name) {
						p.addModel(pr, name)
					}
				}
			}
		case cc.ExternalDeclarationDecl:
			for l := e.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
				if d := l.InitDeclarator.Declarator; !d.IsTypename() && d.Type().Kind() != cc.Function {
					errs = append(errs, p.addObject(f, d, l.InitDeclarator.Initializer, map[string]*Object{})...)
					p.objects[d].Library = true
				}
			}
		}
	}
	return errs
}

// addModel lets a model stand for the function of a name, if its type fits what
// the program declares.
func (p *Program) addModel(pr *Procedure, name string) {
	d := p.decls[name]
	if d == nil {
		return // declared within a block only, or not at all
	}
	if p.ambiguous[name] {
		p.strangers[name] = "it is several functions to the linker"
		return
	}
	if how := p.mismatch(pr.Type, d); how != "" {
		p.strangers[name] = how
		return
	}
	p.models[name] = pr
}

// mismatch says why a declaration is not that of a function of the library, "" if it is. Pointers to
// objects are alike, whatever they point to, but those to characters and to what is none; a transparent union is as its
// first member.
func (p *Program) mismatch(library *cc.FunctionType, d *cc.Declarator) string {
	t, ok := d.Type().(*cc.FunctionType)
	if !ok {
		return "no function"
	}
	sameSize := func(a, b cc.Type) string {
		if fields := Members(b); len(fields) > 0 && IsTransparent(b) {
			b = fields[0].Type()
		}
		if x, y := objectPointer(a), objectPointer(b); x && y {
			return textAndOther(a.(*cc.PointerType).Elem(), b.(*cc.PointerType).Elem())
		}
		return p.compared.types(a, b)
	}
	if how := within("what it returns", sameSize(library.Result(), t.Result())); how != "" {
		return how
	}
	if !prototyped(d) {
		return ""
	}
	own, theirs := Parameters(library), Parameters(t)
	if len(own) != len(theirs) {
		return fmt.Sprintf("%s, not %d", counted(len(theirs), "parameter"), len(own))
	}
	for i := range own {
		if how := sameSize(own[i].Type().Decay(), theirs[i].Type().Decay()); how != "" {
			return within(fmt.Sprintf("parameter %d", i+1), how)
		}
	}
	if library.IsVariadic() != t.IsVariadic() {
		return "variable arguments only in one of them"
	}
	return ""
}

// textAndOther says that one of two types is of characters, and the other of neither characters nor anything.
func textAndOther(a, b cc.Type) string {
	if a.Kind() == cc.Void || b.Kind() == cc.Void || isCharacter(a) == isCharacter(b) {
		return ""
	}
	return fmt.Sprintf("pointer to %s, not to %s", b, a)
}

// isCharacter reports whether a type is one of single bytes.
func isCharacter(t cc.Type) bool {
	switch t.Kind() {
	case cc.Char, cc.SChar, cc.UChar:
		return true
	}
	return false
}

// objectPointer reports whether a type is a pointer to something else than a
// function.
func objectPointer(t cc.Type) bool {
	q, ok := t.(*cc.PointerType)
	return ok && q.Elem().Kind() != cc.Function
}

// ModelOf is the model of a function that no source defines, or nil.
func (p *modelled) ModelOf(name string) *Procedure { return p.models[name] }

// IsSystem reports whether a function is one of the C library or of POSIX.
func (p *modelled) IsSystem(name string) bool {
	_, known := libc.Known(name)
	return known || p.models[name] != nil
}

// IsModel reports whether a unit is that of the models.
func (p *modelled) IsModel(f *File) bool { return f != nil && f == p.library }

// LibraryFunction is a function for the models' own use, or nil where no model that
// needs it is in use.
func (p *modelled) LibraryFunction(name string) *Procedure {
	if p.library == nil {
		return nil
	}
	return p.library.statics[name]
}

// LibraryObject is an object of the models, or nil where no model that needs it is in use.
func (p *modelled) LibraryObject(name string) *Object {
	if p.library == nil {
		return nil
	}
	return p.library.Objects[name]
}

// Stranger says how the type of a function differs from that of a model of its name;
// "" if it does not, or if there is none.
func (p *modelled) Stranger(name string) string { return p.strangers[name] }

// Pointee is the type that the sources declare a parameter of a function to point to,
// or nil.
func (p *Program) Pointee(function string, param int) cc.Type {
	d := p.decls[function]
	if d == nil {
		return nil
	}
	t, ok := d.Type().(*cc.FunctionType)
	if !ok || param < 0 || param >= len(Parameters(t)) {
		return nil
	}
	if q, ok := Parameters(t)[param].Type().Decay().(*cc.PointerType); ok {
		return q.Elem()
	}
	return nil
}
