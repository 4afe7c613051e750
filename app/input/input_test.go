package input_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"magus/app/input"
	"magus/cfa"
	"magus/cfa/source"

	"github.com/stretchr/testify/require"
)

// folder is a folder with the given files, by name.
func folder(t *testing.T, files map[string]string) input.Dir {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return input.Dir(dir)
}

func TestRead(t *testing.T) {
	dir := folder(t, map[string]string{"a.c": "\ufeffint a;\r\nint b;\n", "sub/b.C": "int c;",
		"a.spec": "A = STOP.", "sub/inc.h": "int inc;\nint more;", "far/x.h": "int x;"})
	p, err := input.Read(dir, input.Settings{IncludeDirs: []string{"inc"}, Defines: []string{"A=1"},
		Undefs: []string{"B"}}, []string{"a.c", "a.spec", "sub/b.C"})
	require.NoError(t, err)
	require.Equal(t, []source.Source{{Name: "a.c", Text: []byte("int a;\r\nint b;\n")},
		{Name: "sub/b.C", Text: []byte("int c;")}}, p.C)
	require.Equal(t, "a.spec", p.Specs[0].Name)
	require.Equal(t, cfa.LP64, p.Options.Model)
	require.Equal(t, []string{"inc"}, p.Options.IncludeDirs)
	require.Equal(t, "int a;", p.Sources.Line("a.c", 1))
	require.Empty(t, p.Sources.Line("a.c", 0))
	require.Empty(t, p.Sources.Line("a.c", 9))

	// Headers beside the files, and nowhere else; their lines are known then.
	require.Empty(t, p.Sources.Line("sub/inc.h", 2))
	text, err := p.Options.ReadFile("sub/inc.h")
	require.NoError(t, err)
	require.Equal(t, "int inc;\nint more;", string(text))
	require.Equal(t, "int more;", p.Sources.Line("sub/inc.h", 2))
	_, err = p.Options.ReadFile("sub/none.h")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.Symlink("/etc/passwd", dir.Path("sub/link.h")))
	for name, want := range map[string]string{
		"../x.h":     "lies outside of the working directory",
		"sub":        "sub is no regular file",
		"sub/link.h": "sub/link.h is a link that leads outside of",
	} {
		_, err := p.Options.ReadFile(name)
		require.ErrorContains(t, err, want)
	}
	stands := func(name string) input.Standing {
		return input.Standing{Kind: "file", At: name, Folder: filepath.Dir(name)}
	}
	require.Equal(t, []input.Text{
		{"a.c", []byte("int a;\r\nint b;\n"), stands("a.c")}, {"a.spec", []byte("A = STOP."), stands("a.spec")},
		{"sub/b.C", []byte("int c;"), stands("sub/b.C")}, {"sub/inc.h", []byte("int inc;\nint more;"), stands("sub/inc.h")},
	}, p.Sources.Texts())
}

// All mistakes are told at once, each in one line.
func TestMistakes(t *testing.T) {
	dir := folder(t, map[string]string{"a.c": "int a;", "empty.c": "", "latin1.spec": "A = STOP.\n// caf\xe9\n",
		"latin1.c": "// caf\xe9\n", "d.c/x": ""})
	_, err := input.Read(dir, input.Settings{}, []string{"none.c", "a.c", "./a.c", "a.o", "empty.c",
		"latin1.spec", "latin1.c", "d.c", "."})
	var mistake *input.Error
	require.ErrorAs(t, err, &mistake)
	require.Equal(t, `none.c: no such file
./a.c: named twice
a.o: neither C (.c, .i, .pp, .h) nor a specification (.spec)
empty.c: empty file
latin1.spec:2:7: not UTF-8: byte 0xe9 at offset 16
d.c: is a directory: name its files, or take a compilation database by -p
.: is a directory: name its files, or take a compilation database by -p`, mistake.Message)
}

// The lines of a preprocessed file have the places that its markers give them.
func TestPreprocessed(t *testing.T) {
	dir := folder(t, map[string]string{"a.i": "# 7 \"src/a.c\"\nif (x >\n# 7 \"src/a.c\"\n   y)\n return;\n"})
	p, err := input.Read(dir, input.Settings{}, []string{"a.i"})
	require.NoError(t, err)
	require.True(t, p.C[0].Preprocessed)
	require.Equal(t, "if (x > y)", p.Sources.Line("src/a.c", 7))
	require.Equal(t, "return;", p.Sources.Line("src/a.c", 8))
	require.Equal(t, "if (x >", p.Sources.Line("a.i", 2))
}

