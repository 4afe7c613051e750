package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"magus/app/job"
	"magus/app/repl"
	"magus/app/web"
)

const replLong = `Repl opens a shell in which a check is performed step by step. Everything can be
looked at, drawn and changed between two steps; help lists the commands. The
files, if any are named, are loaded first; flags are those of check, and set
changes them later.

On a terminal lines are edited with completion (tab) and a history (control-R
searches it); control-C stops the running command and keeps the session,
control-D leaves. On a pipe there are no prompts, unless --echo asks for them
together with each line that is read.

With --web the same session is shown in a browser too, until the shell is left: the
address is printed, with a token that a page has to know, and at a terminal it is
opened, unless --no-browser says not to. Only this machine can reach it, unless
--listen says another address.

Exit status: that of exit, or 1 if an expectation has failed, or 2 if a command
failed that was not typed at a terminal, or else 0.`

// newRepl is the command `magus repl`.
func newRepl(w *World, status *int) *cobra.Command {
	e := newEngine(w)
	echo, allow := false, false
	browser := &browsing{}
	c := &cobra.Command{
		Use:   "repl [flags] [FILE...]",
		Short: "Step through a check in a shell",
		Long:  replLong,
		Example: "  magus repl lock.c lock.spec\n  " +
			"magus repl --minimize greedy client.c server.c protocol.spec\n  magus repl --web lock.c lock.spec\n  " +
			"magus repl --web --example lock",
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeSources,
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			w.allowCommands = allow
			*status, err = w.repl(c.Context(), e, args, echo, browser)
			return err
		},
	}
	c.Flags().BoolVar(&echo, "echo", false, "on a pipe: show each line behind a prompt as it is executed")
	c.Flags().BoolVar(&allow, "allow-commands", false, "let the system execute what stands behind !")
	browser.flags(c.Flags())
	c.Flags().StringVar(&browser.example, "example", "",
		"load an example that comes along, with a tour in the browser: "+strings.Join(web.Examples(), ", "))
	addFlags(c, e.settings)
	return c
}

// repl opens a shell on the files, executes what is typed or piped, and returns the
// exit status.
func (w *World) repl(parent context.Context, e *engine, files []string, echo bool, b *browsing) (int, error) {
	ctx, cancel := job.Budget(parent, w.Host, 0, 0)
	defer cancel()
	w.run.Forcing = "set force true"
	if err := b.validate(files); err != nil {
		return 0, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	host := b.host(ctx, w.host(e), e)
	sh := repl.New(host)
	defer sh.Close()
	b.attach(sh)
	lines, mode := repl.Pipe(w.Stdin), repl.Mode{Echo: echo}
	if w.Interactive {
		var err error
		if lines, err = repl.Terminal(w.Stdin, w.rawOut, w.rawErr, w.history(),
			b.shared.Completing(sh.Complete)); err != nil {
			return 0, err
		}
		mode = repl.Mode{Prompt: true}
		fmt.Fprintf(w.Stdout, "magus %s; help lists the commands, exit leaves\n", version())
	}
	defer lines.Close()
	if err := b.start(w, lines, stop); err != nil {
		return 0, err
	}
	defer b.close()
	if files = b.files(files); len(files) > 0 {
		if err := b.alone(func() error { return sh.Load(ctx, files) }); err != nil {
			if !w.Interactive {
				status := 0
				err = w.undecided(ctx, err, &status)
				return status, err
			}
			fmt.Fprintln(w.Stderr, err)
		}
	}
	return b.status(sh.Interact(ctx, lines, mode)), nil
}

// history is the name of the file with the history of the shell, "" if there is
// to be none.
func (w *World) history() string {
	if name := w.Env("MAGUS_HISTORY"); name != "" {
		return regularOrNew(name)
	}
	state := w.Env("XDG_STATE_HOME")
	if state == "" && w.Env("HOME") != "" {
		state = filepath.Join(w.Env("HOME"), ".local", "state")
	}
	if state == "" || os.MkdirAll(filepath.Join(state, "magus"), 0o700) != nil {
		return ""
	}
	return regularOrNew(filepath.Join(state, "magus", "history"))
}

// regularOrNew is the name of a file that lines are read from and written to, "" if something else is there, which may
// never end.
func regularOrNew(name string) string {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return ""
	}
	return name
}
