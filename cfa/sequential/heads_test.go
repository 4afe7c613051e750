package sequential

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/cfa"
	"magus/internal/sample"
	"magus/smt/expr"
)

// TestHeads: each cycle has a head or a location where threads rest, and no head is one that rests. Where all
// cycles have one that rests, there is no head.
func TestHeads(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		pool := expr.NewPool()
		n := rapid.IntRange(1, 12).Draw(t, "n")
		rests := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "rests")
		often := rapid.Float64Range(0, 1).Draw(t, "often")
		stops := func(l cfa.Loc) bool { return rests[l] < often }
		to := rapid.IntRange(0, n-1)
		c := &cfa.CFA{Pool: pool, Threads: []cfa.Thread{{Entry: 0}, {Entry: cfa.Loc(to.Draw(t, "entry"))}}}
		for range n {
			loc := cfa.Location{Stmt: cfa.Goto{}, Succ: []cfa.Loc{cfa.Loc(to.Draw(t, "to"))}}
			if rapid.Bool().Draw(t, "branch") {
				loc = cfa.Location{Stmt: cfa.Branch{Cond: pool.Var("c", expr.Bool)},
					Succ: append(loc.Succ, cfa.Loc(to.Draw(t, "else")))}
			}
			c.Locs = append(c.Locs, loc)
		}
		met := make([]bool, n)
		for _, thread := range c.Threads {
			met[thread.Entry] = true
			for l, reached := range reach(c, thread.Entry, func(cfa.Loc) bool { return false }) {
				met[l] = met[l] || reached
			}
		}
		heads := Heads(c, stops)
		needed := false
		for l := range cfa.Loc(n) {
			if !met[l] {
				continue
			}
			require.False(t, heads[l] && stops(l))
			require.False(t, !heads[l] && !stops(l) && reach(c, l, func(l cfa.Loc) bool { return heads[l] || stops(l) })[l],
				"a cycle through %d", l)
			needed = needed || !stops(l) && reach(c, l, stops)[l]
		}
		for l, head := range heads {
			require.False(t, head && !needed, "a head at %d", l)
		}
	})
}

// reach says to which locations control comes from one, without going on at some.
func reach(c *cfa.CFA, from cfa.Loc, stops func(cfa.Loc) bool) []bool {
	met := make([]bool, len(c.Locs))
	for work := []cfa.Loc{from}; len(work) > 0; work = work[1:] {
		for _, n := range c.Next(work[0]) {
			if !met[n] && !stops(n) {
				met[n] = true
				work = append(work, n)
			}
		}
	}
	return met
}
