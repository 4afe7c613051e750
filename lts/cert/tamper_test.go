package cert_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/lts"
	"magus/lts/cert"
)

// A sketch is an LTS to be changed.
type sketch struct {
	states int
	edges  []transition
}

type transition struct {
	from lts.State
	a    lts.Action
	to   lts.State
}

func (s *sketch) build(table *lts.Actions, alphabet []lts.Action) *lts.LTS {
	b := lts.NewBuilder(table)
	b.AddStates(s.states)
	b.Alphabet(alphabet...)
	for _, e := range s.edges {
		b.AddEdge(e.from, e.a, e.to)
	}
	return b.Build()
}

// randomSketches draws a spec and an impl that is likely to be contained in it: the same transitions,
// most of them, on twice as many states.
func randomSketches(r *rand.Rand, labels []lts.Action) (impl, spec *sketch) {
	n := 2 + r.IntN(4)
	impl, spec = &sketch{states: 2 * n}, &sketch{states: n}
	for range n + r.IntN(3*n) {
		e := transition{lts.State(r.IntN(n)), labels[r.IntN(len(labels))], lts.State(r.IntN(n))}
		if r.IntN(6) > 0 {
			spec.edges = append(spec.edges, e)
		}
		for range r.IntN(3) {
			impl.edges = append(impl.edges, transition{e.from + lts.State(n*r.IntN(2)), e.a, e.to + lts.State(n*r.IntN(2))})
		}
	}
	if len(spec.edges) == 0 {
		spec.edges = append(spec.edges, transition{0, labels[0], 0})
	}
	return impl, spec
}

// tamper changes one thing of a certificate of a containment that holds.
func tamper(r *rand.Rand, c *cert.Certificate, impl, spec *sketch) {
	said := []*[]lts.Simulated{&c.Simulations.Spec, &c.Simulations.Impl, &c.Simulations.Cross}[r.IntN(3)]
	pair := func() *lts.Pair { return &c.Pairs[r.IntN(len(c.Pairs))] }
	switch kind := r.IntN(8); {
	case kind == 0 && len(c.Pairs) > 0:
		i := r.IntN(len(c.Pairs))
		c.Pairs = slices.Delete(c.Pairs, i, i+1)
	case kind == 1 && len(c.Pairs) > 0:
		p := pair()
		i := r.IntN(len(p.Spec))
		p.Spec = slices.Delete(p.Spec, i, i+1)
	case kind == 2 && len(c.Pairs) > 0:
		p := pair()
		p.Spec = append(p.Spec, lts.State(r.IntN(spec.states)))
	case kind == 3 && len(c.Pairs) > 0:
		pair().Impl[0] = lts.State(r.IntN(impl.states))
	case kind == 4 && len(*said) > 0:
		i := r.IntN(len(*said))
		*said = slices.Delete(*said, i, i+1)
	case kind == 5 && len(*said) > 0:
		p := &(*said)[r.IntN(len(*said))]
		p.By = append(p.By, lts.State(r.IntN(spec.states)))
	case kind == 6:
		*said = append(*said, lts.Simulated{State: lts.State(r.IntN(spec.states)),
			By: []lts.State{lts.State(r.IntN(spec.states))}})
	default:
		c.Strong = !c.Strong
	}
}

// Certificates that were tampered with, and certificates of questions that are nearly the same, are
// refuted; or what they say is right.
func TestTamperedCertificates(t *testing.T) {
	refuted, wrongRefuted, right := 0, 0, 0
	for seed := range uint64(8000) {
		r := rand.New(rand.NewPCG(seed, 40))
		table := lts.NewActions()
		visible := []lts.Action{table.Intern("a"), table.Intern("b")}
		labels := append([]lts.Action{lts.Tau}, visible...)
		si, ss := randomSketches(r, labels)
		impl, spec := []*lts.LTS{si.build(table, visible)}, ss.build(table, visible)
		if r.IntN(3) == 0 {
			impl = append(impl, edges(table, 2, "0 a 1", "1 a 0", "1 tau 0"))
		}
		contains := []func(context.Context, []*lts.LTS, *lts.LTS, lts.Limits) (lts.Result, error){lts.Contains,
			lts.ContainsStrong}[seed%2]
		lim := lts.Limits{Antichain: true, Subsumption: lts.AlwaysSubsumption, Order: lts.Order(r.IntN(2))}
		if r.IntN(4) == 0 {
			lim.Subsumption = lts.NoSubsumption
		}
		result, err := contains(context.Background(), impl, spec, lim)
		require.NoError(t, err)
		if result.Verdict != lts.Holds {
			continue
		}
		c, err := cert.Of(impl, spec, result)
		require.NoError(t, err)
		require.NoError(t, c.Check(context.Background(), impl, spec))
		if seed%3 == 0 {
			tamper(r, c, si, ss)
		} else { // one more transition of impl, or one transition of spec elsewhere
			if r.IntN(2) == 0 {
				si.edges = append(si.edges, transition{lts.State(r.IntN(si.states)), labels[r.IntN(3)],
					lts.State(r.IntN(si.states))})
			} else {
				ss.edges[r.IntN(len(ss.edges))].to = lts.State(r.IntN(ss.states))
			}
			impl[0], spec = si.build(table, visible), ss.build(table, visible)
			c.Impl[0] = cert.Size{States: impl[0].NumStates(), Edges: impl[0].NumEdges()}
			c.Spec = cert.Size{States: spec.NumStates(), Edges: spec.NumEdges()}
		}
		ask := lts.Contains
		if c.Strong {
			ask = lts.ContainsStrong
		}
		now, err := ask(context.Background(), impl, spec, lts.Limits{Subsumption: lts.NoSubsumption})
		require.NoError(t, err)
		if err := c.Check(context.Background(), impl, spec); err == nil {
			require.Equal(t, lts.Holds, now.Verdict, "seed %d", seed)
			right++
			continue
		}
		refuted++
		if now.Verdict != lts.Holds {
			wrongRefuted++
		}
	}
	t.Logf("%d refuted, %d of them wrong; %d right", refuted, wrongRefuted, right)
	require.Greater(t, refuted, 500)
	require.Greater(t, wrongRefuted, 200)
	require.Greater(t, right, 500)
}
