package certificate

import (
	"context"
	"errors"
	"slices"

	"magus/component"
	"magus/lts"
	"magus/lts/cert"
)

// Check returns nil if the certificate shows its verdict for the subject, and a
// *RefutedError if not. Any other error is ctx's or the decision procedure's.
func (c *Certificate) Check(ctx context.Context, sub *Subject) error {
	checkers := make([]*Checker, len(sub.Components))
	for i, comp := range sub.Components {
		checkers[i] = NewChecker(comp, sub.Solvers[i])
	}
	if c.Contracts == nil && slices.ContainsFunc(sub.Components, func(comp *component.Component) bool {
		return comp.CFA.Recursive()
	}) {
		return refuted(c.line, "procedures call themselves, and nothing is said of what their calls do")
	}
	switch c.Verdict {
	case "conforms":
		if (c.Unrolled != nil || c.Executed != nil || c.Induction != nil) && (sub.asksSimulation() || sub.asksDivergence()) {
			return refuted(c.line, "traces do not show the relation")
		}
		if c.Unrolled != nil && !sub.asksRuns() {
			return c.checkUnrolled(ctx, sub, checkers)
		}
		if c.Executed != nil && sub.Question == component.NoError {
			return c.checkExecuted(ctx, sub, checkers)
		}
		if err := c.sameComponents(sub); err != nil {
			return err
		}
		if c.Contracts != nil {
			return c.checkContracts(ctx, sub, checkers)
		}
		if sub.asksRuns() {
			return c.checkRunsAtLast(ctx, sub, checkers)
		}
		if c.Ranking == nil && sub.Question == component.Terminates {
			return refuted(c.line, "nothing shows that all runs end")
		}
		if c.Induction != nil {
			return c.checkInduction(ctx, sub, checkers)
		}
		return c.checkConforms(ctx, sub, checkers)
	case "violates":
		if c.Contracts != nil {
			return refuted(c.line, "contracts show no violation")
		}
		if sub.asksRuns() {
			return c.checkRunAtLast(ctx, sub, checkers)
		}
		return c.checkRuns(ctx, sub, checkers)
	}
	return refuted(c.line, "the verdict is %s: nothing is certified", c.Verdict)
}

func (c *Certificate) sameComponents(sub *Subject) error {
	if len(c.Components) != len(sub.Components) {
		return refuted(c.line, "%d components, the claim has %d", len(c.Components), len(sub.Components))
	}
	for i, comp := range sub.Components {
		if is := &c.Components[i]; is.Name != comp.Name {
			return refuted(is.line, "component %s, the claim has %s", is.Name, comp.Name)
		}
	}
	return nil
}

func (c *Certificate) checkConforms(ctx context.Context, sub *Subject, checkers []*Checker) error {
	models := make([]*lts.LTS, len(checkers))
	for i := range c.Components {
		comp := &c.Components[i]
		if err := sub.forgets(i, comp.line); err != nil {
			return err
		}
		if err := checkers[i].Data(ctx, comp); err != nil {
			return err
		}
		var err error
		if models[i], err = checkers[i].Model(comp); err != nil {
			return err
		}
	}
	if sub.Question == component.NoDeadlock && !c.Deadlock {
		return refuted(c.line, "nothing shows that the components do not wait for each other for ever")
	}
	if sub.asksSimulation() {
		if c.Simulation == nil {
			return refuted(c.line, "nothing shows that the specification can follow")
		}
		if slices.ContainsFunc(sub.Copies, func(n int) bool { return n < 1 }) {
			return c.followsAny(ctx, sub, checkers)
		}
		return c.Simulation.check(ctx, sub, c.Components, models)
	}
	if sub.Components[0].Stands > 0 || sub.asksDivergence() {
		err := c.checkFree(ctx, sub, checkers, models)
		if err != nil || sub.Question == component.NoDeadlock && sub.Proof == sub.Spec {
			return err
		}
	}
	if !sub.Single() {
		if c.Sets == nil {
			return refuted(c.line, "nothing shows that the composition of the copies is contained in the specification")
		}
		return c.Sets.Check(ctx, models, sub.Copies, sub.Proof)
	}
	if c.Containment == nil || !c.Containment.Holds || c.Containment.Strong {
		return refuted(c.line, "nothing shows that the composition is contained in the specification")
	}
	return contained(c.containmentLine, c.Containment.Check(ctx, models, sub.Proof))
}

// checkUnrolled checks that all runs were searched.
func (c *Certificate) checkUnrolled(ctx context.Context, sub *Subject, checkers []*Checker) error {
	if len(checkers) != 1 || !sub.Single() {
		return refuted(c.Unrolled.line, "the runs of one component, the claim has several")
	}
	if err := sub.forgets(0, c.Unrolled.line); err != nil {
		return err
	}
	return c.Unrolled.check(ctx, checkers[0], sub.Proof)
}

// checkInduction checks that all runs stay within the specification.
func (c *Certificate) checkInduction(ctx context.Context, sub *Subject, checkers []*Checker) error {
	if len(checkers) != 1 || !sub.Single() {
		return refuted(c.Induction.line, "the runs of one component, the claim has several")
	}
	if err := sub.forgets(0, c.Induction.line); err != nil {
		return err
	}
	err := c.Induction.check(ctx, checkers[0], &c.Components[0], sub.Proof)
	if err != nil || c.Ranking == nil {
		return err
	}
	return c.Ranking.check(ctx, checkers[0], c.Induction, &c.Components[0], sub.Proof)
}

// forgets looks for variables that calls of a component keep and bodies assign.
func (sub *Subject) forgets(i, line int) error {
	for _, inlined := range sub.Inlined[i] {
		if f := forgets(sub.Components[i].CFA, inlined); f != nil {
			return refuted(line, "%v", f)
		}
	}
	return nil
}

// contained brings the answer of package cert into our form. Its text begins at
// a line, or it has none and is about that line.
func contained(line int, err error) error {
	var no *cert.RefutedError
	if errors.As(err, &no) {
		return refuted(line+max(no.Line-1, 0), "containment: %s", no.Reason)
	}
	return err
}
