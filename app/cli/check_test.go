package cli_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"magus"
	"magus/app/cli"
	"magus/cfa"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/specs"

	"github.com/stretchr/testify/require"
)

func TestExitStatus(t *testing.T) {
	tests := []struct {
		name   string
		claims []fakeClaim
		want   int
		text   string
	}{
		{"conforms", []fakeClaim{conforms("p")}, 0, "p: conforms\n"},
		{"violates", []fakeClaim{violates("p")}, 1, "p: violates\n\n  trace:     a\n  forbidden: a\n\n"},
		{"unknown", []fakeClaim{unknown("p")}, 3, "p: unknown\n  no progress\n"},
		{"violates outweighs unknown", []fakeClaim{unknown("p"), violates("q"), conforms("r")}, 1,
			"p: unknown\n  no progress\nq: violates\n\n  trace:     a\n  forbidden: a\n\nr: conforms\n" +
				"3 claims: conforms 1, violates 1, unknown 1\n"},
		{"unknown outweighs conforms", []fakeClaim{unknown("p"), conforms("q")}, 3,
			"p: unknown\n  no progress\nq: conforms\n2 claims: conforms 1, unknown 1\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := &fakeEngine{claims: test.claims}
			f := newFixture(t, e, files())
			require.Equal(t, test.want, f.magus("check", "a.c", "a.spec"))
			require.Equal(t, test.text, f.out.String())
			require.Empty(t, f.err.String())
			require.EqualValues(t, len(test.claims), e.closed)
		})
	}
}

// Every flag arrives where it belongs.
func TestFlags(t *testing.T) {
	e := &fakeEngine{claims: []fakeClaim{conforms("p")}}
	f := newFixture(t, e, files())
	f.LookPath = func(name string) (string, error) { return "/bin/" + name, nil }
	require.Equal(t, 0, f.magus("check", "a.c", "a.spec", "--procedure", "p", "--specification=s",
		"--data-model=ILP32", "-I", "inc", "-Iother", "-DX=1", "-D", "Y", "-UZ", "--host-headers", "--strict-calls",
		"--action-abstraction=off", "--minimize=greedy", "--reduce-iterations=all", "--search=depth",
		"--solver=z3", "--compositional", "--sequential", "--global-predicates",
		"--max-iterations=7", "--max-states=8", "--timeout=1h", "--quiet"))
	require.Equal(t, magus.Selection{Procedure: "p", Specification: "s"}, e.selection)
	require.Equal(t, []magus.Options{{Modelling: magus.Modelling{StrictCalls: true},
		Threads: magus.Threads{Order: "theory", Method: "auto"},
		Loop: magus.Loop{ActionAbstraction: cegar.Off, Strategy: "greedy", Seed: 1, Cost: "one",
			ReduceIterations: -1, Solver: "z3",
			MaxIterations: 7, MaxStates: 8, Compositional: true, Search: cegar.DepthFirst, Sequential: true,
			GlobalPredicates: true}}}, e.options)
	o := e.input.Options
	require.NotNil(t, o.ReadFile)
	require.NotEmpty(t, o.HostDirs)
	o.ReadFile, o.HostDirs, o.CompilerDirs = nil, nil, nil
	require.Equal(t, source.Options{Model: cfa.ILP32, IncludeDirs: []string{"inc", "other"},
		Defines: []string{"X=1", "Y"}, Undefs: []string{"Z"}, Headers: source.HostHeaders}, o)
	require.Equal(t, []source.Source{{Name: "a.c", Text: []byte(files()["a.c"])}}, e.input.C)
	require.Equal(t, []specs.Source{{Name: "a.spec", Text: []byte(files()["a.spec"])}}, e.input.Specs)
	text, err := e.input.ReadFile("a.spec")
	require.NoError(t, err)
	require.Equal(t, files()["a.spec"], string(text))
}

