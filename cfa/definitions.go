package cfa

// What the sources define, with the places in the text: for those who show or
// rewrite the text.

import "modernc.org/cc/v4"

// A Function is a function of a program: with a body, or only declared.
type Function struct {
	Name   string
	File   string // the unit
	Static bool
	Void   bool // returns nothing
	// Pointer says that it returns one.
	Pointer bool
	Pos     Pos // of the name
	// Body is where the body's opening brace is; not valid without a body.
	Body   Pos
	Params []FunctionParam
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
	Pos     Pos
}

// Functions are the functions with bodies in source order, then the others
// that some unit declares, by name.
func (p *Program) Functions() []Function {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []Function
	for _, pr := range p.procs {
		f := p.function(pr.name, pr.def.Declarator)
		f.File, f.Static, f.Pos = pr.file.name, pr.static, pr.pos
		f.Body = position(pr.def.CompoundStatement.Token.Position())
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
	f := Function{Name: name, Static: d.Linkage() == cc.Internal, Pos: position(d.NameTok().Position())}
	if t, ok := d.Type().(*cc.FunctionType); ok {
		f.Void, f.Pointer = t.Result().Kind() == cc.Void, t.Result().Kind() == cc.Ptr
		for _, q := range parameters(t) {
			f.Params = append(f.Params, FunctionParam{q.Name(), q.Type().Decay().Kind() == cc.Ptr})
		}
	}
	return f
}

// Variables are the variables of file scope of each unit: an external one is
// there once for each unit that declares it.
func (p *Program) Variables() []Variable {
	var all []Variable
	for _, f := range p.files {
		for _, name := range sortedKeys(f.objects) {
			o := f.objects[name]
			all = append(all, Variable{Name: name, File: f.name, Static: o.static, Defined: o.defined, Pos: o.pos})
		}
	}
	return all
}
