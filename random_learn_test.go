package magus_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/lts"
)

// Specifications that are learned from the program: a random one is soon
// violated or allows everything, so that a check has little to refine. All
// traces of the composition up to a number of states, by subset construction,
// is one that conforms and takes much to prove; where something is changed it
// is one that is violated late, or not at all.

// learnedStates bounds the states of such a specification, after which comes one
// that allows everything; learnedTuples those of the composition that are looked
// at.
const (
	learnedStates = 8
	learnedTuples = 3000
)

// learned is "" where there is nothing to learn.
func (g *generator) learned(c string) string {
	impl, spec, err := g.composition(context.Background(), c, g.abstractions()+"S0 = ( a -> S0 ) + {b, c}.\n")
	if err != nil {
		return ""
	}
	l := &learner{impl: impl, spec: spec}
	var start []lts.State
	for _, m := range impl {
		start = append(start, m.Init())
	}
	l.state([][]lts.State{start})
	var defs []string
	for i := 0; i < len(l.sets) && i < learnedStates; i++ {
		defs = append(defs, l.definition(i))
	}
	if l.tuples > learnedTuples || defs[0] == "" {
		return ""
	}
	defs = slices.DeleteFunc(defs, func(d string) bool { return d == "" })
	defs = append(defs, fmt.Sprintf("S%[1]d = ( a -> S%[1]d | b -> S%[1]d | c -> S%[1]d )", learnedStates))
	text := strings.Join(defs, ",\n") + ".\n"
	for range g.r.IntN(4) {
		text = g.otherwise(text)
	}
	return text + g.claim()
}

// otherwise lets one transition lead elsewhere, or have another action.
func (g *generator) otherwise(text string) string {
	ways := strings.SplitAfter(text, "-> ")
	i := 1 + g.r.IntN(len(ways)-4) // not one of the last
	if g.oneIn(3) {
		_, rest, _ := strings.Cut(ways[i], " ")
		ways[i] = g.pick("STOP", "S0") + " " + rest
	} else {
		before := strings.TrimSuffix(ways[i-1], " -> ")
		ways[i-1] = before[:len(before)-1] + g.pick("a", "b", "c") + " -> "
	}
	return strings.Join(ways, "")
}

// A learner numbers sets of states of the composition.
type learner struct {
	impl   []*lts.LTS
	spec   *lts.LTS
	sets   [][][]lts.State
	index  map[string]int
	tuples int
}

// state is the number of what the tuples lead to unseen.
func (l *learner) state(tuples [][]lts.State) int {
	seen := map[string]bool{}
	var set [][]lts.State
	for len(tuples) > 0 && len(set) <= learnedTuples {
		at := tuples[0]
		tuples = tuples[1:]
		if seen[fmt.Sprint(at)] {
			continue
		}
		seen[fmt.Sprint(at)] = true
		set = append(set, at)
		for _, m := range next(l.impl, l.spec, moment{at: at}) {
			if !l.spec.HasAction(m.by) {
				tuples = append(tuples, m.at)
			}
		}
	}
	slices.SortFunc(set, slices.Compare)
	if l.index == nil {
		l.index = map[string]int{}
	}
	key := fmt.Sprint(set)
	n, ok := l.index[key]
	if !ok {
		n = len(l.sets)
		l.index[key], l.sets, l.tuples = n, append(l.sets, set), l.tuples+len(set)
	}
	return n
}

// definition is a state in the specification language, "" if nothing follows.
func (l *learner) definition(i int) string {
	var ways []string
	for _, a := range l.spec.Alphabet() {
		var after [][]lts.State
		for _, at := range l.sets[i] {
			after = append(after, together(l.impl, at, a)...)
		}
		if len(after) == 0 || l.tuples > learnedTuples {
			continue
		}
		to := fmt.Sprintf("S%d", l.state(after))
		if n := l.state(after); n >= learnedStates {
			to = fmt.Sprintf("S%d", learnedStates)
		} else if !l.goesOn(n) {
			to = "STOP"
		}
		ways = append(ways, fmt.Sprintf("%s -> %s", l.spec.Actions().Name(a), to))
	}
	if len(ways) == 0 {
		return ""
	}
	return fmt.Sprintf("S%d = ( %s )", i, strings.Join(ways, " | "))
}

// goesOn reports whether an observed action can follow.
func (l *learner) goesOn(n int) bool {
	for _, a := range l.spec.Alphabet() {
		for _, at := range l.sets[n] {
			if len(together(l.impl, at, a)) > 0 {
				return true
			}
		}
	}
	return false
}
