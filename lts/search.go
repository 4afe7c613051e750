package lts

import (
	"context"
	"math"
)

// Idea: trace containment impl_1 ‖ … ‖ impl_n ⊑ spec by a search over pairs (q, S): q is a tuple of
// impl states, S the set of the states spec can be in after what was observed, closed under τ. The sets
// are computed as they are met (spec is not determinised up front), and a pair is not explored if a
// pair with the same q and a subset of S is: whatever violates from (q, S) violates from there. Where
// simulations are known, more pairs need not be explored; see subsumption.go.
//
// Source: antichains as in De Wulf, Doyen, Henzinger, Raskin, "Antichains: a new algorithm for
// checking universality of finite automata" (CAV 2006). Versions of this search published for
// refinement checkers had errors, described by Laveaux, Groote, Willemse, "Correct and efficient
// antichain algorithms for refinement checking" (LMCS 2021); hence the rule below is spelled out.
//
// Rule, breadth first: pairs are expanded by increasing cost, which is (observed actions, steps), so
// the first violation met has the fewest observed actions and, among those, the fewest steps.
// Remaining ties go by component and action number. A pair with cost c is dropped, or removed from
// the list after it was put there, only if the list of the same q (or of a q that simulates it) holds a
// pair with a subset of S AND a cost ≤ c. Domination is transitive and well-founded, so an undominated
// pair is expanded for each dropped one, and not later. (Dropping it for a smaller set of greater cost
// would keep the verdict but lose the shortest counterexample.) Depth first nothing is promised about
// the counterexample, and the rule is the same with equal costs for all pairs.
//
// A deterministic spec has singleton sets, for which ⊆ is equality, and an ERROR spec needs plain
// reachability of (q, s) for a single spec state s; both hash s along with q instead of using lists.
//
// Cost: as many pairs as there are undominated (q, S), at worst exponential in spec's states for a
// nondeterministic spec; about 50 bytes a pair, and no allocation per pair.

// search is the state of one search.
type search struct {
	product  *product
	observer observer
	observed []bool // by action, up to the product's last: is it in spec's alphabet
	strong   bool   // τ is observed
	single   bool   // the spec state is part of the key
	known    *subsumption
	limits   Limits

	persistence *persistence // nil: pairs are expanded by all steps
	onward      onward       // with persistence

	keys     *keyer
	nodes    *nodes
	frontier frontier

	current    int32       // the node that is expanded
	violations []violation // the first is the counterexample
	beyond     int         // pairs that may be met for others than the first
	exceeded   string      // why a limit is reached; empty if none is
	conclusive bool        // the search was not cut short
	cut        bool        // some pair was left out because of the limit of the trace
	work       int         // since the last look at the context
	effort     int64       // made so far, in states that were looked at
	piece      int         // what a node taken, a transition seen or a comparison counts for
	ctx        context.Context
	err        error // why ctx ended, as far as the search has noticed
}

// maxNodes bounds the pairs of a search: they are numbered by an int32.
const maxNodes = math.MaxInt32 - 1

func newSearch(p *product, spec *LTS, lim Limits, strong bool, known *subsumption) *search {
	s := &search{product: p, strong: strong, known: known, limits: lim, work: contextInterval, piece: 1}
	if lim.MaxStates <= 0 || lim.MaxStates > maxNodes {
		s.limits.MaxStates = maxNodes
	}
	if s.observer, s.single = newObserver(spec, strong, known); !s.single {
		s.piece += spec.NumStates() / 4
	}
	s.limits.Visited = lim.Visited && !spec.HasError()
	s.observed = make([]bool, p.lastAction()+1)
	for a := range s.observed {
		s.observed[a] = spec.HasAction(Action(a)) || strong && Action(a) == Tau
	}
	if lim.PartialOrder && known == nil && len(p.components) > 1 {
		s.persistence = newPersistence(p, s.observed)
		s.piece += len(p.components) * len(p.components) / 16
		s.onward = onward{equal: s.single, keep: lim.Antichain, sets: map[int32][]int32{}}
	}
	s.nodes = newNodes()
	s.frontier = frontier{order: lim.Order, nodes: s.nodes}
	if s.single {
		s.keys = newKeyer(p.components, spec)
	} else {
		s.keys = newKeyer(p.components, nil)
	}
	return s
}

