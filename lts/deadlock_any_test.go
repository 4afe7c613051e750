package lts_test

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/lts"
)

// requireDeadlockOf goes along a counterexample of copies; of says of which LTS each is one.
func requireDeadlockOf(t *testing.T, ms []*lts.LTS, of []int, standing []map[lts.Action]lts.Standing,
	x *lts.Counterexample) {
	var at []lts.State
	for _, i := range of {
		at = append(at, ms[i].Init())
	}
	ends := len(x.Steps) - len(of)
	for k, step := range x.Steps {
		var taking []int
		for _, m := range step.Moves {
			i := of[m.Component]
			require.Equal(t, at[m.Component], m.From)
			require.Contains(t, ms[i].OutBy(m.From, step.Action), lts.Edge{Action: step.Action, To: m.To})
			at[m.Component] = m.To
			taking = append(taking, i)
		}
		if step.Action != lts.Tau && k < ends {
			var owners []int
			for i, m := range ms {
				if m.HasAction(step.Action) {
					owners = append(owners, i)
				}
			}
			require.Equal(t, owners, taking, "one copy of each that has the action")
		} else {
			require.Len(t, taking, 1)
		}
	}
	offered := make([]map[lts.Action]bool, len(ms))
	for i := range ms {
		offered[i] = map[lts.Action]bool{}
	}
	waits := false
	for k, step := range x.Steps[ends:] {
		require.Equal(t, k, step.Moves[0].Component)
		s, ok := standing[of[k]][step.Action]
		require.True(t, ok)
		waits = waits || !s.Ended
		for _, a := range s.Offers {
			offered[of[k]][a] = true
		}
	}
	require.True(t, waits)
	for a := range lts.Action(200) {
		owned, all := false, true
		for i, m := range ms {
			if a != lts.Tau && m.HasAction(a) {
				owned, all = true, all && offered[i][a]
			}
		}
		require.False(t, owned && all, "they can go on")
	}
}

// Random systems of any number of copies: what is said holds of the products of few, and each run is one.
func TestDeadlockFreeAnyRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	found, free, undecided := 0, 0, 0
	for n := range sample.Count(3000) {
		ms, said, standing, spec := randomSystem(rnd, 2)
		copies := make([]int, len(ms))
		for i := range copies {
			copies[i] = 1
		}
		copies[0] = lts.AnyCopies
		if rnd.Intn(3) == 0 {
			copies[1] = []int{lts.AnyCopies, 2}[rnd.Intn(2)]
		}
		r, err := lts.DeadlockFreeAny(t.Context(), said, copies, standing, nil, lts.Limits{MaxStates: 100000})
		require.NoError(t, err)
		switch r.Verdict {
		case lts.Fails:
			found++
			var of []int
			for i, k := range r.Copies {
				require.GreaterOrEqual(t, k, 1)
				require.True(t, copies[i] < 1 || copies[i] == k)
				of = append(of, slices.Repeat([]int{i}, k)...)
			}
			requireDeadlockOf(t, said, of, standing, r.Counterexample)
		case lts.Holds:
			free++
		default:
			undecided++
		}
		for k := 1; k <= 4; k++ {
			numbers := slices.Clone(copies)
			for i := range numbers {
				if numbers[i] < 1 {
					numbers[i] = k
				}
			}
			w := lts.Copy(said, numbers, spec)
			b, err := lts.DeadlockFree(t.Context(), w.Impl, w.Standing(standing), nil,
				lts.Limits{PartialOrder: true, MaxStates: 20000})
			require.NoError(t, err)
			if b.Verdict == lts.Fails {
				require.NotEqual(t, lts.Holds, r.Verdict, "system %d: %d copies have a deadlock", n, k)
			}
			if r.Verdict == lts.Fails && slices.Equal(numbers, r.Copies) {
				require.NotEqual(t, lts.Holds, b.Verdict, "system %d: %d copies have none", n, k)
			}
		}
	}
	require.Greater(t, found, 20)
	require.Greater(t, free, 20)
	require.Less(t, undecided, (found+free)/50)
}

// What random systems of any number of copies refuse few written out do; that nothing is refused holds for few.
func TestFailuresAnyRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(2))))
	found, free, undecided := 0, 0, 0
	same := func(a lts.Action) lts.Action { return a }
	for n := range sample.Count(3000) {
		_, said, standing, spec := randomSystem(rnd, 2)
		copies := []int{lts.AnyCopies, []int{1, 2, lts.AnyCopies}[rnd.Intn(3)]}
		for len(copies) < len(said) {
			copies = append(copies, 1)
		}
		copies = copies[:len(said)]
		r, err := lts.FailuresAny(t.Context(), said, copies, standing, nil, spec, same, lts.Limits{MaxStates: 100000})
		require.NoError(t, err)
		switch r.Verdict {
		case lts.Fails:
			found++
		case lts.Holds:
			free++
		default:
			undecided++
		}
		for k := 1; k <= 4; k++ {
			numbers := slices.Clone(copies)
			for i := range numbers {
				if numbers[i] < 1 {
					numbers[i] = k
				}
			}
			w := lts.Copy(said, numbers, spec)
			b, err := lts.Failures(t.Context(), w.Impl, w.Standing(standing), nil, spec, w.Original, same,
				lts.Limits{MaxStates: 20000})
			require.NoError(t, err)
			if b.Verdict == lts.Fails {
				require.NotEqual(t, lts.Holds, r.Verdict, "system %d: %d copies refuse", n, k)
			}
			if r.Verdict == lts.Fails && slices.Equal(numbers, r.Copies) {
				require.NotEqual(t, lts.Holds, b.Verdict, "system %d: %d copies refuse nothing", n, k)
			}
		}
	}
	require.Greater(t, found, 20)
	require.Greater(t, free, 20)
	require.Less(t, undecided, (found+free)/50)
}
