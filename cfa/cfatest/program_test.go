package cfatest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the programs do is defined: the checks of gcc find nothing.
func TestProgramsAreDefined(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "programs.c"), filepath.Join(dir, "programs")
	compile := func(text string) (string, error) {
		require.NoError(t, os.WriteFile(src, []byte(text), 0o644))
		out, err := exec.Command("gcc", "-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing",
			"-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o", bin, src).CombinedOutput()
		return string(out), err
	}
	if out, err := compile("int main(void) { return 0; }\n"); err != nil {
		t.Skipf("no gcc with sanitizers: %v %s", err, out)
	}
	var text, main strings.Builder
	fmt.Fprintf(&text, "%s%sint __VERIFIER_nondet_int(void) { static int n; return n = n * 5 + 3; }\n",
		CallsPrelude, Nondet)
	text.WriteString("static int outputs;\nvoid out(long long v) { outputs++; }\n")
	programs := 16
	if testing.Short() {
		programs = 6
	}
	for i := range programs {
		program, entry := Program(i, uint64(i), 8)
		text.WriteString(program)
		fmt.Fprintf(&main, "\t%s();\n", entry)
	}
	for i := programs; i < 4*programs; i++ {
		program, outside, entry := Calls(i, uint64(i), 4)
		text.WriteString(program + outside)
		fmt.Fprintf(&main, "\t%s();\n", entry)
	}
	fmt.Fprintf(&text, "int main(void) {\n%s\treturn outputs < %d;\n}\n", &main, 5*programs)
	out, err := compile(text.String())
	require.NoError(t, err, out)
	run := exec.Command(bin)
	run.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
	msg, err := run.CombinedOutput()
	require.NoError(t, err, "%s", msg)
}

// A program is the same text each time.
func TestProgramsAreTheSame(t *testing.T) {
	a, _ := Program(3, 4, 8)
	b, _ := Program(3, 4, 8)
	require.Equal(t, a, b)
	c, _ := Program(3, 5, 8)
	require.NotEqual(t, a, c)
}
