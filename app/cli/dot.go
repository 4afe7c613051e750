package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"magus/app/draw"
	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/app/repl"
	"magus/internal/graph"
	"magus/internal/phrase"
)

const dotLong = `Dot prints a drawing as DOT text: the automaton of a component (cfa C), its
abstractions (mp C, ma C), the composition (product), what pointers may point to
(points C), a specification (spec [NAME]), the run that violates a claim (run), or who waits for whom
in a deadlock (waits). A run has a lane for each thread or component. Abstractions are drawn as they
are after the first check against the specification, or later: see --until and --run.`

// A dotCommand is the command `magus dot` with its flags.
type dotCommand struct {
	world     *World
	engine    *engine
	selection draw.Selection
	around    string
	open      []int
	layout    string
	until     string // the event after which abstractions are drawn
	toEnd     bool   // draw them as they are at the end
	claim     int    // from 1; 0 is 1
	output    string // file; "" for standard output
}

// newDot is the command `magus dot`.
func newDot(w *World, status *int) *cobra.Command {
	d := &dotCommand{world: w, engine: newEngine(w), until: "verify"}
	c := &cobra.Command{
		Use:   "dot [flags] OBJECT [NAME] FILE.c... [FILE.spec...]",
		Short: "Draw an automaton, an abstraction or a specification",
		Long:  dotLong,
		Example: "  magus dot cfa drain lock.c lock.spec > drain.dot\n  magus dot mp --run -o drain.svg lock.c lock.spec\n" +
			"  magus dot spec lock.c lock.spec\n  magus dot run -o run.svg threads.c\n" +
			"  magus dot waits --property no-deadlock -o waits.svg locks.c",
		DisableFlagsInUseLine: true,
		ValidArgsFunction: func(c *cobra.Command, args []string, last string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return repl.Objects(), cobra.ShellCompDirectiveNoFileComp
			}
			return completeSources(c, args, last)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{"which object? There are " + strings.Join(repl.Objects(), ", "), c.CommandPath()}
			}
			if !slices.Contains(repl.Objects(), args[0]) {
				return &usageError{"no object " + args[0] + cmp.Or(phrase.Suggest(args[0], repl.Objects()),
					"; there are "+strings.Join(repl.Objects(), ", ")), c.CommandPath()}
			}
			ctx, cancel := job.Budget(c.Context(), w.Host, 0, 0)
			defer cancel()
			*status = 0
			err := d.draw(ctx, args, d.toEnd || c.Flags().Changed("until"))
			var open *repl.UndecidedError
			if errors.As(err, &open) {
				*status = exitUnknown
				_, err = fmt.Fprintf(w.Stderr, "unknown: %v\n", open.Reason)
				return err
			}
			if err != nil {
				return w.undecided(ctx, err, status)
			}
			return nil
		},
	}
	fs := c.Flags()
	fs.StringVarP(&d.output, "output", "o", "", "write to `FILE`: .dot, .svg, or .png, .pdf by Graphviz")
	fs.StringVar(&d.layout, "layout", string(draw.Own), "who lays out SVG: own (magus), dot (Graphviz)")
	fs.BoolVar(&d.selection.All, "all", false, "fold nothing; a picture of more than 500 nodes is refused")
	fs.IntSliceVar(&d.open, "open", nil, "draw what is in a folded part: `N`, or N,M for part M in part N")
	fs.BoolVar(&d.selection.Unfold, "unfold", false,
		"draw each state for itself, instead of straight pieces and without states that only pass τ on")
	fs.Bool("collapse", true, "as it is without --unfold")
	fs.BoolVar(&d.selection.TraceOnly, "trace-only", false, "draw the counterexample only")
	fs.StringVar(&d.around, "around", "", "draw what is near a node: `NODE,DEPTH`")
	fs.StringVar(&d.until, "until", d.until, "draw abstractions as they are after this `EVENT`; see until in magus repl")
	fs.BoolVar(&d.toEnd, "run", false, "draw abstractions as they are at the end")
	fs.Var(options.NewValue(options.Count, &d.claim), "claim", "draw for claim number N")
	fs.SortFlags = false
	for _, r := range d.engine.settings.Rows() {
		if r.Name != "output" { // here that is where the drawing goes
			addFlag(c, d.engine.settings, r.Name)
		}
	}
	return c
}

// draw draws the object that the first arguments name, in the files that the others
// name; performed says that phases are performed whatever the object is.
func (d *dotCommand) draw(ctx context.Context, args []string, performed bool) error {
	if err := d.selects(); err != nil {
		return err
	}
	n := 1
	for n < len(args) && !isSource(args[n]) {
		n++
	}
	d.world.reads(args[n:]...)
	if o, ok := presumed(d.engine.settings.Options, args[n:]); ok && args[0] == "run" {
		d.engine.settings.Options = o
		d.world.tellPresumed(o)
	}
	d.world.forced(d.engine.settings.Options)
	if err := d.world.try(d.world.named("-o", d.output)); err != nil {
		return err
	}
	quiet := *d.world         // with the same run
	quiet.Stdout = io.Discard // what load says
	sh := repl.New(quiet.host(d.engine))
	defer sh.Close()
	if err := sh.Load(ctx, args[n:]); err != nil {
		return err
	}
	if err := d.world.try(); err != nil { // which files are read is known now
		return err
	}
	if d.claim > 1 {
		if err := sh.Claim(ctx, d.claim); err != nil {
			return err
		}
	}
	until := d.until
	if d.toEnd {
		until = ""
	}
	drawing, err := sh.Drawing(ctx, args[:n], until, performed, d.selection)
	if errors.Is(err, repl.ErrOneLevel) { // which speaks of the shell
		return input.Errorf("level two is off: there are no blocks; --action-abstraction on makes them")
	}
	var missing *repl.NotBuiltError
	if errors.As(err, &missing) && missing.Engine != "" {
		return input.Errorf("%s; --engine loop builds it", missing.Reason())
	}
	if err != nil {
		return err
	}
	return d.write(ctx, sh, drawing)
}

// selects says what of the object is drawn, and how.
func (d *dotCommand) selects() (err error) {
	if d.selection.Layout, err = draw.ParseLayout(d.layout); err != nil {
		return err
	}
	d.selection.Open = d.open
	if d.around != "" {
		node, depth, _ := strings.Cut(d.around, ",")
		d.selection.Around, err = draw.ParseAround(node, depth)
	}
	return err
}

// write writes a drawing where it is to go, as DOT if that is the standard output.
func (d *dotCommand) write(ctx context.Context, sh *repl.Shell, drawing *graph.Drawing) error {
	if d.output == "" {
		text, err := drawing.DOT(ctx)
		if err == nil {
			_, err = io.WriteString(d.world.data(), text)
		}
		return err
	}
	out, err := sh.Render(ctx, drawing, d.output, d.selection.Layout)
	if err != nil {
		return input.Errorf("%s", err)
	}
	return d.world.writeFile("-o", d.output, func(f io.Writer) error {
		_, err := f.Write(out)
		return err
	})
}

// isSource reports whether a file is C or a specification by its name.
func isSource(name string) bool {
	return input.KindOf(name) != input.Other
}
