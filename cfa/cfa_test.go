package cfa_test

import (
	"context"
	"testing"

	"magus/cfa"
	"magus/cfa/lower"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"github.com/stretchr/testify/require"
)

func lowerText(t testing.TB, text string, opt lower.Options) *cfa.CFA {
	t.Helper()
	p, err := source.Parse(context.Background(), []source.Source{{Name: "a.c", Text: []byte(text)}}, source.Options{})
	require.NoError(t, err)
	c, err := lower.Lower(context.Background(), p, "main", expr.NewPool(), opt)
	require.NoError(t, err)
	require.Empty(t, c.Check())
	return c
}

func TestLookup(t *testing.T) {
	c := lowerText(t, `int x, g;
int f(int a) { static int s; int x = a; { int x = g; s = x; } return x; }
int main(void) { int a = f(1); { int a = f(2); return a + s(); } }
int s(void) { return x; }`, lower.Options{})
	names := func(frame int, name string) (list []string) {
		for _, v := range c.Lookup(frame, name) {
			list = append(list, v.String())
		}
		return list
	}
	require.Equal(t, []int{1, 2}, c.FramesOf("f"))
	require.Equal(t, []string{"a", "main::a"}, names(0, "a"))
	require.Equal(t, []string{"f::a"}, names(1, "a"))
	require.Equal(t, []string{"f::x", "f::x#2", "x"}, names(1, "x"))
	require.Equal(t, []string{"f::x#3", "f::x#4", "x"}, names(2, "x"))
	require.Equal(t, []string{"f::s"}, names(1, "s"))
	require.Equal(t, []string{"f::s"}, names(2, "s"))
	require.Empty(t, names(0, "s"))
	require.Equal(t, []string{"x"}, names(0, "x"))
	require.Equal(t, []string{"g"}, names(0, "g"))
	require.Empty(t, names(0, "nothing"))
}

func TestCheckFindsFaults(t *testing.T) {
	c := lowerText(t, "int main(void) { int x = 1; if (x) x = 2; return x; }", lower.Options{})
	stray := c.Pool.Var("stray", expr.Int8)
	break1 := func(f func(c *cfa.CFA)) []string {
		d := *c
		d.Locs = append([]cfa.Location(nil), c.Locs...)
		f(&d)
		return d.Check()
	}
	require.NotEmpty(t, break1(func(c *cfa.CFA) { c.Locs[0].Succ = nil }))
	require.NotEmpty(t, break1(func(c *cfa.CFA) { c.Locs[0].Succ = []cfa.Loc{99} }))
	require.NotEmpty(t, break1(func(c *cfa.CFA) { c.Locs = append(c.Locs, c.Locs[0]) }))
	require.NotEmpty(t, break1(func(c *cfa.CFA) { c.Locs[0].Stmt = cfa.Assign{LHS: stray, RHS: stray} }))
	require.NotEmpty(t, break1(func(c *cfa.CFA) { c.Locs[0].Stmt = cfa.Assign{LHS: c.Vars[0].Expr} }))
	require.NotEmpty(t, break1(func(c *cfa.CFA) { c.Locs[len(c.Locs)-1].Stmt = cfa.Return{} }))
	require.NotEmpty(t, break1(func(c *cfa.CFA) { c.Locs[0].Pos = cfa.Pos{} }))
	require.NotEmpty(t, break1(func(c *cfa.CFA) { c.Vars = append(c.Vars, c.Vars[0]) }))
	require.NotEmpty(t, break1(func(c *cfa.CFA) { c.Locs[0].Stmt = memory.Load{} }))
}
