package bitblast

// Gates: propositional variables with the clauses that define them.
//
// Idea: a gate is looked up by operator and inputs before it is built, inputs
// are normalised (constants, repeated and opposite inputs, order, sign), and
// the inputs of every gate are kept so that a query can find its cone.
// Source: Tseitin (1968); structural hashing as in AIG packages (Kuehlmann et
// al., 2002). Clauses define gates in both directions, for a gate may be
// asserted by one query and denied by the next.
// Cost: constant per gate.

import (
	"math/bits"
	"slices"

	"magus/smt/sat"
)

type gateOp uint8

const (
	opAnd gateOp = iota
	opXor
	opMux
	opMaj
)

// gateKey identifies a gate of at most three inputs.
type gateKey struct {
	op      gateOp
	a, b, c sat.Lit
}

// span is a part of a slice.
type span struct{ start, end int32 }

// gates holds the gates of a netlist. Variable 0 of the SAT solver is the constant
// true.
type gates struct {
	sat    *sat.Solver
	hash   map[gateKey]sat.Lit
	wide   map[string]sat.Lit // conjunctions of four and more inputs
	inputs []sat.Lit
	fanin  []span // by variable: the gate's inputs, a part of inputs; none for bits of variables

	key []byte

	stamp []uint32 // by variable: number of the cone it was last in
	cones uint32
	cone  []sat.Var
	marks []uint64 // scratch, all zero
}

// integers makes operations on words of gates.
type integers struct{ gates }

// A netlist makes operations on floating-point numbers besides.
type netlist struct {
	integers
	orders map[string]sat.Lit // by two words of floating-point numbers: whether the first is before the second
}

const (
	litTrue  = sat.Lit(0)
	litFalse = sat.Lit(1)
)

func newNetlist() *netlist {
	n := &netlist{integers{gates{sat: sat.New(), hash: map[gateKey]sat.Lit{}, wide: map[string]sat.Lit{}}},
		map[string]sat.Lit{}}
	n.fresh()
	n.sat.AddClause(litTrue)
	return n
}

func constant(b bool) sat.Lit {
	if b {
		return litTrue
	}
	return litFalse
}

// fresh is a new variable with the given inputs.
func (n *gates) fresh(inputs ...sat.Lit) sat.Lit {
	start := int32(len(n.inputs))
	n.inputs = append(n.inputs, inputs...)
	n.fanin = append(n.fanin, span{start, int32(len(n.inputs))})
	n.stamp = append(n.stamp, 0)
	return sat.Pos(n.sat.NewVar())
}

// gate finds or makes the gate k; define adds the clauses of a new one.
func (n *gates) gate(k gateKey, inputs int, define func(o sat.Lit)) sat.Lit {
	if o, ok := n.hash[k]; ok {
		return o
	}
	in := [3]sat.Lit{k.a, k.b, k.c}
	o := n.fresh(in[:inputs]...)
	n.hash[k] = o
	define(o)
	return o
}

func (n *gates) and(a, b sat.Lit) sat.Lit {
	switch {
	case a == litFalse || b == litFalse || a == b.Not():
		return litFalse
	case a == litTrue || a == b:
		return b
	case b == litTrue:
		return a
	case a > b:
		a, b = b, a
	}
	return n.gate(gateKey{op: opAnd, a: a, b: b}, 2, func(o sat.Lit) {
		n.sat.AddClause(o.Not(), a)
		n.sat.AddClause(o.Not(), b)
		n.sat.AddClause(o, a.Not(), b.Not())
	})
}

func (n *gates) or(a, b sat.Lit) sat.Lit { return n.and(a.Not(), b.Not()).Not() }

// andAll is the conjunction of any number of inputs; it changes in.
func (n *gates) andAll(in []sat.Lit) sat.Lit {
	slices.Sort(in)
	in = slices.Compact(in)
	if len(in) > 0 && in[0] == litTrue {
		in = in[1:]
	}
	for i, l := range in {
		if l == litFalse || i > 0 && l == in[i-1].Not() {
			return litFalse
		}
	}
	switch len(in) {
	case 0:
		return litTrue
	case 1:
		return in[0]
	case 2:
		return n.and(in[0], in[1])
	case 3:
		return n.and(n.and(in[0], in[1]), in[2])
	}
	return n.andWide(in)
}

