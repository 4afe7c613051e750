package lts

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// worker enters and leaves; counter lets one in at a time.
func copiesExample() (worker, counter, spec *LTS) {
	t := NewActions()
	line := func(names ...string) *LTS {
		b := NewBuilder(t)
		b.AddStates(len(names))
		for i, name := range names {
			b.AddEdge(State(i), t.Intern(name), State((i+1)%len(names)))
		}
		return b.Build()
	}
	return line("enter", "leave"), line("enter", "leave"), line("enter", "leave")
}

// TestCopies: an action is performed by one copy at a time, with everybody else who has it.
func TestCopies(t *testing.T) {
	worker, counter, spec := copiesExample()
	ctx := context.Background()
	for _, c := range []struct {
		impl   []*LTS
		copies []int
		holds  bool
	}{
		{[]*LTS{worker}, []int{1}, true},
		{[]*LTS{worker}, []int{2}, false}, // enter enter
		{[]*LTS{worker, counter}, []int{2, 1}, true},
		{[]*LTS{worker, counter}, []int{3, 1}, true},
		{[]*LTS{worker, counter}, []int{2, 2}, false}, // each worker with a counter of its own
	} {
		w := Copy(c.impl, c.copies, spec)
		r, err := Contains(ctx, w.Impl, w.Spec, Limits{})
		require.NoError(t, err)
		require.Equal(t, c.holds, r.Verdict == Holds, c.copies)
		if !c.holds {
			x := w.Counterexample(r.Counterexample)
			require.Equal(t, "enter enter", FormatTrace(spec.actions, x.Trace()))
			for i, s := range x.Steps {
				require.Len(t, s.Moves, len(c.impl))
				for _, m := range s.Moves {
					require.Contains(t, c.impl[w.Of[m.Component]].Out(m.From), Edge{x.Steps[i].Action, m.To})
				}
			}
		}
	}
	// Several copies are not several components that have the action in common.
	r, err := Contains(ctx, []*LTS{worker, worker}, spec, Limits{})
	require.NoError(t, err)
	require.Equal(t, Holds, r.Verdict)
}

// TestCopiesNames: what the sources call an action is never the name of a copy's.
func TestCopiesNames(t *testing.T) {
	table := NewActions()
	b := NewBuilder(table)
	b.AddStates(2)
	for _, name := range []string{"a#1", "a", "b", "a#2'"} {
		b.AddEdge(0, table.Intern(name), 1)
	}
	b.AddEdge(0, Tau, 1)
	m := b.Build()
	b = NewBuilder(table)
	b.AddStates(1)
	b.AddEdge(0, table.Intern("a#1"), 0)
	w := Copy([]*LTS{m, b.Build()}, []int{2, 1}, m)
	require.Len(t, w.Spec.Alphabet(), 8)
	for i, copied := range w.Impl[:2] {
		require.Len(t, copied.Alphabet(), 4, i)
		require.Equal(t, 5, copied.NumEdges())
	}
	require.Len(t, w.Impl[2].Alphabet(), 2)
	require.Equal(t, []int{0, 0, 1}, w.Of)
}
