package threaded

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
	"magus/cfa/interp"
	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/internal/sample"
	"magus/lts"
	"magus/smt/expr"
)

// verdictUnder is the verdict of a claim under a memory model.
func verdictUnder(t *testing.T, c *component.Claim, model cfa.MemoryModel) (verdict.Verdict, *Session) {
	t.Helper()
	s, err := New(context.Background(), c, Options{Threads: Threads{MemoryModel: model}})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	for s.Next() != cegar.Finished {
		s.Step(context.Background())
	}
	return s.outcome.Verdict, s
}

// litmus is a program with a thread for each text, which ends in an error where a condition holds behind all.
func litmus(bad string, bodies ...string) string {
	text, main := "#include <pthread.h>\n#include <stdatomic.h>\nextern void reach_error(void); "+
		"int x, y, z, a, b, c, d; atomic_int u, v; int i, big[100000]; extern int __VERIFIER_nondet_int(void);\n",
		"int main(void) { pthread_t t[4]; i = __VERIFIER_nondet_int(); if (i < 0 || i > 99999) return 0;"
	for i, body := range bodies {
		text += fmt.Sprintf("void *f%d(void *p) { %s return 0; }\n", i, body)
		main += fmt.Sprintf(" pthread_create(&t[%d], 0, f%[1]d, 0);", i)
	}
	for i := range bodies {
		main += fmt.Sprintf(" pthread_join(t[%d], 0);", i)
	}
	return text + main + " if (" + bad + ") reach_error(); return 0; }"
}

// TestStreamsAreFences: a function of the library that locks a stream shows what its thread has written before; one
// that locks none does not.
func TestStreamsAreFences(t *testing.T) {
	const include = "#include <stdio.h>\n#include <string.h>\nextern int puts(const char *);\n"
	for call, want := range map[string]verdict.Verdict{
		"puts(\"a\")":              verdict.Conforms,
		"fputc('a', stderr)":       verdict.Conforms,
		"c = strlen(\"a\")":        verdict.Violates,
		"c = strcmp(\"a\", \"b\")": verdict.Violates,
	} {
		text := include + litmus("a == 0 && b == 0", "x = 1; "+call+"; a = y;", "y = 1; "+call+"; b = x;")
		got, _ := verdictUnder(t, claim(t, text), cfa.TSO)
		require.Equal(t, want, got, call)
	}
}

