package preprocess_test

import (
	"bytes"
	"fmt"
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

	"magus/cfa/source/preprocess"
	"magus/internal/sample"
)

// TestMacrosAgreeWithGCC: what random macros make of random texts is what GCC's preprocessor makes of them.
func TestMacrosAgreeWithGCC(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	const each = 500
	n, first := sample.Count(400), int(sample.Seed(0))
	for from := 0; from < n; from += each {
		compareMacros(t, first+from, first+min(n, from+each))
	}
}

// compareMacros compares the units with some seeds, all of which are one text.
func compareMacros(t *testing.T, from, to int) {
	var text strings.Builder
	var begins []int // lines
	for id := from; id < to; id++ {
		begins = append(begins, 1+strings.Count(text.String(), "\n"))
		g := &macros{Rand: rand.New(rand.NewPCG(uint64(id), 2)), id: id}
		fmt.Fprintf(&text, "unit_%d\n%s", id, g.unit())
	}
	file := filepath.Join(t.TempDir(), "a.c")
	require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o600))
	cmd := exec.Command("gcc", "-E", "-P", "-std=gnu2x", file)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	theirs, _ := cmd.Output()
	refused := map[int]bool{}
	for _, m := range regexp.MustCompile(`a\.c:(\d+):\d+: (?:error|warning: missing terminating)`).
		FindAllStringSubmatch(errs.String(), -1) {
		line, _ := strconv.Atoi(m[1])
		i, _ := slices.BinarySearch(begins, line+1)
		refused[from+i-1] = true
	}
	want := parted(string(theirs))
	require.Less(t, len(refused), (to-from+1)*2/3, errs.String())
	for i, begin := range begins {
		id := from + i
		if refused[id] {
			continue
		}
		unit := strings.SplitAfter(text.String(), "\n")[begin-1:]
		end := len(unit)
		if i+1 < len(begins) {
			end = begins[i+1] - begin
		}
		own := strings.Repeat("\n", begin-1) + strings.Join(unit[:end], "")
		out := preprocess.Run(t.Context(), []preprocess.Text{{Name: file, Bytes: []byte(own)}}, preprocess.Config{})
		for _, f := range out.Faults {
			require.Contains(t, f.Msg, "unexpected '#", own) // which only a parser minds
		}
		var got []string
		for _, k := range out.Tokens {
			got = append(got, k.Text)
		}
		name := fmt.Sprintf("unit_%d", id)
		// GCC writes some tokens without a blank between that would be others then, so only texts are compared, and the
		// blanks only of strings.
		theirs, ours := want[name], units(got)[name]
		blanks := strings.NewReplacer(" ", "", "\n", "", "<:", "[", `\u00e9`, "é", `\U000000e9`, "é") // GCC writes both
		require.Equal(t, blanks.Replace(theirs), blanks.Replace(strings.Join(ours, "")), strings.TrimSpace(own))
		for _, s := range ours {
			// In a string of __VA_OPT__ GCC has white space behind the names of macros that are not called.
			if strings.HasSuffix(s, `"`) && !strings.Contains(own, "__VA_OPT__") {
				_, rest, there := strings.Cut(theirs, s)
				require.True(t, there, "%s\n%s", s, strings.TrimSpace(own))
				theirs = rest
			}
		}
	}
}

// units parts tokens by the names of units.
func units(tokens []string) map[string][]string {
	all, name := map[string][]string{}, ""
	for _, s := range tokens {
		if strings.HasPrefix(s, "unit_") {
			name = s
		} else {
			all[name] = append(all[name], s)
		}
	}
	return all
}

// parted parts a text by the names of units.
func parted(text string) map[string]string {
	all := map[string]string{}
	names := regexp.MustCompile(`unit_\d+`).FindAllStringIndex(text, -1)
	for i, at := range names {
		end := len(text)
		if i+1 < len(names) {
			end = names[i+1][0]
		}
		all[text[at[0]:at[1]]] = text[at[1]:end]
	}
	return all
}

