package sequential

// The product: an automaton with threads as one without, for what is not decided by unrolling.
//
// Idea: a location is where each thread is. One variable chooses who makes the next step. It is asked
// only before statements that touch what others may touch, that wait or begin threads, and at the
// heads of loops without such a statement; others are made at once, for they commute with what the
// threads do. A section is executed in one piece; one that would wait ends the run, for a thread that
// waits for it has not begun it. So the loop that abstracts and refines, induction and the checker of
// certificates take a program with threads as any other.
//
// Source: Clarke, Emerson (1981), for interleaving; that local steps of one thread are enough, where
// each cycle has a place at which all are taken, is Peled, "All from one, one for all" (1993). Lal,
// Reps (2009) and Lazy-CSeq sequentialise likewise, for bounded rounds.
//
// Cost: the product of the locations at which threads interleave.

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// ErrLargeProduct says that the product has too many locations.
var ErrLargeProduct = errors.New("the product of the threads is too large")

// mostProduct bounds the locations of a product.
const mostProduct = 30_000

// What a thread is at, where it is at no location.
const (
	notBegun cfa.Loc = -1 - iota
	hasEnded
	stands // for ever
)

// Scheduler is the variable of a product that chooses who makes the next step. Certificates know it by its name.
func Scheduler(p *expr.Pool) *expr.Expr { return p.Var("__magus_turn", expr.Uint8) }

