package repl

// Looking at counterexamples, outcomes, changes and figures.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus"
	"magus/app/draw"
	"magus/app/report"
	"magus/cfa"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/phrase"
	"magus/lts"
	"magus/specs"
)

// lookTrace is the command trace.
func lookTrace(ctx context.Context, c *call) error {
	v, err := c.view()
	if err != nil {
		return err
	}
	if s, err := c.threadSession(ctx); err != nil {
		return err
	} else if s != nil {
		return c.threadTrace(s)
	}
	if err := c.views.noCounterexample(v); err != nil {
		return err
	}
	if len(c.args) == 0 {
		c.views.counterexample(v)
		return nil
	}
	comp, i, err := c.single()
	if err != nil {
		return err
	}
	k, err := c.part(v, i)
	if err != nil {
		return err
	}
	if v.Replayed != nil {
		c.views.replayed(v, k)
		return nil
	}
	part := v.Parts[k]
	comp.Path, comp.Edges, comp.Core = part.Path, part.Edges, part.Core
	if part.Number > 0 {
		c.printf("%s\n", part.Name)
	}
	if comp.Path == nil {
		names := v.Actions.Names(part.Trace)
		c.printf("%s: %s\n", part.Name, strings.Join(quoted(names), " "))
		c.printf("there is no path in MP of %s now: it is looked for by validate MP and gone when MP changes\n", comp.Name)
		return nil
	}
	c.views.path(comp)
	return nil
}

// noCounterexample says why there is nothing to show, and where the last one was.
func (sh *views) noCounterexample(v cegar.View) error {
	switch {
	case v.Trace == nil:
		return errors.New("there is no counterexample so far; until counterexample goes on to one")
	case v.Status != cegar.Past || !v.Proved:
		return nil
	}
	text := "there is no counterexample: the claim is proved"
	for i := sh.history.at; i > 0; i-- {
		if e, ok := sh.history.moments[i].event.(cegar.Verified); ok && !e.Holds {
			return fmt.Errorf("%s; goto %d goes to the last one, which was refuted", text, i)
		}
	}
	return errors.New(text)
}

// status says what has become of a counterexample, behind its length.
func status(v cegar.View) string {
	switch {
	case v.Status == cegar.Past:
		return ", of abstractions that are no more: verify looks for one anew"
	case v.Status == cegar.Refuted:
		who := v.Components[v.Refine].Name
		for _, p := range v.Parts {
			if p.Component == v.Refine && p.Shown {
				who = p.Name
			}
		}
		return fmt.Sprintf(", spurious: %s does not have it", who)
	case v.Proved:
		return ", which other predicates have excluded: the claim is proved"
	}
	return ""
}

// counterexample lists the actions of the counterexample with who takes part in
// them, and says why it is one.
func (sh *views) counterexample(v cegar.View) {
	sh.printf("counterexample of %s%s\n", phrase.Plural(len(v.Trace), "action"), status(v))
	for i, a := range v.Trace {
		var who []string
		for _, k := range v.By[i] {
			who = append(who, v.Parts[k].Name)
		}
		unobserved := ""
		if !v.Spec.HasAction(a) {
			unobserved = ", not observed"
		}
		sh.row("%4d  %-30s %s%s", i+1, actionWord(v.Actions.Name(a)), strings.Join(who, " + "), unobserved)
	}
	x := explanation{sh.host, v, v}
	if why := x.forbidden(); why != "" {
		sh.printf("%s\n", sh.host.Text.Wrapped(why, 0))
	}
}

// path shows a path in MP with the source; conditions that contradict each other
// are marked.
func (sh *views) path(comp cegar.ComponentView) {
	s := comp.MP.LTS.Init()
	var all []cfa.Pos
	pos := func(s lts.State) cfa.Pos {
		if l, ok := comp.Graph.Loc(comp.MP.Node(s)); ok {
			return comp.CFA.Locs[l].Pos
		}
		return cfa.Pos{}
	}
	for _, e := range comp.Path {
		all = append(all, pos(e.To))
	}
	at := sh.places(all)
	for k, e := range comp.Path {
		mark := " "
		if slices.Contains(comp.Core, k) {
			mark = "!"
		}
		action := ""
		if e.Action != lts.Tau {
			action = actionWord(comp.MP.LTS.Actions().Name(e.Action))
		}
		text := draw.State(comp, s)
		if p := pos(s); p.IsValid() {
			text = sh.source(p)
		}
		guard := ""
		if comp.Edges != nil {
			guard = conjunction(comp.Graph.Edges[comp.Edges[k]].Guard)
		}
		sh.row("%s%5d  %s  %-40s %-20s %s", mark, s, at(pos(s)), phrase.Clip(text, 40), action, guard)
		s = e.To
	}
	sh.printf(" %5d  %s\n", s, draw.State(comp, s))
	if comp.Core != nil {
		sh.printf("! marks the conditions that contradict each other\n")
	}
}

// printOutcome prints an outcome as magus check does.
func (sh *views) printOutcome(o *magus.Outcome, verbose bool) error {
	claim := report.NewClaim(o, nil, 0, sh.host.Engine)
	claim.Divergence = inShell(claim.Divergence)
	if err := report.WriteClaim(sh.out, claim, sh.text(false)); err != nil {
		return err
	}
	if !verbose {
		return nil
	}
	return report.WriteEnd(sh.out, &report.Check{Claims: []report.Claim{claim}}, sh.text(true))
}

