package cegar

// The only run as a method of a session.
//
// Idea: a program without inputs, as tests and benchmarks are, has one run. Where that is so it is executed
// (interp.Only), and if it ends without an error, nothing else can happen: a proof of loops of any number of rounds
// for the price of a run. As soon as a branch depends on a value that is not determined the method gives up, which
// costs as much as the run came to there. Elements of large arrays are followed too: then it works on an automaton
// that records all that changes them, in a session of its own.
//
// What it finds out is told to the others: where the run comes to a recursive call that is not followed, recursion
// has to be followed deeper, whatever abstractions say; where it comes to an error, the run is replayed as any
// violation is. Where it is too long for that, the bounded search is granted as much effort as the loop.
//
// Source: explicit-value analysis with one value for each variable; Beyer, Löwe: Explicit-State Software Model
// Checking Based on CEGAR and Interpolation, FASE 2013, is the general case. Cost: a unit for four statements, which
// take some 0.1 µs.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/cells"
	"magus/cfa/interp"
	"magus/component"
	"magus/engine/portfolio"
	"magus/predabs"
	"magus/smt/expr"
)

// ExecutionMethod is the name of the method that executes the only run.
const ExecutionMethod = "execution"

// maxFollowed is the number of locations up to which recursion is followed deeper because the only run comes to it:
// what is deeper is left to the loop and to summaries.
const maxFollowed = 4_000

// executing is the only run as a method.
type executing struct {
	*task
	at  portfolio.Effort // that it was granted
	run *interp.Only     // nil before the first share
	of  *Session         // whose automaton it is of, which records memory; nil for the task's own
}

// executable reports whether the question may be answered by the only run: it is whether there is an error in one
// component that no abstraction of a routine is a part of.
func (s *question) executable() bool {
	return s.askable() && s.opt.Engine.methods().execution && s.opt.Product == nil && s.plain() &&
		(s.opt.Cells == "" || s.opt.Cells == cells.Every) && len(s.comps[0].CFA.Threads) == 0
}

// Executed: the only run was executed for a share.
type Executed struct {
	Steps int64  // so far
	Over  string // why there is no further share; "" if there is
	// Deeper says that it comes to a call that is not followed, and recursion is followed deeper.
	Deeper bool
}

// Phase is Execute.
func (Executed) Phase() Phase { return Execute }

func (e Executed) String() string {
	if e.Over != "" {
		return fmt.Sprintf("the only run: %d steps, %s", e.Steps, e.Over)
	}
	return fmt.Sprintf("the only run: %d steps", e.Steps)
}

// Name implements [portfolio.Method].
func (s *executing) Name() string { return ExecutionMethod }

// Rewind implements [portfolio.Rewinder].
func (s *executing) Rewind(granted portfolio.Effort) {
	if granted != s.at {
		*s = executing{task: s.task}
	}
	s.at = granted
}

// Advance implements [portfolio.Method].
func (s *executing) Advance(ctx context.Context, share portfolio.Effort) methodEvent {
	if err := s.begin(ctx); err != nil {
		return s.eventOf(ctx, 0, Executed{}, yields, err)
	}
	before := s.made()
	end, err := s.run.Advance(ctx, statements*int64(s.at+share)-s.run.Steps())
	used := s.made() - before
	if err != nil {
		return worked{Used: used}
	}
	s.at += share
	switch e := (Executed{Steps: s.run.Steps()}); end {
	case interp.GoesOn:
		return worked{Used: used, What: e}
	case interp.Over:
		s.proves()
		return ended{Used: used, Outcome: s.outcome}
	default:
		return s.over(ctx, used, e, end)
	}
}

// made is the effort so far.
func (s *executing) made() portfolio.Effort {
	return portfolio.Effort(s.run.Steps()+statements-1) / statements
}

// statements are as many as take the time of a unit of effort.
const statements = 4

// begin makes the run of the task's automaton, or of one that records memory where that reads any.
func (s *executing) begin(ctx context.Context) error {
	if s.run != nil {
		return nil
	}
	auto := s.comps[0].CFA
	if s.opt.Cells == "" && (cells.Read(auto) || readsBytes(auto)) {
		opt := s.opt
		opt.Cells, opt.Engine, opt.Recursion, opt.Inlined = cells.Every, ExecutionEngine, s.depth, s.inlined
		opt.Written, opt.Queries, opt.Check = -1, nil, false
		of, err := NewSession(ctx, s.claim, opt)
		if err != nil {
			return err
		}
		s.of, s.solvers = of, append(slices.Clip(s.solvers), of.solvers...)
		auto = of.comps[0].CFA
	}
	s.run = interp.New(auto).Only()
	return nil
}

// readsBytes reports whether a variable of an automaton may have any value because of what it is read from: an element,
// or bytes that were written as another type.
func readsBytes(c *cfa.CFA) bool {
	return slices.ContainsFunc(c.Locs, func(l cfa.Location) bool {
		a, ok := l.Stmt.(cfa.Assign)
		return ok && isBytes(a)
	})
}

func isBytes(a cfa.Assign) bool {
	return slices.Contains([]string{"overlap", "element", "memory"}, a.Nondet)
}

// executed is the task whose automaton is executed.
func (s *executing) executed() *task {
	if s.of != nil {
		return s.of.task
	}
	return s.task
}

