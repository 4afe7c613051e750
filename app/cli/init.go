package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"magus/app/findings"
	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/app/outfile"
	"magus/app/project"
	"magus/internal/phrase"
)

const initLong = `Init is the first step where there is no specification.

Of one C file, or of the C files in a folder, it writes a specification to begin with:
FILE.spec beside the file, with the functions that it calls and nobody defines as events,
and a claim about each function that nothing calls. Where a folder has none itself, those
of the folders below are taken. Which ones is said.

Otherwise it prepares a project for magus rules check, in its top folder: it finds out how its
files are compiled, proposes the rules that are about what they call, and writes
magus.toml, a workflow for GitHub, and a first baseline with what is found now.

How files are compiled is said by compile_commands.json, here or in a build folder. Where
there is none, a Makefile says it: make is run with --dry-run --always-make, which
prints commands instead of running them, but for what stands in $(shell ...), in lines with
+, and in rules for the Makefile itself. What it prints is kept in magus-commands.json.
With files, or with -p, make is not run.

Nothing that is there is replaced, but with --force.

Exit status: 0 all is written, 2 wrong usage or input, or something is not written,
3 interrupted, 70 an internal error.`

// Names of the files besides magus.toml.
const (
	initCommands = "magus-commands.json"
	initBaseline = "magus-baseline.txt"
	initWorkflow = ".github/workflows/magus.yml"
)

// newInit is the command `magus init`.
func newInit(w *World, status *int) *cobra.Command {
	s := w.Settings(options.Rules)
	f := &initFlags{options: s.Options}
	c := &cobra.Command{
		Use:   "init [flags] [FILE.c|DIR] | [FILE.c...] [FILE.spec...]",
		Short: "Write a first specification of a C file, or prepare a project for checks of rules",
		Long:  initLong,
		Example: "  magus init lock.c\n  magus init\n  magus init --dry-run\n  magus init -p build\n" +
			"  magus init -I include src/*.c",
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeSources,
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			*status, err = f.run(c.Context(), w, args)
			return asUsage(err, "magus init")
		},
	}
	c.Flags().SortFlags = false
	for _, name := range []string{"compile-commands", "output", "include", "define", "undefine", "rule", "force"} {
		addFlag(c, s, name)
	}
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "print what would be written, and write nothing")
	c.Flags().BoolVar(&f.project, "project", false, "prepare a project also where one file or folder is named")
	c.Flags().BoolVar(&f.noCheck, "no-check", false, "do not look for findings: the baseline is empty")
	c.Flags().BoolVar(&f.noWorkflow, "no-workflow", false, "write no workflow")
	return c
}

// initFlags are the flags of `magus init`.
type initFlags struct {
	options                     *options.Options
	dryRun, noCheck, noWorkflow bool
	project                     bool // a project in spite of one file
}

// An initial file is one that is written.
type initialFile struct {
	name string
	text string
}

// run runs `magus init` and returns the exit status.
func (f *initFlags) run(ctx context.Context, w *World, args []string) (int, error) {
	ctx, cancel := job.Budget(ctx, w.Host, 0, 0) // an interruption is called one
	defer cancel()
	w.forced(f.options)
	if !f.project && f.isAboutOne(w, args) {
		if err := f.specify(ctx, w, args[0]); err != nil {
			return w.stopped(ctx, err)
		}
		return exitConforms, nil
	}
	if err := f.mayWrite(w); err != nil {
		return exitInput, err
	}
	w.reads(args...)
	p, err := f.compiled(ctx, w, args)
	if err == nil {
		err = f.propose(ctx, w, p)
	}
	if err != nil {
		return w.stopped(ctx, err)
	}
	files := f.files(w, p)
	if f.dryRun {
		return exitConforms, show(w, files)
	}
	if err := write(w, files); err != nil {
		return exitInput, err
	}
	if f.noCheck {
		return exitConforms, w.told(w.writeInitial(initBaseline, emptyBaseline(w)), "written: "+initBaseline+", empty")
	}
	return f.check(ctx, w)
}

