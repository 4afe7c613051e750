package cfa_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"magus/cfa"
	"magus/smt/expr"

	"github.com/stretchr/testify/require"
)

// line is a place.
func line(n int) cfa.Pos { return cfa.Pos{File: "a.c", Line: n, Col: 1} }

// begun is a builder with the instance of a procedure, and where it begins.
func begun() (*cfa.Builder, cfa.Loc) {
	b := cfa.NewBuilder(expr.NewPool())
	b.NewFrame("main", cfa.Pos{})
	return b, b.Emit(cfa.Goto{}, line(1))
}

func local(b *cfa.Builder, name string) *expr.Expr {
	v := b.NewVar(name, "main::"+name, expr.Int32)
	b.List(cfa.Var{Expr: v, Name: name, Kind: cfa.Local, Pos: line(1)})
	return v
}

// A loop: the head is patched, the ends of the condition go two ways.
func ExampleBuilder() {
	b := cfa.NewBuilder(expr.NewPool())
	b.NewFrame("main", cfa.Pos{})
	x := b.NewVar("x", "main::x", expr.Int32)
	b.List(cfa.Var{Expr: x, Name: "x", Kind: cfa.Local, Pos: line(1)})

	start := b.Emit(cfa.Goto{}, line(1))
	b.Assign(x, b.Pool.Int(expr.Int32, 0), line(2))
	head := b.Emit(cfa.Goto{}, line(3))
	in, out := b.Branch(b.Pool.Lt(x, b.Pool.Int(expr.Int32, 9)), line(3))
	b.Continue(in)
	b.Assign(x, b.Pool.Add(x, b.Pool.Int(expr.Int32, 1)), line(4))
	b.Patch(b.Ends(), head)
	b.Continue(out)
	b.Emit(cfa.Return{Value: x}, line(5))

	auto, err := b.Build(start)
	if err != nil {
		fmt.Println(err)
		return
	}
	auto.Name, auto.Ret = "main", expr.Int32
	fmt.Print(auto)
	// Output:
	// int main()
	//   int x
	// 0: x = 0 -> 1  @2:1
	// 1: if (x < 9) -> 2 else 3  @3:1
	// 2: x = x + 1 -> 1  @4:1
	// 3: return x  @5:1
}

// What is refused ends the building only where control can come.
func TestRefuse(t *testing.T) {
	for name, c := range map[string]struct {
		cond bool
		want string
	}{
		"on the way":   {true, "a.c:3:1: not modelled: this (that is why)"},
		"in dead code": {false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b, start := begun()
			yes, no := b.Branch(b.Pool.Bool(c.cond), line(2))
			b.Continue(yes)
			b.Refuse(cfa.Unsupported(line(3), "this", "that is why"), line(3))
			require.True(t, b.Dead())
			b.Continue(no)
			b.Emit(cfa.Return{}, line(4))
			auto, err := b.Build(start)
			if c.want != "" {
				require.EqualError(t, err, c.want)
				return
			}
			require.NoError(t, err)
			auto.Ret = expr.Bool
			require.Empty(t, auto.Check())
			require.Len(t, auto.Locs, 1)
		})
	}
}

// The first fault counts, and nothing can be built after it.
func TestStop(t *testing.T) {
	b, start := begun()
	b.Emit(cfa.Return{}, line(2))
	require.NoError(t, b.Err())
	first := errors.New("first")
	b.Stop(first)
	b.Stop(errors.New("second"))
	require.Equal(t, first, b.Err())
	_, err := b.Build(start)
	require.Equal(t, first, err)
}

func TestStopWith(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b, _ := begun()
	defer b.StopWith(ctx)()
	require.NoError(t, b.Err())
	cancel()
	require.Eventually(t, func() bool { return errors.Is(b.Err(), context.Canceled) }, 10e9, 1e6)
}

// A branch on atoms: && and || are control flow, constants are no branch.
func TestBranchIsSplit(t *testing.T) {
	b, start := begun()
	x, y := local(b, "x"), local(b, "y")
	zero := b.Pool.Int(expr.Int32, 0)
	both := b.Pool.Land(b.Pool.Eq(x, zero), b.Pool.Not(b.Pool.Eq(y, zero)))
	yes, no := b.Branch(both, line(2))
	require.True(t, b.Dead())
	b.Continue(yes)
	b.Halt("both", line(3))
	b.Continue(no)
	b.Halt("not both", line(4))
	auto, err := b.Build(start)
	require.NoError(t, err)
	branches := 0
	for _, l := range auto.Locs {
		if s, ok := l.Stmt.(cfa.Branch); ok {
			branches++
			require.Equal(t, expr.Eq, s.Cond.Op())
		}
	}
	require.Equal(t, 2, branches)
}

// Names are given once, those of another automaton's variables of other types
// included.
func TestNames(t *testing.T) {
	pool := expr.NewPool()
	pool.Var("x", expr.Int8)
	b := cfa.NewBuilder(pool)
	b.NewFrame("main", cfa.Pos{})
	require.Equal(t, "f::x", b.NewVar("x", "f::x", expr.Int32).Name())
	require.Equal(t, "f::x#2", b.NewVar("x", "f::x", expr.Int32).Name())
	require.Equal(t, "read#1", b.Temp("read", expr.Int32, line(1)).Name())
	require.Equal(t, "read#2", b.Temp("read", expr.Int32, line(1)).Name())
	require.Equal(t, "s", b.UniqueName("s"))
	require.Equal(t, "s#2", b.UniqueName("s"))
	require.NotEqual(t, "s", b.NewVar("s", "f::s", expr.Int32).Name())
}

// Assumptions are listed once, those of dead code not at all.
func TestWarnings(t *testing.T) {
	b, start := begun()
	b.Assume(cfa.AboutText, line(3), "assumed")
	b.Assume(cfa.AboutText, line(2), "assumed")
	b.Assume(cfa.AboutText, line(1), "first %s", "of all")
	b.Emit(cfa.Halt{Reason: "end"}, line(4))
	b.Cut()
	b.Assume(cfa.AboutText, line(5), "in dead code")
	auto, err := b.Build(start)
	require.NoError(t, err)
	require.Equal(t, []cfa.Warning{{Pos: line(1), Text: "first of all", Kind: cfa.AboutText},
		{Pos: line(3), Text: "assumed", Kind: cfa.AboutText}}, auto.Warnings)
}

func TestAddressNames(t *testing.T) {
	c := &cfa.CFA{Objects: []cfa.Object{
		{Name: "f", Base: 100, Size: 1, Function: true},
		{Name: "s", Base: 200, Size: 16, Subobjects: []cfa.Subobject{{Offset: 0, Path: ".a"}, {Offset: 8, Path: ".b[*]"}}},
	}}
	for addr, want := range map[uint64]string{100: "&f", 200: "&s", 204: "&s+4", 208: "&s.b[*]",
		216: "&s+16", 99: "", 150: "", 217: ""} {
		name, ok := c.AddressName(addr)
		require.Equal(t, want != "", ok, addr)
		if ok {
			require.Equal(t, want, name)
		}
	}
}
