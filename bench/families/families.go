// Package families writes questions about any number of C components, all copies of a
// few procedures but for the names of their actions, and in quotas for a constant:
//
//	ring      each hands a token on to the next
//	quotas    the same, where each has a number of its own of what it has to have before that
//	pipeline  each takes an item from the one before and gives it to the next
//	star      each asks a server in the middle, which serves one at a time
//
// The number of states in which all of them can be together grows exponentially in
// the pipeline and in the star; of the ring, only that of their abstractions does. What
// has to be known of each component is one variable. Each family has questions
// that conform, and, broken, ones that violate.
//
//	q := families.Pipeline(100, false)
//	os.WriteFile("pipeline.c", []byte(q.C), 0o666)
//
// [Deadlocks] are families that ask whether components get stuck.
//
// Left out: everything that is measured about them (bench/tables).
package families

import (
	"fmt"
	"strings"
)

// A Question is a program and its specification.
type Question struct {
	C, Spec  string
	Property string // "" asks for the traces that the specification says
	Violates bool
}

// A Family makes the question about n components, at least 3.
type Family struct {
	Name string
	Of   func(n int, broken bool) Question
}

// All are the families.
func All() []Family {
	return []Family{{"ring", Ring}, {"quotas", Quotas}, {"pipeline", Pipeline}, {"star", Star}}
}

// Ring has n stations that hand a token on: each has it once before the first has it
// again. Broken, the last one may do what it should not while it has it.
func Ring(n int, broken bool) Question {
	var w writer
	for i := range n {
		give, take := fmt.Sprintf("t%d", (i+1)%n), fmt.Sprintf("t%d", i)
		switch {
		case i == 0:
			w.component("station0", "int have = 1; while (1) { if (have == 1) { %s have = 0; %s have = 1; %s } else %s }",
				act(give), act(take), act("round"), act("lost"))
		case broken && i == n-1:
			w.component(fmt.Sprint("station", i), "int have = 0; while (1) { if (have == 1) { "+
				"if (__VERIFIER_nondet_int()) %s %s have = 0; } else { %s have = have + 1; } }",
				act("kept"), act(give), act(take))
		default:
			w.component(fmt.Sprint("station", i),
				"int have = 0; while (1) { if (have == 1) { %s have = 0; } else { %s have = have + 1; } }",
				act(give), act(take))
		}
	}
	return w.question("Round", fmt.Sprintf("Round = ( t1 -> t%d -> round -> Round ) + {kept}.", n-1), broken)
}

// Quotas has n stations that hand a token on once they have more than a number, which is another one at each; what
// comes with the token is as much as that. Broken, to the last one comes less, and it does what it should not.
func Quotas(n int, broken bool) Question {
	var w writer
	for i := range n {
		give, take := fmt.Sprintf("t%d", (i+1)%n), fmt.Sprintf("t%d", i)
		comes, otherwise := i+4, act(take)
		if broken && i == n-1 {
			comes, otherwise = i+3, fmt.Sprintf("if (want == %d) { %s } %s", i+3, act("kept"), otherwise)
		}
		if i == 0 {
			w.component("station0", "int want = 1; while (1) { if (want == 1) { %s want = 0; %s want = 1; %s } else %s }",
				act(give), act(take), act("round"), act("lost"))
			continue
		}
		w.component(fmt.Sprint("station", i),
			"int want = 0; while (1) { if (want > %d) { %s want = 0; } else { %s want = want + %d; } }",
			i+3, act(give), otherwise, comes)
	}
	return w.question("Round", fmt.Sprintf("Round = ( t1 -> t%d -> round -> Round ) + {kept}.", n-1), broken)
}

// Pipeline has n stages with room for one item each: never more than n items are
// in it, and none comes out that was not put in. Broken, the last stage may give an item
// twice.
func Pipeline(n int, broken bool) Question {
	var w writer
	for i := 1; i <= n; i++ {
		twice := ""
		if broken && i == n {
			twice = "if (__VERIFIER_nondet_int()) " + act(fmt.Sprint("c", i))
		}
		w.component(fmt.Sprint("stage", i),
			"int full = 0; while (1) { if (full == 0) { %s full = full + 1; } else { %s %s full = 0; } }",
			act(fmt.Sprint("c", i-1)), twice, act(fmt.Sprint("c", i)))
	}
	var spec strings.Builder
	for held := range n + 1 {
		var ways []string
		if held < n {
			ways = append(ways, fmt.Sprintf("c0 -> Held%d", held+1))
		}
		if held > 0 {
			ways = append(ways, fmt.Sprintf("c%d -> Held%d", n, held-1))
		}
		end := ",\n"
		if held == n {
			end = "."
		}
		fmt.Fprintf(&spec, "Held%d = ( %s )%s", held, strings.Join(ways, " | "), end)
	}
	return w.question("Held0", spec.String(), broken)
}

// Star has a server and n-1 clients, which think, get what the server has, use it and
// put it back: the first and the last client do not use it at the same time. Broken, the
// server forgets who has it if it is the last one.
func Star(n int, broken bool) Question {
	var w writer
	var get, put strings.Builder
	for i := 1; i < n; i++ {
		forgets := ""
		if broken && i == n-1 {
			forgets = "if (__VERIFIER_nondet_int()) busy = 0;"
		}
		fmt.Fprintf(&get, "if (k == %d) { %s busy = %d; %s } else ", i, act(fmt.Sprint("get", i)), i, forgets)
		fmt.Fprintf(&put, "else if (busy == %d) { %s busy = 0; } ", i, act(fmt.Sprint("put", i)))
	}
	w.component("server",
		"int busy = 0; while (1) { if (busy == 0) { int k = __VERIFIER_nondet_int(); %s { } } %s }",
		get.String(), put.String())
	for i := 1; i < n; i++ {
		w.component(fmt.Sprint("client", i),
			"int has = 0; while (1) { if (has == 0) { %s %s has = has + 1; } else { %s %s %s has = 0; } }",
			act(fmt.Sprint("think", i)), act(fmt.Sprint("get", i)), act(fmt.Sprint("enter",
				i)), act(fmt.Sprint("leave", i)), act(fmt.Sprint("put", i)))
	}
	last := n - 1
	spec := fmt.Sprintf("Free = ( enter1 -> leave1 -> Free | enter%d -> leave%d -> Free ).", last, last)
	return w.question("Free", spec, broken)
}

// act is the statement that performs an action.
func act(name string) string { return fmt.Sprintf("__MAGUS_ACTION__(%q);", name) }

// A writer collects components.
type writer struct {
	c     strings.Builder
	names []string
}

func (w *writer) component(name, format string, args ...any) {
	w.names = append(w.names, name)
	fmt.Fprintf(&w.c, "void %s(void) { %s }\n", name, fmt.Sprintf(format, args...))
}

// question is about all components, whose specification begins in a process.
func (w *writer) question(process, definitions string, violates bool) Question {
	guards := strings.TrimSuffix(strings.Repeat("(1), ", len(w.names)), ", ")
	claim := fmt.Sprintf("program %s { specification side_by_side, {%s}, %s; }", strings.Join(w.names, ", "),
		guards, process)
	return Question{C: "int __VERIFIER_nondet_int(void);\n" + w.c.String(), Spec: definitions + "\n" + claim +
		"\n", Violates: violates}
}
