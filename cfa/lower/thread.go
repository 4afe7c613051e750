package lower

// Threads: creation, end and joining.
//
// Idea: a call that creates a thread has copies of the start routine, each inlined once:
// one, or Options.Threads of them where control may come back to the call. Creating a thread is
// going on at two locations (cfa/thread.go). A counter, of the thread that creates, says
// how many of a call's copies have begun; where there is none left the run is cut.
// The handle of a copy is its number, so that joining is a choice among the copies.
//
// Which threads there are, and which calls control can come back to, is known once all
// is lowered. So it is found by repetition, like the targets of indirect calls: what was found in
// one lowering is what the next one believes, until both are the same. What no
// thread is created in is lowered once, as ever.
//
// The argument of a start routine is kept in a variable of the creator's that the copy
// reads once; what it returns stands in a variable that who joins reads.
//
// Source: the copies of Lazy-CSeq (Inverso, Tomasco, Fischer, La Torre, Parlato: Bounded
// Model Checking of Multi-threaded C Programs via Lazy Sequentialization, CAV 2014,
// section 3). Cost: the automata of all copies; each join tests for all of them.

import (
	"cmp"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/cfa/source/libc"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// DefaultThreadLimit is the number of copies of a call that creates threads in a loop.
const DefaultThreadLimit = 3

// AnyThreads, as Options.Threads, stands for any number of copies where control may come back to the
// call: the automaton has two that are created again and again, each time one of them, and no handle
// tells them apart. It is for those only who take a copy for all that are like it.
const AnyThreads = -1

// What a creation gives that fails: EAGAIN; thrd_error and thrd_nomem of threads.h.
const (
	creationAgain    = 11
	creationError    = 2
	creationNoMemory = 3
	rareFailure      = 249 // of all choices of a byte, those above it fail
)

// maxThreads bounds all copies; their numbers are part of the state of locks.
const maxThreads = 400

// counterType is that of counters of threads.
var counterType = expr.Type{Width: 16}

// threads are the threads of a component, and where they are created.
type threads struct {
	list    []cfa.Thread // the main one first
	sites   []threadSite
	several bool // control can create one, or could before this was known: what is refused then may come first
}

// A threadSite is a call that creates threads, in one copy of its procedure.
type threadSite struct {
	key    string // tells it from others
	thread int    // that it belongs to
	name   string // of the counter
	pos    cfa.Pos
	again  bool // control may come back to it
}

// concurrent reports whether the component is known to create threads.
func (l *threading) concurrent() bool { return l.threads.several }

// A beginning is a copy of a start routine that is still to be lowered.
type beginning struct {
	fr     *instance
	number int
	at     cfa.Ends
	arg    *expr.Expr // nil: none
	pos    cfa.Pos
}

// creation is what is created in one lowering.
type creation struct {
	threads
	at      []cfa.Loc // of the sites
	pending []beginning
	results map[int]*expr.Expr // by thread: what it returns
	joined  map[int]*expr.Expr // by thread: whether it was joined or detached, where that is checked
	handles *handles           // see threadhandle.go
}

// beginThreads begins the main thread.
func (l *threading) beginThreads(pr *source.Procedure) {
	l.created = creation{threads: threads{list: []cfa.Thread{{Name: pr.Name, Proc: pr.Name}}},
		results: map[int]*expr.Expr{}, joined: map[int]*expr.Expr{}}
	l.clearCounters(pr.Pos)
	l.beginHandles(pr.Pos)
}

// clearCounters starts the counters of the current thread.
func (l *threading) clearCounters(pos cfa.Pos) {
	for _, s := range l.threads.sites {
		if s.again && s.thread == l.fr.thread {
			l.Assign(l.counter(s), l.Pool.Const(counterType, 0), pos)
		}
	}
}

// counter says how many threads a site has created.
func (l *threading) counter(s threadSite) *expr.Expr {
	if v := l.counters[s.key]; v != nil {
		return v
	}
	v := l.Temp(s.name, counterType, s.pos)
	l.counters[s.key] = v
	return v
}

// createThread is pthread_create or thrd_create.
func createThread(l *lowerer, c *callSite) value {
	posix := c.name == "pthread_create"
	if posix && len(c.args) != 4 || !posix && len(c.args) != 3 {
		return l.refuse(c.n, "call of "+c.name, "with other arguments than it is declared with")
	}
	if l.opt.Threads == 0 || l.fr.isOutOfLine() {
		return l.refuse(c.n, "call of "+c.name, "threads are not modelled")
	}
	l.threading.created.several = true
	start := c.args[len(c.args)-2]
	c.vals = l.calls.evalArgs(c)
	f, arg := c.vals[len(c.vals)-2], c.vals[len(c.vals)-1]
	if f.t == nil || arg.t == nil || l.Dead() {
		return l.dead(c)
	}
	result := value{c.ret, l.Pool.Const(c.ret.typ, 0), nil}
	var failed cfa.Ends
	if c.want && c.ret.scalar() {
		result.t, failed = l.threading.creationFails(c, posix)
	} else {
		l.Assume(cfa.AboutThreads, c.pos, "the creation of threads succeeds")
	}
	l.Assume(cfa.AboutThreads, c.pos,
		"accesses of all threads to memory have one order, also those of a weaker memory order (sequential consistency)")
	if b, off := l.mem.ObjectOf(f.t); b != nil && b.IsFunction() && off == 0 {
		l.threading.createOf(c, l.calls.functionAt(b), arg.t)
	} else {
		l.threading.createAny(c, f.t, functionType(start), arg.t)
	}
	if l.Join(failed); l.Dead() {
		return l.dead(c)
	}
	return result
}

// creationFails lets a creation whose result is used fail for want of resources, or go on. It gives the
// result and where the creation has failed. Few values of the choice say that it fails, so most random runs
// have their threads.
func (l *threading) creationFails(c *callSite, posix bool) (*expr.Expr, cfa.Ends) {
	result := l.Temp(c.name, c.ret.typ, c.pos)
	fails := l.Any(expr.Uint8, "the creation of a thread fails", "", c.pos)
	other, none := l.Branch(l.Pool.Lt(l.Pool.Const(expr.Uint8, rareFailure), fails), c.pos)
	l.Continue(other)
	failure := l.Pool.Const(c.ret.typ, creationAgain)
	if !posix {
		failure = l.Pool.Ite(l.Pool.Eq(fails, l.Pool.Const(expr.Uint8, 255)), l.Pool.Const(c.ret.typ, creationError),
			l.Pool.Const(c.ret.typ, creationNoMemory))
	}
	l.Assign(result, failure, c.pos)
	failed := l.Ends()
	l.Continue(none)
	l.Assign(result, l.Pool.Const(c.ret.typ, 0), c.pos)
	return result, failed
}

// createAny creates a thread whose start routine a pointer says.
func (l *threading) createAny(c *callSite, addr *expr.Expr, typ *cc.FunctionType, arg *expr.Expr) {
	key := l.fr.path() + "/" + c.pos.String()
	l.Emit(memory.IndirectCall{Addr: addr, Key: key}, c.pos)
	l.calls.callTypes[key] = typ
	var ends cfa.Ends
	for _, f := range l.reached[key].functions {
		yes, no := l.Branch(l.Pool.Eq(addr, l.mem.AddressIn(l.calls.objectOfFunction(f), 0)), c.pos)
		l.Continue(yes)
		l.createOf(c, f, arg)
		ends = append(ends, l.Ends()...)
		l.Continue(no)
	}
	if l.reached[key].unknown {
		l.refuse(c.n, "call of "+c.name, "the start routine is not known")
	} else {
		l.mem.Invalid(c.pos)
	}
	l.Join(ends)
}

// createOf creates a thread of a known start routine.
func (l *threading) createOf(c *callSite, f function, arg *expr.Expr) {
	if l.Dead() {
		return
	}
	if f.body == nil {
		l.refuse(c.n, "creation of a thread", "its start routine "+f.d.Name()+" has no body")
		return
	}
	site := threadSite{key: l.fr.path() + "/" + c.pos.String() + ":" + f.body.Name, thread: l.fr.thread,
		name: "threads of " + f.body.Name, pos: c.pos}
	if i := slices.IndexFunc(l.threads.sites, func(s threadSite) bool { return s.key == site.key }); i >= 0 {
		site.again = l.threads.sites[i].again
	}
	l.created.sites = append(l.created.sites, site)
	l.created.at = append(l.created.at, l.Emit(cfa.Goto{}, c.pos))
	if site.again && l.opt.Threads == AnyThreads {
		l.createOften(c, site, f.body, arg)
		return
	}
	copies := 1
	if site.again {
		copies = l.opt.Threads
	}
	var ends cfa.Ends
	for k := range copies {
		if len(l.created.list) >= maxThreads || l.nested(f.body) >= l.nesting() {
			break
		}
		var more cfa.Ends
		if site.again {
			var is cfa.Ends
			is, more = l.Branch(l.Pool.Eq(l.counter(site), l.Pool.Const(counterType, uint64(k))), c.pos)
			l.Continue(is)
			l.Assign(l.counter(site), l.Pool.Const(counterType, uint64(k+1)), c.pos)
		}
		l.create(c, site, f.body, k+1, arg)
		ends = append(ends, l.Ends()...)
		l.Continue(more)
	}
	l.noMoreThreads(c.pos)
	l.Join(ends)
}

// createOften creates one of two copies, again and again.
func (l *threading) createOften(c *callSite, site threadSite, pr *source.Procedure, arg *expr.Expr) {
	if len(l.created.list)+2 > maxThreads || l.nested(pr) >= l.nesting() {
		l.noMoreThreads(c.pos)
		return
	}
	which := l.Temp(site.name, expr.Uint8, c.pos)
	l.Emit(cfa.Assign{LHS: which, Nondet: "a copy of the thread"}, c.pos)
	first, second := l.Branch(l.Pool.Eq(which, l.Pool.Const(expr.Uint8, 0)), c.pos)
	var ends cfa.Ends
	for k, begin := range []cfa.Ends{first, second} {
		l.Continue(begin)
		l.create(c, site, pr, k+1, arg)
		ends = append(ends, l.Ends()...)
	}
	l.Join(ends)
}

// noMoreThreads is where more would be created than there are copies.
func (l *threading) noMoreThreads(pos cfa.Pos) {
	if !l.Dead() {
		l.Emit(cfa.Act{Action: cfa.ThreadLimit}, pos)
		l.Halt("more threads than are looked at", pos)
	}
}

// nesting is how many threads with one start routine create each other at most.
func (l *facts) nesting() int {
	if l.opt.Threads == AnyThreads {
		return 1
	}
	return l.opt.Threads
}

// nested says how many threads with a start routine lead to the current one, itself
// included.
func (l *threading) nested(pr *source.Procedure) int {
	n := 0
	for k := l.fr.thread; k > 0; k = l.created.list[k].Parent {
		if l.created.list[k].Proc == pr.Name {
			n++
		}
	}
	return n
}

// create creates one copy, which is lowered later, and stores its handle. POSIX lets the
// new thread run before that.
func (l *threading) create(c *callSite, site threadSite, pr *source.Procedure, k int, arg *expr.Expr) {
	number := len(l.created.list)
	t := cfa.Thread{Name: cfa.Shown(pr.Name, c.pos, k), Proc: pr.Name, Site: c.pos, Copy: k, Parent: l.fr.thread}
	t.Name = l.UniqueName(t.Name)
	l.created.list = append(l.created.list, t)
	if !arg.IsConst() {
		kept := l.Temp("argument", arg.Type(), c.pos)
		l.mem.MarkPointer(kept, true)
		l.Assign(kept, arg, c.pos)
		arg = kept
	}
	if l.opt.CheckPointers {
		l.Assign(l.threadJoined(number), l.Pool.Const(bool1, 0), c.pos)
	}
	l.giveHandle(number, c.pos)
	at := l.Spawn(cfa.Spawn{Thread: number, Name: t.Name}, c.pos)
	creator := l.fr
	fr := l.calls.newInstance(pr, nil, c.pos)
	fr.thread, fr.origin = number, fmt.Sprintf("thread:%s#%d", site.key, k)
	l.created.pending = append(l.created.pending, beginning{fr, number, at, arg, c.pos})
	l.fr = creator
	l.Enter(creator.id)
	l.storeHandle(c, number, site.again)
}

// handle is that of a thread.
func handle(number int) uint64 { return uint64(number + 1) }

func (l *threading) storeHandle(c *callSite, number int, again bool) {
	if addr := c.vals[0].t; addr != nil && addr.IsConst() && addr.Value() == 0 {
		l.undefined("creation of a thread without a place for its handle", c.pos)
		return
	}
	t := c.args[0].Type().Decay()
	if params := source.Parameters(c.typ); len(params) > 0 {
		t = params[0].Type()
	}
	p, ok := t.(*cc.PointerType)
	if !ok || !l.ctypeOf(p.Elem()).scalar() {
		l.refuse(c.n, "a thread's handle of type "+source.Describe(t), "")
		return
	}
	h := l.ctypeOf(p.Elem())
	id := l.handleOf(number, h.typ)
	if again && l.opt.Threads == AnyThreads {
		any := l.Temp("handle", h.typ, c.pos)
		l.Emit(cfa.Assign{LHS: any, Nondet: "a thread's handle"}, c.pos)
		id = l.Pool.Ite(l.Pool.Eq(any, l.Pool.Const(h.typ, handle(0))), id, any) // not the main thread's
	}
	l.storeAt(c, c.vals[0].t, p.Elem(), value{h, id, nil})
}

// storeAt stores a value at an address.
func (l *threading) storeAt(c *callSite, addr *expr.Expr, elem cc.Type, v value) {
	l.accesses.write(l.typed(lvalue{Address: memory.Address{Base: addr, Pointee: l.typeOf(elem)}}, elem), v, c.n, c.pos)
}

// threadBodies lowers the start routines of all threads that are created.
func (l *threading) threadBodies() {
	main := l.fr
	for i := 0; i < len(l.created.pending) && l.Err() == nil; i++ { // threads create further ones
		l.threadBody(l.created.pending[i])
	}
	l.fr = main
	l.Enter(main.id)
}

func (l *threading) threadBody(b beginning) {
	pr := b.fr.proc
	l.fr = b.fr
	l.Enter(b.fr.id)
	l.Continue(b.at)
	l.clearCounters(pr.Pos)
	begin := l.Emit(cfa.Goto{}, pr.Pos)
	life := l.mem.BeginLife(pr.Name, b.pos)
	l.threadArgument(b)
	ret := l.ctypeOf(pr.Type.Result())
	if ret.scalar() {
		v := l.threadResult(b.number)
		if ret.typ != l.pointer {
			v = l.Temp("result", ret.typ, b.pos)
		}
		b.fr.result = &target{v, ret}
	}
	l.statements.body(pr)
	end := source.Position(pr.Def.CompoundStatement.Token2.Position())
	if b.fr.result != nil && !l.Dead() {
		l.Emit(cfa.Assign{LHS: b.fr.result.v, Nondet: "no return value"}, end)
	}
	l.Join(b.fr.returns)
	l.mem.EndLife(life, end)
	if ret.scalar() && ret.typ != l.pointer {
		l.Assign(l.threadResult(b.number), l.Pool.Cast(l.pointer, b.fr.result.v), end)
	}
	l.destroyKept(end)
	l.Finish(end)
	if l.opt.Threads == AnyThreads {
		l.beginOwned(begin)
	}
}

// beginOwned gives the thread-local variables of the current thread the values that they have where a thread begins, as
// a copy begins again and again.
func (l *threading) beginOwned(begin cfa.Loc) {
	var owned []*source.Object
	for key := range l.objects.owns {
		if key.thread == l.fr.thread && l.beginsAgain(key.object) {
			owned = append(owned, key.object)
		}
	}
	slices.SortFunc(owned, func(a, b *source.Object) int {
		return cmp.Or(cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Pos.String(), b.Pos.String()))
	})
	for _, o := range owned {
		v := l.objects.object(l.objects.ownedObject(o))
		first, _ := l.firstNumber(o)
		l.After(begin, cfa.Assign{LHS: v, RHS: l.Pool.Const(v.Type(), uint64(first))})
	}
}

