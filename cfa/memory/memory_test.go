package memory_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/smt/expr"

	"github.com/stretchr/testify/require"
)

var (
	integer = &memory.Type{Size: 4, Scalar: &memory.Scalar{Type: expr.Int32}}
	pointer = &memory.Type{Size: 8, Scalar: &memory.Scalar{Class: memory.Pointer, Type: expr.Uint64}}
	// pair is struct { int n; int m; }.
	pair = &memory.Type{Size: 8, Members: []memory.Member{{Name: "n", At: 0, Type: integer},
		{Name: "m", At: 32, Type: integer}}}
)

func pos(line int) cfa.Pos { return cfa.Pos{File: "a.c", Line: line, Col: 1} }

// A draft is an automaton with memory that is being written.
type draft struct {
	*cfa.Builder
	mem   *memory.Model
	start cfa.Loc
}

func newDraft(opt memory.Options) *draft {
	b := cfa.NewBuilder(expr.NewPool())
	b.NewFrame("main", cfa.Pos{})
	return &draft{b, memory.New(b, opt), b.Emit(cfa.Goto{}, pos(1))}
}

func (d *draft) object(name string, t *memory.Type) *memory.Object {
	return d.mem.NewObject(name, t, t.Size, cfa.Var{Name: name, Kind: cfa.Local, Pos: pos(1)})
}

func (d *draft) variable(name string, t *memory.Type, kind cfa.VarKind) *expr.Expr {
	v := d.NewVar(name, "main::"+name, t.Scalar.Type)
	d.List(cfa.Var{Expr: v, Name: name, Kind: kind, Pos: pos(1)})
	d.mem.MarkPointer(v, t.Scalar.Class == memory.Pointer)
	return v
}

// at is an int at an offset from a pointer.
func at(base *expr.Expr, off int64, idx ...memory.Index) memory.Ref {
	return memory.Ref{Address: memory.Address{Base: base, Off: off, Idx: idx},
		Extent: memory.ExtentOf(*integer.Scalar, 4, 0), Scalar: *integer.Scalar, Size: 4}
}

func (d *draft) build(t testing.TB) *cfa.CFA {
	d.Emit(cfa.Halt{Reason: "end"}, pos(99))
	an, err := d.mem.Analyse(context.Background())
	require.NoError(t, err)
	c, err := d.Build(an.Resolve(d.start))
	require.NoError(t, err)
	c.Ret, c.Objects = expr.Bool, d.mem.Objects()
	c.NameAddresses(expr.Uint64)
	require.Empty(t, c.Check())
	return c
}

// lines are the statements of an automaton.
func lines(c *cfa.CFA) []string {
	var all []string
	for _, l := range c.Locs {
		all = append(all, l.Stmt.String())
	}
	return all
}

