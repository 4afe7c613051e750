package cegar

// Certificates: what a session leaves behind for package evidence/certificate,
// and what that checks it against.

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"magus/cfa"
	"magus/cfa/cells"
	"magus/component"
	"magus/engine/contracts"
	"magus/engine/summaries"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/lts"
	"magus/lts/cert"
	"magus/lts/counting"
	"magus/smt/expr"
	"magus/smt/solver"
)

// A Certificate shows a verdict to whoever does not trust the loop; see
// [Session.Certificate].
type Certificate = certificate.Certificate

// Certificate returns what shows the session's verdict; of an unknown one it
// says nothing. It is to be called after the session has ended.
func (s *state) Certificate(ctx context.Context) (*Certificate, error) {
	if s.outcome == nil {
		return nil, fmt.Errorf("the session has not ended")
	}
	return certifying{s}.certificate(ctx, s.outcome.Verdict)
}

// certifying is a session whose verdict is shown.
type certifying struct{ *state }

// certificate is what shows a verdict at the present moment.
func (s certifying) certificate(ctx context.Context, v verdict.Verdict) (*Certificate, error) {
	if s.within != nil && v == verdict.Conforms {
		return s.certifyCells(ctx)
	}
	c := &Certificate{Claim: s.claim.Name, Verdict: v.String(), Recursion: s.depth, Inlined: s.inlined,
		Once: s.low.SharedBodies}
	switch v {
	case verdict.Conforms:
		return c, s.certifyConforms(ctx, c)
	case verdict.Violates:
		s.certifyViolates(c)
	}
	return c, nil
}

func (s certifying) certifyConforms(ctx context.Context, c *Certificate) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if s.summary != nil {
		return s.certifyContracts(c)
	}
	switch {
	case s.searched > 0:
		s.certifyRuns(c)
		return nil
	case s.steps > 0:
		c.Executed = &certificate.Executed{Steps: s.steps}
		return nil
	}
	if s.induced != nil {
		s.certifyInduction(c)
		return nil
	}
	for _, comp := range s.comps {
		c.Components = append(c.Components, comp.certifyModel(comp.ma != nil && !s.asksDivergence()))
	}
	switch {
	case s.asksSimulation():
		return s.certifySimulation(ctx, c)
	case s.asksDivergence():
		s.certifyEnds(c)
	}
	c.Deadlock = s.asksDeadlock()
	if s.claim.AsksStanding() {
		if err := s.certifyTold(ctx, c); err != nil || c.Deadlock && s.system.Proof == s.system.Spec {
			return err
		}
	}
	if !s.system.Single() {
		return s.certifySets(ctx, c)
	}
	models := s.certified()
	r, err := lts.Contains(ctx, models, s.system.Proof, lts.Limits{Antichain: true, PartialOrder: !s.opt.AllOrders})
	if err == nil {
		c.Containment, err = cert.Of(models, s.system.Proof, r)
	}
	return err
}

// certifyContracts writes out what holds in the procedures of a component, by contracts or by summaries.
func (s *state) certifyContracts(c *Certificate) error {
	held, ok := s.summary.held()
	if !ok {
		return errNoCertificate
	}
	comp := certificate.Component{Name: s.claim.Procedures[0]}
	seen := map[*expr.Expr]int{}
	c.Recursion, c.Once, c.Contracts = 0, true, &certificate.Contracts{}
	for _, k := range held {
		on := map[summaries.Where]string{summaries.Entry: certificate.OnEntry, summaries.Exit: certificate.OnExit}[k.Where]
		if k.Where == summaries.Inside {
			loc, choice, state := s.summary.search.At(k.Node)
			on = pointOf(k.Node, loc, choice, state).String()
		}
		c.Contracts.List = append(c.Contracts.List,
			certificate.Contract{Body: k.Procedure, On: on, Holds: comp.AddTerms(seen, k.Holds...)})
	}
	c.Components = append(c.Components, comp)
	return nil
}

// certifiable reports whether there is a certificate.
func (p *summaryProof) certifiable() bool {
	_, ok := p.held()
	return ok
}

// held is what holds in procedures; there is nothing where the specification has more than one state.
func (p *summaryProof) held() ([]summaries.Held, bool) {
	if p.contracts == nil {
		return p.search.Held()
	}
	var all []summaries.Held
	for _, k := range p.contracts.Contracts() {
		where := map[contracts.PointKind]summaries.Where{contracts.Entry: summaries.Entry,
			contracts.Exit: summaries.Exit, contracts.Head: summaries.Inside}[k.Kind]
		all = append(all, summaries.Held{Procedure: k.Procedure, Where: where, Node: k.Node, Holds: k.Holds})
	}
	return all, true
}

// certified are the models that a certificate has.
func (s *question) certified() []*lts.LTS {
	if s.asksDivergence() {
		return s.levelOne()
	}
	return s.implementation()
}

