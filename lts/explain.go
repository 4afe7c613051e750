package lts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Idea: a play of the bisimulation game. One side does something that the other can answer only by
// going to states that are told apart earlier; the other answers as well as it can, and the play goes
// on with that pair, until there is no answer. When a pair is told apart is the round of signature
// refinement in which its blocks become different: then one side's signature has an element that
// the other's has not, which is what is played.
//
// Source: Stirling, "Bisimulation, modal logic and model checking games" (1999). Deviation: for branching
// bisimulation the first player may go inertly before it moves, and for weak bisimulation it may go by
// τ before and after, as signatures have it.
//
// When two states are told apart is read from the history of a refinement of the quotient: one by
// rounds, so that plays are short, if that takes at most maxRankWork elements of signatures, else one block at
// a time by the algorithm that decides the relation in any case. Either way each block is part of an
// earlier one and differs from it in what the blocks of that time show.
//
// Cost: the refinement, and a search over τ for every pair of the play, maxPlayWork in all. A play
// that is not over within these bounds, or in maxExplanation lines, is broken off.

// maxExplanation is the greatest number of lines.
const maxExplanation = 100

// maxRankWork bounds the elements of all signatures that are computed for the rounds.
const maxRankWork = 1 << 24

// maxWeakRank bounds the weak transitions that are stored for the rounds.
const maxWeakRank = 1 << 22

// game is the play on g, which has both LTSs side by side.
type game struct {
	g       *LTS
	kind    Relation
	k       marks
	classes []uint32 // by state of g
	history history  // of the classes
	left    func(State) bool
	name    func(State) string
	work    int               // states and transitions looked at
	seen    *weakReach        // scratch
	at      func(State) State // by state of both LTSs side by side: the state of g
}

// newGame prepares a play on u, which has a's states first, and whose classes differ as blocks says.
func newGame(ctx context.Context, k marks, u, a, b *LTS, blocks []uint32, count int, r Relation) (*game, error) {
	p := &game{g: u, kind: r, k: k, classes: blocks}
	least := identity(u.NumStates())
	p.at = func(s State) State { return s }
	if r != StrongBisim {
		c := NewTauComponents(u)
		p.g = contract(k, u, c, r == DivergenceBranchingBisim)
		least = leastMembers(c.Of, c.Count)
		p.at = func(s State) State { return c.Of[s] }
		p.classes = make([]uint32, c.Count)
		for s, component := range c.Of {
			p.classes[component] = blocks[s]
		}
	}
	n := State(a.NumStates())
	p.left = func(s State) bool { return least[s] < n }
	p.name = func(s State) string {
		if p.left(s) {
			return a.StateName(least[s])
		}
		return b.StateName(least[s] - n)
	}
	p.seen = newWeakReach(p.g)
	return p, p.rank(ctx, quotient(p.g, p.classes, count, r == StrongBisim), shortHistory)
}

// refiner refines until all classes are told apart.
type refiner func(ctx context.Context, m *LTS, kind Relation) (history, error)

// rank refines q, the quotient.
func (p *game) rank(ctx context.Context, q *LTS, by refiner) error {
	order := identity(q.NumStates())
	kind := p.kind
	if kind != StrongBisim {
		c := NewTauComponents(q)
		q, order = contract(p.k, q, c, false), c.Of
		if kind != WeakBisim {
			kind = plainBranching
		}
	}
	h, err := by(ctx, q, kind)
	if err != nil {
		return err
	}
	p.history = h
	p.history.of = make([]uint32, len(order))
	for class, s := range order {
		p.history.of[class] = h.of[s]
	}
	return nil
}

// shortHistory refines by rounds of signatures, within maxRankWork, or by blocks. Rounds of weak
// bisimulation are those of strong bisimulation with weak transitions.
func shortHistory(ctx context.Context, m *LTS, kind Relation) (history, error) {
	steps, by := m, kind
	if kind == WeakBisim {
		closed, err := tauClosure(ctx, m, maxWeakRank)
		if errors.Is(err, errTooManyWeak) {
			return blockHistory(ctx, m, kind)
		}
		if err != nil {
			return history{}, err
		}
		steps, by = closed, StrongBisim
	}
	r := newRefinement(steps, by)
	r.budget = maxRankWork
	err := r.run(ctx)
	if errors.Is(err, errTooManyElements) {
		return blockHistory(ctx, m, kind)
	}
	return history{of: r.blocks, parent: r.parent, born: r.born}, err
}

// blockHistory refines by what needs neither many rounds nor large signatures.
func blockHistory(ctx context.Context, m *LTS, kind Relation) (history, error) {
	var b *blocks
	var err error
	if kind == WeakBisim {
		b, err = weakSplit(ctx, m)
	} else {
		b, err = bunchPartition(ctx, m, kind == plainBranching)
	}
	if err != nil {
		return history{}, err
	}
	return b.history(), nil
}

