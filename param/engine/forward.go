package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"magus/engine/portfolio"
	"magus/param"
	"magus/param/linear"
)

// Idea: look for short runs of few processes. Initial configurations whose values are at most k above
// their least ones, or there and far above, are explored forwards, breadth first, up to a number of
// configurations that doubles with k. This proves nothing, and finds most errors long before a
// backward search has learnt the zones that exclude everything else. Cost: the numbers below bound
// each level; maxLevel ends it.

const (
	firstBudget = 2000
	maxLevel    = 8
	maxTries    = 100_000 // choices of values that are looked at for a level
)

// An explicit is such a search.
type explicit struct {
	sys   *param.System
	cases []sparseCase
	bad   []badCube
	level int64
	left  int // configurations that the level may still find
	found []state
	done  int
	known map[string]bool
	total int
}

// A badCube is a cube of bad configurations.
type badCube struct {
	control uint64
	sums    []sparse
}

func badCubes(sys *param.System, property int) []badCube {
	var bad []badCube
	for _, b := range sys.Bad[property] {
		bad = append(bad, badCube{b.Control, sparseAtoms(b.Atoms)})
	}
	return bad
}

type state struct {
	control uint64
	point   []int64
	from    int // the state before, or -1
	via     *param.Case
}

func newExplicit(sys *param.System, property int) *explicit {
	return &explicit{sys: sys, cases: sparseCases(sys), bad: badCubes(sys, property), level: -1}
}

// Name implements [Method].
func (e *explicit) Name() string { return forwardMethod }

// Advance implements [Method].
func (e *explicit) Advance(ctx context.Context, share portfolio.Effort) event {
	used, each := portfolio.Effort(0), portfolio.Effort(1+len(e.cases)/4)
	for ; used < share && ctx.Err() == nil; used += each {
		if e.done == len(e.found) || e.left <= 0 {
			if e.level++; e.level > maxLevel {
				return gaveUp{Used: used, Why: errNoRun}
			}
			if i := e.begin(ctx); i >= 0 {
				return ended{Used: used + each, Outcome: e.error(i)}
			}
			continue
		}
		if i := e.expand(); i >= 0 {
			return ended{Used: used + each, Outcome: e.error(i)}
		}
	}
	return worked{Used: used, What: Searched{Sets: e.total, Waiting: len(e.found) - e.done}}
}

var errNoRun = errors.New("no run into a bad configuration among the first ones")

// begin starts a level. Like expand it returns a bad configuration, or -1.
func (e *explicit) begin(ctx context.Context) int {
	e.left = firstBudget << e.level
	e.found, e.done, e.known = nil, 0, map[string]bool{}
	bad := -1
	few := make([]int64, e.level+1) // every number up to the level
	for i := range few {
		few[i] = int64(i)
	}
	for _, above := range [][]int64{few, {0, 2 << e.level}} { // or none and many
		for _, c := range e.sys.Init {
			e.points(ctx, c.Atoms, above, func(x []int64) bool {
				for _, control := range controls(e.sys, c.Control) {
					if e.add(state{control: control, point: slices.Clone(x), from: -1}) && bad < 0 {
						bad = len(e.found) - 1
					}
				}
				return bad < 0 && e.left > 0
			})
		}
	}
	return bad
}

// controls are the values of the control variables in a mask.
func controls(sys *param.System, mask uint64) []uint64 {
	all := []uint64{0}
	for _, g := range sys.Groups {
		var next []uint64
		for _, c := range all {
			for b := mask & g.Bits; b != 0; b &= b - 1 {
				next = append(next, c|b&-b)
			}
		}
		if all = next; len(all) > firstBudget {
			all = all[:firstBudget]
		}
	}
	return all
}

// points goes through the natural solutions of atoms whose values are above the least ones by one of
// the given numbers, until visit returns false.
func (e *explicit) points(ctx context.Context, atoms []linear.Atom, above []int64, visit func([]int64) bool) {
	n := len(e.sys.Dims)
	low, _ := linear.Minimum(n, atoms, nil)
	high := make([]int64, n)
	for i := range high {
		high[i] = low[i] + above[len(above)-1]
	}
	for _, a := range atoms {
		if i, k, ok := upperBound(a); ok {
			high[i] = min(high[i], k)
		}
	}
	x := slices.Clone(low)
	tries := maxTries
	var assign func(i int) bool
	assign = func(i int) bool {
		if tries--; tries < 0 || ctx.Err() != nil {
			return false
		}
		for _, a := range atoms {
			least := int64(0)
			for j, c := range a.Coef {
				switch {
				case j < i:
					least += c * x[j]
				case c > 0:
					least += c * low[j]
				default:
					least += c * high[j]
				}
			}
			if least > a.Bound {
				return true
			}
		}
		if i == n {
			return visit(x)
		}
		for _, k := range above {
			if x[i] = low[i] + k; x[i] > high[i] {
				break
			}
			if !assign(i + 1) {
				return false
			}
		}
		x[i] = low[i]
		return true
	}
	assign(0)
}

// upperBound recognises x ≤ k.
func upperBound(a linear.Atom) (dim int, k int64, ok bool) {
	dim = -1
	for i, c := range a.Coef {
		if c == 0 {
			continue
		}
		if c != 1 || dim >= 0 {
			return 0, 0, false
		}
		dim = i
	}
	return dim, a.Bound, dim >= 0
}

// add keeps a state that is new, and reports whether it is a bad one.
func (e *explicit) add(s state) (bad bool) {
	key := binary.LittleEndian.AppendUint64(nil, s.control)
	for _, v := range s.point {
		key = binary.AppendUvarint(key, uint64(v))
	}
	if e.known[string(key)] || e.left <= 0 {
		return false
	}
	e.known[string(key)] = true
	e.found = append(e.found, s)
	e.left--
	e.total++
	for _, b := range e.bad {
		if s.control&^b.control == 0 && allHold(b.sums, s.point) {
			return true
		}
	}
	return false
}

func holds(atoms []linear.Atom, x []int64) bool {
	return !slices.ContainsFunc(atoms, func(a linear.Atom) bool { return !a.Holds(x) })
}

// expand adds what follows the next state.
func (e *explicit) expand() int {
	s := e.found[e.done]
	for i := range e.cases {
		c := &e.cases[i]
		control, ok := e.sys.After(c.Case, s.control)
		if !ok || !allHold(c.guard, s.point) {
			continue
		}
		next := slices.Clone(s.point)
		for j, d := range c.Moves {
			next[d] = c.update[j].value(s.point)
		}
		if slices.ContainsFunc(next, func(v int64) bool { return v > math.MaxInt32 }) {
			continue
		}
		if e.add(state{control: control, point: next, from: e.done, via: c.Case}) {
			return len(e.found) - 1
		}
	}
	e.done++
	return -1
}

// error is the run to a bad state.
func (e *explicit) error(at int) *Result {
	var rules []int
	for ; e.found[at].from >= 0; at = e.found[at].from {
		rules = append(rules, e.found[at].via.Rule)
	}
	slices.Reverse(rules)
	run := &param.Run{Start: e.sys.Join(e.found[at].control, e.found[at].point), Rules: rules}
	return &Result{Answer: Unsafe, Method: e.Name(), Run: run, Sets: e.total}
}
