package cegar

// Certificates of simulation and of divergence.

import (
	"context"
	"slices"

	"magus/component"
	"magus/evidence/certificate"
	"magus/lts"
	"magus/smt/expr"
)

// certifySimulation writes out the relation.
func (s certifying) certifySimulation(ctx context.Context, c *Certificate) error {
	if s.system.AnyNumber() {
		return s.certifyFollowed(ctx, c)
	}
	w := lts.Copy(s.implementation(), s.system.Copies, s.system.Proof)
	r, err := lts.SimulatedBy(ctx, w.Impl, w.Spec, true, lts.Limits{Antichain: true})
	if err != nil {
		return err
	}
	c.Simulation = &certificate.Simulation{}
	for _, p := range r.Relation {
		pair := certificate.SimulationPair{Spec: int(p.Spec)}
		for _, q := range p.At {
			pair.At = append(pair.At, int(q))
		}
		c.Simulation.Pairs = append(c.Simulation.Pairs, pair)
	}
	return nil
}

// certifyFollowed says how many of any number of copies are told apart where they are followed.
func (s certifying) certifyFollowed(ctx context.Context, c *Certificate) error {
	impl := s.implementation()
	r, err := lts.SimulatedByAny(ctx, impl, s.system.Copies, s.system.Proof, true, lts.Limits{})
	for i, m := range impl {
		n := m.NumStates()
		if r.Classes != nil {
			n = int(slices.Max(r.Classes[i])) + 1
			for q, class := range r.Classes[i] {
				c.Components[i].States[q].Block = int(class)
			}
			c.Components[i].Blocks = n
		}
		c.Told = append(c.Told, slices.Repeat([]int{r.Told}, n))
	}
	c.Simulation = &certificate.Simulation{}
	return err
}

// certifyTree writes out the runs of all branches.
func (s certifying) certifyTree(c *Certificate) {
	t := s.cex.tree
	for b := range t.branches {
		x := &cex{Counterexample: s.cex.branch(b)}
		branch := certificate.Branch{Trace: s.actions.Names(x.Counterexample.Trace())}
		for _, j := range x.joint(len(x.Steps)) {
			branch.By = append(branch.By, j.Parts)
		}
		branch.Visible = len(x.joint(t.shared[b]))
		for part := range t.parts {
			copied := s.cex.copies[part]
			level := s.comps[copied.Component]
			run := level.certifyRun(s.runs[b][part])
			run.Name = s.system.CopyName(copied)
			steps := level.abs.Steps(s.taken[b*t.parts+part].path)[:t.made(b, t.shared[b], part)]
			branch.Shared = append(branch.Shared, len(level.abs.Graph.Program(steps)))
			c.Runs = append(c.Runs, run)
		}
		c.Branches = append(c.Branches, branch)
	}
}

// certifyLasso writes out the runs with one round, and the recurrence set of one that does not come back to the same
// values.
func (s certifying) certifyLasso(c *Certificate) {
	l, x := s.cex.lasso, s.cex
	if l.within != nil { // one round of two
		x = s.cex.withRounds(1)
		c.Trace = s.actions.Names(x.Trace())
	}
	c.Round = &certificate.Lasso{Actions: len(s.cex.joint(l.stem))}
	for k, copied := range s.cex.copies {
		level := s.comps[copied.Component]
		run := s.runs[0][k]
		at := len(level.abs.Graph.Program(level.abs.Steps(s.taken[k].path)[:s.cex.made(l.stem, k)]))
		end := at + (len(run.Edges)-at)/2
		once := &component.Execution{Edges: run.Edges[:end], Init: run.Init, Step: run.Step[:end]}
		out := level.certifyRun(once)
		out.Name = s.system.CopyName(copied)
		c.Runs, c.Round.Moves = append(c.Runs, out), append(c.Round.Moves, at)
		if l.within != nil && end > at {
			set := certificate.RecurrenceSet{Component: certificate.Component{Name: out.Name}}
			set.Atoms = set.AddTerms(map[*expr.Expr]int{}, l.within...)
			c.Round.Sets = append(c.Round.Sets, set)
		}
	}
	if s.system.Single() {
		return
	}
	for _, j := range x.joint(len(x.Steps)) {
		c.By = append(c.By, slices.Clone(j.Parts))
	}
}

// certifyEnds writes out the ranks by which loops end.
func (s certifying) certifyEnds(c *Certificate) {
	for i, m := range s.comps {
		for _, r := range m.ended {
			term := c.Components[i].AddTerms(map[*expr.Expr]int{}, r.term)[0]
			c.Ends = append(c.Ends, certificate.Lessening{Component: i, Term: term, Up: r.up})
		}
	}
}
