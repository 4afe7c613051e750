package certificate

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/component"
	"magus/lts"
	"magus/smt/expr"
)

// Predicates that a file has held are the same conditions; what has no operands, or is no condition, is left out.
func TestPredicatesInFiles(t *testing.T) {
	prog, err := source.Parse(t.Context(), []source.Source{{Name: "p.c",
		Text: []byte("int main(void) { int x = 1, y = 2; x = y + x; return x; }")}}, source.Options{})
	require.NoError(t, err)
	auto := lowered(t, prog, "main", lower.Options{})
	pool, vars := auto.Pool, variables(auto)
	var x, y *expr.Expr
	for _, v := range auto.Vars {
		switch v.Name {
		case "x":
			x = v.Expr
		case "y":
			y = v.Expr
		}
	}
	require.NotNil(t, x, vars)
	require.NotNil(t, y, vars)
	conds := []*expr.Expr{pool.Lt(x, y), pool.Eq(pool.Add(x, y), pool.Const(expr.Int32, 7)), pool.Not(pool.Lt(y, x))}
	text, err := json.Marshal(NewPredicates("main", conds))
	require.NoError(t, err)
	var back Predicates
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, conds, back.In(auto))
	strange := NewPredicates("main", append(conds, pool.Lt(pool.Var("strange", expr.Int32), x)))
	require.Equal(t, conds, strange.In(auto))
	for i, term := range back.Terms {
		for k := range term.Args {
			for _, other := range []int{-1, i, i + 1, len(back.Terms), len(back.Terms) + 9} {
				was := term.Args[k]
				term.Args[k] = other // the terms share their operands with back
				require.Less(t, len(back.In(auto)), len(conds), "term %d of %v", other, term)
				term.Args[k] = was
			}
		}
	}
	for _, a := range []int{-1, len(back.Terms)} {
		other := back
		other.Atoms = []int{back.Atoms[0], a}
		require.Equal(t, conds[:1], other.In(auto))
	}
	var term Term
	require.Error(t, json.Unmarshal([]byte(`["+","i32",0.5,1]`), &term))
	require.Error(t, json.Unmarshal([]byte(`{}`), &term))
}

// A check that nobody waits for any more says so, and not that the certificate is refused or shown.
func TestChecksEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	names := lts.NewActions()
	one := ring(names, "a")
	sub := &Subject{System: &component.System{Copies: []int{1}, Spec: one}}
	c := &Certificate{Verdict: "conforms"}
	checkers := []*Checker{{prog: &program{standing: map[lts.Action]lts.Standing{}}}}
	require.NoError(t, c.checkTuples(t.Context(), sub, checkers, []*lts.LTS{one}))
	require.ErrorIs(t, c.checkTuples(ctx, sub, checkers, []*lts.LTS{one}), context.Canceled)

	prog, err := source.Parse(t.Context(), []source.Source{{Name: "p.c", Text: []byte("#include <pthread.h>\n" +
		"void *f(void *p) { return p; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }")}},
		source.Options{})
	require.NoError(t, err)
	auto := lowered(t, prog, "main", lower.Options{Threads: 1})
	require.NotEmpty(t, auto.Threads)
	threads := &ThreadSubject{Component: &component.Component{Name: "main", CFA: auto, Actions: names}}
	run := &Certificate{Verdict: "violates",
		Threads: &Threads{By: []int{0}, Run: &Run{Moves: []Move{{To: Node{Kind: End}}}}}}
	var no *RefutedError
	require.ErrorAs(t, run.CheckThreads(t.Context(), threads), &no)
	require.ErrorIs(t, run.CheckThreads(ctx, threads), context.Canceled)
}
