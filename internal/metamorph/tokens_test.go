package metamorph

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// text is a file as tokens; together they are the file again.
type text []string

var (
	cToken = regexp.MustCompile(
		`(?m)^[ \t]*#.*(?:\\\n.*)*|//.*|/\*(?s:.*?)\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|\d[\w.]*|\s+|->|\+\+|--|[-+*<>=!&|]=|&&|\|\||(?s:.)`)
	specToken = regexp.MustCompile(`//.*|/\*(?s:.*?)\*/|"[^"]*"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|\d\w*|\s+|->|(?s:.)`)
)

func (t text) String() string { return strings.Join(t, "") }

// isSpace says whether a token means nothing: blanks, comments, directives.
func isSpace(token string) bool {
	token = strings.TrimSpace(token)
	return token == "" || token[0] == '#' || strings.HasPrefix(token, "//") || strings.HasPrefix(token, "/*")
}

func isName(token string) bool {
	return token != "" && (token[0] == '_' || 'a' <= token[0]|0x20 && token[0]|0x20 <= 'z') && token[0] != '@'
}

// next is the index of the first token from i on that means something, or
// len(t); previous is that of the last up to i, or -1.
func (t text) next(i int) int {
	for i < len(t) && isSpace(t[i]) {
		i++
	}
	return i
}

func (t text) previous(i int) int {
	for i >= 0 && isSpace(t[i]) {
		i--
	}
	return i
}

// at is token i, "" outside.
func (t text) at(i int) string {
	if i < 0 || i >= len(t) {
		return ""
	}
	return t[i]
}

// closing is the index of the bracket that closes the one at i.
func (t text) closing(i int) int {
	depth := 0
	for ; i < len(t); i++ {
		switch t[i] {
		case "(", "{", "[":
			depth++
		case ")", "}", "]":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(t)
}

// replaced is t with tokens from…to-1 replaced.
func (t text) replaced(from, to int, with ...string) text {
	return slices.Concat(t[:from], with, t[to:])
}

// A function of a C file: its name and its braces.
type function struct{ name, open, end int }

// functions are those with a body.
func (t text) functions() []function {
	var fs []function
	for i := 0; i < len(t); i++ {
		switch {
		case t[i] == "{":
			i = t.closing(i)
		case isName(t[i]) && t.at(t.next(i+1)) == "(":
			end := t.closing(t.next(i + 1))
			if open := t.next(end + 1); t.at(open) == "{" {
				fs = append(fs, function{i, open, t.closing(open)})
				i = fs[len(fs)-1].end
			} else {
				i = end
			}
		}
	}
	return fs
}

func TestTokens(t *testing.T) {
	const c = "#include <a.h> // x\nint f(int a) /* b */ { char *s = \"}\\\"\"; return a->b; }\n" +
		"#define X \\\n 1\nvoid g(void);\nint h(void)\n{ }\n"
	tokens := text(cToken.FindAllString(c, -1))
	require.Equal(t, c, tokens.String())
	fs := tokens.functions()
	require.Len(t, fs, 2)
	require.Equal(t, []string{"f", "h"}, []string{tokens[fs[0].name], tokens[fs[1].name]})
	require.Equal(t, "{ char *s = \"}\\\"\"; return a->b; }", tokens[fs[0].open:fs[0].end+1].String())

	const spec = "A = ( a.b -> {c, d} -> B | return {$0 <= -1} -> STOP ),\nB = A + {e}. // x\n"
	tokens = specToken.FindAllString(spec, -1)
	require.Equal(t, spec, tokens.String())
	require.Contains(t, tokens, "a.b")
}
