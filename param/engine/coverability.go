package engine

import (
	"context"
	"errors"
	"math/bits"
	"slices"

	"magus/engine/portfolio"
	"magus/param"
	"magus/param/linear"
)

// Idea: where more processes can always do what fewer can, and every bad configuration stays bad when
// processes are added, the plain order on configurations is exact: the sets from which a bad one can be
// reached are upward closed, each is given by its minimal points, and the search for new ones ends. No
// zones are needed, an error is real, and the points are all there is to store. What a linear invariant
// shows to be unreachable is left out.
// Source: P. A. Abdulla, K. Čerāns, B. Jonsson, Y.-K. Tsay, General decidability theorems for infinite-state
// systems, LICS 1996; broadcasts as in J. Esparza, A. Finkel, R. Mayr, On the verification of broadcast
// protocols, LICS 1999.
// Cost: the number of minimal points; each new one is compared with all others.

// What is done, in units of work: comparisons with so many points are one, a linear program is several.
const (
	scanned  = 32
	askPrice = 200
)

// maxSplit bounds the minimal points of what leads into one point.
const maxSplit = 20000

// covers reports whether the plain order is exact for a system and a property.
func covers(sys *param.System, property int) bool {
	upward := func(atoms []linear.Atom) bool {
		return !slices.ContainsFunc(atoms, func(a linear.Atom) bool { return !a.Upward() })
	}
	for _, c := range sys.Cases {
		for _, u := range c.Update {
			if slices.ContainsFunc(u.Coef, func(k int64) bool { return k < 0 }) {
				return false
			}
		}
		if !upward(c.Guard.Atoms) {
			return false
		}
	}
	return !slices.ContainsFunc(sys.Bad[property], func(c param.Cube) bool { return !upward(c.Atoms) })
}

// A minimal is a point with all that is above it.
type minimal struct {
	control uint64
	low     []int64
	where   []int // dimensions that are not 0
	mask    uint64
	sum     int64
	next    int
	via     *param.Case
	covered bool
}

// A cover is such a search.
type cover struct {
	sys      *param.System
	property int
	cases    []sparseCase
	nodes    []minimal
	live     []int // nodes that lie above no other, by number
	done     int
	made     int
	spent    int // work, in about equal units
	reaching int
	start    int
	failed   bool
	begun    bool // the bad configurations are in
	inv      *invariants
}

func newCover(sys *param.System, property int) *cover {
	return &cover{sys: sys, property: property, reaching: -1, cases: sparseCases(sys), inv: newInvariants(sys)}
}

// Name implements [Method].
func (s *cover) Name() string { return coverMethod }

// Advance implements [Method].
func (s *cover) Advance(ctx context.Context, share portfolio.Effort) event {
	before := s.spent
	end := before + int(share)
	if !s.begun {
		s.begun = s.begin(ctx)
	}
	for s.begun && s.spent < end && s.done < len(s.nodes) && !s.over(ctx) {
		if !s.nodes[s.done].covered && !s.expand(ctx, s.done) {
			break // and again from its beginning, if the search goes on: what has been added is not added twice
		}
		s.done++
	}
	used := portfolio.Effort(s.spent - before)
	switch {
	case !s.begun && !s.failed && s.reaching < 0:
		return worked{Used: used, What: Searched{Sets: s.made, Waiting: 1}}
	case s.failed:
		return gaveUp{Used: used, Why: errTransfer}
	case s.reaching >= 0:
		if o := s.error(ctx); o != nil {
			return ended{Used: used, Outcome: o}
		}
		return gaveUp{Used: used, Why: errNoNumbers}
	case s.done < len(s.nodes):
		return worked{Used: used, What: Searched{Sets: s.made, Waiting: len(s.nodes) - s.done}}
	}
	return ended{Used: used, Outcome: &Result{Answer: Safe, Method: s.Name(), Proof: s.proof(), Sets: s.made}}
}

// Why such a search gives up.
var (
	errTransfer  = errors.New("a transfer has too many cases")
	errNoNumbers = errors.New("no numbers were found for a counterexample")
)

// proof is what a search proves that has found everything.
func (s *cover) proof() *param.Proof {
	proof := &param.Proof{}
	for _, a := range s.inv.found {
		proof.Invariants = append(proof.Invariants, s.sys.AtomFormula(a))
	}
	for _, i := range s.live {
		n := &s.nodes[i]
		proof.Outside = append(proof.Outside, s.sys.Formula(param.Cube{Control: n.control, Atoms: n.atoms()}))
	}
	return proof
}

