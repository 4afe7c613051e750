package web

// Counters: how many copies of a component are where, of which there are several or any number.

import (
	"fmt"
	"slices"

	"magus/app/draw"
	"magus/cfa"
	"magus/engine/cegar"
	"magus/lts"
	"magus/specs"
)

// Limits of what is told of counters.
const (
	mostCounts = 100 // states of an abstraction
	mostAlong  = 200 // actions of the counterexample
)

// countersOf are those of the components of which there are several copies, or any number.
func countersOf(v *cegar.View) (all []Counters) {
	for i, c := range v.Components {
		if c.Copies != 1 && c.MP != nil {
			all = append(all, countersIn(v, i))
		}
	}
	return all
}

// countersIn are those of one component.
func countersIn(v *cegar.View, component int) Counters {
	c := v.Components[component]
	x := Counters{Component: c.Name, Of: "mp"}
	states, at := c.MP.LTS.NumStates(), func(s lts.State) int { return int(s) }
	if c.MA != nil && !c.Stale {
		x.Of, states, at = "ma", c.MA.NumBlocks(), c.MA.Block
	}
	along, last := countedAlong(v, component, states, at)
	for i, a := range v.Trace[:last] {
		if i == 0 {
			x.Along = []string{}
		}
		x.Along = append(x.Along, v.Actions.Name(a))
	}
	for s := range states {
		n := Count{State: s}
		if c.Copies == specs.AnyNumber && s < len(c.Bounds) && len(c.Bounds) == states {
			n.ToldApart = int(c.Bounds[s])
		}
		if n.Along = along[s]; n.ToldApart == 0 && slices.Max(append([]int{0}, n.Along...)) == 0 {
			continue
		}
		if len(x.Rows) == mostCounts {
			x.Left = fmt.Sprintf("the first %d states that copies are counted in", mostCounts)
			break
		}
		n.Places = placesOf(c, s)
		x.Rows = append(x.Rows, n)
	}
	return x
}

// countedAlong is how many copies of a component are in each state before and after each action of
// the counterexample, as far as their paths are known; last is how many actions that are.
func countedAlong(v *cegar.View, component, states int, at func(lts.State) int) (counts [][]int, last int) {
	counts = make([][]int, states)
	if v.Trace == nil || len(v.By) < len(v.Trace) || !v.Status.Shown() || v.Components[component].Stale {
		return counts, 0
	}
	ways := map[int][]int{} // of a part: where it is before each of its actions, and at its end
	for k, p := range v.Parts {
		if p.Component == component {
			ways[k] = wayOf(v.Components[component], p, at)
		}
	}
	last = min(len(v.Trace), mostAlong)
	for i := range counts {
		counts[i] = make([]int, last+1)
	}
	done := map[int]int{} // actions of a part
	for i := range last + 1 {
		for k, way := range ways {
			if n := min(done[k], len(way)-1); n >= 0 {
				counts[way[n]][i]++
			}
		}
		if i < last {
			for _, k := range v.By[i] {
				done[k]++
			}
		}
	}
	return counts, last
}

// wayOf is where a part is before each of its actions, and at its end. Between two states of an
// abstraction there may be some that are none of its; a copy there counts as in the one before.
func wayOf(c cegar.ComponentView, p cegar.PartView, at func(lts.State) int) (way []int) {
	path := p.Path
	if path == nil {
		path = draw.Path(c.MP.LTS, p.Trace)
	}
	now := max(0, at(c.MP.LTS.Init()))
	for _, e := range path {
		if e.Action != lts.Tau {
			way = append(way, now)
		}
		if s := at(e.To); s >= 0 {
			now = s
		}
	}
	return append(way, now)
}

// placesOf are the lines that a state of an abstraction stands for.
func placesOf(c cegar.ComponentView, s int) (places []Place) {
	members := []lts.State{lts.State(s)}
	if c.MA != nil && !c.Stale {
		members = c.MA.Members(s)
	}
	met := map[Place]bool{}
	for _, m := range members {
		l, ok := c.Graph.Loc(c.MP.Node(m))
		if !ok {
			continue
		}
		if p := placeOf(c.CFA.Locs[max(cfa.Loc(0), l)].Pos); p != nil && !met[*p] {
			met[*p] = true
			places = append(places, *p)
		}
	}
	return places
}
