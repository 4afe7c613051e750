package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/app/report"
	"magus/internal/golden"
)

// TestMain lets the test program be its own child, as the command is.
func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		if err := child(os.Args[1:], os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fake is a runner with figures of its own making: they depend on the job's
// name and the flag's value.
type fake map[string]measurement

func (f fake) run(_ context.Context, j *job, flags ...string) measurement {
	return f[j.name+" "+flags[1]]
}

// figuresOf makes a measurement of one claim. A single component has m states
// with one level and a with two (0: level two is off).
func figuresOf(verdict string, wall time.Duration, iterations, actions, mp, ma int) measurement {
	c := report.Claim{Verdict: verdict, Components: []report.Component{{
		Name: "f", Locations: 40, Expressions: 9, Groups: 4, Chosen: make([]report.Predicate, 3), MPStates: mp, MAStates: ma,
	}}}
	c.Statistics.Eliminations, c.Statistics.Subsets, c.Statistics.Learned, c.Statistics.LargestSubset,
		c.Statistics.LargestEliminating = 10*iterations, 3*iterations, 5, 4, 2
	c.Statistics.Iterations, c.Statistics.ActionIterations, c.Statistics.ProductStates = iterations, actions, 7*mp
	if verdict == "unknown" {
		c.Reason = "time-out"
	}
	return measurement{check: &report.Check{Verdict: verdict, Claims: []report.Claim{c}}, wall: wall,
		cpu: wall / 2, peak: 12345678}
}

func newFake(paper figures, strategies ...strategy) *suite {
	return &suite{timeout: time.Minute, match: regexp.MustCompile(""), log: io.Discard, paper: paper,
		strategies: strategies, runner: fake{
			"lock: lock off":    figuresOf("conforms", 250*time.Millisecond, 4, 0, 900, 0),
			"lock: lock on":     figuresOf("conforms", 1250*time.Millisecond, 14, 10, 900, 30),
			"mutex: unlock off": figuresOf("violates", 30*time.Millisecond, 2, 0, 20, 0),
			"mutex: unlock on":  figuresOf("unknown", time.Minute, 70, 60, 20, 40),

			"handshake: server, s2 off":  figuresOf("conforms", 3*time.Second, 40, 0, 2000, 0),
			"handshake: server, s2 on":   figuresOf("conforms", 9*time.Second, 140, 101, 2000, 500),
			"handshake: server, s2 auto": figuresOf("conforms", 2*time.Second, 40, 0, 2000, 0),
			"handshake: server, s7 off":  figuresOf("conforms", time.Second, 10, 0, 300, 0),
			"handshake: server, s7 on":   figuresOf("violates", time.Second, 20, 11, 300, 400),
			"handshake: server, s7 auto": {fault: "exit status 70: magus: internal error"},

			"s3_srvr_2_true.cil.c exact":     figuresOf("conforms", 100*time.Millisecond, 14, 0, 100, 0),
			"s3_srvr_2_true.cil.c greedy":    figuresOf("unknown", 60*time.Second, 62, 0, 100, 0),
			"s3_srvr_9_true.cil.c exact":     figuresOf("conforms", 40*time.Second, 5, 0, 100, 0),
			"s3_srvr_9_true.cil.c greedy":    figuresOf("conforms", 2*time.Second, 3, 0, 100, 0),
			"s3_srvr_4_true.cil.c exact":     figuresOf("conforms", time.Second, 4, 0, 100, 0),
			"s3_srvr_4_true.cil.c enumerate": figuresOf("conforms", 3*time.Second, 4, 0, 100, 0),
			"s3_srvr_4_true.cil.c greedy":    figuresOf("conforms", 2*time.Second, 4, 0, 100, 0),
			"other.c exact":                  figuresOf("violates", time.Second, 1, 0, 100, 0),
			"other.c greedy":                 figuresOf("conforms", time.Second, 1, 0, 100, 0),
		}}
}

var paperOfTests = figures{
	minimization: figure{
		{"program": "ssl-srvr-2", "min_time": "216", "min_iter": "14", "min_pred": "5/4/2", "min_mem": "38",
			"greedy_time": "2106", "greedy_iter": "62", "greedy_pred": "8/4/3", "greedy_mem": "34"},
		{"program": "ssl-srvr-9", "min_time": "316", "min_iter": "20", "min_pred": "11/4/4", "min_mem": "x",
			"greedy_time": "*", "greedy_iter": "99", "greedy_pred": "11/4/4", "greedy_mem": "69"},
	},
	kernel: figure{{"description": "pthread_mutex_unlock (pthread)", "pred_only_states": "27",
		"pred_only_iter": "1", "pred_only_ms": "51",
		"both_states": "13", "both_iter": "2", "both_ms": "56"}},
	sequential: figure{
		{"kind": "client", "pred_only_states": "1"},
		{"kind": "server", "pred_only_states": "2"},
		{"kind": "server", "pred_only_states": "323", "pred_only_iter": "9", "pred_only_s": "134",
			"both_states": "172", "both_pred_iter": "9",
			"both_lts_iter": "307", "both_iter": "316", "both_s": "156", "gain": "1.89"},
	},
}

// Every table, with and without the paper's figures, as text and as Markdown.
func TestTables(t *testing.T) {
	locks := []*job{{name: "lock: lock", want: "conforms"}, {name: "mutex: unlock", want: "violates", key: "mutex_unlock"}}
	shakes := []*job{
		{name: "handshake: server, s2", args: []string{"server.c", "s2.spec"}, want: "conforms"},
		{name: "handshake: server, s7", args: []string{"server.c", "s7.spec"}, want: "violates"},
	}
	files := []*job{
		{name: "s3_srvr_2_true.cil.c", want: "conforms", key: "ssl-srvr-2"},
		{name: "s3_srvr_9_true.cil.c", want: "conforms", key: "ssl-srvr-9"},
		{name: "s3_srvr_4_true.cil.c", want: "conforms", key: "ssl-srvr-4"},
		{name: "other.c", want: "violates"},
	}
	ctx := context.Background()
	for name, paper := range map[string]figures{"ours": {}, "paper": paperOfTests} {
		s := newFake(paper, strategies[0], strategies[1], strategies[3])
		s.done = []*table{
			minimization(ctx, s, "Minimisation", files, &target{cpu: time.Minute, aim: time.Second, mem: 200 << 20}),
			kernel(ctx, s, locks),
			handshake(ctx, s, "Sequential", shakes, s.paper.sequential),
			reduction(ctx, s, locks),
			optimality(ctx, s, "Optimality", varied(files)),
		}
		m := machine{"2001-02-03", "Model T", 2, "go1.99", "plan/9"}
		var text, markdown bytes.Buffer
		require.NoError(t, s.begin(&text, m))
		for _, table := range s.done {
			require.NoError(t, table.write(&text, false))
		}
		require.NoError(t, s.end(&text, false))
		require.NoError(t, s.document(&markdown, m))
		golden.Equal(t, "testdata/"+name+".txt", text.String())
		golden.Equal(t, "testdata/"+name+".md", markdown.String())
		require.Equal(t, [3]int{34, 2, 5}, [3]int{s.right, s.wrong, s.unknown}, "%v", s.faults)
	}
}

// States are those of the space that decided: of the product of several
// components, of the last abstraction of a single one.
func TestStates(t *testing.T) {
	require.Equal(t, 900, summarized(figuresOf("conforms", 0, 1, 0, 900, 0)).states)
	require.Equal(t, 30, summarized(figuresOf("conforms", 0, 1, 0, 900, 30)).states)
	m := figuresOf("conforms", 0, 1, 0, 900, 30)
	c := &m.check.Claims[0]
	c.Components = append(c.Components, c.Components[0])
	require.Equal(t, 6300, summarized(m).states)
	m.check.Claims = append(m.check.Claims, m.check.Claims[0])
	r := summarized(m)
	require.Equal(t, []int{20, 6, 10}, []int{r.tests, r.subsets, r.learned})
	require.Equal(t, "10/4/2", r.sizes(), "sizes are the largest, not added up")
	require.Equal(t, []int{2, 12600, 2, 160, 36, 16, 12},
		[]int{r.claims, r.states, r.iterations, r.locations, r.expressions, r.groups, r.chosen})
}

func summarized(m measurement) *result {
	r := summarize(m)
	return &r
}

func TestCommands(t *testing.T) {
	jobs, err := commands("examples/lock/lock.c", "// magus: check lock.c lock.spec\n// want: conforms\n"+
		"// magus: check --procedure f lock.c twice.spec\n// want: violates\n// trace: a b\n\n// magus: check no.c\nint x;\n")
	require.NoError(t, err)
	require.Equal(t, []*job{
		{"examples/lock", []string{"lock.c", "lock.spec"}, "conforms", "lock: lock", "lock"},
		{"examples/lock", []string{"--procedure", "f", "lock.c", "twice.spec"}, "violates", "lock: lock (f), twice", "lock"},
	}, jobs)
	require.Equal(t, "twice", jobs[1].spec())

	_, err = commands("a/b.c", "// magus: check b.c\n")
	require.EqualError(t, err, "a/b.c: no `// want:` after `// magus: check b.c`")
}

func TestCollection(t *testing.T) {
	dir := t.TempDir()
	_, err := collection(dir)
	require.EqualError(t, err, dir+": no VERDICTS.tsv there")
	write := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "VERDICTS.tsv"), []byte(text), 0o644))
	}
	write("file\tproperty\texpected\torigin\ns3_srvr_6_true-x.cil.c\tunreach-call\ttrue\tx\n" +
		"s3_srvr_6_false-x.cil.c\tunreach-call\tfalse\ts3_srvr_1a_true.c\na.c\tunreach-label:ERR\ttrue\tx\n" +
		"b.aut\tclasses\t68\tx\n")
	jobs, err := collection(dir)
	require.NoError(t, err)
	require.Equal(t, []*job{
		{dir, []string{"--property", "unreach-call", "s3_srvr_6_true-x.cil.c"}, "conforms",
			"s3_srvr_6_true-x.cil.c", "ssl-srvr-6"},
		{dir, []string{"--property", "unreach-call", "s3_srvr_6_false-x.cil.c"}, "violates", "s3_srvr_6_false-x.cil.c", ""},
		{dir, []string{"--property", "unreach-call", "--error-label", "ERR", "a.c"}, "conforms", "a.c", ""},
	}, jobs)
	write("file\nshort\n")
	_, err = collection(dir)
	require.ErrorContains(t, err, "VERDICTS.tsv:2: 1 columns")

	for file, want := range map[string]string{
		"s3_clnt_3.cil_true-unreach-call.c": "ssl-clnt-3", "s3_srvr_10_x.c": "ssl-srvr-10",
		"s3_srvr_1a_true.c": "", "lock.c": "",
	} {
		require.Equal(t, want, paperName(file), file)
	}
}

