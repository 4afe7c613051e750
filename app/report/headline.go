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
	if x.Must != nil {
		if n := len(x.Trace); n > 0 {
			fmt.Fprintf(&b, " after %s", strings.Join(x.Trace[max(0, n-9):], ", "))
		}
		return b.String() + ": " + x.Refused()
	}
	if x.Standing != nil {
		if n := len(x.Actions); n > 0 {
			fmt.Fprintf(&b, " after %s", strings.Join(x.Actions[max(0, n-9):], ", "))
		}
		for i, s := range x.Standing {
			fmt.Fprintf(&b, "%s %s", [...]string{":", ";"}[min(i, 1)], s.String())
		}
		return b.String()
	}
	if n := len(x.Trace); n > 0 {
		if n > 1 {
			fmt.Fprintf(&b, " after %s", strings.Join(x.Trace[max(0, n-9):n-1], ", "))
		}
		fmt.Fprintf(&b, ": %s", x.Forbidden())
	}
	if x.SaysAllowed() {
		fmt.Fprintf(&b, "; allowed: %s", cmp.Or(strings.Join(x.Allowed, ", "), "nothing"))
	}
	return b.String()
}