// TestCertifiedModels: what violates under a weaker memory model is certified by a run with buffers, and no
// part of it shows anything under a stronger one, nor with other moves where others see writes.
func TestCertifiedModels(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		least cfa.MemoryModel // that allows it
	}{
		"SB": {litmus("a == 0 && b == 0", "x = 1; a = y;", "y = 1; b = x;"), cfa.TSO},
		"SB, one fence": {litmus("a == 0 && b == 0", "x = 1; __sync_synchronize(); a = y;",
			"y = 1; b = x;"), cfa.TSO},
		"SB, relaxed": {litmus("a == 0 && b == 0",
			"__atomic_store_n(&x, 1, 0); a = __atomic_load_n(&y, 0);",
			"__atomic_store_n(&y, 1, 0); b = __atomic_load_n(&x, 0);"), cfa.TSO},
		"SB, each reads its own first": {litmus("a == 1 && b == 0 && c == 1 && d == 0",
			"x = 1; a = x; b = y;", "y = 1; c = y; d = x;"), cfa.TSO},
		"MP": {litmus("a == 1 && b == 0", "x = 1; y = 1;", "a = y; b = x;"), cfa.PSO},
		"MP, a release beside": {litmus("a == 1 && b == 0", "__atomic_store_n(&z, 1, 3); x = 1; y = 1;",
			"a = y; b = x;", "c = z;"), cfa.PSO},
		"SB, releases": {litmus("a == 0 && b == 0", "x = 1; __sync_lock_release(&z); a = y;",
			"y = 1; b = x;", "c = z;"), cfa.TSO},
		"R":    {litmus("y == 2 && a == 0", "x = 1; y = 1;", "y = 2; a = x;"), cfa.TSO},
		"S":    {litmus("a == 1 && x == 2", "x = 2; y = 1;", "a = y; x = 1;"), cfa.PSO},
		"2+2W": {litmus("x == 1 && y == 1", "x = 1; y = 2;", "y = 1; x = 2;"), cfa.PSO},
		"both writes of a variable": {litmus("a == 0 && b == 0 && c == 2", "x = 1; x = 2; c = x; a = y;",
			"y = 1; b = x;"), cfa.TSO},
		"a message by a large array": {litmus("c == 0 && a == 1 && b == 0",
			"y = 1; big[i] = 1; int k = z; __sync_synchronize(); c = k;",
			"z = 1; __sync_synchronize(); a = big[i]; b = y;"), cfa.PSO},
		"a large array of one thread": {litmus("a == 0 && b == 0 && c == 3",
			"big[i] = 3; x = 1; a = y; c = big[i];", "y = 1; b = x;"), cfa.TSO},
		"a message that is no other order": {litmus("a == 1 && b == 1", "x = 1; y = 1;", "a = y; b = x;"), cfa.SC},
	} {
		r := rand.New(rand.NewPCG(3, 7))
		claim := claim(t, c.text)
		for _, model := range []cfa.MemoryModel{cfa.SC, cfa.TSO, cfa.PSO} {
			is, s := verdictUnder(t, claim, model)
			if model < c.least {
				require.NotEqual(t, verdict.Violates, is, "%s under %v", name, model)
				continue
			}
			require.Equal(t, verdict.Violates, is, "%s under %v", name, model)
			cert := certified(t, claim, Options{Threads: Threads{MemoryModel: model}})
			require.False(t, refuses(t, claim, Options{Threads: Threads{MemoryModel: model}}, cert), "%s under %v", name, model)
			for weaker := range c.least {
				shuffled(t, r, claim, weaker, s, cert, name)
			}
		}
	}
}

// shuffled changes a run in many ways, none of which shows an error under a model that has none.
func shuffled(t *testing.T, r *rand.Rand, c *component.Claim, model cfa.MemoryModel, s *Session,
	cert *certificate.Certificate, name string) {
	t.Helper()
	sub := &certificate.ThreadSubject{Component: &component.Component{Name: s.auto.Name, CFA: s.auto,
		Actions: lts.NewActions()}, Question: c.Question, Model: model}
	for range 60 {
		other := changed(cert, func(to *certificate.Threads) {
			var places []int
			for range r.IntN(4) {
				places = places[:0]
				for i, m := range to.Run.Moves {
					if m.Seen != "" {
						places = append(places, i)
					}
				}
				if len(places) == 0 {
					return
				}
				from := places[r.IntN(len(places))]
				m, by := to.Run.Moves[from], to.By[from]
				to.Run.Moves, to.By = slices.Delete(to.Run.Moves, from, from+1), slices.Delete(slices.Clone(to.By), from, from+1)
				if at := r.IntN(len(to.By)); r.IntN(4) > 0 {
					to.Run.Moves, to.By = slices.Insert(to.Run.Moves, at, m), slices.Insert(to.By, at, by)
				}
			}
		})
		err := other.CheckThreads(context.Background(), sub)
		var no *certificate.RefutedError
		require.True(t, errors.As(err, &no), "%s under %v: %v", name, model, err)
	}
}

