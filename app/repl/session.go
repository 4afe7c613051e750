package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus"
	"magus/engine/cegar"
	"magus/internal/phrase"
)

// An assumption made by hand on the initial states of a component.
type assumption struct {
	component int
	text      string
}

// sessionCommands are the commands about the session as a whole.
func sessionCommands() []*Command {
	return []*Command{
		helpCommand(),
		{Name: "more", Group: groupSession, Short: "Show what did not fit on the screen", repeats: true,
			Long: "On a terminal a list that is longer than the screen stops at its end.\n" +
				"COMMAND | less shows it page by page, COMMAND | grep TEXT a part of it.", run: showMore},
		{Name: "load", Group: groupSession, Args: "FILE...",
			Short: "Read C and specification files and begin with the first claim",
			Long: "Options that say how C is read have to be set before; see set. Names may have\n" +
				"* ? and [a-z], and begin with ~/. Without a specification each procedure can be\n" +
				"looked at, as claim N; set property says what is checked then.",
			Example: "load lock.c lock.spec\nload src/*.c ~/lib.spec", kinds: []kind{kindSource}, run: load},
		{Name: "reload", Group: groupSession,
			Short: "Read the files again and begin anew, with the predicates that still make sense",
			Long:  "Predicates that name what the new sources do not have are left out, and\ncounted.", run: reload},
		{Name: "claims", Group: groupSession, Short: "List the claims of the files", list: true, run: listClaims},
		{Name: "claim", Group: groupSession, Args: "N", Short: "Begin with another claim",
			kinds: []kind{kindClaim}, run: chooseClaim},
		{Name: "check", Group: groupSession, Args: "[N|all]",
			Short: "Check a claim in a session of its own, as magus check does", checks: true,
			Long:  "The present session stays as it is. Without N the claim is the present one.",
			kinds: []kind{kindClaims}, run: checkClaims},
		{Name: "info", Group: groupSession, Aliases: []string{"i"},
			Short: "Say what is loaded and where the session is", run: info},
		{Name: "set", Group: groupSession, Args: "OPTION [VALUE]",
			Short: "Give an option of magus check a value, or its default",
			Long: "The options are those of magus check without the dashes; see show. Those that\n" +
				"may be given several times collect their values. A session that is under way\n" +
				"keeps the options it began with until reload. The options limit (nodes drawn)\n" +
				"and echo (on or off) are the shell's own.",
			Example: "set minimize greedy\nset max-states 100000\nset define DEBUG=1", kinds: []kind{kindOption,
				kindValue}, run: set},
		{Name: "show", Group: groupSession, Args: "[OPTION]", Short: "Show the options and their values", list: true,
			kinds: []kind{kindOption}, run: show},
		{Name: "save", Group: groupSession, Args: "FILE",
			Short: "Write the session to a file: files, options, claim, acts, position, predicates",
			kinds: []kind{kindFile}, run: save},
		{Name: "restore", Group: groupSession, Args: "FILE", Short: "Go on with a session that was saved",
			Long: "The steps are performed again, which gives the same session. If the files\n" +
				"have changed since so that it does not, the session begins anew with those\n" +
				"saved predicates that still make sense.",
			kinds: []kind{kindFile}, run: restore},
		{Name: "web", Group: groupSession, Args: "[HOST:PORT]",
			Short: "Show the session in a browser too, and print its address",
			Long: "At a terminal it is opened, unless magus repl has the flag --no-browser. The\n" +
				"terminal stays a shell of the same session. Only this machine can reach the\n" +
				"page, unless another address is given.", run: browse},
		{Name: "exit", Group: groupSession, Aliases: []string{"quit", "q"}, Args: "[STATUS]",
			Short: "Leave, with status 0, or 1 if an expectation has failed", run: leave},
	}
}

// load is the command load.
func load(ctx context.Context, c *call) error {
	if len(c.args) == 0 {
		return c.usage()
	}
	files, err := c.host.fileNames(c.words[1:])
	if err != nil {
		return err
	}
	return c.loader.read(ctx, files, "")
}

