package cfa

// What a routine given by an abstraction may write.
//
// Idea: the abstraction of a routine says what it does and returns, not what it
// does to memory. Where the sources have a body, a call therefore gives any
// value to every object of static storage that the body, or what it calls, may
// store to; without a body the routine is assumed to store to nothing but what
// it is given the address of. A body that is not modelled may store to anything.
//
// Source: paper section 5.4 leaves memory out; this is what soundness asks for.
// Cost: each such body is lowered once for each component that calls it.

import (
	"slices"

	"magus/internal/expr"
)

// An abstractedCall is a call of a routine that has a body and an abstraction.
type abstractedCall struct {
	at   Loc
	proc *procedure
}

// writes are the objects that a procedure may store to, and the abstracted
// procedures that it calls.
type writes struct {
	objects  []*object
	callees  []*procedure
	anything bool
}

// clobber completes the calls of routines that have a body and an abstraction.
func (l *lowerer) clobber() {
	if len(l.abstractedCalls) == 0 {
		return
	}
	known := map[*procedure]writes{}
	for _, c := range l.abstractedCalls {
		call := l.locs[c.at].Stmt.(Call)
		call.Clobbers = slices.Clone(call.Clobbers)
		for _, v := range l.mayWrite(c.proc, known) {
			if v != call.LHS && !slices.Contains(call.Clobbers, v) {
				call.Clobbers = append(call.Clobbers, v)
			}
		}
		l.locs[c.at].Stmt = call
	}
}

// mayWrite are the component's variables that a procedure may store to, in
// order of their terms.
func (l *lowerer) mayWrite(pr *procedure, known map[*procedure]writes) []*expr.Expr {
	var vars []*expr.Expr
	seen := map[*procedure]bool{pr: true}
	for todo := []*procedure{pr}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		w, ok := known[p]
		if !ok {
			w = l.directWrites(p)
			known[p] = w
		}
		for o, v := range l.objects {
			if w.anything && !o.isConst || slices.Contains(w.objects, o) {
				vars = append(vars, v)
			}
		}
		for _, q := range w.callees {
			if !seen[q] {
				seen[q] = true
				todo = append(todo, q)
			}
		}
	}
	slices.SortFunc(vars, func(a, b *expr.Expr) int { return a.ID() - b.ID() })
	return slices.Compact(vars)
}

// directWrites lowers the procedure aside, with everything inlined that has no
// abstraction, and collects what is stored to.
func (l *lowerer) directWrites(pr *procedure) (w writes) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stop); !ok {
				panic(r)
			}
			w = writes{anything: true}
		}
	}()
	opt := l.opt
	opt.InitGlobals, opt.Globals = false, nil
	aside := newLowerer(l.ctx, l.prog, expr.NewPool(), opt)
	aside.newInstance(pr, nil, Pos{})
	aside.emit(Goto{}, pr.pos)
	for i, q := range parameters(pr.typ) {
		aside.param(i, q)
	}
	aside.body(pr)
	stored := slices.Clone(aside.escaped)
	for _, loc := range aside.locs {
		switch s := loc.Stmt.(type) {
		case Assign:
			stored = append(stored, s.LHS)
		case Call:
			stored = append(stored, s.LHS)
		case unknownCall:
			stored = append(stored, s.lhs)
		case unsupported:
			w.anything = true
		}
	}
	for o, v := range aside.objects {
		if slices.Contains(stored, v) {
			w.objects = append(w.objects, o)
		}
	}
	for _, c := range aside.abstractedCalls {
		w.callees = append(w.callees, c.proc)
	}
	return w
}
