package cegar

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/bench/families"
	"magus/cfa/source"
	"magus/component"
	"magus/evidence/verdict"
	"magus/internal/sample"
	"magus/specs"
)

// TestManyComponents: the families have the expected verdicts whatever is left out of the search, each with
// a certificate that holds, and violations are equally long.
func TestManyComponents(t *testing.T) {
	sample.Long(t)
	ctx := context.Background()
	for _, f := range families.All() {
		for _, broken := range []bool{false, true} {
			q := f.Of(5, broken)
			lengths := map[int]bool{}
			for _, opt := range []Options{{}, {Loop: Loop{Check: true}}, {Loop: Loop{AllOrders: true}},
				{Loop: Loop{Alone: true}}, {Loop: Loop{Alone: true, AllOrders: true}}, {Loop: Loop{Search: DepthFirst}},
				{Loop: Loop{BreadthPairs: 4}},
				{Loop: Loop{ActionAbstraction: Off}}, {Loop: Loop{Compositional: true}}} {
				claim := claimOf(t, q.C, q.Spec)
				s, err := NewSession(ctx, claim, opt)
				require.NoError(t, err)
				o := s.Run(ctx, nil)
				require.Equal(t, q.Violates, o.Verdict == verdict.Violates, "%s %+v: %v", f.Name, opt, o.Reason)
				require.NotEqual(t, verdict.Unknown, o.Verdict, "%s %+v: %v", f.Name, opt, o.Reason)
				if q.Violates && !o.Run.Longer {
					lengths[len(o.Run.Trace)] = true
				}
				c, err := s.Certificate(ctx)
				require.NoError(t, err)
				require.NoError(t, VerifyCertificate(ctx, claim, Options{}, c), "%s %+v", f.Name, opt)
				s.Close()
			}
			require.LessOrEqual(t, len(lengths), 1, f.Name)
		}
	}
}

// TestIterationsOfMany: the iterations do not grow with the number of components of one shape, and neither does the
// product more than by its square.
func TestIterationsOfMany(t *testing.T) {
	ctx := context.Background()
	for _, f := range families.All() {
		var iterations []int
		for _, n := range []int{6, 24} {
			q := f.Of(n, false)
			s, err := NewSession(ctx, claimOf(t, q.C, q.Spec), Options{})
			require.NoError(t, err)
			o := s.Run(ctx, nil)
			s.Close()
			require.Equal(t, verdict.Conforms, o.Verdict, "%s: %v", f.Name, o.Reason)
			iterations = append(iterations, o.Loop.Stats.Iterations)
			require.LessOrEqual(t, o.Loop.Stats.ProductStates, n*n+n, f.Name)
		}
		require.Equal(t, iterations[0], iterations[1], f.Name)
	}
}

// TestOfferedPaths: what is refuted in one station of a ring is refuted in all of them, and all of them are
// refined in the same iteration; alone, they are refined one after the other.
func TestOfferedPaths(t *testing.T) {
	ctx := context.Background()
	refined := func(opt Options) (first DataRefined, iterations int) {
		q := families.Ring(9, false)
		s, err := NewSession(ctx, claimOf(t, q.C, q.Spec), opt)
		require.NoError(t, err)
		defer s.Close()
		o := s.Run(ctx, func(e Event) {
			if r, ok := e.(DataRefined); ok && first.Predicates == nil {
				first = r
			}
		})
		require.Equal(t, verdict.Conforms, o.Verdict)
		return first, o.Loop.Stats.Iterations
	}
	first, iterations := refined(Options{})
	require.Len(t, first.All(), 8, "all but the one that has the token first")
	for _, r := range first.All() {
		require.Equal(t, first.Added, r.Added)
		require.Nil(t, r.Also)
	}
	alone, longer := refined(Options{Loop: Loop{Alone: true}})
	require.Less(t, len(alone.All()), 8)
	require.Greater(t, longer, iterations)
}

