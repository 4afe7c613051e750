package boxes

import (
	"context"

	"magus/smt/expr"
	"magus/smt/solver"
)

// firstBoxes are looked at before it is asked whether boxes get closed.
const firstBoxes = 48

// An Answer is what [Decide] found.
type Answer struct {
	Result solver.Result
	Model  map[*expr.Expr]uint64 // of Sat
	Core   []int                 // of Unsat: conditions that contradict each other, by index
	Work   int64                 // subterms that were computed
}

// Computes reports whether a condition has floating-point arithmetic, for which the
// package is made.
func Computes(e *expr.Expr) bool {
	switch e.Op() {
	case expr.FAdd, expr.FMul, expr.FDiv, expr.FFma, expr.FSqrt, expr.FRem, expr.FMod:
		return true
	}
	return false
}

// Decide looks at so many boxes at most. The result is Unknown where it gave up, or ctx
// has ended.
func Decide(ctx context.Context, conditions []*expr.Expr, most int) Answer {
	s := newSearch(conditions)
	s.run(ctx, most)
	for i, used := range s.used {
		if used {
			s.answer.Core = append(s.answer.Core, i)
		}
	}
	return s.answer
}

// An interval is that of a floating-point term, an integer (its places are the numbers,
// or for 64 bits without sign the numbers less 2^63) or a condition (0 and 1).
type interval = expr.FloatRange

// A box is one that is still to be looked at.
type box struct {
	domains []interval // by variable
	depth   int
}

// search is one run.
type search struct {
	terms  []*expr.Expr // operands first
	index  map[*expr.Expr]int
	args   [][]int // by term
	roots  []int   // the conditions' terms
	vars   []int   // the variables' terms
	vals   []interval
	used   []bool // by condition
	todo   []box
	answer Answer
}

func newSearch(conditions []*expr.Expr) *search {
	s := &search{index: map[*expr.Expr]int{}, used: make([]bool, len(conditions))}
	expr.Walk(func(e *expr.Expr) {
		i := len(s.terms)
		s.index[e] = i
		args := make([]int, len(e.Args()))
		for j, a := range e.Args() {
			args[j] = s.index[a]
		}
		if e.Op() == expr.Var {
			s.vars = append(s.vars, i)
		}
		s.terms, s.args = append(s.terms, e), append(s.args, args)
	}, conditions...)
	for _, c := range conditions {
		s.roots = append(s.roots, s.index[c])
	}
	s.vals = make([]interval, len(s.terms))
	return s
}

// run looks at boxes, the last one that was made first. Every box is a part of the first
// one; closed is the part of this, in 2^-62, that boxes closed so far have. Once it is seen
// that they close few, the search ends.
func (s *search) run(ctx context.Context, most int) {
	first := box{domains: make([]interval, len(s.vars))}
	for i, v := range s.vars {
		first.domains[i] = whole(s.terms[v].Type())
	}
	s.todo = append(s.todo, first)
	closed := uint64(0)
	for n := 1; len(s.todo) > 0; n++ {
		last := len(s.todo) - 1
		b := s.todo[last]
		s.todo = s.todo[:last]
		if !s.narrow(b) {
			closed += 1 << (62 - min(b.depth, 62))
			continue
		}
		if s.sampled(b) {
			s.answer.Result = solver.Sat
			return
		}
		if n >= most || n >= firstBoxes && n%firstBoxes == 0 && (slow(closed, n, most) || ctx.Err() != nil) || !s.split(b) {
			return
		}
	}
	s.answer.Result = solver.Unsat
}

// slow reports whether at this rate the boxes that there are do not suffice.
func slow(closed uint64, n, most int) bool { return closed/uint64(n) < 1<<62/uint64(16*most) }

// split puts the two halves of a box on the list. It reports false where a box is a point.
func (s *search) split(b box) bool {
	for i := range s.vars {
		v := (i + b.depth) % len(s.vars)
		d := b.domains[v]
		left, right, ok := halves(s.terms[s.vars[v]].Type(), d, b.depth/len(s.vars))
		if !ok {
			continue
		}
		for _, half := range []interval{right, left} {
			domains := append([]interval{}, b.domains...)
			domains[v] = half
			s.todo = append(s.todo, box{domains, b.depth + 1})
		}
		return true
	}
	return false
}

// halves splits an interval: NaN from numbers, else in the middle, which is mostly that of
// the numbers and at times that of the places.
func halves(t expr.Type, d interval, round int) (left, right interval, ok bool) {
	switch {
	case d.NaN && !d.IsEmpty():
		return interval{Lo: d.Lo, Hi: d.Hi, Grid: d.Grid}, interval{Lo: 1, Hi: 0, NaN: true}, true
	case d.Lo >= d.Hi:
		return d, d, false
	}
	mid := d.Lo + int64(uint64(d.Hi-d.Lo)/2)
	if t.IsFloat() && round%4 != 3 {
		mid = min(max(middle(t.Format(), d), d.Lo), d.Hi-1)
	}
	return interval{Lo: d.Lo, Hi: mid, Grid: d.Grid}, interval{Lo: mid + 1, Hi: d.Hi, Grid: d.Grid}, true
}

// sampled tries a point of a box out.
func (s *search) sampled(b box) bool {
	model := map[*expr.Expr]uint64{}
	for i, v := range s.vars {
		model[s.terms[v]] = point(s.terms[v].Type(), b.domains[i])
	}
	s.answer.Work += int64(len(s.terms))
	at := expr.NewValuation(func(v *expr.Expr) uint64 { return model[v] })
	for _, r := range s.roots {
		if at.Of(s.terms[r]) != 1 {
			return false
		}
	}
	s.answer.Model = model
	return true
}
