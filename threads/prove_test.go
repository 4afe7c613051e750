package threads_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/internal/solver/embedded"
	"magus/threads"
	"magus/threads/cert"
)

// checks reports whether a proof is one.
func checks(t *testing.T, c *cfa.CFA, goal threads.Goal, p *cert.Proof) bool {
	t.Helper()
	s := embedded.New(c.Pool)
	defer s.Close()
	err := p.Check(context.Background(), cert.Subject{CFA: c, Solver: s, Races: goal == threads.Races, Deadlocks: goal == threads.Deadlocks})
	var no *cert.RefutedError
	if errors.As(err, &no) {
		return false
	}
	require.NoError(t, err)
	return true
}

// TestProofs: what was proved of random programs has a proof that is one, of whose lemmas no fact can be left out unseen. Where there is
// an error nothing is a proof, whatever lemmas somebody writes.
func TestProofs(t *testing.T) {
	proved, lemmas, refused, wrong := 0, 0, 0, 0
	for seed := *randomFirst; seed < *randomFirst+uint64(*randomPrograms); seed++ {
		r := rand.New(rand.NewPCG(seed, 31))
		for goal, text := range []string{threads.Errors: program(seed), threads.Races: program(seed + 1), threads.Deadlocks: cfatest.Lockers(seed)} {
			goal := threads.Goal(goal)
			c := lowered(t, text, goal == threads.Races)
			if len(c.Threads) < 2 {
				continue
			}
			s := threads.New(c, threads.Options{Unwind: 4, Goal: goal, Slice: seed%3 == 1, Likely: seed%2 == 1})
			for done := false; !done; _, done = s.Done() {
				_, err := s.Step(context.Background())
				require.NoError(t, err)
			}
			p, err := s.Proof(context.Background())
			if s.Outcome().Verdict != threads.Safe {
				require.Error(t, err)
				for range 5 {
					p := &cert.Proof{Count: r.IntN(2) > 0}
					for range r.IntN(6) {
						p.Lemmas = append(p.Lemmas, anyLemma(r))
					}
					require.False(t, checks(t, c, goal, p), "seed %d, goal %d\n%s", seed, goal, text)
				}
				wrong++
				continue
			}
			require.NoError(t, err, "seed %d\n%s", seed, text)
			require.True(t, checks(t, c, goal, p), "seed %d, goal %d\n%s", seed, goal, text)
			proved, lemmas = proved+1, lemmas+len(p.Lemmas)
			if len(p.Lemmas) > 0 {
				i := r.IntN(len(p.Lemmas))
				k := r.IntN(len(p.Lemmas[i]))
				p.Lemmas[i] = slices.Delete(slices.Clone(p.Lemmas[i]), k, k+1)
				if !checks(t, c, goal, p) {
					refused++
				}
			}
		}
	}
	t.Logf("%d proofs with %d lemmas, %d refused without one of their facts; %d programs with errors", proved, lemmas, refused, wrong)
	require.Positive(t, lemmas)
	require.Greater(t, refused, *randomPrograms/20)
	require.Positive(t, wrong)
}

// anyLemma is one of numbers that small programs have.
func anyLemma(r *rand.Rand) cert.Lemma {
	var l cert.Lemma
	for range 1 + r.IntN(3) {
		l = append(l, cert.Fact{Kind: cert.FactKind(r.IntN(3)), A: r.IntN(20), B: r.IntN(20)})
	}
	return l
}
