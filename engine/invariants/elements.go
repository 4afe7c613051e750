package invariants

// What elements of large arrays may be, whichever element it is and wherever control is.
//
// Idea: every variable, and every piece of memory without variables, has one interval for the whole
// program: all that any thread assigns to it anywhere, and what it begins with. It is found from
// below; what has grown a few times is any value. Nothing rests on it: it says which ranges are worth
// a proof (sequential.InRanges).
//
// Source: flow-insensitive interval analysis; arrays as one cell: Blanchet et al., PLDI 2003, section
// 6.1.2. Deviations: that a store leads to a piece is read off the addresses in its term; one without
// any may lead to all. Cost: a few passes over the automaton.

import (
	"context"

	"magus/cfa"
	"magus/smt/expr"
)

// A Piece is one of memory without variables: the scalars of Size bytes from First to Last.
type Piece struct {
	First, Last uint64
	Size        int64
}

// An Element is what the scalars of a piece may be, as numbers with a sign if Signed. Known says that
// this is not any value.
type Element struct {
	Signed, Known bool
	Low, High     int64
}

const growing = 6 // passes after which what still grows is any value

// Elements are by piece what is stored there. The error is ctx's.
func Elements(ctx context.Context, c *cfa.CFA, pieces []Piece) ([]Element, error) {
	e := &elements{c: c, pieces: pieces, vars: &values{analysis: &analysis{pool: c.Pool,
		index: map[*expr.Expr]int{}}}, memory: make([][2]found, len(pieces))}
	for _, v := range c.Vars {
		e.vars.index[v.Expr] = len(e.vars.now)
		e.vars.now = append(e.vars.now, all(v.Expr.Type()))
	}
	e.set = make([]bool, len(e.vars.now))
	e.begin()
	for pass := 0; ; pass++ {
		e.widen, e.changed = pass >= growing, false
		for l := range c.Locs {
			if l%64 == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			e.statement(c.Locs[l].Stmt)
		}
		if !e.changed {
			break
		}
	}
	found := make([]Element, len(pieces))
	for k := range pieces {
		found[k] = e.element(k)
	}
	return found, nil
}

// found is an interval, once there is one.
type found struct {
	interval
	set bool
}

type elements struct {
	c       *cfa.CFA
	pieces  []Piece
	vars    *values
	set     []bool     // by variable: it has an interval
	memory  [][2]found // by piece: as numbers without a sign, and with one
	widen   bool
	changed bool
}

// typ is that of the elements of a piece.
func (p *Piece) typ(sign int) expr.Type {
	return expr.Type{Width: uint8(8 * p.Size), Signed: sign == 1}
}

// begin has pieces hold what they begin with.
func (e *elements) begin() {
	for l := range e.c.Locs {
		a, ok := e.c.Locs[l].Stmt.(cfa.Assign)
		if !ok || a.Memory == nil || a.Memory.Kind != cfa.Read {
			continue
		}
		for k := range e.pieces {
			p := &e.pieces[k]
			for _, area := range a.Memory.Areas {
				if area.First != p.First || area.Last != p.Last {
					continue
				}
				e.put(k, expr.Uint8, interval{})
				for _, part := range area.Initial {
					if part.Value != nil && part.Value.IsConst() {
						v := part.Value.Int()
						e.put(k, part.Value.Type(), interval{v, v})
					}
				}
			}
		}
	}
}

// put has a piece hold values of a type, too.
func (e *elements) put(k int, t expr.Type, v interval) {
	for sign := range 2 {
		to := e.pieces[k].typ(sign)
		now := cast(to, t, v)
		old := &e.memory[k][sign]
		if old.set {
			now = now.join(old.interval)
		}
		if old.set && now == old.interval {
			continue
		}
		if e.widen {
			now = all(to)
		}
		*old, e.changed = found{now, true}, true
	}
}

// assign has a variable hold values, too.
func (e *elements) assign(x *expr.Expr, v interval) {
	i, known := e.vars.index[x]
	if !known {
		return
	}
	if e.set[i] {
		v = v.join(e.vars.now[i])
	}
	if e.set[i] && v == e.vars.now[i] {
		return
	}
	if e.widen {
		v = all(x.Type())
	}
	e.set[i], e.vars.now[i], e.changed = true, v, true
}

