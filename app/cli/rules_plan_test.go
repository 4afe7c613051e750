package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/input"
	"magus/internal/sample"
)

// plannedProject has roots of two rules in two files, a callback that a root calls and one that none calls.
func plannedProject(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	var b strings.Builder
	b.WriteString("#include <pthread.h>\n#include <stdio.h>\nstatic pthread_mutex_t m;\n" +
		"extern int (*const table[])(int);\n" +
		"int take(int n) { pthread_mutex_lock(&m); return n > 3; }\nint other(int n) { pthread_mutex_lock(&m); " +
		"return n; }\n" +
		"int root(int n) { int r = table[0](n); pthread_mutex_unlock(&m); return r; }\nvoid *start = (void *)other;\n")
	for i := range 7 {
		fmt.Fprintf(&b, "int f%d(const char *s) { FILE *f = fopen(s, \"r\"); pthread_mutex_lock(&m); if (!f%s) return 1; "+
			"fclose(f); pthread_mutex_unlock(&m); return 0; }\n", i, []string{"", " && s"}[i%2])
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a b.c"), []byte(b.String()), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.c"),
		[]byte("int take(int n);\nint (*const table[])(int) = { take };\n"), 0o666))
	return dir
}

// magusIn runs the program in a folder.
func magusIn(t *testing.T, dir string, args ...string) (out, errs string, status int) {
	t.Helper()
	w, stdout, stderr := testWorld(dir)
	w.Dir = input.Dir(dir)
	status = cli.Main(t.Context(), args, w)
	return stdout.String(), stderr.String(), status
}

// An edge is a job of a build file: what it makes, what it needs, and its command.
type edge struct {
	out, in []string
	run     []string
}

// edges are the jobs of a build file, as the manual of ninja says: paths end at blanks that no $ is before, a
// variable has the rest of its line, and a shell splits it.
func edges(t *testing.T, text string) (all []edge) {
	t.Helper()
	paths := func(s string) (all []string) {
		for _, p := range regexp.MustCompile(`(?:\$.|[^ $])+`).FindAllString(s, -1) {
			all = append(all, regexp.MustCompile(`\$(.)`).ReplaceAllString(p, "$1"))
		}
		return all
	}
	for line := range strings.SplitSeq(text, "\n") {
		if out, rest, ok := strings.Cut(strings.TrimPrefix(line, "build "), ": "); ok && strings.HasPrefix(line, "build ") {
			all = append(all, edge{out: paths(out),
				in: slices.DeleteFunc(paths(rest)[1:], func(s string) bool { return s == "|" })})
		}
		if run, ok := strings.CutPrefix(line, "  run = "); ok {
			words, err := exec.Command("sh", "-c", `printf '%s\n' `+strings.ReplaceAll(run, "$$", "$")).Output()
			require.NoError(t, err)
			all[len(all)-1].run = strings.Split(strings.TrimSuffix(string(words), "\n"), "\n")
		}
	}
	return all
}

// build performs the jobs whose outputs are not there, each after what it needs, and gives what the last one said.
func build(t *testing.T, dir, file string) (out, errs string, status, parts int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, file))
	require.NoError(t, err)
	made := map[string]bool{}
	for _, e := range edges(t, string(text)) {
		for _, in := range e.in {
			_, err := os.Stat(filepath.Join(dir, in))
			require.True(t, err == nil || made[in], "%s is needed for %s", in, e.out)
		}
		if made[e.out[0]] = true; e.run == nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, e.out[0])); err == nil {
			continue
		}
		out, errs, status = magusIn(t, dir, e.run[1:]...)
		if e.out[0] != "rules" {
			parts++
			require.Equal(t, 0, status, "%v: %s%s", e.run, out, errs)
			require.FileExists(t, filepath.Join(dir, e.out[0]))
		}
	}
	return out, errs, status, parts
}

// The jobs of a plan come to what one check says; they go on where they were killed, and what is damaged, or
// is that of another program, is checked again.
func TestRulesPlan(t *testing.T) {
	sample.Long(t)
	dir := plannedProject(t)
	rules := []string{"--rule", "pthread-mutex", "--rule=file", "a b.c", "c.c"}
	want, _, wanted := magusIn(t, dir, append([]string{"rules", "check"}, rules...)...)
	require.Equal(t, 1, wanted)
	plan := func() {
		_, errs, status := magusIn(t, dir, append([]string{"rules", "plan", "--parts", "3", "-o", "b.ninja"}, rules...)...)
		require.Equal(t, 0, status, errs)
	}
	same := func(parts int, said string) {
		t.Helper()
		out, errs, status, made := build(t, dir, "b.ninja")
		require.Equal(t, wanted, status, errs)
		require.Equal(t, withoutTimes(want), withoutTimes(out))
		require.Equal(t, parts, made)
		require.Contains(t, errs, said)
		if said == "" {
			require.Empty(t, errs)
		}
	}
	files := func(pattern string) []string {
		all, err := filepath.Glob(filepath.Join(dir, ".magus-rules", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, all)
		return all
	}
	plan()
	same(3, "")
	plan()
	same(0, "")

	require.NoError(t, os.Remove(files("*-2-3.done")[0])) // it was killed
	for _, record := range files("*.rule")[:3] {
		require.NoError(t, os.Remove(record))
	}
	same(1, "")
	record := files("*.rule")[0]
	text, err := os.ReadFile(record)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(record, text[:len(text)-9], 0o666))
	same(0, "not used: it is no result that a check of rules has left there")

	changed, err := os.ReadFile(filepath.Join(dir, "a b.c"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a b.c"),
		[]byte(strings.Replace(string(changed), "n > 3", "n > 4", 1)), 0o666))
	want, _, wanted = magusIn(t, dir, append([]string{"rules", "check"}, rules...)...)
	plan()
	same(3, "")
}

