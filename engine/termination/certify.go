package termination

// Certificates of termination: written behind a session, and checked without one.

import (
	"context"
	"errors"

	"magus/component"
	"magus/evidence/certificate"
	"magus/evidence/confirm"
	"magus/evidence/verdict"
	"magus/smt/expr"
	"magus/smt/solver"
)

// Certificate is what shows the verdict to a checker.
func (s *Session) Certificate(ctx context.Context) (*certificate.Certificate, error) {
	if s.outcome == nil || s.outcome.Verdict == verdict.Unknown {
		return &certificate.Certificate{Claim: s.claim.Name, Verdict: verdict.Unknown.String()}, nil
	}
	if s.outcome.Verdict == verdict.Violates {
		return s.certifyEndless(ctx)
	}
	if s.unshown != "" {
		return nil, errors.New(s.unshown)
	}
	return s.argument(), nil
}

// argument writes out what holds at heads, and the ranks.
func (s *Session) argument() *certificate.Certificate {
	q := s.asked
	if q.unrolled != nil {
		return &certificate.Certificate{Claim: s.claim.Name, Verdict: verdict.Conforms.String(), Recursion: s.depth,
			Unrolled: q.unrolled}
	}
	x := q.ranking
	c := &certificate.Certificate{Claim: s.claim.Name, Verdict: verdict.Conforms.String(), Recursion: s.depth,
		Induction: &certificate.Induction{Order: q.points(x.order)}, Ranking: &certificate.Ranking{Layers: x.together}}
	of, seen := certificate.Component{Name: q.comp.Name}, map[*expr.Expr]int{}
	for _, h := range x.heads {
		c.Induction.CutPoints = append(c.Induction.CutPoints, certificate.CutPoint{
			At: q.point(h), Spec: []int{int(q.system.Proof.Init())}, Invariants: of.AddTerms(seen, x.inv[h]...)})
	}
	for _, r := range x.ranks {
		var terms []*expr.Expr
		for _, h := range r.Heads {
			terms = append(terms, r.at(x.pool, h))
		}
		c.Ranking.Ranks = append(c.Ranking.Ranks, certificate.Rank{At: q.points(r.Heads), Terms: of.AddTerms(seen, terms...)})
	}
	c.Components = append(c.Components, of)
	return c
}

// points are control points in the words of a certificate.
func (q *question) points(nodes []component.Node) []certificate.Node {
	var all []certificate.Node
	for _, n := range nodes {
		all = append(all, q.point(n))
	}
	return all
}

func (q *question) point(n component.Node) certificate.Node {
	switch n {
	case component.Init:
		return certificate.Node{Kind: certificate.Start}
	case component.Stop:
		return certificate.Node{Kind: certificate.End}
	}
	loc, choice, state := q.graph.Point(n)
	if choice < 0 {
		return certificate.Node{Kind: certificate.Location, Loc: int(loc)}
	}
	return certificate.Node{Kind: certificate.Inside, Loc: int(loc), Choice: choice, State: int(state)}
}

// confirm has a proof checked before it is told.
func (s *Session) confirm(ctx context.Context) (verdict.Confirmation, *verdict.Reason) {
	q := s.asked
	made := solver.Effort(q.prover.Full)
	return confirm.Verdict(ctx, verdict.Conforms, confirm.Part*made, 1, func(b *confirm.Budget) error {
		sub, err := s.subject(b, b.Solver(q.comp.CFA.Pool))
		if err != nil {
			return err
		}
		return s.argument().Check(b, sub)
	})
}

// subject is what a certificate is checked against.
func (s *Session) subject(ctx context.Context, sv solver.Solver) (*certificate.Subject, error) {
	low := component.Options{Modelling: s.opt.Modelling}
	low.Recursion = s.depth
	inlined, err := s.claim.Inlined(ctx, 0, s.asked.comp.CFA, low)
	if err != nil {
		return nil, err
	}
	sub := &certificate.Subject{System: s.asked.system, Solvers: []solver.Solver{sv}}
	sub.Inlined = append(sub.Inlined, inlined)
	return sub, nil
}

// Verify checks a certificate of a claim with nothing of the search. A *certificate.RefutedError says that it
// does not show its verdict.
func Verify(ctx context.Context, c *component.Claim, opt Options, cert *certificate.Certificate) error {
	s := &Session{claim: c, opt: opt, depth: cert.Recursion}
	if err := s.ask(ctx); err != nil {
		return err
	}
	defer s.Close()
	if s.outcome != nil {
		return &s.outcome.Reason
	}
	sub, err := s.subject(ctx, s.asked.prover)
	if err != nil {
		return err
	}
	return cert.Check(ctx, sub)
}
