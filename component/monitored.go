package component

// Programs with threads and a specification.
//
// Idea: the actions of all threads have one order in a run, and the component is the whole
// program. So the specification goes along as a monitor, and the claim becomes that no error
// happens in the automaton with it (package monitor). All that the specification says of
// the program is bound as for one thread: initial states, returns, calls that abstractions
// stand for. What cannot be put in one place of a thread is refused: conditions on
// variables that others may change, routines whose calls may change such variables, and
// those that stop without a return.
//
// Cost: that of binding, for each automaton.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/monitor"
	"magus/lts"
	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/specs"
)

// Monitored is the claim that the program performs no error together with the monitor of c's
// specification; nil if c is none about the traces of a program of one component, or simulation that
// follows from these. A procedure that returns to callers
// may leave threads behind, of which they would not know.
func (c *Claim) Monitored() *Claim {
	byTraces := c.Relation != Divergences // simulation is seen when it is bound; for failures see Refusing
	if c.Specification == "" || !byTraces || c.Question != NoError || len(c.Procedures) != 1 ||
		c.CopiesOf(0) != 1 || len(c.Assumed) > 0 || !c.Lowering.InitGlobals {
		return nil
	}
	d := *c
	d.monitors, d.Specification, d.Guards, d.Copies = c, "", []*specs.CExpr{nil}, nil
	if d.Relation == Failures {
		d.Relation = Traces
	}
	return &d
}

// Refusing is the claim that the threads do not stand where they refuse what the specification must be offered, for a
// claim of failures that c stands for; nil for others. It says nothing of what the program does that is forbidden,
// and of the end of the process, of which c does.
func (c *Claim) Refusing() *Claim {
	if c.monitors == nil || c.monitors.Relation != Failures || c.refusing {
		return nil
	}
	d := *c
	d.Question, d.refusing = NoDeadlock, true
	return &d
}

// AsksOfThreads reports whether the claim is about whether a program of one component diverges, which is asked of
// threads in two parts.
func (c *Claim) AsksOfThreads() bool {
	return c.Specification != "" && c.Relation == Divergences && len(c.Procedures) == 1 && c.Lowering.InitGlobals
}

// Halves are what a claim of failures and divergences of threads says: what is not refused, and that nothing goes on
// for ever without an action that the specification observes. A specification that diverges is refused.
func (c *Claim) Halves(ctx context.Context) (failures, endless *Claim, err error) {
	spec, err := c.Spec(ctx, lts.NewActions())
	if err != nil {
		return nil, nil, err
	}
	if _, diverges := lts.Chaos(spec); diverges != nil {
		what := "a program with threads, and " + c.Specification + ", which may diverge"
		return nil, nil, cfa.Unsupported(c.Pos, what, "")
	}
	f, e := *c, *c
	f.Relation = Failures
	e.Relation, e.Specification, e.Question = Traces, "", NoLivelock
	e.Live = &Liveness{Fairness: NoFairness, Observed: spec.Actions().Names(spec.Alphabet())}
	return &f, &e, nil
}

// Monitors is the claim with a specification that this one stands for; nil if there is none.
func (c *Claim) Monitors() *Claim { return c.monitors }

// MonitoredSystem is the system of the claim that c stands for: its specification as returns of an automaton
// are observed.
func (c *Claim) MonitoredSystem(ctx context.Context, auto *cfa.CFA) (*System, error) {
	s, _, err := c.monitors.watch(ctx, auto)
	return s, err
}

// watch is the system of a claim, and what is to be observed of its automaton.
func (c *Claim) watch(ctx context.Context, auto *cfa.CFA) (*System, monitor.Observed, error) {
	actions := lts.NewActions()
	spec, err := c.Spec(ctx, actions)
	if err != nil {
		return nil, monitor.Observed{}, err
	}
	solver := embedded.New(auto.Pool)
	defer solver.Close()
	w := &watcher{binder: &binder{Claim: c, auto: auto, actions: actions, solver: solver, routines: map[string]*routine{}},
		accessed: auto.Shared()}
	obs, comp, err := w.observed(ctx, spec)
	if err != nil {
		return nil, obs, err
	}
	s, err := c.NewSystem(ctx, spec, []*Component{comp})
	if err == nil && s.Relation == Simulation {
		err = cfa.Unsupported(c.Pos, "simulation of a program with threads by "+c.Specification,
			"it does not follow whatever has its traces, and the threads choose")
	}
	return s, obs, err
}

