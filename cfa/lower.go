package cfa

// Lowering: from one procedure's syntax tree to the automaton of its
// component, everything it calls inlined (paper section 5.1).
//
// Idea: one pass over the syntax in the order of evaluation. Locations are
// appended; the open ends of those written so far (holes) are joined with the
// location that comes next. Expressions become terms without side effects;
// what has an effect is written out before, in the order left to right, into
// temporaries. Where C leaves the order open this is one of the orders.
// Labels, heads of loops and inlined bodies leave Goto locations behind that
// compact removes. What is not modelled is written as a location of its own:
// it is an error only if control can reach it.
//
// Deviation from the paper: its five statement kinds are joined by actions of
// intrinsics and by ends without a return (see [Stmt]).
//
// Cost: linear in the size of the program with all calls inlined, which can
// be exponential in that of the source; maxLocations bounds it.

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// LowerOptions say how calls, errors and globals are treated. The zero value
// inlines every body, has the default error functions, and claims nothing
// about the values of globals at entry.
type LowerOptions struct {
	// Abstracted says that a routine is given by a procedure abstraction: its
	// calls become Call statements even where a body is there.
	Abstracted func(name string) bool
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
	// StrictCalls makes a call of an unknown function an error.
	StrictCalls bool
	// Globals names globals that the automaton is to have even if its
	// statements do not mention them, members of them, "s.f", and of what
	// parameters point to, "$1->f".
	Globals []string
	// Pointers asks for what pointers may point to.
	Pointers bool
	// ArrayLimit is the number of elements up to which the elements of an array
	// are told apart where the index is not constant; 0: DefaultArrayLimit.
	ArrayLimit int
	// HeapLimit is the number of objects told apart of those that one call of
	// malloc allocates; 0: DefaultHeapLimit.
	HeapLimit int
	// CheckPointers makes the use of an invalid pointer, and an index out of
	// bounds, perform the action "error". Otherwise the run ends there, which
	// is an assumption that is listed.
	CheckPointers bool
}

// The limits of the memory model if the options name none.
const (
	DefaultArrayLimit = 24
	DefaultHeapLimit  = 3
)

// maxLocations bounds an automaton while it is built.
const maxLocations = 2_000_000

// errorAction is what error functions, error labels and failing assertions do.
const errorAction = "error"

type (
	// A hole is an open end: successor slot of a location.
	hole struct {
		loc  Loc
		slot int
	}
	// unsupported stands at places that are not modelled.
	unsupported struct{ err error }
)

func (unsupported) stmt()          {}
func (unsupported) String() string { return "unsupported" }

// A lowerer builds one automaton.
type lowerer struct {
	ctx       context.Context
	prog      *Program
	pool      *expr.Pool
	opt       LowerOptions
	locs      []Location
	open      []hole // ends that the next location continues; none: dead code
	vars      []Var
	names     map[string]bool
	temps     map[string]int // numbers given to variables of one name
	frames    []Frame
	fr        *instance
	objects   map[*object]*expr.Expr
	statics   map[*cc.Declarator]*object // static locals
	used      []*object
	instances []*instance // by frame
	varIndex  map[*expr.Expr]int
	// addressable are the variables whose address is taken anywhere, and all
	// cells: a call may change them.
	addressable map[*expr.Expr]bool

	// Memory.
	blocks       []*block // by address
	cells        map[*expr.Expr]cell
	staticBlocks map[*object]*block
	functions    []*block
	strings      map[*cc.PrimaryExpression]*block
	pointers     map[*expr.Expr]bool   // the variables of a pointer type
	numbers      map[*expr.Expr]bool   // those of them that were made of numbers
	own          map[*expr.Expr]*block // what pointers from outside point to
	outsiders    int                   // blocks that such point to
	allocations  map[string]int        // blocks of each call of malloc
	passed       map[Loc][]ref         // structures that a Call is given
	atStart      []*expr.Expr          // variables that start with 0
	reached      map[string]reached    // what indirect calls may call, as far as is known
	again        bool                  // there is more
	pts          *pointers
	foreign      map[*expr.Expr]bool // variables that are loaded bit by bit
	leaks        map[Loc]bool        // stores of values that are read bit by bit
	news         int                 // changes of what the analysis of pointers reads
	storedVars   map[*expr.Expr]bool
	certain      []blockSet // what calls of routines without a body are certainly given

	warnings []Warning
	warned   map[string]bool
	mistakes map[*procedure]*UnsupportedError // see mistyped
	// labelsSeen are the error labels that were met.
	labelsSeen map[string]bool
	// strangeTypes are the types looked at, with why GCC lays them out otherwise.
	strangeTypes map[cc.Type]string
	// abstractedCalls are those of routines that have a body as well.
	abstractedCalls []abstractedCall
}