func TestProperty(t *testing.T) {
	e := &fakeEngine{claims: []fakeClaim{conforms("main: error never happens")}}
	f := newFixture(t, e, files())
	require.Equal(t, 0, f.magus("check", "--property", "unreach-call", "--entry", "go", "--error-function", "bad",
		"--error-function", "worse", "--error-label", "ERR", "a.c"))
	require.Equal(t, &magus.Property{Entry: "go", ErrorFunctions: []string{"bad", "worse"},
		ErrorLabels: []string{"ERR"}}, e.property)
}

func TestBadUsage(t *testing.T) {
	tests := []struct {
		args string
		want string
	}{
		{"", "magus: which command?"},
		{"chek a.c", "magus: no command chek; did you mean check?"},
		{"rules chek", "magus rules: no command chek; did you mean check?"},
		{"rules", "magus rules: which command? There are check, explain, job, list, plan, show"},
		{"a.c a.spec", "magus: no command a.c; did you mean check a.c?"},
		{"version 1", "magus version: takes no arguments"},
		{"check", "magus check: no C file given"},
		{"check a.spec", "magus check: no C file given"},
		{"check --entry f a.c", "magus check: --entry needs --property unreach-call; to select a claim use --procedure"},
		{"check --procedure f a.c", "magus check: nothing to check: give a .spec file, or --property unreach-call"},
		{"check --nix a.c", "magus check: unknown flag: --nix"},
		{"check --property x a.c",
			`magus check: invalid argument "x" for "--property" flag: must be one of unreach-call, ` +
				`no-data-race, no-deadlock, terminates, no-livelock, no-overflow`},
		{"check --solver yices a.c",
			`magus check: invalid argument "yices" for "--solver" flag: must be one of embedded, z3, cvc5`},
		{"check --memory-limit 0 a.c",
			`magus check: invalid argument "0" for "--memory-limit" flag: must be a positive size such as 512MiB or 2GiB`},
		{"check --memory-limit 2parsec a.c",
			`magus check: invalid argument "2parsec" for "--memory-limit" flag: must be a positive size such as 512MiB or 2GiB`},
		{"check --memory-limit 99999999999TiB a.c",
			`magus check: invalid argument "99999999999TiB" for "--memory-limit" flag: is more than any machine has`},
		{"check --max-states 0 a.c",
			`magus check: invalid argument "0" for "--max-states" flag: must be a number of at least 1`},
		{"check --reduce-iterations 0 a.c",
			`magus check: invalid argument "0" for "--reduce-iterations" flag: must be all or a number of at least 1`},
		{"check --timeout 5 a.c",
			`magus check: invalid argument "5" for "--timeout" flag: must be a time with its unit, such as 5s or 5m`},
		{"check --timeout -5s a.c a.spec", "magus check: --timeout must not be negative"},
		{"check --entry f a.c a.spec", "magus check: --entry needs --property unreach-call; " +
			"to select a claim use --procedure"},
		{"check --error-label f a.c a.spec", "magus check: --error-label needs --property unreach-call"},
		{"check --error-function f a.c a.spec", "magus check: --error-function needs --property unreach-call"},
		{"check --property unreach-call --procedure p a.c",
			"magus check: --procedure selects claims of a specification and does not go with --property"},
		{"check --property unreach-call --specification p a.c",
			"magus check: --specification selects claims of a specification, or with --property no-deadlock " +
				"the program block that has it"},
		{"check --quiet --stats a.c a.spec", "magus check: --quiet does not go with --stats or --verbose"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			f := newFixture(t, &fakeEngine{claims: []fakeClaim{conforms("p")}}, files())
			require.Equal(t, 2, f.magus(strings.Fields(test.args)...))
			first, rest, _ := strings.Cut(f.err.String(), "\n")
			require.Equal(t, test.want, first)
			require.Regexp(t, `^Run 'magus( check| rules| version)? --help' for usage\.\n$`, rest)
			require.Empty(t, f.out.String())
		})
	}
}

