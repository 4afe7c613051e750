package cegar

// The phases that ask: is the composition contained in the specification, and if
// not, whose counterexample is it?

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/component"
	"magus/internal/verdict"
	"magus/lts"
	"magus/witness"
)

// implementation are the LTSs that are checked against the specification.
func (s *Session) implementation() []*lts.LTS {
	impl := make([]*lts.LTS, len(s.comps))
	for i, c := range s.comps {
		impl[i] = c.checked()
	}
	return impl
}

// verify checks the composition of the abstractions against the specification.
func (s *Session) verify(ctx context.Context) (Event, result, error) {
	s.stats.Iterations++
	lim := lts.Limits{MaxStates: s.opt.MaxStates, Reduce: s.opt.Compositional}
	if s.opt.DepthFirst {
		lim.Order = lts.DepthFirst
	}
	r, err := lts.Contains(ctx, s.implementation(), s.spec, lim)
	if err != nil {
		return nil, "", err
	}
	s.stats.ProductStates, s.reduction = r.States, r.Reduction
	s.stats.MaxProductStates = max(s.stats.MaxProductStates, r.States)
	switch r.Verdict {
	case lts.Holds:
		return s.contained(r.States)
	case lts.Unknown:
		return s.stop(verdict.Reason{Kind: verdict.States, Text: r.Reason}), ended, nil
	}
	if s.proved && s.exhausted() {
		return s.conforms(false), ended, nil
	}
	if n := s.opt.MaxIterations; n > 0 && s.stats.Iterations >= n {
		why := verdict.Reason{Kind: verdict.Iterations, Text: fmt.Sprintf("not decided after %d iterations", n)}
		return s.stop(why), ended, nil
	}
	s.cex, s.trace = r.Counterexample, r.Counterexample.Trace()
	return Verified{States: r.States, Trace: s.actions.Names(s.trace)}, counterexample, nil
}

// contained notes that the claim was proved with the present sets.
func (s *Session) contained(states int) (Event, result, error) {
	if names := s.sharedErrors(); names != nil {
		return s.end(verdict.Unknown, verdict.Reason{Kind: verdict.SharedError, Place: s.claim.Pos, Text: fmt.Sprintf(
			"%s perform error together only, and wait for each other with it: check each alone, or leave error out of the specification",
			strings.Join(names, " and "))}), ended, nil
	}
	s.keepProof(states)
	s.reducing = true
	if !s.exact() || s.exhausted() {
		return s.conforms(false), ended, nil
	}
	return Verified{Holds: true, States: states}, contained, nil
}

// sharedErrors are the components whose alphabets have the action error, if they
// are several, the specification observes it, and one of them may perform it as
// far as its abstraction tells. It is shared like any other action: they wait for
// each other with it, so that a proof says nothing of what one does alone.
func (s *Session) sharedErrors() []string {
	action, _ := s.actions.Lookup("error")
	var names []string
	performed := false
	for _, c := range s.comps {
		if slices.Contains(c.mp.LTS.Alphabet(), action) {
			names = append(names, c.Name)
			performed = performed || mayPerform(c.mp.LTS, action)
		}
	}
	if len(names) < 2 || !performed || !slices.Contains(s.spec.Alphabet(), action) {
		return nil
	}
	return names
}

// mayPerform reports whether some state has a transition with the action.
func mayPerform(m *lts.LTS, a lts.Action) bool {
	for st := range lts.State(m.NumStates()) {
		if len(m.OutBy(st, a)) > 0 {
			return true
		}
	}
	return false
}

// validateMP looks for the trace in every MP_i. Without level two it is there.
func (s *Session) validateMP(context.Context) (Event, result, error) {
	s.paths = make([][]lts.Edge, len(s.comps))
	for i, c := range s.comps {
		if !s.twoLevels {
			s.paths[i] = s.cex.Path(i)
			continue
		}
		path, has := lts.Member(c.mp.LTS, lts.Project(s.trace, c.mp.LTS.Alphabet()))
		if !has {
			s.refine = i
			return ValidatedMP{Spurious: true, Component: i}, spurious, nil
		}
		s.paths[i] = path
	}
	return ValidatedMP{}, genuine, nil
}

// validateC asks whether each component can take its path.
func (s *Session) validateC(ctx context.Context) (Event, result, error) {
	all := make([]int, len(s.comps))
	for i := range all {
		all[i] = i
	}
	err := s.each(all, func(i int, c *model) error { return c.validate(ctx, s.paths[i]) })
	if err != nil {
		return nil, "", err
	}
	for i, c := range s.comps {
		if c.feasible.Feasible {
			continue
		}
		k := slices.IndexFunc(c.spurious, func(p spuriousPath) bool { return p.path == c.path })
		if k >= 0 && k < c.excluded {
			why := verdict.Reason{Kind: verdict.NoProgress, Text: fmt.Sprintf("no progress: a path of %s that was eliminated came back", c.Name)}
			return s.end(verdict.Unknown, why), ended, nil
		}
		if k < 0 {
			c.spurious = append(c.spurious, spuriousPath{c.path, c.feasible.Core, c.set})
		}
		s.refine = i
		return ValidatedC{true, i, len(c.abs.Steps(c.path)), len(c.feasible.Core)}, spurious, nil
	}
	return s.replay(ctx)
}

// replay executes the counterexample and ends the session.
func (s *Session) replay(ctx context.Context) (Event, result, error) {
	graphs := make([]*component.Graph, len(s.comps))
	executions := make([]*component.Execution, len(s.comps))
	for i, c := range s.comps {
		graphs[i], executions[i] = c.abs.Graph, c.feasible.Run
	}
	v, err := witness.Replay(ctx, s.system, graphs, executions, s.trace)
	if err != nil {
		if why, ok := verdict.Of(err); ok && ctx.Err() == nil {
			return s.end(verdict.Unknown, why), ended, nil
		}
		return nil, "", err
	}
	if s.proved {
		why := verdict.Reason{Kind: verdict.Fault, Text: "the claim was proved, and then a run was replayed that violates it, which is a fault of this tool"}
		return s.end(verdict.Unknown, why), ended, nil
	}
	e := s.end(verdict.Violates, verdict.Reason{})
	s.violated, s.outcome.Run = v, v.Report()
	return e, ended, nil
}
