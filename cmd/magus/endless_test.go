//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// endlessWork are programs each of which keeps one kind of work busy for longer than any test
// waits, or very long.
func endlessWork() map[string]string {
	repeat := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	const declared = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n"
	same := func(line string) func(int) string { return func(int) string { return line } }
	return map[string]string{
		"macros": "#define A(x) B(x) B(x) B(x) B(x)\n#define B(x) C(x) C(x) C(x) C(x)\n" +
			"#define C(x) D(x) D(x) D(x) D(x)\n#define D(x) x x x x\n" + repeat(200, same("int A(A(;)) x;\n")),
		"declarations": repeat(90_000, func(i int) string {
			return fmt.Sprintf("static int f%d(int a) { int b = a * %d; return b > a ? a : b + %d; }\n", i, i, i)
		}) + "int main(void) { return f1(2); }\n",
		"text": "char s[] = \"" + strings.Repeat("abcdefgh", 1_900_000) + "\";\nint main(void) { return s[0]; }\n",
		"globals": repeat(200_000, func(i int) string { return fmt.Sprintf("int g%d = %d;\n", i, i) }) +
			"int main(void) {\n" + repeat(40_000, func(i int) string { return fmt.Sprintf("g%d++;\n", 5*i) }) + "return 0; }\n",
		"inlining": "int g; void f0(int a) { g += a; }\n" +
			repeat(38, func(i int) string {
				return fmt.Sprintf("void f%d(int a) { f%d(a + 1); f%d(a + g); }\n", i+1, i, i)
			}) + "int main(void) { f38(1); return 0; }\n",
		"pointers": declared + "struct s { struct s *n; int v; };\n" +
			repeat(3000, func(i int) string { return fmt.Sprintf("struct s a%d;\n", i) }) +
			"int main(void) { struct s *p = &a0, *q;\n" +
			repeat(3000, func(i int) string {
				return fmt.Sprintf("if (__VERIFIER_nondet_int()) p = &a%d; p->n = &a%d; q = p->n; q->v = p->v + 1;\n", i, i*7%3000)
			}) + "return 0; }\n",
		"abstraction": declared + "int main(void) { int b = 0;\n" +
			repeat(40, func(i int) string { return fmt.Sprintf("int x%d = __VERIFIER_nondet_int();\n", i) }) +
			"while (__VERIFIER_nondet_int()) {\n" +
			repeat(40, func(i int) string {
				return fmt.Sprintf("if (__VERIFIER_nondet_int()) x%d = x%d; if (x%d == %d) b++;\n", i, (i+1)%40, i, i)
			}) + "}\nif (b > 3" + repeat(40, func(i int) string { return fmt.Sprintf(" && x%d > x%d", i, (i+1)%40) }) +
			") reach_error(); return 0; }\n",
		"long path": declared + "int main(void) { unsigned i = 0, s = 0; while (i < 30000) { i++; s += i; } " +
			"if (s != 450015000) reach_error(); return 0; }\n",
		"hard term": declared + "unsigned long any(void);\nint main(void) { " +
			"unsigned long a = any(), b = any(), c = any(); " +
			"if (a * a * a + b * b * b + c * c * c == 33 && a > 3 && b > a && c > b && c < 1ul << 62 && a * b " +
			"* c != 7) reach_error(); return 0; }\n",
		"loop": endless,
	}
}

// An ending is a way to end a check, which says why.
type ending struct {
	why  string
	args []string
	do   func(*os.Process)
}

func endings() []ending {
	after := func(d time.Duration, s os.Signal) func(*os.Process) {
		return func(p *os.Process) {
			work(p, d)
			_ = p.Signal(s)
		}
	}
	all := []ending{
		{"interrupted", nil, after(300*time.Millisecond, syscall.SIGTERM)},
		{"time-out", []string{"--timeout", "700ms"}, nil},
	}
	if testing.Short() {
		return all
	}
	return append(all, []ending{
		{"interrupted", nil, after(600*time.Millisecond, syscall.SIGINT)},
		{"", []string{"--memory-limit", "40MiB", "--timeout", "3s"}, nil},
	}...)
}

// TestEndlessWork: whatever a check is busy with, a signal and limits of time and memory end it, long before
// it would end by itself. The verdict is unknown and says why, and the report is whole.
func TestEndlessWork(t *testing.T) {
	sample.Long(t)
	works := endlessWork()
	for i, name := range slices.Sorted(maps.Keys(works)) {
		text := works[name]
		if sample.Thinned(i, 2) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "p.c"), []byte(text), 0o666))
			ended := 0
			for k, e := range endings() {
				if !sample.Campaign() && (i+k)%2 != 0 {
					continue // the suite tries a part of all pairs
				}
				if name == "inlining" { // and not by summaries of the procedures, which is over at once
					e.args = append([]string{"--calls", "inline"}, e.args...)
				}
				if e.ends(t, dir) {
					ended++
				}
			}
			require.Positive(t, ended, "it is over too soon")
		})
	}
}

// ends ends a check of p.c and reports whether there was something to end: it was not decided or
// refused before, and had begun.
func (e ending) ends(t *testing.T, dir string) bool {
	cmd, out, stderr := start(t, dir, append([]string{"check", "--json", "--property", "unreach-call", "p.c"},
		e.args...)...)
	hung := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Signal(syscall.SIGQUIT) }) // says where it is
	if e.do != nil {
		e.do(cmd.Process)
	}
	got := status(t, cmd)
	require.True(t, hung.Stop(), "%v: it goes on: %s", e.args, stderr)
	if got < 3 {
		return false
	}
	require.Equal(t, 3, got, "%v: %s%s", e.args, out, stderr)
	var doc struct {
		Verdict, Reason string
		Claims          []struct{ Reason string }
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &doc), "%v", e.args)
	require.Equal(t, "unknown", doc.Verdict, "%v", e.args)
	for _, c := range doc.Claims {
		doc.Reason += c.Reason
	}
	require.NotEmpty(t, doc.Reason, "%v", e.args)
	require.Contains(t, doc.Reason, e.why, "%v", e.args)
	return true
}
