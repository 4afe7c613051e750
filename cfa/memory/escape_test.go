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

// A pointerStep is a statement of a random program on lists: p = &o, p = q, p->next = q, p = q->next or lib(p).
type pointerStep struct {
	kind   string
	p, q   int
	choice bool // it may be passed by
}

// TestCallsMayWriteWhatEscaped: after a call of a routine without a body, each object that a run has let escape has any
// value, as far as runs of random programs tell; an object whose address nothing takes keeps what it has.
func TestCallsMayWriteWhatEscaped(t *testing.T) {
	written, kept := 0, 0
	for seed := range sample.Seeds(0, 60) {
		r := rand.New(rand.NewPCG(seed, 42))
		var steps []pointerStep
		for range 8 {
			kind := []string{"address", "address", "copy", "store", "load", "call"}[r.IntN(6)]
			steps = append(steps, pointerStep{kind, r.IntN(3), r.IntN(3), r.IntN(3) == 0})
		}
		steps = append(steps, pointerStep{kind: "call"})
		changed := writtenBy(t, steps)
		taken := map[int]bool{}
		for _, s := range steps {
			if s.kind == "address" {
				taken[s.q] = true
			}
		}
		for i := range steps {
			for o := range 3 {
				if steps[i].kind == "call" && !taken[o] {
					kept++
					require.False(t, changed[fmt.Sprintf("lib%d o%d.n", i, o)], "seed %d: %v", seed, steps)
				}
			}
		}
		for range 20 {
			runLists(r, steps, func(call, object int) {
				written++
				require.True(t, changed[fmt.Sprintf("lib%d o%d.n", call, object)], "seed %d: %v: step %d may write o%d",
					seed, steps, call, object)
			})
		}
	}
	require.Positive(t, written)
	require.Positive(t, kept)
}

// writtenBy are the cells that the calls of a program give any value.
func writtenBy(t *testing.T, steps []pointerStep) map[string]bool {
	d := newDraft(memory.Options{})
	node := list()
	next := func(p *expr.Expr) memory.Ref {
		return memory.Ref{Address: memory.Address{Base: p, Off: 8}, Extent: memory.ExtentOf(*pointer.Scalar, 8, 0),
			Scalar: *pointer.Scalar, Size: 8}
	}
	var objects []*memory.Object
	var vars []*expr.Expr
	for i := range 3 {
		o := d.object(fmt.Sprint("o", i), node)
		objects = append(objects, o)
		for _, ref := range []memory.Ref{at(d.mem.AddressIn(o, 0), 0), next(d.mem.AddressIn(o, 0))} {
			cell, ok := d.mem.Direct(ref)
			require.True(t, ok)
			d.Assign(d.mem.Var(cell), d.Pool.Const(cell.Scalar().Type, 0), pos(2))
		}
		vars = append(vars, d.variable(fmt.Sprint("p", i), pointer, cfa.Local))
		d.Assign(vars[i], d.Pool.Const(expr.Uint64, 0), pos(2))
	}
	for i, s := range steps {
		var passed cfa.Ends
		if s.choice {
			var yes cfa.Ends
			yes, passed = d.Branch(d.Pool.Truth(d.Any(expr.Int32, "choice", "", pos(3))), pos(3))
			d.Continue(yes)
		}
		switch p, q := vars[s.p], vars[s.q]; s.kind {
		case "address":
			d.Assign(p, d.mem.AddressIn(objects[s.q], 0), pos(3))
		case "copy":
			d.Assign(p, q, pos(3))
		case "store":
			d.Emit(memory.Store{To: next(p), Val: q}, pos(3))
		case "load":
			d.Emit(memory.Load{LHS: p, From: next(q)}, pos(3))
		case "call":
			d.Emit(memory.UnknownCall{Name: fmt.Sprint("lib", i), Args: []*expr.Expr{p}}, pos(3))
		}
		d.Join(passed)
	}
	changed := map[string]bool{}
	for _, loc := range d.build(t).Locs {
		if a, ok := loc.Stmt.(cfa.Assign); ok && a.RHS == nil {
			changed[a.Nondet+" "+a.LHS.Name()] = true
		}
	}
	return changed
}

// runLists makes a run, in which the library links what it knows as it likes, and tells what each call may write.
func runLists(r *rand.Rand, steps []pointerStep, may func(call, object int)) {
	vars, next, escaped := [3]int{-1, -1, -1}, [3]int{-1, -1, -1}, map[int]bool{}
	for i, s := range steps {
		if s.choice && r.IntN(2) == 0 {
			continue
		}
		switch s.kind {
		case "address":
			vars[s.p] = s.q
		case "copy":
			vars[s.p] = vars[s.q]
		case "store", "load":
			of := vars[s.q]
			if s.kind == "store" {
				of = vars[s.p]
			}
			if of < 0 {
				return // NULL
			}
			if s.kind == "store" {
				next[of] = vars[s.q]
			} else {
				vars[s.p] = next[of]
			}
		case "call":
			if vars[s.p] >= 0 {
				escaped[vars[s.p]] = true
			}
			for range next {
				for o := range next {
					if escaped[o] && next[o] >= 0 {
						escaped[next[o]] = true
					}
				}
			}
			for o := range next {
				if !escaped[o] {
					continue
				}
				may(i, o)
				if to := r.IntN(3); r.IntN(2) == 0 && escaped[to] {
					next[o] = to
				}
			}
		}
	}
}
