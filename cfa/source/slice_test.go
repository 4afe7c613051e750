package source

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// slicesOf are the digests of some procedures of two files.
func slicesOf(t *testing.T, a, b string) map[string]string {
	t.Helper()
	p, err := Parse(context.Background(),
		[]Source{{Name: "a.c", Text: []byte(a)}, {Name: "b.c", Text: []byte(b)}}, Options{})
	require.NoError(t, err)
	s := p.NewSlices(func(name string) bool { return name == "unknown" })
	all := map[string]string{}
	for _, entry := range []string{"first", "second", "open", "other"} {
		all[entry] = s.Of(entry, func([]string) string { return "" })
	}
	return all
}

// A change is seen by those that may depend on it, and by no others.
func TestSlices(t *testing.T) {
	const a = `struct s { int n; };
int g, h; static int used(int n) { return n + 1; }
int first(int n) { n = used(n); g = n; return n; }
int second(struct s *p) { int k = 1; p->n = k; return h; }
int open(int (*f)(int)) { return f(3); }
`
	const b = `extern int g;
static int taken(int n) { return n; }
int (*table[1])(int) = { taken };
int other(int n) { unknown(); return g + n; }
void unknown(void);
`
	const withUnknown = "void unknown(void);\n" + b
	before := slicesOf(t, a, withUnknown)
	require.Equal(t, before, slicesOf(t, a, withUnknown), "the same")
	for _, c := range []struct {
		name, from, to string
		changed        []string
	}{
		{"a constant of a local", "k = 1", "k = 2", []string{"second"}},
		{"a body that is called", "n + 1", "n + 2", []string{"first"}},
		{"a body whose address is taken", "return n; }\nint (*t", "return 7; }\nint (*t", []string{"open", "other"}},
		{"a store to another variable", "n = used(n);", "n = used(n); h = 1;", []string{"first", "second", "open", "other"}},
		{"a store more", "g = n;", "g = n; g = 7;", []string{"first"}},
		{"an address", "g = n;", "g = n; int *p = &g;", []string{"first", "second", "open", "other"}},
		{"a function as a value", "n = used(n);", "n = used(n); void *v = (void *)used;",
			[]string{"first", "second", "open", "other"}},
		{"a type", "struct s { int n; }", "struct s { long n; }", []string{"first", "second", "open", "other"}},
		{"a line in a body", "return f(3)", "\nreturn f(3)", []string{"open"}},
		{"a line within the first", "n = used(n);", "\nn = used(n);", []string{"first", "second", "open"}},
		{"a line of the second file", "int other(int n) {", "\nint other(int n) {", []string{"open", "other"}},
		{"a comment", "int k = 1;", "int k = 1; ", []string{"second"}},
		{"a static local", "int k = 1;", "static int k = 1;", []string{"first", "second", "open", "other"}},
		{"another name of a local", "int k = 1; p->n = k", "int j = 1; p->n = j", []string{"second"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(a+withUnknown, c.from))
			after := slicesOf(t, strings.Replace(a, c.from, c.to, 1), strings.Replace(withUnknown, c.from, c.to, 1))
			var changed []string
			for _, entry := range []string{"first", "second", "open", "other"} {
				if before[entry] != after[entry] {
					changed = append(changed, entry)
				}
			}
			require.Equal(t, c.changed, changed)
		})
	}
}
