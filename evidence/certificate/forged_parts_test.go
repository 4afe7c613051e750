package certificate_test

import (
	"context"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/component"
	"magus/evidence/certificate"
	"magus/internal/sample"
)

// pairsInParts are programs with threads of which more than traces is asked: what shows it has parts.
func pairsInParts() []pair {
	const hand = "#include <pthread.h>\n#include <semaphore.h>\nstatic sem_t s; static void *get(void *p) " +
		"{ sem_wait(&s); __MAGUS_ACTION__(\"get\"); return p; } int main(void) { pthread_t h; sem_init(&s, 0, 0); " +
		"pthread_create(&h, 0, get, 0); __MAGUS_ACTION__(\"put\"); @ pthread_join(h, 0); return 0; }"
	const turns = "#include <pthread.h>\nstatic void *w(void *p) { for (;;) __MAGUS_ACTION__(\"got\"); return p; } " +
		"int main(void) { pthread_t h; pthread_create(&h, 0, w, 0); for (;;) __MAGUS_ACTION__(\"other\"); }"
	const serves = "S = ( got -> S | other -> S @ ). program main { specification s, {1}, S; }"
	return []pair{
		{name: "threads that end refuse nothing", c: hand,
			spec: "P = ( put -> get -> STOP ). program main { specification s, {1}, P; }",
			good: "sem_post(&s);", bad: "", relation: component.Failures},
		{name: "threads that go on refuse nothing", c: turns, spec: serves,
			good: "", bad: "| never -> S", relation: component.Failures},
		{name: "threads that go on, and are seen", c: turns, spec: serves,
			good: "", bad: "| never -> S", relation: component.Divergences},
		{name: "threads that go on unseen", c: "#include <pthread.h>\nstatic void *w(void *p) { __MAGUS_ACTION__(\"got\"); " +
			"while (@) ; return p; } int main(void) { pthread_t h; pthread_create(&h, 0, w, 0); pthread_join(h, 0); return 0; }",
			spec: "S = ( got -> STOP ). program main { specification s, {1}, S; }",
			good: "0", bad: "1", relation: component.Divergences},
	}
}

// Whatever is changed in a certificate in parts, it shows no claim that does not hold, and no violation of one that
// does; with a part left out, or in another's place, it shows nothing.
func TestForgedPartsAreRefused(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	tried, kept := 0, 0
	for _, p := range pairsInParts() {
		t.Run(p.name, func(t *testing.T) {
			good, bad, opt := p.claimOf(t, p.good), p.claimOf(t, p.bad), magus.Options{}
			proof, _ := decided(t, good, opt, "conforms")
			require.Len(t, proof.Parts, 2)
			require.NoError(t, magus.Verify(t.Context(), good, opt, readAgain(t, proof)))
			for what, parts := range map[string][]*certificate.Certificate{
				"first left out": proof.Parts[1:], "second left out": proof.Parts[:1], "none": {},
				"first twice":  {proof.Parts[0], proof.Parts[0]},
				"second twice": {proof.Parts[1], proof.Parts[1]}, "exchanged": {proof.Parts[1], proof.Parts[0]},
				"three": {proof.Parts[0], proof.Parts[1], proof.Parts[1]},
			} {
				forged := *proof
				forged.Parts = parts
				isRefused(t, magus.Verify(t.Context(), good, opt, &forged), what)
			}
			for i := range proof.Parts { // a part alone, and parts of what has none
				isRefused(t, magus.Verify(t.Context(), good, opt, proof.Parts[i]), "a part alone")
			}
			violation, _ := decided(t, bad, opt, "violates")
			require.NoError(t, magus.Verify(t.Context(), bad, opt, readAgain(t, violation)))
			for _, of := range []struct {
				cert       *certificate.Certificate
				own, other *magus.Claim
			}{{proof, good, bad}, {violation, bad, good}} {
				some, all := forgeries(t, rnd, of.cert, sample.Count(6))
				for _, f := range some {
					if f.cert = readAgain(t, f.cert); f.cert == nil || f.cert.Verdict == "unknown" {
						continue
					}
					tried++
					refusedForged(t, of.other, opt, f)
					if err := magus.Verify(context.Background(), of.own, opt, f.cert); err != nil {
						isRefused(t, err, f.what)
					} else {
						kept++
					}
				}
				t.Logf("%s: there are %d forgeries of one thing", of.cert.Verdict, all)
			}
		})
	}
	t.Logf("%d forgeries tried, %d show what is so as well", tried, kept)
}
