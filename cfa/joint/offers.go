package joint

// What the parts offer where all stand still.
//
// Idea: where each part is at an action or has ended, and every action that can be performed is observed, a run
// may say what is offered and end there. What is offered depends on what is sent: the class of the value is
// looked at as in an exchange. If all who take part in a message receive, each class is offered.
//
// Source: stable failures, Roscoe, Understanding Concurrent Systems (2010), section 11.1. Cost: at each state, the
// product of the classes of what is sent there.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// offers reports whether a run may say at a state what is offered: none of its options is a silent step, or an action
// that nobody observes, and no assumption has failed.
func (p *product) offers(s state, options []option) bool {
	if p.Stands == nil || slices.Contains(s.at, noRun) {
		return false
	}
	return !slices.ContainsFunc(options, func(o option) bool {
		if o.action == "" {
			_, returns := p.parts[o.part].Auto.Locs[s.at[o.part]].Stmt.(cfa.Return)
			return !returns
		}
		return !p.Observed(p.cellsOf(o.action)[0].Action)
	})
}

// cellsOf are the actions that one of a name may be.
func (p *product) cellsOf(action string) []Cell {
	if ch, ok := p.Channels[action]; ok {
		return ch.Cells
	}
	return []Cell{{Action: action}}
}

// say has a run say at a location what is offered at a state, and end there.
func (p *product) say(s state, options []option, here cfa.Loc) {
	var stands []cfa.JointStand
	for i, l := range s.at {
		stands = append(stands, p.standsAt(s, i, l))
	}
	p.sayRest(s, options, nil, stands, here)
}

// standsAt says where a part stands, which may be at an observed return.
func (p *product) standsAt(s state, i int, l cfa.Loc) cfa.JointStand {
	if l >= 0 {
		loc := p.parts[i].Auto.Locs[l]
		if _, returns := loc.Stmt.(cfa.Return); returns {
			return cfa.JointStand{At: true, Action: "return", Pos: loc.Pos, Frame: p.frames[i] + loc.Frame}
		}
	}
	return p.stands(s, i, l)
}

// sayRest finds at a location what the options left offer, beside what is offered by those before.
func (p *product) sayRest(s state, left []option, offered []string, stands []cfa.JointStand, here cfa.Loc) {
	if len(left) == 0 {
		offered = slices.Compact(slices.Sorted(slices.Values(offered)))
		lead := cfa.Location{Pos: p.parts[0].Auto.Locs[p.parts[0].Auto.Entry].Pos}
		lead.Stmt = cfa.Act{Action: p.Stands(offered)}
		p.Locs[here] = lead
		end := p.Follow(here)
		p.Locs[end] = cfa.Location{Pos: lead.Pos, Stmt: cfa.Halt{Reason: "all stand still", Ends: true}}
		p.joint.Deadlocks[here], p.joint.Offered[here] = stands, offered
		return
	}
	o, left := left[0], left[1:]
	more := func(a string) []string { return append(slices.Clip(offered), a) }
	c := p.chosen(s, o)
	if c.to == nil {
		for _, cell := range c.cells {
			offered = more(cell.Action)
		}
		p.sayRest(s, left, offered, stands, here)
		return
	}
	p.choices(c.cells, c.lead, p.assigns(c.to, c.values, c.lead, here), func(cell Cell, at cfa.Loc) {
		p.sayRest(s, left, more(cell.Action), stands, at)
	})
}

// A choice is of what a part chooses for an option: values of variables, and what actions they may be.
type choice struct {
	to, values []*expr.Expr
	cells      []Cell
	lead       cfa.Location
}

// chosen is what a part chooses for an option; of no variables where nobody chooses.
func (p *product) chosen(s state, o option) (c choice) {
	if o.action == "" {
		part := &p.parts[o.part]
		c.lead, c.cells = p.own(o.part, nil, s.at[o.part]), part.Returns
		if v := part.Auto.Locs[s.at[o.part]].Stmt.(cfa.Return).Value; v != nil && part.Result != nil {
			c.to, c.values = []*expr.Expr{part.Result}, []*expr.Expr{v}
		}
		return c
	}
	c.cells = p.cellsOf(o.action)
	if first := p.comesOut(o.action); first != nil {
		c.to, c.values, c.lead = p.Channels[o.action].Carried, first, p.own(o.parts[0], nil, s.at[o.parts[0]])
		return c
	}
	for _, i := range o.parts {
		if m := p.act(s, i).Message; m != nil && m.Sends {
			c.to, c.values, c.lead = p.Channels[o.action].Carried, values(m), p.own(i, nil, s.at[i])
		}
	}
	return c
}

// choices leads from a location to one for each class, by the class that the value falls into.
func (p *product) choices(cells []Cell, lead cfa.Location, at cfa.Loc, then func(c Cell, at cfa.Loc)) {
	for i, c := range cells {
		if i == len(cells)-1 || c.Cond.IsTrue() {
			then(c, at)
			return
		}
		here, no := p.Emit(cfa.Location{}, -1), p.Emit(cfa.Location{}, -1)
		p.test(c.Cond, lead, at, here, no)
		then(c, here)
		at = no
	}
}
