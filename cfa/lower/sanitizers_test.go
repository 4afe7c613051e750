package lower_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus"
	"magus/cegar"
	"magus/cfa/cfatest"
	"magus/cfa/source"
	"magus/internal/verdict"
)

// TestAgainstSanitizers: random programs with at most one memory error, compiled
// by gcc with its address and undefined-behaviour sanitizers. What they report
// is a violation or unknown where pointers are checked, and what they do not
// report is none. MAGUS_SANITIZERS is the number of programs.
func TestAgainstSanitizers(t *testing.T) {
	programs, seed := 40, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("MAGUS_SANITIZERS")); err == nil {
		programs, seed = n, 1000
	} else if testing.Short() {
		programs = 15
	}
	verdicts := map[string]int{}
	for first := 0; first < programs; first += 100 {
		b := sanitize(t, seed+uint64(first), min(100, programs-first))
		for i, text := range b.texts {
			report := b.run(t, i)
			o := checkFaulty(t, i, text)
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
	require.Positive(t, verdicts["reported violates"])
	require.Positive(t, verdicts["clean conforms"])
}

// checkFaulty is the outcome for one program.
func checkFaulty(t *testing.T, id int, text string) *magus.Outcome {
	text = fmt.Sprintf("%s%sint main(void) { f%d(); return 0; }\n", cfatest.FaultPrelude, text, id)
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(text)}}})
	require.NoError(t, err, text)
	claim, err := p.Property(magus.Property{})
	require.NoError(t, err)
	session, err := cegar.NewSession(t.Context(), claim, magus.Options{MaxIterations: 40, MaxStates: 50_000, CheckPointers: true})
	require.NoError(t, err, text)
	defer session.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	return session.Run(ctx, nil)
}

// Programs with memory errors in one text, compiled with sanitizers.
type sanitized struct {
	bin   string
	texts []string
}

// sanitize compiles programs; without a gcc that has the sanitizers the test is
// skipped.
func sanitize(t *testing.T, seed uint64, programs int) *sanitized {
	dir := t.TempDir()
	b := &sanitized{bin: filepath.Join(dir, "programs")}
	src := filepath.Join(dir, "programs.c")
	compile := func(text string) (string, error) {
		require.NoError(t, os.WriteFile(src, []byte(text), 0o644))
		out, err := exec.Command("gcc", "-std=gnu11", "-w", "-O0", "-fno-builtin", "-fsanitize=address,undefined",
			"-fno-sanitize-recover=all", "-o", b.bin, src).CombinedOutput()
		return string(out), err
	}
	if out, err := compile("int main(void) { return 0; }\n"); err != nil {
		t.Skipf("no gcc with sanitizers: %v %.200s", err, out)
	}
	var text, main strings.Builder
	for i := range programs {
		program, entry := cfatest.Faulty(i, seed+uint64(i), 4)
		b.texts = append(b.texts, program)
		text.WriteString(program)
		fmt.Fprintf(&main, "\tcase %d: %s(); break;\n", i, entry)
	}
	out, err := compile(fmt.Sprintf("%s%sint main(int argc, char **argv) {\n\tswitch (atoi(argv[1])) {\n%s\t}\n\treturn 0;\n}\n", cfatest.FaultPrelude, &text, &main))
	require.NoError(t, err, out)
	return b
}

// run gives the first line of what the sanitizers report of a program, "" if they
// find nothing.
func (b *sanitized) run(t *testing.T, program int) string {
	run := exec.Command(b.bin, fmt.Sprint(program))
	run.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1")
	out, err := run.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(t, err)
		return ""
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "ERROR: AddressSanitizer") || strings.Contains(line, "runtime error:") {
			return strings.TrimSpace(line)
		}
	}
	require.Fail(t, "a program that fails without a report", "%s", out)
	return ""
}
