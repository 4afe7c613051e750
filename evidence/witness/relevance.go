package witness

// Which values of a run matter.
//
// Real programs set dozens of variables before anything is decided by them. A
// value matters if something that the run does depends on it: a branch that is
// taken, an argument of a routine given by its abstraction, a returned value,
// or another value that matters. This is a dynamic backward slice (Korel,
// Laski: Dynamic program slicing, Information Processing Letters 29 (1988))
// along the one run, with every branch kept. Of rounds of a loop that are one step, a value matters if it does before
// any of them. Cost: linear in the run.

import (
	"maps"
	"slices"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/smt/expr"
)

// A slice is under way, from the end of a run to its beginning.
type slice struct {
	c    *component.Component
	need map[*expr.Expr]bool
	read bool // memory without variables, by something that matters
}

// relevance says for each step of the run, and each variable that it changed,
// whether the value matters, and which variables matter initially.
func relevance(c *component.Component, run *interp.Run) (steps [][]bool, initially map[*expr.Expr]bool) {
	s := slice{c: c, need: map[*expr.Expr]bool{}}
	steps = make([][]bool, len(run.Steps))
	for k, st := range slices.Backward(run.Steps) {
		if rounds, ok := st.Event.(interp.Repeated); ok {
			for _, b := range st.Changed {
				steps[k] = append(steps[k], s.need[b.Var])
			}
			s.rounds(rounds)
			continue
		}
		for _, b := range st.Changed {
			steps[k] = append(steps[k], s.need[b.Var])
			delete(s.need, b.Var)
		}
		s.statement(st.Loc, slices.Contains(steps[k], true))
	}
	return steps, s.need
}

// rounds passes over rounds of a loop: what matters before one of them, whichever it is.
func (s *slice) rounds(r interp.Repeated) {
	s.round(r)
	for {
		known := maps.Clone(s.need)
		s.round(r)
		maps.Copy(s.need, known)
		if len(s.need) == len(known) {
			return
		}
	}
}

func (s *slice) round(r interp.Repeated) {
	for _, l := range slices.Backward(r.Round) {
		matters := false
		if a, ok := s.c.CFA.Locs[l].Stmt.(cfa.Assign); ok {
			matters = s.need[a.LHS]
			delete(s.need, a.LHS)
		}
		s.statement(l, matters)
	}
}

func (s *slice) add(es ...*expr.Expr) {
	for _, v := range expr.Vars(es...) {
		s.need[v] = true
	}
}

// statement adds what a statement reads, of an assignment if its value matters.
func (s *slice) statement(l cfa.Loc, matters bool) {
	switch stmt := s.c.CFA.Locs[l].Stmt.(type) {
	case cfa.Assign:
		if m := stmt.Memory; m != nil {
			if m.Kind == cfa.Read {
				s.read = s.read || matters
			} else {
				matters = s.read
			}
			for _, t := range []*expr.Expr{m.Addr, m.Length} {
				if t != nil && matters {
					s.add(t)
				}
			}
		}
		if stmt.RHS != nil && matters {
			s.add(stmt.RHS)
		}
		if stmt.Exact != nil && matters {
			s.add(stmt.Exact.When)
			if stmt.Exact.Value != nil {
				s.add(stmt.Exact.Value)
			}
		}
	case cfa.Branch:
		s.add(stmt.Cond)
	case cfa.Call:
		s.add(stmt.Args...)
		for _, choice := range s.c.Calls[l].Choices {
			s.add(choice.Guard)
		}
	case cfa.Return:
		if stmt.Value != nil {
			s.add(stmt.Value)
		}
	}
}
