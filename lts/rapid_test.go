package lts

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"magus/internal/sample"
)

// drawLTS draws an LTS over some of the actions; shrinking leads to few states and transitions.
func drawLTS(t *rapid.T, table *Actions, actions []Action, label string) *LTS {
	b := NewBuilder(table)
	n := rapid.IntRange(1, 5).Draw(t, label+" states")
	b.AddStates(n)
	own := rapid.SliceOfDistinct(rapid.SampledFrom(actions), rapid.ID).Draw(t, label+" alphabet")
	b.Alphabet(own...)
	own = append([]Action{Tau}, own...)
	state := rapid.IntRange(0, n-1)
	for range rapid.IntRange(0, 3*n).Draw(t, label+" edges") {
		b.AddEdge(State(state.Draw(t, "from")), rapid.SampledFrom(own).Draw(t, "action"), State(state.Draw(t, "to")))
	}
	if rapid.IntRange(0, 4).Draw(t, label+" error") == 4 {
		b.SetError(State(state.Draw(t, "error")))
	}
	return b.Build()
}

// TestContainsProperty is the comparison with the naive subset construction once more, with
// counterexamples to the property that shrink.
func TestContainsProperty(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		table := NewActions()
		actions := []Action{table.Intern("a"), table.Intern("b"), table.Intern("c")}
		impl := []*LTS{drawLTS(t, table, actions, "first"), drawLTS(t, table, actions, "second")}
		spec := drawLTS(t, table, actions, "spec")
		got, err := Contains(context.Background(), impl, spec, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		want := naiveContains(impl, spec, actions)
		if (want == unreached) != (got.Verdict == Holds) {
			t.Fatalf("%v, but the cost of a violation is %d", got.Verdict, want)
		}
		if got.Verdict == Fails {
			observed := len(Project(got.Counterexample.Trace(), spec.Alphabet()))
			hidden := len(got.Counterexample.Steps) - observed
			if cost := naiveCost(observed)*observedStep + naiveCost(hidden)*hiddenStep; cost != want {
				t.Fatalf("counterexample of cost %d, want %d", cost, want)
			}
		}
	})
}
