package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

func contains(t *testing.T, spec *LTS, impl ...*LTS) bool {
	t.Helper()
	got, err := Contains(context.Background(), impl, spec, Limits{})
	require.NoError(t, err)
	require.NotEqual(t, Unknown, got.Verdict)
	return got.Verdict == Holds
}

// draw returns n random LTSs over three actions, and the actions.
func draw(r *rand.Rand, n int) ([]*LTS, []Action) {
	table := NewActions()
	actions := []Action{table.Intern("a"), table.Intern("b"), table.Intern("c")}
	ms := make([]*LTS, n)
	for i := range ms {
		ms[i] = randomLTS(r, table, actions, 4, true, false)
	}
	return ms, actions
}

// TestComposeAgainstDefinition compares with definition 5, state by state.
func TestComposeAgainstDefinition(t *testing.T) {
	for seed := range sample.Seeds(0, sample.Count(750)) {
		r := rand.New(rand.NewPCG(seed, 5))
		ms, actions := draw(r, 1+r.IntN(3))
		m := composed(ms...)
		require.Empty(t, m.check())

		p := naiveCompose(ms, actions)
		number := map[string]int{}
		for i, tuple := range p.tuples {
			number[tupleName(ms, tuple)] = i
		}
		at := make([]int, m.NumStates())
		for s := range at {
			at[s] = number[m.StateName(State(s))]
		}
		require.Equal(t, p.init, at[m.Init()])
		for s := range at {
			var got, want []string
			for _, e := range m.Out(State(s)) {
				got = append(got, fmt.Sprint(e.Action, at[e.To]))
			}
			for _, e := range p.out[at[s]] {
				want = append(want, fmt.Sprint(e.action, e.to))
			}
			require.ElementsMatch(t, want, got)
		}
		require.Equal(t, m.NumStates(), Reachable(m).NumStates(), "Compose builds the reachable part")
	}
}

// TestTheorem1 checks the laws of Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), theorem 1, on the language of compositions.
func TestTheorem1(t *testing.T) {
	for seed := range sample.Seeds(0, sample.Count(500)) {
		r := rand.New(rand.NewPCG(seed, 6))
		ms, actions := draw(r, 3)
		whole := composed(ms...)
		equal := func(m *LTS) {
			require.Equal(t, whole.Alphabet(), m.Alphabet())
			require.True(t, contains(t, whole, m) && contains(t, m, whole), "seed %d", seed)
		}
		equal(composed(ms[2], ms[0], ms[1]))
		equal(composed(composed(ms[0], ms[1]), ms[2]))
		equal(composed(ms[0], composed(ms[1], ms[2])))
		require.True(t, contains(t, whole, ms...), "on the fly and built")

		var trace []Action
		for range r.IntN(5) {
			if a := actions[r.IntN(3)]; whole.HasAction(a) {
				trace = append(trace, a)
			}
		}
		_, inWhole := Member(whole, trace)
		inAll := true
		for _, m := range ms {
			_, in := Member(m, Project(trace, m.Alphabet()))
			inAll = inAll && in
		}
		require.Equal(t, inAll, inWhole, "seed %d", seed)
	}
}

// TestCompositionIsMonotone is theorem 1.2, with a larger component obtained by more transitions.
func TestCompositionIsMonotone(t *testing.T) {
	for seed := range sample.Seeds(0, sample.Count(500)) {
		r := rand.New(rand.NewPCG(seed, 7))
		ms, _ := draw(r, 3)
		larger := extend(r, ms[0])
		require.True(t, contains(t, larger, ms[0]))
		require.True(t, contains(t, composed(larger, ms[1]), ms[0], ms[1]))
		if contains(t, ms[2], larger, ms[1]) {
			require.True(t, contains(t, ms[2], ms[0], ms[1]), "seed %d", seed)
		}
	}
}

// extend adds transitions over m's alphabet, and τ.
func extend(r *rand.Rand, m *LTS) *LTS {
	b := NewBuilder(m.Actions())
	b.AddStates(m.NumStates())
	b.SetInit(m.Init())
	b.Alphabet(m.Alphabet()...)
	for s := range State(m.NumStates()) {
		for _, e := range m.Out(s) {
			b.AddEdge(s, e.Action, e.To)
		}
	}
	for range 3 {
		a := append([]Action{Tau}, m.Alphabet()...)
		b.AddEdge(State(r.IntN(m.NumStates())), a[r.IntN(len(a))], State(r.IntN(m.NumStates())))
	}
	return b.Build()
}

func TestContainmentIsAPreorder(t *testing.T) {
	chains := 0
	for seed := range sample.Seeds(0, sample.Count(1250)) {
		ms, actions := draw(rand.New(rand.NewPCG(seed, 8)), 3)
		for i, m := range ms {
			ms[i] = withAlphabet(m, actions)
			require.True(t, contains(t, ms[i], ms[i]))
		}
		if contains(t, ms[1], ms[0]) && contains(t, ms[2], ms[1]) {
			chains++
			require.True(t, contains(t, ms[2], ms[0]), "seed %d", seed)
		}
	}
	if sample.Whole() {
		require.Greater(t, chains, 25)
	}
}

