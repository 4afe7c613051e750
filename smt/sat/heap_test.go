package sat

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The next variable is the most active one of the cone without a value, ties by number, whichever were
// assigned, bumped and unassigned in between, and whatever earlier cones there were.
func TestVariablesComeByActivityAndNumber(t *testing.T) {
	const n = 30
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		h := &varHeap{}
		for range n {
			h.grow()
		}
		for range 3 {
			var cone []Var
			for v := range Var(n) {
				if r.IntN(3) > 0 {
					cone = append(cone, v)
				}
			}
			h.reset(cone)
			var assigned []Var
			for range 100 {
				switch r.IntN(4) {
				case 0, 1:
					open := slices.DeleteFunc(slices.Clone(cone), func(v Var) bool { return slices.Contains(assigned, v) })
					v, ok := h.pop()
					for ok && slices.Contains(assigned, v) {
						v, ok = h.pop()
					}
					require.Equal(t, len(open) > 0, ok)
					if !ok {
						continue
					}
					slices.SortFunc(open, func(a, b Var) int {
						if h.before(a, b) {
							return -1
						}
						return 1
					})
					require.Equal(t, open[0], v, "seed %d", seed)
					assigned = append(assigned, v)
				case 2: // implied
					if v := cone[r.IntN(len(cone))]; !slices.Contains(assigned, v) {
						assigned = append(assigned, v)
					}
				case 3:
					if len(assigned) == 0 {
						continue
					}
					v := assigned[r.IntN(len(assigned))]
					h.act[v] += float64(r.IntN(3))
					h.grown(v)
					for _, u := range assigned[len(assigned)/2:] {
						h.push(u)
					}
					assigned = assigned[:len(assigned)/2]
				}
			}
		}
	}
}

// TestHeapLostActivity: a variable whose activity was rescaled to nothing is decided again. The heap looked
// for it among those that never had any.
func TestHeapLostActivity(t *testing.T) {
	var h varHeap
	for range 3 {
		h.grow()
	}
	h.act[1] = 1e-300
	h.reset([]Var{0, 1, 2})
	v, ok := h.pop()
	require.True(t, ok)
	require.Equal(t, Var(1), v)
	h.act[1] = 0
	h.push(1)
	var rest []Var
	for v, ok := h.pop(); ok; v, ok = h.pop() {
		rest = append(rest, v)
	}
	require.Equal(t, []Var{1, 0, 2}, rest)
}