func TestDatabase(t *testing.T) {
	dir := folder(t, map[string]string{
		"src/a.c": "int a;", "src/b.c": "int b;", "src/n.c": "int n;",
		"build/compile_commands.json": `[
{"directory": ".", "file": "../src/a.c", "command": "cc -I../inc -DA=1 -UB -include ../inc/first.h -std=c99 -c ../src/a.c"},
{"directory": ".", "file": "../src/b.c", "command": "cc -c ../src/b.c"},
{"directory": ".", "file": "../src/a.cpp", "command": "c++ -c ../src/a.cpp"},
{"directory": ".", "file": "../src/start.s", "command": "cc -c ../src/start.s"}]`,
		"narrow.json": `[{"directory": ".", "file": "src/n.c", "command": "cc -m32 -c src/n.c"}]`,
	})
	p, err := input.Read(dir, input.Settings{CompileCommands: "build"}, nil)
	require.NoError(t, err)
	require.Equal(t, []source.Source{
		{Name: "src/a.c", Text: []byte("int a;"), IncludeDirs: []string{"inc"}, Defines: []string{"A=1"},
			Undefs: []string{"B"}, Includes: []string{"inc/first.h"}, Std: "c99"},
		{Name: "src/b.c", Text: []byte("int b;")},
	}, p.C)
	p, err = input.Read(dir, input.Settings{CompileCommands: "build/compile_commands.json"}, []string{"src/b.c"})
	require.NoError(t, err)
	require.Len(t, p.C, 1)
	p, err = input.Read(dir, input.Settings{CompileCommands: "narrow.json"}, nil)
	require.NoError(t, err)
	require.Equal(t, cfa.ILP32, p.Options.Model)
	wide := cfa.LP64
	p, err = input.Read(dir, input.Settings{CompileCommands: "narrow.json", Model: &wide}, nil)
	require.NoError(t, err)
	require.Equal(t, cfa.LP64, p.Options.Model)
	_, err = input.Read(dir, input.Settings{CompileCommands: "narrow.json"}, []string{"src/b.c"})
	require.EqualError(t, err, "src/b.c: not compiled in narrow.json; give it without, with -I and -D")
}

