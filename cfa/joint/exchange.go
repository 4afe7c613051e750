package joint

// Actions in a product: what is carried is looked at, performed, and given to who receives it.

import (
	"maps"
	"slices"

	"magus/cfa"
	"magus/internal/graph"
	"magus/smt/expr"
)

// exchange performs an action together.
func (p *product) exchange(s state, o option, here cfa.Loc) {
	x := cfa.Exchange{Action: o.action}
	var sends [][]*expr.Expr
	for _, receivers := range []bool{false, true} { // who sends comes first
		for _, i := range o.parts {
			act := p.act(s, i)
			if isSent := act.Message != nil && act.Message.Sends; isSent == receivers {
				continue
			} else if isSent {
				sends = append(sends, values(act.Message))
			}
			if p.takesPart(&x, i, s.at[i]); act.Message != nil {
				x.Channel, x.Senders = act.Message.Channel, len(sends)
			}
		}
	}
	lead := p.own(x.Parts[0], nil, s.at[x.Parts[0]])
	act := p.act(s, x.Parts[0])
	lead.Stmt = cfa.Act{Action: act.Action, Reason: act.Reason}
	ch, carries := p.Channels[o.action]
	if act.Message == nil || !carries {
		if p.Locs[here] = lead; len(x.Parts) > 1 {
			p.joint.Exchanges[here] = x
		} else {
			p.Of[here] = x.Parts[0]
		}
		p.gives(s, x, here, nil)
		return
	}
	x.Values, x.Paths = ch.Carried, ch.Paths
	if first := p.comesOut(o.action); first != nil {
		sends = [][]*expr.Expr{first}
	}
	var carried []*expr.Expr
	if len(sends) > 0 {
		carried = sends[0]
	}
	at := p.assigns(ch.Carried, carried, lead, here)
	for _, other := range sends[min(1, len(sends)):] {
		at = p.agrees(ch.Carried, other, lead, at)
	}
	at = p.moves(s, o.action, ch.Carried, lead, at)
	p.cells(ch.Cells, lead, at, func(at cfa.Loc) {
		p.joint.Exchanges[at] = x
		p.gives(s, x, at, ch.Carried)
	})
}

// values are those that a message sends.
func values(m *cfa.Message) (all []*expr.Expr) {
	for _, c := range m.Parts {
		all = append(all, c.Value)
	}
	return all
}

// agrees goes on only where what one sends is what another one sends.
func (p *product) agrees(carried, other []*expr.Expr, lead cfa.Location, at cfa.Loc) cfa.Loc {
	for i, v := range carried {
		p.Locs[at] = lead
		p.Locs[at].Stmt = cfa.Branch{Cond: p.pool.Eq(v, other[i])}
		p.joint.Opens[at] = true
		yes, no := p.Follow(at), p.Follow(at)
		p.Locs[no] = lead
		p.Locs[no].Stmt = cfa.Halt{Reason: cfa.AssumptionFails}
		at = yes
	}
	return at
}

func (p *product) act(s state, i int) cfa.Act { return p.parts[i].Auto.Locs[s.at[i]].Stmt.(cfa.Act) }

// cells performs the action of the cell that a value falls into, and behind it what then says.
func (p *product) cells(cells []Cell, lead cfa.Location, at cfa.Loc, then func(at cfa.Loc)) {
	for i, c := range cells {
		here, no := at, at
		if i < len(cells)-1 && !c.Cond.IsTrue() {
			here, no = p.Emit(cfa.Location{}, -1), p.Emit(cfa.Location{}, -1)
			p.test(c.Cond, lead, at, here, no)
		}
		p.Locs[here] = lead
		p.Locs[here].Stmt = cfa.Act{Action: c.Action}
		then(here)
		if at = no; at == here {
			return
		}
	}
}

// test leads from a location to one of two others, by the atoms of a condition.
func (p *product) test(c *expr.Expr, lead cfa.Location, at, yes, no cfa.Loc) {
	switch c.Op() {
	case expr.Not:
		p.test(c.Args()[0], lead, at, no, yes)
	case expr.Land:
		for _, a := range c.Args()[1:] {
			next := p.Emit(cfa.Location{}, -1)
			p.test(a, lead, at, next, no)
			at = next
		}
		p.test(c.Args()[0], lead, at, yes, no)
	case expr.Lor:
		for _, a := range c.Args()[1:] {
			next := p.Emit(cfa.Location{}, -1)
			p.test(a, lead, at, yes, next)
			at = next
		}
		p.test(c.Args()[0], lead, at, yes, no)
	default:
		p.Locs[at] = lead
		p.Locs[at].Stmt, p.Locs[at].Succ = cfa.Branch{Cond: c}, []cfa.Loc{yes, no}
		p.joint.Opens[at] = true
	}
}

// A gift is what a part receives.
type gift struct {
	part      int
	to, value *expr.Expr
}

