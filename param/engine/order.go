package engine

import (
	"context"
	"slices"

	"magus/param/linear"
)

// Idea: the preorder a ≼ b says that a is at most b in every dimension, equal in its control part, and
// for each zone S that a is in S if b is. The upward closure of a set P therefore is a union over the
// subsets of zones: what is above the points of P within those zones, and outside all others. Zones that
// contain P, or that P does not meet, leave no choice; a choice that leaves nothing ends at once. So the
// parts that exist are built one after the other, and the formula with 2ⁿ disjuncts never is.
// Source: Abdulla, Chen, Delzanno, Haziza, Hong, Rezine, Constrained Monotonic Abstraction, 2009,
// sections 3.2 and 5 (strengthening, upward closure).
// Deviation: a zone is one atom. A zone that is a conjunction becomes one zone for each atom, which is a
// stronger order. Zones say nothing of the control part, in which comparable configurations agree.
// Cost: the number of parts that are not empty, in the worst case 2ⁿ.

// A part of an upward closure is what is above the points of inside, and outside some zones.
type part[S any] struct {
	inside  S
	outside []linear.Atom // negated zones
	set     S             // the part itself
}

// strengthen divides a part of a closure by further zones. Some is missing if the context has ended.
func strengthen[S any](ctx context.Context, d domain[S], zones []linear.Atom, p part[S]) []part[S] {
	parts := []part[S]{p}
	for _, z := range zones {
		var next []part[S]
		for _, p := range parts {
			if ctx.Err() != nil {
				return nil
			}
			if d.implies(p.inside, z) {
				next = append(next, p)
				continue
			}
			if !d.excludes(p.inside, z) {
				if inside, ok := d.with(p.inside, z); ok {
					if set, ok := d.with(d.upward(inside), p.outside...); ok {
						next = append(next, part[S]{inside, p.outside, set})
					}
				}
			}
			not := z.Negate()
			if set, ok := d.with(p.set, not); ok {
				next = append(next, part[S]{p.inside, append(slices.Clip(p.outside), not), set})
			}
		}
		parts = next
	}
	return parts
}
