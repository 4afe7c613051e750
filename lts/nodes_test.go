package lts

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNodesAgainstMap stores enough keys that the 32 hash bits in the slots coincide for some.
func TestNodesAgainstMap(t *testing.T) {
	const keys = 400_000
	scatter := func(i uint64) uint64 { return i * i * 0x2545f4914f6cdd1d }
	table := newNodes()
	tags := map[uint32]int{}
	coincidences := 0
	for key := range uint64(keys) {
		tag := tagOf(scatter(key))
		tags[tag]++
		if tags[tag] > 1 {
			coincidences++
		}
		slot, head := table.find(scatter(key))
		if head != none {
			t.Fatalf("key %d is there before it was put", key)
		}
		table.setHead(slot, scatter(key), table.add(node{key: scatter(key), next: none}))
	}
	require.Greater(t, coincidences, 3, "the test needs more keys")
	for key := range uint64(keys) {
		if _, head := table.find(scatter(key)); head != int32(key) {
			t.Fatalf("key %d: found node %d", key, head)
		}
		if _, head := table.find(scatter(key) + 1); head != none {
			t.Fatalf("key %d was never put", scatter(key)+1)
		}
	}
	require.Equal(t, keys, table.keys)
}

func TestTuplesAgainstMap(t *testing.T) {
	table := newTuples[State](3)
	number := map[[3]State]int32{}
	for i := range State(100_000) {
		tuple := [3]State{i % 17, i % 101, i % 29}
		want, known := number[tuple]
		if !known {
			want = int32(len(number))
			number[tuple] = want
		}
		got, isNew := table.insert(tuple[:])
		if got != want || isNew == known {
			t.Fatalf("%v: got %d, want %d", tuple, got, want)
		}
	}
	require.Equal(t, len(number), table.count)
	for tuple, k := range number {
		require.Equal(t, tuple[:], table.at(k))
	}
}
