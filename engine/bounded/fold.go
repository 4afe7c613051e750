package bounded

// Paths with many rounds of loops.
//
// Idea: the solver's model says how many rounds each acceleration has. They are all written out, unless
// that is too long. Then the first round and the last one are, and a component.Repeat between them
// stands for the others: as one edge for whoever looks for values. Where there are many rounds the
// solver is asked for a run with fewer, until there is none.
//
// Source: none. Cost: a query for each time that the number of rounds falls to a sixteenth.

import (
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
)

const (
	maxWritten  = 1 << 19 // edges of all rounds of a path that is written out
	maxFolded   = 1 << 35 // edges of all rounds of an acceleration that are executed and not written out
	leastFolded = 4       // rounds; of fewer nothing is gained
	fewRounds   = 1 << 10 // it is not asked for fewer
	fewerEffort = 1 << 18 // to ask for fewer rounds
)

// folds reports whether a path may take a cycle without writing out all edges: the cycle has only assignments,
// branches and jumps, and values that the program knows.
func (f *flow) folds(cycle []int32) bool {
	return !slices.ContainsFunc(cycle, func(id int32) bool {
		e := &f.edges[id]
		if e.Loc < 0 || e.Action != lts.Tau || !f.graph.IsLocation(e.From) || !f.graph.IsLocation(e.To) {
			return true
		}
		switch stmt := f.graph.Comp.CFA.Locs[e.Loc].Stmt.(type) {
		case cfa.Assign:
			return stmt.Approx != "" || stmt.Keeps || stmt.Exact != nil || stmt.Memory != nil
		case cfa.Branch, cfa.Goto:
			return false
		}
		return true
	})
}

// found is the path of the solver's model to what leaves the specification, with the rounds that it
// leaves out; nil if it is too long and these cannot be left out. Most is the largest number of rounds
// that are.
func (u *unrolling) found(written uint64) (path []int32, repeats []component.Repeat, most uint64) {
	model := expr.NewValuation(u.solver.Value)
	holds := func(a arrival) bool { return model.Of(a.cond.bit) != 0 }
	var ids []int32
	for at := u.hits[slices.IndexFunc(u.hits, holds)]; at.edge >= 0; {
		ids = append(ids, at.edge)
		at = at.from.in[slices.IndexFunc(at.from.in, holds)]
	}
	slices.Reverse(ids)
	rounds := func(l layerAcceleration) uint64 { return model.Of(l.rounds) + 1 }
	if path, repeats, most = u.written(ids, rounds, false, written); path == nil {
		path, repeats, most = u.written(ids, rounds, true, maxWritten)
	}
	return path, repeats, most
}

// written are the edges of a path in which accelerations may be, written out or with rounds that are left out;
// nil if it is too long.
func (u *unrolling) written(ids []int32, rounds func(layerAcceleration) uint64, fold bool,
	limit uint64) (path []int32, repeats []component.Repeat, most uint64) {
	for _, id := range ids {
		if int(id) < len(u.edges) {
			path = append(path, id)
			continue
		}
		l := u.accelerated[int(id)-len(u.edges)]
		n := rounds(l)
		if fold && l.folds && n >= leastFolded {
			path = append(path, l.cycle...)
			repeats = append(repeats, u.repeat(l.acceleration, len(path), n-2))
			most = max(most, n)
			n = 1
		}
		if n > limit || uint64(len(path))+uint64(len(l.cycle))*n > limit {
			return nil, nil, 0
		}
		for range n {
			path = append(path, l.cycle...)
		}
	}
	return path, repeats, most
}

// repeat are rounds of an acceleration as a part of a path.
func (u *unrolling) repeat(l *acceleration, at int, times uint64) component.Repeat {
	by := map[*expr.Expr]*expr.Expr{l.rounds: u.pool.Const(countType, times-1)}
	head := u.edges[l.cycle[0]].From
	whole := component.Edge{ID: -1, From: head, To: head, Loc: -1, Guard: []*expr.Expr{u.pool.Subst(l.when, by)}}
	for i, v := range l.writes {
		whole.Update = append(whole.Update, component.Update{Var: u.vars[v], Term: u.pool.Subst(l.terms[i], by)})
	}
	return component.Repeat{At: at, Cycle: l.cycle, Times: times, Whole: whole}
}

// take makes what the solver found the search's path, with fewer rounds if it finds them with a little effort.
func (s *Search) take(ctx context.Context) error {
	var most uint64
	s.path, s.repeats, most = s.u.found(s.limit)
	end := s.u.effort() + fewerEffort
	more := func() bool { return s.u.effort() < end }
	for s.path != nil && most > fewRounds {
		bound := s.u.pool.Const(countType, most/16)
		fewer := []*expr.Expr{s.u.holds(s.u.some(conditions(s.u.hits)))}
		for _, l := range s.u.accelerated {
			fewer = append(fewer, s.u.pool.Lt(l.rounds, bound))
		}
		r, err := s.u.solver.Check(allowance{ctx, more}, fewer...)
		if err != nil && !errors.Is(err, errSpent) {
			return err
		}
		if err != nil || r != solver.Sat {
			return nil
		}
		path, repeats, n := s.u.found(s.limit)
		if path == nil {
			return nil
		}
		s.path, s.repeats, most = path, repeats, n
	}
	return nil
}
