package page

// Who waits for whom in a deadlock, as a figure.
//
// Idea: the graph of those that stand still, each with the line where it does, and an arrow to whoever it
// waits for, with what it waits for. The cycle has the colour of what is wrong.
//
// Cost: that of a layout of few boxes; of more than maxWaiters nothing is drawn.

import (
	"context"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"magus/app/draw"
	"magus/app/report"
	"magus/internal/graph"
)

// maxWaiters is how many components are drawn.
const maxWaiters = 24

// Waits draws who waits for whom at the end of a run; "" where nobody does.
func Waits(ctx context.Context, x *report.Counterexample) (template.HTML, error) {
	all, cycle := waiters(x)
	if len(all) == 0 || len(all) > maxWaiters {
		return "", nil
	}
	d, _, err := draw.Waits(all, cycle).Drawing(ctx, draw.Selection{Limit: maxBoxes, Unfold: true})
	if err != nil {
		return "", err
	}
	return Still(ctx, "who waits for whom", d)
}

// Still is a drawing without phases, as a figure.
func Still(ctx context.Context, title string, d *graph.Drawing) (template.HTML, error) {
	one := drawn{from: 1, to: 1}
	one.nodes, one.edges = d.Parts()
	sheets, err := layOut(ctx, title, []drawn{one})
	if err != nil || len(sheets) == 0 {
		return "", err
	}
	// There are no phases, of which the script would show one.
	return template.HTML(strings.ReplaceAll(string(sheets[0].SVG), ` data-hot="1"`, "")), nil
}

// waiters are those that stand still.
func waiters(x *report.Counterexample) (all []draw.Waiter, cycle []int) {
	number := func(name string) int {
		return slices.IndexFunc(x.Standing, func(s report.Stand) bool { return s.Component == name })
	}
	numbers := func(names []string) (all []int) {
		for _, n := range names {
			if i := number(n); i >= 0 {
				all = append(all, i)
			}
		}
		return all
	}
	for _, s := range x.Standing {
		w := draw.Waiter{Name: s.Component, Ended: s.Ended}
		if s.Place != nil {
			w.At = fmt.Sprintf("%s:%d", s.Place.File, s.Place.Line)
		}
		for _, o := range s.Offers {
			w.For = append(w.For, draw.WaitsFor{What: o.Action, Whom: numbers(o.Without)})
		}
		if s.Object != "" || !s.Ended && s.Offers == nil {
			w.For = append(w.For, draw.WaitsFor{What: s.Object, Whom: numbers(s.Holders)})
		}
		all = append(all, w)
	}
	return all, numbers(x.Cycle)
}
