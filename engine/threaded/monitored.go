package threaded

// Claims with a specification: what is told of the actions of a run.
//
// Idea: the automaton has the monitor in it (component.Claim.Monitored), which performs an error behind the action that
// is forbidden. For people the run ends with that action, and no monitor is seen.
//
// Cost: linear in the run, and the specification's states along it.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/monitor"
	"magus/component"
	"magus/evidence/coverage"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/internal/phrase"
	"magus/lts"
)

// monitored is the claim that stands for one with a specification about a program whose sources declare what creates
// threads; other claims stand for themselves.
func monitored(c *component.Claim) *component.Claim {
	if m := c.Monitored(); m != nil && c.Program.DeclaresThreads() {
		return m
	}
	return c
}

// completed has an outcome tell of the specification.
func (s *Session) completed(ctx context.Context, o *verdict.Outcome) error {
	if o.Verdict == verdict.Conforms {
		return s.examine(ctx, o)
	}
	if s.refusal() {
		return s.reportRefusal(ctx, o.Run)
	}
	return s.reportActions(ctx, o.Run)
}

// shown is what an action of the automaton is called in the sources.
func shown(action string) string {
	if action == monitor.ProgramError {
		return cfa.ErrorAction
	}
	return action
}

// observed are the observed actions of the run, and notes all in its report.
func (s *Session) observed(spec *lts.LTS, r *verdict.Run) (observed []lts.Action) {
	trace := s.run.Trace
	if i := slices.Index(trace, cfa.ErrorAction); i >= 0 {
		trace = trace[:i]
	}
	r.Full = nil
	for _, a := range trace {
		r.Full = append(r.Full, shown(a))
		if a, known := spec.Actions().Lookup(shown(a)); known && spec.HasAction(a) {
			observed = append(observed, a)
		}
	}
	return observed
}

// reportActions completes the report of a run that does something forbidden.
func (s *Session) reportActions(ctx context.Context, r *verdict.Run) error {
	system, err := s.claim.MonitoredSystem(ctx, s.auto)
	if err != nil {
		return err
	}
	spec := system.Spec
	observed := s.observed(spec, r)
	path, allowed := lts.Member(spec, observed)
	if allowed && s.claim.Refusing() != nil { // it is the end that is wrong
		return s.reportRefusal(ctx, r)
	}
	if len(observed) == 0 {
		return errors.New("the run of threads that was found performs nothing that the specification speaks of")
	}
	if allowed && !spec.HasError() {
		return fmt.Errorf("the specification allows what the run of threads does, in %s", phrase.Plural(len(path), "step"))
	}
	r.Trace = spec.Actions().Names(observed)
	if !spec.HasError() {
		r.Allowed = witness.Allowed(spec, observed[:len(observed)-1])
	}
	along := system.StatesAlong(observed)
	last := along[len(along)-1]
	if r.Opposite = spec.HasError(); r.Opposite {
		last = slices.DeleteFunc(slices.Clone(last), func(s component.SpecState) bool { return s.Name != "ERROR" })
	}
	r.Spec = specStates(last)
	s.mark(r, spec, along)
	return nil
}

// mark notes the specification's states behind the steps with actions, and ends the run with the one that is forbidden.
func (q *question) mark(r *verdict.Run, spec *lts.LTS, along [][]component.SpecState) {
	done := 0
	for i := range r.Steps {
		st := &r.Steps[i]
		st.Action = shown(st.Action)
		if a, known := spec.Actions().Lookup(st.Action); st.Action == "" || !known || !spec.HasAction(a) {
			continue
		}
		if done++; done < len(along) {
			st.Spec = specStates(along[done])
		}
		if done == len(r.Trace) {
			st.Forbidden, r.By = true, r.Components[st.Component]
			r.Steps = r.Steps[:i+1]
			return
		}
	}
}

// examine gives a proof the doubts what it is about, and makes it unknown where such proofs are refused.
func (q *question) examine(ctx context.Context, o *verdict.Outcome) error {
	system, err := q.claim.MonitoredSystem(ctx, q.auto)
	if err != nil {
		return err
	}
	names := slices.Clone(q.auto.Actions)
	for _, c := range system.Components {
		names = append(names, system.Spec.Actions().Names(c.Shared)...)
	}
	o.Doubts, _ = coverage.Unperformed(q.claim.Monitors(), system.Spec, names, q.auto.Errors)
	if q.opt.Loop.RefuseVacuous && len(o.Doubts) > 0 {
		d := o.Doubts[0]
		o.Verdict, o.Reason = verdict.Unknown, verdict.Reason{Kind: verdict.Vacuous, Place: d.Pos,
			Text: fmt.Sprintf("proved, but of little: %s", d.Text)}
	}
	return nil
}

func specStates(states []component.SpecState) []verdict.SpecState {
	var all []verdict.SpecState
	for _, s := range states {
		all = append(all, verdict.SpecState(s))
	}
	return all
}
