package component

// Automata with the bodies of abstracted routines instead of their calls.
//
// Idea: what a routine with a body does is what its body does. Where a component
// takes it by its abstraction, the same component with the body inlined says
// what the calls stand for. Most simply all such bodies are inlined; where that is
// not modelled, for the routines call each other in a circle or the automaton would
// be too large, each routine alone.
//
// Cost: one lowering of the component with its bodies, of maxInlined locations at
// most, or one for each routine.

import (
	"context"
	"errors"
	"slices"

	"magus/cfa"
)

// maxInlined bounds an automaton with bodies inlined.
const maxInlined = 200_000

// Inlined are automata of component i, lowered as auto was, in which the bodies of
// routines stand that auto calls by their abstractions: one with all of them, or one
// for each routine. What is not modelled so is left out. An error is ctx's.
func (c *Claim) Inlined(ctx context.Context, i int, auto *cfa.CFA, opt Options) ([]*cfa.CFA, error) {
	var routines []string
	for _, loc := range auto.Locs {
		if call, ok := loc.Stmt.(cfa.Call); ok && c.Program.HasBody(call.Callee) && !c.isSummary(call.Callee) &&
			!slices.Contains(routines, call.Callee) {
			routines = append(routines, call.Callee)
		}
	}
	if routines == nil {
		return nil, nil
	}
	all, err := c.inline(ctx, i, opt, c.Program.HasBody)
	if all != nil || err != nil {
		return []*cfa.CFA{all}, err
	}
	var each []*cfa.CFA
	for _, r := range routines {
		one, err := c.inline(ctx, i, opt, func(name string) bool { return name == r })
		if err != nil {
			return nil, err
		}
		if one != nil {
			each = append(each, one)
		}
	}
	return each, nil
}

// inline lowers component i with some routines inlined; nil if that is not modelled.
func (c *Claim) inline(ctx context.Context, i int, opt Options, inlined func(routine string) bool) (*cfa.CFA, error) {
	low := c.lowering(opt)
	low.StrictCalls, low.Recursion, low.MaxLocations = false, 0, maxInlined
	low.Abstracted = func(name string) bool { return c.Lowering.Abstracted(name) && !inlined(name) }
	auto, err := c.lower(ctx, c.Procedures[i], low, opt.Inlined, &loweredBefore{})
	if refused := (*cfa.UnsupportedError)(nil); errors.As(err, &refused) {
		return nil, nil
	}
	return auto, err
}
