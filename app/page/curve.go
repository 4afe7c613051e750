package page

import (
	"fmt"
	"slices"
	"strings"
)

// curve is a chart of one figure over the turns.
type curve struct {
	Name, Unit, Most string
	Width, Height    int
	Lines            []polyline
}

// polyline is the figure of one component.
type polyline struct {
	Name   string
	Class  string
	Points string // of an SVG polyline
}

// The size of a curve in pixels.
const (
	curveWidth  = 300
	curveHeight = 90
)

// curves are states, predicates and time over the turns; none where there is nothing to
// compare.
func curves(turns []shownTurn, h *past) []curve {
	if len(turns) < 2 {
		return nil
	}
	var names []string
	for _, t := range turns {
		if len(t.Sizes) > len(names) {
			names = nil
			for _, s := range t.Sizes {
				names = append(names, s.Name)
			}
		}
	}
	figure := func(name, unit string, of func(sizes) int) curve {
		c := curve{Name: name, Unit: unit, Width: curveWidth, Height: curveHeight}
		var all [][]float64
		most := 0.0
		for i := range names {
			var values []float64
			for _, t := range turns {
				v := 0.0
				if i < len(t.Sizes) {
					v = float64(of(t.Sizes[i]))
				}
				values, most = append(values, v), max(most, v)
			}
			all = append(all, values)
		}
		for i, values := range all {
			c.Lines = append(c.Lines, polyline{names[i], fmt.Sprintf("line%d", i%6), points(values, most)})
		}
		c.Most = fmt.Sprintf("%.0f", most)
		return c
	}
	times := curve{Name: "time of each turn", Unit: "s", Width: curveWidth, Height: curveHeight}
	var values []float64
	most := 0.0
	for _, t := range h.turns {
		values, most = append(values, t.seconds), max(most, t.seconds)
	}
	times.Most, times.Lines = fmt.Sprintf("%.3f", most), []polyline{{"", "line0", points(values, most)}}
	if len(names) == 0 {
		return append(counts(h), times)
	}
	return []curve{
		figure("states of MP", "", func(s sizes) int { return s.States }),
		figure("predicates", "", func(s sizes) int { return len(s.Predicates) }),
		times,
	}
}

// counts are the figures of turns that have their own, as far as they change: a turn without shows those of
// the turn before.
func counts(h *past) (all []curve) {
	for i, f := range h.turns[0].figures {
		var values []float64
		last := 0.0
		for _, t := range h.turns {
			if i < len(t.figures) {
				last = float64(t.figures[i].Value)
			}
			values = append(values, last)
		}
		if most := slices.Max(values); slices.Min(values) < most {
			all = append(all, curve{f.Name, "", fmt.Sprintf("%.0f", most), curveWidth, curveHeight,
				[]polyline{{"", "line0", points(values, most)}}})
		}
	}
	return all
}

// points are values from left to right, the largest at the top.
func points(values []float64, most float64) string {
	var b strings.Builder
	for i, v := range values {
		x := float64(curveWidth) * float64(i) / float64(max(1, len(values)-1))
		y := float64(curveHeight)
		if most > 0 {
			y -= (curveHeight - 4) * v / most
		}
		fmt.Fprintf(&b, "%.1f,%.1f ", x, y)
	}
	return strings.TrimSpace(b.String())
}
