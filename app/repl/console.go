package repl

// What a shell prints, and how long a command may take.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"magus/cfa"
	"magus/engine/cegar"
)

// console is where the output of commands goes, and how they are shown.
type console struct {
	host      Host
	out       io.Writer // of the current command
	watch     Watch     // how far it is; nil if nobody is told
	prompting bool      // a person reads along
	echo      bool      // input is shown as it is executed
	limit     int       // of nodes drawn without --all
	menu      string    // the command that takes a number of the list that was printed last; "" if there is none
	paged     bool      // output is collected, to be shown a screen at once
	unseen    []string  // the lines of a list that did not fit on the screen
}

// printf writes to the current command's output.
func (sh *console) printf(format string, args ...any) { fmt.Fprintf(sh.out, format, args...) }

// row writes a line of a table, without blanks at its end.
func (sh *console) row(format string, args ...any) {
	fmt.Fprintln(sh.out, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

// withoutPrompt is an error without its place where that is at a prompt.
func withoutPrompt(err error) error {
	var s *syntaxError
	if errors.As(err, &s) && s.pos.file == "" {
		return errors.New(s.msg)
	}
	return err
}

// complain prints an error; places at the prompt are not shown.
func (sh *console) complain(err error) {
	text := withoutPrompt(err).Error()
	var sources cfa.Errors
	if errors.As(err, &sources) {
		text = strings.Replace(text, sources.Error(), sources.WithLines(), 1)
	}
	if !strings.Contains(text, "\n") {
		text = sh.host.Text.Wrapped(text, 0)
	}
	fmt.Fprintln(sh.host.Err, text)
}

// interruptible runs f with a context that ends when the user interrupts. If it
// ended, the error is why.
func (sh *console) interruptible(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := sh.host.Interrupt(func() { cancel(ErrInterrupted) })
	defer cancel(nil)
	defer stop()
	err := f(ctx)
	if ended := ctx.Err(); ended != nil && errors.Is(err, ended) {
		return context.Cause(ctx)
	}
	return err
}

// toRead is the time in seconds that reading files and beginning with a claim may take beyond a claim's
// limit, so that the shortest limit leaves a session that ends as unknown.
const toRead = 1

// timed calls f, which reads files or begins with a claim, with the time that a claim has.
func (sh *console) timed(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := sh.host.Within(ctx, -toRead)
	defer cancel()
	err := f(ctx)
	if ended := ctx.Err(); ended != nil && errors.Is(err, ended) {
		return context.Cause(ctx)
	}
	return err
}

// watched begins the line that tells how far a command is, unless one is there
// already, and gives what ends it.
func (sh *console) watched() (end func()) {
	if sh.host.Watch == nil || sh.watch != nil {
		return func() {}
	}
	w := sh.host.Watch()
	sh.watch = w
	return func() {
		sh.watch = nil
		w.End()
	}
}

// erase makes room for what is printed.
func (sh *console) erase() {
	if sh.watch != nil {
		sh.watch.Erase()
	}
}

// say tells which phase comes, and how large everything is.
func (sh *console) say(v cegar.View) {
	if sh.watch != nil {
		sh.watch.Say(progress(v))
	}
}
