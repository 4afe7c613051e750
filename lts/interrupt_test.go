package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/internal/countdown"
)

// tangled is an LTS of random transitions, a fourth of them τ, all of whose states are reachable.
func tangled(t *Actions, seed uint64, states, edges int) *LTS {
	actions := []Action{Tau, Tau, Tau}
	for i := range 9 {
		actions = append(actions, t.Intern(fmt.Sprint("t", i)))
	}
	r := rand.New(rand.NewPCG(seed, 1))
	b := NewBuilder(t)
	b.AddStates(states)
	for i := range edges {
		from, to := State(r.IntN(states)), State(r.IntN(states))
		if i+1 < states {
			from, to = State(r.IntN(i+1)), State(i+1)
		}
		b.AddEdge(from, actions[r.IntN(len(actions))], to)
	}
	return b.Build()
}

// guessing is the LTS whose deterministic form has 2^n states: an a was n steps ago.
func guessing(t *Actions, n int) *LTS {
	a, c := t.Intern("a"), t.Intern("b")
	b := NewBuilder(t)
	b.AddStates(n + 1)
	b.AddEdge(0, a, 0)
	b.AddEdge(0, c, 0)
	b.AddEdge(0, a, 1)
	for s := State(1); int(s) < n; s++ {
		b.AddEdge(s, a, s+1)
		b.AddEdge(s, c, s+1)
	}
	return b.Build()
}

// longWork are operations on LTSs that keep each of them busy for long.
func longWork(states int) map[string]func(context.Context) error {
	table := NewActions()
	m, other := tangled(table, 1, states, 4*states), tangled(table, 2, states, 4*states)
	guess := guessing(table, 40)
	var rings []*LTS
	for i := range 12 {
		rings = append(rings, counter(table, fmt.Sprint("r", i), 50))
	}
	all := counter(table, "r0", 50)
	work := map[string]func(context.Context) error{
		"compose":      func(ctx context.Context) error { _, err := Compose(ctx, rings, Limits{}); return err },
		"determinise":  func(ctx context.Context) error { _, err := Determinize(ctx, guess, Limits{}); return err },
		"contain":      func(ctx context.Context) error { _, err := Contains(ctx, rings, all, Limits{}); return err },
		"contain sets": func(ctx context.Context) error { _, err := Contains(ctx, []*LTS{m}, other, Limits{}); return err },
		"reduce": func(ctx context.Context) error {
			_, _, err := ComposeReduced(ctx, append(rings, m), all.Alphabet(), Limits{})
			return err
		},
		"counterexamples": func(ctx context.Context) error {
			_, _, err := Counterexamples(ctx, []*LTS{m, rings[0], rings[1]}, all, 300, 1_000_000)
			return err
		},
	}
	for r := range relationNames {
		r := Relation(r)
		work["compare "+r.String()] = func(ctx context.Context) error {
			_, err := Compare(ctx, m, other, r, Limits{})
			return err
		}
		if r.isBisimulation() || r == WeakTraceEq {
			work["minimise "+r.String()] = func(ctx context.Context) error {
				_, err := Minimize(ctx, m, r, Limits{})
				return err
			}
		}
	}
	return work
}

// Every operation on LTSs ends soon after its context.
func TestInterrupted(t *testing.T) {
	states, moments := 50_000, []time.Duration{time.Millisecond, 100 * time.Millisecond}
	if testing.Short() {
		moments = moments[:1]
	}
	for name, do := range longWork(states) {
		t.Run(name, func(t *testing.T) {
			for i, after := range moments {
				if err := countdown.Hears(t, after, do); i == 0 || err != nil {
					require.ErrorIs(t, err, context.DeadlineExceeded, "it was over too soon")
				}
			}
		})
	}
}

// TestInterruptedProof interrupts a search whose specification has large sets at each look at its context: it
// holds, with a proof whose pairs share their sets, or nothing is known, also where only the proof was not
// complete.
func TestInterruptedProof(t *testing.T) {
	const n = 3000
	table := NewActions()
	b := NewBuilder(table)
	b.AddStates(n)
	for s := State(1); s < n; s++ {
		b.AddEdge(0, table.Intern([]string{"a", "b"}[s%2]), s)
		b.AddEdge(s, Tau, 0)
	}
	m := b.Build()
	lim := Limits{Antichain: true, Subsumption: NoSubsumption}
	stopped := 0
	for looks := int64(1); ; looks++ {
		r, err := Contains(countdown.Looks(t.Context(), looks), []*LTS{m}, m, lim)
		if err != nil {
			require.Equal(t, Unknown, r.Verdict)
			require.Nil(t, r.Antichain)
			stopped++
			continue
		}
		require.Equal(t, Holds, r.Verdict)
		require.Len(t, r.Antichain, n)
		require.Same(t, &r.Antichain[1].Spec[0], &r.Antichain[2].Spec[0])
		break
	}
	require.Greater(t, stopped, 100)
}
