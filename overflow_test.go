package magus_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/internal/sample"
)

// signedTerm is a random expression over variables, which the compiler has to read and cannot fold; no divisor is 0.
func signedTerm(r *rand.Rand, depth int) string {
	if depth == 0 {
		return []string{"a", "b", "l", "c", "k", "m"}[r.IntN(6)]
	}
	x, y := signedTerm(r, depth-1), signedTerm(r, depth-1)
	switch r.IntN(6) {
	case 0:
		return fmt.Sprintf("(-%s)", x)
	case 1:
		return fmt.Sprintf("(%s / (%s ? %s : 1))", x, y, y)
	}
	return fmt.Sprintf("(%s %s %s)", x, []string{"+", "-", "*"}[r.IntN(3)], y)
}

// Whether an operation overflows is what the sanitizer of GCC says of the compiled program.
func TestOverflowsAgreeWithGCC(t *testing.T) {
	t.Parallel()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	r := rand.New(rand.NewPCG(40, 4))
	values := []int64{0, 1, -1, 2, 46340, 46341, -46341, 65536, 1 << 30, 1<<31 - 1, -1 << 31, 7}
	long := append([]int64{3037000499, 3037000500, 1<<63 - 1, -1 << 63}, values...)
	literal := func(v int64) string {
		if v == -1<<63 {
			return "(-9223372036854775807L - 1)"
		}
		return fmt.Sprintf("%dL", v)
	}
	var text, run strings.Builder
	n := sample.Count(15)
	for i := range n {
		fmt.Fprintf(&text, "long f%d(void) { V int a = %s, b = %s; V long l = %s; V signed char c = %d; "+
			"V int k = 46341, m = 2147483647; return %s; }\n", i,
			literal(values[r.IntN(len(values))]), literal(values[r.IntN(len(values))]), literal(long[r.IntN(len(long))]),
			r.IntN(256)-128, signedTerm(r, 1+r.IntN(2)))
		fmt.Fprintf(&run, "	if (!fork()) { f%d(); _exit(0); } wait(&s); puts(s ? \"1\" : \"0\");\n", i)
	}
	dir := t.TempDir()
	file, bin := filepath.Join(dir, "a.c"), filepath.Join(dir, "a")
	program := "#define V volatile\n" + text.String() + "#include <stdio.h>\n#include <unistd.h>\n" +
		"#include <sys/wait.h>\nint main(void) { int s; setbuf(stdout, 0);\n" +
		run.String() + "}\n"
	require.NoError(t, os.WriteFile(file, []byte(program), 0o600))
	out, err := exec.Command(gcc, "-w", "-O0", "-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error",
		"-o", bin, file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(bin).Output()
	require.NoError(t, err)
	traps := strings.Fields(string(out))
	require.Len(t, traps, n)
	p, err := magus.Load(t.Context(),
		magus.Input{C: []source.Source{{Name: "a.c", Text: []byte("#define V\n" + text.String())}}})
	require.NoError(t, err)
	overflows := 0
	for i, trap := range traps {
		c, err := p.Property(magus.Property{Question: magus.NoOverflow, Entry: fmt.Sprintf("f%d", i)})
		require.NoError(t, err)
		o, err := magus.Check(t.Context(), c, magus.Options{}, nil)
		require.NoError(t, err)
		want := magus.Conforms
		if trap == "1" {
			want, overflows = magus.Violates, overflows+1
		}
		require.Equal(t, want, o.Verdict, "%s\n%v", strings.Split(text.String(), "\n")[i], o.Reason)
	}
	require.True(t, !sample.Whole() || overflows > n/10)
	require.True(t, !sample.Whole() || overflows < n*9/10)
}
