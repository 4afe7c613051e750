package source

// Programs: several translation units linked by name. Procedures and objects
// with external linkage are one across the units, static ones belong to their
// unit, static locals to their procedure.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"magus/cfa"
	"magus/cfa/source/preprocess"
	"magus/cfa/source/reword"

	"modernc.org/cc/v4"
	"modernc.org/token"
)

// A Program is a parsed and type-checked C program. It is immutable. What reads
// its syntax locks it, because the library's types fill caches as they are read;
// its own exported methods do that themselves.
type Program struct {
	sync.Mutex
	Model cfa.DataModel
	// Evaluation is FLT_EVAL_METHOD, see [Options].
	Evaluation int
	LongDouble cfa.LongDouble
	Files      []*File
	// Layouts are those of the types.
	Layouts *Layouts
	directory
	modelled
	// noreturn are the functions that some declaration says not to return.
	noreturn map[string]bool
	objects  map[*cc.Declarator]*Object
	literals map[*cc.PostfixExpression]*Object
	globals  []*Object // of file scope, in source order
	// stored is kept by [Program.Stored].
	stored      map[*Procedure][]*Object
	pointersSet map[*Object]bool // see SetsPointers
	// compared are the types of names that several units declare.
	compared *comparison
	valued   map[*Procedure]*valuation // whose names are used as values; nil: not yet asked
	// ofSystem reports whether a file is a header that the user did not write.
	ofSystem func(file string) bool
}

// OfSystem reports whether something is declared in a header of the system, or of those that come with magus.
func (p *Program) OfSystem(d *cc.Declarator) bool { return p.ofSystem(place(d).File) }

// A directory has the procedures by their names.
type directory struct {
	procs []*Procedure // with bodies, in source order
	// byName are the procedures of each name with external linkage, and the
	// static ones that no external one and no earlier unit hides.
	byName map[string]*Procedure
	decls  map[string]*cc.Declarator // functions declared, bodies or not
	// linkNames are what the linker calls the functions in decls whose name in C is another, and
	// ambiguous those that are several functions by that.
	linkNames map[string]string
	ambiguous map[string]bool
	// aliases are further names, with external linkage, of procedures that may be static.
	aliases map[string]*Procedure
}

// modelled is what is there of the C library.
type modelled struct {
	library *File                 // the unit of the models in use
	models  map[string]*Procedure // those
	// strangers says of functions that have only the name in common with a model how their types differ.
	strangers map[string]string
}

// A File is one translation unit.
type File struct {
	Name string
	// HostHeader is a header that does not come with magus, for which the
	// machine's were taken; "" if there is none.
	HostHeader string
	// HostWith is another file of the program that needs that header; "" if it is this one.
	HostWith string
	Asm      bool               // has inline assembly, perhaps
	Refused  error              // why nothing of it can be verified
	Objects  map[string]*Object // of file scope, by name

	ast     *cc.AST
	acts    bool // performs actions, perhaps
	carries bool // messages with values, perhaps
	own     bool // a header that comes with magus was read
	statics map[string]*Procedure
	private map[string]bool // functions declared static
	aliases []alias
	labels  map[string]label // of names of file scope that the linker knows by another one
	weak    map[string]bool  // names that are said to be so
	// saysWeak: the text may say so of a name.
	saysWeak bool
	// renames: #pragma redefine_extname stands in the text, perhaps.
	renames bool
	// noreturn are the static functions that some declaration says not to return.
	noreturn map[string]bool
	macros   map[string]preprocess.Macro // at the end of the text
	made     map[madeToken]string        // what macros without parameters made
	parts    *unitParts
}

// A Procedure is a function with a body.
type Procedure struct {
	Name   string
	File   *File
	Def    *cc.FunctionDefinition
	Type   *cc.FunctionType
	Pos    cfa.Pos
	Static bool

	inlined bool           // there to be inlined only
	runs    *cc.Attributes // before main or at its end
}

