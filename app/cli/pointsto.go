package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"magus"
	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/cfa"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/internal/phrase"
	"magus/smt/expr"

	"github.com/spf13/cobra"
)

const pointsToLong = `Pointsto prints what the pointers of a component may point to. The component is
a procedure with everything that it calls, each call with a copy of its own.
Loads, stores and calls through pointers are expanded to these sets in a check.
They hold for all runs together, whatever the order of statements. NULL is in
none of them.

Objects are named as in C. malloc@12:5#1 is the first object that the call in
line 12, column 5 gives out, "unknown" memory that nothing describes.

Exit status: 0, or 2 wrong usage or input, 3 if the component has something in
it that is not modelled, 70 an internal error.`

const pointsToExample = `  magus pointsto list.c
  magus pointsto --component worker --to dot driver.c`

// newPointsTo is the command `magus pointsto`.
func newPointsTo(w *World, status *int) *cobra.Command {
	s := w.Settings(options.PointsTo)
	component, form := "main", "text"
	c := &cobra.Command{
		Use:                   "pointsto [flags] FILE.c...",
		Short:                 "Print what the pointers of a component may point to",
		Long:                  pointsToLong,
		Example:               pointsToExample,
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			ctx, cancel := job.Budget(c.Context(), w.Host, s.Options.Timeout, s.Options.MemoryLimit)
			defer cancel()
			auto, err := automaton(ctx, w, s.Options, component, args)
			if why, ok := magus.Undecided(ctx, err); ok {
				*status = exitUnknown
				_, err = fmt.Fprintf(w.Stdout, "unknown: %v\n", why)
			}
			if err != nil || auto == nil {
				return err
			}
			text := auto.PointsToText()
			if form == "dot" {
				text = auto.PointsToDot()
			}
			_, err = io.WriteString(w.Stdout, text)
			return err
		},
		ValidArgsFunction: completeSources,
	}
	fs := c.Flags()
	fs.StringVar(&component, "component", component, "the procedure `NAME` with what it calls")
	fs.Var(options.NewValue(options.Choice, &form, "text", "dot"), "to", "form of the output")
	addFlags(c, s)
	return c
}

// automaton makes the automaton of one component, with its pointers.
func automaton(ctx context.Context, w *World, o *options.Options, component string, names []string) (*cfa.CFA, error) {
	if len(names) == 0 && o.CompileCommands == "" {
		return nil, &usageError{"no C file given", "magus pointsto"}
	}
	p, err := input.Read(w.Dir, o.Reading(), names)
	if err != nil {
		return nil, err
	}
	if len(p.Specs) > 0 {
		return nil, &usageError{p.Specs[0].Name + ": a specification says nothing about pointers", "magus pointsto"}
	}
	prog, err := source.Parse(ctx, p.C, p.Options)
	if err != nil {
		return nil, job.Mistake(ctx, err)
	}
	if !prog.HasBody(component) {
		procs := prog.Procedures()
		slices.Sort(procs)
		return nil, input.Errorf("magus: no procedure %s with a body%s", component,
			phrase.Choose(component, procs, "--component"))
	}
	return lower.Lower(ctx, prog, component, expr.NewPool(), lower.Options{
		InitGlobals: component == "main", Pointers: true,
		Modelling: cfa.Modelling{ArrayLimit: o.ArrayLimit, HeapLimit: o.HeapLimit}})
}