// certifyTold says how many of any number of copies are told apart.
func (s certifying) certifyTold(ctx context.Context, c *Certificate) error {
	if _, given := s.written(1); given {
		return nil
	}
	r, err := s.countStanding(ctx, s.certified())
	for _, told := range r.Told {
		var all []int
		for _, n := range told {
			all = append(all, int(n))
		}
		c.Told = append(c.Told, all)
	}
	return err
}

// certifySets searches the composition once more, counting copies, for sets that
// hold all that can be reached.
func (s *question) certifySets(ctx context.Context, c *Certificate) error {
	counted := s.counted(s.system.Proof)
	if s.asksDivergence() {
		counted.LTSs = s.levelOne()
	}
	r, err := counted.Contained(ctx, 0)
	if err != nil {
		return err
	}
	c.Sets = &certificate.Sets{}
	for _, l := range r.Invariant {
		set := certificate.Set{Counts: make([][]certificate.Count, len(l.Marking))}
		for i, m := range l.Marking {
			for st, n := range m {
				switch n {
				case 0:
				case counting.Unbounded:
					set.Counts[i] = append(set.Counts[i], certificate.Count{State: st, Copies: certificate.Unbounded})
				default:
					set.Counts[i] = append(set.Counts[i], certificate.Count{State: st, Copies: int(n)})
				}
			}
		}
		for _, st := range l.Spec {
			set.Spec = append(set.Spec, int(st))
		}
		c.Sets.List = append(c.Sets.List, set)
	}
	return nil
}

// certifyViolates writes out the runs of the copies, and who takes part in which
// action.
func (s certifying) certifyViolates(c *Certificate) {
	c.Trace = s.actions.Names(s.trace)
	switch {
	case s.cex.tree != nil:
		s.certifyTree(c)
		return
	case s.cex.lasso != nil:
		s.certifyLasso(c)
		return
	}
	for k, copied := range s.cex.copies {
		run := s.comps[copied.Component].certifyRun(s.taken[k].feasible.Run)
		run.Name = s.system.CopyName(copied)
		c.Runs = append(c.Runs, run)
	}
	if s.system.Single() {
		return
	}
	for _, j := range s.cex.joint(len(s.cex.Steps)) {
		c.By = append(c.By, j.Parts)
	}
}

// certifyModel writes out the abstraction of a component, with its blocks or
// without.
func (c *model) certifyModel(blocks bool) certificate.Component {
	out := certificate.Component{Name: c.Name}
	index, seen := map[*expr.Expr]int{}, map[*expr.Expr]int{}
	n := c.mp.LTS.NumStates()
	for s := range lts.State(n) {
		for _, p := range c.mp.Predicates(s) {
			if _, ok := index[p]; !ok {
				index[p] = len(out.Atoms)
				out.Atoms = append(out.Atoms, out.AddTerms(seen, p)...)
			}
		}
	}
	if blocks {
		out.Blocks = c.ma.NumBlocks()
	}
	for n := range component.Node(c.abs.Graph.NumNodes()) {
		if c.abs.Graph.Passed(n) {
			out.Through = append(out.Through, c.point(n))
		}
	}
	for s := range lts.State(n) {
		st := certificate.State{At: c.point(c.mp.Node(s)), Block: -1}
		if blocks {
			st.Block = c.ma.Block(s)
		}
		holds := make([]byte, len(out.Atoms))
		for i := range holds {
			holds[i] = '-'
		}
		for i, p := range c.mp.Predicates(s) {
			holds[index[p]] = '0'
			if c.mp.Holds(s, i) {
				holds[index[p]] = '1'
			}
		}
		st.Holds = string(holds)
		for _, e := range c.mp.LTS.Out(s) {
			st.Edges = append(st.Edges, certificate.Edge{Action: c.actionName(e.Action), To: int(e.To)})
		}
		out.States = append(out.States, st)
	}
	return out
}

func (c *model) actionName(a lts.Action) string {
	if a == lts.Tau {
		return ""
	}
	return c.Actions.Name(a)
}

// point is a control point in the words of a certificate.
func (c *model) point(n component.Node) certificate.Node {
	loc, choice, state := c.abs.Graph.Point(n)
	return pointOf(n, loc, choice, state)
}

// pointOf is one of which it is known where it stands.
func pointOf(n component.Node, loc cfa.Loc, choice int, state lts.State) certificate.Node {
	switch n {
	case component.Init:
		return certificate.Node{Kind: certificate.Start}
	case component.Stop:
		return certificate.Node{Kind: certificate.End}
	}
	if choice < 0 {
		return certificate.Node{Kind: certificate.Location, Loc: int(loc)}
	}
	return certificate.Node{Kind: certificate.Inside, Loc: int(loc), Choice: choice, State: int(state)}
}