// beginsAgain reports whether a thread-local variable is a number, or a pointer, that can be given its first value
// wherever a thread begins, and that only its thread sees.
func (l *facts) beginsAgain(o *source.Object) bool {
	_, known := l.firstNumber(o)
	return known && !o.Addressed && l.ctypeOf(o.Type).scalar()
}

// firstNumber is the value that a scalar begins with, if it is zero or an integer.
func (l *facts) firstNumber(o *source.Object) (int64, bool) {
	switch {
	case o.Init == nil:
		return 0, o.Defined
	case o.Init.Case != cc.InitializerExpr || l.ctypeOf(o.Type).class != classInt:
		return 0, false
	}
	return l.prog.Layouts.Constant(o.Init.AssignmentExpression)
}

// threadArgument gives the parameter of a start routine its value.
func (l *threading) threadArgument(b beginning) {
	for i, q := range source.Parameters(b.fr.proc.Type) {
		v, t := l.calls.param(i, q), l.ctypeOf(q.Type())
		switch {
		case !t.scalar():
		case i > 0:
			l.Emit(cfa.Assign{LHS: v, Nondet: "missing argument"}, b.pos)
		default:
			val := value{ctype{class: classPtr, typ: l.pointer}, b.arg, nil}
			l.accesses.storeValue(target{v, t}, val, q, b.pos)
			if d := q.Declarator; d != nil && d.WriteCount() == 0 && !d.AddressTaken() {
				l.objects.noteValue(v, val)
			}
		}
	}
}

