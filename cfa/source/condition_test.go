package source

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Conditions that macros make too long are found before they are evaluated, and
// no others are.
func TestConditions(t *testing.T) {
	doubled := func(name, first string, n int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "#define %s0 %s\n", name, first)
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&b, "#define %s%d %s%d %s%d\n", name, i, name, i-1, name, i-1)
		}
		return b.String()
	}
	chain := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "#define C%d C%d\n", i+1, i)
		}
		return b.String()
	}
	all := func(n int) string { // n macros, each of which needs all others
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "#define A%d 0", i)
			for k := range n {
				if k != i {
					fmt.Fprintf(&b, " + A%d", k)
				}
			}
			b.WriteString("\n")
		}
		return b.String()
	}
	const after = "\n#endif\nint x;\n"
	for _, c := range []struct{ name, text, header, want string }{
		{"brackets", doubled("L", "(", 19) + doubled("R", ")", 19) + "#if L19 1 R19" + after, "", "a.c:41:1: a condition"},
		{"signs", doubled("N", "!", 20) + "int y;\n#if 0\n#elif N20 1" + after, "", "a.c:24:1: a condition"},
		{"arguments", "#define P(x) x x x x\n#if P(P(P(P(P(P(P(P(!)))))))) 1" + after, "", "a.c:2:1: a condition"},
		{"calls", "#define P(x) (x)\n" + strings.ReplaceAll(doubled("Q", "P(", 19), "Q", "L") + "#if L19 1" +
			after, "", "a.c:22:"},
		{"spliced", doubled("N", "!", 20) + "#i\\\nf /* a\ncomment */ N20 1" + after, "", "a.c:22:1: a condition"},
		{"half in a header", "#include \"h.h\"\n#define M N16 N16 N16 N16\n#if M 1" + after,
			doubled("N", "!", 16), "a.c:3:1: a condition"},
		{"macros that need each other", "#define A B\n#define B A\n#if A == 0 && B == 0" + after, "", ""},
		{"macros that need each other, often", "#define A B + B\n#define B A + A\n#if A + B == 0" + after, "", ""},
		{"macros that need all others", all(9) + "#if A0 || !A1" + after, "", "a.c:10:1: a condition"},
		{"few macros that need all others", all(4) + "#if A0 == 0" + after, "", ""},
		{"asked whether it is defined", "#define d_fileno d_ino\n#if !defined d_fileno && !defined(d_fileno)\n" +
			"#define d_ino d_fileno" + after, "", ""},
		{"itself", "#define A A\n#if A == 0" + after, "", ""},
		{"a long chain", chain(60_000) + "#define C0 1\n#if C60000" + after, "", ""},
		{"a short chain", chain(200) + "#define C0 1\n#if C200" + after, "", ""},
		{"not asked about", doubled("N", "!", 20) + "#if 1" + after, "", ""},
		{"usual", "#define V(a, b) ((a) << 16) + (b)\n#if defined X && V(1, 2) >= V(0, 5) || V(2, 3) == 0 // don't" +
			after, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(c.text)}}, Options{
				ReadFile: func(name string) ([]byte, error) {
					if name == "h.h" {
						return []byte(c.header), nil
					}
					return nil, fs.ErrNotExist
				}})
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}
