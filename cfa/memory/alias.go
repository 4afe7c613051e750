package memory

// Calls with aliases: an object that the claim about the routine takes for several.
//
// Idea: a claim about a procedure assumes that there is no aliasing. What its parameters,
// global pointers and the pointers behind them point to are objects of their own, each apart
// from all others (external.go). Every call by the abstraction has to fulfil that: an object that
// the body writes must have one access path only, and so must one whose address the body
// compares with another address of the same object. An access path is a name, a parameter,
// or a pointer that existed before the body and that the body reads. What a pointer in an
// object with two access paths points to has two as well.
// Marks tell which parameters an access goes through: each parameter of a body points to
// a mark of its own besides, and so does whatever is read through it.
//
// The claim about the routine says nothing about a call with aliases: its body is inlined
// there, or the call is refused. Memory that is not modelled is one object here.
//
// Cost: a pass over each body. A call costs a test for each object that is accessed and for
// each pointer that is read.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/smt/expr"
)

// A mark stands for what a parameter of a body points to when it is called.
type mark struct {
	body *Body
	i    int
}

// markParameters gives each parameter of a body its mark.
func (p *pointers) markParameters(b *Body) {
	for i, v := range b.Params {
		o, contents := p.g.Object(0), p.g.Node()
		p.marks[o] = mark{b, i}
		p.g.Contents(o, 0, contents)
		p.g.AddressOf(contents, o, 0)
		if s := b.Structures[i]; s != nil {
			for _, lf := range s.leaves {
				if p.holds(lf) {
					p.g.AddressOf(p.leafNode(s, lf), o, 0)
				}
			}
		} else if p.a.wide(v.Type()) {
			p.g.AddressOf(p.variable(v), o, 0)
		}
	}
}

// marked are the parameters of a body by which a pointer may have been reached.
func (p *pointers) marked(n pointsto.Node, b *Body) []int {
	if n == none {
		return nil
	}
	var all []int
	for _, t := range p.solution.Targets(n) {
		if m, ok := p.marks[t.Object]; ok && m.body == b {
			all = append(all, m.i)
		}
	}
	return all
}

// An accessPath is how a body comes to an object.
type accessPath struct {
	name string // for people
	// at is the object that the pointer is read from; nil: none, or a variable that is
	// no object.
	at *Object
	to objectSet // what the pointer points to; nil for a path by name
}

// An access is what a body does to an object.
type access struct {
	named    bool  // by its name
	pointers []int // by pointers that have come through these parameters
	pointer  bool  // by pointers
	matters  bool  // it is written, or its address compared
}

// uses is what a body accesses of what exists before it.
type uses struct {
	accesses map[*Object]*access
	reads    []accessPath // the pointers that it reads
}

// An aliasing tells which calls reach an object by two access paths.
type aliasing struct {
	*Model
	pts     *pointers
	find    *locator
	used    map[*Body]*uses
	nowhere *Object // see unmodelled
}

func newAliasing(m *Model, pts *pointers, find *locator) *aliasing {
	return &aliasing{Model: m, pts: pts, find: find, used: map[*Body]*uses{}}
}

// unmodelled stands for all memory that is not modelled.
func (a *aliasing) unmodelled() *Object {
	if a.nowhere == nil || a.nowhere.number != len(a.objects) {
		a.nowhere = &Object{number: len(a.objects), name: "memory that is not modelled"}
	}
	return a.nowhere
}

// pointees are the objects that a node points to.
func (a *aliasing) pointees(n pointsto.Node) objectSet {
	set := a.newSet()
	for _, t := range a.pts.targets(n) {
		if b := a.pts.at(t.Object); b != nil && !b.unbounded {
			set.add(b.number)
		} else {
			set.add(a.unmodelled().number)
		}
	}
	return set
}

