package expr

// What numbers are multiples of.
//
// Idea: the finite numbers of a term are multiples of a power of 2: of 1 where it is (double)i or floor(x), of 1/4
// behind a sum with 0.25. An operation that rounds gives a multiple of what its exact result is a multiple of: where
// that is no number of the format, its neighbours are multiples of more. So an integer-valued term is not 2.5, and
// is at most 2 where it is less than 3. Powers are counted from the least subnormal number, of which all numbers are
// multiples, up to the distance of the greatest numbers.
//
// Source: congruences (Granger, Static analysis of arithmetical congruences, 1989), of powers of 2, for numbers that
// are rounded. Cost: constant for each operation.

import (
	"math/bits"

	"magus/smt/softfloat"
)

// least is the exponent of the least subnormal number.
func least(f softfloat.Format) int { return 2 - f.Bias() - int(f.Prec) }

// onGrid is the grid of multiples of 2^k.
func onGrid(f softfloat.Format, k int) int { return min(max(k-least(f), 0), 2*f.Bias()-1) }

// Integers is the grid of integers.
func Integers(f softfloat.Format) int { return onGrid(f, 0) }

// GridOf is the grid of one value: the coarsest one for what is no finite number, and for 0.
func GridOf(f softfloat.Format, v uint64) int {
	most := 2*f.Bias() - 1
	v = f.Abs(v)
	if v == 0 || v >= f.Inf() {
		return most
	}
	m, e := v&(f.MinNormal()-1), int(v>>(f.Prec-1))
	if e > 0 {
		m, e = m|f.MinNormal(), e-1
	}
	return min(e+bits.TrailingZeros64(m), most)
}

// Tight is a range whose ends are on its grid.
func (r FloatRange) Tight(f softfloat.Format) FloatRange {
	if r.Grid == 0 || r.IsEmpty() {
		return r
	}
	r.Lo, r.Hi = -gridBelow(f, -r.Lo, r.Grid), gridBelow(f, r.Hi, r.Grid)
	if r.Lo > r.Hi {
		r.Lo, r.Hi = 1, 0
	}
	return r
}

// gridBelow is the place of the greatest number of a grid that is not above a place.
func gridBelow(f softfloat.Format, k int64, grid int) int64 {
	v := uint64(max(k, -k))
	if v >= f.Inf() || GridOf(f, v) >= grid {
		return k
	}
	down, away := uint64(0), powerAt(f, grid)
	if v >= away { // the bits below the grid are those of the place
		s := grid - max(int(v>>(f.Prec-1))-1, 0)
		down = v >> s << s
		away = down + 1<<s
	}
	if k < 0 {
		return -int64(away)
	}
	return int64(down)
}

// powerAt is 2^grid times the least subnormal number.
func powerAt(f softfloat.Format, grid int) uint64 {
	if grid < int(f.Prec)-1 {
		return 1 << grid
	}
	return uint64(grid-int(f.Prec)+2) << (f.Prec - 1)
}

// gridFrom is the grid of a floating-point operation.
func (e *Expr) gridFrom(args []FloatRange) int {
	f := e.typ.Format()
	product := func(a, b FloatRange) int { return onGrid(f, a.Grid+b.Grid+2*least(f)) }
	switch e.op {
	case FNeg, FAbs:
		return args[0].Grid
	case FRem, FMod:
		return min(args[0].Grid, args[1].Grid)
	case FAdd:
		return min(args[1].Grid, args[2].Grid)
	case FMul:
		return product(args[1], args[2])
	case FFma:
		return min(product(args[1], args[2]), args[3].Grid)
	case FDiv:
		if y := e.args[2]; y.op == Const && isPowerOfTwo(f, y.val) {
			return onGrid(f, args[1].Grid-GridOf(f, y.val))
		}
	case FRound:
		return max(args[1].Grid, Integers(f))
	case FCast:
		return onGrid(f, args[1].Grid+least(e.args[1].typ.Format()))
	}
	return 0
}

// isPowerOfTwo reports whether a number is one, of any sign, but for the greatest.
func isPowerOfTwo(f softfloat.Format, v uint64) bool {
	v = f.Abs(v)
	return v != 0 && v < f.Inf() && powerAt(f, GridOf(f, v)) == v
}

// isIntegral reports whether a term that is no constant is known to be an integer, or infinite.
func (p *words) isIntegral(a *Expr) bool {
	if a.op == Const || a.op == Var {
		return false
	}
	r := p.rangeOf(a)
	return !r.NaN && r.Grid >= Integers(a.typ.Format())
}
