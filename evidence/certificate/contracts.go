package certificate

// Contracts of procedures.
//
// Idea: of each procedure it is certified what holds where it is called, what then holds where it returns, and what
// holds at some control points within it, through which each of its loops leads. Conditions speak of values at the
// entry of the call, and of values now. Each path between these points is followed once: what holds at its beginning
// is assumed, and behind each call on it what the callee's contract says. Then what holds at its end has to follow,
// and what holds where a procedure is called. No path may lead to an action that the specification does not always
// allow.
// By induction on the length of a run all of it holds of all calls of all runs, of any depth.
//
// Source: Floyd 1967; Hoare: Procedures and Parameters (1971). It is written from these and not from package
// contracts, which finds what holds. Cost: for each path a few queries for each condition at its end.

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"magus/component"
	"magus/lts"
	"magus/smt/expr"
)

// maxPathSteps bounds the steps of all paths.
const maxPathSteps = 500_000

// Contracts show that the runs of the only component, in which bodies of procedures stand once, stay within the
// specification.
type Contracts struct {
	List []Contract

	line int
}

// A Contract is what holds at a point of a procedure. Terms speak of values at the entry of the call by the names of
// variables, and of values now by these with [Now] behind them.
type Contract struct {
	Body  int    // a procedure: 0 is the component's own
	On    string // "entry", "exit", or a control point
	Holds []int  // by the component's terms

	line int
}

// Now stands behind the name of a variable whose value now is meant.
const Now = " now"

// The points of a procedure that are no control points.
const (
	OnEntry = "entry"
	OnExit  = "exit"
)

// A contractPoint is where something holds.
type contractPoint struct {
	body int
	on   string
}

// contracted is the check of contracts.
type contracted struct {
	*bodies
	ch     *Checker
	pool   *expr.Pool
	line   int
	holds  map[contractPoint][]*expr.Expr
	lines  map[contractPoint]int
	nodes  map[contractPoint]Node
	before map[*expr.Expr]*expr.Expr // variables, by those that stand for their values now
	now    map[*expr.Expr]*expr.Expr // and back
	breaks func(a lts.Action) bool
	change []map[*expr.Expr]bool // by procedure: what it may change, its own variables among it
	steps  int
}

// checkContracts checks that all runs stay within the specification.
func (c *Certificate) checkContracts(ctx context.Context, sub *Subject, checkers []*Checker) error {
	line := c.Contracts.line
	switch {
	case len(checkers) != 1 || !sub.Single():
		return refuted(line, "the procedures of one component, the claim has several")
	case sub.Proof.HasError():
		return refuted(line, "the specification has an ERROR state")
	case sub.asksSimulation(), sub.asksDivergence(), sub.asksRuns(), sub.Components[0].Stands > 0,
		sub.Question == component.NoDeadlock, sub.Question == component.Terminates:
		return refuted(line, "contracts show nothing but that the specification allows all traces")
	}
	if err := sub.forgets(0, line); err != nil {
		return err
	}
	return c.Contracts.check(ctx, checkers[0], &c.Components[0], sub.Proof)
}

func (c *Contracts) check(ctx context.Context, ch *Checker, comp *Component, spec *lts.LTS) error {
	b, err := takeApart(ch.prog)
	if err != nil {
		return refuted(c.line, "%v", err)
	}
	x := &contracted{bodies: b, ch: ch, pool: ch.prog.comp.CFA.Pool, line: c.line,
		holds: map[contractPoint][]*expr.Expr{}, lines: map[contractPoint]int{}, nodes: map[contractPoint]Node{},
		before: map[*expr.Expr]*expr.Expr{}, now: map[*expr.Expr]*expr.Expr{}, breaks: breaking(spec)}
	if err := x.read(c, comp); err != nil {
		return err
	}
	x.findChanges()
	for _, p := range x.reached {
		if err := x.follow(ctx, x.entering(p)); err != nil {
			return err
		}
	}
	for i := range c.List {
		if at, isNode := x.nodes[contractPoint{c.List[i].Body, c.List[i].On}]; isNode {
			if err := x.walk(ctx, x.from(c.List[i].Body, at)); err != nil {
				return err
			}
		}
	}
	return nil
}

