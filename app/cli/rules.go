package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"magus/app/job"
	"magus/app/options"
	"magus/app/report"
	"magus/internal/phrase"
	"magus/specs/rulebook"
)

const rulesLong = `Rules says which rules come along, and checks rules over all functions of a project:
that locks are given back, that what was opened is closed.`

// newRules is the command `magus rules`.
func newRules(w *World, status *int) *cobra.Command {
	c := group("rules", "Check rules over a whole project", rulesLong)
	c.AddCommand(newRulesCheck(w, status), newRulesPlan(w, status), newRulesJob(w, status), newRulesList(w),
		newRulesShow(w), newRulesExplain(w))
	return c
}

const rulesCheckLong = `Check says whether the functions of a project keep rules, whatever they are called with.

A run begins in a root: a function that no other one names, with no lock held and
nothing open by it, or a function whose address is taken and that no root calls. The
functions that it calls are looked at with it. Of each root that breaks a rule the run
is printed, which was executed. Roots that lead to one cause are one finding.

Several roots are checked at a time; what is printed is the same however many they are.

With --cache, results that were decided are kept in a folder and taken over as long as
what was looked at for them is the same. --changed-since checks only roots of which
something that they may depend on is other than in a revision of git, or may be.

Without files and compile commands, what is said in magus.toml counts, of this folder
or the nearest one above: magus init writes it. Options win over it.

Findings that stand in the file of --baseline are known, and a comment in the source
allows one: magus: allow RULE: REASON. Both are counted, and are no failure.

Exit status: 0 all rules are kept, 1 a rule is broken, 3 otherwise if something is
undecided, and if the check was interrupted, 2 wrong usage or input, 70 an internal error.`

const rulesCheckExample = `  magus rules check
  magus rules check -p build
  magus rules check --rule pthread-mutex pool.c queue.c
  magus rules check mine.spec src/*.c
  magus rules check -p build --baseline known.txt
  magus rules check -p build --cache .magus`

// newRulesCheck is the command `magus rules check`.
func newRulesCheck(w *World, status *int) *cobra.Command {
	s := w.Settings(options.Rules)
	var f ruleFlags
	c := &cobra.Command{
		Use:                   "check [flags] [FILE.c...] [FILE.spec...]",
		Short:                 "Check rules over all functions",
		Long:                  rulesCheckLong,
		Example:               rulesCheckExample,
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeSources,
		RunE: func(c *cobra.Command, args []string) error {
			args, settings, err := w.projectSettings(s, args, keysOf(c.Flags()))
			if f.settings = settings; err == nil {
				*status, err = checkRules(c.Context(), w, s.Options, f, args)
			}
			return asUsage(err, "magus rules check")
		},
	}
	addFlags(c, s)
	c.Flags().StringVar(&f.cache, "cache", "",
		"keep decided results in folder `DIR`, and take over those whose question is the same")
	c.Flags().BoolVar(&f.undecided, "keep-undecided", false,
		"with --cache: keep also what is undecided by a limit of time or memory, and take it over where nothing has changed")
	c.Flags().StringVar(&f.since, "changed-since", "",
		"check only roots of which something that they may depend on is other than in `REVISION` of git")
	c.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "html" { // beside --sarif and --junit
			name = "report"
		}
		return pflag.NormalizedName(s.Present(name))
	})
	return c
}

// ruleFlags are the flags of `magus rules check` that no other command has.
type ruleFlags struct {
	cache string // folder
	// undecided says that what is undecided by a limit is kept there too.
	undecided bool
	since     string // revision
	settings  string // the project's file, "" for none
}

// A ruleCheck is a run of `magus rules check`.
type ruleCheck struct {
	world *World
	o     *options.Options
	rules *job.Rules
	text  report.Text
	rows  []report.RuleCount // by question
	// checked counts roots, and kept those of them that an earlier check has decided.
	checked, kept int
	ruleResults
}

