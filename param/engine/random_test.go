package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/param"
	"magus/param/cert"
	"magus/param/engine"
	"magus/param/paramtest"
	"magus/param/syntax"
)

// budget ends the check of a random model that the loop does not finish.
const budget = 4000

// Random models against explicit search with up to 4 processes: what is called safe has a proof that
// holds and no error among few processes; what is called unsafe has a run. MAGUS_PARAM_RANDOM=N checks
// N models, from seed MAGUS_PARAM_SEED.
func TestRandomModels(t *testing.T) {
	n, seed := sample.Count(200), int(sample.Seed(0))
	count := map[string]int{}
	seeds := []int{9097, 165274} // proofs that need rounding
	for i := range n {
		seeds = append(seeds, seed+i)
	}
	for _, i := range seeds {
		text := paramtest.Random(rand.New(rand.NewPCG(uint64(i), 1)))
		m, err := param.Parse("random.param", []byte(text))
		require.NoError(t, err, text)
		sys, err := param.Compile(t.Context(), m)
		var large *syntax.Error
		if errors.As(err, &large) && large.Limit {
			count["too large"]++
			continue
		}
		require.NoError(t, err, text)
		for property := range m.Bad {
			run, reached := paramtest.Reach(m, property, 4, 7)
			for _, opt := range []engine.Options{{}, {CMA: true}, {Domain: engine.Linear, CMA: true}} {
				opt.MaxSets = budget
				what := fmt.Sprintf("seed %d, property %d, %+v\n%s", i, property, opt, text)
				s, err := engine.New(sys, property, opt)
				require.NoError(t, err, what)
				o := s.Check(context.Background())
				count[fmt.Sprintf("%v %s", o.Answer, o.Method)]++
				switch o.Answer {
				case engine.Safe:
					require.False(t, reached, "safe, but there is a run: %v\n%s", run, what)
					require.NoError(t, cert.Check(t.Context(), m, property, o.Proof), what)
				case engine.Unsafe:
					configs, err := m.Replay(*o.Run)
					require.NoError(t, err, what)
					require.True(t, m.Holds(m.Bad[property].Formula, configs[len(configs)-1]), what)
				default:
					require.NotContains(t, o.Reason, "internal error", what)
					require.NotEmpty(t, o.Reason, what)
				}
			}
		}
	}
	t.Log(count)
	if !sample.Whole() {
		return
	}
	require.Greater(t, count["safe dbm"]+count["safe linear"], 10)
	require.Greater(t, count["unsafe forward"], 10)
}
