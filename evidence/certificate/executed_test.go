package certificate_test

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/internal/sample"
)

// onlyRuns are programs without inputs: of variables, of arrays that are filled, written and read by their bytes, and
// calls.
func onlyRuns() []pair {
	claim := magus.Property{Question: magus.NoError}
	const head = "extern void reach_error(void); void *memset(void *, int, unsigned long);\n"
	return []pair{
		{name: "variables", question: claim, good: "6", bad: "5", c: head + `int f(int n) { return n ? n + f(n - 1) : 0; }
int main(void) { if (f(3) != @) reach_error(); return 0; }`},
		{name: "elements", question: claim, good: "870", bad: "871", c: head + `int a[60] = {[58] = 1};
int main(void) { int s = 0; for (int i = 0; i < 30; i++) a[2 * i] = i; for (int i = 0; i < 60; i++) s += a[i] * 2;
if (s != @) reach_error(); return 0; }`},
		{name: "parameters of main", question: claim, good: "9", bad: "8", c: head + `int a[60];
int main(int argc, char **argv) {
a[3] = 4; for (int i = 50; i < 55; i++) a[i] = 1; for (int i = 0; i < 55; i++) a[59] += a[i];
if (a[59] != @) reach_error(); return argc; }`},
		{name: "bytes", question: claim, good: "0x5607", bad: "0x5606", c: head + `unsigned a[60] = {[40] = 0x12345607};
int main(void) { unsigned char *p = (unsigned char *)a; unsigned i = 160; memset(a + 41, 3, 8);
if (p[i] + 256 * p[i + 1] != @ || p[i + 4] != 3) reach_error(); return 0; }`},
	}
}

// Of the only run with one thing changed nothing shows a claim that does not hold; only the right number of statements
// shows one that does.
func TestForgedOnlyRunsAreRefused(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	opt := magus.Options{Loop: magus.Loop{Engine: cegar.ExecutionEngine}, Modelling: cfa.Modelling{ArrayLimit: 24}}
	for _, p := range onlyRuns() {
		t.Run(strings.ReplaceAll(p.name, " ", "_"), func(t *testing.T) {
			good, bad := p.claimOf(t, p.good), p.claimOf(t, p.bad)
			c, _ := decided(t, good, opt, "conforms")
			require.NotNil(t, c.Executed)
			require.NoError(t, magus.Verify(t.Context(), good, opt, readAgain(t, c)))
			refusedForged(t, bad, opt, forgery{"nothing", c})
			for _, steps := range []int64{0, 1, c.Executed.Steps - 1, c.Executed.Steps + 1, 1 << 40} {
				forged := *c
				forged.Executed = &certificate.Executed{Steps: steps}
				isRefused(t, magus.Verify(t.Context(), good, opt, &forged), "steps")
			}
			if c.Cells != "" { // an automaton that does not record all that changes memory
				forged := *c
				forged.Cells = ""
				for steps := range c.Executed.Steps + 5 {
					forged.Executed = &certificate.Executed{Steps: steps}
					isRefused(t, magus.Verify(t.Context(), good, opt, &forged), "cells")
				}
			}
			some, _ := forgeries(t, rnd, c, sample.Count(20))
			for _, f := range some {
				if f.cert = readAgain(t, f.cert); f.cert == nil || f.cert.Verdict == "unknown" {
					continue
				}
				refusedForged(t, bad, opt, f)
				if err := magus.Verify(t.Context(), good, opt, f.cert); err != nil {
					isRefused(t, err, f.what)
				}
			}
			violation, _ := decided(t, bad, opt, "violates")
			require.NoError(t, magus.Verify(t.Context(), bad, opt, readAgain(t, violation)))
			refusedForged(t, good, opt, forgery{"the violation of another", violation})
		})
	}
}

// What is not known when the run comes to it refutes the certificate, however many statements it says.
func TestOnlyRunsOfInputsAreRefused(t *testing.T) {
	opt := magus.Options{Loop: magus.Loop{Engine: cegar.ExecutionEngine}, Modelling: cfa.Modelling{ArrayLimit: 24}}
	of := pair{question: magus.Property{Question: magus.NoError}, c: nondet + `unsigned a[60]; void *malloc(unsigned long);
int main(void) { int i = 30; @ return 0; }`}
	c, _ := decided(t, of.claimOf(t, ""), opt, "conforms")
	for _, why := range []string{
		"if (__VERIFIER_nondet_int()) i = 1;",
		"int u; if (u) i = 1;",
		"if (malloc(3)) i = 1;",
		"a[__VERIFIER_nondet_int()] = 1; if (a[i]) i = 1;",
		"a[i] = __VERIFIER_nondet_int(); if (a[i]) i = 1;",
		"while (i) i = 1;",
	} {
		claim := of.claimOf(t, why)
		for steps := range int64(40) {
			forged := *c
			forged.Executed = &certificate.Executed{Steps: steps}
			forged.Cells = "every"
			isRefused(t, magus.Verify(t.Context(), claim, opt, &forged), why)
			forged.Cells = ""
			isRefused(t, magus.Verify(t.Context(), claim, opt, &forged), why)
		}
	}
}
