package interp_test

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/internal/expr"
)

//go:embed testdata/harness.c
var harness string

var (
	firstSeed    = flag.Int64("seed", 1, "seed of the first random C program")
	manyPrograms = flag.Int("programs", 150, "number of random C programs")
)

// Programs execute in the interpreter as gcc executes them: the same outputs
// in the same order and the same returned value.
func TestProgramsAgreeWithGCC(t *testing.T) {
	for _, c := range []struct {
		name  string
		model cfa.DataModel
		flags []string
	}{
		{"LP64", cfa.LP64, nil},
		{"ILP32", cfa.ILP32, []string{"-m32", "-nostdlib", "-static", "-fno-pic", "-fno-stack-protector"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := runGCC(dir, harness+"START { line(\"return\", sizeof(long)); END; }\n", c.flags); err != nil {
				t.Skipf("no gcc that compiles for %s: %v", c.name, err)
			}
			b := newBatch(*firstSeed, *manyPrograms)
			want, err := runGCC(dir, b.withHarness(), c.flags)
			require.NoError(t, err)
			b.compare(t, c.model, want)
		})
	}
}

// A batch is many programs in one text, so that the compiler starts once.
type batch struct {
	seed    int64
	text    string
	entries []string
}

func newBatch(seed int64, programs int) *batch {
	b := &batch{seed: seed, text: cprelude}
	for i := range programs {
		src, entry := cprogram(i, seed+int64(i))
		b.text += src
		b.entries = append(b.entries, entry)
	}
	return b
}

func (b *batch) withHarness() string {
	var main strings.Builder
	text := fmt.Sprintf("%s#line %d\n%s", harness, 1+strings.Count(cnondet, "\n"), b.text)
	for i, entry := range b.entries {
		text += fmt.Sprintf("RUN(%d, %s())\n", i, entry)
		fmt.Fprintf(&main, "\trun%d();\n", i)
	}
	return text + "START {\n" + main.String() + "\tEND;\n}\n"
}

// compare executes each program and shows those that differ.
func (b *batch) compare(t *testing.T, model cfa.DataModel, want map[int][]string) {
	prog, err := cfa.Parse(ctx(), []cfa.Source{{Name: "programs.c", Text: []byte(cnondet + b.text)}}, cfa.Options{Model: model})
	require.NoError(t, err)
	for i, entry := range b.entries {
		if got, want := execute(t, prog, entry), want[i]; !slices.Equal(want, got) {
			src, _ := cprogram(i, b.seed+int64(i))
			assert.Equal(t, want, got, "seed %d\n%s", b.seed+int64(i), src)
		}
	}
}

// runGCC compiles and runs a program and gives its output lines by the number
// that they begin with.
func runGCC(dir, text string, flags []string) (map[int][]string, error) {
	src, bin := filepath.Join(dir, "programs.c"), filepath.Join(dir, "programs")
	if err := os.WriteFile(src, []byte(text), 0o644); err != nil {
		return nil, err
	}
	args := append([]string{"-std=gnu11", "-w", "-O0", "-fwrapv", "-o", bin}, flags...)
	if msg, err := exec.Command("gcc", append(args, src)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %.400s", err, msg)
	}
	out, err := exec.Command(bin).Output()
	if err != nil {
		return nil, err
	}
	lines := map[int][]string{}
	for l := range strings.Lines(string(out)) {
		var i int
		var what string
		var v int64
		if _, err := fmt.Sscan(l, &i, &what, &v); err != nil {
			return nil, fmt.Errorf("output %q: %w", l, err)
		}
		lines[i] = append(lines[i], fmt.Sprintf("%s %d", what, v))
	}
	return lines, nil
}

// execute runs a procedure without parameters and gives the lines that the
// harness would write. What a program leaves open otherwise than by
// __VERIFIER_nondet_… must never be looked at.
func execute(t *testing.T, prog *cfa.Program, entry string) []string {
	c, err := prog.Lower(ctx(), entry, expr.NewPool(), cfa.LowerOptions{InitGlobals: true, Abstracted: func(name string) bool { return name == "out" }})
	require.NoError(t, err, entry)
	m := interp.New(c)
	s := m.Initial(func(v *expr.Expr) uint64 { return junk })
	var lines []string
	for range 1_000_000 {
		r := m.Step(s, choices{c})
		switch e := r.Event.(type) {
		case interp.Called:
			lines = append(lines, fmt.Sprintf("out %d", int64(e.Args[0])))
		case interp.Acted:
			lines = append(lines, e.Action+" 0")
		case interp.Returned:
			return append(lines, fmt.Sprintf("return %d", signed(c.Ret, e.Value)))
		case interp.Halted:
			if slices.Contains(lines, "error 0") {
				return lines
			}
			return append(lines, "halt 0")
		}
		s = r.Next
	}
	return append(lines, "no end")
}

const junk = 0xdeadbeefdeadbeef

// choices are the harness's values for __VERIFIER_nondet_…, and junk.
type choices struct{ c *cfa.CFA }

func (ch choices) Value(loc cfa.Loc, v *expr.Expr) uint64 {
	l := &ch.c.Locs[loc]
	if s, ok := l.Stmt.(cfa.Assign); !ok || !strings.HasPrefix(s.Nondet, "__VERIFIER_nondet_") {
		return junk
	}
	val := uint64(l.Pos.Line)*6364136223846793005 + 1442695040888963407
	if val>>32&8 != 0 {
		return val >> 58
	}
	return val >> 13
}

// signed reads a bit pattern by its type.
func signed(t expr.Type, v uint64) int64 {
	if t.Signed {
		return t.Sext(v)
	}
	return int64(v)
}
