package source

// What the sources define, with the places in the text: for those who show or
// rewrite the text.

import (
	"magus/cfa"

	"modernc.org/cc/v4"
)

// A Function is a function of a program: with a body, or only declared.
type Function struct {
	Name   string
	File   string // the unit
	Static bool
	Void   bool // returns nothing
	// Pointer says that it returns one.
	Pointer bool
	Pos     cfa.Pos // of the name
	// Body is where the body's opening brace is; not valid without a body.
	Body cfa.Pos
	// AnyValue says that the body gives any value of its type ([GivesAny]).
	AnyValue bool
	Params   []FunctionParam
}

// A FunctionParam is a parameter as it is written.
type FunctionParam struct {
	Name    string // may be empty
	Pointer bool
}

// A Variable is a variable of file scope.
type Variable struct {
	Name    string
	File    string // the unit
	Static  bool
	Defined bool
	Pos     cfa.Pos
}

// Functions are the functions with bodies in source order, then the others
// that some unit declares, by name.
func (p *Program) Functions() []Function {
	p.Lock()
	defer p.Unlock()
	var all []Function
	for _, pr := range p.procs {
		f := p.function(pr.Name, pr.Def.Declarator)
		f.File, f.Static, f.Pos = pr.File.Name, pr.Static, pr.Pos
		f.Body = Position(pr.Def.CompoundStatement.Token.Position())
		f.AnyValue = GivesAny(pr)
		all = append(all, f)
	}
	for _, name := range sortedKeys(p.decls) {
		if p.byName[name] == nil {
			all = append(all, p.function(name, p.decls[name]))
		}
	}
	return all
}

func (p *Program) function(name string, d *cc.Declarator) Function {
	f := Function{Name: name, Static: d.Linkage() == cc.Internal, Pos: Position(d.NameTok().Position())}
	if t, ok := d.Type().(*cc.FunctionType); ok {
		f.Void, f.Pointer = t.Result().Kind() == cc.Void, t.Result().Kind() == cc.Ptr
		for _, q := range Parameters(t) {
			f.Params = append(f.Params, FunctionParam{q.Name(), q.Type().Decay().Kind() == cc.Ptr})
		}
	}
	return f
}

// Variables are the variables of file scope of each unit: an external one is
// there once for each unit that declares it.
func (p *Program) Variables() []Variable {
	var all []Variable
	for _, f := range p.Files {
		for _, name := range sortedKeys(f.Objects) {
			o := f.Objects[name]
			all = append(all, Variable{Name: name, File: f.Name, Static: o.Static, Defined: o.Defined, Pos: o.Pos})
		}
	}
	return all
}
