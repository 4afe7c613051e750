package engine

import (
	"context"
	"errors"
	"math"
	"slices"

	"magus/engine/portfolio"
	"magus/param"
	"magus/param/linear"
)

// Idea: explore forwards configurations whose values may be ω, as many as you like: sets that are closed
// downwards. A sequence of rules that can be taken again and leaves more than before is taken for ever:
// where it adds, there is ω. When nothing new is found, the union of the sets contains all that can be
// reached; and if one of them meets a bad configuration, a run with numbers is put together backwards.
// Source: R. M. Karp, R. E. Miller, Parallel program schemata, 1969; sets of limits as in E. A. Emerson,
// K. S. Namjoshi, On model checking for non-deterministic infinite-state systems, LICS 1998.
// Deviations: a configuration below another one that was found is left out. A sequence with a transfer is taken
// as if it added whenever it is taken, which makes the sets larger than they need to be: what they exclude
// is excluded. If a bad configuration among them is none, the search begins again without that, and need not end.
// Cost: not bounded by anything reasonable; shares, and what the session allows, end it.

// omega is as many as you like. It is larger than every number that occurs.
const omega = math.MaxInt32

// longestRun bounds the runs that are put together.
const longestRun = 100_000

// A limit is a set of configurations: everything below a point.
type limit struct {
	control uint64
	point   []int64
	where   support // of the dimensions that are not 0
	from    int
	via     *param.Case
	pumps   []pump // accelerations, in their order
}

// A support says in which dimensions a point is not 0, in 128 bits, the later ones again from the first.
type support [2]uint64

func supportOf(x []int64) support {
	var s support
	for d, k := range x {
		if k != 0 {
			s[d/64%2] |= 1 << (d % 64)
		}
	}
	return s
}

func (s support) within(o support) bool { return s[0]&^o[0] == 0 && s[1]&^o[1] == 0 }

// A pump is a sequence of cases that can be taken again and again, and the point before.
type pump struct {
	cases []*param.Case
	point []int64
}

// limits is such a search.
type limits struct {
	sys      *param.System
	property int
	cases    []sparseCase
	bads     []badCube
	plain    map[*param.Case]bool // changes dimensions by constants only
	found    []limit
	covered  []bool
	live     []int // those that are not covered
	done     int
	made     int
	spent    int // work, in about equal units
	bad      int
	strict   bool // sequences with transfers are not accelerated
}

// limitsFor is a search for a system where the plain order is exact and the initial cubes bound single
// dimensions only.
func limitsFor(sys *param.System, property int) (*limits, bool) {
	l := &limits{sys: sys, property: property, cases: sparseCases(sys), bads: badCubes(sys, property),
		plain: map[*param.Case]bool{}, bad: -1}
	for i := range sys.Cases {
		c := &sys.Cases[i]
		l.plain[c] = true
		for _, d := range c.Moves {
			for j, k := range c.Update[d].Coef {
				l.plain[c] = l.plain[c] && (k == 0 || k == 1 && j == d) && c.Update[d].Coef[d] == 1
			}
		}
	}
	for _, c := range sys.Init {
		point := slices.Repeat([]int64{omega}, len(sys.Dims))
		for _, a := range c.Atoms {
			if d, k, ok := upperBound(a); ok {
				point[d] = min(point[d], k)
			} else if _, _, ok := lowerBound(a); !ok {
				return nil, false
			}
		}
		if linear.Empty(c.Atoms) {
			continue
		}
		for _, control := range controls(sys, c.Control) {
			l.add(limit{control: control, point: point, from: -1})
		}
	}
	return l, true
}

// Name implements [Method].
func (l *limits) Name() string { return limitsMethod }

// Advance implements [Method].
func (l *limits) Advance(ctx context.Context, share portfolio.Effort) event {
	before := l.spent
	for end := before + int(share); l.spent < end && l.done < len(l.found) && l.bad < 0 && ctx.Err() == nil; l.done++ {
		if !l.covered[l.done] {
			l.expand(l.done)
		}
	}
	used := portfolio.Effort(l.spent - before)
	switch {
	case l.bad >= 0:
		run, ok := l.run(l.bad)
		switch {
		case !ok && !l.strict:
			l.restart()
			return worked{Used: used, What: Searched{Sets: l.made, Waiting: len(l.found)}}
		case !ok:
			return gaveUp{Used: used, Why: errNoLimitRun}
		}
		return ended{Used: used, Outcome: &Result{Answer: Unsafe, Method: l.Name(), Run: run, Sets: l.made}}
	case l.done < len(l.found):
		return worked{Used: used, What: Searched{Sets: l.made, Waiting: len(l.found) - l.done}}
	}
	return ended{Used: used, Outcome: &Result{Answer: Safe, Method: l.Name(), Proof: l.proof(), Sets: l.made}}
}

