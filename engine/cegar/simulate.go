package cegar

// Weak simulation of the composition by the specification.
//
// Idea: the abstractions simulate the components step by step, so what simulates them simulates the components. A
// counterexample is a tree of steps of the abstractions; its branches are taken for copies of the
// composition, each with the components' parts, which are looked for in C_i and refined as those of any
// counterexample. Where all branches are there, one question more is asked of each component: are they there
// together, with the same values up to where the specification has observed the same actions? If not,
// conditions that contradict each other are tracked from then on. Where a component chooses its initial
// state, it does so before anything happens.
//
// Level two is left out: its blocks keep traces, not trees.
//
// Source: Chaki, Clarke, Groce, Jha, Veith: Modular verification of software components in C (IEEE TSE 30,
// 2004), sections 3 and 6. Deviations: the game is played on the fly on the product, and counterexamples are
// executed.
//
// Cost: that of the search in package lts; one query for each component of a tree.

import (
	"context"
	"fmt"
	"slices"

	"magus/component"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/lts"
	"magus/minimize"
	"magus/predabs"
)

// maxBranches bounds the branches of a tree that is looked at.
const maxBranches = 64

// A tree is what makes a counterexample of several branches.
type tree struct {
	steps *lts.Tree
	parts int // copies of each branch
	// by branch: its steps, and how many of them are those of the branch before it, up to the last action that the
	// specification observes
	branches [][]int
	shared   []int
}

// simulated looks for steps that the specification cannot follow.
func (s *state) simulated(ctx context.Context) (answer, error) {
	a := answer{verdict: lts.Unknown}
	for n := 1; ; n++ {
		copies, given := s.written(n)
		w := lts.Copy(s.implementation(), copies, s.against)
		r, err := lts.SimulatedBy(ctx, w.Impl, w.Spec, true,
			lts.Limits{MaxStates: s.maxStates(s.opt), Reduce: true})
		if err != nil {
			return answer{}, err
		}
		a.verdict, a.reason, a.states = r.Verdict, r.Reason, a.states+r.States
		switch {
		case r.Verdict == lts.Fails:
			if a.cex = s.branching(w.Tree(r.Tree), copies); a.cex == nil {
				a.verdict, a.reason = lts.Unknown, fmt.Sprintf(
					"what the specification cannot follow is a tree of more than %d branches", maxBranches)
			}
			return a, nil
		case r.Verdict == lts.Unknown || given:
			return a, nil
		}
		if n == 1 {
			any, err := s.simulatedByAny(ctx)
			if any.states += a.states; err != nil || any.verdict == lts.Holds {
				return any, err
			}
			a.states = any.states
		}
		if n == mostCopies {
			a.verdict, a.reason = lts.Unknown, fmt.Sprintf(
				"the specification can follow up to %d copies of each component; whether it can follow more is not decided", n)
			return s.forbiddenOfAny(ctx, a)
		}
	}
}

// simulatedByAny asks whether the specification can follow copies in any number, by counting; it does not say that it
// cannot.
func (s *state) simulatedByAny(ctx context.Context) (answer, error) {
	impl := s.implementation()
	r, err := lts.SimulatedByAny(ctx, impl, s.system.Copies, s.against, true,
		lts.Limits{MaxStates: s.maxStates(s.opt)})
	a := answer{verdict: r.Verdict, reason: r.Reason, composition: composition{states: r.States}}
	if r.Verdict == lts.Holds {
		a.bounds = followedTo(impl, r.Told)
	}
	return a, err
}

// forbiddenOfAny is a run of some number of copies with a trace that the specification does not have, in place of
// an answer that knows none.
func (s *state) forbiddenOfAny(ctx context.Context, a answer) (answer, error) {
	all := s.counted(s.against)
	r, err := all.Contained(ctx, s.maxStates(s.opt))
	if a.states += r.States; err != nil || r.Verdict != lts.Fails {
		return a, err
	}
	t := &lts.Tree{}
	for n, step := range r.Run.Steps {
		t.Nodes = append(t.Nodes, lts.TreeNode{Parent: n - 1, Step: step})
	}
	a.verdict, a.reason, a.cex = lts.Fails, "", s.branching(t, r.Copies)
	return a, nil
}

// followedTo says of each state of each LTS that so many copies are told apart there.
func followedTo(impl []*lts.LTS, told int) (all [][]uint32) {
	for _, m := range impl {
		all = append(all, slices.Repeat([]uint32{uint32(told)}, m.NumStates()))
	}
	return all
}

// branching is a counterexample of branches; nil if they are too many.
func (s *state) branching(t *lts.Tree, copies []int) *cex {
	leaves := t.Leaves()
	if len(leaves) > maxBranches {
		return nil
	}
	written := s.system.Written(copies)
	x := &cex{Counterexample: &lts.Counterexample{}, tree: &tree{steps: t, parts: len(written)}}
	var before []int
	for b, leaf := range leaves {
		branch := t.Branch(leaf)
		shared := 0
		for k := 0; k < min(len(branch), len(before)) && branch[k] == before[k]; k++ {
			if s.spec.HasAction(t.Nodes[branch[k]].Step.Action) {
				shared = k + 1
			}
		}
		for _, n := range branch {
			step := t.Nodes[n].Step
			moves := slices.Clone(step.Moves)
			for i := range moves {
				moves[i].Component += b * len(written)
			}
			x.Steps = append(x.Steps, lts.Step{Action: step.Action, Moves: moves})
		}
		x.copies = append(x.copies, written...)
		x.tree.branches, x.tree.shared = append(x.tree.branches, branch), append(x.tree.shared, shared)
		before = branch
	}
	return x
}

