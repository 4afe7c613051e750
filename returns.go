package magus

// Observed returns.
//
// Idea: `return {e}` in a specification stands for all values that satisfy e.
// If the specification mentions any return action of a component, every return
// of the component is observed: as the action of the condition that the value
// satisfies, and as `return {other}`, which no specification allows, if it
// satisfies none (the paper's footnote 2).
//
// Deviation: where two conditions overlap, a value that satisfies both is an
// action of its own, which the specification allows wherever it allows either.
// The conditions are therefore replaced by the satisfiable combinations of
// them, and the specification's transitions are copied accordingly. Where
// conditions exclude each other nothing changes.
//
// Source: paper section 3.1, 5.4; the tool's semantics, "Actions and traces".
// Cost: one enumeration over the conditions of a component.

import (
	"strings"

	"magus/internal/expr"
	"magus/internal/solver"
	"magus/lts"
	"magus/predabs"
	"magus/specs"
)

// mentioned are the return actions of the component in the specification's
// alphabet. In a program of one component, unqualified ones are its own.
type mentioned struct {
	action lts.Action
	ret    specs.ReturnAction
}

func mentionedReturns(file *specs.File, spec *lts.LTS, proc string, alone bool) []mentioned {
	var ms []mentioned
	for _, a := range spec.Alphabet() {
		r, ok := file.ReturnOf(spec.Actions().Name(a))
		if ok && (r.Component == proc || alone && r.Component == "") {
			ms = append(ms, mentioned{a, r})
		}
	}
	return ms
}

// combination is a set of the mentioned conditions that some value satisfies
// exactly.
type combination struct {
	action  lts.Action
	members []bool
}

// returns says how the component's returns are observed, and which actions
// stand for combinations of the specification's.
func (b *binder) returns(ms []mentioned, proc string, alone bool) (predabs.Returns, []combination, error) {
	if len(ms) == 0 {
		return predabs.Returns{}, nil, nil
	}
	other := proc + ":return{other}"
	if alone {
		other = "return{other}"
	}
	r := predabs.Returns{Observed: true, Other: b.actions.Intern(other)}
	if b.cfa.Ret.IsBool() {
		for _, m := range ms {
			if m.ret.Void {
				r.Actions = append(r.Actions, predabs.ReturnAction{Action: m.action, Void: true})
			}
		}
		return r, nil, nil
	}
	result := b.cfa.Pool.Var(proc+":$0", b.cfa.Ret)
	var conds []*expr.Expr
	var valued []mentioned
	for _, m := range ms {
		if m.ret.Void {
			continue
		}
		c, err := b.condition(m.ret, result)
		if err != nil {
			return r, nil, err
		}
		conds, valued = append(conds, c), append(valued, m)
	}
	var combos []combination
	err := solver.Enumerate(b.ctx, b.solver, conds, nil, func(values []bool) bool {
		if c := b.combine(valued, values); c.members != nil {
			combos = append(combos, c)
		}
		return true
	})
	for _, c := range combos {
		r.Actions = append(r.Actions, predabs.ReturnAction{Action: c.action, Cond: func(value *expr.Expr) (*expr.Expr, error) {
			return b.exactly(valued, c.members, value)
		}})
	}
	return r, combos, err
}

func (b *binder) combine(ms []mentioned, values []bool) combination {
	var names []string
	c := combination{}
	for i, v := range values {
		if v {
			names = append(names, b.actions.Name(ms[i].action))
		}
	}
	if len(names) > 0 {
		c.action = b.actions.Intern(strings.Join(names, " and "))
		c.members = append(c.members, values...)
	}
	return c
}

// exactly holds of a value that satisfies these conditions and no other.
func (b *binder) exactly(ms []mentioned, members []bool, value *expr.Expr) (*expr.Expr, error) {
	var all []*expr.Expr
	for i, m := range ms {
		c, err := b.condition(m.ret, value)
		if err != nil {
			return nil, err
		}
		if !members[i] {
			c = b.cfa.Pool.Not(c)
		}
		all = append(all, c)
	}
	return b.cfa.Pool.Land(all...), nil
}

// observe rewrites a specification for the actions that stand for returns: a
// transition of a return action is copied for every combination that contains
// it, and other return actions join the alphabet.
func observe(spec *lts.LTS, ms []mentioned, combos []combination, other lts.Action) *lts.LTS {
	index := map[lts.Action]int{}
	n := 0
	for _, m := range ms {
		if !m.ret.Void {
			index[m.action] = n
			n++
		}
	}
	b := lts.NewBuilder(spec.Actions())
	for s := range spec.NumStates() {
		b.AddState(spec.StateName(lts.State(s)))
		if spec.IsError(lts.State(s)) {
			b.SetError(lts.State(s))
		}
	}
	b.SetInit(spec.Init())
	for s := range spec.NumStates() {
		for _, e := range spec.Out(lts.State(s)) {
			i, isReturn := index[e.Action]
			if !isReturn || len(combos) == 0 {
				b.AddEdge(lts.State(s), e.Action, e.To)
				continue
			}
			for _, c := range combos {
				if c.members[i] {
					b.AddEdge(lts.State(s), c.action, e.To)
				}
			}
		}
	}
	b.Alphabet(spec.Alphabet()...)
	for _, c := range combos {
		b.Alphabet(c.action)
	}
	b.Alphabet(other)
	return b.Build()
}
