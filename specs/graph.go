package specs

import (
	"slices"

	"magus/lts"
)

// A graph is an LTS under construction, with the places its transitions come
// from. Labels are names of actions; tau is the unobservable one.
type graph struct {
	init    int
	states  []string  // names for people
	origins []*origin // as long as states
	errors  []bool    // as long as states: the ERROR states
	edges   []edge
	extra   []string // the alphabet beyond the labels on edges
}

type edge struct {
	from, to int
	label    string
	pos      Pos // the zero Pos where there is none: imported or composed
	end      Pos // where the text says where it leads to, in the same way
}

func (g *graph) state(name string, isError bool, from *origin) int {
	g.states = append(g.states, name)
	g.origins = append(g.origins, from)
	g.errors = append(g.errors, isError)
	return len(g.states) - 1
}

// graft adds a copy of h to g and returns h's initial state in it; look is called now and then.
func (g *graph) graft(h *graph, look func()) int {
	look()
	offset := len(g.states)
	g.states = append(g.states, h.states...)
	g.origins = append(g.origins, h.origins...)
	g.errors = append(g.errors, h.errors...)
	g.extra = append(g.extra, h.extra...)
	for i, e := range h.edges {
		if i%lookEvery == lookEvery-1 {
			look()
		}
		g.edges = append(g.edges, edge{e.from + offset, e.to + offset, e.label, e.pos, e.end})
	}
	return h.init + offset
}

// apply is g after the operator; g itself stays as it is. look is called now and then.
func (g *graph) apply(o operator, look func()) *graph {
	h := &graph{init: g.init, states: g.states, origins: g.origins, errors: g.errors}
	switch o.sign {
	case '+':
		h.edges, h.extra = g.edges, slices.Concat(g.extra, names(o.labels))
	case '\\', '@':
		listed := map[string]bool{}
		for _, l := range o.labels {
			listed[l.name] = true
		}
		h.relabel(g, look, func(label string) []string {
			if listed[label] == (o.sign == '@') {
				return []string{label}
			}
			return []string{tau}
		})
	case '/':
		renamed := map[string][]string{}
		for _, p := range o.pairs {
			renamed[p.old.name] = append(renamed[p.old.name], p.new.name)
		}
		h.relabel(g, look, func(label string) []string {
			if to := renamed[label]; to != nil {
				return to
			}
			return []string{label}
		})
	}
	return h
}

// relabel fills h with g's transitions and alphabet, each label replaced by the
// labels to gives for it; tau stays.
func (h *graph) relabel(g *graph, look func(), to func(label string) []string) {
	for i, e := range g.edges {
		if i%lookEvery == lookEvery-1 {
			look()
		}
		if e.label == tau {
			h.edges = append(h.edges, e)
			continue
		}
		for _, label := range to(e.label) {
			h.edges = append(h.edges, edge{e.from, e.to, label, e.pos, e.end})
		}
	}
	for _, label := range g.extra {
		for _, n := range to(label) {
			if n != tau {
				h.extra = append(h.extra, n)
			}
		}
	}
}

// lts is g over the actions of t; look is called now and then.
func (g *graph) lts(t *lts.Actions, look func()) *lts.LTS {
	b := lts.NewBuilder(t)
	for s, name := range g.states {
		if s%lookEvery == lookEvery-1 {
			look()
		}
		b.AddState(name)
		if g.errors[s] {
			b.SetError(lts.State(s))
		}
	}
	for i, e := range g.edges {
		if i%lookEvery == lookEvery-1 {
			look()
		}
		b.AddEdge(lts.State(e.from), t.Intern(e.label), lts.State(e.to))
	}
	for _, label := range g.extra {
		b.Alphabet(t.Intern(label))
	}
	b.SetInit(lts.State(g.init))
	return b.Build()
}

// graphOf is m, all of which is defined at one place.
func graphOf(m *lts.LTS, pos Pos) *graph {
	g := &graph{init: int(m.Init()), extra: m.Actions().Names(m.Alphabet())}
	for s := range lts.State(m.NumStates()) {
		name := m.StateName(s)
		g.state(name, m.IsError(s), named(name, pos))
		for _, e := range m.Out(s) {
			g.edges = append(g.edges, edge{from: int(s), to: int(e.To), label: m.Actions().Name(e.Action)})
		}
	}
	return g
}

func names(labels []label) []string {
	ns := make([]string, len(labels))
	for i, l := range labels {
		ns[i] = l.name
	}
	return ns
}
