package repl

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Who goes back and does something else keeps what followed. Each branch can be gone on with, and then
// has the same moments; a branch of a branch too, and snapshots that were given up are no matter.
func TestBranchesAreKept(t *testing.T) {
	m := example(t, "lock", "lock.c", "lock.spec")
	require.Contains(t, m.do(New(m.host()), "branch"), "nothing is loaded")
	for _, weight := range []int{defaultWeight, 400} {
		m := example(t, "lock", "lock.c", "lock.spec")
		sh := New(m.host())
		sh.history.maxWeight = weight
		m.do(sh, "load lock.c lock.spec", "run")
		first := m.do(sh, "history")
		end := m.do(sh, "stats")
		m.do(sh, "goto 3", "pred add more == 0", "step 2")
		second := m.do(sh, "history")
		m.do(sh, "back", "pred add more == 1")
		require.Contains(t, m.do(sh, "branch"), "*  3  from moment 5 of branch 2 by pred add drain more == 1, 6 moments")
		require.Contains(t, m.do(sh, "branch 1"), "the end")
		require.Equal(t, first, m.do(sh, "history"))
		require.Equal(t, end, m.do(sh, "stats"))
		for i := range sh.history.moments {
			require.Contains(t, m.do(sh, "goto "+strconv.Itoa(i)), fmt.Sprintf("moment %d of ", i))
		}
		m.do(sh, "branch 2")
		require.Equal(t, second, m.do(sh, "history"))
		all := sh.Branches()
		require.Len(t, all, 3)
		require.Equal(t, []bool{false, true, false}, []bool{all[0].Present, all[1].Present, all[2].Present})
		require.NotNil(t, all[0].View.Outcome)
		require.Contains(t, m.do(sh, "branch 2"), "branch 2 is the present one")
		require.Contains(t, m.do(sh, "branch 7"), "no branch 7; there are 1, 2, 3")
		require.Contains(t, m.do(sh, "branch drop 2"), "branch 2 is the present one")
		require.Contains(t, m.do(sh, "branch drop"), "expected branch [N | drop N]")
		m.do(sh, "branch", "1", "branch drop 3") // a number takes one of the list
		require.True(t, sh.Branches()[0].Present)
		require.Len(t, sh.Branches(), 2)
		m.do(sh, "reload")
		require.Len(t, sh.Branches(), 1)
		sh.Close()
	}
}

// Branches that are too many, or have too much in them, are given up, the oldest first.
func TestOldBranchesAreGivenUp(t *testing.T) {
	m := example(t, "lock", "lock.c", "lock.spec")
	sh := New(m.host())
	m.do(sh, "load lock.c lock.spec", "step")
	for i := range 12 {
		m.do(sh, "goto 1", fmt.Sprintf("pred add more == %d", i))
	}
	var numbers []int
	for _, b := range sh.Branches() {
		numbers = append(numbers, b.Number)
	}
	require.Equal(t, []int{4, 5, 6, 7, 8, 9, 10, 11, 12}, numbers)
	sh.history.maxWeight = 60
	sh.history.forget()
	require.Less(t, len(sh.Branches()), 4)
	require.True(t, slices.ContainsFunc(sh.Branches(), func(b Branch) bool { return b.Number == 12 }))
}

// The same act once more leads to what followed it, as a step does.
func TestSameActLeadsOn(t *testing.T) {
	m := example(t, "lock", "lock.c", "lock.spec")
	sh := New(m.host())
	m.do(sh, "load lock.c lock.spec", "step", "pred add more == 0", "step 3")
	before := m.do(sh, "history")
	m.do(sh, "goto 1", "pred add more == 0", "step 3")
	require.Equal(t, before, m.do(sh, "history"))
	require.Len(t, sh.Branches(), 1)
}
