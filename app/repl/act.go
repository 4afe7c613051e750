package repl

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"magus/app/options"
	"magus/engine/cegar"
	"magus/internal/phrase"
	"magus/lts"
)

// actCommands are the commands that change a session by hand.
func actCommands() []*Command {
	return []*Command{
		{Name: "pred", Group: groupAct, Args: "add [C] [@PROC] EXPR | drop [C] N|EXPR",
			Short: "Add a predicate, or drop one that is chosen", raw: true,
			Long: "EXPR is a C condition over the variables of the component's procedure, or of\n" +
				"all instances of PROC in it; $1, $2, ... are the parameters. N is the number\nthat preds shows. " +
				"MP is built anew. A strategy may choose again what was\ndropped, if it is needed.",
			Example: "pred add y < 10\npred add server @negotiate suite == 0\npred drop server 3", kinds: []kind{kindPred,
				kindComponent, kindPredicate}, run: pred},
		{Name: "split", Group: groupAct, Args: "[C] BLOCK ACTION",
			Short: "Split a block by what its members do under an action",
			Long:  "The split lasts until MP of the component is built anew.", kinds: []kind{kindComponent,
				kindBlock, kindAction}, run: split},
		{Name: "minimize", Group: groupAct, Args: "STRATEGY",
			Short: "Choose how the set of predicates is made small from now on",
			Long:  oneOf(strategies()) + ", as for magus check --minimize.", kinds: []kind{kindStrategy}, run: minimizeBy},
		{Name: "choose", Group: groupAct, Args: "[N]",
			Short: "List the counterexamples as long as the present one, or go on with another", run: choose},
		{Name: "assume", Aliases: []string{"guard"}, Group: groupAct, Args: "[C EXPR|none]",
			Short: "Begin anew, assuming a condition on the initial states", raw: true,
			Long: "EXPR is a C condition over the parameters $1, $2, ... and the globals of the\n" +
				"component. Assumptions add up; assume none drops them. Verdicts hold under them\nonly, and say so.",
			Example: "assume drain $1 > 0\nassume none", kinds: []kind{kindComponent, kindGlobal}, run: assume},
		{Name: "simulate", Aliases: []string{"sim"}, Group: groupAct,
			Args: "[OBJECT|N|random [N [SEED]]|undo [N]|end]", Short: "Walk through an abstraction by hand or at random",
			repeats: true,
			Long: "OBJECT is what is walked: product (if none is named), spec [NAME], mp C, ma C,\n" +
				"or run C [SEED], which executes the component itself with random values. Then N\n" +
				"takes move N, random takes some moves, undo takes them back.",
			Example: "simulate product\nsimulate 2\nsimulate random 10 1\nsimulate undo\nsimulate run server 7",
			kinds:   []kind{kindSimulate}, run: simulate},
		{Name: "replay", Group: groupAct, Args: "[C]",
			Short: "Show the replayed violation step by step, with values", kinds: []kind{kindComponent}, run: replay},
		{Name: "eval", Aliases: []string{"print"}, Group: groupAct, Args: "[C] [@STEP] EXPR",
			Short: "Evaluate a C expression at a step of the replayed violation", raw: true,
			Long:    "STEP is the number that replay shows; without it the value at the end is shown.",
			Example: "eval x + 1\neval server @12 state", kinds: []kind{kindComponent, kindExpr}, run: eval},
		{Name: "lts", Group: groupAct, Args: "COMMAND ARG...",
			Short: "Use the workbench of magus lts on what the session has",
			Long: "The arguments are those of magus lts. Besides files there are the objects @mp:C,\n" +
				"@ma:C, @product, @spec and @spec:NAME; -o @NAME keeps a result as an object.",
			Example: "lts info @product\nlts minimize --relation weak-bisim @mp:server -o @small\n" +
				"lts compare @small @spec", kinds: []kind{kindLTS,
				kindLTSObject}, run: workbench},
	}
}

// act records what was done by hand and tells it.
func (sh *stepper) act(by string, e cegar.Event, lines ...string) {
	sh.history.record(by, e, lines)
	for _, line := range lines {
		if line != "" {
			sh.printf("%s\n", line)
		}
	}
	if v := sh.session.View(); sh.prompting {
		sh.printf("next: %v\n", v.Phase)
	}
}

// leading takes a component and a word that begins with @ from the beginning of
// a raw line, and gives the text behind them.
func (c *call) leading(from int) (comp cegar.ComponentView, i int, at, text string, err error) {
	words := c.args[from:]
	n := from
	saved := c.args
	c.args = words
	least := 1
	if len(words) == 1 {
		least = len(words)
	}
	comp, i, err = c.component(least)
	n += len(words) - len(c.args)
	c.args = saved
	if err != nil {
		return comp, i, "", "", err
	}
	if n < len(saved) && strings.HasPrefix(saved[n], "@") {
		at = saved[n][1:]
		n++
	}
	if text, err = c.rest(n); err == nil && text == "" {
		err = c.usage()
	}
	return comp, i, at, text, err
}

