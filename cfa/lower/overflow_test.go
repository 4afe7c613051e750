package lower

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"
)

// Whether operations overflow is compared with arithmetic of more bits, for all operands.
func TestOverflowConditions(t *testing.T) {
	t.Parallel()
	p := expr.NewPool()
	l := &terms{&refusals{Builder: cfa.NewBuilder(p)}}
	exact := map[source.BinaryOp]func(x, y int64) int64{
		source.OpAdd: func(x, y int64) int64 { return x + y },
		source.OpSub: func(x, y int64) int64 { return x - y },
		source.OpMul: func(x, y int64) int64 { return x * y },
		source.OpDiv: func(x, y int64) int64 { return x / y },
	}
	typ := expr.Type{Width: 6, Signed: true}
	x, y := p.Var("x", typ), p.Var("y", typ)
	for op, f := range exact {
		general := l.overflows(op, x, y)
		for b := int64(-32); b < 32; b++ {
			right, left := l.overflows(op, x, p.Int(typ, b)), l.overflows(op, p.Int(typ, b), y)
			for a := int64(-32); a < 32; a++ {
				of := func(e *expr.Expr, x1, y1 int64) bool {
					return expr.Eval(e, func(v *expr.Expr) uint64 {
						if v == x {
							return typ.Trunc(uint64(x1))
						}
						return typ.Trunc(uint64(y1))
					}) != 0
				}
				outside := func(x1, y1 int64) bool {
					if op == source.OpDiv && y1 == 0 {
						return false
					}
					n := f(x1, y1)
					return n < -32 || n > 31
				}
				require.Equal(t, outside(a, b), of(general, a, b), "%v %d %d", op, a, b)
				require.Equal(t, outside(a, b), of(right, a, b), "%v %d %d, the right one constant", op, a, b)
				require.Equal(t, outside(b, a), of(left, b, a), "%v %d %d, the left one constant", op, b, a)
			}
		}
	}
}
