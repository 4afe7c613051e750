package cfa

// Programs: several translation units linked by name. Procedures and objects
// with external linkage are one across the units, static ones belong to their
// unit, static locals to their procedure.

import (
	"fmt"
	"slices"
	"sync"

	"magus/internal/expr"

	"modernc.org/cc/v4"
	"modernc.org/token"
)

// A Program is a parsed and type-checked C program. It is immutable and
// safe for concurrent use.
type Program struct {
	mu    sync.Mutex // the library's types fill caches as they are read
	model DataModel
	files []*file
	procs []*procedure // with bodies, in source order
	// byName are the procedures of each name with external linkage, and the
	// static ones that no external one and no earlier unit hides.
	byName map[string]*procedure
	decls  map[string]*cc.Declarator // functions declared, bodies or not
	// endless are the functions that some declaration says not to return.
	endless map[string]bool
	objects map[*cc.Declarator]*object
	globals []*object // objects of file scope, in source order
	// compared are the types of names that several units declare.
	compared *comparison
}

// A file is one translation unit.
type file struct {
	name    string
	ast     *cc.AST
	relined bool  // uses __LINE__ and has line directives
	asm     bool  // has inline assembly, perhaps
	packs   bool  // has #pragma pack, or the attribute behind a member
	refused error // why nothing of it can be verified
	statics map[string]*procedure
	private map[string]bool    // functions declared static
	objects map[string]*object // of file scope, by name
}

// A procedure is a function with a body.
type procedure struct {
	name   string
	file   *file
	def    *cc.FunctionDefinition
	typ    *cc.FunctionType
	pos    Pos
	static bool
}

// An object has static storage duration: a global, or a static local.
type object struct {
	name    string
	proc    string // of a static local
	pos     Pos    // its definition, or its first declaration
	typ     ctype
	ctyp    cc.Type // the most complete one that is declared
	init    *cc.Initializer
	asm     bool           // its unit may have inline assembly, which may store to it
	decl    *cc.Declarator // the declaration whose type says most; nil for a static local
	defined bool           // some unit defines it
	static  bool           // internal linkage or none
	isConst bool           // every declaration says so
	// stores counts the expressions that store to it, addressed says that
	// its address is taken somewhere, addressedAtStart that an initialiser
	// takes it.
	stores           int
	addressed        bool
	addressedAtStart bool
	seq              int
}

// A ProcParam is a parameter of a procedure.
type ProcParam struct {
	Name string // may be empty
	Type expr.Type
}

// A ProcDecl is what the sources declare of a procedure.
type ProcDecl struct {
	Name   string
	Params []ProcParam
	Ret    expr.Type // Bool for void
	Void   bool
	Pos    Pos
}

func position(p token.Position) Pos { return Pos{p.Filename, p.Line, p.Column} }

