package sample

import (
	"hash/fnv"
	"iter"
	"os"
	"strconv"
	"testing"
)

// Variables of the environment in which a campaign says what it asks for.
const (
	CountVariable = "MAGUS_COUNT"
	SeedVariable  = "MAGUS_SEED"
)

// shortPart is the part of a sample that is taken with -short: one in so many.
const shortPart = 8

// Count is the number of inputs that a test looks at: what a campaign asks for, or n, or
// with -short an eighth of n and at least one.
func Count(n int) int {
	if asked, err := strconv.Atoi(os.Getenv(CountVariable)); err == nil {
		return asked
	}
	if testing.Short() {
		return max(1, n/shortPart)
	}
	return n
}

// Seed is the seed of the first input: what a campaign asks for, or first.
func Seed(first uint64) uint64 {
	if asked, err := strconv.ParseUint(os.Getenv(SeedVariable), 10, 64); err == nil {
		return asked
	}
	return first
}

// Whole reports whether the suite looks at the whole sample. What a test says of the sample as such, so many of
// the programs have errors, say, holds of it, and need not hold of the part for -short or of a campaign's inputs.
func Whole() bool { return !testing.Short() && !Campaign() }

// Campaign reports whether a campaign runs the test.
func Campaign() bool { return os.Getenv(CountVariable) != "" }

// LeftOut reports whether case i of a table is left out: with -short all are but one in
// every so many.
func LeftOut(i, every int) bool { return testing.Short() && i%every != 0 }

// Thinned reports whether case i of a table is left out of the suite: all are but one in every so many, and with
// -short still fewer. A campaign looks at all of them.
func Thinned(i, every int) bool {
	if testing.Short() {
		every *= shortPart
	}
	return !Campaign() && i%every != 0
}

// Long leaves a test out with -short: it takes half a second of a processor, or more.
func Long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes longer than -short is for")
	}
}

// Part leaves a subtest out with -short, but for one in every so many, by its name.
func Part(t *testing.T, every uint32) {
	t.Helper()
	if h := fnv.New32a(); testing.Short() {
		_, _ = h.Write([]byte(t.Name()))
		if h.Sum32()%every != 0 {
			t.Skip("not in the part of the sample that is taken with -short")
		}
	}
}

// Seeds are n seeds from the first one on, which is what a campaign asks for, or first.
func Seeds(first uint64, n int) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		from := Seed(first)
		for i := range uint64(n) {
			if !yield(from + i) {
				return
			}
		}
	}
}