// pred is the command pred.
func pred(_ context.Context, c *call) error {
	if _, err := c.view(); err != nil {
		return err
	}
	if len(c.args) < 2 {
		return c.usage()
	}
	switch c.args[0] {
	case "add":
		return c.addPredicate()
	case "drop":
		return c.dropPredicate()
	}
	return c.usage()
}

// addPredicate is pred add.
func (c *call) addPredicate() error {
	comp, i, proc, text, err := c.leading(1)
	if err != nil {
		return err
	}
	added, err := c.session.AddPredicates(i, proc, text)
	if err != nil {
		return err
	}
	now := c.session.View().Components[i].Chosen
	if slices.Equal(now, comp.Chosen) {
		c.printf("%s: %s: among the predicates already\n", comp.Name, strings.Join(added, ", "))
		return nil
	}
	by := "pred add " + comp.Name
	if proc != "" {
		by += " @" + proc
	}
	c.stepper.act(by+" "+text, nil, fmt.Sprintf("%s: added %s; %s now", comp.Name, strings.Join(added, ", "),
		phrase.Plural(len(now), "predicate")))
	return nil
}

// dropPredicate is pred drop.
func (c *call) dropPredicate() error {
	comp, i, _, text, err := c.leading(1)
	if err != nil {
		return err
	}
	k, err := strconv.Atoi(text)
	if err != nil {
		k = slices.IndexFunc(comp.Chosen, func(k int) bool { return comp.Candidates[k].Text == text })
		if k < 0 {
			return fmt.Errorf("%s has no predicate %s%s", comp.Name, text, phrase.Suggest(text, chosen(comp)))
		}
		k = comp.Chosen[k]
	}
	if err := c.session.DropPredicate(i, k); err != nil {
		return err
	}
	c.stepper.act(fmt.Sprintf("pred drop %s %d", comp.Name, k), nil, fmt.Sprintf("%s: dropped %s; %s left", comp.Name,
		comp.Candidates[k].Text,
		phrase.Plural(len(comp.Chosen)-1, "predicate")))
	return nil
}

// split is the command split.
func split(ctx context.Context, c *call) error {
	comp, i, err := c.component(2)
	if err != nil {
		return err
	}
	if len(c.args) > 2 {
		_, err := c.componentNamed(c.args[0])
		return cmp.Or(err, c.usage())
	}
	if len(c.args) != 2 {
		return c.usage()
	}
	if err := c.needMA(comp); err != nil {
		return err
	}
	b, err := blockOf(comp, c.args[0])
	if err != nil {
		return err
	}
	before := c.session.View()
	e, err := c.session.Split(ctx, i, b, c.args[1])
	if err != nil {
		return err
	}
	c.stepper.act(fmt.Sprintf("split %s %d %s", comp.Name, b, actionWord(c.args[1])), e,
		explain(c.host, before, c.session.View(), e)...)
	return nil
}

// strategies are those for choosing predicates.
func strategies() []string { return options.Standard().Lookup(options.Shell, "minimize").Values }