// An Object has static storage duration: a global, or a static local.
type Object struct {
	Name    string
	Proc    string  // of a static local; of a compound literal the object in whose initialiser it stands
	Pos     cfa.Pos // its definition, or its first declaration
	Type    cc.Type // the most complete one that is declared
	Init    *cc.Initializer
	Asm     bool // its unit may have inline assembly, which may store to it
	Defined bool // some unit defines it
	Static  bool // internal linkage or none
	Library bool // of the models of the C library
	Const   bool // every declaration says so
	// MayShare says that it is a compound literal that may have its memory in common with another one.
	MayShare bool
	// Stores counts the expressions that store to it, Addressed says that
	// its address is taken somewhere, AddressedAtStart that an initialiser
	// takes it.
	Stores           int
	Reads            int // the expressions that read it
	Addressed        bool
	AddressedAtStart bool
	Seq              int // place in the order of declarations

	decl *cc.Declarator // the declaration whose type says most; nil for a static local
}

// IsLiteral reports whether the object stands for a string literal.
func (o *Object) IsLiteral() bool {
	return o.MayShare || strings.HasPrefix(o.Name, reword.LiteralPrefix)
}

// Position is a place of the library's as one of ours.
func Position(p token.Position) cfa.Pos {
	return cfa.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

// link gathers the units' declarations.
func (p *Program) link() error {
	p.byName, p.decls = map[string]*Procedure{}, map[string]*cc.Declarator{}
	p.aliases, p.linkNames, p.ambiguous = map[string]*Procedure{}, map[string]string{}, map[string]bool{}
	p.noreturn, p.objects = map[string]bool{}, map[*cc.Declarator]*Object{}
	p.stored = map[*Procedure][]*Object{}
	p.compared = &comparison{p.Layouts, map[[2]cc.Type]bool{}}
	external := map[string]*Object{}
	var errs cfa.Errors
	p.renameLabelled()
	for _, f := range p.Files {
		f.statics, f.Objects, f.private = map[string]*Procedure{}, map[string]*Object{}, map[string]bool{}
		f.noreturn = map[string]bool{}
		f.noteWeak()
		for tu := f.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
			switch d := tu.ExternalDeclaration; d.Case {
			case cc.ExternalDeclarationFuncDef:
				errs = append(errs, p.addProcedure(f, d.FunctionDefinition)...)
			case cc.ExternalDeclarationDecl:
				errs = append(errs, p.addDeclaration(f, d.Declaration, external)...)
			}
		}
		p.scopeObjects(f, f.ast.Scope, external)
	}
	p.publish()
	for _, f := range p.Files {
		for _, name := range sortedKeys(f.statics) {
			if p.byName[name] == nil {
				p.byName[name] = f.statics[name]
			}
		}
	}
	p.bindAliases()
	p.findConstructors()
	for _, o := range p.globals {
		if d := p.decls[o.Name]; d != nil && !o.Static && d.Linkage() == cc.External {
			errs = append(errs, cfa.Error{Pos: o.Pos,
				Msg: fmt.Sprintf("%s is a variable here, a function at %v", o.Name, place(d))})
		}
	}
	p.startAddresses()
	p.findLiterals()
	return append(errs, p.checkActions()...).Once()
}

func (p *Program) addProcedure(f *File, def *cc.FunctionDefinition) (errs cfa.Errors) {
	d := def.Declarator
	typ, ok := d.Type().(*cc.FunctionType)
	if !ok {
		return cfa.Fault(Position(d.Position()), "not a function: "+d.Name())
	}
	f.noteAttributes(d, nil)
	f.refuseLabels(def)
	p.noteNoreturn(f, d, def.DeclarationSpecifiers, nil)
	name := d.Name()
	pr := &Procedure{Name: name, File: f, Def: def, Type: typ, Pos: place(d),
		Static: d.Linkage() == cc.Internal || f.private[name], inlined: f.isInlineOnly(def)}
	if pr.Static = pr.Static || pr.inlined; pr.Static {
		f.statics[name] = pr
	} else {
		if old := p.byName[name]; old != nil && f.IsWeak(d) {
			return nil // the other one counts
		} else if old != nil && old.File.IsWeak(old.Def.Declarator) {
			p.procs = slices.DeleteFunc(p.procs, func(pr *Procedure) bool { return pr == old })
		} else if old != nil {
			return cfa.Fault(pr.Pos, fmt.Sprintf("%s is defined a second time, first at %v", name, old.Pos))
		}
		p.byName[name] = pr
	}
	p.procs = append(p.procs, pr)
	return append(errs, p.declareFunction(f, d)...)
}

