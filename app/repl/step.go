package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/engine/cegar"
	"magus/internal/phrase"
)

// stepCommands are the commands that perform phases and travel through the history.
func stepCommands() []*Command {
	return []*Command{
		{Name: "step", Aliases: []string{"s"}, Group: groupStep, Args: "[N]",
			Short: "Perform the next phase, or the next N", repeats: true, checks: true, run: step},
		{Name: "next", Aliases: []string{"n"}, Group: groupStep, Args: "[N]",
			Short: "Perform phases up to the end of the iteration, or of N of them", repeats: true, checks: true, run: next},
		{Name: "run", Aliases: []string{"r", "continue", "c"}, Group: groupStep, Args: "[-v]",
			Short: "Go on to the end or a breakpoint; with -v tell every phase", checks: true, run: run},
		{Name: "until", Aliases: []string{"u"}, Group: groupStep, Args: "EVENT", Short: "Go on until something happens",
			Long:    eventHelp,
			Example: "until refine predicates\nuntil iteration 5\nuntil component server\nuntil level action",
			kinds:   []kind{kindEvent}, checks: true, run: until},
		{Name: "break", Aliases: []string{"b"}, Group: groupStep, Args: "[EVENT]",
			Short: "Stop run, next and until whenever something happens; without EVENT list the breakpoints",
			Long:  eventHelp, Example: "break refine predicates\nbreak action unlock\nbreak component client",
			kinds: []kind{kindEvent}, run: breakAt},
		{Name: "clear", Group: groupStep, Args: "N|all", Short: "Remove a breakpoint",
			kinds: []kind{kindBreak}, run: clearBreak},
		{Name: "back", Group: groupStep, Args: "[N]", Short: "Go back a moment, or N", repeats: true, run: back},
		{Name: "forward", Aliases: []string{"f"}, Group: groupStep, Args: "[N]",
			Short: "Go forward again a moment, or N", repeats: true, run: forward},
		{Name: "goto", Group: groupStep, Args: "MOMENT", Short: "Go to a moment of the history",
			kinds: []kind{kindMoment}, run: travelTo},
		{Name: "history", Group: groupStep, Args: "[N]", list: true,
			Short: "List the moments of the session, or the last N", run: showHistory},
		branchCommand(),
	}
}

const eventHelp = `EVENT is one of

  PHASE             the end of a phase: abstract data, abstract events, verify,
                    validate MP, validate C, refine events (or actions), refine
                    data (or predicates)
  counterexample    verify found one
  action A          verify found one with the action A
  spurious          a component does not have the counterexample
  proved            verify found none
  iteration N       the check of iteration N against the specification
  component X       X was found to be too coarse, or was refined
  level L           level L, action or data, was too coarse, or was refined`

// stepper performs phases, up to breakpoints, and tells what happened.
type stepper struct {
	*console
	*loaded
	history   *history
	watchlist *watchlist
	views     *views
	breaks    []breakpoint // in the order of their numbers
	lastBreak int          // the highest number given
}

// count reads an optional number.
func (c *call) count() (int, error) {
	switch len(c.args) {
	case 0:
		return 1, nil
	case 1:
		n, err := strconv.Atoi(c.args[0])
		if err != nil || n < 1 {
			return 0, fmt.Errorf("%s: the number must be at least 1", c.words[0].text)
		}
		return n, nil
	}
	return 0, c.usage()
}

// tell prints a moment.
func (sh *stepper) tell(m moment) {
	head := m.head()
	for i, line := range m.lines {
		switch {
		case line == "":
		case i == 0:
			sh.printf("%-15s  %s\n", head, sh.views.text(false).Wrapped(line, 17))
		default:
			sh.printf("%-15s  %s\n", "", sh.views.text(false).Wrapped(line, 17))
		}
	}
	sh.watchlist.showWatches()
}

// byHand is the head of moments that are no phases.
const byHand = "by hand"

// head is what the lines of a moment stand under.
func (m *moment) head() string {
	switch {
	case m.by == "":
		return "start"
	case m.by == "step":
		return m.event.Phase().String()
	}
	return byHand
}

