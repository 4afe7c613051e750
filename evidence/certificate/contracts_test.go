package certificate_test

import (
	"context"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/internal/sample"
	"magus/smt/expr"
)

// A recursive is two programs of which an engine proves the first, and what the calls of the procedure in them do: the
// first argument, the second, and the result.
type recursive struct {
	pair
	calls  [][3]int32
	engine cegar.Engine
}

func recursives() []recursive {
	claim := magus.Property{Question: magus.NoError}
	var sums, loops, odds, mosts [][3]int32
	for m := range int32(6) {
		for n := range int32(6) {
			sums = append(sums, [3]int32{m, n, m + n})
		}
		loops = append(loops, [3]int32{m, 0, 3 * m})
		odds = append(odds, [3]int32{m, 0, m & 1})
		mosts = append(mosts, [3]int32{m, 0, min(m, 4)})
	}
	return []recursive{
		{pair{name: "a sum", question: claim, c: nondet + "int add(int m, int n) { if (n <= 0) return m; " +
			"return add(m + 1, n - 1); } int main(void) { int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(); " +
			"if (m < 0 || n < 0 || m > 5 || n > 5000) return 0; if (add(m, n) != m + n + @) reach_error(); return 0; }",
			good: "0", bad: "(n == 3)"}, sums, cegar.ContractsEngine},
		{pair{name: "a loop within", question: claim, c: nondet + "int sum(int n) { int s = 0, i; if (n <= 0) return 0; " +
			"for (i = 0; i < 3; i++) s = s + 1; return s + sum(n - 1); } int main(void) { " +
			"int n = __VERIFIER_nondet_int(); if (n < 0 || n > 5000) return 0; if (sum(n) != 3 * n + @) reach_error(); " +
			"return 0; }", good: "0", bad: "(n == 2)"}, loops, cegar.ContractsEngine},
		{pair{name: "two that call each other", question: claim, c: nondet + "int even(int n); int odd(int n) { " +
			"if (n == 0) return 0; return even(n - 1); } int even(int n) { if (n == 0) return 1; return odd(n - 1); } " +
			"int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0; " +
			"if (odd(n) != (n & 1) + @) reach_error(); return 0; }", good: "0", bad: "(n == 4)"}, odds, cegar.ContractsEngine},
		{pair{name: "summaries", question: claim, c: nondet + "int most(int n) { if (n < 0) return 0; " +
			"if (n > 4) return 4; return n; } int main(void) { int n = __VERIFIER_nondet_int(); " +
			"if (most(n) > 4 - @) reach_error(); if (most(n - 1) < 0) reach_error(); return 0; }",
			good: "0", bad: "(n == 7)"}, mosts, cegar.SummariesEngine},
	}
}

// Of contracts with one thing changed none shows a claim that does not hold, and one that is accepted says nothing of a
// call that is not so.
func TestForgedContractsAreRefused(t *testing.T) {
	sample.Long(t)
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	tried, accepted := 0, 0
	for _, p := range recursives() {
		t.Run(p.name, func(t *testing.T) {
			opt := magus.Options{Loop: magus.Loop{Engine: p.engine}}
			good, bad := p.claimOf(t, p.good), p.claimOf(t, p.bad)
			c, _ := decided(t, good, opt, "conforms")
			require.NotNil(t, c.Contracts)
			require.True(t, p.so(c), "%s", written(t, c))
			require.NoError(t, magus.Verify(context.Background(), good, opt, readAgain(t, c)))
			refusedForged(t, bad, opt, forgery{"nothing", c})
			some, _ := forgeries(t, rnd, c, sample.Count(20))
			for _, f := range some {
				if f.cert = readAgain(t, f.cert); f.cert == nil || f.cert.Verdict == "unknown" {
					continue
				}
				tried++
				refusedForged(t, bad, opt, f)
				if err := magus.Verify(context.Background(), good, opt, f.cert); err != nil {
					isRefused(t, err, f.what)
					continue
				}
				accepted++
				require.True(t, f.cert.Contracts == nil || p.so(f.cert), "%s is accepted, and is not so:\n%s", f.what,
					written(t, f.cert))
			}
		})
	}
	t.Logf("%d forgeries tried, %d show the claim as well", tried, accepted)
}

// so reports whether contracts say nothing of the calls that is not so.
func (p recursive) so(c *certificate.Certificate) bool {
	for _, k := range c.Contracts.List {
		if k.Body != 1 || k.On != certificate.OnEntry && k.On != certificate.OnExit {
			continue
		}
		for _, call := range p.calls {
			for _, h := range k.Holds {
				if valueOf(&c.Components[0], h, call) == 0 {
					return false
				}
			}
		}
	}
	return true
}

// valueOf is the value of a term at the end of a call; what is not about the call is not looked at.
func valueOf(c *certificate.Component, k int, call [3]int32) uint64 {
	pool := expr.NewPool()
	terms := make([]*expr.Expr, len(c.Terms))
	for i, t := range c.Terms {
		switch t.Op {
		case expr.Var:
			terms[i] = pool.Var(t.Name, t.Type)
		case expr.Const:
			if terms[i] = pool.Bool(t.Value != 0); !t.Type.IsBool() {
				terms[i] = pool.Const(t.Type, t.Value)
			}
		default:
			args := make([]*expr.Expr, len(t.Args))
			for j, a := range t.Args {
				args[j] = terms[a]
			}
			terms[i] = pool.Apply(t.Op, t.Type, args...)
		}
	}
	values := map[string]int32{"::$1": call[0], "::$2": call[1], "::return now": call[2]}
	known := true
	v := expr.Eval(terms[k], func(v *expr.Expr) uint64 {
		for end, value := range values {
			if n := len(v.Name()) - len(end); n > 0 && v.Name()[n:] == end {
				return uint64(uint32(value))
			}
		}
		known = false
		return 0
	})
	if !known {
		return 1
	}
	return v
}
