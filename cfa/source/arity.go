package source

// Calls of macros with a wrong number of arguments (C11 6.10.3p4).
//
// Idea: the library expands a call with too few arguments, and something else is read than was meant.
// So calls are counted in the text, of macros that the same file defines before. Whether a call is
// read at all, the preprocessor decides: before its line a pragma is put that reports it if the macro
// is defined, which says nothing within an #if that is not taken. A macro that has several
// definitions is counted against all of them. A file with line directives is left alone, and so is
// what directives themselves call. What another macro drops or makes a text of is counted as well,
// which C does not.
//
// Cost: linear in the text.

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/internal/pattern"

	"modernc.org/cc/v4"
)

// A wrongCall is a call of a macro with too few or too many arguments.
type wrongCall struct {
	macro       string
	line, col   int
	before      int // offset of the line to report it before, which no comment goes on into
	beforeLine  int
	want, given int
	atLeast     bool
}

var reMacro = pattern.New(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)`)

// A signature is what a definition of a macro says of its parameters.
type signature struct {
	at       int // its offset
	params   int
	variadic bool
}

func (g signature) takes(args int) bool {
	return args == g.params || g.variadic && args >= g.params || g.params == 0 && args == 1
}

// signatures are those of the macros with parameters that a text defines.
func signatures(text []byte) map[string][]signature {
	all := map[string][]signature{}
	for _, m := range reMacro().FindAllSubmatchIndex(text, -1) {
		g := signature{at: m[0]}
		if list := strings.TrimSpace(string(text[m[4]:m[5]])); list != "" {
			g.params = strings.Count(list, ",") + 1
			if g.variadic = strings.HasSuffix(list, "..."); g.variadic {
				g.params-- // GNU C lets the last one out, with its comma
			}
		}
		name := string(text[m[2]:m[3]])
		all[name] = append(all[name], g)
	}
	return all
}

// wrongCalls are the calls of a text with a number of arguments that no definition takes.
func wrongCalls(text []byte) (found []wrongCall) {
	if !bytes.Contains(text, []byte("define")) || !reMacro().Match(text) || hasLineDirective(text) {
		return nil
	}
	macros := signatures(text)
	line, lineStart := 1, 0
	before, beforeLine := 0, 1
	for i := 0; i < len(text); {
		end := i + 1
		switch c := text[i]; {
		case c == '#' && len(bytes.TrimSpace(text[lineStart:i])) == 0:
			end = skipDirective(text, i)
		case c == '"' || c == '\'':
			end = min(skipLiteral(text, i)+1, len(text))
		case c == '/':
			if end = max(end, skipComment(text, i)); end < len(text) && end > i+1 && text[end] == '/' {
				end++
			}
		case isNameByte(c):
			for end < len(text) && isNameByte(text[end]) {
				end++
			}
			if w, ok := countCall(text, macros[string(text[i:end])], i, end); ok {
				w.line, w.col, w.before, w.beforeLine = line, i-lineStart+1, before, beforeLine
				found = append(found, w)
			}
		}
		if n := bytes.Count(text[i:end], []byte("\n")); n > 0 {
			line, lineStart = line+n, bytes.LastIndexByte(text[:end], '\n')+1
			if text[i] == '\n' && !bytes.HasSuffix(text[:i], []byte("\\")) {
				before, beforeLine = lineStart, line
			}
		}
		i = end
	}
	return found
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// countCall compares the call of the macro whose name stands from one offset to another with its definitions. It
// counts the macro's own only: those before it.
func countCall(text []byte, defined []signature, from, to int) (w wrongCall, wrong bool) {
	if len(defined) == 0 || defined[0].at > from {
		return w, false
	}
	args, ok := arguments(text, to)
	if !ok || slices.ContainsFunc(defined, func(g signature) bool { return g.takes(args) }) {
		return w, false
	}
	last := defined[len(defined)-1]
	return wrongCall{macro: string(text[from:to]), want: last.params, given: args, atLeast: last.variadic}, true
}

// arguments is how many arguments stand in the parentheses that follow an offset; none count as one, as they are
// read. It is not ok if there are no parentheses, or a directive within them.
func arguments(text []byte, i int) (n int, ok bool) {
	for i < len(text) && bytes.IndexByte([]byte(" \t\r\n"), text[i]) >= 0 {
		i++
	}
	if i == len(text) || text[i] != '(' {
		return 0, false
	}
	n = 1
	for depth := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			i = skipLiteral(text, i)
		case '/':
			i = skipComment(text, i)
		case '#':
			return 0, false
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return n, true
			}
		case ',':
			if depth == 1 {
				n++
			}
		}
	}
	return 0, false
}

// reportWrongCalls puts pragmas before the lines of calls with a wrong number of arguments.
func reportWrongCalls(text []byte) []byte {
	found := wrongCalls(text)
	if len(found) == 0 {
		return text
	}
	var out bytes.Buffer
	done := 0
	for _, w := range found {
		out.Write(text[done:w.before])
		atLeast := 0
		if w.atLeast {
			atLeast = 1
		}
		fmt.Fprintf(&out, "#ifdef %s\n#pragma %s %s _%d _%d _%d _%d _%d\n#endif\n#line %d\n",
			w.macro, pragmaArity, w.macro, w.line, w.col, w.want, w.given, atLeast, w.beforeLine)
		done = w.before
	}
	out.Write(text[done:])
	return out.Bytes()
}

// wrongCallAt is the fault that a pragma in the line before the call tells.
func wrongCallAt(pos cfa.Pos, toks []cc.Token) error {
	if len(toks) < 7 {
		return nil
	}
	number := func(i int) (n int) {
		_, _ = fmt.Sscanf(toks[i].SrcStr(), "_%d", &n)
		return n
	}
	want, given := counted(number(4), "argument"), fmt.Sprintf("%d are", number(5))
	if number(6) == 1 {
		want = "at least " + want
	}
	if number(5) == 1 {
		given = "1 is"
	}
	return cfa.Fault(cfa.Pos{File: pos.File, Line: number(2), Col: number(3)},
		fmt.Sprintf("macro %s takes %s, and %s given", toks[1].SrcStr(), want, given))
}
