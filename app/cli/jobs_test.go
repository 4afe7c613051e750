package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/input"
	"magus/internal/sample"
)

// manyClaims are claims of all verdicts about procedures that share globals, callees, texts and tables: with loops,
// calls that are inlined later, recursion, what is not modelled.
func manyClaims() (c, spec string) {
	var b, s strings.Builder
	b.WriteString(`extern void lock(void), unlock(void); extern int more(void), unknown(const char *, int *);
static const int table[] = { 3, 1, 4, 1, 5 }; static int held; static char *name = "free";
static int take(int n) { lock(); held = 1; return table[n % 5u]; }
static void give(int n) { held = 0; name = n ? "free" : "taken"; unlock(); }
static int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1); }
`)
	s.WriteString(`Lock = ( lock -> return {} -> STOP ).
Unlock = ( unlock -> return {} -> STOP ).
Free = ( lock -> Held | return {$0 == $0} -> STOP ), Held = ( unlock -> Free ).
procedure lock { abstract { l, (1), Lock }; }
procedure unlock { abstract { u, (1), Unlock }; }
`)
	bodies := []string{
		"int i, r = 0; for (i = 0; i < n; i++) { r += take(i); if (i == %d) r++; give(i); } return r;",
		"int r = take(n); if (r == %d) { give(n); return name[0]; } if (held) give(1); return r;",
		"int a = n; if (a > %d) a = take(a); unknown(name, &a); if (held) give(a); return a;",
		"int i = 0; while (more()) { i++; take(i); if (more() && i != %d) break; give(i); } return i;",
		"int d = depth(n & 3); take(d); if (d < 4 + %d) give(d); return d;",
		"_Float128 x = n; take(1); if (x * x < %d) return 0; give(1); return 1;",
		"take(0); asm(\"nop\"); if (n > %d) return n; give(0); return 0;",
	}
	for i := range 4 * len(bodies) {
		fmt.Fprintf(&b, "int f%d(int n) { "+bodies[i%len(bodies)]+" }\n", i, i)
		fmt.Fprintf(&s, "procedure f%d { abstract { d%d, (1), Free }; }\n", i, i)
	}
	return b.String(), s.String()
}

// What is printed and written does not depend on how many claims are checked at a time.
func TestJobsDoNotShow(t *testing.T) {
	sample.Long(t)
	c, spec := manyClaims()
	run := func(jobs string, extra ...string) (out, messages, cert string) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(c), 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.spec"), []byte(spec), 0o666))
		w, stdout, stderr := testWorld(dir)
		w.Dir = input.Dir(dir)
		args := append([]string{"check", "-j", jobs, "--reduce-time", "1h", "--cache", "kept", "--certificate", "cert.json",
			"--report", "page.html", "--max-iterations", "30"}, extra...)
		status := cli.Main(t.Context(), append(args, "a.c", "a.spec"), w)
		require.Equal(t, 1, status, "%s%s", stdout, stderr)
		text, err := os.ReadFile(filepath.Join(dir, "cert.json"))
		require.NoError(t, err)
		_, err = os.Stat(filepath.Join(dir, "page.html"))
		require.NoError(t, err)
		return withoutTimes(stdout.String()), withoutTimes(stderr.String()), string(text)
	}
	for _, extra := range [][]string{{"--trace", "--verbose"}, {"--quiet"}} {
		out, messages, cert := run("1", extra...)
		for _, verdict := range []string{": conforms", ": violates", ": unknown"} {
			require.Contains(t, out, verdict)
		}
		for _, jobs := range []string{"2", "8"} {
			o, m, c := run(jobs, extra...)
			require.Equal(t, out, o)
			require.Equal(t, messages, m)
			require.Equal(t, cert, c)
		}
	}
}
