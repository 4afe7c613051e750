package joint

// Channels with buffers.
//
// Idea: a state of the product knows how many values each buffer holds, the first of which is the next to come out. So
// what is full and what is empty is known at each location, and who sends or receives there needs no other part.
// Values move up where one comes out, so that a buffer with the same values is the same.
//
// Source: channels of Promela, Holzmann, The SPIN Model Checker (2003), chapter 3. Cost: a statement for each value
// that is left in the buffer.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// A Buffer holds what is sent until it is received.
type Buffer struct {
	Channel       string
	Send, Receive string         // the actions, of which each is performed by one part
	Slots         [][]*expr.Expr // variables for each value that it can hold, by what the channel carries
}

// buffer is the number of the buffer that an action is about, and whether it fills it; negative for none.
func (q *Question) buffer(action string) (n int, fills bool) {
	for i := range q.Buffers {
		switch action {
		case q.Buffers[i].Send:
			return i, true
		case q.Buffers[i].Receive:
			return i, false
		}
	}
	return -1, false
}

// holds reports whether the buffers allow an action: what it fills is not full, what it empties not empty.
func (q *Question) holds(fill []cfa.Loc, action string) bool {
	n, fills := q.buffer(action)
	switch {
	case n < 0:
		return true
	case fills:
		return int(fill[n]) < len(q.Buffers[n].Slots)
	}
	return fill[n] > 0
}

// comesOut is what a buffer gives with an action; nil if it gives nothing.
func (q *Question) comesOut(action string) []*expr.Expr {
	if n, fills := q.buffer(action); n >= 0 && !fills {
		return q.Buffers[n].Slots[0]
	}
	return nil
}

// other is the action that an action of a full, or an empty, buffer waits for.
func (q *Question) other(action string) string {
	if n, fills := q.buffer(action); fills {
		return q.Buffers[n].Receive
	} else {
		return q.Buffers[n].Send
	}
}

// filled is how full the buffers are behind an action.
func (q *Question) filled(fill []cfa.Loc, action string) []cfa.Loc {
	n, fills := q.buffer(action)
	if n < 0 {
		return fill
	}
	fill = slices.Clone(fill)
	if fills {
		fill[n]++
	} else {
		fill[n]--
	}
	return fill
}

// moves has the values of a buffer move as an action has them, from a location that has its statement on; what
// comes then is at the location that it gives.
func (p *product) moves(s state, action string, carried []*expr.Expr, lead cfa.Location, at cfa.Loc) cfa.Loc {
	n, fills := p.buffer(action)
	if n < 0 {
		return at
	}
	slots := p.Buffers[n].Slots
	if fills {
		return p.assigns(slots[s.fill[n]], carried, lead, at)
	}
	for k := range int(s.fill[n]) - 1 {
		at = p.assigns(slots[k], slots[k+1], lead, at)
	}
	return at
}

// assigns gives variables values, any where there are none, from a location on; what comes then is at the location
// that it gives.
func (p *product) assigns(to, values []*expr.Expr, lead cfa.Location, at cfa.Loc) cfa.Loc {
	for i, v := range to {
		p.Locs[at] = lead
		p.Locs[at].Stmt = cfa.Assign{LHS: v, Nondet: "from outside"}
		if values != nil {
			p.Locs[at].Stmt = cfa.Assign{LHS: v, RHS: values[i]}
		}
		p.joint.Opens[at] = true
		at = p.Follow(at)
	}
	return at
}