// threadResult is the variable for what a thread returns, as a pointer.
func (l *threading) threadResult(number int) *expr.Expr {
	if v := l.created.results[number]; v != nil {
		return v
	}
	list := l.created.list
	if number >= len(list) {
		list = l.threads.list
	}
	v := l.Temp("result of "+list[number].Name, l.pointer, list[number].Site)
	l.mem.MarkPointer(v, true)
	l.created.results[number] = v
	return v
}

// exitThread is pthread_exit or thrd_exit.
func exitThread(l *lowerer, c *callSite) value {
	vals := l.calls.evalArgs(c)
	if l.Dead() {
		return l.dead(c)
	}
	if len(vals) != 1 || vals[0].t == nil {
		return l.refuse(c.n, "call of "+c.name, "with other arguments than it is declared with")
	}
	if l.fr.thread > 0 || l.threading.concurrent() {
		v := l.threading.threadResult(l.fr.thread)
		l.Assign(v, l.Pool.Cast(v.Type(), vals[0].t), c.pos)
	}
	l.threading.destroyKept(c.pos)
	switch {
	case l.fr.thread == 0 && !l.threading.concurrent():
		l.library.runAtExit(c.pos)
		l.objects.atEnd(c.pos)
		l.HaltAll(c.name, c.pos)
	case l.fr.thread == 0 && l.hasAtExit():
		return l.refuse(c.n, "call of "+c.name+" by the main thread",
			"the last thread calls what atexit was given, and destructors")
	default:
		l.Finish(c.pos)
	}
	return l.dead(c)
}

