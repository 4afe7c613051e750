package options

import (
	"slices"
	"strconv"
	"time"

	"magus"
	"magus/app/input"
	"magus/cfa"
	"magus/component"
	"magus/engine/cegar"
)

// Options are the values of all options. [Defaults] has those that nobody sets.
type Options struct {
	// What is checked.
	Procedure, Specification string // "" for all
	Property                 string
	Relation                 string // "traces", "failures", "failures-divergences", "simulation"
	Fairness                 string // "" for the default of each claim
	Entry                    string
	Assume                   []string
	ErrorFunctions           []string
	ErrorLabels              []string
	Rules                    []string // by name; of a check of rules
	Wrappers                 []string // FUNCTION=WRAPPER; of a check of rules
	InlineSize               int      // of procedures that are looked at with their callers; of a check of rules
	Baseline                 string   // file of findings that are known
	WriteBaseline            bool
	Settings                 string // file with those of a project; of a check of rules
	// How C is read.
	CompileCommands string // file or folder
	Output          string // object file, folder or target
	DataModel       string
	LongDouble      string
	FloatEvaluation string // "0", "1", "2"
	IncludeDirs     []string
	Defines         []string
	Undefs          []string
	Headers         string
	HostHeaders     bool
	// What is modelled.
	StrictCalls   bool
	CheckPointers bool
	CheckLeaks    bool
	CheckFloat    []string // "division", "overflow", "nan", "cast", "all"
	KeepExterns   bool
	Malloc        string // "may-fail", "never-fails"
	Overflow      string // of signed operations: "wraps", "undefined", "error"
	Pointers      string // "exact", "objects"
	NoLibc        bool
	ArrayLimit    int // 0: the default
	HeapLimit     int // 0: the default
	ThreadLimit   int // 0: as many as it takes
	Order         string
	Unwind        int // 0: as often as it takes
	Slice, Likely bool
	Recursion     int // 0: as far as it takes
	// How it is checked.
	ActionAbstraction string
	LargeBlocks       string
	Minimize          string
	MinimizeCost      string
	GlobalPredicates  bool
	MaxSub, MaxElm    int // 0: the default, negative: no bound
	Seed              int64
	ReduceIterations  int           // 0: the default, negative: no bound
	ReduceTime        time.Duration // 0: what the proof took
	Solver            string
	Compositional     bool
	AllOrders         bool
	Engine            string // what decides
	Calls             string
	Bound             int    // of the bounded search
	Search            string // of products
	TraceSearch       string // of the workbench
	Sequential        bool
	Audit             bool   // --check
	DumpQueries       string // folder
	MemoryModel       string // "sc", "tso", "pso"
	Vacuous           string // "warn", "error"
	// Budgets; 0: none.
	Timeout         time.Duration
	FunctionTimeout time.Duration
	MaxIterations   int
	MaxStates       int
	MemoryLimit     uint64 // bytes
	Jobs            int    // at a time; 0: as many as there are processors
	// What is printed and written.
	Stats, JSON, Trace, Verbose, Quiet bool
	Width                              int    // of tables; 0: the terminal's
	Color                              string // "auto", "always", "never"
	Certificate, Harness, Coverage     string // files
	Cache                              string // folder
	SARIF, JUnit, Report, Witness      string // files
	JUnitUnknown                       string // "error", "skipped"
	Force                              bool   // outputs replace what magus has not written
}

// Selection are the claims of a specification that are checked.
func (o *Options) Selection() magus.Selection {
	s := magus.Selection{Procedure: o.Procedure, Specification: o.Specification,
		Fairness: component.Fairness(o.Fairness)}
	if o.Relation != "traces" {
		s.Relation = component.Relation(o.Relation)
	}
	return s
}

// Reachability is what is checked instead of the claims of a specification; ok
// is false if it is these.
func (o *Options) Reachability() (p magus.Property, ok bool) {
	if o.Property == "" {
		return p, false
	}
	question := component.Question(o.Property)
	if o.Property == "unreach-call" {
		question = component.NoError
	}
	return magus.Property{Question: question, Entry: o.Entry, ErrorFunctions: o.ErrorFunctions,
		ErrorLabels: o.ErrorLabels, Assume: o.Assume, Specification: o.Specification,
		Fairness: component.Fairness(o.Fairness)}, true
}

// asksOverflow reports whether signed operations that overflow are what is asked about.
func (o *Options) asksOverflow() bool { return o.Property == string(component.NoOverflow) }

// Reading says how files are read.
func (o *Options) Reading() input.Settings {
	s := input.Settings{CompileCommands: o.CompileCommands, Output: o.Output, IncludeDirs: o.IncludeDirs,
		Defines: o.Defines, Undefs: o.Undefs, Headers: o.Headers, NoLibc: o.NoLibc}
	if o.HostHeaders {
		s.Headers = "host"
	}
	s.Evaluation, _ = strconv.Atoi(o.FloatEvaluation)
	for _, m := range []cfa.DataModel{cfa.LP64, cfa.ILP32} {
		if o.DataModel == m.String() {
			s.Model = &m
		}
	}
	for _, d := range cfa.LongDoubles() {
		if o.LongDouble == d.String() {
			s.LongDouble = &d
		}
	}
	return s
}

// switchOf is a choice between auto, on and off.
func switchOf(choice string) cegar.Switch {
	return map[string]cegar.Switch{"auto": cegar.Auto, "on": cegar.On, "off": cegar.Off}[choice]
}

// floatFaults are those that are looked for.
func (o *Options) floatFaults() (all cfa.FloatFaults) {
	for _, name := range o.CheckFloat {
		f, ok := cfa.FloatFault(name)
		if !ok { // which Check refuses
			f, _ = cfa.FloatFault("all")
		}
		all |= f
	}
	return all
}

