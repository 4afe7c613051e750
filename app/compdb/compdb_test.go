package compdb_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/app/compdb"
	"magus/internal/sample"
)

const pump = `[
  {"directory": "/b", "command": "cc -I../inc -D'A=(1, 2)' -DB=\"x y\" -o a.o a.c", "file": "a.c", "output": "a.o"},

  {"directory": "sub", "arguments": ["cc", "-c", "my file.c"], "command": "ignored \"", "file": "my file.c"}
]
`

func TestParse(t *testing.T) {
	got, err := compdb.Parse([]byte(pump))
	require.NoError(t, err)
	require.Equal(t, []compdb.Command{
		{"/b", "a.c", []string{"cc", "-I../inc", "-DA=(1, 2)", "-DB=x y", "-o", "a.o", "a.c"}, "a.o", 2, nil},
		{"sub", "my file.c", []string{"cc", "-c", "my file.c"}, "", 4, nil},
	}, got)
	got, err = compdb.Parse([]byte(" []\n"))
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestOutputs(t *testing.T) {
	for _, c := range []struct {
		entry, output, target string
		writes, not           []string
	}{
		{`"command": "cc -c a.c -o obj/a.o", "output": "x/obj/a.o"`, "x/obj/a.o", "",
			[]string{"a.o", "obj/a.o", "x", "x/obj", "./x/obj/a.o", "obj/"}, []string{"", ".", "o", "x/a.o", "b/x/obj/a.o"}},
		{`"command": "cc -oobj/a.o -c a.c"`, "obj/a.o", "", []string{"obj"}, []string{"bj"}},
		{`"arguments": ["cc", "-o", "-odd.o", "-c", "a.c"]`, "-odd.o", "", []string{"-odd.o"}, []string{"dd.o"}},
		{`"command": "cc -c a.c -o"`, "", "", nil, []string{"a.c", "", "a.o"}},
		{`"command": "cc -c a.c -o CMakeFiles/server.dir/src/a.c.o"`, "CMakeFiles/server.dir/src/a.c.o",
			"server", []string{"server", "server.dir", "server.dir/src", "a.c.o"}, []string{"serve", "client"}},
		{`"command": "cc -c a.c -o lib/libutil.a.p/a.c.o"`, "lib/libutil.a.p/a.c.o", "libutil.a",
			[]string{"libutil.a", "lib"}, []string{"libutil"}},
		{`"command": "cc -c a.c -o x.dir/.p/a.o"`, "x.dir/.p/a.o", "", []string{"x.dir"}, []string{"x"}},
	} {
		got, err := compdb.Parse([]byte(`[{"directory": ".", "file": "a.c", ` + c.entry + `}]`))
		require.NoError(t, err)
		require.Equal(t, c.output, got[0].Output)
		require.Equal(t, c.target, got[0].Target(), c.entry)
		for _, name := range c.writes {
			require.True(t, got[0].Writes(name), "%s: %s", c.entry, name)
		}
		for _, name := range c.not {
			require.False(t, got[0].Writes(name), "%s: %s", c.entry, name)
		}
	}
}

// An entry that is not as it must be leaves the others as they are.
func TestBadEntries(t *testing.T) {
	for _, c := range []struct {
		text string
		line int
		want string
	}{
		{"[\n{\"file\": 3}]", 2, `"file" is a number, not a string`},
		{"[{}]", 1, `the entry has no "file"`},
		{"[\n{\"file\": \"a.c\"}]", 2, `the entry of a.c has no "directory"`},
		{"[\n\n{\"file\": \"a.c\", \"directory\": \".\"}]", 3, `the entry of a.c has neither "arguments" nor "command"`},
		{`[{"file": "a.c", "directory": ".", "command": "cc 'x"}]`, 1, "the command of a.c: a quote is not closed"},
		{`[{"file": "a.c", "directory": ".", "command": "cc \\"}]`, 1, "the command of a.c: ends in a backslash"},
		{`["no object"]`, 1, "an entry is an object, not a JSON string"},
	} {
		good := `{"file": "good.c", "directory": ".", "command": "cc good.c"}`
		got, err := compdb.Parse([]byte(strings.TrimSuffix(c.text, "]") + ",\n" + good + "]"))
		require.NoError(t, err, c.text)
		require.Len(t, got, 2)
		require.EqualError(t, got[0].Err, c.want, c.text)
		require.Equal(t, c.line, got[0].Line, c.text)
		require.NoError(t, got[1].Err)
		require.Equal(t, "good.c", got[1].File)
	}
}

func TestBadDatabases(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "1: the file ends within the array"},
		{"[", "1: the file ends within the array"},
		{"[\n{\"file\": \"a.c\"", "2: the file ends within the array"},
		{"{}", "1: a compilation database is a JSON array of objects"},
		{"\n3", "2: a compilation database is a JSON array of objects"},
		{"[\n\n{\"file\" \"a\"}]", `3: invalid character '"' after object key`},
		{"[]\n[]", "2: something follows the array"},
	} {
		_, err := compdb.Parse([]byte(c.text))
		require.EqualError(t, err, c.want, c.text)
	}
}

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		args string
		want compdb.Settings
	}{
		{"cc -c a.c -o a.o -O2 -Wall", compdb.Settings{}},
		{"cc -Ia -I b -iquote c -isystem d -idirafter e -iquotef",
			compdb.Settings{IncludeDirs: []string{"c", "f", "a", "b", "d", "e"}}},
		{"cc -DA -D B=2 -DC= -DF(x)=x", compdb.Settings{Defines: []string{"A=1", "B=2", "C=", "F(x)=x"}}},
		{"cc -DA=1 -UB -UA -DB=2 -DC -DC=3", compdb.Settings{Undefs: []string{"A"}, Defines: []string{"B=2", "C=3"}}},
		{"cc -MF -DNO -o -DNO --param -DNO -Xlinker -DNO -DYES", compdb.Settings{Defines: []string{"YES=1"}}},
		{"cc -include a.h -includeb.h", compdb.Settings{Includes: []string{"a.h", "b.h"}}},
		{"cc -Wp,-DA,-UB,-MD,x.d", compdb.Settings{Defines: []string{"A=1"}, Undefs: []string{"B"}}},
		{"cc -m32", compdb.Settings{Bits: 32}},
		{"cc -m32 -m64 -xc++", compdb.Settings{Bits: 64, Language: "c++"}},
		{"cc -ansi -std=gnu17", compdb.Settings{Std: "gnu17"}},
		{"cc -ansi", compdb.Settings{Std: "c90"}},
	} {
		got, err := compdb.Command{Arguments: strings.Fields(c.args)}.Settings()
		require.NoError(t, err)
		require.Equal(t, c.want, got, c.args)
	}
	for args, want := range map[string]string{
		"cc -I":                  "-I is followed by nothing",
		"cc @flags.rsp":          "the response file @flags.rsp is not read",
		"cc -imacros m.h":        "-imacros m.h is not modelled",
		"cc -funsigned-char a.c": "-funsigned-char is not modelled",
		"cc -include-pch a.pch":  "-include-pch is not modelled",
	} {
		_, err := compdb.Command{Arguments: strings.Fields(args)}.Settings()
		require.EqualError(t, err, want)
	}
}

