package report

// SchemaID names the version of the JSON form. It changes when a reader of
// the old form could misread the new one.
const SchemaID = "magus-check-2"

// A Check is the report of one `magus check`: all claims with their verdicts.
type Check struct {
	Schema  string `json:"schema"` // SchemaID
	Version string `json:"version"`
	// Verdict is the worst over the claims: "violates" if one is violated,
	// else "unknown" if one is unknown or there is none, else "conforms".
	Verdict string `json:"verdict"`
	// Because says why nothing could be checked at all: the program uses something
	// that is not modelled before a claim could be made.
	Because
	// Options are those of the question and of its search that do not have their defaults.
	Options  []Option  `json:"options,omitempty"`
	Claims   []Claim   `json:"claims"`
	Rules    *Rules    `json:"rules,omitempty"` // of a check of rules
	Warnings []Remark  `json:"warnings"`        // about the sources, in source order
	Cost     Resources `json:"resources"`
}

// An Option is one by its name.
type Option struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Resources are what the whole run took.
type Resources struct {
	Seconds         float64 `json:"seconds"`         // elapsed
	PeakMemoryBytes uint64  `json:"peakMemoryBytes"` // of the process
}

// A Claim is one claim with its verdict, evidence and figures.
type Claim struct {
	Name       string      `json:"claim"`
	Rule       string      `json:"rule,omitempty"` // that it is about
	Procedures []Procedure `json:"procedures"`     // that the components are made of
	// Contracts are those of a rule that stand for calls, unless a run asked for the body.
	Contracts      []Contract      `json:"contracts,omitempty"`
	Verdict        string          `json:"verdict"`
	Because                        // of an unknown verdict
	Divergence     *Divergence     `json:"impasse,omitempty"` // where the loop did not come to an end
	Counterexample *Counterexample `json:"counterexample,omitempty"`
	// the checker of certificates accepts what shows the verdict
	Checked  bool   `json:"checked,omitempty"`
	Relation string `json:"relation,omitempty"` // to the specification; "" of traces
	// simulation is containment of traces for the specification
	ByTraces   bool        `json:"by_traces,omitempty"`
	NotChecked string      `json:"notChecked,omitempty"` // why it was not asked to its end
	Components []Component `json:"components"`
	Engine     string      `json:"engine,omitempty"`  // "loop" or "bounded", which decided
	Assumed    int         `json:"assumed,omitempty"` // layers of loops that a proof by induction assumes
	// statements of the only run, which is the proof
	Executed int64 `json:"executed,omitempty"`
	// loops that a run closes, to which all runs were searched
	Depth int `json:"depth,omitempty"`
	// the violation was found with many rounds of a loop as one step
	Accelerated bool `json:"leaps,omitempty"`
	Smallest    bool `json:"smallest"` // the sets P are proven to be smallest
	// what ended the search for smallest sets, if they are not proven
	NotShown    string     `json:"smallestNotShown,omitempty"`
	Assumptions []Remark   `json:"assumptions"`
	Methods     []Method   `json:"methods,omitempty"` // that were tried
	Statistics  Statistics `json:"statistics"`
	// Coverage is what a proof reached of the components, Doubts why the claim may mean
	// something else than was meant, or a proof be about less than it seems.
	Coverage []Coverage `json:"coverage,omitempty"`
	Doubts   []Doubt    `json:"doubts,omitempty"`
}

// A Contract says that a procedure, called in one of some states of a rule, keeps the rule and returns in that state.
type Contract struct {
	Procedure string   `json:"procedure"`
	Keeps     []string `json:"keeps"` // names of states
}

// A Method is one that was tried, with what it had of the counted effort, and what came of it.
type Method struct {
	Name   string `json:"name"` // as --engine has it
	Shares int    `json:"shares"`
	Effort int64  `json:"effort"`
	Result string `json:"result"`
}

// A Procedure is one whose body is a component.
type Procedure struct {
	Name  string `json:"name"`
	Place *Place `json:"place,omitempty"` // of its definition
}

// A Because is the reason of an unknown verdict.
type Because struct {
	Reason string `json:"reason,omitempty"`
	Kind   string `json:"reasonKind,omitempty"` // one of the schema's list
	Place  *Place `json:"place,omitempty"`
}

// A Divergence says how the loop did not come to an end, and what may help.
type Divergence struct {
	Phase     string     `json:"phase"`     // that was not finished, or gave no answer
	Iteration int        `json:"iteration"` // of the loop
	Component string     `json:"component,omitempty"`
	Loops     []Unrolled `json:"loops,omitempty"` // that each iteration runs through once more
	Steps     int        `json:"steps,omitempty"` // of the last refuted path
	Path      []PathPart `json:"path,omitempty"`
	Failed    []Failed   `json:"failed,omitempty"`  // what contradicts itself on it
	Growing   [][]string `json:"growing,omitempty"` // families of predicates
	Depth     int        `json:"depth,omitempty"`   // all runs were searched that close fewer loops
	Heads     []Place    `json:"heads,omitempty"`   // of the loops, if they were searched
	Advice    []Advice   `json:"advice,omitempty"`
}

