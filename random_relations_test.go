package magus_test

import (
	"context"
	"fmt"
	"math/rand"
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

// lts is the component written out.
func (w waiter) lts(t *lts.Actions) *lts.LTS {
	b := lts.NewBuilder(t)
	b.AddStates(len(w.states))
	for i, s := range w.states {
		for k, to := range s.target {
			a := lts.Tau
			if s.kind == "act" {
				a = t.Intern(s.actions[k])
			}
			b.AddEdge(lts.State(i), a, lts.State(to))
		}
	}
	return b.Build()
}

// lts is the specification written out, which observes all of some actions.
func (s spec) lts(t *lts.Actions, actions []string) *lts.LTS {
	b := lts.NewBuilder(t)
	b.AddStates(len(s))
	for i, edges := range s {
		for _, e := range edges {
			a := lts.Tau
			if e.action != "tau" {
				a = t.Intern(e.action)
			}
			b.AddEdge(lts.State(i), a, lts.State(e.to))
		}
	}
	for _, a := range actions {
		b.Alphabet(t.Intern(a))
	}
	return b.Build()
}

// system is random components with a random specification, as a claim of a relation.
type system struct {
	waiters []waiter
	spec    spec
	actions []string // that the specification observes
	claim   *magus.Claim
	text    string
}

func randomSystem(t *testing.T, rnd *rand.Rand, r component.Relation) system {
	s := system{actions: []string{"a", "b", "c"}[:1+rnd.Intn(3)]}
	c, text := waiterHeader, ""
	var names, guards []string
	for i := range 1 + rnd.Intn(2) {
		w := randomWaiter(rnd, []string{"a", "b", "c"})
		names, guards = append(names, fmt.Sprintf("c%d", i)), append(guards, "(1)")
		body, says := w.text(names[i])
		s.waiters, c, text = append(s.waiters, w), c+body, text+says
	}
	if s.spec = randomSpec(rnd, s.actions); r == component.Simulation && rnd.Intn(3) > 0 {
		s.spec = decidingSpec(t, rnd, s.waiters, s.actions)
	}
	text += s.spec.text(s.actions) + fmt.Sprintf("program %s { specification s, {%s}, S0; }\n",
		strings.Join(names, ", "), strings.Join(guards, ", "))
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}},
		Specs: []specs.Source{{Name: "a.spec", Text: []byte(text)}}})
	require.NoError(t, err, text)
	claims, err := p.Claims(magus.Selection{Relation: r})
	require.NoError(t, err)
	s.claim, s.text = claims[len(claims)-1], c+"\n"+text
	return s
}

// decidingSpec has the traces of some components, and decides earlier than these at one of its states, which
// is two: one goes on in some ways, the other one in others.
func decidingSpec(t *testing.T, rnd *rand.Rand, ws []waiter, actions []string) spec {
	sys := system{waiters: ws, spec: spec{nil}, actions: actions}
	impl, _ := sys.written(t)
	d, err := lts.Determinize(t.Context(), impl, lts.Limits{})
	require.NoError(t, err)
	n := d.NumStates()
	split, s := rnd.Intn(n), make(spec, n+1)
	for k := range n { // one that goes on in several ways, if there is one
		if q := (split + k) % n; len(d.Out(lts.State(q))) > 1 && lts.State(q) != d.Init() {
			split = q
			break
		}
	}
	for from := range n {
		for _, e := range d.Out(lts.State(from)) {
			a := impl.Actions().Name(e.Action)
			targets := []int{int(e.To)}
			if int(e.To) == split {
				targets = append(targets, n)
			}
			for _, to := range targets {
				in := rnd.Intn(3) // in one, in the other, in both
				if from != split || in != 0 {
					s[from] = append(s[from], specEdge{a, to})
				}
				if from == split && in != 1 {
					s[n] = append(s[n], specEdge{a, to})
				}
			}
		}
	}
	return s
}

// written is the composition of the components and the specification, both written out, with what the
// specification does not observe hidden.
func (s *system) written(t *testing.T) (impl, spec *lts.LTS) {
	table := lts.NewActions()
	spec = s.spec.lts(table, s.actions)
	var all []*lts.LTS
	for _, w := range s.waiters {
		all = append(all, w.lts(table))
	}
	impl, err := lts.Compose(context.Background(), all, lts.Limits{})
	require.NoError(t, err)
	return lts.Hide(impl, spec.Alphabet()), spec
}

// check has the claim checked in several ways.
func (s *system) check(t *testing.T, n int, want magus.Verdict) {
	for _, opt := range []cegar.Loop{{}, {ActionAbstraction: cegar.On, LargeBlocks: cegar.On, Check: true}} {
		o, err := magus.Check(t.Context(), s.claim, magus.Options{Loop: opt}, nil)
		require.NoError(t, err)
		require.Equal(t, want, o.Verdict, "program %d, %v, %+v\n%s", n, o.Reason, opt, s.text)
	}
}

// Whether a specification can follow random components is what the comparison of LTSs says of these written out.
func TestRandomSimulations(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(5))))
	lost, followed, lostByChoice := 0, 0, 0
	for n := range sample.Count(130) {
		s := randomSystem(t, rnd, component.Simulation)
		impl, spec := s.written(t)
		c, err := lts.Compare(t.Context(), impl, spec, lts.WeakSimulation, lts.Limits{})
		require.NoError(t, err)
		traces, err := lts.Compare(t.Context(), impl, spec, lts.WeakTraceIncl, lts.Limits{})
		require.NoError(t, err)
		want := magus.Violates
		switch {
		case c.Holds:
			want, followed = magus.Conforms, followed+1
		case traces.Holds:
			lostByChoice++
			fallthrough
		default:
			lost++
		}
		s.check(t, n, want)
	}
	t.Logf("%d followed, %d not, %d of these by their choices", followed, lost, lostByChoice)
	require.Positive(t, followed)
	require.Positive(t, lost)
	if !testing.Short() {
		require.Positive(t, lostByChoice)
	}
}

// Whether random components diverge is what their composition written out does: the specification never does.
func TestRandomDivergences(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(6))))
	broken, kept, onlyDiverge := 0, 0, 0
	for n := range sample.Count(130) {
		s := randomSystem(t, rnd, component.Divergences)
		impl, _ := s.written(t)
		want := magus.Violates
		switch fails, diverges := !refinesObserved(s.waiters, s.spec, s.actions), divergesReachably(impl); {
		case !fails && !diverges:
			want, kept = magus.Conforms, kept+1
		case !fails:
			onlyDiverge++
			fallthrough
		default:
			broken++
		}
		s.check(t, n, want)
	}
	require.Positive(t, kept)
	require.Positive(t, broken)
	if !testing.Short() {
		require.Positive(t, onlyDiverge)
	}
}

// divergesReachably reports whether a cycle of τ can be reached.
func divergesReachably(m *lts.LTS) bool {
	silent := lts.NewTauComponents(m)
	seen, todo := map[lts.State]bool{m.Init(): true}, []lts.State{m.Init()}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if silent.Divergent.Has(silent.Of[s]) {
			return true
		}
		for _, e := range m.Out(s) {
			if !seen[e.To] {
				seen[e.To] = true
				todo = append(todo, e.To)
			}
		}
	}
	return false
}
