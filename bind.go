package magus

// Binding: from the names in a specification to the terms of a component.

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/cfa"
	"magus/internal/expr"
	"magus/internal/solver"
	"magus/lts"
	"magus/predabs"
	"magus/specs"
)

// binder ties one component to the specification.
type binder struct {
	ctx     context.Context
	project *Project
	actions *lts.Actions
	cfa     *cfa.CFA
	solver  solver.Full
	procs   map[string]*routine
}

// A routine is a procedure abstraction in terms of one component: guards over
// the variables $1 … $n and the globals.
type routine struct {
	name     string
	args     []*expr.Expr
	choices  []choice
	assumed  cfa.Pos // where the abstraction stands
	verified bool    // it has a body that the abstraction can be checked against
}

type choice struct {
	guard   *expr.Expr
	lts     *lts.LTS
	returns map[lts.Action]specs.ReturnAction
}

// scope resolves names in conditions. globals restricts names to global
// variables.
type scope struct {
	b       *binder
	frame   int
	globals bool
	args    []*expr.Expr
	result  *expr.Expr
}

// Lookup finds a variable or an enumeration constant.
func (s scope) Lookup(name string, pos specs.Pos) (*expr.Expr, error) {
	variable, pointed := s.variable(name)
	for _, e := range s.b.cfa.Lookup(s.frame, variable) {
		if !s.globals || pointed || e.IsConst() || s.b.isGlobal(e) {
			return e, nil
		}
	}
	if e, ok := s.b.project.program.Enumerator(s.b.cfa.Pool, name); ok {
		return e, nil
	}
	what := "variable"
	if s.globals {
		what = "global variable"
	}
	return nil, fmt.Errorf("no %s %s", what, name)
}

// variable is the automaton's name for one in C, and whether it is a member of
// what a pointer points to at the start: *p.f for p->f.
func (s scope) variable(name string) (string, bool) {
	p, member, found := strings.Cut(name, "->")
	if !found {
		return name, false
	}
	if i, err := strconv.Atoi(strings.TrimPrefix(p, "$")); err == nil && 0 < i && i <= len(s.args) {
		p = s.args[i-1].Name()
	}
	return "*" + p + "." + member, true
}

// Arg is $i; $0 is the returned value.
func (s scope) Arg(i int) (*expr.Expr, error) {
	switch {
	case i == 0 && s.result != nil:
		return s.result, nil
	case i == 0:
		return nil, fmt.Errorf("$0, the returned value, has no meaning here")
	case i > len(s.args):
		return nil, fmt.Errorf("$%d: the procedure has %d parameters", i, len(s.args))
	}
	return s.args[i-1], nil
}

func (b *binder) isGlobal(e *expr.Expr) bool {
	return slices.ContainsFunc(b.cfa.Vars, func(v cfa.Var) bool { return v.Expr == e && v.Kind == cfa.Global })
}

