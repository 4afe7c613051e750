package events

import "magus/smt/expr"

// A Guard is the condition under which control comes to a place: that of another place, and more. Of two
// guards the one that is above the other is known to follow from it.
type Guard struct {
	Parent *Guard
	depth  int
	bit    *expr.Expr // the whole, as a word of one bit: its operators are not made flat
	last   *expr.Expr // what it has beyond Parent's, if it is a branch of it
	term   *expr.Expr // the whole as a condition
}

// bitType is the type of conditions as words.
var bitType = expr.Type{Width: 1}

// Always is the guard that holds.
func Always(p *expr.Pool) *Guard { return &Guard{bit: p.Const(bitType, 1), term: p.True()} }

// And is g with a condition besides; nil if it is seen that it cannot hold.
func (g *Guard) And(p *expr.Pool, cond *expr.Expr) *Guard {
	if cond.IsTrue() {
		return g
	}
	bit := p.And(g.bit, p.FromBool(bitType, cond))
	if bit.IsConst() && bit.Value() == 0 {
		return nil
	}
	return &Guard{Parent: g, depth: g.depth + 1, bit: bit, last: cond, term: truth(p, bit)}
}

// Or is the guard of a join.
func (g *Guard) Or(p *expr.Pool, h *Guard) *Guard {
	switch above := common(g, h); above {
	case g, h:
		return above
	default:
		bit := p.Or(g.bit, h.bit)
		return &Guard{Parent: above, depth: above.depth + 1, bit: bit, term: truth(p, bit)}
	}
}

func truth(p *expr.Pool, bit *expr.Expr) *expr.Expr { return p.Eq(bit, p.Const(bitType, 1)) }

// common is the lowest guard that is above both.
func common(g, h *Guard) *Guard {
	for g != h {
		if g.depth >= h.depth {
			g = g.Parent
		} else {
			h = h.Parent
		}
	}
	return g
}

// Term is the guard as a condition.
func (g *Guard) Term() *expr.Expr { return g.term }

// Implies reports whether h is seen to hold wherever g does.
func (g *Guard) Implies(h *Guard) bool {
	for g.depth > h.depth {
		g = g.Parent
	}
	return g == h
}

// opposite reports whether g and h part the guard above them between them.
func opposite(p *expr.Pool, g, h *Guard) bool {
	return g.Parent != nil && g.Parent == h.Parent && g.last != nil && h.last != nil && p.Not(g.last) == h.last
}

// gives reports whether the guard is seen to say that two values are equal.
func (g *Guard) gives(p *expr.Pool, a, b *expr.Expr) bool {
	same := p.Eq(a, b)
	for ; g != nil; g = g.Parent {
		if g.last == same {
			return true
		}
	}
	return false
}