// Lower builds the automaton of one component: the procedure with all it
// calls inlined. Its terms live in pool. A procedure that no source defines
// is a [NotFoundError], valid C that is not modelled an [UnsupportedError].
func (p *Program) Lower(ctx context.Context, proc string, pool *expr.Pool, opt LowerOptions) (c *CFA, err error) {
	defer func() {
		if r := recover(); r != nil {
			c, err = nil, &InternalError{Doing: "lowering " + proc, Value: r, Stack: string(debug.Stack())}
			if s, ok := r.(stop); ok {
				err = s.err
			}
		}
	}()
	p.mu.Lock()
	defer p.mu.Unlock()
	pr := p.byName[proc]
	if pr == nil {
		missing := &NotFoundError{Name: proc}
		if d, ok := p.declared(proc); ok {
			missing.Pos = d.Pos
		}
		return nil, missing
	}
	if opt.ErrorFunctions == nil {
		opt.ErrorFunctions = []string{"reach_error", "__VERIFIER_error"}
	}
	for known := map[string]reached{}; ; {
		l := newLowerer(ctx, p, pool, opt)
		l.reached = known
		c, err := l.component(pr)
		if err != nil || !l.reaches() {
			return c, err
		}
		known = l.reached
	}
}

func newLowerer(ctx context.Context, p *Program, pool *expr.Pool, opt LowerOptions) *lowerer {
	return &lowerer{
		ctx: ctx, prog: p, pool: pool, opt: opt, names: map[string]bool{}, temps: map[string]int{}, objects: map[*object]*expr.Expr{},
		statics: map[*cc.Declarator]*object{}, varIndex: map[*expr.Expr]int{}, addressable: map[*expr.Expr]bool{}, warned: map[string]bool{}, mistakes: map[*procedure]*UnsupportedError{},
		labelsSeen: map[string]bool{}, cells: map[*expr.Expr]cell{}, staticBlocks: map[*object]*block{},
		strings: map[*cc.PrimaryExpression]*block{}, pointers: map[*expr.Expr]bool{}, numbers: map[*expr.Expr]bool{},
		own: map[*expr.Expr]*block{}, allocations: map[string]int{}, passed: map[Loc][]ref{},
		foreign: map[*expr.Expr]bool{}, leaks: map[Loc]bool{}, storedVars: map[*expr.Expr]bool{}, strangeTypes: map[cc.Type]string{},
	}
}

// stop is how the depths of the lowering end it.
type stop struct{ err error }

// component lowers the procedure itself.
func (l *lowerer) component(pr *procedure) (*CFA, error) {
	l.newInstance(pr, nil, Pos{})
	entry := l.emit(Goto{}, pr.pos)
	for _, f := range l.prog.files {
		if f.refused != nil {
			return nil, f.refused
		}
		if f.relined {
			l.warnf(Pos{f.name, 1, 1}, "__LINE__ counts the lines of the file as it is: line directives are ignored")
		}
	}
	var params []*expr.Expr
	for i, q := range parameters(pr.typ) {
		v := l.param(i, q)
		l.ownParameter(v, q)
		params = append(params, v)
	}
	for _, name := range l.opt.Globals {
		l.specified(pr, params, name)
	}
	l.body(pr)
	l.fallOff(pr)
	ret := l.prog.model.ctypeOf(pr.typ.Result())
	c := &CFA{Name: pr.name, Pool: l.pool, Params: params, Ret: ret.typ}
	if ret.class == classAggregate || ret.class == classOther {
		return nil, &UnsupportedError{pr.pos, "a procedure that returns a " + describe(pr.typ.Result()), ""}
	}
	if ret.class == classFloat {
		l.warnf(pr.pos, "the floating-point result of %s is any value", pr.name)
	}
	start := l.initialise(entry, pr)
	if l.hasMemory() {
		if err := l.analyse(); err != nil {
			return nil, err
		}
		if l.findFunctions(); l.reaches() {
			return nil, nil
		}
	}
	start = l.resolve(start)
	c.Entry, c.Locs = compact(l.locs, start)
	for _, loc := range c.Locs {
		if u, ok := loc.Stmt.(unsupported); ok {
			return nil, u.err
		}
	}
	c.Vars, c.Frames, c.memory = l.vars, l.frames, l.blocks
	l.pool.NameConstants(c.nameOf(l.prog.model.ptrType()))
	if l.opt.Pointers && l.pts != nil {
		c.PointsTo = l.pointersOf(c.Vars)
	}
	c.Actions, c.Routines = l.mentioned()
	for _, name := range l.opt.ErrorLabels {
		if !l.labelsSeen[name] {
			c.MissingLabels = append(c.MissingLabels, name)
		}
	}
	slices.SortStableFunc(l.warnings, func(a, b Warning) int { return comparePos(a.Pos, b.Pos) })
	c.Warnings = l.warnings
	return c, nil
}

