package cli_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"magus/app/cli"
	"magus/internal/sample"
)

// A svWitness is what is looked at of a witness.
type svWitness struct {
	Kind     string `yaml:"entry_type"`
	Metadata struct {
		Created string `yaml:"creation_time"`
		Task    struct {
			Hashes        map[string]string `yaml:"input_file_hashes"`
			Specification string
		}
	}
	Content []struct {
		Segment []struct {
			Waypoint struct {
				Type       string
				Action     string
				Location   svLocation
				Constraint struct{ Value string }
			}
		}
		Invariant struct {
			Type     string
			Location svLocation
			Value    string
		}
	}
}

type svLocation struct {
	File     string `yaml:"file_name"`
	Line     int
	Column   int
	Function string
}

// checkWitness is what is wrong with a text: its form, or that the target is not the last
// waypoint.
func checkWitness(t testing.TB, text string) error {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../../docs/schema/witness.schema.json")
	require.NoError(t, err)
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		return err
	}
	asJSON, err := json.Marshal(v)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(asJSON)))
	require.NoError(t, err)
	if err := schema.Validate(doc); err != nil {
		return err
	}
	var all []svWitness
	require.NoError(t, yaml.Unmarshal([]byte(text), &all))
	for _, w := range all {
		again := false
		for i, c := range w.Content {
			for k, p := range c.Segment {
				last := i == len(w.Content)-1 && k == len(c.Segment)-1
				ends := p.Waypoint.Type == "target"
				cycles := p.Waypoint.Action == "cycle"
				again = again || cycles
				if w.Kind == "violation_sequence" && (again != cycles || !again && last != ends || again && ends) {
					return fmt.Errorf("segment %d: %s", i, p.Waypoint.Type)
				}
			}
		}
	}
	return nil
}

// writeWitness checks a program and gives the witness, and its text.
func writeWitness(t *testing.T, dir, name string, flags ...string) (svWitness, string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.yml")
	w, stdout, stderr := testWorld(dir)
	w.Env = func(name string) string { return map[string]string{"SOURCE_DATE_EPOCH": "1700000000"}[name] }
	cli.Main(t.Context(), append([]string{"check", "-q", "--property", "unreach-call", "--witness", out, name},
		flags...), w)
	text, err := os.ReadFile(out)
	require.NoError(t, err, "%s%s", stdout, stderr)
	require.NoError(t, checkWitness(t, string(text)), string(text))
	var all []svWitness
	require.NoError(t, yaml.Unmarshal(text, &all))
	require.Len(t, all, 1)
	source, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	require.Equal(t, map[string]string{name: fmt.Sprintf("%x", sha256.Sum256(source))}, all[0].Metadata.Task.Hashes)
	require.Equal(t, "2023-11-14T22:13:20Z", all[0].Metadata.Created)
	return all[0], string(text)
}

// A run that goes round for ever has waypoints that are passed again and again, which stand last.
func TestWitnessOfARunForEver(t *testing.T) {
	for _, test := range []struct{ name, text, again string }{
		{"values", "int __VERIFIER_nondet_int(void);\nint main(void) {\n\tint n = __VERIFIER_nondet_int();\n" +
			"\twhile (n > 4)\n\t\tn = __VERIFIER_nondet_int();\n\treturn 0;\n}\n", "branching function_return"},
		{"a set", "int main(void) {\n\tunsigned i = 1;\n\twhile (i >= 0)\n\t\ti++;\n\treturn 0;\n}\n", "assumption"},
		{"no decision", "int main(void) {\n\tfor (;;)\n\t\t;\n}\n", "assumption"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(test.text), 0o666))
			w, text := writeWitness(t, dir, "a.c", "--property", "terminates")
			require.Equal(t, "CHECK( init(main()), LTL(F end) )", w.Metadata.Task.Specification)
			require.Contains(t, text, `format_version: "2.1"`)
			var again []string
			for _, c := range w.Content {
				if p := c.Segment[0].Waypoint; p.Action == "cycle" {
					again = append(again, p.Type)
				}
			}
			require.Equal(t, test.again, strings.Join(again, " "))
		})
	}
}

