package lts

// Weak simulation of any number of copies.
//
// Idea: copies are counted as in deadlock_any.go, up to one bound for all states. What is counted can do at each point
// whatever a number of copies can do there, so a specification that can follow it can follow every number. The game is
// that of simulates.go, with sets of numbers in place of tuples; a first step chooses how many copies begin. Nothing is
// put off or made at once: when a copy chooses is what simulation is about. So the LTSs are made smaller before, by
// branching bisimulation, which keeps that.
//
// If it cannot be followed, some more copies may be told apart; that some number of copies cannot be followed is not
// found here.
//
// Law: if it holds, the specification weakly simulates every number of copies, as [Copy] writes them out.
//
// Source: Pnueli, Xu, Zuck: Liveness with (0,1,∞)-counter abstraction (CAV 2002), and that of simulates.go. Cost:
// sets of numbers times states of the specification; each answer is tried at most once.

import (
	"context"
	"encoding/binary"
	"slices"
)

// mostFollowed bounds how many copies are told apart in a state, mostCrowded the pairs that are looked at.
const (
	mostFollowed = 3
	mostCrowded  = 1 << 15
)

// A FollowedAny is the outcome of [SimulatedByAny]. It holds, or is unknown.
type FollowedAny struct {
	SimulationResult
	Told int // how many copies had to be told apart in each state, or class
	// Classes are those of the states of each LTS that were taken for one, if it holds so; nil if none were.
	Classes [][]int32
}

// SimulatedByAny decides, if it can, that a specification weakly simulates copies[i] copies of each LTS, which may be
// [AnyCopies]: then for every number of them. begin is that of [SimulatedBy].
func SimulatedByAny(ctx context.Context, impl []*LTS, copies []int, spec *LTS, begin bool, lim Limits) (
	FollowedAny, error) {
	small, classes, err := classesFor(ctx, impl, spec)
	if err != nil {
		return FollowedAny{SimulationResult: SimulationResult{Reason: "stopped before the search was complete"}}, err
	}
	if lim.MaxStates == 0 || lim.MaxStates > mostCrowded {
		lim.MaxStates = mostCrowded
	}
	var f FollowedAny
	for told := 1; told <= mostFollowed; told++ {
		for _, try := range []struct {
			impl    []*LTS
			begin   bool
			classes [][]int32
		}{{small, false, classes}, {impl, begin, nil}} {
			r, err := followedAny(ctx, try.impl, copies, spec, told, try.begin, lim)
			r.States += f.States
			f = FollowedAny{SimulationResult: r, Told: told, Classes: try.classes}
			if err != nil || r.Verdict == Holds {
				return f, err
			}
		}
	}
	f.Classes = nil
	return f, nil
}

// classesFor are quotients under branching bisimulation, where what only one LTS does and the specification does not
// observe is silent, and of which class each state is.
func classesFor(ctx context.Context, impl []*LTS, spec *LTS) (small []*LTS, classes [][]int32, err error) {
	for i, m := range impl {
		hidden := Hide(m, keptFor(i, impl, spec))
		of, count, err := Partition(ctx, hidden, BranchingBisim)
		if err != nil {
			return nil, nil, err
		}
		small, classes = append(small, quotientOf(hidden, of, count, BranchingBisim)), append(classes, of)
	}
	return small, classes, nil
}

// followedAny plays the game with so many copies told apart.
func followedAny(ctx context.Context, impl []*LTS, copies []int, spec *LTS, told int, begin bool, lim Limits) (
	SimulationResult, error) {
	g := &simulationGame{counted: newCountedGame(impl, copies, told, begin), spec: spec, limits: lim,
		tuples: newTuples[State](1), pairs: newTuples[State](2), answered: newTuples[State](2), reach: newWeakReach(spec),
		starts: []int{0}}
	g.pair(0, spec.init)
	why, err := g.run(ctx)
	r := SimulationResult{States: g.pairs.count, Reason: why}
	switch {
	case err != nil || why != "":
	case g.refuted[0]:
		r.Reason = "what copies do that are counted cannot be followed"
	default:
		r.Verdict = Holds
	}
	return r, err
}

// A countedGame has the steps of copies that are counted. Its nodes are sets of numbers; the first one is before it is
// known how many copies begin.
type countedGame struct {
	search *countedSearch
	begins []bool // by LTS: its first step is made before all others'
	number map[string]State
	nodes  [][]crowd
}

func newCountedGame(impl []*LTS, copies []int, told int, begin bool) *countedGame {
	s := &countedSearch{impl: impl, copies: copies, owners: map[Action][]int{}, met: map[string]bool{}}
	g := &countedGame{search: s, number: map[string]State{}, nodes: [][]crowd{nil}}
	for i, m := range impl {
		first := int32(len(s.places))
		s.offset = append(s.offset, first)
		set := &settled{lts: m}
		for q := range State(m.NumStates()) {
			s.places, set.origin = append(s.places, countedPlace{i, q}), append(set.origin, q)
			var out []restEdge
			for _, e := range m.Out(q) {
				out = append(out, restEdge{e.Action, first + int32(e.To)})
			}
			s.out = append(s.out, out)
		}
		for _, a := range m.Alphabet() {
			s.owners[a] = append(s.owners[a], i)
		}
		most := uint32(told)
		if copies[i] > 0 {
			most = uint32(copies[i])
		}
		s.settled, s.told = append(s.settled, set), append(s.told, slices.Repeat([]uint32{most}, m.NumStates()))
		g.begins = append(g.begins, begin && m.choosesBeginning())
	}
	return g
}

// node is the number of a set of numbers, which may be new.
func (g *countedGame) node(at []crowd) State {
	var key []byte
	for _, c := range at {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(c.place)), uint64(c.copies))
	}
	n, met := g.number[string(key)]
	if !met {
		n = State(len(g.nodes))
		g.number[string(key)], g.nodes = n, append(g.nodes, at)
	}
	return n
}

// stepsFrom are those of a node, each once.
func (g *countedGame) stepsFrom(node State) []gameStep {
	steps, met := []gameStep{}, map[gameStep]bool{}
	meet := func(a Action, to State) {
		if step := (gameStep{a, to}); !met[step] && (a != Tau || to != node) {
			met[step], steps = true, append(steps, step)
		}
	}
	if node == 0 {
		g.search.start(0, nil)
		for _, at := range g.search.nodes {
			meet(Tau, g.node(at))
		}
		return steps
	}
	at := g.nodes[node]
	g.search.begun(at, g.first(at), func(a Action) {
		g.search.after(at, slices.Clone(g.search.moves), func(next []crowd) { meet(a, g.node(slices.Clone(next))) })
	})
	return steps
}

// first are the places whose copies may go on: where those of the first LTS that has to choose begin, or all.
func (g *countedGame) first(at []crowd) []crowd {
	k := slices.IndexFunc(at, func(c crowd) bool {
		i := g.search.places[c.place].lts
		return g.begins[i] && c.place == g.search.begin(i)
	})
	if k < 0 {
		return at
	}
	return at[k : k+1]
}

func (g *countedGame) bytes() int64 {
	return int64(len(g.nodes)) * 64
}
