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
	againstSanitizers(t, 40, cfatest.Faulty, magus.Options{CheckPointers: true})
}

// TestLeaksAgainstSanitizers: the same of random programs that leave memory
// allocated, where leaks are looked for.
func TestLeaksAgainstSanitizers(t *testing.T) {
	againstSanitizers(t, 30, cfatest.Leaky, magus.Options{CheckLeaks: true})
	if os.Getenv("MAGUS_SANITIZERS") != "" {
		againstSanitizers(t, 30, cfatest.Leaky, magus.Options{CheckLeaks: true, CheckPointers: true})
	}
}

// A programs function writes a random program: a procedure f<id> of type int (void).
type programs func(id int, seed uint64, steps int) (text, entry string)

func againstSanitizers(t *testing.T, number int, write programs, opt magus.Options) {
	seed := uint64(1)
	if n, err := strconv.Atoi(os.Getenv("MAGUS_SANITIZERS")); err == nil {
		number, seed = n, 1000
		if n, err := strconv.Atoi(os.Getenv("MAGUS_SEED")); err == nil {
			seed = uint64(n)
		}
	} else if testing.Short() {
		number /= 3
	}
	verdicts := map[string]int{}
	for first := 0; first < number; first += 100 {
		b := sanitize(t, seed+uint64(first), min(100, number-first), write)
		for i, text := range b.texts {
			report := b.run(t, i, opt.CheckLeaks)
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
	require.Positive(t, verdicts["reported violates"])
	require.Positive(t, verdicts["clean conforms"])
}

// checkFaulty is the outcome for one program.
func checkFaulty(t *testing.T, id int, text string, opt magus.Options) *magus.Outcome {
	text = fmt.Sprintf("%s%sint main(void) { f%d(); return 0; }\n", cfatest.FaultPrelude, text, id)
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(text)}}})
	require.NoError(t, err, text)
	claim, err := p.Property(magus.Property{})
	require.NoError(t, err)
	opt.MaxIterations, opt.MaxStates = 40, 50_000
	session, err := cegar.NewSession(t.Context(), claim, opt)
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
func sanitize(t *testing.T, seed uint64, number int, write programs) *sanitized {
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
	for i := range number {
		program, entry := write(i, seed+uint64(i), 4)
		b.texts = append(b.texts, program)
		text.WriteString(program)
		fmt.Fprintf(&main, "\tcase %d: %s(); break;\n", i, entry)
	}
	out, err := compile(fmt.Sprintf("%s%s%sint main(int argc, char **argv) {\n\tif (argc > 2) atexit(leaks);\n\tbefore = __sanitizer_get_current_allocated_bytes();\n"+
		"\tswitch (atoi(argv[1])) {\n%s\t}\n\treturn 0;\n}\n", cfatest.FaultPrelude, leaks, &text, &main))
	require.NoError(t, err, out)
	return b
}

// leaks reports, when a program ends, that memory is still allocated.
const leaks = `size_t __sanitizer_get_current_allocated_bytes(void);
static size_t before;
static void leaks(void) { if (__sanitizer_get_current_allocated_bytes() != before) { fprintf(stderr, "runtime error: memory is still allocated\n"); _Exit(9); } }
`

// run gives the first line of what the sanitizers report of a program, "" if they
// find nothing.
func (b *sanitized) run(t *testing.T, program int, leaks bool) string {
	args := []string{fmt.Sprint(program)}
	if leaks {
		args = append(args, "leaks")
	}
	run := exec.Command(b.bin, args...)
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
