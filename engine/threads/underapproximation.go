package threads

// Likely links: an underapproximation that random runs suggest.
//
// Idea: random runs show which writes each read sees. For each read a literal says that it sees one of those, and
// all literals are assumed. An execution under them is one of the program. If there is none, and the solver's core
// has none of the literals, there is none at all; otherwise the literals in the core are given up.
//
// Source: Prabhu, Schrammel, Srivas, Tautschnig, Yeolekar, "Concurrent program verification with
// invariant-guided underapproximation" (2017), figure 2 and section 3; "likely" after Shi et al., "Do
// I use the wrong definition?" (2010). Deviations: the interpreter makes the runs; all queries are
// those of one solver, and the formula is that of all links, with a clause of two literals for each
// link that is not likely.
//
// Cost: at most a query more than there are literals.

import (
	"context"
	"fmt"
	"math/rand"

	"magus/cfa"
	"magus/cfa/events"
	"magus/cfa/events/order"
	"magus/cfa/interp"
	"magus/smt/expr"
)

// likelyRuns is the paper's number of runs, and likelySteps how long each is at most.
const (
	likelyRuns  = 50
	likelySteps = 4_000
)

// An access is of a variable at a location: that of the statement, or of the beginning of its section.
type access struct {
	cell *expr.Expr
	at   cfa.Loc // events.Before: of what is written while there is one thread
}

// likelies are by read the writes that some run saw there.
type likelies map[access]map[cfa.Loc]bool

// observe makes random runs.
func observe(ctx context.Context, c *cfa.CFA) (likelies, error) {
	seen, m, rnd := likelies{}, interp.New(c), rand.New(rand.NewSource(1))
	for range likelyRuns {
		o := observer{c: c, seen: seen, begin: make([]cfa.Loc, len(c.Threads)), last: map[*expr.Expr]cfa.Loc{}, alone: true}
		for t := range o.begin {
			o.begin[t] = events.Before
		}
		if err := m.WalkThreads(ctx, rnd, likelySteps, o.step); err != nil {
			return nil, err
		}
	}
	return seen, nil
}

type observer struct {
	c     *cfa.CFA
	seen  likelies
	begin []cfa.Loc              // by thread: where the section that it is in begins
	last  map[*expr.Expr]cfa.Loc // by variable: the location of the last write
	alone bool
}

// step notes what a statement that is executed next accesses.
func (o *observer) step(thread int, at cfa.Loc) {
	switch stmt := o.c.Locs[at].Stmt.(type) {
	case cfa.Spawn:
		o.alone = false
	case cfa.Atomic:
		o.begin[thread] = events.Before
		if stmt.Begin {
			o.begin[thread] = at
		}
	}
	where := at
	if b := o.begin[thread]; b != events.Before {
		where = b
	}
	read, written := o.c.Accesses(at)
	for _, v := range read {
		from, ok := o.last[v]
		if !ok {
			from = events.Before
		}
		r := access{v, where}
		if o.seen[r] == nil {
			o.seen[r] = map[cfa.Loc]bool{}
		}
		o.seen[r][from] = true
	}
	for _, v := range written {
		o.last[v] = where
		if o.alone {
			o.last[v] = events.Before
		}
	}
}

type likely struct {
	decider
	f        *formula
	switches []*expr.Expr // for each read of which not all links are likely
	core     []int
}

func newLikely(d decider, f *formula, seen likelies) *likely {
	l := &likely{decider: d, f: f}
	f.stats.Saved = 0
	p := f.enc.Program
	byRead := map[int][]events.Link{}
	for _, link := range f.enc.Links {
		byRead[link.Read] = append(byRead[link.Read], link)
	}
	for r, e := range p.Events {
		from := seen[access{p.Cells[e.Cell], p.Locs[e.Node]}]
		var others []events.Link
		for _, link := range byRead[r] {
			if !from[p.Locs[p.Events[link.Write].Node]] {
				others = append(others, link)
			}
		}
		if n := len(others); n == 0 || n == len(byRead[r]) {
			continue
		}
		s := p.Pool.Var(fmt.Sprintf("likely!%d", r), expr.Bool)
		for _, link := range others {
			f.solver.AssertAny(p.Pool.Not(s), p.Pool.Not(link.When))
		}
		l.switches = append(l.switches, s)
		f.stats.Saved += len(others)
	}
	f.stats.Likely = len(l.switches)
	return l
}

func (l *likely) decide(ctx context.Context, conds ...*expr.Expr) (bool, []order.Node, error) {
	left := l.switches
	for queries := 1; ; queries++ {
		l.f.stats.Left, l.f.stats.Queries = len(left), queries
		found, linear, err := l.decider.decide(ctx, append(conds[:len(conds):len(conds)], left...)...)
		if found || err != nil {
			return found, linear, err
		}
		l.core = l.core[:0]
		drop := map[int]bool{}
		for _, i := range l.decider.needed() {
			if i < len(conds) {
				l.core = append(l.core, i)
			} else {
				drop[i-len(conds)] = true
			}
		}
		if len(drop) == 0 {
			return false, nil, nil
		}
		var rest []*expr.Expr
		for i, s := range left {
			if !drop[i] {
				rest = append(rest, s)
			}
		}
		left = rest
	}
}

func (l *likely) needed() []int { return l.core }
