package cegar

// Predicates of an earlier session.
//
// Idea: most of what a check takes is to find out which predicates it needs. After a small change of
// the program it needs almost the same ones, so a session may begin with those that another one ended
// with. It is the act of adding predicates by hand, before the first step: any set of predicates gives an
// abstraction that has all traces of the component, so nothing of the verdict rests on where they
// come from. What does not fit any more is left out.
//
// Source: Beyer, Löwe, Novikov, Stahlbauer, Wendler, "Precision Reuse for Efficient Regression
// Verification", ESEC/FSE 2013. Deviation: they keep precisions by function; here conditions
// stay where their variables live, which are named by function.
//
// Cost: that of an abstraction with these predicates, which may be larger than the first ones of a loop
// that begins with none.

import (
	"slices"

	"magus/cfa"
	"magus/internal/certificate"
	"magus/internal/expr"
	"magus/minimize"
	"magus/predabs"
)

// Leave are the conditions that the session has chosen, for [Session.Begin] of a later one.
func (s *Session) Leave() []certificate.Predicates {
	var all []certificate.Predicates
	if s.question == nil {
		return nil
	}
	for _, c := range s.comps {
		var conds []*expr.Expr
		for _, k := range c.set {
			for _, cond := range c.abs.Candidates[k].Terms() {
				if !slices.Contains(conds, cond) {
					conds = append(conds, cond)
				}
			}
		}
		if len(conds) > 0 {
			all = append(all, certificate.NewPredicates(c.Name, conds))
		}
	}
	return all
}

// Begin has the session begin with what an earlier one left; to be called before the first step. Smaller sets are
// not looked for then: the earlier session did, and without its paths that would take what it took.
func (s *Session) Begin(left []certificate.Predicates) {
	s.earlier = earlier{left: left}
	for _, p := range left {
		s.earlier.all += len(p.Atoms)
	}
	if s.workable() == nil {
		s.recall()
	}
}

// Recalled is how many conditions of the earlier session had a meaning in this one, and how many there were.
func (s *Session) Recalled() (used, all int) { return s.earlier.used, s.earlier.all }

// earlier is what an earlier session left.
type earlier struct {
	left      []certificate.Predicates
	used, all int // conditions
}

// recall chooses what was left, for components that were just made.
func (s *Session) recall() {
	used := 0
	for _, p := range s.earlier.left {
		i := slices.IndexFunc(s.comps, func(c *model) bool { return c.Name == p.Component })
		if i < 0 {
			continue
		}
		c := s.comps[i]
		set := minimize.SetOf(c.set...)
		for _, cond := range p.In(c.CFA) {
			used++
			for _, k := range c.abs.Add(cond, framesOf(c.CFA, cond), cfa.Pos{}, predabs.FromEarlier) {
				set = set.With(k)
			}
		}
		if wider := c.abs.Widest(set.Elements()); !slices.Equal(wider, c.set) {
			c.set, c.stale, c.excluded = wider, true, 0
		}
	}
	s.earlier.used = max(s.earlier.used, used)
}

// framesOf are the instances in which a condition has a meaning: those of its local variables, or all.
func framesOf(c *cfa.CFA, cond *expr.Expr) []int {
	var frames []int
	expr.Walk(func(e *expr.Expr) {
		if i := slices.IndexFunc(c.Vars, func(v cfa.Var) bool { return v.Expr == e }); i >= 0 && c.Vars[i].Frame >= 0 {
			frames = append(frames, c.Vars[i].Frame)
		}
	}, cond)
	if frames == nil {
		for i := range c.Frames {
			frames = append(frames, i)
		}
	}
	return frames
}
