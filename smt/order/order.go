package order

// The decision procedure.
//
// Idea. Equalities merge variables into classes (union-find). The inequalities
// x <= y and x < y are edges of weight 0 and 1 between classes; a cycle of
// weight 0 merges its classes, one with an edge of weight 1 is a
// contradiction. Going through the remaining acyclic graph from its sources,
// each class gets the least value that its lower bound, its predecessors and
// the constants it must differ from allow. This is the least solution: without
// disequalities between variables the query is satisfiable iff it respects the
// upper bounds.
//
// With disequalities x != y the same walk first also steps over the values of
// classes already valued. That often finds a solution; it never proves that
// there is none unless no step was taken. Otherwise a disequality violated by
// the least solution is split into x < y and y < x, within a budget.
//
// Source: difference logic by longest paths (Cotton, Maler, "Fast and flexible
// difference constraint propagation", SAT 2006), here with weights 0 and 1 and
// without incrementality, which does not pay for queries this small.
//
// Relaxation: a comparison of terms with operators may be passed with each
// such term as a variable of its own; then only Unsat means anything.
//
// Cost: linear in literals and variables, apart from stepping over constants
// (number of constants a class differs from, squared), and times the number
// of splits.

import (
	"math"

	"magus/internal/graph"
	"magus/smt/expr"
	"magus/smt/solver"
)

// maxSplits bounds the case distinctions of one query.
const maxSplits = 256

// A Solver decides conjunctions of literals. It is used by one goroutine at a
// time.
type Solver struct {
	// The tables of literals and variables, which only grow.
	index  []int32     // by term ID: atom number + 1, unknownTerm or outside
	atoms  []atom      // by literal
	exact  []bool      // by atom number: it compares variables and constants only
	number []int32     // by term ID: variable number + 1, or 0
	types  []expr.Type // by variable

	// The variables of the query are numbered anew, from 0, so that the
	// slices below are short.
	count uint32
	query []uint32 // by variable: the query in which it occurred last
	local []int32  // by variable: its number in that query

	class  graph.Classes[int32] // of local numbers
	hi     []uint64
	lo     []uint64
	value  []uint64
	zero   []uint64 // the rank of 0
	valued []bool
	unlike []int32 // head of the list of constants to differ from
	apart  []int32 // head of the list of classes to differ from
	out    []int32 // head of the list of edges to greater classes

	consts []constCell
	peers  []peerCell
	edges  []edge
	order  []int32 // classes, the least first

	tarjan tarjan
	sorted bool // order is that of the edges
	splits int
	sat    bool // the last answer was Sat
	rough  bool // its model is not polished yet
}

type constCell struct {
	c    uint64
	next int32
}

type peerCell struct {
	x, y int32 // x's list; y is the other class
	next int32
}

type edge struct {
	x, y   int32 // x <= y, or x < y if strict
	strict bool
	next   int32
}

// New is a solver.
func New() *Solver { return &Solver{} }

// Decide decides the conjunction of the literals. Unknown means that it would
// take too long here.
func (s *Solver) Decide(lits []Literal) solver.Result {
	s.sat = false
	s.reset()
	if !s.merge(lits) || !s.collect(lits) {
		return solver.Unsat
	}
	s.splits = 0
	r := s.solve()
	s.sat = r == solver.Sat
	s.rough = s.sat
	return r
}

// Value is the bit pattern of variable v in the model of the last Decide,
// which answered Sat; 0 for variables that do not occur in the query.
func (s *Solver) Value(v *expr.Expr) uint64 {
	id := v.ID()
	if !s.sat || id >= len(s.number) || s.number[id] == 0 {
		return 0
	}
	n := s.number[id] - 1
	if s.query[n] != s.count {
		return 0
	}
	if s.rough {
		s.polish()
		s.rough = false
	}
	return rank(v.Type(), s.value[s.find(s.local[n])])
}

func (s *Solver) reset() {
	if s.count++; s.count == 0 {
		clear(s.query)
		s.count = 1
	}
	s.class, s.hi, s.lo, s.zero = s.class[:0], s.hi[:0], s.lo[:0], s.zero[:0]
	s.unlike, s.apart = s.unlike[:0], s.apart[:0]
	s.consts, s.peers, s.edges = s.consts[:0], s.peers[:0], s.edges[:0]
	s.sorted = false
}

// enterVar is the local number of a variable.
func (s *Solver) enterVar(v int32) int32 {
	if s.query[v] == s.count {
		return s.local[v]
	}
	n := s.class.Add()
	s.query[v], s.local[v] = s.count, n
	s.lo = append(s.lo, 0)
	s.hi = append(s.hi, last(s.types[v]))
	s.zero = append(s.zero, rank(s.types[v], 0))
	s.unlike = append(s.unlike, -1)
	s.apart = append(s.apart, -1)
	return n
}

func (s *Solver) find(x int32) int32 { return s.class.Find(x) }

// merge numbers the variables and merges equal ones; false is a contradiction.
func (s *Solver) merge(lits []Literal) bool {
	for _, l := range lits {
		a := &s.atoms[l]
		switch {
		case a.rel == never:
			return false
		case a.rel == always:
		case a.rel == eqVar:
			x, y := s.enterVar(a.x), s.enterVar(a.y)
			s.class.Join(x, y)
		case a.rel > eqVar:
			s.enterVar(a.x)
			s.enterVar(a.y)
		default:
			s.enterVar(a.x)
		}
	}
	return true
}

