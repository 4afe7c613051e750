package lts

import "slices"

// Idea: where components are abstractions that are refined by counterexamples, one search can give several,
// so that several components are refined before the next. So a search that is asked to goes on for a while
// after the first violation. Of the violations with the same last action it keeps one: these have most often
// the same reason.
//
// Source: ours. Cost: at most a quarter more pairs, or a thousand.

// violation is a step that the specification does not allow.
type violation struct {
	from   int32 // the node; none if the specification allows nothing
	action Action
	to     []State
}

// Pairs that a search meets in order to find further counterexamples: so many, or a part of those before.
const (
	pairsBeyond = 1 << 10
	partBeyond  = 4
)

// violated keeps a violation, and says whether the search goes on.
func (s *search) violated(a Action, next []State) bool {
	if slices.ContainsFunc(s.violations, func(v violation) bool { return v.action == a }) {
		return true
	}
	if s.violations == nil {
		s.beyond = s.nodes.count + max(pairsBeyond, s.nodes.count/partBeyond)
	}
	s.violations = append(s.violations, violation{s.current, a, slices.Clone(next)})
	return len(s.violations) <= s.limits.Others
}

// counterexample reads the run off the parent links of the search.
func (s *search) counterexample(v violation) *Counterexample {
	c := &Counterexample{}
	to, a := v.to, v.action
	for n := v.from; n >= 0; {
		node := s.nodes.at(n)
		from := s.keys.clone(node.key, len(to))
		c.Steps = append(c.Steps, s.product.step(from, a, to))
		to, a, n = from, node.action, node.parent
	}
	slices.Reverse(c.Steps)
	if s.persistence != nil || s.limits.Order == DepthFirst {
		c.Steps = slice(c.Steps, s.observed)
	}
	return c
}
