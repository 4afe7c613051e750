package bitblast

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"magus/internal/sample"
	"magus/smt/expr"
	"magus/smt/softfloat"

	"github.com/stretchr/testify/require"
)

// explicitOperation is an operation as a circuit over values of the ordinary format, and in software.
type explicitOperation struct {
	name    string
	isPair  bool // the circuit gives a value of the ordinary format, the software a pair
	circuit func(n *netlist, f softfloat.Format, m softfloat.Mode, a, b word) word
	value   func(x softfloat.Explicit, m softfloat.Mode, a, b softfloat.Pair) (low, high uint64)
}

func words(v softfloat.Pair, _ softfloat.Flags) (low, high uint64) { return v.Low, v.High }

func truthOf(is bool, _ softfloat.Flags) (low, high uint64) {
	if is {
		return 1, 0
	}
	return 0, 0
}

var (
	tinyFormat  = softfloat.Format{Exp: 2, Prec: 2}
	tinyInteger = expr.Type{Width: 3, Signed: true}
)

var explicitOperations = []explicitOperation{
	{"sum", true, (*netlist).sum, func(x softfloat.Explicit, m softfloat.Mode, a, b softfloat.Pair) (low, high uint64) {
		return words(x.Add(m, a, b))
	}},
	{"product", true, (*netlist).product,
		func(x softfloat.Explicit, m softfloat.Mode, a, b softfloat.Pair) (low, high uint64) {
			return words(x.Mul(m, a, b))
		}},
	{"ratio", true, (*netlist).ratio, func(x softfloat.Explicit, m softfloat.Mode, a, b softfloat.Pair) (low,
		high uint64) {
		return words(x.Div(m, a, b))
	}},
	{"sqrt", true, func(n *netlist, f softfloat.Format, m softfloat.Mode, a, _ word) word { return n.sqrt(f, m, a) },
		func(x softfloat.Explicit, m softfloat.Mode, a, _ softfloat.Pair) (low, high uint64) {
			return words(x.Sqrt(m, a))
		}},
	{"round", true, func(n *netlist, f softfloat.Format, m softfloat.Mode, a, _ word) word {
		return n.roundToIntegral(f, m, a)
	},
		func(x softfloat.Explicit, m softfloat.Mode, a, _ softfloat.Pair) (low, high uint64) {
			return words(x.RoundToIntegral(m, a))
		}},
	{"fma", true, func(n *netlist, f softfloat.Format, m softfloat.Mode, a, b word) word { return n.fma(f, m, a, b, a) },
		func(x softfloat.Explicit, m softfloat.Mode, a, b softfloat.Pair) (low, high uint64) {
			return words(x.Fma(m, a, b, a))
		}},
	{"convert", false, func(n *netlist, f softfloat.Format, m softfloat.Mode, a, _ word) word {
		return n.convert(f, tinyFormat, m, a)
	}, func(x softfloat.Explicit, m softfloat.Mode, a, _ softfloat.Pair) (low, high uint64) {
		low, _ = x.Convert(m, tinyFormat, a)
		return low, 0
	}},
	{"integer", false, func(n *netlist, f softfloat.Format, m softfloat.Mode, a, _ word) word {
		return n.toInt(f, m, a, tinyInteger)
	}, func(x softfloat.Explicit, m softfloat.Mode, a, _ softfloat.Pair) (low, high uint64) {
		low, _, _ = x.ToInt(m, softfloat.Int{Width: tinyInteger.Width, Signed: true}, a)
		return low, 0
	}},
	{"==", false, func(n *netlist, f softfloat.Format, _ softfloat.Mode, a, b word) word {
		return word{n.sameNumber(f, a, b)}
	},
		func(x softfloat.Explicit, _ softfloat.Mode, a, b softfloat.Pair) (low, high uint64) {
			return truthOf(x.Eq(a, b))
		}},
	{"<", false, func(n *netlist, f softfloat.Format, _ softfloat.Mode, a, b word) word { return word{n.below(f, a, b)} },
		func(x softfloat.Explicit, _ softfloat.Mode, a, b softfloat.Pair) (low, high uint64) {
			return truthOf(x.Lt(a, b))
		}},
	{"<=", false, func(n *netlist, f softfloat.Format, _ softfloat.Mode, a, b word) word {
		return word{n.atMost(f, a, b)}
	},
		func(x softfloat.Explicit, _ softfloat.Mode, a, b softfloat.Pair) (low, high uint64) {
			return truthOf(x.Le(a, b))
		}},
}