// mayWrite is an error if something is there that would be written, or links that would lead elsewhere.
func (f *initFlags) mayWrite(w *World) error {
	if f.dryRun {
		return nil
	}
	var there []string
	for _, name := range []string{project.Name, initCommands, initBaseline, initWorkflow} {
		if name == initWorkflow && f.noWorkflow {
			continue
		}
		for part := name; part != "."; part = filepath.Dir(part) {
			if info, err := os.Lstat(w.Dir.Absolute(part)); err == nil && info.Mode()&os.ModeSymlink != 0 {
				return input.Errorf("nothing is written: %s is a symbolic link, and nothing is written through one", part)
			}
		}
		if isThere(w.Dir.Absolute(name)) {
			there = append(there, name)
		}
	}
	if len(there) == 0 || f.options.Force {
		return nil
	}
	return input.Errorf("nothing is written: there is %s; --force replaces what is there", phrase.Few(there, len(there)))
}

// files are those that are written before the check, in their order.
func (f *initFlags) files(w *World, p *initial) []initialFile {
	var all []initialFile
	if p.commands != nil {
		all = append(all, initialFile{initCommands, string(p.commands)})
	}
	all = append(all, initialFile{project.Name, project.Text(p.Proposal)})
	if f.noWorkflow {
		return all
	}
	exists := func(name string) bool { return isFile(w.Dir.Absolute(name)) }
	steps := ""
	if !p.Made && p.CompileCommands != "" {
		steps = project.Steps(exists("CMakeLists.txt"), exists("meson.build"), p.CompileCommands)
	}
	return append(all, initialFile{initWorkflow, project.Workflow(steps)})
}

// show prints what would be written.
func show(w *World, files []initialFile) error {
	var b strings.Builder
	for _, file := range files {
		fmt.Fprintf(&b, "\n---- %s\n%s", file.name, file.text)
	}
	fmt.Fprintf(&b, "\n---- %s\n(what is found now: a dry run does not look)\n", initBaseline)
	_, err := io.WriteString(w.Stdout, b.String())
	return err
}

// write writes files, and their folders.
func write(w *World, files []initialFile) error {
	var names []string
	for _, file := range files {
		if err := w.writeInitial(file.name, file.text); err != nil {
			return err
		}
		names = append(names, file.name)
	}
	if err := w.told(nil, "written: "+strings.Join(names, ", ")); err != nil || !slices.Contains(names, initWorkflow) {
		return err
	}
	return w.told(nil, "to be done: "+initWorkflow+
		" has OWNER and VERSION in the place of where magus is kept, and fails until they are replaced")
}

// writeInitial writes one file.
func (w *World) writeInitial(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(w.Dir.Path(name)), 0o777); err != nil {
		return input.Named(name, err)
	}
	return w.run.Write(outfile.Name{Flag: name, Text: name, Path: w.Dir.Absolute(name)}, func(out io.Writer) error {
		_, err := io.WriteString(out, text)
		return err
	})
}

// told prints a line if there is no error.
func (w *World) told(err error, line string) error {
	if err != nil {
		return err
	}
	_, err = io.WriteString(w.Stdout, line+"\n")
	return err
}

// emptyBaseline is one without findings.
func emptyBaseline(w *World) string {
	dir := w.Dir.Absolute(".")
	return findings.New(findings.NewBaseline(initBaseline, dir, dir), findings.NewAllowances()).Baseline()
}

// check writes the baseline: it does what magus rules check will do from now on.
func (f *initFlags) check(ctx context.Context, w *World) (int, error) {
	force := w.run.Force
	w.see(outfile.New()) // it reads what was written
	w.run.Force = force
	s := w.Settings(options.Rules)
	args, _, err := w.projectSettings(s, nil, keysOf(&pflag.FlagSet{}))
	if err != nil {
		return exitInput, err
	}
	s.Options.WriteBaseline, s.Options.Quiet, s.Options.Force = true, true, f.options.Force
	status, err := checkRules(ctx, w, s.Options, ruleFlags{}, args)
	if err != nil || status == exitFault {
		return status, err
	}
	return exitConforms, w.told(nil,
		"magus rules check tells from now on what is new; with --baseline= all, with their runs")
}
