package threaded

import (
	"bytes"
	"context"
	"errors"
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
	"magus/evidence/threadcert"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// certified checks a claim and gives its certificate as it is written and read again; nil if the verdict is unknown.
func certified(t *testing.T, c *component.Claim, opt Options) *certificate.Certificate {
	t.Helper()
	s, err := New(context.Background(), c, opt)
	require.NoError(t, err)
	require.NotNil(t, s)
	defer s.Close()
	for s.Next() != cegar.Finished {
		s.Step(context.Background())
	}
	cert, err := s.Certificate(context.Background())
	require.NoError(t, err)
	if s.outcome.Verdict == verdict.Unknown {
		require.Equal(t, "unknown", cert.Verdict)
		return nil
	}
	require.Equal(t, s.outcome.Verdict.String(), cert.Verdict)
	var text bytes.Buffer
	require.NoError(t, certificate.Write(&text, &certificate.Document{Certificates: []*certificate.Certificate{cert}}))
	d, err := certificate.Read(context.Background(), &text, "x.json")
	require.NoError(t, err)
	return d.Certificates[0]
}

// refuses reports whether a certificate is refused; it must not come to anything else but that it is right.
func refuses(t *testing.T, c *component.Claim, opt Options, cert *certificate.Certificate) bool {
	t.Helper()
	err := Verify(context.Background(), c, opt, cert)
	var no *certificate.RefutedError
	if errors.As(err, &no) {
		return true
	}
	require.NoError(t, err)
	return false
}

// TestCertificates: verdicts about random programs are certified, and what somebody has changed is refused.
func TestCertificates(t *testing.T) {
	counts := map[string]int{}
	for seed := first(); seed < first()+uint64(programs()); seed++ {
		r := rand.New(rand.NewPCG(seed, 5))
		text, _ := cfatest.Synchronised(seed, false)
		if seed%2 == 0 {
			text = cfatest.Threads(seed, false)
		}
		c := claim(t, text)
		opt := Options{Threads: Threads{Unwind: 3}}
		if s, err := New(context.Background(), c, opt); err != nil || s == nil {
			continue
		}
		cert := certified(t, c, opt)
		if cert == nil {
			continue
		}
		counts[cert.Verdict]++
		require.False(t, refuses(t, c, opt, cert), "seed %d", seed)

		other := *cert
		other.Verdict = map[string]string{"conforms": "violates", "violates": "conforms"}[cert.Verdict]
		require.True(t, refuses(t, c, opt, &other), "the other verdict, seed %d", seed)
		if run := cert.Threads.Run; run != nil {
			require.True(t, refuses(t, c, opt,
				changed(cert, func(t *certificate.Threads) { t.Run.Moves = run.Moves[:len(run.Moves)-1] })))
			k := r.IntN(len(run.Moves) - 1)
			if refuses(t, c, opt, changed(cert, func(t *certificate.Threads) {
				t.Run.Moves = slices.Delete(t.Run.Moves, k, k+1)
				t.By = slices.Delete(t.By, k, k+1)
			})) {
				counts["moves"]++
			}
			if refuses(t, c, opt, changed(cert, func(t *certificate.Threads) { t.By[k]++ })) {
				counts["threads"]++
			}
			require.True(t, refuses(t, c, opt,
				changed(cert, func(t *certificate.Threads) { t.Proof, t.Run = &threadcert.Proof{Count: true}, nil })),
				"seed %d", seed)
		}
	}
	t.Log(counts)
	if !sample.Whole() {
		return
	}
	require.Positive(t, counts["conforms"])
	require.Greater(t, counts["moves"], counts["violates"]/2)
	require.Greater(t, counts["threads"], counts["violates"]/2)
}

// changed is a certificate with something else of threads.
func changed(c *certificate.Certificate, f func(t *certificate.Threads)) *certificate.Certificate {
	out, of := *c, *c.Threads
	if of.Run != nil {
		run := *of.Run
		run.Moves, of.By = slices.Clone(run.Moves), slices.Clone(of.By)
		of.Run = &run
	}
	out.Threads = &of
	f(&of)
	return &out
}

// TestCertifiedWholes: what one automaton in place of all threads has shown is certified by that, and says
// nothing of other questions. Each is asked for alone: which one comes first where there are several is asked
// elsewhere (TestCounted).
func TestCertifiedWholes(t *testing.T) {
	sample.Long(t)
	for _, whole := range []struct{ name, method, text string }{
		{certificate.Product, "product-kinduction", `#include <pthread.h>
extern void reach_error(void);
int x;
void *f(void *p) { while (1) x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); while (1) if (x > 1) reach_error(); }`},
		{certificate.Modular, "modular-kinduction", `#include <pthread.h>
extern void reach_error(void);
int x;
void *f(void *p) { x = 1; if (x != 1) reach_error(); return 0; }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }`},
		{certificate.Locations, "locations-kinduction", `#include <pthread.h>
extern void reach_error(void), __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int s = 2, in;
void *f(void *p) { while (1) { __VERIFIER_atomic_begin(); __VERIFIER_assume(s > 0); s--; in++; __VERIFIER_atomic_end(); if (in > 2) reach_error(); __VERIFIER_atomic_begin(); s++; in--; __VERIFIER_atomic_end(); } }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }`},
		{certificate.Moves, "moves-kinduction", `#include <pthread.h>
extern void reach_error(void);
int x;
void *f(void *p) { int l = x; x = l + 1; if (x > 12) reach_error(); return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 12; i++) pthread_create(&t, 0, f, 0); }`},
	} {
		c := claim(t, whole.text)
		cert := certified(t, c, Options{Threads: Threads{Method: whole.method}})
		require.NotNil(t, cert, whole.name)
		require.Equal(t, whole.name, cert.Threads.Whole)
		require.False(t, refuses(t, c, Options{}, cert))
		race := *c
		race.Question = component.NoRace
		require.True(t, refuses(t, &race, Options{}, cert))
		other := *cert
		other.Verdict = "violates"
		require.True(t, refuses(t, c, Options{}, &other))
		require.ErrorContains(t, Verify(context.Background(), c, Options{Threads: Threads{MemoryModel: cfa.TSO}}, cert),
			"shows nothing under --memory-model tso")
		err := Verify(context.Background(), claim(t, `int main(void) { return 0; }`), Options{},
			changed(cert, func(t *certificate.Threads) { t.Whole, t.Proof = "", &threadcert.Proof{} }))
		require.ErrorContains(t, err, "it is about a program with threads")
	}
}

// TestCertifiedRaces: the runs to data races that were found are certified, and the checker finds a race
// behind a part of such a run just where the interpreter does.
func TestCertifiedRaces(t *testing.T) {
	const head = "#include <pthread.h>\n#include <stdlib.h>\n" +
		"int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; void reach_error(void); " +
		"void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n"
	texts := []string{
		head + "void *f(void *p) { x = 1; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return x; }",
		head + "void *f(void *p) { __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); return 0; } int main(void) { " +
			"pthread_t t; pthread_create(&t, 0, f, 0); return x; }",
		head + "void *f(void *p) { __VERIFIER_atomic_begin(); y = 2; x = y; __VERIFIER_atomic_end(); " +
			"return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x++; return 0; }",
		head + "struct s { int a, b; } v; void *f(void *p) { struct s w = {1, 2}; v = w; return 0; } " +
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); v.b = 3; return 0; }",
		head + "void *f(void *p) { pthread_mutex_lock(&m); if (y) x = 1; pthread_mutex_unlock(&m); " +
			"return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); " +
			"y = 1; pthread_mutex_unlock(&m); x = 2; return 0; }",
		head + "void *f(void *p) { free(p); return 0; } int main(void) { int *p = malloc(4); pthread_t t; " +
			"if (!p) return 0; pthread_create(&t, 0, f, p); *p = 1; return 0; }",
	}
	for seed := first(); seed < first()+uint64(programs()); seed++ {
		texts = append(texts, cfatest.Threads(seed, false))
	}
	found, races, others := 0, 0, 0
	for i, text := range texts {
		c := claim(t, text)
		c.Question = component.NoRace
		opt := Options{Threads: Threads{Unwind: 2}}
		s, err := New(context.Background(), c, opt)
		require.NoError(t, err, text)
		for s.Next() != cegar.Finished {
			s.Step(context.Background())
		}
		if s.outcome.Verdict != verdict.Violates {
			require.GreaterOrEqual(t, i, 6, text)
			s.Close()
			continue
		}
		found++
		cert, err := s.Certificate(context.Background())
		require.NoError(t, err)
		require.False(t, refuses(t, c, opt, cert), text)
		for k := 0; k < len(cert.Threads.By); k += 1 + len(cert.Threads.By)/12 {
			script := s.script
			script.Steps = script.Steps[:k]
			run, err := interp.New(s.auto).ReplayThreads(context.Background(), script)
			require.NoError(t, err, text)
			is := interp.New(s.auto).Races(run.End)
			require.Equal(t, !is, refuses(t, c, opt,
				changed(cert, func(t *certificate.Threads) { t.Run.Moves, t.By = t.Run.Moves[:k], t.By[:k] })),
				"behind %d moves\n%s", k, text)
			if is {
				races++
			} else {
				others++
			}
		}
		s.Close()
	}
	t.Log(found, races, others)
	if !sample.Whole() {
		return
	}
	require.Greater(t, found, 6)
	require.Positive(t, others)
}

// TestRefusedVerdicts: a violation that the checker refuses is not told.
func TestRefusedVerdicts(t *testing.T) {
	s, err := New(t.Context(), claim(t, `#include <pthread.h>
extern void reach_error(void);
int x;
void *f(void *p) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x == 1) reach_error(); return 0; }`), Options{})
	require.NoError(t, err)
	defer s.Close()
	for s.Outcome() == nil {
		s.Step(t.Context())
	}
	require.Equal(t, verdict.Violates, s.Outcome().Verdict)
	require.True(t, s.Outcome().Confirmation.Checked)
	v := *s.found.violation
	s.found.violation, v.last = &v, v.last/2 // the run ends before its error
	s.conclude(t.Context())
	require.Equal(t, verdict.Unknown, s.Outcome().Verdict)
	require.Equal(t, verdict.Refused, s.Outcome().Reason.Kind)
	require.Nil(t, s.Outcome().Run)
}
