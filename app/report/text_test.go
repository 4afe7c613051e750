package report_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/app/report"
	"magus/cfa"
	"magus/evidence/verdict"
)

// lines are sources in memory.
type lines map[string][]string

func (l lines) Line(file string, n int) string {
	if n < 1 || n > len(l[file]) {
		return ""
	}
	return l[file][n-1]
}

var drainSource = lines{"drain.c": {
	"int drain(int limit)",
	"{",
	"\tint taken = 0;",
	"\twhile (taken != limit) {",
	"\t\tlock(); if (take()) taken++;",
	"\t}",
	"\treturn 0;",
	"}",
}}

// drained is its report, in which two values do not matter.
func drained() report.Claim {
	c := report.NewClaim(drain(), nil, 0, drainSource)
	c.Counterexample.Initial[1].Idle = true
	c.Counterexample.Steps[6].Values[0].Idle = true
	return c
}

// held is a state of the specification.
var held = verdict.SpecState{Name: "Held", Pos: cfa.Pos{File: "drain.spec", Line: 4, Col: 1}}

func at(line int) cfa.Pos { return cfa.Pos{File: "drain.c", Line: line, Col: 2} }

// drain is a run of one component with all that a run can have.
func drain() *magus.Outcome {
	return &magus.Outcome{
		Claim:      "procedure drain, abstraction drains",
		Verdict:    magus.Violates,
		Components: []string{"drain"},
		Run: &magus.Run{
			Components: []string{"drain"},
			Trace:      []string{"lock", "take", "return{other}"},
			Full:       []string{"lock", "log", "take", "return{other}"},
			Allowed:    []string{"take", "unlock"},
			Spec:       []verdict.SpecState{held},
			Inputs:     [][]verdict.Initial{{{Name: "limit", Value: "-1", Pos: at(1)}, {Name: "unused", Value: "0"}}},
			Steps: []verdict.RunStep{
				{Pos: at(3), Proc: "drain", Text: "taken = 0;", Values: []verdict.Value{{Name: "taken", Value: "0"}}},
				{Pos: at(4), Proc: "drain", Text: "[taken != limit]", Branch: "true"},
				{Pos: at(5), Proc: "drain", Text: "lock();", Action: "lock", Spec: []verdict.SpecState{held}},
				{Pos: at(5), Proc: "drain", Text: "tmp = take();", Action: "take",
					Spec:   []verdict.SpecState{held, {Name: "Free"}},
					Values: []verdict.Value{{Name: "take()", Value: "1", Chosen: "take"}}},
				{Pos: at(5), Proc: "drain", Text: "[take() != 0]", Branch: "true"},
				{Pos: at(5), Proc: "drain", Text: "taken = taken + 1;",
					Values: []verdict.Value{{Name: "taken", Value: "1", Before: "0"}}},
				{Pos: at(4), Proc: "drain", Text: "[!(taken != limit)]", Values: []verdict.Value{{Name: "copy", Value: "3"}}},
				{Pos: at(6), Proc: "drain", Text: "goto"},
				{Pos: at(7), Proc: "drain", Text: "return 0;", Action: "return{other}", Forbidden: true},
			},
		},
	}
}

func text(t *testing.T, c report.Claim, how report.Text) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, report.WriteClaim(&b, c, how))
	return b.String()
}

func TestCounterexampleText(t *testing.T) {
	c := drained()
	require.Equal(t, `procedure drain, abstraction drains: violates

  trace:     lock take return{other}
  forbidden: return{other} in Held (drain.spec:4:1)
  allowed:   take, unlock
  actions:   lock log take return{other}

  initially
    limit = -1  drain.c:1

  in drain.c
  step  line  source                        branch  action         spec          values
     1  3     int taken = 0;                                                     taken = 0
     2  4     while (taken != limit) {      true
     3  5     lock(); if (take()) taken++;          lock           Held
   4-6  5     lock(); if (take()) taken++;  true    take           Held or Free  take() = 1 (chosen: take), taken: 0 -> 1
   7-8  4,6   ... 2 steps
   > 9  7     return 0;                             return{other}  forbidden

`, text(t, c, report.Text{}))
	require.Equal(t, "procedure drain, abstraction drains: violates\n", text(t, c, report.Text{Quiet: true}))
}

