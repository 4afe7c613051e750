package component

// Binding: from the names in a specification to the terms of a component.
//
// Idea: every condition of the specification that concerns the component is
// read once, in the scope where it stands: guards over parameters and globals,
// return conditions over the result, given predicates over the variables of the
// frames. A procedure abstraction is bound to variables $1 … $n first, so that
// its guards can be checked to be disjoint and exhaustive once, and then to the
// arguments of each call.
//
// Source: Chaki et al., Efficient Verification of Sequential and Concurrent C
// Programs, FMSD 25 (2004), sections 3 and 5.4.
// Deviations: see returns.go for the component's own returns.
// Cost: linear in the automaton; some questions to the decision procedure for
// each procedure abstraction and for the observed returns.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"magus/cfa"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/specs"
)

// binder ties one component to the specification.
type binder struct {
	*Claim
	auto     *cfa.CFA
	actions  *lts.Actions
	solver   solver.Full
	routines map[string]*routine // by shape
}

// A routine is a procedure abstraction bound to the variables $1 … $n.
type routine struct {
	Routine
	args    []*expr.Expr
	named   []named
	choices []alternative
	// writes says that it assigns something, which gets any value behind a call.
	writes bool
}

// A named is what an abstraction names besides the arguments of a call, with the variable that it is bound to first.
type named struct {
	cfa.Named
	v *expr.Expr
}

// An alternative is one ⟨guard, LTS⟩ of a routine.
type alternative struct {
	guard   *expr.Expr
	lts     *lts.LTS
	returns map[lts.Action]specs.ReturnAction
}

// Bind ties automaton auto of component i to the specification spec, which is
// [Claim.Spec]; s decides questions about the automaton's terms. The error is an
// *InputError or has a place in a specification, or it is ctx's or s's. An automaton
// with threads is refused.
func (c *Claim) Bind(ctx context.Context, i int, auto *cfa.CFA, spec *lts.LTS, s solver.Full) (*Component, error) {
	if err := auto.NotSequential(); err != nil {
		return nil, err
	}
	b := &binder{Claim: c, auto: auto, actions: spec.Actions(), solver: s, routines: map[string]*routine{}}
	comp := &Component{Name: c.Procedures[i], CFA: auto, Actions: b.actions, Calls: map[cfa.Loc]Call{}}
	if c.AsksStanding() {
		comp.Stands = i + 1
	}
	var err error
	if auto.Joint != nil {
		if comp.Given, err = b.given(); err != nil {
			return nil, err
		}
		return comp, b.perform(ctx, comp)
	}
	if err := unjoined(auto); err != nil {
		return nil, err
	}
	if comp.Guard, err = b.guard(c.Guards[i], c.assumed(i)); err != nil {
		return nil, err
	}
	if comp.Remarks, err = b.ownGuards(ctx, comp.Name); err != nil {
		return nil, err
	}
	if len(c.Assumed) > 0 {
		if err = b.checkSatisfied(ctx, i, comp.Guard); err != nil {
			return nil, err
		}
		comp.Remarks = append(comp.Remarks, b.unchecked(i)...)
	}
	if comp.Given, err = b.given(); err != nil {
		return nil, err
	}
	if comp.Returns, err = b.returns(ctx, spec, comp.Name); err != nil {
		return nil, err
	}
	return comp, b.perform(ctx, comp)
}

// unjoined refuses an automaton that exchanges values, of which nobody has made a product.
func unjoined(auto *cfa.CFA) error {
	for _, l := range auto.Locs {
		if a, ok := l.Stmt.(cfa.Act); ok && a.Message != nil {
			return cfa.Unsupported(l.Pos, "a value that "+a.Action+" carries",
				"this way of checking knows names of actions only")
		}
	}
	return nil
}

