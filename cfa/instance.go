package cfa

// Instances and variables: what belongs to one inlined copy of a procedure,
// and how its variables are called.
//
// A variable has the name of the source where that is unique: globals always,
// the component's own parameters and locals unless a global has it too.
// Otherwise it is f::x, and f::x#2 for the next one of that name. C has
// neither :: nor # in names, so temporaries cannot clash either.

import (
	"fmt"
	"slices"
	"strings"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// An instance is one inlined copy of a procedure while it is lowered.
type instance struct {
	id     int
	proc   *procedure
	parent *instance
	call   Pos
	locals map[*cc.Declarator]*expr.Expr
	// blocks are the aggregates among the locals, literals the compound literals.
	blocks   map[*cc.Declarator]*block
	literals map[*cc.PostfixExpression]*block
	// known are pointers with a constant value, constants all variables with
	// one.
	known, constants map[*expr.Expr]*expr.Expr
	labels           map[*cc.LabeledStatement]*label
	gotos            []pendingGoto
	scope            *scope
	loops            []*jumps
	// result takes the returned value, if the caller wants one.
	result   *target
	resultAt *place // the same for structures
	returns  []hole
	// alive says, where pointers are checked, that the instance has not
	// returned.
	alive *expr.Expr
}

// A target is a variable that takes a value, with its C type.
type target struct {
	v *expr.Expr
	t ctype
}

// newInstance opens a copy of pr, called from the current one.
func (l *lowerer) newInstance(pr *procedure, parent *instance, call Pos) *instance {
	fr := &instance{id: len(l.frames), proc: pr, parent: parent, call: call,
		locals: map[*cc.Declarator]*expr.Expr{}, labels: map[*cc.LabeledStatement]*label{}, blocks: map[*cc.Declarator]*block{},
		literals: map[*cc.PostfixExpression]*block{}, known: map[*expr.Expr]*expr.Expr{}, constants: map[*expr.Expr]*expr.Expr{}}
	up := -1
	if parent != nil {
		up = parent.id
	}
	l.instances = append(l.instances, fr)
	l.frames = append(l.frames, Frame{Proc: pr.name, Parent: up, Call: call})
	l.fr = fr
	return fr
}

// path is the chain of calls, from the component's procedure on.
func (fr *instance) path() string {
	var calls []string
	for ; fr.parent != nil; fr = fr.parent {
		calls = append(calls, fmt.Sprintf("/%v:%s", fr.call, fr.proc.name))
	}
	slices.Reverse(calls)
	return strings.Join(calls, "")
}

// newVar makes a variable; base is its name if nothing else has it.
func (l *lowerer) newVar(base, alt string, t expr.Type) *expr.Expr {
	for name := base; ; {
		if !l.names[name] {
			l.names[name] = true
			if v := l.tryVar(name, t); v != nil {
				return v
			}
		}
		if n := l.temps[alt] + 1; n == 1 {
			l.temps[alt], name = n, alt
		} else {
			l.temps[alt], name = n, fmt.Sprintf("%s#%d", alt, n)
		}
	}
}

// addVar lists a variable.
func (l *lowerer) addVar(v Var) {
	l.varIndex[v.Expr] = len(l.vars)
	l.vars = append(l.vars, v)
}

// tryVar is the pool's variable of that name, or nil if the pool has one of
// another type, of another component.
func (l *lowerer) tryVar(name string, t expr.Type) (v *expr.Expr) {
	defer func() {
		if recover() != nil {
			v = nil
		}
	}()
	return l.pool.Var(name, t)
}

// temp makes a temporary named after what its value comes from.
func (l *lowerer) temp(source string, t expr.Type, pos Pos) *expr.Expr {
	base := strings.ReplaceAll(source, " ", "_")
	var v *expr.Expr
	for v == nil {
		l.temps[base]++
		name := fmt.Sprintf("%s#%d", base, l.temps[base])
		if !l.names[name] {
			l.names[name] = true
			v = l.tryVar(name, t)
		}
	}
	l.addVar(Var{Expr: v, Name: source, Kind: Temp, Frame: l.fr.id, Pos: pos})
	return v
}

// declare makes a parameter or local of the current instance.
func (l *lowerer) declare(d *cc.Declarator, name string, kind VarKind, t expr.Type) *expr.Expr {
	base, qualified := l.localName(name)
	v := l.newVar(base, qualified, t)
	var pos Pos
	if d != nil {
		l.fr.locals[d] = v
		l.addressable[v] = d.AddressTaken()
		l.pointers[v] = d.Type().Kind() == cc.Ptr
		pos = position(d.Position())
		if d.Name() != "" {
			pos = position(d.NameTok().Position())
		}
		if d.IsVolatile() {
			l.warnf(pos, "volatile %s is treated as an ordinary variable", name)
		}
	}
	l.addVar(Var{Expr: v, Name: name, Kind: kind, Frame: l.fr.id, Pos: pos})
	return v
}

// localName is what a local of the current instance is called, and what if
// that is taken.
func (l *lowerer) localName(name string) (base, qualified string) {
	qualified = l.fr.proc.name + "::" + name
	if l.fr.id == 0 && l.fr.proc.file.objects[name] == nil && !l.isGlobal(name) {
		return name, qualified
	}
	return qualified, qualified
}

func (l *lowerer) isGlobal(name string) bool {
	for _, f := range l.prog.files {
		if f.objects[name] != nil {
			return true
		}
	}
	return false
}

// param declares the i-th parameter of the current instance.
func (l *lowerer) param(i int, q *cc.Parameter) *expr.Expr {
	t := l.prog.model.ctypeOf(q.Type())
	name := q.Name()
	if name == "" {
		name = fmt.Sprintf("#%d", i+1)
	}
	switch t.class {
	case classInt, classPtr:
	case classFloat:
		l.warnf(position(q.Position()), "the floating-point parameter %s is any value", name)
	default:
		if t.class != classAggregate || q.Declarator == nil && l.fr.id > 0 {
			l.refuse(q, fmt.Sprintf("parameter %s of type %s", name, describe(q.Type())), "")
		} else if q.Declarator != nil {
			l.localBlock(q.Declarator)
		}
		name, t = "#"+name, ctype{class: classPtr, typ: l.prog.model.ptrType()}
		return l.declare(nil, name, Param, t.typ)
	}
	return l.declare(q.Declarator, name, Param, t.typ)
}

// local is the variable of an automatic object.
func (l *lowerer) local(d *cc.Declarator, t ctype) *expr.Expr {
	if v := l.fr.locals[d]; v != nil {
		return v
	}
	return l.declare(d, d.Name(), Local, t.typ)
}

// object is the variable of an object of static storage duration.
func (l *lowerer) object(o *object) *expr.Expr {
	if v := l.objects[o]; v != nil {
		return v
	}
	base := o.name
	if o.proc != "" {
		base = o.proc + "::" + o.name
	}
	v := l.newVar(base, base, o.typ.typ)
	l.objects[o] = v
	l.addressable[v] = o.addressed
	l.pointers[v] = o.typ.class == classPtr
	l.used = append(l.used, o)
	l.addVar(Var{Expr: v, Name: o.name, Kind: Global, Frame: -1, Proc: o.proc, Pos: o.pos})
	if !o.defined {
		l.warnf(o.pos, "%s is declared but not defined: it starts with any value", o.name)
	}
	if o.addressed {
		l.staticBlock(o)
	}
	return v
}

// staticLocal is the object of a static local.
func (l *lowerer) staticLocal(d *cc.Declarator) *object {
	if o := l.statics[d]; o != nil {
		return o
	}
	o := &object{name: d.Name(), proc: l.fr.proc.name, pos: position(d.NameTok().Position()),
		typ: l.prog.model.ctypeOf(d.Type()), ctyp: d.Type(), defined: true, static: true, seq: len(l.prog.globals) + len(l.statics)}
	o.asm, o.isConst, o.addressed, o.stores = l.fr.proc.file.asm, d.IsConst(), d.AddressTaken(), d.WriteCount()
	l.statics[d] = o
	return o
}

// storage is the variable that an identifier names; nil where its type has no
// terms.
func (l *lowerer) storage(d *cc.Declarator) (*expr.Expr, ctype) {
	t := l.prog.model.ctypeOf(d.Type())
	if !t.scalar() {
		return nil, t
	}
	if d.IsVolatile() {
		l.warnf(position(d.NameTok().Position()), "volatile %s is treated as an ordinary variable", d.Name())
	}
	if v := l.fr.locals[d]; v != nil {
		return v, t
	}
	if o := l.prog.objects[d]; o != nil {
		return l.object(o), t
	}
	if d.IsStatic() {
		return l.object(l.staticLocal(d)), t
	}
	return l.local(d, t), t
}
