package memory

// What the body of an abstracted routine does to memory.
//
// Idea: an abstraction says what a routine does and returns, not what it does to
// memory. Where the routine has a body, that is written out of line
// ([cfa.Builder.OutOfLine]) once, whatever the number of calls. Control does not come
// there, but pointers are followed through it as through all other code, from the
// arguments of all calls to what it returns. A call may write what the statements of the
// body, and of the bodies that it calls by their abstractions, may store to, as far as
// the call can reach it: from its arguments, from globals, or because it has escaped.
// What a body allocates is never told apart.
//
// A body with something that is not modelled may store to everything, and any
// pointer anywhere.
//
// Source: the side effects of procedures by points-to sets (Ryder et al.: A schema
// for interprocedural modification side-effect analysis with pointer aliasing,
// TOPLAS 23, 2001, section 2), without contexts but for the restriction to what a
// call can reach. Cost: for each call a search over objects and a pass over the
// bodies.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/internal/graph"
	"magus/smt/expr"
)

// A Body is that of a routine that is called by its abstraction.
type Body struct {
	Begin cfa.Loc
	// Params are the variables of the parameters; where a parameter is a
	// structure, Structures has its memory.
	Params     []*expr.Expr
	Structures []*Object
	// Summary says that nothing is claimed of the routine, so that it may be called with any aliases.
	Summary bool

	reached []cfa.Loc // the locations that control can come to
}

// routines are those of a draft that have a body and are called by their abstractions.
type routines struct {
	draft  *cfa.Builder
	bodies map[cfa.Loc]*Body // of the routines that Calls call
}

func newRoutines(draft *cfa.Builder) *routines {
	return &routines{draft: draft, bodies: map[cfa.Loc]*Body{}}
}

// CallsBody says which body the routine of a Call has.
func (r *routines) CallsBody(call cfa.Loc, b *Body) { r.bodies[call] = b }

// locations are the locations of a body that control can come to.
func (r *routines) locations(b *Body) []cfa.Loc {
	if b.reached != nil {
		return b.reached
	}
	seen := map[cfa.Loc]bool{b.Begin: true}
	b.reached = []cfa.Loc{b.Begin}
	for i := 0; i < len(b.reached); i++ {
		for _, s := range r.draft.At(b.reached[i]).Succ {
			if s >= 0 && !seen[s] {
				seen[s] = true
				b.reached = append(b.reached, s)
			}
		}
	}
	slices.Sort(b.reached)
	return b.reached
}

// closure are the locations of a body and of all bodies that it calls.
func (r *routines) closure(b *Body) []cfa.Loc {
	var all []cfa.Loc
	for _, c := range r.calledBy(b) {
		all = append(all, r.locations(c)...)
	}
	return all
}

// calledBy are a body and all bodies that it calls.
func (r *routines) calledBy(b *Body) []*Body {
	var all []*Body
	graph.Closure(func(b *Body, yield func(*Body)) {
		all = append(all, b)
		for _, at := range r.locations(b) {
			if c := r.bodies[at]; c != nil {
				yield(c)
			}
		}
	}, b)
	return all
}

