package source

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/internal/sample"
)

// TestLiteralsAgreeWithGCC: random numbers, characters and strings, with neighbours, through macros and as texts of
// macros' arguments, have the values and sizes that GCC gives them. What GCC refuses is not looked at.
func TestLiteralsAgreeWithGCC(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	const each = 400
	n, first := sample.Count(200), int(sample.Seed(0))
	refused, all := 0, 0
	for from := 0; from < n; from += each {
		lines := []string{literalMacros}
		for id := first + from; id < first+min(n, from+each); id++ {
			g := &literals{rand.New(rand.NewPCG(uint64(id), 11))}
			lines = append(lines, g.declaration(fmt.Sprintf("v%d", id)))
		}
		lines = takenByGCC(t, lines)
		theirs := objectImages(t, "-std=gnu2x", strings.Join(lines, "\n")+"\n")
		for _, name := range slices.Sorted(maps.Keys(theirs)) {
			i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, " "+name+"[") })
			all++
			image, ok := initialImage(t, cfa.LP64, literalMacros+"\n"+lines[i]+"\n", name)
			if !ok {
				refused++
				continue
			}
			require.Equal(t, theirs[name], image, lines[i])
		}
	}
	t.Logf("%d declarations, %d refused", all, refused)
	if !sample.Whole() {
		return
	}
	require.Less(t, refused, all/4+1)
}

const literalMacros = "#define S(x) #x\n#define X(x) S(x)\n#define ID(x) x\n#define J(a, b) a b"

// takenByGCC are the declarations, each in its line, in which GCC finds no fault. A fault may hide those of
// lines behind it, so what is left is looked at again.
func takenByGCC(t *testing.T, lines []string) []string {
	for {
		kept := withoutFaults(t, lines)
		if len(kept) == len(lines) {
			return kept
		}
		lines = kept
	}
}

// withoutFaults are the lines that GCC names in no message about a fault.
func withoutFaults(t *testing.T, lines []string) []string {
	file := filepath.Join(t.TempDir(), "a.c")
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600))
	out, _ := exec.Command("gcc", "-std=gnu2x", "-fsyntax-only", file).CombinedOutput()
	bad := map[int]bool{}
	for _, m := range regexp.MustCompile(`a\.c:(\d+):\d+: `+
		`(?:error|warning: (?:hex|octal) escape sequence out of range)`).FindAllStringSubmatch(string(out), -1) {
		line, _ := strconv.Atoi(m[1])
		bad[line-strings.Count(literalMacros, "\n")-1] = true
	}
	var kept []string
	for i, line := range lines {
		if !bad[i] {
			kept = append(kept, line)
		}
	}
	return kept
}

// literals makes declarations at random.
type literals struct{ *rand.Rand }

func (g *literals) of(words ...string) string { return words[g.IntN(len(words))] }

func (g *literals) declaration(name string) string {
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("long %s[] = { %s };", name, g.facts(g.character()))
	case 1:
		return fmt.Sprintf("long %s[] = { %s };", name, g.facts(g.number()))
	case 2:
		return fmt.Sprintf("char %s[] = %s;", name, g.written(g.neighbours("", "", "u8")))
	case 3:
		prefix := g.of("L", "u", "U")
		kind := map[string]string{"L": "int", "u": "unsigned short", "U": "unsigned int"}[prefix]
		return fmt.Sprintf("%s %s[] = %s;", kind, name, g.neighbours(prefix, "", prefix))
	case 4:
		return fmt.Sprintf("long %s[] = { sizeof %s, sizeof(%s)[0] };", name, g.neighbours("", "", "u8"),
			g.neighbours("L", "", "L"))
	}
	return fmt.Sprintf("char %s[] = %s(%s);", name, g.of("S", "X"), g.tokens())
}

// facts are the value of a constant and what tells its type.
func (g *literals) facts(c string) string {
	c = g.written(c)
	return fmt.Sprintf("%s, sizeof(%s), (%s) * 0 - 1 < 0", c, c, c)
}

// written is a literal, perhaps through a macro.
func (g *literals) written(s string) string {
	switch g.IntN(4) {
	case 0:
		return "ID(" + s + ")"
	case 1:
		return "J(, " + s + ")"
	}
	return s
}

func (g *literals) number() string {
	digits := func(all string) string {
		var b strings.Builder
		for i := range 1 + g.IntN(9) {
			if i > 0 && g.IntN(4) == 0 {
				b.WriteByte('\'')
			}
			b.WriteByte(all[g.IntN(len(all))])
		}
		return b.String()
	}
	suffix := g.of("", "", "", "u", "L", "ul", "LL", "uLL", "LLU")
	switch g.IntN(4) {
	case 0:
		return "0" + g.of("x", "X") + digits("0123456789abcdefABCDEF") + suffix
	case 1:
		return "0" + g.of("b", "B") + digits("01") + suffix
	case 2:
		return "0" + digits("01234567") + suffix
	}
	return strconv.Itoa(1+g.IntN(9)) + digits("0123456789") + suffix
}

func (g *literals) part() string {
	return g.of("a", "Z", "0", " ", "é", "😀", "/*", "//", "?", "??=", "'", `\n`, `\t`, `\\`, `\"`, `\'`,
		`\?`, `\a`, `\e`, `\v`, `\0`, `\7`, `\12`, `\377`, `\1011`,
		`\x41`, `\x0041`, `\xff`, `\x7`, `\xbeef`, `\x10ffff`, `\u00e9`, `\u20ac`, `\U0001F600`)
}

func (g *literals) character() string {
	var b strings.Builder
	prefix := g.of("", "", "", "L", "u", "U", "u8")
	for n := 1 + g.IntN(3)*g.IntN(2); n > 0; n-- {
		b.WriteString(strings.ReplaceAll(g.part(), "'", `"`))
		if prefix != "" {
			break
		}
	}
	return prefix + "'" + strings.ReplaceAll(b.String(), `\"`, `\'`) + "'"
}

// neighbours are strings beside each other, each with one of the prefixes.
func (g *literals) neighbours(prefixes ...string) string {
	var all []string
	for range 1 + g.IntN(3) {
		prefix := g.of(prefixes...)
		var b strings.Builder
		for range g.IntN(4) {
			b.WriteString(g.part())
		}
		if text := b.String(); g.IntN(4) == 0 {
			all = append(all, fmt.Sprintf(`%sR"%s(%s)%[2]s"`, prefix, g.of("", "x", "de"), text))
		} else {
			all = append(all, prefix+`"`+text+`"`)
		}
	}
	return strings.Join(all, g.of("", " ", "  ", " /* and */ "))
}

// tokens are those of an argument.
func (g *literals) tokens() string {
	var b strings.Builder
	for range 1 + g.IntN(4) {
		b.WriteString(g.of("x", "+", "S", "ID", g.character(), g.number(), g.neighbours("", "u8", "L", "u"),
			"<:", "%:", "[[a]]", "\\u00e9", "(1, 2)"))
		b.WriteString(g.of("", " ", "   ", "\t", " /* c */ "))
	}
	return b.String()
}
