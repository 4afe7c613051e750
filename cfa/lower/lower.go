package lower

// Lowering: from one procedure's syntax tree to the automaton of its
// component, everything it calls inlined.
//
// Idea: one pass over the syntax in the order of evaluation. Expressions become
// terms without side effects; what has an effect is written out before, in the
// order left to right, into temporaries. Where C leaves the order open this is one of the orders.
// Labels, heads of loops and inlined bodies leave Goto locations behind that
// the builder removes. What is not modelled is written as a location of its own:
// it is an error only if control can reach it.
//
// Source: Chaki, Clarke, Groce, Ouaknine, Strichman, Yorav: Efficient Verification of
// Sequential and Concurrent C Programs, section 5.1. Deviation: its five
// kinds of statements are joined by actions of intrinsics and by ends without a
// return (see [cfa.Stmt]).
//
// Cost: linear in the size of the program with all calls inlined, which can
// be exponential in that of the source; cfa.MaxLocations bounds it.

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// Options say how calls, errors and globals are treated. The zero value
// inlines every body, has the default error functions, and claims nothing
// about the values of globals at entry.
type Options struct {
	cfa.Modelling
	// Abstracted says that a routine is given by a procedure abstraction: its
	// calls become Call statements even where a body is there.
	Abstracted func(name string) bool
	// Named are what the abstractions of a routine name besides arguments and globals: paths such as "&d->m1" or
	// "$1->state", which have their values at each call.
	Named func(name string) []string
	// Assigns are the paths of what a routine without a body writes: "*$2", "$1->f", "errno"; told is false where
	// that is not said.
	Assigns func(name string) (paths []string, told bool)
	// Frame is what the component's procedure is claimed to write of what exists before it; nil for no such claim.
	Frame *Frame
	// Inlined says that a routine with a body is not called by its abstraction, which
	// its calls would be otherwise.
	Inlined func(name string) bool
	// InlineInapplicable inlines the body at calls to which the abstraction does not apply,
	// for they do not fit what the claim about it assumes. Otherwise they are not modelled.
	InlineInapplicable bool
	// Summarised says that calls of a procedure do what its body may do to memory, give any result, and do nothing
	// that the observer sees. A run that takes one rests on the body; see summary.go.
	Summarised func(*source.Procedure) bool
	// TakenOnly says that a pointer of unknown origin leads to no function whose address the program does not take.
	TakenOnly bool
	// CalledBack says that code that nobody described may change an object, for it may call functions that do, which are
	// not looked at; nil: none.
	CalledBack func(*source.Object) bool
	// Skipped says that calls of a routine have no effect and any result.
	Skipped func(name string) bool
	// ErrorFunctions perform the action "error" and end the component; nil
	// stands for reach_error and __VERIFIER_error.
	ErrorFunctions []string
	// ErrorLabels are labels at which that happens.
	ErrorLabels []string
	// InitGlobals starts globals with their initialisers or zero, as in a
	// run from main. Otherwise they start with any value, apart from const
	// ones and static ones that nothing stores to.
	InitGlobals bool
	// Globals names globals that the automaton is to have even if its
	// statements do not mention them, members of them, "s.f", and of what
	// parameters point to, "$1->f".
	Globals []string
	// Called are numbers, from 1, of parameters whose values at the call are kept.
	Called []int
	// ReturnsTell says that the result of a routine given by an abstraction is told together with arguments and globals.
	ReturnsTell func(name string) bool
	// Pointers asks for what pointers may point to.
	Pointers bool
	// Cut is the action that is performed where a recursive call is not followed, or
	// what comes is not modelled, and which ends the component. "" refuses both.
	Cut string
	// Skip is the action that is performed where the result of a recursive call is taken for
	// any value, since the call does nothing but compute; if it is empty, such calls
	// are cut like others.
	Skip string
	// Threads is the number of threads that one call creates at most where control may
	// come back to it, in an automaton with threads; 0: the creation of threads is not
	// modelled; AnyThreads: any number.
	Threads int
	// Weak says that threads do not see all writes in one order.
	Weak bool
	// Recorded records all that changes memory without variables in the component itself, for who looks for proofs only.
	Recorded bool
	// Mirrored records, with Recorded, what variables of objects hold too, for who follows one run.
	Mirrored bool
	// Races says that data races are asked for: each access shows in an automaton with threads.
	Races bool
	// Deadlocks says that it is asked whether threads wait for ever: who waits for a condition waits for a signal.
	Deadlocks bool
	// Starts are conditions on how the component's procedure starts.
	Starts []Start
	// Observer is a rule that runs are followed by; nil for none.
	Observer *Observer
	// ErrorsEnd says that what is an error ends the component: the action error is not asked for.
	ErrorsEnd bool
	// OverflowsOnly says that signed operations that overflow are the action error, and nothing else is.
	OverflowsOnly bool
	// MaxLocations bounds the automaton while it is built; 0: cfa.MaxLocations.
	MaxLocations int
	// Known is what was found when the same was lowered before, and will be known next time; nil: nothing is kept. It
	// may be given where nothing but Recorded and Mirrored is another one.
	Known *Known
}

