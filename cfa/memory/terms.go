package memory

// Terms as arithmetic on addresses: a constant in an object is its address, what is
// added to it moves it, and what else is computed of it may be anywhere in its
// object.

import (
	"slices"

	"magus/cfa/pointsto"
	"magus/smt/expr"
)

func (p *pointers) newTerm(t *expr.Expr) pointsto.Node {
	if t.Type().IsBool() || !p.a.wide(t.Type()) {
		return none
	}
	switch t.Op() {
	case expr.Var:
		return p.variable(t)
	case expr.Const:
		b, off := p.a.ObjectOf(t)
		if b == nil {
			return none
		}
		n := p.g.Node()
		p.g.AddressOf(n, p.ids[b.number], uint64(off))
		return n
	case expr.Add:
		return p.sum(summands(t))
	case expr.Cast:
		return p.term(t.Args()[0])
	case expr.Ite:
		return p.join(t.Args()[1:], func(n, from pointsto.Node) { p.g.Copy(n, from) })
	}
	return p.join(t.Args(), func(n, from pointsto.Node) { p.g.Anywhere(n, from) })
}

// join is a node with what flows from several terms.
func (p *pointers) join(ts []*expr.Expr, flow func(n, from pointsto.Node)) pointsto.Node {
	n := none
	for _, t := range ts {
		from := p.term(t)
		if from == none {
			continue
		}
		if n == none {
			n = p.g.Node()
		}
		flow(n, from)
	}
	return n
}

// summands are the terms whose sum a term is.
func summands(t *expr.Expr) []*expr.Expr {
	if t.Op() != expr.Add {
		return []*expr.Expr{t}
	}
	return append(summands(t.Args()[0]), summands(t.Args()[1])...)
}

// sum moves each address among the summands by the others. The difference of
// two addresses is none.
func (p *pointers) sum(ts []*expr.Expr) pointsto.Node {
	n, addresses := none, 0
	for _, t := range ts {
		if t.Op() == expr.Neg && p.term(t.Args()[0]) != none {
			addresses--
		} else if p.term(t) != none {
			addresses++
		}
	}
	p.differ(ts)
	if addresses == 0 {
		return none
	}
	for i, t := range ts {
		from := p.term(t)
		if from == none {
			continue
		}
		if n == none {
			n = p.g.Node()
		}
		rest := slices.Delete(slices.Clone(ts), i, i+1)
		if len(rest) == 1 && rest[0].IsConst() {
			by := rest[0].Type().Sext(rest[0].Value())
			p.g.Shift(n, from, by)
			if p.a.isFar(by) {
				p.far = true
				p.apartFrom(n)
			}
			continue
		}
		step := uint64(0)
		for _, r := range rest {
			step = gcd(step, multiple(r))
		}
		p.g.Index(n, from, step)
		p.apartFrom(n)
	}
	return n
}

// differ notes the differences of addresses in a sum.
func (p *pointers) differ(ts []*expr.Expr) {
	for _, t := range ts {
		if t.Op() != expr.Neg || p.term(t.Args()[0]) == none {
			continue
		}
		for _, u := range ts {
			if u.Op() != expr.Neg && p.term(u) != none {
				p.differences = append(p.differences, [2]pointsto.Node{p.term(u), p.term(t.Args()[0])})
			}
		}
	}
}

// multiple is a number that the value of a term is a multiple of.
func multiple(t *expr.Expr) uint64 {
	abs := func(v int64) uint64 { return uint64(max(v, -v)) }
	switch t.Op() {
	case expr.Const:
		return abs(t.Type().Sext(t.Value()))
	case expr.Neg:
		return multiple(t.Args()[0])
	case expr.Mul:
		if k := t.Args()[1]; k.IsConst() {
			return max(abs(k.Type().Sext(k.Value())), 1)
		}
	}
	return 1
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// address is the node of the address that is accessed.
func (p *pointers) address(r Ref) pointsto.Node {
	n := p.term(r.Base)
	if n == none {
		return none
	}
	if r.Off != 0 {
		m := p.g.Node()
		p.g.Shift(m, n, r.Off)
		n = m
	}
	for _, x := range r.Idx {
		m := p.g.Node()
		if x.N > 1 && x.N <= p.a.arrayLimit() { // one of a single element may be longer than it says
			for k := range x.N {
				p.g.Shift(m, n, k*max(x.Stride, -x.Stride))
			}
		} else {
			p.g.Index(m, n, uint64(max(x.Stride, -x.Stride)))
			p.apartFrom(m)
		}
		n = m
	}
	return n
}

// words gives a node for the address of each word in size bytes, from a node for the
// beginning.
func (p *pointers) words(from pointsto.Node, size int64,
	each func(n pointsto.Node, move func(dst, src pointsto.Node))) {
	word := int64(p.a.pointer.Width / 8)
	if size < 0 || size > 256*word {
		each(from, func(dst, src pointsto.Node) { p.g.Anywhere(dst, src) })
		return
	}
	for off := int64(0); off < size; off += word {
		each(from, func(dst, src pointsto.Node) { p.g.Shift(dst, src, off) })
	}
}
