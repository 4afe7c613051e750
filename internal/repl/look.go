package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus"
	"magus/cfa"
	"magus/internal/expr"
	"magus/internal/report"
	"magus/lts"
	"magus/predabs"
)

func lookCommands() []*Command {
	comp := []kind{kindComponent}
	return []*Command{
		{Name: "cfa", Group: groupLook, Args: "[C] [LOC]", Short: "Show the automaton of a component, or one location", kinds: []kind{kindComponent, kindLocation}, run: lookCFA,
			Long: "C is a component, by its name or number; it can be left out where there is only\none. So it is in all commands.", Example: "cfa\ncfa server 12"},
		{Name: "preds", Group: groupLook, Aliases: []string{"p"}, Args: "[C] [LOC]", Short: "Show the candidates and which are chosen (*), or the predicates at a location", kinds: []kind{kindComponent, kindLocation}, run: lookPreds},
		{Name: "mp", Group: groupLook, Args: "[C]", Short: "Show the predicate abstraction of a component", kinds: comp, run: lookMP},
		{Name: "ma", Group: groupLook, Args: "[C]", Short: "Show the blocks of a component and their transitions", kinds: comp, run: lookMA},
		{Name: "product", Group: groupLook, Short: "Show the composition of the abstractions", run: lookProduct},
		{Name: "spec", Group: groupLook, Args: "[NAME]", Short: "Show the specification, or another definition of the files", kinds: []kind{kindDefinition}, run: lookSpec,
			Long: "The specification is shown as it is checked: with the returns of the components\nthat are observed. spec N is that of claim N."},
		{Name: "alphabet", Group: groupLook, Args: "[C]", Short: "Show the actions and who takes part in them", kinds: comp, run: lookAlphabet},
		{Name: "state", Group: groupLook, Args: "[C] S", Short: "Say what a state of MP stands for, and where it can go", kinds: []kind{kindComponent, kindState}, run: lookState},
		{Name: "block", Group: groupLook, Args: "[C] B", Short: "Show the members of a block and where they can go", kinds: []kind{kindComponent, kindBlock}, run: lookBlock},
		{Name: "why", Group: groupLook, Args: "[C] S [ACTION] T", Short: "Show the query that admitted a transition of MP from S to T", kinds: []kind{kindComponent, kindState, kindAction, kindState}, run: lookWhy},
		{Name: "trace", Group: groupLook, Aliases: []string{"t"}, Args: "[C]", Short: "Show the counterexample, or its path in one component with the source", kinds: comp, run: lookTrace},
		{Name: "points", Group: groupLook, Args: "[C]", Short: "Show what the pointers of a component may point to", kinds: comp, run: lookPoints},
		{Name: "report", Group: groupLook, Args: "[-v]", Short: "Show the verdict and the run that violates, as magus check does", run: lookReport},
		{Name: "diff", Group: groupLook, Short: "Show what the last refinement or act has changed", run: lookDiff},
		{Name: "stats", Group: groupLook, Short: "Show the figures of the session so far", run: lookStats},
	}
}

// view is the session's view; an error if there is no session.
func (sh *Shell) view() (magus.View, error) {
	if sh.session == nil {
		return magus.View{}, errNothing
	}
	return sh.session.View(), nil
}

