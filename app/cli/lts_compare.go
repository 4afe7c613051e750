package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"magus/app/input"
	"magus/app/options"
	"magus/lts"
	"magus/lts/cert"
)

// A relationFlag is a flag that names a relation.
type relationFlag struct {
	r       lts.Relation
	allowed []lts.Relation
}

// String implements pflag.Value.
func (f *relationFlag) String() string { return f.r.String() }

// Type implements pflag.Value.
func (f *relationFlag) Type() string { return "RELATION" }

// names are the relations that can be given, with a separator between them.
func (f *relationFlag) names(separator string) string {
	names := make([]string, len(f.allowed))
	for i, r := range f.allowed {
		names[i] = r.String()
	}
	return strings.Join(names, separator)
}

// Set implements pflag.Value.
func (f *relationFlag) Set(s string) error {
	r, err := lts.ParseRelation(s)
	if err != nil || !slices.Contains(f.allowed, r) {
		return fmt.Errorf("must be one of %s", f.names(", "))
	}
	f.r = r
	return nil
}

// compareFlags are the flags of `magus lts compare`.
type compareFlags struct {
	ltsFlags
	relation  relationFlag
	observe   string
	unwritten error // why the certificate is not written
	reduce    bool
	json      bool
}

// addObserve adds the flag that says what a containment observes.
func addObserve(c *cobra.Command, observe *string) {
	*observe = "all"
	c.Flags().Var(options.NewValue(options.Choice, observe, "all", "right"), "observe",
		"for weak-trace-containment: the actions observed, all or those of RIGHT")
}

// newLTSCompare is the command `magus lts compare`.
func newLTSCompare(w *World, status *int) *cobra.Command {
	f := &compareFlags{relation: relationFlag{r: lts.WeakTraceIncl, allowed: lts.Relations()}}
	c := f.ltsCommand(w, status, &cobra.Command{
		Use:   "compare [flags] LEFT... RIGHT",
		Short: "Decide whether two LTSs are related",
		Long: `Compare decides whether the left LTS is related to the right one, and if not
says how they differ. For weak-trace-containment, the default, there may be
several LTSs on the left: what is compared is then their composition, which is
searched without being built. As claims of specifications do, --observe right
leaves out of account what RIGHT has not in its alphabet. For failures and
failures-divergences, which are those of magus check --relation, what RIGHT must
offer is not refused by LEFT; ERROR states do not say what that is.

RELATION is one of
  ` + f.relation.names("\n  ") + `

With --json it prints one document, as docs/schema/lts-compare.schema.json says.

Exit status: 0 related, 1 not related, 2 wrong usage or input, 3 unknown.`,
		Example: "  magus lts compare --relation branching-bisim small.aut large.aut\n" +
			"  magus lts compare --certificate answer.cert client.aut server.aut protocol.spec:Protocol",
	}, arguments(2, many), func(ctx context.Context, args []string) (int, error) { return f.answer(ctx, w, args) })
	c.Flags().Var(&f.relation, "relation", "the relation")
	addObserve(c, &f.observe)
	addFlag(c, f.options, "search")
	addFlag(c, f.options, "force")
	c.Flags().StringVar(&f.certificate, "certificate", "",
		"for the containments of traces: write to `FILE` what shows the answer")
	c.Flags().BoolVar(&f.reduce, "reduce", false,
		"for weak traces: make the LTSs smaller before they are composed and compared")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	f.registerBudgets(c, "more than N states, or pairs of states for traces, are looked at")
	return c
}

// answer compares the LTSs that args name, the last one with the composition of the
// others, prints the answer and returns the exit status.
func (f *compareFlags) answer(ctx context.Context, w *World, args []string) (int, error) {
	c, table, err := f.run(ctx, w, args)
	if !f.json {
		if err != nil {
			return 0, err
		}
		f.answered = true
		status, err := writeComparison(w.Stdout, f.relation.r, c)
		return status, errors.Join(err, f.unwritten)
	}
	last := len(args) - 1
	d := ltsCompareDocument{Schema: ltsCompareSchema, Relation: f.relation.r.String(), Left: args[:last],
		Right: args[last], Verdict: "holds", Explanation: c.Explanation}
	status := exitConforms
	reason, exhausted := err.(*exhaustedError)
	switch {
	case err != nil && ctx.Err() != nil:
		d.Verdict, d.Reason, status = "unknown", context.Cause(ctx).Error(), exitUnknown
	case exhausted:
		d.Verdict, d.Reason, status = "unknown", reason.reason, exitUnknown
	case err != nil:
		return 0, err
	case !c.Holds:
		d.Verdict, status = "fails", exitViolates
	}
	if c.HasTrace {
		trace := table.Names(c.Trace)
		d.TraceOf, d.Trace = "left", &trace
		if c.OfRight {
			d.TraceOf = "right"
		}
	}
	if x := c.Refusal; x != nil {
		d.Difference, d.Refusal = "refusal", &refusalJSON{table.Names(x.Offers), [][]string{}}
		for _, must := range x.Must {
			d.Refusal.Must = append(d.Refusal.Must, table.Names(must))
		}
	}
	if c.Cycle != nil {
		d.Difference, d.Cycle = "divergence", c.Cycle
	}
	f.answered = true
	return status, errors.Join(writeJSON(w.Stdout, d), f.unwritten)
}

