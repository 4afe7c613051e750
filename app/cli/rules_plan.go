package cli

// A check of rules as jobs for an engine that builds.
//
// Idea: one check is divided into parts (package job, rules_parts.go), each a command of its own, and a last
// command that takes over what they have left in a folder, checks what is missing, and tells. What these are
// is written as a build file for ninja, or as a list in JSON for any other engine. A part that is done leaves
// a file that is named by the digest of all that its results rest on, so that an engine which was killed goes
// on, and another program, another option or another magus makes other parts. The file is only for the
// engine: the last command trusts nothing but the records.
//
// Source: E. Martin, "ninja" (The Performance of Open Source Applications, 2013); the manual of ninja for its form.
//
// Cost: the project is read once for the plan, once for each part, and once at the end.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"magus"
	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/internal/phrase"
)

const rulesPlanLong = `Plan writes what magus rules check does as jobs for an engine that builds: parts of the
roots, which can run at the same time and on several machines that share a folder, and
the check that takes over what they have left and tells the results.

The file is for ninja; with --json the jobs are listed for another engine. A part that
was killed is begun again and goes on behind what it has left. What was left by another
version of magus, or was damaged, is checked again.`

const rulesPlanExample = `  magus rules plan -p build -o rules.ninja && ninja -f rules.ninja
  magus rules plan -p build --parts 200 --json`

// defaultPlanCache is the folder of results of a plan that names none.
const defaultPlanCache = ".magus-rules"

// newRulesPlan is the command `magus rules plan`.
func newRulesPlan(w *World, status *int) *cobra.Command {
	s := w.Settings(options.Rules)
	p := planFlags{cache: defaultPlanCache}
	c := &cobra.Command{
		Use:                   "plan [flags] [FILE.c...] [FILE.spec...]",
		Short:                 "Write a check as jobs for an engine that builds",
		Long:                  rulesPlanLong,
		Example:               rulesPlanExample,
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeSources,
		RunE: func(c *cobra.Command, args []string) error {
			args, _, err := w.projectSettings(s, args, keysOf(c.Flags()))
			if err == nil {
				*status, err = p.run(c.Context(), w, s, args)
			}
			return asUsage(err, "magus rules plan")
		},
	}
	addFlags(c, s)
	c.Flags().StringVarP(&p.file, "build-file", "o", "", "write the jobs to `FILE`: for ninja, with --json as a list")
	c.Flags().StringVar(&p.cache, "cache", defaultPlanCache, "the jobs leave their results in folder `DIR`")
	c.Flags().Var(options.NewValue(options.Count, &p.parts), "parts",
		"make N parts (default: one for each 50 roots, at most 64)")
	return c
}

// planFlags are the flags of `magus rules plan`.
type planFlags struct {
	file, cache string
	parts       int
}

// A rulePlan is a check as jobs.
type rulePlan struct {
	Schema string     `json:"schema"`
	Inputs []string   `json:"inputs"` // files that are read
	Parts  []planPart `json:"parts"`
	Check  []string   `json:"check"` // the command when all parts are done
}

// A planPart is a job: a command that makes a file when it is done.
type planPart struct {
	Done    string   `json:"done"`
	Command []string `json:"command"`
}

// planSchema names the form of the list.
const planSchema = "magus-rules-plan-1"

func (f *planFlags) run(ctx context.Context, w *World, s *options.Settings, names []string) (int, error) {
	o := s.Options
	if f.file == "" && !o.JSON {
		return exitInput, &options.UsageError{Message: "where to? -o FILE writes for ninja, --json prints a list"}
	}
	ctx, cancel := job.Budget(ctx, w.Host, 0, o.MemoryLimit) // the limit of time is the check's
	defer cancel()
	w.reads(append(databaseFiles(o.CompileCommands), names...)...)
	w.forced(o)
	out := w.named("--build-file", f.file)
	if err := w.try(out); err != nil {
		return exitInput, err
	}
	r, err := job.StartRules(ctx, w.Host, o, names)
	if err == nil {
		err = errors.Join(undecidedPlan(r), r.Cache(f.cache, true, func(string) {}))
	}
	if err == nil {
		err = w.try(out)
	}
	if err != nil {
		return w.stopped(ctx, err)
	}
	if r.Identity() == "" {
		return exitInput, &options.UsageError{Message: "jobs have no results to share with another --solver " +
			"than the embedded one"}
	}
	p, err := f.plan(r, s, names)
	if err != nil {
		return exitInput, err
	}
	if o.JSON && f.file == "" {
		return exitConforms, p.list(w.Stdout)
	}
	return exitConforms, w.writeNamed("--build-file", f.file, func(out io.Writer) error {
		if o.JSON {
			return p.list(out)
		}
		_, err := io.WriteString(out, p.ninja())
		return err
	})
}

