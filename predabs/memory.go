package predabs

// Memory without variables, on one path.
//
// Idea: abstractions take what is read there for any value; a model of a path may
// therefore read two values at one address. Where a path is feasible, a model is
// looked for in which memory behaves: the reads that do not fit the accesses before
// them, in the model at hand, are told to, and the next model is asked for, until
// all of them fit or none is found. What fits is checked again by those who execute
// the path, so that too much or too little said here costs an answer, and never
// makes a wrong one.
//
// Source: reads as uninterpreted functions made to agree as models ask for it
// (Brummayer, Biere: Lemmas on demand for the extensional theory of arrays, JSAT 6
// (2010), section 3), on one path and with a bound instead of completeness.
// Cost: at most maxLessons queries, and for each the pairs of accesses.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/smt/expr"
	"magus/smt/solver"
)

const (
	maxLessons = 64 // models that are asked for
	maxBetween = 16
)

// An access is one on a path, over initial and chosen values.
type access struct {
	*cfa.Access
	lhs               *expr.Expr
	addr, length, val *expr.Expr
	exact             *expr.Expr // where a read is of no such memory, and what it gives is known; or nil
}

// access is what an edge does to memory without variables, before it is taken.
func (s *symbolic) access(e *component.Edge) (access, bool) {
	a, ok := s.assignment(e)
	if !ok || a.Memory == nil {
		return access{}, false
	}
	acc := access{Access: a.Memory, lhs: a.LHS}
	if a.Memory.Addr != nil {
		acc.addr = s.value(a.Memory.Addr)
	}
	if a.Memory.Length != nil {
		acc.length = s.value(a.Memory.Length)
	}
	return acc, true
}

// after is the access once its edge is taken.
func (s *symbolic) after(a access) access {
	a.val = s.env[a.lhs]
	return a
}

// consistency makes the reads of memory without variables agree, in models of a path.
type consistency struct{ *oracle }

// remember makes the model of satisfiable conditions one in which memory without
// variables behaves on each of some paths, where one is found. It gives all that holds in the model.
func (x *consistency) remember(ctx context.Context, conds []*expr.Expr, paths ...[]access) ([]*expr.Expr, error) {
	if !slices.ContainsFunc(paths, func(memory []access) bool {
		return slices.ContainsFunc(memory, func(a access) bool { return a.Kind == cfa.Read })
	}) {
		return conds, nil
	}
	all := conds
	for range maxLessons {
		var lessons []*expr.Expr
		for _, memory := range paths {
			lessons = append(lessons, x.lessons(memory)...)
		}
		if len(lessons) == 0 {
			return all, nil
		}
		all = slices.Concat(all, lessons)
		answer, err := x.check(ctx, all...)
		if err != nil {
			return nil, err
		}
		if answer == solver.Unsat {
			break
		}
	}
	_, err := x.check(ctx, conds...)
	return conds, err
}

// lessons are conditions that the model at hand does not satisfy, one for each read
// that does not fit what is before it.
func (x *consistency) lessons(memory []access) []*expr.Expr {
	value := func(t *expr.Expr) uint64 { return expr.Eval(t, x.solver.Value) }
	var all []*expr.Expr
	at, size := make([]uint64, len(memory)), make([]uint64, len(memory))
	for i, a := range memory {
		if a.addr != nil {
			at[i] = value(a.addr)
		}
		if size[i] = uint64(a.Size); a.length != nil {
			size[i] = value(a.length)
		}
		if a.Kind != cfa.Read {
			continue
		}
		if a.exact != nil && value(a.exact) != 0 {
			continue
		}
		if l := x.lesson(memory, i, at, size, value); l != nil && a.exact != nil {
			all = append(all, x.terms.Lor(a.exact, l))
		} else if l != nil {
			all = append(all, l)
		}
	}
	return all
}