// TestTinyExplicit compares circuits over the patterns of tiny formats with an explicit leading bit, all of
// them, with the software.
func TestTinyExplicit(t *testing.T) {
	for _, x := range []softfloat.Explicit{{Exp: 2, Prec: 3}, {Exp: 3, Prec: 3}, {Exp: 2, Prec: 4}} {
		for m := range softfloat.Mode(softfloat.Modes) {
			for _, op := range explicitOperations {
				op.exhaust(t, x, m)
			}
		}
	}
}

func (op explicitOperation) exhaust(t *testing.T, x softfloat.Explicit, m softfloat.Mode) {
	n := newNetlist()
	input := func(width int) word {
		w := make(word, width)
		for i := range w {
			w[i] = n.fresh()
		}
		return w
	}
	in := []word{input(int(x.Exp) + 1), input(int(x.Prec)), input(int(x.Exp) + 1), input(int(x.Prec))}
	low := op.circuit(n, x.Numbers(), m, n.ordinary(x, in[0], in[1]), n.ordinary(x, in[2], in[3]))
	high := word{}
	if op.isPair {
		high, low = n.explicit(x, low)
	}
	sim := simulate(n)
	check := func(batch [][2]softfloat.Pair) {
		for lane, v := range batch {
			for i, bits := range []uint64{v[0].High, v[0].Low, v[1].High, v[1].Low} {
				sim.set(in[i], lane, bits)
			}
		}
		sim.run()
		for lane, v := range batch {
			wantLow, wantHigh := op.value(x, m, v[0], v[1])
			if a, b := sim.get(low, lane), sim.get(high, lane); a != wantLow || b != wantHigh {
				require.Failf(t, "wrong", "%v %s %v of %x: %x %x, not %x %x", x, op.name, m, v, b, a, wantHigh, wantLow)
			}
		}
	}
	pair := func(k int) softfloat.Pair {
		return softfloat.Pair{High: uint64(k >> x.Prec), Low: uint64(k) & (1<<x.Prec - 1)}
	}
	all := 1 << (x.Exp + x.Prec + 1)
	for i := range all {
		for j := 0; j < all; j += 64 {
			var batch [][2]softfloat.Pair
			for k := range 64 {
				batch = append(batch, [2]softfloat.Pair{pair(i), pair(j + k)})
			}
			check(batch)
		}
	}
}

// TestExtended compares the circuits of numbers of 80 bits with their terms' values.
func TestExtended(t *testing.T) {
	sample.Long(t)
	comparePairs(t, expr.Float80, []softfloat.Mode{0, 1, 2, 3, 4}, 6, extendedBoundary)
}

// TestQuad does the same with numbers of 128 bits.
func TestQuad(t *testing.T) {
	sample.Long(t)
	modes := []softfloat.Mode{softfloat.NearestEven}
	if sample.Campaign() {
		modes = []softfloat.Mode{0, 1, 2, 3, 4}
	}
	comparePairs(t, expr.Float128, modes, sample.Count(1), quadBoundary)
}

// pairNumbers are numbers x, y, z of a type of two words, and variables d, i, j of narrower types.
type pairNumbers struct {
	*expr.Pool
	of      expr.Type
	x, y, z *expr.Expr
	d, i, j *expr.Expr
	vars    []*expr.Expr
}

func newPairNumbers(of expr.Type) *pairNumbers {
	p := &pairNumbers{Pool: expr.NewPool(), of: of}
	highType := expr.Uint16
	if of == expr.Float128 {
		highType = expr.Int64
	}
	for i, n := range []**expr.Expr{&p.x, &p.y, &p.z} {
		high, low := p.Var(fmt.Sprint("high", i), highType), p.Var(fmt.Sprint("low", i), expr.Uint64)
		*n = p.XPair(high, low)
		p.vars = append(p.vars, high, low)
	}
	p.d, p.i, p.j = p.Var("d", expr.Float64), p.Var("i", expr.Int32), p.Var("j", expr.Uint64)
	p.vars = append(p.vars, p.d, p.i, p.j)
	return p
}

