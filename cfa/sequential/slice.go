package sequential

// What matters for who waits.
//
// Idea: whether threads wait for each other for ever is decided by sections, creations, joins and
// ends, by branches that lead to different ones of these, and by what such branches read. All else
// is left out: each location leads to the next one that matters. A way on which nothing of this
// comes any more is a thread that goes on alone.
//
// The result has all runs of the automaton as far as these statements go, and more: loops that do
// not matter have an end, and assumptions that do not matter are passed over, behind which a thread
// would stand without waiting. A branch that only decides whether an assumption holds matters where
// it depends on variables that do anyway.
//
// Source: Weiser: Program slicing (1984); next observables are those of Ball, Horwitz: Slicing
// programs with arbitrary control flow (1993). Cost: a fixed point over the automaton for each
// layer of branches that matter.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/internal/graph"
	"magus/smt/expr"
)

// What comes next, where it is no one location.
const (
	nothing cfa.Loc = -1 - iota // that matters
	several
)

// A slice is what matters of an automaton.
type slice struct {
	c        *cfa.CFA
	order    []int // of locations, each behind those that it leads to where there is no loop
	matters  []bool
	vars     map[*expr.Expr]bool         // that matter
	next     []cfa.Loc                   // by location: the next one that matters, itself if it does
	from     map[*expr.Expr][]*expr.Expr // by variable: what is read where it is assigned
	sections map[cfa.Loc][]cfa.Loc
}

// sliced is what matters of an automaton for who waits. The error is ctx's.
func sliced(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	s := &slice{
		c: c, matters: make([]bool, len(c.Locs)), vars: map[*expr.Expr]bool{},
		from: map[*expr.Expr][]*expr.Expr{}, sections: sections(c),
	}
	roots := []int{int(c.Entry)}
	for _, t := range c.Threads {
		if t.Entry >= 0 {
			roots = append(roots, int(t.Entry))
		}
	}
	s.order = graph.Postorder(c.ThreadGraph(), roots...)
	for _, l := range s.order {
		s.matters[l] = s.essential(c.Locs[l].Stmt)
		read, written := c.Accesses(cfa.Loc(l))
		for _, v := range written {
			s.from[v] = append(s.from[v], read...)
		}
	}
	for grown := true; grown; {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		s.follow()
		grown = s.grow()
	}
	return s.cut(), nil
}

// sections are the locations of each section behind its beginning, with its ends.
func sections(c *cfa.CFA) map[cfa.Loc][]cfa.Loc {
	all := map[cfa.Loc][]cfa.Loc{}
	for l := range c.Locs {
		if a, ok := c.Locs[l].Stmt.(cfa.Atomic); !ok || !a.Begin {
			continue
		}
		all[cfa.Loc(l)] = graph.Closure(func(at cfa.Loc, yield func(cfa.Loc)) {
			if a, ok := c.Locs[at].Stmt.(cfa.Atomic); ok && !a.Begin {
				return
			}
			for _, n := range c.Next(at) {
				yield(n)
			}
		}, c.Locs[l].Succ[0])
	}
	return all
}

// essential reports whether a statement matters in any case.
func (s *slice) essential(stmt cfa.Stmt) bool {
	switch stmt := stmt.(type) {
	case cfa.Spawn, cfa.Join, cfa.End, cfa.Return, cfa.Call:
		return true
	case cfa.Act:
		return stmt.Action == cfa.ThreadLimit || s.c.Cut != "" && stmt.Action == s.c.Cut
	case cfa.Halt:
		return stmt.Ends || stmt.Reason == cfa.Waiting
	}
	return false
}

// follow finds what comes next, as far as it is known what matters.
func (s *slice) follow() {
	s.next = slices.Repeat([]cfa.Loc{nothing}, len(s.c.Locs))
	for changed := true; changed; {
		changed = false
		for _, l := range s.order {
			n := cfa.Loc(l)
			if !s.matters[l] {
				n = nothing
				for _, to := range s.c.Next(cfa.Loc(l)) {
					n = join(n, s.next[to])
				}
			}
			changed = changed || n != s.next[l]
			s.next[l] = n
		}
	}
}

func join(a, b cfa.Loc) cfa.Loc {
	switch {
	case a == nothing || a == b:
		return b
	case b == nothing:
		return a
	}
	return several
}