// breaking says which actions a specification may not allow. It may be at its beginning again after any other action,
// whatever came before.
func breaking(spec *lts.LTS) func(a lts.Action) bool {
	first := closed(spec, []lts.State{spec.Init()})
	return func(a lts.Action) bool {
		if a == lts.Tau || !spec.HasAction(a) {
			return false
		}
		next := after(spec, first, a)
		return slices.ContainsFunc(first, func(s lts.State) bool { return !slices.Contains(next, s) })
	}
}

// findChanges finds what procedures may change.
func (x *contracted) findChanges() {
	x.change = make([]map[*expr.Expr]bool, len(x.entry))
	for _, p := range x.reached {
		x.change[p] = maps.Clone(x.assigns[p])
		for _, q := range x.leads[p] {
			for _, v := range x.changes(q) {
				x.change[p][v] = true
			}
		}
	}
}

// read takes what holds, each point once.
func (x *contracted) read(c *Contracts, comp *Component) error {
	vars := variables(x.prog.comp.CFA)
	for _, of := range x.prog.comp.CFA.Vars {
		v, name := of.Expr, of.Expr.Name()+Now
		if vars[name] != nil {
			return refuted(c.line, "there is a variable %s", name)
		}
		x.now[v] = x.pool.Var(name, v.Type())
		x.before[x.now[v]] = v
	}
	for v, now := range x.now {
		vars[v.Name()+Now] = now
	}
	for n, p := range x.of {
		x.nodes[contractPoint{p, n.String()}] = n
	}
	terms, err := comp.buildOver(x.pool, vars)
	if err != nil {
		return err
	}
	for i := range c.List {
		if err := x.readContract(&c.List[i], terms); err != nil {
			return err
		}
	}
	return nil
}

// readContract takes what holds at a point.
func (x *contracted) readContract(c *Contract, terms []*expr.Expr) error {
	at := contractPoint{c.Body, c.On}
	if !slices.Contains(x.reached, c.Body) {
		return refuted(c.line, "a contract of procedure %d, which is not called", c.Body)
	}
	if _, twice := x.lines[at]; twice {
		return refuted(c.line, "the contract is there twice")
	}
	if c.Body == 0 && (c.On == OnEntry || c.On == OnExit) {
		return refuted(c.line, "nobody calls the component")
	}
	if _, isNode := x.nodes[at]; !isNode && c.On != OnEntry && c.On != OnExit {
		return refuted(c.line, "%s is no control point of %s", c.On, x.name(c.Body))
	}
	x.lines[at] = c.line
	for _, t := range c.Holds {
		if t < 0 || t >= len(terms) || !terms[t].Type().IsBool() {
			return refuted(c.line, "%d is not a condition among the terms", t)
		}
		if err := x.inScope(c, terms[t]); err != nil {
			return err
		}
		x.holds[at] = append(x.holds[at], terms[t])
	}
	return nil
}

// inScope refuses a condition that speaks of what has no meaning at its point.
func (x *contracted) inScope(c *Contract, cond *expr.Expr) error {
	for _, v := range expr.Vars(cond) {
		of, isNow := x.before[v]
		if !isNow {
			of = v
		}
		p, isLocal := x.local[of]
		switch {
		case x.site[of] > 0 || x.past[of]:
			return refuted(c.line, "a condition on %s, by which calls are told apart", of.Name())
		case isLocal && (c.On == OnEntry || c.On == OnExit || p != c.Body):
			return refuted(c.line, "a condition on %s, of which each call has its own", of.Name())
		case isNow && c.On == OnEntry:
			return refuted(c.line, "a condition on a value later than the entry, at the entry")
		}
	}
	return nil
}

// at is a condition with values at the entry, and now.
func (x *contracted) at(cond *expr.Expr, entry, now valuesOf) *expr.Expr {
	by := map[*expr.Expr]*expr.Expr{}
	for _, v := range expr.Vars(cond) {
		if of, isNow := x.before[v]; isNow {
			by[v] = now.of(of)
		} else {
			by[v] = entry.of(v)
		}
	}
	return x.pool.Subst(cond, by)
}

// valuesOf are the values of variables that have changed.
type valuesOf map[*expr.Expr]*expr.Expr

// of is a variable's value.
func (e valuesOf) of(v *expr.Expr) *expr.Expr {
	if now := e[v]; now != nil {
		return now
	}
	return v
}

// where is a point in words.
func (x *contracted) where(at contractPoint) string {
	return fmt.Sprintf("%s of %s", at.on, x.name(at.body))
}