// TestOfferedInVain: what one component cannot take, and another of its shape can, refines the one only; after a number
// of these the other is offered no more.
func TestOfferedInVain(t *testing.T) {
	ctx := context.Background()
	claim := claimOf(t, `
void p(void) { int x = 9; __MAGUS_ACTION__("a"); if (x < 5) __MAGUS_ACTION__("b"); }
void q(void) { int x = 3; __MAGUS_ACTION__("c"); if (x < 5) __MAGUS_ACTION__("d"); }
`, "S = (a -> S | c -> S | d -> S) + {b}.\nprogram p, q { specification s, {(1), (1)}, S; }")
	s, err := NewSession(ctx, claim, Options{})
	require.NoError(t, err)
	defer s.Close()
	var steps []int32
	o := s.Run(ctx, func(e Event) {
		if v, ok := e.(ValidatedC); ok && v.Spurious {
			require.Equal(t, []int{0}, s.refine)
			steps = s.comps[0].abs.Steps(s.comps[0].spurious[0].path)
		}
	})
	require.Equal(t, verdict.Conforms, o.Verdict)
	q := s.comps[1]
	require.Equal(t, 1, q.fruitless)
	for range 2 * fruitless {
		require.NoError(t, q.take(ctx, steps))
	}
	require.Equal(t, fruitless, q.fruitless)
	require.Empty(t, q.spurious)
}

// chain is a question about n stations that take what comes and pass it on, unless they lose it: none does. The station
// of each number has a statement more than the one before, so that no two have one shape.
func chain(n int, loses bool) (c, spec string) {
	var text, actions, names, guards strings.Builder
	for i := range n {
		most := 10
		if loses && i == n-1 {
			most = 9
		}
		fmt.Fprintf(&text, `void s%d(void) { int x = 1; int have = 0; while (1) { __MAGUS_ACTION__("t%d"); have = 10; %s
			if (have <= %d) { __MAGUS_ACTION__("t%d"); } else { __MAGUS_ACTION__("lost%d"); } } }`+"\n",
			i, i, strings.Repeat("x = x * 2; ", i), most, i+1, i)
		fmt.Fprintf(&actions, ", lost%d", i)
		fmt.Fprintf(&names, ", s%d", i)
		guards.WriteString(", (1)")
	}
	return text.String(), fmt.Sprintf("S = ( t0 -> S ) + {%s}.\nprogram %s { specification s, {%s}, S; }",
		actions.String()[2:], names.String()[2:], guards.String()[2:])
}

// TestOthersOfOneSearch: what several components lack is found by one search, and refines all of them at
// once; with or without it the verdict and the violation are the same.
func TestOthersOfOneSearch(t *testing.T) {
	ctx := context.Background()
	for _, loses := range []bool{false, true} {
		c, spec := chain(6, loses)
		var before *verdict.Outcome
		for _, alone := range []bool{true, false} {
			most, besides := 0, 0
			s, err := NewSession(ctx, claimOf(t, c, spec), Options{Loop: Loop{Alone: alone, Check: true}})
			require.NoError(t, err)
			o := s.Run(ctx, func(e Event) {
				if v, ok := e.(ValidatedC); ok && v.Spurious {
					most, besides = max(most, len(v.All())), besides+len(v.Besides)
				}
			})
			s.Close()
			require.Equal(t, loses, o.Verdict == verdict.Violates, o.Reason)
			require.NotEqual(t, verdict.Unknown, o.Verdict, o.Reason)
			require.Less(t, o.Loop.Stats.Iterations, 5)
			if alone {
				require.Positive(t, besides)
				require.Greater(t, most, 2)
				before = o
			} else if loses {
				require.Equal(t, before.Run.Trace, o.Run.Trace)
			}
		}
	}
}

