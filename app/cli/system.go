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

	"magus/app/input"
	"magus/app/repl"
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
		c.Dir = string(w.Dir)
		if w.Interactive {
			c.Stdin = w.Stdin
		}
		return w.finished(ctx, "!"+line, runs(ctx, c, out, w.Stderr))
	}
}

// runs executes a command, and copies what it writes, with what it leaves in the background, until
// all of these have ended. Behind an interrupt nobody waits for those that do not mind it.
func runs(ctx context.Context, c *exec.Cmd, out, errs io.Writer) error {
	first, err := newTap(out)
	if err != nil {
		return err
	}
	second, err := newTap(errs)
	if err != nil {
		first.end(ctx)
		return err
	}
	c.Stdout, c.Stderr = first.in, second.in
	if err = c.Start(); err == nil {
		_, _ = first.in.Close(), second.in.Close()
		err = c.Wait()
	}
	first.end(ctx)
	second.end(ctx)
	return err
}

// A tap copies what is written to a pipe.
type tap struct {
	in, out *os.File
	done    chan struct{} // closed when all that wrote have ended
}

func newTap(to io.Writer) (*tap, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	t := &tap{in, out, make(chan struct{})}
	go func() {
		_, _ = io.Copy(to, out)
		close(t.done)
	}()
	return t, nil
}

// end waits for all that write, or until a little after an interrupt.
func (t *tap) end(ctx context.Context) {
	_ = t.in.Close()
	select {
	case <-t.done:
	case <-ctx.Done():
		select {
		case <-t.done:
		case <-time.After(interruptLate):
		}
	}
	_ = t.out.Close()
	<-t.done
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

// height is how many rows the screen has, for who types there.
func (w *World) height() func() int {
	if !w.Interactive || !w.OnScreen {
		return nil
	}
	return func() int { return repl.ScreenHeight(os.Stdout.Fd()) }
}

// isInterrupted reports whether a process was ended by an interrupt.
func isInterrupted(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.String() == "signal: "+os.Interrupt.String()
}
