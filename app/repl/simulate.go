package repl

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"magus/app/draw"
	"magus/cfa"
	"magus/cfa/interp"
	"magus/engine/cegar"
	"magus/internal/phrase"
	"magus/lts"
)

// A walk through an LTS.
type walk struct {
	title    string
	m        *lts.LTS
	describe func(lts.State) string
	path     []lts.Edge // so far
}

// at is the state that the walk has reached.
func (w *walk) at() lts.State {
	if n := len(w.path); n > 0 {
		return w.path[n-1].To
	}
	return w.m.Init()
}

// simulate is the command simulate.
func simulate(ctx context.Context, c *call) error {
	if _, err := c.view(); err != nil {
		return err
	}
	if len(c.args) == 0 {
		if c.walk != nil {
			c.views.showWalk()
			return nil
		}
		return c.beginWalk(ctx, "product")
	}
	first := c.args[0]
	if n, err := strconv.Atoi(first); err == nil && len(c.args) == 1 {
		return c.takeMove(n)
	}
	switch first {
	case "random":
		return c.randomMoves()
	case "undo":
		return c.undoMoves()
	case "end":
		if c.walk == nil {
			return errNoWalk
		}
		c.walk = nil
		return nil
	case "run":
		return c.randomRun(ctx)
	}
	return c.beginWalk(ctx, first)
}

// beginWalk begins a walk through the object that the arguments name.
func (c *call) beginWalk(ctx context.Context, object string) error {
	rest := []string{}
	if len(c.args) > 1 {
		rest = c.args[1:]
	}
	w := &walk{title: strings.TrimSpace(object + " " + strings.Join(rest, " "))}
	switch object {
	case "product", "spec", "mp", "ma":
	default:
		return fmt.Errorf("no object %s%s; there are product, spec, mp C, ma C, run C", object,
			phrase.Suggest(object, []string{"product", "spec", "mp", "ma", "run", "random", "undo", "end"}))
	}
	m, err := c.objects.objectLTS(ctx, strings.TrimSuffix(object+":"+strings.Join(rest, ""), ":"))
	if err != nil {
		return err
	}
	w.m, w.describe = m, m.StateName
	if object == "mp" {
		i := 0
		if len(rest) > 0 {
			i, _ = c.componentNamed(rest[0]) // it was found just now
		}
		comp := c.session.View().Components[i]
		w.describe = func(s lts.State) string { return draw.State(comp, s) }
	}
	c.walk = w
	c.views.showWalk()
	return nil
}

// showWalk prints where the walk is and the moves from there.
func (sh *views) showWalk() {
	w := sh.walk
	var trace []string
	for _, e := range w.path {
		if e.Action != lts.Tau {
			trace = append(trace, actionWord(w.m.Actions().Name(e.Action)))
		}
	}
	sh.printf("%s after %s: %s", w.title, phrase.Plural(len(w.path), "move"), w.describe(w.at()))
	if w.m.IsError(w.at()) {
		sh.printf(" (ERROR)")
	}
	sh.printf("\n")
	if len(trace) > 0 {
		if len(trace) > 12 {
			trace = append([]string{"..."}, trace[len(trace)-12:]...)
		}
		sh.printf("trace: %s\n", strings.Join(trace, " "))
	}
	out := w.m.Out(w.at())
	sh.menu = "simulate"
	for i, e := range out {
		name := "τ"
		if e.Action != lts.Tau {
			name = actionWord(w.m.Actions().Name(e.Action))
		}
		sh.printf("%4d  %-28s %s\n", i+1, name, w.describe(e.To))
	}
	if len(out) == 0 {
		sh.printf("no moves\n")
	}
}

var errNoWalk = errors.New("there is no walk; simulate product begins one")

// takeMove takes move number n, from 1.
func (c *call) takeMove(n int) error {
	if c.walk == nil {
		return errNoWalk
	}
	out := c.walk.m.Out(c.walk.at())
	if n < 1 || n > len(out) {
		return fmt.Errorf("no move %d; there are %d", n, len(out))
	}
	c.walk.path = append(c.walk.path, out[n-1])
	c.views.showWalk()
	return nil
}

// randomMoves takes moves at random: as many as the arguments say, with a seed.
func (c *call) randomMoves() error {
	if c.walk == nil {
		return errNoWalk
	}
	n, seed, err := twoNumbers(c.args[1:], 1, 1)
	if err != nil {
		return c.usage()
	}
	rnd := rand.New(rand.NewSource(int64(seed)))
	for range n {
		out := c.walk.m.Out(c.walk.at())
		if len(out) == 0 {
			break
		}
		c.walk.path = append(c.walk.path, out[rnd.Intn(len(out))])
	}
	c.views.showWalk()
	return nil
}

// twoNumbers reads up to two numbers.
func twoNumbers(args []string, a, b int) (int, int, error) {
	if len(args) > 2 {
		return 0, 0, errors.New("too many")
	}
	for i, p := range []*int{&a, &b} {
		if i < len(args) {
			n, err := strconv.Atoi(args[i])
			if err != nil || n < 0 {
				return 0, 0, errors.New("not a number")
			}
			*p = n
		}
	}
	return a, b, nil
}