// Product is the product of the threads of an automaton. The error is ErrLargeProduct or ctx's.
func Product(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	p := &product{c: c, Interleaving: NewInterleaving(Scheduler(c.Pool)), local: local(c),
		cut: cmp.Or(c.Cut, cfa.CutPrefix+"1}")}
	start := make([]cfa.Loc, len(c.Threads))
	for t := range start {
		start[t] = notBegun
	}
	start[0] = c.Entry
	out := *c
	out.Entry = p.at(start, -1)
	for len(p.work) > 0 {
		if len(p.Locs) > mostProduct {
			return nil, ErrLargeProduct
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		s := p.work[len(p.work)-1]
		p.work = p.work[:len(p.work)-1]
		p.expand(s)
	}
	p.finish(&out)
	return &out, nil
}

// finish makes an automaton of one thread of what was built.
func (p *product) finish(out *cfa.CFA) {
	c := p.c
	out.Locs, out.Threads = p.Locs, nil
	if p.cuts {
		out.Cut = p.cut
	}
	out.Vars = append(slices.Clip(c.Vars), cfa.Var{Expr: p.Chooses, Name: "turn", Kind: cfa.Temp, Frame: 0})
	out.Refused, out.Sight = nil, cfa.Sight{}
	for _, r := range c.Refused {
		for l, from := range p.Of {
			if from == int(r.At) {
				out.Refused = append(out.Refused, cfa.Refused{At: cfa.Loc(l), Why: r.Why})
			}
		}
	}
}

type product struct {
	Interleaving // of the threads' locations
	c            *cfa.CFA
	local        []bool
	work         []state
	cut          string // the action of what is left out
	cuts         bool   // some location performs it
}

// A state says where the threads are, and which one is in a section.
type state struct {
	at     []cfa.Loc
	within int // -1: none
	loc    cfa.Loc
}

// local says by location whether nobody can tell when the statement is made.
func local(c *cfa.CFA) []bool {
	shared := map[*expr.Expr]bool{}
	for _, v := range c.Shared() {
		shared[v] = true
	}
	local := make([]bool, len(c.Locs))
	for l := range c.Locs {
		switch s := c.Locs[l].Stmt.(type) {
		case cfa.Assign, cfa.Branch, cfa.Goto:
			a, ok := s.(cfa.Assign)
			read, written := c.Accesses(cfa.Loc(l))
			local[l] = !(ok && a.Memory != nil) && !slices.ContainsFunc(append(read, written...),
				func(v *expr.Expr) bool { return shared[v] })
		}
	}
	for l, head := range Heads(c, func(l cfa.Loc) bool { return !local[l] }) {
		local[l] = local[l] && !head
	}
	return local
}

// Heads says by location whether a depth-first search of its thread comes back to it without a
// location where threads rest, that is, interleave anyway: each cycle has one or the other.
func Heads(c *cfa.CFA, rests func(cfa.Loc) bool) []bool {
	const open, done = 1, 2
	mark, heads := make([]byte, len(c.Locs)), make([]bool, len(c.Locs))
	type frame struct {
		at   cfa.Loc
		next int
	}
	var roots []cfa.Loc
	if len(c.Threads) == 0 {
		roots = append(roots, c.Entry)
	}
	for _, t := range c.Threads {
		if t.Entry >= 0 {
			roots = append(roots, t.Entry)
		}
	}
	for ; len(roots) > 0; roots = roots[1:] {
		if mark[roots[0]] != 0 {
			continue
		}
		mark[roots[0]] = open
		for stack := []frame{{roots[0], 0}}; len(stack) > 0; {
			f := &stack[len(stack)-1]
			next := c.Next(f.at)
			if f.next == len(next) {
				mark[f.at] = done
				stack = stack[:len(stack)-1]
				continue
			}
			s := next[f.next]
			f.next++
			switch {
			case rests(s):
				roots = append(roots, s)
			case mark[s] == 0:
				mark[s] = open
				stack = append(stack, frame{s, 0})
			case mark[s] == open:
				heads[s] = true
			}
		}
	}
	return heads
}

// at is the location of a state.
func (p *product) at(at []cfa.Loc, within int) cfa.Loc {
	l, isNew := p.At(append([]cfa.Loc{cfa.Loc(within)}, at...)...)
	if isNew {
		p.work = append(p.work, state{at, within, l})
	}
	return l
}

// expand gives a state's location what is done there.
func (p *product) expand(s state) {
	if s.within >= 0 {
		p.step(s, s.within, s.loc)
		return
	}
	var ready []int
	for t, l := range s.at {
		if l < 0 {
			continue
		}
		if p.local[l] {
			p.step(s, t, s.loc)
			return
		}
		if j, ok := p.c.Locs[l].Stmt.(cfa.Join); !ok || s.at[j.Thread] == hasEnded {
			ready = append(ready, t)
		}
	}
	if len(ready) == 0 {
		p.Locs[s.loc] = cfa.Location{Stmt: cfa.Halt{Reason: "no thread goes on", Ends: true}, Pos: p.c.Locs[p.c.Entry].Pos}
		return
	}
	p.choose(s, ready)
}

// choose lets one of some threads make the next step.
func (p *product) choose(s state, ready []int) {
	like := cfa.Location{Pos: p.c.Locs[s.at[ready[0]]].Pos}
	p.Choose(p.c.Pool, s.loc, len(ready), like, "the scheduler", func(i int, at cfa.Loc) { p.step(s, ready[i], at) })
}

// step makes the step of a thread at a location.
func (p *product) step(s state, t int, here cfa.Loc) {
	from := s.at[t]
	l := p.c.Locs[from]
	within := s.within
	p.Of[here] = int(from)
	moved := func(to cfa.Loc) cfa.Loc {
		at := slices.Clone(s.at)
		at[t] = to
		if sp, ok := p.c.Locs[from].Stmt.(cfa.Spawn); ok {
			at[sp.Thread] = p.c.Locs[from].Succ[1]
		}
		return p.at(at, within)
	}
	succ := p.c.Next(from)
	l.Succ = nil
	switch stmt := l.Stmt.(type) {
	case cfa.Atomic:
		if within = -1; stmt.Begin {
			within = t
		}
		l.Stmt = cfa.Goto{}
	case cfa.Spawn, cfa.Join:
		l.Stmt = cfa.Goto{}
		l.Succ = []cfa.Loc{moved(succ[0])}
		p.Locs[here] = l
		return
	case cfa.End:
		l.Stmt, l.Succ = cfa.Goto{}, []cfa.Loc{moved(hasEnded)}
	case cfa.Halt:
		if !stmt.Ends && s.within < 0 {
			l.Stmt, l.Succ = cfa.Goto{}, []cfa.Loc{moved(stands)}
		}
	case cfa.Act:
		if stmt.Action == cfa.ThreadLimit {
			l.Stmt = cfa.Act{Action: p.cut}
		}
		p.cuts = p.cuts || l.Stmt.(cfa.Act).Action == p.cut
	}
	for _, n := range succ {
		l.Succ = append(l.Succ, moved(n))
	}
	p.Locs[here] = l
}
