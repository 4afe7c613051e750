package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

func TestRows(t *testing.T) {
	tasks, passed, err := rows("x/locks", "file\tproperty\texpected\tnote\na.cil.c\tunreach-call\ttrue\t\n"+
		"b.i\tunreach-call\tfalse\nc.c\tunreach-call\t?\nd.c\tno-overflow\ttrue\n")
	require.NoError(t, err)
	require.Equal(t, 2, passed)
	require.Equal(t, []task{
		{"locks-a.cil", []string{"x/locks/a.cil.c"}, "unreach-call", true},
		{"locks-b", []string{"x/locks/b.i"}, "unreach-call", false},
	}, tasks)
	_, _, err = rows("x", "file\texpected\n")
	require.EqualError(t, err, "x: the table has no column property")
}

func TestComments(t *testing.T) {
	tasks, passed := comments("e/lock/lock.c", `// magus: check lock.c lock.spec
// want: conforms
// magus: check --stats lock.c lock.spec
// want: conforms
// magus: check --property unreach-call lock.c
// want: violates
// trace: error
// magus: check lock.c hard.spec
// want: unknown

// want: conforms
`)
	require.Equal(t, 2, passed)
	require.Equal(t, []task{
		{"lock-lock-1", []string{"e/lock/lock.c", "e/lock/lock.spec"}, "conformance", true},
		{"lock-lock-3", []string{"e/lock/lock.c"}, "unreach-call", false},
	}, tasks)
}

func TestText(t *testing.T) {
	text, err := task{"n", []string{"a/x y.c", "a/z.spec"}, "conformance", false}.text("t", "ILP32")
	require.NoError(t, err)
	require.Equal(t, `format_version: '2.0'
input_files:
  - "../a/x y.c"
  - "../a/z.spec"
properties:
  - property_file: "../properties/conformance.prp"
    expected_verdict: false
options:
  language: C
  data_model: ILP32
`, text)
}

// The tasks of the examples have files that exist and properties that there are.
func TestExamples(t *testing.T) {
	tasks, passed, err := read(filepath.Join(root, "examples"))
	require.NoError(t, err)
	require.Greater(t, len(tasks), 50)
	require.Less(t, passed, 20)
	names := map[string]bool{}
	for _, task := range tasks {
		require.False(t, names[task.name], task.name)
		names[task.name] = true
		require.FileExists(t, filepath.Join(root, "contrib/benchexec/properties", task.property+".prp"))
		for _, file := range task.files {
			require.FileExists(t, file)
		}
	}
}

// The tool module does what BenchExec asks of it, of which testdata/double has the
// parts that it uses.
func TestToolModule(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	python := lookPython(t)
	magus := filepath.Join(t.TempDir(), "magus")
	run(t, "go", "build", "-o", magus, root+"/cmd/magus")
	drive := func(property string, files ...string) string {
		c := exec.Command(python,
			append([]string{"testdata/double/drive.py", magus,
				filepath.Join(root, "contrib/benchexec/properties", property+".prp")}, files...)...)
		c.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1",
			"PYTHONPATH="+strings.Join([]string{"testdata/double", filepath.Join(root, "contrib/benchexec")},
				string(filepath.ListSeparator)))
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	wrap := filepath.Join(root, "examples/assert/wrap.c")
	out := drive("unreach-call", wrap)
	require.Regexp(t, `^name magus\nversion \d\S*\nexecutable found magus\n`, out)
	require.Contains(t, out, "cmdline check --quiet --property unreach-call --data-model ILP32 --timeout 59s "+
		wrap+"\nresult false(unreach-call)\niterations None\n")
	require.Regexp(t, `cmdline check --property unreach-call --data-model ILP32 --stats --timeout 5s `+
		`\S+\nresult false\(unreach-call\)\niterations \d+\n`, out)
	require.True(t, strings.HasSuffix(out, "status 0 true\nstatus 3 unknown\nstatus 2 ERROR\n"+
		"status 70 ERROR\nstatus None ERROR\nstatus None TIMEOUT\n"), out)
	lock := filepath.Join(root, "examples/lock/")
	out = drive("conformance", filepath.Join(lock, "lock_bad.c"), filepath.Join(lock, "lock.spec"))
	require.Contains(t, out, "cmdline check --quiet --data-model ILP32 --timeout 59s ")
	require.Contains(t, out, "\nresult false\n")
}

// BenchExec itself takes the module, the benchmark and the tasks: all of the examples
// are correct. MAGUS_BENCHEXEC is the folder of its sources.
func TestBenchExec(t *testing.T) {
	sources := os.Getenv("MAGUS_BENCHEXEC")
	if sources == "" {
		t.Skip("the variable MAGUS_BENCHEXEC does not name a folder with BenchExec's sources")
	}
	python := lookPython(t)
	dir := t.TempDir()
	run(t, "go", "build", "-o", filepath.Join(dir, "bin", "magus"), root+"/cmd/magus")
	require.NoError(t, write(io.Discard, filepath.Join(dir, "tasks"), "LP64", []string{filepath.Join(root, "examples")}))
	contrib, err := filepath.Abs(filepath.Join(root, "contrib/benchexec"))
	require.NoError(t, err)
	require.NoError(t, os.CopyFS(filepath.Join(dir, "properties"), os.DirFS(filepath.Join(contrib, "properties"))))
	text, err := os.ReadFile(filepath.Join(contrib, "magus.xml"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "magus.xml"), text, 0o600))
	benchexec := func(args ...string) string {
		c := exec.Command(python, append([]string{"-m"}, args...)...)
		c.Dir = dir
		c.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH="+sources+
			string(filepath.ListSeparator)+contrib)
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	info := benchexec("benchexec.test_tool_info", "magustool.magus", "--tool-directory", "bin",
		"--no-container", "--task-definition", "tasks/lock-lock-1.yml")
	require.Contains(t, info, "lock.spec")
	result := benchexec("benchexec.benchexec", "magus.xml", "-r", "default", "--tool-directory", "bin",
		"--no-container", "--no-compress-results", "-o", "results/")
	require.Regexp(t, `incorrect: +0\n`, result)
	require.Regexp(t, `unknown: +0\n`, result)
	require.Regexp(t, `correct: +[1-9]\d+\n`, result)
}

// lookPython is the interpreter of Python 3.
func lookPython(t *testing.T) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 in PATH")
	}
	return python
}

// run runs a command.
func run(t *testing.T, name string, args ...string) {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	require.NoError(t, err, string(out))
}