// together is an automaton with threads with the monitor of the claim that c stands for, if it stands for one, and with
// calls as the abstractions say, where errors or deadlocks are asked for.
func (c *Claim) together(ctx context.Context, auto *cfa.CFA) (*cfa.CFA, error) {
	if c.monitors != nil {
		return c.withMonitor(ctx, auto)
	}
	if c.Specification != "" || c.Question == NoRace || !slices.ContainsFunc(auto.Locs, func(l cfa.Location) bool {
		call, ok := l.Stmt.(cfa.Call)
		return ok && !c.isSummary(call.Callee)
	}) {
		return auto, nil
	}
	_, obs, err := c.watch(ctx, auto)
	if err != nil {
		return nil, err
	}
	obs.Errors = true
	return monitor.New(nil, [][]int{nil}, 0).Weave(auto, obs), nil
}

// withMonitor is the automaton in which the monitor of the claim that c stands for goes along.
func (c *Claim) withMonitor(ctx context.Context, auto *cfa.CFA) (*cfa.CFA, error) {
	of := c.monitors
	s, obs, err := of.watch(ctx, auto)
	if err != nil {
		return nil, err
	}
	if of.Relation == Failures {
		return c.withTests(ctx, auto, s.Spec, obs)
	}
	m, err := of.monitor(ctx, s.Spec)
	if err != nil {
		return nil, err
	}
	return m.Weave(auto, obs), nil
}

// maxMonitor bounds the states of a monitor: each action of the program tests for them.
const maxMonitor = 256

// monitor is the specification made deterministic, as small as it gets. An action that leads to no state there is
// forbidden; of a specification that mentions ERROR, one that leads there is, and behind others that lead to no state
// everything is allowed. The error is an UnsupportedError, or ctx's.
func (c *Claim) monitor(ctx context.Context, spec *lts.LTS) (*monitor.Monitor, error) {
	det, err := lts.Minimize(ctx, spec, lts.WeakTraceEq, lts.Limits{MaxStates: 64 * maxMonitor})
	var limit *lts.LimitError
	switch {
	case errors.As(err, &limit) || err == nil && det.NumStates() > maxMonitor:
		return nil, cfa.Unsupported(c.Pos, "a program with threads and the specification "+c.Specification,
			fmt.Sprintf("it has more than %d states when it is made deterministic", maxMonitor))
	case err != nil:
		return nil, err
	case det.IsError(det.Init()):
		return nil, cfa.Unsupported(c.Pos, "a specification that begins in ERROR, of a program with threads", "")
	}
	names, left := det.Actions().Names(det.Alphabet()), monitor.Forbidden
	next := make([][]int, det.NumStates())
	if spec.HasError() {
		left = len(next)
		next = append(next, slices.Repeat([]int{left}, len(names)))
	}
	for s := range det.NumStates() {
		for _, a := range det.Alphabet() {
			to := left
			for _, e := range det.OutBy(lts.State(s), a) {
				if to = int(e.To); det.IsError(e.To) {
					to = monitor.Forbidden
				}
			}
			next[s] = append(next[s], to)
		}
	}
	return monitor.New(names, next, int(det.Init())), nil
}

// A watcher binds what a monitor observes.
type watcher struct {
	*binder
	accessed []*expr.Expr // by several threads
}

// observed is what the specification says of the automaton, and the component as far as it tells of returns.
func (w *watcher) observed(ctx context.Context, spec *lts.LTS) (obs monitor.Observed, comp *Component, err error) {
	comp = &Component{Name: w.Procedures[0], CFA: w.auto, Actions: w.actions}
	if obs.Start, err = w.guard(w.Guards[0], nil); err != nil {
		return obs, nil, err
	}
	if comp.Returns, err = w.returns(ctx, spec, comp.Name); err != nil {
		return obs, nil, err
	}
	if comp.Shared, err = w.binder.shared(ctx); err != nil {
		return obs, nil, err
	}
	obs.Returns, obs.Calls = map[cfa.Loc][]monitor.Return{}, map[cfa.Loc]*monitor.Call{}
	for l := range w.auto.Locs {
		at := cfa.Loc(l)
		switch stmt := w.auto.Locs[l].Stmt.(type) {
		case cfa.Return:
			if comp.Returns.Observed {
				obs.Returns[at], err = w.back(&comp.Returns, at, stmt)
			}
		case cfa.Call:
			obs.Calls[at], err = w.routineCall(ctx, at, stmt)
		}
		if err != nil {
			return obs, nil, err
		}
	}
	return obs, comp, nil
}