// In a verbose counterexample every step has its own row.
func TestVerboseSteps(t *testing.T) {
	c := drained()
	out := text(t, c, report.Text{Verbose: true})
	for _, n := range []string{"     1  ", "     5  ", "     8  ", "   > 9  "} {
		require.Contains(t, out, "\n"+n)
	}
	require.Contains(t, out, "copy = 3")
	require.Contains(t, out, "unused = 0")
	require.NotContains(t, out, "...")
}

// Components are told apart, and joint actions name everybody.
func TestSeveralComponents(t *testing.T) {
	o := &magus.Outcome{
		Claim: "program tx, rx, specification ok", Verdict: magus.Violates,
		Components: []string{"tx", "rx"},
		Run: &magus.Run{
			Components: []string{"tx", "rx"},
			Trace:      []string{"put"}, Full: []string{"put"},
			Inputs: [][]verdict.Initial{nil, {{Name: "size", Value: "0"}}},
			Steps: []verdict.RunStep{
				{Component: 1, Proc: "rx", Text: "[size == 0]"},
				{Component: 0, Proc: "tx", Joins: []int{0, 1}, Text: "put();", Action: "put"},
				{Component: 7, Proc: "component 8", Text: "x = 1;", Values: []verdict.Value{{Name: "x", Value: "1"}}},
			},
		},
	}
	require.Equal(t, `program tx, rx, specification ok: violates

  trace:     put
  forbidden: put

  initially
    size = 0  rx

  step  tx          rx               component 8  action  values
     1                  [size == 0]
     2      put();                                put
     3                                   x = 1;           x = 1

`, text(t, report.NewClaim(o, nil, 0, lines{}), report.Text{}))
}

// Rows in several files and procedures say so; lines that only go up are
// ranges.
func TestFilesAndProcedures(t *testing.T) {
	step := func(file string, line int, proc, action string) verdict.RunStep {
		return verdict.RunStep{Pos: cfa.Pos{File: file, Line: line, Col: 1}, Proc: proc, Text: "x;", Action: action}
	}
	o := &magus.Outcome{
		Claim: "c", Verdict: magus.Violates,
		Components: []string{"main"},
		Run: &magus.Run{
			Components: []string{"main"},
			Trace:      []string{"a", "b"}, Full: []string{"a", "b"}, Allowed: []string{"c"},
			Steps: []verdict.RunStep{
				step("m.c", 1, "main", ""), step("m.c", 2, "main", ""), step("m.c", 5, "main", ""),
				step("m.c", 3, "main", ""), step("m.c", 4, "main", ""),
				step("f.c", 9, "f", "a"), step("f.c", 10, "f", ""),
				step("m.c", 6, "main", "b"),
			},
		},
	}
	require.Equal(t, `c: violates

  trace:     a b
  forbidden: b
  allowed:   c

  step  where        procedure  source       action
   1-5  m.c:1-5,3,4  main       ... 5 steps
     6  f.c:9        f          x;           a
     7  f.c:10       f          x;
     8  m.c:6        main       x;           b

`, text(t, report.NewClaim(o, nil, 0, lines{}), report.Text{}))
}

// A violation by the empty trace has nothing that was allowed instead.
func TestEmptyTrace(t *testing.T) {
	o := &magus.Outcome{Claim: "c", Verdict: magus.Violates, Run: &magus.Run{}}
	require.Equal(t, "c: violates\n\n  trace:     (nothing)\n\n",
		text(t, report.NewClaim(o, nil, 0, lines{}), report.Text{}))
}

