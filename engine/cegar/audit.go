package cegar

// Looking over the loop's shoulder.
//
// Idea: after every phase, what it has done is checked against the rules of
// docs/semantics.md, by code that has no part in the phase. Abstractions are
// checked by the checker of certificates, counterexamples and containment by
// that of package lts/cert, answers of the decision procedure by package
// smt/checked. What does not hold is a fault of this tool: the
// verdict is unknown, whatever it would have been.
//
// Cost: the obligations of every abstraction that is built. Most of them are
// the same from one iteration to the next and are remembered.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/component"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/lts/cert"
	"magus/smt/checked"
	"magus/smt/embedded"
)

// An auditError is a fault that was noticed.
type auditError struct {
	phase Phase
	what  string
}

func (e *auditError) Error() string {
	return fmt.Sprintf("%v went wrong, which is a fault of this tool: %s", e.phase, e.what)
}

// isFault reports whether an error is a fault of this tool that a check found.
func isFault(err error) bool {
	var wrong *checked.Fault
	var audit *auditError
	return errors.As(err, &wrong) || errors.As(err, &audit)
}

// An audit is what the checks after the phases remember. It is nil where there
// are none.
type audit struct{ checkers []*certificate.Checker }

func newAudit(comps []*model) *audit {
	a := &audit{}
	for _, c := range comps {
		a.checkers = append(a.checkers, certificate.NewChecker(c.Component, embedded.New(c.CFA.Pool)))
	}
	return a
}

// before keeps what a phase is going to replace.
func (a *audit) before(s *Session) []modelState {
	if a == nil {
		return nil
	}
	ls := make([]modelState, len(s.comps))
	for i, c := range s.comps {
		ls[i] = c.modelState
	}
	return ls
}

// after checks what a phase has done.
func (a *audit) after(ctx context.Context, s *Session, before []modelState, e Event) error {
	if a == nil {
		return nil
	}
	err := a.event(ctx, s, before, e)
	var no *certificate.RefutedError
	var not *cert.RefutedError
	if errors.As(err, &no) || errors.As(err, &not) {
		return &auditError{e.Phase(), err.Error()}
	}
	return err
}

func (a *audit) event(ctx context.Context, s *Session, before []modelState, e Event) error {
	if err := a.untouched(s, before, e); err != nil {
		return err
	}
	if err := a.performed(ctx, s, before, e); err != nil {
		return err
	}
	next := follows(e, s.twoLevels)
	yields := (next == AbstractData || next == Unroll) && s.othersShare()
	if s.phase != next && !yields && !s.besides(e) {
		return &auditError{e.Phase(), fmt.Sprintf("%v follows, not %v", s.phase, next)}
	}
	return nil
}

// performed checks what the phase is there to do.
func (a *audit) performed(ctx context.Context, s *Session, before []modelState, e Event) error {
	switch e := e.(type) {
	case DataAbstracted:
		for _, i := range e.Rebuilt {
			if err := a.data(ctx, s, i); err != nil {
				return err
			}
		}
	case EventsAbstracted:
		for _, i := range e.Rebuilt {
			if err := a.partition(s, i); err != nil {
				return err
			}
		}
	case EventsRefined:
		for _, r := range e.All() {
			if err := a.split(s, &before[r.Component], r.Component); err != nil {
				return err
			}
		}
	case Verified:
		return a.verified(ctx, s, e)
	case ValidatedMP:
		return a.validated(s, e)
	case DataRefined:
		return a.sets(s, before, e)
	case Ended:
		return a.outcome(ctx, s, e.Outcome)
	}
	return nil
}

// follows is the phase that has to come after what an event says: the loop once
// more, read from its events. Unroll stands for the share of any other method.
func follows(e Event, twoLevels bool) Phase {
	switch e := e.(type) {
	case DataAbstracted:
		if e.GaveUp > 0 || e.PutOff {
			return Unroll
		}
		if twoLevels {
			return AbstractEvents
		}
		return Verify
	case EventsAbstracted, EventsRefined:
		return Verify
	case Verified:
		if e.Holds {
			return RefineData
		}
		return ValidateMP
	case ValidatedMP:
		if e.Spurious {
			return RefineEvents
		}
		return ValidateC
	case ValidatedC:
		if e.Cut {
			return FollowRecursion
		}
		if e.Body != "" {
			return InlineBody
		}
		return RefineData
	case Unrolled:
		if e.Body != "" {
			return InlineBody
		}
		return AbstractData
	case Executed:
		if e.Deeper {
			return FollowRecursion
		}
		return AbstractData
	case DataRefined, RecursionFollowed, BodyInlined, Induced, Followed, Summarised:
		return AbstractData
	}
	return Finished
}

