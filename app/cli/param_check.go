package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"magus/app/input"
	"magus/app/options"
	"magus/app/page"
	"magus/app/report"
	"magus/param"
	"magus/param/cert"
	paramengine "magus/param/engine"
)

// paramCheckFlags are the flags of `magus param check`.
type paramCheckFlags struct {
	paramFlags
	domain     string
	property   string
	cma, trace bool
	stats      bool
	engine     string
	maxSets    int
}

func newParamCheck(w *World, status *int) *cobra.Command {
	f := &paramCheckFlags{domain: "auto", engine: paramengine.AutoMethod}
	c := f.paramCommand(w, status, &cobra.Command{
		Use:   "check [flags] FILE",
		Short: "Decide whether a bad configuration can be reached",
		Long: `Check decides for each property whether some number of processes can reach a bad
configuration. Safe means that none can, whatever their number; unsafe comes with
a run, which has been replayed.

Several methods share the effort, and the first answer counts: a search forwards from
few processes; for systems where more processes can do all that fewer can, searches
that are exact; for all others constrained monotonic abstraction, over difference
bounds where they suffice and over linear inequalities.

Exit status: 0 all properties are safe, 1 one is unsafe, 2 wrong usage or input,
3 one is unknown and none unsafe.`,
		Example: "  magus param check readers-writers.param\n  " +
			"magus param check --trace --cma --domain dbm readers-writers.param",
	}, arguments(1, 1), func(ctx context.Context, args []string) (int, error) { return f.run(ctx, w, args[0]) })
	fs := c.Flags()
	fs.Var(options.NewValue(options.Choice, &f.domain, "auto", "dbm", "linear"), "domain",
		"the constraints of the abstraction")
	fs.StringVar(&f.property, "property", "", "check the property `NAME` only")
	fs.Var(options.NewValue(options.Choice, &f.engine, paramengine.Names()...), "engine",
		"the one method that works; forward: a search from few processes; cover: backward coverability; "+
			"limits: forward coverability; dbm, linear: constrained monotonic abstraction; auto: those that fit "+
			"share the effort")
	fs.BoolVar(&f.stats, "stats", false, "print what each method did")
	fs.BoolVar(&f.cma, "cma", false, "use constrained monotonic abstraction only")
	fs.BoolVar(&f.trace, "trace", false, "print each step to standard error")
	fs.Var(options.NewValue(options.Count, &f.maxSets), "max-sets",
		"give up when more than N sets and configurations have been computed")
	fs.StringVar(&f.certificate, "certificate", "",
		"write what proves a property safe to `FILE`; needs --property if there are several")
	addFlag(c, f.options, "force")
	fs.StringVar(&f.report, "report", "", "write to `FILE.html` a page with the verdicts, the runs and the model")
	return c
}

func (f *paramCheckFlags) run(ctx context.Context, w *World, name string) (int, error) {
	m, _, err := readModel(w, name)
	if err != nil {
		return 0, err
	}
	source, err := w.read(name)
	if err != nil {
		return 0, err
	}
	shown := &page.Model{Name: name, Version: version(), Source: string(source)}
	numbers, err := properties(m, f.property)
	if err != nil {
		return 0, err
	}
	if f.certificate != "" && len(numbers) > 1 {
		return 0, &usageError{"--certificate is for one property; name it by --property", "magus param check"}
	}
	sys, err := param.Compile(ctx, m)
	if err != nil {
		return 0, err
	}
	status := exitConforms
	var unwritten error
	for _, i := range numbers {
		o, err := f.check(ctx, w, sys, i)
		if err != nil {
			return 0, err
		}
		var text strings.Builder
		if err := writeOutcome(io.MultiWriter(w.Stdout, &text), sys, i, o); err != nil {
			return 0, err
		}
		if f.stats {
			if err := writeMethods(w, o); err != nil {
				return 0, err
			}
		}
		shown.Properties = append(shown.Properties,
			page.ModelProperty{Name: cmp.Or(propertyName(m, i), "the property"), Verdict: o.Answer.String(),
				Text: text.String()})
		if o.Proof != nil && f.certificate != "" {
			text := m.FormatProof(o.Proof)
			unwritten = w.writeFile("--certificate", f.certificate, func(out io.Writer) error {
				_, err := io.WriteString(out, paramHead+text)
				return err
			})
		}
		switch {
		case o.Answer == paramengine.Unsafe:
			status = exitViolates
		case o.Answer == paramengine.Unknown && status == exitConforms:
			status = exitUnknown
		}
	}
	f.answered = true
	return status, errors.Join(unwritten, w.writeNamed("--report", f.report, func(out io.Writer) error {
		return page.WriteModel(out, shown)
	}))
}