// TestSplitIsTheShells: the shell takes quoted words apart in the same way.
func TestSplitIsTheShells(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell")
	}
	sample.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"a", "-D", "=", " ", "\t", `\ `, `\'`, `\"`, `\\`, `\a`, "'a b'",
			"'\"'", `'\'`, `"a b"`, `"\""`, `"\a'"`, `"\\"`, `''`, `""`, "/x.c"})
		command := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "")
		got, err := compdb.Split(command)
		require.NoError(t, err)
		out, err := exec.Command("sh", "-c", `for w in `+command+"\ndo printf '%s|' \"$w\"; done").Output()
		require.NoError(t, err)
		want := strings.Split(string(out), "|")
		require.Equal(t, append([]string{}, want[:len(want)-1]...), append([]string{}, got...), "%s", command)
	})
}

func FuzzParse(f *testing.F) {
	f.Add(pump)
	f.Add(`[{"directory": ".", "command": "cc -Wp,-D,-U -std= -x '' -I\\\n \"a\\\n$b\" @", "file": "a"}]`)
	f.Fuzz(func(t *testing.T, text string) {
		commands, err := compdb.Parse([]byte(text))
		if err != nil {
			require.Regexp(t, `^\d+: `, err.Error())
			return
		}
		last := 1
		for _, c := range commands {
			require.GreaterOrEqual(t, c.Line, last)
			last = c.Line
			if s, err := c.Settings(); err == nil {
				for _, u := range s.Undefs {
					require.NotContains(t, s.Defines, u+"=1")
				}
			}
		}
		require.LessOrEqual(t, last, strings.Count(text, "\n")+1)
	})
}
