package lower

// Bodies that stand once.
//
// Idea: where calls are not inlined, the body of a procedure stands once, whichever calls lead there. A call gives its
// arguments to variables of the callee, notes its own number in another one, and goes to the body. Behind the body
// tests of that number lead back to the call. So long as no such procedure calls itself, this is an automaton like any
// other, whose runs are those of the inlined one. The parameters and locals of a procedure that calls itself are the
// caller's again behind a call; that is not written out, but told (see [cfa.Body]), and who looks at the automaton has
// to know it. What analyses of the automaton find holds nevertheless: a way leads past each such call, by which the
// caller's variables keep their values.
//
// Which calls go to such a body: those of procedures of the program with a body, a fixed number of arguments, and no
// structures as parameters or result. Others are inlined.
//
// Source: the return addresses of compiled code; Reps, Horwitz, Sagiv: Precise Interprocedural Dataflow Analysis via
// Graph Reachability (POPL 1995) for what is made of the graph. Deviation from inlining: an object of a procedure has
// one address in all calls.
//
// Cost: linear in the text of what is called, and a test for each call.

import (
	"fmt"

	"magus/cfa"
	"magus/cfa/source"
	"magus/internal/graph"
	"magus/smt/expr"
)

// A sharedBody is one while it is lowered.
type sharedBody struct {
	fr      *instance
	own     []*expr.Expr // the parameters
	passed  []target     // what calls give them
	result  *target      // nil for none
	site    *expr.Expr   // the number of the call
	calls   []sharedCall
	begins  cfa.Ends // calls that were written before the body
	entry   cfa.Loc  // of the body, once it is written
	written bool
	exits   cfa.Ends
}

// A sharedCall leads to a body and goes on at another location.
type sharedCall struct {
	at, back cfa.Loc // until the draft is resolved
	pos      cfa.Pos
	from     *instance
	skip     *expr.Expr // by which a way leads past it; nil for none
}

// isShared reports whether a call goes to a body that stands once.
func (l *sharing) isShared(c *callSite) bool {
	pr := c.body
	if !l.opt.SharedBodies || l.fr.isOutOfLine() || l.prog.IsModel(pr.File) || pr.Type.IsVariadic() ||
		l.threading.concurrent() || l.opt.Observer != nil || l.isSection(pr) || l.calls.hasNested(pr) {
		return false
	}
	if ret := l.ctypeOf(pr.Type.Result()); !ret.scalar() && ret.class != classVoid {
		return false
	}
	for _, q := range source.Parameters(pr.Type) {
		if !l.ctypeOf(q.Type()).scalar() {
			return false
		}
	}
	return true
}

// callShared lowers a call of a body that stands once.
func (l *sharing) callShared(c *callSite) value {
	if l.Err() != nil {
		return l.dead(c)
	}
	defined := *c
	defined.typ = c.body.Type
	vals := l.calls.evalArgs(&defined)
	l.calls.checkStart(&defined, c.body, vals)
	if l.Dead() {
		return l.dead(c)
	}
	b := l.sharedBodyOf(c)
	for i, to := range b.passed {
		if i < len(vals) {
			l.accesses.storeValue(to, vals[i], c.n, c.pos)
		} else {
			l.Emit(cfa.Assign{LHS: to.v, Nondet: "missing argument"}, c.pos)
		}
	}
	if l.Dead() {
		return l.dead(c)
	}
	call := sharedCall{from: l.fr, pos: c.pos}
	call.at = l.Emit(cfa.Assign{LHS: b.site, RHS: l.Pool.Const(b.site.Type(), uint64(len(b.calls)+1))}, c.pos)
	enters := l.Ends()
	call.back = l.Meet(c.pos)
	if l.Patch(enters, -1); b.written {
		l.Patch(enters, b.entry)
	} else {
		b.begins = append(b.begins, enters...)
	}
	b.calls = append(b.calls, call)
	if !c.want || b.result == nil {
		return value{ctype: l.ctypeOf(c.body.Type.Result())}
	}
	to := c.to
	if to == nil || to.t != b.result.t || l.calls.returnsTell(c.name) {
		to = &target{l.Temp(c.name, b.result.t.typ, c.pos), b.result.t}
		l.mem.MarkPointer(to.v, to.t.class == classPtr)
	}
	l.Assign(to.v, b.result.v, c.pos)
	return value{to.t, to.v, nil}
}

