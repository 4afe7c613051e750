package threads_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/engine/threads"
	"magus/internal/sample"
)

const accessedHead = "#include <pthread.h>\n#include <string.h>\n#include <stdlib.h>\n" +
	"struct s { int a; double b; char c[4]; } s, u; union { float f; int i; char c[4]; } " +
	"w; int x, z[3], *_Atomic p, *h; _Atomic(int *) q; _Atomic int a, *ap = &a;\n" +
	"double d; float fl[2]; long double ld; _Atomic double ad; char b[6], c[6]; struct { _Atomic int v; " +
	"int *_Atomic n; } m; pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;\n" +
	"#include <stdio.h>\nstruct { unsigned a : 4, b : 4; unsigned : 0; unsigned c : 3; char d; " +
	"unsigned e : 20, f : 5; } bf; volatile int vo; volatile struct { int a : 3, b : 9; } " +
	"vb; struct s given(void) { return s; }\n" +
	"char text[8] = \"abc\", line[8];\n"

// accesses are statements that access what two threads share, of several kinds, some of them atomic.
var accesses = [][]string{{
	"x = 1;", "x++;", "i = x;", "p = &x;", "i = p != 0;", "*p = 2;", "q = &x;", "i = q == &x;", "a = 1;",
	"a++;", "i = a;", "*ap = 3;", "i = *ap;",
	"m.v = 1;", "i = m.v;", "m.n = &x;", "i = m.n == 0;", "d = 1;", "e = d;", "double o = d; e = o;",
	"d += 1;", "fl[1] = 2;", "e = fl[n];", "ld = 1;", "i = ld > 1;", "ad = 1;", "e = ad;",
	"s = u;", "u = s;", "l = s;", "s = l;", "s.b = 1;", "s.a = i;", "i = s.c[1];", "u.c[2] = 1;",
	"memcpy(&s, &u, sizeof s);", "memcpy(&l, &u, sizeof l);", "memset(c, 1, 3);",
	"b[1] = 'a';", "c[2] = 'b';", "i = b[1];", "strcpy(c, \"ab\");", "memmove(b, c, 4);",
	"i = memcmp(b, c, 1);", "*h = 1;", "i = *h;", "z[n] = 1;", "z[2] = 1;", "i = z[n];", "w.f = 1;",
	"i = w.i;", "w.c[1] = 1;",
}, { // bit-fields, and reads whose value nobody uses
	"bf.a = 1;", "bf.b++;", "bf.c = i;", "bf.d = 1;", "bf.e = 1;", "bf.f = 1;", "i = bf.a;", "i = bf.e;",
	"i = bf.d;", "vo;", "(void)vo;", "vo = 1;", "i = (vo, 1);", "vb.a;", "vb.b = 1;", "given();", "s.b = 1;",
}, { // functions of the C library
	"puts(text);", "fputs(text, stdout);", "printf(\"%s\", text);", "printf(\"%d%.1s\", n, text);",
	"printf(\"%d\", x);", "fprintf(stdout, \"%s%c\", text, b[1]);", "text[1] = 'x';", "text[2] = 'y';", "text[6] = 'z';",
	"fwrite(z, sizeof *z, 2, stdout);", "i = strlen(text);", "snprintf(line, 4, \"%s\", text);",
	"i = line[1];", "strncpy(line, \"ab\", 3);", "i = rand();", "putchar('a');", "getenv(text);",
	"i = strcmp(text, \"abd\");", "i = atoi(text);",
}}

// accessing are two functions that access what they share, f in another thread. Only one of them frees.
func accessing(seed uint64) (f, g string) {
	r := rand.New(rand.NewPCG(seed, 37))
	kind := accesses[r.IntN(len(accesses))]
	body := func(freed bool) string {
		text := "int i = 0, n = 1; double e = 0; struct s l = {0};"
		locked := r.IntN(3) == 0
		if locked {
			text += " pthread_mutex_lock(&k);"
		}
		for range 1 + r.IntN(2) {
			text += " " + kind[r.IntN(len(kind))]
		}
		if locked {
			text += " pthread_mutex_unlock(&k);"
		}
		if freed {
			text += " free(h);"
		}
		return text + " (void)i, (void)n, (void)e, (void)l;"
	}
	return body(r.IntN(6) == 0), body(false)
}

// TestRacesAgainstThreadSanitizer compares which accesses race with what GCC's detector reports of the
// compiled program, where it is installed.
func TestRacesAgainstThreadSanitizer(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	n := uint64(randomPrograms() / 3)
	text := accessedHead + "#include <stdio.h>\n"
	run := ""
	for i := range n {
		f, g := accessing(randomFirst() + i)
		text += fmt.Sprintf("static void *f%d(void *arg) { %s return 0; }\nstatic void g%[1]d(void) { %[3]s }\n", i, f, g)
		run += fmt.Sprintf("case %d: pthread_create(&t, 0, f%[1]d, 0); g%[1]d(); break;\n", i)
	}
	text += "int main(int argc, char **argv) { pthread_t t; p = &x; h = malloc(4); *h = 0; " +
		"switch (atoi(argv[1])) {\n" + run + "default: return 1; } pthread_join(t, 0); return 0; }\n"
	dir := t.TempDir()
	file, program := filepath.Join(dir, "a.c"), filepath.Join(dir, "a")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	if out, err := exec.Command(gcc, "-w", "-O0", "-fno-builtin", "-fsanitize=thread", "-pthread", "-o",
		program, file).CombinedOutput(); err != nil {
		t.Skipf("gcc has no thread sanitizer: %.200s", out)
	}
	counts := map[threads.Answer]int{}
	for i := range n {
		reported := false
		for range 3 {
			out, err := exec.Command(program, strconv.FormatUint(i, 10)).CombinedOutput()
			if err != nil && !strings.Contains(string(out), "WARNING: ThreadSanitizer") {
				t.Skipf("the thread sanitizer does not run here: %.200s", out)
			}
			reported = reported || err != nil
			if reported {
				break
			}
		}
		f, g := accessing(randomFirst() + i)
		text := accessedHead + "void *f(void *arg) { " + f + " return 0; }\nint main(void) { pthread_t t; " +
			"p = &x; h = malloc(4); if (!h) return 0; *h = 0; pthread_create(&t, 0, f, 0); " + g +
			" pthread_join(t, 0); return 0; }\n"
		out, err := threads.Run(context.Background(), racing(t, text), threads.Options{Goal: threads.Races, Unwind: 8})
		require.NoError(t, err, text)
		counts[out.Answer]++
		if out.Answer != threads.Unknown {
			require.Equal(t, reported, out.Answer == threads.Unsafe, "seed %d\n%s", randomFirst()+i, text)
		}
	}
	t.Log(counts)
	if !sample.Whole() {
		return
	}
	require.Positive(t, counts[threads.Safe])
	require.Positive(t, counts[threads.Unsafe])
}