var errNoLimitRun = errors.New("no run to a bad configuration was found")

// proof is what a search proves that has found everything.
func (l *limits) proof() *param.Proof {
	proof := &param.Proof{}
	for i, m := range l.found {
		if l.covered[i] {
			continue
		}
		cube := param.Cube{Control: m.control}
		for d, k := range m.point {
			if k != omega {
				cube.Atoms = append(cube.Atoms, linear.AtMost(len(m.point), d, k))
			}
		}
		proof.Inside = append(proof.Inside, l.sys.Formula(cube))
	}
	return proof
}

// restart begins again, strictly.
func (l *limits) restart() {
	made, spent := l.made, l.spent
	fresh, _ := limitsFor(l.sys, l.property)
	*l = *fresh
	l.made, l.spent, l.strict = made, spent, true
}

// may reports whether atoms are true of a point, or of some below ω.
func may(sums []sparse, x []int64) bool {
	for i := range sums {
		sum := sums[i].constant
		for _, t := range sums[i].terms {
			if x[t.dim] == omega {
				sum = 0
				break
			}
			sum += t.k * x[t.dim]
		}
		if sum > 0 {
			return false
		}
	}
	return true
}

func (l *limits) expand(at int) {
	for i := range l.cases {
		c := &l.cases[i]
		m := &l.found[at]
		l.made++
		l.spent++
		control, ok := l.sys.After(c.Case, m.control)
		if !ok || !may(c.guard, m.point) {
			continue
		}
		next := limit{control: control, point: slices.Clone(m.point), from: at, via: c.Case}
		for j, d := range c.Moves {
			next.point[d] = c.update[j].constant
			for _, t := range c.update[j].terms {
				if m.point[t.dim] == omega {
					next.point[d] = omega
					break
				}
				next.point[d] += t.k * m.point[t.dim]
			}
		}
		if next.where = supportOf(next.point); l.known(&next) {
			continue
		}
		l.accelerate(&next)
		if l.add(next); l.bad >= 0 {
			return
		}
	}
}

func (m *limit) above(o *limit) bool {
	if m.control != o.control || !o.where.within(m.where) {
		return false
	}
	for d, k := range o.point {
		if k > m.point[d] {
			return false
		}
	}
	return true
}

func (l *limits) known(m *limit) bool {
	l.spent += 1 + len(l.live)/scanned
	for _, i := range l.live {
		if l.found[i].above(m) {
			return true
		}
	}
	return false
}

func (l *limits) add(m limit) {
	if m.where = supportOf(m.point); l.known(&m) {
		return
	}
	kept := l.live[:0]
	for _, i := range l.live {
		if l.covered[i] = m.above(&l.found[i]); !l.covered[i] {
			kept = append(kept, i)
		}
	}
	l.live = append(kept, len(l.found))
	l.found, l.covered = append(l.found, m), append(l.covered, false)
	for _, b := range l.bads {
		if m.control&^b.control == 0 && may(b.sums, m.point) {
			l.bad = len(l.found) - 1
		}
	}
}

// accelerate puts ω where a sequence of plain cases from a configuration before adds.
func (l *limits) accelerate(m *limit) {
	var back []*param.Case
	via := m.via
	for i := m.from; i >= 0 && (l.plain[via] || !l.strict); i = l.found[i].from {
		back = append(back, via)
		before := &l.found[i]
		if m.above(before) {
			p := pump{cases: slices.Clone(back), point: slices.Clone(m.point)}
			slices.Reverse(p.cases)
			grows := false
			for d, k := range before.point {
				if m.point[d] > k && m.point[d] != omega {
					m.point[d], grows = omega, true
				}
			}
			if grows {
				m.pumps = append(m.pumps, p)
			}
		}
		if via = before.via; via == nil {
			return
		}
	}
}