// Known is what lowering a component needs several rounds to find: what calls through pointers may call, and threads.
// The zero value is nothing.
type Known struct{ found *found }

// The limits of the memory model if the options name none.
const (
	DefaultArrayLimit = memory.DefaultArrayLimit
	DefaultHeapLimit  = memory.DefaultHeapLimit
)

// Lower builds the automaton of one component: the procedure with all it
// calls inlined. Its terms live in pool. A procedure that no source defines
// is a [cfa.NotFoundError], valid C that is not modelled an
// [cfa.UnsupportedError].
func Lower(ctx context.Context, p *source.Program, proc string, pool *expr.Pool, opt Options) (c *cfa.CFA, err error) {
	defer func() {
		if r := recover(); r != nil {
			c, err = nil, &cfa.InternalError{Doing: "lowering " + proc, Value: r, Stack: string(debug.Stack())}
		}
	}()
	pr := p.Procedure(proc)
	if pr == nil {
		pos, _ := p.Declared(proc)
		return nil, &cfa.NotFoundError{Name: proc, Pos: pos}
	}
	p.Lock()
	defer p.Unlock()
	if opt.ErrorFunctions == nil {
		opt.ErrorFunctions = []string{"reach_error", "__VERIFIER_error"}
	}
	known := &found{targets{}, inapplicable{}, callbacks{}, threads{}, opt.Summarised != nil}
	if opt.Known != nil && opt.Known.found != nil {
		known = opt.Known.found
	}
	for {
		l := newLowerer(p, pool, opt, *known)
		c, more, err := l.component(ctx, pr)
		if err == nil && more == nil && opt.Known != nil {
			opt.Known.found = known
		}
		if err != nil || more == nil {
			return c, err
		}
		known = more
	}
}

// found is what is known of a component from lowering it before.
type found struct {
	reached      targets      // what indirect calls may call
	inapplicable inapplicable // calls that do not fit the claim about their routine
	callbacks
	threads  threads
	makesNaN bool // arithmetic may give a NaN, whose sign is open, and the program asks for signs
}

