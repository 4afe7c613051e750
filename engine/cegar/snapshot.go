package cegar

// Going back.
//
// Idea: a phase replaces what it changes and never writes into it, so a snapshot
// is a shallow copy of the two structs that hold it: models, sets and paths are
// shared. Two things are changed in place and need care. What a strategy has
// learned is copied when the strategy is used for the first time after a
// snapshot was taken. The candidates of a component only grow; a snapshot
// remembers how far they were. What the abstractions remember of posts and
// weakest preconditions is true at any time and stays.
//
// A step taken again after going back gives the same event.
//
// Cost: a few words per component; a copy of what the strategy has learned for
// each refinement of predicates after a snapshot.

import (
	"context"
	"slices"

	"magus/engine/portfolio"
	"magus/evidence/verdict"
	"magus/minimize"
	"magus/predabs"
)

// A Snapshot is a session at one moment. It is immutable.
type Snapshot struct {
	of *Session
	moment
	mark portfolio.Mark[*verdict.Outcome]
}

// A moment is what is known of a task at one moment.
type moment struct {
	state      state
	models     []modelState
	candidates [][]*predabs.Candidate
}

// Snapshot is the session as it is now.
func (s *Session) Snapshot() *Snapshot { return &Snapshot{s, s.moment(), s.portfolio.Mark()} }

// moment is the task as it is now.
func (s *task) moment() moment {
	snap := moment{state: s.state}
	for _, c := range s.comps {
		c.shared = true
		c.clip()
		snap.models = append(snap.models, c.modelState)
		snap.candidates = append(snap.candidates, slices.Clip(c.abs.Candidates))
	}
	return snap
}

// Restore makes the session what it was when the snapshot was taken. A snapshot
// of another session is a fault of the caller and panics.
func (s *Session) Restore(snap *Snapshot) {
	if snap.of != s {
		panic("cegar: a snapshot of another session")
	}
	s.back(snap.moment)
	s.portfolio.Return(snap.mark)
}

// back makes the task what it was at a moment.
func (s *task) back(snap moment) {
	s.state = snap.state
	for i, c := range s.comps {
		c.modelState = snap.models[i]
		c.abs.SetCandidates(snap.candidates[i])
	}
}

// Phase is the phase that a session restored to the snapshot performs next.
func (snap *Snapshot) Phase() Phase { return snap.state.phase }

// Weight is the number of abstract states in the snapshot, which take most of
// its memory, as far as it does not share them with the one before.
func (snap *Snapshot) Weight(before *Snapshot) int {
	n := 0
	for i := range snap.models {
		if m := &snap.models[i]; m.mp != nil && (before == nil || before.models[i].mp != m.mp) {
			n += m.mp.LTS.NumStates()
		}
	}
	return n
}

// clip makes appending to a list of m a copy.
func (m *modelState) clip() { m.spurious, m.traces = slices.Clip(m.spurious), slices.Clip(m.traces) }

// own makes the component's strategy its own, if a snapshot has it too.
func (c *model) own() {
	if c.shared {
		if f := minimize.Fork(c.strategy); f != nil {
			c.strategy = f
		}
		c.shared = false
	}
}

// Try performs one phase as [Session.Step] does, but if ctx ends meanwhile, the
// session is afterwards what it was before, and the error is the cause with
// which ctx ended.
func (s *Session) Try(ctx context.Context) (Event, error) {
	before := s.Snapshot()
	e, err := s.attempt(ctx)
	if ctx.Err() != nil && before.state.phase != Finished {
		s.Restore(before)
		return nil, context.Cause(ctx)
	}
	return e, err
}
