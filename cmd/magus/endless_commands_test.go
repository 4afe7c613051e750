//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// repeated is a text of n parts.
func repeated(n int, part func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(part(i))
	}
	return b.String()
}

// endlessFiles are what keeps the commands of TestEndlessCommands busy, by name.
func endlessFiles() map[string]string {
	ring := func(name string) string {
		return "des (0, 400, 400)\n" +
			repeated(400, func(i int) string { return fmt.Sprintf("(%d, %s%d, %d)\n", i, name, i, (i+1)%400) })
	}
	var processes []string
	for i := range 40 {
		processes = append(processes, fmt.Sprint("P", i))
	}
	wide := 2_400_000
	if testing.Short() { // nothing reads it
		wide = 1
	}
	return map[string]string{
		"main.c": "int main(void) { return 0; }\n",
		"loop.c": "void reach_error(void);\nint __VERIFIER_nondet_int(void);\n" + endless,
		"crowd.spec": repeated(40, func(i int) string {
			return fmt.Sprintf("P%d = ( a%[1]d -> b%[1]d -> P%[1]d ).\n", i)
		}) + "S = ( " + strings.Join(processes, " || ") + " ).\nprocedure main { abstract { s, (1), S }; }\n",
		"threads.c": `#include <pthread.h>
int x, y, z;
void reach_error(void);
void *f(void *a) { for (int i = 0; i < 9; i++) { x = y + 1; y = x + z; z = x; } return 0; }
int main(void) {
	pthread_t t[4];
	for (int i = 0; i < 4; i++) pthread_create(t + i, 0, f, 0);
	for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
	if (x == 12345 && y == 77) reach_error();
	return 0;
}
`,
		"r1.aut": ring("a"), "r2.aut": ring("b"), "r3.aut": ring("c"), "r4.aut": ring("d"),
		// An a was 40 steps ago: 2^40 states when made deterministic.
		"guess.aut": "des (0, 81, 41)\n(0, a, 0)\n(0, b, 0)\n(0, a, 1)\n" +
			repeated(39, func(i int) string { return fmt.Sprintf("(%d, a, %d)\n(%[1]d, b, %[2]d)\n", i+1, i+2) }),
		"wide.aut": fmt.Sprintf("des (0, %d, 800000)\n", wide) + repeated(wide, func(i int) string {
			return fmt.Sprintf("(%d, a%d, %d)\n", i%800_000, i%7, (i*31+7)%800_000)
		}),
		"model.param": "states s0" + repeated(300, func(i int) string { return fmt.Sprint(", s", i+1) }) +
			";\nshared n: nat;\n" +
			repeated(300, func(i int) string {
				return fmt.Sprintf("rule r%d: s%[1]d -> s%[2]d : n >= 0, n' = n + 1;\n"+
					"rule q%[1]d: s%[2]d -> s%[1]d : n >= 1, n' = n - 1;\n", i, i+1)
			}) + "init s0 >= 0, n = 0;\nbad s3, s50, s97, s130, s200, s201, s202, s250, s298, s299;\n",
		"script.magus": "set property unreach-call\nload loop.c\nrun\n",
		"suite.toml": "[[claim]]\nname = \"c\"\nfiles = [\"loop.c\"]\noptions = { property = \"unreach-call\" }\n" +
			"verdict = \"conforms\"\n",
	}
}

// TestEndlessCommands: what a command other than a check of [endlessWork] is busy with, a signal or a limit
// of time ends, and it says so.
func TestEndlessCommands(t *testing.T) {
	sample.Long(t)
	dir := t.TempDir()
	for name, text := range endlessFiles() {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	for i, command := range []string{
		"check main.c crowd.spec",
		"check --property unreach-call --unwind 9 threads.c",
		"check --property unreach-call --unwind 9 --order full threads.c",
		"check --property unreach-call --unwind 9 --memory-model pso --order refine threads.c",
		"check --property no-data-race --unwind 9 threads.c",
		"check --property no-deadlock --unwind 9 threads.c",
		"check --property unreach-call --report r.html --certificate c.json --sarif s.sarif --junit j.xml loop.c",
		"check --property unreach-call --engine bounded loop.c",
		"check --property unreach-call --engine kinduction loop.c",
		"check --property unreach-call --engine loop --check loop.c",
		"dot mp main.c crowd.spec --run",
		"lts info crowd.spec:S",
		"lts compose r1.aut r2.aut r3.aut r4.aut",
		"lts convert guess.aut --determinize",
		"lts convert wide.aut --to dot",
		"lts convert wide.aut --to spec",
		"lts minimize guess.aut --relation weak-trace",
		"lts compare --relation trace guess.aut wide.aut",
		"lts simulate --do trace r1.aut r2.aut r3.aut r4.aut",
		"param check --cma model.param",
		"run script.magus",
		"suite suite.toml",
	} {
		if sample.Thinned(i, 2) {
			continue
		}
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			for k, limit := range []bool{false, true} {
				if !sample.Campaign() && k != i%2 {
					continue // the suite tries one for each command
				}
				args := strings.Fields(command)
				if limit {
					args = append(args, "--timeout", "300ms")
				}
				cmd, out, stderr := start(t, dir, args...)
				hung := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Signal(syscall.SIGQUIT) }) // says where it is
				if !limit {
					work(cmd.Process, 300*time.Millisecond)
					_ = cmd.Process.Signal(syscall.SIGTERM)
				}
				require.Equal(t, 3, status(t, cmd), "%s%s", tail(out.String()), tail(stderr.String()))
				require.True(t, hung.Stop(), "it goes on")
				why := map[bool]string{false: "interrupted", true: "time-out"}[limit]
				require.Contains(t, tail(out.String())+tail(stderr.String()), why)
			}
		})
	}
}

// tail is the end of a text that may be long.
func tail(text string) string { return text[max(0, len(text)-2000):] }
