package cegar

// What people do to a session by hand between two phases.
//
// Each act changes what a refinement would have changed and sets the phase that
// has to come next, so the loop's answer stays as well founded as without it: a
// predicate more or less, or a block split, is only another abstraction with all
// traces of the component.

import (
	"context"
	"fmt"
	"slices"

	"magus/actionref"
	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/evidence/witness"
	"magus/lts"
	"magus/minimize"
	"magus/predabs"
	"magus/smt/expr"
)

// AddPredicates adds the atomic conditions of a C expression to a component's
// predicates, at all locations of the instances of procedure proc (the
// component's own if it is empty), and gives their texts. MP is then built anew,
// unless all of them are among the predicates already: then nothing changes.
// The error is an *component.InputError or has a place in the text.
func (s *Session) AddPredicates(i int, proc, text string) ([]string, error) {
	if err := s.workable(); err != nil {
		return nil, err
	}
	c := s.comps[i]
	if proc == "" {
		proc = c.Name
	}
	frames := c.CFA.FramesOf(proc)
	if len(frames) == 0 {
		return nil, &component.InputError{Msg: fmt.Sprintf("component %s has no instance of a procedure %s", c.Name, proc)}
	}
	var conds []*expr.Expr
	for _, f := range frames {
		cond, err := s.claim.Cond(c.CFA, f, text)
		if err != nil {
			return nil, err
		}
		conds = append(conds, cond)
	}
	var names []string
	set := minimize.SetOf(c.set...)
	for i, cond := range conds {
		for _, k := range c.abs.Add(cond, frames[i:i+1], cfa.Pos{}, predabs.FromUser) {
			set = set.With(k)
			if text := c.abs.Candidates[k].String(); !slices.Contains(names, text) {
				names = append(names, text)
			}
		}
	}
	if len(names) == 0 {
		return nil, &component.InputError{Msg: fmt.Sprintf("%s says nothing: it has one value only", text)}
	}
	if wider := c.abs.Widest(set.Elements()); !slices.Equal(wider, c.set) {
		s.use(c, wider)
	}
	return names, nil
}

// DropPredicate removes candidate number k from a component's predicates. The
// strategy may choose it again.
func (s *Session) DropPredicate(i, k int) error {
	if err := s.workable(); err != nil {
		return err
	}
	c := s.comps[i]
	if !slices.Contains(c.set, k) {
		return &component.InputError{Msg: fmt.Sprintf("component %s does not use candidate %d", c.Name, k)}
	}
	s.use(c, slices.DeleteFunc(slices.Clone(c.set), func(other int) bool { return other == k }))
	return nil
}

// use makes set the component's candidates; the next phase builds its MP. Nobody
// has asked whether set eliminates the paths found so far: each may come back.
func (s *Session) use(c *model, set []int) {
	c.set, c.stale, c.excluded = set, true, 0
	s.after(changePredicates)
}

// workable reports why nothing can be done to the session.
func (s *state) workable() error {
	switch {
	case s.system == nil:
		return &component.InputError{Msg: "the session has no components: " + s.outcome.Reason.String()}
	case s.phase == Finished:
		return &component.InputError{Msg: "the session has ended; go back first"}
	}
	return nil
}

// Split splits a block of a component's partition by an action, as a refinement
// of level two does. The split lasts until the component's MP is built anew.
func (s *Session) Split(ctx context.Context, i, block int, action string) (Event, error) {
	if err := s.workable(); err != nil {
		return nil, err
	}
	c := s.comps[i]
	a, known := s.actions.Lookup(action)
	switch {
	case !s.twoLevels:
		return nil, &component.InputError{Msg: "level two is off: there are no blocks"}
	case c.ma == nil || c.stale || s.phase == AbstractEvents:
		return nil, &component.InputError{Msg: "the partition of " + c.Name + " is not built yet"}
	case block < 0 || block >= c.ma.NumBlocks():
		return nil, &component.InputError{Msg: fmt.Sprintf("%s has no block %d; its blocks are 0 to %d",
			c.Name, block, c.ma.NumBlocks()-1)}
	case !known || !c.mp.LTS.HasAction(a):
		return nil, &component.InputError{Msg: fmt.Sprintf("%s has no action %s", c.Name, action)}
	}
	before := c.ma.NumBlocks()
	ma, err := c.ma.Split(ctx, block, a)
	if err != nil {
		return nil, context.Cause(ctx)
	}
	if ma == c.ma {
		return nil,
			&component.InputError{Msg: fmt.Sprintf("all members of block %d go to the same blocks by %s", block, action)}
	}
	split := actionref.SplitInfo{Block: block, Action: a, Into: []int{block}}
	for b := before; b < ma.NumBlocks(); b++ {
		split.Into = append(split.Into, b)
	}
	c.ma, c.splits = ma, c.named([]actionref.SplitInfo{split})
	s.stats.Splits++
	s.after(splitBlock)
	return EventsRefined{Component: i, Splits: c.splits, Blocks: ma.NumBlocks()}, nil
}

