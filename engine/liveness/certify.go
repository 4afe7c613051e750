package liveness

// Certificates of proofs: the graphs of the components, and the terms with which loops are left. They are
// written behind a session, checked before a proof is told, and checked without a session.

import (
	"context"
	"errors"
	"slices"

	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/evidence/confirm"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
)

var (
	errChoice = errors.New("a violation of progress under a condition with fair choice has no certificate: it is no " +
		"single run")
	errTooLarge = errors.New("the graphs of the components are too large for a certificate")
)

// mostValues bounds the truth values in a certificate: states times conditions.
const mostValues = 1 << 25

// stateEffort is what the effort of a proof counts for each state of a graph.
const stateEffort = 1000

// A lessened is a term of a component which loops make less, or greater, and which so leaves them.
type lessened struct {
	component int
	term      *expr.Expr
	up        bool
}

// proved ends the session with a proof, if what shows it stands its check.
func (t *trial) proved() {
	t.graphsAtEnd = t.behaviours
	made := int64(0)
	for i, sv := range t.solvers {
		made += solver.Effort(sv) + stateEffort*int64(len(t.behaviours[i].states))
	}
	cert, err := t.argument()
	if err != nil {
		t.end(verdict.Conforms, verdict.Reason{})
		t.outcome.Confirmation.Why = err.Error()
		return
	}
	confirmation, refused := confirm.Verdict(t.ctx, verdict.Conforms, confirm.Part*made, 1, func(b *confirm.Budget) error {
		sub, err := t.subject(b, func(c *component.Component) solver.Solver { return b.Solver(c.CFA.Pool) })
		if err != nil {
			return err
		}
		return cert.Check(b, sub)
	})
	if refused != nil {
		t.end(verdict.Unknown, *refused)
		return
	}
	t.end(verdict.Conforms, verdict.Reason{})
	t.outcome.Confirmation = confirmation
}

// Certificate is what shows the verdict to a checker.
func (s *Session) Certificate(ctx context.Context) (*certificate.Certificate, error) {
	switch {
	case s.outcome == nil || s.outcome.Verdict == verdict.Unknown:
		return &certificate.Certificate{Claim: s.claim.Name, Verdict: verdict.Unknown.String()}, nil
	case s.outcome.Verdict == verdict.Violates:
		return s.violation(ctx)
	}
	return s.argument()
}

// violation writes out the run that violates, if its checker accepts it.
func (s *Session) violation(ctx context.Context) (*certificate.Certificate, error) {
	if s.claim.Live.Fairness == component.ChoiceFairness {
		return s.trapped(ctx)
	}
	c := &certificate.Certificate{Claim: s.claim.Name, Verdict: verdict.Violates.String(), Recursion: s.opt.Recursion}
	for _, p := range s.lasso.parts {
		run := runOf(p.Graph, p.Execution)
		run.Name = s.system.CopyName(p.Copy)
		c.Runs = append(c.Runs, run)
	}
	actions := s.comps[0].Actions
	for _, j := range s.lasso.schedule {
		c.Trace = append(c.Trace, actions.Name(j.Action))
		if !s.system.Single() {
			c.By = append(c.By, j.Parts)
		}
	}
	if s.lasso.turns != nil {
		c.Round = &certificate.Lasso{Actions: s.lasso.before}
		for k, t := range s.lasso.turns {
			c.Round.Moves = append(c.Round.Moves, t.Edge)
			if t.Within != nil {
				set := certificate.RecurrenceSet{Component: certificate.Component{Name: c.Runs[k].Name}}
				set.Atoms = set.AddTerms(map[*expr.Expr]int{}, t.Within...)
				c.Round.Sets = append(c.Round.Sets, set)
			}
		}
	}
	if s.asked.hasConds {
		c.Order = s.lasso.order
	}
	return s.checked(ctx, c)
}