// errUnspecified says why there is nothing to check.
var errUnspecified = errors.New("there is nothing to check: no specification is loaded; load FILE.c FILE.spec, " +
	"type one between define and end, or set property unreach-call and reload")

// Load reads files as the command load does.
func (sh *Shell) Load(ctx context.Context, files []string) error {
	return sh.interruptible(ctx, func(ctx context.Context) error { return sh.loader.read(ctx, files, "") })
}

// loader loads sources and specifications, and begins a session with a claim of theirs.
type loader struct {
	*console
	*loaded
	history *history
}

// read reads files and definitions and begins with the first claim. If anything
// is wrong, what was loaded before stays.
func (sh *loader) read(ctx context.Context, files []string, definitions string) error {
	var project *magus.Project
	var claims []*magus.Claim
	var session *cegar.Session
	err := sh.timed(ctx, func(ctx context.Context) (err error) {
		if project, claims, err = sh.host.Engine.Load(ctx, files, definitions); err == nil {
			session, err = magus.NewLoop(ctx, claims[0], sh.host.Engine.Options())
		}
		return err
	})
	if err != nil {
		return err
	}
	sh.question = question{files: slices.Clone(files), definitions: definitions, project: project, claims: claims,
		unspecified: sh.engine.Unspecified()}
	sh.history.begin(session)
	for _, w := range project.Warnings() {
		sh.printf("%v: warning: %s\n", w.Pos, w.Text)
	}
	sh.introduce(ctx)
	return nil
}

// introduce says what the session is about.
func (sh *loader) introduce(ctx context.Context) {
	if len(sh.claims) > 1 {
		sh.printf("claim %d of %d: ", sh.claim+1, len(sh.claims))
	}
	sh.printf("%s\n", sh.claims[sh.claim].Name)
	for _, a := range sh.assumed {
		sh.printf("  assuming of %s: %s\n", sh.claims[sh.claim].Procedures[a.component], a.text)
	}
	v := sh.session.View()
	search, err := sh.threadSession(ctx)
	for _, c := range v.Components {
		if search == nil {
			sh.printf("  %s: %s, %s\n", c.Name, phrase.Plural(len(c.CFA.Locs), "location"),
				phrase.Plural(len(c.Candidates), "candidate predicate"))
		}
	}
	if sh.unspecified {
		for _, line := range []string{"no specification is loaded, so nothing is checked: cfa and dot cfa show the automaton",
			sh.toAsk()} {
			sh.printf("%s\n", sh.host.Text.Wrapped(line, 0))
		}
		return
	}
	if search != nil && err == nil {
		if v.Outcome = search.Outcome(); v.Outcome == nil {
			sh.beginsSearch(search)
			return
		}
	}
	if v.Outcome != nil {
		sh.printf("%s\n", explain(sh.host, v, v, cegar.Ended{Outcome: v.Outcome})[0])
	}
}

// beginsSearch says how a search goes on.
func (sh *loader) beginsSearch(s search) {
	t, ok := ofThreads(s)
	if !ok {
		sh.printf("  asked of whole runs: step and run search, trace and dot lasso show what was found\n")
		return
	}
	_, auto := t.Search()
	sh.printf("  %s told apart: step and run search, threads, events and reasons look\n",
		phrase.Plural(len(auto.Threads), "thread"))
}

// toAsk says what could be checked of what has no specification.
func (sh *loader) toAsk() string {
	if slices.ContainsFunc(sh.claims, func(c *magus.Claim) bool { return slices.Equal(c.Procedures, []string{"main"}) }) {
		return "set property unreach-call, then reload, asks whether an assertion fails, from main on"
	}
	return "set property unreach-call and set entry NAME, then reload, asks whether an assertion fails"
}

// define adds definitions and loads everything again.
func (sh *loader) define(ctx context.Context, text string) error {
	if sh.files == nil {
		return errNothing
	}
	if strings.TrimSpace(text) == "" {
		return errors.New("nothing is defined; definitions stand between define and end")
	}
	return sh.reread(ctx, sh.definitions+text)
}

// reload is the command reload.
func reload(ctx context.Context, c *call) error {
	if c.files == nil {
		return errNothing
	}
	return c.loader.reread(ctx, c.definitions)
}

