package lower

// What abstractions name at calls.
//
// Idea: a guard may name more than arguments and globals: what an argument points to, a variable of the procedure in
// which the call stands, the address of a member. Such a path is evaluated where the call stands, before it, as C
// would there. A name is the global of that name or, where there is none, what the name means where the call stands;
// failing that, what it means at the call of that procedure, and so on out to the component's procedure.
//
// Source: ours; MAGIC's guards speak of arguments only. Cost: a pass over the paths at each call.

import (
	"fmt"
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// named are the values at a call of what the callee's abstractions name.
func (l *calls) named(c *callSite, vals []value, args []*expr.Expr) []cfa.Named {
	if l.opt.Named == nil || l.Dead() {
		return nil
	}
	at := *c
	at.vals = vals
	s := &observedScope{observing: l.observing, c: &at, declared: true}
	var all []cfa.Named
	for _, path := range l.opt.Named(c.name) {
		if strings.Trim(path, "*&") == "true" || path == "false" || path == "NULL" {
			continue
		}
		n := cfa.Named{Path: path}
		v, isPointer, err := s.value(path)
		if err != nil {
			n.Why = fmt.Sprintf("%v, where %s is called (%v)", err, c.name, c.pos)
		} else if n.Value = v; isPointer {
			for i, a := range args {
				if i < len(vals) && vals[i].class == classPtr {
					l.mem.Relates(memory.Equal, a, v, c.pos)
				}
			}
		}
		all = append(all, n)
	}
	return all
}

// value is that of a path, and whether it is an address.
func (s *observedScope) value(path string) (v *expr.Expr, isPointer bool, err error) {
	rest, address := strings.CutPrefix(path, "&")
	p, err := s.place(rest)
	switch {
	case err != nil:
		return nil, false, err
	case address && p.v != nil && !s.hasAddress(p.d):
		return nil, false, fmt.Errorf("nothing takes the address of %s", rest)
	case address && p.field != nil:
		return nil, false, fmt.Errorf("%s is a bit-field", rest)
	case address:
		return s.accesses.address(p), true, nil
	}
	read := s.accesses.read(p, s.c.n)
	if read.t == nil {
		return nil, false, fmt.Errorf("%s is no number and no pointer", path)
	}
	return read.t, read.class == classPtr, nil
}

// hasAddress reports whether something takes the address of a scalar variable.
func (l *facts) hasAddress(d *cc.Declarator) bool {
	if d == nil {
		return false
	}
	if o := l.prog.Object(d); o != nil {
		return o.Addressed
	}
	return d.AddressTaken()
}

// globalNamed is the variable of file scope of a name.
func (s *observedScope) globalNamed(name string) (lvalue, error) {
	o := s.fr.proc.File.Objects[name]
	switch {
	case o == nil:
		return lvalue{}, fmt.Errorf("no global variable %s", name)
	case s.ctypeOf(o.Type).scalar():
		return lvalue{v: s.objects.object(o), typ: o.Type, t: s.ctypeOf(o.Type)}, nil
	}
	return s.accesses.objectLvalue(s.objects.staticObject(o), o.Type), nil
}

// variableNamed is the variable that a name means at the call.
func (s *observedScope) variableNamed(name string) (lvalue, error) {
	if s.c.n == nil || s.globals {
		return s.globalNamed(name)
	}
	here, at := s.fr, s.c.n
	defer func() { s.fr = here }()
	for fr := here; fr != nil && at != nil; fr, at = fr.parent, fr.site {
		if d := source.NamedAt(at, name); d != nil {
			s.fr = fr
			return s.accesses.variable(d, s.c.n), nil
		}
	}
	return lvalue{}, fmt.Errorf("no variable %s", name)
}
