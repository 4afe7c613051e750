package assertion

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/lts"
	"magus/lts/ltl"
)

var actions = []string{"a", "b", "c"}

// randomLTS has few states, among them some that nothing leaves, and silent transitions.
func randomLTS(r *rand.Rand) *lts.LTS {
	table := lts.NewActions()
	b := lts.NewBuilder(table)
	n := 1 + r.Intn(4)
	for range n {
		b.AddState("")
	}
	for range r.Intn(2 * n) {
		a := lts.Tau
		if k := r.Intn(4); k < 3 {
			a = table.Intern(actions[k])
		}
		b.AddEdge(lts.State(r.Intn(n)), a, lts.State(r.Intn(n)))
	}
	for _, name := range actions {
		b.Alphabet(table.Intern(name))
	}
	return b.Build()
}

func is(names ...string) func(string) bool {
	return func(a string) bool { return slices.Contains(names, a) }
}

// randomAssertion has the propositions a, {b, c}, a fluent from a to b, and one from c to a that holds at first.
func randomAssertion(r *rand.Rand) *Assertion {
	p := ltl.NewPool()
	var formula func(depth int) *ltl.Formula
	formula = func(depth int) *ltl.Formula {
		if depth == 0 {
			if f := p.Prop(r.Intn(4)); r.Intn(2) == 0 {
				return f
			} else {
				return p.Not(f)
			}
		}
		f, g := formula(depth-1), formula(r.Intn(depth))
		return []func() *ltl.Formula{
			func() *ltl.Formula { return p.And(f, g) }, func() *ltl.Formula { return p.Or(f, g) },
			func() *ltl.Formula { return p.Always(f) }, func() *ltl.Formula { return p.Eventually(f) },
			func() *ltl.Formula { return p.Until(f, g) }, func() *ltl.Formula { return p.WeakUntil(f, g) },
			func() *ltl.Formula { return p.Next(f) }, func() *ltl.Formula { return p.Implies(f, g) },
		}[r.Intn(8)]()
	}
	return &Assertion{Name: "A", Pool: p, Formula: formula(1 + r.Intn(3)), Props: []Prop{{Name: "a", Acts: is("a")},
		{Name: "b or c", Acts: is("b", "c")}, {Name: "F", Begins: is("a"), Ends: is("b")},
		{Name: "G", Begins: is("c"), Ends: is("a"), Initially: true}}}
}

// word is what a stem and a loop say of the propositions of randomAssertion, written down once more.
func word(m *lts.LTS, stem, loop []lts.Edge) ltl.Word {
	fluent, other := false, true
	visible := func(edges []lts.Edge) (at []uint64) {
		for _, e := range edges {
			if e.Action == lts.Tau {
				continue
			}
			var v uint64
			switch m.Actions().Name(e.Action) {
			case "a":
				v, fluent, other = 1, true, false
			case "b":
				v, fluent = 2, false
			case "c":
				v, other = 2, true
			}
			if fluent {
				v |= 4
			}
			if other {
				v |= 8
			}
			at = append(at, v)
		}
		return at
	}
	w := ltl.Word{Stem: append(visible(stem), visible(loop)...)}
	if w.Loop = visible(loop); w.Loop == nil {
		v := uint64(0)
		if fluent {
			v |= 4
		}
		if other {
			v |= 8
		}
		w.Loop = []uint64{v}
	}
	return w
}

// isPath reports whether edges lead on, and where to.
func isPath(m *lts.LTS, from lts.State, edges []lts.Edge) (lts.State, bool) {
	for _, e := range edges {
		if !slices.Contains(m.Out(from), e) {
			return from, false
		}
		from = e.To
	}
	return from, true
}