func (n *gates) andWide(in []sat.Lit) sat.Lit {
	n.key = n.key[:0]
	for _, l := range in {
		n.key = append(n.key, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
	}
	if o, ok := n.wide[string(n.key)]; ok {
		return o
	}
	o := n.fresh(in...)
	n.wide[string(n.key)] = o
	clause := make([]sat.Lit, 1, len(in)+1)
	clause[0] = o
	for _, l := range in {
		n.sat.AddClause(o.Not(), l)
		clause = append(clause, l.Not())
	}
	n.sat.AddClause(clause...)
	return o
}

func (n *gates) xor(a, b sat.Lit) sat.Lit {
	sign := (a ^ b) & 1
	a, b = a&^1, b&^1
	switch {
	case a == b:
		return litFalse ^ sign
	case a == litTrue:
		return b ^ 1 ^ sign
	case b == litTrue:
		return a ^ 1 ^ sign
	case a > b:
		a, b = b, a
	}
	return sign ^ n.gate(gateKey{op: opXor, a: a, b: b}, 2, func(o sat.Lit) {
		n.sat.AddClause(o.Not(), a, b)
		n.sat.AddClause(o.Not(), a.Not(), b.Not())
		n.sat.AddClause(o, a, b.Not())
		n.sat.AddClause(o, a.Not(), b)
	})
}

// mux is c ? a : b.
func (n *gates) mux(c, a, b sat.Lit) sat.Lit {
	switch {
	case c == litTrue || a == b:
		return a
	case c == litFalse:
		return b
	case a == litTrue || a == c:
		return n.or(c, b)
	case a == litFalse || a == c.Not():
		return n.and(c.Not(), b)
	case b == litTrue || b == c.Not():
		return n.or(c.Not(), a)
	case b == litFalse || b == c:
		return n.and(c, a)
	case a == b.Not():
		return n.xor(c, b)
	case c.Neg():
		c, a, b = c.Not(), b, a
	}
	sign := a & 1
	a, b = a^sign, b^sign
	return sign ^ n.gate(gateKey{op: opMux, a: a, b: b, c: c}, 3, func(o sat.Lit) {
		n.sat.AddClause(c.Not(), a.Not(), o)
		n.sat.AddClause(c.Not(), a, o.Not())
		n.sat.AddClause(c, b.Not(), o)
		n.sat.AddClause(c, b, o.Not())
		n.sat.AddClause(a.Not(), b.Not(), o) // redundant, for propagation
		n.sat.AddClause(a, b, o.Not())
	})
}

// maj is true iff at least two inputs are: the carry of a full adder.
func (n *gates) maj(a, b, c sat.Lit) sat.Lit {
	if a > b {
		a, b = b, a
	}
	if b > c {
		b, c = c, b
	}
	if a > b {
		a, b = b, a
	}
	switch {
	case a == litTrue:
		return n.or(b, c)
	case a == litFalse:
		return n.and(b, c)
	case a == b || c == b.Not():
		return a
	case b == c || a == b.Not():
		return c
	}
	sign := a & 1 // maj of the negations is the negation
	a, b, c = a^sign, b^sign, c^sign
	return sign ^ n.gate(gateKey{op: opMaj, a: a, b: b, c: c}, 3, func(o sat.Lit) {
		for _, p := range [3][2]sat.Lit{{a, b}, {a, c}, {b, c}} {
			n.sat.AddClause(p[0].Not(), p[1].Not(), o)
			n.sat.AddClause(p[0], p[1], o.Not())
		}
	})
}

// sortCone sorts the cone by number, by way of a bit for each variable.
func (n *gates) sortCone() {
	if words := len(n.fanin)/64 + 1; len(n.marks) < words {
		n.marks = make([]uint64, 2*words)
	}
	for _, v := range n.cone {
		n.marks[v/64] |= 1 << (v % 64)
	}
	n.cone = n.cone[:0]
	for i, w := range n.marks {
		for ; w != 0; w &= w - 1 {
			n.cone = append(n.cone, sat.Var(64*i+bits.TrailingZeros64(w)))
		}
		n.marks[i] = 0
	}
}

// newCone starts a cone, empty.
func (n *gates) newCone() {
	n.cone = n.cone[:0]
	if n.cones++; n.cones == 0 {
		clear(n.stamp)
		n.cones = 1
	}
}

// reach adds to the cone what l depends on, l included.
func (n *gates) reach(l sat.Lit) {
	next := len(n.cone)
	n.visit(l)
	for ; next < len(n.cone); next++ {
		f := n.fanin[n.cone[next]]
		for _, in := range n.inputs[f.start:f.end] {
			n.visit(in)
		}
	}
}

func (n *gates) visit(l sat.Lit) {
	if v := l.Var(); n.stamp[v] != n.cones {
		n.stamp[v] = n.cones
		n.cone = append(n.cone, v)
	}
}
