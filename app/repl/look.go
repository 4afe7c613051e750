package repl

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/app/draw"
	"magus/cfa"
	"magus/engine/cegar"
	"magus/internal/phrase"
)

// lookCommands are the commands that show what there is.
func lookCommands() []*Command {
	comp := []kind{kindComponent}
	return []*Command{
		{Name: "cfa", Group: groupLook, Args: "[C] [LOC]",
			Short: "Show the automaton of a component, or one location", kinds: []kind{kindComponent,
				kindLocation}, run: lookCFA,
			Long: "C is a component, by its name or number; it can be left out where there is only\n" +
				"one. So it is in all commands.", Example: "cfa\ncfa server 12"},
		{Name: "preds", Group: groupLook, Aliases: []string{"p"}, Args: "[C] [LOC]",
			Short: "Show the candidates and which are chosen (*), or the predicates at a location", kinds: []kind{kindComponent,
				kindLocation}, run: lookPreds},
		{Name: "mp", Group: groupLook, Args: "[C] [FILTER...]",
			Short: "Show the predicate abstraction of a component, or some of its states", kinds: []kind{kindComponent,
				kindFilter}, run: lookMP,
			Long: filterHelp, Example: "mp at 12\nmp client at client.c:30 does send\nmp with 'x < 1'"},
		{Name: "ma", Group: groupLook, Args: "[C] [FILTER...]",
			Short: "Show the blocks of a component and their transitions, or some of them", kinds: []kind{kindComponent,
				kindFilter}, run: lookMA,
			Long: filterHelp, Example: "ma does send"},
		{Name: "product", Group: groupLook, Short: "Show the composition of the abstractions", run: lookProduct},
		{Name: "spec", Group: groupLook, Args: "[NAME]",
			Short: "Show the specification, or another definition of the files", kinds: []kind{kindDefinition}, run: lookSpec,
			Long: "The specification is shown as it is checked: with the returns of the components\n" +
				"that are observed. spec N is that of claim N."},
		{Name: "alphabet", Group: groupLook, Args: "[C]", Short: "Show the actions and who takes part in them",
			kinds: comp, run: lookAlphabet},
		{Name: "state", Group: groupLook, Args: "[C] S",
			Short: "Say what a state of MP stands for, and where it can go", kinds: []kind{kindComponent,
				kindState}, run: lookState},
		{Name: "block", Group: groupLook, Args: "[C] B",
			Short: "Show the members of a block and where they can go", kinds: []kind{kindComponent, kindBlock}, run: lookBlock},
		{Name: "why", Group: groupLook, Args: "[C] S [ACTION] T",
			Short: "Show the query that admitted a transition of MP from S to T", kinds: []kind{kindComponent,
				kindState, kindAction, kindState}, run: lookWhy},
		{Name: "trace", Group: groupLook, Aliases: []string{"t"}, Args: "[C]",
			Short: "Show the counterexample, or its path in one component with the source", kinds: comp, run: lookTrace},
		{Name: "points", Group: groupLook, Args: "[C]",
			Short: "Show what the pointers of a component may point to", kinds: comp, run: lookPoints},
		{Name: "report", Group: groupLook, Args: "[-v]",
			Short: "Show the verdict and the run that violates, as magus check does", run: lookReport},
		{Name: "coverage", Group: groupLook, Args: "[C]",
			Short: "Show which statements the abstractions reach, and what keeps them from the others",
			kinds: comp, run: lookCoverage,
			Long: "In the end these are the statements that a proof is about. Before, they become\nfewer with every predicate."},
		{Name: "diff", Group: groupLook, Short: "Show what the last refinement or act has changed", run: lookDiff},
		{Name: "watch", Group: groupLook, Args: "[[C] EXPR]",
			Short: "Show the value of a C expression at each step of replay and simulate run, and after each step; " +
				"without EXPR list them",
			Long: "Before a violation is replayed, what is known of EXPR in the\n" +
				"states of MP is shown after each step, if it is a predicate, as preds writes it.", raw: true,
			Example: "watch x + 1\nwatch server state", kinds: []kind{kindComponent, kindExpr}, run: watchExpr},
		{Name: "unwatch", Group: groupLook, Args: "N|all", Short: "Show the value of an expression no longer",
			kinds: []kind{kindWatch}, run: unwatch},
		{Name: "stats", Group: groupLook, Short: "Show the figures of the session so far", run: lookStats},
	}
}

