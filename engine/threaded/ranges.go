package threaded

// Proofs that know of large arrays only which values their elements have.
//
// Idea: an error may rest on elements of large arrays, which are no variables. Then a proof is first tried
// by the ranges of these elements ([sequential.InRanges]). Only if that fails do they become variables,
// which are many. Ranges come from an analysis of all that is stored, on which nothing rests.
//
// Cost: shares of an induction over the product of the threads.

import (
	"context"

	"magus/cfa"
	"magus/cfa/sequential"
	"magus/engine/invariants"
	"magus/evidence/certificate"
)

// confine confines arrays to the ranges of what is stored to them, and makes the product.
func (p *pair) confine(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	if len(c.Threads) == 0 {
		return c, nil
	}
	var err error
	if p.ranges, err = ranges(ctx, c); err != nil {
		return nil, err
	}
	return confined(p.ranges, Product)(ctx, c)
}

// confined makes an automaton of one thread behind confining arrays.
func confined(ranges []sequential.Range, then func(context.Context, *cfa.CFA) (*cfa.CFA,
	error)) func(context.Context, *cfa.CFA) (*cfa.CFA, error) {
	return func(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
		c, err := sequential.InRanges(c, ranges)
		if err != nil {
			return nil, err
		}
		return then(ctx, c)
	}
}

// ranges are those of large arrays in an automaton. The error is ErrRange if there are none.
func ranges(ctx context.Context, c *cfa.CFA) ([]sequential.Range, error) {
	all := sequential.RangesOf(c)
	var pieces []invariants.Piece
	for _, r := range all {
		pieces = append(pieces, invariants.Piece{First: r.First, Last: r.Last, Size: r.Size})
	}
	elements, err := invariants.Elements(ctx, c, pieces)
	if err != nil {
		return nil, err
	}
	var known []sequential.Range
	for i, e := range elements {
		if r := all[i]; e.Known {
			r.Signed, r.Low, r.High = e.Signed, e.Low, e.High
			known = append(known, r)
		}
	}
	if len(known) == 0 {
		return nil, sequential.ErrRange
	}
	return known, nil
}

// certified are the ranges of a proof, as certificates have them.
func (p *pair) certified() []certificate.Range {
	var all []certificate.Range
	for _, r := range p.ranges {
		all = append(all, certificate.Range(r))
	}
	return all
}

// asRanges are the ranges of a certificate.
func asRanges(from []certificate.Range) []sequential.Range {
	var all []sequential.Range
	for _, r := range from {
		all = append(all, sequential.Range(r))
	}
	return all
}