// sharedSince reports whether a call of a body that stands once was written after a location: what it writes is not
// known before the body is.
func (l *sharing) sharedSince(at cfa.Loc) bool {
	for _, b := range l.shared {
		for _, c := range b.calls {
			if c.at > at {
				return true
			}
		}
	}
	return false
}

// sharedBodyOf is the body of a call's callee, with an instance of its own.
func (l *sharing) sharedBodyOf(c *callSite) *sharedBody {
	for _, b := range l.shared {
		if b.fr.proc == c.body {
			return b
		}
	}
	pr, caller := c.body, l.fr
	b := &sharedBody{fr: l.calls.newInstance(pr, caller, c.pos)} // it has no site: names at calls lead no further
	for i, q := range source.Parameters(pr.Type) {
		own, t := l.calls.param(i, q), l.ctypeOf(q.Type())
		b.own = append(b.own, own)
		b.passed = append(b.passed, target{l.passing(pr, fmt.Sprintf("$%d", i+1), t, c.pos), t})
	}
	if ret := l.ctypeOf(pr.Type.Result()); ret.scalar() {
		b.result = &target{l.passing(pr, "return", ret, c.pos), ret}
		b.fr.result = b.result
	}
	b.site = l.passing(pr, "call", ctype{class: classInt, typ: expr.Uint32}, c.pos)
	l.calls.leave()
	l.shared = append(l.shared, b)
	return b
}

// passing is a variable by which calls and a body that stands once tell each other something. It belongs to neither.
func (l *sharing) passing(pr *source.Procedure, what string, t ctype, pos cfa.Pos) *expr.Expr {
	name := pr.Name + "::" + what
	v := l.NewVar(name, name, t.typ)
	l.mem.MarkPointer(v, t.class == classPtr)
	l.List(cfa.Var{Expr: v, Name: what, Kind: cfa.Temp, Frame: 0, Pos: pos})
	return v
}

// sharedBodies writes the bodies that stand once, and where they lead back to.
func (l *sharing) sharedBodies() {
	defer func() { l.automatic = len(l.Vars()) }()
	main := l.fr
	for i := 0; i < len(l.shared) && l.Err() == nil; i++ { // bodies call further ones
		l.sharedBody(l.shared[i])
	}
	recursive := l.recursiveBodies()
	for i, b := range l.shared {
		l.returnsOf(b)
		for k := range b.calls {
			if from := l.sharedAround(b.calls[k].from); recursive[i] >= 0 && from >= 0 && recursive[from] == recursive[i] {
				l.pastCall(b, k)
			}
		}
	}
	l.fr = main
	l.Enter(main.id)
}

// sharedBody writes one body.
func (l *sharing) sharedBody(b *sharedBody) {
	pr := b.fr.proc
	l.fr = b.fr
	l.Enter(b.fr.id)
	l.Continue(b.begins)
	b.entry, b.written = l.Meet(pr.Pos), true
	for i, v := range b.own {
		l.Assign(v, b.passed[i].v, pr.Pos)
	}
	l.statements.body(pr)
	end := source.Position(pr.Def.CompoundStatement.Token2.Position())
	if b.result != nil && !l.Dead() {
		l.Emit(cfa.Assign{LHS: b.result.v, Nondet: "no return value"}, end)
	}
	l.Join(b.fr.returns)
	l.calls.endLandings(b.fr, end)
	if !l.Dead() && l.prog.NeverReturns(pr) {
		l.refuseAt(end, "the return of "+pr.Name+", which is declared not to return", "C leaves open what follows")
	}
	b.exits = l.Ends()
	l.Cut()
}

