package lts

import (
	"context"

	"magus/internal/bitset"
)

// Idea: sets of spec states are compared by a simulation ≼ and not only by inclusion. Let L(s) be the
// weak traces from s, of impl's actions; s ≼ t implies L(s) ⊆ L(t). Three things follow for a search
// over pairs (q, S), in which a violation is a trace of q that is in L(s) for no s ∈ S:
//
//  1. S may be replaced by S↓, the states that some member simulates: L is the same for both, and so
//     is the set of violating runs. Then S ⊆ S' for two such sets says that every member of S is
//     simulated by a member of S', so the search compares by ⊆ what it has made larger before. A set
//     that differs from another in simulated states alone is the same set.
//  2. (q, S) need not be explored if some s ∈ S simulates q: no run from there violates.
//  3. (q', S') need not be explored if (q, S) is, q simulates q' and S ⊆ S': every violating trace from
//     (q', S') is one from (q, S).
//
// Source: Abdulla, Chen, Holík, Mayr, Vojnar, "When simulation meets antichains" (TACAS 2010). There S is
// made smaller, by leaving out what is simulated; made larger it can be compared faster.
//
// A shortest counterexample stays one. By 1 and 2 no violating run is lost but those of pairs that
// another pair with the same runs stands for, or that have none. In 3 the run of q may be
// another one, so the simulation on impl has to keep costs: an observed action is answered by that
// action alone, and an action that is not observed by none or one. Then q has a run that violates,
// with as many observed actions and at most as many steps; with the rule in search.go, that (q, S)
// must not cost more than (q', S'), the least cost of a violation does not change. The simulations
// on spec and of impl by spec may answer with τ before and after as they like, as steps of spec do
// not count.
//
// 2 and 3 need an impl that is one LTS: for a composition the simulations would have to be computed
// on the states of the composition, which the search avoids to build.
//
// Cost: see simulators. All are given up where they would take more than maxSimulationWork steps or
// maxSimulationBits bits.

// subsumption is what a search knows of states that simulate others. A nil one knows nothing.
type subsumption struct {
	simulatedSpec  *bitMatrix        // by spec state: the spec states it simulates, itself included
	simulatingSpec *bitMatrix        // by impl state: the spec states that simulate it; nil if not known
	simulatingImpl *bitMatrix        // by impl state: the impl states that simulate it, itself included; nil if not known
	simulatedImpl  *bitMatrix        // the converse of simulatingImpl
	met            bitset.Set[State] // impl states with a node, if simulatingImpl is known
}

const (
	maxSimulationBits = 1 << 24 // of one relation: 2 MiB
	maxSimulationWork = 1 << 24 // transitions looked at for one relation
)

// worthSubsuming says whether spec is small enough for a simulation on its states.
func worthSubsuming(spec *LTS) bool { return spec.NumStates() <= maxSimulationBits/spec.NumStates() }

// newSubsumption computes what is known for a search, or nil if the simulation on spec is too large.
func newSubsumption(ctx context.Context, p *product, spec *LTS, strong bool) (*subsumption, error) {
	k := &subsumption{}
	kind := moveKinds(p, spec, strong)
	above, err := simulators(ctx, spec, spec, kind, false)
	if above == nil || err != nil {
		return nil, err
	}
	k.simulatedSpec = above.transpose(spec.NumStates())
	if len(p.components) > 1 {
		return k, nil
	}
	impl := p.components[0]
	if k.simulatingSpec, err = simulators(ctx, impl, spec, kind, false); err != nil {
		return nil, err
	}
	if k.simulatingImpl, err = simulators(ctx, impl, impl, kind, true); err != nil {
		return nil, err
	}
	if k.simulatingImpl != nil {
		k.simulatedImpl = k.simulatingImpl.transpose(impl.NumStates())
		k.met = bitset.New[State](impl.NumStates())
	}
	return k, nil
}

func (k *subsumption) bytes() int64 {
	if k == nil {
		return 0
	}
	return k.simulatedSpec.bytes() + k.simulatingSpec.bytes() + k.simulatingImpl.bytes() + k.simulatedImpl.bytes()
}

// subsumed says whether n, met at tuple q, need not be explored because of a simulation of q, and if
// that is not so removes the nodes that need not be because of n, but for those of q itself.
func (s *search) subsumed(n *node, q []State) bool {
	k := s.known
	if k.simulatingSpec != nil && s.observer.intersects(n.spec, k.simulatingSpec.row(q[0])) {
		return true
	}
	if k.simulatingImpl == nil {
		return false
	}
	for p := range k.simulatingImpl.row(q[0]).Common(k.met) {
		if p != q[0] && s.hasDominator(n, p) {
			return true
		}
	}
	for p := range k.simulatedImpl.row(q[0]).Common(k.met) {
		if p != q[0] {
			s.removeDominated(n, p)
		}
	}
	return false
}

// isMet notes that there is a node of tuple q.
func (k *subsumption) isMet(q []State) {
	if k != nil && k.simulatingImpl != nil {
		k.met.Add(q[0])
	}
}

// hasDominator says whether the list of impl state p has a node that dominates n.
func (s *search) hasDominator(n *node, p State) bool {
	_, head := s.nodes.find(uint64(p))
	for id := head; id >= 0; id = s.nodes.at(id).next {
		if s.dominates(s.nodes.at(id), n) {
			return true
		}
	}
	return false
}

// removeDominated removes from the list of impl state p the nodes that n dominates.
func (s *search) removeDominated(n *node, p State) {
	slot, head := s.nodes.find(uint64(p))
	previous, first := int32(none), head
	for id := head; id >= 0; {
		if e := s.nodes.at(id); s.dominates(n, e) {
			id = s.remove(e, previous, &head)
		} else {
			previous, id = id, e.next
		}
	}
	if head != first && head != none { // an empty list is found by a node that was removed from it
		s.nodes.setHead(slot, uint64(p), head)
	}
}

// Simulations says which states simulate which, as far as actions are concerned that impl has: weakly,
// or strongly if τ is observed. Impl and Cross are empty if impl is not one LTS.
type Simulations struct {
	Spec  []Simulated // spec states and the other spec states that simulate them
	Impl  []Simulated // impl states and the other impl states that simulate them
	Cross []Simulated // impl states and the spec states that simulate them
}

// Simulated is a state and the states that simulate it, at least one, ascending.
type Simulated struct {
	State State
	By    []State
}

// simulations returns what is known.
func (k *subsumption) simulations() Simulations {
	if k == nil {
		return Simulations{}
	}
	return Simulations{
		Spec:  k.simulatedSpec.transpose(k.simulatedSpec.rows()).simulated(true),
		Impl:  k.simulatingImpl.simulated(true),
		Cross: k.simulatingSpec.simulated(false),
	}
}

// simulated returns the rows that are not empty, if proper without the states themselves.
func (m *bitMatrix) simulated(proper bool) []Simulated {
	var all []Simulated
	for s := range State(m.rows()) {
		var by []State
		for t := range m.row(s).All() {
			if !proper || s != t {
				by = append(by, t)
			}
		}
		if by != nil {
			all = append(all, Simulated{s, by})
		}
	}
	return all
}
