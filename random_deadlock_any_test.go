package magus_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/component"
	"magus/engine/cegar"
	"magus/internal/sample"
	"magus/lts"
	"magus/specs"
)

// copiesSteps calls emit for each step of copies at some states: of one copy alone with no action, or of one
// copy of each component that has it; of says of which component each is one.
func copiesSteps(ws []waiter, of []int, actions []string, at []int, emit func(action string, next []int)) {
	for k, i := range of {
		if s := ws[i].states[at[k]]; s.kind == "choose" {
			for _, to := range s.target {
				next := slices.Clone(at)
				next[k] = to
				emit("", next)
			}
		}
	}
	for _, a := range actions {
		nexts, owned := [][]int{slices.Clone(at)}, false
		for i, w := range ws {
			if !w.alphabet()[a] {
				continue
			}
			owned = true
			var more [][]int
			for k := range of {
				if of[k] != i || !slices.Contains(w.states[at[k]].actions, a) {
					continue
				}
				way := slices.Index(w.states[at[k]].actions, a)
				for _, next := range nexts {
					n := slices.Clone(next)
					n[k] = w.states[at[k]].target[way]
					more = append(more, n)
				}
			}
			nexts = more
		}
		for _, next := range nexts {
			if owned {
				emit(a, next)
			}
		}
	}
}

// copiesStuck looks at all tuples of states of copies.
func copiesStuck(ws []waiter, of []int, actions []string) bool {
	first := make([]int, len(of))
	seen, todo := map[string]bool{fmt.Sprint(first): true}, [][]int{first}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		steps, waits, dead := 0, false, false
		for k, i := range of {
			s := ws[i].states[at[k]]
			waits = waits || s.kind == "act"
			dead = dead || s.kind == "assume"
		}
		copiesSteps(ws, of, actions, at, func(_ string, next []int) {
			steps++
			if k := fmt.Sprint(next); !seen[k] {
				seen[k] = true
				todo = append(todo, next)
			}
		})
		if steps == 0 && waits && !dead {
			return true
		}
	}
	return false
}

// copiesWritten are copies as one LTS, in which actions that are not observed are silent. A tuple with a run
// that is none is never stable.
func copiesWritten(ws []waiter, of []int, actions, observed []string, table *lts.Actions, loops bool) *lts.LTS {
	b := lts.NewBuilder(table)
	number, todo := map[string]lts.State{}, [][]int{}
	meet := func(at []int) lts.State {
		k := fmt.Sprint(at)
		if _, met := number[k]; !met {
			number[k], todo = b.AddState(""), append(todo, at)
		}
		return number[k]
	}
	meet(make([]int, len(of)))
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		from := number[fmt.Sprint(at)]
		for k, i := range of {
			if loops && ws[i].states[at[k]].kind == "assume" {
				b.AddEdge(from, lts.Tau, from)
			}
		}
		copiesSteps(ws, of, actions, at, func(action string, next []int) {
			a := lts.Tau
			if slices.Contains(observed, action) {
				a = table.Intern(action)
			}
			b.AddEdge(from, a, meet(next))
		})
	}
	return b.Build()
}

// numbersOf says of which component each copy is one, of components in the numbers in their names, k copies
// for any number.
func numbersOf(names []string, k int) (of []int) {
	for i, name := range names {
		copies := 1
		switch {
		case strings.HasSuffix(name, "*"):
			copies = k
		case strings.HasSuffix(name, "2"):
			copies = 2
		}
		of = append(of, slices.Repeat([]int{i}, copies)...)
	}
	return of
}

// Deadlocks of any number of copies of random components are those of some number; that there are none holds for few.
func TestRandomDeadlocksOfAnyNumber(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	found, free, undecided := 0, 0, 0
	for n := range sample.Count(60) {
		actions := []string{"a", "b", "c", "d"}[:2+rnd.Intn(3)]
		c, spec := waiterHeader, ""
		var ws []waiter
		var names []string
		for i := range 1 + rnd.Intn(3) {
			w := randomWaiter(rnd, actions)
			text, says := w.text(fmt.Sprintf("c%d", i))
			ws, c, spec = append(ws, w), c+text, spec+says
			names = append(names, fmt.Sprintf("c%d%s", i, []string{"*", "", "*", "* 2"}[(i+n/2*i)%4]))
		}
		spec += "program " + strings.Join(names, ", ") + " { }\n"
		p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(spec)}}})
		require.NoError(t, err)
		claims, err := p.Properties(magus.Property{Question: component.NoDeadlock})
		require.NoError(t, err)
		var verdicts []magus.Verdict
		for _, opt := range []cegar.Loop{{}, {ActionAbstraction: cegar.On, Check: true}, {ActionAbstraction: cegar.Off}} {
			o, err := magus.Check(t.Context(), claims[0], magus.Options{Loop: opt}, nil)
			require.NoError(t, err)
			verdicts = append(verdicts, o.Verdict)
			if o.Verdict == magus.Unknown {
				t.Log(o.Reason)
			}
		}
		for k := 1; k <= 3; k++ {
			of := numbersOf(names, k)
			if copiesStuck(ws, of, actions) {
				require.NotContains(t, verdicts, magus.Conforms, "program %d, %d copies\n%s\n%s", n, k, c, spec)
				found++
				break
			} else if k == 3 && slices.Contains(verdicts, magus.Conforms) {
				require.NotContains(t, verdicts, magus.Violates, "program %d\n%s\n%s", n, c, spec)
				free++
			}
		}
		if slices.Contains(verdicts, magus.Unknown) {
			undecided++
		}
	}
	if !sample.Whole() {
		return
	}
	require.Greater(t, found, 5)
	require.Greater(t, free, 5)
	require.LessOrEqual(t, undecided, sample.Count(60)/50)
}