// A store through a pointer to a or b becomes a test for each of them.
func Example() {
	code := cfa.NewBuilder(expr.NewPool())
	code.NewFrame("main", cfa.Pos{})
	m := memory.New(code, memory.Options{})
	start := code.Emit(cfa.Goto{}, pos(1))

	a := m.NewObject("a", pair, pair.Size, cfa.Var{Name: "a", Kind: cfa.Local, Pos: pos(1)})
	b := m.NewObject("b", pair, pair.Size, cfa.Var{Name: "b", Kind: cfa.Local, Pos: pos(1)})
	p := code.NewVar("p", "main::p", expr.Uint64)
	code.List(cfa.Var{Expr: p, Name: "p", Kind: cfa.Local, Pos: pos(1)})
	m.MarkPointer(p, true)

	yes, no := code.Branch(code.Pool.Truth(code.Any(expr.Int32, "choice", "", pos(2))), pos(2)) // if (choice)
	code.Continue(yes)
	code.Assign(p, m.AddressIn(a, 0), pos(3)) // p = &a;
	end := code.Ends()
	code.Continue(no)
	code.Assign(p, m.AddressIn(b, 0), pos(4)) // else p = &b;
	code.Join(end)
	for _, o := range []*memory.Object{a, b} {
		cell, _ := m.Direct(at(m.AddressIn(o, 0), 4))
		m.Var(cell) // something else looks at o.m
	}
	code.Emit(memory.Store{To: at(p, 4), Val: code.Pool.Int(expr.Int32, 1)}, pos(5)) // p->m = 1;
	code.Emit(cfa.Halt{Reason: "end"}, pos(6))

	an, err := m.Analyse(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	auto, err := code.Build(an.Resolve(start))
	if err != nil {
		fmt.Println(err)
		return
	}
	auto.Objects = m.Objects()
	auto.NameAddresses(expr.Uint64)
	for i, l := range auto.Locs {
		fmt.Println(i, l.Stmt, l.Succ)
	}
	// Output:
	// 0 choice#1 = ? // choice [1]
	// 1 if (choice#1 == 0) [3 2]
	// 2 p = &a [4]
	// 3 p = &b [4]
	// 4 if (p == &a) [5 6]
	// 5 a.m = 1 [9]
	// 6 if (p == &b) [7 8]
	// 7 b.m = 1 [9]
	// 8 halt // invalid pointer []
	// 9 halt // end []
}

// What nothing else accesses needs no cell, and a store there no statement.
func TestCellsAreMadeOnDemand(t *testing.T) {
	d := newDraft(memory.Options{})
	a := d.object("a", pair)
	p := d.variable("p", pointer, cfa.Local)
	d.Assign(p, d.mem.AddressIn(a, 0), pos(2))
	d.Emit(memory.Store{To: at(p, 4), Val: d.Pool.Int(expr.Int32, 1)}, pos(3))
	c := d.build(t)
	for _, v := range c.Vars {
		require.NotContains(t, v.Expr.Name(), "a.")
	}
}

// A routine without a body may change what it is given, and what that leads to;
// nothing else.
func TestUnknownCallWritesWhatItReaches(t *testing.T) {
	d := newDraft(memory.Options{})
	given, kept := d.object("given", pair), d.object("kept", pair)
	for _, o := range []*memory.Object{given, kept} {
		cell, ok := d.mem.Direct(at(d.mem.AddressIn(o, 0), 0))
		require.True(t, ok)
		d.Assign(d.mem.Var(cell), d.Pool.Int(expr.Int32, 1), pos(2))
	}
	d.Emit(memory.UnknownCall{Name: "lib", Args: []*expr.Expr{d.mem.AddressIn(given, 0)}}, pos(3))
	all := lines(d.build(t))
	require.Contains(t, all, "given.n = ? // lib")
	require.NotContains(t, all, "kept.n = ? // lib")
}

// A call in code that control never reaches needs no answer of what it writes.
func TestUnreachableCall(t *testing.T) {
	d := newDraft(memory.Options{})
	g := &memory.Global{Starts: true}
	g.Var = d.variable("g", integer, cfa.Param)
	d.mem.AddGlobal(g)
	d.mem.GlobalObject(g, "", integer, 0, cfa.Var{})
	d.Emit(cfa.Halt{Reason: "before"}, pos(2))
	d.Cut()
	call := d.Emit(cfa.Call{Callee: "set", Ret: expr.Bool}, pos(3))
	d.body(call, func() { d.Assign(g.Var, d.Pool.Int(expr.Int32, 1), pos(4)) })
	require.Equal(t, []string{"halt // before"}, lines(d.build(t)))
}

// body writes the body of the routine that a call calls.
func (d *draft) body(call cfa.Loc, write func()) {
	d.OutOfLine(func() {
		d.NewFrame("set", cfa.Pos{})
		d.mem.CallsBody(call, &memory.Body{Begin: d.Emit(cfa.Goto{}, pos(4))})
		write()
		d.Emit(cfa.Return{}, pos(5))
	})
}

// A call may change what the body of the routine may store to, whatever that is
// where something is not modelled.
func TestBodies(t *testing.T) {
	for name, c := range map[string]struct {
		write   func(d *draft, g *memory.Global)
		changes bool
	}{
		"nothing":       {func(d *draft, g *memory.Global) {}, false},
		"an assignment": {func(d *draft, g *memory.Global) { d.Assign(g.Var, d.Pool.Int(expr.Int32, 1), pos(4)) }, true},
		"a store": {func(d *draft, g *memory.Global) {
			d.Emit(memory.Store{To: at(d.mem.AddressIn(g.Object, 0), 0)}, pos(4))
		}, true},
		"through a pointer": {func(d *draft, g *memory.Global) {
			p := d.variable("p", pointer, cfa.Local)
			d.Assign(p, d.mem.AddressIn(g.Object, 0), pos(4))
			d.Emit(memory.Store{To: at(p, 0)}, pos(4))
		}, true},
		"through a pointer to nothing": {func(d *draft, g *memory.Global) {
			d.Emit(memory.Store{To: at(d.variable("p", pointer, cfa.Local), 0)}, pos(4))
		}, false},
		"by another routine": {func(d *draft, g *memory.Global) {
			d.Emit(memory.UnknownCall{Name: "f", Args: []*expr.Expr{d.mem.AddressIn(g.Object, 0)}}, pos(4))
		}, true},
		"refused": {func(d *draft, g *memory.Global) { d.Refuse(cfa.Unsupported(pos(4), "asm", ""), pos(4)) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDraft(memory.Options{})
			g := &memory.Global{Starts: true}
			g.Var = d.variable("g", integer, cfa.Local)
			d.mem.AddGlobal(g)
			d.mem.GlobalObject(g, "", integer, 0, cfa.Var{})
			call := d.Emit(cfa.Call{Callee: "set", Ret: expr.Bool}, pos(3))
			d.body(call, func() { c.write(d, g) })
			changes := false
			for _, loc := range d.build(t).Locs {
				switch s := loc.Stmt.(type) {
				case cfa.Call:
					changes = changes || slices.Contains(s.Clobbers, g.Var)
				case cfa.Assign:
					changes = changes || s.LHS == g.Var
				}
			}
			require.Equal(t, c.changes, changes)
		})
	}
}

// The order of evaluation: a term whose variable is written later is kept.
func TestChanges(t *testing.T) {
	d := newDraft(memory.Options{})
	x, y := d.variable("x", integer, cfa.Local), d.variable("y", integer, cfa.Local)
	d.mem.MarkAddressed(y, true)
	from := cfa.Loc(d.Len())
	require.False(t, d.mem.Changes(d.Pool.Add(x, y), from))
	d.Emit(memory.Store{To: at(d.variable("p", pointer, cfa.Local), 0)}, pos(2))
	require.False(t, d.mem.Changes(x, from), "nobody takes the address of x")
	require.True(t, d.mem.Changes(d.Pool.Add(x, y), from))
	d.Assign(x, d.Pool.Int(expr.Int32, 1), pos(3))
	require.True(t, d.mem.Changes(x, from))
}

// An array beyond the limit is summarised: what a load gives is any value, which
// no violation may rest on.
func TestArrayLimit(t *testing.T) {
	for limit, approx := range map[int]bool{4: false, 3: true} {
		d := newDraft(memory.Options{Modelling: cfa.Modelling{ArrayLimit: limit}})
		a := d.object("a", &memory.Type{Size: 16, Elem: integer, Len: 4})
		i, x := d.variable("i", integer, cfa.Param), d.variable("x", integer, cfa.Local)
		d.Emit(memory.Load{LHS: x, From: at(d.mem.AddressIn(a, 0), 0, memory.Index{I: i, Stride: 4, N: 4})}, pos(2))
		c := d.build(t)
		marked := false
		for _, l := range c.Locs {
			s, ok := l.Stmt.(cfa.Assign)
			marked = marked || ok && s.LHS == x && s.Approx != ""
		}
		require.Equal(t, approx, marked, limit)
	}
}

// More memory than there are addresses stops the building.
func TestTooMuchMemory(t *testing.T) {
	d := newDraft(memory.Options{Data: cfa.ILP32})
	d.object("a", &memory.Type{Size: 1 << 33, Elem: integer, Len: 1 << 31})
	require.ErrorContains(t, d.Err(), "more memory than the data model has addresses")
}
