package minimize

import (
	"context"
	"slices"

	"pgregory.net/rapid"
)

// table is a Problem by its minimal eliminating sets: sets[path] is eliminated
// by every superset of one of them. It checks nothing and counts tests.
type table struct {
	n     int
	costs []int // nil: all 1
	sets  [][]Set
	tests int
	err   error // answered by Eliminates when not nil
}

func (t *table) NumCandidates() int { return t.n }
func (t *table) NumPaths() int      { return len(t.sets) }

func (t *table) Cost(c int) int {
	if t.costs == nil {
		return 1
	}
	return t.costs[c]
}

func (t *table) Eliminates(_ context.Context, path int, s Set) (bool, error) {
	t.tests++
	return t.eliminates(path, s), t.err
}

func (t *table) eliminates(path int, s Set) bool {
	return slices.ContainsFunc(t.sets[path], func(m Set) bool { return m.SubsetOf(s) })
}

func (t *table) eliminatesAll(s Set) bool {
	for path := range t.sets {
		if !t.eliminates(path, s) {
			return false
		}
	}
	return true
}

// helpful is a table with hints, good or bad, and relevance, exact.
type helpful struct {
	*table
	hints [][]int
}

func (h helpful) Hint(path int) []int {
	if path < len(h.hints) {
		return h.hints[path]
	}
	return nil
}

func (h helpful) Relevant(_ context.Context, path int) Set {
	var u Set
	for _, s := range h.sets[path] {
		u = u.Union(s)
	}
	return u
}

// bruteForce returns the lexicographically first of the cheapest sets of all
// 2^n, and whether there is one.
func bruteForce(t *table) (best Set, found bool) {
	costs := make([]int, t.n)
	for c := range costs {
		costs[c] = t.Cost(c)
	}
	least := 0
	for bits := range uint64(1) << t.n {
		s := trimmed([]uint64{bits})
		cost := sumCost(s, costs)
		if found && cost > least || !t.eliminatesAll(s) {
			continue
		}
		if !found || cost < least || before(s, best) {
			best, least, found = s, cost, true
		}
	}
	return best, found
}

// drawTable draws a problem of up to 9 candidates and 6 paths, each path with up
// to 5 eliminating sets of up to 4 candidates.
func drawTable(t *rapid.T, weighted bool) *table {
	p := &table{n: rapid.IntRange(1, 9).Draw(t, "n")}
	if weighted {
		p.costs = drawCosts(t, p.n)
	}
	drawPaths(t, p, rapid.IntRange(0, 6).Draw(t, "paths"))
	return p
}

func drawCosts(t *rapid.T, n int) []int {
	return rapid.SliceOfN(rapid.IntRange(1, 7), n, n).Draw(t, "costs")
}

func drawPaths(t *rapid.T, p *table, paths int) {
	for range paths {
		p.sets = append(p.sets, drawSets(t, p.n, 1))
	}
}

func drawSets(t *rapid.T, n, least int) []Set {
	var sets []Set
	for range rapid.IntRange(least, 5).Draw(t, "eliminating sets") {
		elements := rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 4).Draw(t, "set")
		sets = append(sets, SetOf(elements...))
	}
	return sets
}

// before is the order in which sets of equal cost are preferred: s comes before t when the lowest
// element in which they differ belongs to s.
func before(s, t Set) bool {
	only, other := s.Minus(t).Elements(), t.Minus(s).Elements()
	switch {
	case len(only) == 0:
		return false
	case len(other) == 0:
		return true
	}
	return only[0] < other[0]
}
