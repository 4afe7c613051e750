package fsp

// What the parser makes of a text. Places are offsets.

// A File is a text in FSP with its definitions.
type File struct {
	src       *source
	consts    map[string]*constant
	ranges    map[string]*rangeDef
	sets      map[string]*setDef
	processes map[string]*definition
	order     []*definition // the processes as they stand in the text
	progress  []*progressDef
	formulas  []*formulaDef
	warnings  []*Error
}

type constant struct {
	at    int
	value *expr
}

type rangeDef struct {
	at     int
	lo, hi *expr
}

type setDef struct {
	at  int
	set *labelSet
}

// A definition is that of a process, composite if body is not nil.
type definition struct {
	name                                       string
	at                                         int
	params                                     []param
	property, minimal, deterministic, composed bool

	locals []local // of a primitive process, the first one being the process itself
	extra  *labelSet

	formula *formulaDef // of which the process is made

	body     *composite
	priority *labelSet
	low      bool // >>: what is in priority is low

	relabels []relabel
	hidden   *labelSet
	expose   bool // @: all but hidden
}

type param struct {
	name  string
	value *expr
}

// A local process.
type local struct {
	name    string
	at      int
	indices []part
	body    *body
}

type bodyKind uint8

const (
	bodyChoice bodyKind = iota
	bodyRef
	bodyIf
)

// A body is what a local process does.
type body struct {
	kind    bodyKind
	at      int
	choices []choice

	seq     []procRef // P; Q; before the name
	name    string
	indices []*expr

	cond            *expr
	then, otherwise *body // otherwise: nil for STOP
}

// A choice is a guard, actions one after the other, and what comes then.
type choice struct {
	guard  *expr
	labels []label
	to     *body
}

// A procRef is a process with arguments.
type procRef struct {
	name string
	at   int
	args []*expr
}

type compositeKind uint8

const (
	compositeParallel compositeKind = iota
	compositeRef
	compositeForall
	compositeIf
)

// A composite is the body of a composition.
type composite struct {
	kind            compositeKind
	at              int
	access, prefix  label
	parts           []*composite
	ref             procRef
	relabels        []relabel
	ranges          []part
	cond            *expr
	then, otherwise *composite
}

// A relabel is new/old, or forall with several.
type relabel struct {
	at     int
	new    label
	old    label
	ranges []part
	all    []relabel
}

// A label is parts with points between them.
type label []part

type partKind uint8

const (
	partName  partKind = iota
	partSet            // { … } or the name of a set
	partIndex          // [ … ]
)

type part struct {
	kind partKind
	at   int
	name string    // of an action
	set  *labelSet // of a set, or of an index over a set

	variable string // of an index
	lo, hi   *expr  // hi: nil for a single value
	rangeOf  string // name of a range
}

// A labelSet is a set of labels, or a set by name, without those of another one.
type labelSet struct {
	at    int
	name  string
	elems []label
	minus *labelSet
}

// A progressDef is progress NAME[indices] = { … } or = if { … } then { … }.
type progressDef struct {
	name    string
	at      int
	indices []part
	given   label // nil: always
	actions label
}

// An expr is an expression: op with operands.
//
//	number  n        name   name (of a variable, constant or parameter)
//	label   lab      count  set         select set, args[0]
type expr struct {
	op   string
	at   int
	n    int64
	name string
	lab  label
	set  *labelSet
	args []*expr
}