func TestBadFiles(t *testing.T) {
	texts := files()
	texts["empty.c"] = ""
	texts["latin1.spec"] = "A = STOP.\n// caf\xe9\n"
	texts["bom.c"] = "\ufeffint x;\n"
	tests := []struct {
		args string
		want string
	}{
		{"none.c a.spec", "none.c: no such file\n"},
		{"a.c none.spec", "none.spec: no such file\n"},
		{". a.c a.spec", ".: is a directory: name its files, or take a compilation database by -p\n"},
		{"empty.c a.spec", "empty.c: empty file\n"},
		{"a.c latin1.spec", "latin1.spec:2:7: not UTF-8: byte 0xe9 at offset 16\n"},
		{"a.c a.spec a.o", "a.o: neither C (.c, .i, .pp, .h) nor a specification (.spec)\n"},
		{"a.c a.spec ./a.c", "./a.c: named twice\n"},
		{"none.c empty.c none.spec", "none.c: no such file\nempty.c: empty file\nnone.spec: no such file\n"},
		{"--solver cvc5 a.c a.spec", "magus: --solver cvc5: no program cvc5 in PATH\n"},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			f := newFixture(t, &fakeEngine{claims: []fakeClaim{conforms("p")}}, texts)
			require.Equal(t, 2, f.magus(append([]string{"check"}, strings.Fields(test.args)...)...))
			require.Equal(t, test.want, f.err.String())
			require.Empty(t, f.out.String())
		})
	}
	e := &fakeEngine{claims: []fakeClaim{conforms("p")}}
	require.Equal(t, 0, newFixture(t, e, texts).magus("check", "bom.c", "a.spec"))
	require.Equal(t, "int x;\n", string(e.input.C[0].Text))
}

// Errors of the engine: mistakes are messages and status 2, what is not
// modelled is a verdict, faults are faults.
func TestEngineErrors(t *testing.T) {
	unsupported := &cfa.UnsupportedError{Pos: cfa.Pos{File: "a.c", Line: 3, Col: 4}, What: "recursion of f",
		Hint: "give it an abstraction"}
	notInSpec := specs.ErrorList{{Pos: specs.Pos{File: "a.spec", Line: 1, Col: 2},
		Message: "floating point in a guard", NotModelled: true}}
	mistake := specs.ErrorList{{Pos: specs.Pos{File: "a.spec", Line: 1, Col: 2}, Message: "no LTS B", Text: "A = B."}}
	tests := []struct {
		name        string
		engine      fakeEngine
		status      int
		out, stderr string
	}{
		{"syntax error in C", fakeEngine{loadErr: cfa.Errors{{Pos: cfa.Pos{File: "a.c", Line: 1, Col: 2},
			Msg: "expected ;"}}}, 2, "", "a.c:1:2: expected ;\n"},
		{"error in a specification", fakeEngine{loadErr: mistake}, 2, "", "a.spec:1:2: no LTS B\n  A = B.\n   ^\n"},
		{"selection", fakeEngine{claimsErr: &magus.InputError{Msg: "no procedure p"}}, 2, "", "magus: no procedure p\n"},
		{"C not modelled", fakeEngine{loadErr: unsupported}, 3,
			"unknown: a.c:3:4: not modelled: recursion of f (give it an abstraction)\n", ""},
		{"specification not modelled", fakeEngine{loadErr: notInSpec}, 3,
			"unknown: a.spec:1:2: floating point in a guard\n", ""},
		{"fault", fakeEngine{loadErr: &cfa.InternalError{Doing: "parsing a.c", Value: "index out of range",
			Stack: "main.go:1"}}, 70, "",
			"magus: internal error: while parsing a.c: index out of range; please report this, with the input\n" +
				"Set MAGUS_DEBUG=1 to see where it happened.\n"},
		{"claims not modelled", fakeEngine{claims: []fakeClaim{{name: "p", sessionErr: unsupported}, conforms("q")}}, 3,
			"p: unknown\n  a.c:3:4: not modelled: recursion of f (give it an abstraction)\nq: conforms\n" +
				"2 claims: conforms 1, unknown 1\n", ""},
		{"mistakes in claims, each once",
			fakeEngine{claims: []fakeClaim{conforms("o"), {name: "p", sessionErr: errors.New("a.spec:1:1: gap")},
				{name: "q", sessionErr: errors.New("a.spec:1:1: gap")},
				{name: "r", sessionErr: errors.New("a.spec:2:1: overlap")}}}, 2,
			"", "a.spec:1:1: gap\na.spec:2:1: overlap\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := newFixture(t, &test.engine, files())
			require.Equal(t, test.status, f.magus("check", "a.c", "a.spec"))
			require.Equal(t, test.out, f.out.String())
			require.Equal(t, test.stderr, f.err.String())
			if test.status == 3 {
				f := newFixture(t, &test.engine, files())
				require.Equal(t, 3, f.magus("check", "--json", "a.c", "a.spec"))
				checkSchema(t).validate(t, f.out.String())
			}
		})
	}
}

