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
	line := func(format string, args ...any) {
		fmt.Fprintf(b, "  %s\n", how.Wrapped(fmt.Sprintf(format, args...), 2))
	}
	if how.Stats {
		line("iterations %d: %d refined predicates, %d refined actions (%d splits)",
			s.Iterations, s.PredicateIterations, s.ActionIterations, s.Splits)
		writeComponents(b, c.Components, how)
		switch {
		case c.Engine == "bounded" && c.Verdict == "conforms":
			line("decided by the bounded search: no run closes %s", phrase.Plural(c.Depth, "loop"))
		case c.Engine == "bounded" && c.Accelerated:
			line("decided by the bounded search, with many rounds of a loop as one step")
		case c.Engine == "bounded":
			line("decided by the bounded search, at depth %d", c.Depth)
		case c.Engine == "execution" && c.Verdict == "violates":
			line("decided by the only run: the error is behind %s", phrase.Plural(int(c.Executed), "statement"))
		case c.Engine == "execution":
			line("decided by the only run: it ends after %s", phrase.Plural(int(c.Executed), "statement"))
		case c.Engine == "cells":
			line("decided by a proof about one or two arbitrary elements of each large array, or one object")
		case c.Engine == "kinduction":
			line("decided by induction over loops: %s assumed", phrase.Plural(c.Assumed, "layer"))
		case c.Depth > 0:
			line("bounded search: no violation above depth %d", c.Depth)
		}
		if c.Smallest {
			line("P is a proven minimum for the spurious paths seen")
		} else if c.NotShown != "" {
			line("P is not shown to be a minimum: %s", c.NotShown)
		}
		what := "product states"
		if slices.ContainsFunc(c.Components, func(c Component) bool { return c.Copies == "*" }) {
			what = "markings"
		}
		line("%s %d, at most %d%s", what, s.ProductStates, s.MaxProductStates, ofParts(s.Parts))
		line("candidate predicates %d, elimination tests %d, solver queries %d",
			s.Candidates, s.Eliminations, s.SolverQueries)
		line("paths examined %d, kept in %d bytes", s.Paths, s.PathBytes)
	}
	if how.Verbose {
		writePredicates(b, c.Components, how)
	}
	if how.Stats {
		WriteMethods(b, c.Methods, "  ", how)
		writeTimes(b, s, how)
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

func writeComponents(b *strings.Builder, cs []Component, how Text) {
	t := table{right: []bool{false, true, true, true, true, true, true, true, true, true}}
	t.add("component", "copies", "counted to", "locations", "expressions", "predicates", "|P|", "MP states",
		"MA states", "reduced")
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
		t.write(b, "  ", Text{Width: how.Width})
	}
}

func writePredicates(b *strings.Builder, cs []Component, how Text) {
	t := table{right: make([]bool, 4), narrow: []int{0, 1, 2}}
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
		t.write(b, "  ", Text{Width: how.Width})
	}
}

// WriteMethods writes what was tried, a row for each method, behind an indent.
func WriteMethods(b *strings.Builder, ms []Method, indent string, how Text) {
	t := table{right: []bool{false, true, true, false}}
	t.add("method", "shares", "effort", "result")
	for _, m := range ms {
		t.add(m.Name, strconv.Itoa(m.Shares), strconv.FormatInt(m.Effort, 10), m.Result)
	}
	if len(ms) > 0 {
		t.write(b, indent, Text{Width: how.Width})
	}
}

func writeTimes(b *strings.Builder, s Statistics, how Text) {
	t := table{right: []bool{false, true, true}}
	t.add("phase", "times", "elapsed")
	for _, p := range s.Phases {
		t.add(p.Name, strconv.Itoa(p.Count), seconds(p.Seconds))
	}
	t.add("all", "", seconds(s.Seconds))
	t.write(b, "  ", Text{Width: how.Width})
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