// reread reads everything again and keeps the claim, by its name, and predicates.
func (sh *loader) reread(ctx context.Context, definitions string) error {
	kept := map[string][]string{}
	name, assumed := sh.claims[sh.claim].Name, sh.assumed
	for _, c := range sh.session.View().Components {
		kept[c.Name] = conditionsOf(c)
	}
	project, claims, err := sh.host.Engine.Load(ctx, sh.files, definitions)
	if err != nil {
		return err
	}
	n := max(0, slices.IndexFunc(claims, func(c *magus.Claim) bool { return c.Name == name }))
	if claims[n].Name != name {
		assumed = nil
	}
	session, err := assuming(ctx, claims[n], assumed, sh.host.Engine.Options())
	if err != nil {
		return err
	}
	sh.question = question{sh.files, definitions, project, claims, n, assumed, sh.engine.Unspecified()}
	sh.history.begin(session)
	sh.introduce(ctx)
	sh.adopt(kept)
	return nil
}

// adopt adds predicates by their texts, as far as they make sense, and says how
// many do.
func (sh *loader) adopt(kept map[string][]string) {
	taken, lost := 0, 0
	for i, c := range sh.session.View().Components {
		for _, text := range kept[c.Name] {
			if sh.addAnywhere(i, text) {
				taken++
			} else {
				lost++
			}
		}
	}
	if taken+lost == 0 {
		return
	}
	text := phrase.Plural(taken, "predicate") + " kept"
	if lost > 0 {
		text += fmt.Sprintf(", %d left out", lost)
	}
	sh.printf("%s\n", text)
	if taken > 0 {
		sh.history.moments[0].snap, sh.history.moments[0].sizes = sh.session.Snapshot(), sizes(sh.session.View())
	}
}

// addAnywhere adds a predicate in the first procedure where it makes sense.
func (sh *loader) addAnywhere(component int, text string) bool {
	for _, proc := range procedures(sh.session.View().Components[component]) {
		if _, err := sh.session.AddPredicates(component, proc, text); err == nil {
			return true
		}
	}
	return false
}

// procedures are those that a component consists of, its own first.
func procedures(c cegar.ComponentView) []string {
	var names []string
	for _, f := range c.CFA.Frames {
		if !slices.Contains(names, f.Proc) {
			names = append(names, f.Proc)
		}
	}
	return names
}

// assuming begins a session of a claim under assumptions.
func assuming(ctx context.Context, claim *magus.Claim, assumed []assumption, o magus.Options) (*cegar.Session, error) {
	for _, a := range assumed {
		var err error
		if claim, err = claim.Assuming(a.component, a.text); err != nil {
			return nil, err
		}
	}
	return magus.NewLoop(ctx, claim, o)
}

// listClaims is the command claims.
func listClaims(_ context.Context, c *call) error {
	if c.session == nil {
		return errNothing
	}
	c.menu = "claim"
	for i, claim := range c.claims {
		mark := " "
		if i == c.claim {
			mark = "*"
		}
		c.printf("%s%2d  %s\n", mark, i+1, claim.Name)
	}
	return nil
}

// number reads a number from 1 to n.
func number(text, what string, n int) (int, error) {
	i, err := strconv.Atoi(text)
	if (err != nil || i != 1) && n == 1 {
		return 0, fmt.Errorf("no %s %s; there is 1 only", what, text)
	}
	if err != nil || i < 1 || i > n {
		return 0, fmt.Errorf("no %s %s; there are 1 to %d", what, text, n)
	}
	return i - 1, nil
}

// chooseClaim is the command claim.
func chooseClaim(ctx context.Context, c *call) error {
	if len(c.args) != 1 {
		return c.usage()
	}
	return c.Shell.loader.chooseClaim(ctx, c.args[0])
}

// chooseClaim begins with the claim of that number.
func (sh *loader) chooseClaim(ctx context.Context, text string) error {
	if sh.session == nil {
		return errNothing
	}
	n, err := number(text, "claim", len(sh.claims))
	if err != nil {
		return err
	}
	var session *cegar.Session
	err = sh.timed(ctx, func(ctx context.Context) (err error) {
		session, err = magus.NewLoop(ctx, sh.claims[n], sh.host.Engine.Options())
		return err
	})
	if err != nil {
		return err
	}
	sh.question = sh.of(n, nil)
	sh.history.begin(session)
	sh.introduce(ctx)
	return nil
}

