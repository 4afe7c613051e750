package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"magus/evidence/verdict"
)

// Text says how much of a report its text shows.
type Text struct {
	Quiet   bool // verdicts and reasons only
	Stats   bool // the figures of the paper's tables
	Verbose bool // every step of a counterexample on a line of its own, the chosen predicates
	Width   int  // of lines, from 40 on; 0: as wide as it takes
	// Paint gives text a style; nil: there are none.
	Paint func(s Style, text string) string
}

// A Style is how text looks where there are colours.
type Style int

// The styles.
const (
	Plain  Style = iota
	Good         // a proof
	Bad          // a violation
	Open         // neither
	Strong       // what happens
	Faint        // what matters little
)

// paint gives text a style if there are any.
func (how Text) paint(s Style, text string) string {
	if how.Paint == nil || s == Plain || text == "" {
		return text
	}
	return how.Paint(s, text)
}

// Wrapped is a text that stands behind some blanks, in lines that are not wider than
// they should be; those behind the first are further to the right.
func (how Text) Wrapped(text string, indent int) string {
	return how.fill(text, indent, strings.Repeat(" ", indent+4))
}

// fill is a text whose first line stands behind as many letters as column says, and
// whose further ones are indented, in lines that are not wider than they should be.
func (how Text) fill(text string, column int, indent string) string {
	if how.Width <= 0 || column+utf8.RuneCountInString(text) <= how.Width {
		return text
	}
	return wrap(strings.Fields(text), column, max(leastWidth, how.Width), indent, true)
}

// leastWidth is that of lines, however narrow they should be.
const leastWidth = 40

// ofVerdict is the style of a verdict.
func ofVerdict(v string) Style {
	switch v {
	case verdict.Conforms.String():
		return Good
	case verdict.Violates.String():
		return Bad
	}
	return Open
}

// WriteClaim writes one claim: the verdict first, then the reason or the
// counterexample, then the figures.
func WriteClaim(w io.Writer, c Claim, how Text) error {
	var b strings.Builder
	if !how.Quiet && c.Because.Kind != string(verdict.Vacuous) { // there, one of them is the reason
		writeDoubts(&b, c.Doubts, how)
	}
	head := strings.TrimSuffix(how.Wrapped(c.Name+": "+c.Verdict, 0), c.Verdict)
	fmt.Fprintf(&b, "%s%s\n", head, how.paint(ofVerdict(c.Verdict), c.Verdict))
	if c.Reason != "" {
		fmt.Fprintf(&b, "  %s\n", how.Wrapped(reason(c.Reason, c.Place), 2))
	}
	if !how.Quiet && c.Divergence != nil {
		WriteDivergence(&b, c.Divergence, how)
	}
	if !how.Quiet {
		writeReached(&b, c.Coverage, how)
	}
	if how.Verbose {
		writeUnreached(&b, c.Coverage, how)
	}
	if !how.Quiet && c.Counterexample != nil {
		writeCounterexample(&b, &c, how)
	}
	if !how.Quiet && c.ByTraces && c.Counterexample == nil {
		fmt.Fprintf(&b, "  %s\n", how.Wrapped("decided by traces: the specification can follow whatever has them", 2))
	}
	if !how.Quiet && (how.Stats || how.Verbose) && c.NotChecked != "" {
		fmt.Fprintf(&b, "  %s\n", how.Wrapped("not checked: "+c.NotChecked, 2))
	}
	if !how.Quiet && (how.Stats || how.Verbose) {
		writeFigures(&b, c, how)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteEnd writes what concerns all claims: why there is none, how many had
// which verdict where there are several, assumptions and warnings, and the
// resources.
func WriteEnd(w io.Writer, c *Check, how Text) error {
	var b strings.Builder
	if c.Reason != "" {
		b.WriteString(how.Wrapped(c.Verdict+": "+reason(c.Reason, c.Place), 0) + "\n")
	}
	if !how.Quiet {
		if c.Rules == nil { // whose table has the numbers
			writeCount(&b, c.Claims)
		}
		writeAssumptions(&b, c, how)
	}
	if how.Stats && !how.Quiet {
		fmt.Fprintf(&b, "total %s elapsed, peak memory %s\n", seconds(c.Cost.Seconds), Bytes(c.Cost.PeakMemoryBytes))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func reason(text string, p *Place) string {
	if p == nil {
		return text
	}
	return p.String() + ": " + text
}

func writeCount(b *strings.Builder, claims []Claim) {
	if len(claims) < 2 {
		return
	}
	var parts []string
	for _, v := range []string{"conforms", "violates", "unknown"} {
		n := 0
		for _, c := range claims {
			if c.Verdict == v {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", v, n))
		}
	}
	fmt.Fprintf(b, "%d claims: %s\n", len(claims), strings.Join(parts, ", "))
}

// An Assumed is what verdicts rest on and nothing checks.
type Assumed struct {
	Text   string
	Places []*Place // one, which may be nil; in a check of rules all that have the text
}

// Assumed is every assumption once, however many claims rely on it. Those of a check of rules are as many as there are
// roots: they are one if they have one text.
func (c *Check) Assumed() []Assumed {
	seen := map[string]bool{}
	at := map[string]int{} // by text
	var all []Assumed
	for _, claim := range c.Claims {
		for _, a := range claim.Assumptions {
			line := reason(a.Text, a.Place)
			if seen[line] {
				continue
			}
			seen[line] = true
			if i, told := at[a.Text]; told && c.Rules != nil {
				all[i].Places = append(all[i].Places, a.Place)
				continue
			}
			at[a.Text] = len(all)
			all = append(all, Assumed{a.Text, []*Place{a.Place}})
		}
	}
	return all
}

// writeAssumptions writes every assumption, with the first of its places, and after them the warnings.
func writeAssumptions(b *strings.Builder, c *Check, how Text) {
	seen := map[string]bool{}
	assumed := c.Assumed()
	if len(assumed) > 0 {
		b.WriteString("assumed, not checked:\n")
	}
	for _, a := range assumed {
		for _, p := range a.Places {
			seen[reason(a.Text, p)] = true
		}
	}
	for _, line := range assumedLines(assumed) {
		fmt.Fprintf(b, "  %s\n", how.Wrapped(line, 2))
	}
	for _, w := range c.Warnings {
		if line := reason("warning: "+w.Text, w.Place); !seen[reason(w.Text, w.Place)] {
			b.WriteString(how.Wrapped(line, 0) + "\n")
		}
	}
}