// of is what a term may be; not known before all its variables are.
func (e *elements) of(t *expr.Expr) (interval, bool) {
	for _, v := range expr.Vars(t) {
		if i, known := e.vars.index[v]; known && !e.set[i] {
			return interval{}, false
		}
	}
	return e.vars.of(t), true
}

func (e *elements) statement(s cfa.Stmt) {
	switch s := s.(type) {
	case cfa.Assign:
		e.assignment(s)
	case cfa.Call:
		for _, x := range s.Clobbers {
			e.assign(x, all(x.Type()))
		}
		if s.LHS != nil {
			e.assign(s.LHS, all(s.LHS.Type()))
		}
	}
}

func (e *elements) assignment(a cfa.Assign) {
	v, known := all(a.LHS.Type()), true
	switch {
	case a.Memory == nil && a.Nondet == "uninitialised":
		return // mostly not read before it is assigned: the proof will tell
	case a.Memory != nil && a.Memory.Kind == cfa.Read:
		v, known = e.read(a)
	case a.RHS != nil:
		v, known = e.of(a.RHS)
	}
	if !known {
		return
	}
	e.assign(a.LHS, v)
	if a.Memory == nil || a.Memory.Kind == cfa.Read {
		return
	}
	t := a.LHS.Type()
	if a.RHS != nil && a.RHS.Op() == expr.Cast { // what is stored, before it is bytes
		inner := a.RHS.Args()[0]
		v, _ = e.of(inner)
		t = inner.Type()
	}
	for k := range e.pieces {
		if e.leads(a.Memory.Addr, k) {
			e.store(k, a.Memory, t, v)
		}
	}
}

// read is what a read gives.
func (e *elements) read(a cfa.Assign) (interval, bool) {
	t := a.LHS.Type()
	v, some := interval{}, false
	for _, area := range a.Memory.Areas {
		one, ok := all(t), true
		for k := range e.pieces {
			if p := &e.pieces[k]; area.First == p.First && area.Last == p.Last && a.Memory.Size == p.Size &&
				int64(t.Width) == 8*p.Size {
				sign := 0
				if t.Signed {
					sign = 1
				}
				one, ok = e.memory[k][sign].interval, e.memory[k][sign].set
			}
		}
		switch {
		case !ok:
		case some:
			v = v.join(one)
		default:
			v, some = one, true
		}
	}
	if len(a.Memory.Areas) == 0 {
		return all(t), true
	}
	return v, some
}

// store has a piece hold what is written to it.
func (e *elements) store(k int, m *cfa.Access, t expr.Type, v interval) {
	switch {
	case m.Kind == cfa.Write && m.Size == e.pieces[k].Size:
		e.put(k, t, v)
	case m.Kind == cfa.Fill && v == (interval{}):
		e.put(k, t, v)
	default:
		for sign := range 2 {
			e.put(k, e.pieces[k].typ(sign), all(e.pieces[k].typ(sign)))
		}
	}
}

// leads reports whether an address may lead to a piece, by the addresses of objects in its term.
func (e *elements) leads(addr *expr.Expr, k int) bool {
	if addr == nil {
		return true
	}
	named, here := false, false
	expr.Walk(func(t *expr.Expr) {
		if !t.IsConst() || t.Type().Width < 32 {
			return
		}
		if o, _, ok := e.c.ObjectAt(t.Value()); ok {
			named = true
			here = here || o.Base <= e.pieces[k].Last && e.pieces[k].First < o.Base+max(o.Size, 1)
		}
	}, addr)
	return here || !named
}

// element is what was found of a piece, as numbers with or without a sign, whichever says more.
func (e *elements) element(k int) Element {
	best := Element{}
	for sign := range 2 {
		t, v := e.pieces[k].typ(sign), e.memory[k][sign]
		if !v.set || v.interval == all(t) || endless(t, v.interval) {
			continue
		}
		if !best.Known || uint64(v.hi-v.lo) < uint64(best.High-best.Low) {
			best = Element{Signed: sign == 1, Known: true, Low: v.lo, High: v.hi}
		}
	}
	return best
}