// inShell is an impasse whose advice is what can be typed here: set for an option, and no other shell.
func inShell(x *report.Divergence) *report.Divergence {
	if x == nil {
		return nil
	}
	y := *x
	y.Advice = slices.Clone(x.Advice)
	for i, a := range y.Advice {
		switch verdict.AdviceKind(a.Kind) {
		case verdict.AdviseSearch, verdict.AdviseBudget, verdict.AdviseEngine:
			y.Advice[i].Text = strings.Replace(a.Text, "--", "set ", 1)
		case verdict.AdviseLook:
			_, y.Advice[i].Text, _ = strings.Cut(a.Text, ": ")
		}
	}
	return &y
}

// text says how reports are printed: without colours where they go to a file.
func (sh *views) text(verbose bool) report.Text {
	t := sh.host.Text
	if sh.out != sh.host.Out && !sh.paged {
		t.Width, t.Paint = 0, nil
	}
	t.Verbose = verbose
	return t
}

// lookReport is the command report.
func lookReport(ctx context.Context, c *call) error {
	v, err := c.view()
	if err != nil {
		return err
	}
	if s, err := c.threadSession(ctx); err != nil {
		return err
	} else if s != nil {
		v.Outcome, v.Phase = s.Outcome(), s.Next()
	}
	verbose := len(c.args) == 1 && c.args[0] == "-v"
	if len(c.args) > 0 && !verbose {
		return c.usage()
	}
	if v.Outcome == nil {
		return fmt.Errorf("there is no verdict yet; the next phase is %v", v.Phase)
	}
	return c.Shell.views.printOutcome(v.Outcome, verbose)
}

// lookDiff is the command diff.
func lookDiff(_ context.Context, c *call) error {
	if c.session == nil {
		return errNothing
	}
	last := c.history.at
	for last > 0 && !changes(c.history.moments[last]) {
		last--
	}
	if last == 0 {
		return errors.New("nothing was refined so far")
	}
	before := last - 1
	c.stepper.tell(c.history.moments[last])
	c.printf("moment %d, compared with moment %d\n", c.history.at, before)
	for i, comp := range c.session.View().Components {
		old, now := c.history.moments[before].sizes[i], c.history.moments[c.history.at].sizes[i]
		if len(old.predicates)+len(now.predicates)+old.states+now.states == 0 {
			continue
		}
		c.printf("%s\n", comp.Name)
		for _, p := range now.predicates {
			if !slices.Contains(old.predicates, p) {
				c.printf("  + %s\n", p)
			}
		}
		for _, p := range old.predicates {
			if !slices.Contains(now.predicates, p) {
				c.printf("  - %s\n", p)
			}
		}
		c.printf("  MP %d -> %d states", old.states, now.states)
		if now.blocks > 0 {
			c.printf(", MA %d -> %d blocks", old.blocks, now.blocks)
		}
		c.printf("\n")
	}
	return nil
}

// changes reports whether a moment is a refinement or an act.
func changes(m moment) bool {
	switch m.event.(type) {
	case cegar.EventsRefined, cegar.DataRefined:
		return true
	}
	return m.by != "step" && m.by != ""
}

// lookStats is the command stats.
func lookStats(ctx context.Context, c *call) error {
	v, err := c.view()
	if err != nil {
		return err
	}
	if s, err := c.threadSession(ctx); err != nil {
		return err
	} else if s != nil {
		c.threadStats(s)
		return nil
	}
	st := v.Stats
	c.printf("iterations %d: %d refined predicates, %d refined actions (%s)\n", st.Iterations,
		st.PredicateIterations, st.ActionIterations, phrase.Plural(st.Splits, "split"))
	what := "product states"
	for _, comp := range v.Components {
		if comp.Copies == specs.AnyNumber {
			what = "markings"
		}
	}
	c.printf("%s %d, at most %d\n", what, st.ProductStates, st.MaxProductStates)
	c.printf("elimination tests %d\n", st.Minimization.Tests)
	c.printf("%-14s %9s %11s %5s %10s %9s %6s %7s\n", "component", "locations", "candidates", "|P|",
		"MP states", "MA states", "paths", "traces")
	for _, comp := range v.Components {
		mp, ma := "-", "-"
		if comp.MP != nil {
			mp = strconv.Itoa(comp.MP.LTS.NumStates())
		}
		if comp.MA != nil {
			ma = strconv.Itoa(comp.MA.NumBlocks())
		}
		c.printf("%-14s %9d %11d %5d %10s %9s %6d %7d\n", comp.Name+copiesText(comp), len(comp.CFA.Locs),
			len(comp.Candidates), len(comp.Chosen), mp, ma, comp.Paths, comp.Traces)
	}
	var b strings.Builder
	report.WriteMethods(&b, report.NewMethods(v.Methods), "", report.Text{})
	c.printf("%s", b.String())
	return nil
}

// copiesText says how many copies of a component run, if it is not one.
func copiesText(comp cegar.ComponentView) string {
	switch comp.Copies {
	case 1:
		return ""
	case specs.AnyNumber:
		return "*"
	}
	return "*" + strconv.Itoa(comp.Copies)
}

// lookCoverage is the command coverage.
func lookCoverage(_ context.Context, c *call) error {
	if c.session == nil {
		return errNothing
	}
	only := ""
	if len(c.args) > 0 {
		i, err := c.componentNamed(c.args[0])
		if err != nil {
			return err
		}
		only = c.componentNames()[i]
	}
	covered := c.session.Coverage()
	if len(covered) == 0 {
		return errors.New("there is no abstraction yet; step builds one")
	}
	var b strings.Builder
	for _, cov := range covered {
		if only == "" || only == cov.Component {
			report.WriteCoverage(&b, report.NewCoverage(cov), c.views.text(false))
		}
	}
	c.printf("%s", b.String())
	return nil
}
