package lower_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/evidence/verdict"
	"magus/internal/sample"
	"magus/smt/expr"
)

// TestAgainstSanitizers: random programs with at most one memory error, compiled
// by gcc with its address and undefined-behaviour sanitizers. What they report
// is a violation or unknown where pointers are checked, and what they do not
// report is none. MAGUS_SANITIZERS is the number of programs.
func TestAgainstSanitizers(t *testing.T) {
	againstSanitizers(t, 24, cfatest.Faulty, magus.Options{Modelling: magus.Modelling{CheckPointers: true}})
}

// TestLeaksAgainstSanitizers: the same of random programs that leave memory
// allocated, where leaks are looked for.
func TestLeaksAgainstSanitizers(t *testing.T) {
	againstSanitizers(t, 10, cfatest.Leaky, magus.Options{Modelling: magus.Modelling{CheckLeaks: true}})
	if sample.Campaign() {
		againstSanitizers(t, 30, cfatest.Leaky,
			magus.Options{Modelling: magus.Modelling{CheckLeaks: true, CheckPointers: true}})
	}
}

// A programs function writes a random program: a procedure f<id> of type int (void).
type programs func(id int, seed uint64, steps int) (text, entry string)

func againstSanitizers(t *testing.T, number int, write programs, opt magus.Options) {
	number, seed := sanitizedPrograms(number)
	verdicts := map[string]int{}
	for first := 0; first < number; first += 100 {
		b := sanitize(t, seed+uint64(first), min(100, number-first), write, opt.CheckLeaks)
		for i, text := range b.texts {
			report := b.reports[i]
			if report == sanitizerFault {
				continue
			}
			o := checkFaulty(t, i, text, opt)
			truth := "clean"
			if report != "" {
				truth = "reported"
			}
			verdicts[truth+" "+o.Verdict.String()]++
			wrong := magus.Violates
			if report != "" {
				wrong = magus.Conforms
			}
			assert.NotEqual(t, wrong, o.Verdict, "seed %d: %s\n%s", seed+uint64(first+i), report, text)
			assert.NotEqual(t, verdict.Fault, o.Reason.Kind, text)
		}
	}
	t.Logf("%v", verdicts)
	if sample.Whole() {
		require.Positive(t, verdicts["reported violates"])
		require.Positive(t, verdicts["clean conforms"])
	}
}

// sanitizedPrograms are the number of programs and the seed of the first.
func sanitizedPrograms(number int) (int, uint64) {
	return sample.Count(number), sample.Seed(1)
}

// TestRunsAgainstSanitizers: the same of many programs, which the interpreter executes: that
// they have no input makes the one run the truth. MAGUS_SANITIZERS is the number of
// programs.
func TestRunsAgainstSanitizers(t *testing.T) {
	for _, c := range []struct {
		name  string
		write programs
		opt   lower.Options
	}{
		{"errors", cfatest.Faulty, lower.Options{Modelling: cfa.Modelling{CheckPointers: true}}},
		{"leaks", cfatest.Leaky, lower.Options{Modelling: cfa.Modelling{CheckLeaks: true, CheckPointers: true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			number, seed := sanitizedPrograms(30)
			ends := map[string]int{}
			for first := 0; first < number; first += 50 {
				b := sanitize(t, seed+uint64(first), min(50, number-first), c.write, c.opt.CheckLeaks)
				prog, err := source.Parse(t.Context(),
					[]source.Source{{Name: "p.c", Text: []byte(cfatest.FaultPrelude + strings.Join(b.texts, ""))}}, source.Options{})
				require.NoError(t, err)
				for i, text := range b.texts {
					opt := c.opt
					if i%4 == 3 {
						opt.ArrayLimit, opt.HeapLimit, opt.TargetLimit = i/4%3, i/12%2, i/4%2
					}
					end := executeFaulty(t, prog, fmt.Sprintf("f%d", i), opt)
					truth, wrong := "clean", "error"
					if b.reports[i] != "" {
						truth, wrong = "reported", "end"
					}
					if b.reports[i] == sanitizerFault {
						continue
					}
					ends[truth+", "+end]++
					assert.NotEqual(t, wrong, end, "seed %d: %s\n%s", seed+uint64(first+i), b.reports[i], text)
				}
			}
			t.Logf("%v", ends)
			require.Positive(t, ends["reported, error"])
			require.Positive(t, ends["clean, end"])
		})
	}
}

// executeFaulty is how the run of a program ends: with "error", at its "end", or at a value
// or a place that is "not modelled".
func executeFaulty(t *testing.T, prog *source.Program, entry string, opt lower.Options) string {
	opt.InitGlobals = true
	c, err := lower.Lower(t.Context(), prog, entry, expr.NewPool(), opt)
	if refused := (*cfa.UnsupportedError)(nil); errors.As(err, &refused) {
		return "not modelled"
	}
	require.NoError(t, err)
	m := interp.New(c)
	s := m.Initial(func(*expr.Expr) uint64 { return 0xdeadbeefdeadbeef })
	for range 100_000 {
		r := m.Step(s, anyValue{})
		if r.Tainted != nil {
			return "not modelled"
		}
		switch e := r.Event.(type) {
		case interp.Acted:
			return e.Action
		case interp.Returned, interp.Halted:
			return "end"
		}
		s = r.Next
	}
	return "no end"
}

// anyValue is the same value for all that is left open: malloc succeeds.
type anyValue struct{}

func (anyValue) Value(cfa.Loc, *expr.Expr) uint64 { return 0xdeadbeefdeadbeef }

// checkFaulty is the outcome for one program.
func checkFaulty(t *testing.T, id int, text string, opt magus.Options) *magus.Outcome {
	text = fmt.Sprintf("%s%sint main(void) { f%d(); return 0; }\n", cfatest.FaultPrelude, text, id)
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(text)}}})
	require.NoError(t, err, text)
	claim, err := p.Property(magus.Property{})
	require.NoError(t, err)
	opt.Loop.MaxIterations, opt.Loop.MaxStates = 40, 50_000
	session, err := magus.NewLoop(t.Context(), claim, opt)
	require.NoError(t, err, text)
	defer session.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	return session.Run(ctx, nil)
}

