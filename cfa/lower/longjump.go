package lower

// Non-local jumps: setjmp and longjmp.
//
// Idea: calls are inlined, so longjmp is a goto to a place behind a setjmp of one of the enclosing procedures. Each
// setjmp of each instance has a number, which it stores in the jmp_buf, and a flag that is set until the instance
// ends. Where longjmp leads is tested at the ends of the enclosing instances, the innermost first: then all their
// calls of setjmp are known. What has not arrived there ends the instance and goes on to its caller.
//
// Automatic variables of the instance that are not volatile, and have changed since setjmp, are indeterminate
// (C11 7.13.2.1p3): any value, which no violation may rest on. Arrays and structures are so whether they have changed
// or not, but for a jmp_buf. Where the jmp_buf names no procedure that is still there, the behaviour is undefined: an
// error where pointers are checked, else such runs are left out, which is told.
//
// Left out: programs with threads; jumps to the caller of the component's own procedure.

import (
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// A landing is where longjmp may lead.
type landing struct {
	at     cfa.Loc
	number *expr.Expr // in the jmp_buf
	set    *expr.Expr // nonzero while control may come there
	result *expr.Expr // of setjmp
	scope  *scope
}

// A longJump is a call of longjmp that has not arrived yet.
type longJump struct {
	from   cfa.Ends
	number *expr.Expr // of the landing
	result *expr.Expr
	scope  *scope // of the instance that it is in
	pos    cfa.Pos
}

// jumpWord is what stands in a jmp_buf.
func (l *calls) jumpWord(buffer *expr.Expr) memory.Ref {
	t := ctype{class: classInt, typ: expr.Type{Width: l.pointer.Width, Signed: true}}
	size := int64(l.pointer.Width / 8)
	return memory.Ref{Address: memory.Address{Base: buffer}, Extent: extentOf(t, size, 0), Scalar: t.cell(), Size: size}
}

// setJump is setjmp.
func setJump(l *lowerer, c *callSite) value {
	if l.threading.concurrent() || len(c.args) == 0 {
		return l.refuse(c.n, "call of "+c.name, "non-local jumps are not modelled in programs with threads")
	}
	if l.opt.SharedBodies {
		return l.refuse(c.n, "call of "+c.name, "non-local jumps are modelled where calls are inlined")
	}
	buffer := l.calls.evalArgs(c)[0]
	if buffer.t == nil || buffer.class != classPtr || l.Dead() {
		return l.dead(c)
	}
	l.calls.landings++
	word := expr.Type{Width: l.pointer.Width, Signed: true}
	to := &landing{number: l.Pool.Int(word, int64(l.calls.landings)), scope: l.fr.scope,
		set: l.Temp("set", bool1, c.pos), result: l.Temp("setjmp", expr.Int32, c.pos)}
	l.mem.StartsZero(to.set)
	l.fr.landings = append(l.fr.landings, to)
	l.Emit(memory.Store{To: l.calls.jumpWord(buffer.t), Val: to.number}, c.pos)
	l.Assign(to.set, l.Pool.Const(bool1, 1), c.pos)
	kept := l.calls.keepLocals(c.pos)
	l.Assign(to.result, l.Pool.Const(expr.Int32, 0), c.pos)
	first := l.Ends()
	l.Cut()
	to.at = l.statements.join(c.pos)
	l.statements.head(to.at, c.pos, false)
	l.calls.spoilLocals(kept, c.pos)
	l.Join(first)
	return value{ctInt, to.result, nil}
}

// jumpFar is longjmp.
func jumpFar(l *lowerer, c *callSite) value {
	if l.threading.concurrent() || len(c.args) != 2 {
		return l.refuse(c.n, "call of "+c.name, "non-local jumps are not modelled in programs with threads")
	}
	if l.opt.SharedBodies {
		return l.refuse(c.n, "call of "+c.name, "non-local jumps are modelled where calls are inlined")
	}
	vals := l.calls.evalArgs(c)
	if vals[0].t == nil || vals[1].t == nil || vals[0].class != classPtr || l.Dead() {
		return l.dead(c)
	}
	j := longJump{number: l.Temp("landing", expr.Type{Width: l.pointer.Width, Signed: true}, c.pos),
		result: l.Temp("longjmp", expr.Int32, c.pos), scope: l.fr.scope, pos: c.pos}
	l.Emit(memory.Load{LHS: j.number, From: l.calls.jumpWord(vals[0].t), Text: "*" + source.Text(c.args[0])}, c.pos)
	v := l.Pool.Cast(expr.Int32, vals[1].t)
	zero := l.Pool.Const(expr.Int32, 0)
	l.Assign(j.result, l.Pool.Ite(l.Pool.Eq(v, zero), l.Pool.Const(expr.Int32, 1), v), c.pos)
	j.from = l.Ends()
	l.Cut()
	l.fr.jumps = append(l.fr.jumps, j)
	return l.dead(c)
}

// land leads the calls of longjmp in the current instance, and in those that it calls, to where they arrive in it,
// and the others to its caller.
func (l *calls) land() {
	fr := l.fr
	for _, j := range fr.jumps {
		l.Continue(j.from)
		for _, to := range fr.landings {
			here := l.Pool.Land(l.Pool.Eq(j.number, to.number), l.Pool.Truth(to.set))
			is, other := l.Branch(here, j.pos)
			if l.Continue(is); len(is) > 0 {
				l.statements.leave(j.scope, to.scope, j.pos, false)
				l.statements.enterScope(j.scope, to.scope, j.pos)
				l.Assign(to.result, j.result, j.pos)
				l.Patch(l.Ends(), to.at)
			}
			l.Continue(other)
		}
		switch {
		case l.Dead():
		case fr.parent == nil:
			l.noLanding(j.pos)
		default:
			l.statements.leave(j.scope, nil, j.pos, false)
			l.mem.LeaveLife(fr.life, j.pos)
			l.endLandings(fr, j.pos)
			j.from, j.scope = l.Ends(), fr.parent.scope
			fr.parent.jumps = append(fr.parent.jumps, j)
		}
	}
}

// noLanding is where a call of longjmp leads to no procedure that is modelled.
func (l *calls) noLanding(pos cfa.Pos) {
	switch {
	case !l.isProgram(l.fr.proc) || l.fr.thread > 0:
		l.refuseAt(pos, "call of longjmp", "it may lead to the caller of "+l.fr.proc.Name)
	case l.opt.CheckPointers:
		l.Error("longjmp", pos)
	default:
		l.Assume(cfa.AboutPointers, pos, "longjmp leads to a procedure that has not ended")
		l.Halt(cfa.InvalidPointer, pos)
	}
}

// endLandings ends the landings of an instance, which ends.
func (l *calls) endLandings(fr *instance, pos cfa.Pos) {
	for _, to := range fr.landings {
		if !l.Dead() {
			l.Assign(to.set, l.Pool.Const(bool1, 0), pos)
		}
	}
}

// A keptLocal is an automatic variable with what it was when setjmp was called; an object is not kept.
type keptLocal struct {
	v, was *expr.Expr
	object *memory.Object
}

// keepLocals keeps the automatic variables of the current instance that longjmp may leave indeterminate.
func (l *calls) keepLocals(pos cfa.Pos) (all []keptLocal) {
	keep := func(v *expr.Expr, d *cc.Declarator, mayChange bool) {
		if v == nil || d == nil || d.IsVolatile() || !mayChange && d.WriteCount() == 0 && !d.AddressTaken() {
			return
		}
		was := l.Temp(d.Name(), v.Type(), pos)
		l.mem.MarkPointer(was, l.mem.IsPointer(v))
		l.Assign(was, v, pos)
		all = append(all, keptLocal{v: v, was: was})
	}
	for _, q := range source.Parameters(l.fr.proc.Type) {
		if d := q.Declarator; d != nil {
			keep(l.fr.locals[d], d, false)
			if b := l.fr.objects[d]; b != nil && !d.IsVolatile() {
				all = append(all, keptLocal{object: b})
			}
		}
	}
	for s := l.fr.scope; s != nil; s = s.up {
		for d, v := range l.fr.locals {
			if s.cleanup == nil && s.v != nil && v == s.v {
				keep(v, d, true)
			}
		}
		for d, b := range l.fr.objects {
			if s.cleanup == nil && s.object == b && b != nil && !d.IsVolatile() && !b.Const() && !isJumpBuffer(d.Type()) {
				all = append(all, keptLocal{object: b})
			}
		}
	}
	return all
}

// isJumpBuffer reports whether a type is jmp_buf or one like it.
func isJumpBuffer(t cc.Type) bool {
	d := t.Typedef()
	return d != nil && strings.Contains(d.Name(), "jmp_buf")
}

// spoilLocals leaves those indeterminate that have changed, or may have.
func (l *calls) spoilLocals(all []keptLocal, pos cfa.Pos) {
	const why = "a variable that is not volatile, and may have changed behind setjmp"
	for _, k := range all {
		if k.object != nil {
			l.Emit(memory.Fill{To: at(l.mem.AddressIn(k.object, 0)), Size: k.object.Size(), Nondet: "setjmp", Approx: why}, pos)
			continue
		}
		same, changed := l.Branch(l.Pool.Eq(k.v, k.was), pos)
		if l.Continue(changed); len(changed) > 0 {
			l.Emit(cfa.Assign{LHS: k.v, Nondet: "setjmp", Approx: why}, pos)
		}
		l.Join(same)
	}
}
