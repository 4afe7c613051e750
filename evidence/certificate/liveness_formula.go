package certificate

// What a run that violates a formula still owes.
//
// Idea: a run that violates a formula has its negation, in negation normal form. What is owed is a set of
// formulas that have to hold from the next position on. At a position each is taken apart by what holds
// there: a U b is b, or a and again a U b. Each way to do that is a set that is owed afterwards, and the
// untils that it puts off. A run owes nothing for ever if each until is not put off again and again. Nothing
// is translated beforehand.
//
// Source: docs/semantics.md; the rules are those of tableaux for linear temporal logic (Wolper 1985). Cost:
// exponential in the operators at worst, of which formulas have few.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/smt/expr"
	"magus/specs"
)

// mostPropositions and mostUntils are bits of a word.
const (
	mostPropositions = 64
	mostUntils       = 64
)

// A temporal formula is in negation normal form. Each is made once, so that equal ones are one.
type temporal struct {
	op   temporalOp
	prop int // of literals
	a, b *temporal
	id   int
}

type temporalOp uint8

const (
	always temporalOp = iota // true
	never                    // false
	holds                    // a proposition
	lacks                    // its negation
	both
	either
	next
	until
	release
)

// owing is a claim's formula.
type owing struct {
	ctx     context.Context // where it ends, not all ways are found
	sub     *Subject
	all     map[temporal]*temporal
	formula *temporal // that a run which violates has; nil if the claim is that there is no livelock
	untils  []*temporal

	props       map[string]int
	acts        map[string]uint64 // by action, the propositions that hold behind it
	on, off     map[string]uint64 // by action, the fluents that begin, and end
	initially   uint64
	conds       []map[int]*expr.Expr // by component and proposition
	hasConds    bool
	progressing []string // actions of which progress has one again and again
	provided    []string // if one of these happens again and again; nil of others

	sets  [][]*temporal // what may be owed, by number
	index map[string]int
	taken map[taken][]owed
}