// destroyKept calls the destructors of keys for what the current thread keeps.
func (l *threading) destroyKept(pos cfa.Pos) {
	m := l.prog.LibraryFunction(libc.AtThreadEnd)
	if m == nil || !l.opt.InitGlobals || l.Dead() {
		return
	}
	if l.calls.calling(m) {
		l.refuseAt(pos, "a destructor of a key that ends the thread", "")
		return
	}
	l.calls.inline(&callSite{name: m.Name, pos: pos, typ: m.Type, vals: []value{}, ret: ctVoid}, m)
}

// joinThread is pthread_join or thrd_join.
func joinThread(l *lowerer, c *callSite) value {
	if len(c.args) != 2 || l.fr.isOutOfLine() || !l.threading.concurrent() {
		return l.calls.unknown(c, "")
	}
	c.vals = l.calls.evalArgs(c)
	h, to := c.vals[0], c.vals[1]
	if h.t == nil || to.t == nil || l.Dead() {
		return l.dead(c)
	}
	var ends cfa.Ends
	result := l.Temp(c.name, c.ret.typ, c.pos)
	for k := 1; k <= len(l.threads.list); k++ {
		number := k % len(l.threads.list) // the main thread last
		yes, no := l.Branch(l.threading.names(h.t, number), c.pos)
		l.Continue(yes)
		if len(yes) > 0 {
			l.threading.joinOne(c, number, to.t, result)
		}
		ends = append(ends, l.Ends()...)
		l.Continue(no)
	}
	l.threading.tellHandles(c.pos)
	l.threading.undefined("joining of what is no thread that was created", c.pos)
	if !l.Dead() {
		l.Halt("joining of no thread", c.pos)
	}
	l.Join(ends)
	return value{c.ret, result, nil}
}