const witnessDir = "testdata/witness"

// witnessPrograms are those of the folder with a verdict.
func witnessPrograms(t *testing.T, verdict string) (names []string) {
	t.Helper()
	files, err := os.ReadDir(witnessDir)
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(witnessDir, f.Name()))
		require.NoError(t, err)
		if strings.HasPrefix(string(text), "// want: "+verdict+"\n") {
			names = append(names, f.Name())
		}
	}
	require.NotEmpty(t, names)
	return names
}

// compile compiles C and gives the program.
func compile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.c")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	msg, err := exec.Command("gcc", "-w", "-fwrapv", "-o", file+".exe", file).CombinedOutput()
	require.NoError(t, err, "%s\n%s", msg, text)
	return file + ".exe"
}

var nondet = regexp.MustCompile(`(?m)^extern (.*) (__VERIFIER_nondet_\w+)\(void\);`)

// The values of the waypoints, given to the compiled program in their order, lead to
// the error, and each place is one that the format wants.
func TestWitnessOfAViolationDrivesTheProgram(t *testing.T) {
	needGCC(t)
	for _, name := range witnessPrograms(t, "violates") {
		t.Run(name, func(t *testing.T) {
			w, _ := writeWitness(t, witnessDir, name)
			require.Equal(t, "violation_sequence", w.Kind)
			require.Equal(t, "CHECK( init(main()), LTL(G ! call(reach_error())) )", w.Metadata.Task.Specification)
			source, err := os.ReadFile(filepath.Join(witnessDir, name))
			require.NoError(t, err)
			lines := strings.Split(string(source), "\n")
			var values []string
			kinds := map[string]int{}
			for _, c := range w.Content {
				p := c.Segment[0].Waypoint
				kinds[p.Type]++
				rest := lines[p.Location.Line-1][p.Location.Column-1:]
				switch p.Type {
				case "function_return":
					require.Equal(t, ")", rest[:1])
					values = append(values, strings.TrimPrefix(p.Constraint.Value, `\result == `))
				case "branching":
					require.Regexp(t, `^(if|for|while)\b`, rest)
				case "target":
					require.Regexp(t, `^reach_error\(`, rest)
				}
			}
			require.Positive(t, kinds["function_return"])
			require.Positive(t, kinds["branching"])

			var c strings.Builder
			c.WriteString("#include <stdlib.h>\nstatic int next;\nvoid reach_error(void) { exit(42); }\n")
			for _, f := range nondet.FindAllStringSubmatch(string(source), -1) {
				fmt.Fprintf(&c, "%s %s(void) {\n  switch (next++) {\n", f[1], f[2])
				for i, v := range values {
					fmt.Fprintf(&c, "  case %d: return %s;\n", i, v)
				}
				c.WriteString("  }\n  exit(99);\n}\n")
			}
			err = exec.Command(compile(t, c.String()+string(source))).Run()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit)
			require.Equal(t, 42, exit.ExitCode())
		})
	}
}

