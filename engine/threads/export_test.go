package threads

import (
	"context"

	"magus/cfa"
)

// RunEach is [Run] with each of some options; the random runs of likely links are made once.
func RunEach(ctx context.Context, c *cfa.CFA, options []Options, each func(Options, Result) bool) error {
	var seen likelies
	for _, o := range options {
		s := New(c, o)
		s.likely = seen
		for s.stage != finished {
			if _, err := s.Step(ctx); err != nil {
				return err
			}
		}
		seen = s.likely
		if !each(o, s.out) {
			break
		}
	}
	return nil
}
