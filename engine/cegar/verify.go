package cegar

// The phases that ask: is the composition contained in the specification, and if
// not, whose counterexample is it?

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/lts"
	"magus/predabs"
)

// verify checks the composition of the abstractions against the specification.
func (s *loop) verify(ctx context.Context) (Event, result, error) {
	s.stats.Iterations++
	s.against = s.system.Certain
	a, err := s.compose(ctx)
	if err == nil && a.verdict == lts.Holds && s.system.Proof != s.system.Certain {
		s.against = s.system.Proof
		a, err = s.compose(ctx)
	}
	if err != nil {
		return nil, "", err
	}
	s.stats.ProductStates, s.checked = a.states, a.composition
	s.stats.MaxProductStates = max(s.stats.MaxProductStates, a.states)
	switch a.verdict {
	case lts.Holds:
		return s.contained()
	case lts.Unknown:
		return s.stop(verdict.Reason{Kind: verdict.States, Text: a.reason}), atEnd, nil
	}
	if bound, over := s.exhausted(s.opt, s.stats.Iterations); s.proved && over {
		return s.conforms(bound), atEnd, nil
	}
	if n := s.opt.MaxIterations; n > 0 && s.stats.Iterations >= n {
		why := verdict.Reason{Kind: verdict.Iterations, Text: fmt.Sprintf("not decided after %d iterations", n)}
		return s.stop(why), atEnd, nil
	}
	s.cex, s.trace, s.refine, s.lacking = a.cex, a.cex.Trace(), nil, nil
	return s.found(), counterexample, nil
}

// found is the event of the present counterexample.
func (s *state) found() Verified {
	e := Verified{States: s.stats.ProductStates, Trace: s.actions.Names(s.trace)}
	if !s.system.Single() {
		for _, c := range s.cex.copies {
			e.Copies = append(e.Copies, s.system.CopyName(c))
		}
	}
	return e
}

// contained notes that the claim was proved with the present sets.
func (s *loop) contained() (Event, result, error) {
	if names := s.sharedErrors(); names != nil {
		return s.end(verdict.Unknown, verdict.Reason{Kind: verdict.SharedError, Place: s.claim.Pos, Text: fmt.Sprintf(
			"%s perform error together only, and wait for each other with it: check each alone, "+
				"or leave error out of the specification",
			strings.Join(names, " and "))}), atEnd, nil
	}
	s.smaller = s.smaller.with(s.comps, s.checked, s.stats.Iterations)
	if !s.exact() || s.asksSimulation() || s.asksDivergence() {
		return s.conforms(notLooked), atEnd, nil
	}
	if s.earlier.used > 0 {
		return s.conforms("predicates of an earlier check"), atEnd, nil
	}
	if bound, over := s.exhausted(s.opt, s.stats.Iterations); over {
		return s.conforms(bound), atEnd, nil
	}
	return Verified{Holds: true, States: s.checked.states}, contained, nil
}

