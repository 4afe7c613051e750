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
	"magus/cfa"
	"magus/internal/sample"
)

// Copies and fills of a length that is not constant, in arrays that are small: whether a value
// comes to stand somewhere is what the compiled program says, which tries all lengths.
func TestLengthsAgreeWithGCC(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	r := rand.New(rand.NewPCG(3, 5))
	pick := func(some ...string) string { return some[r.IntN(len(some))] }
	var bodies []string
	for range sample.Count(12) {
		var ops []string
		for range 1 + r.IntN(3) {
			to, from := r.IntN(4), r.IntN(4)
			size := pick("n", "n * sizeof(T)", "(n & 3) + 1")
			ops = append(ops, pick(
				fmt.Sprintf("memset(a + %d, %s, %s);", to, pick("0", "1", "5", "255"), size),
				fmt.Sprintf("memcpy(a + %d, b + %d, %s);", to, from, size),
				fmt.Sprintf("memcpy(m ? a + %d : c, b + %d, %s);", to, from, size),
				fmt.Sprintf("memmove(a + %d, a + %d, %s);", to, from, size)))
		}
		bodies = append(bodies, fmt.Sprintf("typedef %s T; T a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {9, "+
			"10, 11, 12, 13, 14, 15, 16}, c[8] = {0}; %s if (a[%d] %s && n != %d) HIT;",
			pick("char", "short", "unsigned char", "int"), strings.Join(ops, " "), r.IntN(8),
			pick("== 0", "== 5", "== 257", "== 11", "!= a[3]", "== a[1]"), r.IntN(5)))
	}
	decided := 0
	for i, hit := range compiledHits(t, bodies) {
		text := "#define HIT reach_error()\nint main(void) { size_t n = __VERIFIER_nondet_int(); " +
			"int m = __VERIFIER_nondet_int() & 1; if (n > 4) return 0; " + bodies[i] + " return 0; }"
		o := ofLibrary(t, text, cfa.LP64, magus.Options{})
		if o.Verdict != magus.Unknown {
			decided++
			require.Equal(t, hit, o.Verdict == magus.Violates, bodies[i])
		}
	}
	require.Greater(t, decided, len(bodies)/2)
}

// compiledHits says of each body, compiled, whether it comes to HIT for some n up to 4 and m up to 1.
func compiledHits(t *testing.T, bodies []string) []bool {
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("#include <string.h>\n#include <stdio.h>\nstatic int hit;\n#define HIT hit = 1\n")
	for i, body := range bodies {
		fmt.Fprintf(&b, "static void f%d(size_t n, int m) { (void)m; %s }\n", i, body)
	}
	b.WriteString("int main(void) {\n")
	for i := range bodies {
		fmt.Fprintf(&b, "hit = 0; for (size_t n = 0; n <= 4; n++) for (int m = 0; m < 2; m++) f%d(n, m); "+
			"putchar('0' + hit);\n", i)
	}
	b.WriteString("return 0; }\n")
	src, bin := filepath.Join(dir, "lengths.c"), filepath.Join(dir, "lengths")
	require.NoError(t, os.WriteFile(src, []byte(b.String()), 0o644))
	out, err := exec.Command("gcc", "-w", "-O0", "-o", bin, src).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(bin).Output()
	require.NoError(t, err)
	hits := make([]bool, len(bodies))
	for i := range hits {
		hits[i] = out[i] == '1'
	}
	return hits
}