// gives has all who took part in an action go on, those who received something with it.
func (p *product) gives(s state, x cfa.Exchange, here cfa.Loc, carried []*expr.Expr) {
	at := slices.Clone(s.at)
	var gifts []gift
	for _, i := range x.Parts {
		c := p.parts[i].Auto
		next := c.Locs[s.at[i]].Succ[0]
		if m := p.act(s, i).Message; m != nil && carried != nil {
			for k, part := range m.Parts {
				if a, ok := c.Locs[next].Stmt.(cfa.Assign); ok && part.Gets != nil && a.LHS == part.Gets && a.RHS == nil {
					gifts = append(gifts, gift{i, part.Gets, carried[k]})
					next = c.Locs[next].Succ[0]
				}
			}
		}
		at[i] = next
	}
	fill := p.filled(s.fill, x.Action)
	for i, g := range gifts {
		next := p.Follow(here)
		p.Locs[next] = p.own(g.part, cfa.Assign{LHS: g.to, RHS: p.pool.Cast(g.to.Type(), g.value)}, s.at[g.part])
		p.Of[next] = g.part
		p.noteGift(next, at, fill, gifts[i:])
		here = next
	}
	to := p.at(at, fill)
	p.Locs[here].Succ = append(p.Locs[here].Succ, to)
}

// returns performs the return of a part, which is observed.
func (p *product) returns(s state, i int, here cfa.Loc) {
	l := s.at[i]
	stmt := p.parts[i].Auto.Locs[l].Stmt.(cfa.Return)
	lead := p.own(i, nil, l)
	to, cells := p.at(moved(s.at, i, hasEnded), s.fill), p.parts[i].Returns
	if p.parts[i].Result != nil && stmt.Value != nil {
		lead.Stmt = cfa.Assign{LHS: p.parts[i].Result, RHS: stmt.Value}
		p.Locs[here] = lead
		p.joint.Opens[here] = true
		here = p.Follow(here)
	}
	x := cfa.Exchange{Action: "return"}
	if r := p.parts[i].Result; r != nil {
		x.Values, x.Paths = []*expr.Expr{r}, []string{""}
	}
	p.takesPart(&x, i, l)
	p.cells(cells, lead, here, func(at cfa.Loc) {
		p.joint.Exchanges[at] = x
		p.Locs[at].Succ = []cfa.Loc{to}
	})
}

func names(channels map[string]Channel) []string { return slices.Sorted(maps.Keys(channels)) }

// dropDead leaves out what control does not reach, and steps that do nothing.
func (p *product) dropDead(out *cfa.CFA) {
	skip := func(l cfa.Loc) cfa.Loc {
		for range p.Locs {
			if _, ok := p.Locs[l].Stmt.(cfa.Goto); !ok || p.WholeRuns && p.Of[l] >= 0 {
				break
			}
			l = p.Locs[l].Succ[0]
		}
		return l
	}
	out.Entry = skip(out.Entry)
	for i := range p.Locs {
		for k, n := range p.Locs[i].Succ {
			p.Locs[i].Succ[k] = skip(n)
		}
	}
	reached := graph.Reachable(out.Graph(), int(out.Entry))
	number := make([]cfa.Loc, len(p.Locs))
	joint := &cfa.Joint{Parts: p.joint.Parts, Exchanges: map[cfa.Loc]cfa.Exchange{}, Opens: map[cfa.Loc]bool{},
		Deadlocks: map[cfa.Loc][]cfa.JointStand{}, Offered: map[cfa.Loc][]string{}}
	var locs []cfa.Location
	for l, ok := range reached {
		if !ok {
			continue
		}
		n := cfa.Loc(len(locs))
		number[l] = n
		locs = append(locs, p.Locs[l])
		joint.Of = append(joint.Of, p.Of[l])
		if p.WholeRuns {
			joint.Ready = append(joint.Ready, p.ready[cfa.Loc(l)])
		}
		if x, is := p.joint.Exchanges[cfa.Loc(l)]; is {
			joint.Exchanges[n] = x
		}
		if d, is := p.joint.Deadlocks[cfa.Loc(l)]; is {
			joint.Deadlocks[n], joint.Offered[n] = d, p.joint.Offered[cfa.Loc(l)]
		}
		if p.joint.Opens[cfa.Loc(l)] {
			joint.Opens[n] = true
		}
	}
	for i := range locs {
		for k, n := range locs[i].Succ {
			locs[i].Succ[k] = number[n]
		}
	}
	out.Locs, out.Entry, out.Joint = locs, number[out.Entry], joint
	p.refuse(out)
}

// refuse says which locations of the product are not modelled.
func (p *product) refuse(out *cfa.CFA) {
	for _, part := range p.parts {
		for _, r := range part.Auto.Refused {
			at := part.Auto.Locs[r.At].Pos
			for l := range out.Locs {
				if a, ok := out.Locs[l].Stmt.(cfa.Act); ok && a.Action == out.Cut && out.Locs[l].Pos == at {
					out.Refused = append(out.Refused, cfa.Refused{At: cfa.Loc(l), Why: r.Why})
				}
			}
		}
	}
}