// proves ends the session with the proof that the run is.
func (s *executing) proves() {
	of := s.executed()
	of.steps, of.covered = s.run.Steps(), of.edgesOf(s.run)
	of.withoutPredicates()
	of.conforms(notLooked)
	of.phase, of.status = Finished, of.status.atEnd(true, false)
	if s.of != nil {
		s.concludes(s.of, of.outcome)
	}
}

// over ends the method, with a violation or without an answer, and notes what the others have to know.
func (s *executing) over(ctx context.Context, used portfolio.Effort, e Executed, end interp.OnlyEnd) methodEvent {
	of := s.executed()
	e.Over = of.whyOver(end, s.run.At())
	switch end {
	case interp.Errs:
		if s.shows(ctx) {
			return ended{Used: used, Outcome: s.outcome}
		}
		s.part = memoryPart
		if s.run.Steps() > s.mostShown() { // else it is not one for all inputs
			s.tooFar = true
			e.Over += fmt.Sprintf(" after %d steps, which are too many to be told", e.Steps)
		}
	case interp.CutOff:
		call := of.callAt(s.run.At())
		if call != nil && s.opt.Recursion == 0 && !s.proved && s.locations <= maxFollowed && s.depth <= maxDepth {
			s.uncalled, e.Deeper = call, true
		}
	}
	s.unrun = e.Over
	return gaveUp{Used: used, Why: &givenUp{e, errors.New(e.Over)}}
}

// The statements of a violation that is the only run, at most: with elements of arrays each read looks back.
const (
	mostStatements = 1 << 18
	mostWithMemory = 1 << 16
)

func (s *executing) mostShown() int64 {
	if s.of != nil {
		return mostWithMemory
	}
	return mostStatements
}

// shows replays the run to the error that it comes to, once it was executed in the task's own automaton, and reports
// whether that is a violation.
func (s *executing) shows(ctx context.Context) bool {
	most := s.mostShown()
	if s.run.Steps() > most {
		return false
	}
	x := &shown{Execution: &component.Execution{}, g: s.comps[0].program(), run: interp.New(s.comps[0].CFA).Only()}
	x.run.Watch = x.watch
	x.watch(-1, 0)
	if end, err := x.run.Advance(ctx, 2*most); err != nil || end != interp.Errs {
		return false
	}
	x.watch(x.run.At(), 0)
	before := s.state
	s.take(x.Edges, predabs.Feasibility{Feasible: true, Run: x.Execution})
	v, err := s.execute(ctx)
	if err != nil {
		s.state = before
		return false
	}
	s.steps = s.run.Steps()
	s.violates(v, false)
	s.phase, s.status = Finished, s.status.atEnd(true, false)
	return true
}

// shown is the only run as an execution of a graph.
type shown struct {
	*component.Execution
	g   *component.Graph
	run *interp.Only
}

// watch adds the edge of a statement that was executed; of location -1, the first one.
func (x *shown) watch(at cfa.Loc, successor int) {
	c, from := x.g.Comp.CFA, component.Init
	if at >= 0 {
		from = x.g.At(at)
	}
	for _, id := range x.g.Out(from) {
		e := &x.g.Edges[id]
		if at >= 0 && (e.To != x.g.At(c.Locs[at].Succ[successor]) || !x.holds(e.Guard)) {
			continue
		}
		var chosen []component.Binding
		if at >= 0 {
			if s, ok := c.Locs[at].Stmt.(cfa.Assign); ok && s.RHS == nil {
				chosen = []component.Binding{{Var: s.LHS, Value: x.run.Value(s.LHS)}}
			}
		}
		x.Edges, x.Step = append(x.Edges, id), append(x.Step, chosen)
		return
	}
}

// holds reports whether conditions hold now.
func (x *shown) holds(conds []*expr.Expr) bool {
	return !slices.ContainsFunc(conds, func(e *expr.Expr) bool { return expr.Eval(e, x.run.Value) == 0 })
}

// whyOver says why the run does not go on.
func (s *question) whyOver(end interp.OnlyEnd, at cfa.Loc) string {
	pos := s.comps[0].CFA.Locs[at].Pos
	switch end {
	case interp.Errs:
		return fmt.Sprintf("it comes to an error at %v", pos)
	case interp.CutOff:
		return fmt.Sprintf("it comes to what is not followed at %v", pos)
	}
	return fmt.Sprintf("what comes behind %v depends on a value that is not determined", pos)
}

// callAt is the recursive call that is not followed at a location; nil if there is another reason.
func (s *question) callAt(at cfa.Loc) *recursiveCall {
	c := s.comps[0].CFA
	if slices.ContainsFunc(c.Refused, func(r cfa.Refused) bool { return r.At == at }) {
		return nil
	}
	return &recursiveCall{c.Locs[at].Pos, c.CycleAt(at)}
}

// edgesOf are the edges of the component's graph that a run takes.
func (s *question) edgesOf(run *interp.Only) []bool {
	c, g := s.comps[0].CFA, s.comps[0].program()
	taken := make([]bool, len(g.Edges))
	for i, e := range g.Edges {
		if e.Loc < 0 {
			taken[i] = true
			continue
		}
		succ := c.Locs[e.Loc].Succ
		if len(succ) == 0 {
			taken[i] = run.Took(e.Loc, 0)
		}
		to, _ := g.Loc(e.To)
		for k, l := range succ {
			taken[i] = taken[i] || l == to && run.Took(e.Loc, k)
		}
	}
	return taken
}
