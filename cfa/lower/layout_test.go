package lower_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/smt/expr"
)

// TestLayoutIsTold: what depends on the layout of memory is told, with its kind, and
// nothing else is.
func TestLayoutIsTold(t *testing.T) {
	for _, c := range []struct{ name, text, told string }{
		{"order of two objects", "int a, b; int main(void) { return &a < &b; }", "order"},
		{"order by a routine", "int a[3], b[3]; int f(int *p, int *q) { return p > q; } int main(void) { " +
			"return f(a, b); }", "order"},
		{"order of allocated objects", "void *malloc(__SIZE_TYPE__); int main(void) { " +
			"char *p = malloc(8), *q = malloc(8); return p <= q; }", "order"},
		{"order of parameters", "int c2; int main(void) { int c = *(volatile int *)&c2, x, *p = &x, y, " +
			"*q = c ? &y : &x; return p >= q; }", "order"},
		{"distance", "int a, b; long main(void) { return &a - &b; }", "distance"},
		{"distance in a variable", "int a[3], b[3]; int main(void) { int *p = a; long d = b - p; return d > 3; }",
			"distance"},
		{"end and beginning", "int a, b; int main(void) { return &a + 1 == &b; }", "end of an object"},
		{"end and beginning, reached in steps", "int a[2], b[2]; int main(void) { int *p = a; p++; p++; " +
			"return p != b; }", "end of an object"},
		{"a number", "int a; int main(void) { return (__UINTPTR_TYPE__)&a % 16; }", "address is used as a number"},

		{"order in one object", "int a[9]; int main(void) { int *p = a, *q = a + 9, n = 0; " +
			"while (p < q) p++, n++; return n; }", ""},
		{"distance in one object", "int a[9]; int main(void) { int *p = a; while (*p) p++; return p - a; }", ""},
		{"end of one object", "int a[9]; int main(void) { int n = 0; for (int *p = a; p != a + 9; p++) n++; return n; }", ""},
		{"NULL", "int a; int main(void) { int *p = &a; return p != 0 && p > (int *)0; }", ""},
		{"different objects are different", "int a, b; int main(void) { int *p = &a; return p == &b; }", ""},
		{"functions", "void f(void) {} void g(void) {} int main(void) { void (*p)(void) = f; return p == g; }", ""},
		{"dead code", "int a, b; int main(void) { return 0; return &a < &b; }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			prog, err := source.Parse(t.Context(), []source.Source{{Name: "p.c", Text: []byte(c.text)}}, source.Options{})
			require.NoError(t, err)
			auto, err := lower.Lower(t.Context(), prog, "main", expr.NewPool(), lower.Options{InitGlobals: true})
			require.NoError(t, err)
			var told []string
			for _, w := range auto.Warnings {
				if w.Kind == cfa.AboutLayout {
					require.Positive(t, w.Pos.Line)
					require.Contains(t, w.Text, "one layout of memory")
					told = append(told, w.Text)
				}
			}
			if c.told == "" {
				require.Empty(t, told)
			} else {
				require.Len(t, told, 1)
				require.True(t, strings.Contains(told[0], c.told), told)
			}
		})
	}
}

// lockOfGlibc is a lock as glibc lays it out, bytes over its members.
const lockOfGlibc = `
typedef struct __list { struct __list *__prev, *__next; } list;
typedef union {
	struct { int __lock; unsigned __count; int __owner; unsigned __nusers; int __kind; short __spins, __elision; list __list; } __data;
	char __size[40];
	long __align;
} mutex;
`

// TestMutexOfGlibc: a lock that is laid out as glibc has it is one word to who accesses it,
// and what its pointers lead to is nothing to the program.
func TestMutexOfGlibc(t *testing.T) {
	auto := lowerIncluding(t, lockOfGlibc, `
#include <lock.h>
struct queue { int n; mutex m; int k; };
static int lock(void *m)
{
	int *held = m;
	if (*held)
		return 1;
	*held = 1;
	return 0;
}
int f(struct queue *q) { return lock(&q->m); }
`)
	listing := auto.String()
	require.Contains(t, listing, "*q.m.__data.__lock")
	require.NotContains(t, listing, "__owner")
	require.NotContains(t, listing, "not modelled")
	for _, w := range auto.Warnings {
		require.NotContains(t, w.Text, "__prev", "an object for what only the implementation knows")
	}
}

// TestReservedNamesOfPrograms: a structure of the program with a name that it should not have
// is like any other; what its members point to may be accessed.
func TestReservedNamesOfPrograms(t *testing.T) {
	auto := lowerIncluding(t, "", `
struct _NODE { struct _NODE *_Next; int n; };
int f(struct _NODE *p) { return p->_Next->n; }
`)
	require.Contains(t, auto.String(), "*p._Next.n")
}

// lowerIncluding lowers f of a text that may include lock.h of the system.
func lowerIncluding(t *testing.T, header, text string) *cfa.CFA {
	opt := source.Options{Headers: source.HostHeaders, HostDirs: []string{"/usr/include"},
		ReadFile: func(name string) ([]byte, error) {
			if name == "/usr/include/lock.h" {
				return []byte(header), nil
			}
			return nil, os.ErrNotExist
		}}
	prog, err := source.Parse(t.Context(), []source.Source{{Name: "p.c", Text: []byte(text)}}, opt)
	require.NoError(t, err)
	auto, err := lower.Lower(t.Context(), prog, "f", expr.NewPool(), lower.Options{})
	require.NoError(t, err)
	return auto
}
