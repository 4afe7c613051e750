package report

import (
	"cmp"
	"fmt"
	"strings"
)

// Headline says in one line what the counterexample of a claim shows.
func Headline(c Claim) string {
	x := c.Counterexample
	var b strings.Builder
	fmt.Fprintf(&b, "%s: violated", c.Name)
	before := x.Trace
	switch {
	case x.Round != nil && x.Round.Place != nil:
		before = nil
	case x.Round != nil && x.Round.Parts == nil:
		before = x.Round.Before
	case x.Choices != nil: // which say all
		before = nil
	case x.Round != nil:
	case x.Standing != nil && x.Must == nil:
		before = x.Actions
	case x.Standing == nil && len(before) > 0: // the last one is what is wrong
		before = before[:len(before)-1]
	}
	if n := len(before); n > 0 {
		fmt.Fprintf(&b, " after %s", strings.Join(before[max(0, n-8):], ", "))
	}
	if wrong := x.Wrong(); wrong != "" {
		b.WriteString(": " + wrong)
	}
	if x.SaysAllowed() {
		fmt.Fprintf(&b, "; allowed: %s", cmp.Or(strings.Join(x.Allowed, ", "), "nothing"))
	}
	return b.String()
}