func TestStatsText(t *testing.T) {
	o := &magus.Outcome{
		Claim: "c", Verdict: magus.Conforms,
		Components: []string{"tx", "receiver"},
		Loop: &verdict.Loop{
			Smallest: true,
			Components: []verdict.Abstraction{
				{Locations: 34, Expressions: 5, Groups: 4, MPStates: 56, MAStates: 9,
					Predicates: []verdict.Predicate{{Text: "x == 0", Origin: "branch", Pos: at(4)},
						{Text: "$1 > 0", Origin: "guard"}}},
				{Locations: 7, MPStates: 7},
			},
			Stats: verdict.Stats{Iterations: 6, PredicateIterations: 3, ActionIterations: 2, Splits: 5,
				ProductStates: 40, MaxProductStates: 44, Candidates: 23, SolverQueries: 1234},
		},
	}
	o.Loop.Stats.Minimization.Tests, o.Loop.Stats.Paths, o.Loop.Stats.PathBytes = 41, 6, 840
	phases := []report.Phase{{Name: "abstract data", Count: 6, Seconds: 0.0204}, {Name: "verify", Count: 6, Seconds: 1.5}}
	require.Equal(t, `c: conforms
  iterations 6: 3 refined predicates, 2 refined actions (5 splits)
  component  locations  expressions  predicates  |P|  MP states  MA states
  tx                34            5           4    2         56          9
  receiver           7            0           0    0          7          -
  P is a proven minimum for the spurious paths seen
  product states 40, at most 44
  candidate predicates 23, elimination tests 41, solver queries 1234
  paths examined 6, kept in 840 bytes
  predicates of          from    where
  tx             x == 0  branch  drain.c:4:2
  tx             $1 > 0  guard
  phase          times  elapsed
  abstract data      6  0.020 s
  verify             6  1.500 s
  all                   1.520 s
`, text(t, report.NewClaim(o, phases, 1.52, lines{}), report.Text{Stats: true, Verbose: true}))
}

// What reduction left is a column and a remark of its own.
func TestReducedStatsText(t *testing.T) {
	o := &magus.Outcome{
		Claim: "c", Verdict: magus.Conforms,
		Components: []string{"tx", "rx"},
		Loop: &verdict.Loop{
			Components: []verdict.Abstraction{{MPStates: 56, MAStates: 9, ReducedStates: 4},
				{MPStates: 7, MAStates: 3, ReducedStates: 2}},
			Stats: verdict.Stats{Iterations: 1, ProductStates: 4, MaxProductStates: 4, Parts: 1},
		},
	}
	require.Equal(t, `c: conforms
  iterations 1: 0 refined predicates, 0 refined actions (0 splits)
  component  locations  expressions  predicates  |P|  MP states  MA states  reduced
  tx                 0            0           0    0         56          9        4
  rx                 0            0           0    0          7          3        2
  product states 4, at most 4, of 1 part after reduction
  candidate predicates 0, elimination tests 0, solver queries 0
  paths examined 0, kept in 0 bytes
  phase  elapsed
  all    0.000 s
`, text(t, report.NewClaim(o, nil, 0, lines{}), report.Text{Stats: true}))
	o.Loop.Stats.Parts = 2
	require.Contains(t, text(t, report.NewClaim(o, nil, 0, lines{}), report.Text{Stats: true}),
		"product states 4, at most 4, of 2 parts after reduction\n")
}

func TestUnknownText(t *testing.T) {
	o := &magus.Outcome{Claim: "c",
		Reason: magus.Reason{Kind: verdict.Unsupported, Text: "not modelled: recursion", Place: at(3)}}
	require.Equal(t, "c: unknown\n  drain.c:3:2: not modelled: recursion\n",
		text(t, report.NewClaim(o, nil, 0, lines{}), report.Text{Quiet: true}))
}

// The shape of a path of a thousand lines fits a few: what follows each other is a range, and the middle is counted.
func TestLongPathOfADivergence(t *testing.T) {
	lines := []int{1, 2, 3, 4, 7, 8}
	for n := range 1000 {
		lines = append(lines, 10+n%3*20)
	}
	var b strings.Builder
	report.WriteDivergence(&b,
		&report.Divergence{Phase: "unroll", Steps: 1006,
			Path: []report.PathPart{{File: "a.c", Lines: append(lines, 99), Times: 1}}}, report.Text{})
	require.Contains(t, b.String(),
		"path:   the last one has 1006 steps: in a.c 1-4 7 8 10 30 50 10 30 50 10 30 50 ... 980 places more ... 50 10\n")
	require.Less(t, strings.Count(b.String(), "\n"), 5)
}