// callBody lets addresses flow from the arguments of a call to the parameters of
// the body, and from what that returns to the result.
func (p *pointers) callBody(at cfa.Loc, s cfa.Call, b *Body) {
	structure := 0
	p.given[at] = make([][]pointsto.Node, len(b.Params))
	for i, arg := range s.Args {
		if i >= len(b.Params) {
			break
		}
		if o := b.Structures[i]; o != nil {
			if structure < len(p.used[at]) {
				to := p.g.Node()
				p.g.AddressOf(to, p.ids[o.number], 0)
				p.copyWords(Copy{Size: p.a.passed[at][structure].Size}, to, p.used[at][structure])
				p.given[at][i] = p.wordsAt(p.used[at][structure], p.a.passed[at][structure].Size)
				p.held[at] = append(p.held[at], p.given[at][i]...)
			}
			structure++
			continue
		}
		if n := p.term(arg); n != none {
			p.given[at][i] = []pointsto.Node{n}
			p.held[at] = append(p.held[at], n)
		}
		if v := b.Params[i]; p.a.wide(v.Type()) {
			if n := p.value(arg, p.a.pointers[v]); n != none {
				p.g.Copy(p.variable(v), n)
			}
		}
	}
	if s.LHS == nil || !p.a.wide(s.LHS.Type()) {
		return
	}
	for _, i := range p.a.locations(b) {
		if r, ok := p.a.code.At(i).Stmt.(cfa.Return); ok && r.Value != nil {
			if n := p.value(r.Value, p.a.pointers[s.LHS]); n != none {
				p.g.Copy(p.variable(s.LHS), n)
			}
		}
	}
	if p.a.pointers[s.LHS] { // any value that the abstraction admits
		p.g.AddressOf(p.variable(s.LHS), pointsto.Unknown, 0)
	}
}

// reachesAll reports whether a statement may reach all static storage, and whatever
// that leads to.
func reachesAll(s cfa.Stmt) bool {
	call, ok := s.(UnknownCall)
	return ok && call.All
}

// anything lets a body that is not modelled store any pointer anywhere, and code that
// may reach all static storage there.
func (p *pointers) anything() {
	refused := slices.ContainsFunc(p.a.bodyLocations(), p.a.refused)
	if !refused && !slices.ContainsFunc(p.a.code.Since(0), func(loc cfa.Location) bool { return reachesAll(loc.Stmt) }) {
		return
	}
	for _, b := range p.a.Model.objects {
		if refused || b.global != nil {
			p.tellWorld(b)
		}
	}
	for _, g := range p.a.globals {
		if g.Var != nil && p.a.wide(g.Var.Type()) {
			n := p.variable(g.Var)
			p.g.Escape(n)
			p.g.Copy(n, pointsto.World)
		}
	}
	for i, loc := range p.a.code.Since(0) {
		if s, ok := loc.Stmt.(cfa.Call); ok && p.a.bodies[cfa.Loc(i)] != nil && s.LHS != nil && p.a.wide(s.LHS.Type()) {
			p.g.Copy(p.variable(s.LHS), pointsto.World)
		}
	}
}

// bodyLocations are the locations of all bodies.
func (r *routines) bodyLocations() []cfa.Loc {
	var all []cfa.Loc
	for _, b := range r.allBodies() {
		all = append(all, r.locations(b)...)
	}
	return all
}

// allBodies are the bodies, in the order of their text.
func (r *routines) allBodies() []*Body {
	var all []*Body
	for _, b := range r.bodies {
		if !slices.Contains(all, b) {
			all = append(all, b)
		}
	}
	slices.SortFunc(all, func(x, y *Body) int { return int(x.Begin - y.Begin) })
	return all
}

// isRefused reports whether something in a body itself is not modelled.
func (r *routines) isRefused(b *Body) bool { return slices.ContainsFunc(r.locations(b), r.refused) }

// refused reports whether the statement at a location is not modelled.
func (r *routines) refused(at cfa.Loc) bool {
	_, refused := cfa.IsRefused(r.draft.At(at).Stmt)
	return refused
}

