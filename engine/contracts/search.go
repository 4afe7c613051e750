package contracts

// The proof.
//
// Idea: of candidates for all points, those are left out that do not hold at the end of some path, where all others
// are assumed at its beginning and of its calls, until none is left out any more: the largest set of them that is a
// proof of itself. If no path then leads to a step that the specification does not allow, the claim is proved. Less
// can be shown of fewer candidates, so the search gives up as soon as such a path is possible.
//
// Source: Flanagan, Leino: Houdini, an Annotation Assistant for ESC/Java (FME 2001).
//
// Cost: a query for each candidate and path to its point, as often as candidates are left out that it rests on.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
)

// Effort, in the unit of package bounded.
const (
	runEffort    = 1 << 17 // all runs
	queryEffort  = 1 << 8
	easyQuery    = 1 << 13 // what takes more is asked in another way
	hardestQuery = 1 << 16 // a candidate that takes more is left out
	mostEffort   = 1 << 23 // of a search
)

// A Search looks for a proof.
type Search struct {
	*paths
	solver     solver.Full
	reached    []int
	outputs    map[int][]*expr.Expr // by procedure
	candidates map[Point][]Condition
	begun      bool
	due        []int        // segments that are to be looked at
	hard       map[int]bool // those whose ends were not excluded soon
	answer     Answer
	made       int64
	taken      []bool
}

// An Answer is what is known.
type Answer struct {
	Proved     bool
	GivenUp    error // why the search does not go on; nil if it does
	Procedures int
	Conditions int // that are left
	Paths      int
}

// A Failure is why a search gives up.
type Failure struct{ Why string }

func (f *Failure) Error() string { return f.Why }

// New is a search about a component and a specification, which is deterministic. The error is an
// *cfa.UnsupportedError where recursion needs several variables for one, a *Failure where the question is none for
// this package, or ctx's.
func New(ctx context.Context, c *component.Component, s solver.Full, spec *lts.LTS) (*Search, error) {
	ps, err := c.Procedures()
	if err != nil {
		return nil, err
	}
	forbidden, ok := forbiddenBy(spec)
	if !ok {
		return nil, &Failure{"the specification has more than one state"}
	}
	x := &Search{solver: s, hard: map[int]bool{}, taken: make([]bool, len(ps.Graph.Edges))}
	x.paths = &paths{ps: ps, pool: c.CFA.Pool, heads: map[component.Node]bool{},
		now: map[*expr.Expr]*expr.Expr{}, of: map[*expr.Expr]*expr.Expr{},
		breach: func(e *component.Edge) bool { return forbidden[e.Action] }}
	x.reached, err = x.find(ctx)
	x.answer.Procedures, x.answer.Paths = len(x.reached), len(x.all)
	return x, err
}

// forbiddenBy are the actions that a specification with one state does not allow.
func forbiddenBy(spec *lts.LTS) (forbidden map[lts.Action]bool, ok bool) {
	forbidden = map[lts.Action]bool{}
	for _, a := range spec.Alphabet() {
		forbidden[a] = true
		for _, e := range spec.OutBy(spec.Init(), a) {
			if e.To != spec.Init() {
				return nil, false
			}
			forbidden[a] = false
		}
	}
	return forbidden, true
}

// Made is the effort that the decision procedure does not count.
func (x *Search) Made() int64 { return x.made }

// A Contract is what holds at a point.
type Contract struct {
	Point
	Holds []*expr.Expr // over values at the entry, and, with " now" behind their names, values now
}

// Contracts are those that are left, of all points of procedures that are reached.
func (x *Search) Contracts() (all []Contract) {
	put := func(at Point) {
		c := Contract{Point: at}
		for _, cond := range x.candidates[at] {
			c.Holds = append(c.Holds, cond.Expr)
		}
		all = append(all, c)
	}
	for _, q := range x.reached {
		if q > 0 {
			put(Point{q, Entry, 0})
			put(Point{q, Exit, 0})
		}
		for _, n := range slices.Sorted(maps.Keys(x.heads)) {
			if x.ps.Of[n] == q {
				put(Point{q, Head, n})
			}
		}
	}
	return all
}

// At is where a node of the control graph stands.
func (x *Search) At(n component.Node) (loc cfa.Loc, choice int, state lts.State) {
	return x.ps.Graph.Point(n)
}

// effort is what was made.
func (x *Search) effort() int64 { return x.made + solver.Effort(x.solver) }

// Taken are the edges of the component's control graph on paths that are possible by the contracts.
func (x *Search) Taken() []bool { return x.ps.Stands(x.taken) }