// step is the command step.
func step(ctx context.Context, c *call) error {
	n, err := c.count()
	if err != nil {
		return err
	}
	if s, err := c.threadSession(ctx); s != nil || err != nil {
		return c.searchOn(ctx, s, err, n, true)
	}
	defer c.watched()()
	for range n {
		m, err := c.history.advance(ctx)
		if err != nil {
			return err
		}
		c.erase()
		c.stepper.tell(m)
		if isEnd(m.event) {
			break
		}
	}
	return nil
}

// isEnd reports whether an event is the verdict.
func isEnd(e cegar.Event) bool { _, ok := e.(cegar.Ended); return ok }

// endsIteration reports whether an event ends an iteration.
func endsIteration(e cegar.Event) bool {
	switch e.(type) {
	case cegar.EventsRefined, cegar.DataRefined, cegar.Ended:
		return true
	}
	return false
}

// next is the command next.
func next(ctx context.Context, c *call) error {
	n, err := c.count()
	if err != nil {
		return err
	}
	if s, err := c.threadSession(ctx); s != nil || err != nil {
		return c.searchOn(ctx, s, err, n, true)
	}
	for range n {
		ended, err := c.stepper.until(ctx, func(e cegar.Event) bool { return endsIteration(e) }, c.stepper.tell)
		if err != nil || ended {
			return err
		}
	}
	return nil
}

// until performs phases until an event that stop accepts, the end, or a
// breakpoint, which is an end too. tell, if not nil, is told every moment.
func (sh *stepper) until(ctx context.Context, stop func(cegar.Event) bool, tell func(moment)) (ended bool, err error) {
	defer sh.watched()()
	for {
		m, err := sh.history.advance(ctx)
		if err != nil {
			return true, err
		}
		if tell != nil {
			sh.erase()
			tell(m)
		}
		if isEnd(m.event) {
			return true, nil
		}
		if i := slices.IndexFunc(sh.breaks, func(b breakpoint) bool { return b.stops(m.event) }); i >= 0 {
			sh.erase()
			if tell == nil {
				sh.tell(m)
			}
			sh.printf("breakpoint %d: %s\n", sh.breaks[i].number, sh.breaks[i].text)
			return true, nil
		}
		if stop(m.event) {
			return false, nil
		}
	}
}

// run is the command run.
func run(ctx context.Context, c *call) error {
	verbose := len(c.args) == 1 && c.args[0] == "-v"
	if len(c.args) > 0 && !verbose {
		return c.usage()
	}
	if s, err := c.threadSession(ctx); s != nil || err != nil {
		return c.searchOn(ctx, s, err, endless, verbose)
	}
	if c.session != nil && c.session.Next() == cegar.Finished {
		v := c.session.View()
		c.stepper.tell(moment{by: "step", event: cegar.Ended{Outcome: v.Outcome},
			lines: explain(c.host, v, v, cegar.Ended{Outcome: v.Outcome})})
		return nil
	}
	return c.stepper.goOn(ctx, func(cegar.Event) bool { return false }, verbose)
}

// goOn performs phases and tells the last one, or all of them.
func (sh *stepper) goOn(ctx context.Context, stop func(cegar.Event) bool, verbose bool) error {
	tell := sh.tell
	if !verbose {
		tell = nil
	}
	from := sh.history.at
	_, err := sh.until(ctx, stop, tell)
	if err != nil || verbose {
		return err
	}
	m := sh.history.moments[sh.history.at]
	if n := sh.history.at - from; n > 1 && sh.prompting {
		sh.printf("%s, now in iteration %d\n", phrase.Plural(n, "phase"), iteration(sh.session.View()))
	}
	if isEnd(m.event) || stop(m.event) {
		sh.tell(m)
	}
	return nil
}

// until is the command until.
func until(ctx context.Context, c *call) error {
	if c.session == nil {
		return errNothing
	}
	if len(c.args) == 0 {
		return c.usage()
	}
	if err := c.sequential(ctx); err != nil {
		return err
	}
	stop, err := c.stepper.eventTest(c.args)
	if err != nil {
		return err
	}
	return c.stepper.goOn(ctx, stop, false)
}

