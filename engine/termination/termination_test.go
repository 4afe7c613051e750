package termination_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/source"
	"magus/evidence/certificate"
	"magus/internal/sample"
	"magus/smt/expr"
)

// claimOf asks whether all runs of f end.
func claimOf(t *testing.T, text string) *magus.Claim {
	t.Helper()
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(text)}}})
	require.NoError(t, err)
	c, err := p.Property(magus.Property{Question: magus.Terminates, Entry: "f"})
	require.NoError(t, err)
	return c
}

const anyInt = "int any(void);\n"

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text             string
		wraps, undefined magus.Verdict
	}{
		"up to a bound":      {"void f(int n) { for (int i = 0; i < n; i++) ; }", magus.Conforms, magus.Conforms},
		"up to the greatest": {"void f(int n) { for (int i = 0; i <= n; i++) ; }", magus.Violates, magus.Conforms},
		"never negative":     {"void f(unsigned n) { for (; n >= 0; n--) ; }", magus.Violates, magus.Violates},
		"steps of two": {"void f(unsigned n) { if (n & 1) return; for (unsigned i = 0; i != n; i += 2) ; }",
			magus.Conforms, magus.Conforms},
		"odd for ever": {"void f(void) { for (unsigned i = 1; i; i += 2) ; }", magus.Violates, magus.Violates},
		"nested": {"void f(int n, int m) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) ; }",
			magus.Conforms, magus.Conforms},
		"in lexicographic order": {anyInt + "void f(unsigned a, unsigned b) { while (a && b) if (any()) { " +
			"a--; b = any(); } else b--; }",
			magus.Conforms, magus.Conforms},
		"remainders": {"void f(unsigned a, unsigned b) { while (b) { unsigned t = a % b; a = b; b = t; } }",
			magus.Conforms, magus.Conforms},
		"by chance": {anyInt + "void f(void) { while (any()) ; }", magus.Violates, magus.Violates},
		"every second round": {"void f(short q, short z) { int a = q, b = z; while (a > 0) { " +
			"a = a + b - 1; b = -b; } }", magus.Conforms, magus.Conforms},
		"offsets at heads": {"void f(short n) { int x = n; while (x >= 0) { x = x + 1; int y = 1; " +
			"while (x > y) y++; x = x - 2; } }", magus.Conforms, magus.Conforms},
		"more than unwinding": {"void f(unsigned char x) { unsigned n = x; if (!x) return; " +
			"while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2; }", magus.Conforms, magus.Conforms},
		"recursion": {"unsigned f(unsigned n) { return n ? n * f(n - 1) : 1; }", magus.Conforms, magus.Conforms},
		"two calls": {"unsigned f(unsigned n) { return n < 2 ? n : f(n - 1) + f(n - 2); }",
			magus.Conforms, magus.Conforms},
		"one calls the other": {"int g(unsigned); int f(unsigned n) { return n ? g(n - 1) : 1; } " +
			"int g(unsigned n) { return n ? f(n - 1) : 0; }", magus.Conforms, magus.Conforms},
		"recursion to and fro": {"int f(int x) { if (x <= 0) return x; if (x % 2 == 0) return f(x / 2); " +
			"return f(x + 1) + f(x - 1); }", magus.Unknown, magus.Unknown},
		"recursion for ever": {"int f(int x) { return x > 5 ? f(x) : 0; }", magus.Unknown, magus.Unknown},
		"an end of the process": {"void exit(int); void f(int n) { for (;;) { if (n == 3) exit(0); n = 3; } }",
			magus.Conforms, magus.Conforms},
		"a failing assertion": {"void reach_error(void); void f(int n) { for (;;) reach_error(); }",
			magus.Conforms, magus.Conforms},
		"an unknown value":    {"void f(_Complex double d) { while (d != 1.0) ; }", magus.Unknown, magus.Unknown},
		"a number that stays": {"void f(double d) { while (d < 1.0) ; }", magus.Violates, magus.Violates},
	} {
		t.Run(name, func(t *testing.T) {
			sample.Part(t, 4)
			t.Parallel()
			for overflow, want := range map[cfa.Overflow]magus.Verdict{cfa.OverflowWraps: c.wraps,
				cfa.OverflowEnds: c.undefined} {
				opt := magus.Options{}
				if opt.SignedOverflow = overflow; want == magus.Unknown {
					opt.Recursion = 2
				}
				o, err := magus.Check(t.Context(), claimOf(t, c.text), opt, nil)
				require.NoError(t, err)
				require.Equal(t, want, o.Verdict, "overflow %v: %v", overflow, o.Reason)
				require.Equal(t, want == magus.Violates, o.Run != nil && o.Run.Round != nil)
			}
		})
	}
}

