package cfa

// Addresses and pointers, for people.

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"magus/internal/graph"
	"magus/smt/expr"
)

// An Object is a piece of memory at a constant address, or a function.
type Object struct {
	Name       string
	Base, Size uint64 // in bytes
	Function   bool
	Heap       bool // allocated memory
	Subobjects []Subobject
	// Element is, of what a pointer from outside points to, the size of its elements,
	// if these are scalars; Pos is the pointer's declaration.
	Element int64
	Pos     Pos
}

// A Subobject is what begins at some byte of an object: a member, an element.
type Subobject struct {
	Offset int64
	Path   string // as in C, after the object's name: ".next", "[2]"
}

// NameAt is the name of an offset of an object in C, and whether something begins
// there.
func (o Object) NameAt(off int64) (name string, whole bool) {
	if o.Function || off == 0 {
		return o.Name, true
	}
	if i := slices.IndexFunc(o.Subobjects, func(p Subobject) bool { return p.Offset == off }); i >= 0 {
		return o.Name + o.Subobjects[i].Path, true
	}
	return fmt.Sprintf("%s+%d", o.Name, off), false
}

// AddressName names an address as in C, "&x", "&s.f", and is false for a number
// that is no address.
func (c *CFA) AddressName(v uint64) (string, bool) {
	o, off, ok := c.ObjectAt(v)
	if !ok {
		return "", false
	}
	name, _ := o.NameAt(off)
	return "&" + name, true
}

// ObjectAt is the object that an address leads into, or to the end of, and the offset there in
// bytes; it is false for a number that is no address.
func (c *CFA) ObjectAt(v uint64) (o Object, offset int64, ok bool) {
	i := sort.Search(len(c.Objects), func(i int) bool { return c.Objects[i].Base > v })
	if i == 0 || v > c.Objects[i-1].Base+c.Objects[i-1].Size {
		return Object{}, 0, false
	}
	return c.Objects[i-1], int64(v - c.Objects[i-1].Base), true
}

// NameAddresses names addresses among the constants of the automaton's pool, and
// what subtracts one. pointer is their type.
func (c *CFA) NameAddresses(pointer expr.Type) {
	c.Pool.NameConstants(func(t expr.Type, v uint64) (string, bool) {
		if t != pointer {
			return "", false
		}
		sign := ""
		name, ok := c.AddressName(v)
		if !ok {
			sign = "-"
			name, ok = c.AddressName(-v & t.Mask())
		}
		if strings.Contains(name, "+") {
			name = "(" + name + ")"
		}
		return sign + name, ok
	})
}

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