// Go goes on until so much effort was made in all. The error is ctx's, or the decision procedure's.
func (x *Search) Go(ctx context.Context, effort int64) (Answer, error) {
	if !x.begun {
		x.begin()
	}
	for !x.answer.Proved && x.answer.GivenUp == nil && x.effort() < effort {
		if x.effort() > mostEffort {
			x.answer.GivenUp = &Failure{"it takes too long"}
			break
		}
		if ctx.Err() != nil {
			return x.answer, context.Cause(ctx)
		}
		if err := x.advance(ctx); err != nil {
			return x.answer, err
		}
	}
	return x.answer, nil
}

// begin suggests candidates.
func (x *Search) begin() {
	x.begun, x.made = true, x.made+runEffort
	r := x.newRunner()
	r.component()
	r.called = map[int][]sample{}
	for _, q := range x.reached {
		r.called[q] = slices.Clone(r.samples[Point{q, Entry, 0}])
	}
	for _, q := range x.reached[1:] {
		r.procedure(q, x.parameters(q, r.inputs[q]))
	}
	x.candidates = r.suggest(x.reached)
	for i := range x.all {
		if x.all[i].to.Kind != over {
			x.due = append(x.due, i)
		}
	}
	x.order()
}

// newRunner is a runner for all that is reached.
func (x *Search) newRunner() *runner {
	r := &runner{paths: x.paths, spoken: map[Point][]*expr.Expr{},
		samples: map[Point][]sample{}, seen: map[string]bool{}, memo: map[string]map[*expr.Expr]uint64{},
		rng: rand.New(rand.NewPCG(1, 2)), values: x.constants(), left: totalSteps}
	r.inputs, x.outputs = x.inputsOf(x.reached)
	for _, q := range x.reached {
		if q > 0 {
			r.spoken[Point{q, Exit, 0}] = x.outputs[q]
		}
	}
	for n := range x.heads {
		r.spoken[Point{x.ps.Of[n], Head, n}] = x.changedIn(x.ps.Of[n])
	}
	return r
}

// changedIn are the variables that a procedure changes, its own ones among them, in their order.
func (x *Search) changedIn(q int) (all []*expr.Expr) {
	for v := range x.assigned[q] {
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b *expr.Expr) int { return a.ID() - b.ID() })
	return all
}

// parameters are the inputs of a procedure that calls pass, and if there are none, all.
func (x *Search) parameters(q int, inputs []*expr.Expr) (all []*expr.Expr) {
	for _, v := range inputs {
		if x.ps.IsPassed(q, v) {
			all = append(all, v)
		}
	}
	return all
}

// order puts the segments that a proof fails by soonest at the end of those that are due, and hard ones at the
// beginning.
func (x *Search) order() {
	rank := func(i int) int {
		if x.hard[i] {
			return -1
		}
		return int(x.all[i].to.Kind)
	}
	slices.SortStableFunc(x.due, func(a, b int) int { return rank(a) - rank(b) })
}

// advance looks at a segment.
func (x *Search) advance(ctx context.Context) error {
	if len(x.due) == 0 {
		return x.prove(ctx)
	}
	i := x.due[len(x.due)-1]
	s := &x.all[i]
	x.due = x.due[:len(x.due)-1] // before it is looked at: what is left out may have it looked at again
	var err error
	if s.to.Kind == bad {
		err = x.excluded(ctx, i)
	} else {
		err = x.established(ctx, i)
	}
	if err != nil {
		x.due = append(x.due, i)
	}
	return err
}

// excluded has the search give up if a step that is not allowed is possible. A question that takes too long is asked
// again when less is assumed.
func (x *Search) excluded(ctx context.Context, i int) error {
	s := &x.all[i]
	switch r, err := x.follows(ctx, s, x.assumed(s), nil); {
	case errors.Is(err, solver.ErrHard) && !x.hard[i]:
		x.postpone(i)
	case errors.Is(err, solver.ErrHard):
		x.answer.GivenUp = &Failure{"a question takes too long"}
	case err != nil:
		return err
	case r == solver.Sat:
		x.answer.GivenUp = &Failure{"what was found out of the calls does not exclude a run"}
	}
	return nil
}

