package lower

// Functions of the program that routines without a body may call.
//
// Idea: a routine without a body that is given the address of a function may call it, while
// it runs: any number of times, with any arguments, and between these calls it may change
// whatever it may change. So its call is a loop: any value in what it can reach, and then
// perhaps one of these functions, called like any other. Which functions these are is
// found by repetition, as for indirect calls.
//
// That it calls a function that an earlier routine was given, and what a pointer that it
// passes points to, is open: no violation rests on it. Functions of the C library that
// call what they are given at another time are refused, and so is a function whose
// parameters are not modelled. In bodies out of line functions are called back as well, for what they change: each that
// a routine is given anywhere.
//
// Where nothing is known of what callers have made known ([cfa.Modelling.OutsideUnknown]), no functions are
// called back: what they change is told by [Options.CalledBack].
//
// Cost: a lowering more for each function that is found out later than the others.

import (
	"fmt"
	"maps"
	"slices"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// laterFunctions call what they are given when they have returned, or in another thread.
var laterFunctions = nameSet("signal sigaction bsd_signal sysv_signal sigset pthread_create " +
	"pthread_atfork pthread_key_create pthread_cleanup_push " +
	"thrd_create tss_create atexit at_quick_exit on_exit __cxa_atexit timer_create clone fopencookie makecontext")

// CallsLater reports whether a function of the C library, or of POSIX, calls what it is given when it has
// returned, or in another thread.
func CallsLater(function string) bool { return laterFunctions[function] }

// A callback is a function that a routine without a body may call.
type callback struct {
	function
	given bool // in this call; else perhaps in an earlier one
}

// callbacks are what routines without a body may call, by the place of the call.
type callbacks map[string][]callback

// callbackSite names a call of a routine without a body; "" where it is not looked at
// which functions it calls.
func (l *indirect) callbackSite(c *callSite, approx string) string {
	if approx != "" && approx != unknownOrigin || laterFunctions[c.name] || l.opt.OutsideUnknown ||
		l.fr.isOutOfLine() && l.opt.Summarised == nil {
		return ""
	}
	return l.calls.siteOf(c)
}

// emitUnknown writes the call of a routine without a body.
func (l *indirect) emitUnknown(c *callSite, s memory.UnknownCall) cfa.Loc {
	if functions := l.callbacks[s.Site]; s.Site != "" && functions != nil && !l.Dead() {
		return l.callBack(c, s, functions)
	}
	return l.Emit(s, c.pos)
}

// callBack writes the call of a routine without a body, which may call functions of
// the program.
func (l *indirect) callBack(c *callSite, s memory.UnknownCall, functions []callback) cfa.Loc {
	for _, f := range functions {
		s.Calls = append(s.Calls, l.objectOfFunction(f.function))
	}
	head := l.statements.join(c.pos)
	at := l.Emit(s, c.pos)
	for _, f := range functions {
		approx := ""
		if f.given {
			l.Assume(cfa.AboutRoutine, c.pos,
				"%s may call %s, with any arguments, until it returns, as may routines without a body that are "+
					"called later; nothing calls it at other times", c.name, f.d.Name())
		} else {
			approx = fmt.Sprintf("that %s calls %s", c.name, f.d.Name())
		}
		calls := l.Any(expr.Uint8, "what "+c.name+" calls", approx, c.pos)
		yes, no := l.Branch(l.Pool.Ne(calls, l.Pool.Const(expr.Uint8, 0)), c.pos)
		l.Continue(yes)
		l.callWithAny(c, f.function)
		l.Patch(l.Ends(), head)
		l.Continue(no)
	}
	return at
}

// callWithAny calls a function with any arguments.
func (l *indirect) callWithAny(c *callSite, f function) {
	pr := f.body
	to := &callSite{name: f.d.Name(), pos: c.pos, typ: pr.Type, body: pr, vals: []value{},
		ret: l.ctypeOf(pr.Type.Result())}
	for _, q := range source.Parameters(pr.Type) {
		t := l.ctypeOf(q.Type())
		from := &callSite{name: c.name, pos: c.pos, want: true, ret: t}
		var v value
		switch {
		case t.class == classPtr:
			v = l.passedPointer(from, q.Type(), fmt.Sprintf("what %s gives %s", c.name, to.name))
		case t.termed() || t.class == classOpaque:
			v = l.calls.anyResult(from, "")
		default:
			l.refuseAt(c.pos, fmt.Sprintf("function pointer %s given to a routine without a body, %s", to.name,
				c.name), "the routine may call it, with a parameter that is not modelled: give a body of the routine")
			return
		}
		to.vals = append(to.vals, v)
	}
	if o := l.observing.of(to); l.fr.isOutOfLine() && (o == nil || !o.Alone) {
		l.calls.abstracted(to) // functions that call each other in a circle need no depth
		return
	}
	l.calls.callTo(to, f.d)
}

// passedPointer is any pointer that a routine without a body may pass to a function.
func (l *indirect) passedPointer(c *callSite, t cc.Type, why string) value {
	v := l.Temp(c.name, c.ret.typ, c.pos)
	l.mem.MarkPointer(v, true)
	at := l.Emit(memory.UnknownCall{Name: c.name, Approx: why, LHS: v, Own: l.calls.ownObject(c, t)}, c.pos)
	l.calls.returnsPointer(at, t)
	return value{c.ret, v, nil}
}

// findCallbacks are the functions that routines without a body may call, with those known
// before, or nil if an analysis found no more.
func (l *indirect) findCallbacks(a *memory.Analysis, start cfa.Loc) callbacks {
	found, more := maps.Clone(l.callbacks), false
	for _, c := range a.Callbacks(start) {
		r := slices.Clone(found[c.Site])
		i := slices.IndexFunc(r, func(f callback) bool { return sameFunction(f.function, l.functionAt(c.Function)) })
		switch {
		case i < 0:
			r, more = append(r, callback{l.functionAt(c.Function), c.Given}), true
		case c.Given && !r[i].given:
			r[i].given, more = true, true
		}
		found[c.Site] = r
	}
	if !more {
		return nil
	}
	return found
}