// A failing assert is a call of what <assert.h> says, at the statement; the value in the witness makes
// the compiled program call it there.
func TestWitnessOfAnAssert(t *testing.T) {
	const head = "#include <assert.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n"
	tests := []struct {
		name, text string
		line       int
		target     string // regular expression
	}{
		{"statement", "int main(void)\n{\n  int x = __VERIFIER_nondet_int();\n  if (x > 3) {\n    " +
			"assert(x != 17);\n  }\n  return 0;\n}\n", 8, `^assert\(x != 17\);`},
		{"behind another", "int main(void)\n{\n  int x = __VERIFIER_nondet_int(); assert(x != 17);\n  " +
			"return 0;\n}\n", 6, `^assert\(x != 17\);`},
		{"of a condition", "int main(void)\n{\n  int x = __VERIFIER_nondet_int();\n  " +
			"if (x > 3) assert(x != 17); else x = 1;\n  return 0;\n}\n", 7, `^assert\(x != 17\);`},
		{"written out", "int main(void)\n{\n  int x = __VERIFIER_nondet_int();\n  " +
			"if (x == 17) __assert_fail(\"x\", \"a.c\", 1, \"main\");\n  return 0;\n}\n", 7, `^__assert_fail\(`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(head+test.text), 0o666))
			w, _ := writeWitness(t, dir, "a.c")
			require.Equal(t, "violation_sequence", w.Kind)
			require.Equal(t, "CHECK( init(main()), LTL(G ! call(__assert_fail())) )", w.Metadata.Task.Specification)
			target := w.Content[len(w.Content)-1].Segment[0].Waypoint
			require.Equal(t, [2]any{"target", test.line}, [2]any{target.Type, target.Location.Line})
			line := strings.Split(head+test.text, "\n")[target.Location.Line-1]
			require.Regexp(t, test.target, line[target.Location.Column-1:])

			value := strings.TrimPrefix(w.Content[0].Segment[0].Waypoint.Constraint.Value, `\result == `)
			needGCC(t)
			c := head + "int __VERIFIER_nondet_int(void) { return " + value + "; }\n" +
				"void __assert_fail(const char *e, const char *f, unsigned l, const char *p) { exit(42); }\n" + test.text
			var exit *exec.ExitError
			require.ErrorAs(t, exec.Command(compile(t, c)).Run(), &exit)
			require.Equal(t, 42, exit.ExitCode())
		})
	}
}

// instrument writes a program that fails where an invariant does not hold.
func instrument(t *testing.T, source string, w svWitness) string {
	t.Helper()
	lines := strings.SplitAfter(source, "\n")
	slices.Reverse(w.Content) // the last ones first, so that places stay
	for _, c := range w.Content {
		at := c.Invariant.Location
		before := len(strings.Join(lines[:at.Line-1], "")) + at.Column - 1
		text := strings.Join(lines, "")
		head, rest := text[:before], text[before:]
		holds := "__holds(" + c.Invariant.Value + ")"
		insert := func(from int, what string) { rest = rest[:from] + what + rest[from:] }
		switch {
		case strings.HasPrefix(rest, "while ("):
			insert(len("while ("), holds+" && ")
			end := strings.Index(rest, ") {")
			rest = "while (" + holds + " && (" + rest[len("while ("+holds+" && "):end] + ")" + rest[end:]
		case strings.HasPrefix(rest, "for ("):
			first := strings.IndexByte(rest, ';') + 1
			insert(first, holds+" && ")
		default:
			label := strings.IndexByte(rest, ':') + 1
			require.Equal(t, "location_invariant", c.Invariant.Type)
			insert(label, holds+";")
		}
		lines = strings.SplitAfter(head+rest, "\n")
	}
	slices.Reverse(w.Content)
	return strings.Join(lines, "")
}

// The invariants hold in random runs of the compiled program, and magus proves each again, whatever the proof
// is that they come from.
func TestWitnessOfAProofHolds(t *testing.T) {
	for _, name := range witnessPrograms(t, "conforms") {
		for _, engine := range []string{"loop", "bounded", "auto"} {
			t.Run(name+" "+engine, func(t *testing.T) {
				sample.Part(t, 4)
				if name == "forever.c" && engine != "auto" {
					t.Skip("not all runs end, and the loop needs long")
				}
				w, text := writeWitness(t, witnessDir, name, "--engine", engine)
				require.Equal(t, "invariant_set", w.Kind)
				require.NotEmpty(t, w.Content)
				source, err := os.ReadFile(filepath.Join(witnessDir, name))
				require.NoError(t, err)
				proveInvariants(t, instrument(t, string(source), w), text)
				runInvariants(t, string(source), instrument(t, string(source), w), text)
			})
		}
	}
}

// holdsInC fails where an invariant does not hold.
const holdsInC = "int __holds(int c) { if (!c) reach_error(); return 1; }\n"

