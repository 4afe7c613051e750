package skeleton_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/app/skeleton"
	"magus/cfa/source"
	"magus/specs"
)

func of(t *testing.T, c string) skeleton.Skeleton {
	p, err := source.Parse(t.Context(), []source.Source{{Name: "a.c", Text: []byte(c)}}, source.Options{})
	require.NoError(t, err)
	return skeleton.Of(p)
}

// Events are what nobody defines, claims about what nobody calls.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		name, c           string
		events, functions []string
	}{
		{"a function without a body", "void f(void); void g(void) { f(); }", []string{"f"}, []string{"g"}},
		{"one that is only declared is none", "void f(void); int g(void) { return 1; }", nil, []string{"g"}},
		{"what is called is not claimed about", "void f(void); static void h(void) { f(); } void g(void) { h(); }",
			[]string{"f"}, []string{"g"}},
		{"in a circle all are", "void f(void); void h(void); void g(void) { h(); } void h(void) { f(); g(); }",
			[]string{"f"}, []string{"g", "h"}},
		{"a function's own call is none", "void f(void); void g(int n) { f(); if (n) g(n - 1); }",
			[]string{"f"}, []string{"g"}},
		{"the library is no event", "#include <stdlib.h>\nvoid f(void); void g(void) { f(); free(malloc(3)); }",
			[]string{"f"}, []string{"g"}},
		{"nor is the verifier", "int __VERIFIER_nondet_int(void); void f(void); void g(void) { " +
			"if (__VERIFIER_nondet_int()) f(); }",
			[]string{"f"}, []string{"g"}},
		{"actions by name come last", `void __MAGUS_ACTION__(char *); void f(void); void g(void) { ` +
			`__MAGUS_ACTION__("a.b"); f(); }`,
			[]string{"f", "a.b"}, []string{"g"}},
		{"in the order of the text", "void b(void); void a(void); void g(void) { b(); a(); b(); }",
			[]string{"b", "a"}, []string{"g"}},
		{"nothing", "int x;", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := of(t, c.c)
			require.Equal(t, c.events, s.Names())
			require.Equal(t, c.functions, s.Functions())
		})
	}
}

// What is written is a specification that the program conforms to, without a warning.
func TestConforms(t *testing.T) {
	for _, c := range []string{
		"void lock(void); int take(void); int drain(int n) { lock(); if (n) return take(); return 0; }",
		"void lock(void); void Lock(void); void lock_(void); void STOP(void) { lock(); Lock(); lock_(); }",
		"struct s { int a; } get(void); struct s _x(void) { return get(); }",
		`void __MAGUS_ACTION__(char *); void g(void) { __MAGUS_ACTION__("a.b"); }`,
		"int plain(void) { return 1; }",
		"#include <pthread.h>\nvoid f(void); void g(void); void *h(void *p) { f(); g(); return p; } " +
			"int main(void) { pthread_t t; pthread_create(&t, 0, h, 0); pthread_join(t, 0); return 0; }",
		"#include <pthread.h>\nvoid *h(void *p) { return p; } static void start(void) { pthread_t t; " +
			"pthread_create(&t, 0, h, 0); } int main(void) { start(); return 0; }",
		"void f(int, ...); int main(int argc, char **argv) { while (argc--) f(1, 2); return 0; }",
	} {
		s := of(t, c)
		text := s.Text([]string{"a.c"}, "a.spec")
		project, err := magus.Load(context.Background(), magus.Input{
			C:     []source.Source{{Name: "a.c", Text: []byte(c)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(text)}},
		})
		require.NoError(t, err, text)
		require.Empty(t, project.Warnings(), text)
		claims, err := project.Claims(magus.Selection{})
		require.NoError(t, err, text)
		require.Len(t, claims, len(s.Claims))
		for _, claim := range claims {
			outcome, err := magus.Check(t.Context(), claim, magus.Options{}, nil)
			require.NoError(t, err)
			require.Equal(t, magus.Conforms, outcome.Verdict, text)
		}
	}
}
