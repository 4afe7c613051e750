package cli

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"magus"
	"magus/cfa"
	"magus/internal/input"
)

const checkLong = `Check verifies C files against specification files: every abstraction of a
procedure that has a body, and every program specification. With
--property unreach-call it verifies instead that the action error (a call of
reach_error, a failing assert, ...) never happens.

Exit status: 0 every claim conforms, 1 a claim is violated, 3 otherwise if a
claim is unknown, 2 wrong usage or input, 70 an internal error.`

const checkExample = `  magus check lock.c lock.spec
  magus check --procedure drain --stats lock.c lock.spec
  magus check --property unreach-call program.c
  magus check --json --timeout 5m client.c server.c protocol.spec
  magus check -p build src/pump.c pump.spec`

// checkFlags are the flags of `magus check` as they were given.
type checkFlags struct {
	// What is checked.
	selection      magus.Selection
	property       choice
	entry          string
	errorFunctions []string
	errorLabels    []string
	// How C is read.
	compileCommands string
	dataModel       choice
	include         []string
	define          []string
	undefine        []string
	hostHeaders     bool
	strictCalls     bool
	// How memory is modelled.
	checkPointers         bool
	arrayLimit, heapLimit count
	// How it is checked.
	actions    choice
	minimize   choice
	cost       choice
	maxSub     turns
	maxElm     turns
	seed       int64
	reduce     turns
	solver     choice
	smaller    bool // --reduce
	global     bool // --global-predicates
	search     choice
	sequential bool
	check      bool
	queries    string // folder
	// Budgets.
	timeout       time.Duration
	maxIterations count
	maxStates     count
	memoryLimit   size
	// What is printed and written.
	stats, json, trace, verbose, quiet bool
	certificate, harness               string
}

func newCheckFlags() *checkFlags {
	return &checkFlags{
		property:  choice{"", []string{"unreach-call"}},
		dataModel: choice{"", []string{"LP64", "ILP32"}},
		actions:   choice{"auto", []string{"auto", "on", "off"}},
		minimize:  choice{"exact", []string{"exact", "greedy", "enumerate", "none"}},
		cost:      choice{"one", []string{"one", "wp"}},
		search:    searchFlag(),
		solver:    choice{"embedded", []string{"embedded", "z3", "cvc5"}},
	}
}

func newCheck(w *World, status *int) *cobra.Command {
	f := newCheckFlags()
	c := &cobra.Command{
		Use:                   "check [flags] FILE.c... [FILE.spec...]",
		Short:                 "Check C files against specifications",
		Long:                  checkLong,
		Example:               checkExample,
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			verdict, err := check(c.Context(), w, f, args)
			*status = statusOf(verdict)
			return err
		},
	}
	c.ValidArgsFunction = completeSources
	f.register(c)
	return c
}

// completeSources completes names of C and specification files.
func completeSources(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"c", "i", "pp", "h", "spec"}, cobra.ShellCompDirectiveFilterFileExt
}

// register is the table of flags, in the order of the help text.
func (f *checkFlags) register(c *cobra.Command) {
	c.Flags().SortFlags = false
	f.registerQuestion(c)
	f.registerAnswer(c)
}

// registerQuestion adds the flags that say what is checked of what.
func (f *checkFlags) registerQuestion(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&f.selection.Procedure, "procedure", "", "check only the abstractions of procedure `NAME`")
	fs.StringVar(&f.selection.Specification, "specification", "", "check only the program specification `NAME`")
	fs.Var(&f.property, "property", "check that the action error never happens")
	fs.StringVar(&f.entry, "entry", "", "with --property: start in function `NAME` (default main)")
	fs.StringArrayVar(&f.errorFunctions, "error-function", nil, "with --property: a call of `NAME` is an error (repeatable)")
	fs.StringArrayVar(&f.errorLabels, "error-label", nil, "with --property: reaching label `NAME` is an error (repeatable)")

	f.registerSources(c)
	fs.BoolVar(&f.strictCalls, "strict-calls", false, "refuse calls of functions that nothing describes")
	fs.BoolVar(&f.checkPointers, "check-pointers", false, "using an invalid pointer, or an index out of bounds, is the action error")
	f.registerMemory(c)
}