// checked is a certificate, if its checker accepts it.
func (s *Session) checked(ctx context.Context, c *certificate.Certificate) (*certificate.Certificate, error) {
	sub, err := s.subject(ctx, func(c *component.Component) solver.Solver { return s.solvers[slices.Index(s.comps, c)] })
	if err != nil {
		return nil, err
	}
	return c, c.Check(ctx, sub)
}

// trapped writes out the run to where no action of the progress is possible any more, and the graphs that show it.
func (s *Session) trapped(ctx context.Context) (*certificate.Certificate, error) {
	if s.claim.Live.Progress == nil || s.claim.Live.Progress.Conditional {
		return nil, errChoice
	}
	c := &certificate.Certificate{Claim: s.claim.Name, Verdict: verdict.Violates.String(), Recursion: s.opt.Recursion}
	for k, p := range s.lasso.parts {
		stem := *p.Execution
		if s.lasso.turns != nil {
			n := s.lasso.turns[k].Edge
			stem.Edges, stem.Step = stem.Edges[:n], stem.Step[:n]
		}
		run := runOf(p.Graph, &stem)
		run.Name = s.system.CopyName(p.Copy)
		c.Runs = append(c.Runs, run)
	}
	schedule := s.lasso.schedule
	if s.lasso.turns != nil {
		schedule = schedule[:s.lasso.before]
	}
	actions := s.comps[0].Actions
	for _, j := range schedule {
		c.Trace = append(c.Trace, actions.Name(j.Action))
		if !s.system.Single() {
			c.By = append(c.By, j.Parts)
		}
	}
	for i, b := range s.graphsAtEnd {
		of := certificate.Component{Name: s.comps[i].Name}
		if err := b.certify(&of, map[*expr.Expr]int{}); err != nil {
			return nil, err
		}
		c.Components = append(c.Components, of)
	}
	return s.checked(ctx, c)
}

// runOf writes out what a process does.
func runOf(g *component.Graph, x *component.Execution) certificate.Run {
	var out certificate.Run
	values := map[*expr.Expr]uint64{}
	for _, b := range x.Init {
		if values[b.Var] = b.Value; b.Value != 0 {
			out.Init = append(out.Init, certificate.Value{Var: b.Var.Name(), Bits: b.Value})
		}
	}
	for i, id := range x.Edges {
		e := &g.Edges[id]
		m := certificate.Move{To: point(g, e.To)}
		if e.Action != lts.Tau {
			m.Action = g.Comp.Actions.Name(e.Action)
		}
		for _, b := range e.Apply(values, x.Step[i]) {
			m.Set = append(m.Set, certificate.Value{Var: b.Var.Name(), Bits: b.Value})
		}
		out.Moves = append(out.Moves, m)
	}
	return out
}

// argument writes out the graphs and the terms.
func (s *Session) argument() (*certificate.Certificate, error) {
	c := &certificate.Certificate{Claim: s.claim.Name, Verdict: verdict.Conforms.String(), Recursion: s.opt.Recursion,
		Live: &certificate.Liveness{}}
	var seen []map[*expr.Expr]int
	for i, b := range s.graphsAtEnd {
		of, known := certificate.Component{Name: s.comps[i].Name}, map[*expr.Expr]int{}
		if err := b.certify(&of, known); err != nil {
			return nil, err
		}
		c.Components, seen = append(c.Components, of), append(seen, known)
	}
	for _, l := range s.lessened {
		term := c.Components[l.component].AddTerms(seen[l.component], l.term)[0]
		c.Live.Ranks = append(c.Live.Ranks, certificate.Lessening{Component: l.component, Term: term, Up: l.up})
	}
	return c, nil
}

