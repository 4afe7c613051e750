package engine

import (
	"context"

	"magus/param"
)

// Turn is a step that does not end the session when the context has ended.
func (s *Session) Turn(ctx context.Context) Event { return s.turn(ctx) }

// OutcomesOfAll are the outcomes of all methods for the first property, as they are before a run is replayed, of
// those that end within some turns.
func OutcomesOfAll(ctx context.Context, sys *param.System) (all []*Result) {
	s, err := New(sys, 0, Options{})
	if err != nil {
		panic(err)
	}
	for _, m := range s.methods {
		for range 20 {
			if e, ok := m.turn(ctx, firstWork).(Ended); ok {
				all = append(all, e.Result)
				break
			}
		}
	}
	return all
}