// proveInvariants has magus prove what is asserted in a program.
func proveInvariants(t *testing.T, program, witness string) {
	t.Helper()
	dir := t.TempDir()
	const declared = "extern void reach_error(void);"
	proved := strings.Replace(program, declared, declared+"\n"+holdsInC, 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(proved), 0o666))
	world, stdout, _ := testWorld(dir)
	require.Zero(t, cli.Main(t.Context(), []string{"check", "--property", "unreach-call", "a.c"}, world),
		"%s\n%s", stdout, witness)
}

// runInvariants runs a program with what is asserted in it on random values.
func runInvariants(t *testing.T, source, program, witness string) {
	t.Helper()
	needGCC(t)
	var c strings.Builder
	c.WriteString("#include <stdlib.h>\nvoid reach_error(void) { exit(42); }\n" + holdsInC)
	c.WriteString("static unsigned long long state;\nstatic unsigned long long next(void) { " +
		"state = state * 6364136223846793005ull + 1442695040888963407ull; return state >> 20; }\n")
	for _, f := range nondet.FindAllStringSubmatch(source, -1) {
		fmt.Fprintf(&c, "%s %s(void) { return next() %% 3 ? next() %% 20 - 8 : next(); }\n", f[1], f[2])
	}
	c.WriteString(strings.Replace(program, "int main(void)", "static int program(void)", 1))
	c.WriteString("\nint main(int n, char **args) { state = atoi(args[1]); program(); return 0; }\n")
	exe := compile(t, c.String())
	for range 60 {
		require.NoError(t, exec.Command(exe, fmt.Sprint(rand.IntN(1<<30))).Run(), "%s\n%s", witness, program)
	}
}

// What the format does not allow is refused by the schema that the tests use.
func TestWitnessSchemaRefuses(t *testing.T) {
	_, violation := writeWitness(t, witnessDir, "sizes.c")
	_, proof := writeWitness(t, witnessDir, "loops.c", "--engine", "loop")
	tests := []struct{ of, from, to string }{
		{violation, `"violation_sequence"`, `"violation_witness"`},
		{violation, `"violation_sequence"`, `"invariant_set"`},
		{violation, `format_version: "2.0"`, `format_version: 2.0`},
		{violation, `format_version: "2.0"`, `format_version: "0.1"`},
		{violation, `uuid: "`, `uuid: "x`},
		{violation, `creation_time: "2023-11-14T`, `creation_time: "14.11.2023 `},
		{violation, `    producer:`, `    product:`},
		{violation, `      name: "magus"`, `      nom: "magus"`},
		{violation, `data_model: "LP64"`, `data_model: "64bit"`},
		{violation, `language: "C"`, `language: "C++"`},
		{violation, `type: "function_return"`, `type: "function_exit"`},
		{violation, `type: "function_return"`, `type: "target"`},
		{violation, `type: "function_return"`, `type: "branching"`},
		{violation, `action: "follow"`, `action: "avoid"`},
		{violation, `              format: "ext_c_expression"`, `              format: "c_expression"`},
		{violation, `              value: "\\result == `, `              value: "result == `},
		{violation, `type: "target"`, `type: "assumption"`},
		{violation, `              line: `, `              line: -`},
		{violation, `              file_name:`, `              file:`},
		{violation, `"sizes.c": "`, `"sizes.c": "0`},
		{proof, `"loop_invariant"`, `"invariant"`},
		{proof, `format: "c_expression"`, `format: "acsl"`},
		{proof, `            value: `, `            formula: `},
		{proof, `    - invariant:`, `    - loop_invariant:`},
	}
	for _, test := range tests {
		require.Contains(t, test.of, test.from)
		require.Error(t, checkWitness(t, strings.Replace(test.of, test.from, test.to, 1)), "%s for %s", test.to, test.from)
	}
}