// contextInterval is how much work goes by between looks at the context.
const contextInterval = 1 << 14

// interrupted counts one piece of work and says whether the context has ended. A piece makes a set of states of the
// specification, or compares two, and takes as long as these are large; or it finds a persistent set of
// components, each of which may ask for each other one.
func (s *search) interrupted() bool {
	if s.work >= contextInterval {
		s.work, s.err = 0, s.ctx.Err()
	}
	s.work += s.piece
	return s.err != nil
}

// run searches to the end.
func (s *search) run(ctx context.Context) error {
	s.begin(ctx)
	_, err := s.goOn(math.MaxInt64)
	return err
}

// begin meets the first pairs.
func (s *search) begin(ctx context.Context) {
	s.ctx = ctx
	if s.exceeded = s.limits.exceeded(0, s.bytes(), "product states"); s.exceeded != "" {
		return
	}
	start, violated := s.observer.start()
	if violated {
		s.conclusive = true
		s.violations = []violation{{from: none}}
		return
	}
	for _, spec := range start {
		s.discover(node{spec: spec, parent: none}, s.product.initial(), true)
	}
}

// goOn searches until so much effort was made, and says whether the search is at its end.
func (s *search) goOn(most int64) (ended bool, err error) {
	emit := s.emit
	at := make([]State, len(s.product.components))
	for !s.conclusive && s.exceeded == "" && !s.interrupted() {
		if s.effort > most {
			return false, nil
		}
		n, ok := s.frontier.pop()
		if !ok || s.exceeded != "" {
			s.conclusive = s.exceeded == ""
			break
		}
		from := s.nodes.at(n)
		if from.next == dominated {
			continue
		}
		if !s.single && s.limits.Order == BreadthFirst {
			s.forgetSupersets(n)
		}
		s.current = n
		s.effort += int64(len(at))
		s.keys.tuple(from.key, at)
		if (!s.expand(at, emit) || s.nodes.count > s.beyond) && s.violations != nil {
			s.conclusive = s.err == nil
			break
		}
	}
	return true, s.err
}

// expand takes the steps of the current node that there is need to take. The result is false if emit stopped it.
func (s *search) expand(at []State, emit emitFunc) bool {
	if s.persistence == nil {
		return s.product.successors(at, emit)
	}
	s.onward.begin(s.current)
	for _, set := range s.persistence.toTry(at, s.current) {
		s.persistence.moving = set[0]
		if !s.persistence.steps(at, set, emit) {
			return false
		}
		if s.onward.goesOn() {
			if s.limits.Antichain {
				s.onward.sets[s.current] = s.persistence.closure(at, set)
			}
			return true
		}
	}
	return s.product.successors(at, func(a Action, next []State) bool {
		s.persistence.moves(at, next, s.observed[a])
		return emit(a, next)
	})
}

// emit handles one transition of the product from the current node.
func (s *search) emit(a Action, next []State) bool {
	if s.interrupted() {
		return false
	}
	s.effort += int64(len(next) + s.piece)
	from := s.nodes.at(s.current)
	to := node{spec: from.spec, parent: s.current, action: a, observed: from.observed, steps: from.steps + 1}
	if !s.observed[a] {
		return s.discover(to, next, false)
	}
	if s.limits.MaxTrace > 0 && int(from.observed) >= s.limits.MaxTrace {
		s.cut = true
		return true
	}
	to.observed++
	specs, violated := s.observer.step(from.spec, a)
	if violated {
		return s.violated(a, next)
	}
	for _, spec := range specs {
		to.spec = spec
		if !s.discover(to, next, true) {
			return false
		}
	}
	return true
}

