package lts

// Trees that a specification cannot follow.
//
// Idea: the rank of a refuted pair is the number of steps within which the specification is at a loss there: one more
// than the greatest rank of the answers to its best step. From the first tuple on, with the set of states that the
// specification may be in, each state goes with a step that lowers its rank, the step that does so for most of them
// first; the answers to a step are the set behind it. So ranks fall along each branch, and the tree is as high as the
// rank of the first pair.
//
// Source: attractors of reachability games, as in Grädel, Thomas, Wilke (eds.): Automata, Logics, and Infinite Games
// (2002), section 2.5. Cost: the steps and answers of the refuted pairs; a tree is bounded.

import (
	"context"
	"slices"
)

// rank gives all refuted pairs their ranks, round by round. The error is ctx's.
func (g *simulationGame) rank(ctx context.Context) error {
	g.ranks = make([]int32, g.pairs.count)
	var open []int32
	for n, refuted := range g.refuted {
		if refuted {
			open = append(open, int32(n))
		}
	}
	for round := int32(1); g.ranks[0] == 0; round++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var now []int32
		open = slices.DeleteFunc(open, func(n int32) bool {
			if g.atLoss(n, round) {
				now = append(now, n)
				return true
			}
			return false
		})
		if now == nil {
			panic("lts: a pair was refuted without a reason")
		}
		for _, n := range now {
			g.ranks[n] = round
		}
	}
	return nil
}

// atLoss reports whether some step of a pair has only answers of ranks below a round.
func (g *simulationGame) atLoss(pair, round int32) bool {
	tuple, spec := g.pairs.at(pair)[0], g.pairs.at(pair)[1]
	return slices.ContainsFunc(g.stepsOf(tuple), func(s gameStep) bool { return g.defeats(s, spec, round) })
}

// defeats reports whether all answers of a state to a step have ranks below a round.
func (g *simulationGame) defeats(s gameStep, spec State, round int32) bool {
	return !slices.ContainsFunc(g.answers(spec, s.action), func(v State) bool {
		r := g.rankOf(s.to, v)
		return r == 0 || r >= round
	})
}

// rankOf is the rank of a pair, 0 if it has none.
func (g *simulationGame) rankOf(tuple, spec State) int32 {
	if n, known := g.pairs.lookup([]State{tuple, spec}); known && int(n) < len(g.ranks) {
		return g.ranks[n]
	}
	return 0
}

// tree is a tree of steps from the first tuple on; nil if it is too large.
func (g *simulationGame) tree() *Tree {
	t := &Tree{}
	if !g.grow(t, -1, 0, []State{g.spec.init}) {
		return nil
	}
	return t
}

// grow adds what comes after a step, where the composition is at a tuple and the specification in one of some states,
// all refuted. It reports whether the tree is not too large.
func (g *simulationGame) grow(t *Tree, parent int, tuple State, specs []State) bool {
	left := slices.Clone(specs)
	steps := g.stepsOf(tuple)
	for len(left) > 0 {
		if len(t.Nodes) >= maxTreeNodes {
			return false
		}
		best, most := -1, 0
		for k, s := range steps {
			n := 0
			for _, u := range left {
				if g.defeats(s, u, g.rankOf(tuple, u)) {
					n++
				}
			}
			if n > most {
				best, most = k, n
			}
		}
		s := steps[best]
		var after []State
		left = slices.DeleteFunc(left, func(u State) bool {
			if !g.defeats(s, u, g.rankOf(tuple, u)) {
				return false
			}
			after = append(after, g.answers(u, s.action)...)
			return true
		})
		slices.Sort(after)
		from, to := slices.Clone(g.tuples.at(int32(tuple))), slices.Clone(g.tuples.at(int32(s.to)))
		t.Nodes = append(t.Nodes, TreeNode{parent, g.product.step(from, s.action, to)})
		if !g.grow(t, len(t.Nodes)-1, s.to, slices.Compact(after)) {
			return false
		}
	}
	return true
}