// newOwing reads what the claim asks.
func newOwing(ctx context.Context, sub *Subject) (*owing, error) {
	f := &owing{ctx: ctx, sub: sub, all: map[temporal]*temporal{}, props: map[string]int{},
		acts: map[string]uint64{}, on: map[string]uint64{},
		off: map[string]uint64{}, index: map[string]int{}, taken: map[taken][]owed{}}
	for range sub.Components {
		f.conds = append(f.conds, map[int]*expr.Expr{})
	}
	live := sub.Claim.Live
	var asked *temporal
	var err error
	switch {
	case live.Formula != nil:
		asked, err = f.of(live.Formula, true)
	case live.Progress != nil:
		f.progressing = f.carrying(live.Progress.Then)
		if asked, err = f.again(live.Progress.Then, true); err == nil && live.Progress.Conditional {
			f.provided = f.carrying(live.Progress.If)
			var provided *temporal
			if provided, err = f.again(live.Progress.If, false); err == nil {
				asked = f.make(both, 0, asked, provided)
			}
		}
	default:
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	f.formula = asked
	f.collect(asked, map[*temporal]bool{})
	for _, t := range f.all {
		if t.op == next && f.hasConds {
			return nil, fmt.Errorf("the position behind the next action has no meaning beside conditions on variables")
		}
	}
	if len(f.untils) > mostUntils {
		return nil, fmt.Errorf("the formula has more than %d untils", mostUntils)
	}
	return f, nil
}

// carrying are the actions of the components that those of the text are.
func (f *owing) carrying(names []string) []string {
	all := []string{}
	for _, name := range names {
		all = append(all, f.sub.Claim.Carrying(name)...)
	}
	return all
}

func (f *owing) make(op temporalOp, prop int, a, b *temporal) *temporal {
	key := temporal{op: op, prop: prop, a: a, b: b}
	if t := f.all[key]; t != nil {
		return t
	}
	t := key
	t.id = len(f.all)
	f.all[key] = &t
	return &t
}

func (f *owing) bool(yes bool) *temporal {
	if yes {
		return f.make(always, 0, nil, nil)
	}
	return f.make(never, 0, nil, nil)
}

// again is []<> of one of some actions, or its negation.
func (f *owing) again(names []string, negated bool) (*temporal, error) {
	x, err := f.some(names, negated)
	if err != nil {
		return nil, err
	}
	if negated {
		return f.make(until, 0, f.bool(true), f.make(release, 0, f.bool(false), x)), nil
	}
	return f.make(release, 0, f.bool(false), f.make(until, 0, f.bool(true), x)), nil
}

// of is a formula as it is written, or its negation.
func (f *owing) of(x *specs.Formula, negated bool) (*temporal, error) {
	var err error
	at := func(i int, negated bool) *temporal {
		t, wrong := f.of(x.Args[i], negated)
		if wrong != nil && err == nil {
			err = wrong
		}
		return t
	}
	pick := func(op, dual temporalOp) temporalOp {
		if negated {
			return dual
		}
		return op
	}
	var t *temporal
	switch x.Op {
	case "true", "false":
		return f.bool((x.Op == "true") != negated), nil
	case "!":
		return f.of(x.Args[0], !negated)
	case "X":
		t = f.make(next, 0, at(0, negated), nil)
	case "[]":
		t = f.make(pick(release, until), 0, f.bool(negated), at(0, negated))
	case "<>":
		t = f.make(pick(until, release), 0, f.bool(!negated), at(0, negated))
	case "&&":
		t = f.make(pick(both, either), 0, at(0, negated), at(1, negated))
	case "||":
		t = f.make(pick(either, both), 0, at(0, negated), at(1, negated))
	case "->":
		t = f.make(pick(either, both), 0, at(0, !negated), at(1, negated))
	case "<->":
		t = f.make(both, 0, f.make(either, 0, at(0, true), at(1, negated)), f.make(either, 0, at(0, false), at(1, !negated)))
	case "U":
		t = f.make(pick(until, release), 0, at(0, negated), at(1, negated))
	case "W": // b releases a or b
		a, b := at(0, negated), at(1, negated)
		t = f.make(pick(release, until), 0, b, f.make(pick(either, both), 0, a, b))
	default:
		return f.proposition(x, negated)
	}
	return t, err
}

// proposition is what has no operator.
func (f *owing) proposition(x *specs.Formula, negated bool) (*temporal, error) {
	switch {
	case x.Cond != nil:
		return f.condition(x.Cond, negated)
	case x.Name == "":
		return f.some(x.Actions, negated)
	}
	if fluent := f.sub.Claim.Specs.Fluent(x.Name); fluent != nil {
		return f.fluent(fluent, negated)
	}
	if a := f.sub.Claim.Specs.Assertion(x.Name); a != nil {
		return f.of(a.Formula, negated)
	}
	return f.some(x.Actions, negated)
}

// number is the proposition of a key.
func (f *owing) number(key string) (n int, isNew bool, err error) {
	if n, ok := f.props[key]; ok {
		return n, false, nil
	}
	if n = len(f.props); n == mostPropositions {
		return 0, false, fmt.Errorf("the formula has more than %d propositions", mostPropositions)
	}
	f.props[key] = n
	return n, true, nil
}

func (f *owing) literal(n int, negated bool) *temporal {
	if negated {
		return f.make(lacks, n, nil, nil)
	}
	return f.make(holds, n, nil, nil)
}

// some is that one of some actions happens, or none.
func (f *owing) some(names []string, negated bool) (*temporal, error) {
	t := f.bool(negated)
	for _, name := range names {
		n, isNew, err := f.number("action " + name)
		if err != nil {
			return nil, err
		}
		if isNew {
			for _, a := range f.sub.Claim.Carrying(name) {
				f.acts[a] |= 1 << n
			}
		}
		if negated {
			t = f.make(both, 0, t, f.literal(n, true))
		} else {
			t = f.make(either, 0, t, f.literal(n, false))
		}
	}
	return t, nil
}

func (f *owing) fluent(x *specs.Fluent, negated bool) (*temporal, error) {
	n, isNew, err := f.number("fluent " + x.Name)
	if err != nil {
		return nil, err
	}
	if isNew {
		for _, a := range f.carrying(x.On) {
			f.on[a] |= 1 << n
		}
		for _, a := range f.carrying(x.Off) {
			f.off[a] |= 1 << n
		}
		if x.Initially {
			f.initially |= 1 << n
		}
	}
	return f.literal(n, negated), nil
}

func (f *owing) condition(e *specs.CExpr, negated bool) (*temporal, error) {
	var autos []*cfa.CFA
	for _, c := range f.sub.Components {
		autos = append(autos, c.CFA)
	}
	i, cond, err := f.sub.Claim.LiveCondition(e, autos)
	if err != nil {
		return nil, err
	}
	if cond.IsConst() {
		return f.bool(cond.IsTrue() != negated), nil
	}
	n, _, err := f.number("condition " + e.String())
	if err != nil {
		return nil, err
	}
	f.conds[i][n], f.hasConds = cond, true
	return f.literal(n, negated), nil
}

// collect finds the untils.
func (f *owing) collect(t *temporal, seen map[*temporal]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	if t.op == until {
		f.untils = append(f.untils, t)
	}
	f.collect(t.a, seen)
	f.collect(t.b, seen)
}

// begin is the number of what is owed before the first position.
func (f *owing) begin() int {
	if f.formula == nil {
		return f.set(nil)
	}
	return f.set([]*temporal{f.formula})
}

// set is the number of a set.
func (f *owing) set(all []*temporal) int {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b *temporal) int { return a.id - b.id })
	all = slices.Compact(all)
	var key strings.Builder
	for _, t := range all {
		fmt.Fprintf(&key, "%d ", t.id)
	}
	n, ok := f.index[key.String()]
	if !ok {
		n = len(f.sets)
		f.index[key.String()] = n
		f.sets = append(f.sets, all)
	}
	return n
}

