//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// TestStrangeFiles: whatever a file is, it is read or refused, in one line.
func TestStrangeFiles(t *testing.T) {
	dir := t.TempDir()
	for i, c := range []struct {
		name, text, file, args string
		status                 int
		says                   string
	}{
		{"CRLF and byte order mark", "\ufeffint main(void)\r\n{\r\n\treturn 0; // \\\r\n\r\n}", "crlf.c",
			"check --property unreach-call", 0, "conforms"},
		{"no newline at the end", "int main(void) { return 0; } //", "end.c", "check --property unreach-call", 0, "conforms"},
		{"Latin-1", "// caf\xe9\nint main(void) { if (sizeof \"\xe9\xe9\" != 3) reach_error(); return 0; }",
			"latin1.c", "check --json --property unreach-call", 0, "conforms"},
		{"Latin-1 in a violation", "void f(char);\nint main(void) { if (\"\xe9\"[0] + 23 == 0) reach_error(); " +
			"return 0; }", "latin2.c", "check --json --property unreach-call", 1, "violates"},
		{"Latin-1 in a name", "int caf\xe9;\nint main(void) { return 0; }", "latin3.c",
			"check --property unreach-call", 2,
			"latin3.c:1:5: a byte that is no character of UTF-8, outside of comments and strings\n"},
		{"UTF-16", "\xff\xfei\x00n\x00t\x00", "utf16.c", "check --property unreach-call", 2,
			"utf16.c:1:4: a NUL byte: not C source text\n"},
		{"NUL in C", "int\x00 x;", "nul.c", "check --property unreach-call", 2, "nul.c:1:4: a NUL byte: not C source text\n"},
		{"a byte order mark only", "\ufeff", "mark.c", "check --property unreach-call", 2, "mark.c: empty file\n"},
		{"blanks only", " \n\n", "blank.c", "check --property unreach-call", 2, "no procedure in the sources has a body"},
		{"a terminal's commands", "int x = \x1b[31m;", "escape.c", "check --property unreach-call", 2, "escape.c:1:9: "},
		{"NUL in a specification", "A\x00 = STOP.", "nul.spec", "check crlf.c", 2,
			"nul.spec:1:2: the character U+0000 has no meaning"},
		{"an LTS after a byte order mark", "\ufeffdes (0,1,1)\r\n(0,a,0)", "mark.aut", "lts info", 0, "transitions    1"},
		{"a binary LTS", "\x7fELF\x00\x01", "binary.aut", "lts info", 2, "binary.aut:1:1: "},
		{"an empty LTS", "", "empty.aut", "lts info", 2, "empty.aut:1:1: empty file"},
		{"a binary script", "\x7fELF\x1b\x00", "binary.magus", "run", 2, "binary.magus:1:1: no command"},
		{"an empty certificate", "", "empty.json", "verify-certificate", 2, "no C file given"},
		{"a binary compilation database", "\xff\xfe\x00", "binary.json", "check --property unreach-call -p",
			2, "binary.json:1: "},
	} {
		if sample.LeftOut(i, 5) && i > 0 && c.file != "nul.c" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o666))
			says(t, dir, strings.TrimSpace(c.args+" "+c.file), c.status, c.says)
		})
	}
	require.NoError(t, os.Symlink("loop.c", filepath.Join(dir, "loop.c")))
	require.NoError(t, os.Symlink("nowhere.c", filepath.Join(dir, "dangling.c")))
	require.NoError(t, os.Symlink("loop.aut", filepath.Join(dir, "loop.aut")))
	require.NoError(t, os.Symlink("loop.h", filepath.Join(dir, "loop.h")))
	require.NoError(t, os.Symlink("nowhere.aut", filepath.Join(dir, "dangling.aut")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder.aut"), 0o777))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.h"), 0o666))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.aut"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "unreadable.c"), nil, 0))
	for name, text := range map[string]string{
		"includes.c": "#include \"pipe.h\"\nint main(void) { return 0; }", "device.spec": "A = import \"/dev/zero\".",
		"pipe.spec": "A = import \"pipe.aut\".", "folder.spec": "A = import \"folder.aut\".",
		"loop.spec": "A = import \"loop.aut\".", "dangling.spec": "A = import \"dangling.aut\".",
		"misspelt.spec": "A = import \"danglin.aut\".",
		"nothing.spec":  "A = import \"nothing.aut\".", "looping.c": "#include \"loop.h\"\nint main(void) { return 0; }",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	for args, want := range map[string]string{
		"check --property unreach-call loop.c":     "loop.c: too many levels of symbolic links\n",
		"check --property unreach-call dangling.c": "dangling.c: no such file: a link to nowhere.c, which is not there\n",
		"check --property unreach-call includes.c": "includes.c:1:10: include file not found: " +
			"\"pipe.h\" (pipe.h is no regular file)\n",
		"check crlf.c pipe.spec":    "pipe.spec:1:12: cannot import: pipe.aut is no regular file\n",
		"check crlf.c device.spec":  "device.spec:1:12: cannot import: ",
		"check crlf.c folder.spec":  "folder.spec:1:12: cannot import: ",
		"check crlf.c nothing.spec": "nothing.spec:1:12: cannot import: nothing.aut: no such file\n",
		"check crlf.c loop.spec": "loop.spec:1:12: cannot import: loop.aut: " +
			"too many levels of symbolic links\n",
		"check crlf.c dangling.spec": "dangling.spec:1:12: cannot import: dangling.aut: " +
			"no such file: a link to nowhere.aut, which is not there\n",
		"lts info misspelt.spec:A": "misspelt.spec:1:12: cannot import: danglin.aut: no such file; " +
			"did you mean dangling.aut?\n",
		"check --property unreach-call looping.c": "include file not found: " +
			"\"loop.h\" (loop.h: too many levels of symbolic links)\n",
		"lts info folder.aut": "folder.aut: is a directory\n",
	} {
		t.Run(args, func(t *testing.T) { says(t, dir, args, 2, want) })
	}
	if os.Getuid() != 0 { // who may read everything
		says(t, dir, "check --property unreach-call unreadable.c", 2, "unreadable.c: permission denied\n")
	}
}

