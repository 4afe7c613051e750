package threaded

// Certificates of programs with threads: written behind a session, and checked without one.

import (
	"context"
	"fmt"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/smt/solver"
)

// Certificate shows the verdict. The error is ctx's, or says why nothing does.
func (s *Session) Certificate(ctx context.Context) (*certificate.Certificate, error) {
	if s.outcome == nil || s.outcome.Verdict == verdict.Unknown {
		return &certificate.Certificate{Claim: s.claim.Name, Verdict: verdict.Unknown.String()}, nil
	}
	if s.allowed != nil && s.outcome.Verdict == verdict.Conforms {
		return s.inParts(ctx)
	}
	return s.certificate(ctx, s.outcome.Verdict)
}

// certificate is what shows a verdict.
func (s *Session) certificate(ctx context.Context, v verdict.Verdict) (*certificate.Certificate, error) {
	if p := s.shown; p != nil {
		c, err := p.session.Certificate(ctx)
		if err == nil {
			c.Threads = &certificate.Threads{Copies: p.copies, Elements: p.elements, Whole: p.of.whole, Ranges: p.certified(),
				Refuses: s.refusal()}
		}
		return c, err
	}
	c := &certificate.Certificate{
		Claim: s.claim.Name, Verdict: v.String(), Recursion: s.recursion,
		Threads: &certificate.Threads{Copies: s.limit, Elements: s.elements, Refuses: s.refusal()},
	}
	if v == verdict.Conforms {
		var err error
		c.Threads.Proof, err = s.searcher.search.Proof(ctx)
		return c, err
	}
	c.Threads.Run, c.Threads.By = s.certifyRun()
	return c, nil
}

// certifyRun writes the run that was replayed, up to the error, the deadlock, or the accesses that race.
func (s *Session) certifyRun() (*certificate.Run, []int) {
	out, by := &certificate.Run{Name: s.auto.Name}, []int{}
	for _, b := range s.script.Init {
		if b.Value != 0 {
			out.Init = append(out.Init, certificate.Value{Var: b.Var.Name(), Bits: b.Value})
		}
	}
	steps, commits := s.run.Steps[:s.last], s.run.Commits
	for i := range steps {
		for ; len(commits) > 0 && commits[0].Before == i; commits = commits[1:] {
			out.Moves, by = append(out.Moves, certificate.Move{Seen: commits[0].Var.Name()}), append(by, commits[0].Thread)
		}
		st := &steps[i]
		m := certificate.Move{To: s.next(st.Thread, i)}
		for _, b := range st.Changed {
			m.Set = append(m.Set, certificate.Value{Var: b.Var.Name(), Bits: b.Value})
		}
		acted, _ := st.Event.(interp.Acted)
		m.Action = acted.Action
		out.Moves, by = append(out.Moves, m), append(by, st.Thread)
		if m.Action == cfa.ErrorAction {
			break
		}
	}
	return out, by
}

// next is where a thread is behind a step of the run.
func (s *Session) next(thread, step int) certificate.Node {
	at := func(l cfa.Loc) certificate.Node { return certificate.Node{Kind: certificate.Location, Loc: int(l)} }
	if len(s.auto.Locs[s.run.Steps[step].Loc].Succ) == 0 {
		return certificate.Node{Kind: certificate.End}
	}
	for _, st := range s.run.Steps[step+1:] {
		if st.Thread == thread {
			return at(st.Loc)
		}
	}
	l, _ := s.run.End.At(thread)
	return at(l)
}

// Verify checks a certificate of a claim about a program with threads. A *certificate.RefutedError
// says that it does not show its verdict. The program is modelled as the certificate has it.
func Verify(ctx context.Context, c *component.Claim, opt Options, cert *certificate.Certificate) error {
	c = monitored(c)
	if len(cert.Parts) > 0 {
		return verifyParts(ctx, c, opt, cert)
	}
	c, err := verifiesRefusals(c, cert)
	if err != nil {
		return err
	}
	return verify(ctx, c, opt, cert)
}

// verify checks a certificate without parts of a claim that is asked at once.
func verify(ctx context.Context, c *component.Claim, opt Options, cert *certificate.Certificate) error {
	t := cert.Threads
	opt.Recursion, opt.ArrayLimit = cert.Recursion, t.Elements
	opt.Threads.Limit, opt.Threads.Method = t.Copies, AutoMethod
	if t.Whole != "" {
		return verifyWhole(ctx, c, opt, cert)
	}
	s, err := New(ctx, c, opt)
	if err != nil {
		return err
	}
	if s == nil {
		return &certificate.RefutedError{Reason: "it is about a program with threads, and this one has none"}
	}
	defer s.Close()
	if s.outcome != nil {
		return &s.outcome.Reason
	}
	if why := s.notKnown(); cert.Verdict == verdict.Conforms.String() && why.Text != "" {
		return &why
	}
	solver, err := cegar.OpenSolver(s.auto.Pool, opt.Loop.Solver)
	if err != nil {
		return err
	}
	defer solver.Close()
	return cert.CheckThreads(ctx, s.subject(solver))
}

// subject is what a certificate is checked against.
func (q *question) subject(s solver.Solver) *certificate.ThreadSubject {
	return &certificate.ThreadSubject{
		Component: &component.Component{Name: q.auto.Name, CFA: q.auto, Actions: lts.NewActions()},
		Question:  q.claim.Question, Model: q.opt.Threads.MemoryModel, Solver: s,
	}
}

// verifyWhole checks a certificate by a sequentialisation.
func verifyWhole(ctx context.Context, c *component.Claim, opt Options, cert *certificate.Certificate) error {
	product, threads := Product, opt.Threads.Limit
	many, stands := cert.Threads.Whole != certificate.Product, cert.Threads.Whole == certificate.Standing
	switch cert.Threads.Whole {
	case certificate.Modular:
		product, threads = Modular, lower.AnyThreads
	case certificate.Moves:
		product, threads = CountedMoves, lower.AnyThreads
	case certificate.Locations:
		product, threads = CountedLocations, lower.AnyThreads
	case certificate.Standing:
		product, many = Standing, false
	}
	if len(cert.Threads.Ranges) > 0 {
		product = confined(asRanges(cert.Threads.Ranges), product)
	}
	switch {
	case opt.Threads.MemoryModel != cfa.SC:
		return &certificate.RefutedError{Reason: fmt.Sprintf(
			"one automaton in place of all threads shows nothing under --memory-model %v", opt.Threads.MemoryModel)}
	case stands != (c.Question == component.NoDeadlock) || !stands && c.Question != component.NoError:
		return &certificate.RefutedError{Reason: "such an automaton in place of all threads shows nothing of this question"}
	case cert.Verdict != verdict.Conforms.String():
		return &certificate.RefutedError{Reason: "one automaton in place of all threads shows no violation"}
	case many && (opt.CheckPointers || opt.CheckLeaks):
		return &certificate.RefutedError{Reason: "what is joined twice, or lost, is not seen in an " +
			"automaton for any number of threads"}
	}
	o := opt.prover(threads, product)
	err := cegar.VerifyCertificate(ctx, asErrors(c, &o), o, cert)
	if tooMuch(err) {
		return &certificate.RefutedError{Reason: err.Error()}
	}
	return err
}
