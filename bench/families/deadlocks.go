package families

import (
	"fmt"
	"strings"
)

// Deadlocks are the families that ask whether the components wait for each other for ever:
//
//	philosophers   each of n takes two forks that it shares with its neighbours
//	stuck          stations that hand a token on
func Deadlocks() []Family {
	return []Family{{"philosophers", Philosophers}, {"stuck", RingStuck}}
}

// noDeadlock is the property that they are asked for.
const noDeadlock = "no-deadlock"

// Philosophers has n of them, and n forks. Each takes the fork of its own number first, but the last one:
// that takes the other one, so that somebody always has both. Broken, it does as all others.
func Philosophers(n int, broken bool) Question {
	var w writer
	var specs strings.Builder
	for i := range n {
		first, second := i, (i+1)%n
		if i == n-1 && !broken {
			first, second = second, first
		}
		w.component(fmt.Sprint("philosopher", i),
			"int has = 0; while (1) { if (has == 0) { %s has = has + 1; } else if (has == 1) { %s has = has + 1; "+
				"} else { %s %s has = 0; } }",
			forkAct("take", i, first), forkAct("take", i, second), forkAct("put", i, first), forkAct("put", i, second))
	}
	for i := range n {
		own, other := i, (i+n-1)%n
		fmt.Fprintf(&w.c, "int taken%d(void);\n", i)
		fmt.Fprintf(&specs, "Taken%d = ( take%d_%d -> return {$0 == 1} -> STOP | take%d_%d -> return {$0 == 2} -> STOP ).\n"+
			"procedure taken%d { abstract { (1), Taken%d }; }\n", i, own, i, other, i, i, i)
		w.component(fmt.Sprint("fork", i), "while (1) { if (taken%d() == 1) %s else %s }", i, forkAct("put", own, i),
			forkAct("put", other, i))
	}
	return w.stuck(specs.String(), broken)
}

// forkAct is what a philosopher does with a fork.
func forkAct(what string, philosopher, fork int) string {
	return act(fmt.Sprintf("%s%d_%d", what, philosopher, fork))
}

// RingStuck has n stations that hand a token on, one of which has it first. Broken, the last one may wait for it while
// it has it.
func RingStuck(n int, broken bool) Question {
	var w writer
	for i := range n {
		have, waits := 0, ""
		give, take := fmt.Sprintf("t%d", (i+1)%n), fmt.Sprintf("t%d", i)
		if i == 0 {
			have = 1
		}
		if broken && i == n-1 {
			waits = fmt.Sprintf("if (__VERIFIER_nondet_int()) %s", act(take))
		}
		w.component(fmt.Sprint("station", i),
			"int have = %d; while (1) { if (have == 1) { %s %s have = 0; } else { %s have = have + 1; } }",
			have, waits, act(give), act(take))
	}
	return w.stuck("", broken)
}

// stuck asks whether all components get stuck.
func (w *writer) stuck(definitions string, violates bool) Question {
	return Question{C: "int __VERIFIER_nondet_int(void);\n" + w.c.String(), Property: noDeadlock, Violates: violates,
		Spec: fmt.Sprintf("%sprogram %s { }\n", definitions, strings.Join(w.names, ", "))}
}
