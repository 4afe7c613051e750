package lts

import (
	"context"
	"errors"
	"slices"

	"magus/internal/bitset"
)

// Idea: before LTSs are composed, each is replaced by a smaller one that has the same weak traces over what
// is seen of it from outside: the actions that others share or that are observed. If the search is long all
// the same, operands that share actions which nobody else sees are composed, these actions hidden, and the
// result made smaller again, and so on. Weak trace equivalence is a congruence for composition and hiding, so
// the whole has the same weak traces over the observed actions, and a shortest violation is as long as before.
//
// Making smaller: the quotient under branching bisimulation, which sees no divergence; if that is
// nondeterministic, the minimal deterministic LTS instead, if it has no more states.
//
// What is composed before the search and in which order: see order.go.
//
// The way back: a trace of the reduced system is turned into a run of the components from the outside to
// the inside. Each operand has a run with its share of the trace in the LTS that it was made smaller from;
// that run tells what the operands it is composed of do, hidden actions included. Operands synchronise on
// nothing but the trace, so their runs fit together in any way that keeps its order. No state space is
// searched but those that were built.
//
// Source: Graf, Steffen, Lüttgen, "Compositional minimisation of finite state systems using interface
// specifications" (FAC 1996), here without interfaces; weak trace quotients as in Roscoe, "The theory and
// practice of concurrency" (1997), where FDR has them as the function normal.
//
// Cost: that of the quotients; what is built is bounded, see Limits. The way back takes at most
// the size of each operand times the length of its share of the trace.

// Reduction says what compositional reduction has made of a system.
type Reduction struct {
	Before   []int // states of each component as it was given
	After    []int // states of each component made smaller, alone
	Operands []int // states of the operands in the end: components, or compositions of some, made smaller
	Built    int   // states of the largest composition that was built on the way, 0 if none was
}

// Bounds of what is built where nothing has to be: the states of a composition of operands, and the bytes
// of the sets that make an operand deterministic.
const (
	operandStates = 1 << 14
	operandBytes  = 1 << 26
)

// operand is a component, or a composition of operands, made smaller.
type operand struct {
	source    *LTS         // the component, or the composition of the smaller forms of of
	small     *LTS         // its alphabet is what is seen from outside
	of        []*operand   // nil for a component
	component int          // the index of the component, if it is one
	refused   [][]*operand // groups with this as the first that are not to be composed
}

// reduction turns components into operands.
type reduction struct {
	ctx      context.Context
	observed []Action // ascending
	limits   Limits   // of a composition
	operands []*operand
	stats    Reduction
}

// newReduction returns a reduction that has not begun.
func newReduction(ctx context.Context, ms []*LTS, observed []Action, lim Limits) *reduction {
	r := &reduction{ctx: ctx, observed: slices.Sorted(slices.Values(observed)), limits: operandLimits(lim)}
	for i, m := range ms {
		r.operands = append(r.operands, &operand{source: m, small: m, component: i})
		r.stats.Before = append(r.stats.Before, m.NumStates())
	}
	r.stats.After = r.stats.Before
	return r
}

// each makes the components smaller.
func (r *reduction) each() error {
	for _, p := range r.operands {
		if err := r.shrink(p); err != nil {
			return err
		}
	}
	r.stats.After = r.sizes()
	return nil
}

// shrink makes p's source smaller; p is one of the operands or composed of some.
func (r *reduction) shrink(p *operand) error {
	var hidden []Action
	for _, a := range p.source.alphabet {
		if _, seen := slices.BinarySearch(r.observed, a); seen || r.others(p, a) {
			hidden = append(hidden, a)
		}
	}
	small, err := smaller(r.ctx, Hide(p.source, hidden))
	if err == nil {
		p.small = small
	}
	return err
}

// others says whether an operand besides p, and those that p is composed of, has the action.
func (r *reduction) others(p *operand, a Action) bool {
	return slices.ContainsFunc(r.operands, func(q *operand) bool {
		return q != p && !slices.Contains(p.of, q) && q.small.HasAction(a)
	})
}

// smaller returns an LTS with the weak traces of m over the same alphabet, which has no more states
// than m and no names.
func smaller(ctx context.Context, m *LTS) (*LTS, error) {
	unnamed := *m
	unnamed.name = nil
	q, err := Minimize(ctx, &unnamed, BranchingBisim, Limits{})
	if isLimit(err) {
		return &unnamed, nil
	}
	if err != nil || isDeterministic(q, false) {
		return q, err
	}
	d, err := Minimize(ctx, q, WeakTraceEq, Limits{MaxStates: q.NumStates(), MaxBytes: operandBytes})
	if isLimit(err) {
		return q, nil
	}
	return d, err
}

// operandLimits are the limits of a composition that need not be built.
func operandLimits(lim Limits) Limits {
	if lim.MaxStates == 0 || lim.MaxStates > operandStates {
		lim.MaxStates = operandStates
	}
	return lim
}

func isLimit(err error) bool {
	var limit *LimitError
	return errors.As(err, &limit)
}

// join returns an operand that is the composition of others, made smaller.
func (r *reduction) join(group []*operand) (*operand, error) {
	source, err := Compose(r.ctx, smallForms(group), r.limits)
	if err != nil {
		return nil, err
	}
	r.stats.Built = max(r.stats.Built, source.NumStates())
	p := &operand{source: source, small: source, of: group}
	return p, r.shrink(p)
}