// back is what a return is observed as.
func (w *watcher) back(r *Returns, at cfa.Loc, stmt cfa.Return) ([]monitor.Return, error) {
	var all []monitor.Return
	for _, a := range r.Actions {
		when := r.Of(w.auto.Pool, a, stmt.Value)
		if err := w.private(at, "a condition of a return", when); err != nil {
			return nil, err
		}
		all = append(all, monitor.Return{When: when, Action: w.actions.Name(a.Action)})
	}
	return append(all, monitor.Return{Action: w.actions.Name(r.Other)}), nil
}

// routineCall is what the abstraction of a routine says of a call.
func (w *watcher) routineCall(ctx context.Context, at cfa.Loc, stmt cfa.Call) (*monitor.Call, error) {
	bound, err := w.call(ctx, at, stmt)
	if err != nil {
		return nil, err
	}
	r := w.bound(stmt)
	if w.isSummary(stmt.Callee) || r.Stops || r.waits() {
		return nil, w.refused(at, "a call of "+stmt.Callee+", whose abstraction may stop without a return,")
	}
	if err := w.private(at, "a call of "+stmt.Callee+" that may change variables", stmt.Clobbers...); err != nil {
		return nil, err
	}
	if r.HasBody && !w.isSummary(stmt.Callee) {
		return nil, w.refused(at, "a call of "+stmt.Callee+" by an abstraction that was checked without other threads,")
	}
	call := &monitor.Call{Result: bound.Result}
	for _, ch := range bound.Choices {
		conds := []*expr.Expr{ch.Guard}
		for _, a := range ch.LTS.Alphabet() {
			if cond := ch.Returns[a]; cond != nil {
				conds = append(conds, cond)
			}
		}
		for _, v := range expr.Vars(conds...) {
			if bound.Behind[v] != nil {
				return nil, w.refused(at, "a condition on what a call of "+stmt.Callee+" changes,")
			}
		}
		if err := w.private(at, "a condition of the abstraction of "+stmt.Callee, conds...); err != nil {
			return nil, err
		}
		call.Choices = append(call.Choices, monitor.Choice{Guard: ch.Guard, Init: int(ch.LTS.Init()), Edges: ch.edges()})
	}
	return call, nil
}

// edges are those of a choice, by state.
func (ch *Choice) edges() [][]monitor.Edge {
	all := make([][]monitor.Edge, ch.LTS.NumStates())
	for s := range all {
		for _, e := range ch.LTS.Out(lts.State(s)) {
			edge := monitor.Edge{To: int(e.To)}
			if edge.When, edge.Returns = ch.Returns[e.Action]; !edge.Returns && e.Action != lts.Tau {
				edge.Action = ch.LTS.Actions().Name(e.Action)
			}
			all[s] = append(all[s], edge)
		}
	}
	return all
}

// waits reports whether some state of an abstraction has no way on, other than behind a return.
func (r *routine) waits() bool {
	return slices.ContainsFunc(r.choices,
		func(a alternative) bool { return a.stops() || a.lts.HasError() })
}

// private refuses terms over variables that several threads access.
func (w *watcher) private(at cfa.Loc, what string, terms ...*expr.Expr) error {
	for _, v := range expr.Vars(terms...) {
		if slices.Contains(w.accessed, v) {
			return w.refused(at, what+" ("+v.Name()+", which several threads access),")
		}
	}
	return nil
}

func (w *watcher) refused(at cfa.Loc, what string) error {
	return cfa.Unsupported(w.auto.Locs[at].Pos, strings.TrimSuffix(what, ",")+
		", in a program with threads and a specification", "")
}