// othersShare reports whether another method than the loop has the next share.
func (s *state) othersShare() bool { return s.phase >= Unroll && s.phase < Finished }

// besides reports whether the others go on where the loop is at its end.
func (s *state) besides(e Event) bool {
	_, validated := e.(ValidatedC)
	return validated && s.othersShare() && s.stuck != nil
}

// untouched checks that a phase has left alone what it is not there to change:
// sets of predicates, models, partitions. The end may go back to the sets that
// proved the claim.
func (a *audit) untouched(s *Session, before []modelState, e Event) error {
	var models, partitions []int
	switch e := e.(type) {
	case DataAbstracted:
		models, partitions = e.Rebuilt, e.Rebuilt // their partitions are gone
	case EventsAbstracted:
		partitions = e.Rebuilt
	case EventsRefined:
		for _, r := range e.All() {
			partitions = append(partitions, r.Component)
		}
	case Ended, RecursionFollowed, BodyInlined:
		return nil
	}
	for i, c := range s.comps {
		was := &before[i]
		what := ""
		switch {
		case e.Phase() != RefineData && !slices.Equal(c.set, was.set):
			what = "predicates"
		case c.mp != was.mp && !slices.Contains(models, i):
			what = "abstract states"
		case c.ma != was.ma && !slices.Contains(partitions, i):
			what = "blocks"
		default:
			continue
		}
		return &auditError{e.Phase(), fmt.Sprintf("the %s of %s changed too", what, c.Name)}
	}
	return nil
}

// data checks that MP simulates the component, has its alphabet, and is rid of
// the paths that were refuted.
func (a *audit) data(ctx context.Context, s *Session, i int) error {
	c := s.comps[i]
	if !slices.Equal(a.checkers[i].Alphabet(), c.mp.LTS.Alphabet()) {
		return &auditError{AbstractData, "the alphabet of " + c.Name + " changed"}
	}
	model := c.certifyModel(false)
	if err := a.checkers[i].Data(ctx, &model); err != nil {
		return err
	}
	for k, p := range c.spurious[:c.excluded] {
		if c.takes(c.abs.Steps(p.path)) {
			return &auditError{AbstractData,
				fmt.Sprintf("spurious path %d of %s, which was eliminated, is there again", k+1, c.Name)}
		}
	}
	return nil
}

// takes reports whether MP has a path over these edges of the control graph. A
// path on which two edges cannot be told apart by their ends is not looked at.
func (c *model) takes(path []int32) bool {
	g := c.abs.Graph
	at := []lts.State{c.mp.LTS.Init()}
	for _, id := range path {
		e := &g.Edges[id]
		for _, other := range g.Out(e.From) {
			if o := &g.Edges[other]; other != id && o.To == e.To && o.Action == e.Action {
				return false
			}
		}
		var next []lts.State
		for _, st := range at {
			for _, t := range c.mp.LTS.OutBy(st, e.Action) {
				if c.mp.Node(t.To) == e.To {
					next = append(next, t.To)
				}
			}
		}
		slices.Sort(next)
		at = slices.Compact(next)
	}
	return len(at) > 0
}