func noFloatFault(name string) bool {
	_, ok := cfa.FloatFault(name)
	return !ok
}

// Session are the options of a session, without a second solver and without
// writers of queries.
func (o *Options) Session() magus.Options {
	orders := map[string]cegar.SearchOrder{"breadth": cegar.BreadthFirst, "depth": cegar.DepthFirst}
	overflows := map[string]cfa.Overflow{"undefined": cfa.OverflowEnds, "error": cfa.OverflowIsError}
	models := map[string]cfa.MemoryModel{"tso": cfa.TSO, "pso": cfa.PSO}
	return magus.Options{
		Modelling: magus.Modelling{
			StrictCalls:    o.StrictCalls,
			CheckPointers:  o.CheckPointers,
			CheckLeaks:     o.CheckLeaks,
			CheckFloat:     o.floatFaults(),
			KeepExterns:    o.KeepExterns,
			Allocates:      o.Malloc == "never-fails",
			SignedOverflow: overflows[o.Overflow],
			PointerObjects: o.Pointers == "objects",
			ArrayLimit:     o.ArrayLimit,
			HeapLimit:      o.HeapLimit,
			Recursion:      o.Recursion,
		},
		Loop: magus.Loop{
			Check:             o.Audit,
			RefuseVacuous:     o.Vacuous == "error",
			ActionAbstraction: switchOf(o.ActionAbstraction),
			LargeBlocks:       switchOf(o.LargeBlocks),
			Strategy:          o.Minimize,
			MaxSub:            o.MaxSub,
			MaxElm:            o.MaxElm,
			Seed:              o.Seed,
			Cost:              o.MinimizeCost,
			ReduceIterations:  o.ReduceIterations,
			Compositional:     o.Compositional,
			AllOrders:         o.AllOrders,
			Search:            orders[o.Search],
			Calls:             cegar.CallsOf(o.Calls),
			Engine:            cegar.EngineOf(o.Engine),
			Bound:             o.Bound,
			Solver:            o.Solver,
			MaxIterations:     o.MaxIterations,
			MaxStates:         o.MaxStates,
			GlobalPredicates:  o.GlobalPredicates,
			Sequential:        o.Sequential,
		},
		Threads: magus.Threads{
			Method:      o.Engine,
			Limit:       o.ThreadLimit,
			Order:       o.Order,
			MemoryModel: models[o.MemoryModel],
			Unwind:      o.Unwind,
			Slice:       o.Slice,
			Likely:      o.Likely,
		},
	}
}

// A UsageError says that options contradict each other, or that with them there
// is nothing to do.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

// Validate finds options that contradict each other.
func (o *Options) Validate() error {
	property := o.Property != ""
	for _, c := range []struct {
		wrong   bool
		message string
	}{
		{property && o.Procedure != "", "--procedure selects claims of a specification and does not go with --property"},
		{property && o.Specification != "" && (o.Property != string(component.NoDeadlock) || o.Entry != ""),
			"--specification selects claims of a specification, or with --property no-deadlock the program block that has it"},
		{property && o.Relation != "traces" && o.Relation != "",
			"--relation is about claims of a specification and does not go with --property"},
		{!property && o.Entry != "", "--entry needs --property unreach-call; to select a claim use --procedure"},
		{o.Property != "unreach-call" && !o.asksOverflow() && len(o.Assume) > 0,
			"--assume needs --property unreach-call or no-overflow; the guard of an abstraction says it for a claim about one"},
		{!property && len(o.ErrorFunctions) > 0, "--error-function needs --property unreach-call"},
		{!property && len(o.ErrorLabels) > 0, "--error-label needs --property unreach-call"},
		{!property && o.Witness != "", "--witness needs --property unreach-call: no other claim is a property of the format"},
		{o.Witness != "" && len(o.CheckFloat) > 0, "--witness is for calls of error functions; " +
			"it does not go with --check-float"},
		{slices.ContainsFunc(o.CheckFloat, noFloatFault), "--check-float takes division, overflow, nan, cast or all"},
		{o.Witness != "" && (o.CheckPointers || o.CheckLeaks || len(o.ErrorLabels) > 0),
			"--witness is for calls of error functions; it does not go with --check-pointers, --check-leaks or --error-label"},
		{(o.MemoryModel == "tso" || o.MemoryModel == "pso") && property && o.Property != "unreach-call",
			"--memory-model needs a specification or --property unreach-call: races and deadlocks are looked for under sc"},
		{o.Minimize != "enumerate" && o.MaxSub != 0, "--max-sub needs --minimize enumerate"},
		{o.Engine != "bounded" && o.Engine != "kinduction" && o.Bound != 0, "--bound needs --engine bounded or kinduction"},
		{o.Minimize != "enumerate" && o.MaxElm != 0, "--max-elm needs --minimize enumerate"},
		{o.asksOverflow() && (o.CheckPointers || o.CheckLeaks || len(o.CheckFloat) > 0),
			"with --property no-overflow nothing but an overflow is an error; " +
				"it does not go with --check-pointers, --check-leaks or --check-float"},
		{o.asksOverflow() && o.Overflow == "undefined",
			"--property no-overflow asks what --signed-overflow undefined assumes"},
		{o.Output != "" && o.CompileCommands == "", "--output selects compile commands and needs --compile-commands"},
		{o.Timeout < 0, "--timeout must not be negative"},
		{o.Quiet && (o.Stats || o.Verbose), "--quiet does not go with --stats or --verbose"},
	} {
		if c.wrong {
			return &UsageError{c.message}
		}
	}
	return nil
}
