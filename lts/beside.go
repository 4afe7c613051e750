package lts

import (
	"math"
	"slices"
)

// Idea: whether it pays to compose operands before the search is not known before. So the search goes on
// beside it, and each makes as much effort as the other, in turns; whoever comes to an answer first gives it.
// So a reduction takes at most twice what the search takes without it, where components are small beside what
// is searched.
//
// Effort is counted in states that are looked at, so that the answer does not depend on the machine. Where the search
// has come to a limit, the reduction may still make as much effort.
//
// Source: ours. Cost: as said; the search in what was composed begins again with twice the pairs when its effort is
// used up.

// Effort of what composing takes for each state of the composition, making it smaller included, and of a pair for each
// operand.
const (
	joinEffort = 1 << 9
	pairEffort = 4
	// turn is the least that is added at each turn.
	turn = 1 << 8
)

// composingGroups is a search in a system of which groups are composed.
type composingGroups struct {
	*reduction
	spec  *LTS
	lim   Limits
	most  int   // components of a group
	used  int64 // effort
	pairs int   // of the next search
}

// beside searches for an answer in the operands as they are, and after so many pairs in what they are composed to, too.
// The operands returned are those of the answer.
func (r *reduction) beside(spec *LTS, lim Limits, pairs int) (Result, []*operand, error) {
	single := slices.Clone(r.operands)
	p, err := newProduct(smallForms(single))
	if err != nil {
		return Result{}, nil, err
	}
	s := newSearch(p, spec, lim, false, nil)
	s.begin(r.ctx)
	other := composingGroups{reduction: r, spec: spec, lim: lim, most: len(single) - 1, pairs: 1 << 8}
	for most := int64(pairs) * int64(len(single)); ; most += most/4 + turn {
		ended, err := s.goOn(most)
		if err != nil || s.conclusive {
			return s.result(), single, err
		}
		result, err := other.goOn(s.effort)
		if err != nil || result.Verdict != Unknown {
			return result, r.operands, err
		}
		if ended {
			return s.result(), single, nil
		}
	}
}

// goOn composes and searches until so much effort was made.
func (c *composingGroups) goOn(most int64) (Result, error) {
	for {
		group := c.next(c.most)
		if group == nil {
			break
		}
		if c.used += joinEffort * int64(c.expected(group)); c.used > most {
			c.used -= joinEffort * int64(c.expected(group))
			return Result{}, nil
		}
		if err := c.try(group); err != nil {
			return Result{}, err
		}
	}
	for {
		next := pairEffort * int64(c.pairs) * int64(len(c.operands))
		if c.used+next > most || c.lim.MaxStates > 0 && c.pairs > 2*c.lim.MaxStates {
			return Result{}, nil
		}
		lim := c.lim
		if lim.MaxStates == 0 || lim.MaxStates > c.pairs {
			lim.MaxStates = c.pairs
		}
		result, err := Contains(c.ctx, smallForms(c.operands), c.spec, lim)
		c.used += pairEffort * int64(result.States) * int64(len(c.operands))
		if err != nil || result.Verdict != Unknown {
			return result, err
		}
		c.pairs *= 2
	}
}

// expected is how many states a composition of the group has at most before it is given up.
func (c *composingGroups) expected(group []*operand) int {
	n := 1.0
	for _, p := range group {
		n *= float64(p.small.NumStates())
	}
	return int(math.Min(n, float64(c.limits.MaxStates)))
}
