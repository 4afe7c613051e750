package repl

// Expressions that are shown as a violation goes on.

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"magus/engine/cegar"
)

// A watchedExpr is an expression that is shown.
type watchedExpr struct {
	number    int
	component string
	text      string
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
	w := watchedExpr{c.watchlist.lastWatch, comp.Name, text}
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

// showWatches prints the values at the end of the replayed violation, if there is one.
func (sh *watchlist) showWatches() {
	if len(sh.watches) == 0 || sh.session == nil {
		return
	}
	v := sh.session.View()
	if v.Replayed == nil {
		return
	}
	for k, p := range v.Parts {
		end := len(v.Replayed.Runs[k].Script.Steps)
		if all := sh.watchesOfPart(v, k)(end); len(all) > 0 {
			sh.printf("%-15s  %s: %s\n", "watch", p.Name, strings.Join(all, ", "))
		}
	}
}
