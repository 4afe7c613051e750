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

// bruteFailures looks at all tuples with sets of the specification's states, from the definition of stable failures.
func bruteFailures(ms []*lts.LTS, spec *lts.LTS, ended func(i int, q lts.State) bool) bool {
	closure := func(set []lts.State) []lts.State {
		for k := 0; k < len(set); k++ {
			for _, e := range spec.OutBy(set[k], lts.Tau) {
				if !slices.Contains(set, e.To) {
					set = append(set, e.To)
				}
			}
		}
		slices.Sort(set)
		return set
	}
	type pair struct{ at, known []lts.State }
	var first []lts.State
	for _, m := range ms {
		first = append(first, m.Init())
	}
	todo := []pair{{first, closure([]lts.State{spec.Init()})}}
	seen := map[string]bool{fmt.Sprint(todo[0]): true}
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		stable, offers := true, []lts.Action{}
		meet := func(at, known []lts.State) {
			q := pair{slices.Clone(at), known}
			if k := fmt.Sprint(q); len(known) > 0 && !seen[k] {
				seen[k] = true
				todo = append(todo, q)
			}
		}
		for i, m := range ms {
			stable = stable && (len(m.Out(p.at[i])) > 0 || ended(i, p.at[i]))
			for _, e := range m.OutBy(p.at[i], lts.Tau) {
				stable = false
				next := slices.Clone(p.at)
				next[i] = e.To
				meet(next, p.known)
			}
		}
		for a := lts.Action(1); a < 40; a++ {
			nexts, owned := [][]lts.State{p.at}, false
			for i, m := range ms {
				if !m.HasAction(a) {
					continue
				}
				owned = true
				var more [][]lts.State
				for _, next := range nexts {
					for _, e := range m.OutBy(p.at[i], a) {
						n := slices.Clone(next)
						n[i] = e.To
						more = append(more, n)
					}
				}
				nexts = more
			}
			if !owned || len(nexts) == 0 {
				continue
			}
			known := p.known
			if spec.HasAction(a) {
				offers = append(offers, a)
				known = nil
				for _, s := range p.known {
					for _, e := range spec.OutBy(s, a) {
						if !slices.Contains(known, e.To) {
							known = append(known, e.To)
						}
					}
				}
				known = closure(known)
			} else {
				stable = false
			}
			for _, next := range nexts {
				meet(next, known)
			}
		}
		accepted := slices.ContainsFunc(p.known, func(s lts.State) bool {
			return !slices.ContainsFunc(spec.Out(s), func(e lts.Edge) bool { return !slices.Contains(offers, e.Action) })
		})
		if stable && !accepted {
			return true
		}
	}
	return false
}

func TestFailuresRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(2))))
	refused, kept := 0, 0
	for n := range sample.Count(3000) {
		ms, said, standing, spec := randomSystem(rnd, 1)
		want := lts.Holds
		if bruteFailures(ms, spec, endsAt) {
			want, refused = lts.Fails, refused+1
		} else {
			kept++
		}
		same := func(a lts.Action) lts.Action { return a }
		r, err := lts.Failures(t.Context(), said, standing, nil, spec, same, same, lts.Limits{})
		require.NoError(t, err)
		require.Equal(t, want, r.Verdict, "system %d", n)
		if r.Verdict == lts.Fails {
			trace := lts.Project(r.Counterexample.Trace(), spec.Alphabet())
			must, ok := lts.Acceptances(spec, trace)
			require.True(t, ok)
			require.NotContains(t, must, []lts.Action(nil), "a state that offers nothing wants nothing")
		}
	}
	require.Greater(t, refused, 20)
	require.Greater(t, kept, 20)
}
