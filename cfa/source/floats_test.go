package source

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// TestLiteralsAreRoundedToNearest: decimals at and beside the middle of two numbers become the one that Go's own
// conversion gives, which is the nearest.
func TestLiteralsAreRoundedToNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(sample.Seed(0), 38))
	for range sample.Count(3000) {
		x := math.Ldexp(1+r.Float64(), r.IntN(100)-50)
		middle := new(big.Float).SetPrec(200).SetFloat64(x)
		middle.Add(middle, new(big.Float).SetFloat64(math.Nextafter(x, math.Inf(1)))).Quo(middle, big.NewFloat(2))
		text := middle.Text('f', 110)
		switch r.IntN(4) {
		case 0:
			text += strconv.Itoa(r.IntN(10))
		case 1:
			text = text[:10+r.IntN(len(text)-10)]
		case 2:
			text = middle.Text('e', r.IntN(60))
		}
		want, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		f, _, ok := nearest(text, 53)
		require.True(t, ok, text)
		got, _ := f.Float64()
		require.Equal(t, want, got, text)
	}
}
