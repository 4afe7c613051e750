package threadcert

// The check of a proof.
//
// Idea: a valuation says which accesses happen, with which values, and of each read which write it sees. Every
// execution within the bounds is one that meets the conditions written here and all lemmas, so where none does, there
// is no execution. That other valuations meet them does no harm.
//
// Source: Yin et al., "Scheduling Constraint Based Abstraction Refinement for Multi-Threaded Program
// Verification" (2017), section 3. It is written from there and from docs/semantics.md, and not from
// package threads. Cost: for each cell the writes squared times the reads, and one query.

import (
	"context"
	"errors"
	"fmt"

	"magus/cfa"
	"magus/cfa/events"
	"magus/cfa/events/order"
	"magus/internal/bitset"
	"magus/smt/expr"
	"magus/smt/solver"
)

// A Proof shows that no execution comes to what is looked for.
type Proof struct {
	// Loops are the bounds of loops that are unrolled more than once, by their heads.
	Loops map[cfa.Loc]int
	// Count says that rounds count although constants bound them.
	Count  bool
	Lemmas []Lemma
}

// A Lemma has facts that do not hold together.
type Lemma []Fact

// A Fact is something that an execution may have.
type Fact struct {
	Kind FactKind
	A, B int
}

// A FactKind says what a fact is.
type FactKind uint8

// The kinds of facts.
const (
	Happens FactKind = iota // the write with the number A, of the unrolled program's events
	Sees                    // the read B sees what the write A has written
	Ordered                 // the order between threads with the number A, of the unrolled program's edges, holds
)

// A Subject is what a proof is about. Without Races and Deadlocks that is errors.
type Subject struct {
	CFA              *cfa.CFA
	Solver           solver.Solver // for the terms of the automaton
	Races, Deadlocks bool
	Model            cfa.MemoryModel // of errors
}

// A RefutedError says why a proof is none.
type RefutedError struct {
	Lemma  int // its number from 0, or -1
	Reason string
}

func (e *RefutedError) Error() string { return e.Reason }

func refuted(lemma int, format string, args ...any) error {
	return &RefutedError{lemma, fmt.Sprintf(format, args...)}
}

// Check returns nil if the proof is one, and a *RefutedError if not. Any other error is ctx's, the decision
// procedure's, or that of what is not modelled.
func (p *Proof) Check(ctx context.Context, sub Subject) error {
	prog, err := events.Unroll(ctx, sub.CFA, events.Bounds{All: 1, Loops: p.Loops, Count: p.Count,
		Races: sub.Races, Deadlocks: sub.Deadlocks, Model: sub.Model})
	if errors.Is(err, events.ErrLarge) {
		return refuted(-1, "%v", err)
	}
	if err != nil {
		return err
	}
	c := newChecker(prog, sub)
	for _, h := range prog.Holds {
		sub.Solver.Assert(h)
	}
	for r := range prog.Events {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !prog.Events[r].Write {
			c.read(r)
		}
	}
	for i, l := range p.Lemmas {
		if err := c.lemma(ctx, i, l); err != nil {
			return err
		}
	}
	switch r, err := sub.Solver.Check(ctx, c.sought()); {
	case err != nil:
		return err
	case r != solver.Unsat:
		return refuted(-1,
			"the lemmas leave it open that an execution comes to what is looked for, or goes on behind the bounds")
	}
	return nil
}

// checker is the check of one proof.
type checker struct {
	Subject
	prog   *events.Program
	pool   *expr.Pool
	after  []bitset.Set[order.Node] // by node: those that come after it in every execution
	writes [][]int                  // by cell: events
	sees   map[[2]int]*expr.Expr    // by write and read: that the read sees it
}

func newChecker(p *events.Program, sub Subject) *checker {
	c := &checker{Subject: sub, prog: p, pool: p.Pool, after: after(p), writes: make([][]int, len(p.Cells)),
		sees: map[[2]int]*expr.Expr{}}
	for i := range p.Events {
		if e := &p.Events[i]; e.Write {
			c.writes[e.Cell] = append(c.writes[e.Cell], i)
		}
	}
	return c
}

// after are by node those that come after it in every execution: those that its thread makes sure of,
// those that an edge without a condition leads to, and what comes after these.
func after(p *events.Program) []bitset.Set[order.Node] {
	next := make([][]order.Node, p.Nodes)
	inText(p, func(a, b order.Node) { next[a] = append(next[a], b) })
	for _, e := range p.Edges {
		if e.When == nil {
			next[e.From] = append(next[e.From], e.To)
		}
	}
	sets := make([]bitset.Set[order.Node], p.Nodes)
	var visit func(n order.Node)
	visit = func(n order.Node) {
		if sets[n] != nil {
			return
		}
		sets[n] = bitset.New[order.Node](p.Nodes)
		for _, m := range next[n] {
			visit(m)
			sets[n].Add(m)
			sets[n].Unite(sets[m])
		}
	}
	for n := range sets {
		visit(order.Node(n))
	}
	return sets
}

