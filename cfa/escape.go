package cfa

// What routines without a body may change.
//
// Idea: what can be reached from the arguments of such a routine escapes when
// it is called; it, and what escaped to another one before, may then have any
// value. Reach is that of the points-to analysis, before is a forward
// may-analysis to a fixpoint, one bit for each block.

import (
	"slices"

	"magus/cfa/pointsto"
	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// escapedAtStart are the blocks that code without a body may know at entry:
// objects whose address stands in an initialiser of an object that such code
// can name, and where the component does not start with main, all objects whose
// address may have been taken.
func (l *lowerer) escapedAtStart() []*block {
	var all []*block
	for _, b := range l.blocks {
		o := b.static
		switch {
		case o == nil || b.fixed:
		case o.addressedAtStart, !l.opt.InitGlobals && (o.addressed || o.typ.class == classAggregate && holdsArray(o.ctyp)):
			all = append(all, b)
		}
	}
	return all
}

// holdsArray reports whether a type is or contains an array, which is an
// address without any operator.
func holdsArray(t cc.Type) bool {
	if t.Kind() == cc.Array {
		return true
	}
	for _, f := range members(t) {
		if holdsArray(f.Type()) {
			return true
		}
	}
	return false
}

// A blockSet has a bit for each block.
type blockSet []uint64

func (s blockSet) has(n int) bool { return s[n/64]>>(n%64)&1 != 0 }

// add adds a block and reports whether it is new.
func (s blockSet) add(n int) bool {
	is := s.has(n)
	s[n/64] |= 1 << (n % 64)
	return !is
}

// join adds all of t and reports whether something is new.
func (s blockSet) join(t blockSet) bool {
	changed := false
	for i, w := range t {
		changed = changed || w&^s[i] != 0
		s[i] |= w
	}
	return changed
}

// meet keeps what is in t too, and reports whether something went.
func (s blockSet) meet(t blockSet) bool {
	changed := false
	for i, w := range t {
		changed = changed || s[i]&^w != 0
		s[i] &= w
	}
	return changed
}

func (l *lowerer) newSet() blockSet { return make(blockSet, len(l.blocks)/64+1) }

// reach are the blocks that can be reached from what nodes point to.
func (p *pointers) reach(from []pointsto.Node, start []*block) blockSet {
	seen := p.l.newSet()
	var todo []*block
	visit := func(b *block) {
		if seen.add(b.number) {
			todo = append(todo, b)
		}
	}
	world := false
	var follow func(n pointsto.Node)
	follow = func(n pointsto.Node) {
		for _, t := range p.targets(n) {
			if b := p.blocks[t.Object]; b != nil {
				visit(b)
			} else if !world {
				world = true
				follow(pointsto.World)
			}
		}
	}
	for _, b := range start {
		visit(b)
	}
	for _, n := range from {
		follow(n)
	}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, lf := range b.leaves {
			if n, ok := p.leaves[lf]; ok {
				follow(n)
			}
		}
		for _, n := range p.spans[b] {
			follow(n)
		}
	}
	return seen
}

// escapes gives for every call of a routine without a body the variables that
// it may change.
func (l *lowerer) escapes(start Loc) [][]*expr.Expr {
	changed := make([][]*expr.Expr, len(l.locs))
	at := make([]blockSet, len(l.locs))
	for i, loc := range l.locs {
		switch s := loc.Stmt.(type) {
		case Call:
			at[i] = l.pts.reach(l.pts.held[Loc(i)], nil)
		case unknownCall:
			var own []*block
			if s.own != nil {
				own = []*block{s.own}
			}
			at[i] = l.pts.reach(l.pts.held[Loc(i)], own)
			l.callbacks(Loc(i), at[i], s.name)
		}
	}
	l.certain = l.certainly(start, at)
	before := l.escapedBefore(start, at)
	for i, loc := range l.locs {
		if at[i] != nil && before[i] != nil {
			at[i].join(before[i])
			changed[i] = l.cellsOf(at[i], loc.Stmt)
		}
	}
	return changed
}

// certainly gives for every such call the blocks that it or one before it on
// every way is given the address of: a forward must-analysis. That these
// have any value afterwards is what the call means; the others may not be
// reached at all, so that a violation that depends on a change of them is not
// believed.
func (l *lowerer) certainly(start Loc, at []blockSet) []blockSet {
	given := make([]blockSet, len(l.locs))
	for i, loc := range l.locs {
		switch s := loc.Stmt.(type) {
		case Call:
			given[i] = l.givenBlocks(s.Args)
		case unknownCall:
			given[i] = l.givenBlocks(s.args)
			if s.own != nil {
				given[i].add(s.own.number)
			}
		}
	}
	before := make([]blockSet, len(l.locs))
	before[start] = l.newSet()
	for _, b := range l.escapedAtStart() {
		before[start].add(b.number)
	}
	work := []Loc{start}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		out := slices.Clone(before[i])
		if given[i] != nil {
			out.join(given[i])
		}
		for _, s := range l.locs[i].Succ {
			if s >= 0 && (before[s] == nil || before[s].meet(out)) {
				if before[s] == nil {
					before[s] = slices.Clone(out)
				}
				work = append(work, s)
			}
		}
	}
	for i := range before {
		if before[i] != nil && given[i] != nil {
			before[i].join(given[i])
		}
	}
	return before
}

// givenBlocks are the blocks whose addresses are arguments: constants, and
// pointers from outside to their objects.
func (l *lowerer) givenBlocks(args []*expr.Expr) blockSet {
	set := l.newSet()
	for _, a := range args {
		if b, _ := l.blockOf(a); b != nil {
			set.add(b.number)
		}
		for b := range l.exactTargets(l.pts.term(a)) {
			if b.outside {
				set.add(b.number)
			}
		}
	}
	return set
}

// callbacks refuses a call that gives the address of a function of the program
// to a routine that may call it.
func (l *lowerer) callbacks(at Loc, set blockSet, name string) {
	for _, b := range l.blocks {
		if b.fn != nil && b.proc != nil && set.has(b.number) {
			loc := &l.locs[at]
			loc.Stmt = unsupported{&UnsupportedError{loc.Pos, "function pointer " + b.fn.Name() + " given to a routine without a body, " + name,
				"the routine may call it: give a body or an abstraction of the routine"}}
			return
		}
	}
}

// cellsOf are the variables of blocks that a call may change.
func (l *lowerer) cellsOf(set blockSet, s Stmt) []*expr.Expr {
	var result *expr.Expr
	switch s := s.(type) {
	case Call:
		result = s.LHS
	case unknownCall:
		result = s.lhs
	}
	var vars []*expr.Expr
	for _, b := range l.blocks {
		if b.fixed || !set.has(b.number) {
			continue
		}
		for _, lf := range b.leaves {
			if lf.v != nil && lf.v != result {
				vars = append(vars, lf.v)
			}
		}
	}
	return vars
}

// escapedBefore gives for each location what may have escaped when control
// arrives; nil where it cannot.
func (l *lowerer) escapedBefore(start Loc, at []blockSet) []blockSet {
	before := make([]blockSet, len(l.locs))
	before[start] = l.pts.reach(nil, l.escapedAtStart())
	work := []Loc{start}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		out := before[i]
		if at[i] != nil {
			out = slices.Clone(out)
			out.join(at[i])
		}
		for _, s := range l.locs[i].Succ {
			switch {
			case s < 0:
			case before[s] == nil:
				before[s] = slices.Clone(out)
				work = append(work, s)
			case before[s].join(out):
				work = append(work, s)
			}
		}
	}
	return before
}
