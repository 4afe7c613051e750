package threads_test

// A campaign of random programs with threads against all interleavings, by all ways to decide.
//
// Idea: most programs are small, so that many can be looked at; all interleavings are made first, and a program that has too many is left
// out before anybody decides it. It is parsed and lowered once, and random runs of it are made once. What came out is
// written to a file after each few programs, with which a campaign that is cut off goes on; a seed is never looked at twice.
//
//	go test ./threads -run TestCampaign -v -timeout 0 -campaign 100000 -campaignfile counts.json
//
// Cost: some 20 ms a program.

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/interp"
	"magus/engine/threads"
	"magus/smt/expr"
)

var (
	campaignPrograms = flag.Uint64("campaign", 0, "number of programs of the campaign; 0: a few, in any case")
	campaignFirst    = flag.Uint64("campaignseed", 1, "seed of the first one")
	campaignFile     = flag.String("campaignfile", "", "file of counts, with which a campaign goes on")
)

// campaignStates are the states of the interleavings of one program that are looked at.
const campaignStates = 2_000

// A tally is what became of the programs of a campaign.
type tally struct {
	First, Next uint64 // seeds
	Large       int    // programs with too many interleavings, which nobody decided
	Late        int    // programs that took too long to decide, of which nothing else is counted
	Explored    int    // the others: all interleavings were seen, and all verdicts agree
	States      int    // of these, together
	Errors      int    // some interleaving has an error
	Safe        int    // verdicts, the same ones by all ways
	Unsafe      int
	Open        int
	Wrong       []uint64
}

// campaigner is the program of a seed: most are small.
func campaigner(seed uint64) string {
	switch seed % 20 {
	case 0:
		text, _ := cfatest.Synchronised(seed, false)
		return text
	case 1:
		return cfatest.Threads(seed, false)
	}
	return cfatest.Few(seed)
}

func (c *tally) load(t *testing.T) {
	c.First, c.Next = *campaignFirst, *campaignFirst
	text, err := os.ReadFile(*campaignFile)
	if *campaignFile == "" || errors.Is(err, os.ErrNotExist) {
		return
	}
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, c))
	require.Equal(t, *campaignFirst, c.First, "the file is of another campaign")
}

func (c *tally) save(t *testing.T) {
	if *campaignFile == "" {
		return
	}
	text, err := json.Marshal(c)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(*campaignFile+".new", append(text, '\n'), 0o600))
	require.NoError(t, os.Rename(*campaignFile+".new", *campaignFile))
}

// TestCampaign compares all ways to decide with all interleavings, of as many programs as are asked for.
func TestCampaign(t *testing.T) {
	n, most := *campaignPrograms, time.Minute
	if n == 0 {
		n, most = 48, time.Hour
	}
	var c tally
	c.load(t)
	for end := c.First + n; c.Next < end; {
		if why := c.program(c.Next, most); why != "" {
			c.Wrong = append(c.Wrong, c.Next)
			t.Errorf("seed %d: %s\n%s", c.Next, why, campaigner(c.Next))
		}
		if c.Next++; c.Next%50 == 0 || c.Next == end {
			c.save(t)
		}
	}
	t.Logf("%+v", c)
	require.Greater(t, c.Explored, int(n)*3/4)
	for _, count := range []int{c.Errors, c.Safe, c.Unsafe} {
		require.Greater(t, count, int(n)/12)
	}
}

// program decides one; the text is what is wrong.
func (c *tally) program(seed uint64, most time.Duration) string {
	text := campaigner(seed)
	auto, err := lowering(text, false)
	if err != nil {
		return err.Error()
	}
	m := interp.New(auto)
	all, err := m.Interleave(context.Background(), func(*expr.Expr) []uint64 { return []uint64{0, 1} }, campaignStates)
	if err != nil {
		c.Large++
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
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

// judge is what is wrong with an answer about a program, of which is known whether some interleaving has an error, or one with other choices may.
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
