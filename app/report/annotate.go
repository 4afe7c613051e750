package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// WriteAnnotated writes the source with what each proof reached of it, claim by
// claim. Lines with statements in sight are marked: + all reached, - none, ~ some;
// the reason stands behind the first line that has it.
func WriteAnnotated(w io.Writer, claims []Covered, src Sources) error {
	var b strings.Builder
	for i, c := range claims {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s: %s\n", c.Claim, c.Verdict)
		if c.Coverage == nil {
			b.WriteString("  nothing was proved\n")
			continue
		}
		var cs []Coverage
		for _, covered := range c.Coverage {
			cs = append(cs, NewCoverage(covered))
		}
		writeReached(&b, cs, Text{})
		files := linesOf(c.Coverage)
		for _, file := range slices.Sorted(maps.Keys(files)) {
			annotate(&b, file, files[file], src)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// annotate writes a file up to the line behind the last statement.
func annotate(b *strings.Builder, file string, lines map[int]line, src Sources) {
	fmt.Fprintf(b, "\n%s\n", file)
	last := slices.Max(slices.Collect(maps.Keys(lines))) + 1
	width := len(fmt.Sprint(last))
	var before []Blocker
	for n := 1; n <= last; n++ {
		l, counts := lines[n]
		mark := " "
		switch {
		case !counts:
		case l.missed == 0:
			mark = "+"
		case l.reached == 0:
			mark = "-"
		default:
			mark = "~"
		}
		text := fmt.Sprintf("%s %*d  %s", mark, width, n, src.Line(file, n))
		fmt.Fprintln(b, strings.TrimRight(text, " \t"))
		for _, o := range l.because {
			if !slices.ContainsFunc(before, o.equal) {
				fmt.Fprintf(b, "  %*s  ^ never reached: %s\n", width, "", reason(o.Text, o.Place))
			}
		}
		if counts {
			before = l.because
		}
	}
}
