package summaries

// Conditions that relate what a call gives with what its caller has.
//
// Idea: such a condition is in nobody's scope within the callee. But a caller's variable that is passed as an
// argument is, in the callee, the parameter, as long as that keeps its value. So what is asked behind a call is
// asked of the callee's end with parameters in the place of arguments; and that arguments were passed is a
// predicate where the call is. What is known at the end is then about what was passed, and thus about the
// caller's variables.
//
// Source: the symbolic constants of Ball, Rajamani: Bebop (SPIN 2000), section 2. Deviation: parameters that are
// not assigned stand for their values at the entry.
//
// Cost: a pass over the predicates behind calls, where nothing else is new.

import (
	"context"
	"maps"
	"slices"

	"magus/component"
	"magus/predabs"
	"magus/smt/expr"
)

// relate adds conditions at calls and at the ends of their callees, and reports whether some are new.
func (s *Search) relate(ctx context.Context) (learnt bool, err error) {
	posts, err := s.abs.Posts(ctx, s.set)
	if err != nil {
		return false, err
	}
	for _, n := range slices.Sorted(maps.Keys(s.ps.Calls)) {
		site := s.ps.Calls[n]
		if site.Past == nil {
			continue
		}
		args := s.arguments(n, site)
		for _, cond := range posts.At(site.Back) {
			if !s.mixed(site, cond) {
				continue
			}
			for _, q := range s.related(n, site, args, cond) {
				_, isNew := s.abs.Ask(q)
				learnt = learnt || isNew
			}
		}
	}
	s.all()
	return learnt, nil
}

// mixed reports whether a condition speaks of what a call may change and of what it may not.
func (s *Search) mixed(site *component.CallSite, cond *expr.Expr) bool {
	vars := expr.Vars(cond)
	kept := slices.DeleteFunc(slices.Clone(vars), func(v *expr.Expr) bool {
		return slices.Contains(s.ps.List[site.Callee].Writes, v)
	})
	return len(kept) > 0 && len(kept) < len(vars)
}

// An argument is what is passed by a variable.
type argument struct{ by, term *expr.Expr }

// arguments are those of a call that are seen on the one way that leads there.
func (s *Search) arguments(call component.Node, site *component.CallSite) []argument {
	var all []argument
	changed := map[*expr.Expr]bool{}
	g := s.ps.Graph
	for range g.NumNodes() {
		in := g.In(call)
		if len(in) != 1 || s.ps.Kinds[in[0]] != component.Within {
			break
		}
		e := &g.Edges[in[0]]
		for _, u := range e.Update {
			stays := !slices.ContainsFunc(expr.Vars(u.Term), func(v *expr.Expr) bool { return changed[v] || g.IsFresh(v) })
			if s.ps.IsPassed(site.Callee, u.Var) && !changed[u.Var] && stays {
				all = append(all, argument{u.Var, u.Term})
			}
		}
		for _, u := range e.Update {
			changed[u.Var] = true
		}
		call = e.From
	}
	return all
}

// related are the conditions that follow from one behind a call.
func (s *Search) related(call component.Node, site *component.CallSite, args []argument,
	cond *expr.Expr) (all []predabs.Asked) {
	pool, callee := s.ps.Graph.Comp.CFA.Pool, &s.ps.List[site.Callee]
	at := func(n component.Node, c *expr.Expr) predabs.Asked {
		return predabs.Asked{Cond: c, At: []predabs.AskedAt{{Node: n, Atom: c}}}
	}
	other := s.constants(call, cond)
	for _, v := range expr.Vars(cond) {
		if c := other[v]; c != nil && !v.Type().IsBool() {
			all = append(all, at(call, pool.Eq(v, c)))
		}
	}
	for _, a := range args {
		if a.term.IsConst() || a.term.Type().IsBool() {
			continue
		}
		all = append(all, at(call, pool.Eq(a.by, a.term)))
		for own, by := range callee.Kept {
			if by == a.by {
				s.inverse(a.term, own, other)
			}
		}
	}
	return append(all, at(callee.Exit, pool.Subst(cond, other)))
}

// inverse notes what a variable is, if a term over it is a parameter, where the term says so.
func (s *Search) inverse(term, own *expr.Expr, other map[*expr.Expr]*expr.Expr) {
	pool := s.ps.Graph.Comp.CFA.Pool
	switch {
	case term.Op() == expr.Var:
		other[term] = own
	case term.Op() == expr.Cast && !term.Args()[0].Type().IsBool() && term.Args()[0].Type().Width <= term.Type().Width:
		s.inverse(term.Args()[0], pool.Cast(term.Args()[0].Type(), own), other)
	case term.Op() == expr.Add && term.Args()[1].IsConst():
		s.inverse(term.Args()[0], pool.Sub(own, term.Args()[1]), other)
	}
}

// constants are the values of a condition's variables that are constants on the one way that leads to a call.
func (s *Search) constants(call component.Node, cond *expr.Expr) map[*expr.Expr]*expr.Expr {
	pool, g := s.ps.Graph.Comp.CFA.Pool, s.ps.Graph
	vars := expr.Vars(cond)
	values := slices.Clone(vars)
	for range g.NumNodes() {
		in := g.In(call)
		if len(in) != 1 || s.ps.Kinds[in[0]] != component.Within {
			break
		}
		by := map[*expr.Expr]*expr.Expr{}
		for _, u := range g.Edges[in[0]].Update {
			by[u.Var] = u.Term
		}
		pool.SubstAll(values, by)
		call = g.Edges[in[0]].From
	}
	known := map[*expr.Expr]*expr.Expr{}
	for i, v := range vars {
		if _, owned := s.ps.Owner(v); owned && values[i].IsConst() {
			known[v] = values[i]
		}
	}
	return known
}
