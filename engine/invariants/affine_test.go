package invariants

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/smt/expr"
)

// The equations of some points hold for exactly the sums that one gets from them: the first,
// and any multiples of the differences to it.
func TestHullAgainstEnumeration(t *testing.T) {
	trivial, even := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		width := 1 + r.IntN(3)
		p, typ := expr.NewPool(), expr.Type{Width: uint8(width), Signed: seed%2 == 0}
		var vars []*expr.Expr
		for i := range 1 + r.IntN(3) {
			vars = append(vars, p.Var(fmt.Sprintf("v%d", i), typ))
		}
		value := func(point int) func(v *expr.Expr) uint64 {
			return func(v *expr.Expr) uint64 {
				for i, w := range vars {
					if v == w {
						return uint64(point>>(i*width)) & typ.Mask()
					}
				}
				return 0
			}
		}
		add := func(a, b int, minus bool) int {
			sum := 0
			for i := range vars {
				x, y := uint64(a>>(i*width)), uint64(b>>(i*width))
				if minus {
					y = -y
				}
				sum |= int(typ.Trunc(x+y)) << (i * width)
			}
			return sum
		}
		total := 1 << (width * len(vars))
		h := NewHull(p, vars)
		require.True(t, h.Empty())
		require.True(t, h.Equations()[0].IsFalse())
		in := map[int]bool{}
		first := r.IntN(total)
		for k := range 1 + r.IntN(4) {
			point := r.IntN(total)
			if k == 0 {
				point = first
			}
			require.Equal(t, !in[point], h.Add(value(point)), "seed %d", seed)
			direction := add(point, first, true)
			grown := map[int]bool{point: true, first: true}
			for q := range in {
				grown[q] = true
			}
			for todo := true; todo; { // with all multiples of the new direction
				todo = false
				for q := range grown {
					if n := add(q, direction, false); !grown[n] {
						grown[n], todo = true, true
					}
				}
			}
			in = grown
		}
		all := p.Land(h.Equations()...)
		for point := range total {
			require.Equal(t, in[point], expr.Eval(all, value(point)) == 1, "seed %d: %v, point %d", seed, all, point)
		}
		if all.IsTrue() {
			trivial++
		}
		if n := len(in); n > 1 && n < total {
			even++
		}
	}
	assert.Less(t, trivial, 200)
	assert.Greater(t, even, 50)
}
