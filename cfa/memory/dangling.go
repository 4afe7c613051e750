package memory

// Pointers to objects that ended and exist again, where pointers are checked.
//
// Idea: control may enter a block, or call a procedure, again. The object is the same one here, so
// that a pointer from the time before would be valid. C says that the values of such pointers are
// indeterminate from the end of the object on. So where an object ends that may begin again, each
// pointer that may outlast it is compared with its address, and leads to no object from then on.
// Some pointers cannot be given another value: numbers, those in memory without variables, those
// of another thread. With these, accesses by pointers are undecided from then on.
//
// The live range of an object is the code between its beginning and its end. Variables and cells
// that are mentioned outside of it outlast the object; what is mentioned only within begins there
// anew. Deviation: other code is assumed to keep no such pointer.
//
// Cost: for each such object a look at all pointers, and so many tests where it ends.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/smt/expr"
)

// maxDangling bounds the pointers that are compared where an object ends.
const maxDangling = 8

// A codeRange is a part of the draft, from one location to before another.
type codeRange struct{ from, to cfa.Loc }

// A restart is an object that may begin again, with the pointers that outlast it.
type restart struct {
	object   *Object
	pointers []*expr.Expr
	dangling *expr.Expr // nonzero once other pointers may be stale; nil for none
}

// lifetimes writes where objects begin and end, and guards accesses by pointers that outlast them.
type lifetimes struct {
	*Model
	pts        *pointers
	check      *checker
	liveRanges map[*Object]codeRange // of objects of inner blocks
	again      map[*Object]*restart  // the objects that may begin again
	atStart    []*expr.Expr          // variables that start with 0
}

func newLifetimes(m *Model, pts *pointers, check *checker) *lifetimes {
	return &lifetimes{Model: m, pts: pts, check: check, liveRanges: map[*Object]codeRange{},
		again: map[*Object]*restart{}}
}

// restarts finds the objects that may begin again.
func (r *lifetimes) restarts(pointed objectSet) {
	var again []bool
	var in map[*expr.Expr]codeRange
	for _, b := range r.objects {
		s, ok := r.liveRangeOf(b)
		if !ok || !pointed.has(b.number) {
			continue
		}
		if again == nil {
			again, in = r.cyclic(), r.mentioned()
		}
		if again[s.from] {
			r.outlasted(b, s, in)
		}
	}
}

// liveRangeOf is the live range of an object that ends while the component goes on.
func (r *lifetimes) liveRangeOf(b *Object) (s codeRange, ok bool) {
	if s, ok = r.liveRanges[b]; !ok && b.alive != nil {
		s, ok = r.lived[b.alive]
	}
	return s, ok
}

// mentioned is for each variable the range of code that mentions it.
func (r *lifetimes) mentioned() map[*expr.Expr]codeRange {
	in := map[*expr.Expr]codeRange{}
	note := func(v *expr.Expr, at cfa.Loc) {
		s, ok := in[v]
		if !ok {
			s.from = at
		}
		s.to = at + 1
		in[v] = s
	}
	for i := range r.code.Len() {
		at := cfa.Loc(i)
		for _, t := range r.values(at) {
			for _, v := range expr.Vars(t) {
				note(v, at)
			}
		}
		for _, w := range r.writes(at) {
			if w.variable != nil {
				note(w.variable, at)
			}
		}
	}
	return in
}

// outlasted notes what outlasts an object with a live range.
func (r *lifetimes) outlasted(b *Object, s codeRange, in map[*expr.Expr]codeRange) {
	again := &restart{object: b}
	other := b.unbounded
	pointer := func(v *expr.Expr, n pointsto.Node, is bool) {
		switch {
		case v == nil || !r.leadsTo(n, b):
		case is:
			again.pointers = append(again.pointers, v)
		default:
			other = true
		}
	}
	for v, n := range r.pts.vars {
		if at := in[v]; (at.from < s.from || at.to > s.to) && !r.code.IsOutOfLineFrame(r.code.Describe(v).Frame) {
			pointer(v, n, r.pointers[v])
		}
	}
	for _, o := range r.objects {
		if inner, ok := r.liveRangeOf(o); ok && inner.from >= s.from && inner.to <= s.to ||
			r.code.IsOutOfLineFrame(o.decl.Frame) {
			continue
		}
		for _, lf := range o.leaves {
			if n, ok := r.pts.leaves[lf]; ok {
				pointer(lf.v, n, lf.t.Class == Pointer && len(o.overlapping(lf.Extent)) == 0)
			}
		}
		for _, n := range r.pts.spans[o] {
			other = other || r.leadsTo(n, b)
		}
	}
	slices.SortFunc(again.pointers, func(v, w *expr.Expr) int { return v.ID() - w.ID() })
	if other || len(again.pointers) > maxDangling || r.opt.Threads && len(again.pointers) > 0 {
		name := b.name + ".stale"
		again.pointers, again.dangling = nil, r.code.NewVar(name, name, boolean)
		r.code.List(cfa.Var{Expr: again.dangling, Name: b.decl.Name + ".stale", Kind: cfa.Temp,
			Frame: b.decl.Frame, Pos: b.decl.Pos})
		r.atStart = append(r.atStart, again.dangling)
	}
	if again.dangling != nil || again.pointers != nil {
		r.again[b] = again
	}
}

