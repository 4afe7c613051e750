package cfa

// Values at entry, and what escapes.

import (
	"cmp"
	"slices"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// initialise writes the assignments that give globals their values at entry,
// in front of the location entry, and returns where the automaton starts.
func (l *lowerer) initialise(entry Loc, pr *procedure) Loc {
	l.open = nil
	start := l.emit(Goto{}, pr.pos)
	for done := 0; done < len(l.used); {
		// An initialiser may name further globals (none does that C allows).
		batch := slices.Clone(l.used[done:])
		done = len(l.used)
		slices.SortStableFunc(batch, func(a, b *object) int { return cmp.Compare(a.seq, b.seq) })
		for _, o := range batch {
			if o.defined && (l.opt.InitGlobals || o.keepsValue()) {
				l.initialValue(o)
			}
		}
	}
	l.patch(l.open, entry)
	l.open = nil
	return start
}

// keepsValue reports whether no part of any program can change the object:
// const ones, and static ones that no expression of their unit stores to and
// no pointer can reach.
func (o *object) keepsValue() bool {
	return o.isConst || o.static && o.stores == 0 && !o.addressed && !o.asm
}

func (l *lowerer) initialValue(o *object) {
	v := l.objects[o]
	e := scalarInit(o.init)
	switch {
	case e == nil:
		l.assign(v, l.pool.Const(o.typ.typ, 0), o.pos)
	case l.pure(e):
		l.storeValue(target{v, o.typ}, l.rvalue(e), e, o.pos)
	default:
		if c, ok := l.libraryConst(e); ok {
			l.storeValue(target{v, o.typ}, c, e, o.pos)
			return
		}
		l.emit(Assign{LHS: v, Nondet: "initialiser", Approx: "initialiser " + cc.NodeSource(e)}, o.pos)
	}
}

// escapes finds for every call of a routine without a body the variables
// whose address some routine was given before, which it may change, and
// writes that out: a forward may-analysis to a fixpoint, one bit for each
// variable whose address some call is given.
func (l *lowerer) escapes(start Loc) {
	before := l.escapedBefore(start)
	for i := range l.locs {
		loc := &l.locs[i]
		var clobbered []*expr.Expr
		for j, v := range l.escaped {
			if before[i] != nil && (before[i][j] || slices.Contains(l.escapesAt[Loc(i)], v)) {
				clobbered = append(clobbered, v)
			}
		}
		switch s := loc.Stmt.(type) {
		case Call:
			s.Clobbers = slices.DeleteFunc(clobbered, func(v *expr.Expr) bool { return v == s.LHS })
			loc.Stmt = s
		case unknownCall:
			l.expand(Loc(i), s, clobbered)
		}
	}
}

// expand writes an unknown call as assignments of any value.
func (l *lowerer) expand(at Loc, s unknownCall, clobbered []*expr.Expr) {
	var stmts []Stmt
	for _, v := range clobbered {
		if v != s.lhs {
			stmts = append(stmts, Assign{LHS: v, Nondet: s.name, Approx: s.approx})
		}
	}
	if s.lhs != nil {
		stmts = append(stmts, Assign{LHS: s.lhs, Nondet: s.name, Approx: s.approx})
	}
	if len(stmts) == 0 {
		stmts = []Stmt{Goto{}}
	}
	l.locs[at].Stmt = stmts[0]
	for _, st := range stmts[1:] {
		next := Loc(len(l.locs))
		more := l.locs[at]
		more.Stmt, more.Succ = st, slices.Clone(l.locs[at].Succ)
		l.locs[at].Succ[0] = next
		l.locs = append(l.locs, more)
		at = next
	}
}

// escapedBefore gives for each location the variables that may have escaped
// when control arrives; nil where it cannot.
func (l *lowerer) escapedBefore(start Loc) [][]bool {
	before := make([][]bool, len(l.locs))
	if len(l.escaped) == 0 {
		return before
	}
	// The start's own bits.
	before[start] = make([]bool, len(l.escaped))
	for j, v := range l.escaped {
		before[start][j] = slices.Contains(l.atStart, v)
	}
	work := []Loc{start}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		out := slices.Clone(before[at])
		for _, v := range l.escapesAt[at] {
			out[slices.Index(l.escaped, v)] = true
		}
		for _, s := range l.locs[at].Succ {
			if s < 0 {
				continue
			}
			changed := before[s] == nil
			if changed {
				before[s] = make([]bool, len(l.escaped))
			}
			for j, b := range out {
				if b && !before[s][j] {
					before[s][j], changed = true, true
				}
			}
			if changed {
				work = append(work, s)
			}
		}
	}
	return before
}
