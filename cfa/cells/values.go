package cells

// What is read twice.
//
// Idea: what was read or written at an address is known there until memory changes, or a variable of the address. A
// read of the same address gives it again, whichever element it is. So a comparison and an assignment of a[i] are
// of one value.
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
	order := graph.Postorder(g, int(c.Entry))
	slices.Reverse(order)
	before := func(n int) (facts []fact) {
		first := cfa.Loc(n) != c.Entry
		back.Out(n, func(m int) {
			switch {
			case !seen[m]:
			case cfa.Loc(n) == c.Entry:
			case first:
				facts, first = slices.Clone(behind[m]), false
			default:
				facts = slices.DeleteFunc(facts, func(f fact) bool { return !slices.Contains(behind[m], f) })
			}
		})
		return facts
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
