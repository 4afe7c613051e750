package lts

import "context"

// Verdict is the answer to a question about LTSs. It is narrower than that to a claim about programs (package
// verdict): an LTS is all there is, so nothing has to be replayed or assumed.
type Verdict int

// The verdicts. Unknown is the zero value, so that a forgotten verdict proves nothing.
const (
	Unknown Verdict = iota
	Holds
	Fails
)

func (v Verdict) String() string {
	switch v {
	case Holds:
		return "holds"
	case Fails:
		return "fails"
	}
	return "unknown"
}

// Order is the order in which a search looks at pairs.
type Order int

// The orders.
const (
	BreadthFirst Order = iota // cheapest first: the counterexample is a shortest one
	DepthFirst                // latest first: some counterexample, often after fewer pairs
)

// Subsumption says whether a search compares sets of spec states by simulation; see subsumption.go.
type Subsumption int

// The values of Subsumption. It makes no difference to the verdict, nor to how short a counterexample is.
const (
	AutoSubsumption   Subsumption = iota // in searches that take long, where the simulation is not too large
	NoSubsumption                        // never
	AlwaysSubsumption                    // from the start, where the simulation is not too large
)

// Result is the outcome of Contains and ContainsStrong.
type Result struct {
	Verdict        Verdict
	Strong         bool              // the question was about traces with τ
	Reason         string            // why the verdict is Unknown, else empty
	Counterexample *Counterexample   // not nil exactly if the verdict is Fails
	Others         []*Counterexample // more of them, if they were asked for and found
	States         int               // product states: pairs of an impl tuple and what is known of spec
	SpecSets       int               // distinct sets of spec states met (single states count as sets)
	Antichain      []Pair            // the undominated pairs, if asked for and the verdict is Holds, else nil
	Simulations    Simulations       // what the antichain relies on besides
	Visited        [][]bool          // by component and state: was it met; nil if not asked for or not known
	Reduction      *Reduction        // what was made smaller, if asked for, else nil
}

// Contains decides whether every trace of impl_1 ‖ … ‖ impl_n, restricted to the alphabet of spec, is
// a weak trace of spec. Actions outside spec's alphabet are not observed; the components synchronise
// on them all the same.
//
// If spec has an ERROR state the question is the opposite one: it fails exactly if some trace of the
// composition, restricted to the alphabet of spec, can lead spec to an ERROR state; traces that leave
// spec elsewhere are fine.
//
// Breadth first, a counterexample has the fewest observed actions possible and among those the fewest
// steps, but where quotients were searched (bisimilar.go) perhaps more of these. The error is not nil if impl
// is empty, if the LTSs have different Actions tables, or if ctx ended; in every such case the verdict is
// Unknown. Reaching lim gives Unknown with a Reason and no error.
func Contains(ctx context.Context, impl []*LTS, spec *LTS, lim Limits) (Result, error) {
	return containment(ctx, impl, spec, lim, false)
}

// ContainsStrong is Contains for strong traces: τ is observed like the actions of spec's alphabet. It has
// no reduction.
func ContainsStrong(ctx context.Context, impl []*LTS, spec *LTS, lim Limits) (Result, error) {
	return containment(ctx, impl, spec, lim, true)
}

func containment(ctx context.Context, impl []*LTS, spec *LTS, lim Limits, strong bool) (Result, error) {
	p, err := newProduct(impl)
	if err == nil && spec.actions != impl[0].actions {
		err = errForeignActions
	}
	if err != nil {
		return Result{Strong: strong, Reason: err.Error()}, err
	}
	if lim.Reduce && !strong {
		return containsReduced(ctx, impl, spec, lim, plainPairs)
	}
	if !strong && worthQuotients(p, spec, lim) {
		return containsQuotients(ctx, p, spec, lim)
	}
	return searched(ctx, p, spec, lim, strong)
}

// searched decides by a search, with simulations where they may help.
func searched(ctx context.Context, p *product, spec *LTS, lim Limits, strong bool) (Result, error) {
	known, r, err := knowledge(ctx, p, spec, lim, strong)
	if err != nil || r.Verdict != Unknown {
		return r, err
	}
	s := newSearch(p, spec, lim, strong, known)
	_ = s.run(ctx) // its error is kept
	r = s.result()
	return r, s.err
}

// plainPairs is how many pairs a search meets before it is worth while to compute simulations.
const plainPairs = 1 << 14

// knowledge computes the simulations for a search, or nil where there are none to compute or they are
// too large. If lim leaves it open whether to, a search without them is tried first, up to a number of
// pairs; r is its result if it comes to one.
func knowledge(ctx context.Context, p *product, spec *LTS, lim Limits,
	strong bool) (known *subsumption, r Result, err error) {
	r = Result{Strong: strong, Reason: "stopped before the search began"}
	if lim.Subsumption == NoSubsumption || spec.HasError() || isDeterministic(spec, strong) || !worthSubsuming(spec) {
		return nil, r, nil
	}
	if lim.Subsumption == AutoSubsumption {
		short := lim
		if short.MaxStates == 0 || short.MaxStates > plainPairs {
			short.MaxStates = plainPairs
		}
		s := newSearch(p, spec, short, strong, nil)
		if err = s.run(ctx); err != nil || s.conclusive {
			r = s.result()
			return nil, r, s.err
		}
	}
	known, err = newSubsumption(ctx, p, spec, strong)
	if lim.MaxBytes > 0 && known.bytes() > lim.MaxBytes/2 {
		known = nil
	}
	return known, r, err
}
