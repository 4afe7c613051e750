package cegar

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// TestAddedBeforeRefinement: a predicate that is added after a path was found
// spurious, and before the refinement that is to exclude it, does not make the
// path's return a lack of progress.
func TestAddedBeforeRefinement(t *testing.T) {
	s := figure2(t, "figure2.spec", Options{})
	stepTo(t, s, RefineData)
	_, err := s.AddPredicates(0, "", "x == 0")
	require.NoError(t, err)
	require.Equal(t, verdict.Conforms, s.Run(context.Background(), nil).Verdict)
}

// TestAddChosen: a predicate that is chosen is not added once more.
func TestAddChosen(t *testing.T) {
	s := figure2(t, "figure2.spec", Options{})
	stepTo(t, s, RefineData)
	s.Step(context.Background())
	before, next := s.View().Components[0], s.Next()
	_, err := s.AddPredicates(0, "", "y < 10")
	require.NoError(t, err)
	require.Equal(t, before.Candidates, s.View().Components[0].Candidates)
	require.Equal(t, before.Chosen, s.View().Components[0].Chosen)
	require.Equal(t, next, s.Next())
}

// TestAddedAtTheEnd: where the loop finds no predicates and the others make a last effort,
// a predicate that is added lets the loop go on.
func TestAddedAtTheEnd(t *testing.T) {
	s := figure2(t, "figure2.spec", Options{})
	stepTo(t, s, RefineData)
	s.stuck, s.phase, s.due = &verdict.Reason{Kind: verdict.NoPredicates}, Unroll, searchMethod
	_, err := s.AddPredicates(0, "", "x == 0")
	require.NoError(t, err)
	require.Nil(t, s.stuck)
	require.Equal(t, verdict.Conforms, s.Run(t.Context(), nil).Verdict)
}

// TestChosenAfterRefinement: a counterexample of the abstraction before a refinement is none to go on with
// where the bounded search has its share before the next abstraction is built; its path would be one that was
// eliminated.
func TestChosenAfterRefinement(t *testing.T) {
	s := figure2(t, "figure2.spec", Options{})
	stepTo(t, s, RefineData)
	s.begin()
	s.portfolio.Begin(loopMethod, 1) // so that it is used up
	s.Step(t.Context())
	require.Equal(t, Unroll, s.Next())
	_, err := s.SelectCounterexample(t.Context(), 2, 0)
	require.ErrorContains(t, err, "the predicates have changed since")
	require.Equal(t, Unroll, s.Next())
	require.Equal(t, verdict.Conforms, s.Run(t.Context(), nil).Verdict)
}

const (
	endsWell = "S = (return {$0 == 0} -> STOP) + {bad}.\nprogram main { specification s, {(1)}, S; }"
	counters = "int main(void) { int i = 0, x = 0, y = 0; while (i < 40) { i++; x++; y += 2; " +
		"if (y - x == LIMIT) __MAGUS_ACTION__(\"bad\"); } return 0; }"
	inside = "int g; int f(void) { g = 5; return 1; } int main(void) { g = 4; f(); " +
		"if (g == WANTED) __MAGUS_ACTION__(\"bad\"); return 0; }"
	ofF     = "F = (return {$0 == 1} -> STOP).\nprocedure f { abstract { a, (1), F }; }\n"
	recurse = "int even(int n); int odd(int n) { return n == 0 ? 0 : even(n - 1); } int even(int n) { " +
		"return n == 0 ? 1 : odd(n - 1); }" +
		" int main(void) { if (even(5) == WANTED) __MAGUS_ACTION__(\"bad\"); return 0; }"
)

