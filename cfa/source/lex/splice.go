package lex

// Phases 1 and 2: trigraphs and spliced lines.
//
// Idea: where a text has neither, it is taken as it is. Otherwise a clean copy is made, with a list of the places
// at which bytes of the text were left out, from which the place of a byte of the copy follows.
//
// Source: C11 5.1.1.2p1. Deviation, as in GCC: blanks may stand between a backslash and the end of its line.
// Cost: linear in the text.

import "bytes"

// A jump is a place from which on the clean copy lags more behind the text.
type jump struct{ clean, raw int }

// trigraphs are the third characters with what they stand for.
var trigraphs = map[byte]byte{'=': '#', '(': '[', '/': '\\', ')': ']', '\'': '^', '<': '{', '!': '|',
	'>': '}', '-': '~'}

// clean is a text after phases 1 and 2.
func clean(text []byte, withTrigraphs bool) (out []byte, jumps []jump) {
	if bytes.IndexByte(text, '\\') < 0 && !(withTrigraphs && bytes.Contains(text, []byte("??"))) {
		return text, nil
	}
	from := 0 // what is behind it is not in out yet
	for i := 0; i < len(text); i++ {
		c, n := text[i], 1
		if withTrigraphs && c == '?' && i+2 < len(text) && text[i+1] == '?' && trigraphs[text[i+2]] != 0 {
			c, n = trigraphs[text[i+2]], 3
		}
		if c == '\\' {
			if end := splice(text, i+n); end > 0 {
				out = append(out, text[from:i]...)
				from, i = end, end-1
				jumps = append(jumps, jump{len(out), from})
				continue
			}
		}
		if n == 3 {
			out = append(append(out, text[from:i]...), c)
			from = i + 3
			i += 2
			jumps = append(jumps, jump{len(out), from})
		}
	}
	if jumps == nil {
		return text, nil
	}
	return append(out, text[from:]...), jumps
}

// splice is the offset behind the end of a line if nothing else than blanks stands before it from i on, else 0.
func splice(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\f' || text[i] == '\v') {
		i++
	}
	if i < len(text) && text[i] == '\n' {
		return i + 1
	}
	return 0
}