// specified makes the variable that a specification names: a global, a member of
// one, "s.f", or of what a parameter points to, "$1->f".
func (l *lowerer) specified(pr *procedure, params []*expr.Expr, name string) {
	if o := pr.file.objects[name]; o != nil && o.typ.scalar() {
		l.object(o)
		return
	}
	var b *block
	end := strings.IndexAny(name, ".[-")
	if end < 0 {
		return
	}
	root, path := name[:end], name[end:]
	if o := pr.file.objects[root]; o != nil && o.typ.class == classAggregate {
		b = l.staticBlock(o)
	} else if i, err := strconv.Atoi(strings.TrimPrefix(root, "$")); err == nil && 0 < i && i <= len(params) {
		b, path = l.own[params[i-1]], strings.Replace(path, "->", ".", 1)
	}
	if b == nil {
		return
	}
	for _, lf := range b.leaves {
		if lf.path == path {
			l.cellVar(b, lf)
		}
	}
}

// hasMemory reports whether there is more than variables.
func (l *lowerer) hasMemory() bool {
	return len(l.blocks) > 0 || slices.ContainsFunc(l.locs, func(loc Location) bool {
		switch loc.Stmt.(type) {
		case loadStmt, storeStmt, copyStmt, fillStmt, allocStmt, freeStmt, reachStmt:
			return true
		}
		return false
	})
}

// fallOff ends frame 0 at its closing brace.
func (l *lowerer) fallOff(pr *procedure) {
	if len(l.open) == 0 {
		return
	}
	ret := l.prog.model.ctypeOf(pr.typ.Result())
	end := position(pr.def.CompoundStatement.Token2.Position())
	switch {
	case ret.class == classVoid:
		l.emit(Return{}, end)
	case pr.name == "main" && ret.class == classInt:
		l.emit(Return{Value: l.pool.Const(ret.typ, 0)}, end)
	default:
		l.emit(Return{Value: l.any(ret.typ, "no return value", "", end)}, end)
	}
	l.open = nil
}

// emit appends a location that continues all open ends.
func (l *lowerer) emit(s Stmt, pos Pos) Loc {
	if len(l.locs)%4096 == 0 && l.ctx.Err() != nil {
		panic(stop{l.ctx.Err()})
	}
	if len(l.locs) > maxLocations {
		panic(stop{&UnsupportedError{pos, fmt.Sprintf("more than %d control locations once all calls are inlined", maxLocations), "give an abstraction for a procedure that is called often"}})
	}
	n := Loc(len(l.locs))
	succ := []Loc{-1}
	if _, ok := s.(Branch); ok {
		succ = []Loc{-1, -1}
	}
	l.locs = append(l.locs, Location{Stmt: s, Succ: succ, Pos: pos, Frame: l.fr.id})
	l.patch(l.open, n)
	l.open = []hole{{n, 0}}
	return n
}

// patch joins open ends with a location.
func (l *lowerer) patch(hs []hole, to Loc) {
	for _, h := range hs {
		l.locs[h.loc].Succ[h.slot] = to
	}
}

// assign writes an assignment.
func (l *lowerer) assign(v, t *expr.Expr, pos Pos) { l.emit(Assign{LHS: v, RHS: t}, pos) }

// halt ends the component here.
func (l *lowerer) halt(reason string, pos Pos) {
	l.emit(Halt{Reason: reason}, pos)
	l.open = nil
}

// error performs the action error and ends the component.
func (l *lowerer) error(reason string, pos Pos) {
	l.emit(Act{Action: errorAction}, pos)
	l.halt(reason, pos)
}

// refuse marks this place as not modelled; what follows is dead.
func (l *lowerer) refuse(n cc.Node, what, hint string) value {
	return l.refuseAt(position(n.Position()), what, hint)
}

func (l *lowerer) refuseAt(pos Pos, what, hint string) value {
	return l.fail(pos, &UnsupportedError{Pos: pos, What: what, Hint: hint})
}

// fail marks this place as one where lowering is to end with an error, if
// control can reach it.
func (l *lowerer) fail(pos Pos, err error) value {
	l.emit(unsupported{err}, pos)
	l.open = nil
	return value{}
}

// warnf notes an assumption once, at the first place where it is made.
func (l *lowerer) warnf(pos Pos, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if len(l.open) == 0 && len(l.locs) > 0 || l.warned[text] {
		return
	}
	l.warned[text] = true
	l.warnings = append(l.warnings, Warning{pos, text})
}

// any is a new temporary that holds any value from here on.
func (l *lowerer) any(t expr.Type, source, approx string, pos Pos) *expr.Expr {
	v := l.temp(source, t, pos)
	l.emit(Assign{LHS: v, Nondet: source, Approx: approx}, pos)
	return v
}
