package bitblast

// Remainders of floating point.
//
// Idea: the school method takes as many steps as the exponents of the operands may be apart,
// and the circuit for double has some 10^6 gates. Where there are more than a few steps, a
// remainder is at first any word that the simple laws hold for: it is a NaN for infinities and
// zeros, the dividend where that is smaller than the divisor, it is smaller than either operand,
// and fmod has the dividend's sign. Where a model breaks the operation, which software
// arithmetic tells, the circuit is added for operands whose exponents are as near as those of the
// model; if these are far apart, the one result for these operands, a few times; then all of it.
//
// Source: lazy bit-blasting and lemmas on demand (Brummayer, Biere, "Lemmas on demand for the
// extensional theory of arrays", 2009; Barrett et al. on floating point by approximation).
// Cost: a search for each refinement, of which there are at most maxPoints and three.

import (
	"math/bits"

	"magus/smt/sat"
	"magus/smt/softfloat"
)

const (
	fewSteps  = 48 // of a circuit that is built first
	maxPoints = 12 // operands whose result is said one by one
)

// A lazyRemainder is a remainder whose circuit is not, or not all, there.
type lazyRemainder struct {
	f       softfloat.Format
	nearest bool
	a, b, r word
	inputs  word // what r depends on
	near    bool // the circuit for exponents that are near each other is there
	points  int
}

// remainderTerm is the word of a remainder.
func (b *blaster) remainderTerm(f softfloat.Format, x, y word, nearest bool) word {
	if apart(f) <= b.steps {
		return b.remainder(f, x, y, nearest, apart(f))
	}
	r := make(word, len(x))
	for i := range r {
		r[i] = b.fresh()
	}
	l := &lazyRemainder{f: f, nearest: nearest, a: x, b: y, r: r}
	laws := b.laws(l)
	for _, law := range laws {
		b.sat.AddClause(law)
	}
	l.inputs = append(append(laws, x...), y...)
	b.dependsOn(r, l.inputs)
	b.lazy = append(b.lazy, l)
	return r
}

// dependsOn has fresh variables be in a cone together with some inputs.
func (n *netlist) dependsOn(r word, inputs word) {
	start := int32(len(n.inputs))
	n.inputs = append(append(n.inputs, r...), inputs...)
	for _, l := range r {
		n.fanin[l.Var()] = span{start, int32(len(n.inputs))}
	}
}

// laws are conditions that hold for every remainder r of a and b.
func (n *netlist) laws(l *lazyRemainder) word {
	f, last := l.f, len(l.a)-1
	x, y := n.unpack(f, l.a), n.unpack(f, l.b)
	implies := func(a, b sat.Lit) sat.Lit { return n.or(a.Not(), b) }
	atMost := func(a, b word) sat.Lit { return n.less(b, a, false).Not() }
	magnitude := func(w word) word { return extend(w[:last], last+1, false) }
	nan := n.or(n.or(x.nan, y.nan), n.or(x.inf, y.zero))
	small := n.less(l.a[:last], l.b[:last], false)
	if l.nearest {
		small = atMost(n.doubled(f, magnitude(l.a)), magnitude(l.b))
	}
	laws := word{
		implies(nan, n.equal(l.r, constWord(len(l.r), f.NaN()))),
		implies(nan.Not(), n.isNaN(f, l.r).Not()),
		implies(nan.Not(), n.less(l.r[:last], l.b[:last], false)),
		implies(nan.Not(), atMost(l.r[:last], l.a[:last])),
		implies(n.and(nan.Not(), n.or(n.or(x.zero, y.inf), small)), n.equal(l.r, l.a)),
	}
	if l.nearest {
		return append(laws, implies(n.and(nan.Not(), y.inf.Not()), atMost(n.doubled(f, magnitude(l.r)), magnitude(l.b))))
	}
	return append(laws, implies(nan.Not(), n.xor(l.r[last], l.a[last]).Not()))
}

// doubled is twice a magnitude, without infinities in mind: as a number it is right where it is finite, and
// above all finite ones elsewhere.
func (n *netlist) doubled(f softfloat.Format, a word) word {
	subnormal := n.none(a[f.Prec-1:])
	next := n.add(a, constWord(len(a), 1<<(f.Prec-1)), litFalse)
	return n.muxWord(subnormal, append(word{litFalse}, a[:len(a)-1]...), next)
}

// refine adds what the remainders of the last model break; false if there is nothing.
func (b *blaster) refine() bool {
	refined := false
	for _, l := range b.lazy {
		if !b.sat.InModel(l.r[0].Var()) {
			continue
		}
		x, y, r := b.modelOf(l.a), b.modelOf(l.b), b.modelOf(l.r)
		want, _ := l.f.Mod(x, y)
		if l.nearest {
			want, _ = l.f.Rem(x, y)
		}
		if r != want {
			b.refineAt(l, x, y, want)
			refined = true
		}
	}
	return refined
}

// refineAt makes a remainder more precise, and right for some operands.
func (b *blaster) refineAt(l *lazyRemainder, x, y, result uint64) {
	near := places(l.f, x)-places(l.f, y) <= b.steps
	switch {
	case near && !l.near:
		l.near = true
		b.where(b.isNear(l), l, b.remainder(l.f, l.a, l.b, l.nearest, b.steps))
	case l.points < maxPoints:
		l.points++
		at := b.and(b.equal(l.a, constWord(len(l.a), x)), b.equal(l.b, constWord(len(l.b), y)))
		b.where(at, l, constWord(len(l.r), result))
	default:
		b.where(litTrue, l, b.remainder(l.f, l.a, l.b, l.nearest, apart(l.f)))
	}
}

