package lower_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/cfatest"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/sample"
	"magus/lts"
	"magus/specs"
)

// Random programs with memory, compiled by gcc and run with several inputs:
// what they do is a trace of MP and of MA after each phase of the loop, and of
// the specification where the verdict is conforms.

// tellPrelude makes actions of what programs tell.
const tellPrelude = cfatest.Prelude +
	`static void tell(long long v) { if (v & 1) __MAGUS_ACTION__("odd"); else __MAGUS_ACTION__("even"); }
#define out tell
`

// tellSpecs are what the programs are checked against.
var tellSpecs = []string{
	"S0 = ( odd -> S0 | even -> S0 ).",
	"S0 = ( odd -> S1 | even -> S0 ),\nS1 = ( odd -> S0 | even -> S1 ).",
	"S0 = ( even -> S0 | odd -> S1 ),\nS1 = ( odd -> S1 ).",
}

// tellMain is the rest of the compiled program, given its number and an input.
const tellMain = `
int printf(const char *, ...);
int atoi(const char *);
static int input;
static int any(int line) { return (line * 7 + input * 13) % 6 - 1; }
#define __VERIFIER_nondet_int() any(__LINE__)
void __MAGUS_ACTION__(const char *action) { printf("%s\n", action); }
`

func TestCompiledProgramsAreTraces(t *testing.T) {
	const inputs = 4
	programs := sample.Count(14)
	b := compile(t, programs)
	visible, phases, verdicts := 0, 0, map[magus.Verdict]int{}
	for i, text := range b.texts {
		var runs [][]string
		for input := range inputs {
			runs = append(runs, b.run(t, i, input))
		}
		s := tellSession(t, text, fmt.Sprintf("%s\nprogram p%d { specification s, {1}, S0; }\n",
			tellSpecs[i%len(tellSpecs)], i))
		for s.Next() != cegar.Finished {
			phase := s.Next()
			s.Step(t.Context())
			if phase != cegar.AbstractEvents && phase != cegar.RefineEvents {
				continue
			}
			phases++
			for _, run := range runs {
				requireTrace(t, s.View().Components[0].MP.LTS, run, "MP", text)
				requireTrace(t, s.View().Components[0].MA.Quotient(), run, "MA", text)
				visible += len(run)
			}
		}
		o := s.View().Outcome
		verdicts[o.Verdict]++
		require.NotEqual(t, verdict.Fault, o.Reason.Kind, text)
		if o.Verdict == magus.Conforms {
			for _, run := range runs {
				requireTrace(t, s.View().Spec, run, "the specification", text)
			}
		}
		s.Close()
	}
	t.Logf("%d phases, %d actions, verdicts %v", phases, visible, verdicts)
	if !sample.Whole() {
		return
	}
	require.Greater(t, phases, 2*programs, "components are refined")
	require.Greater(t, visible, phases, "programs perform actions")
	require.Positive(t, verdicts[magus.Conforms])
	require.Positive(t, verdicts[magus.Violates])
}

func requireTrace(t *testing.T, m *lts.LTS, run []string, what, text string) {
	t.Helper()
	var trace []lts.Action
	for _, name := range run {
		a, ok := m.Actions().Lookup(name)
		require.True(t, ok, "no action %s\n%s", name, text)
		trace = append(trace, a)
	}
	_, ok := lts.Member(m, trace)
	require.True(t, ok, "%s has no trace %q\n%s", what, run, text)
}

func tellSession(t *testing.T, text, spec string) *cegar.Session {
	t.Helper()
	p, err := magus.Load(t.Context(), magus.Input{
		C:     []source.Source{{Name: "p.c", Text: []byte(cfatest.Nondet + tellPrelude + text)}},
		Specs: []specs.Source{{Name: "p.spec", Text: []byte(spec)}},
	})
	require.NoError(t, err, text)
	claims, err := p.Claims(magus.Selection{})
	require.NoError(t, err)
	s, err := cegar.NewSession(t.Context(), claims[0],
		cegar.Options{Loop: cegar.Loop{Engine: cegar.LoopEngine, ActionAbstraction: cegar.On, MaxIterations: 12,
			MaxStates: 20_000}})
	require.NoError(t, err, text)
	return s
}

// A compiledBatch is many programs in one file, compiled.
type compiledBatch struct {
	bin   string
	texts []string
}

// compile makes programs; without gcc the test is skipped.
func compile(t *testing.T, programs int) *compiledBatch {
	dir := t.TempDir()
	b := &compiledBatch{bin: filepath.Join(dir, "programs")}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skipf("no compiler to compare with: %v", err)
	}
	// The line numbers are those that the values depend on, and different in
	// each program; the automaton leaves the values open.
	all := tellMain + tellPrelude
	main := "int main(int argc, char **argv) {\n\tinput = atoi(argv[2]);\n\tswitch (atoi(argv[1])) {\n"
	for i := range programs {
		text, entry := cfatest.Program(i, sample.Seed(1000)+uint64(i), 3)
		b.texts = append(b.texts, text)
		all += text
		main += fmt.Sprintf("\tcase %d: %s(); break;\n", i, entry)
	}
	src := filepath.Join(dir, "programs.c")
	require.NoError(t, os.WriteFile(src, []byte(all+main+"\t}\n\treturn 0;\n}\n"), 0o644))
	msg, err := exec.Command("gcc", "-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-o",
		b.bin, src).CombinedOutput()
	require.NoError(t, err, "%.400s", msg)
	return b
}

// run gives the actions of a program with an input.
func (b *compiledBatch) run(t *testing.T, program, input int) []string {
	out, err := exec.CommandContext(context.Background(), b.bin, fmt.Sprint(program), fmt.Sprint(input)).Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}