// checkClaims is the command check.
func checkClaims(ctx context.Context, c *call) error {
	if c.session == nil {
		return errNothing
	}
	todo := []int{c.claim}
	switch {
	case len(c.args) > 1:
		return c.usage()
	case len(c.args) == 1 && c.args[0] == "all":
		todo = todo[:0]
		for i := range c.claims {
			todo = append(todo, i)
		}
	case len(c.args) == 1:
		n, err := number(c.args[0], "claim", len(c.claims))
		if err != nil {
			return err
		}
		todo[0] = n
	}
	for _, n := range todo {
		limited, cancel := c.host.Within(ctx, 0)
		o, err := magus.Check(limited, c.claims[n], c.host.Engine.Options(), nil)
		cancel()
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := c.views.printOutcome(o, false); err != nil {
			return err
		}
	}
	return nil
}

// info is the command info.
func info(ctx context.Context, c *call) error {
	if c.session == nil {
		return errNothing
	}
	v := c.session.View()
	c.printf("files      %s\n", strings.Join(c.files, " "))
	if c.definitions != "" {
		c.printf("           and what was typed after define\n")
	}
	c.printf("claim      %s (%d of %d)\n", v.Claim, c.claim+1, len(c.claims))
	for _, a := range c.assumed {
		c.printf("assuming   of %s: %s\n", v.Components[a.component].Name, a.text)
	}
	if s, err := c.threadSession(ctx); s != nil || err != nil {
		if err == nil {
			c.threadInfo(s)
		}
		return err
	}
	level := "level two off"
	if v.Levels == 2 {
		level = "two levels"
	}
	c.printf("strategy   %s, %s\n", v.Strategy, level)
	for i, comp := range v.Components {
		head := "component"
		if i > 0 {
			head = ""
		}
		c.printf("%-10s %s: %s\n", head, comp.Name, componentState(comp))
	}
	c.printf("moment     %d of %d\n", c.history.at, len(c.history.moments)-1)
	if v.Phase == cegar.Finished {
		c.printf("verdict    %v\n", v.Outcome.Verdict)
	} else {
		c.printf("next       %v, in iteration %d\n", v.Phase, iteration(v))
	}
	return nil
}

// iteration is the number of the one that the next phase belongs to.
func iteration(v cegar.View) int {
	if v.Phase < cegar.ValidateMP {
		return v.Stats.Iterations + 1
	}
	return v.Stats.Iterations
}

// componentState says how far the abstractions of a component are.
func componentState(c cegar.ComponentView) string {
	text := fmt.Sprintf("%s, %s of %d", phrase.Plural(len(c.CFA.Locs), "location"),
		phrase.Plural(len(c.Chosen), "predicate"), len(c.Candidates))
	if c.MP != nil {
		text += fmt.Sprintf(", MP %s", phrase.Plural(c.MP.LTS.NumStates(), "state"))
	}
	if c.MA != nil {
		text += fmt.Sprintf(", MA %s", phrase.Plural(c.MA.NumBlocks(), "block"))
	}
	if c.Stale && c.MP != nil {
		text += " (of the predicates before)"
	}
	return text
}

// browse is the command web.
func browse(_ context.Context, c *call) error {
	if len(c.args) > 1 {
		return c.usage()
	}
	if c.host.Browse == nil {
		return errors.New("only magus repl shows a session in a browser")
	}
	address, err := c.host.Browse(strings.Join(c.args, ""))
	if err == nil {
		c.printf("in a browser: %s\n", address)
	}
	return err
}

// leave is the command exit.
func leave(_ context.Context, c *call) error {
	status := c.status()
	if len(c.args) > 1 {
		return c.usage()
	}
	if len(c.args) == 1 {
		n, err := strconv.Atoi(c.args[0])
		if err != nil || n < 0 || n > 255 {
			return errors.New("exit: the status is a number from 0 to 255")
		}
		status = n
	}
	return &exit{status}
}
