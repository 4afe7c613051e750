package certificate

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/lts"
)

// A together is where all copies are, and the specification.
type together struct {
	at   [][]int // by model: how many copies are in each state
	spec lts.State
}

func (q together) set() Set {
	s := Set{Spec: []int{int(q.spec)}}
	for _, counts := range q.at {
		var list []Count
		for state, n := range counts {
			if n > 0 {
				list = append(list, Count{state, n})
			}
		}
		s.Counts = append(s.Counts, list)
	}
	return s
}

// moved is with a copy of a model somewhere else.
func (q together) moved(model int, from, to lts.State, spec lts.State) together {
	next := together{spec: spec}
	for _, counts := range q.at {
		next.at = append(next.at, slices.Clone(counts))
	}
	next.at[model][from]--
	next.at[model][to]++
	return next
}

// steps are all ways on, by brute force: a copy of each model that has an action makes it, or one makes a silent step.
// It is not allowed where the specification has an action, and not there.
func (q together) steps(models []*lts.LTS, spec *lts.LTS) (all []together, allowed bool) {
	allowed = true
	for i, m := range models {
		for s := range q.at[i] {
			for _, e := range m.Out(lts.State(s)) {
				if q.at[i][s] == 0 {
					continue
				}
				if e.Action == lts.Tau {
					all = append(all, q.moved(i, lts.State(s), e.To, q.spec))
					continue
				}
				if i > 0 && models[0].HasAction(e.Action) {
					continue // the first model begins
				}
				to := q.spec
				if spec.HasAction(e.Action) {
					if next := spec.OutBy(q.spec, e.Action); len(next) > 0 {
						to = next[0].To
					} else {
						to = spec.Init() // if anybody comes so far, it is not allowed
					}
				}
				ways := []together{q.moved(i, lts.State(s), e.To, to)}
				if i == 0 && len(models) > 1 && models[1].HasAction(e.Action) {
					ways = nil
					for other := range q.at[1] {
						for _, f := range models[1].OutBy(lts.State(other), e.Action) {
							if q.at[1][other] > 0 {
								ways = append(ways, q.moved(0, lts.State(s), e.To, to).moved(1, lts.State(other), f.To, to))
							}
						}
					}
				}
				if len(ways) > 0 && spec.HasAction(e.Action) && len(spec.OutBy(q.spec, e.Action)) == 0 {
					allowed = false
				}
				all = append(all, ways...)
			}
		}
	}
	return all, allowed
}

// randomModel has silent steps, and from each state at most one step by each action if it is deterministic.
func randomModel(r *rand.Rand, table *lts.Actions, alphabet []lts.Action, states int, deterministic bool) *lts.LTS {
	b := lts.NewBuilder(table)
	b.AddStates(states)
	b.Alphabet(alphabet...)
	for q := range states {
		for _, a := range alphabet {
			if deterministic && r.IntN(4) > 0 || r.IntN(3) == 0 {
				b.AddEdge(lts.State(q), a, lts.State(r.IntN(states)))
			}
		}
		if !deterministic && r.IntN(3) == 0 {
			b.AddEdge(lts.State(q), lts.Tau, lts.State(r.IntN(states)))
		}
	}
	return b.Build()
}

// Sets of all that brute force finds hold exactly if the specification allows it all; with any one of them left out,
// they do not.
func TestSetsOfRandomCopies(t *testing.T) {
	hold, left := 0, 0
	for seed := range sample.Seeds(1, sample.Count(150)) {
		r := rand.New(rand.NewPCG(seed, 17))
		table := lts.NewActions()
		names := []lts.Action{table.Intern("a"), table.Intern("b"), table.Intern("c")}
		models := []*lts.LTS{randomModel(r, table, names[:2], 2+r.IntN(2), false),
			randomModel(r, table, names[1:], 2+r.IntN(2), false)}
		spec := randomModel(r, table, names[:1+r.IntN(3)], 2+r.IntN(2), true)
		copies := []int{1 + r.IntN(3), 1 + r.IntN(2)}
		first := together{spec: spec.Init()}
		for i, m := range models {
			first.at = append(first.at, make([]int, m.NumStates()))
			first.at[i][m.Init()] = copies[i]
		}
		met, all, allowed := map[string]bool{fmt.Sprint(first): true}, []together{first}, true
		for k := 0; k < len(all); k++ {
			next, is := all[k].steps(models, spec)
			allowed = allowed && is
			for _, q := range next {
				if key := fmt.Sprint(q); !met[key] {
					met[key], all = true, append(all, q)
				}
			}
		}
		var sets Sets
		for _, q := range all {
			sets.List = append(sets.List, q.set())
		}
		err := sets.Check(t.Context(), models, copies, spec)
		var no *RefutedError
		if !allowed {
			require.True(t, errors.As(err, &no), "seed %d: %v", seed, err)
			continue
		}
		require.NoError(t, err, "seed %d", seed)
		hold++
		for k := range all {
			fewer := Sets{List: slices.Delete(slices.Clone(sets.List), k, k+1)}
			left++
			require.True(t, errors.As(fewer.Check(t.Context(), models, copies, spec), &no), "seed %d: without %v", seed, all[k])
		}
	}
	t.Logf("%d hold, %d were left out", hold, left)
	if sample.Whole() {
		require.Greater(t, hold, 60)
		require.Greater(t, left, 4*hold)
	}
}
