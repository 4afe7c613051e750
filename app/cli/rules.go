package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"magus"
	"magus/app/job"
	"magus/app/options"
	"magus/app/outfile"
	"magus/app/report"
	"magus/internal/phrase"
	"magus/specs"
	"magus/specs/rulebook"
)

const rulesLong = `Rules says which rules come along, and checks rules over all functions of a project:
that locks are given back, that what was opened is closed.`

// newRules is the command `magus rules`.
func newRules(w *World, status *int) *cobra.Command {
	c := &cobra.Command{
		Use:                   "rules COMMAND",
		Short:                 "Check rules over a whole project",
		Long:                  rulesLong,
		DisableFlagsInUseLine: true,
		Args:                  unknownCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			return &usageError{"which command?", c.CommandPath()}
		},
	}
	c.AddCommand(newRulesCheck(w, status), newRulesList(w), newRulesShow(w), newRulesExplain(w))
	return c
}

const rulesCheckLong = `Check says whether the functions of a project keep rules, whatever they are called with.

A run begins in a root: a function that no other one names, with no lock held and
nothing open by it, or a function whose address is taken and that no root calls. The
functions that it calls are looked at with it. Of each root that breaks a rule the run
is printed, which was executed.

Exit status: 0 all rules are kept, 1 a rule is broken, 3 otherwise if something is
undecided, 2 wrong usage or input, 70 an internal error.`

const rulesCheckExample = `  magus rules check -p build
  magus rules check --rule pthread-mutex pool.c queue.c
  magus rules check mine.spec src/*.c`

// newRulesCheck is the command `magus rules check`.
func newRulesCheck(w *World, status *int) *cobra.Command {
	s := w.Settings(options.Rules)
	c := &cobra.Command{
		Use:                   "check [flags] [FILE.c...] [FILE.spec...]",
		Short:                 "Check rules over all functions",
		Long:                  rulesCheckLong,
		Example:               rulesCheckExample,
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeSources,
		RunE: func(c *cobra.Command, args []string) error {
			verdict, err := checkRules(c.Context(), w, s.Options, args)
			*status = statusOf(verdict)
			return asUsage(err, "magus rules check")
		},
	}
	addFlags(c, s)
	return c
}

// A ruleCheck is a run of `magus rules check`.
type ruleCheck struct {
	world *World
	o     *options.Options
	rules *job.Rules
	text  report.Text
	rows  []ruleRow
}

// A ruleRow is how one rule came out.
type ruleRow struct {
	rule                    string
	matters                 int
	kept, broken, undecided int
	unsure                  []string // what was not looked at alone, and why
}

// checkRules runs `magus rules check` and returns the overall verdict.
func checkRules(ctx context.Context, w *World, o *options.Options, names []string) (string, error) {
	ctx, cancel := job.Budget(ctx, w.Host, o.Timeout, o.MemoryLimit)
	defer cancel()
	w.reads(append(databaseFiles(o.CompileCommands), names...)...)
	w.forced(o)
	outputs := []outfile.Name{w.named("--sarif", o.SARIF), w.named("--junit", o.JUnit)}
	if err := w.try(outputs...); err != nil {
		return "", errors.Join(err, w.writeMistake(o, err))
	}
	r, err := job.StartRules(ctx, w.Host, o, names)
	if err == nil {
		err = w.try(outputs...)
	}
	if err != nil {
		return "", errors.Join(err, w.writeMistake(o, err))
	}
	c := &ruleCheck{world: w, o: o, rules: r, text: w.text(o)}
	for _, q := range r.Questions {
		if err := c.check(ctx, q); err != nil {
			return "", err
		}
	}
	return c.end()
}

// check checks one rule from all roots, and then from the callbacks that none of them calls.
func (c *ruleCheck) check(ctx context.Context, q magus.RuleQuestion) error {
	row := ruleRow{rule: q.Rule.Name, matters: len(q.Matters)}
	var seen []string
	unsure := map[string]string{} // procedures that a root may call which was not looked at as a whole, with the root
	for _, entry := range slices.Concat(q.Roots, q.Callbacks) {
		file, plain := q.Body(entry)
		if slices.Contains(seen, file+":"+plain) {
			continue
		}
		if root, ok := unsure[entry]; ok {
			row.undecided++
			row.unsure = append(row.unsure, entry+", for "+root+" may call it")
			continue
		}
		d := &display{world: c.world, line: c.world.Terminal && !c.o.Quiet && !c.o.JSON}
		result, err := c.rules.Check(ctx, q, entry, d)
		d.end()
		if err != nil {
			return err
		}
		seen = append(seen, result.Inlined...)
		if !result.Whole {
			for _, name := range q.Leads(entry) {
				unsure[name] = entry
			}
		}
		row.add(result.Claim)
		c.show(q, result.Claim)
	}
	c.rows = append(c.rows, row)
	return nil
}

// add counts a root.
func (r *ruleRow) add(c report.Claim) {
	switch c.Verdict {
	case magus.Conforms.String():
		r.kept++
	case magus.Violates.String():
		r.broken++
	default:
		r.undecided++
	}
}