// joinOne waits for one thread and takes its result.
func (l *threading) joinOne(c *callSite, number int, to, result *expr.Expr) {
	if number == l.fr.thread {
		l.Assign(result, l.Pool.Const(result.Type(), 35), c.pos)
		return
	}
	l.Emit(cfa.Join{Thread: number, Name: l.threads.list[number].Name}, c.pos)
	l.joinOnce(c, number)
	l.handleJoined(number, false, c.pos)
	l.Assign(result, l.Pool.Const(result.Type(), 0), c.pos)
	none, some := l.Branch(l.Pool.Eq(to, l.Pool.Const(to.Type(), 0)), c.pos)
	l.Continue(some)
	if p, ok := c.args[1].Type().Decay().(*cc.PointerType); len(some) > 0 && ok {
		elem := p.Elem()
		if elem.Kind() == cc.Void {
			l.refuse(c.n, "the result of a thread stored in void", "")
		} else if t := l.ctypeOf(elem); t.scalar() {
			r := l.threadResult(number)
			got := l.Temp("result", r.Type(), c.pos)
			l.mem.MarkPointer(got, t.class == classPtr)
			l.Assign(got, r, c.pos)
			l.storeAt(c, to, elem, value{t, l.Pool.Cast(t.typ, got), nil})
		}
	}
	l.Join(none)
}

