package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// bruteSimulated is weak simulation from its definition: the greatest relation, of the composition written out.
func bruteSimulated(impl, spec *LTS) bool {
	eps := func(from []State) []State {
		all := slices.Clone(from)
		for k := 0; k < len(all); k++ {
			for _, e := range spec.OutBy(all[k], Tau) {
				if !slices.Contains(all, e.To) {
					all = append(all, e.To)
				}
			}
		}
		return all
	}
	weak := func(u State, a Action) []State {
		if a == Tau || !spec.HasAction(a) {
			return eps([]State{u})
		}
		var after []State
		for _, v := range eps([]State{u}) {
			for _, e := range spec.OutBy(v, a) {
				after = append(after, e.To)
			}
		}
		return eps(after)
	}
	n, m := impl.NumStates(), spec.NumStates()
	related := make([]bool, n*m)
	for i := range related {
		related[i] = true
	}
	for changed := true; changed; {
		changed = false
		for p := range n {
			for u := range m {
				if !related[p*m+u] {
					continue
				}
				for _, e := range impl.Out(State(p)) {
					if !slices.ContainsFunc(weak(State(u), e.Action), func(v State) bool { return related[int(e.To)*m+int(v)] }) {
						related[p*m+u], changed = false, true
					}
				}
			}
		}
	}
	return related[int(impl.Init())*m+int(spec.Init())]
}

// refutedBy are the states of a specification that cannot follow the steps after one of a tree.
func refutedBy(t *Tree, spec *LTS, node int) map[State]bool {
	lost := map[State]bool{}
	for c, n := range t.Nodes {
		if n.Parent != node {
			continue
		}
		after := refutedBy(t, spec, c)
		for u := range State(spec.NumStates()) {
			r := newWeakReach(spec)
			r.add(u)
			answers := []State{u}
			if n.Step.Action != Tau && spec.HasAction(n.Step.Action) {
				answers = nil
				for _, v := range r.states {
					for _, e := range spec.OutBy(v, n.Step.Action) {
						answers = append(answers, e.To)
					}
				}
			}
			if !slices.ContainsFunc(answers, func(v State) bool { return !after[v] }) {
				lost[u] = true
			}
		}
	}
	return lost
}

func TestSimulatedByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 39))
	count := 3000
	if testing.Short() {
		count = 300
	}
	seen := map[Verdict]int{}
	for i := range count {
		table := NewActions()
		all := []Action{table.Intern("a"), table.Intern("b"), table.Intern("c"), table.Intern("h")}
		var impl []*LTS
		for range 1 + r.IntN(3) {
			impl = append(impl, randomLTS(r, table, all, 4, true, false))
		}
		spec := randomLTS(r, table, all[:3], 5, true, false)
		result, err := SimulatedBy(context.Background(), impl, spec, false, Limits{})
		require.NoError(t, err)
		require.Equal(t, bruteSimulated(composed(impl...), spec), result.Verdict == Holds, "%d", i)
		seen[result.Verdict]++
		if result.Verdict == Fails {
			require.NoError(t, checkTree(impl, spec, result.Tree), "%d", i)
		}
	}
	require.Greater(t, seen[Holds], count/20)
	require.Greater(t, seen[Fails], count/5)
}

// checkTree checks that the steps of a tree are those of a composition, and that the specification cannot follow.
func checkTree(impl []*LTS, spec *LTS, t *Tree) error {
	at := make([][]State, len(t.Nodes))
	for n, node := range t.Nodes {
		var here []State
		if node.Parent >= 0 {
			here = slices.Clone(at[node.Parent])
		} else {
			for _, m := range impl {
				here = append(here, m.Init())
			}
		}
		moved := map[int]bool{}
		for _, move := range node.Step.Moves {
			if here[move.Component] != move.From ||
				!slices.Contains(impl[move.Component].Out(move.From), Edge{node.Step.Action, move.To}) {
				return fmt.Errorf("step %d is none", n)
			}
			here[move.Component] = move.To
			moved[move.Component] = true
		}
		for i, m := range impl {
			if node.Step.Action != Tau && m.HasAction(node.Step.Action) != moved[i] {
				return fmt.Errorf("step %d is not joint", n)
			}
		}
		at[n] = here
	}
	if !refutedBy(t, spec, -1)[spec.Init()] {
		return fmt.Errorf("the specification can follow")
	}
	return nil
}

// A specification that decides with a cannot follow one that decides later.
func TestSimulatedByTree(t *testing.T) {
	table := NewActions()
	impl := parse(table, "0 -a-> 1; 1 -b-> 2; 1 -c-> 3")
	spec := parse(table, "0 -a-> 1; 0 -a-> 2; 1 -b-> 3; 2 -c-> 4")
	result, err := SimulatedBy(context.Background(), []*LTS{impl}, spec, false, Limits{})
	require.NoError(t, err)
	require.Equal(t, Fails, result.Verdict)
	require.Len(t, result.Tree.Nodes, 3)
	require.Equal(t, []int{1, 2}, result.Tree.Leaves())
	require.Equal(t, []int{0, 2}, result.Tree.Branch(2))
	result, err = SimulatedBy(context.Background(), []*LTS{spec}, impl, false, Limits{})
	require.NoError(t, err)
	require.Equal(t, Holds, result.Verdict)
}

// What an LTS chooses where it begins is chosen before what others do: no step of these comes between.
func TestSimulatedByBeginnings(t *testing.T) {
	table := NewActions()
	chooses := parse(table, "0 -tau-> 1; 0 -tau-> 2; 1 -b-> 3; 2 -c-> 3")
	other := parse(table, "0 -a-> 1")
	spec := parse(table, "0 -a-> 1; 0 -a-> 2; 0 -b-> 5; 0 -c-> 5; 5 -a-> 6; 1 -b-> 3; 2 -c-> 3")
	for begin, want := range map[bool]Verdict{true: Holds, false: Fails} {
		result, err := SimulatedBy(context.Background(), []*LTS{chooses, other}, spec, begin, Limits{})
		require.NoError(t, err)
		require.Equal(t, want, result.Verdict)
	}
}
