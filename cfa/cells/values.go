package cells

// What is read twice.
//
// Idea: what was read or written at an address is known there until memory changes, or a variable of the address. A
// read of the same address gives it again, whichever element it is. So a comparison and an assignment of a[i] are
// of one value. A load from an array some of whose elements have variables is a branch for each of these; what it gives
// is known behind all of them, for a read of the same address, which is none of theirs, comes to the same branch.
//
// Source: available expressions, as in any compiler (Aho, Lam, Sethi, Ullman: Compilers, 2nd ed., section 9.2.6).
// Cost: a few passes over the automaton.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/internal/graph"
	"magus/smt/expr"
)

// A fact says that size bytes at an address in an area hold a value.
type fact struct {
	addr, value *expr.Expr
	size        int64
	area        uint64 // its first address
}

// is reports whether a fact is about what an access, of one area, is of.
func (f fact) is(m *cfa.Access) bool {
	return f.addr == m.Addr && f.size == m.Size && f.area == m.Areas[0].First
}

// available are the values that are known to stand where a location reads. The error is ctx's.
func available(ctx context.Context, c *cfa.CFA) (map[cfa.Loc]*expr.Expr, error) {
	behind := make([][]fact, len(c.Locs))
	seen := make([]bool, len(c.Locs))
	g := c.Graph()
	back := graph.Reverse(g)
	given := loads(c, back)
	order := graph.Postorder(g, int(c.Entry))
	slices.Reverse(order)
	before := func(n int) (facts []fact) {
		if cfa.Loc(n) == c.Entry {
			return nil
		}
		var lists [][]fact
		back.Out(n, func(m int) {
			if seen[m] {
				lists = append(lists, behind[m])
			}
		})
		return joined(lists, given[n])
	}
	err := graph.Fixpoint(ctx, g, order, []int{int(c.Entry)}, func(n int) bool {
		next := after(c, c.Locs[n].Stmt, before(n))
		if seen[n] && slices.Equal(next, behind[n]) {
			return false
		}
		seen[n], behind[n] = true, next
		return true
	})
	if err != nil {
		return nil, err
	}
	known := map[cfa.Loc]*expr.Expr{}
	for l := range c.Locs {
		a, ok := c.Locs[l].Stmt.(cfa.Assign)
		if !ok || a.Memory == nil || a.Memory.Kind != cfa.Read || len(a.Memory.Areas) != 1 || !seen[l] {
			continue
		}
		for _, f := range before(l) {
			if f.is(a.Memory) && int64(f.value.Type().Width) == 8*f.size {
				known[cfa.Loc(l)] = c.Pool.As(a.LHS.Type(), f.value)
			}
		}
	}
	return known, nil
}

// loads are where ways meet behind a load, with the variable that it gives a value: all assignments to that are on the
// edges to there, and stand at one place of the source.
func loads(c *cfa.CFA, back graph.Graph) map[int]*expr.Expr {
	times := map[*expr.Expr]int{}
	for l := range c.Locs {
		if a, ok := c.Locs[l].Stmt.(cfa.Assign); ok {
			times[a.LHS]++
		}
	}
	all := map[int]*expr.Expr{}
	for n := range c.Locs {
		var v *expr.Expr
		var pos cfa.Pos
		edges, same := 0, true
		back.Out(n, func(m int) {
			a, ok := c.Locs[m].Stmt.(cfa.Assign)
			same = same && ok && (edges == 0 || a.LHS == v && c.Locs[m].Pos == pos)
			v, pos = a.LHS, c.Locs[m].Pos
			edges++
		})
		if same && edges > 1 && times[v] == edges {
			all[n] = v
		}
	}
	return all
}

// joined are the facts that all lists have, and those about what a load has given: where it was of another place, the
// address is not the fact's.
func joined(lists [][]fact, loaded *expr.Expr) (facts []fact) {
	for _, list := range lists {
		for _, f := range list {
			common := loaded != nil && f.value == loaded || !slices.ContainsFunc(lists, func(l []fact) bool {
				return !slices.Contains(l, f)
			})
			if common && !slices.Contains(facts, f) {
				facts = append(facts, f)
			}
		}
	}
	return facts
}

// after are the facts behind a statement.
func after(c *cfa.CFA, s cfa.Stmt, facts []fact) []fact {
	switch s := s.(type) {
	case cfa.Assign:
		if s.Memory != nil && s.Memory.Kind != cfa.Read {
			facts = kept(facts, s.Memory)
		}
		facts = unassigned(facts, s.LHS)
		if s.Memory == nil || s.Memory.Addr == nil || len(s.Memory.Areas) != 1 ||
			slices.Contains(expr.Vars(s.Memory.Addr), s.LHS) {
			return facts
		}
		switch {
		case s.Memory.Kind == cfa.Read:
			if !slices.ContainsFunc(facts, func(f fact) bool { return f.is(s.Memory) }) {
				facts = append(facts, fact{s.Memory.Addr, s.LHS, s.Memory.Size, s.Memory.Areas[0].First})
			}
		case s.Memory.Kind == cfa.Write && s.RHS != nil:
			facts = append(facts, fact{s.Memory.Addr, s.RHS, s.Memory.Size, s.Memory.Areas[0].First})
		}
		return facts
	case cfa.Branch, cfa.Goto, cfa.Act:
		return facts
	}
	return nil
}

// unassigned are the facts that do not speak of a variable.
func unassigned(facts []fact, v *expr.Expr) []fact {
	return slices.DeleteFunc(facts, func(f fact) bool { return slices.Contains(expr.Vars(f.addr, f.value), v) })
}

// kept are the facts that a write leaves: those about other places of an array whose addresses differ by a constant.
func kept(facts []fact, m *cfa.Access) []fact {
	return slices.DeleteFunc(facts, func(f fact) bool {
		if m.Kind != cfa.Write || m.Addr == nil || m.Size <= 0 {
			return true
		}
		a, ok := linear(f.addr)
		b, also := linear(m.Addr)
		if !ok || !also || a.term != b.term || a.factor != b.factor {
			return true
		}
		mask := m.Addr.Type().Mask()
		ahead, behind := (a.constant-b.constant)&mask, (b.constant-a.constant)&mask
		return ahead < uint64(m.Size) || behind < uint64(f.size)
	})
}