// blocks checks that MA is the quotient of MP by its blocks.
func (a *audit) blocks(c *model, i int) error {
	model := c.certifyModel(true)
	want, err := a.checkers[i].Model(&model)
	if err != nil {
		return err
	}
	if got := c.ma.Quotient(); !equalLTS(got, want) {
		return &auditError{AbstractEvents, "the transitions between the blocks of " + c.Name +
			" are not those of their members"}
	}
	blocked := 0
	for st := range lts.State(c.mp.LTS.NumStates()) {
		if c.ma.Block(st) >= 0 {
			blocked++
		}
	}
	for b := range c.ma.NumBlocks() {
		members := c.ma.Members(b)
		if len(members) == 0 || slices.ContainsFunc(members, func(st lts.State) bool { return c.ma.Block(st) != b }) {
			return &auditError{AbstractEvents, fmt.Sprintf("block %d of %s is empty or has a state of another block", b, c.Name)}
		}
		blocked -= len(members)
	}
	if blocked != 0 {
		return &auditError{AbstractEvents, "the blocks of " + c.Name + " do not part its states"}
	}
	return nil
}

// partition checks a partition that was begun again: traces that level two
// refuted before, and that MP does not have now, it does not have either.
func (a *audit) partition(s *Session, i int) error {
	c := s.comps[i]
	if err := a.blocks(c, i); err != nil {
		return err
	}
	for _, trace := range c.traces {
		if performs(c.ma.Quotient(), trace) && !performs(c.mp.LTS, trace) {
			return &auditError{AbstractEvents, fmt.Sprintf("%s has the trace %q again", c.Name, s.actions.Names(trace))}
		}
	}
	return nil
}

// performs reports whether m has the weak trace.
func performs(m *lts.LTS, trace []lts.Action) bool {
	at := silently(m, []lts.State{m.Init()})
	for _, a := range trace {
		var next []lts.State
		for _, st := range at {
			for _, e := range m.Out(st) {
				if e.Action == a {
					next = append(next, e.To)
				}
			}
		}
		at = silently(m, next)
	}
	return len(at) > 0
}

// silently adds to states those that τ leads to.
func silently(m *lts.LTS, states []lts.State) []lts.State {
	seen := map[lts.State]bool{}
	var all []lts.State
	for todo := states; len(todo) > 0; {
		st := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[st] {
			continue
		}
		seen[st] = true
		all = append(all, st)
		for _, e := range m.Out(st) {
			if e.Action == lts.Tau {
				todo = append(todo, e.To)
			}
		}
	}
	return all
}

func equalLTS(a, b *lts.LTS) bool {
	if a.NumStates() != b.NumStates() || a.Init() != b.Init() || !slices.Equal(a.Alphabet(), b.Alphabet()) {
		return false
	}
	for s := range lts.State(a.NumStates()) {
		if !slices.Equal(a.Out(s), b.Out(s)) {
			return false
		}
	}
	return true
}

// split checks that blocks were only split and that the trace is gone.
func (a *audit) split(s *Session, before *modelState, i int) error {
	c := s.comps[i]
	if err := a.blocks(c, i); err != nil {
		return err
	}
	from := make([]int, c.ma.NumBlocks())
	for st := range lts.State(c.mp.LTS.NumStates()) {
		now, was := c.ma.Block(st), before.ma.Block(st)
		if (now < 0) != (was < 0) {
			return &auditError{RefineEvents, "the states that have blocks changed"}
		}
		if now < 0 {
			continue
		}
		if from[now] != 0 && from[now] != was+1 {
			return &auditError{RefineEvents, "blocks of " + c.Name + " were joined"}
		}
		from[now] = was + 1
	}
	trace := c.traces[len(c.traces)-1]
	if performs(c.ma.Quotient(), trace) {
		return &auditError{RefineEvents, fmt.Sprintf("%s still has the trace %q", c.Name, s.actions.Names(trace))}
	}
	return nil
}

// verified checks the answer about containment: counterexamples, or the antichain.
func (a *audit) verified(ctx context.Context, s *Session, e Verified) error {
	impl := s.implementation()
	if s.asksSimulation() || !e.Holds && s.cex.lasso != nil {
		return a.parts(s, e, s.levelOne())
	}
	if s.asksDeadlock() && e.Holds || !e.Holds && s.cex.stands > 0 {
		return a.deadlocks(ctx, s, e, impl)
	}
	if !s.system.Single() {
		return a.copies(ctx, s, e, impl)
	}
	if e.Holds {
		return a.contained(ctx, s, impl)
	}
	err := a.violation(ctx, s, s.cex, s.trace, impl)
	for _, x := range s.cex.others {
		if err == nil {
			err = a.violation(ctx, s, x, x.Trace(), impl)
		}
	}
	return err
}

