package component

// Observed returns.
//
// Idea: `return {e}` in a specification stands for all values that satisfy e.
// If the specification mentions any return action of a component, every return
// of the component is observed: as the action of the condition that the value
// satisfies, and as `return {other}`, which no specification allows, if it
// satisfies none (the paper's footnote 2).
//
// Arguments in these conditions are those of the call, which the component keeps; globals are what they are
// at the return.
//
// Deviation: where two conditions overlap, a value that satisfies both is an
// action of its own, which the specification allows wherever it allows either.
// The conditions are therefore replaced by the satisfiable combinations of
// them, and the specification's transitions are copied accordingly. Where
// conditions exclude each other nothing changes.
//
// Source: Chaki et al., Efficient Verification of Sequential and Concurrent C
// Programs, FMSD 25 (2004), sections 3.1 and 5.4; docs/semantics.md, "Actions
// and traces". Cost: one enumeration over the conditions of a component.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/specs"
)

// A mention is a return action of the component in the specification's alphabet.
type mention struct {
	action lts.Action
	ret    specs.ReturnAction
}

// mentions are those of a component. In a program of one component, unqualified
// return actions are its own.
func (c *Claim) mentions(spec *lts.LTS, proc string) []mention {
	var ms []mention
	for _, a := range spec.Alphabet() {
		r, ok := c.Specs.ReturnOf(spec.Actions().Name(a))
		if ok && (r.Component == proc || len(c.Procedures) == 1 && r.Component == "") {
			ms = append(ms, mention{action: a, ret: r})
		}
	}
	return ms
}

// Mentions are the return actions of a component in the alphabet of the
// specification.
func (c *Claim) Mentions(spec *lts.LTS, proc string) []specs.ReturnAction {
	var all []specs.ReturnAction
	for _, m := range c.mentions(spec, proc) {
		all = append(all, m.ret)
	}
	return all
}

// returns says how the component's returns are observed.
func (b *binder) returns(ctx context.Context, spec *lts.LTS, proc string) (Returns, error) {
	ms := b.mentions(spec, proc)
	if len(ms) == 0 {
		return Returns{}, nil
	}
	other := "return{other}"
	if len(b.Procedures) > 1 {
		other = proc + ":" + other
	}
	r := Returns{Observed: true, Other: b.actions.Intern(other)}
	if b.auto.Ret.IsBool() { // no value is observed
		if err := b.unseenResult(proc, ms); err != nil {
			return Returns{}, err
		}
		ms = slices.DeleteFunc(ms, func(m mention) bool { return m.ret.HasValue() })
	} else {
		r.Result = b.auto.Pool.Var(proc+":$0", b.auto.Ret)
	}
	for _, m := range ms {
		r.Mentioned = append(r.Mentioned, m.action)
	}
	var err error
	r.Actions, err = b.combinations(ctx, ms, r.Result)
	return r, err
}

// unseenResult refuses conditions on a result that is there and has no value here: a structure, or floating point.
func (b *binder) unseenResult(proc string, ms []mention) error {
	t := b.Program.Procedure(proc).Type.Result()
	i := slices.IndexFunc(ms, func(m mention) bool { return m.ret.HasValue() })
	if i < 0 || source.IsVoid(t) {
		return nil
	}
	cond := ms[i].ret.Cond
	return &cfa.UnsupportedError{Pos: cfa.Pos(cond.Pos()),
		What: fmt.Sprintf("the condition %v at the return of %s", cond, proc),
		Hint: fmt.Sprintf("it returns a %s, and only numbers and pointers are compared", source.Describe(t))}
}

// combinations are the sets of conditions that some value satisfies exactly,
// but for the empty one.
func (b *binder) combinations(ctx context.Context, ms []mention, result *expr.Expr) ([]ReturnAction, error) {
	conds := make([]*expr.Expr, len(ms))
	for i := range ms {
		if ms[i].ret.Any() {
			conds[i] = b.auto.Pool.True()
			continue
		}
		var err error
		if conds[i], err = b.cond(ms[i].ret.Cond, b.called(), result); err != nil {
			return nil, err
		}
	}
	var all []ReturnAction
	err := solver.Enumerate(ctx, b.solver, conds, nil, func(values []bool) bool {
		if slices.Contains(values, true) {
			all = append(all, b.combination(ms, conds, values))
		}
		return true
	})
	return all, err
}

// combination is the action of the values that satisfy these conditions and no
// other.
func (b *binder) combination(ms []mention, conds []*expr.Expr, values []bool) ReturnAction {
	var all []mention
	exactly := slices.Clone(conds)
	for i, v := range values {
		if !v {
			exactly[i] = b.auto.Pool.Not(conds[i])
			continue
		}
		all = append(all, ms[i])
	}
	r := b.together(all)
	r.Void = b.auto.Ret.IsBool()
	r.Cond = b.auto.Pool.Land(exactly...)
	return r
}

// called are the arguments of the component's procedure, as they were at the call.
func (b *binder) called() []*expr.Expr {
	if b.auto.Called == nil {
		return make([]*expr.Expr, len(b.auto.Params))
	}
	return b.auto.Called
}

// together is an action that stands for several mentioned ones.
func (b *binder) together(ms []mention) ReturnAction {
	var r ReturnAction
	var names []string
	for _, m := range ms {
		r.StandsFor = append(r.StandsFor, m.action)
		names = append(names, b.actions.Name(m.action))
	}
	r.Action = b.actions.Intern(strings.Join(names, " and "))
	return r
}

// observe rewrites a specification for the actions by which the components'
// returns are observed: a transition of a return action is copied for every
// action that stands for it, and return{other} joins the alphabet.
func observe(spec *lts.LTS, components []*Component) *lts.LTS {
	instead := map[lts.Action][]lts.Action{}
	alphabet := slices.Clone(spec.Alphabet())
	for _, c := range components {
		c.Returns.replace(instead)
		for _, r := range c.Returns.Actions {
			alphabet = append(alphabet, r.Action)
		}
		if c.Returns.Observed {
			alphabet = append(alphabet, c.Returns.Other)
		}
	}
	if len(alphabet) == len(spec.Alphabet()) {
		return spec
	}
	b := copyStates(spec)
	for s := range lts.State(spec.NumStates()) {
		for _, e := range spec.Out(s) {
			actions, isReturn := instead[e.Action]
			if !isReturn {
				actions = []lts.Action{e.Action}
			}
			for _, a := range actions {
				b.AddEdge(s, a, e.To)
			}
		}
	}
	b.Alphabet(alphabet...)
	return b.Build()
}

// replace notes for each mentioned action those that stand for it. Where no
// value satisfies any condition, the mentioned ones stay.
func (r *Returns) replace(instead map[lts.Action][]lts.Action) {
	if len(r.Actions) == 0 {
		return
	}
	for _, m := range r.Mentioned {
		instead[m] = nil
		for _, a := range r.Actions {
			if slices.Contains(a.StandsFor, m) {
				instead[m] = append(instead[m], a.Action)
			}
		}
	}
}

// copyStates begins a copy of a specification: its states, without transitions.
func copyStates(spec *lts.LTS) *lts.Builder {
	b := lts.NewBuilder(spec.Actions())
	for s := range lts.State(spec.NumStates()) {
		b.AddState(spec.StateName(s))
		if spec.IsError(s) {
			b.SetError(s)
		}
	}
	b.SetInit(spec.Init())
	return b
}
