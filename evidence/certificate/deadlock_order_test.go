package certificate

import (
	"context"
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/internal/sample"
	"magus/lts"
)

// randomStander is a model with a few actions and ways to stand still.
func randomStander(rnd *rand.Rand, names *lts.Actions, number int, shared []lts.Action) (*lts.LTS,
	map[lts.Action]lts.Standing) {
	b := lts.NewBuilder(names)
	states := 2 + rnd.Intn(3)
	b.AddStates(states)
	standing := map[lts.Action]lts.Standing{}
	own := []lts.Action{}
	for _, a := range shared {
		if rnd.Intn(2) == 0 {
			own = append(own, a)
		}
	}
	b.Alphabet(own...)
	for q := range lts.State(states) {
		var visible []lts.Action
		for range rnd.Intn(4) {
			to := lts.State(rnd.Intn(states))
			if len(own) == 0 || rnd.Intn(5) == 0 {
				b.AddEdge(q, lts.Tau, to)
				continue
			}
			a := own[rnd.Intn(len(own))]
			visible = append(visible, a)
			b.AddEdge(q, a, to)
		}
		for k := range rnd.Intn(3) {
			s := lts.Standing{Ended: len(visible) == 0 && rnd.Intn(3) > 0}
			for _, a := range visible {
				if rnd.Intn(4) > 0 {
					s.Offers = append(s.Offers, a)
				}
			}
			says := names.Intern(fmt.Sprintf("stands %d %d %d", number, q, k))
			standing[says] = s
			b.AddEdge(q, says, q)
		}
	}
	return b.Build(), standing
}

// What is found in few orders of steps is found in all: with one copy of each model, and with several.
func TestOrderAgreesWithTuples(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	found, free := 0, 0
	for n := range sample.Count(6000) {
		names := lts.NewActions()
		var shared []lts.Action
		for k := range 2 + rnd.Intn(4) {
			shared = append(shared, names.Intern(string(rune('a'+k))))
		}
		spec := lts.NewBuilder(names)
		spec.AddStates(1)
		sub := &Subject{System: &component.System{Question: component.NoDeadlock, Spec: spec.Build()}}
		var models []*lts.LTS
		var checkers []*Checker
		for i := range 2 + rnd.Intn(3) {
			m, standing := randomStander(rnd, names, i, shared)
			models = append(models, m)
			checkers = append(checkers, &Checker{prog: &program{standing: standing}})
			sub.Copies = append(sub.Copies, 1+rnd.Intn(4)/3)
		}
		c := &Certificate{}
		all := c.checkTuples(context.Background(), sub, checkers, models)
		few := c.checkOrder(context.Background(), sub, checkers, models)
		require.Equal(t, all, few, "system %d", n)
		if all == nil {
			free++
		} else {
			found++
		}
	}
	require.Greater(t, found, 20)
	require.Greater(t, free, 20)
}
