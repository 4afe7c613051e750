package suite

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	s, err := Parse("s.toml", []byte(`files = ["a.c", "a.spec"]
[options]
timeout = "30s"
check = true

[[claim]]
name = "first"
verdict = "conforms"

[[group]]
name = "wrong"
options = { max-states = 100, timeout = "1s" }

  [[group.claim]]
  files = ["b.c", "b.spec"]
  procedure = "work"
  verdict = "violates"
  trace = ["lock", "lock"]

  [[group.claim]]
  verdict = "unknown"
  options.timeout = "2s"
`))
	require.NoError(t, err)
	require.Equal(t, &Suite{Groups: []Group{
		{Claims: []Claim{{Name: "first", Line: 6, Files: []string{"a.c", "a.spec"},
			Options: []Option{{"check", "true"}, {"timeout", "30s"}}, Verdict: "conforms"}}},
		{Name: "wrong", Claims: []Claim{
			{Line: 14, Files: []string{"b.c", "b.spec"}, Verdict: "violates", Trace: []string{"lock", "lock"},
				Options: []Option{{"check", "true"}, {"max-states", "100"}, {"procedure", "work"}, {"timeout", "1s"}}},
			{Line: 20, Files: []string{"a.c", "a.spec"}, Verdict: "unknown",
				Options: []Option{{"check", "true"}, {"max-states", "100"}, {"timeout", "2s"}}},
		}},
	}}, s)
}

func TestMistakes(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "s.toml: the suite has no claims; a claim begins with [[claim]]"},
		{"files = [\n1 2]", "s.toml:2:3: expected a comma (',') or array terminator (']'), but got '2'"},
		{"[[claim]]\nverdit = \"conforms\"", "s.toml:2:1: no key claim.verdit; did you mean verdict?"},
		{"[[group]]\nname = \"g\"\n[[group.claim]]\nfiles = [\"a.c\"]\nexpected = 1",
			"s.toml:5:1: no key group.claim.expected; there are files, name, options, procedure, specification, trace, verdict"},
		{"\n[[claim]]\nverdict = \"conforms\"", "s.toml:2:1: the claim has no files"},
		{"[[claim]]\nfiles = [\"a.c\"]", "s.toml:1:1: the claim has no verdict: conforms, violates or unknown"},
		{"[[claim]]\nfiles = [\"a.c\"]\nverdict = \"conform\"", "s.toml:3:11: no verdict conform; did you mean conforms?"},
		{"[[claim]]\nfiles = [\"a.c\"]\nverdict = \"conforms\"\ntrace = [\"a\"]", "s.toml:4:9: only a violation has a trace"},
		{"[[claim]]\nfiles = [\"a.c\"]\nverdict = \"conforms\"\noptions.timeout = 1.5",
			"s.toml:4:19: option timeout: expected a text, a number, true or false"},
		{"[[claim]]\nfiles = \"a.c\"",
			"s.toml:2:9: claim.files: expected a list of texts such as [\"a.c\", \"b.c\"], found a text"},
		{"[[group]]\n[[group.claim]]", "s.toml:1:1: a group has no name"},
		{"[[group]]\nname = \"a\"\n\n  [[group]]\n", "s.toml:4:3: a group has no name"},
		{"[[claim]]\nfiles = [\"a\"]\nverdict = \"unknown\"\n[[claim]]\nfiles = [\n\"verdict = 1\" # [[claim]]\n" +
			"]\n verdict = 3",
			"s.toml:8:12: claim.verdict: expected a text in quotes such as \"a\", found a number"},
		{"[[claim]]\nfiles = [\"a\"]\nverdict = \"unknown\"\n[[claim]]\n\"files\" = [\"é\", \"\"\"\n" +
			"verdict = 2\n\"\"\"]\nverdict = \"no\"",
			"s.toml:8:11: no verdict no; there are conforms, violates, unknown"},
		{"[[claim]]\nfiles = [1]", "s.toml:2:9: claim.files: expected a text in quotes such as \"a\", found a number"},
		{"claim = [{files = [\"a\"]}]", "s.toml: the claim has no verdict: conforms, violates or unknown"},
		{"[[claims]]\nfiles = [\"a\"]", "s.toml:1:1: no key claims; did you mean claim?"},
		{"options = 3", "s.toml:1:11: options: expected a table with keys"},
		{"[options]\nx = [1]\n[[claim]]\nfiles = [\"a\"]\nverdict = \"unknown\"",
			"s.toml:3:1: option x: expected a text, a number, true or false"},
		{"a = ü", "s.toml:1:5: expected value but found \"ü\" instead"},
	}
	for _, test := range tests {
		_, err := Parse("s.toml", []byte(test.text))
		require.EqualError(t, err, test.want, test.text)
	}
}

// Whatever the text, there is a suite or an error that names the file.
func FuzzParse(f *testing.F) {
	f.Add("files = [\"a.c\"]\n[[claim]]\nverdict = \"conforms\"\n[[group]]\nname=\"g\"\n[[group.claim]]\n" +
		"verdict = \"violates\"\ntrace = [\"a\"]\noptions.x = 1")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("s.toml", []byte(text))
		if err != nil {
			require.Regexp(t, `^s\.toml`, err.Error())
			return
		}
		require.NotEmpty(t, s.Groups)
	})
}