// undecidedPlan is the error of a program that is not modelled: there is nothing to plan.
func undecidedPlan(r *job.Rules) error {
	if doc := r.Report(); doc.Reason != "" {
		return input.Errorf("%s", doc.Reason)
	}
	return nil
}

// plan is the check as jobs. What a check writes for others is the last command's.
func (f *planFlags) plan(r *job.Rules, s *options.Settings, names []string) (*rulePlan, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	all, each := []string{"--cache=" + f.cache, "--keep-undecided"}, []string{"--cache=" + f.cache}
	for _, a := range s.Assigned() {
		flag := "--" + a[0] + "=" + a[1]
		if a[0] == "json" || a[0] == "settings" { // what the settings say is said in the commands
			continue
		}
		all = append(all, flag)
		if !slices.Contains([]string{"sarif", "junit", "report", "baseline", "write-baseline", "verbose",
			"quiet", "timeout", "force", "stats"}, a[0]) {
			each = append(each, flag)
		}
	}
	p := &rulePlan{Schema: planSchema, Inputs: []string{}, Parts: []planPart{}}
	for _, t := range r.Question().Read() {
		p.Inputs = append(p.Inputs, t.Path)
	}
	n := f.parts
	if n == 0 {
		n = min((r.Apart()+49)/50, 64)
	}
	n = min(n, r.Apart())
	for i := range n {
		part := fmt.Sprintf("%d/%d", i+1, n)
		done := path.Join(f.cache, fmt.Sprintf("%s-%d-%d.done", r.Identity()[:24], i+1, n))
		command := slices.Concat([]string{program, "rules", "job", "--part=" + part, "--done=" + done}, each, names)
		p.Parts = append(p.Parts, planPart{done, command})
	}
	p.Check = slices.Concat([]string{program, "rules", "check"}, all, names)
	return p, nil
}

// list writes the plan as a list.
func (p *rulePlan) list(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(p)
}

// ninja is the plan as a build file.
func (p *rulePlan) ninja() string {
	var b strings.Builder
	b.WriteString("# Written by magus rules plan\nninja_required_version = 1.3\n\n" +
		"rule part\n  command = $run\n  description = part $part\n\n" +
		"rule check\n  command = $run\n  description = rules\n  pool = console\n\n")
	fmt.Fprintf(&b, "build sources: phony %s\n", ninjaPaths(p.Inputs))
	var done []string
	for i, part := range p.Parts {
		done = append(done, part.Done)
		fmt.Fprintf(&b, "\nbuild %s: part | sources\n  run = %s\n  part = %d/%d\n", ninjaPaths([]string{part.Done}),
			ninjaCommand(part.Command), i+1, len(p.Parts))
	}
	fmt.Fprintf(&b, "\nbuild rules: check | sources %s\n  run = %s\n\ndefault rules\n", ninjaPaths(done),
		ninjaCommand(p.Check))
	return b.String()
}

// ninjaPaths are files as ninja reads them.
func ninjaPaths(names []string) string {
	var all []string
	for _, name := range names {
		all = append(all, strings.NewReplacer("$", "$$", " ", "$ ", ":", "$:").Replace(name))
	}
	return strings.Join(all, " ")
}