// componentNamed is the number of the component of that name or number.
func (sh *Shell) componentNamed(name string) (int, error) {
	names := sh.componentNames()
	if i := slices.Index(names, name); i >= 0 {
		return i, nil
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(names) {
		return n - 1, nil
	}
	return 0, fmt.Errorf("no component %s; there are %s", name, strings.Join(names, ", "))
}

func (sh *Shell) componentNames() []string {
	if sh.session == nil {
		return nil
	}
	return sh.claims[sh.claim].Components()
}

// component takes a component from the beginning of the arguments. It may be
// missing where there is only one; least is how many arguments follow it.
func (c *call) component(least int) (magus.ComponentView, int, error) {
	v, err := c.view()
	if err != nil {
		return magus.ComponentView{}, 0, err
	}
	if len(v.Components) == 0 {
		return magus.ComponentView{}, 0, fmt.Errorf("there are no components: %s", v.Outcome.Reason)
	}
	names := c.componentNames()
	single := len(names) == 1
	switch {
	case len(c.args) > least && single && c.args[0] == names[0]:
		c.args = c.args[1:]
		return v.Components[0], 0, nil
	case single:
		return v.Components[0], 0, nil
	case len(c.args) <= least:
		return magus.ComponentView{}, 0, fmt.Errorf("which component? There are %s", strings.Join(names, ", "))
	}
	i, err := c.componentNamed(c.args[0])
	if err != nil {
		return magus.ComponentView{}, 0, err
	}
	c.args = c.args[1:]
	return v.Components[i], i, nil
}

// single takes a component and nothing else.
func (c *call) single() (magus.ComponentView, int, error) {
	comp, i, err := c.component(0)
	if err == nil && len(c.args) > 0 {
		err = c.usage()
	}
	return comp, i, err
}

// location reads a location.
func location(c *cfa.CFA, text string) (cfa.Loc, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(text, "L"))
	if err != nil || n < 0 || n >= len(c.Locs) {
		return 0, fmt.Errorf("no location %s; %s has 0 to %d", text, c.Name, len(c.Locs)-1)
	}
	return cfa.Loc(n), nil
}

// stateText describes a state of MP. Where a term equals a constant, what else is
// known of it is left out.
func stateText(comp magus.ComponentView, s lts.State) string {
	head, _, some := strings.Cut(comp.MP.StateString(s), " {")
	if !some {
		return head
	}
	literals := comp.MP.Literals(s)
	known := map[*expr.Expr]bool{}
	for _, l := range literals {
		if l.Op() == expr.Eq && l.Args()[1].IsConst() {
			known[l.Args()[0]] = true
		}
	}
	var texts []string
	for _, l := range literals {
		c := l
		if l.Op() == expr.Not {
			c = l.Args()[0]
		}
		implied := (c.Op() == expr.Eq || c.Op() == expr.Lt) && c.Args()[1].IsConst() && known[c.Args()[0]] ||
			c.Op() == expr.Lt && c.Args()[0].IsConst() && known[c.Args()[1]]
		if !implied || l.Op() == expr.Eq {
			texts = append(texts, l.String())
		}
	}
	return head + " {" + strings.Join(texts, ", ") + "}"
}

// optional takes a component that may be followed by one argument more.
func (c *call) optional() (comp magus.ComponentView, i int, more string, err error) {
	comp, i, err = c.component(0)
	if err == nil && len(c.args) > 1 {
		err = c.usage()
	}
	if err == nil && len(c.args) == 1 {
		more = c.args[0]
	}
	return comp, i, more, err
}

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
		c.showLocation(comp, l)
		return nil
	}
	var all []cfa.Pos
	for l := range comp.CFA.Locs {
		all = append(all, comp.CFA.Locs[l].Pos)
	}
	at := c.places(all)
	for l := range comp.CFA.Locs {
		loc := &comp.CFA.Locs[l]
		c.row("%4d  %s  %-40s %s", l, at(loc.Pos), loc.Stmt, successors(loc.Succ))
	}
	return nil
}

