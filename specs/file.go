package specs

import (
	"maps"
	"slices"
	"strings"
)

// A File is everything that the specification files given to [Parse] define.
// It is immutable.
type File struct {
	Procedures []*Procedure
	Programs   []*Program
	Rules      []*Rule
	Warnings   []*Error // names that nothing defines or nothing uses, and the like

	items      []item // *process, *Procedure, *Program, *Rule in the order of the text
	processes  map[string]*process
	order      []*process
	returns    map[string]ReturnAction // by canonical name
	messages   map[string]MessageAction
	progress   []*Progress
	fluents    []*Fluent
	assertions []*Assertion
	uses       map[string]Pos     // where abstracts and specifications name LTSs, the first place for each
	sources    map[string]*source // by file name
}

// newFile defines nothing yet.
func newFile() *File {
	return &File{processes: map[string]*process{}, returns: map[string]ReturnAction{},
		messages: map[string]MessageAction{}, uses: map[string]Pos{},
		sources: map[string]*source{}}
}

// An item is one of *process, *Procedure, *Program, *Rule, *Progress, *Fluent, *Assertion.
type item interface{ print(b *strings.Builder) }

// errorAt is the error at p, which lies in one of f's sources.
func (f *File) errorAt(p Pos, format string, args ...any) *Error {
	return f.sources[p.File].errorAt(p, format, args...)
}

// A Procedure is what a file says about one C procedure: what callers may
// assume about it, and what its body is checked against.
type Procedure struct {
	Name       string
	Pos        Pos
	Abstracts  []*Abstract
	Predicates []*CExpr // seed predicates, over the procedure's own scope
	Skip       bool     // calls have no effect
	Inline     bool     // the body is inlined even where there are abstracts
	// Framed says that Assigns are all that the procedure writes of what exists before it is called: members and
	// elements, what arguments point to, globals.
	Framed  bool
	Assigns []*CExpr
	// Relation is what its abstracts claim of the body; "" if that is not said.
	Relation Relation
	Demands  []*Demand // what its runs are said to have
}

// Frame is what the procedure writes, as it is written: "nothing", "*$2, errno"; "" where nothing is said.
func (p *Procedure) Frame() string {
	switch {
	case !p.Framed:
		return ""
	case len(p.Assigns) == 0:
		return nothing
	}
	var all []string
	for _, e := range p.Assigns {
		all = append(all, e.String())
	}
	return strings.Join(all, ", ")
}

// Writes are the paths of what the procedure writes.
func (p *Procedure) Writes() []string {
	var all []string
	for _, e := range p.Assigns {
		all = append(all, e.place())
	}
	return all
}

// nothing is what a procedure assigns that writes nothing.
const nothing = "nothing"

// An Abstract says that a call whose arguments and globals satisfy Guard
// behaves as the LTS: one pair of a procedure abstraction (Chaki et al.,
// "Efficient Verification of Sequential and Concurrent C Programs" (2004),
// section 3.4).
type Abstract struct {
	Name  string // "" if it has none
	Guard *CExpr
	LTS   string
	Pos   Pos

	ltsPos Pos
}

// A Program is components that run side by side.
type Program struct {
	Components []string
	Copies     []int    // of each component: how many run, 1 or more, or [AnyNumber]
	Shared     []Shared // variables that the components share; nil: they share no memory
	Buffers    []Buffer // channels that hold values until they are received; others are handed over at once
	Specs      []*ProgramSpec
	Relation   Relation  // what Specs claim of the components; "" if that is not said
	Demands    []*Demand // what its runs are said to have
	Pos        Pos
}

// A Shared is the name of a variable of the program that components share.
type Shared struct {
	Name string
	Pos  Pos
}

// A Buffer is a channel that holds so many values between those who send and those who receive.
type Buffer struct {
	Channel string
	Size    int
	Pos     Pos
}

// MaxBuffer is the greatest size of a buffer that can be written.
const MaxBuffer = 64

// SendOf and ReceiveOf are the actions of a channel with a buffer: a value goes in, and comes out.
func SendOf(channel string) string    { return channel + ".send" }
func ReceiveOf(channel string) string { return channel + ".receive" }

// AnyNumber of copies, one or more, run of a component that is written with a
// star.
const AnyNumber = -1

// MaxCopies is the greatest number of copies that can be written.
const MaxCopies = 64

// A ProgramSpec says that the program conforms to the LTS where every
// component's arguments and globals satisfy its guard (section 3.5 of the same
// paper).
type ProgramSpec struct {
	Name   string
	Guards []*CExpr // one for each component
	LTS    string
	Pos    Pos

	ltsPos Pos
}