// leadsTo reports whether a node may point to an object.
func (r *lifetimes) leadsTo(n pointsto.Node, b *Object) bool {
	return slices.ContainsFunc(r.pts.targets(n), func(t pointsto.Target) bool { return r.pts.at(t.Object) == b })
}

// outlast writes the end of an object for the pointers that outlast it.
func (r *lifetimes) outlast(b *Object, pos cfa.Pos) {
	again := r.again[b]
	if again == nil || r.code.Dead() {
		return
	}
	if again.dangling != nil {
		r.code.Assign(again.dangling, r.pool.Const(boolean, 1), pos)
	}
	nowhere := r.AddressIn(b, b.size+int64(r.gap()/8))
	for _, v := range again.pointers {
		is, other := r.code.Branch(r.pool.Le(r.pool.Sub(v, r.AddressIn(b, 0)), r.pool.Int(r.pointer, b.size)), pos)
		r.code.Continue(is)
		if len(is) > 0 {
			r.code.Assign(v, nowhere, pos)
		}
		r.code.Join(other)
	}
}

// outlastAll writes the ends of the objects of an instance.
func (r *lifetimes) outlastAll(s cfa.Assign, pos cfa.Pos) {
	if _, ends := r.lived[s.LHS]; !ends || !s.RHS.IsConst() || s.RHS.Value() != 0 {
		return
	}
	for _, b := range r.objects {
		if b.alive == s.LHS {
			r.outlast(b, pos)
		}
	}
}

// notDangling lets control pass only where the pointer by which an object is accessed is none from
// an earlier time.
func (r *lifetimes) notDangling(b *Object, pos cfa.Pos) {
	again := r.again[b]
	if again == nil || again.dangling == nil || r.code.Dead() {
		return
	}
	stale, fresh := r.code.Branch(r.pool.Truth(again.dangling), pos)
	r.code.Continue(stale)
	if len(stale) > 0 {
		r.check.undecided("whether a pointer to "+b.name+" is from a time before it", pos)
	}
	r.code.Join(fresh)
}

// encloses reports whether the current instance is one, or is called, directly or not, from it.
func (r *lifetimes) encloses(frame int) bool {
	callers := r.code.Callers()
	for at := r.code.Frame(); at >= 0; at = callers[at] {
		if at == frame {
			return true
		}
	}
	return false
}

// ended are the objects that a pointer which other code has given a value may lead to, and that may have
// ended, with the flags that say so.
func (r *lifetimes) ended(v *expr.Expr) (all []*Object, flags []*expr.Expr) {
	if !r.opt.CheckPointers || r.pts == nil || !r.pointers[v] {
		return nil, nil
	}
	for b := range r.pts.objectsOf(r.pts.targets(r.pts.term(v))) {
		flag := b.alive
		if b.inner != nil {
			flag = b.inner
		}
		if flag != nil && !(b.inner == nil && r.encloses(b.decl.Frame)) {
			all, flags = append(all, b), append(flags, flag)
		}
	}
	return all, flags
}

// keptNone lets control pass only where a pointer that other code has given a value leads to no local variable that has
// ended; perhaps to one of those of which it may have read the address, and to those where the pointer was before.
func (r *lifetimes) keptNone(v, before *expr.Expr, read objectSet, pos cfa.Pos) {
	all, flags := r.ended(v)
	for i, b := range all {
		if r.code.Dead() {
			return
		}
		stale := r.pool.Land(r.near(v, b), r.pool.Not(r.pool.Truth(flags[i])))
		if before != nil {
			stale = r.pool.Land(stale, r.pool.Not(r.pool.Eq(v, before)))
		}
		is, other := r.code.Branch(stale, pos)
		if r.code.Continue(is); len(is) > 0 && (before != nil || read.has(b.number)) {
			kept := r.code.Any(boolean, "kept", "whether other code keeps a pointer to "+b.name, pos)
			yes, no := r.code.Branch(r.pool.Truth(kept), pos)
			other = append(other, yes...)
			r.code.Continue(no)
		}
		if !r.code.Dead() {
			r.code.Halt("a pointer from outside", pos)
		}
		r.code.Continue(other)
	}
}
