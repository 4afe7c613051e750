package lts

import (
	"context"
	"magus/internal/sample"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The definitions of the relations, computed on pairs of states by removing pairs that violate them
// until none does. ERROR counts as a step, from an ERROR state to itself.

// pairs is a relation on the states of two LTSs side by side.
type pairs struct {
	u       *LTS
	related [][]bool
	star    [][]bool // by two states: τ* leads from one to the other
}

func newPairs(u *LTS) *pairs {
	n := u.NumStates()
	p := &pairs{u: u}
	for s := range n {
		p.related = append(p.related, slices.Repeat([]bool{true}, n))
		p.star = append(p.star, make([]bool, n))
		p.star[s][s] = true
	}
	for range n {
		for s := range n {
			for t := range n {
				for _, e := range u.Out(State(t)) {
					if p.star[s][t] && e.Action == Tau {
						p.star[s][e.To] = true
					}
				}
			}
		}
	}
	return p
}

// shrink removes pairs until keep holds for all that are left.
func (p *pairs) shrink(keep func(s, t State) bool) {
	for changed := true; changed; {
		changed = false
		for s := range p.related {
			for t := range p.related {
				if p.related[s][t] && !keep(State(s), State(t)) {
					p.related[s][t], changed = false, true
				}
			}
		}
	}
}

// any says whether cond holds for some state.
func (p *pairs) any(cond func(State) bool) bool {
	for s := range p.related {
		if cond(State(s)) {
			return true
		}
	}
	return false
}

// weakly says whether s -τ*-> -a-> -τ*-> t, with a left out for τ.
func (p *pairs) weakly(s State, a Action, t State) bool {
	if a == Tau {
		return p.star[s][t]
	}
	return p.any(func(s1 State) bool {
		return p.star[s][s1] && p.any(func(t1 State) bool { return hasEdge(p.u, s1, a, t1) && p.star[t1][t] })
	})
}

func (p *pairs) all(s State, cond func(Edge) bool) bool {
	return !slices.ContainsFunc(p.u.Out(s), func(e Edge) bool { return !cond(e) })
}

// simulated is the transfer condition of (weak) simulation: t answers every step of s.
func (p *pairs) simulated(s, t State, weak bool) bool {
	if p.u.IsError(s) && !p.any(func(t1 State) bool {
		return p.u.IsError(t1) && p.related[s][t1] &&
			(t1 == t || weak && p.star[t][t1])
	}) {
		return false
	}
	return p.all(s, func(e Edge) bool {
		return p.any(func(t1 State) bool {
			step := hasEdge(p.u, t, e.Action, t1)
			if weak {
				step = p.weakly(t, e.Action, t1)
			}
			return step && p.related[e.To][t1]
		})
	})
}

// branching is the transfer condition of branching bisimulation.
func (p *pairs) branching(s, t State) bool {
	if p.u.IsError(s) && !p.any(func(t1 State) bool { return p.u.IsError(t1) && p.star[t][t1] && p.related[s][t1] }) {
		return false
	}
	return p.all(s, func(e Edge) bool {
		if e.Action == Tau && p.related[e.To][t] {
			return true
		}
		return p.any(func(t1 State) bool {
			return p.star[t][t1] && p.related[s][t1] &&
				p.any(func(t2 State) bool { return hasEdge(p.u, t1, e.Action, t2) && p.related[e.To][t2] })
		})
	})
}

// evades says whether s has an infinite run of τ through states none of which is related to a state
// that t reaches by τ steps, at least one. Branching bisimilarity that forbids it preserves divergence
// (van Glabbeek, Luttik, Trčka, "Branching bisimilarity with explicit divergence", 2009, D4).
func (p *pairs) evades(s, t State) bool {
	alive := map[State]bool{}
	for x := range p.related {
		alive[State(x)] = !p.any(func(t2 State) bool {
			return p.related[x][t2] && p.any(func(t1 State) bool { return hasEdge(p.u, t, Tau, t1) && p.star[t1][t2] })
		})
	}
	for range p.related {
		for x := range p.related {
			alive[State(x)] = alive[State(x)] && p.any(func(y State) bool { return hasEdge(p.u, State(x), Tau, y) && alive[y] })
		}
	}
	return alive[s]
}

func naiveRelation(u *LTS, r Relation) [][]bool {
	p := newPairs(u)
	both := func(f func(s, t State) bool) func(s, t State) bool {
		return func(s, t State) bool { return f(s, t) && f(t, s) }
	}
	switch r {
	case StrongBisim:
		p.shrink(both(func(s, t State) bool { return p.simulated(s, t, false) }))
	case WeakBisim:
		p.shrink(both(func(s, t State) bool { return p.simulated(s, t, true) }))
	case BranchingBisim:
		p.shrink(both(p.branching))
	case DivergenceBranchingBisim:
		p.shrink(both(func(s, t State) bool { return p.branching(s, t) && !p.evades(s, t) }))
	case Simulation, WeakSimulation:
		p.shrink(func(s, t State) bool { return p.simulated(s, t, r == WeakSimulation) })
	}
	return p.related
}

// naiveTraces says whether a's traces are among b's, by exploring pairs of subsets.
func naiveTraces(a, b *LTS, weak bool, actions []Action) bool {
	type pair struct{ l, r naiveSet }
	after := func(m *LTS, set naiveSet, x Action) naiveSet {
		if weak {
			return naiveStep(m, set, x)
		}
		var next naiveSet
		for s := range m.NumStates() {
			for _, e := range m.Out(State(s)) {
				if set&(1<<s) != 0 && e.Action == x {
					next |= 1 << e.To
				}
			}
		}
		return next
	}
	hasError := func(m *LTS, set naiveSet) bool {
		for s := range m.NumStates() {
			if set&(1<<s) != 0 && m.IsError(State(s)) {
				return true
			}
		}
		return false
	}
	start := pair{1 << a.Init(), 1 << b.Init()}
	if weak {
		start = pair{naiveAfter(a, nil), naiveAfter(b, nil)}
	} else {
		actions = append([]Action{Tau}, actions...)
	}
	seen := map[pair]bool{start: true}
	for queue := []pair{start}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if hasError(a, p.l) && !hasError(b, p.r) {
			return false
		}
		for _, x := range actions {
			next := pair{after(a, p.l, x), after(b, p.r, x)}
			if next.l == 0 || seen[next] {
				continue
			}
			if next.r == 0 {
				return false
			}
			seen[next] = true
			queue = append(queue, next)
		}
	}
	return true
}

