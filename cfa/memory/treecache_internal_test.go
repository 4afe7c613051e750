package memory

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/smt/expr"
)

// TestTreesAreThoseOfNow: in random programs with pointers to very many targets, of which accesses make ever
// more cells, the tree of each access is the one that is made for it alone.
func TestTreesAreThoseOfNow(t *testing.T) {
	shared := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		b := cfa.NewBuilder(expr.NewPool())
		b.NewFrame("main", cfa.Pos{})
		m := New(b, Options{})
		at := cfa.Pos{File: "a.c", Line: 1, Col: 1}
		b.Emit(cfa.Goto{}, at)
		number := &Type{Size: 4, Scalar: &Scalar{Type: expr.Int32}}
		pair := &Type{Size: 8, Members: []Member{{Name: "n", At: 0, Type: number}, {Name: "m", At: 32, Type: number}}}
		var objects []*Object
		for i := range 40 + r.IntN(20) {
			typ := []*Type{number, pair, {Size: 24}}[r.IntN(3)]
			objects = append(objects,
				m.NewObject(fmt.Sprint("o", i), typ, typ.Size, cfa.Var{Name: fmt.Sprint("o", i), Kind: cfa.Local, Pos: at}))
		}
		pointers := make([]*expr.Expr, 4)
		for i := range pointers {
			name := fmt.Sprint("p", i)
			pointers[i] = b.NewVar(name, "main::"+name, expr.Uint64)
			b.List(cfa.Var{Expr: pointers[i], Name: name, Kind: cfa.Local, Pos: at})
			m.MarkPointer(pointers[i], true)
			if i > 1 { // one of those before
				b.Assign(pointers[i], pointers[r.IntN(i)], at)
				continue
			}
			for _, o := range objects {
				yes, no := b.Branch(b.Pool.Truth(b.Any(expr.Int32, "choice", "", at)), at)
				b.Continue(yes)
				b.Assign(pointers[i], m.AddressIn(o, int64(r.IntN(2)*4)), at)
				b.Continue(append(b.Ends(), no...))
			}
		}
		got := b.NewVar("got", "main::got", expr.Int32)
		b.List(cfa.Var{Expr: got, Name: "got", Kind: cfa.Local, Pos: at})
		for range 20 {
			s := []Scalar{{Type: expr.Int32}, {Type: expr.Uint8}, {Type: expr.Uint64},
				{Class: Pointer, Type: expr.Uint64}}[r.IntN(4)]
			size := int64(s.Type.Width / 8)
			ref := Ref{Address: Address{Base: pointers[r.IntN(4)], Off: int64(r.IntN(3) * 4),
				Pointee: []*Type{nil, number, pair}[r.IntN(3)]},
				Extent: ExtentOf(s, size, 0), Scalar: s, Size: size, Loose: r.IntN(4) == 0}
			if r.IntN(2) == 0 && s.Type == expr.Int32 {
				b.Emit(Load{LHS: got, From: ref, Text: "*p"}, at)
			} else {
				b.Emit(Store{To: ref, Val: b.Pool.Const(s.Type, 1)}, at)
			}
		}
		b.Emit(cfa.Halt{Reason: "end"}, at)
		a, err := m.Analyse(context.Background())
		require.NoError(t, err)
		same := func() {
			for i := range b.Len() {
				for k, ref := range a.refs(cfa.Loc(i)) {
					targets := a.pts.targets(a.pts.used[cfa.Loc(i)][k])
					require.Equal(t, a.find.searchAddress(targets, ref), a.find.cachedTree(targets, ref), "seed %d: %v",
						seed, b.At(cfa.Loc(i)).Stmt)
				}
			}
		}
		same()
		for _, o := range objects { // one cell more
			if o.untyped {
				s := Scalar{Type: expr.Uint8}
				(demands{a}).demandLeaf(o, ExtentOf(s, 1, 0).moved(8*r.Int64N(24)), s)
				same()
				break
			}
		}
		shared += len(a.find.trees)

	}
	require.Positive(t, shared)
}