// macros makes units at random.
type macros struct {
	*rand.Rand
	id     int
	names  []string
	params []int // of the macros; negative: none
	rest   []bool
}

func (g *macros) of(words ...string) string { return words[g.IntN(len(words))] }

// unit are some definitions and lines that use them.
func (g *macros) unit() string {
	var b strings.Builder
	for i := range 2 + g.IntN(3) {
		g.names = append(g.names, fmt.Sprintf("M%d_%d", g.id, i))
		g.params = append(g.params, g.IntN(4)-1)
		g.rest = append(g.rest, g.IntN(3) == 0)
	}
	for i, name := range g.names {
		var params []string
		for k := range g.params[i] {
			params = append(params, string(rune('a'+k)))
		}
		list := strings.Join(params, ", ")
		if g.params[i] >= 0 && g.rest[i] {
			dots, named := "...", "__VA_ARGS__"
			if g.IntN(3) == 0 {
				dots, named = "r...", "r"
			}
			if params = append(params, named); len(params) > 1 {
				list += ", "
			}
			list += dots
		}
		if g.params[i] >= 0 {
			name += "(" + list + ")"
		}
		fmt.Fprintf(&b, "#define %s %s\n", name, g.body(params, g.rest[i] && g.params[i] >= 0))
	}
	for range 1 + g.IntN(3) {
		b.WriteString(g.line(3) + "\n")
	}
	return b.String()
}

// body is what a macro stands for.
func (g *macros) body(params []string, rest bool) string {
	var b strings.Builder
	part := func() string {
		if len(params) > 0 && g.IntN(2) == 0 {
			return params[g.IntN(len(params))]
		}
		return g.token()
	}
	for range 1 + g.IntN(4) {
		switch k := g.IntN(8); {
		case k == 0 && len(params) > 0:
			b.WriteString("#" + g.of("", " ") + params[g.IntN(len(params))])
		case k == 1:
			b.WriteString(part() + g.of("##", " ## ") + part())
		case k == 2 && rest:
			b.WriteString("f(0, ## " + params[len(params)-1] + ")")
		case k == 3 && rest:
			b.WriteString(g.of("", "# ", "x ## ") + "__VA_OPT__(" + part() + " " + part() + ")" + g.of("", " ## y"))
		case k == 4:
			b.WriteString(g.call(1, params))
		default:
			b.WriteString(part())
		}
		b.WriteString(g.of("", " ", " ", " + "))
	}
	return strings.TrimSpace(b.String())
}

func (g *macros) token() string {
	return g.of("x", "y1", "1", "2.5e", "+", "-", "<", "=", "(x)", ",", `"s\n"`, "'c'", `u8"é"`, "L", "u8",
		`"t"`, ".", "x2", "<:", "\\u00e9", "#", "")
}

// call uses a macro, in most cases as it was defined.
func (g *macros) call(depth int, params []string) string {
	i := g.IntN(len(g.names))
	if g.params[i] < 0 || g.IntN(10) == 0 {
		return g.names[i]
	}
	n := g.params[i]
	if g.rest[i] {
		n += g.IntN(3)
	}
	var args []string
	for range n {
		switch {
		case len(params) > 0 && g.IntN(3) == 0:
			args = append(args, params[g.IntN(len(params))])
		case depth > 0 && g.IntN(2) == 0:
			args = append(args, g.call(depth-1, params))
		default:
			args = append(args, g.of("", "x", "1", "(p, q)", "y  z", `"a" 'b'`, "+ -", "1'0"))
		}
	}
	return g.names[i] + g.of("", " ") + "(" + strings.Join(args, g.of(",", ", ", " ,\t")) + ")"
}

// line is one of the text.
func (g *macros) line(depth int) string {
	var b strings.Builder
	for range 1 + g.IntN(3) {
		b.WriteString(g.of("", " ", "x ", ", ", "/* c */", "\\\n", "\n") + g.call(depth, nil))
		if g.IntN(6) == 0 {
			b.WriteString("(" + g.of("", "x", "1, 2") + ")")
		}
	}
	return b.String()
}
