package project_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"magus/app/project"
)

func TestParse(t *testing.T) {
	s, err := project.Parse("magus.toml", []byte(`# remarks
[rules]
files = ["a.c", "b.c"]
rule = [
	"file",
	"memory", # why
]
function-timeout = "10s"
verbose = true
array-limit = 3
define = []
`))
	require.NoError(t, err)
	require.Equal(t, &project.Settings{Files: []string{"a.c", "b.c"}, Options: []project.Option{
		{"rule", []string{"file", "memory"}, 4}, {"function-timeout", []string{"10s"}, 8}, {"verbose", []string{"true"}, 9},
		{"array-limit", []string{"3"}, 10}, {"define", []string{}, 11}}}, s)
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "magus.toml:1: no settings: they stand below [rules]",
		"\nrule = 1\n":                   "magus.toml:2: no key rule; did you mean rules?; the settings stand below [rules]",
		"[rules]\n\n[other]\na = 1\n":    "magus.toml:3: no key other; the settings stand below [rules]",
		"[rules]\nmalloc.x = 3\n":        "magus.toml: no option malloc.x: a key is one word",
		"rules = 3":                      "magus.toml:1: rules is a table: [rules]",
		"[[rules]]\na = 1":               "magus.toml:1: rules is a table: [rules]",
		"[rules]\nrule = [1.5]\n":        "magus.toml:2: rule: expected a text, a number, true, false, or a list of texts",
		"[rules]\nx = 1\nx = 2\n":        "magus.toml:3: Key 'rules.x' has already been defined.",
		"[rules]\n[rules.x]\ny = 1\n":    "magus.toml:2: x: expected a text, a number, true, false, or a list of texts",
		"[rules]\nfiles = [\"a.c\"\nx=1": "magus.toml:3: expected a comma (',') or array terminator (']'), but got 'x'",
	} {
		_, err := project.Parse("magus.toml", []byte(text))
		require.EqualError(t, err, want, text)
	}
}

// What is written is read again, whatever names files have.
func TestText(t *testing.T) {
	text := project.Text(project.Proposal{CompileCommands: `build "x"\y` + "\t", Output: "lib",
		Files:   []string{"a.c", "ü.spec"},
		Include: []string{"inc"}, Define: []string{`A="1"`}, Undefine: []string{"B"},
		Rules: []project.Rule{{"file", "Streams are closed; yes.", 3}, {"own", "", 1}}, Baseline: "known.txt"})
	s, err := project.Parse("magus.toml", []byte(text))
	require.NoError(t, err, text)
	require.Equal(t, []string{"a.c", "ü.spec"}, s.Files)
	values := map[string][]string{}
	for _, o := range s.Options {
		values[o.Name] = o.Values
	}
	require.Equal(t, map[string][]string{"compile-commands": {`build "x"\y` + "\t"}, "output": {"lib"}, "include": {"inc"},
		"define": {`A="1"`}, "undefine": {"B"}, "rule": {"file", "own"}, "baseline": {"known.txt"},
		"function-timeout": {"1m"}, "timeout": {"30m"}}, values)
	require.Contains(t, text, "\t\"file\",                  # 3 functions: Streams are closed\n")
}

func TestFind(t *testing.T) {
	const deep = "/home/repo/src/deep"
	for _, test := range []struct {
		files []string
		want  string
	}{
		{nil, ""},
		{[]string{"/magus.toml"}, "/magus.toml"},
		{[]string{"/magus.toml", "/home/magus.toml"}, "/home/magus.toml"},
		{[]string{"/home/magus.toml", "/home/repo/.git"}, ""},
		{[]string{"/home/magus.toml", "/home/repo/.git", "/home/repo/magus.toml"}, "/home/repo/magus.toml"},
		{[]string{"/home/repo/magus.toml", "/home/repo/src/magus.toml"}, "/home/repo/src/magus.toml"},
	} {
		there := func(path string) bool { return slices.Contains(test.files, path) }
		path, ok := project.Find(deep, there, there)
		require.Equal(t, test.want, path, test.files)
		require.Equal(t, test.want != "", ok)
	}
}

// The workflow is YAML, whichever way compile commands are made, and so is the step that it takes.
func TestWorkflow(t *testing.T) {
	for steps, want := range map[string]int{
		"":                                    3,
		project.Steps(true, true, "build"):    4,
		project.Steps(false, true, "a \"b\""): 4,
	} {
		var w struct {
			Jobs struct {
				Rules struct{ Steps []map[string]any }
			}
		}
		text := project.Workflow(steps)
		require.NoError(t, yaml.Unmarshal([]byte(text), &w), text)
		require.Len(t, w.Jobs.Rules.Steps, want)
		require.NotContains(t, text, "STEPS")
	}
	action, err := os.ReadFile("../../contrib/github-action/action.yml")
	require.NoError(t, err)
	var a struct{ Inputs map[string]map[string]any }
	require.NoError(t, yaml.Unmarshal(action, &a))
	for _, name := range []string{"command", "arguments", "undecided", "sarif"} {
		require.Contains(t, a.Inputs, name)
	}
}

// FuzzParse: whatever the text, it is read or the message names the file, and settings have lines of it.
func FuzzParse(f *testing.F) {
	f.Add("[rules]\nfiles = [\"a.c\"]\nrule = [\n\t\"file\", # why\n]\nfunction-timeout = \"10s\"\nverbose = true\n")
	f.Add("[rules]\narray-limit = 3\ndefine = []\n[rules.x]\ny = {a = 1979-05-27}\n")
	f.Add("rules = [[1, 2.5e3]]\n\"\\u0041\" = '''\n'''\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := project.Parse("magus.toml", []byte(text))
		if err != nil {
			require.Regexp(t, `^magus\.toml(:[1-9][0-9]*)?: `, err.Error())
			return
		}
		for _, o := range s.Options {
			require.Positive(t, o.Line)
			require.LessOrEqual(t, o.Line, strings.Count(text, "\n")+1)
		}
	})
}
