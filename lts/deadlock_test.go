package lts_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/lts"
)

// says adds to an LTS, at its states where it stands still, an action that says so.
func says(m *lts.LTS, number int) (*lts.LTS, map[lts.Action]lts.Standing) {
	b := lts.NewBuilder(m.Actions())
	b.AddStates(m.NumStates())
	b.SetInit(m.Init())
	b.Alphabet(m.Alphabet()...)
	standing := map[lts.Action]lts.Standing{}
	for q := range lts.State(m.NumStates()) {
		silent := false
		var s lts.Standing
		for _, e := range m.Out(q) {
			b.AddEdge(q, e.Action, e.To)
			silent = silent || e.Action == lts.Tau
			s.Offers = append(s.Offers, e.Action)
		}
		s.Offers = slices.Compact(s.Offers)
		s.Ended = s.Offers == nil && endsAt(number, q)
		if silent || s.Offers == nil && !s.Ended { // from some states no run goes on
			continue
		}
		a := m.Actions().Intern(fmt.Sprintf("stands{%d: %v}", number, s))
		standing[a] = s
		b.AddEdge(q, a, q)
	}
	return b.Build(), standing
}

// A brute search for deadlocks: all tuples, from the definition.
func bruteDeadlock(ms []*lts.LTS, ended func(i int, q lts.State) bool) bool {
	var first []lts.State
	for _, m := range ms {
		first = append(first, m.Init())
	}
	seen, todo := map[string]bool{fmt.Sprint(first): true}, [][]lts.State{first}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		steps, stands, waits := 0, true, false
		meet := func(next []lts.State) {
			steps++
			if k := fmt.Sprint(next); !seen[k] {
				seen[k] = true
				todo = append(todo, slices.Clone(next))
			}
		}
		for i, m := range ms {
			for _, e := range m.Out(at[i]) {
				if e.Action == lts.Tau {
					next := slices.Clone(at)
					next[i] = e.To
					meet(next)
				}
			}
			waits = waits || len(m.Out(at[i])) > 0
			stands = stands && (len(m.Out(at[i])) > 0 || ended(i, at[i]))
		}
		for a := range lts.Action(40) {
			nexts := [][]lts.State{slices.Clone(at)}
			owned := false
			for i, m := range ms {
				if a == lts.Tau || !m.HasAction(a) {
					continue
				}
				owned = true
				var more [][]lts.State
				for _, next := range nexts {
					for _, e := range m.OutBy(at[i], a) {
						n := slices.Clone(next)
						n[i] = e.To
						more = append(more, n)
					}
				}
				nexts = more
			}
			for _, next := range nexts {
				if owned {
					meet(next)
				}
			}
		}
		if steps == 0 && stands && waits {
			return true
		}
	}
	return false
}

// Random systems: with persistent sets and without, and where states of an LTS are lumped, which may only add
// deadlocks.
func TestDeadlockFreeRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	found, free := 0, 0
	for n := range sample.Count(3000) {
		ms, said, standing, _ := randomSystem(rnd, 2)
		want := lts.Holds
		if bruteDeadlock(ms, endsAt) {
			want, found = lts.Fails, found+1
		} else {
			free++
		}
		for _, partial := range []bool{false, true} {
			r, err := lts.DeadlockFree(t.Context(), said, standing, nil, lts.Limits{PartialOrder: partial})
			require.NoError(t, err)
			require.Equal(t, want, r.Verdict, "system %d, persistent sets %v", n, partial)
			if r.Verdict == lts.Fails {
				requireDeadlock(t, said, standing, r.Counterexample)
			}
		}
	}
	require.Greater(t, found, 20)
	require.Greater(t, free, 20)
}

// endsAt are the states at which a component of a random system has ended, if nothing leads on.
func endsAt(_ int, q lts.State) bool { return q%3 != 0 }

// randomSystem is of a number of LTSs at least, as they are and with where they stand still, and of a specification.
func randomSystem(rnd *rand.Rand, least int) (ms, said []*lts.LTS, standing []map[lts.Action]lts.Standing,
	spec *lts.LTS) {
	actions := lts.NewActions()
	var names []lts.Action
	for k := range 2 + rnd.Intn(4) {
		names = append(names, actions.Intern(string(rune('a'+k))))
	}
	for i := range least + rnd.Intn(3) {
		m := randomComponent(rnd, actions, names)
		s, st := says(m, i)
		ms, said, standing = append(ms, m), append(said, s), append(standing, st)
	}
	return ms, said, standing, randomComponent(rnd, actions, names)
}

// randomComponent has some of the actions.
func randomComponent(rnd *rand.Rand, actions *lts.Actions, names []lts.Action) *lts.LTS {
	b := lts.NewBuilder(actions)
	n := 2 + rnd.Intn(4)
	b.AddStates(n)
	var own []lts.Action
	for _, a := range names {
		if rnd.Intn(3) > 0 {
			own = append(own, a)
		}
	}
	b.Alphabet(own...)
	for q := range n {
		for range rnd.Intn(3) {
			a := lts.Tau
			if len(own) > 0 && rnd.Intn(4) > 0 {
				a = own[rnd.Intn(len(own))]
			}
			b.AddEdge(lts.State(q), a, lts.State(rnd.Intn(n)))
		}
	}
	return b.Build()
}

// requireDeadlock goes along a counterexample.
func requireDeadlock(t *testing.T, ms []*lts.LTS, standing []map[lts.Action]lts.Standing, x *lts.Counterexample) {
	var at []lts.State
	for _, m := range ms {
		at = append(at, m.Init())
	}
	for _, step := range x.Steps {
		for _, m := range step.Moves {
			require.Equal(t, at[m.Component], m.From)
			require.Contains(t, ms[m.Component].OutBy(m.From, step.Action), lts.Edge{Action: step.Action, To: m.To})
			at[m.Component] = m.To
		}
	}
	var stands []lts.Standing
	for i, step := range x.Steps[len(x.Steps)-len(ms):] {
		s, ok := standing[i][step.Action]
		require.True(t, ok)
		stands = append(stands, s)
	}
	waits := false
	for i, s := range stands {
		for _, a := range s.Offers {
			waits = true
			require.True(t, slices.ContainsFunc(ms, func(m *lts.LTS) bool {
				k := slices.Index(ms, m)
				return k != i && m.HasAction(a) && !slices.Contains(stands[k].Offers, a)
			}))
		}
	}
	require.True(t, waits)
}