// grow adds what matters besides, and reports whether that is anything.
func (s *slice) grow() bool {
	grown := s.branches(s.decides)
	if !grown { // branches of a loop that wait for each other
		grown = s.branches(func(l cfa.Loc) bool { return s.next[l] == several })
	}
	grown = s.assignments() || grown
	grown = s.wholeSections() || grown
	return grown || s.branches(s.assumes)
}

// branches adds those that f says, with what they read.
func (s *slice) branches(f func(cfa.Loc) bool) (grown bool) {
	for _, i := range s.order {
		l := cfa.Loc(i)
		if b, ok := s.c.Locs[l].Stmt.(cfa.Branch); ok && !s.matters[l] && f(l) {
			s.matters[l], grown = true, true
			s.reads(expr.Vars(b.Cond))
		}
	}
	return grown
}

func (s *slice) reads(vars []*expr.Expr) {
	for _, v := range vars {
		s.vars[v] = true
	}
}

// decides reports whether a branch leads to different locations that matter.
func (s *slice) decides(l cfa.Loc) bool {
	to := s.c.Locs[l].Succ
	return s.next[l] == several && s.next[to[0]] != several && s.next[to[1]] != several
}

// assumes reports whether a branch that depends on what matters anyway decides whether anything
// that matters comes.
func (s *slice) assumes(l cfa.Loc) bool {
	to := s.c.Locs[l].Succ
	if (s.next[to[0]] == nothing) == (s.next[to[1]] == nothing) {
		return false
	}
	all := graph.Closure(func(v *expr.Expr, yield func(*expr.Expr)) {
		for _, from := range s.from[v] {
			yield(from)
		}
	}, expr.Vars(s.c.Locs[l].Stmt.(cfa.Branch).Cond)...)
	return slices.ContainsFunc(all, func(v *expr.Expr) bool { return s.vars[v] })
}

// assignments adds those to variables that matter, with what they read.
func (s *slice) assignments() (grown bool) {
	for again := true; again; {
		again = false
		for _, i := range s.order {
			l := cfa.Loc(i)
			if a, ok := s.c.Locs[l].Stmt.(cfa.Assign); ok && !s.matters[l] && s.vars[a.LHS] {
				read, _ := s.c.Accesses(l)
				s.reads(read)
				s.matters[l], again, grown = true, true, true
			}
		}
	}
	return grown
}

// wholeSections adds the bounds of sections with something that matters.
func (s *slice) wholeSections() (grown bool) {
	for _, i := range s.order {
		begin := cfa.Loc(i)
		within := s.sections[begin]
		some := slices.ContainsFunc(within, func(l cfa.Loc) bool { return s.matters[l] })
		if s.matters[begin] || !some {
			continue
		}
		s.matters[begin], grown = true, true
		for _, l := range within {
			if a, ok := s.c.Locs[l].Stmt.(cfa.Atomic); ok && !a.Begin {
				s.matters[l] = true
			}
		}
	}
	return grown
}

// cut is the automaton of what matters.
func (s *slice) cut() *cfa.CFA {
	out := *s.c
	out.Locs, out.Threads = slices.Clone(s.c.Locs), slices.Clone(s.c.Threads)
	alone := cfa.Loc(len(out.Locs))
	to := func(l cfa.Loc) cfa.Loc {
		if n := s.next[l]; n >= 0 {
			return n
		}
		return alone
	}
	for l := range s.c.Locs {
		at := &out.Locs[l]
		if !s.matters[l] {
			at.Stmt, at.Succ = cfa.Halt{Reason: "it does not matter"}, nil
			continue
		}
		at.Succ = slices.Clone(at.Succ)
		for i, n := range at.Succ {
			at.Succ[i] = to(n)
		}
	}
	out.Locs = append(out.Locs, cfa.Location{
		Stmt: cfa.Halt{Reason: "it goes on alone"}, Pos: s.c.Locs[s.c.Entry].Pos,
	})
	out.Entry = to(s.c.Entry)
	for t := range out.Threads {
		if e := out.Threads[t].Entry; e >= 0 {
			out.Threads[t].Entry = to(e)
		}
	}
	return &out
}
