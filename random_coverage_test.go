package magus_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/interp"
	"magus/internal/sample"
	"magus/lts"
)

// What a proof says that it has not reached, no run reaches: all runs of random
// programs are enumerated, and each statement that one of them comes to has to be
// among those that the proof reached, whatever the options. That it says so of some
// shows that the test can fail.

func TestRandomCoverage(t *testing.T) {
	proofs, reached, all := 0, 0, 0
	for seed := range sample.Seeds(0, sample.Count(14)) {
		g := &generator{r: rand.New(rand.NewPCG(seed, 21))}
		c, spec := g.program()
		met, verdict, err := g.statements(t, c, spec)
		if errors.Is(err, interp.ErrLimit) || verdict != magus.Conforms {
			continue
		}
		require.NoError(t, err)
		for _, opt := range g.options(spec) {
			o, err := verdictOf(t.Context(), c, spec, opt, verdict)
			require.NoError(t, err)
			if o.Verdict != magus.Conforms {
				continue
			}
			proofs++
			require.Len(t, o.Coverage, len(g.components))
			for i, covered := range o.Coverage {
				said := map[cfa.Pos]bool{}
				for _, st := range covered.Statements {
					said[st.Pos] = st.Reached
					all++
					if st.Reached {
						reached++
					}
					require.NotEqual(t, st.Reached, st.Because.Kind != "", "%v", st)
				}
				for pos := range met[i] {
					require.True(t, said[pos], "seed %d: %v is reached, and the proof says that it is not\n%s\n%s\n%+v",
						seed, pos, c, spec, opt)
				}
			}
		}
	}
	t.Logf("%d proofs reached %d of %d statements", proofs, reached, all)
	if !sample.Whole() {
		return
	}
	require.Greater(t, proofs, 10)
	require.Greater(t, reached, all/2)
	require.Less(t, reached, all)
}

// statements are those that runs come to, by component, and the verdict.
func (g *generator) statements(t *testing.T, c, spec string) ([]map[cfa.Pos]bool, magus.Verdict, error) {
	impl, want, err := g.composition(t.Context(), c, spec)
	if err != nil {
		return nil, magus.Unknown, err
	}
	verdict, err := exhaust(impl, want)
	if err != nil {
		return nil, magus.Unknown, err
	}
	met := make([]map[cfa.Pos]bool, len(impl))
	first := moment{}
	for i, m := range impl {
		met[i] = map[cfa.Pos]bool{}
		first.at = append(first.at, m.Init())
	}
	seen, todo := map[string]bool{}, []moment{first}
	for len(todo) > 0 {
		now := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		key := keyOf(now.at)
		if seen[key] {
			continue
		}
		if seen[key] = true; len(seen) > maxOracle {
			return nil, verdict, interp.ErrLimit
		}
		for i, s := range now.at {
			g.explored[i].statement(s, met[i])
		}
		todo = append(todo, next(impl, want, now)...)
	}
	return met, verdict, nil
}

// An explored component is an automaton with all its concrete states, of which
// state n of its LTS is number n-1.
type explored struct {
	auto  *cfa.CFA
	nodes []interp.Node
}

// statement notes the statement at a state.
func (x explored) statement(s lts.State, met map[cfa.Pos]bool) {
	if s == 0 {
		return
	}
	sight := x.auto.Sight
	if n := sight.Points[sight.Origin[x.nodes[s-1].State.Loc()]].Statement; n >= 0 {
		met[sight.Statements[n].Pos] = true
	}
}