// certify writes out a graph: what its states say of values and of predicates, and where they lead.
func (b *behaviour) certify(to *certificate.Component, seen map[*expr.Expr]int) error {
	says := make([]map[int]byte, len(b.states)) // by state and predicate
	number := map[*expr.Expr]int{}
	var atoms []*expr.Expr
	say := func(i int, e *expr.Expr) {
		truth := byte('1')
		if e.Op() == expr.Not {
			e, truth = e.Args()[0], '0'
		}
		n, ok := number[e]
		if !ok {
			n = len(atoms)
			number[e], atoms = n, append(atoms, e)
		}
		says[i][n] = truth
	}
	pool := b.control.Comp.CFA.Pool
	for i := range b.states {
		s := &b.states[i]
		says[i] = map[int]byte{}
		for k, v := range b.matters[s.node] {
			switch val := s.values[k]; {
			case !val.known:
			case v.Type().IsBool() && val.bits == 1:
				say(i, v)
			case v.Type().IsBool():
				say(i, pool.Not(v))
			default:
				say(i, b.equal(v, val.bits))
			}
		}
		for _, h := range s.holds {
			say(i, h)
		}
	}
	if len(b.states)*len(atoms) > mostValues {
		return errTooLarge
	}
	to.Atoms = to.AddTerms(seen, atoms...)
	for i := range b.states {
		to.States = append(to.States, b.certifyState(i, says[i], len(atoms)))
	}
	return nil
}

// equal is that a variable has a value, of a float bit by bit.
func (b *behaviour) equal(v *expr.Expr, bits uint64) *expr.Expr {
	pool := b.control.Comp.CFA.Pool
	return pool.Eq(v, pool.Const(v.Type(), bits))
}

func (b *behaviour) certifyState(i int, says map[int]byte, atoms int) certificate.State {
	holds := slices.Repeat([]byte{'-'}, atoms)
	for n, truth := range says { // each at its own place
		holds[n] = truth
	}
	s := certificate.State{At: point(b.control, b.states[i].node), Holds: string(holds), Block: -1}
	for _, t := range b.out[i] {
		e := certificate.Edge{To: int(t.to)}
		if a := b.control.Edges[t.edges[0]].Action; a != 0 {
			e.Action = b.control.Comp.Actions.Name(a)
		}
		s.Edges = append(s.Edges, e)
	}
	return s
}

// point is a control point in the words of a certificate.
func point(g *component.Graph, n component.Node) certificate.Node {
	switch n {
	case component.Init:
		return certificate.Node{Kind: certificate.Start}
	case component.Stop:
		return certificate.Node{Kind: certificate.End}
	}
	loc, choice, state := g.Point(n)
	if choice < 0 {
		return certificate.Node{Kind: certificate.Location, Loc: int(loc)}
	}
	return certificate.Node{Kind: certificate.Inside, Loc: int(loc), Choice: choice, State: int(state)}
}

// subject is what a certificate is checked against, with the decision procedures that open gives the components.
func (s *Session) subject(ctx context.Context,
	open func(*component.Component) solver.Solver) (*certificate.Subject, error) {
	sub := &certificate.Subject{System: s.system, Claim: s.claim}
	for i, c := range s.comps {
		inlined, err := s.claim.Inlined(ctx, i, c.CFA, component.Options{Modelling: s.opt.Modelling})
		if err != nil {
			return nil, err
		}
		sub.Solvers, sub.Inlined = append(sub.Solvers, open(c)), append(sub.Inlined, inlined)
	}
	return sub, nil
}

// Verify checks a certificate of a claim with nothing of the search. A *certificate.RefutedError says that it
// does not show its verdict.
func Verify(ctx context.Context, c *component.Claim, opt cegar.Options, cert *certificate.Certificate) error {
	opt.Recursion = cert.Recursion
	s, err := New(ctx, c, opt)
	if err != nil {
		return err
	}
	defer s.Close()
	if s.outcome != nil {
		return &s.outcome.Reason
	}
	next := 0
	sub, err := s.subject(ctx, func(*component.Component) solver.Solver {
		next++
		return s.solvers[next-1]
	})
	if err != nil {
		return err
	}
	return cert.Check(ctx, sub)
}
