package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"

	"magus/internal/sample"
)

// A campaign is a test that takes random inputs.
type campaign struct{ kind, pkg, test, what string }

// campaigns are all of them, by kind.
var campaigns = []campaign{
	{"abstractions", "./predabs", "TestRandom", "abstractions of small components against all their states"},
	{"acts", "./engine/cegar", "TestRandomActs", "acts of the shell between steps of the loop"},
	{"again", "./cfa/lower", "TestMemoryThatComesAgain",
		"memory that is freed and allocated again against all addresses"},
	{"allocations", "./engine/rules", "TestRandomAllocations",
		"rules about memory of loops that allocate against all their runs"},
	{"arguments", "./cfa/interp", "TestVariableArgumentsAgreeWithGCC", "variable arguments against gcc's runs"},
	{"arithmetic", "./cfa/lower", "TestArithmeticAgreesWithGCC", "arithmetic in C against gcc's runs"},
	{"arrays", "./engine/threaded", "TestRandomArrays", "threads with large arrays against all interleavings"},
	{"bitfields", "./engine/threads", "TestRandomBitFields",
		"stores of two threads to bit-fields of one word against all interleavings"},
	{"buffers", ".", "TestRandomBuffers",
		"components with buffers between them, which carry numbers or structures, for traces, deadlocks, " +
			"failures and divergences, against all their runs"},
	{"callbacks", ".", "TestRandomCallbacks", "functions given away to unknown code"},
	{"cbmc", ".", "TestRandomProgramsAgainstCBMC", "programs against cbmc"},
	{"cells", "./engine/cegar", "TestRandomCells",
		"proofs about one element of each array, or one object, against proofs about all"},
	{"comparisons", ".", "TestComparisonsOfFailuresAgreeWithChecks",
		"checks of failures and divergences against comparisons of LTSs"},
	{"containment", "./lts/cert", "TestAnswersAreCertified|TestOrdersAreCertified",
		"answers of containment against their certificates"},
	{"contracts", ".", "TestRandomContracts", "proofs by contracts of recursive programs against all runs"},
	{"copies", "./engine/cegar", "TestRandomCopies", "components in any number against given numbers"},
	{"copies-products", ".", "TestRandomCopiesAgainstProducts",
		"copies in given numbers, for each relation and deadlocks, against their product"},
	{"counters", "./engine/threaded", "TestRandomCounters", "counter abstraction against all interleavings"},
	{"counting", "./lts/counting", "Test", "compositions in any number against given numbers"},
	{"coverage", ".", "TestRandomCoverage", "what proofs say that they reach against runs"},
	{"csmith", ".", "TestProgramsOfCsmith", "programs of csmith against gcc's runs"},
	{"drawings", "./app/repl", "TestDrawingsAreDOT", "drawings of the examples in every state of their checks"},
	{"endless", "./cmd/magus", "TestEndless", "work without end, and all ways to end it"},
	{"examples", "./app/cli", "TestExamples$", "the examples, each with --compositional too"},
	{"failures-any", ".", "TestRandomFailuresOfAnyNumber",
		"what components in any number refuse against given numbers"},
	{"floats", "./smt/solver", "TestFloatsAgainstBruteForce",
		"formulas with floating point of a few bits against all values"},
	{"floats-cvc5", "./smt/solver", "TestFloatsAgainstCvc5", "formulas with floating point against cvc5"},
	{"floats-extended", "./smt/smtlib", "TestExtended", "numbers of 80 and 128 bits against z3 and cvc5"},
	{"floats-gcc", "./cfa/interp", "TestFloatsAgreeWithGCC", "programs with floating point against gcc's runs"},
	{"floats-host", "./smt/softfloat", "TestHost$|TestGcc|TestExtended$|TestQuad$",
		"operands of half, float, double, the x87 and quad against the machine"},
	{"floats-long", "./cfa/interp", "TestOtherLongDoublesAgreeWithGCC",
		"programs whose long double is quad, or double, against gcc's runs"},
	{"floats-quad", "./smt/bitblast", "TestQuad$", "circuits of numbers of 128 bits, in all modes, against the software"},
	{"floats-widths", "./cfa/interp", "TestWidthsAgreeWithGCC",
		"programs with _Float16 and _Float128 against gcc's runs"},
	{"floats-x87", "./cfa/interp", "TestExcessPrecisionAgreesWithGCC",
		"programs computed by the x87 (FLT_EVAL_METHOD 2) against gcc's runs"},
	{"floats-z3", "./smt/solver", "TestFloatsAgainstZ3", "formulas with floating point against z3"},
	{"folded", ".", "TestFoldedRuns", "violations behind many rounds of loops"},
	{"foreign", "./engine/rules", "TestForeignCode",
		"rules over programs with code that nobody described against their runs"},
	{"forged", "./evidence/certificate", "TestForgedCertificatesAreRefused|TestForgedPartsAreRefused",
		"certificates of what is more than traces with one or two things changed against brute force"},
	{"forgeries", "./lts/cert", "TestWrongAnswersAreRefuted", "forged certificates of containment against the answer"},
	{"fused", "./smt/bitblast", "TestTinyFma",
		"fused multiplication and addition of floating point of a few bits for all values"},
	{"handles", "./engine/threaded", "TestHandlesThatComeAgain",
		"handles of joined threads that come again against all handles"},
	{"headers", "./cfa/source", "TestPrototypesAgreeWithGCC|TestWidthsAgreeWithGCC",
		"the C library's headers against gcc's, for each data model"},
	{"initialisers", "./cfa/source", "TestInitialisersAgreeWithGCC",
		"bytes of objects with initialisers against gcc's"},
	{"laws", "./internal/metamorph", "TestLaws", "the examples, each changed by each law"},
	{"literals", "./cfa/source", "TestLiteralsAgreeWithGCC", "numbers, characters and strings against gcc's"},
	{"loops-end", ".", "TestRandomLoopsEnd", "loops that end or not against their runs"},
	{"macros", "./cfa/source/preprocess", "TestMacrosAgreeWithGCC",
		"macros and what they make against gcc's preprocessor"},
	{"memory", "./cfa/lower", "TestCompiledProgramsAreTraces", "runs of compiled programs as traces of automata"},
	{"messages", "./app/web", "TestManyMessages", "messages to the server of pages"},
	{"models", "./param/engine", "TestRandomModels", "systems of any number of processes against explicit search"},
	{"only-runs", "./engine/cegar", "TestRandomOnlyRuns", "programs without inputs against gcc's runs"},
	{"orders", "./lts", "TestPartialOrderAgainstAllOrders", "persistent sets against all orders"},
	{"overflows", ".", "TestOverflowsAgreeWithGCC", "operations that overflow against gcc's sanitizer"},
	{"parts", "./cfa/interp", "TestPartsAgreeWithGCC",
		"objects that are written and read in parts that overlap against gcc's runs"},
	{"programs", ".", "TestRandomPrograms", "programs of one component against exhaustive runs"},
	{"races", "./engine/threads", "TestRacesAgainstThreadSanitizer",
		"accesses and calls of two threads against gcc's ThreadSanitizer"},
	{"records", "./cfa/source", "TestRecordsAgreeWithGCC", "layouts of structures against gcc's"},
	{"recursion", ".", "TestRandomRecursion", "recursive programs against exhaustive runs"},
	{"recursion-summaries", ".", "TestRandomNumbersBySummaries", "proofs of the same by summaries"},
	{"relations", "./lts", "AgainstDefinitions|Laws|Legal|Preorder|Ordered",
		"operations and relations of LTSs against their definitions"},
	{"replayed-actions", ".", "TestRandomThreadActionsAreReplayed",
		"violations of threads with a specification, done by the compiled program"},
	{"replays", "./app/cli", "TestBenchmarksAreReplayed|TestExamplesAreReplayed",
		"violations of the benchmark programs and of all examples, run again"},
	{"rules", "./engine/rules", "TestRandomProjects",
		"rules over projects of several files against the exploration of all runs"},
	{"rules-cache", "./engine/rules", "TestRandomEdits",
		"rules over projects that are edited, with results of earlier checks taken over, against checks without"},
	{"sanitizers", "./cfa/lower", "TestAgainstSanitizers", "invalid accesses against gcc's sanitizers"},
	{"searches", "./lts", "TestSearchesAgainstSubsetConstruction", "containment against a naive subset construction"},
	{"sections", "./engine/threads/reduction", "TestRandomPrograms", "threads with locks, with sections and without"},
	{"sets", "./engine/cegar", "TestExactAndEnumerateAgree",
		"smallest sets of predicates of the examples, found in two ways"},
	{"simulation-any", ".", "TestRandomSimulationsOfAnyNumber",
		"whether components in any number are followed against given numbers"},
	{"stale", "./app/cli", "TestNothingStale",
		"files that are edited, linked, moved and removed: what suites take over, 25 steps each"},
	{"steps", "./cfa/events", "TestThreadsDoWhatTheirStepsDo", "two threads against all orders of their steps"},
	{"summaries", ".", "TestRandomSummaries", "calls by summaries against calls that are inlined"},
	{"tallies", "./engine/threaded", "TestCounting", "programs with threads by each tally of counter abstraction"},
	{"texts", ".", "TestTextsSayOneThing", "what a text from outside says to one function and to another, for each function"},
	{"thread-actions", ".", "TestRandomThreadActions",
		"threads with a specification, under each memory model, and their deadlocks, against all interleavings"},
	{"thread-refusals", ".", "TestRandomThreadRefusals|TestRandomThreadsForEverRefuse",
		"what threads refuse of a specification against all interleavings"},
	{"threads", "./engine/threads", "TestRandom", "threads against all interleavings"},
	{"tricky", "./cfa/lower", "TestTrickyC", "features of C, with one level of abstraction and with two"},
	{"tries", "./engine/threads", "TestRandomTries",
		"calls that may fail of two threads against all interleavings and all failures"},
	{"types", "./cfa/source", "TestComparedTypesAgreeWithGCC|TestSelectedTypesAgreeWithGCC",
		"types that are compared or selected against gcc's answers"},
	{"unbounded", "./engine/threaded", "TestRandomModular|TestRandomInputs|TestRandomModels",
		"threads created without end"},
	{"ways", "./engine/threads", "TestWaysAgree",
		"small programs with threads: all ways to decide against all interleavings"},
	{"web", "./app/cli", "TestWebInBrowser", "sessions of the shell in a browser, clicked through"},
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the command; the result is its exit status: 1 if the campaign finds something, 2 for wrong usage.
func run(args []string, out, errs io.Writer) int {
	fs := flag.NewFlagSet("campaign", flag.ContinueOnError)
	fs.SetOutput(errs)
	kind := fs.String("kind", "", "which `KIND` of random inputs; -list names them")
	count := fs.Int("count", 100, "how many `INPUTS`")
	seed := fs.Uint64("seed", 1, "`SEED` of the first one")
	timeout := fs.String("timeout", "10h", "give up after `DURATION`")
	list := fs.Bool("list", false, "list the kinds")
	if fs.Parse(args) != nil {
		return 2
	}
	if *list {
		for _, c := range campaigns {
			fmt.Fprintf(out, "%-16s %s\n", c.kind, c.what)
		}
		return 0
	}
	i := slices.IndexFunc(campaigns, func(c campaign) bool { return c.kind == *kind })
	if i < 0 || *count < 1 || fs.NArg() > 0 {
		fmt.Fprintln(errs, "campaign: -kind KIND -count INPUTS [-seed SEED], with at least one input; -list names the kinds")
		return 2
	}
	c := campaigns[i]
	cmd := exec.Command("go", "test", c.pkg, "-run", c.test, "-count=1", "-v", "-timeout", *timeout)
	cmd.Env = append(os.Environ(), sample.CountVariable+"="+strconv.Itoa(*count),
		sample.SeedVariable+"="+strconv.FormatUint(*seed, 10))
	cmd.Stdout, cmd.Stderr = out, errs
	err := cmd.Run()
	var failed *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &failed):
		return 1
	}
	fmt.Fprintln(errs, "campaign:", err)
	return 2
}
