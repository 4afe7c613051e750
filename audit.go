package magus

// Looking over the loop's shoulder.
//
// Idea: after every phase, what it has done is checked against the rules of
// docs/semantics.md, by code that has no part in the phase. Abstractions are
// checked by the checker of certificates, counterexamples and containment by
// that of package lts/cert, answers of the decision procedure by package
// internal/solver/checked. What does not hold is a fault of this tool: the
// verdict is unknown, whatever it would have been.
//
// Cost: the obligations of every abstraction that is built. Most of them are
// the same from one turn to the next and are remembered.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/internal/certificate"
	"magus/internal/solver/checked"
	"magus/internal/solver/embedded"
	"magus/lts"
	"magus/lts/cert"
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
type audit struct {
	checkers  []*certificate.Checker
	alphabets [][]lts.Action // by component, of its first model
}

func newAudit(s *Session) (*audit, error) {
	a := &audit{alphabets: make([][]lts.Action, len(s.comps))}
	for _, c := range s.comps {
		k, err := certificate.NewChecker(c.abs.Graph.Comp, embedded.New(c.cfa.Pool))
		if err != nil {
			return nil, err
		}
		a.checkers = append(a.checkers, k)
	}
	return a, nil
}

// before keeps what a phase is going to replace.
func (a *audit) before(s *Session) []levels {
	if a == nil {
		return nil
	}
	ls := make([]levels, len(s.comps))
	for i, c := range s.comps {
		ls[i] = c.levels
	}
	return ls
}

// after checks what a phase has done.
func (a *audit) after(ctx context.Context, s *Session, before []levels, e Event) error {
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

func (a *audit) event(ctx context.Context, s *Session, before []levels, e Event) error {
	switch e := e.(type) {
	case DataAbstracted:
		for _, i := range e.Rebuilt {
			if err := a.data(ctx, s, i); err != nil {
				return err
			}
		}
	case EventsAbstracted:
		for _, i := range e.Rebuilt {
			if err := a.blocks(s.comps[i], i); err != nil {
				return err
			}
		}
	case EventsRefined:
		return a.split(s, &before[e.Component], e.Component)
	case Verified:
		return a.verified(ctx, s, e)
	case DataRefined:
		return a.sets(s, before, e)
	case Ended:
		return a.outcome(ctx, s, e.Outcome)
	}
	return nil
}

// data checks that MP simulates the component, has its alphabet, and is rid of
// the paths that were refuted.
func (a *audit) data(ctx context.Context, s *Session, i int) error {
	c := s.comps[i]
	alphabet := c.mp.LTS.Alphabet()
	if a.alphabets[i] == nil {
		a.alphabets[i] = alphabet
	}
	if !slices.Equal(a.alphabets[i], alphabet) {
		return &auditError{AbstractData, "the alphabet of " + c.name + " changed"}
	}
	model := c.certifyModel(false)
	if err := a.checkers[i].Data(ctx, &model); err != nil {
		return err
	}
	for k, path := range c.paths {
		if !c.loose && c.takes(c.abs.Steps(path)) {
			return &auditError{AbstractData, fmt.Sprintf("spurious path %d of %s, which was eliminated, is there again", k+1, c.name)}
		}
	}
	return nil
}

// takes reports whether MP has a path over these edges of the control graph. A
// path on which two edges cannot be told apart by their ends is not looked at.
func (c *component) takes(path []int32) bool {
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
func (a *audit) blocks(c *component, i int) error {
	model := c.certifyModel(true)
	want, err := a.checkers[i].Model(&model)
	if err != nil {
		return err
	}
	if got := c.ma.Quotient(); !equalLTS(got, want) {
		return &auditError{AbstractEvents, "the transitions between the blocks of " + c.name + " are not those of their members"}
	}
	return nil
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
func (a *audit) split(s *Session, before *levels, i int) error {
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
			return &auditError{RefineEvents, "blocks of " + c.name + " were joined"}
		}
		from[now] = was + 1
	}
	trace := c.traces[len(c.traces)-1]
	if _, still := lts.Member(c.ma.Quotient(), trace); still {
		return &auditError{RefineEvents, fmt.Sprintf("%s still has the trace %q", c.name, s.actions.Names(trace))}
	}
	return nil
}

// verified checks the answer about containment: the trace of a counterexample,
// or the antichain.
func (a *audit) verified(ctx context.Context, s *Session, e Verified) error {
	impl := s.implementation()
	r := lts.Result{Verdict: lts.Fails, Counterexample: s.cex}
	if e.Holds {
		var err error
		if r, err = lts.Contains(ctx, impl, s.spec, lts.Limits{Antichain: true}); err != nil {
			return err
		}
		if r.Verdict != lts.Holds {
			return &auditError{Verify, "the composition is not contained when asked again"}
		}
	}
	c, err := cert.Of(impl, s.spec, r)
	if err != nil {
		return err
	}
	return c.Check(ctx, impl, s.spec)
}

// sets checks that the predicates changed as the event says, in its component
// alone unless smaller sets are tried.
func (a *audit) sets(s *Session, before []levels, e DataRefined) error {
	for i, c := range s.comps {
		for _, k := range c.set {
			if k < 0 || k >= len(c.abs.Candidates) {
				return &auditError{RefineData, "a predicate was chosen that is no candidate"}
			}
		}
		if i != e.Component && !s.proved && !slices.Equal(c.set, before[i].set) {
			return &auditError{RefineData, "the predicates of " + c.name + " changed too"}
		}
	}
	c := s.comps[e.Component]
	if len(e.Predicates) != len(c.set) || len(before[e.Component].set)+len(e.Added)-len(e.Dropped) != len(c.set) {
		return &auditError{RefineData, "the predicates of " + c.name + " are not those before, with those added and without those dropped"}
	}
	return nil
}

// outcome checks the verdict by its certificate.
func (a *audit) outcome(ctx context.Context, s *Session, o *Outcome) error {
	if o.Verdict == Unknown || ctx.Err() != nil {
		return nil
	}
	c, err := s.Certificate(ctx)
	if err != nil {
		return err
	}
	return c.Check(ctx, s.subject())
}