func TestEndText(t *testing.T) {
	assume := report.Remark{Place: &report.Place{File: "a.c", Line: 1, Column: 2}, Text: "f returns any value"}
	doc := &report.Check{
		Claims: []report.Claim{
			{Name: "one", Verdict: "conforms", Assumptions: []report.Remark{assume}},
			{Name: "two", Verdict: "unknown", Assumptions: []report.Remark{assume, {Text: "no pointer leaves its object"}}},
			{Name: "three", Verdict: "conforms"},
		},
		Warnings: []report.Remark{{Text: "Pump is not used"}, assume},
		Cost:     report.Resources{Seconds: 0.25, PeakMemoryBytes: 3 << 19},
	}
	tests := []struct {
		how  report.Text
		want string
	}{
		{report.Text{Quiet: true}, ""},
		{report.Text{}, `3 claims: conforms 2, unknown 1
assumed, not checked:
  a.c:1:2: f returns any value
  no pointer leaves its object
warning: Pump is not used
`},
		{report.Text{Stats: true}, `3 claims: conforms 2, unknown 1
assumed, not checked:
  a.c:1:2: f returns any value
  no pointer leaves its object
warning: Pump is not used
total 0.250 s elapsed, peak memory 1.5 MiB
`},
	}
	for _, test := range tests {
		var b strings.Builder
		require.NoError(t, report.WriteEnd(&b, doc, test.how))
		require.Equal(t, test.want, b.String())
	}
}

func TestVerdict(t *testing.T) {
	tests := []struct {
		verdicts string
		want     string
	}{
		{"", "unknown"},
		{"conforms", "conforms"},
		{"conforms unknown conforms", "unknown"},
		{"unknown violates", "violates"},
		{"violates unknown", "violates"},
		{"conforms violates", "violates"},
	}
	for _, test := range tests {
		var claims []report.Claim
		for _, v := range strings.Fields(test.verdicts) {
			claims = append(claims, report.Claim{Verdict: v})
		}
		require.Equal(t, test.want, report.Verdict(claims), test.verdicts)
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB",
		5 << 20: "5.0 MiB", 3 << 30: "3.0 GiB"} {
		require.Equal(t, want, report.Bytes(n))
	}
}

// pair is a run of two components with a joint action.
func pair() report.Claim {
	in := func(file string, line int) cfa.Pos { return cfa.Pos{File: file, Line: line, Col: 1} }
	src := lines{"tx.c": {"int n = 1;", "while (n < limit_of_everything)", "put(n);", "n++;"},
		"rx.c": {"while (more())", "int got = get();", "if (got == 1)"}}
	return report.NewClaim(&magus.Outcome{Claim: "c", Verdict: magus.Violates, Components: []string{"tx", "rx"},
		Run: &magus.Run{
			Components: []string{"tx", "rx"}, Trace: []string{"put", "bad"}, Full: []string{"put", "bad"},
			Spec: []verdict.SpecState{held}, Allowed: []string{"put"},
			Inputs: [][]verdict.Initial{nil, nil},
			Steps: []verdict.RunStep{
				{Component: 1, Pos: in("rx.c", 1), Proc: "rx", Branch: "true",
					Values: []verdict.Value{{Name: "more", Value: "1", Chosen: "more"}}},
				{Component: 0, Pos: in("tx.c", 1), Proc: "tx", Values: []verdict.Value{{Name: "n", Value: "1", Named: "ONE"}}},
				{Component: 0, Pos: in("tx.c", 2), Proc: "tx", Branch: "false"},
				{Component: 0, Joins: []int{0, 1}, Pos: in("tx.c", 3), Proc: "send", Action: "put", Spec: []verdict.SpecState{held},
					Others: []verdict.OtherStep{{Component: 1, Pos: in("rx.c", 2), Proc: "rx", Text: "get"}},
					Values: []verdict.Value{{Name: "got", Value: "1", Before: "1", Chosen: "get"}}},
				{Component: 0, Pos: in("tx.c", 4), Proc: "tx",
					Values: []verdict.Value{{Name: "n", Value: "2", Before: "1", BeforeNamed: "ONE", Named: "TWO"}}},
				{Component: 1, Pos: in("rx.c", 3), Proc: "rx", Action: "bad", Forbidden: true},
			},
		}}, nil, 0, src)
}

