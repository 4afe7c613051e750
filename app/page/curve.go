package page

import (
	"fmt"
	"slices"
	"strings"
)

// curve is a chart of one figure over the phases.
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

// curves are states, predicates and time over the phases; none where there is nothing to
// compare.
func curves(phases []shownPhase, h *Past) []curve {
	if len(phases) < 2 {
		return nil
	}
	var names []string
	for _, t := range phases {
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
			for _, t := range phases {
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
	times := curve{Name: "time of each phase", Unit: "s", Width: curveWidth, Height: curveHeight}
	var values []float64
	most := 0.0
	for _, t := range h.phases {
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

// counts are the figures of phases that have their own, as far as they change: a phase without shows those of
// the phase before.
func counts(h *Past) (all []curve) {
	for i, f := range h.phases[0].figures {
		var values []float64
		last := 0.0
		for _, t := range h.phases {
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

// points are values from left to right, the largest at the top. Those within a level piece are left out.
func points(values []float64, most float64) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 && i+1 < len(values) && values[i-1] == v && values[i+1] == v {
			continue
		}
		x := float64(curveWidth) * float64(i) / float64(max(1, len(values)-1))
		y := float64(curveHeight)
		if most > 0 {
			y -= (curveHeight - 4) * v / most
		}
		fmt.Fprintf(&b, "%.1f,%.1f ", x, y)
	}
	return strings.TrimSpace(b.String())
}
