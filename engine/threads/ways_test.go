package threads_test

// All ways to decide against all interleavings, of random programs with threads.
//
// Idea: most programs are small, so that many can be looked at; all interleavings are made first, and a
// program that has too many is left out before anybody decides it. It is parsed and lowered once, and random
// runs of it are made once.
//
// Cost: some 20 ms a program.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/interp"
	"magus/engine/threads"
	"magus/internal/sample"
	"magus/smt/expr"
)

// fewStates are the states of the interleavings of one program that are looked at.
const fewStates = 2_000

// patience is how long a campaign decides one program: what takes longer is counted.
const patience = time.Minute

// A tally is what became of the programs.
type tally struct {
	Large    int // programs with too many interleavings, which nobody decided
	Late     int // programs that took too long to decide, of which nothing else is counted
	Explored int // the others: all interleavings were seen, and all verdicts agree
	States   int // of these, together
	Errors   int // some interleaving has an error
	Safe     int // verdicts, the same ones by all ways
	Unsafe   int
	Open     int
}

// small is the program of a seed: most are small.
func small(seed uint64) string {
	switch seed % 20 {
	case 0:
		text, _ := cfatest.Synchronised(seed, false)
		return text
	case 1:
		return cfatest.Threads(seed, false)
	}
	return cfatest.Few(seed)
}

// TestWaysAgree compares all ways to decide with all interleavings.
func TestWaysAgree(t *testing.T) {
	n := sample.Count(28)
	var c tally
	for seed := range sample.Seeds(1, n) {
		if why := c.program(seed); why != "" {
			t.Errorf("seed %d: %s\n%s", seed, why, small(seed))
		}
	}
	t.Logf("%+v", c)
	require.True(t, !sample.Whole() || c.Explored > n*3/4)
	for _, count := range []int{c.Errors, c.Safe, c.Unsafe} {
		require.True(t, !sample.Whole() || count > n/12)
	}
}

// program decides one; the text is what is wrong.
func (c *tally) program(seed uint64) string {
	text := small(seed)
	auto, err := lowering(text, false)
	if err != nil {
		return err.Error()
	}
	m := interp.New(auto)
	all, err := m.Interleave(context.Background(), func(*expr.Expr) []uint64 { return []uint64{0, 1} }, fewStates)
	if err != nil {
		c.Large++
		return ""
	}
	ctx := context.Background()
	if sample.Campaign() {
		limited, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		ctx = limited
	}
	found, chooses := all.Performs(cfa.ErrorAction), strings.Contains(text, "nondet_int()")
	var verdicts []threads.Answer
	wrong := ""
	err = threads.RunEach(ctx, auto, waysToDecide(seed), func(o threads.Options, out threads.Result) bool {
		verdicts = append(verdicts, out.Answer)
		if wrong = judge(auto, out, found, chooses); wrong == "" && verdicts[0] != out.Answer {
			wrong = "another verdict"
		}
		if wrong != "" {
			wrong += fmt.Sprintf(", by %+v", o)
		}
		return wrong == ""
	})
	switch {
	case ctx.Err() != nil:
		c.Late++
		return ""
	case err != nil:
		return err.Error()
	case wrong != "":
		return wrong
	}
	c.Explored++
	c.States += all.States
	if found {
		c.Errors++
	}
	*map[threads.Answer]*int{threads.Safe: &c.Safe, threads.Unsafe: &c.Unsafe, threads.Unknown: &c.Open}[verdicts[0]]++
	return ""
}

// judge is what is wrong with an answer about a program, of which is known whether some interleaving has an
// error, or one with other choices may.
func judge(auto *cfa.CFA, out threads.Result, found, chooses bool) string {
	switch {
	case out.Answer == threads.Safe && found:
		return "a proof of a program with an error"
	case out.Answer == threads.Unsafe && !found && !chooses:
		return "an error that no interleaving has"
	case out.Answer == threads.Unsafe:
		if run, err := replay(auto, out.Schedule); err != nil {
			return err.Error()
		} else if !slices.Contains(run.Trace, cfa.ErrorAction) {
			return "a run without an error"
		}
	}
	return ""
}
