package joint

// Who can go on.
//
// Idea: a part can go on where it has a step of its own, or is at an action at which all are that take part in it.
// It has one way to go on at each place, so that an action which is possible stays so until it is done: that
// does not depend on how long a part computes. (Copies of a component may take turns: they are left to the
// caller.) Behind an exchange, who has not yet been given what was sent counts as having a step of its own.
//
// Cost: the parts, for each location.

import (
	"slices"

	"magus/cfa"
)

// noteReady notes who can go on at a state, and at the locations from first on, which were made for it. Those of
// states among them are noted once more with these.
func (p *product) noteReady(s state, first cfa.Loc) {
	if !p.WholeRuns {
		return
	}
	p.ready[s.loc] = p.readyAt(s.at, s.fill, nil)
	for l := first; int(l) < len(p.Locs); l++ {
		if _, noted := p.ready[l]; !noted {
			p.ready[l] = p.ready[s.loc]
		}
	}
}

// noteGift notes who can go on where some parts have yet to be given what was sent.
func (p *product) noteGift(l cfa.Loc, at, fill []cfa.Loc, gifts []gift) {
	if !p.WholeRuns {
		return
	}
	var busy []int
	for _, g := range gifts {
		busy = append(busy, g.part)
	}
	p.ready[l] = p.readyAt(at, fill, busy)
}

// readyAt are the parts that can go on, as bits; those that are busy have a step of their own.
func (p *product) readyAt(at, fill []cfa.Loc, busy []int) (set uint64) {
	free := state{at: slices.Clone(at), fill: fill}
	for _, i := range busy {
		free.at[i] = hasEnded // at no action
	}
	for i, l := range at {
		if l < 0 {
			continue
		}
		act, isAct := p.parts[i].Auto.Locs[l].Stmt.(cfa.Act)
		if slices.Contains(busy, i) || !isAct || p.canPerform(free, i, act.Action) {
			set |= 1 << i
		}
	}
	return set
}

// canPerform reports whether a part that is at an action can perform it.
func (p *product) canPerform(s state, i int, action string) bool {
	if !slices.Contains(p.parts[i].Auto.Actions, action) {
		return true
	}
	if !p.holds(s.fill, action) {
		return false
	}
	return !slices.ContainsFunc(p.knows[action], func(group []int) bool {
		return !slices.ContainsFunc(group, func(k int) bool { return p.isAt(s, k, action) })
	})
}
