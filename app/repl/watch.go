package repl

import (
	"fmt"
	"strings"

	"magus/engine/cegar"
	"magus/internal/phrase"
)

// watched begins the line that tells how far a command is, unless one is there
// already, and gives what ends it.
func (sh *Shell) watched() (end func()) {
	if sh.host.Watch == nil || sh.watch != nil {
		return func() {}
	}
	w := sh.host.Watch()
	sh.watch = w
	return func() {
		sh.watch = nil
		w.End()
	}
}

// erase makes room for what is printed.
func (sh *Shell) erase() {
	if sh.watch != nil {
		sh.watch.Erase()
	}
}

// say tells which phase comes, and how large everything is.
func (sh *Shell) say(v cegar.View) {
	if sh.watch != nil {
		sh.watch.Say(progress(v))
	}
}

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