// link gathers the units' declarations.
func (p *Program) link() error {
	p.byName, p.decls = map[string]*procedure{}, map[string]*cc.Declarator{}
	p.endless, p.objects = map[string]bool{}, map[*cc.Declarator]*object{}
	p.compared = &comparison{map[[2]cc.Type]bool{}}
	external := map[string]*object{}
	var errs Errors
	for _, f := range p.files {
		f.statics, f.objects, f.private = map[string]*procedure{}, map[string]*object{}, map[string]bool{}
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
	for _, f := range p.files {
		for _, name := range sortedKeys(f.statics) {
			if p.byName[name] == nil {
				p.byName[name] = f.statics[name]
			}
		}
	}
	for _, o := range p.globals {
		if d := p.decls[o.name]; d != nil && !o.static && d.Linkage() == cc.External {
			errs = append(errs, Error{o.pos, fmt.Sprintf("%s is a variable here, a function at %v", o.name, position(d.NameTok().Position()))})
		}
	}
	p.startAddresses()
	return errs.once()
}

func (p *Program) addProcedure(f *file, def *cc.FunctionDefinition) (errs Errors) {
	d := def.Declarator
	typ, ok := d.Type().(*cc.FunctionType)
	if !ok {
		return Errors{{position(d.Position()), "not a function: " + d.Name()}}
	}
	f.noteAttributes(d, nil)
	name := d.Name()
	pr := &procedure{name: name, file: f, def: def, typ: typ, pos: position(d.NameTok().Position()), static: d.Linkage() == cc.Internal || f.private[name]}
	if pr.static {
		f.statics[name] = pr
	} else {
		if old := p.byName[name]; old != nil {
			return Errors{{pr.pos, fmt.Sprintf("%s is defined a second time, first at %v", name, old.pos)}}
		}
		p.byName[name] = pr
	}
	p.procs = append(p.procs, pr)
	return append(errs, p.declareFunction(d)...)
}

// declareFunction notes a declaration and compares it with the first one.
func (p *Program) declareFunction(d *cc.Declarator) Errors {
	name := d.Name()
	old := p.decls[name]
	switch {
	case old == nil || old.Linkage() == cc.Internal:
		p.decls[name] = d
	case d.Linkage() == cc.Internal:
	default:
		a, b := p.signature(name, old), p.signature(name, d)
		if how := p.differ(old, d); how != "" {
			return Errors{{b.Pos, fmt.Sprintf("%s is declared with another type than at %v: %s", name, a.Pos, how)}}
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
	return ok && (t.MaxArgs() >= 0 || t.IsVariadic()) && d.DirectDeclarator != nil && d.DirectDeclarator.Case == cc.DirectDeclaratorFuncParam
}

func (p *Program) addDeclaration(f *file, decl *cc.Declaration, external map[string]*object) (errs Errors) {
	f.noteTypes(decl)
	for l := decl.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		d := l.InitDeclarator.Declarator
		f.noteAttributes(d, l.InitDeclarator.AttributeSpecifierList)
		switch {
		case d.IsTypename() || d.Name() == "":
		case d.Type().Kind() == cc.Function:
			if noreturn(d, decl.DeclarationSpecifiers) {
				p.endless[d.Name()] = true
			}
			if d.Linkage() == cc.Internal {
				f.private[d.Name()] = true
			}
			errs = append(errs, p.declareFunction(d)...)
		default:
			errs = append(errs, p.addObject(f, d, l.InitDeclarator.Initializer, external)...)
		}
	}
	return errs
}

// noreturn reports whether a declaration says that the function does not
// return: _Noreturn, or GCC's attribute.
func noreturn(d *cc.Declarator, specs *cc.DeclarationSpecifiers) bool {
	for s := specs; s != nil; s = s.DeclarationSpecifiers {
		if s.Case == cc.DeclarationSpecifiersFunc && s.FunctionSpecifier.Case == cc.FunctionSpecifierNoreturn {
			return true
		}
	}
	a := d.Type().Attributes()
	return a != nil && (a.IsAttrSet("noreturn") || a.IsAttrSet("__noreturn__"))
}

// addObject enters one declaration of an object of file scope.
func (p *Program) addObject(f *file, d *cc.Declarator, init *cc.Initializer, external map[string]*object) Errors {
	name, static := d.Name(), d.Linkage() == cc.Internal
	o := f.objects[name]
	if o == nil && !static {
		o = external[name]
	}
	if o == nil {
		o = &object{name: name, static: static, isConst: true, seq: len(p.globals), pos: position(d.NameTok().Position()), typ: p.model.ctypeOf(d.Type()), decl: d}
		p.globals = append(p.globals, o)
	}
	f.objects[name] = o
	if !o.static {
		external[name] = o
	}
	if how := p.differ(o.decl, d); how != "" {
		return Errors{{position(d.NameTok().Position()), fmt.Sprintf("%s is declared with another type than at %v: %s", name, position(o.decl.NameTok().Position()), how)}}
	}
	if o.decl.Type().IsIncomplete() {
		o.decl = d
	}
	if !d.IsExtern() || init != nil {
		if init != nil && o.init != nil {
			return Errors{{position(d.NameTok().Position()), fmt.Sprintf("%s is defined a second time, first at %v", name, o.pos)}}
		}
		if init != nil || !o.defined {
			o.pos = position(d.NameTok().Position())
		}
		o.defined = true
	}
	if init != nil {
		o.init = init
	}
	p.noteUses(f, o, d, init != nil)
	return nil
}

// noteUses adds what the library counted for one declarator of the object.
func (p *Program) noteUses(f *file, o *object, d *cc.Declarator, initialised bool) {
	p.objects[d] = o
	if o.ctyp == nil || d.Type().Size() > o.ctyp.Size() {
		o.ctyp = d.Type()
	}
	o.asm = o.asm || f.asm
	o.isConst = o.isConst && d.IsConst()
	o.addressed = o.addressed || d.AddressTaken()
	o.stores += d.WriteCount()
	if initialised && d.WriteCount() > 0 {
		o.stores-- // the library counts the initialiser
	}
}

// scopeObjects finds the objects that blocks declare: static locals, and
// externs, which are the file's object of that name.
func (p *Program) scopeObjects(f *file, s *cc.Scope, external map[string]*object) {
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

// startAddresses marks the objects whose address an initialiser takes.
func (p *Program) startAddresses() {
	for _, o := range p.globals {
		walkInitializer(o.init, func(e cc.ExpressionNode) {
			if d := addressedDeclarator(e); d != nil && p.objects[d] != nil {
				p.objects[d].addressedAtStart = true
			}
		})
	}
}

// Procedures are the names of the procedures with bodies, in source order.
func (p *Program) Procedures() []string {
	names := make([]string, 0, len(p.procs))
	for _, pr := range p.procs {
		if !slices.Contains(names, pr.name) {
			names = append(names, pr.name)
		}
	}
	return names
}

// HasBody reports whether some source defines the procedure.
func (p *Program) HasBody(name string) bool { return p.byName[name] != nil }

// Declared is what the sources declare of a procedure, with a body or not.
func (p *Program) Declared(name string) (ProcDecl, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.declared(name)
}

func (p *Program) declared(name string) (ProcDecl, bool) {
	if pr := p.byName[name]; pr != nil {
		return p.signature(name, pr.def.Declarator), true
	}
	d := p.decls[name]
	if d == nil {
		return ProcDecl{}, false
	}
	return p.signature(name, d), true
}

func (p *Program) signature(name string, d *cc.Declarator) ProcDecl {
	decl := ProcDecl{Name: name, Pos: position(d.NameTok().Position())}
	t, ok := d.Type().(*cc.FunctionType)
	if !ok {
		return decl
	}
	ret := p.model.ctypeOf(t.Result())
	decl.Ret, decl.Void = ret.typ, ret.class == classVoid
	for _, q := range parameters(t) {
		decl.Params = append(decl.Params, ProcParam{q.Name(), p.model.ctypeOf(q.Type()).typ})
	}
	return decl
}

// parameters are the parameters of a function type; (void) has none.
func parameters(t *cc.FunctionType) []*cc.Parameter {
	ps := t.Parameters()
	if len(ps) == 1 && ps[0].Type().Kind() == cc.Void {
		return nil
	}
	return ps
}

// resolve finds the body that a call in file f of that name reaches.
func (p *Program) resolve(f *file, name string) *procedure {
	if pr := f.statics[name]; pr != nil {
		return pr
	}
	if pr := p.byName[name]; pr != nil && !pr.static {
		return pr
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