// lesson is the condition of one read.
func (x *consistency) lesson(memory []access, i int, at, size []uint64, value func(*expr.Expr) uint64) *expr.Expr {
	read, p := memory[i], x.terms
	area := read.AreaAt(at[i], read.Size)
	if area == nil {
		return x.inAreas(read)
	}
	for j := i - 1; j >= 0; j-- {
		a := memory[j]
		endless := a.length == nil && a.Size == 0
		if a.length != nil && size[j] == 0 || at[i]+size[i] <= at[j] || !endless && at[j]+size[j] <= at[i] {
			continue
		}
		over := x.overwritten(memory[j+1:i], read)
		same := at[i] == at[j] && size[i] == size[j] && a.val.Type().Width == read.val.Type().Width
		switch {
		case a.Kind == cfa.Forget:
			return p.Lor(over, x.apart(read, a))
		case a.Kind == cfa.Fill:
			if value(x.filled(a.val, read.val.Type())) == value(read.val) {
				return nil
			}
			return p.Lor(over, p.Eq(read.val, x.filled(a.val, read.val.Type())), x.apart(read, a))
		case !same:
			return p.Lor(over, x.apart(read, a))
		case value(a.val) == value(read.val):
			return nil
		}
		equal := p.Eq(p.As(read.val.Type(), a.val), read.val)
		return p.Lor(over, p.Not(p.Eq(read.addr, a.addr)), equal)
	}
	return x.beginsWith(read, area, at[i], x.overwritten(memory[:i], read), value)
}

// overwritten says that one of some accesses, the last maxBetween of those that
// write, is of just what is read.
func (x *consistency) overwritten(between []access, read access) *expr.Expr {
	p := x.terms
	var any []*expr.Expr
	for _, a := range slices.Backward(between) {
		switch {
		case len(any) == maxBetween:
			return p.Lor(any...)
		case a.Kind == cfa.Write && a.Size == read.Size:
			any = append(any, p.Eq(a.addr, read.addr))
		case a.Kind == cfa.Fill:
			any = append(any, p.Not(x.apart(read, a)))
		}
	}
	return p.Lor(any...)
}

// filled is the value of a scalar all of whose bytes are one value.
func (x *consistency) filled(b *expr.Expr, t expr.Type) *expr.Expr {
	p := x.terms
	wide := p.Cast(expr.Uint64, p.Cast(expr.Uint8, b))
	return p.As(t, p.Mul(wide, p.Const(expr.Uint64, 0x0101010101010101)))
}

// inAreas says that a read is of memory without variables.
func (x *consistency) inAreas(a access) *expr.Expr {
	p := x.terms
	t := a.addr.Type()
	in := []*expr.Expr{}
	for _, r := range a.Areas {
		in = append(in, p.Land(p.Le(p.Const(t, r.First), a.addr), p.Le(a.addr, p.Const(t, r.Last-uint64(a.Size-1)))))
	}
	aligned := p.Eq(p.And(a.addr, p.Const(t, uint64(a.Size-1))), p.Const(t, 0))
	return p.Land(aligned, p.Lor(in...))
}

// apart says that a read and another access have no bytes in common.
func (x *consistency) apart(read, a access) *expr.Expr {
	p := x.terms
	if a.addr == nil {
		return p.False()
	}
	t := read.addr.Type()
	before := p.Le(p.Add(read.addr, p.Int(t, read.Size)), a.addr)
	switch {
	case a.length != nil:
		return p.Lor(before, p.Le(p.Add(a.addr, p.Cast(t, a.length)), read.addr))
	case a.Size == 0:
		return before
	}
	return p.Lor(before, p.Le(p.Add(a.addr, p.Int(t, a.Size)), read.addr))
}

// beginsWith says what memory that the path has not accessed holds, where it is read
// in the model; nil if that is what is read.
func (x *consistency) beginsWith(read access, area *cfa.Area, at uint64, over *expr.Expr,
	value func(*expr.Expr) uint64) *expr.Expr {
	p, t := x.terms, read.val.Type()
	elsewhere := p.Lor(over, p.Not(p.Eq(read.addr, p.Const(read.addr.Type(), at))))
	for _, part := range area.Initial {
		if part.At >= at+uint64(read.Size) || part.At+uint64(part.Size) <= at {
			continue
		}
		if part.At != at || part.Size != read.Size || part.Value == nil {
			return elsewhere
		}
		if begins := p.As(t, part.Value); value(begins) != value(read.val) {
			return p.Lor(elsewhere, p.Eq(read.val, begins))
		}
		return nil
	}
	if zero := p.Const(t, 0); area.Zero && value(read.val) != 0 {
		return p.Lor(elsewhere, p.Eq(read.val, zero))
	}
	return nil
}
