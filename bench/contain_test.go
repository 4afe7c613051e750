package bench

// Containment of compositions in a specification, the step Verify.

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/lts"
)

// station is one of n stations in a ring that pass a token on: who has it may
// enter and leave; who has not may work on its own.
func station(table *lts.Actions, i, n int) *lts.LTS {
	b := lts.NewBuilder(table)
	action := func(name string, k int) lts.Action { return table.Intern(fmt.Sprint(name, k%n)) }
	idle, has, in, out, busy := b.AddState("idle"), b.AddState("has"), b.AddState("in"), b.AddState("out"),
		b.AddState("busy")
	b.AddEdge(idle, action("pass", i), has)
	b.AddEdge(idle, action("work", i), busy)
	b.AddEdge(busy, action("rest", i), idle)
	b.AddEdge(busy, action("pass", i), has)
	b.AddEdge(has, action("enter", i), in)
	b.AddEdge(in, action("leave", i), out)
	b.AddEdge(out, action("pass", i+1), idle)
	b.SetInit(idle)
	if i == 0 {
		b.SetInit(has)
	}
	return b.Build()
}

// oneAtATime allows only one station inside. Its entries are remembered by
// guessing: the specification is nondeterministic, so that antichains work.
func oneAtATime(table *lts.Actions, n int) *lts.LTS {
	b := lts.NewBuilder(table)
	outside := []lts.State{b.AddState("outside"), b.AddState("other")}
	for i := range n {
		enter, leave := table.Intern(fmt.Sprint("enter", i)), table.Intern(fmt.Sprint("leave", i))
		inside := b.AddState(fmt.Sprint("inside", i))
		for _, o := range outside {
			b.AddEdge(o, enter, inside)
			b.AddEdge(inside, leave, o)
		}
	}
	return b.Build()
}

func ring(n int) (impl []*lts.LTS, spec *lts.LTS) {
	table := lts.NewActions()
	for i := range n {
		impl = append(impl, station(table, i, n))
	}
	return impl, oneAtATime(table, n)
}

func BenchmarkContains(b *testing.B) {
	for _, n := range []int{2, 6, 10} {
		b.Run(fmt.Sprintf("stations=%d", n), func(b *testing.B) {
			impl, spec := ring(n)
			states := 0
			b.ReportAllocs()
			for b.Loop() {
				r, err := lts.Contains(context.Background(), impl, spec, lts.Limits{})
				if err != nil || r.Verdict != lts.Holds {
					b.Fatal(r, err)
				}
				states = r.States
			}
			b.ReportMetric(float64(states), "states")
			b.ReportMetric(float64(states)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
		})
	}
}

// The ring keeps the rule, and breaks it where a second token is about.
func TestRing(t *testing.T) {
	impl, spec := ring(4)
	r, err := lts.Contains(context.Background(), impl, spec, lts.Limits{})
	require.NoError(t, err)
	require.Equal(t, lts.Holds, r.Verdict)

	second := lts.NewBuilder(spec.Actions())
	second.AddState("always")
	for _, a := range impl[2].Alphabet() {
		second.AddEdge(0, a, 0)
	}
	impl[2] = second.Build()
	r, err = lts.Contains(context.Background(), impl, spec, lts.Limits{})
	require.NoError(t, err)
	require.Equal(t, lts.Fails, r.Verdict)
}