// certifyRun writes out the component's part of a violation: the values of the
// model and those computed from them.
func (c *model) certifyRun(run *component.Execution) certificate.Run {
	out := certificate.Run{}
	values := map[*expr.Expr]uint64{}
	for _, b := range run.Init {
		values[b.Var] = b.Value
		if b.Value != 0 {
			out.Init = append(out.Init, certificate.Value{Var: b.Var.Name(), Bits: b.Value})
		}
	}
	repeats := run.Repeats
	for i, id := range run.Edges {
		for ; len(repeats) > 0 && repeats[0].At == i; repeats = repeats[1:] {
			out.Moves = append(out.Moves, c.certifyRounds(&repeats[0], values))
		}
		e := &c.program().Edges[id]
		m := certificate.Move{To: c.point(e.To), Action: c.actionName(e.Action)}
		for _, b := range e.Apply(values, run.Step[i]) {
			m.Set = append(m.Set, certificate.Value{Var: b.Var.Name(), Bits: b.Value})
		}
		out.Moves = append(out.Moves, m)
	}
	return out
}

// certifyRounds writes out rounds of a loop, after which the values are what all rounds together make of them.
func (c *model) certifyRounds(r *component.Repeat, values map[*expr.Expr]uint64) certificate.Move {
	m := certificate.Move{To: c.point(r.Whole.To), Times: r.Times}
	for i, id := range r.Cycle {
		step := certificate.Move{To: c.point(c.program().Edges[id].To)}
		for _, b := range r.Chosen[i] {
			step.Set = append(step.Set, certificate.Value{Var: b.Var.Name(), Bits: b.Value})
		}
		m.Round = append(m.Round, step)
	}
	before := maps.Clone(values)
	for _, b := range r.Fresh {
		before[b.Var] = b.Value
	}
	for _, u := range r.Whole.Update {
		values[u.Var] = expr.Eval(u.Term, func(v *expr.Expr) uint64 { return before[v] })
	}
	return m
}

// VerifyCertificate checks a certificate of the claim. A *certificate.RefutedError says
// that it does not show its verdict. What it takes from opt is the decision
// procedure. Recursion is followed, and calls are inlined, as the certificate has it.
func VerifyCertificate(ctx context.Context, claim *component.Claim, opt Options, c *Certificate) error {
	how, err := chosenCells(c)
	if err != nil {
		return err
	}
	opt.Recursion, opt.Inlined, opt.Cells = c.Recursion, c.Inlined, how
	opt.SharedBodies, opt.Calls = c.Once, CallsInline
	if c.Once {
		opt.Calls = CallsAuto
	}
	s, err := NewSession(ctx, claim, opt)
	if errors.Is(err, cells.ErrNone) {
		return &certificate.RefutedError{Reason: err.Error()}
	}
	if err != nil {
		return err
	}
	defer s.Close()
	if (how != "" || c.Executed != nil) && !s.plain() {
		return &certificate.RefutedError{Reason: "one run, or one element of each array, shows only that there is no " +
			"error in one component"}
	}
	if c.Contracts != nil {
		return s.verifyContracts(ctx, c)
	}
	if s.outcome != nil {
		return &s.outcome.Reason
	}
	sub, err := s.subject(ctx, nil)
	if err != nil {
		return err
	}
	return c.Check(ctx, sub)
}

// verifyContracts checks what holds in procedures, against the automaton in which their bodies stand once.
func (s *Session) verifyContracts(ctx context.Context, c *Certificate) error {
	q := s.shared()
	if q == nil {
		return &certificate.RefutedError{Reason: "contracts say nothing of procedures whose bodies do not stand once"}
	}
	sub, err := q.subject(ctx, nil)
	if err != nil {
		return err
	}
	return c.Check(ctx, sub)
}

// shared is the question in which the bodies of procedures stand once; nil if there is none.
func (s *Session) shared() *question {
	if s.low.SharedBodies {
		return s.question
	}
	return s.summaries.question
}

// shownOf is what the certificate of the outcome is checked against, as subject is.
func (s *state) shownOf(ctx context.Context,
	open func(*component.Component) solver.Solver) (*certificate.Subject, error) {
	switch {
	case s.within != nil:
		return s.within.subject(ctx, open)
	case s.summary != nil:
		return s.summary.question.subject(ctx, open)
	}
	return s.subject(ctx, open)
}

// subject is what a certificate of the claim is checked against, with the decision procedures that the components have
// or that open gives them.
func (s *question) subject(ctx context.Context,
	open func(*component.Component) solver.Solver) (*certificate.Subject, error) {
	sub := &certificate.Subject{System: s.system}
	for i, c := range s.comps {
		inlined, err := s.claim.Inlined(ctx, i, c.CFA, s.low)
		if err != nil {
			return nil, err
		}
		own := solver.Solver(c.solver)
		if open != nil {
			own = open(c.Component)
		}
		sub.Solvers, sub.Inlined = append(sub.Solvers, own), append(sub.Inlined, inlined)
	}
	return sub, nil
}

// Inputs are what makes the compiled program do the violation; nil if there is
// none.
func (s *state) Inputs() *witness.Inputs {
	if s.violated == nil {
		return nil
	}
	return s.violated.Inputs(s.claim)
}
