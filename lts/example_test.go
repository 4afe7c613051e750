package lts_test

import (
	"context"
	"fmt"

	"magus/lts"
)

// A lock is taken and released in turn; the client takes it twice.
func ExampleContains() {
	table := lts.NewActions()
	lock, unlock := table.Intern("lock"), table.Intern("unlock")

	b := lts.NewBuilder(table)
	free, held := b.AddState("Free"), b.AddState("Held")
	b.AddEdge(free, lock, held)
	b.AddEdge(held, unlock, free)
	spec := b.Build()

	b = lts.NewBuilder(table)
	start, busy := b.AddState("Start"), b.AddState("Busy")
	b.AddEdge(start, lock, busy)
	b.AddEdge(busy, lts.Tau, start) // forgets to unlock
	b.AddEdge(busy, unlock, start)
	client := b.Build()

	result, err := lts.Contains(context.Background(), []*lts.LTS{client}, spec, lts.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Verdict)
	fmt.Println(lts.FormatTrace(table, result.Counterexample.Trace()))
	// Output:
	// fails
	// lock lock
}

// Two states that do the same become one.
func ExampleMinimize() {
	table := lts.NewActions()
	b := lts.NewBuilder(table)
	b.AddStates(3)
	b.AddEdge(0, table.Intern("a"), 1)
	b.AddEdge(0, table.Intern("a"), 2)
	b.AddEdge(1, table.Intern("b"), 0)
	b.AddEdge(2, table.Intern("b"), 0)
	small, err := lts.Minimize(context.Background(), b.Build(), lts.StrongBisim, lts.Limits{})
	fmt.Println(small, err)
	// Output:
	// alphabet {a, b}
	// init 0
	// 0 -a-> 1
	// 1 -b-> 0
	//  <nil>
}

// A choice made before the action is told from one made after it.
func ExampleCompare() {
	table := lts.NewActions()
	coin, tea, coffee := table.Intern("coin"), table.Intern("tea"), table.Intern("coffee")

	b := lts.NewBuilder(table)
	b.AddStates(3)
	b.AddEdge(0, coin, 1)
	b.AddEdge(1, tea, 2)
	b.AddEdge(1, coffee, 2)
	after := b.Build()

	b = lts.NewBuilder(table)
	b.AddStates(4)
	b.AddEdge(0, coin, 1)
	b.AddEdge(0, coin, 2)
	b.AddEdge(1, tea, 3)
	b.AddEdge(2, coffee, 3)
	before := b.Build()

	for _, r := range []lts.Relation{lts.TraceEq, lts.StrongBisim} {
		c, err := lts.Compare(context.Background(), after, before, r, lts.Limits{})
		fmt.Println(r, c.Holds, err)
		for _, line := range c.Explanation {
			fmt.Println(line)
		}
	}
	// Output:
	// trace true <nil>
	// strong-bisim false <nil>
	// left at 0 does coin to 1; right at 0 can go to 1 or 2, but left 1 differs from right 1
	// left at 1 does coffee to 2; right at 1 cannot do coffee
}
