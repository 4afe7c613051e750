package cegar

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cells"
	"magus/evidence/verdict"
)

// TestAllocationsInLoops: whether memory is lost is proved of loops that allocate without bound, by one object of
// each call that is told apart and may be any. The checker accepts these proofs, and of none that says another way to
// choose.
func TestAllocationsInLoops(t *testing.T) {
	const head = "void *malloc(unsigned long); void *realloc(void *, unsigned long); void free(void *); int more(void);\n"
	for name, test := range map[string]struct {
		body  string
		holds bool
	}{
		"freed":            {"while (more()) { char *p = malloc(8); free(p); }", true},
		"two at a time":    {"char *q = 0; while (more()) { char *p = malloc(8); free(q); q = p; } free(q);", true},
		"grown":            {"char *q = 0; while (more()) { char *p = realloc(q, 8); if (!p) break; q = p; } free(q);", true},
		"lost":             {"while (more()) malloc(8);", false},
		"lost in the end":  {"char *q = 0; while (more()) { free(q); q = malloc(8); }", false},
		"one of them lost": {"int i = 0; while (more()) { char *p = malloc(8); if (i++ != 9) free(p); }", false},
	} {
		t.Run(name, func(t *testing.T) {
			claim := errorClaim(t, head+"int main(void) { "+test.body+" return 0; }")
			opt := Options{Modelling: cfa.Modelling{CheckLeaks: true}, Cells: cells.Allocation}
			opt.Engine, opt.Written = InductionEngine, -1
			got := runFor(t, claim, opt, 40)
			require.Equal(t, test.holds, got == verdict.Conforms, "%s", got)
			if !test.holds {
				return
			}
			opt.Cells, opt.Engine = "", CellsEngine
			s, err := NewSession(context.Background(), claim, opt)
			require.NoError(t, err)
			defer s.Close()
			out := s.Run(context.Background(), func(Event) {})
			require.Equal(t, verdict.Conforms, out.Verdict)
			opt.Engine = AutoEngine
			cert, err := s.Certificate(context.Background())
			require.NoError(t, err)
			require.NoError(t, VerifyCertificate(context.Background(), claim, opt, cert))
			cert.Cells = string(cells.Shared)
			require.Error(t, VerifyCertificate(context.Background(), claim, opt, cert))
		})
	}
}
