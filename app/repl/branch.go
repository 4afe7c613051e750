package repl

// Branches: what was done before something else was done instead.
//
// Idea: a session is a list of moments. Who goes back and does something else begins another list,
// whose first moments are those of the one before; that one is kept, to be looked at beside the
// present one and to be gone on with. A list that is put aside keeps the snapshots of its last
// moment and of what was done by hand, for the others can be had again by performing the steps. The
// oldest list is given up when there are too many, or too much in them.

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"magus/engine/cegar"
	"magus/internal/phrase"
	"magus/lts"
)

// mostBranches is how many are kept beside the present one.
const mostBranches = 8

// A way is one of several that a session has gone.
type way struct {
	number  int // from 1
	of      int // the one that it has left; 0 for the first
	from    int // the moment at which it did
	moments []moment
}

// branches are the ways of a session.
type branches struct {
	here  way // the present one; its moments are those of the history
	aside []way
	last  int // the highest number so far
}

// leave puts aside what followed the current moment, if anything did: something else comes.
func (sh *history) leave() {
	n := len(sh.moments) - 1 - sh.at
	if n == 0 {
		return
	}
	b := &sh.branches
	b.aside = append(b.aside, sh.thinned(b.here))
	if sh.prompting {
		sh.printf("branch %d keeps what followed before, %s\n", b.here.number, phrase.Plural(n, "moment"))
	}
	b.last++
	b.here = way{number: b.last, of: b.here.number, from: sh.at}
	sh.forget()
}

// thinned is a way with the history's moments, of which those that others can be made from keep
// their snapshots.
func (sh *history) thinned(w way) way {
	w.moments = slices.Clone(sh.moments)
	for i := range w.moments[:len(w.moments)-1] {
		if i > 0 && w.moments[i].by == "step" {
			w.moments[i].snap = nil
		}
	}
	return w
}

// forget gives up the oldest ways while there are too many, or too much in them.
func (sh *history) forget() {
	b := &sh.branches
	for len(b.aside) > mostBranches || len(b.aside) > 0 && b.weight() > sh.maxWeight {
		if sh.prompting {
			sh.printf("branch %d was given up\n", b.aside[0].number)
		}
		b.aside = slices.Delete(b.aside, 0, 1)
	}
}

// weight is the number of abstract states that are kept for what was put aside.
func (b *branches) weight() int {
	n := 0
	for _, w := range b.aside {
		var before *cegar.Snapshot
		for _, m := range w.moments {
			if m.snap != nil {
				n += m.snap.Weight(before)
				before = m.snap
			}
		}
	}
	return n
}

// take makes a way that was put aside the present one, at its last moment.
func (sh *history) take(ctx context.Context, number int) error {
	b := &sh.branches
	k := slices.IndexFunc(b.aside, func(w way) bool { return w.number == number })
	if k < 0 {
		return sh.noBranch(number)
	}
	w, here := b.aside[k], sh.thinned(b.here)
	before, at := sh.moments, sh.at
	sh.moments = slices.Clone(w.moments)
	for i := range sh.moments { // what both have has its snapshots still
		if i < len(before) && before[i].id == sh.moments[i].id {
			sh.moments[i].snap = before[i].snap
		}
	}
	sh.at = len(sh.moments) - 1
	if err := sh.travel(ctx, sh.at); err != nil {
		sh.moments, sh.at = before, at
		return err
	}
	b.aside[k] = here
	slices.SortFunc(b.aside, func(x, y way) int { return x.number - y.number })
	w.moments = nil
	b.here = w
	return nil
}

// noBranch says which branches there are.
func (sh *history) noBranch(number int) error {
	var all []string
	for _, w := range sh.branches.all() {
		all = append(all, strconv.Itoa(w.number))
	}
	return fmt.Errorf("no branch %d; there are %s", number, phrase.Few(all, 20))
}

// all are the ways in the order of their numbers.
func (b *branches) all() []way {
	all := append(slices.Clone(b.aside), b.here)
	slices.SortFunc(all, func(x, y way) int { return x.number - y.number })
	return all
}

// A Branch is a way that the session has gone, as it is at its last moment.
type Branch struct {
	Number  int
	Of      int // the one that it has left; 0 for the first
	From    int // the moment at which it did
	Present bool
	Moments []Past // all of them, from the start
	View    cegar.View
}