// check drives a session and shows what goes on.
func (f *paramCheckFlags) check(ctx context.Context, w *World, sys *param.System,
	property int) (*paramengine.Result, error) {
	opt := paramengine.Options{CMA: f.cma, MaxSets: f.maxSets, Engine: f.engine,
		Domain: map[string]paramengine.Domain{"auto": paramengine.Auto, "dbm": paramengine.DBM,
			"linear": paramengine.Linear}[f.domain]}
	s, err := paramengine.New(sys, property, opt)
	if err != nil {
		return nil, input.Errorf("magus: %v", err)
	}
	show := w.Terminal && !f.trace
	start, drawn := w.Now(), w.Now()
	for {
		step := s.Step(ctx)
		if o := paramengine.Outcome(step); o != nil {
			if show {
				fmt.Fprint(w.rawErr, "\r\x1b[K")
			}
			return o, nil
		}
		if f.trace {
			fmt.Fprintf(w.Stderr, "  %v\n", step)
		} else if now := w.Now(); show && now.Sub(drawn) >= drawEvery {
			drawn = now
			line := []rune(fmt.Sprintf("%v, %.0f s", step, now.Sub(start).Seconds()))
			fmt.Fprintf(w.rawErr, "\r\x1b[K%s", string(line[:min(len(line), progressWidth)]))
		}
	}
}

// writeMethods writes what each method was given and what came of it.
func writeMethods(w *World, o *paramengine.Result) error {
	var b strings.Builder
	var all []report.Method
	for _, r := range o.Methods {
		all = append(all, report.Method{Name: r.Name, Shares: r.Shares, Effort: int64(r.Used), Result: r.Result()})
	}
	report.WriteMethods(&b, all, "  ", w.text(options.Defaults()))
	_, err := io.WriteString(w.Stdout, b.String())
	return err
}

// writeOutcome writes what was found out about a property.
func writeOutcome(out io.Writer, sys *param.System, property int, o *paramengine.Result) error {
	var b strings.Builder
	m := sys.Model
	b.WriteString(o.Answer.String())
	if name := propertyName(m, property); name != "" {
		b.WriteString(" " + name)
	}
	switch o.Answer {
	case paramengine.Safe:
		b.WriteString(": no number of processes reaches " + m.Formula(m.Bad[property].Formula))
	case paramengine.Unsafe:
		b.WriteString(": " + startOf(m, o.Run.Start) + " can reach " + m.Formula(m.Bad[property].Formula))
	default:
		b.WriteString(": " + o.Reason)
	}
	b.WriteByte('\n')
	if o.Answer != paramengine.Unknown {
		fmt.Fprintf(&b, "  method   %s\n", methodOf(o))
	}
	for _, it := range o.Iterations {
		for _, z := range it.Zones {
			fmt.Fprintf(&b, "  zone     %s\n", z.Format(sys.DimName))
		}
	}
	if o.Run != nil {
		rows, err := m.Rows(*o.Run)
		if err != nil {
			return err
		}
		writeRows(&b, m, rows)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// methodOf says how the answer was found.
func methodOf(o *paramengine.Result) string {
	switch o.Method {
	case "forward":
		return fmt.Sprintf("forward search: %d configurations", o.Sets)
	case "cover":
		return fmt.Sprintf("backward search, exact: %d sets", o.Sets)
	case "limits":
		return fmt.Sprintf("forward search with limits: %d sets", o.Sets)
	}
	domain := map[string]string{"dbm": "difference bounds", "linear": "linear inequalities"}[o.Method]
	refined := "1 refinement"
	if n := len(o.Iterations) - 1; n != 1 {
		refined = fmt.Sprintf("%d refinements", n)
	}
	return fmt.Sprintf("constrained monotonic abstraction over %s: %s, %d sets", domain, refined, o.Sets)
}

func newParamCertificate(w *World, status *int) *cobra.Command {
	f := &paramFlags{}
	property := ""
	c := f.paramCommand(w, status, &cobra.Command{
		Use:   "check-certificate [flags] FILE CERTIFICATE",
		Short: "Check what proves a property safe, without searching",
		Long: `Check-certificate validates what check --certificate has written: that it holds in
the beginning, that no rule changes it, and that it excludes all bad configurations. The
checker shares no code with the search. Exit status: 0 it is a proof, 1 it is none.`,
		Example: "  magus param check-certificate readers-writers.param rw.proof",
	}, arguments(2, 2), func(ctx context.Context, args []string) (int, error) {
		m, _, err := readModel(w, args[0])
		if err != nil {
			return 0, err
		}
		numbers, err := properties(m, property)
		if err != nil {
			return 0, err
		}
		if len(numbers) > 1 {
			return 0, &usageError{"the model has several properties; name one by --property", "magus param check-certificate"}
		}
		text, err := w.read(args[1])
		if err != nil {
			return 0, err
		}
		proof, err := m.ParseProof(args[1], text)
		if err != nil {
			return 0, &input.Error{Message: err.Error()}
		}
		if err := cert.Check(ctx, m, numbers[0], proof); err != nil {
			if ctx.Err() != nil {
				return 0, err
			}
			_, err = fmt.Fprintf(w.Stdout, "not a proof: %v\n", err)
			return exitViolates, err
		}
		_, err = fmt.Fprintf(w.Stdout, "safe: the proof holds (%d invariants, %d inside, %d outside)\n",
			len(proof.Invariants), len(proof.Inside), len(proof.Outside))
		return 0, err
	})
	c.Flags().StringVar(&property, "property", "", "the property `NAME`")
	return c
}
