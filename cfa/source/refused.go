package source

// Constructs that the C library would read as something else, found in the text.
//
// Idea: where the library passes over a construct in silence, or reads another one in its place, a
// proof would be one of another program. What cannot be read right is refused at its place, before
// the library sees the text. The text is looked at as tokens, without comments. Deviations: text that
// conditions leave out is looked at, too. Cost: linear in the text.

import (
	"bytes"

	"magus/cfa"
)

// A word is a token of a text: an identifier or number, a literal with its quotes, or one character.
type word struct {
	at, end int
}

// eachWord calls f for the tokens of a text, in order, until it says no.
func eachWord(text []byte, f func(w word) bool) {
	for i := 0; i < len(text); i++ {
		w := word{i, i + 1}
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
			continue
		case c == '/' && skipComment(text, i) != i:
			i = skipComment(text, i)
			continue
		case c == '"' || c == '\'':
			w.end = min(skipLiteral(text, i)+1, len(text))
		case isWord(c):
			for w.end < len(text) && isWord(text[w.end]) {
				w.end++
			}
		}
		if !f(w) {
			return
		}
		i = w.end - 1
	}
}

// misread is the first construct of a text that the library would read as something else; nil if there is none.
func misread(name string, text []byte) error {
	if !bytes.Contains(text, []byte("enum")) && !bytes.Contains(text, []byte(`\x`)) &&
		!bytes.Contains(text, []byte("scalar_storage_order")) && !bytes.Contains(text, []byte("weak")) {
		return nil
	}
	var found error
	refuse := func(w word, what, hint string) {
		before := text[:w.at]
		found = &cfa.UnsupportedError{Pos: cfa.Pos{File: name, Line: bytes.Count(before, []byte("\n")) + 1,
			Col: w.at - bytes.LastIndexByte(before, '\n')}, What: what, Hint: hint}
	}
	var last [2]string // the tokens before
	var enums enumScan
	eachWord(text, func(w word) bool {
		s := string(text[w.at:w.end])
		switch {
		case s == "scalar_storage_order" || s == "__scalar_storage_order__":
			refuse(w, "another order of bytes (scalar_storage_order)", "")
		case s == "weak" && last == [2]string{"#", "pragma"}:
			refuse(w, "#pragma weak", "write __attribute__((weak)) to the declaration")
		case enums.packed(s):
			refuse(w, "an enumeration with the attribute packed", "write the integer type that it is to have")
		case (s[0] == '"' || s[0] == '\'') && !isPrefix(last[1]) && hasLongEscape(s):
			refuse(w, `an escape \x of more than two digits`, "write the character with two, or in octal")
		}
		last = [2]string{last[1], s}
		return found == nil
	})
	return found
}

// isPrefix reports whether a token before a literal makes its characters wide ones.
func isPrefix(s string) bool { return s == "L" || s == "u" || s == "U" }

// hasLongEscape reports whether a literal of narrow characters has a hexadecimal escape of more than two digits.
func hasLongEscape(s string) bool {
	digits := -1 // of the escape at hand; negative outside of one
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			digits = -1
			if i++; s[i] == 'x' {
				digits = 0
			}
		case digits >= 0 && ('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'):
			if digits++; digits > 2 {
				return true
			}
		default:
			digits = -1
		}
	}
	return false
}

// An enumScan follows the tokens of a text through the enumerations that it defines.
type enumScan struct {
	in      bool // behind the word enum, and before what follows the definition
	braces  int
	closed  bool // the definition has ended
	nesting int  // of parentheses
	names   bool // within an attribute
}

// packed reports whether a token is the attribute packed of an enumeration.
func (e *enumScan) packed(s string) bool {
	switch {
	case s == "enum":
		*e = enumScan{in: true}
	case !e.in:
	case s == "{":
		e.braces++
	case s == "}":
		e.braces--
		e.closed = e.braces == 0
	case e.braces > 0:
	case s == "(":
		e.nesting++
	case s == ")":
		if e.nesting--; e.nesting <= 0 {
			e.nesting, e.names = 0, false
		}
	case s == "__attribute__" || s == "__attribute":
		e.names = true
	case e.nesting > 0 && e.names:
		return s == "packed" || s == "__packed__"
	case e.closed || s == ";" || s == "," || s == "*" || s == "=":
		*e = enumScan{}
	}
	return false
}

// plainPrefixes blanks the prefix u8 of string literals: their characters are those of plain ones.
func plainPrefixes(text []byte) []byte {
	if !bytes.Contains(text, []byte(`u8"`)) {
		return text
	}
	out := bytes.Clone(text)
	eachWord(text, func(w word) bool {
		if string(text[w.at:w.end]) == "u8" && w.end < len(text) && text[w.end] == '"' {
			out[w.at], out[w.at+1] = ' ', ' '
		}
		return true
	})
	return out
}
