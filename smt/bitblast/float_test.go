package bitblast

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"magus/internal/sample"
	"magus/smt/expr"
	"magus/smt/sat"
	"magus/smt/softfloat"

	"github.com/stretchr/testify/require"
)

// simulation computes what the gates of a netlist give for 64 inputs at once.
type simulation struct {
	n     *netlist
	gates []gateKey // by variable
	value []uint64
}

func simulate(n *netlist) *simulation {
	s := &simulation{n, make([]gateKey, len(n.fanin)), make([]uint64, len(n.fanin))}
	for k, o := range n.hash {
		s.gates[o.Var()] = k
	}
	s.value[0] = ^uint64(0)
	return s
}

func (s *simulation) of(l sat.Lit) uint64 {
	if l.Neg() {
		return ^s.value[l.Var()]
	}
	return s.value[l.Var()]
}

// run computes all gates, the inputs having values.
func (s *simulation) run() {
	for v, f := range s.n.fanin {
		in := s.n.inputs[f.start:f.end]
		k := s.gates[v]
		switch {
		case len(in) == 0:
		case len(in) > 3 || k.op == opAnd:
			all := ^uint64(0)
			for _, l := range in {
				all &= s.of(l)
			}
			s.value[v] = all
		case k.op == opXor:
			s.value[v] = s.of(k.a) ^ s.of(k.b)
		case k.op == opMux:
			s.value[v] = s.of(k.c)&s.of(k.a) | ^s.of(k.c)&s.of(k.b)
		default:
			a, b, c := s.of(k.a), s.of(k.b), s.of(k.c)
			s.value[v] = a&b | a&c | b&c
		}
	}
}

// set gives the input w the value v in one of the 64 lanes.
func (s *simulation) set(w word, lane int, v uint64) {
	for i, l := range w {
		bit := uint64(1) << lane
		s.value[l.Var()] &^= bit
		s.value[l.Var()] |= v >> i & 1 << lane
	}
}

func (s *simulation) get(w word, lane int) (v uint64) {
	for i, l := range w {
		v |= s.of(l) >> lane & 1 << i
	}
	return v
}

// circuitOf is the circuit of a term over variables with these words.
type circuit struct {
	e    *expr.Expr
	vars []*expr.Expr
	in   []word
	out  word
	sim  *simulation
}

func newCircuit(p *expr.Pool, e *expr.Expr, vars ...*expr.Expr) *circuit {
	b := newBlaster(p)
	b.steps = 1 << 16 // all of every remainder
	c := &circuit{e: e, vars: vars}
	for _, v := range vars {
		c.in = append(c.in, b.term(v))
	}
	c.out = b.term(e)
	c.sim = simulate(b.netlist)
	return c
}

// check compares the circuit with the term's value for up to 64 operands.
func (c *circuit) check(t *testing.T, operands [][]uint64) {
	for lane, vals := range operands {
		for i, w := range c.in {
			c.sim.set(w, lane, vals[i])
		}
	}
	c.sim.run()
	for lane, vals := range operands {
		want := expr.Eval(c.e, func(v *expr.Expr) uint64 {
			for i := range c.vars {
				if c.vars[i] == v {
					return vals[i]
				}
			}
			panic("no such variable")
		})
		if got := c.sim.get(c.out, lane); got != want {
			text := ""
			for i, v := range vals {
				text += fmt.Sprintf(" %v = %v", c.vars[i], expr.NewPool().Const(c.vars[i].Type(), v))
			}
			typ := c.e.Type()
			require.Failf(t, "wrong", "%v of %v:%s: %v (%#x), not %v (%#x)", c.e, c.vars[0].Type(), text,
				expr.NewPool().Const(typ, got), got, expr.NewPool().Const(typ, want), want)
		}
	}
}

// exhaust checks a circuit for all operands.
func (c *circuit) exhaust(t *testing.T) { c.every(t, 1) }

// every compares them for one in every so many of all values.
func (c *circuit) every(t *testing.T, step uint64) {
	bits := 0
	for _, v := range c.vars {
		bits += int(v.Type().Width)
	}
	var batch [][]uint64
	for n := uint64(0); n < 1<<bits; n += step {
		vals, rest := make([]uint64, len(c.vars)), n
		for i, v := range c.vars {
			vals[i] = v.Type().Trunc(rest)
			rest >>= v.Type().Width
		}
		if batch = append(batch, vals); len(batch) == 64 || n+step >= 1<<bits {
			c.check(t, batch)
			batch = batch[:0]
		}
	}
}

var tinyFormats = []softfloat.Format{{Exp: 2, Prec: 2}, {Exp: 2, Prec: 4}, {Exp: 3, Prec: 2},
	{Exp: 3, Prec: 4}, {Exp: 4, Prec: 3}}