// What is undecided by a limit is not looked at a second time by the last job of a plan, nor is it kept for
// another check.
func TestRulesPlanKeepsUndecided(t *testing.T) {
	sample.Long(t)
	dir := plannedProject(t)
	args := []string{"--rule=file", "--function-timeout=1ns", "a b.c", "c.c"}
	_, errs, status := magusIn(t, dir, append([]string{"rules", "plan", "-o", "b.ninja", "--verbose"}, args...)...)
	require.Equal(t, 0, status, errs)
	_, errs, status, parts := build(t, dir, "b.ninja")
	require.Equal(t, 3, status)
	require.Equal(t, 1, parts)
	require.Contains(t, errs, "magus: 7 of 7 results taken over from .magus-rules")
	_, errs, _ = magusIn(t, dir, append([]string{"rules", "check", "--verbose", "--cache=.magus-rules"}, args...)...)
	require.Contains(t, errs, "magus: 0 of 7 results taken over from .magus-rules")

	args[1] = "--function-timeout=50s" // which is another question
	_, errs, status = magusIn(t, dir, append([]string{"rules", "plan", "-o", "b.ninja", "--verbose"}, args...)...)
	require.Equal(t, 0, status, errs)
	_, errs, status, parts = build(t, dir, "b.ninja")
	require.Equal(t, 0, status, errs)
	require.Equal(t, 1, parts)
	require.Contains(t, errs, "magus: 7 of 7 results taken over from .magus-rules")
}

// The list for other engines has the jobs of the build file.
func TestRulesPlanList(t *testing.T) {
	dir := plannedProject(t)
	plan := []string{"rules", "plan", "--parts", "2", "--cache", "kept", "--sarif", "out.sarif",
		"--rule=file", "a b.c", "c.c"}
	_, errs, status := magusIn(t, dir, append(plan, "-o", "b.ninja")...)
	require.Equal(t, 0, status, errs)
	out, errs, status := magusIn(t, dir, append(plan, "--json")...)
	require.Equal(t, 0, status, errs)
	var p struct {
		Schema string
		Inputs []string
		Parts  []struct {
			Done    string
			Command []string
		}
		Check []string
	}
	require.NoError(t, json.Unmarshal([]byte(out), &p))
	require.Equal(t, "magus-rules-plan-1", p.Schema)
	require.Equal(t, []string{"a b.c", "c.c"}, p.Inputs)
	text, err := os.ReadFile(filepath.Join(dir, "b.ninja"))
	require.NoError(t, err)
	all := edges(t, string(text))
	require.Len(t, all, 4)
	require.Len(t, p.Parts, 2)
	for i, part := range p.Parts {
		require.Equal(t, all[i+1], edge{[]string{part.Done}, []string{"sources"}, part.Command})
		require.NotContains(t, part.Command, "--sarif=out.sarif")
	}
	require.Equal(t, all[3].run, p.Check)
	require.Contains(t, p.Check, "--sarif=out.sarif")
}

// ninja does what a build file says.
func TestRulesPlanByNinja(t *testing.T) {
	ninja, err := exec.LookPath("ninja")
	if err != nil {
		t.Skip("there is no ninja")
	}
	dir := plannedProject(t)
	_, errs, status := magusIn(t, dir, "rules", "plan", "--parts=2", "--rule=file", "-o", "b.ninja", "a b.c", "c.c")
	require.Equal(t, 0, status, errs)
	file := filepath.Join(dir, "b.ninja")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	program, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file,
		[]byte(strings.ReplaceAll(string(text), "= "+program+" ", "= echo it-ran ")), 0o666))
	out, err := exec.Command(ninja, "-C", dir, "-f", "b.ninja", "-v").CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, 3, strings.Count(string(out), "\nit-ran rules "), string(out))
	require.Contains(t, string(out), "it-ran rules check --cache=.magus-rules --keep-undecided --rule=file a b.c c.c")
}