// checkRules runs `magus rules check` and returns the exit status.
func checkRules(ctx context.Context, w *World, o *options.Options, f ruleFlags, names []string) (int, error) {
	ctx, cancel := job.Budget(ctx, w.Host, o.Timeout, o.MemoryLimit)
	defer cancel()
	w.reads(append(databaseFiles(o.CompileCommands), names...)...)
	w.forced(o)
	outputs := w.ruleOutputs(o)
	known, err := w.readBaseline(o)
	if err = errors.Join(err, w.try(outputs...)); err != nil {
		return exitInput, errors.Join(err, w.writeMistake(o, err))
	}
	host, seen := w.Host, []string{}
	if f.since != "" {
		host.Seen = func(path string) {
			seen = append(seen, path)
			if w.Seen != nil {
				w.Seen(path)
			}
		}
	}
	r, err := job.StartRules(ctx, host, o, names)
	if err == nil {
		err = w.try(outputs...)
	}
	if err != nil {
		return exitInput, errors.Join(err, w.writeMistake(o, err))
	}
	passed, err := f.passOver(ctx, w, r, o, seen)
	if err != nil {
		return exitInput, err
	}
	if err := r.Cache(f.cache, f.undecided, func(text string) { fmt.Fprintln(w.Stderr, "magus: "+text) }); err != nil {
		return exitInput, err
	}
	c := &ruleCheck{world: w, o: o, rules: r, text: w.text(o), ruleResults: newRuleResults(r, known)}
	for i, q := range r.Questions {
		c.rows = append(c.rows, report.RuleCount{Rule: q.Rule.Name, Text: summaryOf(q.Rule.Name), Functions: len(q.Matters),
			PassedOver: passed[i]})
	}
	if err := c.check(ctx, cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))); err != nil {
		return exitInput, err
	}
	if f.cache != "" && o.Verbose {
		fmt.Fprintf(w.Stderr, "magus: %d of %s taken over from %s\n", c.kept, phrase.Plural(c.checked, "result"), f.cache)
	}
	return c.end(ctx)
}

// passOver leaves the roots that may have changed since a revision, and counts the others by question.
func (f *ruleFlags) passOver(ctx context.Context, w *World, r *job.Rules, o *options.Options,
	seen []string) ([]int, error) {
	if f.since == "" {
		return make([]int, len(r.Questions)), nil
	}
	if o.WriteBaseline {
		return nil, &options.UsageError{Message: "--write-baseline with --changed-since would leave out " +
			"what is known of other roots"}
	}
	changed, err := changedSince(ctx, w, f.since)
	if err != nil {
		return nil, err
	}
	if f.settings != "" {
		seen = append(seen, w.Dir.Absolute(f.settings))
	}
	passed, why, err := r.ChangedSince(ctx, changed.past(ctx), seen)
	if why != "" {
		fmt.Fprintf(w.Stderr, "magus: --changed-since %s: all roots are checked: %s\n", f.since, why)
	}
	return passed, err
}

// check checks all rules, some roots at a time.
func (c *ruleCheck) check(ctx context.Context, jobs int) error {
	var p *suiteProgress
	if !c.o.Quiet && !c.o.JSON {
		p = newProgress(c.world, c.rules.Roots(), jobs)
	}
	defer p.end()
	return c.rules.All(ctx, jobs, p, func(root *job.RuleRoot) error {
		row := &c.rows[root.Question]
		if root.By != "" {
			row.Undecided++
			row.NotAlone = append(row.NotAlone, report.NotAlone{Root: root.Entry, By: root.By})
			return nil
		}
		if c.checked++; root.Result.Kept {
			c.kept++
		}
		row.Add(root.Result.Claim)
		c.faults = append(c.faults, root.Result.Faults...)
		p.print(func() { c.found(root.Entry, root.Result.Claim) })
		return nil
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
	return ruleCommand(w, "explain", "Say what a rule asks for, from which manual it is, with an example",
		rulebook.Entry.Help)
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
					hint := phrase.Suggest(arg, names)
					if hint == "" {
						hint = "; magus rules list has them all"
					}
					return &usageError{"no rule " + arg + hint, "magus rules " + name}
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
