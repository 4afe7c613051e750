package magus_test

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

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/internal/sample"
)

// csmithHeader stands for csmith's own: the values of all globals at the end are mixed into one number, which is
// printed, or is an error where it is, or is not, the one of the compiled program.
const csmithHeader = `#include <stdint.h>
#include <limits.h>
#include <float.h>
#include <string.h>
#define STATIC static
#define UNDEFINED(x) (x)
#define LOG_INDEX
#define LOG_EXEC
#define FUNC_NAME(x) safe_##x
#include <safe_math.h>
static unsigned long mixed;
static void mix(unsigned long v) { mixed = (mixed << 5 | mixed >> 59) ^ v; }
#define transparent_crc(v, name, print) mix((unsigned long)(v))
static void platform_main_begin(void) {}
static void crc32_gentab(void) {}
#ifdef WANT
extern void reach_error(void);
#define printf(...) 0
#define platform_main_end(crc, print) do { if (mixed RELATION WANT) reach_error(); } while (0)
#else
#include <stdio.h>
#define platform_main_end(crc, print) printf("%lu", mixed)
#endif
`

// csmithArguments keep programs small, with all that csmith has but volatile objects, which are any value here.
var csmithArguments = strings.Fields(`--no-volatiles --no-volatile-pointers --no-argc --bitfields --packed-struct
	--max-funcs 3 --max-block-size 3 --max-expr-complexity 3 --max-block-depth 2 --max-array-dim 2
	--max-array-len-per-dim 4 --concise`)

// TestProgramsOfCsmith: programs that csmith makes (Yang, Chen, Eide, Regehr: Finding and understanding bugs in C
// compilers, PLDI 2011) end with the values that gcc's have: that they are others is no violation, that they are
// these is one. What is unknown is counted.
func TestProgramsOfCsmith(t *testing.T) {
	const headers = "/usr/include/csmith"
	_, noGenerator := exec.LookPath("csmith")
	_, noCompiler := exec.LookPath("gcc")
	if _, noHeaders := os.Stat(headers); noGenerator != nil || noCompiler != nil || noHeaders != nil {
		t.Skip("no csmith with its headers, or no gcc")
	}
	t.Parallel()
	dir, unknown, decided := t.TempDir(), 0, 0
	require.NoError(t, os.WriteFile(filepath.Join(dir, "csmith.h"), []byte(csmithHeader), 0o600))
	for i := range sample.Count(4) {
		seed := fmt.Sprint(sample.Seed(1) + uint64(i))
		text, err := exec.Command("csmith", append(csmithArguments, "--seed", seed)...).Output()
		require.NoError(t, err)
		file, bin := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
		require.NoError(t, os.WriteFile(file, text, 0o600))
		out, err := exec.Command("gcc", "-w", "-O0", "-I", dir, "-I", headers, "-o", bin, file).CombinedOutput()
		require.NoError(t, err, "%s", out)
		value, ended := runFor(t, 5*time.Second, bin)
		if !ended {
			continue // it runs for ever
		}
		for relation, want := range map[string]magus.Verdict{"!=": magus.Conforms, "==": magus.Violates} {
			pre, err := exec.Command("gcc", "-E", "-P", "-w", "-DWANT="+value+"UL", "-DRELATION="+relation,
				"-I", dir, "-I", headers, file).Output()
			require.NoError(t, err)
			switch got := ofPreprocessed(t, pre); got {
			case magus.Unknown:
				unknown++
			default:
				decided++
				require.Equal(t, want, got, "csmith --seed %s %s, %s %s", seed, strings.Join(csmithArguments, " "),
					relation, value)
			}
		}
	}
	t.Logf("%d decided, %d unknown", decided, unknown)
}

// runFor is what a program prints that ends within a time; ended says whether it does, without a fault.
func runFor(t *testing.T, limit time.Duration, program string) (out string, ended bool) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), limit)
	defer stop()
	text, err := exec.CommandContext(ctx, program).Output()
	var exit *exec.ExitError
	require.True(t, err == nil || errors.As(err, &exit), err)
	return string(text), err == nil
}

// ofPreprocessed is the verdict on a program of one file, with counted limits.
func ofPreprocessed(t *testing.T, text []byte) magus.Verdict {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute) // ends what hangs
	defer stop()
	p, err := magus.Load(ctx, magus.Input{C: []source.Source{{Name: "p.i", Text: text}}})
	require.NoError(t, err)
	claim, err := p.Property(magus.Property{})
	require.NoError(t, err)
	opt := magus.Options{}
	opt.Loop.MaxIterations, opt.Loop.MaxStates = 30, 100_000
	outcome, err := magus.Check(ctx, claim, opt, nil)
	require.NoError(t, err)
	return outcome.Verdict
}
