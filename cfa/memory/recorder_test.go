package memory_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/smt/expr"
)

// TestRecords: what changes memory without variables is recorded with all that it may change, if something reads such
// memory. Where any value may stand, what was there before included, nothing is recorded, and that is said.
func TestRecords(t *testing.T) {
	array := &memory.Type{Size: 16, Elem: integer, Len: 4}
	for name, c := range map[string]struct {
		write      func(d *draft, a memory.Ref)
		want       []string
		unrecorded int
	}{
		"nothing": {func(d *draft, a memory.Ref) {}, nil, 0},
		"a store": {func(d *draft, a memory.Ref) {
			d.Emit(memory.Store{To: a, Val: d.Pool.Int(expr.Int32, 7)}, pos(3))
		}, []string{"write 4 7"}, 0},
		"a store of any value": {func(d *draft, a memory.Ref) {
			d.Emit(memory.Store{To: a, Nondet: "float", Approx: "floating point"}, pos(3))
		}, []string{"write 4 ?"}, 0},
		"a fill": {func(d *draft, a memory.Ref) {
			a.Idx = nil
			d.Emit(memory.Fill{To: a, Size: 16, Val: d.Pool.Int(expr.Uint8, 1)}, pos(3))
		}, []string{"fill 16 1"}, 0},
		"a fill of any value": {func(d *draft, a memory.Ref) {
			a.Idx = nil
			d.Emit(memory.Fill{To: a, Size: 16, Nondet: "uninitialised"}, pos(3))
		}, nil, 1},
		"a copy": {func(d *draft, a memory.Ref) {
			a.Idx = nil
			d.Emit(memory.Copy{To: a, From: at(d.mem.AddressIn(d.object("b", array), 0), 0), Size: 16}, pos(3))
		}, []string{"forget 16 0"}, 0},
		"a body": {func(d *draft, a memory.Ref) {
			call := d.Emit(cfa.Call{Callee: "set", Ret: expr.Bool}, pos(3))
			d.body(call, func() {})
		}, []string{"forget 0 0"}, 0},
		"a routine without a body": {func(d *draft, a memory.Ref) {
			d.Emit(memory.UnknownCall{Name: "f", Args: []*expr.Expr{a.Base}}, pos(3))
		}, nil, 1},
	} {
		for _, read := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, read: %v", name, read), func(t *testing.T) {
				d := newDraft(memory.Options{Modelling: cfa.Modelling{ArrayLimit: 1}})
				i, x := d.variable("i", integer, cfa.Param), d.variable("x", integer, cfa.Local)
				a := at(d.mem.AddressIn(d.object("a", array), 0), 0, memory.Index{I: i, Stride: 4, N: 4})
				c.write(d, a)
				if read {
					d.Emit(memory.Load{LHS: x, From: a}, pos(4))
				}
				var got []string
				auto := d.build(t)
				for _, loc := range auto.Locs {
					s, _ := loc.Stmt.(cfa.Assign)
					if s.Memory == nil || s.Memory.Kind == cfa.Read {
						continue
					}
					kind := map[cfa.AccessKind]string{cfa.Write: "write", cfa.Fill: "fill", cfa.Forget: "forget"}[s.Memory.Kind]
					value := "?"
					if s.RHS != nil {
						value = fmt.Sprint(s.RHS.Value())
					}
					got = append(got, fmt.Sprintf("%s %d %s", kind, s.Memory.Size, value))
				}
				want := c.want
				if !read {
					want = nil
				}
				require.Equal(t, want, got)
				require.Len(t, d.mem.Unrecorded(), c.unrecorded)
			})
		}
	}
}
