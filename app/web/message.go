package web

// The messages between the server and the page, as docs/schema/web.schema.json says them.

import "magus/app/report"

// SchemaID is what updates say that they are.
const SchemaID = "magus-web-1"

// A State is what pages show. It does not change once it is made.
type State struct {
	Session        *Session
	Components     []Component
	Counterexample *Counterexample
	Specification  *Specification
	Sources        []Source
	Marks          []Marks
	Run            *Run
	Threads        *Threads
	Busy           *Busy
	Moments        []Moment
	Branches       []Branch
	Counters       []Counters
	Processes      *Processes
	Log            []Entry
	Script         string // that leads here, for magus run; pages ask for it
}

// An Update is what a page has to change: parts that are missing stay as they are.
type Update struct {
	Schema         string          `json:"schema"`
	Revision       int             `json:"revision"`
	Session        *Session        `json:"session,omitempty"`
	Components     *[]Component    `json:"components,omitempty"`
	Counterexample *Counterexample `json:"counterexample,omitempty"`
	Specification  *Specification  `json:"specification,omitempty"`
	Sources        *[]Source       `json:"sources,omitempty"`
	Marks          *[]Marks        `json:"marks,omitempty"`
	Run            *Run            `json:"run,omitempty"`
	Threads        *Threads        `json:"threads,omitempty"`
	Busy           *Busy           `json:"busy,omitempty"`
	Moments        *Moments        `json:"moments,omitempty"`
	Branches       *[]Branch       `json:"branches,omitempty"`
	Counters       *[]Counters     `json:"counters,omitempty"`
	Processes      *Processes      `json:"processes,omitempty"`
	Log            *Entries        `json:"log,omitempty"`
}

// Moments are those from a number on; the page drops what it has from there.
type Moments struct {
	From  int      `json:"from"`
	Items []Moment `json:"items"`
}

// Entries are those of the log from a number on.
type Entries struct {
	From  int     `json:"from"`
	Items []Entry `json:"items"`
}

// A Session is what the shell is about.
type Session struct {
	Loaded      bool     `json:"loaded"`
	Files       []string `json:"files"`
	Claims      []string `json:"claims"`
	Claim       int      `json:"claim"` // of Claims, from 0
	Assumed     []string `json:"assumed"`
	Moment      int      `json:"moment"` // the present one
	Next        string   `json:"next"`   // phase
	Iteration   int      `json:"iteration"`
	Levels      int      `json:"levels"`
	Strategy    string   `json:"strategy"`
	Proved      bool     `json:"proved"`
	Product     int      `json:"product"` // states of the last check
	Verdict     string   `json:"verdict"` // "" before the end
	Reason      string   `json:"reason"`
	Unspecified bool     `json:"unspecified"`
	Threads     bool     `json:"threads"`
	Tour        string   `json:"tour"` // the example that the tour is about, or ""
}

// A Moment is one of the history.
type Moment struct {
	Head    string   `json:"head"`
	By      string   `json:"by"`
	Lines   []string `json:"lines"`
	Seconds float64  `json:"seconds"`
}

// A Branch is a way that the session has gone, as it is at its last moment.
type Branch struct {
	Number     int            `json:"number"`
	Of         int            `json:"of"`   // the branch that it left, 0 for the first
	From       int            `json:"from"` // the moment at which it did
	Present    bool           `json:"present"`
	Moments    int            `json:"moments"`
	Next       string         `json:"next"` // phase
	Verdict    string         `json:"verdict"`
	Iteration  int            `json:"iteration"`
	Product    int            `json:"product"`
	Trace      []string       `json:"trace"` // the counterexample
	Components []BranchedPart `json:"components"`
	Since      []string       `json:"since"` // what was done since it left
}

// A BranchedPart is a component at the end of a branch.
type BranchedPart struct {
	Name       string   `json:"name"`
	Predicates []string `json:"predicates"`
	States     int      `json:"states"` // of MP, -1 before it is built
	Blocks     int      `json:"blocks"` // of MA, -1 before it is built
}

// Counters are those of a component of which any number of copies run, as the last check has counted.
type Counters struct {
	Component string   `json:"component"`
	Of        string   `json:"of"` // ma or mp
	Rows      []Count  `json:"rows"`
	Left      string   `json:"left"`  // what was left out
	Along     []string `json:"along"` // actions of the counterexample
}

