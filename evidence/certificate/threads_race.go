package certificate

// Data races, behind a run.
//
// Idea: a race is a state in which two threads come next to accesses of one variable, of which one
// writes and not both are atomic. What a thread comes to is its next statement, or all of the section
// that begins there, which is executed by itself: one that waits, or does not come to its end, has
// not begun.
//
// Source: docs/threads.md; written from this and not from cfa/interp. Cost: a section for each thread.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// sectionSteps is the most steps of a section that are followed.
const sectionSteps = 1 << 20

// coming is what a thread accesses next.
type coming struct {
	read, written []*expr.Expr
	atomic        bool
}

// race returns nil if two threads come next to what is a race.
func (s *interleaving) race(ctx context.Context, line int) error {
	if s.over || s.within >= 0 {
		return refuted(line, "the run ends where the process does, or in a section")
	}
	var all []coming
	for t := range s.at {
		next, err := s.coming(ctx, t)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(all, next.conflicts) {
			return nil
		}
		all = append(all, next)
	}
	return refuted(line, "no two threads come to accesses that are a race")
}

// conflicts reports whether what two threads come to is a race.
func (c coming) conflicts(other coming) bool {
	meet := func(a, b []*expr.Expr) bool {
		return slices.ContainsFunc(a, func(v *expr.Expr) bool { return slices.Contains(b, v) })
	}
	return !(c.atomic && other.atomic) && (meet(c.written, other.written) || meet(c.written, other.read) ||
		meet(c.read, other.written))
}

// coming is what a thread accesses with its next statement, or section.
func (s *interleaving) coming(ctx context.Context, thread int) (coming, error) {
	var c coming
	if s.waits(thread) != "" {
		return c, nil
	}
	at := s.at[thread]
	a, section := s.sub.CFA.Locs[at.Loc].Stmt.(cfa.Atomic)
	c.atomic = section && a.Begin && !a.Plain
	x := s.x.clone()
	for steps := 0; at.Kind == Location && steps < sectionSteps; steps++ {
		if steps%1024 == 1023 && ctx.Err() != nil {
			return c, context.Cause(ctx)
		}
		read, written := s.sub.CFA.Accesses(cfa.Loc(at.Loc))
		c.read, c.written = append(c.read, read...), append(c.written, written...)
		if end, ok := s.sub.CFA.Locs[at.Loc].Stmt.(cfa.Atomic); !section || ok && !end.Begin {
			return c, nil
		}
		to, ok := x.some(at)
		if !ok {
			return coming{}, nil
		}
		at = to
	}
	return coming{}, nil
}

// some makes a step that is possible and does not depend on what is not modelled; what it may choose is 0.
func (x *execution) some(at Node) (Node, bool) {
	for i := range x.prog.steps[at] {
		st := &x.prog.steps[at][i]
		if made, err := x.make(st, nil, 0); err != nil || made {
			return st.to, err == nil
		}
	}
	return at, false
}