// TestAlike: stations that have one abstraction, and are written one by one, are refined in one iteration.
func TestAlike(t *testing.T) {
	ctx := context.Background()
	c, spec := chain(6, false)
	spec = strings.Replace(spec, "{lost0, lost1, lost2, lost3, lost4, lost5}", "{lost0}", 1) // one at a time
	for _, alone := range []bool{true, false} {
		s, err := NewSession(ctx, claimOf(t, c, spec), Options{Loop: Loop{Alone: alone, Check: true}})
		require.NoError(t, err)
		var first ValidatedC
		o := s.Run(ctx, func(e Event) {
			if v, ok := e.(ValidatedC); ok && v.Spurious && first.Length == 0 {
				first = v
				require.Equal(t, alone, len(s.refine) == 1)
			}
		})
		s.Close()
		require.Equal(t, verdict.Conforms, o.Verdict, o.Reason)
		require.NotZero(t, first.Length)
	}
}

// TestShapes: components that differ in names and numbers have one shape; what they compute, and in which order, makes
// a difference.
func TestShapes(t *testing.T) {
	claim := claimOf(t, `int g; int __VERIFIER_nondet_int(void);
void a(void) { int x = 0; while (x < 3) { __MAGUS_ACTION__("p"); x = x + 1; } }
void b(void) { int y = 0; while (y < 3) { __MAGUS_ACTION__("q"); y = y + 1; } }
void c(void) { int x = 0; while (x < 4) { __MAGUS_ACTION__("r"); x = x + 1; } }
void d(void) { unsigned x = 0; while (x < 3) { __MAGUS_ACTION__("s"); x = x + 1; } }
void e(void) { int x = 0; while (x < 3) { __MAGUS_ACTION__("t"); g = x + 1; } }
void f(void) { int x = 1; while (x < 3) { __MAGUS_ACTION__("u"); x = x + 3; } }
void h(void) { int x = 0; while (x > 3) { __MAGUS_ACTION__("v"); x = x + 1; } }
`, "S = (p -> S).\nprogram a, b, c, d, e, f, h { specification s, {(1), (1), (1), (1), (1), (1), (1)}, S; }")
	s, err := NewSession(context.Background(), claim, Options{})
	require.NoError(t, err)
	defer s.Close()
	require.Equal(t, [][]int{{1, 2, 5}, {0, 2, 5}, {0, 1, 5}, nil, nil, {0, 1, 2}, nil}, s.sameShape)
}

// TestManyDeadlocks: who gets stuck is found, and that nobody does is proved, whatever is left out of the
// search, each with a certificate that holds; the search of many does not grow faster than their cube.
func TestManyDeadlocks(t *testing.T) {
	sample.Long(t)
	ctx := context.Background()
	decide := func(q families.Question, opt Options) (*component.Claim, *Session, *verdict.Outcome) {
		t.Helper()
		all := sourcesOf(t, []source.Source{{Name: "p.c", Text: []byte(q.C)}},
			[]specs.Source{{Name: "p.spec", Text: []byte(q.Spec)}}, nil)
		claim, err := all.DeadlockClaim(all.Specs.Programs[0])
		require.NoError(t, err)
		s, err := NewSession(ctx, claim, opt)
		require.NoError(t, err)
		o := s.Run(ctx, nil)
		require.Equal(t, q.Violates, o.Verdict == verdict.Violates, "%+v: %v", opt, o.Reason)
		require.NotEqual(t, verdict.Unknown, o.Verdict, "%+v: %v", opt, o.Reason)
		return claim, s, o
	}
	for _, f := range families.Deadlocks() {
		for _, broken := range []bool{false, true} {
			for _, opt := range []Options{{}, {Loop: Loop{Check: true}}, {Loop: Loop{AllOrders: true}},
				{Loop: Loop{Alone: true}},
				{Loop: Loop{Search: DepthFirst}}, {Loop: Loop{ActionAbstraction: Off}}, {Loop: Loop{Compositional: true}}} {
				claim, s, _ := decide(f.Of(4, broken), opt)
				c, err := s.Certificate(ctx)
				require.NoError(t, err)
				require.NoError(t, VerifyCertificate(ctx, claim, Options{}, c), "%s %+v", f.Name, opt)
				s.Close()
			}
			_, s, o := decide(f.Of(24, broken), Options{})
			s.Close()
			require.Less(t, o.Loop.Stats.ProductStates, 24*24*24, f.Name)
		}
	}
}