// declareFunction notes a declaration and compares it with the first one.
func (p *Program) declareFunction(f *File, d *cc.Declarator) cfa.Errors {
	name := d.Name()
	old := p.decls[name]
	switch {
	case old == nil || old.Linkage() == cc.Internal:
		p.decls[name], p.linkNames[name] = d, f.linkName(name)
	case d.Linkage() == cc.Internal:
	case p.linkNames[name] != f.linkName(name):
		p.ambiguous[name] = true
	default:
		if how := p.differ(old, d); how != "" {
			return cfa.Fault(place(d), fmt.Sprintf("%s is declared with another type than at %v: %s", name, place(old), how))
		}
		if prototyped(d) && !prototyped(old) || d.IsFuncDef() {
			p.decls[name] = d
		}
	}
	return nil
}

// differ says how a declaration differs in type from an earlier one, "" if it
// does not.
func (p *Program) differ(old, d *cc.Declarator) string {
	f, isFunc := old.Type().(*cc.FunctionType)
	g, ok := d.Type().(*cc.FunctionType)
	if isFunc && ok && !(prototyped(old) && prototyped(d)) {
		return within("what it returns", p.compared.types(f.Result(), g.Result()))
	}
	return p.compared.types(old.Type(), d.Type())
}

// prototyped reports whether a declarator names the types of the parameters.
func prototyped(d *cc.Declarator) bool {
	t, ok := d.Type().(*cc.FunctionType)
	return ok && (t.MaxArgs() >= 0 || t.IsVariadic()) && d.DirectDeclarator != nil &&
		d.DirectDeclarator.Case == cc.DirectDeclaratorFuncParam
}

func (p *Program) addDeclaration(f *File, decl *cc.Declaration, external map[string]*Object) (errs cfa.Errors) {
	f.noteTypes(p.Layouts, decl)
	for l := decl.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		d := l.InitDeclarator.Declarator
		f.noteAttributes(d, l.InitDeclarator.AttributeSpecifierList)
		f.noteAlias(d, l.InitDeclarator.AttributeSpecifierList)
		switch {
		case d.IsTypename() || d.Name() == "":
		case d.Type().Kind() == cc.Function:
			p.noteNoreturn(f, d, decl.DeclarationSpecifiers, l.InitDeclarator.AttributeSpecifierList)
			if d.Linkage() == cc.Internal {
				f.private[d.Name()] = true
			}
			errs = append(errs, p.declareFunction(f, d)...)
		default:
			errs = append(errs, p.addObject(f, d, l.InitDeclarator.Initializer, external)...)
		}
	}
	return errs
}

// noteNoreturn notes a declaration that says that the function does not return: _Noreturn, or
// GCC's attribute. One of a static function says nothing of others of its name.
func (p *Program) noteNoreturn(f *File, d *cc.Declarator, specs *cc.DeclarationSpecifiers,
	list *cc.AttributeSpecifierList) {
	says := attribute(d, list, "noreturn", "__noreturn__") != ""
	for s := specs; s != nil; s = s.DeclarationSpecifiers {
		says = says || s.Case == cc.DeclarationSpecifiersFunc && s.FunctionSpecifier.Case == cc.FunctionSpecifierNoreturn
	}
	switch {
	case says && d.Linkage() != cc.Internal:
		p.noreturn[d.Name()] = true
	case says:
		f.noreturn[d.Name()] = true
	}
}

// addObject enters one declaration of an object of file scope.
func (p *Program) addObject(f *File, d *cc.Declarator, init *cc.Initializer, external map[string]*Object) cfa.Errors {
	name, static := d.Name(), d.Linkage() == cc.Internal
	o := f.Objects[name]
	if o == nil && !static {
		o = external[name]
	}
	if o == nil {
		o = &Object{Name: name, Static: static, Const: true, Seq: len(p.globals), Pos: place(d), decl: d}
		p.globals = append(p.globals, o)
	}
	f.Objects[name] = o
	if !o.Static {
		external[name] = o
	}
	if how := p.differ(o.decl, d); how != "" {
		return cfa.Fault(place(d), fmt.Sprintf("%s is declared with another type than at %v: %s", name,
			Position(o.decl.NameTok().Position()), how))
	}
	if o.decl.Type().IsIncomplete() {
		o.decl = d
	}
	if !d.IsExtern() || init != nil {
		if init != nil && o.Init != nil {
			return cfa.Fault(place(d), fmt.Sprintf("%s is defined a second time, first at %v", name, o.Pos))
		}
		if init != nil || !o.Defined {
			o.Pos = place(d)
		}
		o.Defined = true
	}
	if init != nil {
		o.Init = init
	}
	p.noteUses(f, o, d, init != nil)
	return nil
}

