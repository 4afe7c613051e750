package events

// The formula of a program's executions, without their order: guards, values, and which write each
// read may see.
//
// Idea: a read r that happens sees some write w of its cell, of those that the static order does not
// exclude (w behind r, or another write, which happens whenever r or w does, between them): a literal
// s(w,r) says which. It means that w happens and that the values agree. Whether the links have an
// order is the business of package order: Encoding.Facts has everything it needs.
//
// Source: Yin et al. (2017), section 3 (ρ and ζ; ξ is left out); Alglave, Kroening, Tautschnig, "Partial
// orders for efficient bounded model checking of concurrent software" (2013).
//
// Cost: for each cell the reads times the writes, in links.

import (
	"context"
	"fmt"

	"magus/cfa/events/order"
	"magus/internal/bitset"
	"magus/smt/expr"
)

// A Link is a pair of a write and a read that may see it.
type Link struct {
	Write, Read int // events
	When        *expr.Expr
	Own         bool // the read may see it before others do
}

// A Fact is one of package order with its condition; its literal is Always if that holds, and to be set
// by the caller otherwise.
type Fact struct {
	order.Fact
	When *expr.Expr
}

// An Encoding is a program with its links.
type Encoding struct {
	Program *Program
	Graph   *order.Graph
	Links   []Link
	Facts   []Fact
	// Access has for each event its number among the graph's writes or reads.
	Access []order.Access
}

// A Formula takes conditions that hold.
type Formula interface {
	// Assert says that a condition holds.
	Assert(f *expr.Expr)
	// AssertAny says that one of some conditions holds.
	AssertAny(fs ...*expr.Expr)
	// AssertEqual says that a and b are equal where a condition holds.
	AssertEqual(when, a, b *expr.Expr)
}

// Encode writes the formula of a program and says which links there are. Where keep is not nil, a
// read of a cell sees what was written only where the cell's condition of keep holds. The error is
// ctx's.
func Encode(ctx context.Context, p *Program, f Formula, keep []*expr.Expr) (*Encoding, error) {
	e := &encoder{p: p, f: f, keep: keep, out: &Encoding{Program: p, Graph: order.New(p.Nodes)}}
	for _, h := range p.Holds {
		f.Assert(h)
	}
	e.graph()
	e.behind = e.out.Graph.Behind()
	for i := range p.Events {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !p.Events[i].Write {
			if err := e.read(ctx, i); err != nil {
				return nil, err
			}
		}
	}
	return e.out, nil
}

type encoder struct {
	p      *Program
	f      Formula
	keep   []*expr.Expr
	out    *Encoding
	behind []bitset.Set[order.Node]
	writes [][]int // by cell: events
}

// graph tells the static order, and the facts about edges and writes.
func (e *encoder) graph() {
	p, g := e.p, e.out.Graph
	p.preserved(g.Edge)
	for _, d := range p.Edges {
		if d.When == nil {
			g.Edge(d.From, d.To)
		} else {
			e.fact(order.Fact{Kind: order.Ordered, A: d.From, B: d.To}, d.When.Term())
		}
	}
	e.writes = make([][]int, len(p.Cells))
	e.out.Access = make([]order.Access, len(p.Events))
	for i, ev := range p.Events {
		if !ev.Write {
			e.out.Access[i] = g.Read(ev.Node, order.Cell(ev.Cell))
			continue
		}
		w := g.Write(ev.Node, order.Cell(ev.Cell))
		e.out.Access[i] = w
		e.writes[ev.Cell] = append(e.writes[ev.Cell], i)
		e.fact(order.Fact{Kind: order.Happens, W: w}, ev.Guard.Term())
	}
}

func (e *encoder) fact(f order.Fact, when *expr.Expr) {
	f.Lit = order.Always
	e.out.Facts = append(e.out.Facts, Fact{f, when})
}

// read tells which writes a read may see. The error is ctx's.
func (e *encoder) read(ctx context.Context, r int) error {
	p := e.p
	ev := &p.Events[r]
	var seen []int
	for _, w := range e.writes[ev.Cell] {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if e.maySee(w, r) {
			seen = append(seen, w)
		}
	}
	sees := ev.Guard.Term()
	if e.keep != nil {
		sees = p.Pool.Land(sees, e.keep[ev.Cell])
	}
	if len(seen) == 1 {
		e.link(seen[0], r, sees)
		return nil
	}
	any := []*expr.Expr{p.Pool.Not(sees)}
	for _, w := range seen {
		s := p.Pool.Var(fmt.Sprintf("link!%d!%d", w, r), expr.Bool)
		e.f.AssertAny(p.Pool.Not(s), ev.Guard.Term())
		e.link(w, r, s)
		any = append(any, s)
	}
	e.f.AssertAny(any...)
	return nil
}

func (e *encoder) link(w, r int, when *expr.Expr) {
	p := e.p
	wr, rd := &p.Events[w], &p.Events[r]
	if !rd.Guard.Implies(wr.Guard) {
		e.f.AssertAny(p.Pool.Not(when), wr.Guard.Term())
	}
	e.f.AssertEqual(when, rd.Value, wr.Value)
	own := e.buffered(wr, rd)
	e.out.Links = append(e.out.Links, Link{w, r, when, own})
	kind := order.Sees
	if own {
		kind = order.SeesOwn
	}
	e.fact(order.Fact{Kind: kind, W: e.out.Access[w], R: e.out.Access[r]}, when)
	e.own(w, r)
}

// maySee reports whether the static order leaves it open that r sees w.
func (e *encoder) maySee(w, r int) bool {
	a, b := &e.p.Events[w], &e.p.Events[r]
	if a.Node == b.Node || e.behind[b.Node].Has(a.Node) {
		return false
	}
	if !e.behind[a.Node].Has(b.Node) {
		return true
	}
	for _, o := range e.writes[a.Cell] {
		c := &e.p.Events[o]
		if e.behind[a.Node].Has(c.Node) && e.behind[c.Node].Has(b.Node) &&
			(b.Guard.Implies(c.Guard) || a.Guard.Implies(c.Guard)) {
			return false
		}
	}
	return true
}