// walk is a random run: a stem, and a loop, which takes all that can be taken again and again if it is fair;
// nil if chance does not find one.
func walk(r *rand.Rand, m *lts.LTS) (stem, loop []lts.Edge, fair, ok bool) {
	s := m.Init()
	for range r.Intn(6) {
		out := m.Out(s)
		if len(out) == 0 {
			break
		}
		e := out[r.Intn(len(out))]
		stem, s = append(stem, e), e.To
	}
	if len(m.Out(s)) == 0 {
		return stem, nil, true, true
	}
	start, met, taken := s, map[lts.State]bool{s: true}, map[step]bool{}
	limit := 1 + r.Intn(30)
	for n := 0; n < 60; n++ {
		out := m.Out(s)
		if len(out) == 0 {
			return nil, nil, false, false
		}
		k := r.Intn(len(out))
		taken[step{s, k}] = true
		loop, s = append(loop, out[k]), out[k].To
		if met[s] = true; s == start && n+1 >= limit {
			break
		}
	}
	if s != start {
		return nil, nil, false, false
	}
	possible := 0
	for q := range met {
		possible += len(m.Out(q))
	}
	return stem, loop, len(taken) == possible, true
}

// What is found is a run of the LTS, fair if that is asked for, of which the formula does not hold; and where none is
// found, it holds of all random runs.
func TestAgainstRandomRuns(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(5))
	violated, held, shown := 0, 0, 0
	for range sample.Count(3000) {
		m, a := randomLTS(r), randomAssertion(r)
		for _, fair := range []Fairness{None, Weak, Strong, Choice} {
			run, err := a.Violated(t.Context(), m, fair, lts.Limits{})
			require.NoError(t, err)
			if run != nil {
				violated++
				end, ok := isPath(m, m.Init(), run.Stem)
				require.True(t, ok)
				back, ok := isPath(m, end, run.Loop)
				require.True(t, ok && back == end)
				require.True(t, run.Loop != nil || len(m.Out(end)) == 0)
				require.False(t, ltl.Holds(a.Formula, word(m, run.Stem, run.Loop)), a.Formula.String())
				if fair == Choice && run.Loop != nil && !run.Rest {
					requireFair(t, m, end, run.Loop)
				}
				if (fair == Weak || fair == Strong) && run.Loop != nil && !run.Rest {
					require.True(t, isFairToActions(m, end, run.Loop, fair), "%s: %v", fair, run.Loop)
				}
				continue
			}
			held++
			for range 60 {
				stem, loop, isFair, ok := walk(r, m)
				if ok && loop != nil && (fair == Weak || fair == Strong) {
					end, _ := isPath(m, m.Init(), stem)
					isFair = isFairToActions(m, end, loop, fair)
				}
				if ok && (isFair || fair == None) {
					shown++
					require.True(t, ltl.Holds(a.Formula, word(m, stem, loop)), "%s %v: %v, %v", fair, a.Formula, stem, loop)
				}
			}
		}
	}
	require.Greater(t, violated, held/4)
	require.Greater(t, held, violated/4)
	require.Greater(t, shown, held*5)
}

// requireFair wants all transitions of the states of a loop in it.
func requireFair(t *testing.T, m *lts.LTS, at lts.State, loop []lts.Edge) {
	taken := map[lts.State][]lts.Edge{}
	for _, e := range loop {
		taken[at] = append(taken[at], e)
		at = e.To
	}
	for s, edges := range taken {
		for _, e := range m.Out(s) {
			require.Contains(t, edges, e)
		}
	}
}

// isFairToActions reports whether a loop does what all its states can do, or what some of them can.
func isFairToActions(m *lts.LTS, at lts.State, loop []lts.Edge, fair Fairness) bool {
	done, can := map[lts.Action]bool{}, map[lts.Action]int{}
	for _, e := range loop {
		met := map[lts.Action]bool{}
		for _, o := range m.Out(at) {
			if !met[o.Action] {
				met[o.Action] = true
				can[o.Action]++
			}
		}
		done[e.Action], at = true, e.To
	}
	for a, n := range can {
		if !done[a] && (fair == Strong || n == len(loop)) {
			return false
		}
	}
	return true
}

func TestNoStates(t *testing.T) {
	t.Parallel()
	p := ltl.NewPool()
	a := &Assertion{Name: "A", Pool: p, Formula: p.Always(p.Eventually(p.Prop(0))),
		Props: []Prop{{Name: "d", Acts: is("d")}}}
	m := randomLTS(rand.New(rand.NewSource(1)))
	require.Equal(t, []string{"d"}, a.Unperformed(m))
	_, err := a.Violated(t.Context(), m, None, lts.Limits{MaxStates: 1})
	if m.NumStates() > 1 {
		var limit *lts.LimitError
		require.ErrorAs(t, err, &limit)
	}
}
