package lts

import (
	"context"
	"math"
)

// Idea: weak trace containment impl_1 ‖ … ‖ impl_n ⊑ spec by a search over pairs (q, S): q is a
// tuple of impl states, S the τ-closed set of the states spec can be in after what was observed. The
// sets are computed as they are met (spec is not determinised up front), and a pair is not explored
// if a pair with the same q and a subset of S is: whatever violates from (q, S) violates from there.
//
// Source: antichains as in De Wulf, Doyen, Henzinger, Raskin, "Antichains: a new algorithm for
// checking universality of finite automata" (CAV 2006). Versions of this search published for
// refinement checkers had errors, described by Laveaux, Groote, Willemse, "Correct and efficient
// antichain algorithms for refinement checking" (LMCS 2021); hence the rule below is spelled out.
//
// Order: a lexicographic 0-1 breadth-first search. The cost of a pair is (observed actions, steps);
// pairs are expanded by increasing cost, so the first violation met has the fewest observed actions
// and, among those, the fewest steps. Remaining ties go by component and action number.
//
// Rule: a pair with cost c is dropped, or removed from the list after it was put there, only if the
// list of the same q holds a pair with a subset of S AND a cost ≤ c. Domination is transitive and
// well-founded, so an undominated pair is expanded for each dropped one, and not later. (Dropping
// it for a smaller set of greater cost would keep the verdict but lose the shortest counterexample.)
//
// A deterministic spec has singleton sets, for which ⊆ is equality, and an ERROR spec needs plain
// reachability of (q, s) for a single spec state s; both hash s along with q instead of using lists.
//
// Cost: as many pairs as there are undominated (q, S), at worst exponential in spec's states for a
// nondeterministic spec; about 50 bytes a pair, and no allocation per pair.

// Verdict is the answer of a check.
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

// Result is the outcome of Contains.
type Result struct {
	Verdict        Verdict
	Reason         string          // why the verdict is Unknown, else empty
	Counterexample *Counterexample // not nil exactly if the verdict is Fails
	States         int             // product states: pairs of an impl tuple and what is known of spec
	SpecSets       int             // distinct sets of spec states met (single states count as sets)
	Antichain      []Pair          // the undominated pairs, if asked for and the verdict is Holds, else nil
	Reduction      *Reduction      // what was made smaller, if asked for, else nil
}

// Contains decides whether every trace of impl_1 ‖ … ‖ impl_n, restricted to the alphabet of spec, is
// a weak trace of spec. Actions outside spec's alphabet are not observed; the components synchronise
// on them all the same.
//
// If spec has an ERROR state the question is the opposite one: it fails exactly if some trace of the
// composition, restricted to the alphabet of spec, can lead spec to an ERROR state; traces that leave
// spec elsewhere are fine.
//
// A counterexample has the fewest observed actions possible and among those the fewest steps. The
// error is not nil if impl is empty, if the LTSs have different Actions tables, or if ctx ended; in
// every such case the verdict is Unknown. Reaching lim gives Unknown with a Reason and no error.
func Contains(ctx context.Context, impl []*LTS, spec *LTS, lim Limits) (Result, error) {
	p, err := newProduct(impl)
	if err == nil && spec.actions != impl[0].actions {
		err = errForeignActions
	}
	if err != nil {
		return Result{Reason: err.Error()}, err
	}
	if lim.Reduce {
		return containsReduced(ctx, impl, spec, lim)
	}
	s := newSearch(p, spec, lim)
	err = s.run(ctx)
	return s.result(), err
}

// search is the state of one call of Contains.
type search struct {
	product  *product
	observer observer
	observed []bool // by action, up to the product's last: is it in spec's alphabet
	single   bool   // the spec state is part of the key
	limits   Limits

	keys  *keyer
	nodes *nodes
	level queue   // nodes of the level that is expanded, entered by an observed action
	inner queue   // nodes of the level, entered by an action that is not observed
	ahead []int32 // nodes of the next level

	current    int32   // the node that is expanded
	bad        []State // the tuple a violation led to; nil while there is none
	badAction  Action
	exceeded   string // why a limit is reached; empty if none is
	conclusive bool   // the search was not cut short
	work       int    // nodes taken and transitions seen
	ctx        context.Context
	err        error // why ctx ended, as far as the search has noticed
}

func newSearch(p *product, spec *LTS, lim Limits) *search {
	s := &search{product: p, limits: lim}
	if lim.MaxStates <= 0 || lim.MaxStates > maxNodes {
		s.limits.MaxStates = maxNodes
	}
	s.observer, s.single = newObserver(spec)
	s.observed = make([]bool, p.lastAction()+1)
	for a := range s.observed {
		s.observed[a] = spec.HasAction(Action(a))
	}
	s.nodes = newNodes()
	if s.single {
		s.keys = newKeyer(p.components, spec)
	} else {
		s.keys = newKeyer(p.components, nil)
	}
	return s
}

// maxNodes bounds the pairs of a search: they are numbered by an int32.
const maxNodes = math.MaxInt32 - 1