// guard is the conjunction of conditions on the initial states; nil if there is
// none.
func (b *binder) guard(conds []*specs.CExpr) (*expr.Expr, error) {
	var all []*expr.Expr
	for _, g := range conds {
		c, err := g.Cond(b.cfa.Pool, scope{b: b, globals: true, args: b.cfa.Params}, b.project.longWidth)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	if all == nil {
		return nil, nil
	}
	return b.cfa.Pool.Land(all...), nil
}

// condition is the meaning of a return action for a result.
func (b *binder) condition(r specs.ReturnAction, result *expr.Expr) (*expr.Expr, error) {
	return r.Cond.Cond(b.cfa.Pool, scope{b: b, globals: true, result: result}, b.project.longWidth)
}

// given are the predicates of the component's procedures.
func (b *binder) given() ([]predabs.Given, error) {
	var gs []predabs.Given
	for _, proc := range b.project.specs.Procedures {
		for _, frame := range b.cfa.FramesOf(proc.Name) {
			for _, p := range proc.Predicates {
				var args []*expr.Expr
				if frame == 0 {
					args = b.cfa.Params
				}
				c, err := p.Cond(b.cfa.Pool, scope{b: b, frame: frame, args: args}, b.project.longWidth)
				if err != nil {
					return nil, err
				}
				gs = append(gs, predabs.Given{Cond: c, Frame: frame, Pos: cfa.Pos(p.Pos())})
			}
		}
	}
	return gs, nil
}

// routine binds the procedure abstraction of a callee.
func (b *binder) routine(call cfa.Call) (*routine, error) {
	if r := b.procs[call.Callee]; r != nil {
		return r, nil
	}
	proc := b.project.specs.Procedure(call.Callee)
	r := &routine{name: call.Callee, assumed: cfa.Pos(proc.Pos), verified: b.project.program.HasBody(call.Callee)}
	for i, a := range call.Args {
		r.args = append(r.args, b.cfa.Pool.Var(fmt.Sprintf("%s:$%d", call.Callee, i+1), a.Type()))
	}
	var guards []*expr.Expr
	for _, a := range proc.Abstracts {
		c, err := b.choice(a, r.args)
		if err != nil {
			return nil, err
		}
		if len(c.returns) == 0 && r.verified {
			return nil, &InputError{fmt.Sprintf("%v: abstraction %s of %s has no return action: its callers would never go on, "+
				"though its body may return without being observed", cfa.Pos(a.Pos), or(a.Name, a.LTS), r.name)}
		}
		r.choices, guards = append(r.choices, c), append(guards, c.guard)
	}
	if err := specs.CheckGuards(b.ctx, b.cfa.Pool, guards, b.solver); err != nil {
		return nil, b.guardError(proc, err)
	}
	b.procs[call.Callee] = r
	return r, nil
}

func (b *binder) guardError(proc *specs.Procedure, err error) error {
	if ge, ok := err.(*specs.GuardError); ok {
		why := strings.ReplaceAll(ge.Error(), proc.Name+":$", "$")
		return &InputError{fmt.Sprintf("%v: guards of procedure %s: %s", cfa.Pos(proc.Pos), proc.Name, why)}
	}
	return err
}

func (b *binder) choice(a *specs.Abstract, args []*expr.Expr) (choice, error) {
	c := choice{guard: b.cfa.Pool.True(), returns: map[lts.Action]specs.ReturnAction{}}
	var err error
	if a.Guard != nil {
		if c.guard, err = a.Guard.Cond(b.cfa.Pool, scope{b: b, globals: true, args: args}, b.project.longWidth); err != nil {
			return c, err
		}
	}
	if c.lts, err = b.project.specs.LTS(a.LTS, b.actions); err != nil {
		return c, err
	}
	if err := b.project.specs.CheckProcedureLTS(a.LTS); err != nil {
		return c, err
	}
	for _, act := range c.lts.Alphabet() {
		if r, ok := b.project.specs.ReturnOf(b.actions.Name(act)); ok {
			c.returns[act] = r
		}
	}
	return c, nil
}

// mentioned are the actions that the component's text mentions: those that it
// performs, and those of the routines that it calls, but for their returns.
func (b *binder) mentioned() ([]lts.Action, error) {
	var all []lts.Action
	for _, a := range b.cfa.Actions {
		all = append(all, b.actions.Intern(a))
	}
	for _, name := range b.cfa.Routines {
		for _, abstract := range b.project.specs.Procedure(name).Abstracts {
			m, err := b.project.specs.LTS(abstract.LTS, b.actions)
			if err != nil {
				return nil, err
			}
			for _, a := range m.Alphabet() {
				if _, returns := b.project.specs.ReturnOf(b.actions.Name(a)); !returns {
					all = append(all, a)
				}
			}
		}
	}
	return all, nil
}

// choices instantiates the callee's abstraction at a call-site.
func (b *binder) choices(_ cfa.Loc, call cfa.Call) ([]predabs.Choice, error) {
	r, err := b.routine(call)
	if err != nil {
		return nil, err
	}
	if len(r.args) != len(call.Args) {
		return nil, &InputError{fmt.Sprintf("%s is called with %d and with %d arguments", call.Callee, len(r.args), len(call.Args))}
	}
	by := map[*expr.Expr]*expr.Expr{}
	for i, a := range call.Args {
		if r.args[i].Type() != a.Type() {
			a = b.cfa.Pool.Cast(r.args[i].Type(), a)
		}
		by[r.args[i]] = a
	}
	var cs []predabs.Choice
	for _, c := range r.choices {
		cs = append(cs, predabs.Choice{Guard: b.cfa.Pool.Subst(c.guard, by), LTS: c.lts, Return: func(a lts.Action) (predabs.ReturnCond, bool) {
			ret, ok := c.returns[a]
			if !ok || ret.Void {
				return predabs.ReturnCond{}, ok
			}
			return predabs.ReturnCond{Cond: func(result *expr.Expr) (*expr.Expr, error) { return b.condition(ret, result) }}, true
		}})
	}
	return cs, nil
}