// parts checks that each copy has its part of a tree, or of a lasso. A proof of simulation is checked by its
// certificate.
func (a *audit) parts(s *Session, e Verified, impl []*lts.LTS) error {
	if e.Holds {
		return nil
	}
	for k, copied := range s.cex.copies {
		if !hasPath(impl[copied.Component], s.cex.Path(k), s.cex.visible(k)) {
			return &auditError{Verify, "the counterexample has no path of " + s.system.CopyName(copied)}
		}
	}
	return nil
}

// contained checks a proof of containment that is found anew.
func (a *audit) contained(ctx context.Context, s *Session, impl []*lts.LTS) error {
	spec := s.system.Proof
	r, err := lts.Contains(ctx, impl, spec, lts.Limits{Antichain: true, PartialOrder: !s.opt.AllOrders})
	if err != nil {
		return err
	}
	if r.Verdict != lts.Holds {
		return &auditError{Verify, "the composition is not contained when asked again"}
	}
	c, err := cert.Of(impl, spec, r)
	if err != nil {
		return err
	}
	return c.Check(ctx, impl, spec)
}

// violation checks a counterexample with its trace, and that it has a path of each component.
func (a *audit) violation(ctx context.Context, s *Session, x *cex, trace []lts.Action, impl []*lts.LTS) error {
	c, err := cert.Of(impl, s.against, lts.Result{Verdict: lts.Fails, Counterexample: x.Counterexample})
	if err != nil {
		return err
	}
	if err := c.Check(ctx, impl, s.against); err != nil {
		return err
	}
	for i, m := range impl {
		if !hasPath(m, x.Path(i), observedBy(m, trace)) {
			return &auditError{Verify, "the counterexample has no path of " + s.comps[i].Name}
		}
	}
	return nil
}

// auditedTuples is how many tuples are looked at, in all orders, where a search has found no deadlock.
const auditedTuples = 1 << 16

// deadlocks checks the answer about deadlocks: the copies' parts of the counterexample, or all orders.
func (a *audit) deadlocks(ctx context.Context, s *Session, e Verified, impl []*lts.LTS) error {
	if e.Holds {
		copies, _ := s.written(2)
		r, err := s.standstillOf(ctx, copies, lts.Limits{MaxStates: auditedTuples}, true)
		if err == nil && r.Verdict == lts.Fails {
			err = &auditError{Verify, "there is a deadlock when all orders are searched"}
		}
		return err
	}
	for k, copied := range s.cex.copies {
		if !hasPath(impl[copied.Component], s.cex.Path(k), s.cex.visible(k)) {
			return &auditError{Verify, "the counterexample has no path of " + s.system.CopyName(copied)}
		}
		last := s.cex.visible(k)
		if _, says := s.comps[copied.Component].abs.Graph.Standing()[last[len(last)-1]]; !says {
			return &auditError{Verify, s.system.CopyName(copied) + " does not stand still at the end of the counterexample"}
		}
	}
	return nil
}

// copies checks the same where components run in several copies: the sets that
// hold all that can be reached, or the copies' parts of the counterexample.
func (a *audit) copies(ctx context.Context, s *Session, e Verified, impl []*lts.LTS) error {
	if e.Holds {
		c := &Certificate{}
		if err := s.certifySets(ctx, c); err != nil {
			return err
		}
		return c.Sets.Check(ctx, impl, s.system.Copies, s.system.Proof)
	}
	if !s.system.Runs(s.cex.copies) {
		return &auditError{Verify, "the counterexample has other copies than the claim"}
	}
	for k, copied := range s.cex.copies {
		if !hasPath(impl[copied.Component], s.cex.Path(k), s.cex.visible(k)) {
			return &auditError{Verify, "the counterexample has no path of " + s.system.CopyName(copied)}
		}
	}
	for _, step := range s.cex.Steps {
		taking := make([]int, len(impl))
		for _, m := range step.Moves {
			taking[s.cex.copies[m.Component].Component]++
		}
		for i, m := range impl {
			if step.Action != lts.Tau && taking[i] != 1 && m.HasAction(step.Action) || taking[i] > 1 {
				return &auditError{Verify, fmt.Sprintf("%d copies of %s perform %s", taking[i],
					s.comps[i].Name, s.actions.Name(step.Action))}
			}
		}
	}
	if performs(s.against, observedBy(s.against, s.trace)) != s.against.HasError() {
		return &auditError{Verify, "the trace is allowed by the specification"}
	}
	return nil
}