// show prints what is not kept.
func (c *ruleCheck) show(q magus.RuleQuestion, claim report.Claim) {
	if c.o.JSON || claim.Verdict == magus.Conforms.String() && !c.o.Verbose {
		return
	}
	if claim.Counterexample != nil {
		if p := claim.Counterexample.End(); p != nil {
			fmt.Fprintf(c.world.Stdout, "%s: %s: %s\n", p, q.Rule.Name, breach(q, claim))
		}
	}
	_ = report.WriteClaim(c.world.Stdout, claim, c.text) // the world keeps the error
}

// eventsShown is how many events before the forbidden one a line has.
const eventsShown = 6

// breach says what the run does that the rule forbids, where, and what was before.
func breach(q magus.RuleQuestion, c report.Claim) string {
	x := c.Counterexample
	before := x.Actions[:max(0, len(x.Actions)-1)] // the last one is the action error
	what := "memory is lost"
	if n := len(before); n > 0 && happensAtEnd(x, before[n-1]) {
		what, before = before[n-1], before[:n-1]
	} else if slices.Contains(q.Rule.Forbidden, specs.Uses) {
		what = "memory is used that was freed"
	}
	text := what
	if in := x.Steps[len(x.Steps)-1].Procedure; in != "" {
		text += " in " + in
	}
	if n := len(before); n > eventsShown {
		before = append([]string{"..."}, before[n-eventsShown:]...)
	}
	if len(before) > 0 {
		text += ", after " + strings.Join(before, ", ")
	}
	return text
}

// end prints the table, and writes the results for other programs.
func (c *ruleCheck) end() (string, error) {
	doc := c.rules.Report()
	doc.Version = version()
	if doc.Reason == "" && len(doc.Claims) == 0 {
		doc.Verdict = magus.Conforms.String()
	}
	for _, r := range c.rows {
		if len(r.unsure) > 0 && doc.Verdict == magus.Conforms.String() {
			doc.Verdict = magus.Unknown.String()
		}
	}
	var err error
	if c.o.JSON {
		err = report.WriteJSON(c.world.Stdout, doc)
	} else {
		err = errors.Join(report.WriteEnd(c.world.Stdout, doc, c.text), c.table())
	}
	return doc.Verdict, errors.Join(err, c.world.writeResults(c.o, c.rules.Question(), doc))
}

// table prints how each rule came out.
func (c *ruleCheck) table() error {
	var b strings.Builder
	if len(c.rules.Questions) == 0 {
		b.WriteString("no rule is about something that the program calls\n")
	}
	for _, r := range c.rows {
		for _, text := range r.unsure {
			fmt.Fprintf(&b, "%s: not looked at alone: %s, and not all of that was looked at\n", r.rule, text)
		}
		if r.matters == 0 {
			fmt.Fprintf(&b, "%s: nothing that the program calls is an event of it\n", r.rule)
			continue
		}
		fmt.Fprintf(&b, "%s: %s, %s: %d kept, %d broken, %d undecided\n", r.rule,
			phrase.Plural(r.matters, "function"), phrase.Plural(r.kept+r.broken+r.undecided, "root"), r.kept,
			r.broken, r.undecided)
	}
	_, err := io.WriteString(c.world.Stdout, b.String())
	return err
}

// happensAtEnd reports whether an event stands at the end of a run; else what ends it is no event.
func happensAtEnd(x *report.Counterexample, event string) bool {
	end := x.End()
	return slices.ContainsFunc(x.Steps, func(s report.Step) bool {
		return s.Action == event && s.Place != nil && end != nil && *s.Place == *end
	})
}

// newRulesList is the command `magus rules list`.
func newRulesList(w *World) *cobra.Command {
	return &cobra.Command{
		Use:                   "list",
		Short:                 "List the rules that come along",
		Args:                  arguments(0, 0),
		DisableFlagsInUseLine: true,
		RunE: func(*cobra.Command, []string) error {
			var b strings.Builder
			for _, e := range rulebook.Entries() {
				fmt.Fprintf(&b, "%-22s %s\n", e.Name, e.Summary())
			}
			_, err := io.WriteString(w.Stdout, b.String())
			return err
		},
	}
}

// newRulesShow is the command `magus rules show`.
func newRulesShow(w *World) *cobra.Command {
	return ruleCommand(w, "show", "Print a rule that comes along", func(e rulebook.Entry) string { return e.Text })
}

// newRulesExplain is the command `magus rules explain`.
func newRulesExplain(w *World) *cobra.Command {
	return ruleCommand(w, "explain", "Say what a rule asks for, and from which manual it is", rulebook.Entry.Explanation)
}

// ruleCommand is a command that prints something of named rules.
func ruleCommand(w *World, name, short string, text func(rulebook.Entry) string) *cobra.Command {
	entries := rulebook.Entries()
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return &cobra.Command{
		Use:                   name + " RULE...",
		Short:                 short,
		Args:                  arguments(1, many),
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			for _, arg := range args {
				i := slices.Index(names, arg)
				if i < 0 {
					return &usageError{"no rule " + arg + phrase.Suggest(arg, names), "magus rules list"}
				}
				if _, err := io.WriteString(w.Stdout, text(entries[i])); err != nil {
					return err
				}
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