// What any number of copies of random components refuses some number does; that nothing is refused holds for few.
func TestRandomFailuresOfAnyNumber(t *testing.T) {
	undecided := compareAnyNumber(t, 2, sample.Count(120), component.Failures)
	if sample.Whole() {
		require.LessOrEqual(t, undecided, sample.Count(120)/50)
	}
}

// Where any number of copies of random components neither refuses nor diverges, few copies do not.
func TestRandomDivergencesOfAnyNumber(t *testing.T) {
	compareAnyNumber(t, 8, sample.Count(30), component.Divergences)
}

// A specification that is said to follow any number of copies of random components follows few.
func TestRandomSimulationsOfAnyNumber(t *testing.T) {
	undecided := compareAnyNumber(t, 9, sample.Count(30), component.Simulation)
	if sample.Whole() {
		require.LessOrEqual(t, undecided, 1+sample.Count(30)/50)
	}
}

// compareAnyNumber compares the verdicts about any number of copies of random components with comparisons of
// few, written out, and counts those that are unknown.
func compareAnyNumber(t *testing.T, seed uint64, count int, asked component.Relation) int {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(seed))))
	found, free, undecided, itself := 0, 0, 0, 0
	for n := range count {
		actions := []string{"a", "b", "c"}
		observed := actions[:1+rnd.Intn(3)]
		c, text := waiterHeader, ""
		var ws []waiter
		var names, guards []string
		for i := range 1 + rnd.Intn(2) {
			w := randomWaiter(rnd, actions)
			body, says := w.text(fmt.Sprintf("c%d", i))
			ws, c, text = append(ws, w), c+body, text+says
			names, guards = append(names, fmt.Sprintf("c%d%s", i, []string{"*", "", "*", "* 2"}[(i+n/2*i)%4])),
				append(guards, "(1)")
		}
		s := silentSpec(rnd, observed)
		if rnd.Intn(2) == 0 {
			s = loose(rnd, ws[0], observed)
		}
		if asked == component.Simulation && rnd.Intn(3) > 0 {
			s = deciding(rnd, observed)
		}
		text += s.text(observed) + fmt.Sprintf("program %s { specification s, {%s}, S0; relation %s; }\n",
			strings.Join(names, ", "), strings.Join(guards, ", "), asked)
		p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(text)}}})
		require.NoError(t, err, text)
		claims, err := p.Claims(magus.Selection{})
		require.NoError(t, err)
		claim := claims[len(claims)-1]
		require.Equal(t, asked, claim.Relation)
		var verdicts []magus.Verdict
		for _, opt := range []cegar.Loop{{}, {ActionAbstraction: cegar.On, Check: true}} {
			o, err := magus.Check(t.Context(), claim, magus.Options{Loop: opt}, nil)
			require.NoError(t, err)
			verdicts = append(verdicts, o.Verdict)
			if o.Verdict == magus.Conforms && !o.ByTraces {
				itself++
			}
		}
		for k := 1; k <= 3; k++ {
			table := lts.NewActions()
			of := numbersOf(names, k)
			written := copiesWritten(ws, of, actions, observed, table, true)
			relation := lts.StableFailures
			if asked == component.Simulation {
				relation = lts.WeakSimulation
			}
			r, err := lts.Compare(t.Context(), written, s.lts(table, observed), relation, lts.Limits{})
			require.NoError(t, err)
			diverges := asked == component.Divergences &&
				divergesReachably(copiesWritten(ws, of, actions, observed, table, false))
			if !r.Holds || diverges {
				require.NotContains(t, verdicts, magus.Conforms, "program %d, %d copies: %v\n%s\n%s", n, k, r.Explanation, c, text)
				found++
				break
			} else if k == 3 && slices.Contains(verdicts, magus.Conforms) {
				require.NotContains(t, verdicts, magus.Violates, "program %d\n%s\n%s", n, c, text)
				free++
			}
		}
		if slices.Contains(verdicts, magus.Unknown) {
			undecided++
		}
	}
	t.Logf("%d found, %d free, %d undecided; %d proofs are not about traces", found, free, undecided, itself)
	if sample.Whole() {
		require.Greater(t, found, count/15)
		require.Greater(t, free, 5)
		require.Greater(t, itself, 5)
	}
	return undecided
}

// deciding allows at first all of some actions, and decides with each which one it does not allow behind it.
func deciding(rnd *rand.Rand, observed []string) spec {
	s := make(spec, 3)
	for i := range s {
		lacks := rnd.Intn(len(observed) + 1)
		for k, a := range observed {
			if i > 0 && k == lacks {
				continue
			}
			for range 1 + rnd.Intn(2) {
				s[i] = append(s[i], specEdge{a, rnd.Intn(len(s))})
			}
		}
	}
	return s
}

// loose allows much, and asks for what a component offers at some of its states.
func loose(rnd *rand.Rand, w waiter, observed []string) spec {
	s := spec{nil}
	for _, st := range w.states {
		var offers []specEdge
		for _, a := range st.actions {
			if slices.Contains(observed, a) {
				offers = append(offers, specEdge{a, 0})
			}
		}
		if rnd.Intn(4) > 0 {
			s = append(s, offers)
			s[0] = append(s[0], specEdge{"tau", len(s) - 1})
		}
	}
	var all []specEdge
	for _, a := range observed {
		all = append(all, specEdge{a, 0})
	}
	s = append(s, all)
	s[0] = append(s[0], specEdge{"tau", len(s) - 1})
	return s
}
