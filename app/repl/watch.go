package repl

import (
	"fmt"
	"strings"

	"magus/engine/cegar"
	"magus/internal/phrase"
)

// progress is what is going to be done, in one line.
func progress(v cegar.View) string {
	var states []string
	predicates, paths := 0, 0
	for _, c := range v.Components {
		n := "-"
		if c.MP != nil {
			n = fmt.Sprint(c.MP.LTS.NumStates())
		}
		states = append(states, n)
		predicates, paths = predicates+len(c.Chosen), paths+c.Paths
	}
	known := ""
	if v.Proved {
		known = "conforms; for a smaller set: "
	}
	return known + fmt.Sprintf("iteration %d, %v, states %s, %s, %s refuted", iteration(v), v.Phase,
		strings.Join(states, "+"), phrase.Plural(predicates, "predicate"), phrase.Plural(paths, "path"))
}
