package expr

import (
	"testing"

	"magus/smt/softfloat"

	"github.com/stretchr/testify/require"
)

// tinyFormats have integers up to their greatest numbers, or not.
var tinyFormats = []softfloat.Format{{Exp: 3, Prec: 3}, {Exp: 3, Prec: 2}, {Exp: 2, Prec: 3}, {Exp: 4, Prec: 2}}

// TestGridsOfAllOperands: each operation, in each mode, gives a number on the grid that is told for operands on theirs.
func TestGridsOfAllOperands(t *testing.T) {
	modes := []softfloat.Mode{softfloat.NearestEven, softfloat.NearestAway, softfloat.TowardPositive,
		softfloat.TowardNegative, softfloat.TowardZero}
	told := 0
	for _, f := range tinyFormats {
		p, typ := NewPool(), Type{Width: f.Exp + f.Prec, Exp: f.Exp}
		all := make([]*Expr, 1<<typ.Width)
		for v := range all {
			all[v] = p.Const(typ, uint64(v))
		}
		look := func(e *Expr, v uint64, args ...*Expr) {
			ranges := make([]FloatRange, len(args))
			for i, a := range args {
				if a.typ.IsFloat() {
					ranges[i].Grid = GridOf(a.typ.Format(), a.val)
				}
			}
			to := e.typ.Format()
			if grid := e.gridFrom(ranges); to.IsFinite(v) {
				require.GreaterOrEqual(t, GridOf(to, v), grid, "%v: %#x", e, v)
				told += min(grid, 1)
			}
		}
		for _, a := range all {
			for _, m := range modes {
				mode := p.Rounding(m)
				v, _ := f.RoundToIntegral(m, a.val)
				look(&Expr{op: FRound, typ: typ, args: []*Expr{mode, a}}, v, mode, a)
				for _, to := range tinyFormats {
					v, _ := f.Convert(m, to, a.val)
					is := Type{Width: to.Exp + to.Prec, Exp: to.Exp}
					look(&Expr{op: FCast, typ: is, args: []*Expr{mode, a}}, v, mode, a)
				}
				for _, b := range all {
					for op, of := range map[Op]func(m softfloat.Mode, a, b uint64) (uint64, softfloat.Flags){
						FAdd: f.Add, FMul: f.Mul, FDiv: f.Div} {
						v, _ := of(m, a.val, b.val)
						look(&Expr{op: op, typ: typ, args: []*Expr{mode, a, b}}, v, mode, a, b)
					}
					c := all[(7*a.val+3*b.val)%uint64(len(all))]
					v, _ := f.Fma(m, a.val, b.val, c.val)
					look(&Expr{op: FFma, typ: typ, args: []*Expr{mode, a, b, c}}, v, mode, a, b, c)
				}
			}
			for _, b := range all {
				v, _ := f.Rem(a.val, b.val)
				look(&Expr{op: FRem, typ: typ, args: []*Expr{a, b}}, v, a, b)
				v, _ = f.Mod(a.val, b.val)
				look(&Expr{op: FMod, typ: typ, args: []*Expr{a, b}}, v, a, b)
			}
		}
	}
	require.Greater(t, told, 10_000)
}

// TestTightRanges: the ends of a range are its least and its greatest number that is on the grid.
func TestTightRanges(t *testing.T) {
	for _, f := range tinyFormats {
		inf := int64(f.Inf())
		for grid := range 2 * f.Bias() {
			for lo := -inf; lo <= inf; lo++ {
				for hi := lo; hi <= inf; hi++ {
					want := FloatRange{Lo: 1, Hi: 0, Grid: grid}
					for k := lo; k <= hi; k++ {
						if GridOf(f, AtPlace(f, k)) >= grid {
							want = want.Join(FloatRange{Lo: k, Hi: k, Grid: grid})
						}
					}
					if got := (FloatRange{Lo: lo, Hi: hi, Grid: grid}).Tight(f); got != want {
						require.Equal(t, want, got, "%v: %d to %d on %d", f, lo, hi, grid)
					}
				}
			}
		}
	}
}

// TestIntegralNumbers: what an integer-valued term is not is decided as it is written.
func TestIntegralNumbers(t *testing.T) {
	p := NewPool()
	rne, down := p.Rounding(softfloat.NearestEven), p.Rounding(softfloat.TowardNegative)
	d := func(s string) *Expr { return number(t, p, Float64, s) }
	y, i := p.Var("y", Float64), p.Var("i", Int32)
	whole, from := p.FRound(down, y), p.IntToF(rne, Float64, i)
	more := p.FAdd(rne, from, d("1"))
	require.True(t, p.FEq(whole, d("2.5")).IsFalse())
	require.True(t, p.FEq(from, d("2.5")).IsFalse())
	require.True(t, p.FEq(more, d("2.5")).IsFalse())
	require.True(t, p.FEq(p.FMul(rne, more, d("0.25")), d("0.3")).IsFalse())
	require.True(t, p.FEq(p.FDiv(rne, more, d("-4")), d("0.125")).IsFalse())
	require.False(t, p.FEq(p.FDiv(rne, more, d("-4")), d("0.25")).IsConst())
	require.False(t, p.FEq(p.FAdd(rne, from, d("0.5")), d("2.5")).IsConst())
	require.Same(t, more, p.FRound(down, more))
}