// discover stores n, met at tuple q, unless it is dominated; it removes what n dominates. The result
// is false if the limit is reached.
func (s *search) discover(n node, q []State, observed bool) bool {
	if s.single {
		n.key = s.keys.key(q, n.spec)
	} else {
		n.key = s.keys.key(q, 0)
	}
	if s.known != nil && s.subsumed(&n, q) {
		return true
	}
	slot, head := s.nodes.find(n.key)
	previous, replaced := int32(none), int32(none)
	for id := head; id >= 0; {
		e := s.nodes.at(id)
		switch {
		case s.interrupted():
			return false
		case s.dominates(e, &n):
			s.leadsTo(id)
			return true
		case s.dominates(&n, e):
			replaced = id
			id = s.remove(e, previous, &head)
		default:
			previous, id = id, e.next
		}
	}
	if s.exceeded = s.limits.exceeded(s.nodes.count+1, s.bytes(), "product states"); s.exceeded != "" {
		return false
	}
	n.next = head
	id := s.nodes.add(n)
	if s.persistence != nil {
		s.onward.add(replaced)
		s.persistence.add()
		s.leadsTo(id)
	}
	s.nodes.setHead(slot, n.key, id)
	s.known.isMet(q)
	s.frontier.push(id, observed)
	return true
}

// leadsTo notes that a step of the current node leads to node id, or to one that it dominates.
func (s *search) leadsTo(id int32) {
	if s.persistence != nil {
		s.onward.leadsTo(id)
	}
}

// dominates says whether n need not be explored because e is, both being of one tuple, or e's
// simulating n's.
func (s *search) dominates(e, n *node) bool {
	return (s.limits.Order == DepthFirst || e.cheaperOrEqual(n)) && s.subset(e.spec, n.spec)
}

// remove takes e out of its list, in which it comes after previous, or first, and returns what
// followed it.
func (s *search) remove(e *node, previous int32, head *int32) (next int32) {
	next, e.next = e.next, dominated
	if previous == none {
		*head = next
	} else {
		s.nodes.at(previous).next = next
	}
	return next
}

// forgetSupersets removes from n's list the nodes whose set includes n's. When n is expanded they
// have been expanded too, being cheaper, and what they dominate from now on n dominates as well. Depth
// first there are none.
func (s *search) forgetSupersets(n int32) {
	from := s.nodes.at(n)
	slot, head := s.nodes.find(from.key)
	previous := int32(none)
	for id := head; id >= 0 && !s.interrupted(); {
		if e := s.nodes.at(id); id != n && s.subset(from.spec, e.spec) {
			id = s.remove(e, previous, &head)
		} else {
			previous, id = id, e.next
		}
	}
	s.nodes.setHead(slot, from.key, head)
}

// bytes is the memory of the pairs, of the tuples and sets they consist of, and of the queues.
func (s *search) bytes() int64 {
	return s.nodes.bytes() + s.onward.bytes() + s.persistence.bytes() + s.keys.bytes() + s.observer.bytes() +
		s.frontier.bytes() + s.known.bytes()
}

func (s *search) subset(a, b int32) bool {
	return a == b || !s.single && s.observer.subset(a, b)
}

func (s *search) result() Result {
	r := Result{Strong: s.strong, States: s.nodes.count, SpecSets: s.observer.count()}
	switch {
	case s.err == nil && s.violations != nil:
		r.Verdict, r.Counterexample = Fails, s.counterexample(s.violations[0])
		for _, v := range s.violations[1:] {
			r.Others = append(r.Others, s.counterexample(v))
		}
	case s.conclusive && s.cut:
		r.Reason = "no counterexample that is as short as was asked for"
	case s.conclusive:
		r.Verdict = Holds
		if s.limits.Antichain {
			if r.Antichain = s.antichain(); r.Antichain == nil {
				return Result{Strong: s.strong, Reason: "stopped before its proof was complete", States: r.States,
					SpecSets: r.SpecSets}
			}
			r.Simulations = s.known.simulations()
		}
		if s.limits.Visited && s.known == nil {
			r.Visited = s.visited()
		}
	case s.exceeded != "":
		r.Reason = s.exceeded
	default:
		r.Reason = "stopped before the search was complete"
	}
	return r
}

// visited says which states each component was met in. A pair that was dropped has the states of the one
// that it was dropped for.
func (s *search) visited() [][]bool {
	met := make([][]bool, len(s.product.components))
	for i, m := range s.product.components {
		met[i] = make([]bool, m.NumStates())
	}
	at := make([]State, len(met))
	for id := range int32(s.nodes.count) {
		s.keys.tuple(s.nodes.at(id).key, at)
		for i, q := range at {
			met[i][q] = true
		}
	}
	return met
}
