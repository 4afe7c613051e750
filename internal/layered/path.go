package layered

import (
	"fmt"
	"strings"
)

// Path is the route as the data of an SVG path. Pieces that go on straight down are one.
func (r Route) Path() string {
	var b strings.Builder
	before := r.Points[0]
	fmt.Fprintf(&b, "M%.0f %.0f", before.X, before.Y)
	for k, to := range r.Points[1:] {
		switch next := k + 2; {
		case to.X == before.X && next < len(r.Points) && r.Points[next].X == to.X &&
			(r.Points[next].Y > to.Y) == (to.Y > before.Y):
			continue
		case to.X == before.X:
			fmt.Fprintf(&b, "V%.0f", to.Y)
		case r.Straight:
			fmt.Fprintf(&b, "L%.0f %.0f", to.X, to.Y)
		default:
			middle := (before.Y + to.Y) / 2
			fmt.Fprintf(&b, "C%.0f %.0f %.0f %.0f %.0f %.0f", before.X, middle, to.X, middle, to.X, to.Y)
		}
		before = to
	}
	return b.String()
}
