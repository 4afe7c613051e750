package lts

import (
	"context"

	"magus/internal/graph"
)

// Dot returns m as DOT text. If a path is given, a run from the initial state, its states and
// transitions are highlighted. ERROR states are octagons; parallel transitions are drawn apart. The error says
// that ctx ended.
func (m *LTS) Dot(ctx context.Context, path ...Edge) (string, error) {
	type transition struct {
		from State
		edge Edge
	}
	onPath := map[transition]bool{}
	visited := map[State]bool{}
	at := m.init
	for _, e := range path {
		onPath[transition{at, e}] = true
		visited[at], visited[e.To] = true, true
		at = e.To
	}
	d := graph.NewDrawing("")
	for s := range State(m.NumStates()) {
		n := graph.Node{Label: m.StateName(s), Start: s == m.init, Highlight: visited[s]}
		if m.IsError(s) {
			n.Shape = "octagon"
		}
		d.Node(n)
	}
	for s := range State(m.NumStates()) {
		for _, e := range m.outByName(s) {
			label := m.actions.Name(e.Action)
			if e.Action == Tau {
				label = "τ"
			}
			d.Edge(graph.Edge{From: int(s), To: int(e.To), Label: label, Dashed: e.Action == Tau,
				Highlight: onPath[transition{s, e}]})
		}
	}
	return d.DOT(ctx)
}
