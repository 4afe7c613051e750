package specs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/smt/expr"
)

// mapScope has variables by name, and arguments as $n.
type mapScope map[string]*expr.Expr

func (s mapScope) Lookup(name string, _ Pos) (*expr.Expr, error) {
	if x := s[name]; x != nil {
		return x, nil
	}
	return nil, errors.New("no variable " + name)
}

func (s mapScope) Arg(i int) (*expr.Expr, error) { return s["$"+strconv.Itoa(i)], nil }

// testVars are variables of all types, for terms and for C.
var testVars = []struct {
	name, c string
	typ     expr.Type
}{
	{"c", "signed char", expr.Int8}, {"uc", "unsigned char", expr.Uint8},
	{"s", "short", expr.Int16}, {"us", "unsigned short", expr.Uint16},
	{"i", "int", expr.Int32}, {"u", "unsigned", expr.Uint32},
	{"l", "long long", expr.Int64}, {"ul", "unsigned long long", expr.Uint64},
}

func testScope(p *expr.Pool) mapScope {
	s := mapScope{"E": p.Int(expr.Int32, 7), "$0": p.Var("$0", expr.Int32), "$1": p.Var("$1", expr.Int8)}
	for _, v := range testVars {
		s[v.name] = p.Var(v.name, v.typ)
	}
	return s
}

func TestTerm(t *testing.T) {
	for _, c := range []struct {
		text string
		long int
		typ  expr.Type
		want string
	}{
		{"c + uc", 64, expr.Int32, ""},
		{"i + u", 64, expr.Uint32, ""},
		{"u + l", 64, expr.Int64, ""},
		{"+c", 64, expr.Int32, ""},
		{"c << l", 64, expr.Int32, ""},
		{"l << c", 64, expr.Int64, ""},
		{"i < u", 64, expr.Int32, ""},
		{"i ? c : ul", 64, expr.Uint64, ""},
		{"1", 32, expr.Int32, "1"},
		{"-1", 32, expr.Int32, "-1"},
		{"2147483648", 32, expr.Int64, "2147483648"},
		{"0x80000000", 64, expr.Uint32, "2147483648U"},
		{"2147483648L", 32, expr.Int64, "2147483648"},
		{"1L", 32, expr.Int32, "1"},
		{"1L", 64, expr.Int64, "1"},
		{"1UL", 32, expr.Uint32, "1U"},
		{"1LL", 32, expr.Int64, "1"},
		{"4294967296U", 32, expr.Uint64, "4294967296U"},
		{"18446744073709551615U", 64, expr.Uint64, "18446744073709551615U"},
		{"0xffffffffffffffff", 64, expr.Uint64, "18446744073709551615U"},
		{"'a'", 64, expr.Int32, "97"},
		{`'\xff'`, 64, expr.Int32, "-1"},
		{`'\377'`, 64, expr.Int32, "-1"},
		{`'\0'`, 64, expr.Int32, "0"},
		{`'\n'`, 64, expr.Int32, "10"},
		{`'\\'`, 64, expr.Int32, "92"},
		{"E + 1", 64, expr.Int32, "8"},
		{"(char)300", 64, expr.Int8, "44"},
		{"(_Bool)300", 64, expr.Uint8, "1"},
		{"(long)1", 32, expr.Int32, "1"},
		{"(size_t)1", 64, expr.Uint64, "1U"},
		{"sizeof(int)", 64, expr.Uint64, "4U"},
		{"sizeof(long)", 32, expr.Uint32, "4U"},
		{"sizeof(c + c)", 64, expr.Uint64, "4U"},
		{"sizeof c", 64, expr.Uint64, "1U"},
		{"sizeof(i < i)", 64, expr.Uint64, "4U"},
		{"true + true", 64, expr.Int32, "2"},
		{"NULL == 0", 64, expr.Int32, "1"},
		{"i && l", 64, expr.Int32, ""},
		{"!i", 64, expr.Int32, ""},
		{"1 << 4294967296", 64, expr.Int32, "0"},
		{"-1 >> 1", 64, expr.Int32, "-1"},
		{"-1 < 1U", 64, expr.Int32, "0"},
		{"-1 < 1L", 64, expr.Int32, "1"},
		{"1 ? -1 : 0U", 64, expr.Uint32, "4294967295U"},
		{"$0", 64, expr.Int32, "$0"},
		{"$1", 64, expr.Int8, "$1"},
	} {
		p := expr.NewPool()
		e, err := ParseExpr("x", c.text)
		require.NoError(t, err, c.text)
		x, err := e.Term(p, testScope(p), c.long)
		require.NoError(t, err, c.text)
		require.Equal(t, c.typ, x.Type(), c.text)
		if c.want != "" {
			require.Equal(t, c.want, x.String(), c.text)
		}
		cond, err := e.Cond(p, testScope(p), c.long)
		require.NoError(t, err, c.text)
		require.Same(t, p.Truth(x), cond, c.text)
	}
}