// Procedure is what f says about the procedure of that name, or nil.
func (f *File) Procedure(name string) *Procedure {
	for _, p := range f.Procedures {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// LTSNames are the names of the LTSs that f defines, in the order of the text.
func (f *File) LTSNames() []string {
	names := make([]string, len(f.order))
	for i, p := range f.order {
		names[i] = p.name()
	}
	return names
}

// A ReturnAction is the action that a component returns (section 3.1). The
// paper has one for each value; here one stands for all values that satisfy a
// condition.
type ReturnAction struct {
	Component string // "" if unqualified
	Void      bool   // return or return {}, of anything; Cond is nil
	Cond      *CExpr // over $0, the returned value, the arguments as they were at the call, and globals
	Pos       Pos    // of its first occurrence
}

// Any reports whether the action is the return of any value, or of none.
func (r ReturnAction) Any() bool { return r.Void || r.Cond.kind == exprName && r.Cond.text == "true" }

// OnlyValue reports whether the action speaks of nothing but the returned value.
func (r ReturnAction) OnlyValue() bool {
	return r.Any() || len(r.Cond.Names()) == 0 && slices.Equal(r.Cond.Args(), []string{"$0"})
}

// HasValue reports whether the action speaks of the returned value.
func (r ReturnAction) HasValue() bool { return !r.Void && slices.Contains(r.Cond.Args(), "$0") }

// HasNames reports whether the action speaks of variables.
func (r ReturnAction) HasNames() bool { return !r.Any() && len(r.Cond.Names()) > 0 }

// Name is the name under which the action is interned: return{} or return{e},
// behind component: where it is qualified.
func (r ReturnAction) Name() string {
	name := "return{}"
	if !r.Void {
		name = "return{" + r.Cond.String() + "}"
	}
	if r.Component != "" {
		return r.Component + ":" + name
	}
	return name
}

// ReturnOf is the return action of that canonical name, and whether f mentions
// it.
func (f *File) ReturnOf(name string) (ReturnAction, bool) {
	r, ok := f.returns[name]
	return r, ok
}

// Returns are the return actions, by their names.
func (f *File) Returns() []ReturnAction {
	var all []ReturnAction
	for _, name := range slices.Sorted(maps.Keys(f.returns)) {
		all = append(all, f.returns[name])
	}
	return all
}

// A process is an LTS: definitions, of which the first gives the name and the
// initial state, the others further states.
type process struct {
	composite bool   // written with || before the name
	defs      []*def // invariant: not empty

	byName   map[string]*def
	ops      []operator // of all definitions, in the order of the text: they apply to the whole process
	relabels bool       // an operator changes transitions
}

func (p *process) name() string { return p.defs[0].name }

// local is the definition of that name within p, or nil.
func (p *process) local(name string) *def { return p.byName[name] }

// index fills what is derived from p's definitions. Of two definitions of one
// name the first counts.
func (p *process) index() {
	p.byName = make(map[string]*def, len(p.defs))
	p.ops, p.relabels = nil, false
	for _, d := range p.defs {
		if p.byName[d.name] == nil {
			p.byName[d.name] = d
		}
		for _, o := range d.ops {
			p.ops = append(p.ops, o)
			p.relabels = p.relabels || o.sign != '+'
		}
	}
}

type def struct {
	name string
	pos  Pos
	body body
	ops  []operator
	proc *process
}

type bodyKind uint8

const (
	bodyStop bodyKind = iota
	bodyError
	bodyName     // another definition's state
	bodyChoice   // ( branch | … )
	bodyParallel // ( A || B || … )
	bodyImport   // import "file"
)

// A body is what follows = or, as one of the first four kinds, the last -> of
// a branch.
type body struct {
	kind     bodyKind
	name     string // of bodyName; the path as written of bodyImport
	pos      Pos
	branches []branch
	operands []ref  // of bodyParallel
	imported *graph // of bodyImport
}

// A ref is a name in use.
type ref struct {
	name string
	pos  Pos
}

type branch struct {
	steps []step // invariant: not empty
	to    body
}

// A step is one action, or a set of which either happens.
type step struct {
	labels []label // invariant: not empty; one unless set
	set    bool
}

// A label is an action where it occurs.
type label struct {
	name string // canonical
	ret  *ReturnAction
	msg  *MessageAction // of an action that says what it carries
	pos  Pos
}

// tau is how the unobservable action is written.
const tau = "tau"

// An operator changes the alphabet of a process, or the labels too.
type operator struct {
	sign   byte    // + extend, \ hide, @ keep, / rename
	labels []label // of + \ @
	pairs  []pair  // of /
	pos    Pos
}

type pair struct{ new, old label }