// noteUses adds what the library counted for one declarator of the object.
func (p *Program) noteUses(f *File, o *Object, d *cc.Declarator, initialised bool) {
	p.objects[d] = o
	if o.Type == nil || d.Type().Size() > o.Type.Size() {
		o.Type = d.Type()
	}
	o.Asm = o.Asm || f.Asm
	o.Const = o.Const && Constant(d)
	o.Addressed = o.Addressed || d.AddressTaken()
	o.Stores += d.WriteCount()
	o.Reads += d.ReadCount()
	if IsArgumentList(d.Type()) {
		o.Stores++ // by va_start
	}
	if initialised && d.WriteCount() > 0 {
		o.Stores-- // the library counts the initialiser
	}
}

// scopeObjects finds the objects that blocks declare: static locals, and
// externs, which are the file's object of that name.
func (p *Program) scopeObjects(f *File, s *cc.Scope, external map[string]*Object) {
	for _, child := range s.Children {
		for _, name := range sortedKeys(child.Nodes) {
			for _, n := range child.Nodes[name] {
				d, ok := n.(*cc.Declarator)
				if !ok || d.IsTypename() || d.IsParam() || d.Type().Kind() == cc.Function || !d.IsExtern() {
					continue
				}
				p.addObject(f, d, nil, external)
			}
		}
		p.scopeObjects(f, child, external)
	}
}

// findLiterals finds the compound literals in initialisers of file scope: objects of static storage duration without
// a name (C11 6.5.2.5p5).
func (p *Program) findLiterals() {
	p.literals = map[*cc.PostfixExpression]*Object{}
	for _, o := range p.globals {
		WalkInitializer(o.Init, func(e cc.ExpressionNode) {
			x, ok := Unparen(e).(*cc.PostfixExpression)
			if !ok || x.Case != cc.PostfixExpressionComplit || p.literals[x] != nil {
				return
			}
			at := Position(x.Position())
			p.literals[x] = &Object{Name: fmt.Sprintf("literal@%d:%d", at.Line, at.Col), Proc: o.Name, Pos: at,
				Type:    x.TypeName.Type(),
				Init:    &cc.Initializer{Case: cc.InitializerInitList, InitializerList: x.InitializerList},
				Defined: true, Static: true, Addressed: true, AddressedAtStart: true, MayShare: MayBeConst(x.TypeName),
				Library: o.Library, Seq: o.Seq}
		})
	}
}

// Literal is the object that a compound literal of file scope is; nil of another one.
func (p *Program) Literal(x *cc.PostfixExpression) *Object { return p.literals[x] }

// startAddresses marks the objects whose address an initialiser takes.
func (p *Program) startAddresses() {
	for _, o := range p.globals {
		WalkInitializer(o.Init, func(e cc.ExpressionNode) {
			if d := AddressedDeclarator(e); d != nil && p.objects[d] != nil {
				p.objects[d].AddressedAtStart = true
			}
		})
	}
}

// Bodies are the procedures with bodies, in source order.
func (p *directory) Bodies() []*Procedure { return p.procs }

// Procedures are the names of the procedures with bodies, in source order.
func (p *directory) Procedures() []string {
	names := make([]string, 0, len(p.procs))
	for _, pr := range p.procs {
		if !slices.Contains(names, pr.Name) {
			names = append(names, pr.Name)
		}
	}
	return names
}

// HasBody reports whether some source defines the procedure.
func (p *directory) HasBody(name string) bool { return p.Procedure(name) != nil }

// HasSharedBody reports whether some source defines the procedure for all of them.
func (p *directory) HasSharedBody(name string) bool {
	pr := p.byName[name]
	return pr != nil && !pr.Static || p.aliases[name] != nil
}

