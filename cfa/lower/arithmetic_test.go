package lower_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/countdown"
	"magus/internal/sample"
)

// TestArithmeticAgreesWithGCC: random programs over all integer types, bit-fields
// and enumerations, with all operators, casts and compound assignments, each of
// which computes a number. That it is the one gcc's program computes is never
// violated, that it is another one never conforms.
func TestArithmeticAgreesWithGCC(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skipf("no compiler to compare with: %v", err)
	}
	programs := sample.Count(15)
	texts := make([]string, programs)
	for i := range texts {
		texts[i] = (&arithmetic{Rand: rand.New(rand.NewPCG(uint64(i), 11))}).program()
	}
	values := gccValues(t, texts)
	decided := 0
	for i, text := range texts {
		for _, c := range []struct {
			op    string
			wrong magus.Verdict
		}{{"!=", magus.Violates}, {"==", magus.Conforms}} {
			claim := fmt.Sprintf("extern void reach_error(void);\n%sint main(void) { "+
				"if (t() %s %sULL) reach_error(); return 0; }\n", text, c.op, values[i])
			p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(claim)}}})
			require.NoError(t, err, claim)
			property, err := p.Property(magus.Property{})
			require.NoError(t, err, claim)
			s, err := cegar.NewSession(t.Context(), property,
				cegar.Options{Loop: cegar.Loop{MaxIterations: 10, MaxStates: 5000}})
			require.NoError(t, err, claim)
			o := s.Run(countdown.Looks(t.Context(), looksAtArithmetic), nil) // what takes longer is unknown
			s.Close()
			require.NotEqual(t, c.wrong, o.Verdict, claim)
			require.NotEqual(t, verdict.Fault, o.Reason.Kind, claim)
			if o.Verdict != magus.Unknown {
				decided++
			}
		}
	}
	t.Logf("%d of %d claims decided", decided, 2*programs)
	if !sample.Whole() {
		return
	}
	require.Positive(t, decided)
}

// looksAtArithmetic are as many as a second or two have: most claims take a few hundred.
const looksAtArithmetic = 50_000

// gccValues are what t() of each program gives.
func gccValues(t *testing.T, texts []string) []string {
	var values []string
	dir := t.TempDir()
	for i, text := range texts {
		src, bin := filepath.Join(dir, fmt.Sprintf("p%d.c", i)), filepath.Join(dir, fmt.Sprintf("p%d", i))
		main := "int printf(const char *, ...);\nint main(void) { printf(\"%llu\", t()); return 0; }\n"
		require.NoError(t, os.WriteFile(src, []byte(text+main), 0o644))
		msg, err := exec.Command("gcc", "-std=gnu11", "-w", "-O0", "-fwrapv", "-o", bin, src).CombinedOutput()
		require.NoError(t, err, "%s\n%s", msg, text)
		out, err := exec.Command(bin).Output()
		require.NoError(t, err, text)
		values = append(values, string(out))
	}
	return values
}

// arithmetic writes programs whose behaviour is defined but for overflow, which
// wraps: shift counts are masked, divisors are constants, operands with effects
// stand alone.
type arithmetic struct {
	*rand.Rand
	loops int
}

var arithmeticTypes = strings.Split("char,signed char,unsigned char,short,unsigned "+
	"short,int,unsigned,long,unsigned long,long long,unsigned long long,_Bool,enum es,enum eu", ",")

func (g *arithmetic) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g *arithmetic) typ() string { return g.pick(arithmeticTypes...) }

func (g *arithmetic) constant() string {
	return g.pick("0", "1", "2", "-1", "3", "7", "100", "127", "-128", "200", "255", "32767", "-32768",
		"65535", "0x7fffffff",
		"(-0x7fffffff-1)", "0x80000000u", "0xffffffffu", "1u", "-5LL", "0x100000000LL", "0x8000000000000000ull",
		"'a'", "'\\xff'", "EA", "EB", "EC", "sizeof(int)")
}

func (g *arithmetic) lvalue() string {
	switch g.IntN(10) {
	case 0, 1:
		return g.pick("b.s3", "b.u3", "b.s17", "b.l40", "b.u33", "b.bo")
	case 2:
		return fmt.Sprintf("a[%s & 3]", g.expression(1))
	case 3:
		return "(*p)"
	}
	return g.pick("v0", "v1", "v2", "v3", "g0", "g1", "x", "y")
}

func (g *arithmetic) divisor() string {
	return g.pick("3", "7u", "-2", "5L", "(short)-3", "9ul", "(unsigned char)200")
}

