package memory

// Memory that is never freed, where that is looked for.
//
// Idea: when a program ends, whatever is still allocated was not freed. When a procedure ends that something calls, its
// caller may free what it finds: what the result points to, and what objects do that outlive the procedure (static
// ones, those that parameters point to), and what these point to, and so on. Each object that is allocated has a flag
// that is set once a pointer to it has been found, and is looked through in its turn: behind those that point to it,
// and where objects may point to each other in a circle as many times as there are in it. Where a pointer may be that
// cannot be looked at (in memory without variables, as a number, in what code without a body was given), whether an
// object is lost is not decided.
//
// Cost: for each return, a test for each pointer with each object that it may point to; for objects that may point to
// each other in a circle, as many times as there are.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/internal/graph"
	"magus/smt/expr"
)

// maxCircle bounds the objects of a circle that are looked through.
const maxCircle = 12

// unfreed performs the action error if memory is still allocated that nobody can free any more.
func (r *resolution) unfreed(s Leaks, pos cfa.Pos) {
	f := &finder{resolution: r, pos: pos, hidden: r.newSet(), beyond: r.newSet()}
	if s.Caller && r.pts != nil && !r.code.Dead() {
		f.look(s)
	}
	for _, b := range r.objects {
		if b.live == nil || b.external || r.code.Dead() {
			continue
		}
		lost := r.pool.Truth(b.live)
		if found := f.found[b]; found != nil {
			lost = r.pool.Land(lost, r.pool.Not(r.pool.Truth(found)))
		}
		doubt := r.pool.Bool(f.hidden.has(b.number) || r.opt.AnyAllocation && f.beyond.has(b.number))
		for _, v := range r.untold {
			if f.beyond.has(b.number) {
				doubt = r.pool.Lor(doubt, r.pool.Truth(v))
			}
		}
		r.lose(lost, doubt, "memory of "+b.name+" is not freed", pos)
	}
	for _, v := range r.untold {
		r.lose(r.pool.Truth(v), r.pool.Bool(true), "memory is not freed", pos)
	}
}

// lose performs the action error where memory is lost; where there is a doubt, perhaps.
func (r *resolution) lose(lost, doubt *expr.Expr, what string, pos cfa.Pos) {
	if r.code.Dead() {
		return
	}
	yes, no := r.code.Branch(lost, pos)
	r.code.Continue(yes)
	if len(yes) == 0 {
		r.code.Continue(no)
		return
	}
	perhaps, certain := r.code.Branch(doubt, pos)
	if r.code.Continue(perhaps); len(perhaps) > 0 {
		freed := r.code.Any(boolean, "freed", "whether memory that is not modelled was freed", pos)
		kept, not := r.code.Branch(r.pool.Truth(freed), pos)
		certain, no = append(certain, not...), append(no, kept...)
	}
	if r.code.Continue(certain); len(certain) > 0 {
		r.code.Error(what, pos)
	}
	r.code.Continue(no)
}

// A finder looks for what a caller finds when a procedure has returned.
type finder struct {
	*resolution
	pos    cfa.Pos
	found  map[*Object]*expr.Expr // nonzero once a pointer to the object has been found
	hidden objectSet              // those to which there may be pointers that cannot be looked at
	beyond objectSet              // those to which there may be some in objects that are not told apart
}

// look looks through what outlives a procedure, and what is found there.
func (f *finder) look(s Leaks) {
	f.hidden.join(f.handedOut.hidden)
	f.beyond.join(f.handedOut.beyond)
	nodes, roots := f.begin(s)
	f.makeFlags(f.pts.reach(nodes, roots))
	if s.Result != nil {
		f.follow(s.Result, f.pts.term(s.Result))
	}
	for _, g := range f.globals {
		if n, ok := f.pts.vars[g.Var]; ok && g.Var != nil && g.Object == nil {
			f.follow(g.Var, n)
		}
	}
	for _, b := range roots {
		f.lookThrough(b)
	}
	for _, circle := range f.circles() {
		for range circle {
			for _, b := range circle {
				f.lookThroughFound(b)
			}
		}
	}
}