// A breakpoint stops whenever an event is of a kind.
type breakpoint struct {
	number int
	text   string
	words  []string
	stops  func(cegar.Event) bool
}

// breakAt is the command break.
func breakAt(_ context.Context, c *call) error {
	if len(c.args) == 0 {
		c.none(len(c.stepper.breaks), "no breakpoints")
		for _, b := range c.stepper.breaks {
			c.printf("%2d  %s\n", b.number, b.text)
		}
		return nil
	}
	test, err := c.stepper.eventTest(c.args)
	if err != nil {
		return err
	}
	c.stepper.lastBreak++
	c.stepper.breaks = append(c.stepper.breaks, breakpoint{c.stepper.lastBreak, strings.Join(c.args, " "), c.args, test})
	if c.prompting {
		c.printf("breakpoint %d\n", c.stepper.lastBreak)
	}
	return nil
}

// clearBreak is the command clear.
func clearBreak(_ context.Context, c *call) error {
	if len(c.args) != 1 {
		return c.usage()
	}
	if c.args[0] == "all" {
		c.stepper.breaks = nil
		return nil
	}
	n := len(c.stepper.breaks)
	c.stepper.breaks = slices.DeleteFunc(slices.Clone(c.stepper.breaks), func(b breakpoint) bool {
		return strconv.Itoa(b.number) == c.args[0]
	})
	if len(c.stepper.breaks) == n {
		return fmt.Errorf("no breakpoint %s", c.args[0])
	}
	return nil
}

// phaseNames are what eventTest understands as phases.
func phaseNames() map[string]cegar.Phase {
	names := map[string]cegar.Phase{"refine predicates": cegar.RefineData, "refine actions": cegar.RefineEvents}
	for p := cegar.AbstractData; p < cegar.Finished; p++ {
		names[p.String()] = p
	}
	return names
}

// eventTest reads what until and break wait for.
func (sh *stepper) eventTest(args []string) (func(cegar.Event) bool, error) {
	text := strings.Join(args, " ")
	if p, ok := phaseNames()[text]; ok {
		return func(e cegar.Event) bool { return e.Phase() == p }, nil
	}
	switch {
	case text == "counterexample":
		return func(e cegar.Event) bool { v, ok := e.(cegar.Verified); return ok && !v.Holds }, nil
	case len(args) == 2 && args[0] == "action":
		if sh.session != nil && !slices.Contains(sh.actionNames(), args[1]) {
			return nil, fmt.Errorf("no action %s%s", args[1], phrase.Instead(args[1], sh.actionNames()))
		}
		return func(e cegar.Event) bool {
			v, ok := e.(cegar.Verified)
			return ok && !v.Holds && slices.Contains(v.Trace, args[1])
		}, nil
	case text == "proved":
		return func(e cegar.Event) bool { v, ok := e.(cegar.Verified); return ok && v.Holds }, nil
	case text == "spurious":
		return func(e cegar.Event) bool { _, level := tooCoarse(e); return level != "" && !endsIteration(e) }, nil
	case len(args) == 2 && args[0] == "iteration":
		n, err := strconv.Atoi(args[1])
		if err != nil || n < 1 {
			return nil, errors.New("iteration: the number must be at least 1")
		}
		return func(e cegar.Event) bool {
			return e.Phase() == cegar.Verify && sh.session.View().Stats.Iterations >= n
		}, nil
	case len(args) == 2 && args[0] == "component":
		if sh.session == nil {
			return nil, errNothing
		}
		i, err := sh.componentNamed(args[1])
		if err != nil {
			return nil, err
		}
		return func(e cegar.Event) bool { cs, _ := tooCoarse(e); return slices.Contains(cs, i) }, nil
	case text == "level action" || text == "level data":
		return func(e cegar.Event) bool { _, level := tooCoarse(e); return level == args[1] }, nil
	}
	hint := phrase.Suggest(text, eventNames())
	switch {
	case slices.Contains(sh.actionNames(), text):
		hint = "; did you mean action " + text + "?"
	case hint == "":
		hint = "; help break lists them"
	}
	return nil, fmt.Errorf("no event %q%s", text, hint)
}