func TestPanic(t *testing.T) {
	e := &fakeEngine{claims: []fakeClaim{{name: "p", steps: []func(context.Context) cegar.Event{
		func(context.Context) cegar.Event { panic("invariant broken") },
	}}}}
	f := newFixture(t, e, files())
	require.Equal(t, 70, f.magus("check", "a.c", "a.spec"))
	require.Equal(t, "magus: internal error: invariant broken; please report this, with the input\n"+
		"Set MAGUS_DEBUG=1 to see where it happened.\n", f.err.String())

	f = newFixture(t, e, files())
	f.Env = func(name string) string { return map[string]string{"MAGUS_DEBUG": "1"}[name] }
	require.Equal(t, 70, f.magus("check", "a.c", "a.spec"))
	require.Contains(t, f.err.String(), "TestPanic")
}

// loop is a claim with an iteration of the loop before its end.
func loop() fakeClaim {
	return fakeClaim{name: "p", steps: []func(context.Context) cegar.Event{
		event(cegar.DataAbstracted{Iteration: 1, States: []int{4, 5}}),
		event(cegar.Verified{Trace: []string{"a"}, States: 9}),
		event(cegar.DataRefined{Component: 1, Predicates: []string{"x == 0", "y > 1"}, Candidates: 6, Paths: 1, Tests: 3}),
		event(cegar.DataAbstracted{Iteration: 2, States: []int{4, 7}}),
		event(cegar.Ended{Outcome: &magus.Outcome{Claim: "p", Verdict: magus.Conforms,
			Components:  []string{"tx"},
			Assumptions: []cfa.Warning{{Pos: cfa.Pos{File: "a.c", Line: 1, Col: 1}, Text: "f returns any value"}},
			Loop: &verdict.Loop{Stats: verdict.Stats{Iterations: 2},
				Components: []verdict.Abstraction{{Predicates: []verdict.Predicate{{Text: "x == 0", Origin: "branch"}}}}}}}),
	}}
}

func TestTrace(t *testing.T) {
	f := newFixture(t, &fakeEngine{claims: []fakeClaim{loop()}}, files())
	require.Equal(t, 0, f.magus("check", "--trace", "a.c", "a.spec"))
	require.Equal(t, `p
  abstract data    iteration 1: predicate abstraction, states [4 5]
  verify           counterexample of 1 action (9 product states)
  refine data      component 2: 2 predicates of 6 candidates eliminate 1 paths (3 tests)
  abstract data    iteration 2: predicate abstraction, states [4 7]
  finished         conforms
`, f.err.String())
}

