package harness_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"context"

	"magus"
	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/evidence/harness"
	"magus/internal/sample"
)

// callsOfTexts calls a routine with many arguments; the exit status says whether
// reach_error was called.
const callsOfTexts = `#include <string.h>
#include <stdlib.h>
static int called;
void reach_error(void) { called = 1; }
static unsigned seed = 1;
static unsigned roll(unsigned n) { seed = seed * 1103515245u + 12345u; return (seed >> 16) % n; }
static char letters[] = { 'a', 'b', 0, 1 };
int main(void) {
	for (int k = 0; k < 20000 && !called; k++) {
		static char s[64], buf[64], more[64]; static unsigned char t[64]; static int a[64], v[64];
		for (int i = 0; i < 64; i++) {
			s[i] = letters[roll(4)]; buf[i] = letters[roll(4)]; more[i] = letters[roll(4)]; t[i] = letters[roll(4)]; a[i] = letters[roll(4)];
			v[i] = roll(2) ? letters[roll(4)] : letters[roll(4)] * 0x01010101;
		}
		struct box last = { more, roll(16), 0 }, b = { buf, roll(16), roll(2) ? &last : 0 };
		f(s, t, a, v, &b, roll(14), roll(14));
	}
	return called;
}
`

// What is said of a routine with random texts holds for every call of it: where it
// conforms no call reaches the error, and a violation is performed by the compiled
// program.
func TestTexts(t *testing.T) {
	needGCC(t, cfa.LP64)
	n := sample.Count(24)
	count := map[string]int{}
	for seed := range sample.Seeds(0, n) {
		routine := cfatest.TextPrelude + cfatest.Text("f", seed, 5)
		text := routine
		// Callers pass memory, and small indices.
		claimed := "int entry(" + cfatest.TextParameters + ") {\n" +
			"\tif (!s || !t || !a || !v || !b || !b->buf || b->next && !b->next->buf || i > 13 || j > 13) return 0;\n" +
			"\treturn f(s, t, a, v, b, i, j);\n}\n"
		units := []source.Source{{Name: "a.c", Text: []byte(text + claimed)}}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		p, err := magus.Load(t.Context(), magus.Input{C: units})
		require.NoError(t, err, text)
		claim, err := p.Property(magus.Property{Entry: "entry"})
		require.NoError(t, err)
		s, err := cegar.NewSession(ctx, claim, cegar.Options{})
		if err == nil {
			o := s.Run(ctx, nil)
			count[o.Verdict.String()]++
			switch o.Verdict {
			case magus.Conforms:
				require.Zero(t, runCalls(t, routine), "seed %d conforms, but a call reaches the error\n%s", seed, text)
			case magus.Violates:
				c, err := s.Certificate(t.Context())
				require.NoError(t, err)
				require.NoError(t, cegar.VerifyCertificate(t.Context(), claim, cegar.Options{}, c), "seed %d\n%s", seed, text)
				r := s.Inputs()
				if len(r.Components[0].Missing) > 0 {
					count["not replayable"]++
					break
				}
				status, out := execute(t, harness.Write(r, units, harness.Settings{}), nil)
				require.Equal(t, 1, status, "seed %d: %s\n%s", seed, out, text)
			default:
				require.True(t, ctx.Err() != nil || o.Reason.Text != "", text)
				if sample.Campaign() {
					t.Logf("seed %d: %v", seed, o.Reason)
				}
			}
			s.Close()
		}
		cancel()
	}
	t.Log(count)
	if !sample.Whole() {
		return
	}
	require.NotZero(t, count["conforms"])
	require.NotZero(t, count["violates"])
}

// runCalls compiles a routine f with calls of it and gives their exit status.
func runCalls(t *testing.T, routine string) int {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(routine+callsOfTexts), 0o666))
	cc := exec.Command("gcc", "-O1", "-w", "-fno-strict-aliasing", "-o", "calls", "a.c")
	cc.Dir = dir
	msg, err := cc.CombinedOutput()
	require.NoError(t, err, "%s", msg)
	run := exec.Command(filepath.Join(dir, "calls"))
	_ = run.Run()
	return run.ProcessState.ExitCode()
}