// eventNames are the beginnings of what eventTest understands.
func eventNames() []string {
	names := []string{"counterexample", "action", "proved", "spurious", "iteration", "component", "level action",
		"level data", "refine predicates", "refine actions"}
	for p := cegar.AbstractData; p < cegar.Finished; p++ {
		names = append(names, p.String())
	}
	return names
}

// tooCoarse are the components and the level that an event found too coarse or refined.
func tooCoarse(e cegar.Event) (components []int, level string) {
	switch e := e.(type) {
	case cegar.ValidatedMP:
		if e.Spurious {
			components, level = append(components, e.Component), "action"
			for _, c := range slices.Concat(e.Also, e.Besides) {
				components = append(components, c.Component)
			}
		}
	case cegar.EventsRefined:
		level = "action"
		for _, r := range e.All() {
			components = append(components, r.Component)
		}
	case cegar.ValidatedC:
		if e.Spurious {
			level = "data"
			for _, r := range e.All() {
				components = append(components, r.Component)
			}
		}
	case cegar.DataRefined:
		level = "data"
		for _, r := range e.All() {
			components = append(components, r.Component)
		}
	}
	return components, level
}

// back and forward are the commands of these names.
func back(ctx context.Context, c *call) error    { return c.move(ctx, -1) }
func forward(ctx context.Context, c *call) error { return c.move(ctx, 1) }

// move goes through the history.
func (c *call) move(ctx context.Context, direction int) error {
	n, err := c.count()
	if err != nil {
		return err
	}
	if s, err := c.threadSession(ctx); direction < 0 && s != nil {
		return c.goBack(ctx, n)
	} else if err != nil {
		return err
	}
	if err := c.onlyForward(ctx); err != nil {
		return err
	}
	if c.session == nil {
		return errNothing
	}
	to := c.history.at + direction*n
	switch {
	case c.history.at == 0 && direction < 0:
		return errors.New("this is the beginning of the session")
	case c.history.at == len(c.history.moments)-1 && direction > 0:
		return errors.New("nothing was done after this; step goes on")
	}
	return c.arrive(ctx, max(0, min(to, len(c.history.moments)-1)))
}

// arrive travels to a moment and tells it.
func (c *call) arrive(ctx context.Context, i int) error {
	if err := c.history.travel(ctx, i); err != nil {
		return err
	}
	c.printf("moment %d of %d", c.history.at, len(c.history.moments)-1)
	if v := c.session.View(); v.Phase == cegar.Finished {
		c.printf(", the end\n")
	} else {
		c.printf(", next: %v\n", v.Phase)
	}
	if i > 0 {
		c.stepper.tell(c.history.moments[i])
	}
	return nil
}

// travelTo is the command goto.
func travelTo(ctx context.Context, c *call) error {
	if c.session == nil {
		return errNothing
	}
	if err := c.onlyForward(ctx); err != nil {
		return err
	}
	if len(c.args) != 1 {
		return c.usage()
	}
	i, err := strconv.Atoi(c.args[0])
	if err != nil || i < 0 || i >= len(c.history.moments) {
		return fmt.Errorf("no moment %s; there are 0 to %d", c.args[0], len(c.history.moments)-1)
	}
	return c.arrive(ctx, i)
}

// history is the command history.
func showHistory(_ context.Context, c *call) error {
	if c.session == nil {
		return errNothing
	}
	from := 0
	if len(c.args) > 0 {
		n, err := c.count()
		if err != nil {
			return err
		}
		from = max(0, len(c.history.moments)-n)
	}
	c.menu = "goto"
	for i, m := range c.history.moments[from:] {
		mark := " "
		if from+i == c.history.at {
			mark = "*"
		}
		line := ""
		switch {
		case m.head() == byHand:
			line = m.by
		case len(m.lines) > 0:
			line = m.lines[0]
		}
		c.row("%s%3d  %-15s  %s", mark, from+i, m.head(), c.views.text(false).Wrapped(line, 23))
	}
	return nil
}
