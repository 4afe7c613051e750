package bitblast

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"magus/smt/expr"
	"magus/smt/softfloat"

	"github.com/stretchr/testify/require"
	"magus/internal/sample"
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
	p := expr.NewPool()
	number := func(name string) (*expr.Expr, []*expr.Expr) {
		high, low := p.Var(name+expr.HighWord, expr.Uint16), p.Var(name+expr.LowWord, expr.Uint64)
		return p.XPair(high, low), []*expr.Expr{high, low}
	}
	x, xs := number("x")
	y, ys := number("y")
	z, zs := number("z")
	d, i, j := p.Var("d", expr.Float64), p.Var("i", expr.Int32), p.Var("j", expr.Uint64)
	vars := append(append(append(append([]*expr.Expr{}, xs...), ys...), zs...), d, i, j)
	var terms []*expr.Expr
	both := func(n *expr.Expr) {
		high, low := n.Words()
		terms = append(terms, high, low)
	}
	for m := range softfloat.Mode(softfloat.Modes) {
		mode := p.Rounding(m)
		both(p.XOperation(expr.XAdd, mode, x, y))
		both(p.XOperation(expr.XMul, mode, x, y))
		both(p.XOperation(expr.XDiv, mode, x, y))
		both(p.XOperation(expr.XSqrt, mode, x))
		both(p.XOperation(expr.XRound, mode, x))
		if m == softfloat.NearestEven || m == softfloat.TowardPositive {
			both(p.XOperation(expr.XFma, mode, x, y, z))
		}
		terms = append(terms, p.XToF(mode, expr.Float64, x), p.XToF(mode, expr.Float32, x), p.XToInt(mode, expr.Int32, x),
			p.XToInt(mode, expr.Uint64, x), p.XInRange(mode, expr.Int64, x), p.XToInt(mode, expr.Uint16, x))
	}
	both(p.XFrom(d))
	both(p.XFrom(i))
	both(p.XFrom(j))
	both(p.XNeg(x))
	both(p.XAbs(x))
	for _, op := range []expr.Op{expr.XEq, expr.XLt, expr.XLe} {
		terms = append(terms, p.XCompare(op, x, y), p.XCompare(op, p.XFrom(d), x), p.XCompare(op, p.XFrom(j), p.XFrom(d)))
	}
	terms = append(terms, p.XIsNaN(x), p.XIsInf(x), p.XIsFinite(x), p.XIsNormal(x), p.XIsNegative(x))
	r := rand.New(rand.NewPCG(3, 1))
	for k, e := range terms {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			c := newCircuit(p, e, vars...)
			for range 6 {
				var batch [][]uint64
				for range 64 {
					a, b, c := extendedBoundary(r, softfloat.Pair{}), softfloat.Pair{}, softfloat.Pair{}
					b = extendedBoundary(r, a)
					c = extendedBoundary(r, b)
					batch = append(batch, []uint64{a.High, a.Low, b.High, b.Low, c.High, c.Low, boundary(r, softfloat.Double),
						uint64(uint32(r.Uint64())), r.Uint64() >> r.IntN(64)})
				}
				c.check(t, batch)
			}
		})
	}
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
