package memory

// What a text whose length is not known says: how long it is, or which decimal numbers it
// begins with.
//
// Idea: abstractions take it for any value. One run knows more: the first characters
// are read like any others, and where they settle the answer, that is it
// ([cfa.Exact]). So a violation may rest on a number that a text from outside says,
// and a text that is read twice, or character by character besides, says one thing.
//
// Source: ours; numbers as strtol reads them, ISO C11, 7.22.1.4, in base 10. Left out:
// blanks before a number, numbers of more than prefixLength-1 characters or beyond an int, texts
// that are longer. Cost: prefixLength reads a number; of a length, prefixLength.

import (
	"magus/cfa"
	"magus/smt/expr"
)

// prefixLength is the number of characters that are looked at: a sign, ten digits and what ends them.
const prefixLength = 12

// A Said is a variable with the fact that it gets.
type Said struct {
	LHS  *expr.Expr
	Fact Fact
	// Of is how many numbers stand before the number, or how many are counted.
	Of int
}

// A Fact is what a text says. Of several numbers each has prefixLength characters of its own, so that one
// run knows those only that stand so far apart.
type Fact uint8

// The facts.
const (
	Number    Fact = iota // the value of a number
	NumberEnd             // how many characters it has: 0 where there is none
	Numbers               // how many numbers there are, -1 if the text is empty: what sscanf gives
)

// wanted is how many characters a ScanText looks at.
func (s ScanText) wanted() int64 {
	n := 0
	for _, x := range s.Says {
		if x.Fact == Numbers {
			n = max(n, x.Of)
		} else {
			n = max(n, x.Of+1)
		}
	}
	return int64(n) * prefixLength
}

// say gives the facts of a text whose first characters are known, or of which there are fewer.
func (r *resolution) say(s ScanText, chars []*expr.Expr, pos cfa.Pos) {
	if r.code.Dead() {
		return
	}
	var fields []decimal
	for k := 0; k < len(chars); k += prefixLength {
		fields = append(fields, r.decimal(chars[k:min(k+prefixLength, len(chars))]))
	}
	for _, x := range s.Says {
		r.code.Emit(cfa.Assign{LHS: x.LHS, Nondet: "text", Approx: s.Approx,
			Exact: r.exactly(x.LHS.Type())(r.fact(x, fields))}, pos)
	}
}

// exactly is a value of a type on runs for which a condition holds; nil if it never does.
func (m *addressing) exactly(t expr.Type) func(when, value *expr.Expr) *cfa.Exact {
	return func(when, value *expr.Expr) *cfa.Exact {
		if when.IsFalse() {
			return nil
		}
		return &cfa.Exact{When: when, Value: m.pool.As(t, value)}
	}
}

// fact is the value of a fact, and when it is that.
func (m *addressing) fact(x Said, fields []decimal) (when, value *expr.Expr) {
	if x.Fact == Numbers {
		return m.count(fields, x.Of)
	}
	if when = m.pool.True(); len(fields) <= x.Of {
		return m.pool.False(), nil
	}
	for _, f := range fields[:x.Of] {
		when = m.pool.Land(when, f.known, f.alone)
	}
	last := fields[x.Of]
	if value = last.value; x.Fact == NumberEnd {
		value = last.end
	}
	return m.pool.Land(when, last.known), value
}

// lengthOf is the length of a text, at most a limit.
func (m *addressing) lengthOf(chars []*expr.Expr, limit *expr.Expr) (when, value *expr.Expr) {
	p := m.pool
	when, value = p.False(), p.Int(m.pointer, int64(len(chars)))
	for i := len(chars) - 1; i >= 0; i-- {
		n := p.Int(m.pointer, int64(i))
		ends := p.Eq(chars[i], p.Const(expr.Int8, 0))
		when, value = p.Lor(ends, when), p.Ite(ends, n, value)
		if limit != nil {
			enough := p.Le(limit, n)
			when, value = p.Lor(enough, when), p.Ite(enough, limit, value)
		}
	}
	return when, value
}

// A decimal is what a few characters say of a number.
type decimal struct {
	known      *expr.Expr // all of it is among them
	isNumber   *expr.Expr
	value, end *expr.Expr // 0 if it is none
	empty      *expr.Expr // the text ends here
	alone      *expr.Expr // it is a number, and behind it are spaces only
}

