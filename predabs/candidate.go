package predabs

// Candidates: what predicates are chosen from.
//
// Idea: conditions that ask about the same thing belong together. x == 1,
// x == 2 and x < 6 exclude each other or follow from each other, so that all
// of them are one predicate with a few values, and whoever needs one of them
// mostly needs the others: where a program dispatches on x, the paths that tell
// any two values apart ask for all but one. A candidate is all the conditions
// of one subject: the comparisons of a term with constants, or the comparisons
// of two terms with each other up to a constant summand. It is chosen or left
// as a whole and counts as one.
//
// Source: Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), section 9.1, where "MAGIC combines multiple mutually
// exclusive expressions (e.g., x == 1, x < 1, and x > 1) into a single,
// possibly non-binary predicate".
//
// Deviations: the paper's candidates are branches, and it combines the
// expressions that it has inferred from the branches chosen; here the branches
// are combined before the choice.
//
// What a path adds (discover.go) makes a wider version of the subject's last
// candidate, with a number of its own. The narrower one stays a candidate, for
// what is known of it stays true and it is the cheaper of the two where it
// suffices. No smallest set has both.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/component"
	"magus/smt/expr"
)

// Origins of candidates.
const (
	FromBranch = "branch"
	FromGuard  = "guard"
	FromReturn = "return"
	FromGiven  = "given"
	FromPath   = "path"
	FromUser   = "user" // added by hand
	// FromEarlier is what an earlier session left.
	FromEarlier = "earlier"
)

// A Candidate is a member of the set that P is chosen from: all conditions of
// one subject.
type Candidate struct {
	Pos      cfa.Pos // of one branch or statement that asks
	Origin   string  // of the same
	subject  subject
	conds    []*condition
	narrower int // the version before; -1 if this is the first
	weight   int // 0: not counted yet
}

// A subject is what a condition asks about: a term that is compared with
// constants, two terms that are compared with each other, or else the condition
// itself.
type subject struct{ a, b *expr.Expr }

func subjectOf(cond *expr.Expr) subject {
	if cond.Op() != expr.Eq && cond.Op() != expr.Lt {
		return subject{a: cond}
	}
	a, b := summed(cond.Args()[0]), summed(cond.Args()[1])
	switch {
	case b.IsConst():
		return subject{a: cond.Args()[0]}
	case a.IsConst():
		return subject{a: cond.Args()[1]}
	case a.ID() > b.ID():
		a, b = b, a
	}
	return subject{a, b}
}

// summed is e without a constant that is added to it.
func summed(e *expr.Expr) *expr.Expr {
	if e.Op() == expr.Add && e.Args()[1].IsConst() {
		return e.Args()[0]
	}
	return e
}

// Groups counts conditions as MAGIC's tables do: those of one subject count as
// one predicate of many values.
func Groups(conds []*expr.Expr) int {
	seen := map[subject]bool{}
	for _, c := range conds {
		seen[subjectOf(c)] = true
	}
	return len(seen)
}

// A candidateList has all candidates there are, in the order in which they were made.
type candidateList struct {
	Candidates []*Candidate

	latest map[subject]int // the last candidate of each subject
}

func newCandidateList() *candidateList { return &candidateList{latest: map[subject]int{}} }

// seed is a condition of its subject's candidate; numbers says which one it is there.
func (x *candidateList) seed(cond *expr.Expr, pos cfa.Pos, origin string,
	numbers map[*expr.Expr]int) (*Candidate, *condition) {
	i := x.last(subjectOf(cond))
	if i < 0 {
		i = x.widen(subjectOf(cond), nil, pos, origin)
	}
	c := x.Candidates[i]
	k, known := numbers[cond]
	if !known {
		k = len(c.conds)
		numbers[cond] = k
		c.conds = append(c.conds, &condition{cond: cond})
	}
	return c, c.conds[k]
}

// last is the number of a subject's last version, -1 if it has none.
func (x *candidateList) last(s subject) int {
	if i, known := x.latest[s]; known {
		return i
	}
	return -1
}