// views show the abstractions, the counterexample and the source.
type views struct {
	*console
	*loaded
	history   *history
	watchlist *watchlist
}

// component takes a component from the beginning of the arguments. It may be
// missing where there is only one; least is how many arguments follow it.
func (c *call) component(least int) (cegar.ComponentView, int, error) {
	v, err := c.view()
	if err != nil {
		return cegar.ComponentView{}, 0, err
	}
	if len(v.Components) == 0 {
		return cegar.ComponentView{}, 0, fmt.Errorf("there are no components: %v", v.Outcome.Reason)
	}
	names := c.componentNames()
	single := len(names) == 1
	c.copy = 0
	if len(c.args) > least {
		if name, number, ok := strings.Cut(c.args[0], "#"); ok {
			if n, err := strconv.Atoi(number); err == nil && n > 0 {
				c.copy, c.args = n, append([]string{name}, c.args[1:]...)
			}
		}
	}
	switch {
	case len(c.args) > least && single && c.args[0] == names[0]:
		c.args = c.args[1:]
		return v.Components[0], 0, nil
	case single:
		return v.Components[0], 0, nil
	case len(c.args) < least, len(c.args) == least && least > 0 && slices.Contains(names, c.args[0]):
		return cegar.ComponentView{}, 0, c.usage()
	case len(c.args) <= least:
		return cegar.ComponentView{}, 0, fmt.Errorf("which component? There are %s", phrase.Few(names, 20))
	}
	i, err := c.componentNamed(c.args[0])
	if err != nil {
		return cegar.ComponentView{}, 0, err
	}
	c.args = c.args[1:]
	return v.Components[i], i, nil
}

// part is the part of the counterexample of the copy that was named, or else of the
// one that the component's view shows.
func (c *call) part(v cegar.View, i int) (int, error) {
	for k, p := range v.Parts {
		if p.Component == i && (p.Number == c.copy || c.copy == 0 && p.Shown) {
			return k, nil
		}
	}
	return 0, fmt.Errorf("no copy %d of %s takes part in the counterexample", c.copy, v.Components[i].Name)
}

// single takes a component and nothing else.
func (c *call) single() (cegar.ComponentView, int, error) {
	comp, i, err := c.component(0)
	if err == nil {
		err = c.noMore()
	}
	return comp, i, err
}

// noMore is the error of arguments that are left over where a component was taken.
// Where there is only one, it may be a number, or a name that is wrong.
func (c *call) noMore() error {
	if len(c.args) == 0 {
		return nil
	}
	if len(c.args) > 1 || len(c.componentNames()) != 1 {
		return c.usage()
	}
	_, err := c.componentNamed(c.args[0])
	return err
}

// location reads a location.
func location(c *cfa.CFA, text string) (cfa.Loc, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(text, "L"))
	if err != nil || n < 0 || n >= len(c.Locs) {
		return 0, fmt.Errorf("no location %s; %s has 0 to %d", text, c.Name, len(c.Locs)-1)
	}
	return cfa.Loc(n), nil
}

// optional takes a component that may be followed by one argument more.
func (c *call) optional() (comp cegar.ComponentView, i int, more string, err error) {
	comp, i, err = c.component(0)
	if err == nil && len(c.args) > 1 {
		_, wrong := c.componentNamed(c.args[0])
		err = cmp.Or(wrong, c.usage())
	}
	if err == nil && len(c.args) == 1 {
		more = c.args[0]
	}
	return comp, i, more, err
}

// lookCFA is the command cfa.
func lookCFA(_ context.Context, c *call) error {
	comp, _, loc, err := c.optional()
	if err != nil {
		return err
	}
	if loc != "" {
		l, err := location(comp.CFA, loc)
		if err != nil {
			return err
		}
		c.views.showLocation(comp, l)
		return nil
	}
	var all []cfa.Pos
	for l := range comp.CFA.Locs {
		all = append(all, comp.CFA.Locs[l].Pos)
	}
	at := c.views.places(all)
	for l := range comp.CFA.Locs {
		loc := &comp.CFA.Locs[l]
		c.row("%4d  %s  %-40s %s", l, at(loc.Pos), loc.Stmt, successors(loc.Succ))
	}
	return nil
}

