package cfa

import (
	"testing"

	"magus/smt/expr"

	"github.com/stretchr/testify/require"
)

// Empty branches in each other, however deep, become nothing; so does one that a
// loop hides, and the loop stays.
func TestCompactNestedBranches(t *testing.T) {
	const depth = 20_000
	pool := expr.NewPool()
	cond := pool.Var("x", expr.Type{Width: 1})
	var locs []Location
	for i := range Loc(depth) { // if (x) { if (x) { … } }
		locs = append(locs, Location{Stmt: Branch{Cond: pool.Truth(cond)}, Succ: []Loc{i + 1, depth}})
	}
	locs = append(locs, Location{Stmt: Act{Action: "a"}, Succ: []Loc{depth + 1}},
		Location{Stmt: Branch{Cond: pool.Truth(cond)}, Succ: []Loc{depth + 2, depth + 2}},
		Location{Stmt: Goto{}, Succ: []Loc{depth}})
	entry, left, _ := compact(locs, 0)
	require.Equal(t, []Location{{Stmt: Act{Action: "a"}, Succ: []Loc{0}}}, left)
	require.Equal(t, Loc(0), entry)
}