// threadJoined is the variable for whether a thread was joined or detached.
func (l *threading) threadJoined(number int) *expr.Expr {
	v := l.created.joined[number]
	if v == nil {
		v = l.Temp("joined", bool1, l.fr.proc.Pos)
		l.created.joined[number] = v
	}
	return v
}

// joinOnce is an error if a thread that was created has been joined or detached before, where that is checked.
func (l *threading) joinOnce(c *callSite, number int) {
	if !l.opt.CheckPointers || number == 0 {
		return
	}
	joined := l.threadJoined(number)
	l.section(true, c.pos)
	again, once := l.Branch(l.Pool.Truth(joined), c.pos)
	l.Continue(again)
	l.Error("a thread is joined or detached that was joined or detached before", c.pos)
	l.Continue(once)
	l.Assign(joined, l.Pool.Const(bool1, 1), c.pos)
	l.section(false, c.pos)
}

// detachThread is pthread_detach or thrd_detach: nothing, but that who joins the thread later joins none.
func detachThread(l *lowerer, c *callSite) value {
	if len(c.args) != 1 || l.fr.isOutOfLine() {
		return l.calls.unknown(c, "")
	}
	c.vals = l.calls.evalArgs(c)
	h := c.vals[0]
	if h.t == nil || l.Dead() {
		return l.dead(c)
	}
	if l.threading.created.handles != nil {
		l.Assume(cfa.AboutThreads, c.pos, "the handle of a thread that was detached is not given again")
	}
	var ends cfa.Ends
	for number := range l.threads.list {
		if !l.opt.CheckPointers && l.threading.created.handles == nil {
			break
		}
		yes, no := l.Branch(l.threading.names(h.t, number), c.pos)
		l.Continue(yes)
		l.threading.joinOnce(c, number)
		l.threading.handleJoined(number, true, c.pos)
		ends = append(ends, l.Ends()...)
		l.Continue(no)
	}
	l.threading.undefined("detaching of what is no thread that was created", c.pos)
	l.Join(ends)
	return value{c.ret, l.Pool.Const(c.ret.typ, 0), nil}
}

