package options

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus"
	"magus/cfa"
	"magus/cfa/lower"
	"magus/component"
	"magus/engine/cegar"
)

// A Use is where options apply: a command, or several of them.
type Use uint

// The commands.
const (
	Check    Use = 1 << iota // magus check
	Verify                   // magus verify-certificate
	Shell                    // magus repl with its set, magus dot
	Scripts                  // magus run
	PointsTo                 // magus pointsto
	LTS                      // magus lts
	Param                    // magus param
	Rules                    // magus rules check
)

// String names the commands.
func (u Use) String() string {
	var names []string
	for i, name := range []string{"check", "verify-certificate", "shell", "run", "pointsto", "lts", "param", "rules"} {
		if u&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// An Option is a row of the table.
type Option struct {
	Group   string
	Name    string
	Short   string // the letter that stands for it, or ""
	Kind    Kind
	Values  []string // of a choice
	Default string
	Help    string // where the kind does not name the value, it stands in backquotes
	In      Use
	Common  bool // people use it first

	At func(*Options) any // where the option's value is

	record record // how certificates have it
}

// Of is the option in o.
func (r *Option) Of(o *Options) Value { return Value{r.Kind, r.Values, r.At(o)} }

// Plain is the help without the quotes.
func (r *Option) Plain() string { return strings.ReplaceAll(r.Help, "`", "") }

// The groups of options, in the order of the help.
const (
	asked    = "What is checked"
	blamed   = "What is an error"
	ruled    = "Rules of a project"
	reading  = "How C is read"
	model    = "What is modelled"
	threaded = "Threads"
	how      = "How it is checked"
	chosen   = "How predicates are chosen"
	budgets  = "Budgets"
	printed  = "What is printed"
	written  = "What is written"
)

// A Table has the options of all commands, in the order of the help. Several rows may have
// one name if they apply to different commands. What is made from it takes it as a value.
type Table []Option

// Standard is the table of magus.
func Standard() Table {
	return withRules(slices.Concat(asking(), blaming(), ruling(), howRead(), modelling(), threading(), searching(),
		choosing(), bounding(), printing(), writing()))
}

// withRules lets checks of rules have the options of other checks, but for those of claims, of threads and of what a
// check of one claim writes.
func withRules(t Table) Table {
	not := []string{"thread-limit", "memory-model", "order", "slice", "likely", "unwind", "compositional", "all-orders",
		"action-abstraction", "check-leaks", "check-pointers", "certificate", "harness", "witness", "coverage",
		"cache", "report", "trace", "dump-queries", "pointers", "vacuous", "jobs", "error-function",
		"error-label", "check-float"}
	for i := range t {
		if t[i].In&Check != 0 && t[i].Group != asked && !slices.Contains(not, t[i].Name) {
			t[i].In |= Rules
		}
	}
	return t
}

// Where options of a question, and those of its search, apply.
const (
	question = Check | Verify | Shell
	read     = question | PointsTo
	search   = Check | Shell
)

// common makes the option one that people use first.
func (r Option) common() Option {
	r.Common = true
	return r
}

// row is one of the table; in says where the option applies, at where its value is.
func row(name, short string, kind Kind, values []string, otherwise, help string, in Use,
	at func(*Options) any) Option {
	return Option{Name: name, Short: short, Kind: kind, Values: values, Default: otherwise, Help: help, In: in, At: at}
}

// group is a part of the table.
func group(name string, rows ...Option) Table {
	for i := range rows {
		rows[i].Group = name
	}
	return rows
}

// asking has the options of what is checked.
func asking() Table {
	return group(asked,
		row("procedure", "", Text, nil, "", "check only the abstractions of procedure `NAME`", question,
			func(o *Options) any { return &o.Procedure }).elsewhere().common(),
		row("specification", "", Text, nil, "", "check only the program specification `NAME`; "+
			"with --property no-deadlock, the program block that has it", question,
			func(o *Options) any { return &o.Specification }).elsewhere().common(),
		row("relation", "", Choice, []string{"traces", string(component.Failures), string(component.Divergences),
			string(component.Simulation)}, "traces",
			"what claims about specifications say whose block says no relation: traces, that the code does "+
				"nothing that is not allowed; failures, that besides it refuses nothing that must be offered; "+
				"failures-divergences, that besides it does not go on for ever without an action that is observed, "+
				"unless the specification does; simulation, that the specification can follow each of its steps",
			question, func(o *Options) any { return &o.Relation }).common(),
		row("property", "", Choice, []string{"unreach-call", string(component.NoRace),
			string(component.NoDeadlock), string(component.Terminates),
			string(component.NoLivelock), string(component.NoOverflow)}, "",
			"check without a specification; unreach-call: the action error never happens; no-data-race: no two "+
				"threads access a variable at once, one of them writing; no-deadlock: threads, or the components "+
				"of a program block, never wait for each other for ever; terminates: every run ends; no-livelock: "+
				"components never go on for ever without an action; no-overflow: no signed operation overflows",
			question, func(o *Options) any { return &o.Property }).common(),
		row("fairness", "", Choice, component.FairnessNames(), "",
			"which runs progress, assert and no-livelock are about: all; "+
				"those where a component that can always go on does (default); where one that can again and again does; "+
				"with fair choice, of progress (its default)",
			question, func(o *Options) any { return &o.Fairness }).
			recorded("fairness", func(o *Options) string { return o.Fairness }).common(),
		row("entry", "", Text, nil, "", "with --property: start in function `NAME` (default main)",
			question, func(o *Options) any { return &o.Entry }).common(),
		row("assume", "", List, nil, "",
			"with --property unreach-call or no-overflow: the function starts where `CONDITION` holds of its "+
				"parameters (repeatable)",
			question, func(o *Options) any { return &o.Assume }).
			recorded("assumed at the start", func(o *Options) string { return strings.Join(o.Assume, " && ") }),
	)
}

// blaming has the options of what the action error is.
func blaming() Table {
	return group(blamed,
		row("error-function", "", List, nil, "",
			"with --property: a call of `NAME` is an error (repeatable)",
			question, func(o *Options) any { return &o.ErrorFunctions }).
			recorded("error functions", func(o *Options) string { return strings.Join(o.ErrorFunctions, " ") }).common(),
		row("error-label", "", List, nil, "",
			"with --property: reaching label `NAME` is an error (repeatable)",
			question, func(o *Options) any { return &o.ErrorLabels }).
			recorded("error labels", func(o *Options) string { return strings.Join(o.ErrorLabels, " ") }),
		row("check-pointers", "", Bool, nil, "false",
			"using an invalid pointer, or an index out of bounds, is the action error",
			question, func(o *Options) any { return &o.CheckPointers }).always().common(),
		row("check-leaks", "", Bool, nil, "false",
			"memory that is not freed when the program returns or exits is the action error",
			question, func(o *Options) any { return &o.CheckLeaks }).always().common(),
		row("check-float", "", List, nil, "",
			"a fault of floating-point arithmetic is the action error: `FAULT` is division (by zero), "+
				"overflow (to infinity), nan, cast (that does not fit) or all (repeatable)",
			question, func(o *Options) any { return &o.CheckFloat }).common(),
	)
}

// ruling has the options of checks of rules.
func ruling() Table {
	return group(ruled,
		row("rule", "", List, nil, "",
			"check only rule `NAME` (repeatable; default: all rules of the specifications, "+
				"else those that come along and are about something that the program calls)",
			Rules, func(o *Options) any { return &o.Rules }).common(),
		row("wrapper", "", List, nil, "",
			"`FUNCTION=NAME`: a call of NAME, which has no body here, is one of FUNCTION to the rules (repeatable)",
			Rules, func(o *Options) any { return &o.Wrappers }),
		row("inline-size", "", Count, nil, "150",
			"look at functions of less than N statements, assignments and calls, with all that they call, "+
				"with their callers; what is found of larger ones may stand for them",
			Rules, func(o *Options) any { return &o.InlineSize }),
		row("baseline", "", Text, nil, "", "findings that stand in `FILE` are known: they are counted, and are no failure",
			Rules, func(o *Options) any { return &o.Baseline }).common(),
		row("write-baseline", "", Bool, nil, "false",
			"write the findings to the file of --baseline: they are known from now on",
			Rules, func(o *Options) any { return &o.WriteBaseline }).common(),
		row("settings", "", Text, nil, "",
			"take what is not said here from `FILE` (default, if neither files nor compile commands are named: "+
				"magus.toml in this folder, or else in the nearest one above)",
			Rules, func(o *Options) any { return &o.Settings }),
	)
}

// howRead has the options of how C is read.
func howRead() Table {
	return group(reading,
		row("compile-commands", "p", Text, nil, "",
			"compile as compile_commands.json says: `PATH` is the file, or the folder with it",
			read, func(o *Options) any { return &o.CompileCommands }).elsewhere().common(),
		row("output", "", Text, nil, "",
			"with --compile-commands: what is compiled into `NAME`, an object file, a folder or a target of CMake or Meson",
			read, func(o *Options) any { return &o.Output }).elsewhere(),
		row("data-model", "", Choice, []string{cfa.LP64.String(), cfa.ILP32.String()}, "",
			"widths of C types (default LP64, or what the compile commands say)",
			read, func(o *Options) any { return &o.DataModel }).elsewhere(),
		row("float-evaluation", "", Choice, []string{"0", "1", "2"}, "0",
			"floating-point operations are computed in their type, in double at least, or in long double (FLT_EVAL_METHOD)",
			read, func(o *Options) any { return &o.FloatEvaluation }),
		row("long-double", "", Choice, longDoubles(), "",
			"long double is that of the x87 (default), double (32-bit ARM, Windows) or quad (64-bit ARM, RISC-V); "+
				"compile commands may say it",
			read, func(o *Options) any { return &o.LongDouble }).elsewhere(),
		row("include", "I", List, nil, "", "look for headers in `DIR` (repeatable)", read,
			func(o *Options) any { return &o.IncludeDirs }).elsewhere().common(),
		row("define", "D", List, nil, "", "define a macro, `NAME[=VALUE]` (repeatable)", read,
			func(o *Options) any { return &o.Defines }).
			recorded("macros", func(o *Options) string { return strings.Join(Macros(o.Defines, o.Undefs), " ") }).common(),
		row("undefine", "U", List, nil, "", "undefine macro `NAME`, after all definitions (repeatable)",
			read, func(o *Options) any { return &o.Undefs }).elsewhere(),
		row("headers", "", Choice, []string{"builtin", "auto", "host"}, "auto",
			"standard headers: those that come with magus; the machine's where it has one that does not; the machine's",
			read, func(o *Options) any { return &o.Headers }).elsewhere(),
		row("host-headers", "", Bool, nil, "false", "the same as --headers=host", read,
			func(o *Options) any { return &o.HostHeaders }).elsewhere(),
	)
}

// modelling has the options of what is modelled.
func modelling() Table {
	return group(model,
		row("no-libc", "", Bool, nil, "false",
			"functions of the C library that have a model (magus libc) are functions that nothing describes",
			read, func(o *Options) any { return &o.NoLibc }).
			recorded("models of the C library", func(o *Options) string { return strconv.FormatBool(!o.NoLibc) }),
		row("strict-calls", "", Bool, nil, "false", "refuse calls of functions that nothing describes",
			question, func(o *Options) any { return &o.StrictCalls }).always(),
		row("keep-externs", "", Bool, nil, "false",
			"routines without a body change no object of other code that they are not given",
			question, func(o *Options) any { return &o.KeepExterns }).always(),
		row("pointers", "", Choice, []string{"exact", "objects"}, "exact",
			"a pointer that nothing was stored to is not valid, or points to an object of its own",
			question, func(o *Options) any { return &o.Pointers }),
		row("malloc", "", Choice, []string{"may-fail", "never-fails"}, "may-fail",
			"the allocation of memory may fail, or is assumed never to fail",
			question, func(o *Options) any { return &o.Malloc }).common(),
		row("signed-overflow", "", Choice, []string{"wraps", "undefined", "error"}, "wraps",
			"a signed operation that overflows wraps around; ends the run, which is assumed not to happen; is the action error",
			question, func(o *Options) any { return &o.Overflow }).common(),
		row("array-limit", "", Count, nil, "",
			fmt.Sprintf("tell elements apart in arrays of up to N elements (default %d)",
				lower.DefaultArrayLimit), read, func(o *Options) any { return &o.ArrayLimit }).
			recorded("", limit(func(o *Options) int { return o.ArrayLimit }, lower.DefaultArrayLimit)),
		row("heap-limit", "", Count, nil, "",
			fmt.Sprintf("tell N objects apart of those that one call of malloc allocates (default %d)",
				lower.DefaultHeapLimit), read, func(o *Options) any { return &o.HeapLimit }).
			recorded("", limit(func(o *Options) int { return o.HeapLimit }, lower.DefaultHeapLimit)),
		row("recursion", "", Count, nil, "",
			"follow N recursive calls within each other (default: as many as decide the claim)",
			search, func(o *Options) any { return &o.Recursion }),
	)
}

// threading has the options of programs with threads.
func threading() Table {
	return group(threaded,
		row("thread-limit", "", Count, nil, "",
			"tell N threads apart of those that one call creates (default: as many as decide the claim, up to 24)",
			search, func(o *Options) any { return &o.ThreadLimit }),
		row("memory-model", "", Choice, []string{"sc", "tso", "pso"}, "sc",
			"with threads: others see a write at once; later, in the order of the thread's writes; "+
				"later, in an order for each variable",
			question, func(o *Options) any { return &o.MemoryModel }).common(),
		row("order", "", Choice, []string{"theory", "refine", "full"}, "theory",
			"with threads: how it is decided that accesses have an order; theory: within the solver; "+
				"refine: by clauses that its models ask for; full: in the formula",
			search, func(o *Options) any { return &o.Order }),
		row("slice", "", Bool, nil, "false",
			"with threads: look at few shared variables at first, and at more where an error depends on them",
			search, func(o *Options) any { return &o.Slice }),
		row("likely", "", Bool, nil, "false",
			"with threads: assume at first that reads see the writes that they see in random runs",
			search, func(o *Options) any { return &o.Likely }),
		row("unwind", "", Count, nil, "",
			"with threads: loops go round at most N times (default: as often as decides the claim)",
			search, func(o *Options) any { return &o.Unwind }).common(),
	)
}

// searching has the options of how it is checked.
func searching() Table {
	const orderHelp = "order of the search; breadth: shortest counterexamples, depth: deep ones sooner"
	orders := []string{"breadth", "depth"}
	return group(how,
		row("engine", "", Choice, magus.EngineNames(), "auto",
			"which method decides, by its `NAME`; loop: abstraction and refinement; "+
				"bounded: a search of runs that close few loops, which finds violations; "+
				"kinduction: that search, and proofs by induction over loops; "+
				"kinduction-alone, pdr (property-directed reachability), intervals (bounds of variables): "+
				"one way to a proof by induction, alone; summaries: proofs by what calls of each procedure do, alone; "+
				"contracts: proofs by what holds at their entries and exits, alone; cells: proofs about one element "+
				"of each array, or one object, alone; execution: the only run of a program without inputs, alone; "+
				"with threads, search: that of their interleavings; slice: the same with few variables at first; "+
				"runs: random ones; product-kinduction and others: a proof by one automaton in place of the "+
				"threads (product, ranges, modular, moves, locations), by a method (auto, loop, kinduction, pdr); "+
				"auto: all that fit share the effort",
			search, func(o *Options) any { return &o.Engine }),
		row("calls", "", Choice, cegar.CallsNames(), "auto",
			"inline: each call has a copy of its callee, and recursion is followed to a depth; "+
				"summaries: each procedure stands once, and what calls of it do is found once for each state that matters; "+
				"auto: inline, and summaries where that is large or procedures call themselves",
			search, func(o *Options) any { return &o.Calls }),
		row("bound", "", Count, nil, "",
			"with --engine bounded or kinduction: end when all runs are searched that close fewer than N loops (default: go on)",
			search, func(o *Options) any { return &o.Bound }),
		row("large-blocks", "", Choice, []string{"auto", "on", "off"}, "auto",
			"level one has states only where large blocks of code begin; "+
				"auto: in components of more than 250 control locations; off: at each control point",
			search, func(o *Options) any { return &o.LargeBlocks }),
		row("action-abstraction", "", Choice, []string{"auto", "on", "off"}, "auto",
			"second level of abstraction; auto: where components are composed",
			search, func(o *Options) any { return &o.ActionAbstraction }),
		row("solver", "", Choice, []string{"embedded", "z3", "cvc5"}, "embedded",
			"decision procedure; z3 and cvc5 must be in PATH",
			search|Verify, func(o *Options) any { return &o.Solver }).elsewhere(),
		row("compositional", "", Bool, nil, "false",
			"make the abstractions of components smaller before they are composed",
			search, func(o *Options) any { return &o.Compositional }),
		row("search", "", Choice, append([]string{"auto"}, orders...), "auto", orderHelp+
			"; auto: breadth, and depth where components are composed and many states are met",
			search, func(o *Options) any { return &o.Search }),
		row("search", "", Choice, orders, "breadth",
			"for traces: "+orderHelp, LTS, func(o *Options) any { return &o.TraceSearch }),
		row("all-orders", "", Bool, nil, "false",
			"where components are composed, search all orders of steps that do not depend on each other",
			search, func(o *Options) any { return &o.AllOrders }),
		row("sequential", "", Bool, nil, "false", "abstract and validate components one after the other",
			search, func(o *Options) any { return &o.Sequential }),
		row("check", "", Bool, nil, "false",
			"check every phase and every answer by other means; what does not hold makes the verdict unknown",
			search, func(o *Options) any { return &o.Audit }),
		row("vacuous", "", Choice, []string{"warn", "error"}, "warn",
			"a proof that is about nothing, or little: warn, or take it for unknown",
			search, func(o *Options) any { return &o.Vacuous }),
	)
}

// choosing has the options of how predicates are chosen.
func choosing() Table {
	return group(chosen,
		row("minimize", "", Choice, []string{"exact", "greedy", "enumerate", "none"}, "exact",
			"how the set of predicates is made small", search, func(o *Options) any { return &o.Minimize }),
		row("minimize-cost", "", Choice, []string{"one", "wp"}, "one",
			"what a predicate costs: 1, or the places that its weakest preconditions take",
			search, func(o *Options) any { return &o.MinimizeCost }),
		row("global-predicates", "", Bool, nil, "false",
			"track predicates also in states that know nothing of them",
			search, func(o *Options) any { return &o.GlobalPredicates }),
		row("max-sub", "", CountOrAll, nil, "",
			fmt.Sprintf("with --minimize enumerate: examine at most N sets for a counterexample (default %d)",
				cegar.DefaultMaxSub), search, func(o *Options) any { return &o.MaxSub }),
		row("max-elm", "", CountOrAll, nil, "",
			fmt.Sprintf(
				"with --minimize enumerate: collect at most N eliminating sets for a counterexample (default %d)",
				cegar.DefaultMaxElm),
			search, func(o *Options) any { return &o.MaxElm }),
		row("seed", "", Integer, nil, "1",
			"with --minimize greedy: `SEED` of the orders in which predicates are removed",
			search, func(o *Options) any { return &o.Seed }),
		row("reduce-iterations", "", CountOrAll, nil, "",
			fmt.Sprintf("iterations of the loop spent on a smaller set once the claim is proved (default %d)",
				cegar.DefaultReduceIterations), search, func(o *Options) any { return &o.ReduceIterations }),
		row("reduce-time", "", Duration, nil, "",
			"spend `DURATION` of processor time on a smaller set after the proof (default: what the proof took, at least 200ms)",
			Check, func(o *Options) any { return &o.ReduceTime }),
	)
}

// bounding has the options of the budgets.
func bounding() Table {
	return group(budgets,
		row("timeout", "", Duration, nil, "",
			"give up after `DURATION`, such as 90s or 5m, over all claims", Check|Verify, timeout).elsewhere().common(),
		row("timeout", "", Duration, nil, "",
			"give up after `DURATION`, such as 90s or 5m, over all scripts", Scripts, timeout).common(),
		row("timeout", "", Duration, nil, "",
			"give up a claim after `DURATION`, such as 90s or 5m, of work on it", Shell, timeout).common(),
		row("timeout", "", Duration, nil, "", "give up after `DURATION`, such as 90s or 5m", PointsTo|LTS, timeout).common(),
		row("function-timeout", "", Duration, nil, "1m0s",
			"give up a function after `DURATION`, such as 10s or 5m; 0s: never",
			Rules, func(o *Options) any { return &o.FunctionTimeout }).common(),
		row("jobs", "j", Count, nil, "",
			"check N claims at a time; what is printed stays in order (default: one for each processor)",
			Check, func(o *Options) any { return &o.Jobs }).common(),
		row("jobs", "j", Count, nil, "", "check N roots at a time (default: one for each processor)",
			Rules, func(o *Options) any { return &o.Jobs }).common(),
		row("max-iterations", "", Count, nil, "", "give up a claim after N iterations of the loop",
			search, func(o *Options) any { return &o.MaxIterations }),
		row("max-states", "", Count, nil, "",
			"give up a claim whose abstraction or product has more than N states",
			search, func(o *Options) any { return &o.MaxStates }),
		row("memory-limit", "", Size, nil, "",
			"give up when more memory than SIZE is in use, such as 2GiB", Check|Verify|Scripts|PointsTo|
				LTS, func(o *Options) any { return &o.MemoryLimit }).elsewhere().common(),
		row("cache", "", Text, nil, "",
			"keep what the check of each claim finds out in folder `DIR`, and begin with what an earlier one left there",
			Check, func(o *Options) any { return &o.Cache }).common(),
	)
}

// printing has the options of what is printed.
func printing() Table {
	return group(printed,
		row("stats", "", Bool, nil, "false", "print iterations, predicates, states, times and memory",
			Check, func(o *Options) any { return &o.Stats }).common(),
		row("json", "", Bool, nil, "false", "print one JSON document instead of text", Check,
			func(o *Options) any { return &o.JSON }).common(),
		row("trace", "", Bool, nil, "false", "print to standard error what every phase did", Check,
			func(o *Options) any { return &o.Trace }),
		row("verbose", "v", Bool, nil, "false",
			"print the chosen predicates, and every step of a counterexample",
			Check, func(o *Options) any { return &o.Verbose }).common(),
		row("width", "", Count, nil, "",
			"keep tables within N columns where they can be (default: the terminal's, or as wide as they are)",
			Check, func(o *Options) any { return &o.Width }),
		row("color", "", Choice, []string{"auto", "always", "never"}, "auto",
			"colours; auto: on a terminal, unless NO_COLOR is set",
			Check, func(o *Options) any { return &o.Color }),
		row("quiet", "q", Bool, nil, "false",
			"print verdicts only", Check, func(o *Options) any { return &o.Quiet }).common(),
	)
}

// writing has the options of files that are written.
func writing() Table {
	return group(written,
		row("certificate", "", Text, nil, "",
			"write to `FILE` what shows the verdicts, for magus verify-certificate",
			Check, func(o *Options) any { return &o.Certificate }).common(),
		row("harness", "", Text, nil, "", "write to `FILE.c` a program that replays a violation", Check,
			func(o *Options) any { return &o.Harness }).common(),
		row("witness", "", Text, nil, "",
			"with --property: write to `FILE` a witness of SV-COMP's format 2.0, for validators",
			Check, func(o *Options) any { return &o.Witness }),
		row("coverage", "", Text, nil, "",
			"write to `FILE` the source with what the proofs reached; as lcov has it, if it ends in .info",
			Check, func(o *Options) any { return &o.Coverage }),
		row("report", "", Text, nil, "",
			"write to `FILE.html` a page with the runs, the iterations of the loop, drawings and sources",
			Check, func(o *Options) any { return &o.Report }).common(),
		row("report", "", Text, nil, "",
			"write to `FILE.html` a page of the project: files and rules, findings with their runs, what is undecided; "+
				"of a folder, to its index.html",
			Rules, func(o *Options) any { return &o.Report }).common(),
		row("sarif", "", Text, nil, "",
			"write the results to `FILE` as SARIF 2.1.0, which code scanning services read",
			Check, func(o *Options) any { return &o.SARIF }).common(),
		row("junit", "", Text, nil, "", "write the claims to `FILE` in the XML form of JUnit", Check,
			func(o *Options) any { return &o.JUnit }).common(),
		row("junit-unknown", "", Choice, []string{"error", "skipped"}, "error",
			"what an unknown claim is in the file of --junit",
			Check, func(o *Options) any { return &o.JUnitUnknown }),
		row("dump-queries", "", Text, nil, "",
			"write what the decision procedure is asked to SMT-LIB files in folder `DIR`",
			Check, func(o *Options) any { return &o.DumpQueries }),
		row("force", "", Bool, nil, "false",
			"let an output replace a file that magus has not written (never one that is read, or another output)",
			Check|Scripts|Shell|LTS|Param, func(o *Options) any { return &o.Force }),
	)
}

func timeout(o *Options) any { return &o.Timeout }

// Renamed is the name that an option has now which had another one before; "" if
// there is none.
func Renamed(before string) string {
	return map[string]string{"reduce": "compositional"}[before]
}

// Accepted is the present name of an option whose name of the last release is still
// taken, with a note; "" if there is none.
func Accepted(before string) string {
	return map[string]string{"reduce-turns": "reduce-iterations"}[before]
}

// Lookup is the option of that name of a command, nil if it has none.
func (t Table) Lookup(u Use, name string) *Option {
	for _, r := range t {
		if r.Name == name && r.In&u != 0 {
			return &r
		}
	}
	return nil
}

// Changed are the options of a question and of its search that do not have their
// defaults, with their values, in the order of the table.
func (t Table) Changed(o *Options) []Fact {
	var changed []Fact
	for _, r := range t {
		if r.In&Shell == 0 || r.Name == "force" { // which says nothing of the question
			continue
		}
		if v := r.Of(o).String(); v != r.Default {
			changed = append(changed, Fact{r.Name, v})
		}
	}
	return changed
}

// Defaults are the options that nobody sets.
func Defaults() *Options { return Standard().Defaults() }

// Defaults are the options that nobody sets.
func (t Table) Defaults() *Options {
	o := &Options{}
	for i := range t {
		r := &t[i]
		if r.Default == "" {
			continue
		}
		if err := r.Of(o).Set(r.Default); err != nil {
			panic(fmt.Sprintf("default of %s: %v", r.Name, err))
		}
	}
	return o
}

// longDoubles are the names of the formats of long double.
func longDoubles() (names []string) {
	for _, d := range cfa.LongDoubles() {
		names = append(names, d.String())
	}
	return names
}
