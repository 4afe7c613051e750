package liveness

// What is asked, as a formula over numbered propositions.
//
// A position of a run is what is after a visible action, and where the formula speaks of conditions on
// variables also the start and what is after a silent step that changes one of them. An action holds at the
// position behind it and at no other; a fluent from an action that begins it to one that ends it. Where a run
// ends, or goes on silently for ever, the last position is followed for ever by ones without an action.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/lts/ltl"
	"magus/smt/expr"
	"magus/specs"
)

// An asked formula, and what its propositions are.
type asked struct {
	formula   *ltl.Formula
	pool      *ltl.Pool
	names     []string              // of propositions
	acts      map[lts.Action]uint64 // propositions that hold behind an action
	on, off   map[lts.Action]uint64 // fluents that an action begins, and ends
	initially uint64                // fluents
	conds     []map[int]*expr.Expr  // conditions, by component and proposition
	hasConds  bool
	mentioned []mentioned // actions
}

// A mentioned action has a place where the text speaks of it.
type mentioned struct {
	name string
	is   []string // of the components
	pos  cfa.Pos
}

// reader makes an asked formula of what the files have.
type reader struct {
	*asked
	claim   *component.Claim
	autos   []*cfa.CFA
	actions *lts.Actions
	known   map[string]int
}

// ask is what a claim asks. The error has a place.
func ask(c *component.Claim, autos []*cfa.CFA, actions *lts.Actions) (*asked, error) {
	r := &reader{asked: &asked{pool: ltl.NewPool(), acts: map[lts.Action]uint64{}, on: map[lts.Action]uint64{},
		off: map[lts.Action]uint64{}, conds: make([]map[int]*expr.Expr, len(autos))}, claim: c, autos: autos,
		actions: actions,
		known:   map[string]int{}}
	for i := range r.conds {
		r.conds[i] = map[int]*expr.Expr{}
	}
	var err error
	switch l := c.Live; {
	case l.Formula != nil:
		r.formula, err = r.of(l.Formula)
	case l.Progress != nil:
		r.formula, err = r.progress(l.Progress)
	default: // never silent for ever, looked for by itself
		r.formula = r.pool.Bool(true)
	}
	if err == nil && r.hasConds && r.formula.HasNext() {
		err = &component.InputError{Pos: c.Pos,
			Msg: "X is the position behind the next action, and has no meaning beside conditions on variables"}
	}
	return r.asked, err
}

// progress is []<> of some actions, or where others happen again and again.
func (r *reader) progress(g *specs.Progress) (*ltl.Formula, error) {
	then, err := r.some(g.Then, g.Pos)
	if err != nil || !g.Conditional {
		return r.pool.Always(r.pool.Eventually(then)), err
	}
	cond, err := r.some(g.If, g.Pos)
	return r.pool.Implies(r.pool.Always(r.pool.Eventually(cond)), r.pool.Always(r.pool.Eventually(then))), err
}

// of translates a formula.
func (r *reader) of(f *specs.Formula) (*ltl.Formula, error) {
	var args []*ltl.Formula
	for _, a := range f.Args {
		x, err := r.of(a)
		if err != nil {
			return nil, err
		}
		args = append(args, x)
	}
	switch f.Op {
	case "true", "false":
		return r.pool.Bool(f.Op == "true"), nil
	case "!":
		return r.pool.Not(args[0]), nil
	case "X":
		return r.pool.Next(args[0]), nil
	case "[]":
		return r.pool.Always(args[0]), nil
	case "<>":
		return r.pool.Eventually(args[0]), nil
	case "&&":
		return r.pool.And(args[0], args[1]), nil
	case "||":
		return r.pool.Or(args[0], args[1]), nil
	case "->":
		return r.pool.Implies(args[0], args[1]), nil
	case "<->":
		return r.pool.Equivalent(args[0], args[1]), nil
	case "U":
		return r.pool.Until(args[0], args[1]), nil
	case "W":
		return r.pool.WeakUntil(args[0], args[1]), nil
	}
	switch {
	case f.Cond != nil:
		return r.condition(f.Cond)
	case f.Name == "":
		return r.some(f.Actions, f.Pos)
	}
	if x := r.claim.Specs.Fluent(f.Name); x != nil {
		return r.fluent(x)
	}
	if a := r.claim.Specs.Assertion(f.Name); a != nil {
		return r.of(a.Formula)
	}
	return r.some(f.Actions, f.Pos)
}