func TestTermErrors(t *testing.T) {
	for text, want := range map[string]string{
		"i + nobody":  "x:1:5: no variable nobody\n  i + nobody\n      ^",
		"i + $9":      "x:1:5: $9 is not known here\n  i + $9\n      ^",
		"i / 0":       "x:1:3: division by zero\n  i / 0\n    ^",
		"i %\n (1-1)": "x:1:3: division by zero\n  i %\n    ^",
	} {
		e, err := ParseExpr("x", text)
		require.NoError(t, err, text)
		p := expr.NewPool()
		_, err = e.Cond(p, testScope(p), 64)
		require.EqualError(t, err, want)
		var placed *Error
		require.ErrorAs(t, err, &placed)
		require.False(t, placed.NotModelled)
	}
	for _, text := range []string{"*i", "&i == 0", "i[i].f", "i[i]->f + 1", "1 ? i[i] : 2", "sizeof(*i)",
		"(char)-*i", "!i[i]", "1 << i[i]", "i[i] || 1"} {
		e, err := ParseExpr("x", text)
		require.NoError(t, err, text)
		p := expr.NewPool()
		_, err = e.Term(p, testScope(p), 64)
		var placed *Error
		require.ErrorAs(t, err, &placed, text)
		require.True(t, placed.NotModelled, text)
		require.True(t, placed.Pos.IsValid(), text)
	}
}

// genDefined generates expressions of which C defines the value, given that
// arithmetic wraps around: divisors are not 0, shifts not too wide.
func genDefined(t *rapid.T, depth int) string {
	sub := func() string { return genDefined(t, depth-1) }
	pick := func(from ...string) string { return rapid.SampledFrom(from).Draw(t, "text") }
	what := "leaf"
	if depth > 0 {
		what = pick("leaf", "unary", "binary", "binary", "binary", "shift", "divide", "cast", "cond", "sizeof")
	}
	switch what {
	case "unary":
		return pick("-", "~", "!", "+") + "(" + sub() + ")"
	case "binary":
		return "(" + sub() + ") " + pick("+", "-", "*", "&", "|", "^", "==", "!=", "<", ">", "<=", ">=", "&&",
			"||") + " (" + sub() + ")"
	case "shift":
		return "(" + sub() + ") " + pick("<<", ">>") + " " + pick("0", "1L", "31U", "(c & 31)", "(ul & 15)", "'\\7'")
	case "divide":
		return "(" + sub() + ") " + pick("/", "%") + " " + pick("1", "7", "-3", "0x10U", "(uc | 1)", "5LL")
	case "cast":
		return "(" + pick("char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
			"unsigned long", "long long", "unsigned long long", "_Bool") + ")(" + sub() + ")"
	case "cond":
		return "(" + sub() + ") ? (" + sub() + ") : (" + sub() + ")"
	case "sizeof":
		return "sizeof(" + sub() + ")"
	}
	return pick("c", "uc", "s", "us", "i", "u", "l", "ul", "0", "1", "-1", "100", "'a'", "'\\xff'",
		"0x7fffffff", "0x80000000",
		"2147483648", "4294967295U", "0xffffffffff", "1L", "2UL", "3LL", "4ULL", "077")
}

// The values of random expressions are those of gcc.
func TestTermAgainstGCC(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to compare with")
	}
	const count = 400
	gen := rapid.Custom(func(t *rapid.T) string { return genDefined(t, 3) })
	var program, want bytes.Buffer
	program.WriteString("#include <stdio.h>\nint main(void) {\n")
	values := map[string]uint64{"c": 0xf3, "uc": 200, "s": 0x8001, "us": 65535, "i": 1 << 31, "u": 3000000000,
		"l": 1 << 63, "ul": 1<<63 + 5}
	for _, v := range testVars {
		fmt.Fprintf(&program, "volatile %s %s = %dULL;\n", v.c, v.name, values[v.name])
	}
	for k := range count {
		text := gen.Example(k)
		e, err := ParseExpr("random", text)
		require.NoError(t, err, text)
		p := expr.NewPool()
		x, err := e.Term(p, testScope(p), 64)
		require.NoError(t, err, text)
		value := expr.Eval(p.Cast(expr.Int64, x), func(v *expr.Expr) uint64 { return values[v.Name()] })
		fmt.Fprintf(&want, "%d %d %d %s\n", int64(value), x.Type().Width/8, b2i(x.Type().Signed || x.Type().Width < 32), e)
		fmt.Fprintf(&program, "printf(\"%%lld %%d %%d %%s\\n"+
			"\", (long long)(%s), (int)sizeof(%s), (0 ? (%s) : -1) < 0, %s);\n", e, e, e, strconv.Quote(e.String()))
	}
	program.WriteString("}\n")
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "terms.c"), filepath.Join(dir, "terms")
	require.NoError(t, os.WriteFile(source, program.Bytes(), 0o666))
	out, err := exec.Command(gcc, "-w", "-O0", "-fwrapv", "-fsigned-char", "-o", binary, source).CombinedOutput()
	require.NoError(t, err, string(out))
	got, err := exec.Command(binary).Output()
	require.NoError(t, err)
	require.Equal(t, strings.Split(want.String(), "\n"), strings.Split(string(got), "\n"))
}