// Performs is what the body of the routine that a Call calls may perform, with all
// bodies that it calls: each action, and each routine without a body, once.
func (m *Model) Performs(call cfa.Loc) []cfa.Performed {
	var all []cfa.Performed
	add := func(p cfa.Performed) {
		if !slices.ContainsFunc(all, func(q cfa.Performed) bool { return p.Action == q.Action && p.Routine == q.Routine }) {
			all = append(all, p)
		}
	}
	for _, at := range m.closure(m.bodies[call]) {
		loc := m.code.At(at)
		switch s := loc.Stmt.(type) {
		case cfa.Act:
			add(cfa.Performed{Action: s.Action, Pos: loc.Pos})
		case cfa.Call:
			if m.bodies[at] == nil {
				add(cfa.Performed{Routine: s.Callee, Pos: loc.Pos})
			}
		case Load, Store, Copy, Fill:
			for _, r := range m.refs(at) {
				if m.opt.CheckPointers && (len(r.Idx) > 0 || !r.Base.IsConst()) {
					add(cfa.Performed{Action: cfa.ErrorAction, Pos: loc.Pos})
				}
			}
		case Alloc:
			if m.opt.CheckLeaks && s.Site.Null { // where it is not freed, at the end of the component
				add(cfa.Performed{Action: cfa.ErrorAction, Pos: loc.Pos})
			}
		case Free, Touch, Measure, ScanText, Undecided:
			if m.opt.CheckPointers {
				add(cfa.Performed{Action: cfa.ErrorAction, Pos: loc.Pos})
			}
		}
	}
	return all
}

// writtenBy are the variables that a call of a routine with a body may change, in
// order of their terms.
func (a *effects) writtenBy(call cfa.Loc, b *Body) []*expr.Expr {
	reach := a.reachedAt(call, b)
	var all []*expr.Expr
	for _, c := range a.calledBy(b) {
		for object, variables := range a.ownStores(c) {
			if object == nil || reach.has(object.number) {
				for v := range variables {
					all = append(all, v)
				}
			}
		}
	}
	slices.SortFunc(all, func(x, y *expr.Expr) int { return x.ID() - y.ID() })
	return slices.Compact(all)
}

// ownStores are the variables that the statements of a body itself may store to, but for its own, by object.
func (a *effects) ownStores(b *Body) map[*Object]map[*expr.Expr]bool {
	if own, ok := a.own[b]; ok {
		return own
	}
	own := map[*Object]map[*expr.Expr]bool{}
	a.own[b] = own
	for _, at := range a.locations(b) {
		for _, s := range a.stores(at) {
			for _, v := range s.variables {
				if a.code.IsOutOfLineFrame(a.code.Describe(v).Frame) {
					continue
				}
				if own[s.object] == nil {
					own[s.object] = map[*expr.Expr]bool{}
				}
				own[s.object][v] = true
			}
		}
	}
	return own
}

// reachedAt are the objects that a call can reach: from its arguments, from
// globals, as numbers, and those that have escaped anywhere.
func (a *effects) reachedAt(call cfa.Loc, b *Body) objectSet {
	if a.pts == nil {
		return nil
	}
	from, objects := a.static()
	from = append(from, a.pts.held[call]...)
	if slices.ContainsFunc(a.calledBy(b), a.isRefused) {
		return a.everything()
	}
	from = append(from, a.pts.exposed, a.pts.apart, a.pts.guessed)
	set := a.pts.reach(from, objects)
	set.join(a.escapedAnywhere())
	return set
}

// static are the objects of static storage, and the nodes of variables that are no
// objects.
func (a *escapes) static() (nodes []pointsto.Node, objects []*Object) {
	for _, g := range a.globals {
		if g.Object != nil {
			objects = append(objects, g.Object)
		} else if n, ok := a.pts.vars[g.Var]; ok {
			nodes = append(nodes, n)
		}
	}
	return nodes, objects
}

func (s *addressSpace) everything() objectSet {
	set := s.newSet()
	for i := range set {
		set[i] = ^uint64(0)
	}
	return set
}

// escapedAnywhere are the objects that code without a body may know at some time.
func (a *escapes) escapedAnywhere() objectSet {
	if a.pts == nil || a.all != nil {
		return a.all
	}
	set := a.pts.reach(a.outside(nil), a.escapedAtStart())
	numbers := false
	for i, loc := range a.code.Since(0) {
		at := cfa.Loc(i)
		switch s := loc.Stmt.(type) {
		case cfa.Call:
			if a.bodies[at] != nil {
				continue
			}
			set.join(a.pts.reach(a.pts.held[at], nil))
		case UnknownCall:
			var own []*Object
			if s.Own != nil {
				own = []*Object{s.Own}
			}
			set.join(a.pts.reach(a.pts.held[at], own))
		default:
			continue
		}
		numbers = numbers || a.givesNumbers(at)
	}
	if numbers {
		set.join(a.pts.reach([]pointsto.Node{a.pts.exposed}, nil))
	}
	a.all = set
	return set
}