// An Unrolled loop of the program with how often the last refuted paths run through
// it.
type Unrolled struct {
	Place     *Place `json:"place"`
	Procedure string `json:"procedure"`
	Rounds    []int  `json:"turns"`
}

// A PathPart is lines of a path, which runs through them as often as Times says.
type PathPart struct {
	File  string `json:"file"`
	Lines []int  `json:"lines"`
	Times int    `json:"times"`
}

// A Failed condition is one that a path needs.
type Failed struct {
	Text  string `json:"text"`
	Place *Place `json:"place,omitempty"`
}

// An Advice is what may help.
type Advice struct {
	Kind string `json:"kind"` // one of the schema's list
	Text string `json:"text"`
}

// A Place is a position in a source file; Line and Column count from 1.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// A Remark is a warning or an assumption with its place, if it has one.
type Remark struct {
	Place *Place `json:"place,omitempty"`
	Text  string `json:"text"`
	Kind  string `json:"kind,omitempty"` // of an assumption: one of the schema's list
}

// A Component is the final abstraction of one component.
type Component struct {
	Name        string      `json:"name"`
	Locations   int         `json:"locations"`   // of the control-flow automaton
	Expressions int         `json:"expressions"` // |⋃ P_s|
	Groups      int         `json:"predicates"`  // with mutually exclusive ones taken together
	Chosen      []Predicate `json:"chosen"`      // the set P
	MPStates    int         `json:"mpStates"`    // level one
	MAStates    int         `json:"maStates"`    // level two; 0: it was off
	// Copies is how many copies run: a number, "*" for any; empty for one.
	Copies string `json:"copies,omitempty"`
	// CountedTo is, for any number, how many copies in one state were told apart.
	CountedTo int `json:"countedTo,omitempty"`
	// ReducedStates are what the last check composed instead (--compositional).
	ReducedStates int `json:"reducedStates,omitempty"`
}

// A Predicate is a member of the chosen set P.
type Predicate struct {
	Text       string   `json:"text"`       // its conditions, shortened if there are many
	Conditions []string `json:"conditions"` // comparisons of one term with constants, or of two terms
	Origin     string   `json:"origin"`
	Place      *Place   `json:"place,omitempty"`
}

// Statistics are the figures of the paper's tables for one claim.
type Statistics struct {
	Iterations          int     `json:"iterations"`
	PredicateIterations int     `json:"predicateIterations"`
	ActionIterations    int     `json:"actionIterations"`
	Splits              int     `json:"splits"`
	ProductStates       int     `json:"productStates"`
	MaxProductStates    int     `json:"maxProductStates"`
	Parts               int     `json:"parts,omitempty"` // LTSs composed by the last check (--compositional)
	Candidates          int     `json:"candidates"`
	Eliminations        int     `json:"eliminations"`       // elimination tests
	Subsets             int     `json:"subsets"`            // sets of candidates tried
	LargestSubset       int     `json:"largestSubset"`      // the most candidates of one
	Learned             int     `json:"learned"`            // eliminating sets found (enumerate), clauses learned (exact)
	LargestEliminating  int     `json:"largestEliminating"` // the most candidates of a set tried that eliminates
	Paths               int     `json:"paths"`              // paths examined
	PathBytes           int     `json:"pathBytes"`          // that their steps take
	SolverQueries       int     `json:"solverQueries"`
	Seconds             float64 `json:"seconds"` // elapsed
	Phases              []Phase `json:"phases"`  // in order of first use
}

// A Phase says how often a phase of the loop ran and how long it took in all.
type Phase struct {
	Name    string  `json:"phase"`
	Count   int     `json:"count"`
	Seconds float64 `json:"seconds"` // elapsed
}

// A Counterexample is an interleaved concrete run that the specification does
// not allow.
type Counterexample struct {
	Trace    []string `json:"trace"`    // what the specification observes
	Actions  []string `json:"actions"`  // all visible actions
	Allowed  []string `json:"allowed"`  // instead of the last action of the trace
	Shortest bool     `json:"shortest"` // no trace with fewer actions violates the claim
	// Specification are the states that the specification may be in when the last
	// action of the trace comes, or, where it describes what must not happen
	// (Opposite), the ERROR states that this action leads to.
	Specification []SpecState `json:"specification,omitempty"`
	Opposite      bool        `json:"opposite,omitempty"`
	// Running are all that take part in the run, where components run in several
	// copies.
	Running []string `json:"running,omitempty"`
	// By is the thread that performs the last action of the trace, of programs with threads and a specification.
	By      string    `json:"by,omitempty"`
	Initial []Initial `json:"initial"`
	Steps   []Step    `json:"steps"`
	// Must are, where something is refused, sets of actions of which the specification wants all of one offered after
	// the trace, in the states of Specification, and Offered what is offered.
	Must    [][]string `json:"must,omitempty"`
	Offered []string   `json:"offered,omitempty"`
	// Standing is, of these and of a deadlock, where each component stands still at the end of the run, and Cycle are
	// those that wait for each other, each for the next one and the last for the first.
	Standing []Stand  `json:"standing,omitempty"`
	Cycle    []string `json:"cycle,omitempty"`
	// Choices are, where the specification cannot follow (simulation), the actions of which each is possible where they
	// begin, and Branches the runs of all branches but the first, which this is.
	Choices  []Choice          `json:"choices,omitempty"`
	Branches []*Counterexample `json:"branches,omitempty"`
	// Round is what comes again and again, where a whole run violates the claim; or that nothing does.
	Round *Round `json:"round,omitempty"`
}

