package component

// Routines whose bodies perform what their abstractions do not mention.
//
// Idea: a claim about an abstraction observes what the abstraction mentions. What else the
// body performs its callers would not notice, so where they are looked at the body is
// inlined: a component is lowered, what the bodies perform is compared with the alphabets of
// their abstractions, and it is lowered again with those routines inlined where this differs.
// These are few as a rule, and none mostly.
//
// With the built-in property nothing checks the abstractions. Bodies that may perform
// error are inlined all the same; what else is not mentioned is refused.
//
// Cost: as many lowerings as there are such routines calling each other, at most.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"magus/cfa"
	"magus/cfa/lower"
	"magus/lts"
	"magus/smt/expr"
	"magus/specs"
)

// lower is the automaton of a procedure, with some routines inlined, and those whose bodies
// perform what their abstractions do not mention.
func (c *Claim) lower(ctx context.Context, proc string, low lower.Options, some []string, before *loweredBefore) (
	*cfa.CFA, error) {
	inlined := map[string]bool{}
	for _, name := range slices.Concat(some, before.inlined) {
		inlined[name] = true
	}
	low.Inlined = func(name string) bool { return inlined[name] }
	low.Known = &before.known
	for {
		auto, err := lower.Lower(ctx, c.Program, proc, expr.NewPool(), low)
		if err != nil {
			return nil, err
		}
		n := len(inlined)
		for _, loc := range auto.Locs {
			call, ok := loc.Stmt.(cfa.Call)
			if !ok || inlined[call.Callee] {
				continue
			}
			incomplete, err := c.isIncomplete(ctx, call.Callee, auto.Bodies[call.Callee])
			if err != nil {
				return nil, err
			}
			if incomplete {
				inlined[call.Callee] = true
			}
		}
		if len(inlined) == n {
			return auto, nil
		}
		before.inlined, before.known = slices.Sorted(maps.Keys(inlined)), lower.Known{}
	}
}

// isIncomplete reports whether an abstraction of a routine does not mention what its body
// performs, so that the body is to be inlined. What is refused is an error.
func (c *Claim) isIncomplete(ctx context.Context, routine string, body []cfa.Performed) (bool, error) {
	if c.isSummary(routine) {
		return len(body) > 0, nil
	}
	incomplete := false
	actions := lts.NewActions()
	for _, p := range body {
		performed, err := c.performed(ctx, actions, p)
		if err != nil {
			return false, err
		}
		for _, act := range performed {
			a, err := c.unmentioned(ctx, routine, act, actions)
			switch name := actions.Name(act); {
			case err != nil:
				return false, err
			case a == nil:
			case c.Specification == "" && c.monitors == nil && name != cfa.ErrorAction:
				return false, &cfa.UnsupportedError{Pos: p.Pos,
					What: fmt.Sprintf("%s performs %s, which its abstraction %s does not mention", routine,
						name, cmp.Or(a.Name, a.LTS)),
					Hint: fmt.Sprintf("mention it: + {%s}", name)}
			default:
				incomplete = true
			}
		}
	}
	return incomplete, nil
}

// unmentioned is an abstraction of a routine that does not mention an action, or nil.
func (c *Claim) unmentioned(ctx context.Context, routine string, act lts.Action,
	actions *lts.Actions) (*specs.Abstract, error) {
	for _, a := range c.Specs.Procedure(routine).Abstracts {
		m, err := c.Specs.LTS(ctx, a.LTS, actions)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(m.Alphabet(), act) {
			return a, nil
		}
	}
	return nil, nil
}

// performed are the actions of what a body performs at a location.
func (c *Claim) performed(ctx context.Context, actions *lts.Actions, p cfa.Performed) ([]lts.Action, error) {
	if p.Routine == "" {
		return []lts.Action{actions.Intern(p.Action)}, nil
	}
	var all []lts.Action
	for _, a := range c.Specs.Procedure(p.Routine).Abstracts {
		m, err := c.Specs.LTS(ctx, a.LTS, actions)
		if err != nil {
			return nil, err
		}
		for _, act := range m.Alphabet() {
			if _, returns := c.Specs.ReturnOf(actions.Name(act)); !returns {
				all = append(all, act)
			}
		}
	}
	return all, nil
}