func withAlphabet(m *LTS, actions []Action) *LTS {
	return relabel(m, actions, func(a Action) Action { return a })
}

// TestObservationIsHiding: what spec's alphabet leaves out may as well be hidden.
func TestObservationIsHiding(t *testing.T) {
	for seed := range sample.Seeds(0, sample.Count(750)) {
		ms, _ := draw(rand.New(rand.NewPCG(seed, 9)), 3)
		spec := ms[2]
		hidden := Hide(composed(ms[0], ms[1]), spec.Alphabet())
		require.Equal(t, contains(t, spec, hidden), contains(t, spec, ms[0], ms[1]), "seed %d", seed)
	}
}

// TestResultIsDeterministic runs the same check twice and with components in another order.
func TestResultIsDeterministic(t *testing.T) {
	for seed := range sample.Seeds(0, sample.Count(500)) {
		impl, spec, _ := randomCase(rand.New(rand.NewPCG(seed, 10)))
		run := func(impl []*LTS) Result {
			got, err := Contains(context.Background(), impl, spec, Limits{})
			require.NoError(t, err)
			return got
		}
		first := run(impl)
		require.Equal(t, first, run(impl))
		slices.Reverse(impl)
		reversed := run(impl)
		require.Equal(t, first.Verdict, reversed.Verdict)
		if first.Verdict == Fails {
			require.Equal(t, len(first.Counterexample.Steps), len(reversed.Counterexample.Steps))
		}
	}
}

func TestMember(t *testing.T) {
	members := 0
	for seed := range sample.Seeds(0, sample.Count(3_000)) {
		r := rand.New(rand.NewPCG(seed, 11))
		ms, actions := draw(r, 1)
		m := ms[0]
		trace := []Action{}
		for range r.IntN(5) {
			trace = append(trace, actions[r.IntN(3)])
		}
		path, ok := Member(m, trace)
		require.Equal(t, naiveAfter(m, trace) != 0, ok, "seed %d", seed)
		if !ok {
			require.Nil(t, path)
			continue
		}
		members++
		at, visible := m.Init(), []Action{}
		for _, e := range path {
			require.True(t, hasEdge(m, at, e.Action, e.To))
			at = e.To
			if e.Action != Tau {
				visible = append(visible, e.Action)
			}
		}
		require.Equal(t, trace, visible)
		require.Len(t, path, naiveShortest(m, trace), "seed %d", seed)
	}
	require.Greater(t, members, sample.Count(700))
}

// naiveShortest relaxes the distances of all pairs of state and position until nothing changes.
func naiveShortest(m *LTS, trace []Action) int {
	const far = 1 << 30
	n := m.NumStates()
	distance := make([][]int, len(trace)+1)
	for i := range distance {
		distance[i] = slices.Repeat([]int{far}, n)
	}
	distance[0][m.Init()] = 0
	for range n * len(distance) {
		for i := range distance {
			for s := range n {
				for _, e := range m.Out(State(s)) {
					if e.Action == Tau {
						distance[i][e.To] = min(distance[i][e.To], distance[i][s]+1)
					} else if i < len(trace) && e.Action == trace[i] {
						distance[i+1][e.To] = min(distance[i+1][e.To], distance[i][s]+1)
					}
				}
			}
		}
	}
	return slices.Min(distance[len(trace)])
}

func TestProject(t *testing.T) {
	require.Equal(t, []Action{3, 1, 3}, Project([]Action{3, 2, 1, Tau, 3}, []Action{3, 1}))
	require.Empty(t, Project([]Action{2}, nil))
}

// TestCompositionUpToIsomorphism: the order of components and how they are grouped changes nothing but the
// numbers of states.
func TestCompositionUpToIsomorphism(t *testing.T) {
	for seed := range sample.Seeds(0, sample.Count(250)) {
		ms, _ := draw(rand.New(rand.NewPCG(seed, 12)), 3)
		whole := composed(ms...)
		want := namedEdges(whole, func(name string) string { return name })
		flat := strings.NewReplacer("(", "", ")", "")
		group := func(name string) string { return "(" + flat.Replace(name) + ")" }
		require.Equal(t, want, namedEdges(composed(composed(ms[0], ms[1]), ms[2]), group), "seed %d", seed)
		require.Equal(t, want, namedEdges(composed(ms[0], composed(ms[1], ms[2])), group), "seed %d", seed)
		turned := composed(ms[2], ms[0], ms[1])
		require.Equal(t, want, namedEdges(turned, func(name string) string {
			at := strings.Split(flat.Replace(name), ",")
			return "(" + at[1] + "," + at[2] + "," + at[0] + ")"
		}), "seed %d", seed)
	}
}

// namedEdges returns the initial state and the transitions in words, sorted, with what rename makes of the
// names of states.
func namedEdges(m *LTS, rename func(string) string) []string {
	words := []string{"init " + rename(m.StateName(m.Init()))}
	for s := range State(m.NumStates()) {
		for _, e := range m.Out(s) {
			words = append(words, fmt.Sprintf("%s -%d-> %s", rename(m.StateName(s)), e.Action, rename(m.StateName(e.To))))
		}
	}
	slices.Sort(words)
	return words
}