// TestLanes: each component has a lane, an action of several is one row across them.
func TestLanes(t *testing.T) {
	require.Contains(t, text(t, pair(), report.Text{}), `
  step  tx in tx.c                           rx in rx.c            branch  action  spec       values
     1                                       1   while (more())    true                       more = 1 (chosen: more)
     2  1   int n = 1;                                                                        n = ONE
     3  2   while (n < limit_of_everything)                        false
     4  3   send: put(n);                    2   int got = get();          put     Held       got = 1 (chosen: get, as before)
     5  4   n++;                                                                              n: ONE -> TWO
   > 6                                       3   if (got == 1)             bad     forbidden

`)
}

// TestWidth: tables keep to a width if they can; without room for lanes a column says
// who moves.
// Whatever the width, no line is wider, no word is broken, and nothing is lost; what
// there is no room for beside a row stands below it.
func TestWidth(t *testing.T) {
	for width := 130; width >= 72; width-- {
		out := text(t, pair(), report.Text{Width: width})
		for line := range strings.Lines(out) {
			require.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\n"))), width, line)
		}
		words := strings.Fields(out)
		for _, s := range pair().Counterexample.Steps {
			for _, w := range strings.Fields(s.Source) {
				require.Contains(t, words, w, "%d: %s", width, out)
			}
		}
	}
	require.Contains(t, text(t, pair(), report.Text{Width: 72}), `
   1 tx in tx.c
   2 rx in rx.c
  step  1 2  who  line  source                           branch  action
     1  | o  2    1     while (more())                   true
               more = 1 (chosen: more)
     2  o |  1    1     int n = 1;
               n = ONE
`)
}

// TestEveryWidth: whatever the names, no line is longer than the width, and all that a
// step says is there.
func TestEveryWidth(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 5))
	for range 300 {
		c := randomRun(random)
		width := 40 + random.IntN(120)
		how := report.Text{Width: width, Verbose: random.IntN(2) == 0, Stats: random.IntN(4) == 0}
		out := text(t, c, how)
		for line := range strings.Lines(out) {
			require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, "\n")), width, out)
		}
		letters := strings.Join(strings.Fields(out), "")
		for _, s := range c.Counterexample.Steps {
			if s.Action != "" && len(s.Action) < leastColumn {
				require.Contains(t, letters, s.Action, "%d: %s", width, out)
			}
		}
	}
}

// leastColumn is how narrow a column gets, so that what is shorter is in one piece.
const leastColumn = 14

// randomRun has names, lines and values of all lengths, of one component or several.
func randomRun(random *rand.Rand) report.Claim {
	name := func() string {
		return strings.Repeat("name_of_it", random.IntN(7)) + "x" + strconv.Itoa(random.IntN(10))
	}
	names := []string{name(), name() + "b", name() + "c", name() + "d", name() + "e"}[:1+random.IntN(5)]
	files := []string{name() + ".c", "src/" + name() + ".c"}[:1+random.IntN(2)]
	one := func(of []string) string { return of[random.IntN(len(of))] }
	place := func() *report.Place { return &report.Place{File: one(files), Line: 1 + random.IntN(2000), Column: 1} }
	words := func() string { return strings.TrimSpace(strings.Repeat(name()+" = ", random.IntN(6)) + name()) }
	x := &report.Counterexample{Shortest: random.IntN(2) == 0, Allowed: []string{name()}, Running: names,
		Specification: []report.SpecState{{Name: name(), Place: place()}}}
	for range random.IntN(3) {
		x.Initial = append(x.Initial, report.Initial{Component: one(names), Name: name(), Value: words(), Place: place()})
	}
	for range 1 + random.IntN(30) {
		s := report.Step{Component: one(names), Procedure: one(names), Place: place(), Source: words(),
			Branch: []string{"", "", "true", "false"}[random.IntN(4)]}
		if random.IntN(3) == 0 {
			s.Action = name()
			x.Trace = append(x.Trace, s.Action)
			s.Specification = []report.SpecState{{Name: name()}}
			for _, other := range names {
				if other != s.Component && random.IntN(3) == 0 {
					s.Others = append(s.Others, report.Other{Component: other, Place: place(), Procedure: other, Source: words()})
				}
			}
		}
		for range random.IntN(3) {
			s.Values = append(s.Values, report.Value{Name: name(), Value: name(), Before: name(), Chosen: name()})
		}
		x.Steps = append(x.Steps, s)
	}
	x.Actions = append([]string{name()}, x.Trace...)
	c := report.Claim{Name: "procedure " + names[0], Verdict: "violates", Counterexample: x,
		Because: report.Because{Reason: words(), Place: place()}}
	for _, n := range names {
		c.Components = append(c.Components,
			report.Component{Name: n, Locations: 120, MPStates: random.IntN(1_000_000),
				Chosen: []report.Predicate{{Text: words(), Origin: "branch", Place: place()}}})
		c.Coverage = append(c.Coverage, report.Coverage{Component: n, Statements: 30, Reached: 29,
			Unreached: []report.Unreached{{Place: place(), Because: report.Blocker{Text: words()}}}})
	}
	c.Divergence = &report.Divergence{Phase: "refine data", Component: names[0],
		Path:   []report.PathPart{{File: files[0], Lines: []int{1, 2, 3}, Times: 7}},
		Failed: []report.Failed{{Text: words(), Place: place()}}, Growing: [][]string{{words(), words()}},
		Advice: []report.Advice{{Text: words()}}}
	return c
}

