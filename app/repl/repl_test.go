package repl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"magus"
	"magus/app/options"
	"magus/cfa/source"
	"magus/internal/golden"
	"magus/internal/sample"
	"magus/specs"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The reference page is that of the table.
func TestReference(t *testing.T) {
	const path = "../../docs/shell.md"
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), mark)
	want := Reference(string(text))
	golden.Equal(t, path, want)
}

// The table is complete and without contradictions.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Commands() {
		for _, name := range append([]string{c.Name}, c.Aliases...) {
			assert.False(t, seen[name], "%s twice", name)
			seen[name] = true
		}
		assert.Contains(t, Groups(), c.Group, c.Name)
		assert.NotEmpty(t, c.Short, c.Name)
		assert.False(t, strings.HasSuffix(c.Short, "."), c.Name)
		assert.NotNil(t, c.run, c.Name)
		for line := range strings.Lines(c.Long + "\n" + c.Example) {
			assert.LessOrEqual(t, len(line), 81, c.Name)
		}
	}
}

// memory is a host in memory, with an engine that reads the given files.
type memory struct {
	files       map[string]string
	lines       map[string][]string // of files, as they were first
	out, err    bytes.Buffer
	settings    *options.Settings
	stop        func() // interrupts the command that runs
	unspecified bool   // what is loaded has no specification
}

func (m *memory) host() Host {
	return Host{
		Out: &m.out, Err: &m.err, Engine: m,
		ReadFile: func(name string) ([]byte, error) {
			if text, ok := m.files[name]; ok {
				return []byte(text), nil
			}
			return nil, errors.New(name + ": no such file")
		},
		WriteFile:  func(name string, text []byte) error { m.files[name] = string(text); return nil },
		AppendFile: func(name string, text []byte) error { m.files[name] += string(text); return nil },
		Files: func(prefix string) []string {
			var names []string
			for name := range m.files {
				if strings.HasPrefix(name, prefix) {
					names = append(names, name)
				}
			}
			slices.Sort(names)
			return names
		},
		Home:         "/home",
		Folder:       func() string { return "/" },
		ChangeFolder: func(name string, files []string) ([]string, error) { return files, nil },
		Seconds:      func() float64 { return 0 },
		Within:       func(ctx context.Context, _ float64) (context.Context, context.CancelFunc) { return ctx, func() {} },
		Interrupt:    func(f func()) func() { m.stop = f; return func() { m.stop = nil } },
		Render: func(_ context.Context, dot []byte, format string) ([]byte, error) {
			return append([]byte(format+":"), dot...), nil
		},
		Workbench: func(context.Context, []string, map[string][]byte, io.Writer, io.Writer) int { return 0 },
	}
}

