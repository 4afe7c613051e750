package memory

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/pointsto"
)

// TestAlikeBehind: two pointers into different literals may be equal where a compiler may give the literals one
// memory: the shorter one is laid at the end of the longer one, if that ends so.
func TestAlikeBehind(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 30))
	text := func() []uint64 {
		var s []uint64
		for range r.IntN(4) {
			s = append(s, uint64('a'+r.IntN(2)))
		}
		return append(s, 0)
	}
	seen := map[bool]int{}
	for range 4000 {
		one, other := text(), text()
		target := func(n int) pointsto.Target {
			at := uint64(r.IntN(n + 1))
			return pointsto.Target{Offset: at, Last: at + uint64(r.IntN(n+1-int(at)))}
		}
		s, u := target(len(one)), target(len(other))
		want := false
		for i := s.Offset; i <= s.Last && i <= uint64(len(one)); i++ {
			for k := u.Offset; k <= u.Last && k <= uint64(len(other)); k++ {
				common := len(one)-int(i) == len(other)-int(k)
				from, at := min(int(i), len(one)-1), min(int(k), len(other)-1) // behind the last ones, these
				want = want || common && slices.Equal(one[from:], other[at:])
			}
		}
		got := sameSuffix(one, other, s, u)
		seen[got]++
		require.Equal(t, want, got, fmt.Sprintln(one, other, s, u))
	}
	require.Greater(t, min(seen[true], seen[false]), 400)
}
