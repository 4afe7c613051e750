package memory

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/smt/expr"
)

// TestObjectsAreFoundByAddress: an address belongs to the one object that it lies in, or less than
// half a gap beside; all objects are tried.
func TestObjectsAreFoundByAddress(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 1))
	s := newAddressSpace(cfa.NewBuilder(expr.NewPool()), Options{})
	for i := range 30 {
		s.NewObject(fmt.Sprint("o", i), nil, []int64{0, 1, 24, 1 << 20, 1<<20 + 1}[r.IntN(5)], cfa.Var{})
	}
	room, found := s.gap()/2, 0
	for range 20_000 {
		b := s.objects[r.IntN(len(s.objects))]
		addr := b.base + uint64(b.size) + r.Uint64N(3*s.gap()) - s.gap()
		var want *Object
		for _, o := range s.objects {
			if o.base-room <= addr && addr < o.base+uint64(o.size)+room {
				require.Nil(t, want, "two objects at %x", addr)
				want = o
			}
		}
		got, off := s.objectAt(addr)
		require.Same(t, want, got, "%x", addr)
		if got != nil {
			found++
			require.Equal(t, addr, got.base+uint64(off))
		}
	}
	require.Greater(t, found, 1000)
}

// TestStoresTouchLeaves: a store to some element touches the leaves that one of the extents it may mean
// overlaps. A cell that the tests before have excluded is touched from other aligned offsets only. All
// extents are tried.
func TestStoresTouchLeaves(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 2))
	for range 20_000 {
		h := hit{b: &Object{size: 64}, rest: true, e: Extent{at: 8 * r.Int64N(16), width: 8 << r.IntN(4)},
			stride: 8 * (r.Int64N(9) - 4), count: 1 + r.Int64N(8), align: []int64{0, 8, 32}[r.IntN(3)]}
		if h.stride == 0 {
			h.stride = 8
		}
		lf := &leaf{Extent: Extent{at: 8 * r.Int64N(24), width: 8 << r.IntN(4)}}
		if r.IntN(2) == 0 {
			h.skip = map[*leaf]bool{lf: true}
		}
		want := false
		for k := range h.count {
			e := h.e.moved(k * h.stride)
			excluded := h.skip[lf] && (e.at == lf.at || e.at%max(h.align, 1) != 0)
			want = want || e.overlaps(lf.Extent) && !excluded
		}
		require.Equal(t, want, h.touches(lf), "%+v %+v", h, lf)
	}
}
