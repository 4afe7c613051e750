package layered

import (
	"fmt"
	"strings"
)

// Path is the route as the data of an SVG path.
func (r Route) Path() string {
	var b strings.Builder
	before := r.Points[0]
	fmt.Fprintf(&b, "M%.1f %.1f", before.X, before.Y)
	for _, to := range r.Points[1:] {
		if r.Straight || to.X == before.X {
			fmt.Fprintf(&b, "L%.1f %.1f", to.X, to.Y)
		} else {
			middle := (before.Y + to.Y) / 2
			fmt.Fprintf(&b, "C%.1f %.1f %.1f %.1f %.1f %.1f", before.X, middle, to.X, middle, to.X, to.Y)
		}
		before = to
	}
	return b.String()
}
