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

// copied are random components in given numbers, with a specification.
type copied struct {
	waiters  []waiter
	of       []int // by copy: its component
	spec     spec
	observed []string
	claim    *magus.Claim
	text     string
}

// randomCopied has at least one component in two or three copies; the claim is about a relation, or about deadlocks.
func randomCopied(t *testing.T, rnd *rand.Rand, asked component.Relation) copied {
	t.Helper()
	actions := []string{"a", "b", "c"}
	s := copied{observed: actions[:1+rnd.Intn(3)]}
	c, text := waiterHeader, ""
	var names, guards []string
	for i := range 1 + rnd.Intn(2) {
		w := randomWaiter(rnd, actions)
		name := fmt.Sprintf("c%d", i)
		body, says := w.text(name)
		copies := 1 + rnd.Intn(2)
		if i == 0 {
			copies = 2 + rnd.Intn(2)
		}
		if asked == component.Divergences { // these are looked for in products of level one
			copies = 2 - i
		}
		s.waiters, c, text = append(s.waiters, w), c+body, text+says
		s.of = append(s.of, slices.Repeat([]int{i}, copies)...)
		names, guards = append(names, fmt.Sprintf("%s * %d", name, copies)), append(guards, "(1)")
	}
	switch s.spec = silentSpec(rnd, s.observed); {
	case rnd.Intn(3) == 0:
		s.spec = loose(rnd, s.waiters[0], s.observed)
	case asked == component.Simulation || rnd.Intn(3) == 0:
		s.spec = deciding(rnd, s.observed)
	case asked == component.Divergences: // one that does not diverge itself
		s.spec = randomSpec(rnd, s.observed)
	}
	within := ""
	if asked != "" {
		within = fmt.Sprintf("specification s, {%s}, S0; relation %s; ", strings.Join(guards, ", "), asked)
	}
	text += s.spec.text(s.observed) + fmt.Sprintf("program %s { %s}\n", strings.Join(names, ", "), within)
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}},
		Specs: []specs.Source{{Name: "a.spec", Text: []byte(text)}}})
	require.NoError(t, err, text)
	claims, err := p.Properties(magus.Property{Question: component.NoDeadlock})
	if asked != "" {
		claims, err = p.Claims(magus.Selection{})
	}
	require.NoError(t, err)
	s.claim, s.text = claims[len(claims)-1], c+"\n"+text
	return s
}

// holds reports whether a relation holds of the product of all copies, written out; "" asks for deadlocks.
func (s *copied) holds(t *testing.T, asked component.Relation) bool {
	t.Helper()
	actions := []string{"a", "b", "c"}
	if asked == "" {
		return !copiesStuck(s.waiters, s.of, actions)
	}
	relation := map[component.Relation]lts.Relation{component.Traces: lts.WeakTraceIncl,
		component.Failures: lts.StableFailures, component.Divergences: lts.StableFailures,
		component.Simulation: lts.WeakSimulation}[asked]
	table := lts.NewActions()
	r, err := lts.Compare(t.Context(), copiesWritten(s.waiters, s.of, actions, s.observed, table, true),
		s.spec.lts(table, s.observed), relation, lts.Limits{})
	require.NoError(t, err)
	return r.Holds && (asked != component.Divergences ||
		!divergesReachably(copiesWritten(s.waiters, s.of, actions, s.observed, table, false)))
}

// What is said of random components in given numbers of copies is so of their product, for each relation and for
// deadlocks, in each way to search.
func TestRandomCopiesAgainstProducts(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	asked := []component.Relation{"", component.Traces, component.Failures, component.Divergences, component.Simulation}
	ways := []cegar.Loop{{}, {Compositional: true}, {AllOrders: true}, {LargeBlocks: cegar.On},
		{ActionAbstraction: cegar.Off}, {ActionAbstraction: cegar.On, LargeBlocks: cegar.On, Check: true},
		{Compositional: true, AllOrders: true, Sequential: true}}
	count := map[string]int{}
	for n := range sample.Count(15) {
		r := asked[n%len(asked)]
		s := randomCopied(t, rnd, r)
		want := magus.Violates
		if s.holds(t, r) {
			want = magus.Conforms
		}
		opt := ways[n/len(asked)%len(ways)]
		o, err := magus.Check(t.Context(), s.claim, magus.Options{Loop: opt}, nil)
		require.NoError(t, err, s.text)
		count[fmt.Sprintf("%s %v", r, o.Verdict)]++
		if o.Verdict == magus.Unknown && r == component.Divergences { // loops that end for a reason that is not found
			continue
		}
		require.Equal(t, want, o.Verdict, "program %d, %+v, %v\n%s", n, opt, o.Reason, s.text)
	}
	t.Log(count)
}