// Of several commands for a file the first that can be read counts, with a note,
// or those that write what is named.
func TestCompiledTwice(t *testing.T) {
	dir := folder(t, map[string]string{"a.c": "int a;", "b.c": "int b;", "db.json": `[
{"directory": ".", "file": "a.c", "command": "cc @rsp a.c"},
{"directory": ".", "file": "a.c", "command": "cc -DX=1 -c a.c -o one.p/a.o"},
{"directory": ".", "file": "b.c", "command": "cc -c b.c -o one.p/b.o"},
{"directory": ".", "file": "./a.c", "command": "cc -DX=2 -c a.c", "output": "two.p/a.o"},
{"directory": ".", "file": "b.c", "command": "cc -O2 -c b.c -o two.p/b.o"}]`})
	for _, c := range []struct {
		output string
		names  []string
		want   string // the macro of a.c
		note   string
	}{
		{"", nil, "X=1", "a.c is read as it is compiled here, with --output one.p/a.o; line 2 compiles it in another way"},
		{"one", nil, "X=1", ""},
		{"two", nil, "X=2", ""},
		{"two.p/a.o", nil, "X=2", ""},
		{"two.p", []string{"a.c"}, "X=2", ""},
	} {
		p, err := input.Read(dir, input.Settings{CompileCommands: "db.json", Output: c.output}, c.names)
		require.NoError(t, err, c.output)
		require.Equal(t, []string{c.want}, p.C[0].Defines, c.output)
		if c.note == "" {
			require.Empty(t, p.Notes)
			require.Empty(t, p.Targets)
			continue
		}
		require.Len(t, p.Notes, 1)
		require.Equal(t, c.note, p.Notes[0].Text)
		require.Equal(t, cfa.Pos{File: "db.json", Line: 3, Col: 1}, p.Notes[0].Pos)
		require.Equal(t, []string{"one", "two"}, p.Targets)
	}
	p, err := input.Read(dir, input.Settings{CompileCommands: "db.json", Output: dir.Absolute("two.p/a.o")}, nil)
	require.NoError(t, err)
	require.Len(t, p.C, 1)
	_, err = input.Read(dir, input.Settings{CompileCommands: "db.json", Output: "three"}, nil)
	require.EqualError(t, err, "db.json: no C file is compiled into three; there are the targets one, two")
	_, err = input.Read(dir, input.Settings{CompileCommands: "db.json", Output: "two.p/a.o"}, []string{"b.c"})
	require.EqualError(t, err, "b.c: not compiled into two.p/a.o in db.json; give it without, with -I and -D")

	// All mistakes are told at once.
	dir = folder(t, map[string]string{"a.c": "int a;", "b.c": "int b;", "c.c": "int c;", "db.json": `[
{"directory": ".", "file": "a.c", "command": "cc @rsp a.c"},
{"directory": ".", "file": "b.c", "command": "cc -imacros m.h b.c"}]`})
	_, err = input.Read(dir, input.Settings{CompileCommands: "db.json"}, []string{"a.c", "b.c", "c.c"})
	require.EqualError(t, err, "db.json:2: a.c: the response file @rsp: no such file\n"+
		"db.json:3: b.c: -imacros m.h is not modelled\nc.c: not compiled in db.json; give it without, with -I and -D")

	// A file whose entry cannot be used is told so.
	dir = folder(t, map[string]string{"a.c": "int a;", "b.c": "int b;", "db.json": `[
{"directory": ".", "file": "a.c", "command": "cc a.c"},
{"directory": ".", "file": "b.c", "command": 7}]`})
	_, err = input.Read(dir, input.Settings{CompileCommands: "db.json"}, []string{"b.c"})
	require.EqualError(t, err, "db.json:3: the entry of b.c cannot be used: \"command\" is a number, "+
		"not a string; give it without, with -I and -D")
}

func TestDir(t *testing.T) {
	dir := folder(t, map[string]string{"sub/one": "", "sub/.hidden": "", "sub/only/x": "", "other": ""})
	for prefix, want := range map[string][]string{
		"":       {"other", "sub/"},
		"sub/o":  {"sub/one", "sub/only/"},
		"sub/.":  {"sub/.hidden"},
		"none/x": nil,
	} {
		require.Equal(t, want, dir.Names(prefix), prefix)
	}
	require.Equal(t, filepath.Join("sub", "one"), dir.Short(dir.Absolute("sub/one")))
	require.Equal(t, "/etc/passwd", dir.Short("/etc/passwd"))
	require.True(t, dir.IsDir("sub"))
	require.False(t, dir.IsDir("other"))
	require.True(t, strings.HasPrefix(dir.Absolute("x"), string(dir)))
}

func TestNamed(t *testing.T) {
	_, err := input.Dir(t.TempDir()).Read("none")
	require.EqualError(t, input.Named("none", err), "none: no such file")
	mistake := input.Errorf("a.c:1:1: as it is")
	require.Same(t, mistake, input.Named("b", mistake))
	require.NoError(t, input.Named("b", nil))
}

// Whatever the files are, reading them ends with a program or a message.
func FuzzRead(f *testing.F) {
	f.Add("# 1 \"a.c\"\nint x;\n", "[{\"directory\": \".\", \"file\": \"a.i\", \"command\": \"cc -c a.i\"}]")
	f.Add("# 99999999999999999999 \"\\\n#", "[]")
	f.Fuzz(func(t *testing.T, text, commands string) {
		dir := folder(t, map[string]string{"a.i": text, "compile_commands.json": commands})
		for _, s := range []input.Settings{{}, {CompileCommands: "."}} {
			p, err := input.Read(dir, s, []string{"a.i"})
			if err != nil {
				require.NotEmpty(t, err.Error())
				continue
			}
			require.Len(t, p.C, 1)
			for n := range 1 + strings.Count(text, "\n") {
				_ = p.Sources.Line("a.i", n)
			}
		}
	})
}