// perform says which actions a component performs, and what its calls mean.
func (b *binder) perform(ctx context.Context, comp *Component) (err error) {
	auto, c := b.auto, b.Claim
	for l := range auto.Locs {
		switch stmt := auto.Locs[l].Stmt.(type) {
		case cfa.Act:
			b.actions.Intern(stmt.Action)
		case cfa.Call:
			if comp.Calls[cfa.Loc(l)], err = b.call(ctx, cfa.Loc(l), stmt); err != nil {
				return err
			}
		}
	}
	comp.Routines = b.routinesBound()
	if auto.Cut != "" {
		comp.Cut = b.actions.Intern(auto.Cut)
	}
	if auto.Skip != "" {
		comp.Skip = b.actions.Intern(auto.Skip)
	}
	if comp.Shared, err = b.shared(ctx); err == nil && (comp.Stands > 0 || c.Live != nil) {
		err = comp.checkStanding()
	}
	return err
}

// assumed are conditions on the initial states of component i besides its guard.
func (c *Claim) assumed(i int) []*specs.CExpr {
	var all []*specs.CExpr
	for _, a := range c.Assumed {
		if a.Component == i && !a.Followed {
			all = append(all, a.Cond)
		}
	}
	return all
}

// cond is a condition over globals, arguments and a result.
func (b *binder) cond(e *specs.CExpr, args []*expr.Expr, result *expr.Expr) (*expr.Expr, error) {
	return b.condIn(b.global(args, result), e)
}

// global is the scope of globals, arguments and a result.
func (b *binder) global(args []*expr.Expr, result *expr.Expr) scope {
	return scope{claim: b.Claim, auto: b.auto, globals: true, args: args, result: result}
}

// condIn is a condition in a scope.
func (b *binder) condIn(in specs.Scope, e *specs.CExpr) (*expr.Expr, error) {
	c, err := e.Cond(b.auto.Pool, in, b.LongWidth)
	var wrong *specs.Error
	if errors.As(err, &wrong) {
		if a := b.abstractOf(e); a != nil && a.Name == "" && e.IsName() {
			hinted := *wrong
			hinted.Message += fmt.Sprintf(
				"; if that is the name of the abstraction, its guard is left out: abstract { %s, (1), %s }", e, a.LTS)
			return nil, &hinted
		}
	}
	return c, err
}

// abstractOf is the abstraction whose guard e is, nil if it is none.
func (b *binder) abstractOf(e *specs.CExpr) *specs.Abstract {
	for _, p := range b.Specs.Procedures {
		for _, a := range p.Abstracts {
			if a.Guard == e {
				return a
			}
		}
	}
	return nil
}

