package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/source"
	"magus/internal/sample"
)

// TestSystemCalls watches what the program opens, runs and connects to while it
// reads hostile input: files in the working directory only, headers of the
// machine unless they are turned off, and no program but the configured solver.
func TestSystemCalls(t *testing.T) {
	sample.Long(t)
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	solver := ""
	if _, err := exec.LookPath("z3"); err == nil {
		solver = "--solver z3"
	}
	top := t.TempDir()
	dir := filepath.Join(top, "project")
	secret := filepath.Join(top, "outside")
	for _, d := range []string{dir, secret} {
		require.NoError(t, os.Mkdir(d, 0o777))
	}
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	for _, name := range []string{"secret.h", "secret.c", "secret.spec", "secret.aut"} {
		require.NoError(t, os.WriteFile(filepath.Join(secret, name), []byte("SECRET"), 0o666))
	}
	require.NoError(t, os.Symlink(filepath.Join(secret, "secret.h"), filepath.Join(dir, "link.h")))
	const program = "int main(void) { if (__VERIFIER_nondet_int()) reach_error(); return 0; }\n"
	path := filepath.Join(secret, "secret")
	for i, line := range []string{
		"#include \"../outside/secret.h\"", "#include \"" + path + ".h\"", "#include <" + path + ".h>",
		"#include_next <" + path + ".h>",
		"#define S \"" + path + ".h\"\n#include S", "#include \"link.h\"", "#embed \"" + path + ".h\"",
		"#import \"" + path + ".h\"",
		"#if __has_include(\"" + path + ".h\")\nint x;\n#endif\n", "#line 1 \"" + path + ".c\"\n", "# 1 \"" + path + ".c\"\n",
		"_Pragma(\"GCC dependency \\\"" + path + ".h\\\"\")", "#pragma GCC dependency \"" + path + ".h\"",
		"__asm__(\".incbin \\\"" + path + ".c\\\"\");", "#include \"|touch pwned\"", "#include \"$(touch pwned)\"",
		"#include \"http://example.org/x.h\"",
		"#error \"" + path + ".c\"",
	} {
		write(fmt.Sprintf("a%02d.c", i), line+"\n"+program)
		write(fmt.Sprintf("a%02d.i", i), line+"\n"+program)
	}
	write("a.spec", "P = import \""+path+".aut\".\n")
	write("b.spec", "P = import \"../outside/secret.aut\".\n")
	write("compile_commands.json", `[{"directory": ".", "file": "a09.c", "command": "touch pwned -include `+
		path+`.h -c a09.c"}]`)
	write("saved", "magus session 1\nfile a09.c\ndo lts info "+path+".aut\ndo save pwned\nend\n")
	write("restore.magus", "restore saved\n")

	files, err := filepath.Glob(filepath.Join(dir, "a*.[ci]"))
	require.NoError(t, err)
	files = slices.DeleteFunc(files, func(name string) bool { return sample.Thinned(slices.Index(files, name), 3) })
	runs := 0
	watch := func(headers string, folders ...string) {
		t.Helper()
		var script strings.Builder
		for _, f := range files {
			fmt.Fprintf(&script, "magus check -v %s %s --timeout 20s --certificate out.json --property unreach-call %s\n",
				headers, solver, filepath.Base(f))
		}
		fmt.Fprintf(&script, "magus check a09.c a.spec; magus check a09.c b.spec; magus lts info a.spec:P; "+
			"magus verify-certificate out.json --property unreach-call a09.c\n"+
			"magus check %s -p . --property unreach-call; magus run restore.magus; magus pointsto a09.c\n", headers)
		runs++
		log := filepath.Join(top, fmt.Sprintf("log%d", runs))
		require.NoError(t, os.WriteFile(filepath.Join(top, "script"), []byte(script.String()), 0o666))
		_, out, stderr := shell(t, dir,
			strace+" -f -qq -e trace=open,openat,openat2,creat,execve,execveat,socket,connect -e signal=none -o "+
				log+" sh ../script")
		text, err := os.ReadFile(log)
		if err != nil || len(text) == 0 {
			t.Skipf("strace does not work here: %s", stderr)
		}
		require.NotContains(t, out+stderr, "SECRET")
		require.NoFileExists(t, filepath.Join(dir, "pwned"))
		require.Greater(t, strings.Count(string(text), "/magus\""), len(files), "it was run")
		calls := slices.DeleteFunc(unexpected(string(text), dir, strings.Fields(solver), folders...), func(call string) bool {
			return testing.CoverMode() != "" && strings.Contains(call, "/gocoverdir/") // what the test's own measure writes
		})
		require.Empty(t, calls, "system calls")
	}
	watch("--headers=builtin")
	watch("", source.HostDirs()...)
}