// begin is where a caller begins to look: pointers that are no cells, and objects.
func (f *finder) begin(s Leaks) (nodes []pointsto.Node, roots []*Object) {
	if s.Result != nil {
		if n := f.pts.term(s.Result); n != none {
			nodes = append(nodes, n)
		}
	}
	for _, g := range f.globals {
		if n, ok := f.pts.vars[g.Var]; ok && g.Var != nil && g.Object == nil {
			nodes = append(nodes, n)
		}
	}
	for _, b := range f.objects {
		if !b.function && (b.global != nil || b.external || b == s.Object) {
			roots = append(roots, b)
		}
	}
	return nodes, roots
}

// makeFlags makes flags for the objects that may be found.
func (f *finder) makeFlags(may objectSet) {
	f.found = map[*Object]*expr.Expr{}
	for _, b := range f.objects {
		if b.live == nil || b.external || !may.has(b.number) && !b.unbounded {
			continue
		}
		f.found[b] = f.code.Temp("found", boolean, f.pos)
		f.code.Assign(f.found[b], f.pool.Const(boolean, 0), f.pos)
	}
}

// follow finds what a pointer points to.
func (f *finder) follow(v *expr.Expr, n pointsto.Node) {
	for _, b := range f.mayFind(v, n) {
		if f.found[b] == nil || f.code.Dead() {
			continue
		}
		is, other := f.code.Branch(f.near(v, b), f.pos)
		if f.code.Continue(is); len(is) > 0 {
			f.code.Assign(f.found[b], f.pool.Const(boolean, 1), f.pos)
		}
		f.code.Join(other)
	}
}

// mayFind are the objects that a pointer may lead to: what it may point to, and those whose size is not known, since
// where in them it may point is not known either.
func (f *finder) mayFind(v *expr.Expr, n pointsto.Node) []*Object {
	var all []*Object
	if n != none {
		all = slices.Collect(f.pts.objectsOf(f.pts.targets(n)))
	}
	if v.Type() != f.pointer {
		return all
	}
	for _, b := range f.objects {
		if b.unbounded && f.found[b] != nil && !slices.Contains(all, b) {
			all = append(all, b)
		}
	}
	return all
}

// lookThrough follows the pointers in an object.
func (f *finder) lookThrough(b *Object) {
	for _, lf := range b.leaves {
		n, ok := f.pts.leaves[lf]
		switch {
		case !ok:
		case lf.v != nil:
			f.follow(lf.v, n)
		default:
			f.hidden.join(f.pts.reach([]pointsto.Node{n}, nil))
		}
	}
	f.hidden.join(f.pts.reach(f.pts.spans[b], nil))
}

// lookThroughFound does that with an allocated object, if it has been found.
func (f *finder) lookThroughFound(b *Object) {
	if f.found[b] == nil || f.code.Dead() {
		if b.live == nil { // it stands for others
			f.beyond.join(f.pts.reach(f.pts.spans[b], nil))
		}
		return
	}
	there := f.pool.Land(f.pool.Truth(f.found[b]), f.pool.Truth(b.live))
	is, not := f.code.Branch(there, f.pos)
	f.code.Continue(is)
	f.lookThrough(b)
	f.code.Join(not)
}

// circles are the allocated objects, those that may point to each other together, behind those that may point to
// them.
func (f *finder) circles() [][]*Object {
	var all []*Object
	number := map[*Object]int{}
	for _, b := range f.objects {
		if f.found[b] != nil || b.unbounded && b.live == nil && !b.external && b.global == nil {
			number[b] = len(all)
			all = append(all, b)
		}
	}
	g := graph.Func{Nodes: len(all), Succ: func(k int, yield func(m int)) {
		for _, n := range f.pts.nodesIn(all[k]) {
			for c := range f.pts.objectsOf(f.pts.targets(n)) {
				if m, ok := number[c]; ok {
					yield(m)
				}
			}
		}
	}}
	var circles [][]*Object
	for _, members := range slices.Backward(graph.SCC(g).Members()) {
		var circle []*Object
		for _, k := range members {
			circle = append(circle, all[k])
		}
		if len(circle) > maxCircle {
			f.hidden.join(f.pts.reach(nil, circle))
			circle = circle[:maxCircle]
		}
		circles = append(circles, circle)
	}
	return circles
}