// replace puts p, which is composed of some of the operands, in the place of the first of them.
func (r *reduction) replace(p *operand) {
	r.operands[slices.Index(r.operands, p.of[0])] = p
	r.operands = slices.DeleteFunc(r.operands, func(q *operand) bool { return slices.Contains(p.of, q) })
}

func smallForms(operands []*operand) []*LTS {
	ms := make([]*LTS, len(operands))
	for i, p := range operands {
		ms[i] = p.small
	}
	return ms
}

// sizes returns the states of the operands.
func (r *reduction) sizes() []int {
	ns := make([]int, len(r.operands))
	for i, p := range r.operands {
		ns[i] = p.small.NumStates()
	}
	return ns
}

// result returns the statistics.
func (r *reduction) result() *Reduction {
	r.stats.Operands = r.sizes()
	return &r.stats
}

// ComposeReduced returns an LTS with the weak traces of M_1 ‖ … ‖ M_n in which all actions outside keep
// are hidden; it is usually much smaller than the composition and is built without building that.
// A state is an ERROR state only if the composition can be in one after the same traces. States have no
// names. The error says that there is no LTS, that they have different Actions tables, that ctx ended, or,
// being a *[LimitError], that the composition which had to be built in the end reached lim.
func ComposeReduced(ctx context.Context, ms []*LTS, keep []Action, lim Limits) (*LTS, *Reduction, error) {
	if _, err := newProduct(ms); err != nil {
		return nil, nil, err
	}
	r := newReduction(ctx, ms, keep, lim)
	err := r.each()
	if err == nil {
		err = r.order(len(ms))
	}
	if err == nil && len(r.operands) > 1 {
		var whole *operand
		r.limits = lim
		if whole, err = r.join(slices.Clone(r.operands)); err == nil {
			r.replace(whole)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	return r.operands[0].small, r.result(), nil
}

// containsReduced is Contains on the reduced system. With one component and a specification that is
// always in one state, the search is a walk through the component, which takes less than to make that
// smaller. Groups are composed only after a search that met as many pairs as patience, if that is not 0.
func containsReduced(ctx context.Context, impl []*LTS, spec *LTS, lim Limits, patience int) (Result, error) {
	var err error
	r := newReduction(ctx, impl, spec.alphabet, lim)
	known := isDeterministic(spec, false)
	if len(impl) > 1 || !known {
		err = r.each()
	}
	if err == nil && !spec.HasError() && !known {
		spec, err = smaller(ctx, spec)
	}
	lim.Reduce, lim.Antichain, lim.Visited = false, false, false
	result, operands := Result{}, r.operands
	switch {
	case err != nil:
	case patience > 0 && lim.Subsumption != AlwaysSubsumption:
		result, operands, err = r.beside(spec, lim, patience)
	default:
		if err = r.order(len(impl) - 1); err == nil {
			operands = r.operands
			result, err = Contains(ctx, smallForms(operands), spec, lim)
		}
	}
	if err != nil {
		return Result{Reason: err.Error()}, err
	}
	result.Reduction = r.result()
	if result.Verdict == Fails {
		result.Counterexample = &Counterexample{Steps: runOf(operands, result.Counterexample.Trace())}
		for i, x := range result.Others {
			result.Others[i] = &Counterexample{Steps: runOf(operands, x.Trace())}
		}
	}
	return result, nil
}

// runOf returns a run of the components of operands, which together have the given trace.
func runOf(operands []*operand, trace []Action) []Step {
	runs := make([][]Step, len(operands))
	for i, p := range operands {
		runs[i] = p.run(Project(trace, p.small.alphabet))
	}
	var steps []Step
	for _, a := range trace {
		joint := Step{Action: a}
		for i, p := range operands {
			if !p.small.HasAction(a) {
				continue
			}
			for runs[i][0].Action != a { // what is not seen outside
				steps, runs[i] = append(steps, runs[i][0]), runs[i][1:]
			}
			joint.Moves, runs[i] = append(joint.Moves, runs[i][0].Moves...), runs[i][1:]
		}
		slices.SortFunc(joint.Moves, func(m, n Move) int { return m.Component - n.Component })
		steps = append(steps, joint)
	}
	return steps
}

// run returns a run of p's components that p sees from outside as the given trace, which is one of p.
// Its last step is one of the trace.
func (p *operand) run(trace []Action) []Step {
	hidden := bitset.New[Action](int(lastVisible(p.source)) + 1)
	for _, a := range p.source.alphabet {
		if !p.small.HasAction(a) {
			hidden.Add(a)
		}
	}
	path, ok := pathOf(p.source, trace, hidden)
	if !ok {
		panic("lts: an operand made smaller has a trace that it had not before")
	}
	if p.of == nil {
		return stepsOf(p.component, p.source.init, path)
	}
	var inside []Action
	for _, e := range path {
		if e.Action != Tau {
			inside = append(inside, e.Action)
		}
	}
	return runOf(p.of, inside)
}

// lastVisible returns the greatest action of m's alphabet, or Tau.
func lastVisible(m *LTS) Action {
	if n := len(m.alphabet); n > 0 {
		return m.alphabet[n-1]
	}
	return Tau
}

// stepsOf returns the path of one component as steps.
func stepsOf(component int, at State, path []Edge) []Step {
	steps := make([]Step, len(path))
	for i, e := range path {
		steps[i] = Step{e.Action, []Move{{component, at, e.To}}}
		at = e.To
	}
	return steps
}