var reCall = regexp.MustCompile(`(?m)^\d+ +(\w+)\((?:[\w-]+, )?"?([^",)]*)"?.*= (-?\d+)`)

// unexpected are the calls that succeeded and that there is no reason for. Files
// in folders may be read.
func unexpected(log, dir string, solver []string, folders ...string) (calls []string) {
	for _, m := range reCall.FindAllStringSubmatch(log, -1) {
		call, name := m[1], m[2]
		inside := !filepath.IsAbs(name) && filepath.IsLocal(name) || strings.HasPrefix(name, dir+"/") || name == dir
		header := strings.HasPrefix(call, "open") && slices.ContainsFunc(folders, func(p string) bool {
			return strings.HasPrefix(filepath.Clean(name), p+"/")
		})
		system := header || slices.ContainsFunc([]string{"/proc/", "/sys/", "/dev/", "/etc/ld.so", "/lib",
			"/usr/lib", "/usr/share/", "/etc/localtime"}, func(p string) bool {
			return strings.HasPrefix(name, p)
		})
		base := filepath.Base(name)
		program := base == "magus" || base == "sh" || len(solver) > 0 && base == solver[1]
		switch {
		case strings.HasPrefix(m[3], "-"): // it failed
			if strings.Contains(name, "outside") || call == "connect" {
				calls = append(calls, m[0])
			}
		case call == "socket", call == "connect", strings.HasPrefix(call, "exec") && !program:
			calls = append(calls, m[0])
		case strings.HasPrefix(call, "exec"):
		case !inside && !system && name != "../script":
			calls = append(calls, m[0])
		}
	}
	return calls
}

// The test of the test.
func TestUnexpectedCalls(t *testing.T) {
	for line, want := range map[string]bool{
		`12 openat(AT_FDCWD, "a.c", O_RDONLY|O_CLOEXEC) = 3`:                       false,
		`12 openat(AT_FDCWD, "/p/a.c", O_RDONLY|O_CLOEXEC) = 3`:                    false,
		`12 openat(AT_FDCWD, "/sys/kernel/x", O_RDONLY) = 3`:                       false,
		`12 openat(AT_FDCWD, "/etc/passwd", O_RDONLY|O_CLOEXEC) = 3`:               true,
		`12 openat(AT_FDCWD, "../outside/x", O_RDONLY) = -1 ENOENT (No such file)`: true,
		`12 openat(AT_FDCWD, "../x", O_RDONLY|O_CLOEXEC) = 7`:                      true,
		`12 execve("/usr/bin/z3", ["z3", "-in"], 0xc000 /* 3 vars */) = 0`:         false,
		`12 execve("/usr/bin/touch", ["touch"], 0xc000 /* 3 vars */) = 0`:          true,
		`12 socket(AF_INET, SOCK_STREAM, IPPROTO_TCP) = 3`:                         true,
	} {
		require.Equal(t, want, len(unexpected(line+"\n", "/p", []string{"--solver", "z3"})) > 0, line)
	}
	for name, want := range map[string]bool{"/usr/include/link.h": false, "/usr/include/../secret": true,
		"/usr/includes/x": true} {
		line := `12 openat(AT_FDCWD, "` + name + `", O_RDONLY|O_CLOEXEC) = 7` + "\n"
		require.NotEmpty(t, unexpected(line, "/p", nil), name)
		require.Equal(t, want, len(unexpected(line, "/p", nil, "/usr/include")) > 0, name)
	}
}
