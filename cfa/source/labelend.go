package source

// Labels at the end of a block (C23 6.8.2, GCC in every mode): out: }
//
// The library expects a statement behind a label. A colon before a closing brace
// stands nowhere else, so that an empty statement is written behind it, over a blank
// if there is one: what stands after it keeps its column. Comments and directives
// may stand between. Nothing is written within parentheses, where a macro may turn
// its argument into a text: there such a label is refused, as in ({ out: }).
//
// Cost: linear in the text, but for blanks behind colons, which are read twice.

import "bytes"

// closeLabels writes the empty statements.
func closeLabels(text []byte) []byte {
	var out []byte // nil: as it was
	from, depth := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			i = skipLiteral(text, i)
		case '/':
			i = skipComment(text, i)
		case '(':
			depth++
		case ')':
			depth = max(depth-1, 0)
		case ':':
			if depth > 0 || !beforeBrace(text, i+1) {
				continue
			}
			out = append(append(out, text[from:i+1]...), ';')
			if from = i + 1; text[from] == ' ' || text[from] == '\t' {
				from++
			}
		}
	}
	if out == nil {
		return text
	}
	return append(out, text[from:]...)
}

// beforeBrace reports whether a closing brace is the next token at i.
func beforeBrace(text []byte, i int) bool {
	fresh := false // only blanks in this line
	for ; i < len(text); i++ {
		switch c := text[i]; c {
		case '}':
			return true
		case '\n':
			fresh = true
		case ' ', '\t', '\r', '\v', '\f':
		case '\\':
			if !bytes.HasPrefix(text[i+1:], []byte("\n")) {
				return false
			}
			i++
		case '#':
			if !fresh {
				return false
			}
			i = skipDirective(text, i) - 1 // its end is the next blank
		case '/':
			end := skipComment(text, i)
			if end == i {
				return false
			}
			fresh = fresh || end < len(text) && text[end] == '\n'
			i = end
		default:
			return false
		}
	}
	return false
}