// where says what a remainder is where a condition holds.
func (b *blaster) where(c sat.Lit, l *lazyRemainder, is word) {
	for i, r := range l.r {
		b.sat.AddClause(c.Not(), r.Not(), is[i])
		b.sat.AddClause(c.Not(), r, is[i].Not())
	}
	l.inputs = append(append(l.inputs, c), is...)
	b.dependsOn(l.r, l.inputs)
}

// isNear is whether the exponents of the operands are as near as those of the circuit that is built first.
func (b *blaster) isNear(l *lazyRemainder) sat.Lit {
	x, y := b.normalised(b.unpack(l.f, l.a)), b.normalised(b.unpack(l.f, l.b))
	distance := b.exact(b.minus(x.exp, y.exp))
	return b.less(constWord(len(distance), uint64(b.steps)), distance, true).Not()
}

// apart is more than the exponents of two numbers are apart.
func apart(f softfloat.Format) int { return 2*f.Bias() + int(f.Prec) }

// places is the exponent of the first bit of a number that is not 0, but for a constant.
func places(f softfloat.Format, a uint64) int {
	fraction := uint(f.Prec) - 1
	if e := f.Abs(a) >> fraction; e > 0 {
		return int(e)
	}
	return bits.Len64(f.Abs(a)) - int(fraction)
}

// modelOf is a word's value in the last model.
func (b *blaster) modelOf(w word) (v uint64) {
	for i, l := range w {
		if l == litTrue || l > litFalse && b.sat.Value(l.Var()) != l.Neg() {
			v |= 1 << i
		}
	}
	return v
}

// remainder is that of the quotient rounded to nearest, or truncated. The school
// method brings down as many zeros as the exponents are apart. Where they are further apart than most, the
// circuit's value is not that of the remainder.
func (n *netlist) remainder(f softfloat.Format, a, b word, nearest bool, most int) word {
	x, y := n.normalised(n.unpack(f, a)), n.normalised(n.unpack(f, b))
	p := int(f.Prec)
	distance := n.exact(n.minus(x.exp, y.exp))
	last := len(distance) - 1
	smaller := distance[last]
	rest, by := extend(x.sig, p+1, false), extend(y.sig, p+1, false)
	odd := litFalse
	step := func(active sat.Lit) {
		fits := n.and(active, n.less(rest, by, false).Not())
		rest = n.muxWord(fits, n.ripple(rest, invert(by), litTrue), rest)
		odd = n.mux(active, fits, odd)
	}
	step(smaller.Not())
	for i := range min(most, x.exp.hi-x.exp.lo) {
		more := n.and(smaller.Not(), n.less(constWord(last, uint64(i)), distance[:last], false))
		rest = n.muxWord(more, append(word{litFalse}, rest[:p]...), rest)
		step(more)
	}
	exp := n.joined(smaller, x.exp, y.exp)
	neg := x.neg
	if nearest {
		rest, neg, exp = n.toNearest(distance, rest, by, odd, neg, exp)
	}
	sig, zeros := n.normalise(rest)
	none := n.none(rest)
	exp = n.minus(exp.offset(1), exponent{append(zeros, litFalse), 0, 0, len(sig) - 1})
	r := n.round(f, softfloat.NearestEven, neg, exp, sig)
	r = n.muxWord(none, append(constWord(len(a)-1, 0), x.neg), r)
	unchanged := n.or(n.or(x.zero, y.inf), smaller)
	if nearest { // more than a place below: less than half of b
		unchanged = n.or(n.or(x.zero, y.inf), n.and(smaller, n.all(distance).Not()))
	}
	r = n.muxWord(unchanged, a, r)
	nan := n.or(n.or(x.nan, y.nan), n.or(x.inf, y.zero))
	return n.choose(f, nan, litFalse, litFalse, r)
}

// joined is c ? a : b.
func (n *netlist) joined(c sat.Lit, a, b exponent) exponent {
	x, y := n.exact(a), n.exact(b)
	w := max(len(x), len(y))
	return exponent{n.muxWord(c, extend(x, w, true), extend(y, w, true)), 0, min(a.lo, b.lo), max(a.hi, b.hi)}
}

// toNearest takes the divisor off once more where that is nearer. Where the dividend's
// exponent is one less, the divisor is twice as large in its places.
func (n *netlist) toNearest(distance, rest, by word, odd, neg sat.Lit, exp exponent) (word, sat.Lit, exponent) {
	below := n.all(distance)
	w := len(rest) + 1
	by = extend(by, w, false)
	by = n.muxWord(below, append(word{litFalse}, by[:w-1]...), by)
	twice := append(word{litFalse}, rest...)
	over := n.or(n.less(by, twice, false), n.and(odd, n.equal(by, twice)))
	wide := extend(rest, w, false)
	taken := n.ripple(by, invert(wide), litTrue)
	r := n.muxWord(over, taken, wide)
	return r[:w-1], n.xor(neg, over), exp
}