// undoMoves takes moves back.
func (c *call) undoMoves() error {
	if c.walk == nil {
		return errNoWalk
	}
	n, _, err := twoNumbers(c.args[1:], 1, 0)
	if err != nil || len(c.args) > 2 {
		return c.usage()
	}
	if len(c.walk.path) == 0 {
		return errors.New("the walk is at its beginning")
	}
	c.walk.path = c.walk.path[:max(0, len(c.walk.path)-n)]
	c.views.showWalk()
	return nil
}

// maxRunSteps bounds a random run.
const maxRunSteps = 10_000

// randomRun executes a component with random values.
func (c *call) randomRun(ctx context.Context) error {
	c.args = c.args[1:]
	comp, i, err := c.component(0)
	if err != nil {
		return err
	}
	seed, _, err := twoNumbers(c.args, 1, 0)
	if err != nil || len(c.args) > 1 {
		return c.usage()
	}
	run, err := interp.New(comp.CFA).Walk(ctx, rand.New(rand.NewSource(int64(seed))), maxRunSteps, comp.Env)
	if err != nil {
		return err
	}
	c.views.showRun(comp, run, c.watchlist.watchesOf(comp.Name, func(step int, text string) (string, error) {
		return c.session.EvalRun(i, run, step, text)
	}))
	c.printf("trace: %s\n", strings.Join(quoted(run.Trace), " "))
	return nil
}

// showRun prints what a component did, step by step, with what watched says of a step.
func (sh *views) showRun(comp cegar.ComponentView, run *interp.Run, watched func(step int) []string) {
	var before string
	var all []cfa.Pos
	for _, st := range run.Steps {
		all = append(all, st.Pos)
	}
	at := sh.places(all)
	source, acted := sh.columns(run)
	for k, st := range run.Steps {
		if k == shownSteps {
			sh.printf("and %s more\n", phrase.Plural(len(run.Steps)-k, "step"))
			break
		}
		text := phrase.Clip(sh.source(st.Pos), source)
		if text == "" {
			text = st.Stmt
		}
		line := where(st.Pos)
		if line == before {
			text = ""
		}
		before = line
		if rounds, ok := st.Event.(interp.Repeated); ok {
			text, before = phrase.Plural(int(rounds.Times), "more round")+" of the loop", ""
		}
		var values []string
		for _, b := range st.Changed {
			value := b.String()
			if st.Chosen != "" {
				value += " (" + st.Chosen + ")"
			}
			values = append(values, value)
		}
		if r, ok := st.Event.(interp.Returned); ok && r.Has {
			values = append(values, fmt.Sprintf("$0 = %d", comp.CFA.Ret.Sext(r.Value)))
		}
		for _, text := range watched(st.Step + 1) {
			values = append(values, "watch "+text)
		}
		action := ""
		if st.Action != "" {
			action = actionWord(st.Action)
		}
		if text == "" && action == "" && values == nil {
			continue // more of the same line
		}
		sh.row("%5d  %s  %-*s %-*s %s", st.Step+1, at(st.Pos), source, text, acted, action, strings.Join(values, ", "))
	}
}

// columns are how wide sources and actions are: on a terminal as wide as those of the run.
func (sh *views) columns(run *interp.Run) (source, action int) {
	const mostSource, mostAction = 40, 20
	if sh.text(false).Width == 0 {
		return mostSource, mostAction
	}
	for _, st := range run.Steps[:min(len(run.Steps), shownSteps)] {
		source = max(source, utf8.RuneCountInString(sh.source(st.Pos)))
		if st.Action != "" {
			action = max(action, utf8.RuneCountInString(actionWord(st.Action)))
		}
	}
	return min(source, mostSource), min(action, mostAction)
}

// shownSteps is how many steps of a run are printed.
const shownSteps = 400

// errNoRun says why there is no replayed violation.
func errNoRun(v cegar.View) error {
	switch {
	case v.Outcome != nil:
		return fmt.Errorf("no counterexample was replayed: the verdict is %v", v.Outcome.Verdict)
	case v.Trace == nil:
		return errors.New("no counterexample was replayed: there is none so far")
	}
	return fmt.Errorf(
		"no counterexample was replayed: whether this one is real is not decided yet; the next phase is %v", v.Phase)
}

// replay is the command replay.
func replay(_ context.Context, c *call) error {
	v, err := c.view()
	if err != nil {
		return err
	}
	if v.Replayed == nil {
		return errNoRun(v)
	}
	if len(c.args) == 0 {
		for k := range v.Parts {
			c.views.replayed(v, k)
		}
		return nil
	}
	_, i, err := c.single()
	if err != nil {
		return err
	}
	k, err := c.part(v, i)
	if err != nil {
		return err
	}
	c.views.replayed(v, k)
	return nil
}

// replayed shows one part of the violation.
func (sh *views) replayed(v cegar.View, k int) {
	comp, run := v.Components[v.Parts[k].Component], v.Replayed.Runs[k]
	many := ""
	if slices.ContainsFunc(run.Steps, func(st interp.RunStep) bool { _, ok := st.Event.(interp.Repeated); return ok }) {
		many = ", some of them many rounds of a loop"
	}
	sh.printf("%s, replayed: %s%s\n", v.Parts[k].Name, phrase.Plural(len(run.Steps), "step"), many)
	var start []string
	for _, b := range run.Script.Init {
		start = append(start, b.String())
	}
	if len(start) > 0 {
		sh.printf("       initially %s\n", strings.Join(start, ", "))
	}
	sh.showRun(comp, run, sh.watchlist.watchesOfPart(v, k))
}