// observedBy is the part of a trace that is in an alphabet.
func observedBy(m *lts.LTS, trace []lts.Action) []lts.Action {
	return slices.DeleteFunc(slices.Clone(trace), func(a lts.Action) bool { return !m.HasAction(a) })
}

// hasPath reports whether a path is one of m from its start, whose visible
// actions are the trace.
func hasPath(m *lts.LTS, path []lts.Edge, trace []lts.Action) bool {
	at := m.Init()
	var performed []lts.Action
	for _, e := range path {
		if !slices.Contains(m.Out(at), e) {
			return false
		}
		if at = e.To; e.Action != lts.Tau {
			performed = append(performed, e.Action)
		}
	}
	return slices.Equal(performed, trace)
}

// validated checks that the components named do not have the trace, or that
// all have it, by the paths that were found.
func (a *audit) validated(s *Session, e ValidatedMP) error {
	refuted := append([]component.Copy{{Component: e.Component, Number: e.Copy}}, e.Also...)
	for _, p := range s.otherParts {
		if c := s.comps[p.copied.Component]; performs(c.mp.LTS, p.trace) {
			return &auditError{ValidateMP, c.Name + " has a trace that was refuted"}
		}
	}
	for k, copied := range s.cex.copies {
		c, trace := s.comps[copied.Component], s.trace
		if s.system.Single() && s.cex.tree == nil {
			trace = observedBy(c.mp.LTS, trace)
		} else {
			trace = s.cex.visible(k)
		}
		switch {
		case !e.Spurious && !hasPath(c.mp.LTS, s.paths[k], trace):
			return &auditError{ValidateMP, c.Name + " does not have the path that was found"}
		case e.Spurious && slices.Contains(refuted, copied) && performs(c.mp.LTS, trace):
			return &auditError{ValidateMP, c.Name + " has the trace that was refuted"}
		}
	}
	return nil
}

// sets checks that the predicates changed as the event says, in its components
// alone unless smaller sets are tried.
func (a *audit) sets(s *Session, before []modelState, e DataRefined) error {
	all := e.All()
	for i, c := range s.comps {
		for _, k := range c.set {
			if k < 0 || k >= len(c.abs.Candidates) {
				return &auditError{RefineData, "a predicate was chosen that is no candidate"}
			}
		}
		refined := slices.ContainsFunc(all, func(r DataRefined) bool { return r.Component == i })
		if !refined && !s.proved && !slices.Equal(c.set, before[i].set) {
			return &auditError{RefineData, "the predicates of " + c.Name + " changed too"}
		}
	}
	for _, r := range all {
		c, was := s.comps[r.Component], before[r.Component].set
		if !slices.Equal(c.without(c.set, nil), r.Predicates) ||
			!slices.Equal(c.without(c.set, was), r.Added) || !slices.Equal(c.without(was, c.set), r.Dropped) {
			return &auditError{RefineData, "the predicates of " + c.Name +
				" are not those before, with those added and without those dropped"}
		}
	}
	return nil
}

// without are the texts of those candidates that are not among others.
func (c *model) without(set, others []int) []string {
	var texts []string
	for _, i := range set {
		if !slices.Contains(others, i) {
			texts = append(texts, c.abs.Candidates[i].String())
		}
	}
	return texts
}

// outcome checks the verdict by its certificate.
func (a *audit) outcome(ctx context.Context, s *Session, o *verdict.Outcome) error {
	if o.Verdict == verdict.Unknown || ctx.Err() != nil {
		return nil
	}
	if s.summary != nil && s.summary.contracts == nil { // a proof by summaries has no certificate
		return nil
	}
	c, err := s.Certificate(ctx)
	if err != nil {
		return err
	}
	sub, err := s.shownOf(ctx, nil)
	if err != nil {
		return err
	}
	return c.Check(ctx, sub)
}
