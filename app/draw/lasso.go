package draw

import (
	"fmt"

	"magus/evidence/verdict"
	"magus/internal/graph"
	"magus/internal/phrase"
)

// Lasso draws a run that is wrong as a whole: its steps in a line, and from the last one back to where what comes again
// and again begins, which is red. A step has an arrow of its action. Where a run goes twice round, one round is drawn.
func Lasso(r *verdict.Run) *Picture {
	p := &Picture{title: "stem and loop", noun: "step"}
	first, steps := r.Round.First, r.Steps
	if n := len(steps) - first; r.Round.Times == 2 {
		steps = steps[:first+n/2]
	}
	for i, s := range steps {
		text := phrase.Clip(s.Text, labelWidth)
		if s.Pos.IsValid() {
			text += fmt.Sprintf("\n%s:%d", s.Pos.File, s.Pos.Line)
		}
		if len(r.Components) > 1 {
			text = r.Components[s.Component] + ": " + text
		}
		p.add(graph.Node{Label: text, Name: fmt.Sprint(i + 1), Shape: "box", Highlight: r.Round.Times > 0 &&
			i >= first}, false)
	}
	for i, s := range steps {
		switch {
		case i+1 < len(steps):
			p.edges = append(p.edges, graph.Edge{From: i, To: i + 1, Label: s.Action, Highlight: r.Round.Times > 0 &&
				i >= first})
		case r.Round.Times > 0 && i >= first:
			p.edges = append(p.edges, graph.Edge{From: i, To: first, Label: s.Action, Highlight: true})
		default:
			p.add(graph.Node{Label: "the end", Name: "end", Shape: "plaintext", Double: false}, false)
			p.edges = append(p.edges, graph.Edge{From: i, To: len(steps), Label: s.Action})
		}
	}
	return p
}
