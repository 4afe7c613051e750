package bounded

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/component"
)

// What is said of control points holds in all states that enumeration finds there, with a proof and without; points are
// missing only where no run comes.
func TestAlwaysAgainstEnumeration(t *testing.T) {
	programs := 400
	if testing.Short() {
		programs = 100
	}
	var said, proofs, inside int
	for seed := range uint64(programs) {
		m := newMaker(seed, 11)
		c := m.component(4 + m.r.IntN(8))
		g, spec := component.NewGraph(c), m.specification(c.Cut)
		f, err := newFlow(t.Context(), g)
		require.NoError(t, err)
		var proof *Proof
		if seed%2 == 0 {
			x, err := NewInduction(t.Context(), g, spec, nil)
			require.NoError(t, err)
			if proof, _, err = x.Prove(t.Context(), 1<<20); proof != nil {
				proofs++
			}
			require.NoError(t, err)
		}
		holds, err := Always(t.Context(), g, spec, proof, f.order)
		require.NoError(t, err)

		x := &explorer{flow: f, vars: m.vars, spec: spec, taken: make([]bool, len(g.Edges))}
		heads := map[component.Node]bool{}
		all := x.initial()
		for n := -1; n != len(all); { // a layer only adds to the states that it is given
			n = len(all)
			behind, _ := x.layer(all)
			for s := range behind {
				all[s] = true
				heads[s.node] = true
			}
		}
		for s := range all {
			cs, comes := holds[s.node]
			require.True(t, comes, "seed %d: node %d", seed, s.node)
			for _, c := range cs {
				said++
				if !heads[s.node] {
					inside++
				}
				require.True(t, x.holds(c, s), "seed %d: %v at %d", seed, c, s.node)
			}
		}
	}
	t.Logf("%d conditions, %d of them where no loop closes, %d proofs", said, inside, proofs)
	assert.Positive(t, proofs)
	assert.Greater(t, said, programs)
	assert.Positive(t, inside)
}