// error is the run into a bad configuration; nil if no numbers were found for it.
func (s *cover) error(ctx context.Context) *Result {
	var cases []*param.Case
	for i := s.reaching; s.nodes[i].via != nil; i = s.nodes[i].next {
		cases = append(cases, s.nodes[i].via)
	}
	run, ok := concrete(ctx, s.sys, s.sys.Init[s.start], cases, s.sys.Bad[s.property])
	if !ok {
		return nil
	}
	return &Result{Answer: Unsafe, Method: s.Name(), Run: run, Sets: s.made}
}

func (m *minimal) atoms() []linear.Atom {
	var atoms []linear.Atom
	for _, d := range m.where {
		atoms = append(atoms, linear.AtLeast(len(m.low), d, m.low[d]))
	}
	return atoms
}

// over reports whether there is nothing more to be done: a bad configuration was reached, or the search has
// failed, or the context has ended.
func (s *cover) over(ctx context.Context) bool {
	return s.reaching >= 0 || s.failed || ctx.Err() != nil
}

// begin adds the bad configurations, and reports whether it came to the end.
func (s *cover) begin(ctx context.Context) bool {
	for _, b := range s.sys.Bad[s.property] {
		s.addAll(ctx, b.Control, make([]int64, len(s.sys.Dims)), sparseAtoms(b.Atoms), -1, nil)
		if s.over(ctx) {
			return false
		}
	}
	return true
}

// expand adds what leads into a node, and reports whether it came to the end.
func (s *cover) expand(ctx context.Context, at int) bool {
	for i := range s.cases {
		c := &s.cases[i]
		s.made++
		s.spent++
		control, ok := s.sys.Before(c.Case, s.nodes[at].control)
		if !ok {
			continue
		}
		// What must be there so that the node's point is there afterwards.
		low := slices.Clone(s.nodes[at].low)
		sums := slices.Clip(c.guard)
		for j, d := range c.Moves {
			if k := s.nodes[at].low[d]; k > 0 {
				sum := sparse{constant: k - c.update[j].constant}
				for _, t := range c.update[j].terms {
					sum.terms = append(sum.terms, coefficient{t.dim, -t.k})
				}
				sums = append(sums, sum)
			}
			low[d] = 0
		}
		if s.addAll(ctx, control, low, sums, at, c.Case); s.over(ctx) {
			return false
		}
	}
	return true
}

// addAll adds the minimal points above low where sums, which do not grow upwards, are ≤ 0.
func (s *cover) addAll(ctx context.Context, control uint64, low []int64, sums []sparse, next int, via *param.Case) {
	left := maxSplit
	var raise func(x []int64, k int)
	raise = func(x []int64, k int) {
		for ; k < len(sums); k++ {
			missing, terms := sums[k].value(x), sums[k].terms
			switch {
			case missing <= 0:
				continue
			case len(terms) == 1: // no choice
				t := terms[0]
				x[t.dim] += (missing - t.k - 1) / -t.k
				continue
			}
			for _, t := range terms {
				y := slices.Clone(x)
				y[t.dim]++
				if left--; left < 0 {
					s.failed = true
				} else {
					raise(y, k)
				}
				if s.over(ctx) {
					return
				}
			}
			return
		}
		s.add(ctx, control, x, next, via)
	}
	raise(low, 0)
}

// add keeps a point unless it lies above another one or is known to be unreachable.
func (s *cover) add(ctx context.Context, control uint64, low []int64, next int, via *param.Case) {
	m := minimal{control: control, low: low, next: next, via: via}
	for d, k := range low {
		if k > 0 {
			m.where = append(m.where, d)
			m.mask |= 1 << (d % 64)
			m.sum += k
		}
	}
	s.spent += 1 + len(s.live)/scanned
	for _, i := range s.live {
		if s.nodes[i].below(&m) {
			return
		}
	}
	asked := s.inv.asked
	excluded := s.inv.exclude(ctx, low)
	s.spent += askPrice * (s.inv.asked - asked)
	if excluded {
		return
	}
	kept := s.live[:0]
	for _, i := range s.live {
		if m.below(&s.nodes[i]) {
			s.nodes[i].covered = true
		} else {
			kept = append(kept, i)
		}
	}
	s.live = append(kept, len(s.nodes))
	s.nodes = append(s.nodes, m)
	for i, c := range s.sys.Init {
		if !s.sys.Possible(c.Control & control) {
			continue
		}
		if !linear.Empty(append(slices.Clip(c.Atoms), m.atoms()...)) {
			s.reaching, s.start = len(s.nodes)-1, i
			return
		}
	}
}

// below reports whether everything above o is above m.
func (m *minimal) below(o *minimal) bool {
	if m.mask&^o.mask != 0 || m.sum > o.sum || o.control&^m.control != 0 || bits.OnesCount64(m.mask) > len(o.where) {
		return false
	}
	for _, d := range m.where {
		if m.low[d] > o.low[d] {
			return false
		}
	}
	return true
}
