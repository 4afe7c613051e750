package threads_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/events"
	"magus/cfa/interp"
	"magus/engine/threads"
	"magus/evidence/threadcert"
	"magus/internal/sample"
	"magus/smt/embedded"
	"magus/smt/expr"
)

// checks reports whether a proof is one.
func checks(t *testing.T, c *cfa.CFA, goal threads.Goal, p *threadcert.Proof) bool {
	t.Helper()
	return checksUnder(t, cfa.SC, c, goal, p)
}

func checksUnder(t *testing.T, model cfa.MemoryModel, c *cfa.CFA, goal threads.Goal, p *threadcert.Proof) bool {
	t.Helper()
	s := embedded.New(c.Pool)
	defer s.Close()
	err := p.Check(context.Background(), threadcert.Subject{CFA: c, Solver: s, Races: goal == threads.Races,
		Deadlocks: goal == threads.Deadlocks, Model: model})
	var no *threadcert.RefutedError
	if errors.As(err, &no) {
		return false
	}
	require.NoError(t, err)
	return true
}

// TestProofs: what was proved of random programs has a proof that is one, of whose lemmas no fact can be left
// out unseen. Where there is an error nothing is a proof, whatever lemmas somebody writes.
func TestProofs(t *testing.T) {
	proved, lemmas, refused, wrong := 0, 0, 0, 0
	for seed := randomFirst(); seed < randomFirst()+uint64(fewPrograms()); seed++ {
		r := rand.New(rand.NewPCG(seed, 31))
		for goal, text := range []string{threads.Errors: program(seed), threads.Races: program(seed + 1),
			threads.Deadlocks: cfatest.Lockers(seed)} {
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
			if s.Result().Answer != threads.Safe {
				require.Error(t, err)
				for range 5 {
					p := &threadcert.Proof{Count: r.IntN(2) > 0}
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
	t.Logf("%d proofs with %d lemmas, %d refused without one of their facts; %d programs with errors",
		proved, lemmas, refused, wrong)
	if !sample.Whole() {
		return
	}
	require.Positive(t, lemmas)
	require.Greater(t, refused, fewPrograms()/20)
	require.Positive(t, wrong)
}

// refusedAt is the number of the first lemma of a proof that is none; -1 if all are.
func refusedAt(t *testing.T, model cfa.MemoryModel, c *cfa.CFA, p *threadcert.Proof) int {
	t.Helper()
	s := embedded.New(c.Pool)
	defer s.Close()
	err := p.Check(context.Background(), threadcert.Subject{CFA: c, Solver: s, Model: model})
	var no *threadcert.RefutedError
	require.True(t, errors.As(err, &no), "%v", err)
	return no.Lemma
}

// anyLemmas are some of what reads of an unrolled program see, and of what happens to the same variables.
func anyLemmas(r *rand.Rand, p *events.Program, n int) []threadcert.Lemma {
	var reads []int
	for i, e := range p.Events {
		if !e.Write {
			reads = append(reads, i)
		}
	}
	write := func(read int) int {
		for {
			if w := r.IntN(len(p.Events)); p.Events[w].Write && p.Events[w].Cell == p.Events[read].Cell {
				return w
			}
		}
	}
	var all []threadcert.Lemma
	for k := range n {
		var l threadcert.Lemma
		if k%2 == 0 { // all of an execution
			for i, e := range p.Events {
				if e.Write {
					l = append(l, threadcert.Fact{Kind: threadcert.Happens, A: i})
				} else {
					l = append(l, threadcert.Fact{Kind: threadcert.Sees, A: write(i), B: i})
				}
			}
			for i, e := range p.Edges {
				if e.When != nil {
					l = append(l, threadcert.Fact{Kind: threadcert.Ordered, A: i})
				}
			}
			all = append(all, l)
			continue
		}
		for range 1 + r.IntN(2) {
			read := reads[r.IntN(len(reads))]
			l = append(l, threadcert.Fact{Kind: threadcert.Sees, A: write(read), B: read})
			if r.IntN(2) == 0 {
				l = append(l, threadcert.Fact{Kind: threadcert.Happens, A: write(read)})
			}
		}
		all = append(all, l)
	}
	return all
}

// anyLemma is one of numbers that small programs have.
func anyLemma(r *rand.Rand) threadcert.Lemma {
	var l threadcert.Lemma
	for range 1 + r.IntN(3) {
		l = append(l, threadcert.Fact{Kind: threadcert.FactKind(r.IntN(3)), A: r.IntN(20), B: r.IntN(20)})
	}
	return l
}

// TestProofsUnderModels: outcomes of random litmus tests that a memory model does not have are proved, and
// checked. No such proof is one under a weaker model that has the outcome, whatever is left of it or added.
func TestProofsUnderModels(t *testing.T) {
	proofs, lemmas, forged, kept := map[cfa.MemoryModel]int{}, 0, 0, 0
	models := []cfa.MemoryModel{cfa.SC, cfa.TSO, cfa.PSO}
	texts := slices.Clone(knownOutcomes)
	// threads read their own first
	for _, c := range [][2]string{{"x = 1;", ""}, {"x = 2; x = 1;", "__sync_synchronize();"}} {
		texts = append(texts, `#include <pthread.h>
extern void reach_error(void);
int x, y;
void *f(void *p) { `+c[0]+` int r = x, s = y; return (void *)(long)(r + 2 * s); }
int main(void) {
	pthread_t t; void *q;
	pthread_create(&t, 0, f, 0);
	y = 1; `+c[1]+`
	int u = y, v = x;
	pthread_join(t, &q);
	int all = (int)(long)q + 4 * u + 8 * v;
	if (all == WANT) reach_error();
	return all;
}`)
	}
	known := len(texts)
	for seed := randomFirst(); seed < randomFirst()+uint64(fewPrograms()/2); seed++ {
		texts = append(texts, cfatest.Litmus(seed))
	}
	for i, text := range texts {
		if i < known && sample.Thinned(i, 2) {
			continue
		}
		r := rand.New(rand.NewPCG(randomFirst()+uint64(i), 61))
		outcomes := map[cfa.MemoryModel][]uint64{}
		for _, model := range models {
			all, err := interp.New(automaton(t, "#define WANT -1\n"+text)).Under(model).
				Interleave(context.Background(), func(*expr.Expr) []uint64 { return []uint64{0} }, randomStates)
			if err != nil {
				break
			}
			outcomes[model] = all.Results
		}
		if len(outcomes) < len(models) {
			continue
		}
		wants := []uint64{r.Uint64N(1 << 13), r.Uint64N(1 << 7),
			outcomes[cfa.PSO][r.IntN(len(outcomes[cfa.PSO]))] ^ 1<<r.IntN(8)}
		for k, weak := range models[1:] {
			wants = append(wants, slices.DeleteFunc(slices.Clone(outcomes[weak]),
				func(v uint64) bool { return slices.Contains(outcomes[models[k]], v) })...)
		}
		for _, want := range wants[:min(len(wants), 6)] {
			c := automaton(t, fmt.Sprintf("#define WANT %d\n%s", want, text))
			for _, model := range models {
				if slices.Contains(outcomes[model], want) {
					break // so do weaker ones
				}
				s := threads.New(c, threads.Options{Unwind: 4, Model: model})
				for done := false; !done; _, done = s.Done() {
					_, err := s.Step(context.Background())
					require.NoError(t, err)
				}
				require.Equal(t, threads.Safe, s.Result().Answer, text)
				p, err := s.Proof(context.Background())
				require.NoError(t, err, "outcome %d under %v\n%s", want, model, text)
				require.True(t, checksUnder(t, model, c, threads.Errors, p), "outcome %d under %v\n%s", want, model, text)
				proofs[model]++
				lemmas += len(p.Lemmas)
				for _, weaker := range models[model+1:] {
					if !slices.Contains(outcomes[weaker], want) {
						continue
					}
					weakly := threads.New(c, threads.Options{Model: weaker})
					_, err := weakly.Step(context.Background())
					require.NoError(t, err)
					for n := range 2 {
						other := *p
						other.Lemmas = append(slices.Clone(p.Lemmas),
							anyLemmas(r, weakly.Program(), map[bool]int{true: 600, false: 20}[i < known]*n)...)
						for at := 0; at >= 0; { // all that are lemmas there
							if at = refusedAt(t, weaker, c, &other); at >= 0 {
								other.Lemmas = slices.Delete(other.Lemmas, at, at+1)
							}
						}
						kept += len(other.Lemmas)
						require.False(t, checksUnder(t, weaker, c, threads.Errors, &other),
							"outcome %d under %v, which %v has\n%s", want, model, weaker, text)
						forged++
					}
				}
			}
		}
	}
	t.Logf("%v proofs with %d lemmas; %d for weaker models, which have %d of these and other lemmas",
		proofs, lemmas, forged, kept)
	for _, model := range models {
		require.Positive(t, proofs[model])
	}
	require.Positive(t, forged)
}