// registerSources adds the flags that say how C is read.
func (f *checkFlags) registerSources(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVarP(&f.compileCommands, "compile-commands", "p", "", "compile as compile_commands.json says: `PATH` is the file, or the folder with it")
	fs.Var(&f.dataModel, "data-model", "widths of C types (default LP64, or what the compile commands say)")
	fs.StringArrayVarP(&f.include, "include", "I", nil, "look for headers in `DIR` (repeatable)")
	fs.StringArrayVarP(&f.define, "define", "D", nil, "define a macro, `NAME[=VALUE]` (repeatable)")
	fs.StringArrayVarP(&f.undefine, "undefine", "U", nil, "undefine macro `NAME`, after all definitions (repeatable)")
	fs.BoolVar(&f.hostHeaders, "host-headers", false, "use the machine's system headers instead of the built-in ones")
}

// registerMemory adds the flags that say how far memory is told apart.
func (f *checkFlags) registerMemory(c *cobra.Command) {
	fs := c.Flags()
	fs.Var(&f.arrayLimit, "array-limit", fmt.Sprintf("tell elements apart in arrays of up to N elements (default %d)", cfa.DefaultArrayLimit))
	fs.Var(&f.heapLimit, "heap-limit", fmt.Sprintf("tell N objects apart of those that one call of malloc allocates (default %d)", cfa.DefaultHeapLimit))
}

// registerAnswer adds the flags that say how it is checked and what is printed.
func (f *checkFlags) registerAnswer(c *cobra.Command) {
	fs := c.Flags()
	fs.Var(&f.actions, "action-abstraction", "second level of abstraction; auto: where components are composed")
	fs.Var(&f.minimize, "minimize", "how the set of predicates is made small")
	fs.Var(&f.cost, "minimize-cost", "what a predicate costs: 1, or the places that its weakest preconditions take")
	fs.BoolVar(&f.global, "global-predicates", false, "track predicates also in states that know nothing of them")
	fs.Var(&f.maxSub, "max-sub", "with --minimize enumerate: examine at most N sets for a counterexample (default 1000)")
	fs.Var(&f.maxElm, "max-elm", "with --minimize enumerate: collect at most N eliminating sets for a counterexample (default 20)")
	fs.Int64Var(&f.seed, "seed", 1, "with --minimize greedy: `SEED` of the orders in which predicates are removed")
	fs.Var(&f.reduce, "reduce-turns", "turns of the loop spent on a smaller set once the claim is proved (default 200)")
	fs.Var(&f.solver, "solver", "decision procedure; z3 and cvc5 must be in PATH")
	fs.BoolVar(&f.smaller, "reduce", false, "make the abstractions of components smaller before they are composed")
	fs.Var(&f.search, "search", searchUsage)
	fs.BoolVar(&f.sequential, "sequential", false, "abstract and validate components one after the other")

	fs.BoolVar(&f.check, "check", false, "check every phase and every answer by other means; what does not hold makes the verdict unknown")
	fs.StringVar(&f.queries, "dump-queries", "", "write what the decision procedure is asked to SMT-LIB files in folder `DIR`")

	fs.DurationVar(&f.timeout, "timeout", 0, "give up after `DURATION`, such as 90s or 5m, over all claims")
	fs.Var(&f.maxIterations, "max-iterations", "give up a claim after N turns of the loop")
	fs.Var(&f.maxStates, "max-states", "give up a claim whose abstraction or product has more than N states")
	fs.Var(&f.memoryLimit, "memory-limit", "give up when more memory than SIZE is in use, such as 2GiB")

	fs.BoolVar(&f.stats, "stats", false, "print iterations, predicates, states, times and memory")
	fs.BoolVar(&f.json, "json", false, "print one JSON document instead of text")
	fs.StringVar(&f.certificate, "certificate", "", "write to `FILE` what shows the verdicts, for magus verify-certificate")
	fs.StringVar(&f.harness, "harness", "", "write to `FILE.c` a program that replays a violation")
	fs.BoolVar(&f.trace, "trace", false, "print to standard error what every phase did")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print the chosen predicates, and every step of a counterexample")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print verdicts only")
}

