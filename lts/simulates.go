package lts

// Weak simulation of a composition by a specification.
//
// Idea: a pair is a tuple of states with a state of the specification, and is fine until it is refuted. A step that
// the specification does not observe is answered by staying: where any other answer would do, staying does as well,
// since what τ leads to can be reached later. An observed action is answered by τ steps and the action; τ steps
// after it can be made later likewise. Each step of a pair relies on one answer, and where that is refuted on the
// next one; a step without answers refutes its pair. So only pairs that are needed come up. If the first pair is
// refuted, all refuted ones are ranked by the rounds in which that is seen, and the tree is read off the ranks: at
// each tuple few steps, such that each state that the specification may be in is refuted by one of them.
//
// Source: weak simulation as in Chaki, Clarke, Groce, Jha, Veith: Modular verification of software components in C
// (IEEE TSE 30, 2004), section 3; the local algorithm as in simulation.go. Deviation: only the answers above, which is
// no loss for weak simulation.
//
// Law: the composition is weakly simulated exactly if the first pair is not refuted; at each node of the tree, each
// state of the specification has a child whose action it cannot answer but by states that are refuted there.
//
// Cost: every answer of every step of every pair is tried at most once.

import (
	"context"
	"slices"
)

// A SimulationResult is the outcome of [SimulatedBy].
type SimulationResult struct {
	Verdict Verdict // Holds: the specification simulates the composition
	Reason  string  // why it is Unknown
	Tree    *Tree   // if it Fails
	// Relation is a simulation that has the initial states, if it Holds and the limits ask for an antichain.
	Relation []SimulationPair
	States   int // pairs
}

// A Tree is a strategy against which the specification has no answer: steps of a composition of which each is made
// after its parent. Where steps have one parent, all of them are possible there.
type Tree struct {
	Nodes []TreeNode // a parent comes before its children
}

// A TreeNode is a step of the composition.
type TreeNode struct {
	Parent int // the step before it; -1 for none
	Step   Step
}

// Leaves are the steps after which none comes, in their order.
func (t *Tree) Leaves() (all []int) {
	inner := make([]bool, len(t.Nodes))
	for _, n := range t.Nodes {
		if n.Parent >= 0 {
			inner[n.Parent] = true
		}
	}
	for n := range t.Nodes {
		if !inner[n] {
			all = append(all, n)
		}
	}
	return all
}

// Branch are the steps from the first one to a step, by their numbers.
func (t *Tree) Branch(leaf int) (all []int) {
	for n := leaf; n >= 0; n = t.Nodes[n].Parent {
		all = append(all, n)
	}
	slices.Reverse(all)
	return all
}

// maxTreeNodes bounds a tree. Trees that people or replays can follow have few.
const maxTreeNodes = 1 << 12

// SimulatedBy decides whether a specification weakly simulates the composition of LTSs. Actions that it does not have
// are silent steps. It has no ERROR state. begin says that an LTS whose initial state only silent steps leave, and none
// leads to, chooses by them where it begins, before anything else happens. With lim.Reduce, smaller LTSs are
// asked first. The error is that of newProduct, or ctx's.
func SimulatedBy(ctx context.Context, impl []*LTS, spec *LTS, begin bool, lim Limits) (SimulationResult, error) {
	if lim.Reduce {
		small, err := quotientsFor(ctx, impl, spec, BranchingBisim)
		if err != nil {
			return SimulationResult{Reason: "stopped before the search was complete"}, err
		}
		lim.Reduce = false
		if r, err := SimulatedBy(ctx, small, spec, false, lim); err != nil || r.Verdict == Holds {
			return r, err
		}
	}
	p, err := newProduct(impl)
	if err != nil {
		return SimulationResult{Reason: err.Error()}, err
	}
	g := &simulationGame{product: p, spec: spec, limits: lim, tuples: newTuples[State](len(impl)),
		pairs: newTuples[State](2), answered: newTuples[State](2), reach: newWeakReach(spec), starts: []int{0}}
	for _, m := range impl {
		g.begins = append(g.begins, begin && m.choosesBeginning())
	}
	first, _ := g.tuples.insert(p.initial())
	g.pair(State(first), spec.init)
	why, err := g.run(ctx)
	r := SimulationResult{States: g.pairs.count, Reason: why}
	switch {
	case err != nil || why != "":
		return r, err
	case g.refuted[0]:
		if err := g.rank(ctx); err != nil {
			r.Reason = "stopped before the search was complete"
			return r, err
		}
		if r.Tree = g.tree(); r.Tree == nil {
			r.Reason = "the tree of steps that the specification cannot follow is too large"
			return r, nil
		}
		r.Verdict = Fails
	default:
		r.Verdict = Holds
		if lim.Antichain {
			r.Relation = g.relation()
		}
	}
	return r, nil
}

// A SimulationPair is the states of a composition's LTSs with one of the specification.
type SimulationPair struct {
	At   []State
	Spec State
}

// relation are the pairs that are not refuted.
func (g *simulationGame) relation() (all []SimulationPair) {
	for n, refuted := range g.refuted {
		if p := g.pairs.at(int32(n)); !refuted {
			all = append(all, SimulationPair{slices.Clone(g.tuples.at(int32(p[0]))), p[1]})
		}
	}
	return all
}