// What other tools write in this format is allowed, as far as its text says.
func TestWitnessSchemaAllows(t *testing.T) {
	_, ours := writeWitness(t, witnessDir, "sizes.c")
	head, _, ok := strings.Cut(ours, "  content:\n")
	require.True(t, ok)
	require.NoError(t, checkWitness(t, head+`  content:
    - segment:
        - waypoint:
            type: assumption
            action: avoid
            location: {file_name: "a.c", line: 3}
            constraint: {value: "x > 3", format: c_expression}
        - waypoint: {type: branching, action: avoid, location: {file_name: "a.c", line: 4, column: 3}, constraint: {value: default}}
        - waypoint: {type: function_enter, action: follow, location: {file_name: "a.c", line: 5, column: 9, function: main}}
    - segment:
        - waypoint:
            type: target
            action: follow
            location: {file_name: "a.c", line: 9}
`))
}

// What a macro makes has no place of its own: a label in it says nothing of the statement before it.
func TestWitnessOfMacros(t *testing.T) {
	dir := t.TempDir()
	const text = `extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define COUNT n = 3; again: n++
#define LOOP for (int i = 0; i < 2; i++)
int main(void)
{
  int n = 0;
  COUNT;
  if (n < 6) goto again;
  LOOP { n--; }
there: n--;
  if (n > 0) goto there;
  if (n != 0) reach_error();
  return 0;
}
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(text), 0o666))
	w, _ := writeWitness(t, dir, "a.c", "--engine", "loop")
	var lines []int
	for _, c := range w.Content {
		lines = append(lines, c.Invariant.Location.Line)
	}
	require.Equal(t, []int{11}, lines)
}

// Where the format has no witness, that is said, and no file is there.
func TestNoWitness(t *testing.T) {
	tests := []struct {
		text, want string
		status     int
		flags      []string
	}{
		{"void assert(int);\nint f(void);\nint main(void) { assert(f() == 1); return 0; }\n",
			"not written: the error is no call of an error function", 1, nil},
		{"#include <assert.h>\n#undef assert\nvoid __assert(int);\n#define assert(e) ((e) ? (void)0 : __assert(0))\n" +
			"int f(void);\nint main(void) { assert(f() == 1); return 0; }\n",
			"not written: the error is no call of an error function", 1, nil},
		{"#include <assert.h>\n#include \"own.h\"\nint f(void);\nint main(void) { assert(f() == 1); return 0; }\n",
			"not written: the error is no call of an error function", 1, nil},
		{"#include <assert.h>\nint f(void);\nint main(void) { assert(f() == 1); return 0; }\n",
			"not written: the error is no call of an error function", 1, []string{"-I", "."}},
		{"#include <assert.h>\nint f(void);\nint main(void) { __assert(\"x\", \"a.c\", f()); return 0; }\n",
			"not written: the error is no call of an error function", 1, nil},
		{"int f(void);\nvoid reach_error(void);\nint main(void) { _Complex double d = 2.0 * f(); " +
			"if (d == 3) reach_error(); return 0; }\n", "not written: the verdict is unknown", 3, nil},
		{"#include <pthread.h>\nvoid reach_error(void);\nint x;\nvoid *run(void *p) { x = 1; return 0; }\n" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); if (x) reach_error(); return 0; }\n",
			"not written: the format has no witnesses for programs with threads", 1, nil},
		{"int f(void);\nvoid reach_error(void);\nint main(void) { if (f() < 0) reach_error(); return 0; }\n",
			"--witness is for calls of error functions", 2, []string{"--check-pointers"}},
	}
	for _, test := range tests {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(test.text), 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "own.h"), nil, 0o666))
		w, _, stderr := testWorld(dir)
		status := cli.Main(t.Context(),
			append([]string{"check", "--property", "unreach-call", "--witness", "out.yml", "a.c"}, test.flags...), w)
		require.Equal(t, test.status, status, test.text)
		require.Contains(t, stderr.String(), test.want, test.text)
		require.NoFileExists(t, filepath.Join(dir, "out.yml"))
	}
}