// usesOf finds what a body uses.
func (a *aliasing) usesOf(b *Body) *uses {
	if u := a.used[b]; u != nil {
		return u
	}
	u := &uses{accesses: map[*Object]*access{}}
	a.used[b] = u
	seen := map[any]bool{}
	of := map[cfa.Loc]bool{}
	for _, at := range a.closure(b) {
		of[at] = true
		a.useMemory(at, b, u, seen)
		a.useNames(at, u, seen)
	}
	for _, r := range a.relations {
		if !of[r.at] {
			continue
		}
		x, y := a.pts.term(r.x), a.pts.term(r.y)
		both := a.pointees(x)
		both.meet(a.pointees(y))
		for _, o := range append(slices.Clone(a.objects), a.unmodelled()) {
			if both.has(o.number) {
				for _, t := range []*expr.Expr{r.x, r.y} {
					named, _ := a.ObjectOf(t)
					x := a.use(u, o, a.pts.marked(a.pts.term(t), b), true)
					x.named, x.pointer = x.named || named != nil, x.pointer || named == nil
				}
			}
		}
	}
	return u
}

// use notes the access of an object; params are nil for one by name.
func (a *aliasing) use(u *uses, o *Object, params []int, matters bool) *access {
	if o.constant || a.code.IsOutOfLineFrame(o.decl.Frame) && o != a.nowhere {
		return &access{}
	}
	x := u.accesses[o]
	if x == nil {
		x = &access{}
		u.accesses[o] = x
	}
	x.matters = x.matters || matters
	for _, k := range params {
		if !slices.Contains(x.pointers, k) {
			x.pointers = append(x.pointers, k)
		}
	}
	return x
}

// readsPointer notes that a body reads a pointer, which key stands for, from an object.
func (a *aliasing) readsPointer(u *uses, seen map[any]bool, key any, at *Object, name string, n pointsto.Node) {
	if !seen[key] {
		seen[key] = true
		u.reads = append(u.reads, accessPath{name, at, a.pointees(n)})
	}
}

// useMemory notes what a statement of a body accesses by addresses.
func (a *aliasing) useMemory(at cfa.Loc, b *Body, u *uses, seen map[any]bool) {
	stmt := a.code.At(at).Stmt
	if _, call := stmt.(cfa.Call); call && a.bodies[at] != nil {
		return
	}
	for i, r := range a.refs(at) {
		_, load := stmt.(Load)
		write, size := !load && i == 0, r.Size
		if c, ok := stmt.(Copy); ok {
			size = c.Size
		}
		named, _ := a.ObjectOf(r.Base)
		marked := a.pts.marked(a.pts.used[at][i], b)
		t := a.find.search(at, i, r)
		if t.leads(isUnknown) {
			a.use(u, a.unmodelled(), marked, write).pointer = true
		}
		for h := range t.all {
			x := a.use(u, h.b, marked, write)
			x.named, x.pointer = x.named || named != nil, x.pointer || named == nil
			if !write {
				a.readsPointers(u, seen, h, size)
			}
		}
	}
}

// readsPointers notes the pointers that a body reads in so many bytes from a hit on.
func (a *aliasing) readsPointers(u *uses, seen map[any]bool, h hit, size int64) {
	if a.code.IsOutOfLineFrame(h.b.decl.Frame) {
		return
	}
	for _, lf := range a.within(h, size) {
		if n, ok := a.pts.leaves[lf]; ok {
			a.readsPointer(u, seen, lf, h.b, h.b.name+lf.path, n)
		}
	}
	if h.rest {
		for _, n := range a.pts.spans[h.b] {
			a.readsPointer(u, seen, n, h.b, "an element of "+h.b.name, n)
		}
	}
}

// useNames notes the variables that a statement of a body names.
func (a *aliasing) useNames(at cfa.Loc, u *uses, seen map[any]bool) {
	if s, ok := a.code.At(at).Stmt.(cfa.Assign); ok {
		if c, ok := a.cells[s.LHS]; ok {
			a.use(u, c.Object, nil, true).named = true
		}
	}
	for _, t := range a.values(at) {
		for _, v := range expr.Vars(t) {
			switch c, ok := a.cells[v]; {
			case ok:
				a.use(u, c.Object, nil, false).named = true
				if n, ok := a.pts.leaves[c.leaf]; ok && !a.code.IsOutOfLineFrame(c.Object.decl.Frame) {
					a.readsPointer(u, seen, c.leaf, c.Object, v.Name(), n)
				}
			case a.code.Describe(v).Kind == cfa.Global && a.wide(v.Type()):
				if n, ok := a.pts.vars[v]; ok { // else it holds no address
					a.readsPointer(u, seen, v, nil, v.Name(), n)
				}
			}
		}
	}
}