// simulationGame is the state of one search.
type simulationGame struct {
	product *product
	counted *countedGame // in place of a product; nil otherwise
	spec    *LTS
	limits  Limits
	begins  []bool // by LTS: its first step is made before all others'

	tuples  *tuples[State] // of the composition's states
	steps   [][]gameStep   // by tuple, once it is expanded
	pairs   *tuples[State] // of a tuple and a state of the specification
	watch   [][]gameWatch  // by pair: what relies on it
	refuted []bool         // by pair
	ranks   []int32        // by pair: the round in which it is seen to be refuted; 0 if it is not
	lost    []int32        // refuted pairs whose watches have not been told

	answered *tuples[State] // pairs of a specification's state and an action
	starts   []int          // the answers of pair k are flat[starts[k]:starts[k+1]]
	flat     []State
	reach    *weakReach
	one      [1]State
}

// A gameStep is a step of the composition.
type gameStep struct {
	action Action
	to     State // a tuple
}

// A gameWatch says that a step of a pair relies on one of its answers.
type gameWatch struct{ pair, step, answer int32 }

// run looks at pairs until the first is refuted or none is left; why says which limit ended it.
func (g *simulationGame) run(ctx context.Context) (why string, err error) {
	for done, work := int32(0), 0; !g.refuted[0]; work++ {
		if work%(contextInterval/64) == 0 {
			if ctx.Err() != nil {
				return "stopped before the search was complete", ctx.Err()
			}
			bytes := g.tuples.bytes() + g.pairs.bytes() + 64*int64(g.pairs.count+len(g.steps)) + bytesOf(g.flat)
			if g.counted != nil {
				bytes += g.counted.bytes()
			}
			if why := g.limits.exceeded(g.pairs.count, bytes, "pairs of states"); why != "" {
				return why, nil
			}
		}
		switch last := len(g.lost) - 1; {
		case last >= 0:
			n := g.lost[last]
			g.lost = g.lost[:last]
			for _, w := range g.watch[n] {
				if !g.refuted[w.pair] && !g.rely(w) {
					g.refute(w.pair)
				}
			}
			g.watch[n] = nil
		case int(done) < g.pairs.count:
			if !g.refuted[done] {
				g.expand(done)
			}
			done++
		default:
			return "", nil
		}
	}
	return "", nil
}

// pair is the number of a pair, which may be new.
func (g *simulationGame) pair(tuple, spec State) int32 {
	n, isNew := g.pairs.insert([]State{tuple, spec})
	if isNew {
		g.watch, g.refuted = append(g.watch, nil), append(g.refuted, false)
	}
	return n
}

func (g *simulationGame) refute(pair int32) {
	g.refuted[pair] = true
	g.lost = append(g.lost, pair)
}

// expand has all steps of a pair rely on their first answers.
func (g *simulationGame) expand(pair int32) {
	tuple := g.pairs.at(pair)[0]
	for k := range g.stepsOf(tuple) {
		if !g.rely(gameWatch{pair: pair, step: int32(k)}) {
			g.refute(pair)
			return
		}
	}
}

// rely has a step rely on its next answer that is not refuted, and reports whether there is one.
func (g *simulationGame) rely(w gameWatch) bool {
	tuple, spec := g.pairs.at(w.pair)[0], g.pairs.at(w.pair)[1]
	step := g.steps[tuple][w.step]
	answers := g.answers(spec, step.action)
	for ; int(w.answer) < len(answers); w.answer++ {
		by := g.pair(step.to, answers[w.answer])
		if !g.refuted[by] {
			g.watch[by] = append(g.watch[by], w)
			return true
		}
	}
	return false
}

// stepsOf are the steps of a tuple.
func (g *simulationGame) stepsOf(tuple State) []gameStep {
	for int(tuple) >= len(g.steps) {
		g.steps = append(g.steps, nil)
	}
	if g.steps[tuple] == nil && g.counted != nil {
		g.steps[tuple] = g.counted.stepsFrom(tuple)
	}
	if g.steps[tuple] == nil {
		at := slices.Clone(g.tuples.at(int32(tuple)))
		steps := []gameStep{}
		first := g.beginning(at)
		g.product.successors(at, func(a Action, next []State) bool {
			if first >= 0 && next[first] == at[first] {
				return true
			}
			if to, _ := g.tuples.insert(next); a != Tau || State(to) != tuple {
				steps = append(steps, gameStep{a, State(to)})
			}
			return true
		})
		g.steps[tuple] = steps
	}
	return g.steps[tuple]
}

// beginning is the first LTS that has to choose where it begins; -1 if there is none.
func (g *simulationGame) beginning(at []State) int {
	for i, m := range g.product.components {
		if g.begins[i] && at[i] == m.init {
			return i
		}
	}
	return -1
}

// choosesBeginning reports whether only silent steps leave the initial state, and none leads to it.
func (m *LTS) choosesBeginning() bool {
	for _, e := range m.Out(m.init) {
		if e.Action != Tau {
			return false
		}
	}
	return !slices.ContainsFunc(m.edges, func(e Edge) bool { return e.To == m.init })
}

// answers are the states in which the specification can be right after an action; the slice is valid until the next
// call.
func (g *simulationGame) answers(spec State, a Action) []State {
	if a == Tau || !g.spec.HasAction(a) {
		g.one[0] = spec
		return g.one[:]
	}
	k, isNew := g.answered.insert([]State{spec, State(a)})
	if isNew {
		from := len(g.flat)
		g.reach.add(spec)
		for _, s := range g.reach.states {
			for _, e := range g.spec.OutBy(s, a) {
				g.flat = append(g.flat, e.To)
			}
		}
		g.reach.clear()
		slices.Sort(g.flat[from:])
		g.flat = g.flat[:from+len(slices.Compact(g.flat[from:]))]
		g.starts = append(g.starts, len(g.flat))
	}
	return g.flat[g.starts[k]:g.starts[k+1]]
}
