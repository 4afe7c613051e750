package lts

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchmarkContains reports the product states explored a second.
func benchmarkContains(b *testing.B, want Verdict, spec *LTS, impl ...*LTS) {
	b.Helper()
	b.ReportAllocs()
	states := 0
	for b.Loop() {
		got, err := Contains(context.Background(), impl, spec, Limits{})
		if err != nil || got.Verdict != want {
			b.Fatalf("%v %v, want %v", got, err, want)
		}
		states += got.States
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(float64(states)/float64(b.N), "states")
}

// BenchmarkContainsInterleaving has two components of 1,000 states, each with two successors, without
// shared actions.
func BenchmarkContainsInterleaving(b *testing.B) {
	table := NewActions()
	component := func(a, c string) *LTS {
		build := NewBuilder(table)
		n := 1000
		build.AddStates(n)
		for s := range n {
			build.AddEdge(State(s), table.Intern(a), State((s+1)%n))
			build.AddEdge(State(s), table.Intern(c), State((s+7)%n))
		}
		return build.Build()
	}
	impl := []*LTS{component("a", "b"), component("c", "d")}
	b.Run("deterministic", func(b *testing.B) {
		benchmarkContains(b, Holds, parse(table, "s -a-> t; s -c-> s; t -a-> s; t -c-> t"), impl...)
	})
	b.Run("nondeterministic", func(b *testing.B) {
		benchmarkContains(b, Holds,
			parse(table, "s -a-> t; s -a-> u; s -c-> s; t -a-> s; t -c-> t; u -tau-> s; u -c-> t"), impl...)
	})
	b.Run("error", func(b *testing.B) {
		benchmarkContains(b, Holds, parse(table, "s -a-> s; s -c-> t; t -a-> s; t -z-> e; !e"), impl...)
	})
}

// BenchmarkContainsHandshake has two components that synchronise on half of their actions.
func BenchmarkContainsHandshake(b *testing.B) {
	table := NewActions()
	component := func(seed uint64, prefix string) *LTS {
		r := rand.New(rand.NewPCG(seed, 1))
		build := NewBuilder(table)
		const n = 1500
		build.AddStates(n)
		for s := range n {
			for k := range 2 {
				build.AddEdge(State(s), table.Intern(fmt.Sprint("shared", r.IntN(8))), State(r.IntN(n)))
				build.AddEdge(State(s), table.Intern(fmt.Sprint(prefix, k)), State(r.IntN(n)))
			}
		}
		return build.Build()
	}
	left, right := component(1, "l"), component(2, "r")
	benchmarkContains(b, Holds, parse(table, "s -shared0-> t; t -shared0-> s; t -shared0-> t"), left, right)
}

// BenchmarkContainsTokenRing has n stations that pass a token; each may work on its own while it waits.
func BenchmarkContainsTokenRing(b *testing.B) {
	for _, n := range []int{4, 8, 10} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			table := NewActions()
			impl := make([]*LTS, n)
			for i := range n {
				take, pass := fmt.Sprint("pass", i), fmt.Sprint("pass", (i+1)%n)
				start := "idle"
				if i == 0 {
					start = "has"
				}
				impl[i] = parse(table, fmt.Sprintf("%s; idle -%s-> has; has -enter-> in; in -leave-> out; "+
					"out -%s-> busy; busy -work%d-> idle; busy -%s-> has",
					start, take, pass, i, take))
				impl[i] = Rename(impl[i], map[Action]Action{
					table.Intern("enter"): table.Intern(fmt.Sprint("enter", i)),
					table.Intern("leave"): table.Intern(fmt.Sprint("leave", i))})
			}
			benchmarkContains(b, Holds,
				parse(table, "s -enter0-> t; t -leave0-> s; +enter1; s -enter1-> u; u -leave1-> s"), impl...)
		})
	}
}

// BenchmarkContainsViolation finds a violation a thousand observed steps away.
func BenchmarkContainsViolation(b *testing.B) {
	table := NewActions()
	counter := func(name string) *LTS { return counter(table, name, 1000) }
	build := NewBuilder(table)
	build.AddStates(1001)
	for s := range State(1000) {
		build.AddEdge(s, table.Intern("a"), s+1)
	}
	benchmarkContains(b, Fails, build.Build(), counter("a"), counter("b"))
}

func BenchmarkCompose(b *testing.B) {
	table := NewActions()
	left, right := counter(table, "a", 1000), counter(table, "b", 1000)
	b.ReportAllocs()
	for b.Loop() {
		composed(left, right)
	}
}

func BenchmarkBuild(b *testing.B) {
	const n = 1_000_000
	r := rand.New(rand.NewPCG(1, 1))
	from, to := make([]State, n), make([]State, n)
	for i := range n {
		from[i], to[i] = State(r.IntN(n/4)), State(r.IntN(n/4))
	}
	b.ReportAllocs()
	for b.Loop() {
		build := NewBuilder(NewActions())
		build.AddStates(n / 4)
		for i := range n {
			build.AddEdge(from[i], Action(i%16), to[i])
		}
		build.Build()
	}
}

func BenchmarkAut(b *testing.B) {
	table := NewActions()
	m := composed(counter(table, "left action", 300), counter(table, "right", 300))
	var text bytes.Buffer
	if err := WriteAut(&text, m); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadAut(bytes.NewReader(text.Bytes()), "f.aut", table, AutOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
