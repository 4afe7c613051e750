package bitblast

import (
	"context"

	"magus/smt/expr"
	"magus/smt/sat"
	"magus/smt/solver"
)

// A Solver decides conditions by bit-blasting. It implements [solver.Full].
type Solver struct {
	pool     *expr.Pool
	b        *blaster
	asserted []sat.Lit // outputs of the asserted conditions
	broken   bool      // an asserted condition is false by itself

	lits []sat.Lit // of the last Check's assumptions
	used []sat.Lit // the same without constants
	core []int
}

var _ solver.Full = (*Solver)(nil)

// New is a solver for the terms of a pool.
func New(p *expr.Pool) *Solver { return &Solver{pool: p, b: newBlaster(p)} }

// Pool is the pool whose terms the solver takes.
func (s *Solver) Pool() *expr.Pool { return s.pool }

// Assert adds a condition for good.
func (s *Solver) Assert(f *expr.Expr) {
	if f.Op() == expr.Land {
		for _, a := range f.Args() {
			s.Assert(a)
		}
		return
	}
	s.clause(s.Literal(f))
}

// AssertAny says that one of some conditions holds: one clause.
func (s *Solver) AssertAny(fs ...*expr.Expr) {
	clause := make([]sat.Lit, len(fs))
	for i, f := range fs {
		clause[i] = s.Literal(f)
	}
	s.clause(clause...)
}

// AssertEqual says that a and b, of one type, are equal where a condition holds: two clauses a bit, and no gate.
func (s *Solver) AssertEqual(when, a, b *expr.Expr) {
	w, x, y := s.Literal(when).Not(), s.b.term(a), s.b.term(b)
	for i := range x {
		s.keep(x[i])
		s.keep(y[i])
		s.clause(w, x[i], y[i].Not())
		s.clause(w, x[i].Not(), y[i])
	}
}

func (s *Solver) clause(lits ...sat.Lit) {
	if !s.b.sat.AddClause(lits...) {
		s.broken = true
	}
}

// keep has the gates behind a literal take part in every Check.
func (s *Solver) keep(l sat.Lit) {
	if l > litFalse {
		s.asserted = append(s.asserted, l)
	}
}

// Literal is the literal of a condition, which takes part in every Check from now on; constants have
// [True] and its opposite.
func (s *Solver) Literal(f *expr.Expr) sat.Lit {
	l := s.b.lit(f)
	s.keep(l)
	return l
}

// True is the literal that holds.
const True = litTrue

// SetTheory has a theory take part in every Check, over variables of [Solver.Literal].
func (s *Solver) SetTheory(t sat.Theory, watched []sat.Var) { s.b.sat.SetTheory(t, watched) }

// Stats is what the SAT solver has done.
func (s *Solver) Stats() sat.Stats { return s.b.sat.Stats }

// Size is the number of variables and of clauses that were added.
func (s *Solver) Size() (vars, clauses int) { return s.b.sat.Size() }

// Narrow says for good that the bits of a variable from width on are 0: circuits over it are as much smaller. No term
// that was used before has the variable.
func (s *Solver) Narrow(v *expr.Expr, width int) {
	if s.b.built(v) != nil {
		panic("bitblast: " + v.Name() + " is in use already")
	}
	s.b.define(v, s.b.variable(v, width))
}

// Check decides the asserted conditions together with the assumptions.
func (s *Solver) Check(ctx context.Context, assumptions ...*expr.Expr) (solver.Result, error) {
	s.core = s.core[:0]
	s.lits, s.used = s.lits[:0], s.used[:0]
	if err := ctx.Err(); err != nil {
		return solver.Unknown, err
	}
	if core := s.b.refuted(assumptions); core != nil {
		s.core = append(s.core, core...)
		return solver.Unsat, nil
	}
	for i, a := range assumptions {
		l := s.b.lit(a)
		s.lits = append(s.lits, l)
		switch {
		case s.broken:
		case l == litFalse:
			s.core = append(s.core[:0], i)
			return solver.Unsat, nil
		case l != litTrue:
			s.used = append(s.used, l)
		}
	}
	if s.broken {
		return solver.Unsat, nil
	}
	r, err := s.search(ctx)
	for r == sat.Sat && s.b.refine() {
		r, err = s.search(ctx)
	}
	if r == sat.Unsat {
		s.findCore()
	}
	return solver.Result(r), err
}

// search looks for a model of the circuits.
func (s *Solver) search(ctx context.Context) (sat.Result, error) {
	s.b.newCone()
	for _, l := range s.asserted {
		s.b.reach(l)
	}
	for _, l := range s.used {
		s.b.reach(l)
	}
	s.b.sortCone()
	return s.b.sat.SolveCone(ctx, s.b.cone, s.used)
}

// findCore names an assumption for each literal of the SAT solver's core: the
// first that has this literal.
func (s *Solver) findCore() {
	needed := map[sat.Lit]bool{}
	for _, l := range s.b.sat.Core() {
		needed[l] = true
	}
	for i, l := range s.lits {
		if needed[l] {
			s.core = append(s.core, i)
			needed[l] = false
		}
	}
}

// Value is v's value in the model of the last Check, which answered Sat.
func (s *Solver) Value(v *expr.Expr) uint64 {
	var val uint64
	for i, l := range s.b.built(v) {
		if s.b.sat.InModel(l.Var()) && s.b.sat.Value(l.Var()) != l.Neg() {
			val |= 1 << i
		}
	}
	return val
}

// Core names assumptions that contradict each other and what is asserted.
func (s *Solver) Core() []int { return s.core }

// Close frees nothing: the garbage collector does.
func (s *Solver) Close() error { return nil }

// Fixed reports whether the circuit of a condition is seen to have a value, without
// a search: true says that it has, false says nothing.
func (s *Solver) Fixed(f *expr.Expr, value bool) bool { return s.b.lit(f) == constant(value) }

// Effort is what was done since the solver was made, in propagations; building a gate
// counts as ten.
func (s *Solver) Effort() int64 { return s.b.sat.Stats.Propagations + 10*int64(len(s.b.fanin)) }