// run compares LTSs; the trace of the comparison is over the actions of the table.
func (f *compareFlags) run(ctx context.Context, w *World,
	args []string) (c lts.Comparison, table *lts.Actions, err error) {
	if err := f.validate(args); err != nil {
		return c, nil, err
	}
	ms, err := f.change.load(ctx, w, args)
	if err != nil {
		return c, nil, err
	}
	last, table := len(ms)-1, ms[0].Actions()
	r, hasError := f.relation.r, slices.ContainsFunc(ms, (*lts.LTS).HasError)
	if isFailures(r) && hasError {
		return c, nil, input.Errorf("magus lts compare: with ERROR states it is not said what must not be "+
			"refused (--relation %v)", r)
	}
	if f.observe == "right" || isTraces(r) && r.IsPreorder() && !hasError {
		c, err := f.contains(ctx, w, ms[:last], ms[last])
		return c, table, err
	}
	if last > 1 || f.certificate != "" {
		return c, nil, input.Errorf("magus lts compare: with ERROR states, give --observe right")
	}
	c, err = lts.Compare(ctx, ms[0], ms[1], r, f.searchLimits())
	if err != nil {
		return c, nil, tooLarge(err)
	}
	if c.HasTrace && isTraces(r) && !hasError {
		one, other := "left", "right"
		if c.OfRight {
			one, other = other, one
		}
		c.Explanation = []string{onlyOne(one, other, table.Names(c.Trace))}
	}
	return c, table, nil
}

// validate finds command lines that contradict themselves.
func (f *compareFlags) validate(args []string) error {
	wrong := func(msg string) error { return &usageError{msg, "magus lts compare"} }
	containment := f.relation.r == lts.WeakTraceIncl
	switch {
	case !containment && len(args) > 2:
		return wrong("several LTSs on the left need --relation weak-trace-containment; see magus lts compose")
	case !containment && f.relation.r != lts.TraceIncl && f.certificate != "":
		return wrong("--certificate needs --relation weak-trace-containment or trace-containment")
	case !isTraces(f.relation.r) && f.options.Options.TraceSearch != "breadth":
		return wrong("--search needs a relation of traces")
	case !containment && f.observe != "all":
		return wrong("--observe needs --relation weak-trace-containment")
	case f.reduce && !containment && f.relation.r != lts.WeakTraceEq:
		return wrong("--reduce needs a relation of weak traces")
	case f.reduce && f.certificate != "":
		return wrong("--certificate does not go with --reduce: it would be one for other LTSs")
	case len(args) > 2 && (len(f.change.hide) > 0 || f.change.keeps()):
		return wrong("--hide and --keep do not go with several LTSs on the left; see magus lts compose")
	}
	return nil
}

// searchLimits are the budgets, and what else the search is to do.
func (f *compareFlags) searchLimits() lts.Limits {
	lim := f.limits()
	lim.Antichain, lim.Reduce = f.certificate != "", f.reduce
	if f.options.Options.TraceSearch == "depth" {
		lim.Order = lts.DepthFirst
	}
	return lim
}

// isTraces says whether a relation is one of traces, weak or not.
func isTraces(r lts.Relation) bool {
	return slices.Contains([]lts.Relation{lts.TraceEq, lts.TraceIncl, lts.WeakTraceEq, lts.WeakTraceIncl}, r)
}

// isFailures says whether a relation is one of what is refused.
func isFailures(r lts.Relation) bool { return r == lts.StableFailures || r == lts.FailuresDivergences }

// contains decides trace containment, for the relations of strong traces with τ
// observed, and certifies it if asked to.
func (f *compareFlags) contains(ctx context.Context, w *World, impl []*lts.LTS,
	spec *lts.LTS) (c lts.Comparison, err error) {
	spec = observing(f.observe, impl, spec)
	decide := lts.Contains
	if f.relation.r == lts.TraceIncl {
		decide = lts.ContainsStrong
	}
	r, err := decide(ctx, impl, spec, f.searchLimits())
	if err != nil {
		return c, err
	}
	if r.Verdict == lts.Unknown {
		return c, &exhaustedError{r.Reason}
	}
	if f.certificate != "" {
		c, err := cert.Of(impl, spec, r)
		if err != nil {
			return lts.Comparison{}, err
		}
		f.unwritten = w.writeFile("--certificate", f.certificate, func(out io.Writer) error {
			return c.Write(timed{ctx, out, "not written, for it is large and the time is over"})
		})
	}
	c.Holds = r.Verdict == lts.Holds
	if !c.Holds {
		actions := r.Counterexample.Trace()
		if r.Strong {
			actions = r.Counterexample.Actions()
		}
		c.Trace, c.HasTrace = actions, true
		c.Explanation = []string{onlyOne("left", "right", spec.Actions().Names(actions))}
		if spec.HasError() {
			trace := formatLabels(spec.Actions().Names(actions))
			c.Explanation = []string{fmt.Sprintf("left has the trace %s; right can be in an ERROR state after it", trace)}
		}
	}
	return c, nil
}

