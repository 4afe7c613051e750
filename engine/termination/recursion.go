package termination

// Procedures that call themselves.
//
// Idea: a procedure that does nothing but compute may be called with any values as its result (package lower,
// skip). So the loops of each body are looked at with recursive calls that give any value, from any
// arguments. What remains is a chain of calls without an end. Each cycle of the call graph has a procedure
// without which there is none; an infinite chain comes to one of these for ever. From one call of it to the
// next one the arguments are the steps of a relation as those of a loop are, and ranking functions show that
// there are finitely many.
//
// Each body that stands on such a chain is looked at: with the last call of such a procedure before it, behind which
// nothing calls itself; or with the component's procedure, if there is none.
//
// Source: Lee, Jones, Ben-Amram: The size-change principle, POPL 2001, for calls as steps; the ranking
// functions are those of loops. Left out: procedures that do more than compute, and that take pointers;
// cycles of calls of which none is on all.
//
// Cost: a relation for each such procedure.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/internal/graph"
	"magus/lts"
	"magus/smt/expr"
)

// unlessUnsupported is an error but where C is not modelled.
func unlessUnsupported(err error) error {
	var unsupported *cfa.UnsupportedError
	if errors.As(err, &unsupported) {
		return nil
	}
	return err
}

// callItself looks for a proof where recursion is not followed at all.
func (s *Session) callItself(ctx context.Context) (string, error) {
	if s.asked.cutOff == nil || s.depth > 0 || s.refused() != nil {
		return "", nil
	}
	why, err := s.chains(ctx)
	if err != nil || s.outcome != nil {
		return "", err
	}
	return "recursion: " + why, nil
}

// chains proves that all runs end if no chain of calls goes on for ever, or says why it does not.
func (s *Session) chains(ctx context.Context) (why string, err error) {
	whole := *s.claim
	whole.Question = component.NoError // so that what only computes is skipped
	q, why, err := s.body(ctx, &whole, 0, "")
	if q == nil || err != nil {
		return why, err
	}
	once, err := s.lower(ctx, &whole, 1)
	if err != nil {
		return "", unlessUnsupported(err)
	}
	procs, ok := cutting(once.comp.CFA.Frames)
	if !ok {
		return "no procedure is on all cycles of calls", nil
	}
	for _, proc := range procs {
		c := s.claim.ErrorClaim(proc, component.NoError, s.claim.Lowering.ErrorFunctions, nil)
		c.Lowering.InitGlobals, c.Lowering.ErrorsEnd = false, true
		q, why, err := s.body(ctx, c, 1, proc)
		if q == nil || err != nil {
			return why, err
		}
		if ok, err := q.callsEnd(ctx, proc); err != nil || !ok {
			return fmt.Sprintf("nothing was found that gets smaller with each call of %s", proc), err
		}
		for _, w := range q.comp.CFA.Warnings {
			if !slices.ContainsFunc(s.besides, func(o cfa.Warning) bool { return o.Text == w.Text }) {
				s.besides = append(s.besides, w)
			}
		}
	}
	s.provedUnshown("there is no certificate of a proof about procedures that call themselves")
	return "", nil
}

// body is a component all of whose loops end, where recursive calls give any value; nil if that is not shown.
func (s *Session) body(ctx context.Context, c *component.Claim, depth int, proc string) (*question, string, error) {
	q, err := s.lower(ctx, c, depth)
	if err != nil {
		return nil, err.Error(), unlessUnsupported(err)
	}
	if proc != "" && slices.ContainsFunc(q.comp.CFA.Warnings, func(w cfa.Warning) bool {
		return w.Kind == cfa.AboutPointers || w.Kind == cfa.AboutMemory || w.Kind == cfa.AboutLayout
	}) {
		return nil, proc + " uses memory that its caller knows", nil
	}
	marks := map[component.Node]bool{}
	for i, f := range q.comp.CFA.Frames {
		if at, ok := q.begins(i); ok && i > 0 && f.Proc == proc {
			marks[at] = true
		}
	}
	if err := q.rank(ctx, []lts.Action{q.comp.Cut}, marks); err != nil {
		return nil, "", err
	}
	switch {
	case q.cutOff != nil:
		return nil, "a call that does more than compute is not followed", nil
	case len(q.ranking.left) > 0:
		return nil, "a loop of " + q.comp.Name + ", whose recursive calls may give any value, is not decided", nil
	}
	return q, "", nil
}