// guard is the conjunction of conditions on the initial states; nil if there is
// none.
func (b *binder) guard(g *specs.CExpr, assumed []*specs.CExpr) (*expr.Expr, error) {
	var all []*expr.Expr
	if g != nil {
		if place := ofCallers(g); place != "" {
			return nil, &cfa.UnsupportedError{Pos: cfa.Pos(g.Pos()), What: "a claim about a body with the guard " + g.String(),
				Hint: place + " is something of those who call"}
		}
		c, err := b.cond(g, b.auto.Params, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	in := b.global(b.auto.Params, nil)
	in.params = true
	for _, a := range assumed {
		c, err := b.condIn(in, a)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	if all == nil {
		return nil, nil
	}
	return b.auto.Pool.Land(all...), nil
}

// ofCallers is a path of a guard that has a meaning at calls only; "" for none.
func ofCallers(guard *specs.CExpr) string {
	for _, place := range guard.Places() {
		root := strings.TrimLeft(place, "*&")
		if place != root || strings.Contains(place, "->") && !strings.HasPrefix(root, "$") {
			return place
		}
	}
	return ""
}

// ownGuards tells, where the claim is about an abstraction of a procedure, of what
// calls none of its abstractions says anything, and of what several do. Where the
// procedure is called this is an error.
func (b *binder) ownGuards(ctx context.Context, name string) ([]cfa.Warning, error) {
	proc := b.Specs.Procedure(name)
	if proc == nil || !slices.ContainsFunc(proc.Abstracts, func(a *specs.Abstract) bool {
		return cfa.Pos(a.Pos) == b.Pos
	}) {
		return nil, nil
	}
	var guards []*expr.Expr
	for _, a := range proc.Abstracts {
		g := b.auto.Pool.True()
		if a.Guard != nil {
			var err error
			if g, err = b.cond(a.Guard, b.auto.Params, nil); err != nil {
				return nil, err
			}
		}
		guards = append(guards, g)
	}
	err := specs.CheckGuards(ctx, b.auto.Pool, guards, b.solver)
	if ge, ok := err.(*specs.GuardError); ok {
		text := fmt.Sprintf("guards of procedure %s: %v", name, ge)
		if ge.IsGap() {
			text += "; of such calls nothing is claimed"
		}
		return []cfa.Warning{{Pos: cfa.Pos(proc.Pos), Text: text, Kind: cfa.AboutAbstraction}}, nil
	}
	return nil, err
}

// given are the predicates of the component's procedures.
func (b *binder) given() ([]Given, error) {
	var gs []Given
	for _, proc := range b.Specs.Procedures {
		for _, frame := range b.auto.FramesOf(proc.Name) {
			for _, p := range proc.Predicates {
				c, err := p.Cond(b.auto.Pool, b.scope(b.auto, frame), b.LongWidth)
				if err != nil {
					return nil, err
				}
				gs = append(gs, Given{Cond: c, Frame: frame, Pos: cfa.Pos(p.Pos())})
			}
		}
	}
	return gs, nil
}

// routine binds the procedure abstraction of a callee.
func (b *binder) routine(ctx context.Context, call cfa.Call) (*routine, error) {
	if r := b.bound(call); r != nil {
		return r, nil
	}
	r := &routine{}
	for i, a := range call.Args {
		r.args = append(r.args, b.argument(call.Callee, i, a.Type()))
	}
	if b.isSummary(call.Callee) {
		r.choices = []alternative{b.returnsAnything()}
		b.routines[shape(call)] = r
		return r, nil
	}
	proc := b.Specs.Procedure(call.Callee)
	r.Routine = Routine{Name: call.Callee, Pos: cfa.Pos(proc.Pos), HasBody: b.Program.HasBody(call.Callee),
		Frame: proc.Frame()}
	r.writes = len(proc.Assigns) > 0 && !r.HasBody
	for _, n := range call.Named {
		v := (*expr.Expr)(nil)
		if n.Value != nil {
			v = b.formal(call.Callee+":"+n.Path, n.Value.Type())
		}
		r.named = append(r.named, named{n, v})
	}
	mayStop := !r.HasBody || b.Program.Noreturn(call.Callee)
	var guards []*expr.Expr
	for _, a := range proc.Abstracts {
		c, err := b.alternative(ctx, a, r, mayStop)
		if err != nil {
			return nil, b.recursive(err, call.Callee)
		}
		if len(c.returns) == 0 && !mayStop {
			return nil, &InputError{cfa.Pos(a.Pos),
				fmt.Sprintf("abstraction %s of %s has no return action: its callers would never go on, "+
					"though its body may return without being observed", cmp.Or(a.Name, a.LTS), r.Name)}
		}
		r.Stops = r.Stops || c.stops()
		r.choices, guards = append(r.choices, c), append(guards, c.guard)
	}
	if err := specs.CheckGuards(ctx, b.auto.Pool, guards, b.solver); err != nil {
		return nil, guardError(proc, err)
	}
	b.routines[shape(call)] = r
	return r, nil
}

// routinesBound are the routines that calls are bound to, but for summaries, by name.
func (b *binder) routinesBound() []Routine {
	var all []Routine
	for _, key := range slices.Sorted(maps.Keys(b.routines)) {
		r := b.routines[key].Routine
		again := func(other Routine) bool { return other.Name == r.Name }
		if r.Name != "" && !b.isSummary(r.Name) && !slices.ContainsFunc(all, again) {
			all = append(all, r)
		}
	}
	return all
}

// bound is the abstraction of a call's routine, bound to arguments of their types; nil if it is not yet.
func (b *binder) bound(call cfa.Call) *routine { return b.routines[shape(call)] }

// shape is a routine with the types of its arguments, of which there may be several where it is variadic, and of
// what its abstraction names, which locals of several callers may be.
func shape(call cfa.Call) string {
	var types []expr.Type
	for _, a := range call.Args {
		types = append(types, a.Type())
	}
	var names []string
	for _, n := range call.Named {
		if n.Value != nil {
			names = append(names, fmt.Sprint(n.Path, " ", n.Value.Type()))
		}
	}
	return fmt.Sprint(call.Callee, types, names)
}

// argument is the variable that an argument of a routine is bound to, numbered from 0.
func (b *binder) argument(callee string, i int, t expr.Type) *expr.Expr {
	return b.formal(fmt.Sprintf("%s:$%d", callee, i+1), t)
}

// formal is a variable of an abstraction, which may have several types where its routine is variadic.
func (b *binder) formal(name string, t expr.Type) *expr.Expr {
	v, ok := b.auto.Pool.TryVar(name, t)
	if !ok {
		v = b.auto.Pool.Var(fmt.Sprintf("%s as %v", name, t), t)
	}
	return v
}

// isSummary reports whether calls of a routine that stay calls do so by its summary (see [lower.Options.Summarised]),
// and not by an abstraction.
func (c *Claim) isSummary(routine string) bool {
	return c.Lowering.Summarised != nil && !c.Lowering.Abstracted(routine)
}

// returnsAnything is what a summary says: the call returns any value, and performs nothing.
func (b *binder) returnsAnything() alternative {
	m := lts.NewBuilder(b.actions)
	begin, end := m.AddState("Called"), m.AddState("Returned")
	act := b.actions.Intern("return {any}")
	m.AddEdge(begin, act, end)
	return alternative{guard: b.auto.Pool.True(), lts: m.Build(),
		returns: map[lts.Action]specs.ReturnAction{act: {Void: true}}}
}

// recursive says of a mistake in an abstraction that it stands for a call because its procedure
// calls itself, if so.
func (b *binder) recursive(err error, callee string) error {
	var mistake *specs.Error
	if callee != b.auto.Name || !errors.As(err, &mistake) {
		return err
	}
	more := *mistake
	more.Message += fmt.Sprintf(
		"; it stands for a call because %s calls itself: inline; in procedure %s has that call followed instead",
		callee, callee)
	return &more
}

func guardError(proc *specs.Procedure, err error) error {
	if ge, ok := err.(*specs.GuardError); ok {
		why := strings.ReplaceAll(ge.Error(), proc.Name+":$", "$")
		return &InputError{cfa.Pos(proc.Pos), fmt.Sprintf("guards of procedure %s: %s", proc.Name, why)}
	}
	return err
}

func (b *binder) alternative(ctx context.Context, a *specs.Abstract, r *routine, mayStop bool) (alternative, error) {
	c := alternative{guard: b.auto.Pool.True(), returns: map[lts.Action]specs.ReturnAction{}}
	var err error
	if a.Guard != nil {
		if c.guard, err = b.condIn(callScope{b.global(r.args, nil), r.named}, a.Guard); err != nil {
			return c, err
		}
	}
	if c.lts, err = b.Specs.LTS(ctx, a.LTS, b.actions); err != nil {
		return c, err
	}
	if err := b.Specs.CheckProcedureLTS(ctx, a.LTS, mayStop); err != nil {
		return c, err
	}
	for _, act := range c.lts.Alphabet() {
		if r, ok := b.Specs.ReturnOf(b.actions.Name(act)); ok {
			c.returns[act] = r
		}
	}
	return c, nil
}

// stops reports whether the LTS of an alternative has a state without transitions that
// something other than a return leads to.
func (c *alternative) stops() bool {
	ends := func(s lts.State) bool { return len(c.lts.Out(s)) == 0 }
	for s := range c.lts.NumStates() {
		for _, e := range c.lts.Out(lts.State(s)) {
			if _, isReturn := c.returns[e.Action]; !isReturn && ends(e.To) {
				return true
			}
		}
	}
	return ends(c.lts.Init())
}

// call puts the arguments of a call into the callee's abstraction.
func (b *binder) call(ctx context.Context, at cfa.Loc, call cfa.Call) (Call, error) {
	r, err := b.routine(ctx, call)
	if err != nil {
		return Call{}, err
	}
	by := map[*expr.Expr]*expr.Expr{}
	for i, a := range call.Args {
		by[r.args[i]] = a
	}
	r.name(call, by)
	bound := Call{Behind: map[*expr.Expr]*expr.Expr{}}
	if call.LHS != nil {
		bound.Result = Prime(b.auto.Pool, call.LHS)
	}
	behind := map[*expr.Expr]*expr.Expr{}
	for _, v := range call.Clobbers {
		if v != call.LHS {
			behind[v] = Prime(b.auto.Pool, v)
			bound.Behind[behind[v]] = v
		}
	}
	for _, c := range r.choices {
		choice := Choice{Guard: b.auto.Pool.Subst(c.guard, by), LTS: c.lts, Returns: map[lts.Action]*expr.Expr{}}
		for _, act := range c.lts.Alphabet() {
			if ret, ok := c.returns[act]; !ok {
				continue
			} else if choice.Returns[act], err = b.result(ret, r, at, bound.Result, behind); err != nil {
				return Call{}, err
			} else if choice.Returns[act] != nil {
				choice.Returns[act] = b.auto.Pool.Subst(choice.Returns[act], by)
			}
		}
		bound.Choices = append(bound.Choices, choice)
	}
	return bound, nil
}

// name puts the values at a call in for what the abstraction names, which has the types of the call (see [shape]).
func (r *routine) name(call cfa.Call, by map[*expr.Expr]*expr.Expr) {
	for i, n := range r.named {
		if n.v != nil {
			by[n.v] = call.Named[i].Value
		}
	}
}

// result is the condition of a return action on the result of a call, its arguments, and globals behind it; nil if any
// will do. What the call may change stands in it as it is behind the call.
func (b *binder) result(ret specs.ReturnAction, r *routine, at cfa.Loc, result *expr.Expr,
	behind map[*expr.Expr]*expr.Expr) (*expr.Expr, error) {
	if ret.Any() || result == nil && ret.HasValue() {
		return nil, nil
	}
	cond, err := b.cond(ret.Cond, r.args, result)
	if err != nil {
		return nil, err
	}
	changed := b.changedBehind(at)
	if r.writes && ret.HasNames() || slices.ContainsFunc(expr.Vars(cond), func(v *expr.Expr) bool { return changed[v] }) {
		return nil, &cfa.UnsupportedError{Pos: cfa.Pos(ret.Pos),
			What: fmt.Sprintf("the condition %s at the return of %s", ret.Cond, r.Name),
			Hint: "its calls may change a variable in it"}
	}
	return b.auto.Pool.Subst(cond, behind), nil
}

// changedBehind are the variables that statements behind a call give any value, since the call may change them.
func (b *binder) changedBehind(at cfa.Loc) map[*expr.Expr]bool {
	changed, callee := map[*expr.Expr]bool{}, b.auto.Locs[at].Stmt.(cfa.Call).Callee
	for range b.auto.Locs { // a circle is gone round once
		if len(b.auto.Locs[at].Succ) != 1 {
			break
		}
		at = b.auto.Locs[at].Succ[0]
		switch s := b.auto.Locs[at].Stmt.(type) {
		case cfa.Assign:
			if s.RHS != nil || s.Nondet != callee {
				return changed
			}
			changed[s.LHS] = true
		case cfa.Goto:
		default:
			return changed
		}
	}
	return changed
}

// shared are the actions that the component's text mentions: those that it
// performs, and those of the routines that it calls, but for their returns.
func (b *binder) shared(ctx context.Context) ([]lts.Action, error) {
	var all []lts.Action
	for _, a := range b.auto.Actions {
		all = append(all, b.actions.Intern(a))
	}
	for _, name := range b.auto.Routines {
		for _, abstract := range b.Specs.Procedure(name).Abstracts {
			m, err := b.Specs.LTS(ctx, abstract.LTS, b.actions)
			if err != nil {
				return nil, err
			}
			for _, a := range m.Alphabet() {
				if _, returns := b.Specs.ReturnOf(b.actions.Name(a)); !returns {
					all = append(all, a)
				}
			}
		}
	}
	return all, nil
}
