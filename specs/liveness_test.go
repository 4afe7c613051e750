package specs

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// read parses a text that has no errors.
func read(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse(context.Background(), []Source{{"a.spec", []byte(text)}}, nil)
	require.NoError(t, err)
	return f
}

func TestFormulas(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[](a -> <> b)", "[] (a -> <> b)"},
		{"[]<>a", "[] <> a"},
		{"!a && b || c -> d", "((!a && b) || c) -> d"},
		{"a -> b -> c", "a -> (b -> c)"},
		{"a <-> b", "a <-> b"},
		{"a U b W c", "a U (b W c)"},
		{"a -> b U c", "a -> (b U c)"},
		{"(a U b) && c", "(a U b) && c"},
		{"[]{a, b.c}", "[] {a, b.c}"},
		{"X X a", "X X a"},
		{"x > 0 -> <> y == 0", "(x > 0) -> <> (y == 0)"},
		{"server.queue > 0", "(server.queue > 0)"},
		{"[](x<3 && y<4)", "[] ((x < 3) && (y < 4))"},
		{"(x + 1) * 2 == y[3]", "((x + 1) * 2 == y[3])"},
		{`"p->n > 0" -> a`, `"p->n > 0" -> a`},
		{`"x"`, `"x"`},
		{"-x < -1", "(-x < -1)"},
		{"x & 1 == 1", "x & 1 == 1"},
		{"true U false", "true U false"},
	} {
		if c.text == "x & 1 == 1" {
			_, err := ParseFormula("f", c.text)
			require.Error(t, err)
			continue
		}
		f, err := ParseFormula("f", c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, f.String())
		again, err := ParseFormula("f", f.String())
		require.NoError(t, err, f.String())
		require.Equal(t, c.want, again.String())
	}
}

func TestFormulaMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a && b U c", "put U with its operands in parentheses"},
		{"a U b || c", "put U with its operands in parentheses"},
		{"forall[i:1..3] a", "forall is not read in specifications of C"},
		{"a ->", "expected a formula"},
		{"[] ", "expected a formula"},
		{"U a", "expected an operand before U"},
		{`"x >"`, "in the quotes"},
		{"a b", "expected an operator or the end of the formula"},
	} {
		_, err := ParseFormula("f", c.text)
		require.ErrorContains(t, err, c.want, c.text)
	}
}

func TestLivenessItems(t *testing.T) {
	const text = `fluent On = <{on}, {off, out}> initially 1

progress P = {a, b}

progress Q = if {a} then {b.c}

assert A = [] (On -> <> {a, b})

assert B = A && (p.x > 0)

program p, q {
	assert A;
	progress P;
	assert B;
	progress Q;
}

procedure f {
	assert A;
}
`
	f := read(t, text)
	require.Equal(t, text, f.String())
	require.Empty(t, f.Warnings)
	require.Equal(t, []string{"off", "out"}, f.Fluent("On").Off)
	require.True(t, f.Fluent("On").Initially)
	require.True(t, f.Progress("Q").Conditional)
	require.Len(t, f.Conditions(), 1)
	cond, of := f.Conditions()[0].Of([]string{"p", "q"})
	require.Equal(t, "x > 0", cond.String())
	require.Equal(t, []string{"p"}, of)
}

func TestLivenessErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"assert A = B\nassert B = []A\nprogram p { assert A; }", "the assertion A speaks of itself"},
		{"progress Prog = {a}\nprogram p { progress Prag; }", "no progress Prag is defined; did you mean Prog?"},
		{"fluent F = <{a}, {a}>\nassert A = F\nprogram p { assert A; }", "a both begins and ends the fluent F"},
		{"fluent F = <{a}, {b}> initially 2\n", "0 or 1 after initially"},
		{"fluent F = <{a}, {b}>\nassert F = a", "F is defined a second time"},
		{"progress P = {return}\n", "returns are not spoken of here"},
		{"progress P = if {a} {b}\n", "expected then"},
		{"assert U = a\n", "U has a meaning of its own"},
		{"fluent F[i:1..2] = <{a}, {b}>\n", "indices are not read here"},
	} {
		_, err := Parse(context.Background(), []Source{{"a.spec", []byte(c.text)}}, nil)
		require.ErrorContains(t, err, c.want, c.text)
	}
}

func TestLivenessWarnings(t *testing.T) {
	f := read(t, "progress P = {a}\nfluent F = <{a}, {b}>\nassert A = a\nprogram p { }")
	var all []string
	for _, w := range f.Warnings {
		all = append(all, w.Message)
	}
	require.Equal(t, []string{"the progress P is demanded of nothing: write progress P; in a program",
		"the fluent F is used by nothing",
		"the assertion A is demanded of nothing: write assert A; in a program", NoSpecification}, all)
}

func FuzzFormula(f *testing.F) {
	for _, s := range []string{"[](a -> <> b)", "x > 0 && {a, b} U c", `"p->q" <-> (x + 1) == 2`,
		"a.b W (X c)", "!(a <> b)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := ParseFormula("f", text)
		if err != nil {
			return
		}
		again, err := ParseFormula("f", x.String())
		require.NoError(t, err, x.String())
		require.Equal(t, x.String(), again.String())
	})
}
