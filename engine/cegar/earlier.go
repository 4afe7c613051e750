package cegar

// What an earlier session found out.
//
// Idea: most of what a check takes is to find out which predicates it needs. After a small change of
// the program it needs almost the same ones, so a session may begin with those that another one ended
// with. It is the act of adding predicates by hand, before the first step: any set of predicates
// gives an abstraction that has all traces of the component, so nothing of the verdict rests on where
// they come from. What does not fit any more is left out. So it is with partitions: the traces that
// level two has refuted are refuted again at once where the MP does not have them, as after each
// refinement of data. Abstract posts are taken over as answers to questions that are the same
// (predabs/answers.go); on these a proof does rest, so a session that looks over its own shoulder
// asks anew.
//
// Source: Beyer, Löwe, Novikov, Stahlbauer, Wendler, "Precision Reuse for Efficient Regression
// Verification", ESEC/FSE 2013. Deviation: they keep precisions by function; here conditions
// stay where their variables live, which are named by function.
//
// Cost: that of an abstraction with these predicates, which may be larger than the first ones of a loop
// that begins with none.

import (
	"maps"
	"slices"

	"magus/cfa"
	"magus/evidence/certificate"
	"magus/lts"
	"magus/minimize"
	"magus/predabs"
	"magus/smt/expr"
)

// Left is what a session leaves for a later one.
type Left struct {
	Predicates []certificate.Predicates // that were chosen
	Traces     []LeftTraces             // that level two has refuted
	Answers    predabs.Answers          // of the decision procedure, that were used
}

// LeftTraces are traces of a component, by the names of their actions.
type LeftTraces struct {
	Component string
	Traces    [][]string
}

// Leave is what the session has found out, for [Session.Begin] of a later one.
func (s *Session) Leave() Left {
	var all Left
	if s.question == nil {
		return all
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
			all.Predicates = append(all.Predicates, certificate.NewPredicates(c.Name, conds))
		}
		if len(c.traces) > 0 {
			t := LeftTraces{Component: c.Name}
			for _, trace := range c.traces {
				t.Traces = append(t.Traces, s.actions.Names(trace))
			}
			all.Traces = append(all.Traces, t)
		}
		if all.Answers == nil {
			all.Answers = predabs.Answers{}
		}
		maps.Copy(all.Answers, c.abs.Answers())
	}
	return all
}

// Begin has the session begin with what an earlier one left, if anything, and keep what
// [Session.Leave] gives; to be called before the first step. Smaller sets are not looked for then:
// the earlier session did, and without its paths that would take what it took.
func (s *Session) Begin(left Left) {
	s.earlier = earlier{left: left, keeps: true}
	for _, p := range left.Predicates {
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
	left      Left
	keeps     bool // answers
	used, all int  // conditions
}

// recall chooses what was left, for components that were just made.
func (s *task) recall() {
	if !s.earlier.keeps {
		return
	}
	answers := s.earlier.left.Answers
	if s.opt.Check {
		answers = nil
	}
	for _, c := range s.comps {
		c.abs.Recall(answers)
	}
	s.recallTraces()
	used := 0
	for _, p := range s.earlier.left.Predicates {
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

// recallTraces has components refute the traces that were refuted, as soon as they have a partition.
// Those with actions that there are not any more are left out.
func (s *task) recallTraces() {
	for _, left := range s.earlier.left.Traces {
		i := slices.IndexFunc(s.comps, func(c *model) bool { return c.Name == left.Component })
		if i < 0 {
			continue
		}
		for _, names := range left.Traces {
			trace := make([]lts.Action, 0, len(names))
			for _, name := range names {
				if a, ok := s.actions.Lookup(name); ok {
					trace = append(trace, a)
				}
			}
			if len(trace) == len(names) {
				s.comps[i].traces = append(s.comps[i].traces, trace)
			}
		}
	}
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