func says(t *testing.T, dir, args string, want int, answer string) {
	t.Helper()
	cmd, out, stderr := start(t, dir, strings.Fields(args)...)
	got := status(t, cmd)
	require.Contains(t, out.String()+stderr.String(), answer)
	require.Equal(t, want, got, "%s%s", out, stderr)
	require.NotContains(t, stderr.String(), "\x1b")
	require.NotContains(t, stderr.String(), "internal error")
}

// strangeNames is a program that performs error and whose names are words of
// SMT-LIB, or have letters and lengths that few names have.
var strangeNames = `
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int größe = 1, $dollar = 3, a$b = 4, _ = 5, ` + strings.Repeat("n", 10_000) + ` = 6;
int 漢字(int _1, int $1) { return _1 - $1; }
int main(void)
{
	int and = __VERIFIER_nondet_int(), let = __VERIFIER_nondet_int(), as = __VERIFIER_nondet_int(), bvadd = __VERIFIER_nondet_int();
	int forall = __VERIFIER_nondet_int(), ite = 2, assert = 3, xor = 4, par = 5, push = 6, select = 7, BitVec = 8;
	if (and * let > _ + as && as < bvadd - forall && ite * 3 == assert + xor - 1 && bvadd < 0 && 漢字(push, par) == größe && select < BitVec && $dollar < a$b)
		reach_error();
}
`

// TestStrangeNames: names of files and of what is in them arrive whole in the
// report, the certificate, the harness and the dumped queries.
func TestStrangeNames(t *testing.T) {
	sample.Long(t)
	names := []string{"a b.c", "new\nline.c", `q"uo\te's.c`, "-dash.c", "h#a%sh.c", "größe漢.c", "*.c",
		"a:1:2: b.c", "tab\there.c", "cr\r.c", "esc\x1b[31m.c"}
	if testing.Short() {
		names = names[:3]
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(strangeNames), 0o666))
			require.NoError(t, os.Mkdir(filepath.Join(dir, "queries"), 0o777))
			cmd, out, stderr := start(t, dir, "check", "--property", "unreach-call", "--json", "--harness", "h.c",
				"--certificate", "c.json", "--dump-queries", "queries", "--", name)
			require.Equal(t, 1, status(t, cmd), "%s%s", out, stderr)
			var report struct {
				Claims []struct {
					Counterexample struct {
						Steps []struct{ Place struct{ File string } }
					}
				}
			}
			require.NoError(t, json.Unmarshal(out.Bytes(), &report))
			require.Equal(t, name, report.Claims[0].Counterexample.Steps[0].Place.File)
			cmd, out, stderr = start(t, dir, "verify-certificate", "c.json", "--property", "unreach-call", "--", name)
			require.Equal(t, 0, status(t, cmd), "%s%s", out, stderr)
			if answer, ran := outside(t, dir, "gcc", "-w", "-I.", "-o", "h", "h.c"); ran {
				require.Empty(t, answer)
				answer, _ := outside(t, dir, "./h")
				require.Contains(t, answer, "performed")
			}
			if answer, ran := outside(t, dir, "z3", "queries/1-main.smt2"); ran {
				require.Contains(t, answer, "sat")
				require.NotContains(t, answer, "error")
			}
		})
	}
}

// TestStrangeLabels: labels of an LTS arrive whole in every form, and dot reads
// the drawing.
func TestStrangeLabels(t *testing.T) {
	labels := []string{`a b`, `q\"uote`, `back\\slash`, `new\nline`, `<html>&amp;`, `\\N\\G\\l`, `größe`,
		`{x|y}`, `a,b);`, ``, "'single' $x `cmd` %s #", `-> \" [label=x]`, "\x1b[31m"}
	text := "des (0, 13, 2)\n"
	for _, l := range labels {
		text += `(0,"` + l + "\",1)\n"
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.aut"), []byte(text), 0o666))
	says(t, dir, "lts convert -o b.aut a.aut", 0, "")
	says(t, dir, "lts convert -o c.aut b.aut", 0, "")
	says(t, dir, "lts compare --relation strong-bisim a.aut c.aut", 0, "holds")
	says(t, dir, "lts convert -o a.dot a.aut", 0, "")
	b, err := os.ReadFile(filepath.Join(dir, "b.aut"))
	require.NoError(t, err)
	for _, l := range labels {
		require.Contains(t, string(b), `"`+l+`"`)
	}
	if answer, ran := outside(t, dir, "dot", "-Tplain", "a.dot"); ran {
		require.Contains(t, answer, "größe")
		require.Contains(t, answer, "stop")
	}
}

// outside runs another program, where it is installed.
func outside(t *testing.T, dir, name string, args ...string) (answer string, ran bool) {
	if _, err := exec.LookPath(name); err != nil && !strings.HasPrefix(name, "./") {
		t.Logf("no %s here", name)
		return "", false
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput() // the harness ends with status 1
	return string(out), true
}
