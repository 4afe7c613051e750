package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/internal/phrase"
)

// writeFigures writes the figures of the paper's tables (figures 11, 17 and
// 18) for one claim, and the chosen predicates where all is asked for.
func writeFigures(b *strings.Builder, c Claim, how Text) {
	s := c.Statistics
	if how.Stats {
		fmt.Fprintf(b, "  iterations %d: %d refined predicates, %d refined actions (%d splits)\n",
			s.Iterations, s.PredicateIterations, s.ActionIterations, s.Splits)
		writeComponents(b, c.Components)
		switch {
		case c.Engine == "bounded" && c.Verdict == "conforms":
			fmt.Fprintf(b, "  decided by the bounded search: no run closes %s\n", phrase.Plural(c.Depth, "loop"))
		case c.Engine == "bounded":
			fmt.Fprintf(b, "  decided by the bounded search, at depth %d\n", c.Depth)
		case c.Engine == "kinduction":
			fmt.Fprintf(b, "  decided by induction over loops: %s assumed\n", phrase.Plural(c.Assumed, "layer"))
		case c.Depth > 0:
			fmt.Fprintf(b, "  bounded search: no violation above depth %d\n", c.Depth)
		}
		if c.Smallest {
			b.WriteString("  P is a proven minimum for the spurious paths seen\n")
		} else if c.NotShown != "" {
			fmt.Fprintf(b, "  P is not shown to be a minimum: %s\n", c.NotShown)
		}
		what := "product states"
		if slices.ContainsFunc(c.Components, func(c Component) bool { return c.Copies == "*" }) {
			what = "markings"
		}
		fmt.Fprintf(b, "  %s %d, at most %d%s\n", what, s.ProductStates, s.MaxProductStates, ofParts(s.Parts))
		fmt.Fprintf(b, "  candidate predicates %d, elimination tests %d, solver queries %d\n",
			s.Candidates, s.Eliminations, s.SolverQueries)
		fmt.Fprintf(b, "  paths examined %d, kept in %d bytes\n", s.Paths, s.PathBytes)
	}
	if how.Verbose {
		writePredicates(b, c.Components)
	}
	if how.Stats {
		writeTimes(b, s)
	}
}

// ofParts says how many LTSs were left to be composed, if they were reduced.
func ofParts(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", of 1 part after reduction"
	}
	return fmt.Sprintf(", of %d parts after reduction", n)
}

func writeComponents(b *strings.Builder, cs []Component) {
	t := table{right: []bool{false, true, true, true, true, true, true, true, true, true}}
	t.add("component", "copies", "counted to", "locations", "expressions", "predicates", "|P|", "MP states", "MA states", "reduced")
	for _, c := range cs {
		ma := strconv.Itoa(c.MAStates)
		if c.MAStates == 0 {
			ma = "-"
		}
		reduced := ""
		if c.ReducedStates > 0 {
			reduced = strconv.Itoa(c.ReducedStates)
		}
		copies, counted := c.Copies, ""
		if copies == "*" {
			counted = strconv.Itoa(c.CountedTo)
		}
		t.add(c.Name, copies, counted, strconv.Itoa(c.Locations), strconv.Itoa(c.Expressions), strconv.Itoa(c.Groups),
			strconv.Itoa(len(c.Chosen)), strconv.Itoa(c.MPStates), ma, reduced)
	}
	if len(cs) > 0 {
		t.write(b, "  ", Text{})
	}
}

func writePredicates(b *strings.Builder, cs []Component) {
	t := table{right: make([]bool, 4)}
	t.add("predicates of", "", "from", "where")
	for _, c := range cs {
		for _, p := range c.Chosen {
			where := ""
			if p.Place != nil {
				where = p.Place.String()
			}
			t.add(c.Name, p.Text, p.Origin, where)
		}
	}
	if len(t.rows) > 1 {
		t.write(b, "  ", Text{})
	}
}

func writeTimes(b *strings.Builder, s Statistics) {
	t := table{right: []bool{false, true, true}}
	t.add("phase", "times", "time")
	for _, p := range s.Phases {
		t.add(p.Name, strconv.Itoa(p.Count), seconds(p.Seconds))
	}
	t.add("all", "", seconds(s.Seconds))
	t.write(b, "  ", Text{})
}

func seconds(s float64) string { return fmt.Sprintf("%.3f s", s) }

// Bytes is a size in the largest binary unit that leaves at least 1.
func Bytes(n uint64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	v, u := float64(n), 0
	for v >= 1024 && u < len(units)-1 {
		v /= 1024
		u++
	}
	if u == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", v, units[u])
}
