package magus

// Failures and divergences of programs with threads.
//
// Idea: what goes on for ever unobserved is a question about whole runs, where actions that the specification does not
// observe count as none; what is refused is one about runs up to a moment. Each is asked of the engine for it, the
// second unless the first is violated.
//
// Cost: that of both.

import (
	"context"
	"slices"

	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/evidence/witness"
)

// A halves is a session that asks the first half of a claim, and then the second.
type halves struct {
	Session // the present half; nil if it could not be begun
	claim   *Claim
	opt     Options
	second  *Claim   // nil once it is asked
	first   *Outcome // of the first half
	endless Session  // that half, once the second is the present one
	outcome *Outcome
}

// newHalves begins the check of a claim of failures and divergences of threads.
func newHalves(ctx context.Context, claim *Claim, opt Options) (Session, error) {
	h := &halves{claim: claim, opt: opt}
	failures, endless, err := claim.Halves(ctx)
	if err == nil {
		h.second = failures
		h.Session, err = NewSession(ctx, endless, opt)
	}
	if why, known := verdict.Of(err); known {
		h.end(&Outcome{Verdict: Unknown, Reason: why})
	} else if err != nil {
		return nil, err
	}
	return h, nil
}

// Next is the phase of the present half.
func (h *halves) Next() Phase {
	if h.outcome != nil {
		return Finished
	}
	return h.Session.Next()
}

// Step performs one of the present half, or begins the second one.
func (h *halves) Step(ctx context.Context) Event {
	if h.outcome != nil {
		return cegar.Ended{Outcome: h.outcome}
	}
	e := h.Session.Step(ctx)
	end, ok := e.(cegar.Ended)
	switch {
	case !ok:
		return e
	case h.second == nil || end.Outcome.Verdict == Violates:
		h.end(end.Outcome)
	default:
		s, err := NewSession(ctx, h.second, h.opt)
		if err == nil {
			h.endless, h.Session, h.second, h.first = h.Session, s, nil, end.Outcome
			return h.Step(ctx)
		}
		why, known := verdict.Of(err)
		if !known {
			why = verdict.Reason{Kind: verdict.Fault, Text: err.Error()}
		}
		h.Session.Close()
		h.Session = nil
		h.end(&Outcome{Verdict: Unknown, Reason: why})
	}
	return cegar.Ended{Outcome: h.outcome}
}

// end makes an outcome that of the claim: it conforms if both halves do.
func (h *halves) end(o *Outcome) {
	o.Claim, o.Relation = h.claim.Name, string(h.claim.Relation)
	if h.first != nil && o.Verdict == Conforms && h.first.Verdict == Unknown {
		o.Verdict, o.Reason = Unknown, h.first.Reason
	}
	if h.first != nil && o.Verdict == Conforms {
		o.Confirmation = h.first.Confirmation.And(o.Confirmation)
	}
	if h.first != nil {
		for _, a := range h.first.Assumptions {
			if !slices.Contains(o.Assumptions, a) {
				o.Assumptions = append(o.Assumptions, a)
			}
		}
	}
	h.outcome = o
}

// Certificate has that of each half; of a violation that of the half which it violates.
func (h *halves) Certificate(ctx context.Context) (*certificate.Certificate, error) {
	c := &certificate.Certificate{Claim: h.claim.Name, Verdict: Unknown.String()}
	if h.outcome == nil || h.outcome.Verdict == Unknown {
		return c, nil
	}
	sessions := []Session{h.Session}
	if h.outcome.Verdict == Conforms {
		sessions = append(sessions, h.endless)
	}
	c.Verdict = h.outcome.Verdict.String()
	for _, s := range sessions {
		part, err := s.Certificate(ctx)
		if err != nil {
			return nil, err
		}
		c.Parts = append(c.Parts, part)
	}
	return c, nil
}

// verifyHalves checks the certificate of a claim of failures and divergences of threads. A violation is one of
// failures, or has a round, and goes on for ever.
func verifyHalves(ctx context.Context, claim *Claim, opt Options, cert *certificate.Certificate) error {
	failures, endless, err := claim.Halves(ctx)
	if err != nil {
		return err
	}
	of := []*Claim{failures, endless}
	switch {
	case cert.Verdict != Violates.String():
	case len(cert.Parts) == 1 && cert.Parts[0].Round != nil:
		of = of[1:]
	default:
		of = of[:1]
	}
	parts, err := cert.InParts(len(of))
	for i := 0; err == nil && i < len(of); i++ {
		err = Verify(ctx, of[i], opt, parts[i])
	}
	return err
}

// Inputs are those of the half that decides.
func (h *halves) Inputs() *witness.Inputs {
	if h.Session == nil {
		return nil
	}
	return h.Session.Inputs()
}

// Close frees what the present half holds.
func (h *halves) Close() {
	for _, s := range []Session{h.Session, h.endless} {
		if s != nil {
			s.Close()
		}
	}
}
