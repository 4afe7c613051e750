package magus

import (
	"context"

	"magus/component"
	"magus/engine/cegar"
)

// Options steer a check. The zero value is the default.
type Options = cegar.Options

// Check answers a claim. observe, if not nil, sees what happens on the way. An
// error means that the input is wrong, or that ctx ended before the check began;
// programs that use what is not modelled are unknown, with the place.
//
// The engine is the two-level loop of package cegar, whose sessions can also be
// driven step by step.
func Check(ctx context.Context, claim *component.Claim, opt Options, observe func(cegar.Event)) (*Outcome, error) {
	s, err := cegar.NewSession(ctx, claim, opt)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Run(ctx, observe), nil
}
