package certificate

// The text form: a JSON array with one record on each line.
//
//	[
//	{"certificates":1,"version":2,"question":2},
//	{"asked":"data model","is":"LP64"},
//	{"asked":"file lock.c","is":"sha256:4355a46b…"},
//	{"claim":"program main, specification ok","verdict":"conforms","components":1},
//	{"component":"main","terms":3,"atoms":[2],"blocks":0,"states":4},
//	["var","i32","x"],
//	["const","i32","0"],
//	["==","bool",0,1],
//	{"at":"start","holds":"-","to":[["",1]]},
//	…
//	{"containment":11},
//	"magus-certificate 2",
//	…
//	{"end":true}
//	]
//
// A component may have control points without states, through which steps lead: "through":["L2","L3"].
//
// A violation has the trace and the runs instead:
//
//	{"trace":["lock","lock"]},
//	{"run":"main","init":{"x":"5"},"moves":7},
//	{"to":"L0","set":{"x":"4"}},
//
// Many rounds of a loop are one move, with the moves of one round, which set what they choose:
//
//	{"to":"L1","turn":[{"to":"L2"},{"to":"L3","set":{"y":"7"}},{"to":"L1"}],"times":134217726},
//
// Where components run in several copies, there are sets in place of the text of
// the containment: for each component its states, each with the number of copies
// there, -1 for any number. The trace says which runs take part in each action:
//
//	{"sets":12},
//	{"copies":[[[0,-1],[3,1]],[[2,1]]],"spec":[1]},
//	…
//	{"trace":["lock","lock"],"by":[[0,2],[1,2]]},

// Where all runs of the only component were searched, there are no components. A record
// has the number of layers and the control points in their order:
//
//	{"unrolled":5,"order":["start","L0","L1","end"]},

// Of a claim about deadlocks the models say all; with "cuts" the containment follows, which shows that no run comes to
// where recursion is not followed. Where components run in any number of copies, it says how many are told
// apart at each state of each model:
//
//	{"free":true,"told":[[0,1],[1,1]]},
//
// Of what any number of copies refuses that record is {"told":[[0,1],[1,1]]}, and the containment follows.

// Of a claim about simulation a relation takes the place of the containment: its number of pairs, and for
// each the states of the copies and one of the specification. A violation has branches, each with its trace,
// and how much of it and of its runs is that of the branch before it; the runs of all branches follow. One
// that goes on for ever says how many actions come before the round, and how many moves of each run:
//
//	{"simulation":2},
//	{"pair":[0],"spec":0},
//	…
//	{"trace":["a","b"],"branches":2},
//	{"branch":["a","b"],"by":[[0],[0]],"visible":0,"shared":[0]},
//	{"branch":["a","c"],"by":[[0],[0]],"visible":1,"shared":[2]},
//	…
//	{"trace":["a"],"goes_on":true},
//	{"round":1,"moves":[3]},
//
// Where a run does not come back to the same values there is a recurrence set, which is a component of the run's name
// with the numbers of the terms that hold in it, and rounds besides the one that is executed:
//
//	{"round":1,"moves":[3],"sets":1},
//	{"component":"main","terms":3,"atoms":[2],"blocks":0,"states":0},
//	…
//	{"others":1},
//	{"to":"L4","turn":[{"to":"L5"},{"to":"L4","set":{"x":"1"}}],"times":1},