// TestCertifiedOutcomes: outcomes of random litmus tests that a model allows are certified, and so is that
// others do not allow them; neither certificate shows anything under the other model.
func TestCertifiedOutcomes(t *testing.T) {
	counts := map[cfa.MemoryModel]int{}
	models := []cfa.MemoryModel{cfa.SC, cfa.TSO, cfa.PSO}
	for seed := first(); seed < first()+uint64(sample.Count(20)); seed++ {
		r := rand.New(rand.NewPCG(seed, 59))
		_, s := verdictUnder(t, claim(t, "#define WANT -1\n"+cfatest.Litmus(seed)), cfa.SC)
		outcomes := map[cfa.MemoryModel][]uint64{}
		for _, model := range models {
			all, err := interp.New(s.auto).Under(model).Interleave(context.Background(),
				func(*expr.Expr) []uint64 { return []uint64{0} }, 20_000)
			if err != nil {
				break
			}
			outcomes[model] = all.Results
		}
		for i, model := range models[:len(outcomes)] {
			all := slices.DeleteFunc(slices.Clone(outcomes[model]), func(v uint64) bool {
				return i > 0 && slices.Contains(outcomes[models[i-1]], v)
			})
			if len(all) == 0 || i == 0 {
				continue
			}
			counts[model]++
			c := claim(t, fmt.Sprintf("#define WANT %d\n%s", all[r.IntN(len(all))], cfatest.Litmus(seed)))
			_, s := verdictUnder(t, c, model)
			cert := certified(t, c, Options{Threads: Threads{MemoryModel: model}})
			require.NotNil(t, cert, "seed %d", seed)
			require.Equal(t, "violates", cert.Verdict, "seed %d", seed)
			for m := range model {
				require.True(t, refuses(t, c, Options{Threads: Threads{MemoryModel: m}}, cert), "seed %d", seed)
				shuffled(t, r, c, m, s, cert, fmt.Sprint("seed ", seed))
				proof := certified(t, c, Options{Threads: Threads{MemoryModel: m}})
				require.NotNil(t, proof, "seed %d", seed)
				require.Equal(t, "conforms", proof.Verdict, "seed %d", seed)
				if proof.Threads.Whole == "" {
					require.False(t, refuses(t, c, Options{Threads: Threads{MemoryModel: m}}, proof), "seed %d", seed)
				}
				require.True(t, refuses(t, c, Options{Threads: Threads{MemoryModel: model}}, proof), "seed %d", seed)
			}
			require.False(t, refuses(t, c, Options{Threads: Threads{MemoryModel: model}}, cert), "seed %d", seed)
		}
	}
	t.Log(counts)
	if !sample.Whole() {
		return
	}
	require.Positive(t, counts[cfa.TSO])
}

// TestFencesOfCertificates: a fence is not made before others see what its thread has written; a weaker
// operation may be.
func TestFencesOfCertificates(t *testing.T) {
	for text, fence := range map[string]bool{
		"x = 1; __sync_synchronize();":                         true,
		"x = 1; __atomic_exchange_n(&y, 1, __ATOMIC_RELAXED);": true,
		"__atomic_store_n(&x, 1, __ATOMIC_RELAXED); u = 1;":    true,
		"x = 1; pthread_create(&t, 0, f, 0);":                  true,
		"x = 1; pthread_join(t, 0);":                           true,
		"x = 1; __atomic_load_n(&y, __ATOMIC_SEQ_CST);":        false,
		"x = 1; z = 2;": false,
		"x = 1; __atomic_store_n(&z, 1, __ATOMIC_RELEASE);":                 false,
		"x = 1; atomic_signal_fence(memory_order_seq_cst);":                 false,
		"x = 1; atomic_thread_fence(memory_order_seq_cst);":                 true,
		"x = 1; __VERIFIER_atomic_begin(); z = 2; __VERIFIER_atomic_end();": true,
	} {
		c := claim(t, "#include <pthread.h>\n#include <stdatomic.h>\n"+
			"extern void reach_error(void), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); "+
			"int x, y, z; atomic_int u;\n"+
			"void *f(void *p) { y = x; z = y; return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); "+
			text+" reach_error(); }")
		for _, model := range []cfa.MemoryModel{cfa.TSO, cfa.PSO} {
			opt := Options{Threads: Threads{MemoryModel: model}}
			cert := certified(t, c, opt)
			require.NotNil(t, cert, text)
			require.Equal(t, "violates", cert.Verdict, text)
			require.False(t, refuses(t, c, opt, cert), text)
			without := changed(cert, func(to *certificate.Threads) {
				moves, by := to.Run.Moves, to.By
				to.Run.Moves, to.By = nil, nil
				for i, m := range moves {
					if m.Seen == "" || by[i] != 0 {
						to.Run.Moves, to.By = append(to.Run.Moves, m), append(to.By, by[i])
					}
				}
			})
			require.Equal(t, fence, refuses(t, c, opt, without), "%s under %v", text, model)
		}
	}
}
