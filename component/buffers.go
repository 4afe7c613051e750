package component

// Channels with buffers: program tx, rx { buffer data[3]; … }.
//
// Idea: to send on such a channel and to receive from it are two actions, data.send and data.receive, each of which
// one component performs with the buffer alone. The product knows how many values are in it, which are variables of
// the product: see package joint. So a buffer is no component that anybody waits with, and no value is lost.
//
// Cost: the product has as many locations for each way to fill the buffers.

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"magus/cfa"
	"magus/cfa/joint"
	"magus/internal/phrase"
	"magus/lts"
	"magus/smt/expr"
	"magus/specs"
)

// fills reports whether an action puts a value into a buffer.
func (c *Claim) fills(action string) bool {
	return slices.ContainsFunc(c.Buffers, func(b specs.Buffer) bool { return specs.SendOf(b.Channel) == action })
}

// bufferOf is the buffer of a channel; nil if it has none.
func (c *Claim) bufferOf(channel string) *specs.Buffer {
	i := slices.IndexFunc(c.Buffers, func(b specs.Buffer) bool { return b.Channel == channel })
	if i < 0 {
		return nil
	}
	return &c.Buffers[i]
}

// buffered gives what is sent and received on channels with buffers actions of their own.
func (c *Claim) buffered(autos []*cfa.CFA) ([]*cfa.CFA, error) {
	if c.Buffers == nil {
		return autos, nil
	}
	all := make([]*cfa.CFA, len(autos))
	for i, auto := range autos {
		copied := *auto
		copied.Locs = slices.Clone(auto.Locs)
		copied.Actions = nil
		for _, a := range auto.Actions {
			if c.bufferOf(a) == nil {
				copied.Actions = append(copied.Actions, a)
			} else { // one of these may be where no run comes to
				copied.Actions = append(copied.Actions, specs.SendOf(a), specs.ReceiveOf(a))
			}
		}
		for l := range copied.Locs {
			act, ok := copied.Locs[l].Stmt.(cfa.Act)
			if !ok {
				continue
			}
			if err := c.performsItself(act, copied.Locs[l].Pos); err != nil {
				return nil, err
			}
			if c.bufferOf(act.Action) == nil {
				continue
			}
			if act.Message.Sends {
				act.Action = specs.SendOf(act.Action)
			} else {
				act.Action = specs.ReceiveOf(act.Action)
			}
			copied.Locs[l].Stmt = act
		}
		slices.Sort(copied.Actions)
		all[i] = &copied
	}
	return all, nil
}

// performsItself refuses actions that are what sending and receiving perform, and those of a channel without a value.
func (c *Claim) performsItself(act cfa.Act, pos cfa.Pos) error {
	if b := c.bufferOf(act.Action); b != nil && act.Message == nil {
		return cfa.Fault(pos, fmt.Sprintf("%s has a buffer (%v), and carries no value here", act.Action, cfa.Pos(b.Pos)))
	}
	for _, b := range c.Buffers {
		if act.Action == specs.SendOf(b.Channel) || act.Action == specs.ReceiveOf(b.Channel) {
			return cfa.Fault(pos, fmt.Sprintf("%s is what happens with the buffer of %s (%v), and no action of a component",
				act.Action, b.Channel, cfa.Pos(b.Pos)))
		}
	}
	return nil
}

// findBuffers gives what comes out of a buffer the type of what goes in, and refuses buffers that nobody uses, and
// specifications that do not say whether they mean what goes in or what comes out.
func (j *joined) findBuffers(ctx context.Context, c *Claim, autos []*cfa.CFA) error {
	for _, b := range c.Buffers {
		if !slices.ContainsFunc(autos, func(a *cfa.CFA) bool { return slices.Contains(a.Actions, specs.SendOf(b.Channel)) }) {
			return &InputError{cfa.Pos(b.Pos),
				fmt.Sprintf("no component sends or receives on %s, which has a buffer%s", b.Channel,
					phrase.Misspelt(b.Channel, slices.Sorted(maps.Keys(j.channels))))}
		}
		in, out := j.channels[specs.SendOf(b.Channel)], j.channels[specs.ReceiveOf(b.Channel)]
		if in == nil { // no run comes to where it is sent
			in = &channel{parts: someNumber(), unmet: out == nil}
			if out != nil {
				in.parts = out.parts
			}
			j.channels[specs.SendOf(b.Channel)] = in
		}
		if out != nil && !slices.EqualFunc(in.parts, out.parts, func(a, b cfa.Carried) bool { return a.Path == b.Path }) {
			return &InputError{cfa.Pos(b.Pos), fmt.Sprintf("%s is sent as %s, and received as %s", b.Channel, written(in.parts),
				written(out.parts))}
		}
		in.isSent = true
		j.channels[specs.ReceiveOf(b.Channel)] = &channel{parts: in.parts, isSent: true, unmet: in.unmet}
	}
	if c.Buffers == nil {
		return nil
	}
	for _, m := range c.messages() {
		if c.bufferOf(m.Channel) != nil {
			return unclear(cfa.Pos(m.Pos), m.Channel)
		}
	}
	if c.Live != nil {
		for _, name := range c.Specs.ActionsAsked(c.Live.Progress, c.Live.Formula) {
			if c.bufferOf(name) != nil {
				return unclear(c.Pos, name)
			}
		}
		return nil
	}
	actions := lts.NewActions()
	spec, err := c.unbound(ctx, actions)
	if err != nil {
		return err
	}
	for _, name := range actions.Names(spec.Alphabet()) {
		if c.bufferOf(name) != nil {
			return unclear(c.Pos, name)
		}
	}
	return nil
}

func unclear(pos cfa.Pos, channel string) error {
	return &InputError{pos, fmt.Sprintf("%s has a buffer: what goes in is %s, and what comes out is %s", channel,
		specs.SendOf(channel), specs.ReceiveOf(channel))}
}

// turns refuses several components that send on one channel with a buffer, or receive, where fairness is asked for: one
// takes the place that another one could have had.
func (c *Claim) turns(autos []*cfa.CFA) error {
	if c.Live.Fairness == NoFairness {
		return nil
	}
	for _, b := range c.Buffers {
		for _, action := range []string{specs.SendOf(b.Channel), specs.ReceiveOf(b.Channel)} {
			var who []string
			for i, auto := range autos {
				if auto.Performs(action) {
					who = append(who, c.partName(i)...)
				}
			}
			if len(who) > 1 {
				return cfa.Unsupported(cfa.Pos(b.Pos), fmt.Sprintf("%s by %s and by %s with %s", action, who[0], who[1],
					c.Live.Fairness.Said()), "give each a channel of its own, or ask with --fairness none")
			}
		}
	}
	return nil
}

// buffers are those of the product, empty.
func (j *joined) buffers(pool *expr.Pool) (all []joint.Buffer) {
	for _, b := range j.of.Buffers {
		made := joint.Buffer{Channel: b.Channel, Send: specs.SendOf(b.Channel), Receive: specs.ReceiveOf(b.Channel)}
		for k := range b.Size {
			var slot []*expr.Expr
			for _, p := range j.channels[made.Send].parts {
				slot = append(slot, pool.Var(fmt.Sprintf("%s[%d]%s", b.Channel, k, p.Path), p.Type))
			}
			made.Slots = append(made.Slots, slot)
		}
		all = append(all, made)
	}
	return all
}