// run puts numbers to the way to a limit that meets a bad cube.
func (l *limits) run(at int) (*param.Run, bool) {
	for _, b := range l.sys.Bad[l.property] {
		if l.found[at].control&^b.Control != 0 {
			continue
		}
		need := make([]int64, len(l.sys.Dims))
		if !raise(need, b.Atoms, l.found[at].point) {
			continue
		}
		var back []*param.Case
		ok := true
		i := at
		for ; ok; i = l.found[i].from {
			m := &l.found[i]
			for k := len(m.pumps) - 1; k >= 0 && ok; k-- {
				need, back, ok = unpump(need, back, m.pumps[k])
			}
			if m.via == nil {
				break
			}
			if ok {
				need, ok = l.require(need, m.via, l.found[m.from].point)
				back = append(back, m.via)
			}
		}
		if !ok || len(back) > longestRun {
			continue
		}
		if run, ok := l.start(i, need, back); ok && l.real(run) {
			return run, true
		}
	}
	return nil, false
}

// real reports whether a run is one, and ends in a bad configuration.
func (l *limits) real(run *param.Run) bool {
	m := l.sys.Model
	configs, err := m.Replay(*run)
	return err == nil && m.Holds(m.Bad[l.property].Formula, configs[len(configs)-1])
}

// start is the run from the smallest initial configuration that is above need.
func (l *limits) start(root int, need []int64, back []*param.Case) (*param.Run, bool) {
	m := &l.found[root]
	for _, c := range l.sys.Init {
		if m.control&^c.Control != 0 {
			continue
		}
		low, _ := linear.Minimum(len(need), c.Atoms, nil)
		for d, k := range m.point {
			if k == omega {
				low[d] = max(low[d], need[d])
			} else {
				low[d] = k // more never harms
			}
		}
		if !holds(c.Atoms, low) {
			continue
		}
		run := &param.Run{Start: l.sys.Join(m.control, low)}
		for i := len(back) - 1; i >= 0; i-- {
			run.Rules = append(run.Rules, back[i].Rule)
		}
		return run, true
	}
	return nil, false
}

// raise makes need large enough for atoms, where most allows.
func raise(need []int64, atoms []linear.Atom, most []int64) bool {
	for _, a := range atoms {
		missing := -a.Bound
		for i, c := range a.Coef {
			missing += c * need[i]
		}
		for i, c := range a.Coef {
			for c < 0 && missing > 0 && need[i] < most[i] {
				step := min((missing-c-1)/-c, most[i]-need[i])
				need[i] += step
				missing += c * step
			}
		}
		if missing > 0 {
			return false
		}
	}
	return true
}

// require is what must be there before a case so that need is there after it.
func (l *limits) require(need []int64, c *param.Case, most []int64) ([]int64, bool) {
	before := make([]int64, len(need))
	var atoms []linear.Atom
	for d, k := range need {
		if k > 0 {
			atoms = append(atoms, substitute(linear.AtLeast(len(need), d, k), c.Update))
		}
	}
	// Bounds of single dimensions first: they leave no choice.
	atoms = append(atoms, c.Guard.Atoms...)
	slices.SortStableFunc(atoms, func(a, b linear.Atom) int { return boolInt(soleVariable(b)) - boolInt(soleVariable(a)) })
	return before, raise(before, atoms, most)
}

func soleVariable(a linear.Atom) bool {
	n := 0
	for _, c := range a.Coef {
		if c != 0 {
			n++
		}
	}
	return n == 1
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// unpump takes a pump often enough for need, backwards.
func unpump(need []int64, back []*param.Case, p pump) ([]int64, []*param.Case, bool) {
	change := make([]int64, len(need))
	for _, c := range p.cases {
		for _, d := range c.Moves {
			change[d] += c.Update[d].Const
		}
	}
	times := int64(0)
	for d, k := range need {
		if have := p.point[d]; have != omega && k > have {
			if change[d] <= 0 {
				return nil, nil, false
			}
			times = max(times, (k-have+change[d]-1)/change[d])
		}
	}
	if times*int64(len(p.cases)) > longestRun-int64(len(back)) {
		return nil, nil, false
	}
	need = slices.Clone(need)
	for range times {
		for i := len(p.cases) - 1; i >= 0; i-- {
			c := p.cases[i]
			back = append(back, c)
			for _, d := range c.Moves {
				need[d] = max(need[d]-c.Update[d].Const, 0)
			}
			for _, a := range c.Guard.Atoms {
				if d, k, ok := lowerBound(a); ok {
					need[d] = max(need[d], k)
				}
			}
		}
	}
	return need, back, true
}
