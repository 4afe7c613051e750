package lower

// Intrinsics: functions whose calls have a meaning of their own.

import (
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source"
	"magus/cfa/source/builtin"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// nondetPrefix begins the names of functions that return any value of their
// type.
const nondetPrefix = "__VERIFIER_nondet_"

// An intrinsic lowers a call.
type intrinsic func(*lowerer, *callSite) value

// intrinsic finds the meaning of a name in a file, or nil.
func (l *library) intrinsic(f *source.File, name string) intrinsic {
	switch {
	case slices.Contains(l.opt.ErrorFunctions, name):
		return errorCall
	case strings.HasPrefix(name, nondetPrefix):
		if pr := l.prog.Body(f, name); pr != nil && !source.GivesAny(pr) {
			return nil
		}
		return nondet
	case l.prog.IsModel(f) && strings.HasPrefix(name, modelPrefix):
		return modelIntrinsic(name)
	case errnoLocations[name]:
		return errnoLocation
	case source.IsSend(name):
		return send
	case source.IsReceive(name):
		return receive
	case source.PerformsAction(name):
		return action
	}
	pr := l.prog.Body(f, name)
	if assumes(name) && (pr == nil || source.StopsUnless(pr)) {
		return assume
	}
	if always := ofVerifiers(name); always != nil {
		return always
	}
	if pr != nil {
		return nil
	}
	if without := withoutBody(name); without != nil {
		return without
	}
	if compiles := compiled(name); compiles != nil {
		return compiles
	}
	if threads := l.threading.threadFunction(name); threads != nil {
		return threads
	}
	plain := twin(name)
	for _, known := range []func(string) intrinsic{memoryFunction, computed, floatFunction, l.libraryFunction} {
		if does := known(plain); does != nil {
			return does
		}
	}
	return builtIn(name)
}

// ofVerifiers is what a function does that verifiers, or magus itself, give a meaning, even if the program has a
// body for it.
func ofVerifiers(name string) intrinsic {
	switch name {
	case "__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail":
		return errorCall
	case modelPrefix + "atomic_begin", modelPrefix + "atomic_end", modelPrefix + "access_begin",
		modelPrefix + "access_end", modelPrefix + "release_begin":
		return sectionEnd
	case modelPrefix + "spurious":
		return func(l *lowerer, c *callSite) value {
			return value{c.ret, l.Any(c.ret.typ, "a failure without a reason", "", c.pos), nil}
		}
	case modelPrefix + "pointer_moves":
		return func(l *lowerer, c *callSite) value {
			return l.refuse(c.n, "atomic_fetch_add or atomic_fetch_sub of a pointer",
				"C11 moves it by elements, and GCC's stdatomic.h by bytes")
		}
	case "__COPPER_NONDET__":
		return nondet
	}
	return nil
}

// assumes reports whether a function ends runs unless its argument holds. A body that the program has for it does
// that in its own way, or is looked at.
func assumes(name string) bool {
	switch name {
	case "__VERIFIER_assume", "assume_abort_if_not", "__CPROVER_assume", "__ESBMC_assume":
		return true
	}
	return false
}

// withoutBody is what a function does that is one of the program where this has a body for it.
func withoutBody(name string) intrinsic {
	switch name {
	case "assert", "__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert":
		return assert
	case "abort", "exit", "_exit", "_Exit", "quick_exit", "__builtin_abort", "__builtin_exit",
		"__builtin__exit", "__builtin__Exit", "__builtin_trap":
		return halt
	case "__builtin_unreachable":
		return unreachable
	case "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "__ESBMC_atomic_begin", "__ESBMC_atomic_end":
		return sectionEnd
	}
	return nil
}

// builtIn is what a function does that compilers or the library of threads and jumps bring along.
func builtIn(name string) intrinsic {
	switch name {
	case "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp":
		return setJump
	case "longjmp", "_longjmp", "siglongjmp":
		return jumpFar
	case "pthread_create", "thrd_create":
		return createThread
	case "__builtin_va_start":
		return startArguments
	case "__builtin_va_end":
		return endArguments
	case nextArgumentName:
		return refused("its type is not known")
	}
	for _, prefix := range []string{builtin.Prefix, "__sync_", "__atomic_", "__c11_atomic_", "__ccgo_"} {
		if strings.HasPrefix(name, prefix) {
			return builtInto
		}
	}
	return nil
}

// builtInto is a call of a function that is built into compilers and computes nothing here. If nobody has
// declared it, the type of its result is not known.
func builtInto(l *lowerer, c *callSite) value {
	if d := source.Callee(c.n); d == nil || d.IsSynthetic() {
		return l.refuse(c.n, "call of "+c.name, "no function of this name that is built into a compiler is known here")
	}
	return l.calls.unknown(c, notModelled(c.name))
}

// twin is the name of the function of the C library that a name means which is built into compilers; else the name.
func twin(name string) string { return strings.TrimPrefix(name, builtin.Prefix) }

func (l *library) effects(c *callSite) {
	if c.vals == nil {
		for _, a := range c.args {
			l.expressions.discard(a)
		}
	}
}

func errorCall(l *lowerer, c *callSite) value {
	l.library.effects(c)
	l.failing(c.name, c.pos)
	return l.dead(c)
}

// failing performs the action error, or ends the run where a rule is followed and no error looked for.
func (l *refusals) failing(reason string, pos cfa.Pos) {
	if l.opt.Observer != nil {
		l.HaltAll(reason, pos)
		return
	}
	l.Error(reason, pos)
}

func halt(l *lowerer, c *callSite) value {
	l.library.effects(c)
	if c.name == "exit" || c.name == "__builtin_exit" {
		l.library.runAtExit(c.pos)
	}
	if strings.Contains(c.name, "exit") || strings.Contains(c.name, "Exit") {
		l.objects.atEnd(c.pos)
	}
	l.HaltAll(c.name, c.pos)
	return l.dead(c)
}

// unreachable ends the run as an assumption that does not hold.
func unreachable(l *lowerer, c *callSite) value {
	l.Halt(cfa.AssumptionFails, c.pos)
	return l.dead(c)
}

// dead is the value of a call that does not return.
func (l *refusals) dead(c *callSite) value {
	if c.want && c.ret.scalar() {
		return value{c.ret, l.Pool.Const(c.ret.typ, 0), nil}
	}
	return value{ctype: c.ret}
}

func nothing(l *lowerer, c *callSite) value {
	l.library.effects(c)
	return l.calls.anyResult(c, "")
}

// nondet is any value. What a pointer among the arguments leads to may have any
// value as well; of __VERIFIER_nondet_memory that is what it is for.
func nondet(l *lowerer, c *callSite) value {
	if c.name == nondetPrefix+"memory" && len(c.args) == 2 {
		return nondetMemory(l, c)
	}
	for _, a := range c.args {
		if l.ctypeOf(a.Type().Decay()).class == classPtr {
			return l.calls.unknown(c, "")
		}
	}
	l.library.effects(c)
	at := cfa.Loc(l.Len())
	v := l.calls.anyResult(c, "")
	if c.want && c.ret.class == classPtr && l.Len() > int(at) {
		l.calls.returnsPointer(at, c.typ.Result())
	}
	return v
}

// assume blocks unless its argument holds.
func assume(l *lowerer, c *callSite) value {
	return l.library.check(c, func() { l.Halt(cfa.AssumptionFails, c.pos) })
}

// assert performs the action error unless its argument holds.
func assert(l *lowerer, c *callSite) value {
	return l.library.check(c, func() { l.failing(c.name, c.pos) })
}

// check tests the condition of a call; what __CPROVER_assert has behind it is a text.
func (l *library) check(c *callSite, otherwise func()) value {
	if n := len(c.args); n != 1 && (n != 2 || !strings.HasSuffix(c.name, "_assert")) {
		return l.calls.unknown(c, "")
	}
	yes, no := l.argument(c)
	l.Continue(no)
	if len(no) > 0 {
		otherwise()
	}
	l.Continue(yes)
	return l.calls.anyResult(c, "")
}

// argument tests the first argument of a call, converted to the type that its
// parameter is declared with.
func (l *library) argument(c *callSite) (yes, no cfa.Ends) {
	params := source.Parameters(c.typ)
	if c.vals == nil && (len(params) == 0 || !l.narrows(params[0].Type(), c.args[0])) {
		return l.expressions.cond(c.args[0])
	}
	t := l.truth(l.calls.evalArgs(c)[0], c.args[0])
	if t == nil {
		return nil, nil
	}
	return l.Branch(t, c.pos)
}

// narrows reports whether the conversion of an expression to a type may change
// whether it is zero.
func (l *facts) narrows(t cc.Type, n cc.ExpressionNode) bool {
	to, from := l.ctypeOf(t), l.ctypeOf(n.Type().Decay())
	switch {
	case to.class == classInt && to.typ == bool1 && from.scalar():
		return false
	case to.class == classFloat || from.class == classFloat: // 0.5 as an int
		return to.class != from.class || to.typ.Width < from.typ.Width
	case to.scalar() && from.scalar():
		return to.typ.Width < from.typ.Width
	}
	return to.class != from.class
}

// action performs the action that its argument, a string literal, names.
func action(l *lowerer, c *callSite) value {
	if len(c.args) == 1 {
		switch s, ok := source.StringLiteral(c.args[0]); {
		case ok && source.MisnamedAction(s) != "":
			return l.fail(c.pos, cfa.Fault(c.pos, source.MisnamedAction(s)))
		case ok && s != "":
			l.Emit(cfa.Act{Action: s}, c.pos)
			return l.calls.anyResult(c, "")
		}
	}
	return l.fail(c.pos, cfa.Fault(c.pos, c.name+" needs the name of an action as a string literal"))
}

// expect is __builtin_expect(e, c): e, as a long.
func expect(l *lowerer, c *callSite) value {
	return l.library.firstOf(c, ctype{class: classInt, typ: expr.Type{Width: l.pointer.Width, Signed: true}})
}

func refused(hint string) intrinsic {
	return func(l *lowerer, c *callSite) value { return l.refuse(c.n, "call of "+c.name, hint) }
}
