package lower

import (
	"slices"

	"modernc.org/cc/v4"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"
)

// The parts of the lowering of one component.
//
// Three of them stand upon each other and know nothing of the others: facts of the program's text, refusals of
// what is not modelled, and terms of operators. The others follow C's grammar, which is recursive across them: an
// expression may hold statements and calls, a call holds statements, and a declaration holds expressions. So each
// of them has the lowerer, and through it the others; what one part alone keeps is a field of that part.

// facts answer questions about the program's text: types, layouts, names. They emit nothing, and the same
// question has the same answer throughout.
type facts struct {
	prog    *source.Program
	pointer expr.Type // of addresses
	opt     Options
	types   map[typeKey]*memory.Type
	layouts map[cc.Type]string // the types looked at, with why their layout is not known
}

// refusals end a path, or the lowering, where something is not modelled.
type refusals struct {
	*cfa.Builder
	*facts
}

// terms build the terms of C's operators and constants out of those of their operands. What they emit at most is
// an assumption: that a division's divisor is not 0, say.
type terms struct{ *refusals }

// A lowerer builds one automaton.
type lowerer struct {
	*terms
	mem *memory.Model

	objects     *objects
	accesses    *accesses
	expressions *expressions
	statements  *statements
	calls       *calls
	library     *library
	threading   *threading
	observing   *observing

	fr        *instance   // the current one
	instances []*instance // by frame
	found
	nans       nans
	labelsSeen map[string]bool // the error labels that were met
	framed     framed
	called     []*expr.Expr // what parameters of the component's procedure were at the call
}

// objects are the variables of the program: where they are, and what they hold at first.
type objects struct {
	*lowerer
	lengths
	globals map[*source.Object]*memory.Global
	owners  map[*memory.Object]*source.Object // of the memory of globals
	statics map[*cc.Declarator]*source.Object // static locals
	owns    map[ownership]*source.Object      // what threads have of thread-local objects
	used    []*source.Object                  // those with variables or memory, in order
	strings map[*cc.PrimaryExpression]*memory.Object
	weak    []weakName
	unread  map[*source.Object]cc.ExpressionNode // initialisers of pointers whose value is not known
	errno   *source.Object                       // once something asks for its address
	// evaluatesStatic says that an initialiser is evaluated before the program runs.
	evaluatesStatic bool
}

// lengths are those that types have when the program runs, and what is declared with such types.
type lengths struct{ *lowerer }

// A weakName is something weak that no source defines.
type weakName struct {
	name    string
	missing *expr.Expr
}

// accesses are reads and writes of what lvalues denote.
type accesses struct{ *lowerer }

// expressions are evaluated for their values, as conditions, or for what they do.
type expressions struct{ *lowerer }

// statements are those of bodies: blocks and scopes, jumps and labels, cleanups.
type statements struct {
	*lowerer
	labels    map[*source.Procedure]*source.Labels
	addressed map[*cc.LabeledStatement]*memory.Object     // labels whose address is taken
	mistakes  map[*source.Procedure]*cfa.UnsupportedError // see source.Layouts.Mistyped
}

// calls are calls of the program's own routines: inlined, summarised by a procedure abstraction, recursive, and
// in the ways of its parts.
type calls struct {
	*lowerer
	indirect
	variadics
	sharing
	abstractedCalls []abstractedCall            // those of routines that have a body as well
	computing       map[*source.Procedure]bool  // does nothing but compute
	cuts            bool                        // a recursive call is not followed
	landings        int                         // calls of setjmp
	computed        map[constantCall]*expr.Expr // results of recursive calls with constant arguments
	nested          map[*cc.Declarator]*nested
	searched        map[*source.Procedure]bool // for functions within them
	around          *instance                  // of the next instance
}

// indirect calls are those through pointers, and those that come from outside.
type indirect struct {
	*lowerer
	functions []functionObject
	callTypes map[string]*cc.FunctionType
}

