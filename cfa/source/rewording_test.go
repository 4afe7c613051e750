package source

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
)

// Each rewording is what a program shows, so that a new version of the library that says otherwise is noticed.
func TestRewordings(t *testing.T) {
	const before = "struct s { int a; } v, *w;\n"
	shown := map[string]bool{}
	for _, c := range []struct{ text, want string }{
		{"int a[2] = {1, 2, 3};",
			"2:19: the initialiser has more values than there is room for: GCC drops this one and those behind it; " +
				"so leave them out"},
		{"int f(int x) { return *x; }", "2:24: * follows a pointer, and this is int"},
		{"int f(int x) { return x->a; }", "2:24: -> follows a pointer to a structure or union, and this is int"},
		{"int f(void) { return w.a; }", "2:23: this is a pointer to struct s: its members are behind ->, not a dot"},
		{"int f(int **x) { return x.a; }", "2:26: only a structure or union has members, and this is int **"},
		{"int f(int x) { return x(1); }", "2:23: only a function can be called, and this is int"},
		{"int f(void) { return -v; }", "2:22: this operand must be a number, and it is struct s"},
		{"int f(void) { return !v; }", "2:22: this operand must be a number or a pointer, and it is struct s"},
		{"int f(void) { return ~2.0; }", "2:22: this operand must be an integer, and it is double"},
		{"int f(void) { return v ? 1 : 2; }", "2:22: this operand must be a number or a pointer, and it is struct s"},
		{"int f(int *p) { return p * 2; }", "2:26: both operands must be numbers, and they are int * and int"},
		{"int f(int *p) { return 2 % 2.0; }", "2:26: both operands must be integers, and they are int and double"},
		{"int f(int x) { return v && x; }", "2:25: both operands must be numbers or pointers, and they are struct s and int"},
		{"int f(int *p) { return p + p; }", "2:26: this operator does not go with int * and int *"},
		{"int f(int *p, double d) { return p == d; }", "2:36: this operator does not go with int * and double"},
		{"void f(void) { v++; }", "2:16: this operator does not go with struct s"},
		{"int f(int x) { return x[2]; }",
			"2:24: [ ] goes with a pointer or an array and an integer, and these are int and int"},
		{"int x = sizeof(struct t);", "2:16: struct t has no size: it is not defined"},
		{"int a[-1];", "2:7: an array cannot have -1 elements"},
		{"#endif", "2:1: #endif without an #if"},
	} {
		_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(before + c.text + "\n")}}, Options{})
		require.EqualError(t, err, "a.c:"+c.want)
		_, raw := parse(context.Background(), []Source{{Name: "a.c", Text: []byte(before + c.text + "\n")}}, Options{})
		var list cfa.Errors
		require.True(t, errors.As(raw, &list))
		for _, w := range rewordings {
			if w.says().MatchString(list[0].Msg) {
				shown[w.means] = true
				break
			}
		}
	}
	for _, w := range rewordings {
		require.True(t, shown[w.means], w.means)
	}
}