// oneOf is "a, b or c".
func oneOf(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// minimizeBy is the command minimize.
func minimizeBy(_ context.Context, c *call) error {
	if _, err := c.view(); err != nil {
		return err
	}
	if len(c.args) != 1 {
		return c.usage()
	}
	if err := c.session.Minimize(c.args[0]); err != nil {
		return err
	}
	c.stepper.act("minimize "+c.args[0], nil, "strategy "+c.args[0]+" from now on")
	return nil
}

// maxChoices is how many counterexamples are listed.
const maxChoices = 20

// choose is the command choose.
func choose(ctx context.Context, c *call) error {
	v, err := c.view()
	if err != nil {
		return err
	}
	if len(c.args) > 1 {
		return c.usage()
	}
	if len(c.args) == 1 {
		n, err := strconv.Atoi(c.args[0])
		if err != nil {
			return c.usage()
		}
		e, err := c.session.SelectCounterexample(ctx, maxChoices, n-1)
		if err != nil {
			return err
		}
		c.stepper.act("choose "+c.args[0], e, explain(c.host, v, c.session.View(), e)...)
		return nil
	}
	traces, complete, err := c.session.Counterexamples(ctx, maxChoices)
	if err != nil {
		return err
	}
	present := v.Actions.Names(lts.Project(v.Trace, v.Spec.Alphabet()))
	c.menu = "choose"
	for i, t := range traces {
		mark := " "
		if slices.Equal(v.Actions.Names(lts.Project(lookup(v, t), v.Spec.Alphabet())), present) {
			mark = "*"
		}
		c.printf("%s%2d  %s\n", mark, i+1, strings.Join(quoted(t), " "))
	}
	if !complete {
		c.printf("and more\n")
	}
	return nil
}

// lookup are the actions of those names.
func lookup(v cegar.View, names []string) []lts.Action {
	var all []lts.Action
	for _, name := range names {
		if a, ok := v.Actions.Lookup(name); ok {
			all = append(all, a)
		}
	}
	return all
}

// assume is the command assume.
func assume(ctx context.Context, c *call) error {
	if _, err := c.view(); err != nil {
		return err
	}
	if name, ok := c.joint(); ok {
		return fmt.Errorf("components that exchange values are looked at together as %s: "+
			"say what is assumed in the specification, as the "+
			"conditions on where they start", name)
	}
	if len(c.args) == 0 {
		c.none(len(c.assumed), "nothing is assumed")
		for _, a := range c.assumed {
			c.printf("%s  %s\n", c.componentNames()[a.component], a.text)
		}
		return nil
	}
	var all []assumption
	if len(c.args) != 1 || c.args[0] != "none" {
		_, i, at, text, err := c.leading(0)
		if err != nil {
			return err
		}
		if at != "" {
			return c.usage()
		}
		all = append(slices.Clone(c.assumed), assumption{i, text})
	}
	s, err := assuming(ctx, c.claims[c.claim], all, c.host.Engine.Options())
	if err != nil {
		return err
	}
	c.question = c.of(c.claim, all)
	c.history.begin(s)
	c.loader.introduce(ctx)
	return nil
}

// eval is the command eval.
func eval(_ context.Context, c *call) error {
	if _, err := c.view(); err != nil {
		return err
	}
	if len(c.args) == 0 {
		return c.usage()
	}
	_, i, at, text, err := c.leading(0)
	if err != nil {
		return err
	}
	v := c.session.View()
	if v.Replayed == nil {
		return errNoRun(v)
	}
	k, err := c.part(v, i)
	if err != nil {
		return err
	}
	step := len(v.Replayed.Runs[k].Script.Steps)
	if at != "" {
		n, err := strconv.Atoi(at)
		if err != nil || n < 1 || n > step {
			return fmt.Errorf("no step %s; replay %s shows 1 to %d", at, v.Parts[k].Name, step)
		}
		step = n - 1
	}
	value, err := c.session.Eval(k, step, text)
	if err != nil {
		return err
	}
	c.printf("%s\n", value)
	return nil
}

// workbench runs a command of magus lts with the objects that it names.
func workbench(ctx context.Context, c *call) error {
	if len(c.args) == 0 {
		return c.usage()
	}
	if c.args[0] == "simulate" && !slices.ContainsFunc(c.args, func(a string) bool {
		return a == "--do" || strings.HasPrefix(a, "--do=")
	}) {
		return errors.New(`lts simulate takes its moves from --do "MOVE; MOVE" here; simulate walks move by move`)
	}
	args, texts, target := slices.Clone(c.args), map[string][]byte{}, ""
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "@") {
			continue
		}
		if i > 0 && (args[i-1] == "-o" || args[i-1] == "--output") {
			target = args[i]
			args = append(append(slices.Clone(args[:i-1]), "--to", "aut"), args[i+1:]...)
			continue
		}
		text, err := c.objects.object(ctx, args[i][1:])
		if err != nil {
			return err
		}
		texts[args[i]] = text
	}
	var out, complaint bytes.Buffer
	status := c.host.Workbench(ctx, args, texts, &out, &complaint)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if complaint.Len() > 0 {
		c.printf("%s", out.String())
		return errors.New(strings.TrimSuffix(complaint.String(), "\n"))
	}
	if target != "" && status == 0 {
		c.objects.named[target] = out.Bytes()
		return nil
	}
	c.printf("%s", out.String())
	return nil
}

// objects are the LTSs that lts commands can name.
type objects struct {
	*loaded
	named map[string][]byte // what lts commands wrote, as Aldebaran text
}

// object is an LTS of the session as Aldebaran text.
func (sh *objects) object(ctx context.Context, name string) ([]byte, error) {
	if text, ok := sh.named["@"+name]; ok {
		return text, nil
	}
	m, err := sh.objectLTS(ctx, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = lts.WriteAut(&b, m)
	return b.Bytes(), err
}

// objectLTS is the LTS of the session that has a name such as product or mp:client.
func (sh *objects) objectLTS(ctx context.Context, name string) (*lts.LTS, error) {
	v, err := sh.view()
	if err != nil {
		return nil, err
	}
	kind, rest, _ := strings.Cut(name, ":")
	switch kind {
	case "product":
		return sh.product(ctx)
	case "spec":
		return sh.definition(ctx, rest)
	case "mp", "ma":
		if rest == "" && len(v.Components) == 1 {
			rest = v.Components[0].Name
		}
		i, err := sh.componentNamed(rest)
		if err != nil {
			return nil, err
		}
		if kind == "ma" {
			if err := sh.needMA(v.Components[i]); err != nil {
				return nil, err
			}
			return v.Components[i].MA.Quotient(), nil
		}
		if err := sh.needMP(v.Components[i]); err != nil {
			return nil, err
		}
		return v.Components[i].MP.LTS, nil
	}
	return nil, fmt.Errorf("no object @%s; there are %s", name, strings.Join(sh.names(), ", "))
}

// objects are the names of the objects for lts commands.
func (sh *objects) names() []string {
	var names []string
	for _, c := range sh.componentNames() {
		names = append(names, "@mp:"+c, "@ma:"+c)
	}
	names = append(names, "@product", "@spec")
	names = slices.AppendSeq(names, maps.Keys(sh.named))
	slices.Sort(names)
	return names
}