func (g *arithmetic) expression(depth int) string {
	if depth <= 0 {
		if g.IntN(3) == 0 {
			return g.constant()
		}
		return g.pick("v0", "v1", "v2", "v3", "g0", "g1", "x", "y", "b.s3", "b.u33", "b.l40", "b.bo")
	}
	e := func() string { return g.expression(depth - 1) }
	switch k := g.IntN(20); {
	case k < 8:
		return fmt.Sprintf("(%s %s %s)", e(), g.pick("+", "-", "*", "&", "|", "^", "<", ">", "<=", ">=", "==",
			"!=", "&&", "||"), e())
	case k < 10:
		return fmt.Sprintf("(%s %s (%s & 7))", e(), g.pick("<<", ">>"), e())
	case k < 12:
		return fmt.Sprintf("(%s %s %s)", e(), g.pick("/", "%"), g.divisor())
	case k < 14:
		return fmt.Sprintf("((%s)%s)", g.typ(), e())
	case k < 16:
		return fmt.Sprintf("(%s%s)", g.pick("-", "~", "!", "+"), e())
	case k == 16:
		return fmt.Sprintf("(%s, %s)", e(), e())
	case k == 17:
		return fmt.Sprintf("f%d(%s)", g.IntN(3), e())
	case k == 18:
		return fmt.Sprintf("(%s ? %s : %s)", e(), e(), e())
	}
	return fmt.Sprintf("sizeof(+%s)", e())
}

func (g *arithmetic) statement(depth int) string {
	s := func() string { return g.statement(depth - 1) }
	switch k := g.IntN(20); {
	case k < 7 || depth <= 0:
		return fmt.Sprintf("%s %s %s;", g.lvalue(), g.pick("=", "=", "+=", "-=", "*=", "&=", "|=", "^="), g.expression(2))
	case k < 9:
		return fmt.Sprintf("%s %s (%s & 7);", g.lvalue(), g.pick("<<=", ">>="), g.expression(1))
	case k < 10:
		return fmt.Sprintf("%s %s %s;", g.lvalue(), g.pick("/=", "%="), g.divisor())
	case k < 12:
		return fmt.Sprintf("h ^= (%s %s %s);", g.lvalue(), g.pick("=", "+=", "*=", "-="), g.expression(1))
	case k < 14:
		return fmt.Sprintf(g.pick("h += %s++;", "h -= --%s;", "%s--;", "h += ++%s;"), g.lvalue())
	case k < 16:
		return fmt.Sprintf("if (%s) { %s } else { %s }", g.expression(2), s(), s())
	case k < 17:
		return fmt.Sprintf("switch (%s) { case 1: %s case -1: %s break; default: %s }", g.expression(1), s(), s(), s())
	case k < 18:
		g.loops++
		return fmt.Sprintf("for (%s i%d = 0; i%d < 2; i%d++) { %s }", g.pick("int", "unsigned char", "long"),
			g.loops, g.loops, g.loops, s())
	case k < 19:
		return fmt.Sprintf("p = %s ? &x : &y;", g.expression(1))
	}
	return s() + " " + s()
}

func (g *arithmetic) program() string {
	var b strings.Builder
	b.WriteString("enum es { EA = -1, EB = 5 };\nenum eu { EC = 0, ED = 3 };\n")
	b.WriteString("struct { int s3 : 3; unsigned u3 : 3; int s17 : 17; int : 0; long l40 : 40; long : 0; " +
		"unsigned long u33 : 33; long : 0; _Bool bo : 1; } b;\n")
	fmt.Fprintf(&b, "%s g0 = %s;\n%s g1;\n", g.typ(), g.constant(), g.typ())
	for i := range 3 {
		fmt.Fprintf(&b, "static %s f%d(%s q) { return q; }\n", g.typ(), i, g.typ())
	}
	b.WriteString("unsigned long long t(void) {\n")
	for i := range 4 {
		fmt.Fprintf(&b, "\t%s v%d = %s;\n", g.typ(), i, g.constant())
	}
	fmt.Fprintf(&b, "\tunsigned long long h = 0;\n\t%s a[4] = { 1, -2, 300 };\n\tint x = 4, y = -9, *p = &x;\n",
		g.pick("int", "unsigned char", "short", "long"))
	for range 1 + g.IntN(4) {
		fmt.Fprintf(&b, "\t%s\n", g.statement(2))
	}
	fmt.Fprintf(&b, "\th += %s;\n\th ^= %s;\n\treturn h + a[2] + y;\n}\n", g.lvalue(), g.lvalue())
	return b.String()
}