// observing extends spec's alphabet by all actions of impl, if all are observed.
func observing(what string, impl []*lts.LTS, spec *lts.LTS) *lts.LTS {
	if what != "all" {
		return spec
	}
	b := lts.NewBuilder(spec.Actions())
	b.AddStates(spec.NumStates())
	b.SetInit(spec.Init())
	b.Alphabet(spec.Alphabet()...)
	for _, m := range impl {
		b.Alphabet(m.Alphabet()...)
	}
	for s := range lts.State(spec.NumStates()) {
		if spec.IsError(s) {
			b.SetError(s)
		}
		for _, e := range spec.Out(s) {
			b.AddEdge(s, e.Action, e.To)
		}
	}
	return b.Build()
}

// onlyOne says that one side has a trace and the other has not.
func onlyOne(one, other string, labels []string) string {
	return fmt.Sprintf("%s has the trace %s; %s has not", one, formatLabels(labels), other)
}

// writeComparison prints an answer with its explanation and returns the exit status.
func writeComparison(w io.Writer, r lts.Relation, c lts.Comparison) (int, error) {
	if c.Holds {
		_, err := fmt.Fprintf(w, "%v holds\n", r)
		return 0, err
	}
	_, err := fmt.Fprintf(w, "%v does not hold\n", r)
	for _, line := range c.Explanation {
		if err == nil {
			_, err = fmt.Fprintf(w, "  %s\n", line)
		}
	}
	return 1, err
}

// newCheckCertificate is the command `magus lts check-certificate`.
func newCheckCertificate(w *World, status *int) *cobra.Command {
	f := &ltsFlags{}
	observe := ""
	c := f.ltsCommand(w, status, &cobra.Command{
		Use:   "check-certificate [flags] CERTIFICATE LEFT... RIGHT",
		Short: "Validate a certificate of trace containment",
		Long: `Check-certificate validates a certificate that compare has written, against the
same LTSs and with the same flags, by code that has nothing in common with the
search.

Exit status: 0 the certificate shows its answer, whichever it is, 1 it does not,
2 wrong usage or input, 3 unknown.`,
		Example: "  magus lts check-certificate answer.cert client.aut server.aut protocol.spec:Protocol",
	}, arguments(3, many), func(ctx context.Context, args []string) (int, error) {
		c, err := readCertificate(ctx, w, args[0])
		if err != nil {
			return 0, err
		}
		ms, err := f.change.load(ctx, w, args[1:])
		if err != nil {
			return 0, err
		}
		last := len(ms) - 1
		return checkCertificate(ctx, w, c, ms[:last], observing(observe, ms[:last], ms[last]))
	})
	addObserve(c, &observe)
	f.registerBudgets(c, "")
	return c
}

// readCertificate reads a certificate of trace containment.
func readCertificate(ctx context.Context, w *World, name string) (*cert.Certificate, error) {
	w.reads(name)
	file, err := input.Open(w.Dir.Path(name))
	if err != nil {
		return nil, input.Named(name, err)
	}
	defer file.Close()
	c, err := cert.Read(contextReader{ctx, file}, name)
	var syntax *lts.SyntaxError
	if err != nil && !errors.As(err, &syntax) {
		return nil, input.Named(name, err)
	}
	if err != nil {
		return nil, input.Errorf("%s", err)
	}
	return c, nil
}

// checkCertificate validates a certificate, prints the answer and returns the exit
// status.
func checkCertificate(ctx context.Context, w *World, c *cert.Certificate, impl []*lts.LTS, spec *lts.LTS) (int, error) {
	var refuted *cert.RefutedError
	switch err := c.Check(ctx, impl, spec); {
	case errors.As(err, &refuted):
		_, err := fmt.Fprintf(w.Stdout, "refuted: %v\n", refuted.Reason)
		return 1, err
	case err != nil:
		return 0, err
	case c.Holds:
		_, err := fmt.Fprintf(w.Stdout, "valid: %s holds, by %s\n", c.Claim(), reasonsOf(c))
		return 0, err
	}
	_, err := fmt.Fprintf(w.Stdout, "valid: %s does not hold, by the trace %s\n", c.Claim(), formatLabels(c.Trace))
	return 0, err
}

// reasonsOf says what a certificate of a containment that holds consists of.
func reasonsOf(c *cert.Certificate) string {
	simulations := 0
	for _, said := range [][]lts.Simulated{c.Simulations.Spec, c.Simulations.Impl, c.Simulations.Cross} {
		for _, s := range said {
			simulations += len(s.By)
		}
	}
	reasons := fmt.Sprintf("an antichain of %d pairs", len(c.Pairs))
	if simulations > 0 {
		reasons += fmt.Sprintf(" and %d simulations", simulations)
	}
	return reasons
}
