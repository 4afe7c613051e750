package lower

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

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// An instance is one inlined copy of a procedure while it is lowered.
type instance struct {
	id     int
	proc   *source.Procedure
	parent *instance
	around *instance // of the procedure in whose text it stands, of a function within another one
	root   string    // what its chains of calls begin with, if that is not the component's procedure
	thread int       // that it belongs to
	origin string    // of the first instance of a thread but the main one: what its chains of calls begin with
	depth  int       // how many of the calls that lead here are recursive
	call   cfa.Pos
	site   *cc.PostfixExpression // the call, or nil
	step   string                // the call, as part of a chain of calls
	locals map[*cc.Declarator]*expr.Expr
	// objects are the aggregates among the locals, literals the compound literals.
	objects  map[*cc.Declarator]*memory.Object
	literals map[*cc.PostfixExpression]*memory.Object
	// known are pointers with a constant value, constants all variables with
	// one.
	known, constants map[*expr.Expr]*expr.Expr
	// variable are the hidden pointers to arrays of variable length, lengths the
	// variables of such lengths.
	variable map[*cc.Declarator]*expr.Expr
	variadic *variadic // its variable arguments, or nil
	lengths  map[cc.ExpressionNode]*expr.Expr
	labels   map[*cc.LabeledStatement]*label
	gotos    []pendingGoto
	landings []*landing // its calls of setjmp
	jumps    []longJump // calls of longjmp that may lead there, or further
	life     memory.Life
	scope    *scope
	nesting  int // blocks around the current statement
	loops    []*jumps
	// result takes the returned value, if the caller wants one.
	result   *target
	resultAt *lvalue    // the same for structures
	returned *expr.Expr // what it was given last
	returns  cfa.Ends
}

// A target is a variable that takes a value, with its C type.
type target struct {
	v *expr.Expr
	t ctype
}

// newInstance opens a copy of pr, called from the current one.
func (l *calls) newInstance(pr *source.Procedure, parent *instance, call cfa.Pos) *instance {
	fr := &instance{id: l.NewFrame(pr.Name, call), proc: pr, parent: parent, call: call,
		step:   fmt.Sprintf("/%v:%s", call, pr.Name),
		locals: map[*cc.Declarator]*expr.Expr{}, labels: map[*cc.LabeledStatement]*label{},
		variable: map[*cc.Declarator]*expr.Expr{}, lengths: map[cc.ExpressionNode]*expr.Expr{},
		objects:  map[*cc.Declarator]*memory.Object{},
		literals: map[*cc.PostfixExpression]*memory.Object{}, known: map[*expr.Expr]*expr.Expr{},
		constants: map[*expr.Expr]*expr.Expr{}}
	if parent != nil {
		fr.thread = parent.thread
	}
	fr.around, l.around = l.around, nil
	l.instances = append(l.instances, fr)
	l.fr = fr
	return fr
}

// leave goes back to the caller of the current instance.
func (l *calls) leave() {
	l.fr = l.fr.parent
	l.Enter(l.fr.id)
}

// path is the chain of calls, from the component's procedure on.
func (fr *instance) path() string {
	var calls []string
	for ; fr.parent != nil; fr = fr.parent {
		calls = append(calls, fr.step)
	}
	slices.Reverse(calls)
	return fr.root + fr.origin + strings.Join(calls, "")
}

// declare makes a parameter or local of the current instance.
func (l *calls) declare(d *cc.Declarator, name string, kind cfa.VarKind, t expr.Type) *expr.Expr {
	base, qualified := l.localName(name)
	v := l.NewVar(base, qualified, t)
	var pos cfa.Pos
	if d != nil {
		l.fr.locals[d] = v
		l.mem.MarkAddressed(v, d.AddressTaken())
		l.mem.MarkPointer(v, d.Type().Kind() == cc.Ptr)
		pos = source.Position(d.Position())
		if d.Name() != "" {
			pos = source.Position(d.NameTok().Position())
		}
		if d.IsVolatile() {
			l.Assume(cfa.AboutVolatile, pos, "volatile %s is treated as an ordinary variable", name)
		}
	}
	l.List(cfa.Var{Expr: v, Name: name, Kind: kind, Frame: l.fr.id, Pos: pos})
	return v
}

// localName is what a local of the current instance is called, and what if
// that is taken.
func (l *calls) localName(name string) (base, qualified string) {
	qualified = l.fr.proc.Name + "::" + name
	if l.fr.id == 0 && l.fr.proc.File.Objects[name] == nil && !l.isGlobal(name) {
		return name, qualified
	}
	return qualified, qualified
}

func (l *facts) isGlobal(name string) bool {
	for _, f := range l.prog.Files {
		if f.Objects[name] != nil {
			return true
		}
	}
	return false
}

// param declares the i-th parameter of the current instance.
func (l *calls) param(i int, q *cc.Parameter) *expr.Expr {
	t := l.ctypeOf(q.Type())
	name := q.Name()
	if name == "" {
		name = fmt.Sprintf("#%d", i+1)
	}
	switch t.class {
	case classInt, classPtr, classFloat:
	case classOpaque:
		l.Assume(cfa.AboutFloats, source.Position(q.Position()), "the floating-point parameter %s is any value", name)
	case classExtended:
		if q.Declarator != nil {
			l.extendedParameter(q.Declarator)
		}
		return l.declare(nil, "#"+name, cfa.Param, ctOpaque.typ)
	default:
		if t.class != classAggregate || q.Declarator == nil && l.fr.id > 0 {
			l.refuse(q, fmt.Sprintf("parameter %s of type %s", name, source.Describe(q.Type())), "")
		} else if q.Declarator != nil {
			l.objects.localObject(q.Declarator)
		}
		name, t = "#"+name, ctype{class: classPtr, typ: l.pointer}
		return l.declare(nil, name, cfa.Param, t.typ)
	}
	return l.declare(q.Declarator, name, cfa.Param, t.typ)
}

// local is the variable of an automatic object.
func (l *calls) local(d *cc.Declarator, t ctype) *expr.Expr {
	if v := l.fr.locals[d]; v != nil {
		return v
	}
	return l.declare(d, d.Name(), cfa.Local, t.typ)
}
