package source

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTypeof(t *testing.T) {
	for text, ok := range map[string]bool{
		"extern __typeof__(int *) cur; int x = sizeof(cur) == 8 ? 1 : -1;":                            true,
		"typeof(int) a; typeof(a) b; typeof(unsigned long) c; char d[sizeof(c) == 8 ? 1 : -1];":       true,
		"typeof(int[3]) v = {1, 2, 3}; char d[sizeof(v) == 12 ? 1 : -1];":                             true,
		"typeof(typeof(char)) c; char d[sizeof(c) == 1 ? 1 : -1];":                                    true,
		"typeof(void) f(void); typeof(f) *p = f; typeof(struct later) *q; struct later { int a; } r;": true,
		"typeof(const int) k = 3; __typeof(const volatile int) *p; typeof(const struct s *) q;":       true,
		"int g(typeof(int) x, typeof(char *) p) { typeof(x) y = (typeof(short))x; return y + *p; }":   true,
		"#define typeof __typeof__\ntypeof(int) a; int b = sizeof(a);":                                true,
		"#define typeof(x) __typeof__(x)\ntypeof(int) a; int b = sizeof(a);":                          true,
		"#ifdef typeof\ntypeof(int) a;\n#endif\nint b = sizeof(a);":                                   false,
		"typeof(int) a; int b = a->x;":                                                                false,
		"typeof(undeclared) a;":                                                                       false,
	} {
		_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{})
		require.Equal(t, ok, err == nil, "%s: %v", text, err)
	}
}

// What typeof becomes moves nothing.
func TestTypeofPlaces(t *testing.T) {
	for text, want := range map[string]string{
		"typeof(int) a; int b = nowhere;":         "a.c:1:24: ",
		"typeof (const int *) a; int b = nowhere": "a.c:1:33: ",
		"int b = sizeof(typeof(int) *) + nowhere": "a.c:1:33: ",
	} {
		_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(text + ";\n")}}, Options{})
		require.ErrorContains(t, err, want, text)
	}
}

func TestTypeofAsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"sizeof(typeof(*(typeof(int *)*)0))":                        "sizeof(typeof (int *))",
		"typeof(*(typeof(typeof(*(typeof(f((1)))*)0))*)0) x":        "typeof (typeof (f((1)))) x",
		"typeof(*(typeof(":                                          "typeof(*(typeof(",
		"x + (typeof(*(typeof(a)*)0))y + (typeof(*(typeof(b)*)0))z": "x + (typeof (a))y + (typeof (b))z",
		"no type": "no type",
	} {
		require.Equal(t, want, asWritten(text))
	}
}
