package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"magus/internal/input"
	"magus/internal/repl"
)

// What the shell asks of the system besides reading and writing files.

// changeFolder makes another folder the one that names are relative to, and gives the
// names that files have from there.
func (w *World) changeFolder(name string, files []string) ([]string, error) {
	if !w.Dir.IsDir(name) {
		return nil, fmt.Errorf("%s: no such folder", name)
	}
	to := input.Dir(w.Dir.Absolute(name))
	var renamed []string
	for _, file := range files {
		renamed = append(renamed, to.Short(w.Dir.Absolute(file)))
	}
	w.Dir = to
	return renamed, nil
}

// executing is what lets the system execute commands of the shell, nil if that is not
// allowed.
func (w *World) executing() func(ctx context.Context, line string, out io.Writer) error {
	if !w.allowCommands {
		return nil
	}
	return func(ctx context.Context, line string, out io.Writer) error {
		c := exec.CommandContext(ctx, "/bin/sh", "-c", line)
		c.Dir, c.Stdout, c.Stderr = string(w.Dir), out, w.Stderr
		if w.Interactive {
			c.Stdin = w.Stdin
		}
		return w.finished(ctx, "!"+line, c.Run())
	}
}

// interruptLate is how much later than a process at the terminal this one may see an interrupt.
const interruptLate = time.Second

// finished is what is to be said about a process that has ended. An interrupt at the terminal goes to it and to us:
// where it came there first it is waited for here, for it is none of what comes next.
func (w *World) finished(ctx context.Context, what string, err error) error {
	if isInterrupted(err) {
		select {
		case <-ctx.Done():
		case <-time.After(interruptLate):
			return repl.ErrInterrupted
		}
	}
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %v", what, err)
	}
	return nil
}

// pager shows a text by the program that PAGER names, or else less; nil where no person
// reads.
func (w *World) pager() func(ctx context.Context, text string) error {
	if !w.Interactive {
		return nil
	}
	return func(ctx context.Context, text string) error {
		program := w.Env("PAGER")
		if program == "" {
			program = "less -R"
		}
		words := strings.Fields(program)
		if len(words) == 0 {
			return errors.New("PAGER names no program")
		}
		path, err := w.LookPath(words[0])
		if err != nil {
			_, err := io.WriteString(w.Stdout, text)
			return err
		}
		c := exec.CommandContext(ctx, path, words[1:]...)
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader(text), w.rawOut, os.Stderr
		return w.finished(ctx, program, c.Run())
	}
}

// isInterrupted reports whether a process was ended by an interrupt.
func isInterrupted(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.String() == "signal: "+os.Interrupt.String()
}
