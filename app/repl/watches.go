package repl

// Expressions that are shown as a violation goes on.

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"magus/engine/cegar"
	"magus/internal/phrase"
	"magus/lts"
	"magus/smt/expr"
)

// A watchedExpr is an expression that is shown.
type watchedExpr struct {
	number    int
	component string
	text      string
	known     string // what was told last of the states of MP
}

// watchlist has the expressions that are shown after each step.
type watchlist struct {
	*console
	*loaded
	watches   []watchedExpr // in the order of their numbers
	lastWatch int           // the highest number given
}

// watchExpr is the command watch.
func watchExpr(_ context.Context, c *call) error {
	if len(c.args) == 0 {
		c.none(len(c.watchlist.watches), "nothing is watched")
		for _, w := range c.watchlist.watches {
			c.printf("%3d  %s: %s\n", w.number, w.component, w.text)
		}
		return nil
	}
	comp, i, at, text, err := c.leading(0)
	if err != nil {
		return err
	}
	if at != "" || text == "" {
		return c.usage()
	}
	if err := c.session.Understands(i, text); err != nil {
		return err
	}
	v := c.session.View()
	c.watchlist.lastWatch++
	w := watchedExpr{number: c.watchlist.lastWatch, component: comp.Name, text: text}
	if v.Replayed != nil {
		k, err := c.part(v, i)
		if err == nil {
			_, err = c.session.Eval(k, len(v.Replayed.Runs[k].Script.Steps), text)
		}
		if err != nil {
			return err
		}
	}
	c.watchlist.watches = append(c.watchlist.watches, w)
	c.printf("watch %d: %s of %s\n", w.number, w.text, w.component)
	c.watchlist.showWatches()
	return nil
}

// unwatch is the command unwatch.
func unwatch(_ context.Context, c *call) error {
	if len(c.args) != 1 {
		return c.usage()
	}
	if c.args[0] == "all" {
		c.watchlist.watches = nil
		return nil
	}
	n, err := strconv.Atoi(c.args[0])
	for i, w := range c.watchlist.watches {
		if err == nil && w.number == n {
			c.watchlist.watches = append(c.watchlist.watches[:i:i], c.watchlist.watches[i+1:]...)
			return nil
		}
	}
	return fmt.Errorf("no watch %s; watch lists them", c.args[0])
}

// watchesOf are the watches of a component, as what to print behind a step: those whose values, which value gives,
// are not what they were. Where an expression means nothing, it has none.
func (sh *watchlist) watchesOf(component string, value func(step int, text string) (string,
	error)) func(step int) []string {
	before := map[int]string{}
	return func(step int) (all []string) {
		for _, w := range sh.watches {
			if w.component != component {
				continue
			}
			if value, err := value(step, w.text); err == nil && value != before[w.number] {
				before[w.number] = value
				all = append(all, w.text+" = "+value)
			}
		}
		return all
	}
}

// watchesOfPart are those of one part of the replayed violation.
func (sh *watchlist) watchesOfPart(v cegar.View, k int) func(step int) []string {
	return sh.watchesOf(v.Components[v.Parts[k].Component].Name, func(step int, text string) (string, error) {
		return sh.session.Eval(k, step, text)
	})
}

// showWatches prints the values at the end of the replayed violation, if there is one, and before that of which
// states of MP a predicate is known.
func (sh *watchlist) showWatches() {
	if len(sh.watches) == 0 || sh.session == nil {
		return
	}
	v := sh.session.View()
	if v.Replayed == nil {
		sh.showKnown(v)
		return
	}
	for k, p := range v.Parts {
		end := len(v.Replayed.Runs[k].Script.Steps)
		if all := sh.watchesOfPart(v, k)(end); len(all) > 0 {
			sh.printWatch(p.Name + ": " + strings.Join(all, ", "))
		}
	}
}

// printWatch prints what is known of a watch, below what a phase did.
func (sh *watchlist) printWatch(text string) {
	sh.printf("%-15s  %s\n", "watch", sh.host.Text.Wrapped(text, 17))
}

// showKnown prints of watches that are predicates of MP what is known of them, where that is not what was told last.
func (sh *watchlist) showKnown(v cegar.View) {
	for i := range sh.watches {
		w := &sh.watches[i]
		for _, c := range v.Components {
			if c.Name != w.component || c.MP == nil {
				continue
			}
			if known := knownIn(c, w.text); known != "" && known != w.known {
				w.known = known
				sh.printWatch(w.component + ": " + w.text + " " + known)
			}
		}
	}
}

// knownIn says in how many states of MP a predicate, as preds writes it, holds, and in how many it does not; nothing
// of what is no predicate of MP.
func knownIn(c cegar.ComponentView, text string) string {
	is := map[*expr.Expr]bool{} // it is the predicate
	holds, not := 0, 0
	n := c.MP.LTS.NumStates()
	for s := range lts.State(n) {
		for i, p := range c.MP.Predicates(s) {
			same, met := is[p]
			if !met {
				same = squeezed(p.String()) == squeezed(text)
				is[p] = same
			}
			switch {
			case !same:
			case c.MP.Holds(s, i):
				holds++
			default:
				not++
			}
		}
	}
	if holds+not == 0 {
		return ""
	}
	return fmt.Sprintf("holds in %d of %s of MP, does not in %d, and is not known in %d", holds,
		phrase.Plural(n, "state"), not, n-holds-not)
}

// squeezed is a text without blanks.
func squeezed(text string) string { return strings.ReplaceAll(text, " ", "") }
