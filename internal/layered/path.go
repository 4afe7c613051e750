package layered

import (
	"fmt"
	"math"
	"strings"
)

// Path is the route as the data of an SVG path, in whole pixels. Pieces that go on straight up or
// down are one. Each place is told from the one before it, which is shorter.
func (r Route) Path() string {
	var b strings.Builder
	points := make([]Point, len(r.Points))
	for k, p := range r.Points {
		points[k] = Point{math.Round(p.X), math.Round(p.Y)}
	}
	before := points[0]
	fmt.Fprintf(&b, "M%.0f %.0f", before.X, before.Y)
	for k, to := range points[1:] {
		x, y := to.X-before.X, to.Y-before.Y
		switch next := k + 2; {
		case x == 0 && next < len(points) && points[next].X == to.X && (points[next].Y > to.Y) == (y > 0):
			continue
		case x == 0:
			fmt.Fprintf(&b, "v%.0f", y)
		case y == 0:
			fmt.Fprintf(&b, "l%.0f 0", x)
		default:
			middle := math.Round(y / 2)
			fmt.Fprintf(&b, "c0 %.0f %.0f %.0f %.0f %.0f", middle, x, middle, x, y)
		}
		before = to
	}
	return b.String()
}
