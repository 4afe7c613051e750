package lts

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"magus/internal/sample"
)

// A tuple has the number under which it came first, whatever the table was doing when it comes again: a map says which.
func TestTuplesAreNumberedOnce(t *testing.T) {
	sample.Long(t)
	r := rand.New(rand.NewPCG(1, 1))
	for _, width := range []int{1, 2, 5} {
		table, known := newTuples[uint32](width), map[string]int32{}
		for range 60_000 {
			tuple := make([]uint32, width)
			for i := range tuple {
				tuple[i] = r.Uint32N(uint32(1 + 30_000/(width*width*width*width)))
			}
			k, isNew := table.insert(tuple)
			want, met := known[fmt.Sprint(tuple)]
			require.Equal(t, !met, isNew)
			if isNew {
				require.Equal(t, len(known), int(k), "in the order in which they come")
				known[fmt.Sprint(tuple)] = k
			} else {
				require.Equal(t, want, k)
			}
			require.Equal(t, tuple, table.at(k))
		}
		require.Equal(t, len(known), table.count)
		require.LessOrEqual(t, 3*table.count, 2*len(table.slots))
	}
}

// Growing moves nothing at once, and all before the next growth.
func TestTuplesMoveBeforeTheNextGrowth(t *testing.T) {
	table := newTuples[uint32](1)
	for i := range uint32(200_000) {
		before := table.slots
		moving := table.old != nil
		table.insert([]uint32{i})
		if len(table.slots) != len(before) {
			require.False(t, moving, "at %d", i)
			require.NotNil(t, table.old)
			require.Zero(t, table.moved)
		}
	}
}
