package cli

import (
	"cmp"
	"context"
	"io"

	"github.com/spf13/cobra"

	"magus/lts"
)

// convertFlags are the flags of `magus lts convert`.
type convertFlags struct {
	ltsFlags
	reachable, closure, determinize bool
}

// newLTSConvert is the command `magus lts convert`.
func newLTSConvert(w *World, status *int) *cobra.Command {
	f := &convertFlags{}
	c := f.ltsCommand(w, status, &cobra.Command{
		Use:   "convert [flags] FILE",
		Short: "Write an LTS in another form, hide or rename actions",
		Long: `Convert reads an LTS, changes it as --tau, --rename, --restrict, --hide and
--keep say, then as --reachable, --tau-closure and --determinize do, and writes
it as an Aldebaran file, in mCRL2's FSM form, as DOT, as a picture in SVG, as a
definition of a specification file, or as text with the names of states.`,
		Example: "  magus lts convert --tau i vasy_0_1.aut -o vasy.aut\n  " +
			"magus lts convert lock.spec:Lock -o lock.dot\n  magus lts convert abp.fsm -o abp.aut",
	}, arguments(1, 1), func(ctx context.Context, args []string) (int, error) {
		form, err := f.out.formOf(w, "magus lts convert")
		if err != nil {
			return 0, err
		}
		ms, err := f.change.load(ctx, w, args)
		if err != nil {
			return 0, err
		}
		m, err := f.operate(ctx, ms[0])
		if err != nil {
			return 0, err
		}
		return 0, f.out.write(ctx, w, form, m)
	})
	fs := c.Flags()
	fs.BoolVar(&f.reachable, "reachable", false, "leave out what cannot be reached")
	fs.BoolVar(&f.closure, "tau-closure", false, "make every step with any τ before and after it a transition")
	fs.BoolVar(&f.determinize, "determinize", false, "make it deterministic, without τ, with the same weak traces")
	f.registerOutput(c)
	f.registerBudgets(c, "there are more than N states when made deterministic")
	return c
}

// operate does what the flags of convert say to m.
func (f *convertFlags) operate(ctx context.Context, m *lts.LTS) (_ *lts.LTS, err error) {
	if f.reachable {
		m = lts.Reachable(m)
	}
	if f.closure {
		type closed struct {
			*lts.LTS
			err error
		}
		c, err := await(ctx, func() closed { // which looks at its context, but not while it sorts
			c, err := lts.TauClosure(ctx, m)
			return closed{c, err}
		})
		if err = cmp.Or(err, c.err); err != nil {
			return nil, err
		}
		m = c.LTS
	}
	if f.determinize {
		if m, err = lts.Determinize(ctx, m, f.limits()); err != nil {
			return nil, tooLarge(err)
		}
	}
	return m, nil
}

// newLTSCompose is the command `magus lts compose`.
func newLTSCompose(w *World, status *int) *cobra.Command {
	f, reduce := &ltsFlags{}, false
	c := f.ltsCommand(w, status, &cobra.Command{
		Use:   "compose [flags] FILE...",
		Short: "Build the parallel composition of LTSs",
		Long: `Compose writes the reachable part of the parallel composition. An action is
performed together by all LTSs that have it, and τ by each alone. Unlike
elsewhere, --rename, --restrict, --hide and --keep change the composition and
not its parts.

With --reduce, what is written has the same weak traces and usually fewer
states. The LTSs are made smaller and composed a few at a time, actions that are
hidden and that no other LTS has becoming τ in between.`,
		Example: "  magus lts compose client.aut server.aut --hide request,reply -o system.aut\n" +
			"  magus lts compose --reduce --keep enter,leave station*.aut -o ring.aut",
	}, arguments(1, many), func(ctx context.Context, args []string) (int, error) {
		form, err := f.out.formOf(w, "magus lts compose")
		if err != nil {
			return 0, err
		}
		ms, err := f.change.read(ctx, w, args)
		if err != nil {
			return 0, err
		}
		compose := f.compose
		if reduce {
			compose = f.composeReduced
		}
		if form == "aut" && !reduce && f.change.none() {
			return 0, f.writeComposition(ctx, w, ms)
		}
		m, err := compose(ctx, ms)
		if err != nil {
			return 0, err
		}
		return 0, f.out.write(ctx, w, form, m)
	})
	c.Flags().BoolVar(&reduce, "reduce", false, "build a smaller LTS with the same weak traces")
	f.registerOutput(c)
	f.registerBudgets(c, "the composition has more than N states")
	return c
}

