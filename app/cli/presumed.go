package cli

// What is asked of C files that come without a specification and without a property.

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"magus"
	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
)

// presumed are the options of a check that asks for nothing: whether an assertion fails, from main.
// ok is false where something is asked.
func presumed(o *options.Options, names []string) (_ *options.Options, ok bool) {
	isC := func(name string) bool { return input.KindOf(name) == input.C }
	selects := o.Procedure != "" || o.Specification != "" || o.Relation != "traces" || o.Entry != "" ||
		len(o.Assume)+len(o.ErrorFunctions)+len(o.ErrorLabels) > 0 || o.Witness != "" || o.MemoryModel != "sc"
	if selects || job.Asks(o, names) || !slices.ContainsFunc(names, isC) {
		return o, false
	}
	asks := *o
	asks.Property = "unreach-call"
	return &asks, true
}

// unpresumed is the error of a check that asks for nothing, of a program without main.
func unpresumed(err error, names []string) error {
	var entry *magus.InputError
	if !errors.As(err, &entry) {
		return err
	}
	return &options.UsageError{Message: "nothing to check: give a .spec file, or --property unreach-call with --entry; " +
		"a program with main needs neither\n  magus init " + names[0] + " writes a first specification"}
}

// tellPresumed says what is checked.
func (w *World) tellPresumed(o *options.Options) {
	if o.Quiet || o.JSON {
		return
	}
	fmt.Fprintln(w.Stderr, "magus: no specification: checking that no assertion fails, "+
		"from main (--property unreach-call)")
}

// tellMore says what could be asked besides.
func (w *World) tellMore(o *options.Options, names []string) {
	if o.Quiet || o.JSON {
		return
	}
	files := strings.Join(names, " ")
	_, _ = io.WriteString(w.Stderr, // the world keeps the error
		"magus: more to ask:\n"+
			"  magus check --check-pointers --check-leaks "+files+"    pointers and memory\n"+
			"  magus rules check "+files+"    locks, files and memory are given back\n"+
			"  magus init "+files+"    a first specification of what it may do\n")
}