// owed is what is owed behind a position, and the untils that are put off there.
type owed struct {
	set    int
	putOff uint64
}

type taken struct {
	set       int
	valuation uint64
}

// behind are the ways to go on past a position where some propositions hold.
func (f *owing) behind(set int, valuation uint64) []owed {
	key := taken{set, valuation}
	all, ok := f.taken[key]
	if !ok {
		f.apart(slices.Clone(f.sets[set]), valuation, nil, 0, &all)
		f.taken[key] = all
	}
	return all
}

// apart takes formulas apart until some are left for the next position.
func (f *owing) apart(todo []*temporal, valuation uint64, later []*temporal, putOff uint64, all *[]owed) {
	for len(todo) > 0 {
		if f.ctx.Err() != nil {
			return
		}
		t := todo[len(todo)-1]
		todo = todo[: len(todo)-1 : len(todo)-1]
		switch t.op {
		case always:
		case never:
			return
		case holds, lacks:
			if (valuation>>t.prop&1 == 1) != (t.op == holds) {
				return
			}
		case both:
			todo = append(todo, t.a, t.b)
		case either:
			f.apart(append(slices.Clone(todo), t.a), valuation, slices.Clone(later), putOff, all)
			todo = append(todo, t.b)
		case next:
			later = append(later, t.a)
		case until:
			f.apart(append(slices.Clone(todo), t.b), valuation, slices.Clone(later), putOff, all)
			putOff |= 1 << slices.Index(f.untils, t)
			todo, later = append(todo, t.a), append(later, t)
		case release:
			f.apart(append(slices.Clone(todo), t.a, t.b), valuation, slices.Clone(later), putOff, all)
			todo, later = append(todo, t.b), append(later, t)
		}
	}
	if o := (owed{f.set(later), putOff}); !slices.Contains(*all, o) {
		*all = append(*all, o)
	}
}

// still reports whether what is owed is kept where the same propositions hold for ever.
func (f *owing) still(set int, valuation uint64) bool {
	for _, t := range f.sets[set] {
		if !t.forEver(valuation) {
			return false
		}
	}
	return true
}

// forEver reports whether a formula holds where the same propositions do for ever: then until is its second
// part, as release is.
func (t *temporal) forEver(valuation uint64) bool {
	switch t.op {
	case always:
		return true
	case holds, lacks:
		return (valuation>>t.prop&1 == 1) == (t.op == holds)
	case both:
		return t.a.forEver(valuation) && t.b.forEver(valuation)
	case either:
		return t.a.forEver(valuation) || t.b.forEver(valuation)
	case next:
		return t.a.forEver(valuation)
	case until, release:
		return t.b.forEver(valuation)
	}
	return false
}

// fluents are those that hold behind an action, of those before it.
func (f *owing) fluents(before uint64, action string) uint64 {
	return before&^f.off[action] | f.on[action]
}
