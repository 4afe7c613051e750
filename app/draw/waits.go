package draw

import (
	"fmt"
	"slices"

	"magus/evidence/verdict"
	"magus/internal/graph"
	"magus/internal/phrase"
)

// A Waiter is one that stands still at the end of a run.
type Waiter struct {
	Name, At string // At: where; "" if it has returned
	Ended    bool
	For      []WaitsFor
}

// WaitsFor is something that it waits for.
type WaitsFor struct {
	What string
	Whom []int // waiters
}

// Waiting are those that stand still at the end of a run, and the cycle of those that wait for each other.
func Waiting(r *verdict.Run) (all []Waiter, cycle []int) {
	for i, s := range r.Standing {
		w := Waiter{Name: r.Components[i], Ended: s.Ended}
		if s.Pos.IsValid() {
			w.At = fmt.Sprintf("%s:%d", s.Pos.File, s.Pos.Line)
		}
		for _, o := range s.Offers {
			w.For = append(w.For, WaitsFor{o.Action, o.Without})
		}
		if s.Object != "" || !s.Ended && s.Offers == nil {
			w.For = append(w.For, WaitsFor{s.Object, s.Holders})
		}
		all = append(all, w)
	}
	return all, r.Cycle()
}

// Waits draws who waits for whom; the cycle, if there is one, is red. Who waits for what nobody does has an arrow to a
// node that says so.
func Waits(all []Waiter, cycle []int) *Picture {
	p := &Picture{title: "who waits for whom", noun: "component"}
	for i, w := range all {
		text := w.Name
		if w.At != "" {
			text += "\n" + w.At
		}
		if w.Ended {
			text += "\nhas ended"
		}
		p.add(graph.Node{Label: text, Name: fmt.Sprint(i), Shape: "box", Highlight: slices.Contains(cycle, i),
			Double: w.Ended}, false)
	}
	for i, w := range all {
		for _, f := range w.For {
			for _, j := range f.Whom {
				p.edges = append(p.edges, graph.Edge{From: i, To: j, Label: phrase.Clip(f.What, labelWidth),
					Highlight: follows(cycle, i, j)})
			}
			if len(f.Whom) == 0 {
				p.add(graph.Node{Label: "nobody", Name: fmt.Sprint(len(p.nodes)), Shape: "plaintext"}, false)
				p.edges = append(p.edges, graph.Edge{From: i, To: len(p.nodes) - 1, Label: phrase.Clip(f.What, labelWidth)})
			}
		}
	}
	return p
}

// follows reports whether j comes next behind i in a cycle.
func follows(cycle []int, i, j int) bool {
	at := slices.Index(cycle, i)
	return at >= 0 && cycle[(at+1)%len(cycle)] == j
}
