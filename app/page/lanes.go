package page

// The run of threads as a drawing: a lane for each thread, a box for each of its events, and arrows between the lanes.
// In a deadlock red arrows lead from who waits to who holds. What is in it has package report.

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"

	"magus/app/report"
	"magus/internal/phrase"
)

const (
	laneWidth = 260
	laneGap   = 120
	laneTop   = 34
	laneStep  = 16 // between boxes
)

// An event is what a thread does at one line, and where that is drawn.
type event struct {
	*report.LaneEvent
	x, y, h float64
}

// HasThreads reports whether a run is one of threads: of these, only the last step may be a joint one.
func HasThreads(x *report.Counterexample) bool {
	joint := func(s report.Step) bool { return len(s.With) > 0 }
	n := len(x.Steps)
	return len(x.Running) >= 2 && n > 0 && !slices.ContainsFunc(x.Steps[:n-1], joint)
}

// Threads draws a run of threads; empty if it has none.
func Threads(x *report.Counterexample) template.HTML {
	if !HasThreads(x) {
		return ""
	}
	lanes := x.ByLane()
	events := make([]event, len(lanes.Events))
	y := float64(laneTop)
	for i := range events {
		e := &events[i]
		e.LaneEvent = &lanes.Events[i]
		e.x, e.y, e.h = float64(e.Lane*(laneWidth+laneGap)), y, float64(len(e.Text)*line+2*inner)
		y += e.h + laneStep
	}
	return drawLanes(lanes.Names, events, lanes.Arrows, lanes.Left, y)
}

// drawLanes writes the drawing.
func drawLanes(names []string, events []event, arrows []report.LaneArrow, left int,
	height float64) template.HTML {
	var b strings.Builder
	w := len(names)*(laneWidth+laneGap) - laneGap + 8
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 0 %d %.0f" width="%d" `+
		`height="%.0f" role="img" aria-label="the run by threads">`, w, height, w, height)
	for i, name := range names {
		x := i * (laneWidth + laneGap)
		fmt.Fprintf(&b, `<path class="lane" d="M%d %dV%.0f"/><text class="thread" x="%d" y="14">%s</text>`,
			x+laneWidth/2, laneTop-8, height, x+4, html.EscapeString(name))
	}
	if left > 0 {
		fmt.Fprintf(&b, `<text x="4" y="28">%s before</text>`, phrase.Plural(left, "event"))
	}
	for i := range events {
		e := &events[i]
		class := "node"
		if e.Bad {
			class += " hot"
		}
		fmt.Fprintf(&b, `<g class="%s" data-line="%d"><rect x="%.0f" y="%.0f" width="%d" height="%.0f" rx="4"/>`,
			class, e.Line, e.x, e.y, laneWidth, e.h)
		for k, text := range e.Text {
			fmt.Fprintf(&b, `<text x="%.0f" y="%.0f">%s</text>`, e.x+inner, e.y+inner+float64(k+1)*line-4,
				html.EscapeString(text))
		}
		b.WriteString(`</g>`)
	}
	for _, a := range arrows {
		b.WriteString(arrowPath(a, &events[a.From], &events[a.To]))
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// arrowPath is an arrow from the side of a box to that of another, in the gaps between lanes.
func arrowPath(a report.LaneArrow, from, to *event) string {
	x1, x2, head, side := from.x+laneWidth, to.x, "l-8 -4v8z", 1.0
	if from.Lane > to.Lane {
		x1, x2, head, side = from.x, to.x+laneWidth, "l8 -4v8z", -1
	}
	y1, y2 := from.y+from.h/2, to.y+to.h/2
	if a.Waits {
		y1 = from.y + from.h - 4
	}
	bend := side * laneGap * 0.7
	class := "edge"
	if a.Waits {
		class += " hot"
	}
	if a.Order {
		class += " dashed"
	}
	anchor := "start"
	lx := x1 + 6
	if side < 0 {
		anchor, lx = "end", x1-6
	}
	line := fmt.Sprintf(`<path d="M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f"/><path class="head" d="M%.0f %.0f%s"/>`,
		x1, y1, x1+bend, y1, x2-bend, y2, x2, y2, x2, y2, head)
	return fmt.Sprintf(`<g class="%s"><title>%s</title>%s<text class="why" x="%.0f" y="%.0f" `+
		`text-anchor="%s">%s</text></g>`,
		class, html.EscapeString(a.Why), line, lx, y1-3, anchor, html.EscapeString(phrase.Clip(a.Why, 19)))
}
