package threaded

// Claims about what threads refuse.
//
// Idea: first that nothing forbidden is done, and that the process does not end where the specification must be
// offered something; then, by a question about deadlocks, that the threads do not stand where they refuse too much
// (component.Claim.Refusing). The second question has a session of its own, which takes the place of the first.
//
// A violation of either has a certificate; that of a proof has two parts, a proof for each question.
//
// Cost: that of both questions.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/monitor"
	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/lts"
)

// refuses goes on with what is refused, behind a proof that nothing is forbidden.
func (s *Session) refuses(ctx context.Context, confirmation verdict.Confirmation) cegar.Event {
	unable := func(text string) cegar.Event {
		return s.end(verdict.Unknown, verdict.Reason{Kind: verdict.NotModelled, Place: s.claim.Pos, Text: text})
	}
	switch {
	case s.opt.Threads.MemoryModel != cfa.SC:
		return unable(fmt.Sprintf("nothing forbidden is done; what threads refuse is not looked at under --memory-model %v",
			s.opt.Threads.MemoryModel))
	case len(s.auto.Threads) <= 1:
		return unable("nothing forbidden is done; what a program refuses that may create threads, and creates none, " +
			"is not looked at")
	}
	opt := s.opt
	opt.Threads.Method = AutoMethod
	next, err := begin(ctx, s.claim.Refusing(), opt, s.record)
	if err != nil {
		return s.stop(ctx, err)
	}
	before := *s
	*s = *next
	s.allowed = &allowed{&before, confirmation}
	return s.Step(ctx)
}

// allowed is a session that has shown that nothing forbidden is done.
type allowed struct {
	*Session
	confirmation verdict.Confirmation
}

// inParts is what shows that nothing forbidden is done, and that nothing is refused.
func (s *Session) inParts(ctx context.Context) (*certificate.Certificate, error) {
	allows, err := s.allowed.certificate(ctx, verdict.Conforms)
	if err != nil {
		return nil, err
	}
	offers, err := s.certificate(ctx, verdict.Conforms)
	return &certificate.Certificate{Claim: s.claim.Name, Verdict: verdict.Conforms.String(),
		Parts: []*certificate.Certificate{allows, offers}}, err
}

// verifyParts checks both.
func verifyParts(ctx context.Context, c *component.Claim, opt Options, cert *certificate.Certificate) error {
	parts, err := cert.InParts(2)
	switch {
	case err != nil:
		return err
	case c.Refusing() == nil || cert.Verdict != verdict.Conforms.String():
		return cert.Whole()
	}
	s, err := New(ctx, c, opt)
	if err != nil {
		return err
	}
	if s == nil || len(s.auto.Threads) <= 1 {
		return &certificate.RefutedError{Reason: "what a program refuses that creates no threads is not looked at"}
	}
	s.Close()
	for i, of := range []*component.Claim{c, c.Refusing()} {
		if err := parts[i].OfThreads(i == 1); err != nil {
			return err
		}
		if err := verify(ctx, of, opt, parts[i]); err != nil {
			return err
		}
	}
	return nil
}

// refusal reports whether the question is what threads refuse.
func (q *question) refusal() bool {
	return q.claim.Monitors() != nil && q.claim.Question == component.NoDeadlock
}

// tests reports whether a thread is not one of the program.
func (q *question) tests(thread int) bool { return q.auto.Threads[thread].Name == monitor.TestThread }

// verifiesRefusals is the claim that a certificate of one about failures may show; the error says that none does.
func verifiesRefusals(c *component.Claim, cert *certificate.Certificate) (*component.Claim, error) {
	of := c.Refusing()
	switch {
	case of == nil && cert.Threads.Refuses:
		return nil, &certificate.RefutedError{Reason: "the claim is not about what is refused"}
	case of != nil && cert.Verdict != verdict.Violates.String():
		return nil, &certificate.RefutedError{Reason: "that nothing forbidden is done and that nothing is refused are " +
			"two proofs, and this is one"}
	case cert.Threads.Refuses:
		return of, nil
	}
	return c, nil
}

// reportRefusal completes the report of a run behind which threads stand, or the process has ended, and too much is
// refused.
func (s *Session) reportRefusal(ctx context.Context, r *verdict.Run) error {
	system, err := s.claim.MonitoredSystem(ctx, s.auto)
	if err != nil {
		return err
	}
	spec := system.Spec
	observed := s.observed(spec, r)
	sets, ok := lts.Acceptances(spec, observed)
	if !ok {
		return errors.New("the specification does not allow what is done before something is refused")
	}
	r.Trace, r.Allowed, r.Must, r.Offered = spec.Actions().Names(observed), nil, [][]string{}, nil
	for _, set := range sets {
		r.Must = append(r.Must, spec.Actions().Names(set))
	}
	along := system.StatesAlong(observed)
	r.Spec = specStates(along[len(along)-1])
	r.Steps = slices.DeleteFunc(r.Steps, func(st verdict.RunStep) bool { return st.Forbidden })
	s.mark(r, spec, along)
	for _, t := range r.Threads {
		if a := s.offered(t); a != "" && !slices.Contains(r.Offered, a) {
			r.Offered = append(r.Offered, a)
		}
	}
	slices.Sort(r.Offered)
	if slices.ContainsFunc(r.Must, func(set []string) bool { return subset(set, r.Offered) }) {
		return errors.New("what the threads were found to refuse is offered")
	}
	return nil
}

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(x string) bool { return !slices.Contains(b, x) })
}

// offered is the action that a thread comes to at the end of the run; "" if it has ended, or stands elsewhere.
func (s *Session) offered(thread int) string {
	at, status := s.run.End.At(thread)
	if s.run.End.Ended() || status != interp.Runs {
		return ""
	}
	if a, ok := s.auto.Locs[at].Stmt.(cfa.Atomic); !ok || !a.Monitors {
		return ""
	}
	met := map[cfa.Loc]bool{}
	for todo := []cfa.Loc{at}; len(todo) > 0; todo = todo[1:] {
		l := todo[0]
		if a, ok := s.auto.Locs[l].Stmt.(cfa.Act); ok {
			return shown(a.Action)
		}
		if !met[l] {
			met[l] = true
			todo = append(todo, s.auto.Locs[l].Succ...)
		}
	}
	return ""
}
