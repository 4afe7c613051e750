package certificate

// Control points without states.
//
// Idea: a certificate may say of some control points that it lists no states there. From a state the component then
// goes, by one step or by several through such points, to the next control point that has states; all that these steps
// do is one step, with the guards of all, each in terms of the values at the beginning. Level one is checked for
// these.
//
// Law: what a run does up to a control point without states is the beginning of what it does up to the next one
// with states, if it always comes to one. So of each control point without states it is checked that control
// always goes on there (an assignment, a branch, a goto, an action, a return), and that no steps lead around
// through such points only. One step of several has one action at most, as the states have no
// name for what is between two. Where two of its parts choose a value for the same variable, these are two values.
//
// Source: docs/semantics.md; it is written from there and not from package component. Cost: linear in the ways through
// such points, of which there must not be many more than steps.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"magus/cfa"
	"magus/lts"
	"magus/smt/expr"
)

// fewPaths is the number of ways that a certificate may always have, besides four for each step of the component.
const fewPaths = 1 << 10

// passing are the steps between control points that have states.
type passing struct {
	*program
	steps  map[Node][]step
	before []map[*expr.Expr]*expr.Expr // what literals say before a step, by its number

	through map[Node]bool
	on      map[Node]bool // the way that is followed
	paths   int
	line    int // of the certificate
}

// passing are the component's steps as a certificate has them that lists no states at some control
// points. They are remembered until others are asked for.
func (k *Checker) passing(ctx context.Context, c *Component) (*passing, error) {
	var key strings.Builder
	for _, n := range c.Through {
		key.WriteString(n.String() + " ")
	}
	if k.passed != nil && k.through == key.String() {
		return k.passed, nil
	}
	passed, err := newPassing(ctx, k.prog, c.Through, c.line)
	if err == nil {
		k.passed, k.through = passed, key.String()
	}
	return passed, err
}

func newPassing(ctx context.Context, p *program, through []Node, line int) (*passing, error) {
	w := &passing{program: p, steps: p.steps, through: map[Node]bool{}, on: map[Node]bool{}, line: line}
	for _, n := range through {
		if !p.goesOn(n) {
			return nil, refuted(line, "%v has no states, and a run may end there", n)
		}
		w.through[n] = true
	}
	count := p.count
	if len(through) > 0 {
		w.steps = map[Node][]step{}
		for _, n := range slices.SortedFunc(maps.Keys(p.steps), inOrder) {
			if w.through[n] {
				continue
			}
			for _, st := range p.steps[n] {
				if err := w.follow(ctx, n, st); err != nil {
					return nil, err
				}
			}
		}
		count = w.paths
	}
	w.before = make([]map[*expr.Expr]*expr.Expr, count)
	return w, nil
}

// inOrder compares control points.
func inOrder(a, b Node) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Loc, b.Loc), cmp.Compare(a.Choice, b.Choice),
		cmp.Compare(a.State, b.State))
}

// goesOn reports whether a run that comes to a control point always goes on.
func (p *program) goesOn(n Node) bool {
	if n.Kind != Location || n.Loc < 0 || n.Loc >= len(p.comp.CFA.Locs) {
		return false
	}
	switch p.comp.CFA.Locs[n.Loc].Stmt.(type) {
	case cfa.Assign, cfa.Branch, cfa.Goto, cfa.Return:
		return true
	case cfa.Act:
		return p.standing == nil // else it may wait there for ever
	}
	return false
}

// follow notes what steps a control point has that begin with some.
func (w *passing) follow(ctx context.Context, from Node, begin step) error {
	if !w.through[begin.to] {
		if w.paths++; w.paths > fewPaths+4*w.count {
			return refuted(w.line, "there are more than %d ways through control points without states", w.paths-1)
		}
		begin.number = w.paths - 1
		w.steps[from] = append(w.steps[from], begin)
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	at := begin.to
	if w.on[at] {
		return refuted(w.line, "a run may come to %v again and again, through control points without states only", at)
	}
	w.on[at] = true
	defer delete(w.on, at)
	for _, next := range w.program.steps[at] {
		longer, taken, err := w.longer(&begin, &next)
		if err != nil {
			return err
		}
		if taken {
			if err := w.follow(ctx, from, longer); err != nil {
				return err
			}
		}
	}
	return nil
}

// mentions reports whether a value that a step chooses, or an earlier part of it, is this variable.
func (st *step) mentions(v *expr.Expr) bool {
	return slices.Contains(expr.Vars(st.guard...), v) || slices.ContainsFunc(st.assign, func(t assignment) bool {
		return slices.Contains(expr.Vars(t.value), v)
	})
}

// another is a variable for the value that is chosen once more, which a step does not mention.
func (w *passing) another(st *step, v *expr.Expr) *expr.Expr {
	for k := 2; ; k++ {
		other, ok := w.comp.CFA.Pool.TryVar(fmt.Sprintf("%s, chosen for time %d", v.Name(), k), v.Type())
		if ok && !st.mentions(other) {
			return other
		}
	}
}

// longer is a step and then another one; it is not taken if their guards exclude each other at sight.
func (w *passing) longer(a, b *step) (both step, taken bool, err error) {
	if a.action != lts.Tau && b.action != lts.Tau {
		return both, false, refuted(w.line, "%v has no states between %s and %s", a.to, w.name(a.action), w.name(b.action))
	}
	pool, by := w.comp.CFA.Pool, map[*expr.Expr]*expr.Expr{}
	both = step{to: b.to, action: max(a.action, b.action), guard: slices.Clone(a.guard)}
	for _, s := range a.assign {
		by[s.to] = s.value
	}
	for _, s := range b.assign {
		if s.fresh && a.mentions(s.value) {
			by[s.value] = w.another(a, s.value)
		}
	}
	for _, s := range b.assign {
		both.assign = append(both.assign, assignment{to: s.to, value: pool.Subst(s.value, by)})
	}
	for _, s := range a.assign {
		if !slices.ContainsFunc(b.assign, func(t assignment) bool { return t.to == s.to }) {
			both.assign = append(both.assign, assignment{to: s.to, value: s.value})
		}
	}
	for _, g := range b.guard {
		g = pool.Subst(g, by)
		if g.IsFalse() || slices.Contains(both.guard, pool.Not(g)) {
			return both, false, nil
		}
		both.guard = append(both.guard, g)
	}
	return both, true, nil
}