// Programs with memory errors in one text, and what the sanitizers say of each.
type sanitized struct {
	texts   []string
	reports []string // the first line, "" if they find nothing
}

// sanitize compiles programs and runs them; without a gcc that has the sanitizers the
// test is skipped.
func sanitize(t *testing.T, seed uint64, number int, write programs, leaks bool) *sanitized {
	dir := t.TempDir()
	b := &sanitized{}
	src, bin := filepath.Join(dir, "programs.c"), filepath.Join(dir, "programs")
	compile := func(text string) (string, error) {
		require.NoError(t, os.WriteFile(src, []byte(text), 0o644))
		out, err := exec.Command("gcc", "-std=gnu11", "-w", "-O0", "-fno-builtin", "-fsanitize=address,undefined",
			"-fno-sanitize=signed-integer-overflow", "-fno-sanitize-recover=all", "-o", bin, src).CombinedOutput()
		return string(out), err
	}
	if out, err := compile("int main(void) { return 0; }\n"); err != nil {
		t.Skipf("no gcc with sanitizers: %v %.200s", err, out)
	}
	var text, all strings.Builder
	for i := range number {
		program, entry := write(i, seed+uint64(i), 4)
		b.texts = append(b.texts, program)
		text.WriteString(program)
		fmt.Fprintf(&all, "%s, ", entry)
	}
	out, err := compile(fmt.Sprintf("%s%sstatic int (*programs[])(void) = { %s };\n%s", cfatest.FaultPrelude,
		&text, &all, sanitizedMain))
	require.NoError(t, err, out)
	args := []string{dir}
	if leaks {
		args = append(args, "leaks")
	}
	run := exec.Command(bin, args...)
	run.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1:symbolize=0")
	lines, err := run.CombinedOutput()
	require.NoError(t, err, "%s", lines)
	statuses := strings.Fields(string(lines))
	require.Len(t, statuses, number)
	for i, status := range statuses {
		b.reports = append(b.reports, reported(t, filepath.Join(dir, fmt.Sprint(i)), status))
	}
	require.NoError(t, os.RemoveAll(dir)) // there may be many
	return b
}

// sanitizedMain runs each program in a process of its own, which writes what the sanitizers
// report to a file with the program's number, and prints how each ends.
const sanitizedMain = `#include <unistd.h>
#include <fcntl.h>
#include <sys/wait.h>
size_t __sanitizer_get_current_allocated_bytes(void);
static size_t before;
static void leaks(void) { if (__sanitizer_get_current_allocated_bytes() != before) { fprintf(stderr, "runtime error: memory is still allocated\n"); _Exit(9); } }
int main(int argc, char **argv) {
	for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {
		if (!fork()) {
			char name[4096];
			snprintf(name, sizeof name, "%s/%u", argv[1], i);
			dup2(open("/dev/null", O_WRONLY), 1);
			dup2(open(name, O_WRONLY | O_CREAT, 0600), 2);
			alarm(20);
			if (argc > 2) atexit(leaks);
			before = __sanitizer_get_current_allocated_bytes();
			programs[i]();
			exit(0);
		}
		int status;
		wait(&status);
		dprintf(1, "%d\n", status);
	}
	return 0;
}
`

// reported is the first line of what the sanitizers report, "" if they find nothing.
func reported(t *testing.T, file, status string) string {
	out, err := os.ReadFile(file)
	require.NoError(t, err)
	if status == "0" {
		return ""
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "ERROR: AddressSanitizer") || strings.Contains(line, "runtime error:") {
			return strings.TrimSpace(line)
		}
	}
	if strings.Contains(string(out), "AddressSanitizer: CHECK failed") {
		return sanitizerFault
	}
	require.Fail(t, "a program that fails without a report", "%s", out)
	return ""
}

// sanitizerFault is the report of programs that a sanitizer fails on itself: nothing is known
// of them.
const sanitizerFault = "a fault of the sanitizer"