func naiveCompare(a, b *LTS, r Relation, actions []Action) bool {
	switch r {
	case TraceIncl, WeakTraceIncl:
		return naiveTraces(a, b, r == WeakTraceIncl, actions)
	case TraceEq, WeakTraceEq:
		return naiveTraces(a, b, r == WeakTraceEq, actions) && naiveTraces(b, a, r == WeakTraceEq, actions)
	case StableFailures, FailuresDivergences:
		return naiveFailures(a, b, r == FailuresDivergences, actions)
	}
	u := sideBySide(a, b)
	return naiveRelation(u, r)[a.Init()][State(a.NumStates())+b.Init()]
}

// naiveFailures says whether a refines b, by exploring states of a with subsets of b's. With divergences, all
// is allowed where b diverges.
func naiveFailures(a, b *LTS, divergences bool, actions []Action) bool {
	type pair struct {
		l State
		r naiveSet
	}
	offers := func(m *LTS, s State) (all uint64, stable bool) {
		if m.IsError(s) {
			all = 1
		}
		for _, e := range m.Out(s) {
			if e.Action == Tau {
				return 0, false
			}
			all |= 2 << slices.Index(actions, e.Action)
		}
		return all, true
	}
	diverges := func(m *LTS, s State) bool {
		again, met := naiveSet(0), naiveSet(0)
		for _, e := range m.Out(s) {
			if e.Action == Tau {
				again |= 1 << e.To
			}
		}
		for t := range m.NumStates() { // a state that comes back to itself, met from s
			var next naiveSet
			for _, e := range m.Out(State(t)) {
				if e.Action == Tau {
					next |= 1 << e.To
				}
			}
			if naiveClosure(m, next)&(1<<t) != 0 {
				met |= 1 << t
			}
		}
		return naiveClosure(m, again|1<<s)&met != 0
	}
	members := func(set naiveSet) (all []State) {
		for s := range b.NumStates() {
			if set&(1<<s) != 0 {
				all = append(all, State(s))
			}
		}
		return all
	}
	start := pair{a.Init(), naiveAfter(b, nil)}
	seen, queue := map[pair]bool{start: true}, []pair{start}
	for ; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		among := members(p.r)
		if divergences && slices.ContainsFunc(among, func(s State) bool { return diverges(b, s) }) {
			continue
		}
		if divergences && diverges(a, p.l) || a.IsError(p.l) && !slices.ContainsFunc(among, b.IsError) {
			return false
		}
		if offered, stable := offers(a, p.l); stable && !slices.ContainsFunc(among, func(s State) bool {
			must, stands := offers(b, s)
			return stands && must&^offered == 0
		}) {
			return false
		}
		for _, e := range a.Out(p.l) {
			next := pair{e.To, p.r}
			if e.Action != Tau {
				next.r = naiveStep(b, p.r, e.Action)
			}
			if next.r == 0 {
				return false
			}
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return true
}

// sideBySide returns the states and transitions of both.
func sideBySide(a, b *LTS) *LTS {
	build := NewBuilder(a.Actions())
	build.AddStates(a.NumStates() + b.NumStates())
	for i, m := range []*LTS{a, b} {
		shift := State(i * a.NumStates())
		for s := range State(m.NumStates()) {
			for _, e := range m.Out(s) {
				build.AddEdge(s+shift, e.Action, e.To+shift)
			}
			if m.IsError(s) {
				build.SetError(s + shift)
			}
		}
	}
	return build.Build()
}

// similarPair draws two LTSs that are related more often than by chance: the second may be the first
// with a change.
func similarPair(r *rand.Rand, states int) (a, b *LTS, actions []Action) {
	table := NewActions()
	actions = []Action{table.Intern("a"), table.Intern("b")}[:1+r.IntN(2)]
	a = randomLTS(r, table, actions, states, true, r.IntN(5) == 0)
	switch r.IntN(3) {
	case 0:
		b = randomLTS(r, table, actions, states, true, r.IntN(5) == 0)
	case 1:
		b = extend(r, a)
	default:
		b = unfold(r, a)
	}
	if r.IntN(2) == 0 {
		a, b = b, a
	}
	return a, b, actions
}

// unfold returns m with a copy of every state and targets chosen among the copies, and perhaps a
// transition less.
func unfold(r *rand.Rand, m *LTS) *LTS {
	b := NewBuilder(m.Actions())
	n := State(m.NumStates())
	b.AddStates(int(2 * n))
	b.Alphabet(m.Alphabet()...)
	b.SetInit(m.Init())
	for s := range 2 * n {
		if m.IsError(s % n) {
			b.SetError(s)
		}
		for _, e := range m.Out(s % n) {
			if r.IntN(12) > 0 {
				b.AddEdge(s, e.Action, e.To+n*State(r.IntN(2)))
			}
		}
	}
	return b.Build()
}

func TestCompareAgainstDefinitions(t *testing.T) {
	for _, relation := range Relations() {
		t.Run(relation.String(), func(t *testing.T) {
			t.Parallel()
			holding := 0
			for seed := range sample.Seeds(0, sample.Count(1000)) {
				a, b, actions := similarPair(rand.New(rand.NewPCG(seed, 20)), 4)
				got, err := Compare(context.Background(), a, b, relation, Limits{})
				require.NoError(t, err)
				want := naiveCompare(a, b, relation, actions)
				require.Equal(t, want, got.Holds, "seed %d\n%s\n%s", seed, a, b)
				if want {
					holding++
				}
			}
			if sample.Whole() {
				require.Greater(t, holding, 75)
				require.Less(t, holding, 925)
			}
		})
	}
}
