package lts

import (
	"cmp"
	"slices"
)

// Idea: which operands of a reduced system are composed before the search, and in which order. A group is
// worth composing if its operands share an action that nobody else has and that is not observed: it
// becomes τ, and what differed by it alone can become one state. Groups are the sets of owners of such
// actions, so that an action of three operands is not hidden before all three are together. The group with
// the smallest product, if all its states were reachable, goes first; among equals that with more
// such actions, then the one whose operands come first.
//
// Source: the "smart reduction" of Crouzen, Lang, "Smart reduction" (FASE 2011), which weighs hidden
// actions against interleaving. Deviation: sizes alone decide, since all groups hide something.
//
// Groups that exceed the limits or gain nothing are not tried again. The search takes care of what is
// left; it stops early at a violation, and meets only what the context allows, so that for it not
// everything is composed: two operands are left.
//
// Cost: a round takes the number of actions times that of their owners, and sorting; each but the last
// ends with a composition, for which there are limits.

// order composes groups of at most largest components as long as there are some.
func (r *reduction) order(largest int) error {
	for {
		group := r.next(largest)
		if group == nil {
			return nil
		}
		if err := r.try(group); err != nil {
			return err
		}
	}
}

// try composes a group if that is within the limits and pays.
func (r *reduction) try(group []*operand) error {
	p, err := r.join(group)
	switch {
	case isLimit(err) || err == nil && !p.pays():
		group[0].refused = append(group[0].refused, group)
	case err != nil:
		return err
	default:
		r.replace(p)
	}
	return nil
}

// pays says whether composing is a gain: the composition could be made smaller by a fifth, or is not
// larger than one of its operands. Otherwise it only takes work from the search, which may need less of it,
// since it knows the context; and gains that are much smaller than what the next group multiplies lead
// nowhere.
func (p *operand) pays() bool {
	n := p.small.NumStates()
	return 5*n <= 4*p.source.NumStates() || slices.ContainsFunc(p.of, func(q *operand) bool {
		return n <= q.small.NumStates()
	})
}

// next returns the operands to be composed, or nil.
func (r *reduction) next(largest int) []*operand {
	groups := r.groups()
	var best []*operand
	bestSize, bestHidden := 0.0, 0
	for i := 0; i < len(groups); {
		g, hidden := groups[i], 0
		for i < len(groups) && slices.Equal(groups[i], g) {
			hidden++
			i++
		}
		group, size, components := make([]*operand, len(g)), 1.0, 0
		for k, index := range g {
			group[k] = r.operands[index]
			size *= float64(group[k].small.NumStates())
			components += group[k].components()
		}
		if components > largest || group[0].refuses(group) {
			continue
		}
		if best == nil || size < bestSize || size == bestSize && hidden > bestHidden {
			best, bestSize, bestHidden = group, size, hidden
		}
	}
	return best
}

// groups returns, for each action that is not observed and has several owners, the indices of these
// operands, in ascending order. Equal groups are next to each other.
func (r *reduction) groups() [][]int {
	owners := map[Action][]int{}
	for i, p := range r.operands {
		for _, a := range p.small.alphabet {
			if _, seen := slices.BinarySearch(r.observed, a); !seen {
				owners[a] = append(owners[a], i)
			}
		}
	}
	var groups [][]int
	for _, g := range owners {
		if len(g) > 1 {
			groups = append(groups, g)
		}
	}
	slices.SortFunc(groups, slices.Compare)
	return groups
}

// components returns how many components p is made of.
func (p *operand) components() int {
	n := 0
	for _, q := range p.of {
		n += q.components()
	}
	return cmp.Or(n, 1)
}

func (p *operand) refuses(group []*operand) bool {
	return slices.ContainsFunc(p.refused, func(g []*operand) bool { return slices.Equal(g, group) })
}
