package cli

import (
	"fmt"
	"strings"

	"magus/specs"
)

// contextLines is how many lines around a change are shown.
const contextLines = 3

// unified is the difference of two texts as diff -u prints it.
func unified(name, before, after string) string {
	a, b := specs.Lines(before), specs.Lines(after)
	changes := specs.Changes(a, b)
	var out strings.Builder
	for i := 0; i < len(changes); {
		last := i + 1
		for last < len(changes) && changes[last].From-changes[last-1].To <= 2*contextLines {
			last++
		}
		if i == 0 {
			fmt.Fprintf(&out, "--- %[1]s\n+++ %[1]s (formatted)\n", name)
		}
		hunk(&out, a, b, changes[i:last])
		i = last
	}
	return out.String()
}

// hunk prints changes that are near each other.
func hunk(out *strings.Builder, a, b []string, changes []specs.Change) {
	first, last := changes[0], changes[len(changes)-1]
	lead := min(contextLines, first.From)
	tail := min(contextLines, len(a)-last.To)
	from, to := first.From-lead, last.To+tail
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(from, to), span(first.AfterFrom-lead, last.AfterTo+tail))
	at := from
	for _, c := range changes {
		prefixed(out, " ", a[at:c.From])
		prefixed(out, "-", a[c.From:c.To])
		prefixed(out, "+", b[c.AfterFrom:c.AfterTo])
		at = c.To
	}
	prefixed(out, " ", a[at:to])
}

// span is a range of lines as diff -u writes it.
func span(from, to int) string {
	if from == to {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

// marked prints lines behind a mark.
func prefixed(out *strings.Builder, mark string, lines []string) {
	for _, line := range lines {
		out.WriteString(mark + line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
