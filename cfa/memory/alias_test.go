package memory_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/internal/sample"
	"magus/smt/expr"
)

// A bodyAccess is one of a body, through a parameter or by the name of an object.
type bodyAccess struct {
	param, object int // param is -1 of one by name
	write         bool
}

// TestAliasedCalls: a call is one with aliases just if some execution reaches an object by two access paths, and one
// accesses by writing. All choices of what the arguments point to are tried.
func TestAliasedCalls(t *testing.T) {
	seen := map[bool]int{}
	for seed := range sample.Seeds(0, 200) {
		r := rand.New(rand.NewPCG(seed, 41))
		d := newDraft(memory.Options{})
		objects := make([]*memory.Object, 3)
		for i := range objects {
			objects[i] = d.object(fmt.Sprint("o", i), integer)
		}
		sets, args := make([][]int, 2), make([]*expr.Expr, 2)
		for i := range args {
			sets[i] = []int{r.IntN(3), r.IntN(3)}
			args[i] = d.variable(fmt.Sprint("a", i), pointer, cfa.Local)
			d.Assign(args[i], d.mem.AddressIn(objects[sets[i][0]], 0), pos(2))
			yes, no := d.Branch(d.Pool.Truth(d.Any(expr.Int32, "choice", "", pos(2))), pos(2))
			d.Continue(yes)
			d.Assign(args[i], d.mem.AddressIn(objects[sets[i][1]], 0), pos(2))
			d.Join(no)
		}
		var accesses []bodyAccess
		for range 1 + r.IntN(4) {
			accesses = append(accesses, bodyAccess{r.IntN(3) - 1, r.IntN(3), r.IntN(3) == 0})
		}
		call := d.Emit(cfa.Call{Callee: "set", Args: args, Ret: expr.Bool}, pos(3))
		d.bodyOf(call, objects, accesses)
		d.Emit(cfa.Halt{Reason: "end"}, pos(99))
		an, err := d.mem.Analyse(context.Background())
		require.NoError(t, err)
		want := aliased(sets, accesses)
		seen[want]++
		require.Equal(t, want, len(an.AliasedCalls()) > 0, "seed %d: %v %v", seed, sets, accesses)
	}
	require.Greater(t, min(seen[true], seen[false]), 5)
}

// bodyOf writes the body of the routine that a call calls.
func (d *draft) bodyOf(call cfa.Loc, objects []*memory.Object, accesses []bodyAccess) {
	d.OutOfLine(func() {
		frame := d.NewFrame("set", pos(4))
		params := make([]*expr.Expr, 2)
		for i := range params {
			params[i] = d.NewVar(fmt.Sprint("p", i), fmt.Sprint("set::p", i), expr.Uint64)
			d.List(cfa.Var{Expr: params[i], Name: fmt.Sprint("p", i), Kind: cfa.Local, Frame: frame, Pos: pos(4)})
			d.mem.MarkPointer(params[i], true)
		}
		x := d.NewVar("x", "set::x", expr.Int32)
		d.List(cfa.Var{Expr: x, Name: "x", Kind: cfa.Local, Frame: frame, Pos: pos(4)})
		d.mem.CallsBody(call, &memory.Body{Begin: d.Emit(cfa.Goto{}, pos(4)), Params: params,
			Structures: make([]*memory.Object, len(params))})
		for _, a := range accesses {
			base := d.mem.AddressIn(objects[a.object], 0)
			if a.param >= 0 {
				base = params[a.param]
			}
			if a.write {
				d.Emit(memory.Store{To: at(base, 0), Val: d.Pool.Int(expr.Int32, 1)}, pos(4))
			} else {
				d.Emit(memory.Load{LHS: x, From: at(base, 0)}, pos(4))
			}
		}
		d.Emit(cfa.Return{}, pos(5))
	})
}

// aliased executes a body with all arguments that its parameters may have.
func aliased(sets [][]int, accesses []bodyAccess) bool {
	for _, p0 := range sets[0] {
		for _, p1 := range sets[1] {
			paths, written := map[int][]int{}, map[int]bool{}
			for _, a := range accesses {
				o := a.object
				if a.param >= 0 {
					o = []int{p0, p1}[a.param]
				}
				if !slices.Contains(paths[o], a.param) {
					paths[o] = append(paths[o], a.param)
				}
				written[o] = written[o] || a.write
			}
			for o, by := range paths {
				if len(by) > 1 && written[o] {
					return true
				}
			}
		}
	}
	return false
}
