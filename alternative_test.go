package magus_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/engine/cegar"
	"magus/internal/sample"
)

// A run that rests on a value that is not modelled says nothing of the others: another one
// that violates is found, and where all rest on such values the verdict is unknown.
func TestAnotherRunInThePlaceOfOneThatRestsOnTheUnknown(t *testing.T) {
	sample.Long(t)
	const prelude = `extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern __SIZE_TYPE__ strspn(const char *, const char *); extern char *other(void);
		struct s { int v; struct s *next; }; extern struct s *outer; extern struct s *get(void); extern void set(void *);`
	cases := []struct {
		name, program string
		want          magus.Verdict
	}{
		{"the other branch does", `int main(void) { float f = 1; if (__VERIFIER_nondet_int() == 3) { ` +
			`int k = __VERIFIER_nondet_int(); if (k == 7) reach_error(); } else if (f > 2) reach_error(); return 0; }`,
			magus.Violates},
		{"a later place does", `int main(void) { int n = __VERIFIER_nondet_int(); if (n) { ` +
			`if (strspn(other(), other()) == 2) reach_error(); return 1; } for (int i = 0; i < 3; i++) n++; ` +
			`if (n == 3) reach_error(); return 0; }`, magus.Violates},
		{"another decision does",
			`int main(void) { int n = __VERIFIER_nondet_int(), c = strspn(other(), other()); ` +
				`if (n == 1 && c == 5) reach_error(); if (n == 2) { n++; n++; if (n == 4) reach_error(); } return 0; }`,
			magus.Violates},
		{"a pointer that other code defines", `int main(void) { if (outer->v == 3) reach_error(); return 0; }`,
			magus.Violates},
		{"a pointer to what was given before", `int main(void) { struct s a = { 1, 0 }; set(&a); ` +
			`struct s *p = get(); if (p && p->v == 3) reach_error(); return 0; }`, magus.Violates},
		{"other code need not change it",
			`int main(void) { int v, w = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int(); ` +
				`if (k != 7) if (w != 0) return 0; set(__VERIFIER_nondet_int() ? &v : &w); if (w != 0) reach_error(); ` +
				`return 0; }`, magus.Violates},
		{"other code need not change it on few ways",
			`int main(void) { int v, w = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int(); ` +
				`if (k < 0 || k > 5) if (w != 0) return 0; set(__VERIFIER_nondet_int() ? &v : &w); ` +
				`if (w != 0) reach_error(); return 0; }`, magus.Violates},
		{"other code has to change it", `int main(void) { int v, w = __VERIFIER_nondet_int(); ` +
			`if (w != 0) return 0; set(__VERIFIER_nondet_int() ? &v : &w); if (w != 0) reach_error(); return 0; }`,
			magus.Unknown},
		{"each rests on the unknown", `int main(void) { int c = strspn(other(), other()); ` +
			`if (c == 5) reach_error(); if (c == 6) reach_error(); return 0; }`, magus.Unknown},
		{"nothing else happens", `int main(void) { int n = __VERIFIER_nondet_int(); ` +
			`if (strspn(other(), other()) == 2) reach_error(); if (n > 4 && n < 5) reach_error(); return 0; }`, magus.Unknown},
	}
	for _, c := range cases {
		for _, opt := range []magus.Options{{}, {Loop: magus.Loop{Check: true}},
			{Loop: magus.Loop{Engine: cegar.BoundedEngine}}} {
			o := ofLibrary(t, prelude+c.program, cfa.LP64, opt)
			require.Equal(t, c.want, o.Verdict, "%s, %+v: %v", c.name, opt, o.Reason)
		}
	}
}