// variadics are arguments behind the dots of a parameter list, and their lists.
type variadics struct{ *lowerer }

// sharing is calls of bodies that stand once.
type sharing struct {
	*lowerer
	shared    []*sharedBody // that stand once
	automatic int           // the first so many variables are of the text, and not of the model of memory
}

// library is what functions of the C library and of compilers do.
type library struct {
	*lowerer
	texts
	computing
	states map[string]*expr.Expr // what the library keeps for all threads, by name
	prints *expr.Expr            // how many characters the call of a model prints, if that is known
}

// texts are made and read as formats say.
type texts struct{ *lowerer }

// computing is functions that only compute: on bits, on characters, and on numbers.
type computing struct{ *lowerer }

// threading is the creation, joining and ending of threads, and what a thread does in one step.
type threading struct {
	*lowerer
	created  creation
	counters map[string]*expr.Expr // of the sites of threads
	wakes    wakeUp
}

// observing is what a rule says of the run.
type observing struct {
	*lowerer
	vars  observed
	unset map[*instance][]*expr.Expr // pointers that never get a value
	watch
	ends []string // functions that never return by the rule, and were called
}

func newLowerer(p *source.Program, pool *expr.Pool, opt Options, known found) *lowerer {
	if opt.Observer != nil {
		opt.CheckLeaks = opt.Observer.Leaks
	}
	b := cfa.NewBuilder(pool)
	b.ErrorsEnd = opt.ErrorsEnd
	b.Limit(opt.MaxLocations)
	b.CutRefused(opt.Cut)
	f := &facts{prog: p, pointer: p.Model.Pointer(), opt: opt, types: map[typeKey]*memory.Type{},
		layouts: map[cc.Type]string{}}
	l := &lowerer{terms: &terms{&refusals{b, f}}, found: known, labelsSeen: map[string]bool{}}
	m := memory.Options{Modelling: opt.Modelling, Data: p.Model, Threads: known.threads.several,
		Weak: opt.Weak, Recorded: opt.Recorded, Mirrored: opt.Mirrored,
		Races: opt.Races && known.threads.several}
	if o := opt.Observer; o != nil {
		m.Uses, m.Shapes, m.Own = o.Uses, o.Memory || o.Uses, true
		m.Finds = slices.ContainsFunc(o.Return, func(e Observation) bool { return e.Lost != "" })
	}
	l.mem = memory.New(b, m)
	l.objects = &objects{lowerer: l, lengths: lengths{l}, globals: map[*source.Object]*memory.Global{},
		owners: map[*memory.Object]*source.Object{}, statics: map[*cc.Declarator]*source.Object{},
		owns: map[ownership]*source.Object{}, strings: map[*cc.PrimaryExpression]*memory.Object{},
		unread: map[*source.Object]cc.ExpressionNode{}}
	l.accesses, l.expressions = &accesses{l}, &expressions{l}
	l.library = &library{l, texts{l}, computing{l}, map[string]*expr.Expr{}, nil}
	l.statements = &statements{lowerer: l, labels: map[*source.Procedure]*source.Labels{},
		addressed: map[*cc.LabeledStatement]*memory.Object{}, mistakes: map[*source.Procedure]*cfa.UnsupportedError{}}
	l.calls = &calls{lowerer: l, indirect: indirect{lowerer: l, callTypes: map[string]*cc.FunctionType{}},
		variadics: variadics{l}, sharing: sharing{lowerer: l},
		computing: map[*source.Procedure]bool{}, computed: map[constantCall]*expr.Expr{},
		nested: map[*cc.Declarator]*nested{}, searched: map[*source.Procedure]bool{}}
	l.threading = &threading{lowerer: l, counters: map[string]*expr.Expr{}}
	l.observing = &observing{lowerer: l, unset: map[*instance][]*expr.Expr{}, watch: newWatch()}
	return l
}