// An induction has a component with terms only. A record has the number of layers that
// are assumed, the control points in their order and the number of places, each with what the
// specification may be in and the numbers of the terms that hold there:
//
//	{"assumed":0,"order":["start","L0","L1","end"],"places":1},
//	{"place":"L0","spec":[0],"holds":[2,7]},
//
// Contracts have a component with terms only, too: the procedures as the automaton has their bodies, 0 for the
// component's own, and what holds where they are called, where they return and at control points within them. A
// variable's value now has a name of its own:
//
//	["var","i32","total now"],
//	…
//	{"contracts":3},
//	{"of":1,"on":"entry","holds":[3]},
//	{"of":1,"on":"exit","holds":[5,9]},
//	{"of":1,"on":"L7","holds":[]},
//
// A proof that all runs end has ranks besides: control points, with the numbers of terms, and within these no
// so many layers together make the term greater:
//
//	{"assumed":0,"order":["start","L0","L1","end"],"places":1,"ranks":1,"together":1},
//	{"place":"L0","spec":[0],"holds":[2,7]},
//	{"within":["L0"],"rank":[9]},
//
// A proof of what happens at last has ranks behind the components, each with its component and the number of the term
// that gets less, or greater:
//
//	{"at_last":1},
//	{"of":0,"less":7},
//
// So has a proof that nothing goes on for ever unobserved where loops end by them; what it is besides follows:
//
//	{"ends":1},
//	{"of":0,"less":7},
//
// A program with threads says so with its claim: how many copies of a thread are modelled, and
// "whole" where the components are about one automaton in place of all threads. Otherwise it has a
// proof, with loops that go round more than once, and lemmas: the numbers of writes that happen, of a
// write and the read that sees it, of edges. A violation is a run whose moves say which thread makes
// them:
//
//	{"claim":"property unreach-call","verdict":"conforms","components":0,"threads":{"copies":3}},
//	{"lemmas":2,"loops":{"L12":4}},
//	[["happens",4],["sees",3,7]],
//	[["sees",3,9],["ordered",0],["happens",6]],
//	…
//	{"run":"main","init":{},"moves":9},
//	{"to":"L2","by":1,"set":{"x":"1"}},

// A claim that is made of others says how many certificates of these follow:
//
//	{"claim":"specification Once of main","verdict":"conforms","components":0,"parts":2},
//	{"claim":"specification Once of main","verdict":"conforms","components":0,"threads":{"copies":3}},
//	…

// Where a claim speaks of variables, the trace says in which order the runs make their moves:
//
//	{"trace":["a"],"order":[0,0,1,0]},
//
// A run behind which no action of a progress is possible has models behind the runs:
//
//	{"trace":["a"],"models":1},