// collect gathers edges, merges the classes on cycles, and then gathers bounds
// and disequalities; false is a contradiction.
func (s *Solver) collect(lits []Literal) bool {
	for _, l := range lits {
		if a := &s.atoms[l]; a.rel >= ltVar {
			s.edges = append(s.edges, edge{x: s.local[a.x], y: s.local[a.y], strict: a.rel == ltVar})
		}
	}
	if len(s.edges) > 0 {
		if !s.link() {
			return false
		}
		if s.sorted = !s.sortClasses(true); !s.sorted && !s.link() {
			return false
		}
	}
	for _, l := range lits {
		if a := &s.atoms[l]; a.rel >= eqConst && !s.unary(a) {
			return false
		}
	}
	return true
}

// unary notes a bound or a disequality.
func (s *Solver) unary(a *atom) bool {
	x := s.find(s.local[a.x])
	switch a.rel {
	case eqConst:
		s.lo[x], s.hi[x] = max(s.lo[x], a.c), min(s.hi[x], a.c)
	case leConst:
		s.hi[x] = min(s.hi[x], a.c)
	case geConst:
		s.lo[x] = max(s.lo[x], a.c)
	case neConst:
		s.consts = append(s.consts, constCell{a.c, s.unlike[x]})
		s.unlike[x] = int32(len(s.consts) - 1)
	case neVar:
		y := s.find(s.local[a.y])
		if x == y {
			return false
		}
		n := int32(len(s.peers))
		s.peers = append(s.peers, peerCell{x, y, s.apart[x]}, peerCell{y, x, s.apart[y]})
		s.apart[x], s.apart[y] = n, n+1
	}
	return s.lo[x] <= s.hi[x]
}

// link builds the lists of edges between classes; false is x < x.
func (s *Solver) link() bool {
	s.out = resize(s.out, len(s.class))
	for i := range s.out {
		s.out[i] = -1
	}
	for i := range s.edges {
		e := &s.edges[i]
		e.x, e.y = s.find(e.x), s.find(e.y)
		if e.x == e.y {
			if e.strict {
				return false
			}
			continue
		}
		e.next = s.out[e.x]
		s.out[e.x] = int32(i)
	}
	return true
}

func resize[T any](a []T, n int) []T {
	if n > cap(a) {
		return make([]T, n, 2*n)
	}
	return a[:n]
}

// solve decides the query with the edges as they are.
func (s *Solver) solve() solver.Result {
	switch {
	case s.sorted:
		s.sorted = false // splits add edges
	case len(s.edges) == 0:
		s.unsorted()
	case !s.link() || s.sortClasses(false):
		return solver.Unsat
	}
	switch ok, exact := s.walk(true); {
	case ok:
		return solver.Sat
	case exact:
		return solver.Unsat
	}
	if ok, _ := s.walk(false); !ok {
		return solver.Unsat
	}
	return s.split()
}

// unsorted takes the classes as they come, where there are no edges.
func (s *Solver) unsorted() {
	s.out = resize(s.out, len(s.class))
	s.order = s.order[:0]
	for x := range s.class {
		s.out[x] = -1
		if s.class[x] == int32(x) {
			s.order = append(s.order, int32(x))
		}
	}
}

// split tries both ways to satisfy a disequality that the least solution, in
// value, violates.
func (s *Solver) split() solver.Result {
	if s.splits++; s.splits > maxSplits {
		return solver.Unknown
	}
	x, y := int32(-1), int32(-1)
	for _, p := range s.peers {
		if s.value[p.x] == s.value[p.y] {
			x, y = p.x, p.y
			break
		}
	}
	if x < 0 {
		return solver.Sat
	}
	n := len(s.edges)
	for range 2 {
		s.edges = append(s.edges[:n], edge{x: x, y: y, strict: true})
		if r := s.solve(); r != solver.Unsat {
			return r // and the edges stay as the model's
		}
		x, y = y, x
	}
	s.edges = s.edges[:n]
	return solver.Unsat
}

// walk gives each class its least value, in order. If spread, it steps over
// the values of classes that this one must differ from. It reports whether
// the bounds are kept, and otherwise whether this is a proof that they cannot
// be: no such step was taken.
func (s *Solver) walk(spread bool) (ok, exact bool) {
	spread = spread && len(s.peers) > 0
	s.value = append(s.value[:0], s.lo...)
	if spread {
		s.valued = resize(s.valued, len(s.class))
		clear(s.valued)
	}
	exact = true
	for _, x := range s.order {
		v, stepped, ok := s.least(x, spread)
		if stepped {
			exact = false
		}
		if !ok {
			return false, exact
		}
		s.value[x] = v
		if spread {
			s.valued[x] = true
		}
		for i := s.out[x]; i >= 0; i = s.edges[i].next {
			e, w := &s.edges[i], v
			if e.strict {
				if v == math.MaxUint64 {
					return false, exact
				}
				w++
			}
			s.value[e.y] = max(s.value[e.y], w)
		}
	}
	return true, true
}

// least is the least value of class x that its predecessors and the constants
// it differs from allow, and if spread the classes already valued. It reports
// whether such a class was stepped over, and whether the value is in bounds.
func (s *Solver) least(x int32, spread bool) (v uint64, stepped, ok bool) {
	v = s.value[x]
	for again := true; again && v <= s.hi[x]; {
		again = false
		for i := s.unlike[x]; i >= 0; i = s.consts[i].next {
			if s.consts[i].c == v {
				again = true
				break
			}
		}
		for i := s.apart[x]; spread && !again && i >= 0; i = s.peers[i].next {
			if y := s.peers[i].y; s.valued[y] && s.value[y] == v {
				again, stepped = true, true
			}
		}
		if again {
			if v == s.hi[x] {
				return v, stepped, false
			}
			v++
		}
	}
	return v, stepped, v <= s.hi[x]
}