// read says what a read may see: it happens only if it sees some write of its cell.
func (c *checker) read(r int) {
	e := &c.prog.Events[r]
	some := []*expr.Expr{c.pool.Not(e.Guard.Term())}
	for _, w := range c.writes[e.Cell] {
		if !c.possible(w, r) {
			continue
		}
		by := &c.prog.Events[w]
		s := c.pool.Var(fmt.Sprintf("the check's link %d %d", w, r), expr.Bool)
		c.sees[[2]int{w, r}] = s
		some = append(some, s)
		c.implies(s, e.Guard.Term())
		c.implies(s, by.Guard.Term())
		c.implies(s, c.pool.Eq(e.Value, by.Value))
		c.own(s, w, r)
	}
	c.Solver.Assert(c.pool.Lor(some...))
}

func (c *checker) implies(a, b *expr.Expr) { c.Solver.Assert(c.pool.Lor(c.pool.Not(a), b)) }

// possible reports whether some order lets a read see a write: it is not before the write, and no other
// write, which happens wherever one of them does, is between them.
func (c *checker) possible(w, r int) bool {
	a, b := &c.prog.Events[w], &c.prog.Events[r]
	if a.Node == b.Node || c.after[b.Node].Has(a.Node) {
		return false
	}
	for _, x := range c.writes[a.Cell] {
		o := &c.prog.Events[x]
		if c.after[a.Node].Has(o.Node) && c.after[o.Node].Has(b.Node) &&
			(a.Guard.Implies(o.Guard) || b.Guard.Implies(o.Guard)) {
			return false
		}
	}
	return true
}

// lemma checks that facts do not hold together, and then says so.
func (c *checker) lemma(ctx context.Context, number int, l Lemma) error {
	o := newOrdering(c.after)
	for _, pair := range c.seenBefore(l) {
		o.ordered(pair[0], pair[1])
	}
	some := make([]*expr.Expr, 0, len(l))
	for _, f := range l {
		cond, err := c.fact(o, f)
		if err != nil {
			return refuted(number, "%v", err)
		}
		some = append(some, c.pool.Not(cond))
	}
	no, err := o.impossible(ctx)
	if err != nil {
		return err
	}
	if !no {
		return refuted(number, "some order has all facts of this lemma")
	}
	c.Solver.Assert(c.pool.Lor(some...))
	return nil
}

// fact adds a fact to what has to be ordered, and gives its condition.
func (c *checker) fact(o *ordering, f Fact) (*expr.Expr, error) {
	p := c.prog
	switch f.Kind {
	case Happens:
		if f.A < 0 || f.A >= len(p.Events) || !p.Events[f.A].Write {
			return nil, fmt.Errorf("%d is the number of no write", f.A)
		}
		e := &p.Events[f.A]
		o.happens(e.Node, e.Cell)
		return e.Guard.Term(), nil
	case Sees:
		s, ok := c.sees[[2]int{f.A, f.B}]
		if !ok {
			return nil, fmt.Errorf("%d is no read that may see the write %d", f.B, f.A)
		}
		o.sees(p.Events[f.A].Node, p.Events[f.B].Node, p.Events[f.A].Cell, !c.pending(f.A, f.B))
		return s, nil
	}
	if f.A < 0 || f.A >= len(p.Edges) || p.Edges[f.A].When == nil {
		return nil, fmt.Errorf("%d is the number of no order between threads", f.A)
	}
	o.ordered(p.Edges[f.A].From, p.Edges[f.A].To)
	return p.Edges[f.A].When.Term(), nil
}

// sought is the condition that an execution comes to what is looked for, or to the end of what is unrolled.
func (c *checker) sought() *expr.Expr {
	var some []*expr.Expr
	list := c.prog.Errors
	switch {
	case c.Races:
		list = nil
		for _, r := range c.prog.Races {
			list = append(list, r.Target)
		}
	case c.Deadlocks:
		list, some = nil, append(some, c.prog.Stuck)
	}
	for _, o := range list {
		some = append(some, o.Guard.Term())
	}
	for _, o := range c.prog.Cuts {
		some = append(some, o.Guard.Term())
	}
	return c.pool.Lor(some...)
}