// terms are terms of all operators.
func (p *pairNumbers) terms(modes []softfloat.Mode) []*expr.Expr {
	var terms []*expr.Expr
	both := func(n *expr.Expr) {
		high, low := n.Words()
		terms = append(terms, high, low)
	}
	x, y, z := p.x, p.y, p.z
	other := map[expr.Type]expr.Type{expr.Float80: expr.Float128, expr.Float128: expr.Float80}[p.of]
	for _, m := range modes {
		mode := p.Rounding(m)
		both(p.XOperation(expr.XAdd, mode, x, y))
		both(p.XOperation(expr.XMul, mode, x, y))
		both(p.XOperation(expr.XDiv, mode, x, y))
		both(p.XOperation(expr.XSqrt, mode, x))
		both(p.XOperation(expr.XRound, mode, x))
		both(p.XConvert(mode, other, x))
		if m == softfloat.NearestEven || m == softfloat.TowardPositive {
			both(p.XOperation(expr.XFma, mode, x, y, z))
		}
		terms = append(terms, p.XToF(mode, expr.Float64, x), p.XToF(mode, expr.Float32, x), p.XToInt(mode, expr.Int32, x),
			p.XToInt(mode, expr.Uint64, x), p.XInRange(mode, expr.Int64, x), p.XToInt(mode, expr.Uint16, x))
	}
	for _, a := range []*expr.Expr{p.d, p.i, p.j} {
		both(p.XFrom(p.of, a))
	}
	both(p.XNeg(x))
	both(p.XAbs(x))
	d, j := p.XFrom(p.of, p.d), p.XFrom(p.of, p.j)
	for _, op := range []expr.Op{expr.XEq, expr.XLt, expr.XLe} {
		terms = append(terms, p.XCompare(op, x, y), p.XCompare(op, d, x), p.XCompare(op, j, d))
	}
	return append(terms, p.XIsNaN(x), p.XIsInf(x), p.XIsFinite(x), p.XIsNormal(x), p.XIsNegative(x))
}

func comparePairs(t *testing.T, of expr.Type, modes []softfloat.Mode, batches int,
	draw func(r *rand.Rand, before softfloat.Pair) softfloat.Pair) {
	p := newPairNumbers(of)
	r := rand.New(rand.NewPCG(3, 1))
	for k, e := range p.terms(modes) {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			c := newCircuit(p.Pool, e, p.vars...)
			for range batches {
				var batch [][]uint64
				for range 64 {
					a := draw(r, softfloat.Pair{})
					b := draw(r, a)
					d := draw(r, b)
					batch = append(batch, []uint64{a.High, a.Low, b.High, b.Low, d.High, d.Low, boundary(r, softfloat.Double),
						uint64(uint32(r.Uint64())), r.Uint64() >> r.IntN(64)})
				}
				c.check(t, batch)
			}
		})
	}
}

// quadBoundary is extendedBoundary for numbers of 128 bits.
func quadBoundary(r *rand.Rand, before softfloat.Pair) softfloat.Pair {
	v := extendedBoundary(r, softfloat.Pair{High: before.High >> 48, Low: before.High<<15 | before.Low>>49})
	q := softfloat.Pair{High: v.High<<48 | v.Low<<1>>16, Low: v.Low << 49}
	switch r.IntN(4) {
	case 0:
		q.Low |= r.Uint64() >> 15
	case 1:
		q.Low += uint64(r.IntN(7)) - 3
	}
	return q
}

// extendedBoundary is [boundary] for numbers of 80 bits, some near to what was drawn before, and some that are
// no numbers of IEEE 754.
func extendedBoundary(r *rand.Rand, before softfloat.Pair) softfloat.Pair {
	v := softfloat.Pair{High: r.Uint64() & 0xffff, Low: r.Uint64() | 1<<63}
	switch r.IntN(7) {
	case 0:
		v.Low = 1 << 63
	case 1:
		v.Low |= ^uint64(3)
	case 2:
		v.Low = v.Low&7 | 1<<63
	case 3:
		v = softfloat.Pair{High: before.High, Low: before.Low + uint64(r.IntN(7)) - 3}
	case 4:
		v = softfloat.Pair{High: before.High ^ 0x8000 ^ uint64(r.IntN(4)), Low: before.Low}
	case 5:
		v.Low = v.Low &^ (1<<uint(r.IntN(60)) - 1) >> r.IntN(2)
	}
	switch r.IntN(4) {
	case 0, 1:
		v.High = v.High&0x8000 | uint64(0x3fff+r.IntN(140)-70)
	case 2:
		v.High = v.High&0x8000 | uint64(0x7fff*r.IntN(2))
	}
	return v
}
