package predabs

import (
	"slices"

	"magus/cfa"
	"magus/internal/expr"
)

// FromUser is the origin of candidates that somebody added by hand.
const FromUser = "user"

// Add makes candidates of the atomic conditions of cond, at all locations of
// the frames, and gives their numbers. One that starts at the same locations
// already is not added again.
func (x *Abstraction) Add(cond *expr.Expr, frames []int, pos cfa.Pos) []int {
	var added []int
	for _, l := range leaves(cond) {
		c := &Candidate{Cond: l, Pos: pos, Origin: FromUser}
		for n := range x.Graph.nodes {
			if loc, ok := x.Graph.Loc(Node(n)); ok && slices.Contains(frames, x.Graph.Comp.CFA.Locs[loc].Frame) {
				c.place(Node(n), x.atoms.of(l))
			}
		}
		known := slices.IndexFunc(x.Candidates, func(k *Candidate) bool {
			return k.Cond == l && !k.local && subset(c.at, k.at)
		})
		if known < 0 {
			known = len(x.Candidates)
			x.Candidates = append(x.Candidates, c)
		}
		added = append(added, known)
	}
	return added
}

// SetCandidates makes the candidates what they were before some were added, or
// after that again.
func (x *Abstraction) SetCandidates(cands []*Candidate) {
	x.Candidates, x.clusters = cands, nil
}
