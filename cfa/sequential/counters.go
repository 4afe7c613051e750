package sequential

// What is counted of threads: how often they have moved from each spot to the next, or how many are at each spot.
//
// Idea: with moves, as many are at a spot as have come there and not left, and what each of n threads
// adds to is one counter; these bound each other one by one. With places, moves are forgotten: a
// lock, or the number of those who read, is the sum of a few counters, and so are all of an
// equation's terms. As sums must not wrap around, only runs are looked at in which fewer than
// mostThreads threads are at each spot: with at most mostMoves spots a sum is less than 2³².
//
// Source: as of counting.go. Cost: a variable for each move, or for each spot.

import (
	"fmt"

	"magus/cfa"
	"magus/smt/expr"
)

// A Counter is what is counted.
type Counter int

const (
	Moves     Counter = iota // of threads, from each spot to the next
	Locations                // how many threads are at each spot, or have ended
)

// mostThreads bounds how many threads are at one spot at the same time, where these are counted.
const mostThreads = 1 << 24

// countType is that of counters.
var countType = expr.Type{Width: 32, Signed: true}

// counter is a new one.
func (k *counting) counter(format string, args ...any) *expr.Expr {
	v := k.variable(fmt.Sprintf(format, args...), countType)
	k.counters = append(k.counters, v)
	return v
}

// moved adds a move with its counter, or that of where it leads.
func (k *counting) moved(m move) {
	name := func(l cfa.Loc) string {
		switch l {
		case notBegun:
			return "new"
		case hasEnded:
			return "end"
		case stands:
			return "off"
		}
		return fmt.Sprint(int(l))
	}
	to := spot{m.class, m.to}
	switch {
	case k.counted == Moves:
		k.moves[m] = k.counter("__magus_moves_%d_%s_%s", m.class, name(m.from), name(m.to))
	case k.at[to] == nil && m.to != stands: // where nobody goes on, and nobody is waited for
		k.at[to] = k.counter("__magus_at_%d_%s", m.class, name(m.to))
	}
	k.order = append(k.order, m)
	k.into[to] = append(k.into[to], m)
	k.outOf[spot{m.class, m.from}] = append(k.outOf[spot{m.class, m.from}], m)
}

// sum is how often some moves were made, but those from a spot to itself.
func (k *counting) sum(all []move) *expr.Expr {
	sum := k.c.Pool.Const(countType, 0)
	for _, m := range all {
		if m.from != m.to {
			sum = k.c.Pool.Add(sum, k.moves[m])
		}
	}
	return sum
}

// empty says that no thread is at a spot.
func (k *counting) empty(s spot) *expr.Expr {
	if k.counted == Locations {
		return k.c.Pool.Eq(k.at[s], k.c.Pool.Const(countType, 0))
	}
	return k.c.Pool.Eq(k.sum(k.into[s]), k.sum(k.outOf[s]))
}

// ended is how many threads of a class have ended.
func (k *counting) ended(class int) *expr.Expr {
	end := spot{class, hasEnded}
	if k.counted == Moves {
		return k.sum(k.into[end])
	}
	if n := k.at[end]; n != nil {
		return n
	}
	return k.c.Pool.Const(countType, 0)
}

// made counts a move.
func (k *counting) made(m move, here, like cfa.Loc) cfa.Loc {
	if k.counted == Moves {
		return k.plus(here, like, k.moves[m], 1)
	}
	if m.from == m.to {
		return here
	}
	if m.from != notBegun {
		here = k.plus(here, like, k.at[spot{m.class, m.from}], ^uint64(0))
	}
	if m.to != stands {
		here = k.plus(here, like, k.at[spot{m.class, m.to}], 1)
	}
	return here
}

// plus adds a number to a counter.
func (k *counting) plus(here, like cfa.Loc, counter *expr.Expr, n uint64) cfa.Loc {
	return k.assign(here, like, counter, k.c.Pool.Add(counter, k.c.Pool.Const(countType, n)))
}

// few ends runs in which too many threads are at one spot, where these are counted.
func (k *counting) few(here, like cfa.Loc, spots []spot) cfa.Loc {
	if k.counted == Moves {
		return here
	}
	pool, unsigned := k.c.Pool, expr.Type{Width: countType.Width}
	var many []*expr.Expr
	for _, s := range spots {
		many = append(many, pool.Ge(pool.Cast(unsigned, k.at[s]), pool.Const(unsigned, mostThreads)))
	}
	return k.unless(here, like, pool.Lor(many...))
}