// whyAliased says which object a call reaches by which two access paths; "" if there is none.
func (a *aliasing) whyAliased(call cfa.Loc, b *Body) string {
	if a.pts == nil {
		return ""
	}
	u := a.usesOf(b)
	given := make([][]accessPath, len(b.Params)) // a structure has several
	for i, nodes := range a.pts.given[call] {
		for _, n := range nodes {
			given[i] = append(given[i], accessPath{fmt.Sprintf("parameter %d", i+1), nil, a.pointees(n)})
		}
	}
	paths := map[*Object][]accessPath{}
	objects := append(slices.Clone(a.objects), a.unmodelled())
	for _, o := range objects {
		if x := u.accesses[o]; x != nil {
			paths[o] = u.paths(o, x, given)
		}
	}
	for _, o := range objects {
		if x := u.accesses[o]; x != nil && x.matters {
			if two := twoPaths(o, paths, map[*Object]bool{}); two != nil {
				return fmt.Sprintf("%s is reached by %s and by %s", o.name, two[0].name, two[1].name)
			}
		}
	}
	return ""
}

// paths are the access paths of an object.
func (u *uses) paths(o *Object, x *access, given [][]accessPath) []accessPath {
	var all []accessPath
	if x.named {
		all = append(all, accessPath{name: "its name"})
	}
	if !x.pointer && len(x.pointers) == 0 {
		return all
	}
	for _, k := range x.pointers {
		for _, w := range given[k] {
			if w.to.has(o.number) {
				all = append(all, w)
			}
		}
	}
	for _, p := range u.reads {
		if p.to.has(o.number) {
			all = append(all, p)
		}
	}
	return all
}

// twoPaths are two access paths to an object, or to an object that a path to it leads through;
// nil if there is only one.
func twoPaths(o *Object, paths map[*Object][]accessPath, seen map[*Object]bool) []accessPath {
	if len(paths[o]) > 1 {
		return paths[o]
	}
	seen[o] = true
	for _, w := range paths[o] {
		if w.at != nil && !seen[w.at] {
			if two := twoPaths(w.at, paths, seen); two != nil {
				return two
			}
		}
	}
	return nil
}

// values are the terms that a statement reads.
func (m *Model) values(at cfa.Loc) []*expr.Expr {
	var all []*expr.Expr
	switch s := m.code.At(at).Stmt.(type) {
	case cfa.Assign:
		all = append(all, s.RHS)
	case cfa.Branch:
		all = append(all, s.Cond)
	case cfa.Return:
		all = append(all, s.Value)
	case cfa.Call:
		all = append(all, s.Reads()...)
	case UnknownCall:
		all = append(append(all, s.Args...), s.Called...)
	case Store:
		all = append(all, s.Val)
	case Fill:
		all = append(all, s.Val)
	}
	for _, r := range m.refs(at) {
		all = append(all, r.Base)
		for _, x := range r.Idx {
			all = append(all, x.I)
		}
	}
	return slices.DeleteFunc(all, func(t *expr.Expr) bool { return t == nil })
}

// AliasedCalls are the calls by abstractions with aliases that the claims about their routines
// exclude, each with the reason, in the order of their locations.
func (a *Analysis) AliasedCalls() []AliasedCall { return a.aliasing.aliasedCalls() }

func (a *aliasing) aliasedCalls() []AliasedCall {
	var all []AliasedCall
	for i := range a.code.Len() {
		at := cfa.Loc(i)
		b := a.bodies[at]
		if b == nil || b.Summary || a.code.IsOutOfLine(at) {
			continue
		}
		if why := a.whyAliased(at, b); why != "" {
			all = append(all, AliasedCall{at, why})
		}
	}
	return all
}

// An AliasedCall is a call with an alias that the claim about its routine excludes.
type AliasedCall struct {
	At  cfa.Loc
	Why string
}

// RefuseAliasedCalls refuses the calls with aliases that the claims about their routines exclude.
func (a *Analysis) RefuseAliasedCalls() {
	for _, m := range a.AliasedCalls() {
		loc := a.code.At(m.At)
		a.code.RefuseAt(m.At, &cfa.UnsupportedError{Pos: loc.Pos,
			What: fmt.Sprintf("call of %s: %s", loc.Stmt.(cfa.Call).Callee, m.Why),
			Hint: "the claim about it takes these for different objects"})
	}
}
