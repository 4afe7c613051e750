package source

import (
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// Enumerator is the value of an enumeration constant of file scope, an int
// unless it needs more room.
func (p *Program) Enumerator(pool *expr.Pool, name string) (*expr.Expr, bool) {
	for _, f := range p.Files {
		for _, n := range f.ast.Scope.Nodes[name] {
			e, ok := n.(*cc.Enumerator)
			if !ok {
				continue
			}
			switch v := e.Value().(type) {
			case cc.Int64Value:
				return enumConst(pool, int64(v)), true
			case cc.UInt64Value:
				if isBeyondLong(e) {
					return pool.Const(expr.Uint64, uint64(v)), true
				}
				return enumConst(pool, int64(v)), true
			}
		}
	}
	return nil, false
}

func enumConst(pool *expr.Pool, v int64) *expr.Expr {
	if v == int64(int32(v)) {
		return pool.Int(expr.Int32, v)
	}
	return pool.Int(expr.Int64, v)
}