// The records. Pointers tell what is missing from what is zero.
type (
	header struct {
		Certificates *int `json:"certificates"`
		Version      int  `json:"version"`
		Question     int  `json:"question"`
	}
	factRecord struct {
		Asked *string `json:"asked"`
		Is    string  `json:"is"`
	}
	claimRecord struct {
		Claim      *string `json:"claim"`
		Verdict    string  `json:"verdict"`
		Components int     `json:"components"`
		Recursion  int     `json:"recursion,omitempty"`
		// Inlined are routines that are not called by their abstractions.
		Inlined []string `json:"inlined,omitempty"`
		// Once says that calls are not inlined.
		Once    bool           `json:"once,omitempty"`
		Threads *threadsRecord `json:"threads,omitempty"`
		Cells   string         `json:"cells,omitempty"`
		// Parts is how many certificates follow that show it together.
		Parts int `json:"parts,omitempty"`
	}
	threadsRecord struct {
		Copies   int     `json:"copies"`
		Elements int     `json:"elements,omitempty"`
		Whole    string  `json:"whole,omitempty"`
		Ranges   []Range `json:"ranges,omitempty"`
		Refuses  bool    `json:"refuses,omitempty"`
	}
	proofRecord struct {
		Lemmas *int           `json:"lemmas"`
		Loops  map[string]int `json:"loops,omitempty"`
		Count  bool           `json:"count,omitempty"`
	}
	unrolledRecord struct {
		Unrolled *int     `json:"unrolled,omitempty"`
		Order    []string `json:"order,omitempty"`
	}
	executedRecord struct {
		Executed *int64 `json:"executed"`
	}
	inductionRecord struct {
		Assumed   *int     `json:"assumed,omitempty"`
		Order     []string `json:"order,omitempty"`
		CutPoints int      `json:"places,omitempty"`
		Ranks     *int     `json:"ranks,omitempty"` // of a proof that all runs end
		Together  int      `json:"together,omitempty"`
	}
	contractsRecord struct {
		Contracts *int `json:"contracts"`
	}
	contractRecord struct {
		Of    *int   `json:"of"` // the procedure
		On    string `json:"on"`
		Holds []int  `json:"holds"`
	}
	rankRecord struct {
		Within []string `json:"within"`
		Rank   []int    `json:"rank"`
	}
	placeRecord struct {
		Place *string `json:"place"`
		Spec  []int   `json:"spec"`
		Holds []int   `json:"holds"`
	}
	componentRecord struct {
		Component *string  `json:"component"`
		Terms     int      `json:"terms"`
		Atoms     []int    `json:"atoms"`
		Blocks    int      `json:"blocks"`
		Through   []string `json:"through,omitempty"`
		States    int      `json:"states"`
	}
	stateRecord struct {
		At    *string      `json:"at"`
		Holds string       `json:"holds"`
		Block *int         `json:"block,omitempty"`
		To    []edgeRecord `json:"to"`
	}
	containmentRecord struct {
		Containment *int `json:"containment"`
	}
	livenessRecord struct {
		AtLast *int `json:"at_last"` // the number of ranks
	}
	endsRecord struct {
		Ends *int `json:"ends"` // the number of ranks
	}
	lesseningRecord struct {
		Of   *int `json:"of"` // the component
		Less int  `json:"less"`
		Up   bool `json:"up,omitempty"` // it gets greater
	}
	freeRecord struct {
		Free *bool   `json:"free"`           // of deadlocks
		Cuts bool    `json:"cuts,omitempty"` // the containment follows
		Told [][]int `json:"told,omitempty"` // how many copies are told apart
	}
	toldRecord struct {
		Told [][]int `json:"told"`
	}
	simulationRecord struct {
		Simulation *int `json:"simulation"`
	}
	pairRecord struct {
		Pair *[]int `json:"pair"`
		Spec int    `json:"spec"`
	}
	branchRecord struct {
		Branch  *[]string `json:"branch"`
		By      [][]int   `json:"by"`
		Visible int       `json:"visible"`
		Shared  []int     `json:"shared"`
	}
	roundRecord struct {
		Round *int  `json:"round"`
		Moves []int `json:"moves"`
		Sets  int   `json:"sets,omitempty"` // of recurrence
	}
	othersRecord struct {
		Others *int `json:"others"` // rounds besides the one that is executed
	}
	setsRecord struct {
		Sets *int `json:"sets"`
	}
	setRecord struct {
		Copies *[][][]int `json:"copies"`
		Spec   []int      `json:"spec"`
	}
	traceRecord struct {
		Trace    *[]string `json:"trace"`
		By       [][]int   `json:"by,omitempty"`
		Branches int       `json:"branches,omitempty"`
		GoesOn   bool      `json:"goes_on,omitempty"`
		Order    []int     `json:"order,omitempty"`
		Models   int       `json:"models,omitempty"` // behind the runs
	}
	runRecord struct {
		Run   *string           `json:"run"`
		Init  map[string]string `json:"init"`
		Moves int               `json:"moves"`
	}
	moveRecord struct {
		To     *string           `json:"to,omitempty"`
		Seen   string            `json:"seen,omitempty"` // without To: a write of this variable by a thread
		Action string            `json:"action,omitempty"`
		By     *int              `json:"by,omitempty"` // of threads
		Set    map[string]string `json:"set,omitempty"`
		Round  []moveRecord      `json:"turn,omitempty"`
		Times  uint64            `json:"times,omitempty"`
	}
	endRecord struct {
		End *bool `json:"end"`
	}
)

// formatVersion is the version of the text form.
const formatVersion = 2