// component lowers the procedure itself. Where more is found than was known there is no
// automaton, but what is known now.
func (l *lowerer) component(ctx context.Context, pr *source.Procedure) (*cfa.CFA, *found, error) {
	defer l.StopWith(ctx)()
	for _, f := range l.prog.Files {
		if f.Refused != nil {
			return nil, nil, f.Refused
		}
	}
	ret := l.observed(pr.Type.Result())
	params, start := l.procedure(pr, ret)
	if err := l.Err(); err != nil {
		return nil, nil, err
	}
	if l.nans.made && l.nans.asked && !l.found.makesNaN {
		more := l.found
		more.makesNaN = true
		return nil, &more, nil
	}
	if ret.class == classOther {
		return nil, nil, cfa.Unsupported(pr.Pos, "a procedure that returns a "+source.Describe(pr.Type.Result()), "")
	}
	a := l.mem.NewAnalysis()
	for more := true; more; {
		var err error
		if more, err = a.Next(ctx); err != nil {
			return nil, nil, err
		}
		if reached := l.calls.findTargets(a); reached != nil {
			return nil, &found{reached, l.inapplicable, l.callbacks, l.threads, l.found.makesNaN}, nil
		}
	}
	if more := l.findMore(a, start); more != nil {
		return nil, more, nil
	}
	l.checkFrame(a, start)
	l.observing.checkAssigned(a)
	performed := l.calls.performed()
	start = a.Resolve(start)
	l.threading.flatten(start)
	c, err := l.Build(start)
	if err != nil {
		return nil, nil, err
	}
	if l.threading.concurrent() {
		c.SetThreads(l.threads.list)
		l.threading.isolate(c)
	}
	c.Name, c.Params, c.Ret, c.Objects = pr.Name, params, ret.typ, l.mem.Objects()
	c.Called = l.called
	c.Unrecorded = l.mem.Unrecorded()
	c.AllocatesBeyond = a.AllocatesBeyond()
	c.Renames = l.opt.Recorded && l.mem.Renames() && !l.opt.CheckPointers && !l.opt.CheckLeaks
	c.NameAddresses(l.pointer)
	if l.opt.Pointers {
		c.PointsTo = a.PointsTo(c.Vars, c.Objects)
	}
	c.Actions, c.Routines, c.Errors = l.alphabet()
	if (l.calls.cuts || c.Refused != nil) && c.Performs(l.opt.Cut) {
		c.Cut = l.opt.Cut
		c.Silent = len(c.Refused) == 0 && l.silent() && l.opt.Frame == nil
	}
	if c.Performs(l.opt.Skip) {
		c.Skip = l.opt.Skip
	}
	c.Bodied = l.calls.bodiesOf()
	c.Bodies, c.Unset = performed, l.objects.unset(pr)
	for _, name := range l.opt.ErrorLabels {
		if !l.labelsSeen[name] {
			c.MissingLabels = append(c.MissingLabels, name)
		}
	}
	return c, nil, ctx.Err()
}

// findMore is what an analysis tells of the component besides what was known, other than the
// targets of indirect calls; nil for nothing.
func (l *lowerer) findMore(a *memory.Analysis, start cfa.Loc) *found {
	more := l.found
	if more.callbacks = l.calls.findCallbacks(a, start); more.callbacks != nil {
		return &more
	}
	more.callbacks = l.callbacks
	if more.inapplicable = l.calls.findInapplicable(a); more.inapplicable != nil {
		return &more
	}
	more.inapplicable = l.inapplicable
	if now := l.threading.findThreads(a); now != nil {
		more.threads = *now
		return &more
	}
	return nil
}

// procedure writes the procedure, with what gives its memory and its globals values
// at entry, and tells its parameters and where the automaton starts.
func (l *lowerer) procedure(pr *source.Procedure, ret ctype) (params []*expr.Expr, start cfa.Loc) {
	l.calls.newInstance(pr, nil, cfa.Pos{})
	entry := l.Emit(cfa.Goto{}, pr.Pos)
	l.threading.beginThreads(pr)
	for _, f := range l.prog.Files {
		switch {
		case f.HostHeader == "":
		case f.HostWith != "":
			l.Assume(cfa.AboutText, cfa.Pos{File: f.Name, Line: 1, Col: 1},
				"%s needs <%s>, which does not come with magus: the headers of this machine are used here too", f.HostWith,
				f.HostHeader)
		default:
			l.Assume(cfa.AboutText, cfa.Pos{File: f.Name, Line: 1, Col: 1},
				"<%s> does not come with magus: the headers of this machine are used", f.HostHeader)
		}
	}
	var types []cc.Type
	for i, q := range source.Parameters(pr.Type) {
		v := l.calls.param(i, q)
		if q.Type().Kind() == cc.Ptr && !(i == 1 && l.isProgram(pr)) {
			l.mem.OwnParameter(v, l.objects.behind(pr, i))
		}
		params = append(params, v)
		types = append(types, q.Type())
	}
	l.keepCalled(pr, params)
	l.beginFrame(pr, params)
	l.startsWhere(pr, params)
	l.observing.begin(pr.Pos)
	l.observing.sameParameters(params, types, pr.Pos)
	if l.isProgram(pr) {
		l.objects.mainArguments(pr, params)
	}
	for _, name := range l.opt.Globals {
		l.specified(pr, params, name)
	}
	if l.opt.InitGlobals {
		l.statements.construct()
	}
	l.statements.body(pr)
	l.fallOff(pr)
	l.observing.tellsEnd(pr, entry)
	l.threading.threadBodies()
	l.calls.sharedBodies()
	l.calls.bodies()
	if ret.class == classOpaque {
		l.Assume(cfa.AboutFloats, pr.Pos, "the floating-point result of %s is any value", pr.Name)
	}
	l.framed.to = cfa.Loc(l.Len())
	return params, l.objects.initialise(entry, pr)
}