// widen adds a version of the subject's candidate that has further conditions.
func (x *candidateList) widen(s subject, more []*condition, pos cfa.Pos, origin string) int {
	c := &Candidate{Pos: pos, Origin: origin, subject: s, conds: more, narrower: x.last(s)}
	if c.narrower >= 0 {
		last := x.Candidates[c.narrower]
		c.Pos, c.Origin = last.Pos, last.Origin
		c.conds = slices.Concat(last.conds, more)
	}
	x.latest[s] = len(x.Candidates)
	x.Candidates = append(x.Candidates, c)
	return len(x.Candidates) - 1
}

// Widest drops from a set the candidates of which it has a wider version, and
// thus everything that they ask.
func (x *Abstraction) Widest(set []int) []int {
	dropped := map[int]bool{}
	for _, i := range set {
		for i = x.Candidates[i].narrower; i >= 0; i = x.Candidates[i].narrower {
			dropped[i] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(set), func(i int) bool { return dropped[i] })
}

// Add makes candidates of an origin of the atomic conditions of cond, at all locations of
// the frames, and gives their numbers. A candidate that asks the condition
// already, wherever it matters, is given as it is.
func (x *Abstraction) Add(cond *expr.Expr, frames []int, pos cfa.Pos, origin string) []int {
	var added []int
	for _, l := range leaves(cond) {
		c := &condition{cond: l}
		for n := range x.Graph.NumNodes() {
			if loc, ok := x.Graph.Loc(component.Node(n)); ok && slices.Contains(frames, x.Graph.Comp.CFA.Locs[loc].Frame) {
				c.startAt(component.Node(n), x.atoms.of(l))
			}
		}
		s := subjectOf(l)
		k := x.last(s)
		if k < 0 || !x.Candidates[k].asks(l) {
			k = x.widen(s, []*condition{c}, pos, origin)
		}
		added = append(added, k)
	}
	return added
}

// asks reports whether cond is a condition of the candidate that is followed
// backward to wherever it matters.
func (c *Candidate) asks(cond *expr.Expr) bool {
	return slices.ContainsFunc(c.conds, func(k *condition) bool { return k.cond == cond && !k.local })
}

// has reports whether the candidate has the condition at the same control
// points, of the same kind.
func (c *Candidate) has(q *condition) bool {
	return slices.ContainsFunc(c.conds, func(k *condition) bool {
		return k.cond == q.cond && k.local == q.local && !slices.ContainsFunc(q.at, func(p placed) bool {
			return !k.placed(p)
		})
	})
}

// SetCandidates makes the candidates what they were before some were added, or
// after that again.
func (x *Abstraction) SetCandidates(cands []*Candidate) {
	*x.candidateList = *newCandidateList()
	for i, c := range cands {
		x.latest[c.subject] = i
	}
	x.Candidates, x.eliminator.clusters = cands, nil
}

// Weight is what candidate number i costs the abstraction: the number of pairs of
// a control point and an atom that is tracked there for its sake.
func (x *Abstraction) Weight(i int) int {
	c := x.Candidates[i]
	if c.weight == 0 {
		byNode, _, _ := x.inferrer.everywhere(context.Background(), []int{i})
		for _, as := range byNode {
			c.weight += len(as)
		}
	}
	return c.weight
}

// Multiplies reports whether a condition of the candidate multiplies or divides, which
// makes questions about it dear.
func (c *Candidate) Multiplies() bool {
	found := false
	for _, q := range c.conds {
		expr.Walk(func(e *expr.Expr) {
			found = found || e.Op() == expr.Mul || e.Op() == expr.Div || e.Op() == expr.Rem
		}, q.cond)
	}
	return found
}

// Terms are what the candidate asks, each once.
func (c *Candidate) Terms() []*expr.Expr {
	var all []*expr.Expr
	for _, q := range c.conds {
		if !slices.Contains(all, q.cond) {
			all = append(all, q.cond)
		}
	}
	return all
}

// Conditions are what the candidate asks, as C, each once.
func (c *Candidate) Conditions() []string {
	all := c.Terms()
	texts := make([]string, len(all))
	for i, e := range all {
		texts[i] = e.String()
	}
	return texts
}

// shownConditions is how many conditions of a candidate String shows.
const shownConditions = 3

// String is the candidate's conditions, the first few if there are many.
func (c *Candidate) String() string {
	all := c.Conditions()
	if len(all) <= shownConditions {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s, … (%d in all)", strings.Join(all[:shownConditions], ", "), len(all))
}