// TestRandomActs: whatever people do between the phases, and in whatever order,
// the verdict is the one without it. A campaign
// says how many sessions each claim has.
func TestRandomActs(t *testing.T) {
	sample.Long(t)
	sessions := sample.Count(1)
	text := func(c, name, value, spec string) *component.Claim {
		return claimOf(t, strings.ReplaceAll(c, name, value), spec)
	}
	handshake := func(spec string, c ...string) *component.Claim {
		return example(t, "handshake", c, []string{"lib.spec", spec})
	}
	phases := map[Phase]bool{}
	for _, c := range []struct {
		claim *component.Claim
		opt   Options
	}{
		{example(t, "figure2", []string{"figure2.c"}, []string{"figure2.spec"}), Options{}},
		{example(t, "figure2", []string{"figure2.c"}, []string{"forgets.spec"}), Options{}},
		{example(t, "lock", []string{"lock.c"}, []string{"lock.spec"}), Options{}},
		{example(t, "lock", []string{"lock_bad.c"}, []string{"lock.spec"}), Options{}},
		{handshake("s2.spec", "server.c"), Options{Loop: Loop{FirstShare: 1}}},
		{handshake("p01.spec", "client.c", "server.c"), Options{}},
		{handshake("p03.spec", "client.c", "server.c"), Options{}},
		{handshake("p05.spec", "client.c", "server.c"), Options{}},
		{text(counters, "LIMIT", "60", endsWell), Options{Loop: Loop{FirstShare: 1}}},
		{text(counters, "LIMIT", "30", endsWell), Options{Loop: Loop{FirstShare: 1}}},
		{claimNamed(t, text(inside, "WANTED", "5", ofF+endsWell)), Options{}},
		{claimNamed(t, text(inside, "WANTED", "6", ofF+endsWell)), Options{}},
		{text(recurse, "WANTED", "1", endsWell), Options{}},
		{example(t, "../engine/cegar/testdata/arrays", []string{"maximum.c"}, nil), Options{Loop: Loop{FirstShare: 1}}},
		{text(recurse, "WANTED", "0", endsWell), Options{}},
		{example(t, "recursion", []string{"parity.c"}, []string{"parity.spec"}), Options{Loop: Loop{Calls: CallsSummaries}}},
	} {
		plain, err := NewSession(t.Context(), c.claim, c.opt)
		require.NoError(t, err)
		want := plain.Run(t.Context(), nil)
		require.NotEqual(t, verdict.Unknown, want.Verdict, "%s: %v", c.claim.Name, want.Reason)
		plain.Close()
		for seed := range sessions {
			c.opt.Check = seed%2 == 1
			s, err := NewSession(t.Context(), c.claim, c.opt)
			require.NoError(t, err)
			got, acts := actAtRandom(t, s, rand.New(rand.NewSource(int64(seed))), phases)
			require.Equal(t, want.Verdict, got.Verdict, "%s, seed %d: %v\n%s", c.claim.Name, seed, got.Reason,
				strings.Join(acts, "\n"))
			s.Close()
		}
	}
	for p := range Finished {
		require.True(t, phases[p], "no session was at %v", p)
	}
}

// actAtRandom runs a session with acts between its phases, the first forty
// phases long, and says what was done.
func actAtRandom(t *testing.T, s *Session, rng *rand.Rand, phases map[Phase]bool) (*verdict.Outcome, []string) {
	var acts []string
	var kept *Snapshot
	for step := 0; s.Next() != Finished; step++ {
		phases[s.Next()] = true
		if step < 40 && rng.Intn(3) == 0 {
			if kept == nil || rng.Intn(4) > 0 {
				text, err := randomAct(s, rng)
				var input *component.InputError
				require.True(t, err == nil || errors.As(err, &input), "%s: %v", text, err)
				acts = append(acts, fmt.Sprintf("before %v: %s (%v)", s.Next(), text, err))
			} else {
				s.Restore(kept)
				acts, kept = append(acts, "back"), nil
			}
		}
		if rng.Intn(8) == 0 {
			kept = s.Snapshot()
		}
		acts = append(acts, s.Next().String()+": "+s.Step(context.Background()).String())
	}
	return s.outcome, acts
}

// randomAct does one thing to a session.
func randomAct(s *Session, rng *rand.Rand) (string, error) {
	i := rng.Intn(len(s.comps))
	v := s.View().Components[i]
	switch rng.Intn(6) {
	case 0, 1:
		if len(v.Candidates) == 0 {
			return "no candidate", nil
		}
		texts := strings.Split(v.Candidates[rng.Intn(len(v.Candidates))].Text, ", ")
		text := texts[rng.Intn(len(texts))]
		if rng.Intn(3) == 0 {
			text += fmt.Sprintf(" + %d", rng.Intn(3))
		}
		_, err := s.AddPredicates(i, "", text)
		var input *component.InputError
		if err != nil && !errors.As(err, &input) { // a text that is no C, as of a temporary
			return "add " + text, nil
		}
		return "add " + text, err
	case 2:
		if len(v.Chosen) == 0 {
			return "nothing chosen", nil
		}
		k := v.Chosen[rng.Intn(len(v.Chosen))]
		return fmt.Sprintf("drop %d", k), s.DropPredicate(i, k)
	case 3:
		name := []string{"exact", "greedy", "none"}[rng.Intn(3)]
		return "minimize " + name, s.Minimize(name)
	case 4:
		k := rng.Intn(3)
		_, err := s.SelectCounterexample(context.Background(), 3, k)
		return fmt.Sprintf("choose %d", k), err
	}
	if s.comps[i].ma == nil {
		return "no partition", nil
	}
	names := s.actions.Names(s.comps[i].mp.LTS.Alphabet())
	b, a := rng.Intn(s.comps[i].ma.NumBlocks()), names[rng.Intn(len(names))]
	_, err := s.Split(context.Background(), i, b, a)
	return fmt.Sprintf("split %d by %s", b, a), err
}