// The repository's examples are found, in the paper's order.
func TestSelections(t *testing.T) {
	all, err := examples("../../examples")
	require.NoError(t, err)
	require.NotEmpty(t, kernels.of(all))
	require.NotEmpty(t, small.of(all))
	specs := func(js []*job) (names []string) {
		for _, j := range js {
			names = append(names, j.spec())
		}
		return names
	}
	require.Equal(t, []string{"s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "c1", "c2", "c3", "c4", "c5",
		"c6", "c7", "c8"}, specs(oneSide.of(all)))
	require.Equal(t, []string{"p01", "p02", "p03", "p04", "p05", "p06", "p07", "p08", "p09", "p10"},
		specs(bothSides.of(all)))

	_, err = examples(t.TempDir())
	require.ErrorContains(t, err, "no examples")
}

func TestPaperFigures(t *testing.T) {
	_, found, err := readFigures(filepath.Join(t.TempDir(), "nowhere"))
	require.NoError(t, err)
	require.False(t, found)

	dir := t.TempDir()
	_, _, err = readFigures(dir)
	require.ErrorIs(t, err, os.ErrNotExist)
	for _, name := range []string{"fig11_12_13.tsv", "fig16.tsv", "fig17.tsv", "fig18.tsv"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("program\tx\n"+name+"\t3\n"), 0o644))
	}
	f, found, err := readFigures(dir)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, []string{"3", ""}, cells(f.concurrent.find("program", "fig18.tsv"), "x", "y"))
	require.Nil(t, f.kernel.find("program", ""))

	require.NoError(t, os.WriteFile(filepath.Join(dir, "fig17.tsv"), []byte("a\tb\n1\n"), 0o644))
	_, _, err = readFigures(dir)
	require.ErrorContains(t, err, "fig17.tsv:2: 1 columns, the headings are 2")
}

func TestRewrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	require.NoError(t, os.WriteFile(path, []byte("before\n\n"+beginMark+"\nold\n"+endMark+"\nafter\n"), 0o644))
	for range 2 { // it can be done again
		require.NoError(t, rewrite(path, "new\n"))
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, "before\n\n"+beginMark+"\n\nnew\n\n"+endMark+"\nafter\n", string(text))
	}
	require.NoError(t, os.WriteFile(path, []byte("no marks"), 0o644))
	require.ErrorContains(t, rewrite(path, "new"), "no lines")
}

// One small example, measured for real in processes of its own.
func TestSmoke(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	readme := filepath.Join(t.TempDir(), "README.md")
	require.NoError(t, os.WriteFile(readme, []byte(beginMark+endMark), 0o644))
	var out, errs bytes.Buffer
	status := run(context.Background(), []string{"--examples", "../../examples", "--paper", "nowhere",
		"--match", "^lock: lock, imported$",
		"--tables", "minimize,kernel", "--strategies", "exact,none", "--write", readme}, program, &out, &errs)
	require.Equal(t, 0, status, "%s%s", &out, &errs)
	require.Contains(t, out.String(), "4 checks: 4 as wanted, 0 wrong, 0 undecided.")
	require.Regexp(t, `(?m)^lock: lock, imported  conforms +\d+ \| +\d+ +\d+ +\d+ \| +\d+ +\d+ +\d+ \| +\d+\.\d\d$`,
		out.String())
	require.Regexp(t, `(?m)^lock: lock, imported  exact +conforms \| \d+\.\d\d  \d+\.\d\d +\d+ +\d+ `+
		`+\d+/\d+/\d+ +[1-9]\d* +\d+ +\d+ +\d+/\d+/\d+$`, out.String())
	require.Contains(t, out.String(), "The paper's figures are not shown: there is no folder nowhere.")
	require.Contains(t, errs.String(), "lock: lock, imported  --minimize exact\n")
	text, err := os.ReadFile(readme)
	require.NoError(t, err)
	require.Contains(t, string(text), "| lock: lock, imported | conforms |")
}