// Branches are the ways of the session in the order of their numbers. The session stays where it is.
func (sh *Shell) Branches() []Branch {
	h := sh.history
	if sh.session == nil {
		return nil
	}
	var all []Branch
	for _, w := range h.branches.all() {
		b := Branch{Number: w.number, Of: w.of, From: w.from, Present: w.number == h.branches.here.number}
		moments := w.moments
		if b.Present {
			moments = h.moments
		}
		for _, m := range moments {
			b.Moments = append(b.Moments, pastOf(m))
		}
		b.View = h.viewAtEnd(moments)
		all = append(all, b)
	}
	return all
}

// viewAtEnd is what is known at the last of some moments, which has its snapshot.
func (sh *history) viewAtEnd(moments []moment) cegar.View {
	now := sh.session.Snapshot()
	sh.session.Restore(moments[len(moments)-1].snap)
	defer sh.session.Restore(now)
	return sh.session.View()
}

// branchCommand is the command branch.
func branchCommand() *Command {
	return &Command{Name: "branch", Group: groupStep, Args: "[N | drop N]", list: true,
		Short: "List what was done instead, go on with branch N, or drop it",
		Long: "Who goes back and does something else than before keeps what followed as a\n" +
			"branch. The list shows each as it is at its end: where it left which other one\n" +
			"and by what, and what is known there. load, claim, assume and reload begin anew\nwithout branches.",
		Example: "back 3\npred add more == 0\nrun\nbranch\nbranch 1",
		kinds:   []kind{kindBranch}, run: branch}
}

// branch is the command branch.
func branch(ctx context.Context, c *call) error {
	if c.session == nil {
		return errNothing
	}
	if s, err := c.threadSession(ctx); err != nil || s != nil {
		return c.onlyForward(ctx)
	}
	if len(c.args) == 0 {
		c.menu = "branch"
		for _, b := range c.Branches() {
			c.printf("%s", c.described(b))
		}
		return nil
	}
	drop := c.args[0] == "drop"
	if len(c.args) > 2 || drop != (len(c.args) == 2) {
		return c.usage()
	}
	n, err := strconv.Atoi(c.args[len(c.args)-1])
	switch h := c.history; {
	case err != nil:
		return c.usage()
	case n == h.branches.here.number:
		return fmt.Errorf("branch %d is the present one", n)
	case drop:
		return h.drop(n)
	default:
		if err := h.take(ctx, n); err != nil {
			return err
		}
		return c.arrive(ctx, h.at)
	}
}

// drop forgets a way that was put aside.
func (sh *history) drop(number int) error {
	b := &sh.branches
	k := slices.IndexFunc(b.aside, func(w way) bool { return w.number == number })
	if k < 0 {
		return sh.noBranch(number)
	}
	b.aside = slices.Delete(b.aside, k, k+1)
	return nil
}

// described are the lines of a branch in the list.
func (c *call) described(b Branch) string {
	mark, from := " ", "from the start"
	if b.Present {
		mark = "*"
	}
	if b.Of > 0 {
		from = fmt.Sprintf("from moment %d of branch %d", b.From, b.Of)
		if b.From+1 < len(b.Moments) {
			from += " by " + b.Moments[b.From+1].By
		}
	}
	head := fmt.Sprintf("%s%3d  ", mark, b.Number)
	text := head + c.host.Text.Wrapped(fmt.Sprintf("%s, %s; %s", from,
		phrase.Plural(len(b.Moments)-1, "moment"), standingOf(b.View)), len(head)) + "\n"
	line := func(format string, args ...any) {
		text += "      " + c.host.Text.Wrapped(fmt.Sprintf(format, args...), 6) + "\n"
	}
	if t := b.View.Trace; t != nil {
		line("counterexample: %s", phrase.Few(named(b.View.Actions, t), 8))
	}
	for i, s := range sizes(b.View) {
		line("%s: %s, %s, %s", b.View.Components[i].Name, phrase.Plural(len(s.predicates), "predicate"),
			sized(s.states, "state", "MP"), sized(s.blocks, "block", "MA"))
	}
	return text
}

// sized is how large an abstraction is, if it is there.
func sized(n int, noun, of string) string {
	if n == 0 {
		return "no " + of
	}
	return phrase.Plural(n, noun) + " of " + of
}

// standingOf says how far a session is.
func standingOf(v cegar.View) string {
	if v.Outcome != nil {
		return v.Outcome.Verdict.String()
	}
	return fmt.Sprintf("next: %v, iteration %d", v.Phase, v.Stats.Iterations)
}

// named are the names of actions.
func named(a *lts.Actions, trace []lts.Action) []string {
	all := make([]string, len(trace))
	for i, x := range trace {
		all[i] = actionWord(a.Name(x))
	}
	return all
}