// certified is the certificate of a proof.
func certified(t *testing.T, c *magus.Claim) *certificate.Certificate {
	t.Helper()
	s, err := magus.NewSession(t.Context(), c, magus.Options{})
	require.NoError(t, err)
	defer s.Close()
	for s.Next() != magus.Finished {
		s.Step(t.Context())
	}
	cert, err := s.Certificate(t.Context())
	require.NoError(t, err)
	return cert
}

func TestCertificatesAreChecked(t *testing.T) {
	t.Parallel()
	nested := "void f(int n, int m) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) ; }"
	verify := func(cert *certificate.Certificate) error {
		return magus.Verify(t.Context(), claimOf(t, nested), magus.Options{}, cert)
	}
	require.NoError(t, verify(certified(t, claimOf(t, nested))))
	for name, fault := range map[string]func(*certificate.Certificate){
		"no ranks":      func(c *certificate.Certificate) { c.Ranking.Ranks = nil },
		"no ranking":    func(c *certificate.Certificate) { c.Ranking = nil },
		"one rank less": func(c *certificate.Certificate) { c.Ranking.Ranks = c.Ranking.Ranks[1:] },
		"ranks turned around": func(c *certificate.Certificate) {
			r := c.Ranking.Ranks
			r[0],
				r[len(r)-1] = r[len(r)-1], r[0]
		},
		"a rank of one head": func(c *certificate.Certificate) { r := &c.Ranking.Ranks[0]; r.At = r.At[:1] },
		"no conditions":      func(c *certificate.Certificate) { forget(c) },
		"no layers":          func(c *certificate.Certificate) { c.Ranking.Layers = 0 },
		"another term":       func(c *certificate.Certificate) { r := &c.Ranking.Ranks[0]; r.Terms[0]-- },
	} {
		cert := certified(t, claimOf(t, nested))
		fault(cert)
		var refuted *certificate.RefutedError
		require.ErrorAs(t, verify(cert), &refuted, name)
	}
	other := claimOf(t, "void f(int n, int m) { for (int i = 0; i < n; i++) for (int j = 0; j <= m; j++) ; }")
	require.Error(t, magus.Verify(t.Context(), other, magus.Options{}, certified(t, claimOf(t, nested))))
}

// A NaN is neither less than another number nor greater, so no run is shown to end by a floating-point number
// that gets no greater.
func TestFloatingPointRanksAreRefused(t *testing.T) {
	t.Parallel()
	claim := func() *magus.Claim {
		return claimOf(t, "void f(unsigned n, float x) { while (n > 0) { n--; if (x > 2.0f) x = x + 1.0f; } }")
	}
	cert := certified(t, claim())
	require.NoError(t, magus.Verify(t.Context(), claim(), magus.Options{}, cert))
	terms := &cert.Components[0].Terms
	*terms = append(*terms, certificate.Term{Op: expr.Var, Type: expr.Float32, Name: "x"})
	cert.Ranking.Ranks[0].Terms[0] = len(*terms) - 1
	var refuted *certificate.RefutedError
	require.ErrorAs(t, magus.Verify(t.Context(), claim(), magus.Options{}, cert), &refuted)
}

// forget leaves out what holds at cut points.
func forget(c *certificate.Certificate) {
	for i := range c.Induction.CutPoints {
		c.Induction.CutPoints[i].Invariants = nil
	}
}
