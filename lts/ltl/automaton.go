package ltl

// From formulas to Büchi automata.
//
// Idea: a state is a set of formulas that hold from now on. What a set asks of the present position and what it leaves
// to the next one is found by taking its formulas apart: a U b is b now, or a now and a U b next. Each way is a
// transition with literals and the set for the next position. A transition that puts an until off is not in the
// acceptance set of that until; a run is accepted if it takes transitions of each set infinitely often. A transition is
// left out where another one asks for less now and later, and puts off less.
//
// Source: Gerth, Peled, Vardi, Wolper: Simple on-the-fly automatic verification of linear temporal logic (PSTV 1995);
// acceptance on transitions as in Gastin, Oddoux: Fast LTL to Büchi automata translation (CAV 2001).
// Deviation: sets of formulas are states at once, without an alternating automaton in between.
//
// Cost: exponential in the operators; formulas of people have few.

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"
)

// A Transition is taken at a position whose valuation has all propositions of Has and none of Lacks.
type Transition struct {
	Has, Lacks uint64
	To         int
	// Good are the acceptance sets that the transition is in.
	Good uint64
}

// Allows reports whether a valuation, a set of propositions, admits the transition.
func (t *Transition) Allows(valuation uint64) bool {
	return valuation&t.Has == t.Has && valuation&t.Lacks == 0
}

// An Automaton is a generalised Büchi automaton with acceptance on transitions. State 0 is initial.
type Automaton struct {
	Out  [][]Transition // by state
	Sets int            // acceptance sets, at most 64
}

// maxStates bounds automata.
const maxStates = 4096

// ErrLarge says that a formula has too large an automaton.
var ErrLarge = errors.New("the formula's automaton is too large")

// Automaton accepts the words of which f holds. The error is [ErrLarge].
func (p *Pool) Automaton(f *Formula) (*Automaton, error) {
	b := &builder{pool: p, index: map[string]int{}, untils: map[*Formula]int{}}
	b.findUntils(f, map[*Formula]bool{})
	if len(b.untils) > 64 {
		return nil, ErrLarge
	}
	a := &Automaton{Sets: len(b.untils)}
	b.state([]*Formula{f})
	for q := 0; q < len(b.sets); q++ {
		if len(b.sets) > maxStates {
			return nil, ErrLarge
		}
		a.Out = append(a.Out, b.out(b.sets[q]))
	}
	return a.reduced(), nil
}

// builder takes sets of formulas apart.
type builder struct {
	pool   *Pool
	sets   [][]*Formula
	index  map[string]int
	untils map[*Formula]int // with the number of the acceptance set
}

func (b *builder) findUntils(f *Formula, seen map[*Formula]bool) {
	if f == nil || seen[f] {
		return
	}
	seen[f] = true
	if f.op == Until {
		b.untils[f] = len(b.untils)
	}
	b.findUntils(f.l, seen)
	b.findUntils(f.r, seen)
}

// state is the number of a set of formulas, which is sorted.
func (b *builder) state(set []*Formula) int {
	key := make([]byte, 0, 4*len(set))
	for _, f := range set {
		key = append(key, byte(f.id), byte(f.id>>8), byte(f.id>>16), byte(f.id>>24))
	}
	q, ok := b.index[string(key)]
	if !ok {
		q = len(b.sets)
		b.index[string(key)] = q
		b.sets = append(b.sets, set)
	}
	return q
}

// A cover is one way in which a set of formulas can hold.
type cover struct {
	has, lacks uint64
	next       []*Formula // sorted
	putOff     uint64     // untils
}

// out are the transitions of a set.
func (b *builder) out(set []*Formula) []Transition {
	var all []cover
	b.expand(slices.Clone(set), map[*Formula]bool{}, cover{}, &all)
	good := ^uint64(0)
	if n := len(b.untils); n < 64 {
		good = 1<<n - 1
	}
	all = least(all)
	ts := make([]Transition, 0, len(all))
	for _, c := range all {
		ts = append(ts, Transition{c.has, c.lacks, b.state(c.next), good &^ c.putOff})
	}
	return ts
}

// expand takes formulas apart until there are literals and formulas for the next position only.
func (b *builder) expand(todo []*Formula, done map[*Formula]bool, c cover, all *[]cover) {
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if done[f] {
			continue
		}
		done[f] = true
		switch f.op {
		case True:
		case False:
			return
		case Prop:
			c.has |= 1 << f.prop
		case NotProp:
			c.lacks |= 1 << f.prop
		case And:
			todo = append(todo, f.l, f.r)
		case Next:
			c.next = with(c.next, f.l)
		case Or:
			b.expand(append(slices.Clone(todo), f.l), clone(done), c.clone(), all)
			todo = append(todo, f.r)
		case Until:
			b.expand(append(slices.Clone(todo), f.r), clone(done), c.clone(), all)
			todo, c.next, c.putOff = append(todo, f.l), with(c.next, f), c.putOff|1<<b.untils[f]
		case Release:
			b.expand(append(slices.Clone(todo), f.l, f.r), clone(done), c.clone(), all)
			todo, c.next = append(todo, f.r), with(c.next, f)
		}
		if c.has&c.lacks != 0 {
			return
		}
	}
	*all = append(*all, c)
}