// established leaves out the candidates at the end of a segment that do not follow. A segment with a question that
// takes too long is looked at again when less is assumed.
func (x *Search) established(ctx context.Context, i int) error {
	s := &x.all[i]
	assumed := x.assumed(s)
	left, later := false, false
	out := map[*expr.Expr]bool{}
	for _, c := range x.candidates[s.to] {
		if out[c.Expr] {
			continue
		}
		r, err := x.follows(ctx, s, assumed, &c)
		switch {
		case errors.Is(err, solver.ErrHard) && !x.hard[i]:
			later = true
			continue
		case errors.Is(err, solver.ErrHard):
			x.leaveOut(s, out, func(d *expr.Expr) bool { return d == c.Expr })
		case err != nil:
			return err
		case r == solver.Sat:
			x.leaveOut(s, out, func(d *expr.Expr) bool {
				return d == c.Expr || expr.Eval(x.atEnd(s, d), x.solver.Value) == 0
			})
		default:
			continue
		}
		left = true
	}
	if left {
		x.dueAgain(s.to)
	}
	if later {
		x.postpone(i)
	}
	return nil
}

// postpone has a segment looked at behind all others.
func (x *Search) postpone(i int) {
	x.hard[i] = true
	if !slices.Contains(x.due, i) {
		x.due = append(x.due, i)
	}
	x.order()
}

// leaveOut leaves out candidates at the end of a segment.
func (x *Search) leaveOut(s *segment, out map[*expr.Expr]bool, which func(c *expr.Expr) bool) {
	x.candidates[s.to] = slices.DeleteFunc(slices.Clone(x.candidates[s.to]), func(c Condition) bool {
		left := which(c.Expr)
		out[c.Expr] = out[c.Expr] || left
		return left
	})
}

// dueAgain has the segments looked at that rest on what was left out at a point.
func (x *Search) dueAgain(at Point) {
	for i := range x.all {
		if x.all[i].to.Kind != over && x.restsOn(&x.all[i], at) && !slices.Contains(x.due, i) {
			x.due = append(x.due, i)
		}
	}
	x.order()
}

// restsOn reports whether what holds at the end of a segment rests on what holds at a point.
func (x *Search) restsOn(s *segment, at Point) bool {
	switch at.Kind {
	case Entry:
		return s.from.Procedure == at.Procedure
	case Head:
		return s.from == at
	}
	return slices.ContainsFunc(s.calls, func(c called) bool { return c.callee == at.Procedure })
}

// assumed is what holds on a segment, by the candidates that are left.
func (x *Search) assumed(s *segment) []*expr.Expr {
	all := x.before(s)
	for _, call := range s.calls {
		for _, c := range x.candidates[Point{call.callee, Exit, 0}] {
			all = append(all, x.at(c.Expr, x.in(s, call.before), x.in(s, call.after)))
		}
	}
	return all
}

// before is what holds on a segment without what its calls do.
func (x *Search) before(s *segment) []*expr.Expr {
	same := func(v *expr.Expr) *expr.Expr { return v }
	all := slices.Clone(s.conds)
	for _, c := range x.candidates[Point{s.from.Procedure, Entry, 0}] {
		all = append(all, x.at(c.Expr, same, same))
	}
	if s.from.Kind == Head {
		for _, c := range x.candidates[s.from] {
			all = append(all, x.at(c.Expr, same, func(v *expr.Expr) *expr.Expr { return x.value(s, nil, v) }))
		}
	}
	return all
}

// in are the values of variables at a place of a segment.
func (x *Search) in(s *segment, e env) func(v *expr.Expr) *expr.Expr {
	return func(v *expr.Expr) *expr.Expr { return x.value(s, e, v) }
}

// atEnd is a candidate at the end of a segment.
func (x *Search) atEnd(s *segment, c *expr.Expr) *expr.Expr {
	if s.to.Kind == Entry {
		return x.at(c, x.in(s, s.end), x.in(s, s.end))
	}
	return x.at(c, func(v *expr.Expr) *expr.Expr { return v }, x.in(s, s.end))
}

// prove tells the proof: nothing is left to be looked at.
func (x *Search) prove(ctx context.Context) error {
	for i := range x.all {
		s := &x.all[i]
		r, err := x.ask(ctx, easyQuery, x.assumed(s)...)
		if err != nil && !errors.Is(err, solver.ErrHard) {
			return err
		}
		for _, id := range s.edges {
			x.taken[id] = x.taken[id] || r != solver.Unsat
		}
	}
	x.answer.Proved = true
	x.answer.Conditions = 0
	for _, all := range x.candidates {
		x.answer.Conditions += len(all)
	}
	return nil
}

// String is how far the search is.
func (a Answer) String() string {
	return fmt.Sprintf("%d procedures, %d paths, %d conditions", a.Procedures, a.Paths, a.Conditions)
}

// ask asks the decision procedure, for a bounded effort.
func (x *Search) ask(ctx context.Context, most int64, all ...*expr.Expr) (solver.Result, error) {
	x.made += queryEffort
	return solver.Within(ctx, x.solver, most, all...)
}