// stored is what a statement may store to: variables of one object, or of none.
type stored struct {
	object    *Object
	variables []*expr.Expr
}

// effects are what code may write, as far as it can be reached.
type effects struct {
	*escapes
	find *locator
	own  map[*Body]map[*Object]map[*expr.Expr]bool // see ownStores
}

// stores are what the statement at a location may store to.
func (a *effects) stores(at cfa.Loc) []stored {
	var all []stored
	for _, w := range a.writes(at) {
		switch {
		case w.all:
			all = append(all, a.storesAnywhere()...)
		case w.to != nil:
			all = append(all, a.storesAt(a.find.search(at, 0, *w.to), w.size)...)
		case !w.call:
			all = append(all, a.storesTo(w.variable)...)
		case a.bodies[at] == nil: // else the body is looked at itself
			all = append(all, a.storesOf(a.escapedAnywhere())...)
		}
	}
	if s, ok := a.code.At(at).Stmt.(Free); ok && a.pts != nil { // else no object is told apart
		for _, t := range a.pts.targets(a.pts.term(s.Addr)) {
			if b := a.pts.at(t.Object); b != nil {
				all = append(all, a.ends(b)...)
			}
		}
	}
	return all
}

// ends is what freeing an object stores.
func (m *addressing) ends(b *Object) []stored {
	var all []stored
	for _, v := range []*expr.Expr{b.live, b.freed, b.gone} {
		if v != nil {
			all = append(all, stored{b, []*expr.Expr{v}})
		}
	}
	return all
}

// storesTo is a store to a variable, with the cells that overlap it.
func (a *effects) storesTo(v *expr.Expr) []stored {
	if v == nil {
		return nil
	}
	c, ok := a.cells[v]
	if !ok {
		return []stored{{nil, []*expr.Expr{v}}}
	}
	return []stored{{c.Object, variablesOf(c.Object.sharing(c.leaf.Extent))}}
}

// storesAt are the stores of so many bytes to the hits of a tree; see [write].
func (m *addressing) storesAt(t *tree, size int64) []stored {
	var all []stored
	for h := range t.all {
		if h.b.constant {
			continue
		}
		var leaves []*leaf
		switch {
		case size != 0:
			leaves = m.within(h, size)
		case h.rest:
			leaves = h.touched()
		default:
			leaves = h.b.sharing(h.e)
		}
		all = append(all, stored{h.b, variablesOf(leaves)})
	}
	return all
}

// storesOf are stores to all cells of objects.
func (a *effects) storesOf(set objectSet) []stored {
	var all []stored
	for _, b := range a.objects {
		if !b.constant && set.has(b.number) {
			all = append(all, stored{b, variablesOf(b.leaves)})
		}
	}
	return all
}

func (a *effects) storesAnywhere() []stored {
	all := a.storesOf(a.everything())
	for _, g := range a.globals {
		if g.Var != nil && !g.Const {
			all = append(all, stored{nil, []*expr.Expr{g.Var}})
		}
	}
	return all
}

func variablesOf(leaves []*leaf) []*expr.Expr {
	var vars []*expr.Expr
	for _, lf := range leaves {
		if lf.v != nil {
			vars = append(vars, lf.v)
		}
	}
	return vars
}

// gone reports whether an object ends with the body of an abstracted routine, so
// that no other code may access it.
func (m *Model) gone(b *Object) bool { return b.dies() && m.code.IsOutOfLineFrame(b.decl.Frame) }
