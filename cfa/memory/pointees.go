package memory

// What the analysis says, for people: the objects of memory with their names,
// and what pointers may point to.

import (
	"magus/cfa"
	"magus/cfa/pointsto"
)

// Objects describes the objects of memory, by address.
func (s *addressSpace) Objects() []cfa.Object {
	all := make([]cfa.Object, len(s.objects))
	for i, b := range s.objects {
		all[i] = b.describe()
	}
	return all
}

// describe gives the name of an object and of what begins in it at a byte.
func (b *Object) describe() cfa.Object {
	o := cfa.Object{Name: b.name, Base: b.base, Size: uint64(b.size), Function: b.function, Heap: b.heap}
	if b.function {
		o.Name = b.decl.Name
		return o
	}
	if n := len(b.spans); b.external && n > 0 && b.spans[n-1].elem.Scalar != nil && b.spans[n-1].path == "" {
		o.Element, o.Pos = b.spans[n-1].elem.Size, b.decl.Pos
	}
	last := int64(-1)
	for _, lf := range b.leaves {
		if lf.at%8 == 0 && lf.at != last {
			o.Subobjects = append(o.Subobjects, cfa.Subobject{Offset: lf.at / 8, Path: lf.path})
			last = lf.at
		}
	}
	for _, s := range b.spans {
		if s.at%8 == 0 {
			o.Subobjects = append(o.Subobjects, cfa.Subobject{Offset: s.at / 8, Path: s.path + "[*]"})
		}
	}
	return o
}

// PointsTo says what the pointers among the variables of an automaton may point
// to, and the other variables that hold addresses, but for temporaries. objects
// are those of memory.
func (a *Analysis) PointsTo(vars []cfa.Var, objects []cfa.Object) []cfa.Pointer {
	if a.pts == nil {
		return nil
	}
	var all []cfa.Pointer
	for _, v := range vars {
		n, ok := a.pts.vars[v.Expr]
		if c, cell := a.cells[v.Expr]; cell {
			n, ok = a.pts.leaves[c.leaf]
		} else if v.Kind == cfa.Temp {
			continue
		}
		if !ok {
			continue
		}
		p := cfa.Pointer{Var: v.Expr}
		for _, t := range a.pts.targets(n) {
			p.Targets = a.addPointee(p.Targets, t, objects)
		}
		if a.pointers[v.Expr] || len(p.Targets) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// addPointee adds a target. Bytes one after the other are one, if no member or
// element begins there.
func (a *Analysis) addPointee(to []cfa.Pointee, t pointsto.Target, objects []cfa.Object) []cfa.Pointee {
	b := a.pts.at(t.Object)
	if b == nil {
		return append(to, cfa.Pointee{Name: "unknown"})
	}
	first, last := b.base+t.Offset, b.base+t.Last
	name, whole := objects[b.number].NameAt(int64(t.Offset))
	if n := len(to); n > 0 && !whole && to[n-1].Last+1 == first {
		to[n-1].Last = last
		return to
	}
	return append(to, cfa.Pointee{Name: name, First: first, Last: last})
}
