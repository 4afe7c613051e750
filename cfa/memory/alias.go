package memory

// Whether a call fits what the claim about its routine assumes.
//
// Idea: a claim about a procedure takes what its parameters point to for objects of
// their own, each apart from the others and from all globals (outside.go). That is
// an assumption on every call: where a routine is called by its abstraction, no
// object that its body writes may be accessed in two ways, by two parameters, or by
// a parameter and otherwise; nor by a name and by a pointer from outside. To tell
// the ways apart, each parameter of a body points besides to a mark of its own, which
// whatever is read through it has too.
//
// A call that does not fit is refused: the claim about the routine says nothing
// about it.
//
// Left out: that what one parameter leads to has the shape of a tree, and that
// global pointers lead to different objects. Cost: a search over objects for each
// argument of each call, and a pass over the bodies.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/internal/expr"
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

// The ways of an access that are no parameter's.
const (
	byName    = -1
	byPointer = -2
)

// ways are the ways in which a body accesses an object.
type ways struct {
	all     []int
	written bool
}

// misfit is why a call does not fit the claim about its routine; "" if it does.
func (a *Analysis) misfit(call cfa.Loc, b *Body) string {
	if a.pts == nil {
		return ""
	}
	given := make([]objectSet, len(b.Params))
	for i, nodes := range a.pts.given[call] {
		given[i] = a.pts.reach(nodes, nil)
	}
	accessed, taken := map[*Object]*ways{}, map[*Object]bool{}
	access := func(o *Object, way int, write bool) {
		if o.constant || a.code.IsFrameAside(o.decl.Frame) {
			return
		}
		w := accessed[o]
		if w == nil {
			w = &ways{}
			accessed[o] = w
		}
		w.written = w.written || write
		if !slices.Contains(w.all, way) {
			w.all = append(w.all, way)
		}
	}
	for _, at := range a.closure(b) {
		a.accesses(at, b, given, access)
		for _, t := range a.values(at) {
			a.addressesIn(t, taken)
		}
	}
	for _, o := range a.objects {
		w := accessed[o]
		if w == nil || !w.written || len(w.all) < 2 || len(w.all) == 2 && taken[o] && w.all[0] < 0 && w.all[1] < 0 {
			continue
		}
		slices.Sort(w.all)
		return fmt.Sprintf("%s is reached by %s and by %s", o.name, wayName(w.all[len(w.all)-1]), wayName(w.all[len(w.all)-2]))
	}
	return ""
}

func wayName(way int) string {
	switch way {
	case byName:
		return "its name"
	case byPointer:
		return "a global pointer"
	}
	return fmt.Sprintf("parameter %d", way+1)
}

// accesses tells the accesses of a statement of a body.
func (a *Analysis) accesses(at cfa.Loc, b *Body, given []objectSet, access func(o *Object, way int, write bool)) {
	stmt := a.code.At(at).Stmt
	for i, r := range a.refs(at) {
		if _, call := stmt.(cfa.Call); call && a.bodies[at] != nil {
			break
		}
		_, load := stmt.(Load)
		write := !load && i == 0
		named, _ := a.ObjectOf(r.Base)
		marked := a.pts.marked(a.pts.used[at][i], b)
		for h := range a.search(at, i, r).all {
			known := false
			for _, k := range marked {
				if given[k] != nil && given[k].has(h.b.number) {
					known = true
					access(h.b, k, write)
				}
			}
			switch {
			case named != nil:
				access(h.b, byName, write)
			case !known:
				access(h.b, byPointer, write)
			}
		}
	}
	if s, ok := stmt.(cfa.Assign); ok {
		if c, ok := a.cells[s.LHS]; ok {
			access(c.Object, byName, true)
		}
	}
	for _, t := range a.values(at) {
		for _, v := range expr.Vars(t) {
			if c, ok := a.cells[v]; ok {
				access(c.Object, byName, false)
			}
		}
	}
}

// values are the terms that a statement reads.
func (a *Analysis) values(at cfa.Loc) []*expr.Expr {
	var all []*expr.Expr
	switch s := a.code.At(at).Stmt.(type) {
	case cfa.Assign:
		all = append(all, s.RHS)
	case cfa.Branch:
		all = append(all, s.Cond)
	case cfa.Return:
		all = append(all, s.Value)
	case cfa.Call:
		all = append(all, s.Args...)
	case UnknownCall:
		all = append(all, s.Args...)
	case Store:
		all = append(all, s.Val)
	case Fill:
		all = append(all, s.Val)
	}
	for _, r := range a.refs(at) {
		all = append(all, r.Base)
		for _, x := range r.Idx {
			all = append(all, x.I)
		}
	}
	return slices.DeleteFunc(all, func(t *expr.Expr) bool { return t == nil })
}

// addressesIn notes the objects whose address stands in a term.
func (a *Analysis) addressesIn(t *expr.Expr, taken map[*Object]bool) {
	if b, _ := a.ObjectOf(t); b != nil {
		taken[b] = true
	}
	for _, x := range t.Args() {
		a.addressesIn(x, taken)
	}
}

// refuseMisfits refuses the calls that do not fit the claims about their routines.
func (a *Analysis) refuseMisfits() {
	for i := range a.code.Len() {
		at := cfa.Loc(i)
		b := a.bodies[at]
		if b == nil || a.code.IsAside(at) {
			continue
		}
		if why := a.misfit(at, b); why != "" {
			loc := a.code.At(at)
			a.code.RefuseAt(at, &cfa.UnsupportedError{Pos: loc.Pos, What: fmt.Sprintf("call of %s: %s", loc.Stmt.(cfa.Call).Callee, why),
				Hint: "the claim about it takes these for different objects"})
		}
	}
}