// begins is the control point of a frame behind the assignments to its parameters.
func (q *question) begins(frame int) (component.Node, bool) {
	c := q.comp.CFA
	at := cfa.Loc(slices.IndexFunc(c.Locs, func(l cfa.Location) bool { return l.Frame == frame }))
	if at < 0 {
		return 0, false
	}
	params := q.params(frame)
	for {
		a, ok := c.Locs[at].Stmt.(cfa.Assign)
		if !ok || !slices.Contains(params, a.LHS) {
			return q.graph.At(at), true
		}
		at = c.Locs[at].Succ[0]
	}
}

// params are the parameters of a frame, in their order.
func (q *question) params(frame int) []*expr.Expr {
	if frame == 0 {
		return q.comp.CFA.Params
	}
	var all []*expr.Expr
	for _, v := range q.comp.CFA.Vars {
		if v.Frame == frame && v.Kind == cfa.Param {
			all = append(all, v.Expr)
		}
	}
	return all
}

// cutting are procedures such that each cycle of calls has one of them. ok is false if a cycle has none that
// is on all cycles around it.
func cutting(frames []cfa.Frame) (procs []string, ok bool) {
	var names []string
	number := map[string]int{}
	for _, f := range frames {
		if _, known := number[f.Proc]; !known {
			number[f.Proc] = len(names)
			names = append(names, f.Proc)
		}
	}
	calls := make([][]int, len(names))
	for _, f := range frames {
		if f.Parent >= 0 {
			from := number[frames[f.Parent].Proc]
			calls[from] = append(calls[from], number[f.Proc])
		}
	}
	without := func(left int) graph.Func {
		return graph.Func{Nodes: len(names), Succ: func(n int, yield func(int)) {
			for _, m := range calls[n] {
				if n != left && m != left {
					yield(m)
				}
			}
		}}
	}
	g := without(-1)
	scc := graph.SCC(g)
	on := scc.OnCycle(g)
	for c, members := range scc.Members() {
		if !on[members[0]] {
			continue
		}
		k := slices.IndexFunc(members, func(m int) bool {
			rest := without(m)
			cyclic := graph.SCC(rest).OnCycle(rest)
			return !slices.ContainsFunc(members, func(o int) bool { return scc.Of[o] == uint32(c) && cyclic[o] })
		})
		if k < 0 {
			return nil, false
		}
		procs = append(procs, names[members[k]])
	}
	return procs, true
}

// callsEnd reports whether no chain of calls of the component's procedure goes on for ever.
func (q *question) callsEnd(ctx context.Context, proc string) (bool, error) {
	var steps []*remaining
	own := q.params(0)
	stored := map[*expr.Expr]bool{}
	for i := range q.graph.Edges {
		for _, u := range q.graph.Edges[i].Update {
			stored[u.Var] = true
		}
	}
	for _, m := range q.relation.marked {
		loc, _ := q.graph.Loc(m.to)
		theirs := q.params(q.comp.CFA.Locs[loc].Frame)
		if len(theirs) != len(own) {
			return false, nil
		}
		next := env{}
		for i, p := range own {
			if m.from != component.Init && stored[p] { // what it was at the call is not known
				next[p] = q.relation.pool.Var(fmt.Sprintf("%s@unknown", p.Name()), p.Type())
			} else if next[p] = m.next.of(theirs[i]); p.Type() != theirs[i].Type() {
				return false, nil
			}
		}
		guard := q.relation.pool.Land(append([]*expr.Expr{m.guard}, q.ranking.inv[m.from]...)...)
		steps = append(steps, &remaining{step: &step{from: component.Init, to: component.Init, guard: guard, next: next}})
	}
	x := &ranking{relation: q.relation, prover: q.prover, inv: invariant{}, vars: own}
	err := x.rank(ctx, steps)
	return len(x.left) == 0, err
}