// self is pthread_self or thrd_current. Where any number of threads is created, it is any number: the
// two copies stand for all, and what is folded of their numbers would be true of these two only.
func self(l *lowerer, c *callSite) value {
	if !c.ret.scalar() {
		return l.calls.unknown(c, "")
	}
	l.library.effects(c)
	if l.opt.Threads == AnyThreads && l.fr.thread > 0 {
		id := l.Temp("handle", c.ret.typ, c.pos)
		l.Emit(cfa.Assign{LHS: id, Nondet: "a thread's handle"}, c.pos)
		return value{c.ret, id, nil}
	}
	return value{c.ret, l.threading.handleOf(l.fr.thread, c.ret.typ), nil}
}

// undefined is what C or POSIX leave undefined and libraries do in some way: an error where
// pointers are checked, else an assumption.
func (l *threading) undefined(what string, pos cfa.Pos) {
	switch {
	case l.Dead():
	case l.opt.CheckPointers:
		l.Error(what, pos)
	default:
		l.Assume(cfa.AboutThreads, pos, "no %s", what)
	}
}

// findThreads compares the threads that were created with those that were known; nil if
// they are the same.
func (l *threading) findThreads(a *memory.Analysis) *threads {
	if !l.created.several && !l.concurrent() {
		return nil
	}
	cyclic := a.Cyclic()
	now := threads{l.created.list, slices.Clone(l.created.sites), true}
	for i := range now.sites {
		now.sites[i].again = now.sites[i].again || cyclic[l.created.at[i]]
	}
	if slices.Equal(now.list, l.threads.list) && slices.Equal(now.sites, l.threads.sites) && l.concurrent() {
		return nil
	}
	return &now
}

// threadFunction is the meaning of a function of threads where no model says it, or nil.
func (l *threading) threadFunction(name string) intrinsic {
	ends := name == "pthread_exit" || name == "thrd_exit"
	if l.opt.Threads == 0 {
		if ends && l.opt.InitGlobals && (l.hasAtExit() || l.prog.LibraryFunction(libc.AtThreadEnd) != nil) {
			return exitThread
		}
		return nil
	}
	if ends {
		return exitThread
	}
	switch name {
	case "pthread_join", "thrd_join":
		if l.concurrent() {
			return joinThread
		}
	case "pthread_detach", "thrd_detach":
		if l.concurrent() {
			return detachThread
		}
	case "pthread_self", "thrd_current":
		return self
	}
	if row, ok := libc.Known(name); ok && row.Threads == "refused" && l.concurrent() {
		return refused("it is not modelled in programs with threads")
	}
	return nil
}

// tellOwned tells what is assumed of pointers to a thread-local variable.
func (l *threading) tellOwned(d *cc.Declarator) {
	if !d.IsThreadLocal() {
		return
	}
	if o := l.objects.static(d); o != nil && l.mayOutlast(o) {
		l.Assume(cfa.AboutThreads, o.Pos, "pointers to %s are not used when the thread has ended whose it is", d.Name())
	}
}

// mayOutlast reports whether a pointer may lead to a thread-local variable when its thread has ended.
func (l *facts) mayOutlast(o *source.Object) bool {
	return !o.Library && (o.Addressed || !l.ctypeOf(o.Type).scalar())
}

// notOwned says why a variable that each thread has for itself is not modelled; "" if it is, or is no such variable.
func (l *threading) notOwned(d *cc.Declarator) string {
	o := l.prog.Object(d)
	if o == nil && d.IsThreadLocal() && d.IsStatic() {
		o = l.objects.staticLocal(d)
	}
	switch {
	case o != nil && o.Name == "errno" && !o.Static:
		return "each thread has one of its own"
	case !d.IsThreadLocal() || o == nil:
		return ""
	case !o.Defined:
		return "each thread has one of its own, and it is not defined"
	case l.opt.Threads == AnyThreads && l.fr.thread > 0 && !l.beginsAgain(o):
		return "each of any number of threads has one of its own"
	case l.opt.CheckPointers && l.mayOutlast(o):
		return "it ends with its thread, and whether pointers to it are used later is not checked"
	}
	return ""
}
