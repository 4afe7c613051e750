package bounded

// The search and the induction as methods of a portfolio.
//
// Idea: both count what their solver did, so both go on for a share of it (package portfolio). The induction holds
// several means to a proof, which share its effort; each of them can be taken alone.
//
// Cost: none of its own.

import (
	"context"
	"errors"
	"fmt"

	"magus/engine/portfolio"
	"magus/internal/phrase"
)

// A Finding is what a method of this package ends with: the search with a violation or with all runs searched, the
// induction with a proof.
type Finding struct {
	Answer Answer
	Proof  *Proof // of the induction; nil of the search
	By     Means  // that have found the proof
}

// Method is what a portfolio knows of the search and of the induction.
type Method = portfolio.Method[Finding]

// What the search and the induction do with a share.
type (
	event  = portfolio.Event[Finding]
	worked = portfolio.Worked[Finding]
	gaveUp = portfolio.GaveUp[Finding]
	ended  = portfolio.Ended[Finding]
)

// NoViolation is why a search gives up: all runs were searched but those that are left out.
type NoViolation struct {
	Answer
	Bound int // the depth that it does not go beyond; 0 if runs are cut off within the layers
}

func (e *NoViolation) Error() string {
	if e.Bound > 0 {
		return fmt.Sprintf("no violation closes fewer than %s", phrase.Plural(e.Depth, "loop"))
	}
	return "no run goes on, and some come to what is not followed"
}

// ErrNoProof is why an induction gives up.
var ErrNoProof = errors.New("no proof by induction")

// String is how far the search is.
func (a Answer) String() string { return fmt.Sprintf("unrolled to depth %d", a.Depth) }

// SearchMethod is the name of the search.
const SearchMethod = "bounded"

// searching is a search as a method.
type searching struct {
	search  *Search
	bound   int
	granted portfolio.Effort
}

// Method is the search as a method, which does not go beyond a depth if that is not 0. What it has worked says
// [Answer]. It gives up with [NoViolation].
func (s *Search) Method(bound int) Method { return &searching{search: s, bound: bound} }

// Name implements [Method].
func (m *searching) Name() string { return SearchMethod }

// Advance implements [Method]. Effort is counted as by [Search.Deepen].
func (m *searching) Advance(ctx context.Context, share portfolio.Effort) event {
	before := m.search.Effort()
	a, err := m.search.Deepen(ctx, int64(m.granted+share), m.bound)
	used := portfolio.Effort(m.search.Effort() - before)
	switch {
	case err != nil && ctx.Err() != nil:
		return worked{Used: used}
	case err != nil:
		return gaveUp{Used: used, Why: err}
	}
	m.granted += share
	switch {
	case a.Path != nil, a.Ended && !a.Cut:
		return ended{Used: used, Outcome: Finding{Answer: a}}
	case a.Ended:
		return gaveUp{Used: used, Why: &NoViolation{Answer: a}}
	case m.bound > 0 && !m.search.goesOn(m.bound):
		return gaveUp{Used: used, Why: &NoViolation{a, m.bound}}
	}
	return worked{Used: used, What: a}
}

// Effort is what was done so far.
func (s *Search) Effort() int64 {
	if s.accelerated == nil {
		return s.u.effort()
	}
	return s.u.effort() + s.accelerated.u.effort()
}

// Means are ways to a proof by induction.
type Means int

// All is the zero value.
const (
	All              Means = iota // bounds, then k-induction and property-directed reachability in shares
	KInduction                    // bounds, then k-induction with what failures say is missing
	PropertyDirected              // bounds, then property-directed reachability
	Intervals                     // bounds alone
)

// String is the name of a method of such means.
func (m Means) String() string { return [...]string{"induction", "kinduction", "pdr", "intervals"}[m] }

// Only has the induction use some means alone; to be called before it begins.
func (x *Induction) Only(m Means) { x.means = m }

// inducing is an induction as a method.
type inducing struct {
	induction *Induction
	granted   portfolio.Effort
}

// Method is the induction as a method. It gives up with [ErrNoProof].
func (x *Induction) Method() Method { return &inducing{induction: x} }

// Name implements [Method].
func (m *inducing) Name() string { return m.induction.means.String() }

// Advance implements [Method]. Effort is counted as by [Induction.Prove].
func (m *inducing) Advance(ctx context.Context, share portfolio.Effort) event {
	before := m.induction.effort()
	proof, over, err := m.induction.Prove(ctx, int64(m.granted+share))
	used := portfolio.Effort(m.induction.effort() - before)
	switch {
	case err != nil && ctx.Err() != nil:
		return worked{Used: used}
	case err != nil:
		return gaveUp{Used: used, Why: err}
	}
	m.granted += share
	switch {
	case proof != nil:
		return ended{Used: used, Outcome: Finding{Proof: proof, By: m.induction.by()}}
	case over:
		return gaveUp{Used: used, Why: ErrNoProof}
	}
	return worked{Used: used, What: soFar{}}
}

// by are the means that have found the proof.
func (x *Induction) by() Means {
	switch {
	case x.stage != proved:
		return PropertyDirected
	case x.means == Intervals:
		return Intervals
	}
	return KInduction
}

// soFar is what an induction without a proof says.
type soFar struct{}

func (soFar) String() string { return "no proof by induction so far" }

// Efforts are what k-induction, with the bounds that both begin with, and property-directed reachability have made
// so far.
func (x *Induction) Efforts() (own, directed int64) {
	if x.directed == nil {
		return x.own(), 0
	}
	return x.own(), x.directed.effort()
}
