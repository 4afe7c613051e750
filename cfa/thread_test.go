package cfa_test

import (
	"fmt"
	"testing"

	"magus/cfa"
	"magus/cfa/lower"
	"magus/smt/expr"

	"github.com/stretchr/testify/require"
)

// increment is an automaton with a thread that adds one to x in two statements, and one
// more that nothing creates.
func increment(edit func(b *cfa.Builder, x *expr.Expr)) *cfa.CFA {
	b, start := begun()
	x := b.NewVar("x", "x", expr.Int32)
	b.List(cfa.Var{Expr: x, Name: "x", Kind: cfa.Global, Frame: -1, Pos: line(1)})
	b.Assign(x, b.Pool.Int(expr.Int32, 0), line(2))
	name := cfa.Shown("worker", line(3), 1)
	begins := b.Spawn(cfa.Spawn{Thread: 1, Name: name}, line(3))
	b.Emit(cfa.Join{Thread: 1, Name: name}, line(4))
	b.Emit(cfa.Return{Value: x}, line(5))
	b.NewFrame("worker", line(3))
	b.Continue(begins)
	seen := b.Temp("x", expr.Int32, line(7))
	b.Assign(seen, x, line(7))
	edit(b, x)
	b.Assign(x, b.Pool.Add(seen, b.Pool.Int(expr.Int32, 1)), line(7))
	b.Finish(line(8))
	auto, err := b.Build(start)
	if err != nil {
		panic(err)
	}
	auto.Name, auto.Ret = "main", expr.Int32
	auto.SetThreads([]cfa.Thread{{Name: "main", Proc: "main"}, {Name: name, Proc: "worker", Site: line(3), Copy: 1},
		{Name: "nobody", Proc: "nobody", Site: line(3), Copy: 2}})
	return auto
}

// A thread is a part of the automaton that its creation leads to.
func ExampleBuilder_Spawn() {
	auto := increment(func(*cfa.Builder, *expr.Expr) {})
	fmt.Print(auto)
	fmt.Println(auto.Shared(), auto.ThreadOf(), auto.NotSequential())
	// Output:
	// int main()
	//   int x
	//   int x#1 in 1
	//   instance 1: worker called from 0 at 3:1
	//   thread 0: main from 0
	//   thread 1: worker@3:1#1 from 4
	//   thread 2: nobody from -1
	// 0: x = 0 -> 1  @2:1
	// 1: spawn worker@3:1#1 -> 2, 4  @3:1
	// 2: join worker@3:1#1 -> 3  @4:1
	// 3: return x  @5:1
	// 4: x#1 = x -> 5  @7:1
	// 5: x = x#1 + 1 -> 6  @7:1
	// 6: end  @8:1
	// [x] [0 0 0 0 1 1 1] a.c:3:1: not modelled: creation of a thread (worker) (this way of checking looks at one thread)
}

func TestCheckOfThreads(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(b *cfa.Builder, x *expr.Expr)
		want string
	}{
		"as it should be": {func(*cfa.Builder, *expr.Expr) {}, ""},
		"a section":       {func(b *cfa.Builder, _ *expr.Expr) { section(b); unsection(b) }, ""},
		"a section in another": {func(b *cfa.Builder, _ *expr.Expr) { section(b); section(b); unsection(b) },
			"sections do not nest"},
		"no section ends": {func(b *cfa.Builder, _ *expr.Expr) { unsection(b) }, "sections do not nest"},
		"the end within":  {func(b *cfa.Builder, _ *expr.Expr) { section(b) }, "within a section"},
		"a join within": {func(b *cfa.Builder, _ *expr.Expr) {
			section(b)
			b.Emit(cfa.Join{Thread: 0, Name: "main"}, line(7))
			unsection(b)
		}, "within a section"},
		"on some ways only": {func(b *cfa.Builder, x *expr.Expr) {
			yes, no := b.Branch(b.Pool.Eq(x, b.Pool.Int(expr.Int32, 0)), line(7))
			b.Continue(yes)
			section(b)
			b.Join(no)
		}, "in a section on other ways"},
		"no such thread": {func(b *cfa.Builder, _ *expr.Expr) { b.Emit(cfa.Join{Thread: 7, Name: "seven"}, line(7)) },
			"thread 7 of 3"},
		"created twice": {func(b *cfa.Builder, _ *expr.Expr) {
			begins := b.Spawn(cfa.Spawn{Thread: 1, Name: "again"}, line(7))
			back := b.Ends()
			b.Continue(begins)
			b.Finish(line(7))
			b.Continue(back)
		}, "begins elsewhere"},
	} {
		t.Run(name, func(t *testing.T) {
			faults := fmt.Sprint(increment(c.edit).Check())
			if c.want == "" {
				require.Equal(t, "[]", faults)
				return
			}
			require.Contains(t, faults, c.want)
		})
	}
}

func section(b *cfa.Builder)   { b.Emit(cfa.Atomic{Begin: true}, line(7)) }
func unsection(b *cfa.Builder) { b.Emit(cfa.Atomic{}, line(7)) }

// Where only what is refused creates threads, the main thread is alone, and shares nothing; it is refused
// by what knows no threads all the same.
func TestMainThreadAlone(t *testing.T) {
	c := lowerText(t, "int main(void) { return 0; }", lower.Options{})
	c.SetThreads([]cfa.Thread{{Name: "main", Proc: "main"}})
	require.Len(t, c.Threads, 1)
	require.Equal(t, c.Entry, c.Threads[0].Entry)
	require.Error(t, c.NotSequential())
	require.Empty(t, c.Shared())
}

// TestCreates: a loop creates threads if a creation is on a way round it, and not if one is before it, behind
// it, or in the thread that is created.
func TestCreates(t *testing.T) {
	choice := cfa.Branch{Cond: expr.NewPool().Var("c", expr.Bool)}
	c := &cfa.CFA{Locs: []cfa.Location{
		0: {Stmt: cfa.Spawn{Thread: 1}, Succ: []cfa.Loc{1, 6}},
		1: {Stmt: choice, Succ: []cfa.Loc{1, 2}},
		2: {Stmt: choice, Succ: []cfa.Loc{3, 5}},
		3: {Stmt: cfa.Spawn{Thread: 2}, Succ: []cfa.Loc{4, 6}},
		4: {Stmt: cfa.Goto{}, Succ: []cfa.Loc{2}},
		5: {Stmt: cfa.Goto{}, Succ: []cfa.Loc{5}},
		6: {Stmt: cfa.Goto{}, Succ: []cfa.Loc{6}},
	}}
	for l, want := range []bool{false, false, true, true, true, false, false} {
		require.Equal(t, want, c.Creates(cfa.Loc(l)), "at %d", l)
	}
}
