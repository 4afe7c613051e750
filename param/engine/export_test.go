package engine

import (
	"context"

	"magus/param"
)

// OutcomesOfAll are the outcomes of all methods for the first property, as they are before a run is replayed, of
// those that end within some shares.
func OutcomesOfAll(ctx context.Context, sys *param.System) (all []*Result) {
	s, err := New(sys, 0, Options{})
	if err != nil {
		panic(err)
	}
	for _, m := range s.methods {
		for range 20 {
			if e, ok := m.Advance(ctx, firstShare).(ended); ok {
				all = append(all, e.Outcome)
				break
			}
		}
	}
	return all
}