// Minimize chooses another strategy for the refinements to come. It begins
// without what the old one has learned.
func (s *Session) Minimize(name string) error {
	if err := s.workable(); err != nil {
		return err
	}
	for _, c := range s.comps {
		st, err := s.opt.strategy(name)
		if err != nil {
			return err
		}
		c.strategy, c.shared = st, false
	}
	s.opt.Strategy = name
	return nil
}

// Counterexamples gives up to limit traces that violate the specification in the
// abstraction and are as long as the present counterexample, which is one of
// them. They come in the order of their actions' names. complete says that there
// are no others.
func (s *state) Counterexamples(ctx context.Context, limit int) (traces [][]string, complete bool, err error) {
	all, complete, err := s.counterexamples(ctx, limit)
	for _, x := range all {
		traces = append(traces, s.actions.Names(x.Trace()))
	}
	return traces, complete, err
}

func (s *state) counterexamples(ctx context.Context, limit int) ([]*lts.Counterexample, bool, error) {
	if err := s.workable(); err != nil {
		return nil, false, err
	}
	if s.phase < ValidateMP || s.trace == nil || s.reducing {
		return nil, false, &component.InputError{Msg: "there is no counterexample now"}
	}
	if slices.ContainsFunc(s.comps, func(c *model) bool { return c.stale }) {
		return nil, false, &component.InputError{Msg: "there is no counterexample now: the predicates have changed since"}
	}
	if err := s.single("other counterexamples are not looked for"); err != nil {
		return nil, false, err
	}
	return lts.Counterexamples(ctx, s.implementation(), s.against, len(lts.Project(s.trace, s.against.Alphabet())), limit)
}

// SelectCounterexample goes on with counterexample number i of those that Counterexamples
// gives with the same limit.
func (s *Session) SelectCounterexample(ctx context.Context, limit, i int) (Event, error) {
	all, _, err := s.counterexamples(ctx, limit)
	if err != nil {
		return nil, err
	}
	if i < 0 || i >= len(all) {
		return nil, &component.InputError{Msg: fmt.Sprintf("no counterexample %d; there are 1 to %d", i+1, len(all))}
	}
	s.cex = &cex{Counterexample: all[i], copies: s.system.Written(s.system.Copies), deep: s.cex.deep}
	s.trace, s.paths, s.taken, s.refine, s.lacking = all[i].Trace(), nil, nil, nil, nil
	s.after(selectCounterexample)
	return s.found(), nil
}

// Eval is the value of a C expression before step number step of part k of the
// replayed violation, by the variables that its location can see; the number of
// steps stands for the end.
func (s *state) Eval(k, step int, text string) (string, error) {
	if s.violated == nil {
		return "", &component.InputError{Msg: "no counterexample was replayed: there are no values yet"}
	}
	return s.EvalRun(s.cex.copies[k].Component, s.violated.Run.Runs[k], step, text)
}

// Understands is the error of a C expression that means nothing in any procedure of component i.
func (s *question) Understands(i int, text string) (err error) {
	c := s.comps[i]
	for frame := range c.CFA.Frames {
		if _, wrong := s.claim.Term(c.CFA, frame, text); wrong == nil {
			return nil
		} else if err == nil {
			err = wrong
		}
	}
	return err
}

// EvalRun is the value of a C expression before a step of a run of component i, as Eval
// gives it.
func (s *question) EvalRun(i int, run *interp.Run, step int, text string) (string, error) {
	c := s.comps[i]
	for n, st := range run.States {
		if n != step {
			continue
		}
		term, err := s.claim.Term(c.CFA, c.CFA.Locs[st.Loc()].Frame, text)
		if err != nil {
			return "", err
		}
		return witness.Format(c.Component, term.Type(), st.Eval(term)), nil
	}
	return "", &component.InputError{Msg: fmt.Sprintf("the run of %s has no step %d", c.Name, step+1)}
}