// A check that ends without a report is a row like any other.
func TestFault(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	p := &processes{program: program, timeout: time.Minute, memory: "1GiB"}
	r := summarize(p.run(context.Background(), &job{dir: t.TempDir(), args: []string{"none.c", "none.spec"}}))
	require.Equal(t, "fault", r.verdict)
	require.Equal(t, "exit status 2: none.c: no such file", r.reason)

	p.program = filepath.Join(t.TempDir(), "nothing")
	r = summarize(p.run(context.Background(), &job{}))
	require.Equal(t, "fault", r.verdict)
}

func TestUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--tables=figure": `no table "figure"; there are minimize, kernel, sequential, concurrent, ` +
			`reduction, folders, optimality`,
		"--strategies=x":      `no strategy "x"; there are exact, global, enumerate, greedy, none`,
		"--match=(":           "missing closing )",
		"--examples=nowhere":  "nowhere: no examples",
		"--no":                "flag provided but not defined",
		"--tables=folders ..": "../nowhere",
	} {
		var out, errs bytes.Buffer
		arg := []string{args}
		if args == "--tables=folders .." {
			arg = []string{"--tables=folders", "../nowhere"}
		}
		require.Equal(t, 2, run(context.Background(), arg, "", &out, &errs), args)
		require.Contains(t, errs.String(), want)
	}
}