// places gives the places in a column of one width. The file is named before, if
// all are in one.
func (sh *views) places(all []cfa.Pos) func(cfa.Pos) string {
	file, several, width := "", false, 4
	for _, p := range all {
		if p.IsValid() {
			several = several || file != "" && p.File != file
			file = p.File
			width = max(width, len(where(p)))
		}
	}
	if several || file == "" {
		return func(p cfa.Pos) string { return fmt.Sprintf("%-*s", width, where(p)) }
	}
	sh.printf("in %s\n", file)
	return func(p cfa.Pos) string {
		if !p.IsValid() {
			return "    "
		}
		return fmt.Sprintf("%-4d", p.Line)
	}
}

// where is file:line of a place.
func where(p cfa.Pos) string {
	if !p.IsValid() {
		return ""
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// successors are an arrow with locations.
func successors(locs []cfa.Loc) string {
	if len(locs) == 0 {
		return ""
	}
	parts := make([]string, len(locs))
	for i, l := range locs {
		parts[i] = strconv.Itoa(int(l))
	}
	return "-> " + strings.Join(parts, ", ")
}

// source is the text of the line of a place, without the blanks around it.
func (sh *views) source(p cfa.Pos) string { return draw.SourceLine(sh.host.Engine, p) }

// showLocation prints what is known of a location.
func (sh *views) showLocation(comp cegar.ComponentView, l cfa.Loc) {
	loc := &comp.CFA.Locs[l]
	sh.printf("location    %d of %s\n", l, comp.Name)
	sh.printf("statement   %s\n", loc.Stmt)
	if len(loc.Succ) > 0 {
		sh.printf("goes to     %s\n", strings.TrimPrefix(successors(loc.Succ), "-> "))
	}
	if loc.Pos.IsValid() {
		sh.printf("source      %s: %s\n", where(loc.Pos), sh.source(loc.Pos))
	}
	if f := comp.CFA.Frames[loc.Frame]; f.Parent >= 0 {
		sh.printf("within      %s, called at %s\n", f.Proc, where(f.Call))
	}
	preds := comp.At(l)
	if len(preds) == 0 {
		sh.printf("predicates  none\n")
	}
	for i, p := range preds {
		head := ""
		if i == 0 {
			head = "predicates"
		}
		sh.printf("%-10s  %s\n", head, p)
	}
}

// lookPreds is the command preds.
func lookPreds(_ context.Context, c *call) error {
	if c.session != nil && len(c.args) == 0 {
		for i, comp := range c.session.View().Components {
			c.views.candidates(comp, i > 0)
		}
		return nil
	}
	comp, _, loc, err := c.optional()
	if err != nil {
		return err
	}
	if loc == "" {
		c.views.candidates(comp, false)
		return nil
	}
	l, err := location(comp.CFA, loc)
	if err != nil {
		return err
	}
	c.views.showLocation(comp, l)
	return nil
}

// candidates lists those of a component.
func (sh *views) candidates(comp cegar.ComponentView, gap bool) {
	if gap {
		sh.printf("\n")
	}
	sh.printf("%s: %s chosen of %s\n", comp.Name, phrase.Plural(len(comp.Chosen), "predicate"),
		phrase.Plural(len(comp.Candidates), "candidate"))
	before := map[string]int{} // the last candidate with the same conditions, which asks them at fewer places
	for i, p := range comp.Candidates {
		key, more := strings.Join(p.Conditions, "\n"), ""
		if k, met := before[key]; met {
			more = fmt.Sprintf(", as %d and at more places", k)
		}
		before[key] = i
		mark := " "
		if slices.Contains(comp.Chosen, i) {
			mark = "*"
		}
		sh.row("%s%3d  %-30s %-7s %s%s", mark, i, p.Text, p.Origin, where(p.Pos), more)
	}
}

// lookPoints is the command points.
func lookPoints(ctx context.Context, c *call) error {
	comp, i, err := c.single()
	if err != nil {
		return err
	}
	auto, err := c.session.PointsTo(ctx, i)
	if err != nil {
		return err
	}
	if len(auto.PointsTo) == 0 {
		c.printf("%s has no pointers\n", comp.Name)
	}
	c.printf("%s", auto.PointsToText())
	return nil
}
