package sample

import (
	"flag"
	"strconv"

	"pgregory.net/rapid"
)

// rapid draws from a new seed in each run unless a flag names one. Package sample names it before flags are
// parsed, so -rapid.seed and -rapid.checks still say otherwise.
func init() {
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == "0" {
		_ = seed.Value.Set(strconv.FormatUint(Seed(1), 10))
	}
	if Campaign() {
		_ = flag.Set("rapid.checks", strconv.Itoa(Count(0)))
	}
}

// Check is [rapid.Check] of a fixed sample: what is drawn is the same in each run, but for a campaign, which asks for
// as many inputs as it likes from a seed of its own. With -short it is a fifth.
func Check(t rapid.TB, property func(*rapid.T)) {
	t.Helper()
	rapid.Check(t, property)
}
