package invariants_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/engine/invariants"
	"magus/smt/expr"
)

// TestElements: a piece has what it begins with and all that is stored to it; what grows without end is any value.
func TestElements(t *testing.T) {
	p := expr.NewPool()
	x, y, n := p.Var("x", expr.Int32), p.Var("y", expr.Int32), p.Var("n", expr.Int32)
	s := p.Var("s", expr.Uint32)
	at := func(addr uint64) *expr.Expr { return p.Add(p.Cast(expr.Uint64, y), p.Const(expr.Uint64, addr)) }
	store := func(addr uint64, v *expr.Expr) cfa.Stmt {
		return cfa.Assign{LHS: s, RHS: p.Cast(expr.Uint32, v), Memory: &cfa.Access{Kind: cfa.Write, Addr: at(addr), Size: 4}}
	}
	piece := invariants.Piece{First: 0x10000, Last: 0x1001f, Size: 4}
	load := cfa.Assign{LHS: x, Memory: &cfa.Access{Kind: cfa.Read, Addr: at(0x10000), Size: 4,
		Areas: []cfa.Area{{First: piece.First, Last: piece.Last, Zero: true, Static: true,
			Initial: []cfa.InitialPart{{At: 0x10004, Size: 4, Value: p.Int(expr.Int32, 3)}}}}}}
	for name, c := range map[string]struct {
		stmts []cfa.Stmt
		want  invariants.Element
	}{
		"what it begins with": {nil, invariants.Element{Known: true, High: 3}},
		"a constant": {[]cfa.Stmt{store(0x10000, p.Int(expr.Int32, 7))},
			invariants.Element{Known: true, High: 7}},
		"a negative one": {[]cfa.Stmt{store(0x10000, p.Int(expr.Int32, -2))},
			invariants.Element{Known: true, Signed: true, Low: -2, High: 3}},
		"any value": {[]cfa.Stmt{cfa.Assign{LHS: n, Nondet: "nondet"}, store(0x10000, n)},
			invariants.Element{}},
		"to another object": {[]cfa.Stmt{store(0x20000, p.Int(expr.Int32, 7))},
			invariants.Element{Known: true, High: 3}},
		"what it holds":          {[]cfa.Stmt{store(0x10000, x)}, invariants.Element{Known: true, High: 3}},
		"one more than it holds": {[]cfa.Stmt{store(0x10000, p.Add(x, p.Int(expr.Int32, 1)))}, invariants.Element{}},
		"anything, forgotten": {[]cfa.Stmt{cfa.Assign{LHS: p.Var("b", expr.Uint8),
			RHS: p.Int(expr.Uint8, 0), Memory: &cfa.Access{Kind: cfa.Forget}}}, invariants.Element{}},
		"zeros": {[]cfa.Stmt{cfa.Assign{LHS: p.Var("b", expr.Uint8),
			RHS: p.Int(expr.Uint8, 0), Memory: &cfa.Access{Kind: cfa.Fill, Addr: at(0x10000), Size: 32}}},
			invariants.Element{Known: true, High: 3}},
		"a store that never happens": {[]cfa.Stmt{store(0x10000, n)}, invariants.Element{Known: true, High: 3}},
	} {
		auto := &cfa.CFA{Pool: p, Objects: []cfa.Object{{Name: "a", Base: 0x10000, Size: 32},
			{Name: "b", Base: 0x20000, Size: 32}}}
		for _, v := range []*expr.Expr{x, y, n, s, p.Var("b", expr.Uint8)} {
			auto.Vars = append(auto.Vars, cfa.Var{Expr: v})
		}
		for _, s := range append([]cfa.Stmt{cfa.Assign{LHS: y, Nondet: "nondet"}, load}, c.stmts...) {
			auto.Locs = append(auto.Locs, cfa.Location{Stmt: s})
		}
		got, err := invariants.Elements(context.Background(), auto, []invariants.Piece{piece})
		require.NoError(t, err)
		require.Equal(t, []invariants.Element{c.want}, got, name)
	}
}
