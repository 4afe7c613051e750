package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/evidence/verdict"
	"magus/internal/phrase"
)

// NewDivergence is a divergence in the form of the report; nil if there is none.
func NewDivergence(x *verdict.Divergence) *Divergence {
	if x == nil {
		return nil
	}
	r := &Divergence{Phase: x.Phase, Iteration: x.Iteration, Component: x.Component, Steps: x.Steps, Depth: x.Depth}
	for _, l := range x.Loops {
		r.Loops = append(r.Loops, Unrolled{NewPlace(l.Pos), l.Proc, l.Rounds})
	}
	for _, p := range x.Path {
		r.Path = append(r.Path, PathPart(p))
	}
	for _, f := range x.Failed {
		r.Failed = append(r.Failed, Failed{f.Text, NewPlace(f.Pos)})
	}
	for _, f := range x.Growing {
		r.Growing = append(r.Growing, f.Members)
	}
	for _, p := range x.Heads {
		r.Heads = append(r.Heads, *NewPlace(p))
	}
	for _, a := range x.Advice {
		r.Advice = append(r.Advice, Advice{string(a.Kind), a.Text})
	}
	return r
}

const (
	partsShown      = 8  // of a path
	rangesShown     = 24 // of lines in a part
	membersShown    = 4  // of a family
	divergenceWidth = 110
)

// WriteDivergence writes why a check did not come to an end.
func WriteDivergence(b *strings.Builder, x *Divergence, how Text) {
	width := divergenceWidth
	if how.Width > 0 {
		width = max(leastWidth, min(width, how.Width))
	}
	line := func(head, format string, args ...any) {
		text := strings.Fields(fmt.Sprintf(format, args...))
		fmt.Fprintf(b, "  %-7s %s\n", head, wrap(text, 10, width, "          ", how.Width > 0))
	}
	during := x.Phase
	if x.Iteration > 0 {
		during += fmt.Sprintf(", in iteration %d", x.Iteration)
	}
	line("during:", "%s", during)
	for _, l := range x.Loops {
		var rounds []string
		for _, n := range l.Rounds {
			rounds = append(rounds, strconv.Itoa(n))
		}
		line("loop:", "the one at %s:%d is unrolled: the last refuted paths of %s run through it %s times",
			l.Place.File, l.Place.Line, x.Component, strings.Join(rounds, ", "))
	}
	if len(x.Path) > 0 {
		line("path:", "the last one has %s: %s", phrase.Plural(x.Steps, "step"), shape(x.Path))
	}
	for i, f := range x.Failed {
		head, text := "", f.Text
		if i == 0 {
			head = "fails:"
		}
		if f.Place != nil {
			text += fmt.Sprintf(" at %s:%d", f.Place.File, f.Place.Line)
		}
		switch {
		case len(x.Failed) == 1:
			text += ", which is false there"
		case i == len(x.Failed)-1:
			text += ", which contradict each other"
		}
		line(head, "%s", text)
	}
	for _, f := range x.Growing {
		line("grows:", "%s", phrase.Few(f, membersShown))
	}
	if text := depth(x); text != "" {
		line("depth:", "%s", text)
	}
	for i, a := range x.Advice {
		head := ""
		if i == 0 {
			head = "try:"
		}
		line(head, "%s", a.Text)
	}
}

// depth is how deep was looked, and through which loops runs go on.
func depth(x *Divergence) string {
	text, begin := "", "runs go on through the loops at"
	if x.Depth > 0 {
		text, begin = fmt.Sprintf("runs that close fewer than %s violate nothing",
			phrase.Plural(x.Depth, "loop")), "; loops begin at"
	}
	for i, p := range x.Heads {
		text += []string{begin, ","}[min(i, 1)] + fmt.Sprintf(" %s:%d", p.File, p.Line)
	}
	return text
}

// shape are the lines of a path, repetitions by their number. A file is named where
// it is another one, and of long rows of lines the ends are shown.
func shape(parts []PathPart) string {
	var all []string
	file := ""
	for _, p := range parts {
		lines := ranges(p.Lines)
		if more := len(lines) - rangesShown; more > 1 {
			lines = slices.Concat(lines[:rangesShown/2], []string{fmt.Sprintf("... %d places more ...", more)},
				lines[len(lines)-rangesShown/2:])
		}
		text := strings.Join(lines, " ")
		if p.Times > 1 {
			text = fmt.Sprintf("(%s) x %d", text, p.Times)
		}
		if p.File != file {
			file, text = p.File, "in "+p.File+" "+text
		}
		all = append(all, text)
	}
	if more := len(all) - partsShown; more > 0 {
		all = slices.Concat(all[:partsShown-2], []string{fmt.Sprintf("... %d parts more ...", more)}, all[len(all)-2:])
	}
	return strings.Join(all, " ")
}

// ranges are the numbers of a row, three and more that follow each other as one text.
func ranges(row []int) (all []string) {
	for i := 0; i < len(row); {
		end := i
		for end+1 < len(row) && row[end+1] == row[end]+1 {
			end++
		}
		if end > i+1 {
			all = append(all, fmt.Sprintf("%d-%d", row[i], row[end]))
			i = end + 1
			continue
		}
		all = append(all, strconv.Itoa(row[i]))
		i++
	}
	return all
}