// Times are measured around the steps; the fixture's clock goes on by a
// millisecond at each look.
func TestStats(t *testing.T) {
	f := newFixture(t, &fakeEngine{claims: []fakeClaim{loop()}, warnings: []cfa.Warning{{Text: "Q is not used"}}}, files())
	require.Equal(t, 0, f.magus("check", "--stats", "a.c", "a.spec"))
	require.Equal(t, `p: conforms
  iterations 2: 0 refined predicates, 0 refined actions (0 splits)
  component  locations  expressions  predicates  |P|  MP states  MA states
  tx                 0            0           0    1          0          -
  product states 0, at most 0
  candidate predicates 0, elimination tests 0, solver queries 0
  paths examined 0, kept in 0 bytes
  phase          times  elapsed
  prepare            1  0.001 s
  abstract data      2  0.002 s
  verify             2  0.002 s
  refine data        1  0.001 s
  all                   0.012 s
assumed, not checked:
  a.c:1:1: f returns any value
warning: Q is not used
total 0.015 s elapsed, peak memory 7.0 MiB
`, f.out.String())
}

func TestJSON(t *testing.T) {
	claims := []fakeClaim{loop(), unknown("q"), ends("r", magus.Outcome{Verdict: magus.Violates,
		Components: []string{"tx", "rx"},
		Run: &magus.Run{Components: []string{"tx", "rx"}, Trace: []string{"put"}, Full: []string{"put"},
			Allowed: []string{"end"},
			Inputs:  [][]verdict.Initial{{{Name: "n", Value: "1", Pos: cfa.Pos{File: "a.c", Line: 1, Col: 5}}}},
			Steps: []verdict.RunStep{{Component: 1, Joins: []int{0, 1}, Pos: cfa.Pos{File: "a.c", Line: 1, Col: 1}, Proc: "rx",
				Text: "get();", Action: "put", Values: []verdict.Value{{Name: "x", Value: "3", Chosen: "get"}}}}}})}
	f := newFixture(t, &fakeEngine{claims: claims, warnings: []cfa.Warning{{Text: "Q is not used"}}}, files())
	f.Terminal = true
	require.Equal(t, 1, f.magus("check", "--json", "a.c", "a.spec"))
	require.Empty(t, f.err.String())
	checkSchema(t).validate(t, f.out.String())
	for _, want := range []string{`"verdict": "violates"`, `"with": [`, `"chosen": "get"`,
		`"source": "int main(void) { return 0; }"`, `"reason": "no progress"`} {
		require.Contains(t, f.out.String(), want)
	}
}

// An interrupt ends the claim that runs and those after it; what was found out
// before is printed.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	waits := func(ctx context.Context) cegar.Event {
		cancel()
		<-ctx.Done()
		return cegar.Ended{Outcome: &magus.Outcome{Claim: "q", Reason: verdict.Stopped(ctx),
			Loop: &verdict.Loop{Stats: verdict.Stats{Iterations: 4}}}}
	}
	e := &fakeEngine{claims: []fakeClaim{conforms("p"), {name: "q", steps: []func(context.Context) cegar.Event{waits}},
		conforms("r")}}
	f := newFixture(t, e, files())
	require.Equal(t, 3, cli.Main(ctx, []string{"check", "-j", "1", "--stats", "a.c", "a.spec"}, f.World))
	require.Contains(t, f.out.String(), "p: conforms\n")
	require.Contains(t, f.out.String(), "q: unknown\n  interrupted\n  iterations 4:")
	require.Contains(t, f.out.String(), "r: unknown\n  interrupted\n")
}

// A context that ended before anything was done.
func TestInterruptedAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := newFixture(t, &fakeEngine{claims: []fakeClaim{conforms("p")}}, files())
	require.Equal(t, 3, cli.Main(ctx, []string{"check", "a.c", "a.spec"}, f.World))
	require.Equal(t, "p: unknown\n  interrupted\n", f.out.String())

	f = newFixture(t, &fakeEngine{loadErr: context.Canceled}, files())
	require.Equal(t, 3, cli.Main(ctx, []string{"check", "a.c", "a.spec"}, f.World))
	require.Equal(t, "unknown: interrupted\n", f.out.String())
}

