package engine

import (
	"context"

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

// closure is the upward closure of p for the order that the zones strengthen, as a union of sets. Some are
// missing if the context has ended.
func closure[S any](ctx context.Context, d domain[S], zones []linear.Atom, p S) []S {
	var parts []S
	var build func(k int, p S, outside []linear.Atom)
	build = func(k int, p S, outside []linear.Atom) {
		for ; k < len(zones); k++ {
			if ctx.Err() != nil {
				return
			}
			if d.implies(p, zones[k]) {
				continue
			}
			not := zones[k].Negate()
			if !d.excludes(p, zones[k]) {
				if inside, ok := d.with(p, zones[k]); ok {
					build(k+1, inside, outside)
				}
			}
			outside = append(outside[:len(outside):len(outside)], not)
			if _, ok := d.with(d.upward(p), outside...); !ok {
				return
			}
		}
		if part, ok := d.with(d.upward(p), outside...); ok {
			parts = append(parts, part)
		}
	}
	build(0, p, nil)
	return parts
}