// writeComposition writes the composition without building an LTS.
func (f *ltsFlags) writeComposition(ctx context.Context, w *World, ms []*lts.LTS) error {
	c, err := lts.NewComposition(ctx, ms, f.limits())
	if err != nil {
		return tooLarge(err)
	}
	return f.out.writeText(w, func(out io.Writer) error { return c.WriteAut(contextWriter{ctx, out}) })
}

// compose builds the composition and changes it.
func (f *ltsFlags) compose(ctx context.Context, ms []*lts.LTS) (*lts.LTS, error) {
	m, err := lts.Compose(ctx, ms, f.limits())
	if err != nil {
		return nil, tooLarge(err)
	}
	return f.changed(m)
}

func (f *ltsFlags) changed(m *lts.LTS) (*lts.LTS, error) {
	changed, err := f.change.apply([]*lts.LTS{m})
	if err != nil {
		return nil, err
	}
	return changed[0], nil
}

// composeReduced builds an LTS with the weak traces of the same. What is kept
// is found out on an LTS that has nothing but the alphabet.
func (f *ltsFlags) composeReduced(ctx context.Context, ms []*lts.LTS) (*lts.LTS, error) {
	if len(f.change.rename)+len(f.change.restrict) > 0 {
		return nil, &usageError{"--rename and --restrict do not go with --reduce; see magus lts convert", "magus lts compose"}
	}
	b := lts.NewBuilder(ms[0].Actions())
	for _, m := range ms {
		b.Alphabet(m.Alphabet()...)
	}
	alphabet, err := f.changed(b.Build())
	if err != nil {
		return nil, err
	}
	m, _, err := lts.ComposeReduced(ctx, ms, alphabet.Alphabet(), f.limits())
	if err != nil {
		return nil, tooLarge(err)
	}
	return m, nil
}

// newLTSMinimize is the command `magus lts minimize`.
func newLTSMinimize(w *World, status *int) *cobra.Command {
	f := &ltsFlags{}
	relation := relationFlag{r: lts.StrongBisim, allowed: []lts.Relation{
		lts.StrongBisim, lts.BranchingBisim, lts.DivergenceBranchingBisim, lts.WeakBisim, lts.WeakTraceEq}}
	c := f.ltsCommand(w, status, &cobra.Command{
		Use:   "minimize [flags] FILE",
		Short: "Write a smallest LTS that is equivalent",
		Long: `Minimize writes the quotient of an LTS under a bisimulation; under weak-trace it
writes the smallest deterministic LTS without τ that has the same weak traces,
which may have exponentially many states.

RELATION is one of
  ` + relation.names("\n  "),
		Example: "  magus lts minimize --relation dp-branching-bisim system.aut -o small.aut",
	}, arguments(1, 1), func(ctx context.Context, args []string) (int, error) {
		form, err := f.out.formOf(w, "magus lts minimize")
		if err != nil {
			return 0, err
		}
		ms, err := f.change.load(ctx, w, args)
		if err != nil {
			return 0, err
		}
		m, err := lts.Minimize(ctx, ms[0], relation.r, f.limits())
		if err != nil {
			return 0, tooLarge(err)
		}
		return 0, f.out.write(ctx, w, form, m)
	})
	c.Flags().Var(&relation, "relation", "the equivalence")
	f.registerOutput(c)
	f.registerBudgets(c, "there are more than N states, for weak-trace when made deterministic")
	return c
}