// contextInterval is how much work goes by between looks at the context.
const contextInterval = 1 << 14

// interrupted counts one piece of work and says whether the context has ended.
func (s *search) interrupted() bool {
	if s.work%contextInterval == 0 {
		s.err = s.ctx.Err()
	}
	s.work++
	return s.err != nil
}

func (s *search) run(ctx context.Context) error {
	s.ctx = ctx
	emit := s.emit
	start, violated := s.observer.start()
	if violated {
		s.bad, s.conclusive = s.product.initial(), true
		s.current = none
		return nil
	}
	for _, spec := range start {
		s.discover(node{spec: spec, parent: none}, s.product.initial())
	}
	s.level.refill(&s.inner.items)
	at := make([]State, len(s.product.components))
	for !s.interrupted() {
		n, ok := s.pop()
		if !ok || s.exceeded != "" {
			s.conclusive = s.exceeded == ""
			return nil
		}
		from := s.nodes.at(n)
		if from.next == dominated {
			continue
		}
		if !s.single {
			s.forgetSupersets(n)
		}
		s.current = n
		s.keys.tuple(from.key, at)
		if !s.product.successors(at, emit) && s.bad != nil {
			s.conclusive = true
			return nil
		}
	}
	return s.err
}

// queue is a first-in first-out list of nodes.
type queue struct {
	items []int32
	head  int
}

func (q *queue) empty() bool { return q.head == len(q.items) }

// refill replaces the exhausted q by items and leaves q's old space there.
func (q *queue) refill(items *[]int32) {
	q.items, *items = *items, q.items[:0]
	q.head = 0
}

// pop takes the cheapest node that is left. Both queues of the level are sorted by steps, because
// nodes are expanded in that order and each step costs one.
func (s *search) pop() (int32, bool) {
	if s.level.empty() && s.inner.empty() {
		s.level.refill(&s.ahead)
		s.inner.items, s.inner.head = s.inner.items[:0], 0
		if s.level.empty() {
			return none, false
		}
	}
	q := &s.level
	if s.level.empty() || !s.inner.empty() && s.stepsOf(&s.inner) < s.stepsOf(&s.level) {
		q = &s.inner
	}
	n := q.items[q.head]
	q.head++
	return n, true
}

// stepsOf returns the steps of the first node of a queue that is not empty.
func (s *search) stepsOf(q *queue) uint32 { return s.nodes.at(q.items[q.head]).steps }

// emit handles one transition of the product from the current node.
func (s *search) emit(a Action, next []State) bool {
	if s.interrupted() {
		return false
	}
	from := s.nodes.at(s.current)
	to := node{spec: from.spec, parent: s.current, action: a, observed: from.observed, steps: from.steps + 1}
	if !s.observed[a] {
		return s.discover(to, next)
	}
	to.observed++
	specs, violated := s.observer.step(from.spec, a)
	if violated {
		s.bad, s.badAction = append([]State{}, next...), a
		return false
	}
	for _, spec := range specs {
		to.spec = spec
		if !s.discover(to, next) {
			return false
		}
	}
	return true
}

// discover stores n, met at tuple q, unless it is dominated; it removes what n dominates. The result
// is false if the limit is reached.
func (s *search) discover(n node, q []State) bool {
	if s.single {
		n.key = s.keys.key(q, n.spec)
	} else {
		n.key = s.keys.key(q, 0)
	}
	slot, head := s.nodes.find(n.key)
	previous := int32(none)
	for id := head; id >= 0; {
		e := s.nodes.at(id)
		switch {
		case e.cheaperOrEqual(&n) && s.subset(e.spec, n.spec):
			return true
		case n.cheaperOrEqual(e) && s.subset(n.spec, e.spec):
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
	s.nodes.setHead(slot, n.key, id)
	if n.parent >= 0 && n.observed > s.nodes.at(s.current).observed {
		s.ahead = append(s.ahead, id)
	} else {
		s.inner.items = append(s.inner.items, id)
	}
	return true
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
// have been expanded too, being cheaper, and what they dominate from now on n dominates as well.
func (s *search) forgetSupersets(n int32) {
	from := s.nodes.at(n)
	slot, head := s.nodes.find(from.key)
	previous := int32(none)
	for id := head; id >= 0; {
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
	return s.nodes.bytes() + s.keys.bytes() + s.observer.bytes() +
		bytesOf(s.level.items) + bytesOf(s.inner.items) + bytesOf(s.ahead)
}

func (s *search) subset(a, b int32) bool {
	return a == b || !s.single && s.observer.subset(a, b)
}

func (s *search) result() Result {
	r := Result{States: s.nodes.count, SpecSets: s.observer.count()}
	switch {
	case s.bad != nil:
		r.Verdict, r.Counterexample = Fails, s.counterexample()
	case s.conclusive:
		r.Verdict = Holds
		if s.limits.Antichain {
			r.Antichain = s.antichain()
		}
	case s.exceeded != "":
		r.Reason = s.exceeded
	default:
		r.Reason = "stopped before the search was complete"
	}
	return r
}