// rankOf is the time, from 1, at which s and t are told apart, or unranked if they are in one class.
func (p *game) rankOf(s, t State) uint32 {
	if p.classes[s] == p.classes[t] {
		return unranked
	}
	return p.history.apart(p.classes[s], p.classes[t])
}

const unranked = math.MaxUint32

// block returns the block of s at a time.
func (p *game) block(time uint32, s State) uint32 { return p.history.at(time, p.classes[s]) }

// together says whether s and t are in the same block at a time.
func (p *game) together(time uint32, s, t State) bool { return p.block(time, s) == p.block(time, t) }

// answer is a response to a challenge.
type answer struct {
	to           State // where it ends
	first, other State // the pair to go on with: a state of the challenger and one of the responder
	rank         uint32
}

// challenge is a move and the responses to it: by τ from from to before, then edge, then by τ to after.
type challenge struct {
	from, before State
	edge         Edge
	after        State
	against      State
	answers      []answer
	best         int    // index in answers
	value        uint32 // the rank of the best answer, or 0 if there is none
}

// play returns the lines of the play from a pair of states in different classes.
func (p *game) play(s, t State) []string {
	var lines []string
	for len(lines) < maxExplanation {
		c, ok := p.bestChallenge(s, t)
		if !ok {
			break
		}
		against := p.side(c.against)
		line := p.moveText(c) + "; "
		if len(c.answers) == 0 {
			return append(lines, line+refusalText(p.g.actions, p.k, against, p.name(c.against), c.edge.Action))
		}
		x := c.answers[c.best]
		line += fmt.Sprintf("%s at %s can go to %s, ", against, p.name(c.against), listText(p.answerNames(c)))
		lines = append(lines, line+fmt.Sprintf("but %s %s differs from %s %s",
			p.side(x.first), p.name(x.first), p.side(x.other), p.name(x.other)))
		s, t = x.first, x.other
	}
	if len(lines) == 0 {
		return []string{fmt.Sprintf("%s %s differs from %s %s; to say why takes too long", p.side(s),
			p.name(s), p.side(t), p.name(t))}
	}
	return append(lines, "… (the rest is too long)")
}

// answerNames returns the names of the states that answers end in, each state once.
func (p *game) answerNames(c challenge) []string {
	var names []string
	seen := map[State]bool{}
	for _, x := range c.answers {
		if !seen[x.to] {
			seen[x.to] = true
			names = append(names, p.name(x.to))
		}
	}
	return names
}

func (p *game) moveText(c challenge) string {
	side := p.side(c.from)
	text := challengeText(p.g.actions, p.k, side, p.name(c.before), c.edge.Action, p.name(c.edge.To))
	if c.before != c.from {
		text = fmt.Sprintf("%s at %s goes by tau to %s; %s", side, p.name(c.from), p.name(c.before), text)
	}
	if c.after != c.edge.To {
		text += " and on by tau to " + p.name(c.after)
	}
	return text
}

func (p *game) side(s State) string {
	if p.left(s) {
		return "left"
	}
	return "right"
}

// bestChallenge returns the move of s or t whose best answer is told apart earliest, of the first
// maxTried that are told apart before s and t are; false if that is not known or takes too long.
func (p *game) bestChallenge(s, t State) (best challenge, ok bool) {
	rank := p.rankOf(s, t)
	for _, pair := range [][2]State{{s, t}, {t, s}} {
		from := p.inertly(pair[0], rank-1)
		against := p.inertly(pair[1], rank-1)
		answered := p.elements(against, rank-1)
		tried, before := 0, p.work
		p.moves(from, func(inert State, e Edge, after State) bool {
			if _, found := slices.BinarySearch(answered, element(e.Action, p.block(rank-1, after))); found {
				return true
			}
			c := challenge{from: pair[0], before: inert, edge: e, after: after, against: pair[1]}
			if p.respond(&c, against, rank) && (!ok || c.value < best.value) {
				best, ok = c, true
			}
			tried++
			return tried < maxTried && (!ok || p.work-before < maxPairWork)
		})
	}
	return best, ok && p.work < maxPlayWork
}

// maxTried bounds the moves that are compared for one pair and side, maxPairWork what is looked at for
// more than one of them, and maxPlayWork the transitions and states that a play looks at.
const (
	maxTried    = 32
	maxPairWork = 1 << 21
	maxPlayWork = 1 << 28
)

// moves calls f for every move from some states: the state, the transition, and the state where it
// ends; until f returns false. Weak moves of one action to one state are given once.
func (p *game) moves(from []State, f func(before State, e Edge, after State) bool) {
	if p.kind == WeakBisim {
		p.weakMoves(from, f)
		return
	}
	for _, before := range from {
		for _, e := range p.g.Out(before) {
			if p.work++; p.work > maxPlayWork || !f(before, e, e.To) {
				return
			}
		}
	}
}

// step is a transition with its source.
type step struct {
	from State
	edge Edge
}