// prop is the proposition of a key.
func (r *reader) prop(key, name string, pos specs.Pos) (n int, isNew bool, err error) {
	if n, ok := r.known[key]; ok {
		return n, false, nil
	}
	if n = len(r.names); n == ltl.MaxProps {
		return 0, false, &component.InputError{Pos: cfa.Pos(pos), Msg: fmt.Sprintf("more than %d propositions", ltl.MaxProps)}
	}
	r.known[key] = n
	r.names = append(r.names, name)
	return n, true, nil
}

// some is that one of some actions happens.
func (r *reader) some(names []string, pos specs.Pos) (*ltl.Formula, error) {
	any := r.pool.Bool(false)
	for _, name := range names {
		n, isNew, err := r.prop("action "+name, name, pos)
		if err != nil {
			return any, err
		}
		if isNew {
			for _, a := range r.carrying(name) {
				r.acts[a] |= 1 << n
			}
			r.mention(name, pos)
		}
		any = r.pool.Or(any, r.pool.Prop(n))
	}
	return any, nil
}

func (r *reader) mention(name string, pos specs.Pos) {
	if !slices.ContainsFunc(r.mentioned, func(m mentioned) bool { return m.name == name }) {
		r.mentioned = append(r.mentioned, mentioned{name, r.claim.Carrying(name), cfa.Pos(pos)})
	}
}

// carrying are the actions of the components that one of the text is.
func (r *reader) carrying(name string) (all []lts.Action) {
	for _, a := range r.claim.Carrying(name) {
		all = append(all, r.actions.Intern(a))
	}
	return all
}

func (r *reader) fluent(x *specs.Fluent) (*ltl.Formula, error) {
	n, isNew, err := r.prop("fluent "+x.Name, x.Name, x.Pos)
	if err != nil {
		return nil, err
	}
	if isNew {
		for _, name := range x.On {
			r.mention(name, x.Pos)
			for _, a := range r.carrying(name) {
				r.on[a] |= 1 << n
			}
		}
		for _, name := range x.Off {
			r.mention(name, x.Pos)
			for _, a := range r.carrying(name) {
				if r.off[a] |= 1 << n; r.on[a]>>n&1 == 1 {
					return nil, &component.InputError{Pos: cfa.Pos(x.Pos), Msg: fmt.Sprintf(
						"some value of %s both begins and ends the fluent %s", name, x.Name)}
				}
			}
		}
		if x.Initially {
			r.initially |= 1 << n
		}
	}
	return r.pool.Prop(n), nil
}

func (r *reader) condition(e *specs.CExpr) (*ltl.Formula, error) {
	i, cond, err := r.claim.LiveCondition(e, r.autos)
	if err != nil {
		return nil, err
	}
	if cond.IsConst() {
		return r.pool.Bool(cond.IsTrue()), nil
	}
	n, _, err := r.prop("condition "+e.String(), e.String(), e.Pos())
	if err != nil {
		return nil, err
	}
	r.conds[i][n], r.hasConds = cond, true
	return r.pool.Prop(n), nil
}

// fluents are those that hold behind an action, of those before it.
func (q *asked) fluents(before uint64, a lts.Action) uint64 { return before&^q.off[a] | q.on[a] }

// doubts are actions of the formula that no component has.
func (q *asked) doubts(has func(name string) bool) (all []verdict.Doubt) {
	for _, m := range q.mentioned {
		if !slices.ContainsFunc(m.is, has) {
			all = append(all, verdict.Doubt{Kind: verdict.NoAction, Pos: m.pos,
				Text: fmt.Sprintf("the formula speaks of %s, which no component performs", m.name)})
		}
	}
	return all
}
