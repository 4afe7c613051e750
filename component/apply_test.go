package component

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/expr"
)

// TestApply: all terms of an edge are those before it, and what was chosen comes before what is computed.
func TestApply(t *testing.T) {
	p := expr.NewPool()
	x, y, z := p.Var("x", expr.Uint8), p.Var("y", expr.Uint8), p.Var("z", expr.Uint8)
	e := &Edge{Update: []Update{{x, y}, {y, x}, {z, p.Add(x, y)}}}
	values := map[*expr.Expr]uint64{x: 250, y: 10}
	require.Equal(t, []Binding{{x, 10}, {y, 250}, {z, 4}}, e.Apply(values, nil))
	require.Equal(t, map[*expr.Expr]uint64{x: 10, y: 250, z: 4}, values)
	require.Equal(t, []Binding{{x, 250}, {y, 10}, {z, 7}}, e.Apply(values, []Binding{{z, 7}}))
}
