package cegar

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/component"
	"magus/evidence/certificate"
)

// TestForgottenEffects: where an automaton keeps what the body of a called routine
// writes, a certificate for it is refused, and the call and the variable are named.
// The certificates here are empty, so that the right automaton is refused for that.
func TestForgottenEffects(t *testing.T) {
	const head = "void *malloc(__SIZE_TYPE__); void *memcpy(void *, const void *, __SIZE_TYPE__);\n"
	for _, test := range []struct{ name, c, spec, want string }{
		{"a global", "int g; int f(void) { g = 5; return 1; } int main(void) { f(); return g; }", "",
			"p.c:2:58: the call of f leaves g as it is, its body assigns that"},
		{"a static local of what it calls", "int h(int d) { static int n; return n += d; } int f(void) { " +
			"return h(1); } int main(void) { f(); return h(0); }", "",
			"the call of f leaves n as it is"},
		{"a local of the caller", "int f(int *p) { *p = 5; return 1; } int main(void) { int x = 1; f(&x); return x; }", "",
			"the call of f leaves x as it is"},
		{"a local of the caller through a global", "int *p; int f(void) { *p = 5; return 1; } " +
			"int main(void) { int x = 1; p = &x; f(); return x; }", "",
			"the call of f leaves x as it is"},
		{"an allocated object in a list", "struct n { int v; struct n *next; } *l; int f(void) { " +
			"for (struct n *e = l; e; e = e->next) e->v = 5; return 1; } " +
			"int main(void) { struct n *e = malloc(sizeof *e); if (!e) return 0; e->v = 1; e->next = 0; l = e; " +
			"f(); return e->v; }", "",
			"as it is"},
		{"a pointer", "int a, b, *p = &a; int f(void) { p = &b; return 1; } int main(void) { f(); *p = 3; return b; }", "",
			"the call of f leaves p as it is"},
		{"through bytes", "unsigned char b[sizeof(int *)]; int f(void) { int *p; memcpy(&p, b, sizeof p); " +
			"*p = 5; return 1; } " +
			"int main(void) { int x = 1, *q = &x; memcpy(b, &q, sizeof q); f(); return x; }", "",
			"the call of f leaves x as it is"},
		{"in a procedure that is inlined", "int g; int f(void) { g = 5; return 1; } void h(void) { f(); } " +
			"int main(void) { h(); return g; }", "",
			"the call of f leaves g as it is"},
		{"a routine that calls itself beside it", "int g; int f(void) { g = 5; return 1; } int r(int n) { " +
			"return n ? r(n - 1) : 1; } int main(void) { r(3); f(); return g; }",
			"procedure r { abstract { a, (1), F }; }\n", "the call of f leaves g as it is"},
	} {
		t.Run(test.name, func(t *testing.T) {
			claim := claimOf(t, head+test.c, "program main { specification s, {(1)}, S; }\nS = (a -> STOP).\n"+
				"F = ( return {$0 == 1} -> STOP ).\nprocedure f { abstract { a, (1), F }; }\n"+test.spec)
			claim = claimNamed(t, claim)
			s, err := NewSession(t.Context(), claim, Options{})
			require.NoError(t, err)
			defer s.Close()
			require.Nil(t, s.outcome)
			subject, err := s.subject(t.Context(), nil)
			require.NoError(t, err)
			c := &certificate.Certificate{Verdict: "conforms", Components: []certificate.Component{{Name: "main"}}}
			require.ErrorContains(t, c.Check(t.Context(), subject), "component main has no states")
			system := *subject.System
			system.Components = []*component.Component{forgetful(system.Components[0])}
			subject.System = &system
			require.ErrorContains(t, c.Check(t.Context(), subject), test.want)
		})
	}
}

// claimNamed is the claim about main among those of the same sources.
func claimNamed(t *testing.T, c *component.Claim) *component.Claim {
	all := claims(c.Sources)
	i := slices.IndexFunc(all, func(c *component.Claim) bool { return c.Procedures[0] == "main" })
	require.GreaterOrEqual(t, i, 0)
	return all[i]
}

// forgetful is a component whose calls change nothing but their results.
func forgetful(c *component.Component) *component.Component {
	auto := *c.CFA
	auto.Locs = slices.Clone(auto.Locs)
	for i, loc := range auto.Locs {
		switch s := loc.Stmt.(type) {
		case cfa.Call:
			s.Clobbers = nil
			auto.Locs[i].Stmt = s
		case cfa.Assign:
			if s.Body != "" {
				auto.Locs[i].Stmt = cfa.Goto{}
			}
		}
	}
	copied := *c
	copied.CFA = &auto
	return &copied
}