// nodesIn are the nodes of the pointers in an object.
func (p *pointers) nodesIn(b *Object) []pointsto.Node {
	all := slices.Clone(p.spans[b])
	for _, lf := range b.leaves {
		if n, ok := p.leaves[lf]; ok {
			all = append(all, n)
		}
	}
	return all
}

// isCalled reports whether a caller may find memory where the component ends.
func (a *Analysis) isCalled() bool {
	return slices.ContainsFunc(a.code.Since(0), func(loc cfa.Location) bool {
		s, ok := loc.Stmt.(Leaks)
		return ok && s.Caller
	})
}

// demandKept makes cells of the pointers that may keep what is allocated.
func (a demands) demandKept() {
	for _, b := range a.objects {
		for _, lf := range b.leaves {
			n, ok := a.pts.leaves[lf]
			if !ok || lf.v != nil || b.constant {
				continue
			}
			for c := range a.pts.objectsOf(a.pts.targets(n)) {
				if c.live != nil {
					a.cellVar(b, lf)
					a.changes++
					break
				}
			}
		}
	}
}

// A handedOut has the objects whose addresses may be where they cannot be looked at.
type handedOut struct {
	hidden objectSet // in other code, in numbers or parts of them, in memory that is not modelled
	beyond objectSet // in objects that are not told apart
}

// givesOut finds them.
func (a *Analysis) givesOut() handedOut {
	out := handedOut{a.newSet(), a.newSet()}
	if a.pts == nil || !a.opt.CheckLeaks {
		return out
	}
	hide := func(nodes ...pointsto.Node) { out.hidden.join(a.pts.reach(nodes, nil)) }
	hide(a.pts.parted...)
	for _, x := range a.exposures {
		if n := a.pts.term(x.address); n != none {
			hide(n)
		}
	}
	for lf, n := range a.pts.leaves {
		if lf.leaks {
			hide(n)
		}
	}
	for i, loc := range a.code.Since(0) {
		at := cfa.Loc(i)
		switch s := loc.Stmt.(type) {
		case cfa.Call:
			hide(a.pts.held[at]...)
		case UnknownCall:
			if !s.Forgets {
				hide(a.pts.held[at]...)
			}
		case Store:
			if s.Val != nil {
				a.storesOut(at, s, out)
			}
		case Copy:
			if a.mayMiss(at) {
				hide(pointsto.World)
			}
		}
	}
	return out
}

// storesOut is that for what a statement stores.
func (a *Analysis) storesOut(at cfa.Loc, s Store, out handedOut) {
	n := a.pts.term(s.Val)
	if n == none {
		return
	}
	stored := a.pts.reach([]pointsto.Node{n}, nil)
	if a.mayMiss(at) {
		out.hidden.join(stored)
	}
	for b := range a.pts.objectsOf(a.pts.targets(a.pts.used[at][0])) {
		if b.unbounded && b.live == nil {
			out.beyond.join(stored)
		}
	}
	for h := range a.find.search(at, 0, s.To).all {
		if !h.b.unbounded && (h.rest || a.leafAt(h.b, h.e, s.To.Scalar, false) == nil) {
			out.hidden.join(stored)
		}
	}
}

// mayMiss reports whether a statement may write to memory that is not modelled.
func (a *Analysis) mayMiss(at cfa.Loc) bool {
	return slices.ContainsFunc(a.pts.targets(a.pts.used[at][0]), func(t pointsto.Target) bool {
		return a.pts.at(t.Object) == nil
	})
}