// A Choice is an action that the components can perform, which the specification cannot follow in some states.
type Choice struct {
	Action string      `json:"action"`
	Run    int         `json:"run"`  // the first run that goes here, from 1 on
	From   []SpecState `json:"from"` // in each of these, each answer leads to one of To
	To     []SpecState `json:"to,omitempty"`
	Then   []Choice    `json:"then,omitempty"` // in each of To one of these cannot be followed
}

// A Stand is where a component stands still in a deadlock.
type Stand struct {
	Component string  `json:"component"`
	Ended     bool    `json:"ended,omitempty"` // it waits for nothing
	Place     *Place  `json:"place,omitempty"`
	Procedure string  `json:"procedure,omitempty"`
	Source    string  `json:"source,omitempty"` // the source line, without its indentation; "" if it is very long
	Offers    []Offer `json:"offers,omitempty"` // it waits for one of these
	// Object is what a thread waits for, and Holders are the threads that have it, or that have to do something.
	Object  string   `json:"object,omitempty"`
	Holders []string `json:"holders,omitempty"`
}

// An Offer is an action that a component waits for, with the components that take part in it and do not offer it.
type Offer struct {
	Action  string   `json:"action"`
	Without []string `json:"without"`
}

// An Initial is the value that a parameter or global starts with.
type Initial struct {
	Component string `json:"component"`
	Name      string `json:"name"`
	Value     string `json:"value"`
	Place     *Place `json:"place,omitempty"`
	Idle      bool   `json:"idle,omitempty"` // nothing that the run does depends on it
}

// A Step is one statement that a component executes.
type Step struct {
	Component string   `json:"component"`
	With      []string `json:"with,omitempty"` // the other components that take part in the action
	Place     *Place   `json:"place,omitempty"`
	Procedure string   `json:"procedure"`
	Statement string   `json:"statement"`        // as it is executed
	Source    string   `json:"source,omitempty"` // the source line, without its indentation; "" if it is very long
	Action    string   `json:"action,omitempty"`
	Values    []Value  `json:"values"`
	// Branch is "true" or "false" where the step decides the condition of the source's
	// statement; Others are what the other components do that take part in the action.
	Branch string  `json:"branch,omitempty"`
	Others []Other `json:"others,omitempty"`
	// Specification are the states that the specification may be in after the step,
	// if it observes the action; Forbidden says that it does not allow it.
	Specification []SpecState `json:"specification,omitempty"`
	Forbidden     bool        `json:"forbidden,omitempty"`
	// Rounds are many rounds of a loop that are this step. Statement says so, and there is no Source.
	Rounds *Rounds `json:"turns,omitempty"`
}

// Rounds are rounds of a loop that are executed, but not written out.
type Rounds struct {
	Times uint64  `json:"times"`
	Steps uint64  `json:"steps"` // that all of them execute
	Lines []Place `json:"lines"` // of one round
}

// An Other is the part of another component in a joint action.
type Other struct {
	Component string `json:"component"`
	Place     *Place `json:"place,omitempty"`
	Procedure string `json:"procedure"`
	Statement string `json:"statement"`
	Source    string `json:"source,omitempty"`
}

// A SpecState is a state of the specification, as its text calls it: by its
// definition's name, and by the actions since if it has none of its own.
type SpecState struct {
	Name  string `json:"name"`
	Place *Place `json:"place,omitempty"` // of its definition
	Ended bool   `json:"ended,omitempty"` // it is STOP
}

// A Value is a variable with the value it got in a step. Chosen names the
// source of a value that nothing determines.
type Value struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Chosen string `json:"chosen,omitempty"`
	Idle   bool   `json:"idle,omitempty"` // nothing that the run does depends on it
	// Writer is which thread wrote the value that was read, and where, if it was another one.
	Writer string `json:"writer,omitempty"`
	// Before is the value before; Named and BeforeNamed are both by the enumerators of
	// the source.
	Before      string `json:"before,omitempty"`
	Named       string `json:"named,omitempty"`
	BeforeNamed string `json:"beforeNamed,omitempty"`
	// State says, of a mutex, who holds it.
	State string `json:"state,omitempty"`
	// Made says that the variable is none of the source's; Shared that all threads have it.
	Made   bool `json:"-"`
	Shared bool `json:"-"`
}