// waiting is a claim that goes on until its context ends.
func waiting() fakeClaim {
	return fakeClaim{name: "p", steps: []func(context.Context) cegar.Event{func(ctx context.Context) cegar.Event {
		<-ctx.Done()
		return cegar.Ended{Outcome: &magus.Outcome{Claim: "p", Reason: verdict.Stopped(ctx)}}
	}}}
}

func TestTimeout(t *testing.T) {
	f := newFixture(t, &fakeEngine{claims: []fakeClaim{waiting()}}, files())
	require.Equal(t, 3, f.magus("check", "--timeout", "1ms", "a.c", "a.spec"))
	require.Equal(t, "p: unknown\n  time-out\n", f.out.String())
}

func TestMemoryLimit(t *testing.T) {
	f := newFixture(t, &fakeEngine{claims: []fakeClaim{waiting()}}, files())
	go func() {
		f.ticks <- time.Time{} // not too much yet
		f.used.Store(3 << 20)
		f.ticks <- time.Time{}
	}()
	require.Equal(t, 3, f.magus("check", "--memory-limit", "2MiB", "a.c", "a.spec"))
	require.Equal(t, "p: unknown\n  more memory needed than the limit of 2.0 MiB\n", f.out.String())
	require.Equal(t, uint64(7<<18), f.limited)
}

// What is needed is more than the collector aims for: it could only go on
// collecting.
func TestMemoryNeeded(t *testing.T) {
	f := newFixture(t, &fakeEngine{claims: []fakeClaim{waiting()}}, files())
	f.used.Store(2 << 20)
	f.needed.Store(7 << 18)
	go func() {
		f.ticks <- time.Time{} // just enough
		f.needed.Store(7<<18 + 1)
		f.ticks <- time.Time{}
	}()
	require.Equal(t, 3, f.magus("check", "--memory-limit", "2MiB", "a.c", "a.spec"))
	require.Equal(t, "p: unknown\n  more memory needed than the limit of 2.0 MiB\n", f.out.String())
}

// The progress line is drawn by ticks, over itself, and erased.
func TestProgress(t *testing.T) {
	var f *fixture
	c := loop()
	last := c.steps[4]
	c.steps[4] = func(ctx context.Context) cegar.Event {
		f.ticks <- time.Time{}
		f.ticks <- time.Time{} // only received once the first was drawn
		return last(ctx)
	}
	f = newFixture(t, &fakeEngine{claims: []fakeClaim{c}}, files())
	f.Terminal = true
	require.Equal(t, 0, f.magus("check", "a.c", "a.spec"))
	require.Regexp(t, `^(\r\x1b\[Kiteration 2, verify, states 4\+7, predicates 2, 0 s){1,2}\r\x1b\[K$`, f.err.String())
}

// Nothing is drawn where nobody watches, or for a claim that is quick.
func TestNoProgress(t *testing.T) {
	tests := []struct {
		terminal bool
		flag     string
	}{{true, "--sequential"}, {true, "--quiet"}, {true, "--json"}, {false, "--sequential"}}
	for _, test := range tests {
		f := newFixture(t, &fakeEngine{claims: []fakeClaim{loop()}}, files())
		f.Terminal = test.terminal
		require.Equal(t, 0, f.magus("check", test.flag, "a.c", "a.spec"))
		require.Empty(t, f.err.String(), test)
	}
}

func TestVersion(t *testing.T) {
	f := newFixture(t, &fakeEngine{}, nil)
	require.Equal(t, 0, f.magus("version"))
	require.Regexp(t, `^magus \d\S+ \((commit .*, )?go\S+ \w+/\w+\)\n$`, f.out.String())
}
