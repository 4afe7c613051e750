package certificate

// Simulation.
//
// Idea: what is certified is a relation of tuples of the models' states with states of the specification. It has the
// first tuple with the specification's initial state, and for each pair and each step from its tuple a pair
// with an answer: the specification stays where it does not observe the action, or comes by τ and the action
// to where the pair is. Where models choose by their first step how they begin, the first of them that has
// not does so before anything else happens.
//
// Of a violation there are the runs of all branches. Each is executed; where one leaves the branch before it,
// the runs have made the same moves from the same initial values. From the last actions on it is asked in
// which states the specification is lost: where each answer to a branch's next action is lost in turn. It
// must be so in its initial state.
//
// Source: weak simulation, Chaki, Clarke, Groce, Jha, Veith: Modular verification of software components in C (IEEE TSE
// 30, 2004), section 3. Cost: steps times answers; linear in the runs, times the specification's states.

import (
	"context"
	"encoding/binary"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/lts"
)

// A Simulation is a relation of tuples of states with states of the specification.
type Simulation struct {
	Pairs []SimulationPair

	line int
}

// A SimulationPair is the states of the copies, in the order of their components, and one of the specification.
type SimulationPair struct {
	At   []int
	Spec int

	line int
}

// check checks that the relation is a simulation that has the initial states.
func (m *Simulation) check(ctx context.Context, sub *Subject, comps []Component, models []*lts.LTS) error {
	t := &tuples{models: models, sub: sub, spec: sub.Proof}
	var first []lts.State
	for i, n := range sub.Copies {
		if n < 1 {
			return refuted(m.line, "any number of copies: tuples of states do not show that all are followed")
		}
		if comps[i].Blocks > 0 {
			return refuted(m.line, "blocks of states do not show a simulation")
		}
		for range n {
			t.of, first = append(t.of, i), append(first, models[i].Init())
		}
	}
	related := map[string]bool{}
	for i := range m.Pairs {
		p := &m.Pairs[i]
		if len(p.At) != len(t.of) || p.Spec < 0 || p.Spec >= sub.Proof.NumStates() {
			return refuted(p.line, "the pair is none of states of the copies and the specification")
		}
		for k, s := range p.At {
			if s < 0 || s >= models[t.of[k]].NumStates() {
				return refuted(p.line, "the pair is none of states of the copies and the specification")
			}
		}
		related[pairKey(p.states(), lts.State(p.Spec))] = true
	}
	if !related[pairKey(first, sub.Proof.Init())] {
		return refuted(m.line, "the initial states are not related")
	}
	begins := func(k int, s lts.State) bool { return comps[t.of[k]].States[s].At.Kind == Start }
	for i := range m.Pairs {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p := &m.Pairs[i]
		if a, ok := t.followed(p.states(), lts.State(p.Spec), begins, related); !ok {
			return refuted(p.line, "nothing answers a step by %q", a)
		}
	}
	return nil
}

func (p *SimulationPair) states() []lts.State {
	at := make([]lts.State, len(p.At))
	for k, s := range p.At {
		at[k] = lts.State(s)
	}
	return at
}

func pairKey(at []lts.State, spec lts.State) string {
	var key []byte
	for _, s := range at {
		key = binary.LittleEndian.AppendUint32(key, s)
	}
	return string(binary.LittleEndian.AppendUint32(key, spec))
}

// followed reports whether each step of a tuple is answered within a relation; if not, a is its action.
func (t *tuples) followed(at []lts.State, spec lts.State, begins func(int, lts.State) bool, related map[string]bool) (
	a string, ok bool) {
	ok = true
	step := func(action lts.Action, next []lts.State) {
		answers := []lts.State{spec}
		if t.spec.HasAction(action) {
			answers = answersTo(t.spec, spec, action)
		}
		if ok && !slices.ContainsFunc(answers, func(u lts.State) bool { return related[pairKey(next, u)] }) {
			a, ok = t.spec.Actions().Name(action), false
		}
	}
	next := slices.Clone(at)
	for k, i := range t.of {
		if begins(k, at[k]) { // before all others
			for _, e := range t.models[i].Out(at[k]) {
				next[k] = e.To
				step(e.Action, next)
				next[k] = at[k]
			}
			return a, ok
		}
	}
	for k, i := range t.of {
		for _, e := range t.models[i].Out(at[k]) {
			switch {
			case e.Action == lts.Tau:
				next[k] = e.To
				step(e.Action, next)
			case t.first(e.Action) == i:
				next[k] = e.To
				t.joined(at, next, e.Action, i+1, step)
			}
			next[k] = at[k]
		}
	}
	return a, ok
}

// joined has one copy of each component from a number on take part in an action.
func (t *tuples) joined(at, next []lts.State, a lts.Action, from int, step func(lts.Action, []lts.State)) {
	for from < len(t.models) && !t.models[from].HasAction(a) {
		from++
	}
	if from == len(t.models) {
		step(a, next)
		return
	}
	for k, i := range t.of {
		if i != from {
			continue
		}
		for _, e := range t.models[i].OutBy(at[k], a) {
			next[k] = e.To
			t.joined(at, next, a, from+1, step)
		}
		next[k] = at[k]
	}
}

// answersTo are the states in which a specification is right after τ steps and an action.
func answersTo(spec *lts.LTS, s lts.State, a lts.Action) (all []lts.State) {
	for _, u := range closed(spec, []lts.State{s}) {
		for _, e := range spec.OutBy(u, a) {
			all = append(all, e.To)
		}
	}
	return all
}

