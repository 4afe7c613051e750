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

// clobber adds to what calls of routines that have a body and an abstraction
// may change what the bodies may write.
func (l *lowerer) clobber(changed [][]*expr.Expr) {
	known := map[*procedure]writes{}
	for _, c := range l.abstractedCalls {
		call := l.locs[c.at].Stmt.(Call)
		for _, v := range l.mayWrite(c.proc, known) {
			if v != call.LHS && !slices.Contains(changed[c.at], v) {
				changed[c.at] = append(changed[c.at], v)
			}
		}
	}
}

// mayWrite are the component's variables that a procedure may store to, in
// order of their terms.
func (l *lowerer) mayWrite(pr *procedure, known map[*procedure]writes) []*expr.Expr {
	var vars []*expr.Expr
	anything := false
	objects := map[*object]bool{}
	seen := map[*procedure]bool{pr: true}
	for todo := []*procedure{pr}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		w, ok := known[p]
		if !ok {
			w = l.directWrites(p)
			known[p] = w
		}
		anything = anything || w.anything
		for _, o := range w.objects {
			objects[o] = true
		}
		for _, q := range w.callees {
			if !seen[q] {
				seen[q] = true
				todo = append(todo, q)
			}
		}
	}
	for o, v := range l.objects {
		if anything && !o.isConst || objects[o] {
			vars = append(vars, v)
		}
	}
	vars = append(vars, l.reachedCells(objects, anything)...)
	slices.SortFunc(vars, func(a, b *expr.Expr) int { return a.ID() - b.ID() })
	return slices.Compact(vars)
}

// reachedCells are the cells of objects; with anything, those of all objects of
// static storage and of what can be reached from them.
func (l *lowerer) reachedCells(objects map[*object]bool, anything bool) []*expr.Expr {
	if l.pts == nil {
		return nil
	}
	var from []*block
	for _, b := range l.blocks {
		if b.static != nil && (anything || objects[b.static]) {
			from = append(from, b)
		}
	}
	set := l.newSet()
	for _, b := range from {
		set.add(b.number)
	}
	if anything {
		set = l.pts.reach(nil, from)
	}
	return l.cellsOf(set, nil)
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
	aside.reached = l.reached
	aside.newInstance(pr, nil, Pos{})
	aside.emit(Goto{}, pr.pos)
	for i, q := range parameters(pr.typ) {
		aside.param(i, q)
	}
	aside.body(pr)
	stored := map[*object]bool{}
	for at := range aside.locs {
		if !aside.storesTo(Loc(at), stored) {
			w.anything = true
		}
	}
	for o, v := range aside.objects {
		if stored[o] || aside.storedVars[v] {
			w.objects = append(w.objects, o)
		}
	}
	for o := range stored {
		if aside.objects[o] == nil {
			w.objects = append(w.objects, o)
		}
	}
	for _, c := range aside.abstractedCalls {
		w.callees = append(w.callees, c.proc)
	}
	return w
}

// storesTo adds the static objects that a statement stores to, and reports
// whether it is known that there are no others. Lowered aside, pointers are not
// analysed: a store through one may be to anything.
func (l *lowerer) storesTo(at Loc, stored map[*object]bool) bool {
	variable := func(v *expr.Expr) {
		if v == nil {
			return
		}
		l.storedVars[v] = true
		if c, ok := l.cells[v]; ok && c.b.static != nil {
			stored[c.b.static] = true
		}
	}
	address := func(t *expr.Expr) bool {
		b, _ := l.blockOf(t)
		if b != nil && b.static != nil {
			stored[b.static] = true
		}
		return b != nil
	}
	known := true
	given := func(args []*expr.Expr) {
		for _, a := range args {
			b, _ := l.blockOf(a)
			known = known && (a.IsConst() || !l.wide(a.Type())) && (b == nil || !b.holdsPointers())
			address(a)
		}
	}
	switch s := l.locs[at].Stmt.(type) {
	case Assign:
		variable(s.LHS)
	case Call:
		variable(s.LHS)
		given(s.Args)
		known = known && len(l.passed[at]) == 0
	case unknownCall:
		variable(s.lhs)
		given(s.args)
		known = known && len(s.passed) == 0
	case storeStmt, copyStmt, fillStmt:
		known = address(l.refs(at)[0].base)
	case reachStmt, unsupported:
		known = false
	}
	return known
}

// holdsPointers reports whether addresses may stand in a block.
func (b *block) holdsPointers() bool {
	return b.untyped || len(b.spans) > 0 || slices.ContainsFunc(b.leaves, func(lf *leaf) bool { return lf.t.class == classPtr })
}
