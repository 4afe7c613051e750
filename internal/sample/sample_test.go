package sample

import (
	"flag"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCount(t *testing.T) {
	want := 40
	if testing.Short() {
		want = 5
	}
	require.Equal(t, want, Count(40))
	require.Positive(t, Count(1), "some are always looked at")
	require.Equal(t, uint64(7), Seed(7))
	require.False(t, Campaign())
}

func TestCampaignAsks(t *testing.T) {
	t.Setenv(CountVariable, "1000")
	t.Setenv(SeedVariable, "18446744073709551615")
	require.Equal(t, 1000, Count(40))
	require.Equal(t, uint64(1<<64-1), Seed(7))
	require.True(t, Campaign())
}

func TestLeftOut(t *testing.T) {
	kept := 0
	for i := range 100 {
		if !LeftOut(i, 5) {
			kept++
		}
	}
	want := 100
	if testing.Short() {
		want = 20
	}
	require.Equal(t, want, kept)
}

func TestThinned(t *testing.T) {
	kept := func() (n int) {
		for i := range 60 {
			if !Thinned(i, 3) {
				n++
			}
		}
		return n
	}
	want := 20
	if testing.Short() {
		want = 3
	}
	require.Equal(t, want, kept())
	t.Setenv(CountVariable, "1")
	require.Equal(t, 60, kept())
}

func TestSeeds(t *testing.T) {
	require.Equal(t, []uint64{5, 6, 7}, slices.Collect(Seeds(5, 3)))
	t.Setenv(SeedVariable, "100")
	require.Equal(t, []uint64{100, 101, 102}, slices.Collect(Seeds(5, 3)))
}

// TestCheck: what is drawn is the same in each run.
func TestCheck(t *testing.T) {
	drawn := func() (all []uint64) {
		Check(t, func(t *rapid.T) { all = append(all, rapid.Uint64().Draw(t, "any")) })
		return all
	}
	first := drawn()
	require.Equal(t, first, drawn())
	require.NotEqual(t, "0", flag.Lookup("rapid.seed").Value.String(), "no new seed in the next run")
}
