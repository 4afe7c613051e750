package memory_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/internal/sample"
	"magus/smt/expr"
)

// TestOverlappingCells: what a cell of a random union holds after stores to others is what its bytes hold, or any
// value.
func TestOverlappingCells(t *testing.T) {
	known, any := 0, 0
	for seed := range sample.Seeds(0, 100) {
		r := rand.New(rand.NewPCG(seed, 43))
		d := newDraft(memory.Options{})
		union := &memory.Type{Size: 8}
		type part struct{ at, size int64 }
		var parts []part
		for i := range 4 {
			p := part{size: 1 << r.IntN(4)}
			p.at = r.Int64N(9 - p.size)
			parts = append(parts, p)
			scalar := &memory.Type{Size: p.size, Scalar: &memory.Scalar{Type: expr.Type{Width: uint8(8 * p.size)}}}
			union.Members = append(union.Members, memory.Member{Name: fmt.Sprint("m", i), At: 8 * p.at, Type: scalar})
		}
		u := d.object("u", union)
		cells := make([]*expr.Expr, len(parts))
		for i, p := range parts {
			s := *union.Members[i].Type.Scalar
			cell, ok := d.mem.Direct(memory.Ref{Address: memory.Address{Base: d.mem.AddressIn(u, 0), Off: p.at},
				Extent: memory.ExtentOf(s, p.size, 0), Scalar: s, Size: p.size})
			require.True(t, ok)
			cells[i] = d.mem.Var(cell)
		}
		var memoryBytes [8]int // -1: not known
		for i := range memoryBytes {
			memoryBytes[i] = -1
		}
		for range 4 {
			i := r.IntN(len(parts))
			value := r.Uint64() & cells[i].Type().Mask()
			d.Assign(cells[i], d.Pool.Const(cells[i].Type(), value), pos(2))
			for k := range parts[i].size {
				memoryBytes[parts[i].at+k] = int(value >> (8 * k) & 0xff)
			}
		}
		vals := straight(d.build(t))
		for i, p := range parts {
			value, ok := vals[cells[i]]
			if !ok {
				any++
				continue
			}
			known++
			for k := range p.size {
				require.Equal(t, memoryBytes[p.at+k], int(value>>(8*k)&0xff), "seed %d: byte %d of %v", seed, k, p)
			}
		}
	}
	require.Positive(t, known)
	require.Positive(t, any)
	require.Greater(t, 2*known, any)
}

// straight executes an automaton without branches, and gives the variables whose values it determines.
func straight(c *cfa.CFA) map[*expr.Expr]uint64 {
	vals := map[*expr.Expr]uint64{}
	for at := c.Entry; len(c.Locs[at].Succ) > 0; at = c.Locs[at].Succ[0] {
		s, ok := c.Locs[at].Stmt.(cfa.Assign)
		if !ok {
			continue
		}
		determined := s.RHS != nil
		if determined {
			for _, v := range expr.Vars(s.RHS) {
				_, has := vals[v]
				determined = determined && has
			}
		}
		if determined {
			vals[s.LHS] = expr.Eval(s.RHS, func(v *expr.Expr) uint64 { return vals[v] })
		} else {
			delete(vals, s.LHS)
		}
	}
	return vals
}