// sharedErrors are the components whose alphabets have the action error, if they
// are several, the specification observes it, and one of them may perform it as
// far as its abstraction tells. It is shared like any other action: they wait for
// each other with it, so that a proof says nothing of what one does alone.
func (s *question) sharedErrors() []string {
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

// validateMP looks for each copy's part of the trace in its MP_i. Without level
// two it is there.
func (s *loop) validateMP(context.Context) (Event, result, error) {
	s.refine, s.lacking, s.otherParts = nil, s.project(), nil
	if s.lacking == nil {
		return ValidatedMP{}, genuine, nil
	}
	e := ValidatedMP{Spurious: true}
	for n, k := range s.lacking {
		copied := s.cex.copies[k]
		s.refine = append(s.refine, copied.Component)
		if n == 0 {
			e.Component, e.Copy = copied.Component, copied.Number
		} else {
			e.Also = append(e.Also, copied)
		}
	}
	s.projectBesides()
	for _, p := range s.otherParts {
		e.Besides = append(e.Besides, p.copied)
	}
	return e, spurious, nil
}

// project finds each copy's path in its MP_i, and returns those parts of the counterexample that have none,
// the first of each component.
func (s *task) project() (lacking []int) {
	s.paths, s.taken = s.cex.Paths(len(s.cex.copies)), nil
	if !s.twoLevels || s.cex.lasso != nil { // a lasso is one of level one
		return nil
	}
	for k, copied := range s.cex.copies {
		path, has := lts.Member(s.comps[copied.Component].mp.LTS, visible(s.paths[k]))
		if has {
			s.paths[k] = path
		} else if !s.lacks(lacking, copied.Component) {
			lacking = append(lacking, k)
		}
	}
	return lacking
}

// takePaths asks of each copy whether it can take its path.
func (s *state) takePaths(ctx context.Context) error {
	all := make([]int, len(s.comps))
	for i := range all {
		all[i] = i
	}
	validated := make([]taken, len(s.paths))
	err := s.each(all, func(i int, c *model) (err error) {
		for _, k := range s.cex.parts(i) {
			if validated[k], err = c.validate(ctx, s.paths[k]); err != nil {
				return err
			}
		}
		return nil
	})
	s.taken = validated
	return err
}

// validateC asks whether each copy can take its path.
func (s *loop) validateC(ctx context.Context) (Event, result, error) {
	if err := s.takePaths(ctx); err != nil {
		return nil, "", err
	}
	if e := s.note(); e.Spurious {
		if len(s.refine) == 0 {
			why := verdict.Reason{Kind: verdict.NoProgress,
				Text: fmt.Sprintf("no progress: a path of %s that was eliminated came back", s.comps[e.Component].Name)}
			s.refine = []int{e.Component}
			return s.giveUp(why, e)
		}
		var err error
		e.Besides, err = s.learn(ctx)
		return e, spurious, err
	}
	if slices.ContainsFunc(s.cex.Counterexample.Trace(), s.system.IsCut) {
		return s.cutOff()
	}
	if s.cex.lasso != nil {
		return s.goRound(ctx)
	}
	if s.cex.tree != nil {
		if e, apart, err := s.joinBranches(ctx); err != nil || apart {
			return e, spurious, err
		}
	}
	return s.replay(ctx)
}

// note keeps the paths that components cannot take, the first of each component. The components to refine
// are those of which one did not come back after it was eliminated.
func (s *state) note() ValidatedC {
	e := ValidatedC{}
	s.refine, s.lacking = nil, nil
	for _, c := range s.comps {
		c.settled = len(c.spurious)
	}
	for k, t := range s.taken {
		copied := s.cex.copies[k]
		if t.feasible.Feasible || s.lacks(s.lacking, copied.Component) {
			continue
		}
		c := s.comps[copied.Component]
		this := c.refuted(copied, t)
		known := c.known(t.path)
		back := known >= 0 && known < c.excluded
		switch {
		case !e.Spurious, len(s.refine) == 0 && !back: // those that came back are told only where there are no others
			e = ValidatedC{Spurious: true, Component: this.Component, Copy: this.Copy, Length: this.Length, Core: this.Core}
			s.lacking = nil
		case back:
			continue
		default:
			e.Also = append(e.Also, this)
		}
		s.lacking = append(s.lacking, k)
		if back {
			continue
		}
		s.refine = append(s.refine, copied.Component)
		if known < 0 {
			c.spurious = append(c.spurious, spuriousPath{t.path, t.feasible.Core, t.feasible.First, c.set})
		}
	}
	return e
}

// known is which of the spurious paths a path is, or -1.
func (c *model) known(p predabs.Path) int {
	return slices.IndexFunc(c.spurious, func(q spuriousPath) bool { return q.path == p })
}

// replay executes the counterexample, or a shorter one, and ends the
// session.
func (s *loop) replay(ctx context.Context) (Event, result, error) {
	v, err := s.execute(ctx)
	if err == nil && s.cex.deep {
		v, err = s.executeShorter(ctx, v)
	}
	if err != nil {
		if body := s.needsBody(err); body != "" && !s.proved {
			s.unseen = body
			return ValidatedC{Body: body}, needsBody, nil
		}
		another, failed := s.other(ctx, err)
		if why, ok := verdict.Of(failed); ok && ctx.Err() == nil {
			if (s.cells || s.executes) && s.others && s.waiting() && s.readsMemory(failed) {
				s.elements = true
				return s.giveUp(why, ValidatedC{Unknown: true})
			}
			return s.end(verdict.Unknown, why), atEnd, nil
		}
		if failed != nil {
			return nil, "", failed
		}
		v, s.bounded = another, true
	}
	if s.proved {
		why := verdict.Reason{Kind: verdict.Fault,
			Text: "the claim was proved, and then a run was replayed that violates it, which is a fault of this tool"}
		return s.end(verdict.Unknown, why), atEnd, nil
	}
	longer := s.cex.deep || s.cex.stands > 0 || s.bounded && len(observedBy(s.spec, s.trace)) > 1
	return s.violates(v, longer), atEnd, nil
}

// readsMemory reports whether a run rests on what was read of memory without variables: it is a run of all
// abstractions, and no predicate excludes it, but it may be none with elements that are followed.
func (s *question) readsMemory(err error) bool {
	var unknown *witness.UnknownError
	if !errors.As(err, &unknown) || unknown.From < 0 {
		return false
	}
	a, ok := s.comps[unknown.Part].CFA.Locs[unknown.From].Stmt.(cfa.Assign)
	return ok && (a.Memory != nil && a.Memory.Kind == cfa.Read || s.executable() && isBytes(a))
}

// other is another violation, if others wait for a share: the one found rests on something unknown.
func (s *loop) other(ctx context.Context, because error) (*witness.Violation, error) {
	if !s.waiting() {
		return nil, because
	}
	return s.alternative(ctx, because)
}

// violates ends the session with a violation; longer says that its trace is perhaps
// not a shortest one.
func (s *task) violates(v *witness.Violation, longer bool) Event {
	e := s.end(verdict.Violates, verdict.Reason{})
	s.violated, s.outcome.Run = v, v.ReportWith(s.valueNames())
	s.outcome.Run.Longer = longer
	return e
}

// valueNames are the names that the source has for values of the components'
// variables.
func (s *question) valueNames() witness.Names {
	var procedures []string
	for _, c := range s.comps {
		for _, f := range c.CFA.Frames {
			if !slices.Contains(procedures, f.Proc) {
				procedures = append(procedures, f.Proc)
			}
		}
	}
	all := s.claim.Program.Enumerations(procedures)
	return all.Of
}

// execute replays the counterexample in the concrete components.
func (s *state) execute(ctx context.Context) (*witness.Violation, error) {
	if s.cex.tree != nil {
		return s.executeTree(ctx)
	}
	if s.cex.lasso != nil {
		return s.executeLasso(ctx)
	}
	parts := make([]witness.Part, len(s.taken))
	for k, copied := range s.cex.copies {
		parts[k] = witness.Part{Copy: copied, Graph: s.comps[copied.Component].program(), Execution: s.taken[k].feasible.Run}
		if s.cex.stands > 0 {
			parts[k].Stand, parts[k].Execution = s.cex.standing(k), parts[k].Execution.BeforeLast()
		}
		parts[k].Execution = goingOn(parts[k].Graph, parts[k].Execution)
	}
	return witness.Replay(ctx, s.system, parts, s.acting(s.cex.schedule()))
}

// goingOn is an execution without the edges by which the component says where it could stand still,
// and goes on from there. The program does not have them.
func goingOn(g *component.Graph, x *component.Execution) *component.Execution {
	standing, edges := g.Standing(), g.Base().Edges
	return x.Without(func(e int32) bool { return says(standing, edges[e].Action) })
}

// acting are the steps of a schedule without those by which a component says where it could stand
// still.
func (s *state) acting(all []witness.Joint) []witness.Joint {
	standing, _ := s.standing()
	return slices.DeleteFunc(all, func(j witness.Joint) bool {
		return slices.ContainsFunc(standing, func(of map[lts.Action]lts.Standing) bool { return says(of, j.Action) })
	})
}

// says reports whether an action is one by which a component says where it stands still.
func says(standing map[lts.Action]lts.Standing, a lts.Action) bool {
	_, ok := standing[a]
	return ok
}

// executeShorter replays a shortest violation if there is one that every
// component has; long stands otherwise.
func (s *task) executeShorter(ctx context.Context, long *witness.Violation) (*witness.Violation, error) {
	before := s.state
	found, err := s.shorten(ctx)
	if err != nil || !found {
		return long, err
	}
	short, err := s.execute(ctx)
	if _, undecided := verdict.Of(err); undecided && ctx.Err() == nil {
		s.state = before
		return long, nil
	}
	return short, err
}
