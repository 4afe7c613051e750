package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"magus"
	"magus/app/input"
	"magus/app/job"
	"magus/cfa"
	"magus/lts"
	"magus/param/syntax"
	"magus/specs"
)

// Exit statuses. A claim that is violated outweighs one that is unknown.
const (
	exitConforms = 0
	exitViolates = 1
	exitInput    = 2 // wrong usage or input
	exitUnknown  = 3
	exitFault    = 70 // of our own; EX_SOFTWARE of sysexits.h
)

// statusOf is the exit status of a verdict.
func statusOf(verdict string) int {
	switch verdict {
	case magus.Conforms.String():
		return exitConforms
	case magus.Violates.String():
		return exitViolates
	}
	return exitUnknown
}

// A usageError is a command line that makes no sense; the reader is pointed
// to the command's help.
type usageError struct{ msg, command string }

func (e *usageError) Error() string { return e.msg }

// undecided prints to standard error why a command that gives no verdict has no
// answer, if err is a reason for that; the error is any other one.
func (w *World) undecided(ctx context.Context, err error, status *int) error {
	why, ok := magus.Undecided(ctx, err)
	if !ok {
		return job.Mistake(ctx, err)
	}
	*status = exitUnknown
	_, err = fmt.Fprintf(w.Stderr, "unknown: %v\n", why)
	return err
}

// stopped is the exit status of a command that writes files and has an error: where its context has ended, that is told
// in place of the error.
func (w *World) stopped(ctx context.Context, err error) (int, error) {
	if ctx.Err() == nil {
		return exitInput, err
	}
	_, err = fmt.Fprintf(w.Stderr, "magus: %v\n", context.Cause(ctx))
	return exitUnknown, err
}

// complain prints an error and returns the exit status it stands for.
func complain(w *World, err error) int {
	var usage *usageError
	var mistake *input.Error
	var internal *cfa.InternalError
	var sources cfa.Errors
	switch {
	case errors.As(err, &internal):
		return fault(w, internal.Error(), internal.Stack)
	case errors.As(err, &usage):
		fmt.Fprintf(w.Stderr, "%s: %s\nRun '%s --help' for usage.\n", usage.command, usage.msg, usage.command)
	case errors.As(err, &sources):
		fmt.Fprintln(w.Stderr, sources.WithLines())
	case errors.As(err, &mistake), placed(err):
		fmt.Fprintln(w.Stderr, err)
	default:
		fmt.Fprintf(w.Stderr, "magus: %v\n", err)
	}
	return exitInput
}

// placed reports whether the message of an error begins with the place of what is
// wrong.
func placed(err error) bool {
	var claim *magus.InputError
	var c cfa.Errors
	var spec specs.ErrorList
	var condition *specs.Error
	var read *lts.SyntaxError
	var model *syntax.Error
	switch {
	case errors.As(err, &claim):
		return claim.Pos.IsValid()
	case errors.As(err, &c):
		return len(c) > 0 && c[0].Pos.IsValid()
	case errors.As(err, &condition):
		return condition.Pos.IsValid()
	}
	return errors.As(err, &spec) || errors.As(err, &read) || errors.As(err, &model)
}

// fault reports a bug of ours, in one line unless the stack is asked for.
func fault(w *World, what, stack string) int {
	what = "internal error: " + strings.TrimPrefix(what, "internal error ")
	fmt.Fprintf(w.Stderr, "magus: %s; please report this, with the input\n", what)
	if w.Env(debugVariable) != "" {
		fmt.Fprintln(w.Stderr, stack)
	} else {
		fmt.Fprintf(w.Stderr, "Set %s=1 to see where it happened.\n", debugVariable)
	}
	return exitFault
}

// debugVariable is the environment variable that asks for stacks.
const debugVariable = "MAGUS_DEBUG"