// More components than there is room for side by side have lanes of marks, and the
// lines of all that take part in an action.
func TestManyLanes(t *testing.T) {
	c := pair()
	x := c.Counterexample
	for i := range 4 {
		name := fmt.Sprintf("w#%d", i+1)
		x.Running = append(x.Running, name)
		x.Steps = append(x.Steps,
			report.Step{Component: name, Procedure: "w", Place: &report.Place{File: "w.c", Line: i + 1},
				Source: "go();", Action: "go",
				Others: []report.Other{{Component: "rx", Procedure: "rx", Place: &report.Place{File: "rx.c", Line: 9},
					Source: "wait();"}}})
	}
	out := text(t, c, report.Text{})
	require.Contains(t, out, `
  step  1 2 3 4 5 6  component  where   procedure  source                           branch  action  spec       values
     1  | | | | | o  6 rx       rx.c:1  rx         while (more())                   true                       more = 1 (chosen: more)
`)
	require.Contains(t, out, `
     9  | | o-----o  3 w#3      w.c:3   w          go();                                    go
        | | | | | |  6 rx       rx.c:9  rx         wait();
`)
	out = text(t, c, report.Text{Width: 40}) // no room for marks: who moves is said
	require.Contains(t, out, "  step  who  line")
	require.Regexp(t, `(?m)^ +9  3    3 +go\(\);\n +6    9 +wait\(\);\n +action: go$`, out)
	require.NotContains(t, out, "o-")
}

// Fifty components on a terminal: their lanes would leave no room for what they do.
func TestMoreLanesThanColumns(t *testing.T) {
	c := pair()
	x := c.Counterexample
	for i := range 50 {
		name := fmt.Sprintf("w#%d", i+1)
		x.Running = append(x.Running, name)
		x.Steps = append(x.Steps,
			report.Step{Component: name, Procedure: "w", Place: &report.Place{File: "w.c", Line: i + 1},
				Source: "go();", Action: "go"})
	}
	out := text(t, c, report.Text{Width: 80})
	require.NotContains(t, out, "| |")
	require.Regexp(t, `(?m)^ +56  50   50 +go\(\); +go$`, out)
}

func TestPaint(t *testing.T) {
	var styles []report.Style
	paint := func(s report.Style, text string) string {
		styles = append(styles, s)
		return "\x01" + text + "\x02"
	}
	painted := text(t, pair(), report.Text{Paint: paint})
	require.Equal(t, text(t, pair(), report.Text{}), strings.NewReplacer("\x01", "", "\x02", "").Replace(painted))
	require.Contains(t, styles, report.Bad)
	require.Contains(t, styles, report.Strong)
	require.Contains(t, styles, report.Faint)
}

