package cfa

// What pointers may point to, for people.

import (
	"fmt"
	"strings"

	"magus/cfa/pointsto"
	"magus/internal/expr"
	"magus/internal/graph"
)

// A Pointer is a variable that may hold an address, with what it may point to
// by the analysis, in the order of the objects. NULL is left out.
type Pointer struct {
	Var     *expr.Expr
	Targets []Pointee
}

// A Pointee is what a pointer may point to: one address, or a range of
// addresses that are not told apart. Memory that is not modelled has no
// address: both are 0.
type Pointee struct {
	Name        string // "x", "s.next", "malloc@12:5#1", the name of a function, "unknown"
	First, Last uint64
}

// String is "p -> {x, s.next}".
func (p Pointer) String() string {
	names := make([]string, len(p.Targets))
	for i, t := range p.Targets {
		names[i] = t.Name
	}
	return fmt.Sprintf("%s -> {%s}", p.Var.Name(), strings.Join(names, ", "))
}

// PointsToText lists the pointers, one a line.
func (c *CFA) PointsToText() string {
	var b strings.Builder
	for _, p := range c.PointsTo {
		fmt.Fprintln(&b, p)
	}
	return b.String()
}

// PointsToDot draws the pointers as boxes, with arrows to what they may point
// to.
func (c *CFA) PointsToDot() string {
	d := graph.NewDrawing(c.Name)
	nodes := map[string]int{}
	for _, p := range c.PointsTo {
		nodes[p.Var.Name()] = d.Node(graph.Node{Label: p.Var.Name(), Shape: "box"})
	}
	for _, p := range c.PointsTo {
		for _, t := range p.Targets {
			to, ok := nodes[t.Name]
			if !ok {
				to = d.Node(graph.Node{Label: t.Name})
				nodes[t.Name] = to
			}
			d.Edge(graph.Edge{From: nodes[p.Var.Name()], To: to})
		}
	}
	return d.String()
}

// pointersOf are the pointers among the variables of an automaton, and the
// other variables that hold addresses, but for temporaries.
func (l *lowerer) pointersOf(vars []Var) []Pointer {
	var all []Pointer
	for _, v := range vars {
		n, ok := l.pts.vars[v.Expr]
		if c, cell := l.cells[v.Expr]; cell {
			n, ok = l.pts.leaves[c.lf]
		} else if v.Kind == Temp {
			continue
		}
		if !ok {
			continue
		}
		p := Pointer{Var: v.Expr}
		for _, t := range l.pts.targets(n) {
			p.Targets = l.addPointee(p.Targets, t)
		}
		if l.pointers[v.Expr] || len(p.Targets) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// addPointee adds a target. Bytes one after the other are one, if no member or
// element begins there.
func (l *lowerer) addPointee(to []Pointee, t pointsto.Target) []Pointee {
	b := l.pts.blocks[t.Object]
	if b == nil {
		return append(to, Pointee{Name: "unknown"})
	}
	first, last := b.base+t.Offset, b.base+t.Last
	name, whole := b.offsetName(int64(t.Offset))
	if n := len(to); n > 0 && !whole && to[n-1].Last+1 == first {
		to[n-1].Last = last
		return to
	}
	return append(to, Pointee{name, first, last})
}

// offsetName is the name of an offset of a block in C, and whether an object
// begins there.
func (b *block) offsetName(off int64) (name string, whole bool) {
	if b.fn != nil {
		return b.fn.Name(), true
	}
	if off == 0 {
		return b.name, true
	}
	for _, lf := range b.leaves {
		if lf.at == 8*off {
			return b.name + lf.path, true
		}
	}
	for _, s := range b.spans {
		if s.at == 8*off {
			return b.name + s.path + "[*]", true
		}
	}
	return fmt.Sprintf("%s+%d", b.name, off), false
}