// keepCalled keeps what parameters were at the call.
func (l *lowerer) keepCalled(pr *source.Procedure, params []*expr.Expr) {
	for _, i := range l.opt.Called {
		if i > len(params) || !l.ctypeOf(source.Parameters(pr.Type)[i-1].Type()).scalar() {
			continue
		}
		if l.called == nil {
			l.called = make([]*expr.Expr, len(params))
		}
		v := l.Temp(fmt.Sprintf("$%d", i), params[i-1].Type(), pr.Pos)
		l.mem.MarkPointer(v, source.Parameters(pr.Type)[i-1].Type().Kind() == cc.Ptr)
		l.Assign(v, params[i-1], pr.Pos)
		l.called[i-1] = v
	}
}

// specified makes the variable that a specification names: a global, a member of
// one, "s.f", or of what a parameter points to, "$1->f" or "p->f".
func (l *lowerer) specified(pr *source.Procedure, params []*expr.Expr, name string) {
	if o := pr.File.Objects[name]; o != nil && l.ctypeOf(o.Type).scalar() {
		l.objects.object(o)
		return
	}
	end := strings.IndexAny(name, ".[-")
	if end < 0 {
		return
	}
	var b *memory.Object
	root, path := name[:end], name[end:]
	if i := slices.IndexFunc(source.Parameters(pr.Type), func(q *cc.Parameter) bool { return q.Name() == root }); i >= 0 {
		root = fmt.Sprintf("$%d", i+1)
	}
	if o := pr.File.Objects[root]; o != nil && l.ctypeOf(o.Type).class == classAggregate {
		b = l.objects.staticObject(o)
	} else if i, err := strconv.Atoi(strings.TrimPrefix(root, "$")); err == nil && 0 < i && i <= len(params) {
		b, path = l.mem.Own(params[i-1]), strings.Replace(path, "->", ".", 1)
	}
	if b == nil {
		return
	}
	for _, c := range b.Members(path) {
		l.mem.Var(c)
	}
}

// observed is what a specification sees of the result of the component's procedure: a
// structure is no number, and so its return is the one of a procedure without a result.
func (l *facts) observed(result cc.Type) ctype {
	switch t := l.ctypeOf(result); t.class {
	case classAggregate:
		return ctVoid
	case classExtended:
		return ctOpaque
	default:
		return t
	}
}

// fallOff ends frame 0 at its closing brace.
func (l *lowerer) fallOff(pr *source.Procedure) {
	if l.Dead() {
		return
	}
	ret := l.observed(pr.Type.Result())
	end := source.Position(pr.Def.CompoundStatement.Token2.Position())
	l.objects.returns(nil, end)
	switch {
	case ret.class == classVoid:
		l.Emit(cfa.Return{}, end)
	case pr.Name == "main" && ret.class == classInt:
		l.Emit(cfa.Return{Value: l.Pool.Const(ret.typ, 0)}, end)
	default:
		l.Emit(cfa.Return{Value: l.Any(ret.typ, "no return value", "", end)}, end)
	}
	l.Cut()
}

// refuse writes that something is not modelled here; what follows is dead.
func (l *refusals) refuse(n cc.Node, what, hint string) value {
	return l.refuseAt(source.Position(n.Position()), what, hint)
}

func (l *refusals) refuseAt(pos cfa.Pos, what, hint string) value {
	return l.fail(pos, &cfa.UnsupportedError{Pos: pos, What: what, Hint: hint})
}

// fail writes a location at which lowering is to end with an error, if
// control can reach it.
func (l *refusals) fail(pos cfa.Pos, err error) value {
	l.Refuse(err, pos)
	return value{}
}