// Processes is a search in a model of any number of processes: what it has found so far, and the run of so and so many
// processes that violates the property. Cells are what is known of each column.
type Processes struct {
	Columns []string      `json:"columns"` // local states and shared variables; none: there is no such search
	Locals  int           `json:"locals"`  // of Columns, the first ones: local states, in which processes are counted
	Method  string        `json:"method"`
	Sets    []ProcessSet  `json:"sets"`
	Left    string        `json:"left"`  // what was left out of the sets
	Trace   []ProcessStep `json:"trace"` // the last counterexample, that no run follows
	Zones   []string      `json:"zones"` // that strengthen the order
	Run     []ProcessStep `json:"run"`   // the run that violates the property
}

// A ProcessSet is a set of configurations from which a bad one can be reached in the abstraction.
type ProcessSet struct {
	Number int      `json:"number"`
	Mark   string   `json:"mark"`            // "expanded", "within another" or "waits"
	Rule   string   `json:"rule"`            // that leads on; "" for what is bad itself
	Next   int      `json:"next"`            // the set that it leads to
	Place  *Place   `json:"place,omitempty"` // of the rule
	Cells  []string `json:"cells"`
	Also   string   `json:"also"` // what is known of several columns at once
}

// A ProcessStep is where processes are along a run or a counterexample.
type ProcessStep struct {
	Rule    string   `json:"rule"`            // that led here; "" at the start
	Refused bool     `json:"refused"`         // which cannot be taken
	Place   *Place   `json:"place,omitempty"` // of the rule
	Cells   []string `json:"cells"`
	Also    string   `json:"also"`
}

// A Count is how many copies are in a state of an abstraction.
type Count struct {
	State  int     `json:"state"`
	Places []Place `json:"places"`
	// ToldApart is how many copies the check tells apart: more of them count as that many.
	ToldApart int   `json:"toldApart"`
	Along     []int `json:"along"` // how many are there before and after each action of the counterexample
}

// An Entry is a command that was executed, with what it printed.
type Entry struct {
	Command string  `json:"command"`
	From    string  `json:"from"` // "terminal" or "page"
	Text    string  `json:"text"`
	Error   string  `json:"error"`
	Seconds float64 `json:"seconds"`
}

// Busy says what runs, or that nothing does.
type Busy struct {
	Command  string `json:"command"`  // "" if nothing runs
	From     string `json:"from"`     // "terminal" or "page"
	Progress string `json:"progress"` // how far it is
	Ended    bool   `json:"ended"`    // the shell was left
}

// A Component is one with the sizes of its abstractions.
type Component struct {
	Name       string      `json:"name"`
	File       string      `json:"file"`
	Locations  int         `json:"locations"`
	States     int         `json:"states"` // of MP, -1 before it is built
	Blocks     int         `json:"blocks"` // of MA, -1 before it is built
	Stale      bool        `json:"stale"`  // the predicates are others by now
	Copies     int         `json:"copies"` // -1 for any number
	Predicates []Predicate `json:"predicates"`
}

// A Predicate is a candidate.
type Predicate struct {
	Number     int      `json:"number"`
	Text       string   `json:"text"`
	Conditions []string `json:"conditions"` // that pred add takes
	Chosen     bool     `json:"chosen"`
	Origin     string   `json:"origin"`
	Place      *Place   `json:"place,omitempty"`
}

// A Place is a line of a source.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// A Counterexample is the present one, a lane for each component that takes part.
type Counterexample struct {
	Status   string `json:"status"` // "" if there is none
	Standing string `json:"standing"`
	Lanes    []Lane `json:"lanes"`
	Rows     []Row  `json:"rows"`
	Others   string `json:"others"` // what was left out
}

// A Lane is one component, or a copy of one.
type Lane struct {
	Name      string `json:"name"`
	Component int    `json:"component"`
	Refuted   bool   `json:"refuted"` // it does not have the counterexample
}

// A Row is one action with those who take part in it.
type Row struct {
	Number   int      `json:"number"`
	Action   string   `json:"action"`
	Observed bool     `json:"observed"` // by the specification
	Before   []string `json:"before"`   // states of the specification
	Refused  bool     `json:"refused"`  // the specification does not allow it
	Cells    []Cell   `json:"cells"`
}

