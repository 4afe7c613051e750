package threads

import (
	"context"

	"magus/cfa/events"
	"magus/cfa/events/order"
	"magus/smt/bitblast"
	"magus/smt/expr"
	"magus/smt/sat"
	"magus/smt/solver"
)

// An Order names a decider of whether the accesses of a model have an order.
type Order string

// The deciders.
const (
	ByTheory Order = "theory" // a theory in the SAT solver
	Refined  Order = "refine" // clauses that models of the abstraction ask for, round by round
	Full     Order = "full"   // clocks in the formula
)

// A decider decides whether an unrolled program has an execution with some outcome.
type decider interface {
	// decide looks for an execution that meets conditions. With one, linear is an order of all nodes,
	// and value gives what terms are in it. The error is ctx's.
	decide(ctx context.Context, conds ...*expr.Expr) (found bool, linear []order.Node, err error)
	value(v *expr.Expr) uint64
	// needed are conditions of the last decide, which found nothing, that no execution meets together.
	needed() []int
}

// A formula is the unrolled program in a solver, without its order.
type formula struct {
	enc    *events.Encoding
	solver *bitblast.Solver
	stats  *Stats
	keep   []*expr.Expr // by cell: its reads see what was written; nil: all do
	core   []int        // of the last check
	// recorded are the reasons so far, if somebody asks for them.
	record   bool
	recorded [][]order.Lit
}

// newFormula encodes a program, with literals that slice its variables if keep has them. The error is ctx's.
func newFormula(ctx context.Context, p *events.Program, keep []*expr.Expr, stats *Stats) (*formula, error) {
	s := bitblast.New(p.Pool)
	enc, err := events.Encode(ctx, p, s, keep)
	if err != nil {
		return nil, err
	}
	f := &formula{enc: enc, solver: s, stats: stats, keep: keep}
	stats.Threads, stats.Events, stats.Links = 0, len(p.Events), len(f.enc.Links)
	for _, steps := range p.Threads {
		if len(steps) > 0 {
			stats.Threads++
		}
	}
	return f, nil
}

func (f *formula) value(v *expr.Expr) uint64 { return f.solver.Value(v) }

// reason notes a clause of the order.
func (f *formula) reason(lits []order.Lit) {
	f.stats.reason(len(lits))
	if f.record {
		f.recorded = append(f.recorded, lits)
	}
}

// check asks the solver.
func (f *formula) check(ctx context.Context, conds []*expr.Expr) (bool, error) {
	r, err := f.solver.Check(ctx, conds...)
	f.core = f.solver.Core()
	f.stats.Variables, f.stats.Clauses = f.solver.Size()
	f.stats.Conflicts = f.solver.Stats().Conflicts
	return r == solver.Sat, err
}

func (f *formula) needed() []int { return f.core }

// split are the facts that always hold, and the others by the literal of their condition. The error is ctx's.
func (f *formula) split(ctx context.Context) (always []order.Fact, rest map[sat.Lit][]order.Fact,
	lits []sat.Lit, err error) {
	rest = map[sat.Lit][]order.Fact{}
	for i, fact := range f.enc.Facts {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, nil, nil, context.Cause(ctx)
		}
		l := f.solver.Literal(fact.When)
		switch {
		case l == bitblast.True:
			always = append(always, fact.Fact)
		case l != bitblast.True.Not():
			fact.Lit = order.Lit(l)
			if rest[l] == nil {
				lits = append(lits, l)
			}
			rest[l] = append(rest[l], fact.Fact)
		}
	}
	return always, rest, lits, nil
}

// sameThread reports whether two nodes are of one thread.
func (f *formula) sameThread(a, b order.Node) bool {
	return f.enc.Program.Thread[a] == f.enc.Program.Thread[b]
}

// Stats is what was done for one bound, or for all.
type Stats struct {
	Threads, Events, Links int
	Variables, Clauses     int
	Rounds                 int   // models whose order was looked at
	Reasons, Literals      int   // clauses of the order, and how long they are together
	Conflicts              int64 // of the SAT solver

	// Of slicing: the shared variables, those that the last answer is about, and orders that could not be reconstructed.
	Cells, Kept, Refinements int
	// Of likely links: reads that they are assumed of, those of the last answer, its queries, and
	// links that are not likely.
	Likely, Left, Queries, Saved int
}

// reason counts a clause of the order.
func (s *Stats) reason(literals int) {
	s.Reasons++
	s.Literals += literals
}