// A Branch is a branch of a tree of runs. Its runs are those of all copies.
type Branch struct {
	Trace   []string // its visible actions
	By      [][]int  // who takes part in each
	Visible int      // so many of the first actions are those of the branch before it
	Shared  []int    // by copy: so many of the first moves

	line int
}

// checkTree checks that the runs are those of a tree that the specification cannot follow.
func (c *Certificate) checkTree(ctx context.Context, sub *Subject, checkers []*Checker) error {
	n := len(c.Runs) / len(c.Branches)
	if n == 0 || len(c.Runs)%len(c.Branches) != 0 {
		return refuted(c.line, "%d runs of %d branches", len(c.Runs), len(c.Branches))
	}
	var reads [][]int // by run: the moves that read memory without variables
	root := &followed{}
	if c.Branches[0].Visible != 0 {
		return refuted(c.Branches[0].line, "there is no branch before the first one")
	}
	for b := range c.Branches {
		br := &c.Branches[b]
		own := *c
		own.Runs, own.Trace, own.By, own.traceLine = c.Runs[b*n:(b+1)*n], br.Trace, br.By, br.line
		copies, err := own.copies(sub)
		if err != nil {
			return err
		}
		var lines []*lts.LTS
		for k := range own.Runs {
			seen := []int{}
			line, err := own.Runs[k].executeSeeing(ctx, checkers[copies[k].Component].prog, func(i int, s *step, _ *execution) {
				if s.memory != nil && s.memory.Kind == cfa.Read {
					seen = append(seen, i)
				}
			})
			if err != nil {
				return err
			}
			lines, reads = append(lines, line), append(reads, seen)
		}
		if err := own.together(sub, copies, lines); err != nil {
			return err
		}
		if b > 0 {
			if err := c.leaves(b, n, reads); err != nil {
				return err
			}
		}
		var trace []lts.Action
		shared := 0
		for k, name := range br.Trace {
			a, _ := sub.Spec.Actions().Lookup(name)
			if sub.IsCut(a) {
				return refuted(br.line, "the run comes to where recursion is not followed")
			}
			if sub.Spec.HasAction(a) {
				if trace = append(trace, a); k < br.Visible {
					shared++
				}
			}
		}
		root.add(trace, shared)
	}
	if root.close(sub.Spec); !root.lost[sub.Spec.Init()] {
		return refuted(c.line, "the specification can follow")
	}
	return nil
}

// leaves checks that branch b makes the first moves that it shares with the branch before it.
func (c *Certificate) leaves(b, n int, reads [][]int) error {
	br, before := &c.Branches[b], &c.Branches[b-1]
	if br.Visible < 0 || br.Visible > min(len(br.Trace), len(before.Trace)) || len(br.Shared) != n ||
		!slices.Equal(br.Trace[:br.Visible], before.Trace[:br.Visible]) ||
		!slices.EqualFunc(br.By[:br.Visible], before.By[:br.Visible], slices.Equal) {
		return refuted(br.line, "the branch does not begin as the one before it")
	}
	for k, shared := range br.Shared {
		own, other := &c.Runs[b*n+k], &c.Runs[(b-1)*n+k]
		if shared < 0 || shared > min(len(own.Moves), len(other.Moves)) ||
			!slices.EqualFunc(own.Init, other.Init, sameValue) ||
			!slices.EqualFunc(own.Moves[:shared], other.Moves[:shared], sameMove) {
			return refuted(own.line, "the run does not begin as that of the branch before")
		}
		takes, performs := 0, 0
		for _, by := range br.By[:br.Visible] {
			if slices.Contains(by, k) {
				takes++
			}
		}
		for _, m := range own.Moves[:shared] {
			if m.Action != "" {
				performs++
			}
		}
		if takes != performs {
			return refuted(own.line, "the run does not share the first actions")
		}
		after := func(i int) bool { return i >= shared }
		for earlier := range b {
			if slices.ContainsFunc(reads[b*n+k], after) && len(reads[earlier*n+k]) > 0 {
				return refuted(own.line, "two branches read memory of which nothing is known")
			}
		}
	}
	return nil
}

func sameValue(a, b Value) bool { return a.Var == b.Var && a.Bits == b.Bits }

func sameMove(a, b Move) bool {
	return a.To == b.To && a.Action == b.Action && a.Times == 0 && b.Times == 0 && len(a.Round)+len(b.Round) == 0 &&
		slices.EqualFunc(a.Set, b.Set, sameValue)
}

// followed are the observed actions of branches, one below the other.
type followed struct {
	action lts.Action
	then   []*followed
	lost   map[lts.State]bool
}

// add adds a branch, the first actions of which are those of the branch before it.
func (f *followed) add(trace []lts.Action, shared int) {
	for k, a := range trace {
		if k >= shared {
			f.then = append(f.then, &followed{action: a})
		}
		f = f.then[len(f.then)-1]
	}
}

// close finds the states in which the specification is lost.
func (f *followed) close(spec *lts.LTS) {
	f.lost = map[lts.State]bool{}
	for _, next := range f.then {
		next.close(spec)
		for s := range lts.State(spec.NumStates()) {
			if !slices.ContainsFunc(answersTo(spec, s, next.action), func(u lts.State) bool { return !next.lost[u] }) {
				f.lost[s] = true
			}
		}
	}
}

// asksSimulation reports whether the claim is that the specification can follow each step.
func (sub *Subject) asksSimulation() bool { return sub.Relation == component.Simulation }