// ninjaCommand is a command as ninja reads it and gives it to a shell.
func ninjaCommand(words []string) string {
	var all []string
	for _, word := range words {
		if word == "" || strings.ContainsAny(word, " \t\n'\"\\$`*?[]{}()<>|&;#~!") {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		all = append(all, strings.ReplaceAll(word, "$", "$$"))
	}
	return strings.Join(all, " ")
}

const rulesJobLong = `Job checks a part of the roots of magus rules check and leaves what came out in a folder, for
the check as a whole. Jobs are what magus rules plan writes; they can run at the same time.

Exit status: 0 the part is done, whatever came out, 2 wrong usage or input, 3 it is not done.`

// newRulesJob is the command `magus rules job`.
func newRulesJob(w *World, status *int) *cobra.Command {
	s := w.Settings(options.Rules)
	var f jobFlags
	c := &cobra.Command{
		Use:                   "job [flags] [FILE.c...] [FILE.spec...]",
		Short:                 "Check a part of the roots for a check as a whole",
		Long:                  rulesJobLong,
		Example:               "  magus rules job --part 3/40 --cache .magus-rules --done part3 -p build",
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeSources,
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			*status, err = f.run(c.Context(), w, s.Options, args)
			return asUsage(err, "magus rules job")
		},
	}
	addFlags(c, s)
	c.Flags().StringVar(&f.part, "part", "", "check part `i/n` of the roots")
	c.Flags().StringVar(&f.cache, "cache", "", "leave what came out in folder `DIR`, and take over what is there")
	c.Flags().StringVar(&f.done, "done", "", "make `FILE` when the part is done")
	return c
}

// jobFlags are the flags of `magus rules job`.
type jobFlags struct{ part, cache, done string }

func (f *jobFlags) run(ctx context.Context, w *World, o *options.Options, names []string) (int, error) {
	i, n, err := parsePart(f.part)
	if err == nil && f.cache == "" {
		err = &options.UsageError{Message: "a part leaves its results for others: name the folder by --cache"}
	}
	if err == nil && (o.SARIF != "" || o.JUnit != "" || w.rulesPage(o) != "" || o.WriteBaseline) {
		err = &options.UsageError{Message: "a part writes no reports and no baseline: the check as a whole does"}
	}
	if err != nil {
		return exitInput, err
	}
	ctx, cancel := job.Budget(ctx, w.Host, o.Timeout, o.MemoryLimit)
	defer cancel()
	w.reads(append(databaseFiles(o.CompileCommands), names...)...)
	w.forced(o)
	if err := f.tryDone(w); err != nil {
		return exitInput, err
	}
	r, err := job.StartRules(ctx, w.Host, o, names)
	if err == nil {
		err = errors.Join(f.tryDone(w), undecidedPlan(r),
			r.Cache(f.cache, true, func(text string) { fmt.Fprintln(w.Stderr, "magus: "+text) }))
	}
	if err != nil {
		return w.stopped(ctx, err)
	}
	r.Part(i, n)
	count := map[string]int{}
	var none *suiteProgress
	err = r.All(ctx, 1, none, func(root *job.RuleRoot) error {
		if count["roots"]++; root.By == "" {
			count[root.Result.Claim.Verdict]++
		}
		if root.Result.Kept {
			count["kept"]++
		}
		for _, fault := range root.Result.Faults {
			fmt.Fprintln(w.Stderr, "magus: "+fault.Error())
		}
		return nil
	})
	fmt.Fprintf(w.Stdout, "part %d of %d: %s, %d taken over: %d conform, %d violate\n", i, n,
		phrase.Plural(count["roots"], "result"),
		count["kept"], count[magus.Conforms.String()], count[magus.Violates.String()])
	switch {
	case err != nil:
		return exitInput, err
	case ctx.Err() != nil:
		return exitUnknown, nil
	case f.done == "":
		return exitConforms, nil
	}
	return exitConforms, w.writeFile("--done", f.done, func(out io.Writer) error {
		_, err := io.WriteString(out, "magus rules job: done\n")
		return err
	})
}

// tryDone looks whether it can be written that the part is done. A plan names a file in the folder of results, which
// the first job makes.
func (f *jobFlags) tryDone(w *World) error {
	if f.done == "" {
		return nil
	}
	if folder := w.Dir.Path(f.cache); filepath.Dir(w.Dir.Path(f.done)) == filepath.Clean(folder) {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return input.Named(f.cache, err)
		}
	}
	return w.try(w.named("--done", f.done))
}

// parsePart reads "i/n".
func parsePart(text string) (i, n int, err error) {
	first, second, ok := strings.Cut(text, "/")
	i, wrong := strconv.Atoi(first)
	n, wrong2 := strconv.Atoi(second)
	if !ok || wrong != nil || wrong2 != nil || i < 1 || i > n {
		return 0, 0, &options.UsageError{Message: "which part? --part i/n, with i from 1 to n"}
	}
	return i, n, nil
}