// weakMoves is moves for weak bisimulation: for each action a search over τ.
func (p *game) weakMoves(from []State, f func(before State, e Edge, after State) bool) {
	var steps []step
	for _, before := range from {
		for _, e := range p.g.Out(before) {
			steps = append(steps, step{before, e})
		}
	}
	p.work += len(steps)
	slices.SortStableFunc(steps, func(x, y step) int { return cmp.Compare(x.edge.Action, y.edge.Action) })
	first := make([]uint32, p.g.NumStates()) // by state that is reached: by which step
	reach := newWeakReach(p.g)
	for i := 0; i < len(steps); reach.clear() {
		for a := steps[i].edge.Action; i < len(steps) && steps[i].edge.Action == a; i++ {
			known := len(reach.states)
			reach.add(steps[i].edge.To)
			for _, t := range reach.states[known:] {
				first[t] = uint32(i)
			}
		}
		p.work += len(reach.states)
		for _, t := range reach.states {
			s := steps[first[t]]
			if p.work++; p.work > maxPlayWork || !f(s.from, s.edge, t) {
				return
			}
		}
	}
}

// elements returns the signature of the first of the states: what the states can do, and to stay.
func (p *game) elements(from []State, time uint32) []uint64 {
	var all []uint64
	p.moves(from, func(_ State, e Edge, after State) bool {
		all = append(all, element(e.Action, p.block(time, after)))
		return true
	})
	if p.kind != StrongBisim {
		all = append(all, element(Tau, p.block(time, from[0])))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// inertly returns where a state can go before a move: nowhere else in strong bisimulation, by τ inside
// its block in branching bisimulation, by any τ in weak bisimulation. The state comes first.
func (p *game) inertly(s State, time uint32) []State {
	states := []State{s}
	if p.kind == StrongBisim {
		return states
	}
	p.seen.put(s)
	for i := 0; i < len(p.seen.states); i++ {
		for _, e := range p.g.OutBy(p.seen.states[i], Tau) {
			p.work++
			if p.kind == WeakBisim || p.together(time, s, e.To) {
				p.seen.put(e.To)
			}
		}
	}
	states = slices.Clone(p.seen.states)
	p.seen.clear()
	return states
}

// respond collects the answers to c, from where the responder can go inertly, and says whether all
// are told apart before rank.
func (p *game) respond(c *challenge, inertly []State, rank uint32) bool {
	lost := true
	add := func(first, other, to State) {
		x := answer{to: to, first: first, other: other, rank: p.rankOf(first, other)}
		lost = lost && x.rank < rank
		c.answers = append(c.answers, x)
		if x.rank > c.value {
			c.value, c.best = x.rank, len(c.answers)-1
		}
	}
	if p.kind == WeakBisim {
		for _, t := range p.weakAnswers(inertly, c.edge.Action) {
			add(c.after, t, t)
		}
		return lost && p.work <= maxPlayWork
	}
	if c.edge.Action == Tau && p.kind != StrongBisim {
		add(c.after, c.against, c.against)
	}
	for _, t := range inertly {
		p.work += 1 + len(p.g.Out(t))
		for _, e := range p.g.Out(t) {
			if e.Action == c.edge.Action {
				add(c.after, e.To, e.To)
			}
			if e.Action == Tau && p.kind != StrongBisim && !p.together(rank-1, c.from, e.To) {
				add(c.before, e.To, e.To)
			}
		}
	}
	return lost && p.work <= maxPlayWork
}

// weakAnswers returns where weak steps of an action from some states, which are closed under τ, end.
func (p *game) weakAnswers(from []State, a Action) []State {
	p.work += len(from)
	if a == Tau {
		return from
	}
	for _, t := range from {
		for _, e := range p.g.OutBy(t, a) {
			p.seen.add(e.To)
		}
	}
	p.work += len(p.seen.states)
	ends := slices.Clone(p.seen.states)
	p.seen.clear()
	return ends
}

// challengeText says what a side does that the other has to answer.
func challengeText(t *Actions, k marks, side, from string, a Action, to string) string {
	switch a {
	case k.err:
		return fmt.Sprintf("%s at %s is in an ERROR state", side, from)
	case k.divergence:
		return fmt.Sprintf("%s at %s can do tau forever", side, from)
	}
	return fmt.Sprintf("%s at %s does %s to %s", side, from, t.Name(a), to)
}

// refusalText says that a side has no answer at all.
func refusalText(t *Actions, k marks, side, at string, a Action) string {
	switch a {
	case k.err:
		return fmt.Sprintf("%s at %s is in none", side, at)
	case k.divergence:
		return fmt.Sprintf("%s at %s cannot", side, at)
	}
	return fmt.Sprintf("%s at %s cannot do %s", side, at, t.Name(a))
}

// maxListed is how many names a line lists.
const maxListed = 5

func listText(names []string) string {
	if len(names) > maxListed {
		return strings.Join(names[:maxListed], ", ") + fmt.Sprintf(" or one of %d more", len(names)-maxListed)
	}
	return strings.Join(names, " or ")
}