// TestRefusals: a chain of conditions that ask for any value is one row, if it is long.
func TestRefusals(t *testing.T) {
	chain := func(n int) string {
		o := drain()
		o.Run.Steps = nil
		for i := range n {
			o.Run.Steps = append(o.Run.Steps, verdict.RunStep{Pos: at(i + 1), Proc: "drain", Text: "nondet",
				Branch: "false", Values: []verdict.Value{{Name: "nondet", Value: "0", Chosen: "nondet"}}})
		}
		return text(t, report.NewClaim(o, nil, 0, drainSource), report.Text{})
	}
	require.Contains(t, chain(5), "1-5  1-5   ... 5 steps  nondet = 0 (chosen: nondet, 5 times)\n")
	require.Contains(t, chain(2), "     2  2     {                     false   nondet = 0 (chosen: nondet)\n")
}

// TestRounds: rounds of a loop that differ in values only share a row, but for the first and the last.
func TestRounds(t *testing.T) {
	rounds := func(n int, change func(i int, steps []verdict.RunStep)) string {
		o := drain()
		o.Run.Steps = nil
		for i := range n {
			round := []verdict.RunStep{
				{Pos: at(4), Proc: "drain", Text: "[taken != limit]", Branch: "true"},
				{Pos: at(5), Proc: "drain", Text: "taken = taken + 1;",
					Values: []verdict.Value{{Name: "taken", Value: strconv.Itoa(i + 1), Before: strconv.Itoa(i)}}},
			}
			change(i, round)
			o.Run.Steps = append(o.Run.Steps, round...)
		}
		o.Run.Steps = append(o.Run.Steps, verdict.RunStep{Pos: at(7), Proc: "drain", Text: "return 0;",
			Action: "return{other}", Forbidden: true})
		return regexp.MustCompile(`  +`).ReplaceAllString(text(t, report.NewClaim(o, nil, 0, drainSource),
			report.Text{}), "  ")
	}
	same := func(int, []verdict.RunStep) {}
	require.Contains(t, rounds(5, same), `
  1  4  while (taken != limit) {  true
  2  5  lock(); if (take()) taken++;  taken: 0 -> 1
  3-8  4,5  ... 3 rounds like these, 6 steps
  9  4  while (taken != limit) {  true
  10  5  lock(); if (take()) taken++;  taken: 4 -> 5
  > 11  7  return 0;  return{other}  forbidden
`)
	require.NotContains(t, rounds(3, same), "rounds")
	require.NotContains(t, rounds(7, func(i int, steps []verdict.RunStep) {
		if i%2 == 1 {
			steps[0].Action = "lock"
		}
	}), "rounds like", "rounds with actions are shown")
	require.Contains(t, rounds(9, func(i int, steps []verdict.RunStep) {
		steps[0].Action = map[bool]string{true: "lock"}[i == 4]
	}), "true  lock", "an action ends a stretch")
	require.Contains(t, rounds(5, func(i int, steps []verdict.RunStep) {
		if i == 1 || i == 2 {
			steps[1].Values = append(steps[1].Values, verdict.Value{Name: "seen", Value: strconv.Itoa(i)})
		}
	}), "... 3 rounds like these, 6 steps  seen = 2\n", "a value that the last round does not give is kept")
	require.Contains(t, rounds(20, func(i int, steps []verdict.RunStep) {
		steps[1].Values = append(steps[1].Values, verdict.Value{Name: fmt.Sprintf("a[%d]", i), Value: "7"})
	}), "36 steps, 12 values not shown", "many values are counted")
}

// TestLongLines: a line on which a whole program stands is not repeated for each step; the statement is shown instead.
func TestLongLines(t *testing.T) {
	long := lines{"drain.c": append([]string{}, drainSource["drain.c"]...)}
	for i := range long["drain.c"] {
		long["drain.c"][i] += strings.Repeat(" /* more */", 1000)
	}
	var statements []string
	for _, s := range report.NewClaim(drain(), nil, 0, long).Counterexample.Steps {
		require.Empty(t, s.Source)
		statements = append(statements, s.Statement)
	}
	require.NotEmpty(t, strings.Join(statements, ""))
}