// returnsOf leads from the end of a body back to its calls.
func (l *sharing) returnsOf(b *sharedBody) {
	if len(b.exits) == 0 {
		return
	}
	l.fr = b.fr
	l.Enter(b.fr.id)
	l.Continue(b.exits)
	end := source.Position(b.fr.proc.Def.CompoundStatement.Token2.Position())
	for i, c := range b.calls {
		yes, no := l.Branch(l.Pool.Eq(b.site, l.Pool.Const(b.site.Type(), uint64(i+1))), end)
		l.Patch(yes, c.back)
		l.Continue(no)
	}
	l.Halt("no call of "+b.fr.proc.Name, end)
}

// pastCall lets a way lead past a call of a procedure that calls itself.
func (l *sharing) pastCall(b *sharedBody, k int) {
	c := &b.calls[k]
	name := b.fr.proc.Name + "::past"
	c.skip = l.NewVar(name, name, bool1)
	l.List(cfa.Var{Expr: c.skip, Name: "past", Kind: cfa.Temp, Frame: 0, Pos: c.pos})
	l.Fork2(c.at, cfa.Branch{Cond: l.Pool.Not(l.Pool.Truth(c.skip))}, c.back)
}

// sharedAround is the number of the body that an instance belongs to: the innermost one around it that stands once; -1
// for none.
func (l *sharing) sharedAround(fr *instance) int {
	for ; fr != nil; fr = fr.parent {
		for i, b := range l.shared {
			if b.fr == fr {
				return i
			}
		}
	}
	return -1
}

// recursiveBodies are the numbers of the cycles that the bodies are in; -1 of one that does not call itself.
func (l *sharing) recursiveBodies() []int {
	calls := make([][]int, len(l.shared))
	for to, b := range l.shared {
		for _, c := range b.calls {
			if from := l.sharedAround(c.from); from >= 0 {
				calls[from] = append(calls[from], to)
			}
		}
	}
	g := graph.Func{Nodes: len(l.shared), Succ: func(n int, yield func(int)) {
		for _, m := range calls[n] {
			yield(m)
		}
	}}
	c := graph.SCC(g)
	on := c.OnCycle(g)
	cycles := make([]int, len(l.shared))
	for i := range cycles {
		if cycles[i] = -1; on[i] {
			cycles[i] = int(c.Of[i])
		}
	}
	return cycles
}

// bodiesOf tells of the bodies that stand once.
func (l *sharing) bodiesOf() []cfa.Body {
	if !l.opt.SharedBodies {
		return nil
	}
	var all []cfa.Body
	recursive := l.recursiveBodies()
	for i, b := range l.shared {
		body := cfa.Body{Proc: b.fr.proc.Name, Frame: b.fr.id, Site: b.site, Cycle: recursive[i]}
		for _, c := range b.calls {
			body.Calls = append(body.Calls, cfa.BodyCall{Frame: c.from.id, Pos: c.pos, Past: c.skip})
		}
		for _, p := range b.passed {
			body.Passing = append(body.Passing, p.v)
		}
		if b.result != nil {
			body.Passing = append(body.Passing, b.result.v)
		}
		all = append(all, body)
	}
	inside := make([]map[int]bool, len(all))
	for _, fr := range l.instances {
		if i := l.sharedAround(fr); i >= 0 {
			if inside[i] == nil {
				inside[i] = map[int]bool{}
			}
			inside[i][fr.id] = true
			all[i].Frames = append(all[i].Frames, fr.id)
			if all[i].Addressed == "" {
				all[i].Addressed = fr.variableSized()
			}
		}
	}
	for i := range all {
		if all[i].Addressed == "" {
			all[i].Addressed = l.mem.Automatic(inside[i])
		}
		for _, v := range l.Vars()[:l.automatic] {
			if inside[i][v.Frame] && v.Kind != cfa.Global && l.mem.IsPrivate(v.Expr) && !l.library.keepsState(v.Expr) {
				all[i].Own = append(all[i].Own, v.Expr)
			}
		}
	}
	return all
}

// variableSized is an array of variable length of an instance; "" for none.
func (fr *instance) variableSized() string {
	name := ""
	for d := range fr.variable {
		if name == "" || d.Name() < name {
			name = d.Name()
		}
	}
	return name
}