// Trace are the visible actions of the counterexample; of a tree those of its first branch.
func (x *cex) Trace() []lts.Action {
	if x.tree == nil {
		return x.Counterexample.Trace()
	}
	return x.branch(0).Trace()
}

// branch is a branch of a tree as a counterexample.
func (x *cex) branch(b int) *lts.Counterexample {
	out := &lts.Counterexample{}
	for _, n := range x.tree.branches[b] {
		out.Steps = append(out.Steps, x.tree.steps.Nodes[n].Step)
	}
	return out
}

// made is how many of the first steps of a branch a part of it makes.
func (t *tree) made(branch, steps, part int) (n int) {
	for _, k := range t.branches[branch][:steps] {
		for _, m := range t.steps.Nodes[k].Step.Moves {
			if m.Component == part {
				n++
			}
		}
	}
	return n
}

// joinBranches asks of each copy whether it can take its parts of all branches of the tree together. spurious
// says that one cannot, with the conditions that contradict each other.
func (s *loop) joinBranches(ctx context.Context) (e ValidatedC, spurious bool, err error) {
	t := s.cex.tree
	s.runs = make([][]*component.Execution, len(t.branches))
	for b := range s.runs {
		s.runs[b] = make([]*component.Execution, t.parts)
	}
	for part := range t.parts {
		c := s.comps[s.cex.copies[part].Component]
		var branches []predabs.Branch
		for b := range t.branches {
			branches = append(branches, predabs.Branch{Path: s.taken[b*t.parts+part].path,
				Shared: t.made(b, t.shared[b], part)})
		}
		f, err := c.abs.FeasibleTree(ctx, branches)
		if err != nil {
			return e, false, err
		}
		if !f.Feasible {
			s.refine, s.lacking = []int{s.cex.copies[part].Component}, []int{part}
			s.apart = &apart{part, branches, f.Cores}
			return ValidatedC{Spurious: true, Component: s.cex.copies[part].Component, Copy: s.cex.copies[part].Number,
				Length: len(c.abs.Steps(branches[0].Path)), Core: len(slices.Concat(f.Cores...))}, true, nil
		}
		for b, run := range f.Runs {
			s.runs[b][part] = run
		}
	}
	return e, false, nil
}

// apart is what a copy can do of a tree, but not together.
type apart struct {
	part     int
	branches []predabs.Branch
	cores    [][]int
}

// track has the conditions be tracked for which a copy cannot take all its branches: those of the program,
// and if they are tracked already those of its paths.
func (s *loop) track(ctx context.Context) (Event, result, error) {
	x := s.apart
	s.apart = nil
	i := s.cex.copies[x.part].Component
	c := s.comps[i]
	c.own()
	for _, find := range []func(b int, p predabs.Path) ([]int, error){
		func(b int, p predabs.Path) ([]int, error) { return c.abs.Asking(p, x.cores[b]), nil },
		func(b int, p predabs.Path) ([]int, error) { return c.discovered(p, x.cores[b]), nil },
		func(_ int, p predabs.Path) ([]int, error) { return c.abs.Relevant(ctx, p) },
	} {
		more := slices.Clone(c.kept)
		for b, br := range x.branches {
			found, err := find(b, br.Path)
			if err != nil {
				return nil, "", err
			}
			more = append(more, found...)
		}
		before := c.set
		c.kept = minimize.SetOf(more...).Elements()
		e := s.adopt(i, minimize.Result{Set: minimize.SetOf(c.set...)})
		if !slices.Equal(c.set, before) {
			s.stats.PredicateIterations++
			return e, done, nil
		}
	}
	why := verdict.Reason{Kind: verdict.NoPredicates, Text: fmt.Sprintf(
		"no predicates were found that exclude a spurious tree of %s", c.Name)}
	return s.giveUp(why, DataRefined{Component: i, Predicates: c.without(c.set, nil), Candidates: len(c.abs.Candidates),
		Stuck: true})
}

// discovered are candidates from a path whose conditions at some positions contradict each other, or others.
func (c *model) discovered(p predabs.Path, core []int) (all []int) {
	if len(core) == 0 {
		return nil
	}
	before := len(c.abs.Candidates)
	c.abs.Discover(p, core)
	for k := before; k < len(c.abs.Candidates); k++ {
		all = append(all, k)
	}
	return all
}

// executeTree replays all branches of the tree.
func (s *state) executeTree(ctx context.Context) (*witness.Violation, error) {
	t := s.cex.tree
	var branches []witness.Branch
	for b := range t.branches {
		x := &cex{Counterexample: s.cex.branch(b)}
		branch := witness.Branch{Schedule: x.joint(len(x.Steps))}
		for part := range t.parts {
			copied := s.cex.copies[part]
			g := s.comps[copied.Component].program()
			branch.Parts = append(branch.Parts, witness.Part{Copy: copied, Graph: g, Execution: s.runs[b][part]})
			level := s.comps[copied.Component].abs
			steps := level.Steps(s.taken[b*t.parts+part].path)[:t.made(b, t.shared[b], part)]
			branch.Shared = append(branch.Shared, len(level.Graph.Program(steps)))
		}
		for _, n := range t.branches[b][:t.shared[b]] {
			if t.steps.Nodes[n].Step.Action != lts.Tau {
				branch.Visible++
			}
		}
		branches = append(branches, branch)
	}
	return witness.ReplayTree(ctx, s.system, branches)
}

// asksSimulation reports whether the claim is that the specification can follow each step.
func (s *question) asksSimulation() bool { return s.system.Relation == component.Simulation }

// asksDivergence reports whether the claim is besides that nothing goes on for ever unobserved.
func (s *question) asksDivergence() bool { return s.system.Relation == component.Divergences }