// validate finds command lines that contradict themselves. What is wrong with
// the files themselves is said when they are read.
func (f *checkFlags) validate(w *World, names []string) error {
	noSpec := !slices.ContainsFunc(names, func(name string) bool { return input.KindOf(name) != input.C })
	noC := !slices.ContainsFunc(names, func(name string) bool { return input.KindOf(name) != input.Spec })
	wrong := func(format string, args ...any) error {
		return &usageError{fmt.Sprintf(format, args...), "magus check"}
	}
	property := f.property.value != ""
	switch {
	case noC && f.compileCommands == "":
		return wrong("no C file given")
	case noSpec && !property:
		return wrong("nothing to check: give a .spec file, or --property unreach-call")
	case property && f.selection.Procedure != "":
		return wrong("--procedure selects claims of a specification and does not go with --property")
	case property && f.selection.Specification != "":
		return wrong("--specification selects claims of a specification and does not go with --property")
	case !property && f.entry != "":
		return wrong("--entry needs --property unreach-call; to select a claim use --procedure")
	case !property && len(f.errorFunctions) > 0:
		return wrong("--error-function needs --property unreach-call")
	case !property && len(f.errorLabels) > 0:
		return wrong("--error-label needs --property unreach-call")
	case f.minimize.value != "enumerate" && f.maxSub != 0:
		return wrong("--max-sub needs --minimize enumerate")
	case f.minimize.value != "enumerate" && f.maxElm != 0:
		return wrong("--max-elm needs --minimize enumerate")
	case f.timeout < 0:
		return wrong("--timeout must not be negative")
	case f.quiet && (f.stats || f.verbose):
		return wrong("--quiet does not go with --stats or --verbose")
	}
	if f.solver.value != "embedded" {
		if _, err := w.LookPath(f.solver.value); err != nil {
			return input.Errorf("magus: --solver %s: no program %s in PATH", f.solver.value, f.solver.value)
		}
	}
	return nil
}

// options are the session's part of the flags. Answers of the embedded
// procedure are checked by an outside one where there is one.
func (f *checkFlags) options(w *World) magus.Options {
	second := ""
	for _, name := range []string{"cvc5", "z3"} {
		if _, err := w.LookPath(name); err == nil && f.check && f.solver.value == "embedded" {
			second = name
		}
	}
	return magus.Options{
		Check:             f.check,
		SecondSolver:      second,
		ActionAbstraction: map[string]magus.Switch{"auto": magus.Auto, "on": magus.On, "off": magus.Off}[f.actions.value],
		Strategy:          f.minimize.value,
		MaxSub:            int(f.maxSub),
		MaxElm:            int(f.maxElm),
		Seed:              f.seed,
		Cost:              f.cost.value,
		ReduceTurns:       int(f.reduce),
		Reduce:            f.smaller,
		DepthFirst:        f.search.value == "depth",
		Solver:            f.solver.value,
		MaxIterations:     int(f.maxIterations),
		MaxStates:         int(f.maxStates),
		GlobalPredicates:  f.global,
		Sequential:        f.sequential,
		StrictCalls:       f.strictCalls,
		CheckPointers:     f.checkPointers,
		ArrayLimit:        int(f.arrayLimit),
		HeapLimit:         int(f.heapLimit),
	}
}

// settings say how C is read.
func (f *checkFlags) settings() input.Settings {
	s := input.Settings{CompileCommands: f.compileCommands, IncludeDirs: f.include, Defines: f.define, Undefs: f.undefine, HostHeaders: f.hostHeaders}
	if f.dataModel.value != "" {
		model := map[string]cfa.DataModel{"LP64": cfa.LP64, "ILP32": cfa.ILP32}[f.dataModel.value]
		s.Model = &model
	}
	return s
}

// question is what a project is made of.
func question(p *input.Program) magus.Input {
	return magus.Input{C: p.C, Specs: p.Specs, ReadFile: p.Options.ReadFile, Options: p.Options}
}
