package memory

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/smt/expr"
)

// TestClosureOfBodies: what a body does by others is the code that control can come to in all bodies that it leads to.
func TestClosureOfBodies(t *testing.T) {
	at := cfa.Pos{File: "a.c", Line: 1, Col: 1}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 44))
		b := cfa.NewBuilder(expr.NewPool())
		b.NewFrame("main", cfa.Pos{})
		m := New(b, Options{})
		b.Emit(cfa.Halt{Reason: "end"}, at)
		bodies, calls := make([]*Body, 5), make([][]int, 5)
		code := make([]map[cfa.Loc]bool, len(bodies)) // that control comes to
		for i := range bodies {
			bodies[i] = &Body{}
		}
		b.OutOfLine(func() {
			for i, body := range bodies {
				b.Cut()
				body.Begin = b.Emit(cfa.Goto{}, at)
				code[i] = map[cfa.Loc]bool{body.Begin: true}
				for range r.IntN(4) {
					call := b.Emit(cfa.Call{Callee: "f", Ret: expr.Bool}, at)
					code[i][call] = true
					if r.IntN(2) == 0 {
						to := r.IntN(len(bodies))
						m.CallsBody(call, bodies[to])
						calls[i] = append(calls[i], to)
					}
				}
				code[i][b.Emit(cfa.Return{}, at)] = true
				b.Cut()
				dead := b.Emit(cfa.Call{Callee: "dead", Ret: expr.Bool}, at)
				m.CallsBody(dead, bodies[r.IntN(len(bodies))])
			}
		})
		for i := range bodies {
			reached := map[int]bool{i: true}
			for range bodies {
				for k := range bodies {
					for _, to := range calls[k] {
						reached[to] = reached[to] || reached[k]
					}
				}
			}
			var want []cfa.Loc
			for k := range bodies {
				if reached[k] {
					for l := range code[k] {
						want = append(want, l)
					}
				}
			}
			require.ElementsMatch(t, want, m.closure(bodies[i]), "seed %d: body %d", seed, i)
		}
	}
}

// TestPerforms: a body performs its actions, the routines without a body that it calls, and an error where it may use
// an invalid pointer, or lose memory.
func TestPerforms(t *testing.T) {
	at := cfa.Pos{File: "a.c", Line: 1, Col: 1}
	number := Scalar{Type: expr.Int32}
	for name, c := range map[string]struct {
		opt   Options
		write func(b *cfa.Builder, p *expr.Expr)
		want  []cfa.Performed
	}{
		"nothing": {Options{Modelling: cfa.Modelling{CheckPointers: true, CheckLeaks: true}},
			func(b *cfa.Builder, p *expr.Expr) {}, nil},
		"an action": {Options{}, func(b *cfa.Builder, p *expr.Expr) {
			b.Emit(cfa.Act{Action: "a"}, at)
			b.Emit(cfa.Act{Action: "a"}, at)
		}, []cfa.Performed{{Action: "a", Pos: at}}},
		"a routine": {Options{}, func(b *cfa.Builder, p *expr.Expr) { b.Emit(cfa.Call{Callee: "g", Ret: expr.Bool}, at) },
			[]cfa.Performed{{Routine: "g", Pos: at}}},
		"a pointer": {Options{}, func(b *cfa.Builder, p *expr.Expr) {
			b.Emit(Load{From: Ref{Address: Address{Base: p}, Extent: ExtentOf(number, 4, 0), Scalar: number, Size: 4}}, at)
		}, nil},
		"a pointer, checked": {Options{Modelling: cfa.Modelling{CheckPointers: true}}, func(b *cfa.Builder, p *expr.Expr) {
			b.Emit(Load{From: Ref{Address: Address{Base: p}, Extent: ExtentOf(number, 4, 0), Scalar: number, Size: 4}}, at)
		}, []cfa.Performed{{Action: cfa.ErrorAction, Pos: at}}},
		"memory": {Options{Modelling: cfa.Modelling{CheckLeaks: true}}, func(b *cfa.Builder, p *expr.Expr) {
			b.Emit(Alloc{LHS: p, Site: &Site{Null: true}}, at)
		}, []cfa.Performed{{Action: cfa.ErrorAction, Pos: at}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := cfa.NewBuilder(expr.NewPool())
			b.NewFrame("main", cfa.Pos{})
			m := New(b, c.opt)
			p := b.NewVar("p", "main::p", expr.Uint64)
			call := b.Emit(cfa.Call{Callee: "f", Ret: expr.Bool}, at)
			b.OutOfLine(func() {
				m.CallsBody(call, &Body{Begin: b.Emit(cfa.Goto{}, at)})
				c.write(b, p)
				b.Emit(cfa.Return{}, at)
			})
			require.Equal(t, c.want, m.Performs(call))
		})
	}
}
