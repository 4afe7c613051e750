package report

import (
	"fmt"
	"slices"
	"strings"

	"magus/internal/phrase"
)

// Assumptions about routines that have an abstraction only come one for each of them, in the same words. In a text for
// people they are one line, with the names of the routines.

// ofAbstraction is what such an assumption says behind the name.
const ofAbstraction = " is assumed to do what its abstraction says"

// several says of several routines what is said of one.
var several = strings.NewReplacer(
	"is assumed to do what its abstraction says", "are assumed to do what their abstractions say",
	"that it cannot reach", "that they cannot reach",
	"which is a claim of its own", "which are claims of their own",
	"where that stops", "where one stops")

// assumedLines are the lines that say what is assumed, in order; a line of several stands where the first of them
// would.
func assumedLines(all []Assumed) (lines []string) {
	rest := func(a Assumed) string {
		name, _, ok := strings.Cut(a.Text, ofAbstraction)
		if !ok || len(a.Places) != 1 || a.Places[0] == nil {
			return ""
		}
		return a.Text[len(name):]
	}
	told := make([]bool, len(all))
	for i, a := range all {
		if told[i] {
			continue
		}
		told[i] = true
		var names []string
		text := rest(a)
		for k := i; k < len(all) && text != ""; k++ {
			if b := all[k]; rest(b) == text && b.Places[0].File == a.Places[0].File {
				told[k] = true
				if name := strings.TrimSuffix(b.Text, text); !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		if len(names) > 1 {
			who := strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
			lines = append(lines, reason(who+several.Replace(text), a.Places[0]))
			continue
		}
		line := reason(a.Text, a.Places[0])
		if n := len(a.Places) - 1; n > 0 {
			line += fmt.Sprintf(" (and at %s more)", phrase.Plural(n, "place"))
		}
		lines = append(lines, line)
	}
	return lines
}