func (m *memory) Load(ctx context.Context, files []string, definitions string) (*magus.Project, []*magus.Claim, error) {
	in := magus.Input{Options: source.Options{ReadFile: func(name string) ([]byte, error) {
		if text, ok := m.files[path.Base(name)]; ok {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}}}
	for _, name := range files {
		text, ok := m.files[name]
		switch {
		case !ok:
			return nil, nil, errors.New(name + ": no such file")
		case strings.HasSuffix(name, ".c"):
			in.C = append(in.C, source.Source{Name: name, Text: []byte(text)})
		default:
			in.Specs = append(in.Specs, specs.Source{Name: name, Text: []byte(text)})
		}
	}
	if definitions != "" {
		in.Specs = append(in.Specs, specs.Source{Name: "define", Text: []byte(definitions)})
	}
	p, err := magus.Load(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	claims, err := p.Claims(magus.Selection{})
	return p, claims, err
}

func (m *memory) Unspecified() bool { return m.unspecified }

func (m *memory) Line(file string, n int) string {
	if m.lines == nil {
		m.lines = map[string][]string{}
	}
	if m.lines[file] == nil {
		m.lines[file] = strings.Split(m.files[file], "\n")
	}
	if lines := m.lines[file]; n >= 1 && n <= len(lines) {
		return lines[n-1]
	}
	return ""
}

func (m *memory) Options() magus.Options { return m.Settings().Options.Session() }

func (m *memory) Settings() *options.Settings {
	if m.settings == nil {
		m.settings = options.Standard().For(options.Shell)
	}
	return m.settings
}

// example is a host with the files of an example.
func example(t testing.TB, dir string, names ...string) *memory {
	t.Helper()
	m := &memory{files: map[string]string{}}
	if dir == "handshake" {
		names = append(names, "messages.h")
	}
	for _, name := range names {
		text, err := os.ReadFile("../../examples/" + dir + "/" + name)
		require.NoError(t, err)
		m.files[name] = string(text)
	}
	return m
}

// do types lines and gives what is printed, to either output.
func (m *memory) do(sh *Shell, lines ...string) string {
	m.out.Reset()
	m.err.Reset()
	sh.Interact(context.Background(), Pipe(strings.NewReader(strings.Join(lines, "\n"))), Mode{})
	return m.out.String() + m.err.String()
}

func TestWords(t *testing.T) {
	vars := map[string]string{"x": "7", "name": "a b", "none": ""}
	tests := []struct {
		line string
		want []string
	}{
		{"", []string{}},
		{"  step  2 # remark", []string{"step", "2"}},
		{"a#b 'c # d' \"e # f\"", []string{"a#b", "c # d", "e # f"}},
		{"expect trace b return{$0 == 2}", []string{"expect", "trace", "b", "return{$0 == 2}"}},
		{"$x ${x}y '$x' \"$x\" $0 $1", []string{"7", "7y", "$x", "7", "$0", "$1"}},
		{`"a \"b\" \\" $name`, []string{`a "b" \`, "a", "b"}},
		{`x$name-y "$name" {$name}`, []string{"xa", "b-y", "a b", "{a b}"}},
		{"a $none b", []string{"a", "b"}},
		{`"$none"`, []string{""}},
		{"a'b c'd", []string{"ab cd"}},
		{"''", []string{""}},
	}
	for _, test := range tests {
		got, err := words(test.line, func(n string) (string, bool) { v, ok := vars[n]; return v, ok })
		require.NoError(t, err, test.line)
		require.Equal(t, test.want, texts(got), test.line)
	}
	for line, want := range map[string]lineError{
		"a 'b":     {3, "a closing quote is missing"},
		"a {b c":   {3, "a closing } is missing"},
		"a b $nix": {5, "no variable nix; let nix VALUE defines one"},
		"é ${x":    {3, "a closing } is missing"},
	} {
		_, err := words(line, func(n string) (string, bool) { v, ok := vars[n]; return v, ok })
		require.Equal(t, &want, err, line)
	}
}

// What quote writes, words reads.
func TestQuote(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.StringOf(rapid.RuneFrom([]rune("ab \t'\"$#\\{}>=é\n"))), 1, 4).Draw(t, "words")
		var quoted []string
		for _, w := range all {
			quoted = append(quoted, quote(w))
		}
		got, err := words(strings.Join(quoted, " "), func(string) (string, bool) { return "", false })
		require.NoError(t, err)
		require.Equal(t, all, texts(got))
	})
}

func TestParseScript(t *testing.T) {
	nodes, err := parseScript("s", "load a\n# remark\n\n  if conforms\n echo yes\nelif violates\nelse\n "+
		"foreach x in 1 2\n  echo $x\n end\nend\ndefine\nA = STOP.\nend\nexit\n")
	require.NoError(t, err)
	require.Len(t, nodes, 4)
	require.Equal(t, position{"s", 4, 3}, nodes[1].pos)
	require.Len(t, nodes[1].arms, 3)
	require.Equal(t, "  echo $x", nodes[1].arms[2].body[0].arms[0].body[0].text)
	require.Equal(t, "\nA = STOP.\n", nodes[2].body)
	for text, want := range map[string]string{
		"end":                              "s:1:1: end without if or foreach",
		"if conforms":                      "s:1:1: if without end",
		"if conforms\nelse\nelif x\nend":   "s:3:1: elif without if",
		"if conforms\nelse\nelse\nend":     "s:3:1: else without if",
		"if conforms\nelse if\nend":        "s:2:1: else stands alone; a further condition is elif",
		"foreach x in a\nelse\nend":        "s:2:1: else without if",
		"define\nA = STOP.":                "s:1:1: define without end",
		"if x\n end 3\n":                   "s:2:2: end stands alone",
		strings.Repeat("if x\n", 200) + "": "blocks within blocks too deep",
	} {
		_, err := parseScript("s", text)
		require.ErrorContains(t, err, want, text)
	}
}

func FuzzScript(f *testing.F) {
	f.Add("load a\nif conforms\n echo 'x y'\nelse\nforeach x in 1 2\necho $x\nend\nend\ndefine\nA = STOP.\nend\n")
	f.Add("let a {b c}\necho \"$a\" return{$0 == 0}\nexpect not 1 == 2\n")
	f.Fuzz(func(t *testing.T, text string) {
		nodes, err := parseScript("s", text)
		if err != nil {
			return
		}
		if !complete(strings.Split(text, "\n")) {
			t.Fatal("parsed, but not complete")
		}
		for _, n := range nodes {
			ws, err := words(n.text, func(string) (string, bool) { return "v", true })
			for _, w := range ws {
				if w.col < 1 || w.col > len(n.text)+1 {
					t.Fatalf("column %d of %q", w.col, n.text)
				}
			}
			var l *lineError
			if err != nil && !errors.As(err, &l) {
				t.Fatal(err)
			}
		}
	})
}

func FuzzSaved(f *testing.F) {
	f.Add("magus session 1\nfile a.c\nfile 'b c.spec'\nset minimize greedy\n" +
		"claim 1 'procedure p, abstraction q'\nassume 1 '$1 > 0'\ndo step 3\ndo pred add p x == 0\n" +
		"at 'refine data'\ncomponent p 1 2 3\npredicate p 'x == 0'\nend\n")
	f.Add("magus session 2\n")
	f.Add("magus session 1\nend\nx\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseSaved("s", text)
		if err != nil {
			var e *syntaxError
			if !errors.As(err, &e) || e.pos.line < 1 || e.pos.line > strings.Count(text, "\n")+1 {
				t.Fatalf("no place: %v", err)
			}
			return
		}
		again, err := parseSaved("s", s.String())
		if err != nil {
			t.Fatalf("%v in\n%s", err, s)
		}
		require.Equal(t, s.String(), again.String())
	})
}

// A saved session that is cut off anywhere is refused with a place.
func TestSavedCutOff(t *testing.T) {
	m := example(t, "figure2", "figure2.c", "figure2.spec")
	sh := New(m.host())
	defer sh.Close()
	m.do(sh, "load figure2.c figure2.spec", "step 6", "pred add x == 1", "step", "save s")
	text := m.files["s"]
	require.NotEmpty(t, text)
	for n := range len(text) - 1 {
		_, err := parseSaved("s", text[:n])
		require.Error(t, err, text[:n])
		require.Regexp(t, `^s:\d+:\d+: `, err.Error())
	}
}

// A saved session is no script: it writes no files and runs nothing.
func TestSavedSessionsOnlyActOnThemselves(t *testing.T) {
	for _, line := range []string{"save x", "include x", "load x", "lts info x", "step 1 > x", "exit 0",
		"mp > x", "draw x.dot", "split p 0 a > x", "   "} {
		_, err := parseSaved("s", "magus session 1\nfile a.c\ndo "+line+"\nend\n")
		require.Error(t, err, line)
		require.Regexp(t, `^s:3:\d+: `, err.Error())
	}
	_, err := parseSaved("s", "magus session 1\nfile a.c\nset force true\nend\n")
	require.EqualError(t, err, "s:3:1: a saved session lets nothing be replaced")
	_, err = parseSaved("s", "magus session 1\nfile a.c\ndo pred add p x > y\ndo step 3\nend\n")
	require.NoError(t, err)
}

// A session saved by one shell and restored by another goes on to the same end.
func TestSaveAndRestore(t *testing.T) {
	for _, c := range []struct {
		name, dir string
		files     []string
		before    []string
	}{
		{"steps", "handshake", []string{"client.c", "server.c", "lib.spec", "p03.spec"}, []string{"step 17"}},
		{"acts", "figure2", []string{"figure2.c", "figure2.spec"},
			[]string{"step 2", "choose 2", "step 2", "minimize greedy", "step 3", "pred add proc y > 5"}},
		{"went back", "figure2", []string{"figure2.c", "forgets.spec"}, []string{"run", "back 3"}},
		{"assumption", "figure2", []string{"figure2.c", "figure2.spec"}, []string{"assume proc 1 == 1", "step 4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := example(t, c.dir, c.files...)
			sh := New(m.host())
			defer sh.Close()
			require.NotContains(t, m.do(sh,
				append(append([]string{"load " + strings.Join(c.files, " ")}, c.before...), "save s")...), "no ")
			where := func(m *memory, sh *Shell) string {
				return regexp.MustCompile(`(?m)^moment .*$`).ReplaceAllString(m.do(sh, "info"), "")
			}
			position := where(m, sh)
			want := m.do(sh, "run -v", "preds")

			other := New(m.host())
			defer other.Close()
			require.Contains(t, m.do(other, "restore s"), "next: ")
			require.Equal(t, position, where(m, other))
			require.Equal(t, want, m.do(other, "run -v", "preds"))
		})
	}
}

// A session that is restored has a specification, whatever was loaded before.
func TestRestoreBehindNoSpecification(t *testing.T) {
	m := example(t, "figure2", "figure2.c", "figure2.spec")
	sh := New(m.host())
	defer sh.Close()
	m.do(sh, "load figure2.c figure2.spec", "step 2", "save s")
	m.unspecified = true
	require.Contains(t, m.do(sh, "reload", "step"), "no specification is loaded")
	m.unspecified = false
	require.Contains(t, m.do(sh, "restore s"), "moment 2, next: ")
	require.NotContains(t, m.do(sh, "step"), "nothing to check")
}

// If the sources have changed, the predicates that still make sense are kept.
func TestRestoreAfterChange(t *testing.T) {
	m := example(t, "figure2", "figure2.c", "figure2.spec")
	sh := New(m.host())
	defer sh.Close()
	m.do(sh, "load figure2.c figure2.spec", "pred add y > 5", "pred add x == 0", "step", "save s")
	m.files["figure2.c"] = strings.ReplaceAll(strings.ReplaceAll(m.files["figure2.c"], "x", "z"), "z == 0", "z == 1")
	out := m.do(sh, "restore s", "preds")
	require.Contains(t, out, "the files have changed: the session begins anew")
	require.Contains(t, out, "2 predicates kept, 1 left out")
	require.Contains(t, m.do(sh, "run"), "conforms")
	// reload does the same with the present session.
	m.files["figure2.c"] = strings.ReplaceAll(m.files["figure2.c"], "y", "w")
	require.Contains(t, m.do(sh, "reload"), "left out")
}

// What is typed back and forth shows the same events.
func TestBackAndStep(t *testing.T) {
	m := example(t, "handshake", "client.c", "server.c", "lib.spec", "p03.spec")
	sh := New(m.host())
	defer sh.Close()
	m.do(sh, "load client.c server.c lib.spec p03.spec")
	first := m.do(sh, "step 200")
	end := sh.history.at
	m.do(sh, "goto 0")
	require.Equal(t, first, m.do(sh, "step 200"))
	require.Equal(t, end, sh.history.at)

	// Snapshots that were given up are made again.
	for i := range sh.history.moments {
		if i > 0 && i < end {
			sh.history.moments[i].snap = nil
		}
	}
	require.Contains(t, m.do(sh, "back 5"), "moment "+strconv.Itoa(end-5))
	m.do(sh, "goto 0")
	require.Equal(t, strings.SplitAfter(first, "\n")[0], m.do(sh, "step"))
}

// When the moments become too heavy some give up their snapshots; going to any of
// them shows the same as before.
func TestHeavyMoments(t *testing.T) {
	m := example(t, "handshake", "client.c", "server.c", "lib.spec", "p08.spec")
	sh := New(m.host())
	defer sh.Close()
	m.do(sh, "load client.c server.c lib.spec p08.spec")
	var want []string
	for range 60 {
		m.do(sh, "step")
		want = append(want, m.do(sh, "stats"))
	}
	sh.history.maxWeight = 5000
	m.do(sh, "step")
	given := 0
	for _, x := range sh.history.moments {
		if x.snap == nil {
			given++
		}
	}
	require.Greater(t, given, 20)
	for _, i := range []int{59, 3, 30, 31, 57, 1} {
		m.do(sh, "goto "+strconv.Itoa(i+1))
		require.Equal(t, want[i], m.do(sh, "stats"), i)
	}
}

// A command that is interrupted leaves the session as it was.
func TestInterrupt(t *testing.T) {
	m := example(t, "handshake", "client.c", "server.c", "lib.spec", "p03.spec")
	sh := New(m.host())
	defer sh.Close()
	m.do(sh, "load client.c server.c lib.spec p03.spec", "step 10")
	before := m.do(sh, "info")
	inner := sh.host.Interrupt
	sh.host.Interrupt = func(f func()) func() { stop := inner(f); f(); return stop }
	out := m.do(sh, "run")
	require.Contains(t, out, "interrupted during")
	sh.host.Interrupt = inner
	require.Equal(t, before, m.do(sh, "info"))
	require.Contains(t, m.do(sh, "run"), "conforms")
}

// The blocks of the last split and the counterexample are drawn red.
func TestDrawHighlights(t *testing.T) {
	m := example(t, "handshake", "client.c", "server.c", "lib.spec", "p03.spec")
	sh := New(m.host())
	defer sh.Close()
	m.do(sh, "load client.c server.c lib.spec p03.spec", "until refine events")
	require.NotEmpty(t, sh.session.View().Components[0].Splits)
	text := m.do(sh, "dot ma client")
	require.Equal(t, m.do(sh, "dot ma client"), text)
	require.Contains(t, text, `[color="red",label="block 1: 96 states`)
	require.NotContains(t, text, `color="red";label="block 0"`)
	m.do(sh, "until validate C")
	for _, object := range []string{"mp client", "mp server", "product"} {
		require.Contains(t, m.do(sh, "dot "+object+" --trace-only"), `fontcolor="red"`, object)
	}
	require.Contains(t, m.do(sh, "dot mp client"), "the drawing is an overview, with ")
	require.NotContains(t, m.do(sh, "dot mp client --all"), "overview")
	m.do(sh, "draw product x.svg")
	require.True(t, strings.HasPrefix(m.files["x.svg"], "<svg "))
	m.do(sh, "draw product --layout dot x.svg")
	require.True(t, strings.HasPrefix(m.files["x.svg"], "svg:digraph"))
}

func TestComplete(t *testing.T) {
	m := example(t, "handshake", "client.c", "server.c", "lib.spec", "p03.spec")
	sh := New(m.host())
	defer sh.Close()
	tests := func(cases map[string][]string) {
		t.Helper()
		for text, want := range cases {
			got, last := sh.Complete(text)
			require.Equal(t, want, append([]string{}, got...), text)
			require.True(t, strings.HasSuffix(text, last))
		}
	}
	tests(map[string][]string{
		"loa":                {"load"},
		"load c":             {"client.c"},
		"load ":              {"client.c", "lib.spec", "p03.spec", "server.c"},
		`load "c`:            {`client.c"`},
		`load 'cli`:          {`client.c'`},
		`load "client.c" l`:  {"lib.spec"},
		`load "my file.c" l`: {"lib.spec"},
		"load client.c l":    {"lib.spec"},
		"set mini":           {"minimize", "minimize-cost"},
		"set minimize g":     {"greedy"},
		"minimize ex":        {"exact"},
		"until refine d":     {"data"},
		"until le":           {"level"},
		"until level ":       {"action", "data"},
		"dot p":              {"points", "product"},
		"dot product --ar":   {"--around"},
		"mp ":                {},
		"nix ":               {},
		"step ":              {},
		"dot mp x > p":       {"p03.spec"},
	})
	m.do(sh, "load client.c server.c lib.spec p03.spec", "step 5")
	tests(map[string][]string{
		"mp ":                            {"client", "server"},
		"claim ":                         {"1"},
		"check ":                         {"1", "all"},
		"ma cl":                          {"client"},
		"break component s":              {"server"},
		"state client 30":                {"30", "300", "301", "302", "303", "304", "305", "306", "307", "308"},
		"block client ":                  {"0", "1"},
		"cfa server 21":                  {"21", "210"},
		"goto 4":                         {"4"},
		"split client 0 hello_r":         {"hello_request"},
		"pred a":                         {"add"},
		"pred add client @cl":            {"@client", "@client_next", "@client_unexpected"},
		"pred add client reques":         {"requested"},
		"pred add client messa":          {"message"},
		"pred add client @client_next m": {"message"},
		"pred add client @client_next r": {},
		"pred add client ret":            {"retries"},
		"lts info @m":                    {"@ma:client", "@ma:server", "@mp:client", "@mp:server"},
		"spec Client_d":                  {"Client_data"},
	})
	alone := example(t, "figure2", "figure2.c", "figure2.spec")
	one := New(alone.host())
	defer one.Close()
	alone.do(one, "load figure2.c figure2.spec", "step")
	got, _ := one.Complete("cfa 1")
	require.Equal(t, []string{"1", "10"}, got)
	got, _ = one.Complete("state proc 1")
	require.Equal(t, []string{"1", "10", "11", "12", "13", "14", "15", "16"}, got)
}