// operations are all operators over x, y and z, by mode.
func operations(p *expr.Pool, m *expr.Expr, x, y *expr.Expr) []*expr.Expr {
	ops := []*expr.Expr{
		p.FAdd(m, x, y), p.FMul(m, x, y), p.FDiv(m, x, y), p.FSqrt(m, x), p.FRound(m, x),
		p.FToInt(m, expr.Type{Width: 3, Signed: true}, x), p.FToInt(m, expr.Type{Width: 4}, x), p.FToInt(m, expr.Uint8, x),
		p.FInRange(m, expr.Type{Width: 3, Signed: true}, x),
	}
	for _, to := range append(tinyFormats, softfloat.Half) {
		ops = append(ops, p.FCast(m, expr.FloatType(to), x))
	}
	return ops
}

func exact(p *expr.Pool, x, y *expr.Expr) []*expr.Expr {
	return []*expr.Expr{
		p.FRem(x, y), p.FMod(x, y), p.FEq(x, y), p.FLt(x, y), p.FLe(x, y), p.FNeg(x), p.FAbs(x),
		p.FIsNaN(x), p.FIsInf(x), p.FIsFinite(x), p.FIsNormal(x), p.FIsSubnormal(x), p.FIsNegative(x),
		p.FCopySign(x, y), p.FBits(x), p.Eq(x, y),
	}
}

func TestTinyFloats(t *testing.T) {
	sample.Long(t)
	for _, f := range tinyFormats {
		t.Run(fmt.Sprintf("%d,%d", f.Exp, f.Prec), func(t *testing.T) {
			p := expr.NewPool()
			x, y := p.Var("x", expr.FloatType(f)), p.Var("y", expr.FloatType(f))
			terms := exact(p, x, y)
			for m := range softfloat.Mode(softfloat.Modes) {
				terms = append(terms, operations(p, p.Rounding(m), x, y)...)
			}
			for _, e := range terms {
				newCircuit(p, e, x, y).exhaust(t)
			}
		})
	}
}

func TestTinyFma(t *testing.T) {
	for _, f := range tinyFormats {
		if testing.Short() && f.Width() > 6 {
			continue
		}
		p := expr.NewPool()
		typ := expr.FloatType(f)
		x, y, z := p.Var("x", typ), p.Var("y", typ), p.Var("z", typ)
		step := uint64(1)
		if f.Width() > 6 && !sample.Campaign() {
			step = 17 // of two million in each mode
		}
		for m := range softfloat.Mode(softfloat.Modes) {
			newCircuit(p, p.FFma(p.Rounding(m), x, y, z), x, y, z).every(t, step)
		}
	}
}

func TestTinyIntegersToFloats(t *testing.T) {
	p := expr.NewPool()
	for _, from := range []expr.Type{{Width: 1}, {Width: 4, Signed: true}, {Width: 7}, expr.Int8,
		{Width: 9, Signed: true}} {
		i := p.Var(fmt.Sprint("i", from), from)
		for _, f := range append(tinyFormats, softfloat.Half, softfloat.Double) {
			for m := range softfloat.Mode(softfloat.Modes) {
				newCircuit(p, p.IntToF(p.Rounding(m), expr.FloatType(f), i), i).exhaust(t)
			}
		}
	}
}

// boundary draws values with all kinds of exponents and simple fractions as well as
// any bits.
func boundary(r *rand.Rand, f softfloat.Format) uint64 {
	v := r.Uint64()
	fraction := uint64(1)<<(f.Prec-1) - 1
	switch r.IntN(4) {
	case 0:
		v &^= fraction
	case 1:
		v |= fraction &^ 3
	case 2:
		v = v&^fraction | v&7
	}
	if r.IntN(3) == 0 { // near 1
		v = v&fraction | v&f.SignBit() | uint64(f.Bias()+r.IntN(9)-4)<<(f.Prec-1)
	}
	return v & (f.SignBit()<<1 - 1)
}

func TestLargeFloats(t *testing.T) {
	sample.Long(t)
	r := rand.New(rand.NewPCG(1, 2))
	for _, f := range []softfloat.Format{softfloat.Half, softfloat.Single, softfloat.Double} {
		p := expr.NewPool()
		typ := expr.FloatType(f)
		x, y, z := p.Var("x", typ), p.Var("y", typ), p.Var("z", typ)
		i, j := p.Var("i", expr.Int32), p.Var("j", expr.Uint64)
		terms := exact(p, x, y)
		if f == softfloat.Double { // remainders have some 10^6 gates
			terms = terms[2:]
		}
		for m := range softfloat.Mode(softfloat.Modes) {
			mode := p.Rounding(m)
			terms = append(terms, operations(p, mode, x, y)...)
			terms = append(terms, p.FFma(mode, x, y, z), p.IntToF(mode, typ, i), p.IntToF(mode, typ, j),
				p.FToInt(mode, expr.Int32, x), p.FToInt(mode, expr.Uint64, x), p.FCast(mode, expr.Float32, x))
		}
		for _, e := range terms {
			c := newCircuit(p, e, x, y, z, i, j)
			for range sample.Count(8) {
				var batch [][]uint64
				for range 64 {
					batch = append(batch, []uint64{boundary(r, f), boundary(r, f), boundary(r, f),
						uint64(uint32(r.Uint64())), r.Uint64() >> r.IntN(64)})
				}
				c.check(t, batch)
			}
		}
	}
}