// IsFunction reports whether some source declares a function of that name, with a body or not.
func (p *directory) IsFunction(name string) bool { return p.HasBody(name) || p.decls[name] != nil }

// ThreadCreators are the functions of the C library that create threads.
func ThreadCreators() []string { return []string{"pthread_create", "thrd_create"} }

// DeclaresThreads reports whether the sources declare what creates threads.
func (p *Program) DeclaresThreads() bool {
	return slices.ContainsFunc(ThreadCreators(), func(name string) bool { _, ok := p.Declared(name); return ok })
}

// Declared is where the sources declare a function, with a body or not.
func (p *Program) Declared(name string) (cfa.Pos, bool) {
	p.Lock()
	defer p.Unlock()
	d := p.decls[name]
	if pr := p.Procedure(name); pr != nil {
		d = pr.Def.Declarator
	}
	if d == nil {
		return cfa.Pos{}, false
	}
	return place(d), true
}

// Procedure is the procedure that a component of that name begins with, or nil: one of a plain name, or of a
// [Program.UniqueName].
func (p *directory) Procedure(name string) *Procedure {
	if pr := p.byName[name]; pr != nil || !strings.Contains(name, ":") {
		return pr
	}
	i := slices.IndexFunc(p.procs, func(pr *Procedure) bool { return p.UniqueName(pr) == name })
	if i < 0 {
		return nil
	}
	return p.procs[i]
}

// UniqueName tells procedures apart that have one name, static ones of several files: the name, or FILE:NAME for
// one that the plain name does not mean. What a header defines in several units is one procedure.
func (p *directory) UniqueName(pr *Procedure) string {
	first := p.byName[pr.Name]
	if first == nil || first == pr || first.Pos == pr.Pos {
		return pr.Name
	}
	return pr.Pos.File + ":" + pr.Name
}

// Noreturn reports whether some declaration of a function says that it does not
// return.
func (p *Program) Noreturn(name string) bool { return p.noreturn[name] }

// NeverReturns reports whether some declaration of a procedure says that it does not return.
func (p *Program) NeverReturns(pr *Procedure) bool {
	if pr.Static {
		return pr.File.noreturn[pr.Name]
	}
	return p.noreturn[pr.Name]
}

// Object is the object of file scope that a declarator declares, or nil.
func (p *Program) Object(d *cc.Declarator) *Object { return p.objects[d] }

// NumObjects is the number of objects of file scope.
func (p *Program) NumObjects() int { return len(p.globals) }

// Body finds the body that a call in file f of that name reaches, or nil.
func (p *Program) Body(f *File, name string) *Procedure {
	if pr := f.statics[name]; pr != nil {
		return pr
	}
	if p.IsModel(f) {
		return nil
	}
	if pr := p.byName[name]; pr != nil && !pr.Static {
		return pr
	}
	return p.aliases[name]
}

// FileOf is the file whose declaration of a function d is: f, another one whose initialiser is looked at in
// f, or f again where it is not declared outside of functions.
func (p *Program) FileOf(f *File, d *cc.Declarator) *File {
	for _, in := range append([]*File{f}, p.Files...) {
		for _, n := range in.ast.Scope.Nodes[d.Name()] {
			if n == d {
				return in
			}
		}
	}
	return f
}

// Mentions reports whether the body has an identifier.
func (pr *Procedure) Mentions(name string) bool {
	found := false
	Inspect(pr.Def.CompoundStatement, func(x any) bool {
		if p, ok := x.(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionIdent {
			found = found || p.Token.SrcStr() == name
		}
		return !found
	})
	return found
}

// ParameterNames are the names of a procedure's parameters.
func ParameterNames(pr *Procedure) []string {
	var names []string
	for _, q := range Parameters(pr.Type) {
		names = append(names, q.Name())
	}
	return names
}

// Parameters are the parameters of a function type; (void) has none.
func Parameters(t *cc.FunctionType) []*cc.Parameter {
	ps := t.Parameters()
	if len(ps) == 1 && ps[0].Type().Kind() == cc.Void {
		return nil
	}
	return ps
}

// place is where a declarator has its name.
func place(d *cc.Declarator) cfa.Pos { return Position(d.NameTok().Position()) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