func clone(done map[*Formula]bool) map[*Formula]bool {
	m := make(map[*Formula]bool, len(done))
	for f := range done {
		m[f] = true
	}
	return m
}

func (c cover) clone() cover {
	c.next = slices.Clone(c.next)
	return c
}

// with inserts a formula into a sorted set; true is in every set.
func with(set []*Formula, f *Formula) []*Formula {
	if f.op == True {
		return set
	}
	if f.op == And {
		return with(with(set, f.l), f.r)
	}
	i, found := slices.BinarySearchFunc(set, f, func(a, b *Formula) int { return cmp.Compare(a.id, b.id) })
	if found {
		return set
	}
	return slices.Insert(set, i, f)
}

// least are the covers than which no other asks for less.
func least(all []cover) []cover {
	less := func(a, b cover) bool {
		return a.has&^b.has == 0 && a.lacks&^b.lacks == 0 && a.putOff&^b.putOff == 0 && subset(a.next, b.next)
	}
	var kept []cover
	for i, c := range all {
		dominated := false
		for k, d := range all {
			if k != i && less(d, c) && (!less(c, d) || k < i) {
				dominated = true
				break
			}
		}
		if !dominated {
			kept = append(kept, c)
		}
	}
	return kept
}

func subset(a, b []*Formula) bool {
	return !slices.ContainsFunc(a, func(f *Formula) bool { return !slices.Contains(b, f) })
}

// reduced joins states with the same transitions, until there are none.
func (a *Automaton) reduced() *Automaton {
	for {
		class, out := make([]int, len(a.Out)), [][]Transition{}
		for q, ts := range a.Out {
			class[q] = slices.IndexFunc(out, func(o []Transition) bool { return slices.Equal(o, ts) })
			if class[q] < 0 {
				class[q] = len(out)
				out = append(out, ts)
			}
		}
		if len(out) == len(a.Out) {
			return a
		}
		b := &Automaton{Sets: a.Sets}
		for _, ts := range out {
			joined := make([]Transition, 0, len(ts))
			for _, t := range ts {
				t.To = class[t.To]
				joined = append(joined, t)
			}
			slices.SortFunc(joined, func(x, y Transition) int {
				return cmp.Or(cmp.Compare(x.To, y.To), cmp.Compare(x.Has, y.Has), cmp.Compare(x.Lacks, y.Lacks),
					cmp.Compare(x.Good, y.Good))
			})
			b.Out = append(b.Out, slices.Compact(joined))
		}
		a = b
	}
}

// All are the acceptance sets.
func (a *Automaton) All() uint64 {
	if a.Sets == 64 {
		return ^uint64(0)
	}
	return 1<<a.Sets - 1
}

// ForEver are the states from which a word is accepted that is one valuation for ever.
func (a *Automaton) ForEver(valuation uint64) []bool {
	n := len(a.Out)
	ok := make([]bool, n)
	for _, comp := range a.components(valuation) {
		inside := map[int]bool{}
		for _, q := range comp {
			inside[q] = true
		}
		good, edges := uint64(0), 0
		for _, q := range comp {
			for _, t := range a.Out[q] {
				if t.Allows(valuation) && inside[t.To] {
					good, edges = good|t.Good, edges+1
				}
			}
		}
		if edges > 0 && bits.OnesCount64(good) >= a.Sets {
			for _, q := range comp {
				ok[q] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for q := range n {
			if !ok[q] && slices.ContainsFunc(a.Out[q], func(t Transition) bool { return t.Allows(valuation) && ok[t.To] }) {
				ok[q], changed = true, true
			}
		}
	}
	return ok
}

// components are the strongly connected components of the transitions that a valuation admits.
func (a *Automaton) components(valuation uint64) [][]int {
	n := len(a.Out)
	reach := make([][]bool, n)
	for q := range n {
		reach[q] = make([]bool, n)
		todo := []int{q}
		for len(todo) > 0 {
			x := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, t := range a.Out[x] {
				if t.Allows(valuation) && !reach[q][t.To] {
					reach[q][t.To] = true
					todo = append(todo, t.To)
				}
			}
		}
	}
	var all [][]int
	seen := make([]bool, n)
	for q := range n {
		if seen[q] {
			continue
		}
		comp := []int{q}
		for x := q + 1; x < n; x++ {
			if reach[q][x] && reach[x][q] {
				comp = append(comp, x)
			}
		}
		for _, x := range comp {
			seen[x] = true
		}
		all = append(all, comp)
	}
	return all
}
