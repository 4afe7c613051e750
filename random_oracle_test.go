package magus_test

import (
	"encoding/binary"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/interp"
	"magus/lts"
)

// The oracle's own composition and containment, by the definitions: all states
// of the composition, each with the set of all states in which the
// specification can be. Of package lts it takes what an LTS is.

// maxOracle bounds the states of a component, and the pairs of the search.
const maxOracle = 50_000

// A moment is a state of each component and the states of the specification,
// and how it came about.
type moment struct {
	at   []lts.State
	spec []lts.State // sorted
	by   lts.Action
}

// exhaust looks at all moments. A specification with an ERROR state is violated
// where it can be there, any other one where it can be nowhere. The error is
// interp.ErrLimit.
func exhaust(impl []*lts.LTS, spec *lts.LTS) (magus.Verdict, error) {
	first := moment{spec: closed(spec, spec.Init())}
	for _, m := range impl {
		first.at = append(first.at, m.Init())
	}
	seen, todo := map[string]bool{}, []moment{first}
	for len(todo) > 0 {
		now := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		key := keyOf(now.at, now.spec)
		if seen[key] {
			continue
		}
		if seen[key] = true; len(seen) > maxOracle {
			return magus.Unknown, interp.ErrLimit
		}
		isError := slices.ContainsFunc(now.spec, spec.IsError)
		if isError || len(now.spec) == 0 && !spec.HasError() {
			return magus.Violates, nil
		}
		if len(now.spec) > 0 {
			todo = append(todo, next(impl, spec, now)...)
		}
	}
	return magus.Conforms, nil
}

// keyOf is one text for lists of states, another for others.
func keyOf(lists ...[]lts.State) string {
	var b []byte
	for _, list := range lists {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, s := range list {
			b = binary.AppendVarint(b, int64(s))
		}
	}
	return string(b)
}

// next are the moments after one step: of one component by τ, or of all that
// have an action in their alphabet by that.
func next(impl []*lts.LTS, spec *lts.LTS, now moment) []moment {
	var all []moment
	actions := map[lts.Action]bool{}
	for i, m := range impl {
		for _, e := range m.Out(now.at[i]) {
			if e.Action != lts.Tau {
				actions[e.Action] = true
				continue
			}
			at := slices.Clone(now.at)
			at[i] = e.To
			all = append(all, moment{at, now.spec, lts.Tau})
		}
	}
	for _, a := range slices.Sorted(maps.Keys(actions)) {
		after := now.spec
		if spec.HasAction(a) {
			after = nil
			for _, s := range now.spec {
				for _, e := range spec.Out(s) {
					if e.Action == a {
						after = append(after, closed(spec, e.To)...)
					}
				}
			}
			slices.Sort(after)
			after = slices.Compact(after)
		}
		for _, at := range together(impl, now.at, a) {
			all = append(all, moment{at, after, a})
		}
	}
	return all
}

// together are the states after an action of all components that have it.
func together(impl []*lts.LTS, from []lts.State, a lts.Action) [][]lts.State {
	ways := [][]lts.State{nil}
	for i, m := range impl {
		var longer [][]lts.State
		for _, way := range ways {
			if !m.HasAction(a) {
				longer = append(longer, append(slices.Clone(way), from[i]))
			}
			for _, e := range m.Out(from[i]) {
				if e.Action == a {
					longer = append(longer, append(slices.Clone(way), e.To))
				}
			}
		}
		ways = longer
	}
	return ways
}

// closed are s and what τ leads to from there, sorted.
func closed(m *lts.LTS, s lts.State) []lts.State {
	all := []lts.State{s}
	for i := 0; i < len(all); i++ {
		for _, e := range m.Out(all[i]) {
			if e.Action == lts.Tau && !slices.Contains(all, e.To) {
				all = append(all, e.To)
			}
		}
	}
	slices.Sort(all)
	return all
}

// Two stations that take turns: the composition has what neither has alone.
func TestOracle(t *testing.T) {
	actions := lts.NewActions()
	a, b, c := actions.Intern("a"), actions.Intern("b"), actions.Intern("c")
	build := func(states int, alphabet []lts.Action, edges ...lts.Edge) *lts.LTS {
		m := lts.NewBuilder(actions)
		m.AddStates(states)
		m.Alphabet(alphabet...)
		for i, e := range edges {
			m.AddEdge(lts.State(i), e.Action, e.To)
		}
		return m.Build()
	}
	left := build(2, nil, lts.Edge{Action: a, To: 1}, lts.Edge{Action: b, To: 0})
	right := build(3, nil, lts.Edge{Action: b, To: 1}, lts.Edge{Action: lts.Tau, To: 2}, lts.Edge{Action: c, To: 0})
	for _, test := range []struct {
		spec *lts.LTS
		want magus.Verdict
	}{
		{build(2, nil, lts.Edge{Action: a, To: 1}, lts.Edge{Action: b, To: 0}), magus.Conforms},
		{build(1, []lts.Action{b}), magus.Violates},
		{build(3, nil, lts.Edge{Action: b, To: 1}, lts.Edge{Action: lts.Tau, To: 2}, lts.Edge{Action: c, To: 0}),
			magus.Conforms},
		{build(2, []lts.Action{c}, lts.Edge{Action: a, To: 1}, lts.Edge{Action: a, To: 1}), magus.Violates},
	} {
		got, err := exhaust([]*lts.LTS{left, right}, test.spec)
		require.NoError(t, err)
		require.Equal(t, test.want, got, test.spec)
	}
}
