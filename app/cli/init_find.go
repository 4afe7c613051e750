package cli

// How the files of a project are compiled, and which rules are about them.

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"magus/app/compdb"
	"magus/app/input"
	"magus/app/job"
	"magus/app/outfile"
	"magus/app/project"
	"magus/internal/phrase"
)

// initial is what a project begins with.
type initial struct {
	project.Proposal
	commands []byte // of a database that is still to be written; nil for none
}

// compiled finds out how the files of the project are compiled.
func (f *initFlags) compiled(ctx context.Context, w *World, args []string) (*initial, error) {
	o := f.options
	p := &initial{Proposal: project.Proposal{Files: args, Output: o.Output, Include: o.IncludeDirs, Define: o.Defines,
		Undefine: o.Undefs, CompileCommands: o.CompileCommands, Baseline: initBaseline}}
	isC := func(name string) bool { return input.KindOf(name) == input.C }
	if o.CompileCommands != "" || slices.ContainsFunc(args, isC) {
		return p, nil
	}
	switch found := w.databases(); {
	case len(found) > 1:
		_ = w.told(nil, "not used: "+strings.Join(found[1:], ", ")+"; -p takes another one")
		fallthrough
	case len(found) == 1:
		p.CompileCommands = filepath.Dir(found[0])
		return p, w.told(nil, "compile commands: "+found[0])
	}
	isMakefile := func(name string) bool { return isFile(w.Dir.Absolute(name)) }
	if !slices.ContainsFunc([]string{"GNUmakefile", "makefile", "Makefile"}, isMakefile) {
		return nil, input.Errorf("neither compile_commands.json here or in a build folder, nor a Makefile: "+
			"name the files, magus init src/*.c%s", w.howToExport())
	}
	err := p.fromMake(ctx, w)
	return p, err
}

// howToExport says how the project's build tool writes compile commands, "" if that is not known.
func (w *World) howToExport() string {
	for _, tool := range [][2]string{{"CMakeLists.txt", "cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"},
		{"meson.build", "meson setup build"}, {"configure", "./configure, then magus init"}} {
		if isFile(w.Dir.Absolute(tool[0])) {
			return "; here " + tool[1] + " makes what it needs"
		}
	}
	return ""
}

// databases are the compilation databases of the project, the likeliest one first.
func (w *World) databases() []string {
	var found []string
	for _, pattern := range []string{".", "build", "build*", "cmake-build*", "_build", "out"} {
		names, err := filepath.Glob(filepath.Join(w.Dir.Absolute("."), pattern, "compile_commands.json"))
		if err != nil {
			continue // a folder whose name is a pattern
		}
		for _, name := range names {
			if name = w.fromHere(name); name != "" && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	return found
}

// makeTime is how long make may take.
const makeTime = 2 * time.Minute

// fromMake takes the commands that make prints.
func (p *initial) fromMake(ctx context.Context, w *World) error {
	program, err := w.LookPath("make")
	if err != nil {
		return input.Errorf("there is a Makefile, and no make to read it: name the files, magus init src/*.c")
	}
	args := []string{"--dry-run", "--always-make", "--keep-going", "--print-directory"}
	_ = w.told(nil, "running make "+strings.Join(args, " ")) // the world keeps the error
	ctx, cancel := context.WithTimeout(ctx, makeTime)
	defer cancel()
	var out, messages bytes.Buffer
	c := exec.CommandContext(ctx, program, args...)
	c.Dir, c.Stdout, c.Stderr, c.WaitDelay = w.Dir.Absolute("."), &out, &messages, time.Second
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "MAKE") && !strings.HasPrefix(variable, "MFLAGS=") { // of a make around this
			c.Env = append(c.Env, variable)
		}
	}
	c.Env = append(c.Env, "LC_ALL=C")
	failed := c.Run()
	if ctx.Err() != nil {
		return input.Errorf("make has not come to its end: %v", ctx.Err())
	}
	return p.take(w, out.String(), messages.String(), failed)
}

// take takes the commands of what make has printed.
func (p *initial) take(w *World, out, messages string, failed error) error {
	all, passed := compdb.FromMake(out, w.Dir.Absolute("."), isFile)
	var notes []string
	if failed != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(messages), "\n")
		notes = append(notes, fmt.Sprintf("make ended with an error: %s", cmp.Or(first, failed.Error())))
	}
	for _, one := range passed {
		notes = append(notes, fmt.Sprintf("not taken of make: %s: %s", one.Why, one.Text))
	}
	all = slices.DeleteFunc(all, func(c compdb.Command) bool {
		path := c.File
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.Directory, path)
		}
		if !isFile(path) {
			notes = append(notes, fmt.Sprintf("not taken of make: %s is not there yet", w.Dir.Short(path)))
		}
		return !isFile(path)
	})
	for _, note := range notes {
		fmt.Fprintf(w.Stderr, "magus: %s\n", note)
	}
	if len(all) == 0 {
		return input.Errorf("make compiles no C file: name the files, magus init src/*.c")
	}
	p.commands = compdb.Text(all, w.Dir.Absolute("."))
	p.CompileCommands, p.Made = initCommands, true
	return w.told(nil, fmt.Sprintf("compile commands: %s, for %s", initCommands, phrase.Plural(len(all), "file")))
}

// propose reads the project and proposes rules.
func (f *initFlags) propose(ctx context.Context, w *World, p *initial) error {
	outer := w.run
	w.see(outfile.New()) // what is read is not in the way of what is written
	defer w.see(outer)
	o := *f.options
	o.CompileCommands, o.Settings = p.CompileCommands, ""
	host := w.Host
	if at := w.Dir.Absolute(initCommands); p.commands != nil {
		host.Overlay = func(path string) ([]byte, bool) { return p.commands, path == at }
	}
	r, err := job.StartRules(ctx, host, &o, p.Files)
	if err != nil {
		return err
	}
	if because := r.Report().Because; because.Reason != "" {
		return cmp.Or(context.Cause(ctx), w.told(nil, "rules cannot be proposed: "+reasonAt(because.Place, because.Reason)))
	}
	for _, q := range r.Questions {
		p.Rules = append(p.Rules, project.Rule{Name: q.Rule.Name, Text: summaryOf(q.Rule.Name), Functions: len(q.Matters)})
	}
	if len(p.Rules) == 0 {
		return w.told(nil, "no rule is about something that the program calls")
	}
	var b strings.Builder
	b.WriteString("rules:")
	for _, rule := range p.Rules {
		fmt.Fprintf(&b, "\n  %-22s %s", rule.Name, phrase.Plural(rule.Functions, "function"))
	}
	return w.told(nil, b.String())
}
