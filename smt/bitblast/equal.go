package bitblast

// Equations, and comparisons with constants.
//
// Idea: after some branches a variable's value is a tree of conditional terms, mostly over few
// variables with constants added. An equation of two such trees holds where the leaves that are
// chosen are equal, and whether x + 3 and y + 5 are is asked of one difference x - y, for all
// constants that are met. So a chain of conditional increments costs a multiplexer of one bit for
// each sum, in place of an adder and a multiplexer of words, and that x == y + 2 follows from x + 1
// == y + 3 needs no search. A tree is less than a constant where the leaf that is chosen is. Trees
// with many different leaves are left as they are.
//
// Source: lifting of conditional terms and normalised differences, as in preprocessors of SMT solvers
// (Brummayer, Biere: Boolector, TACAS 2009, rewriting level 3). Cost: the number of pairs of a
// subterm with a constant on either side, multiplied, which is bounded by maxPairs.

import (
	"magus/smt/expr"
	"magus/smt/sat"
)

const (
	maxBases = 4    // variables of a tree
	maxPairs = 4096 // of subterms with constants, of both trees
)

// An equation is a == b + d; nil stands for 0.
type equation struct {
	a, b *expr.Expr
	d    uint64
}

// A shifted term is one to which a constant is added; nil stands for 0.
type shifted struct {
	base *expr.Expr
	add  uint64
}

// shift takes constant summands off a term.
func shift(e *expr.Expr, add uint64) shifted {
	for e != nil {
		switch {
		case e.Op() == expr.Const:
			return shifted{nil, add + e.Value()}
		case e.Op() == expr.Add && e.Args()[1].IsConst():
			e, add = e.Args()[0], add+e.Args()[1].Value()
			continue
		}
		return shifted{e, add}
	}
	return shifted{nil, add}
}

// equation is the literal of x == y, which are no conditions.
func (b *blaster) equation(x, y *expr.Expr) sat.Lit {
	if splits(x, y) {
		return b.split(x.Type(), x, y, 0)
	}
	return b.identity(x, y)
}

// splits reports whether an equation is worth to be taken apart.
func splits(x, y *expr.Expr) bool {
	sx, sy := shift(x, 0), shift(y, 0)
	if !isTree(sx) && !isTree(sy) && (sx.base == nil || sy.base == nil || sx.add == sy.add) {
		return false
	}
	n, ok := leaves(sx, maxPairs)
	if !ok {
		return false
	}
	_, ok = leaves(sy, maxPairs/n)
	return ok
}

func isTree(s shifted) bool { return s.base != nil && s.base.Op() == expr.Ite }

// leaves counts the subterms of a tree with the constants added to them, unless they are too many.
func leaves(s shifted, most int) (n int, few bool) {
	seen, bases := map[shifted]bool{}, map[*expr.Expr]bool{}
	for todo := []shifted{s}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		switch {
		case isTree(s):
			todo = append(todo, shift(s.base.Args()[1], s.add), shift(s.base.Args()[2], s.add))
		case s.base != nil:
			bases[s.base] = true
		}
		if len(seen) > most || len(bases) > maxBases {
			return 0, false
		}
	}
	return len(seen), true
}

// split is the literal of x == y + d.
func (b *blaster) split(t expr.Type, x, y *expr.Expr, d uint64) sat.Lit {
	sx, sy := shift(x, 0), shift(y, d)
	e := equation{sx.base, sy.base, t.Trunc(sy.add - sx.add)}
	if e.a == nil || e.b != nil && e.b.ID() < e.a.ID() {
		e = equation{e.b, e.a, t.Trunc(-e.d)}
	}
	if e.a == e.b {
		return constant(e.d == 0)
	}
	if l, known := b.equations[e]; known {
		return l
	}
	var l sat.Lit
	switch {
	case isTree(shifted{base: e.a}):
		c := e.a.Args()
		l = b.mux(b.lit(c[0]), b.split(t, c[1], e.b, e.d), b.split(t, c[2], e.b, e.d))
	case isTree(shifted{base: e.b}):
		c := e.b.Args()
		l = b.mux(b.lit(c[0]), b.split(t, e.a, c[1], e.d), b.split(t, e.a, c[2], e.d))
	case e.b == nil:
		l = b.equal(b.term(e.a), constWord(int(t.Width), e.d))
	default:
		l = b.equal(b.difference(e.a, e.b), constWord(int(t.Width), e.d))
	}
	b.equations[e] = l
	return l
}

// difference is x - y.
func (b *blaster) difference(x, y *expr.Expr) word {
	k := [2]*expr.Expr{x, y}
	if b.differences[k] == nil {
		b.differences[k] = b.add(b.term(x), invert(b.term(y)), litTrue)
	}
	return b.differences[k]
}

// A bound is a < k, or k < a.
type bound struct {
	a     *expr.Expr
	k     uint64
	above bool
}

// comparison is the literal of x < y.
func (b *blaster) comparison(x, y *expr.Expr) sat.Lit {
	k, above := y, false
	if x.IsConst() {
		x, k, above = y, x, true
	}
	if k.IsConst() && x.Op() == expr.Ite {
		if _, few := leaves(shifted{x, 0}, maxPairs); few {
			return b.compare(x, bound{x, k.Value(), above})
		}
	}
	signed := x.Type().Signed
	if above {
		return b.less(b.term(k), b.term(x), signed)
	}
	return b.less(b.term(x), b.term(y), signed)
}

// compare is the literal of a bound.
func (b *blaster) compare(x *expr.Expr, e bound) sat.Lit {
	e.a = x
	if l, known := b.bounds[e]; known {
		return l
	}
	var l sat.Lit
	k, t := constWord(int(x.Type().Width), e.k), x.Type()
	switch c := x.Args(); {
	case x.Op() == expr.Ite:
		l = b.mux(b.lit(c[0]), b.compare(c[1], e), b.compare(c[2], e))
	case e.above:
		l = b.less(k, b.term(x), t.Signed)
	default:
		l = b.less(b.term(x), k, t.Signed)
	}
	b.bounds[e] = l
	return l
}