func (m *addressing) decimal(chars []*expr.Expr) decimal {
	p, wide := m.pool, expr.Int64
	is := func(c *expr.Expr, ch byte) *expr.Expr { return p.Eq(c, p.Const(expr.Int8, uint64(ch))) }
	within := func(c *expr.Expr, lo, hi byte) *expr.Expr {
		return p.Land(p.Le(p.Const(expr.Int8, uint64(lo)), c), p.Le(c, p.Const(expr.Int8, uint64(hi))))
	}
	first := chars[0]
	blank := p.Lor(is(first, ' '), within(first, '\t', '\r'))
	negative := is(first, '-')
	going := p.True()
	spaces := p.True()
	value, end := p.Int(wide, 0), p.Int(wide, 0)
	for i, c := range chars {
		digit := within(c, '0', '9')
		going = p.Land(going, digit)
		next := p.Add(p.Mul(value, p.Int(wide, 10)), p.Sub(p.Cast(wide, c), p.Int(wide, '0')))
		value, end = p.Ite(going, next, value), p.Ite(going, p.Int(wide, int64(i+1)), end)
		if i == 0 {
			going = p.Lor(going, negative, is(c, '+'))
		} else {
			spaces = p.Land(spaces, p.Lor(going, is(c, ' ')))
		}
	}
	isNumber := p.Not(p.Eq(end, p.Int(wide, 0)))
	small := p.Le(value, p.Int(wide, 1<<31-1))
	return decimal{
		known: p.Land(p.Not(blank), p.Not(going), small), isNumber: isNumber, value: p.Ite(negative,
			p.Neg(value), value), end: end,
		empty: is(first, 0), alone: p.Land(isNumber, spaces),
	}
}

// count is how many of n numbers stand at the beginning of a text.
func (m *addressing) count(fields []decimal, n int) (when, value *expr.Expr) {
	p, wide := m.pool, expr.Int64
	if len(fields) < n {
		fields = append(fields, decimal{known: p.False(), isNumber: p.False(), empty: p.False(),
			alone: p.False(), value: p.Int(wide, 0)})
	}
	when, value = p.True(), p.Int(wide, int64(n))
	for i := min(n, len(fields)) - 1; i >= 0; i-- {
		f := fields[i]
		none := p.Int(wide, int64(i))
		if i == 0 {
			none = p.Ite(f.empty, p.Int(wide, -1), none)
		}
		more := when
		if i < n-1 {
			more = p.Land(f.alone, when)
		}
		when = p.Land(f.known, p.Lor(p.Not(f.isNumber), more))
		value = p.Ite(f.isNumber, value, none)
	}
	return when, value
}

// hasPrefix reports whether it is known where a text's first character is, and what lies behind it.
func (h hit) hasPrefix() bool {
	return !h.rest && h.e.at%8 == 0 && !h.b.unbounded && h.b.length == nil
}

// charactersAt are the first characters of a text at a hit, as many as can be read there.
func (r *resolution) charactersAt(h hit, n int64, pos cfa.Pos) []*expr.Expr {
	var all []*expr.Expr
	if !h.hasPrefix() {
		return nil
	}
	for i := range n {
		e := character(h.e.at/8 + i)
		if e.end() > 8*h.b.size {
			return all
		}
		c := r.valueAt(h.b, e, characterType)
		at := hit{b: h.b, e: e, rest: true, stride: 8, count: 1}
		if c == nil && at.mayLackVariables(1) && !hasVariable(at) {
			c = r.rec.characterIn(r.pool.Int(r.pointer, i), r.AddressIn(h.b, h.e.at/8), r.rec.areasOf(at), pos)
		}
		if c == nil {
			return all
		}
		all = append(all, c)
	}
	return all
}

// charactersUnmodelled are those of a text in memory that is not modelled.
func (r *resolution) charactersUnmodelled(t *tree, addr *expr.Expr, n int64, pos cfa.Pos) []*expr.Expr {
	areas := r.rec.areasUnmodelled(t)
	var all []*expr.Expr
	for i := range n {
		c := r.rec.characterIn(r.pool.Int(r.pointer, i), addr, areas, pos)
		if c == nil {
			return all
		}
		all = append(all, c)
	}
	return all
}

// demandPrefix makes cells of the first characters of a text, but of those in memory without variables.
func (a demands) demandPrefix(h hit, n int64) {
	if !h.hasPrefix() {
		return
	}
	first := h.e.at / 8
	for at := first; at < min(first+n, h.b.size); at++ {
		if one := (hit{b: h.b, e: character(at)}); !one.mayLackVariables(1) {
			a.demandCharacter(h.b, at)
		}
	}
}

// characterIn reads a character of memory without variables, or gives nil.
func (r *recorder) characterIn(at, addr *expr.Expr, areas []cfa.Area, pos cfa.Pos) *expr.Expr {
	if len(areas) == 0 || r.code.Dead() {
		return nil
	}
	r.reads = true
	c := r.code.Temp("character", expr.Int8, pos)
	r.code.Emit(cfa.Assign{LHS: c, Nondet: "memory", Approx: "memory that is not modelled",
		Memory: &cfa.Access{Kind: cfa.Read, Addr: r.pool.Add(addr, at), Size: 1, Areas: areas}}, pos)
	return c
}
