package fsp

import (
	"context"
	"slices"
	"strings"

	"magus/internal/graph"
	"magus/lts"
)

// Progress properties: the book's, with fair choice. What happens for ever happens in a set of states that is
// never left, a strongly connected component without a transition to others. Cost: linear.

// A Progress is a property of what happens for ever: in every set of states that is never left, and in which
// something can happen for ever, some of the actions can; Given limits it to sets in which one of those can.
type Progress struct {
	Name    string
	Given   []string // nil: always
	Actions []string
}

// Progress are the progress properties of the file.
func (f *File) Progress(ctx context.Context) (all []Progress, err error) {
	defer caught(&err)
	b := f.builder(ctx, lts.NewActions(), lts.Limits{})
	texts := func(l label, in *env) (found []string) {
		b.expand(l, in, func(text string, _ *env) { found = append(found, text) })
		return found
	}
	for _, d := range f.progress {
		b.expand(d.indices, nil, func(index string, in *env) {
			p := Progress{Name: indexed(d.name, index), Actions: texts(d.actions, in)}
			if d.given != nil {
				p.Given = append([]string{}, texts(d.given, in)...)
			}
			all = append(all, p)
		})
	}
	return all, nil
}

// Concerns says whether an LTS has an action of the property in its alphabet. One that has none never
// makes progress: mostly the property is about another process of the file.
func (p Progress) Concerns(m *lts.LTS) bool {
	wanted := newSet(p.Actions)
	return slices.ContainsFunc(m.Actions().Names(m.Alphabet()), wanted.covers)
}

// Violated looks for a set of states that a progress property does not allow. The path leads there, and can
// is what can happen there; a shortest path is given.
func (p Progress) Violated(m *lts.LTS) (path []lts.Edge, can []lts.Action, found bool) {
	g := graph.Func{Nodes: m.NumStates(), Succ: func(n int, yield func(int)) {
		for _, e := range m.Out(lts.State(n)) {
			yield(int(e.To))
		}
	}}
	c := graph.SCC(g)
	left, actions := make([]bool, c.Count), make([]map[lts.Action]bool, c.Count)
	for s := range lts.State(m.NumStates()) {
		k := c.Of[s]
		for _, e := range m.Out(s) {
			if c.Of[e.To] != k {
				left[k] = true
			} else {
				if actions[k] == nil {
					actions[k] = map[lts.Action]bool{}
				}
				actions[k][e.Action] = true
			}
		}
	}
	given, wanted := newSet(p.Given), newSet(p.Actions)
	has := func(k uint32, set setOf) bool {
		for a := range actions[k] {
			if a != lts.Tau && set.covers(m.Actions().Name(a)) {
				return true
			}
		}
		return false
	}
	bad := func(s lts.State) bool {
		k := c.Of[s]
		return !left[k] && actions[k] != nil && (p.Given == nil || has(k, given)) && !has(k, wanted)
	}
	path, end, found := lts.PathTo(m, bad)
	if !found {
		return nil, nil, false
	}
	for a := range actions[c.Of[end]] {
		can = append(can, a)
	}
	slices.SortFunc(can, func(a, b lts.Action) int { return strings.Compare(m.Actions().Name(a), m.Actions().Name(b)) })
	return path, can, true
}
