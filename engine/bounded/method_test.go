package bounded

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/engine/invariants"
	"magus/engine/portfolio"
	"magus/lts"
)

// methodsOf are the search and the induction by each of its means, for a random program.
func methodsOf(t *testing.T, seed uint64) (all []Method, violates bool) {
	m := newMaker(seed, 5)
	g, spec := component.NewGraph(m.component(4+m.r.IntN(8))), m.specification(lts.Tau)
	f, err := newFlow(t.Context(), g)
	require.NoError(t, err)
	left, _ := (&explorer{flow: f, vars: m.vars, spec: spec, taken: make([]bool, len(g.Edges))}).reach()
	found, err := invariants.Bounds(t.Context(), g, f.order)
	require.NoError(t, err)
	s, err := New(t.Context(), g, spec)
	require.NoError(t, err)
	all = append(all, s.Method(0))
	for _, means := range []Means{All, KInduction, PropertyDirected, Intervals} {
		x, err := NewInduction(t.Context(), g, spec, found)
		require.NoError(t, err)
		x.Only(means)
		all = append(all, x.Method())
	}
	return all, left
}

// eventsOf gives a method shares until it has ended or given up, or has had many. An interrupt comes before each
// share if they are interrupted.
func eventsOf(t *testing.T, m Method, interrupted bool) []event {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var all []event
	for range 60 {
		if interrupted {
			m.Advance(ctx, 2000)
		}
		e := m.Advance(t.Context(), 2000)
		all = append(all, e)
		if _, goesOn := e.(worked); !goesOn {
			break
		}
	}
	return all
}

// Each method alone is right, whatever its means. What it does with equal shares is equal, and it is
// right after interrupts as well.
func TestMethodsAlone(t *testing.T) {
	programs := uint64(60)
	if testing.Short() {
		programs = 20
	}
	answers := map[string]int{}
	for seed := range programs {
		methods, violates := methodsOf(t, seed)
		again, _ := methodsOf(t, seed)
		late, _ := methodsOf(t, seed)
		for i, m := range methods {
			events := eventsOf(t, m, false)
			last := events[len(events)-1]
			switch e := last.(type) {
			case ended:
				answers[m.Name()]++
				require.Equal(t, violates, e.Outcome.Answer.Path != nil, "%s of program %d", m.Name(), seed)
			case gaveUp:
				require.True(t, errors.Is(e.Why, ErrNoProof), "%s of program %d: %v", m.Name(), seed, e.Why)
			}
			if _, goesOn := last.(worked); !goesOn {
				after := m.Advance(t.Context(), 1)
				require.Zero(t, after.Spent())
				require.IsType(t, last, after)
			}
			same(t, events, eventsOf(t, again[i], false))
			interrupted := eventsOf(t, late[i], true)
			if e, ok := interrupted[len(interrupted)-1].(ended); ok {
				require.Equal(t, violates, e.Outcome.Answer.Path != nil, "%s of program %d, interrupted", m.Name(), seed)
			}
		}
	}
	for _, name := range []string{SearchMethod, All.String(), KInduction.String(), PropertyDirected.String(),
		Intervals.String()} {
		require.Positive(t, answers[name], name)
	}
	require.GreaterOrEqual(t, answers[All.String()], answers[Intervals.String()])
}

// same requires that two methods did the same, with the same effort.
func same(t *testing.T, want, got []event) {
	require.Len(t, got, len(want))
	for i := range want {
		require.IsType(t, want[i], got[i])
		if _, over := want[i].(ended); !over {
			require.Equal(t, want[i].Spent(), got[i].Spent())
			require.Equal(t, want[i].String(), got[i].String())
		}
	}
}

// A session over them decides as each of them does.
func TestMethodsTogether(t *testing.T) {
	decided := 0
	for seed := range uint64(60) {
		methods, violates := methodsOf(t, seed)
		s := portfolio.New("all", portfolio.Rounds{First: 500, Times: 2, Per: 1}, methods...)
		if e, ok := s.Advance(t.Context(), 200_000).(ended); ok {
			decided++
			require.Equal(t, violates, e.Outcome.Answer.Path != nil, "program %d", seed)
		}
	}
	require.Greater(t, decided, 40)
}