// places gives the places in a column of one width. The file is named before, if
// all are in one.
func (sh *Shell) places(all []cfa.Pos) func(cfa.Pos) string {
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

func where(p cfa.Pos) string {
	if !p.IsValid() {
		return ""
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

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
func (sh *Shell) source(p cfa.Pos) string { return strings.TrimSpace(sh.host.Line(p.File, p.Line)) }

func (sh *Shell) showLocation(comp magus.ComponentView, l cfa.Loc) {
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

func lookPreds(_ context.Context, c *call) error {
	if c.session != nil && len(c.args) == 0 {
		for i, comp := range c.session.View().Components {
			c.candidates(comp, i > 0)
		}
		return nil
	}
	comp, _, loc, err := c.optional()
	if err != nil {
		return err
	}
	if loc == "" {
		c.candidates(comp, false)
		return nil
	}
	l, err := location(comp.CFA, loc)
	if err != nil {
		return err
	}
	c.showLocation(comp, l)
	return nil
}

// candidates lists those of a component.
func (sh *Shell) candidates(comp magus.ComponentView, gap bool) {
	if gap {
		sh.printf("\n")
	}
	sh.printf("%s: %s chosen of %s\n", comp.Name, plural(len(comp.Chosen), "predicate"), plural(len(comp.Candidates), "candidate"))
	for i, p := range comp.Candidates {
		mark := " "
		if slices.Contains(comp.Chosen, i) {
			mark = "*"
		}
		sh.row("%s%3d  %-30s %-7s %s", mark, i, p.Text, p.Origin, where(p.Pos))
	}
}

// shown is how many states a list has at most.
const shown = 60

func (sh *Shell) listStates(n int, what string, line func(s int) string) {
	for s := range min(n, shown) {
		sh.row("%s", line(s))
	}
	if n > shown {
		sh.printf("and %d more; %s shows one\n", n-shown, what)
	}
}

// built is an error if a component has no MP yet.
func built(comp magus.ComponentView) error {
	if comp.MP == nil {
		return fmt.Errorf("MP of %s is not built yet; step builds it", comp.Name)
	}
	return nil
}

func lookMP(_ context.Context, c *call) error {
	comp, _, err := c.single()
	if err != nil {
		return err
	}
	if err := built(comp); err != nil {
		return err
	}
	m := comp.MP.LTS
	c.printf("MP of %s: %s, %s, %s%s\n", comp.Name, plural(m.NumStates(), "state"), plural(transitions(m), "transition"),
		plural(len(comp.Chosen), "predicate"), staleText(comp))
	c.listStates(m.NumStates(), "state "+comp.Name+" S", func(s int) string {
		return fmt.Sprintf("%5d  %-44s %s", s, stateText(comp, lts.State(s)), edgesText(m, lts.State(s)))
	})
	return nil
}

func staleText(comp magus.ComponentView) string {
	if comp.Stale {
		return " (of the predicates before the last refinement)"
	}
	return ""
}

func transitions(m *lts.LTS) int {
	n := 0
	for s := range m.NumStates() {
		n += len(m.Out(lts.State(s)))
	}
	return n
}

// edgesText writes the transitions that leave a state, the first few if there are
// many.
func edgesText(m *lts.LTS, s lts.State) string {
	parts := byAction(m, s)
	if more := len(parts) - 6; more > 0 {
		parts = append(parts[:6:6], fmt.Sprintf("and %d more actions", more))
	}
	return strings.Join(parts, "; ")
}

// byAction writes the transitions that leave a state, one text for each action:
// "a -> 3, 4".
func byAction(m *lts.LTS, s lts.State) []string {
	var parts []string
	out := m.Out(s)
	for len(out) > 0 {
		a, k := out[0].Action, 1
		text := edgeText(m, out[0])
		for ; k < len(out) && out[k].Action == a; k++ {
			text += fmt.Sprintf(", %d", out[k].To)
		}
		parts = append(parts, text)
		out = out[k:]
	}
	return parts
}

func edgeText(m *lts.LTS, e lts.Edge) string {
	if e.Action == lts.Tau {
		return fmt.Sprintf("-> %d", e.To)
	}
	return fmt.Sprintf("%s -> %d", actionWord(m.Actions().Name(e.Action)), e.To)
}

// lumped is an error if a component has no MA.
func (sh *Shell) lumped(comp magus.ComponentView) error {
	switch {
	case sh.session.View().Levels == 1:
		return errors.New("level two is off: there are no blocks; set action-abstraction on and reload")
	case comp.MA == nil:
		return fmt.Errorf("MA of %s is not built yet; step builds it", comp.Name)
	}
	return nil
}

func lookMA(_ context.Context, c *call) error {
	comp, _, err := c.single()
	if err != nil {
		return err
	}
	if err := c.lumped(comp); err != nil {
		return err
	}
	q := comp.MA.Quotient()
	c.printf("MA of %s: %s over %s of MP, %s%s\n", comp.Name, plural(comp.MA.NumBlocks(), "block"),
		plural(comp.MP.LTS.NumStates(), "state"), plural(transitions(q), "transition"), staleText(comp))
	c.listStates(comp.MA.NumBlocks(), "block "+comp.Name+" B", func(b int) string {
		return fmt.Sprintf("%5d  %-12s %s", b, plural(len(comp.MA.Members(b)), "member"), edgesText(q, lts.State(b)))
	})
	return nil
}

// implementations are the LTSs that are composed and checked.
func implementations(v magus.View) ([]*lts.LTS, error) {
	var ms []*lts.LTS
	for _, comp := range v.Components {
		switch {
		case comp.MP == nil || v.Levels == 2 && comp.MA == nil:
			return nil, fmt.Errorf("the abstraction of %s is not built yet; step builds it", comp.Name)
		case v.Levels == 2:
			ms = append(ms, comp.MA.Quotient())
		default:
			ms = append(ms, comp.MP.LTS)
		}
	}
	if ms == nil {
		return nil, errors.New("there are no components")
	}
	return ms, nil
}

// maxProduct bounds the states of a product that is looked at.
const maxProduct = 200_000

func (sh *Shell) product(ctx context.Context) (*lts.LTS, error) {
	v, err := sh.view()
	if err != nil {
		return nil, err
	}
	ms, err := implementations(v)
	if err != nil {
		return nil, err
	}
	return lts.Compose(ctx, ms, lts.Limits{MaxStates: maxProduct})
}

func lookProduct(ctx context.Context, c *call) error {
	m, err := c.product(ctx)
	if err != nil {
		return err
	}
	c.printf("product: %s, %s\n", plural(m.NumStates(), "state"), plural(transitions(m), "transition"))
	c.listStates(m.NumStates(), "dot product --around S 1", func(s int) string {
		return fmt.Sprintf("%5d  %-20s %s", s, m.StateName(lts.State(s)), edgesText(m, lts.State(s)))
	})
	return nil
}

// definition is an LTS by its name: the specification without one, that of a
// claim by its number, or a definition of the files.
func (sh *Shell) definition(name string) (*lts.LTS, error) {
	if name == "" {
		return sh.session.View().Spec, nil
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(sh.claims) {
		if name = sh.claims[n-1].Spec(); name == "" || n-1 == sh.claim {
			return sh.session.View().Spec, nil
		}
	}
	if all := sh.project.Definitions(); !slices.Contains(all, name) {
		return nil, fmt.Errorf("no definition %s; there are %s", name, few(all, 20))
	}
	return sh.project.Definition(name, lts.NewActions())
}

func lookSpec(_ context.Context, c *call) error {
	if _, err := c.view(); err != nil {
		return err
	}
	if len(c.args) > 1 {
		return c.usage()
	}
	m, err := c.definition(strings.Join(c.args, ""))
	if err != nil {
		return err
	}
	c.printf("%s", m.String())
	return nil
}

func lookAlphabet(_ context.Context, c *call) error {
	v, err := c.view()
	if err != nil {
		return err
	}
	only := -1
	if len(c.args) > 0 {
		if _, only, err = c.single(); err != nil {
			return err
		}
	}
	by := map[string][]string{}
	for i, comp := range v.Components {
		if comp.MP == nil {
			return built(comp)
		}
		for _, a := range comp.MP.LTS.Alphabet() {
			if only < 0 || only == i {
				by[v.Actions.Name(a)] = append(by[v.Actions.Name(a)], comp.Name)
			}
		}
	}
	if only < 0 {
		for _, a := range v.Spec.Alphabet() {
			by[v.Actions.Name(a)] = append(by[v.Actions.Name(a)], "the specification")
		}
	}
	var names []string
	for name := range by {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		c.printf("%-30s %s\n", actionWord(name), strings.Join(by[name], ", "))
	}
	return nil
}

// stateOf reads a state of MP.
func stateOf(comp magus.ComponentView, text string) (lts.State, error) {
	if err := built(comp); err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= comp.MP.LTS.NumStates() {
		return 0, fmt.Errorf("no state %s; MP of %s has 0 to %d", text, comp.Name, comp.MP.LTS.NumStates()-1)
	}
	return lts.State(n), nil
}

func lookState(_ context.Context, c *call) error {
	comp, _, err := c.component(1)
	if err != nil {
		return err
	}
	if len(c.args) != 1 {
		return c.usage()
	}
	s, err := stateOf(comp, c.args[0])
	if err != nil {
		return err
	}
	c.printf("state %d of MP of %s%s\n", s, comp.Name, staleText(comp))
	c.printf("stands for  %s\n", stateText(comp, s))
	if l, ok := comp.Graph.Loc(comp.MP.Node(s)); ok {
		loc := &comp.CFA.Locs[l]
		c.printf("statement   %s\n", loc.Stmt)
		if loc.Pos.IsValid() {
			c.printf("source      %s: %s\n", where(loc.Pos), c.source(loc.Pos))
		}
	}
	if comp.MA != nil && !comp.Stale {
		if b := comp.MA.Block(s); b >= 0 {
			c.printf("block       %d\n", b)
		}
	}
	for _, e := range comp.MP.LTS.Out(s) {
		c.printf("  %s  %s\n", edgeText(comp.MP.LTS, e), stateText(comp, e.To))
	}
	return nil
}

// blockOf reads a block.
func blockOf(comp magus.ComponentView, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= comp.MA.NumBlocks() {
		return 0, fmt.Errorf("no block %s; MA of %s has 0 to %d", text, comp.Name, comp.MA.NumBlocks()-1)
	}
	return n, nil
}

func lookBlock(_ context.Context, c *call) error {
	comp, _, err := c.component(1)
	if err != nil {
		return err
	}
	if len(c.args) != 1 {
		return c.usage()
	}
	if err := c.lumped(comp); err != nil {
		return err
	}
	b, err := blockOf(comp, c.args[0])
	if err != nil {
		return err
	}
	members := comp.MA.Members(b)
	c.printf("block %d of %s: %s\n", b, comp.Name, plural(len(members), "member"))
	c.listStates(len(members), "state "+comp.Name+" S", func(i int) string {
		return fmt.Sprintf("%5d  %s", members[i], stateText(comp, members[i]))
	})
	for _, text := range byAction(comp.MA.Quotient(), lts.State(b)) {
		c.printf("  %s\n", text)
	}
	return nil
}

func lookWhy(_ context.Context, c *call) error {
	comp, _, err := c.component(2)
	if err != nil {
		return err
	}
	if len(c.args) < 2 || len(c.args) > 3 {
		return c.usage()
	}
	from, err := stateOf(comp, c.args[0])
	if err != nil {
		return err
	}
	to, err := stateOf(comp, c.args[len(c.args)-1])
	if err != nil {
		return err
	}
	found := false
	for _, id := range comp.Graph.Out(comp.MP.Node(from)) {
		e := &comp.Graph.Edges[id]
		name := comp.MP.LTS.Actions().Name(e.Action)
		if e.To != comp.MP.Node(to) || !slices.Contains(comp.MP.LTS.OutBy(from, e.Action), lts.Edge{Action: e.Action, To: to}) ||
			len(c.args) == 3 && c.args[1] != name {
			continue
		}
		found = true
		c.admitted(comp, from, to, e)
	}
	if !found {
		return fmt.Errorf("MP of %s has no such transition from %d to %d; state %d shows those there are", comp.Name, from, to, from)
	}
	return nil
}

// admitted shows the query of a transition: the literals before it, the guard,
// and the literals after it as weakest preconditions.
func (sh *Shell) admitted(comp magus.ComponentView, from, to lts.State, e *predabs.Edge) {
	sh.printf("%s\n", edgeText(comp.MP.LTS, lts.Edge{Action: e.Action, To: to}))
	if e.Loc >= 0 {
		loc := &comp.CFA.Locs[e.Loc]
		sh.printf("  statement    %s   (%s)\n", loc.Stmt, where(loc.Pos))
	}
	for _, u := range e.Update {
		sh.printf("  update       %v = %v\n", u.Var, u.Term)
	}
	list := func(head string, es []*expr.Expr, text func(*expr.Expr) string) {
		for i, l := range es {
			if i > 0 {
				head = ""
			}
			sh.printf("  %-12s %s\n", head, text(l))
		}
	}
	plain := func(l *expr.Expr) string { return l.String() }
	list("before", comp.MP.Literals(from), plain)
	list("guard", e.Guard, plain)
	by := map[*expr.Expr]*expr.Expr{}
	for _, u := range e.Update {
		by[u.Var] = u.Term
	}
	list("after", comp.MP.Literals(to), func(l *expr.Expr) string {
		if w := comp.CFA.Pool.Subst(l, by); w != l {
			return fmt.Sprintf("%v, before it: %v", l, w)
		}
		return l.String()
	})
	sh.printf("  these can hold together, so the transition is there\n")
}

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

func lookTrace(_ context.Context, c *call) error {
	v, err := c.view()
	if err != nil {
		return err
	}
	if v.Trace == nil {
		return errors.New("there is no counterexample so far; until counterexample goes on to one")
	}
	if len(c.args) == 0 {
		c.printf("counterexample of %s\n", plural(len(v.Trace), "action"))
		for i, a := range v.Trace {
			var who []string
			for _, comp := range v.Components {
				if comp.MP.LTS.HasAction(a) {
					who = append(who, comp.Name)
				}
			}
			unobserved := ""
			if !v.Spec.HasAction(a) {
				unobserved = ", not observed"
			}
			c.row("%4d  %-30s %s%s", i+1, actionWord(v.Actions.Name(a)), strings.Join(who, " + "), unobserved)
		}
		x := explanation{c.host, v, v}
		if why := x.forbidden(); why != "" {
			c.printf("%s\n", why)
		}
		return nil
	}
	comp, i, err := c.single()
	if err != nil {
		return err
	}
	if v.Replayed != nil {
		c.replayed(v, i)
		return nil
	}
	if comp.Path == nil {
		names := v.Actions.Names(lts.Project(v.Trace, comp.MP.LTS.Alphabet()))
		c.printf("%s: %s\n", comp.Name, strings.Join(quoted(names), " "))
		c.printf("there is no path in MP of %s now: it is looked for by validate MP and gone when MP changes\n", comp.Name)
		return nil
	}
	c.path(comp)
	return nil
}

// path shows a path in MP with the source; conditions that contradict each other
// are marked.
func (sh *Shell) path(comp magus.ComponentView) {
	s := comp.MP.LTS.Init()
	var all []cfa.Pos
	pos := func(s lts.State) cfa.Pos {
		if l, ok := comp.Graph.Loc(comp.MP.Node(s)); ok {
			return comp.CFA.Locs[l].Pos
		}
		return cfa.Pos{}
	}
	for _, e := range comp.Path {
		all = append(all, pos(e.To))
	}
	at := sh.places(all)
	for k, e := range comp.Path {
		mark := " "
		if slices.Contains(comp.Core, k) {
			mark = "!"
		}
		action := ""
		if e.Action != lts.Tau {
			action = actionWord(comp.MP.LTS.Actions().Name(e.Action))
		}
		text := stateText(comp, s)
		if p := pos(s); p.IsValid() {
			text = sh.source(p)
		}
		guard := ""
		if comp.Edges != nil {
			guard = conjunction(comp.Graph.Edges[comp.Edges[k]].Guard)
		}
		sh.row("%s%5d  %s  %-40s %-20s %s", mark, s, at(pos(s)), clip(text, 40), action, guard)
		s = e.To
	}
	sh.printf(" %5d  %s\n", s, stateText(comp, s))
	if comp.Core != nil {
		sh.printf("! marks the conditions that contradict each other\n")
	}
}

// clip shortens a text to n letters.
func clip(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-3]) + "..."
	}
	return text
}

// report prints an outcome as magus check does.
func (sh *Shell) report(o *magus.Outcome, verbose bool) error {
	claim := report.NewClaim(o, nil, 0, sourceLines{sh.host})
	if err := report.WriteClaim(sh.out, claim, report.Text{}); err != nil {
		return err
	}
	if !verbose {
		return nil
	}
	return report.WriteEnd(sh.out, &report.Check{Claims: []report.Claim{claim}}, report.Text{Verbose: true})
}

type sourceLines struct{ host Host }

func (s sourceLines) Line(file string, n int) string { return s.host.Line(file, n) }

func lookReport(_ context.Context, c *call) error {
	v, err := c.view()
	if err != nil {
		return err
	}
	verbose := len(c.args) == 1 && c.args[0] == "-v"
	if len(c.args) > 0 && !verbose {
		return c.usage()
	}
	if v.Outcome == nil {
		return fmt.Errorf("there is no verdict yet; the next phase is %v", v.Phase)
	}
	return c.Shell.report(v.Outcome, verbose)
}

func lookDiff(_ context.Context, c *call) error {
	if c.session == nil {
		return errNothing
	}
	last := c.at
	for last > 0 && !changes(c.moments[last]) {
		last--
	}
	if last == 0 {
		return errors.New("nothing was refined so far")
	}
	before := last - 1
	c.tell(c.moments[last])
	c.printf("moment %d, compared with moment %d\n", c.at, before)
	for i, comp := range c.session.View().Components {
		old, now := c.moments[before].sizes[i], c.moments[c.at].sizes[i]
		if len(old.predicates)+len(now.predicates)+old.states+now.states == 0 {
			continue
		}
		c.printf("%s\n", comp.Name)
		for _, p := range now.predicates {
			if !slices.Contains(old.predicates, p) {
				c.printf("  + %s\n", p)
			}
		}
		for _, p := range old.predicates {
			if !slices.Contains(now.predicates, p) {
				c.printf("  - %s\n", p)
			}
		}
		c.printf("  MP %d -> %d states", old.states, now.states)
		if now.blocks > 0 {
			c.printf(", MA %d -> %d blocks", old.blocks, now.blocks)
		}
		c.printf("\n")
	}
	return nil
}

// changes reports whether a moment is a refinement or an act.
func changes(m moment) bool {
	switch m.event.(type) {
	case magus.EventsRefined, magus.DataRefined:
		return true
	}
	return m.by != "step" && m.by != ""
}

func lookStats(_ context.Context, c *call) error {
	v, err := c.view()
	if err != nil {
		return err
	}
	st := v.Stats
	c.printf("iterations %d: %d refined predicates, %d refined actions (%s)\n", st.Iterations, st.PredicateIterations, st.ActionIterations, plural(st.Splits, "split"))
	c.printf("product states %d, at most %d\n", st.ProductStates, st.MaxProductStates)
	c.printf("elimination tests %d\n", st.Minimization.Tests)
	c.printf("%-14s %9s %11s %5s %10s %9s %6s %7s\n", "component", "locations", "candidates", "|P|", "MP states", "MA states", "paths", "traces")
	for _, comp := range v.Components {
		mp, ma := "-", "-"
		if comp.MP != nil {
			mp = strconv.Itoa(comp.MP.LTS.NumStates())
		}
		if comp.MA != nil {
			ma = strconv.Itoa(comp.MA.NumBlocks())
		}
		c.printf("%-14s %9d %11d %5d %10s %9s %6d %7d\n", comp.Name, len(comp.CFA.Locs), len(comp.Candidates), len(comp.Chosen), mp, ma, comp.Paths, comp.Traces)
	}
	return nil
}