// A Cell is what a lane does in a row.
type Cell struct {
	Lane  int    `json:"lane"`
	Place *Place `json:"place,omitempty"`
	Text  string `json:"text"`
	State int    `json:"state"` // of MP that the action leaves, -1 if it is not known
}

// A Specification is what is checked, with the states that the counterexample reaches.
type Specification struct {
	States  int      `json:"states"`
	Actions []string `json:"actions"`
	Reached []string `json:"reached"` // after the counterexample, or what of it is allowed
	Places  []Place  `json:"places"`  // of these
}

// A Source is a file that was read.
type Source struct {
	Name  string   `json:"name"`
	Lines []string `json:"lines"`
	Left  string   `json:"left"` // what was left out
}

// Marks are what is marked in a source.
type Marks struct {
	Name string `json:"name"`
	// Predicates are those at the lines of the file.
	Predicates []LinePredicates `json:"predicates"`
	// Path are the lines of the counterexample.
	Path []int `json:"path"`
}

// LinePredicates are the predicates of a component at a line.
type LinePredicates struct {
	Line      int      `json:"line"`
	Component string   `json:"component"`
	Texts     []string `json:"texts"`
}

// A Run violates the claim: it was executed, step by step.
type Run struct {
	Wrong    string           `json:"wrong"` // what is wrong at its end, or for ever; "" if that is its last action alone
	Standing []Stand          `json:"standing"`
	Lanes    report.LaneNames `json:"lanes"` // none: there is no run
	Steps    []RunStep        `json:"steps"`
	Left     string           `json:"left"`  // what was left out
	Drawn    bool             `json:"drawn"` // there is a drawing of its threads
	Waits    bool             `json:"waits"` // there is a drawing of who waits for whom
	Lasso    bool             `json:"lasso"` // there is a drawing of what is done for ever, and of what comes before
}

// A Stand is where a component or thread stands still.
type Stand struct {
	Text  string `json:"text"`
	Place *Place `json:"place,omitempty"`
}

// A RunStep is what one lane does, with others in a joint action.
type RunStep struct {
	Number        int      `json:"number"` // from 1
	Lane          int      `json:"lane"`
	With          []int    `json:"with"` // lanes
	Place         *Place   `json:"place,omitempty"`
	Text          string   `json:"text"`
	Action        string   `json:"action"`
	Branch        string   `json:"branch"` // "true" or "false" of a condition
	Specification string   `json:"specification"`
	Refused       bool     `json:"refused"` // the specification does not allow it
	Round         bool     `json:"round"`   // what follows is done for ever
	Faint         bool     `json:"faint"`   // nothing depends on it
	Values        []string `json:"values"`
}

// Threads is what the shell shows of a search of threads, as text; or of one of whole runs, which has
// a report only.
type Threads struct {
	Steps     int    `json:"steps"`
	WholeRuns bool   `json:"wholeRuns"`
	Threads   string `json:"threads"`
	Events    string `json:"events"`
	Reasons   string `json:"reasons"`
	Clauses   int    `json:"clauses"` // of reasons, each of which can be drawn
	Report    string `json:"report"`
}

// An Act is a command that the page gives.
type Act struct {
	Line string `json:"line"`
}

// An Answer is what becomes of an act.
type Answer struct {
	Started bool `json:"started"`
	// Revision is that of the update which says that the command runs; the one that says what came
	// of it is a later one.
	Revision int    `json:"revision,omitempty"`
	Error    string `json:"error,omitempty"`
}

// A Picture is a drawing, or says why there is none.
type Picture struct {
	Error string   `json:"error"`
	Busy  bool     `json:"busy"` // a command runs: ask when it has ended
	Title string   `json:"title"`
	SVG   string   `json:"svg"`
	Notes []string `json:"notes"`
	DOT   string   `json:"dot"`
	// Blocks are the lines of all states of each block, of which boxes have a few only.
	Blocks []Block `json:"blocks"`
}

// A Block is one of MA, by its number.
type Block struct {
	Number int     `json:"number"`
	Places []Place `json:"places"`
}
