package source

// Constants of several characters: 'ab'.
//
// The library reads none of them. GCC makes a number of type int of up to four
// characters, the first one in the highest byte, and so does this, before the text is
// preprocessed. Nor does it read u'a' and U'a', which become numbers of their types. Constants
// with another prefix, and longer ones, stay as they are.
//
// Cost: linear in the text.

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// numberCharacters writes constants of several characters as numbers.
func numberCharacters(text []byte) []byte {
	var out bytes.Buffer
	done := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = skipLiteral(text, i)
		case '/':
			i = skipComment(text, i)
		case '\'':
			end := skipLiteral(text, i)
			prefixed := i > 0 && isWord(text[i-1])
			if end >= len(text) || text[end] != '\'' {
				i = end
				continue
			}
			if value, ok := wideCharacter(text[max(0, i-2):i], text[i+1:end]); ok {
				out.Write(text[done : i-1])
				out.WriteString(value)
				done = end + 1
			} else if value, ok := severalCharacters(text[i+1 : end]); ok && !prefixed {
				out.Write(text[done:i])
				fmt.Fprintf(&out, "%s", value)
				done = end + 1
			}
			i = end
		}
	}
	if done == 0 {
		return text
	}
	out.Write(text[done:])
	return out.Bytes()
}

// wideCharacter is the number that one character between quotes is behind the prefix u or U.
func wideCharacter(before, s []byte) (number string, ok bool) {
	n := len(before)
	if n == 0 || before[n-1] != 'u' && before[n-1] != 'U' || n == 2 && isWord(before[0]) || len(s) == 0 {
		return "", false
	}
	c, size := utf8.DecodeRune(s)
	if s[0] == '\\' {
		b, rest, ok := character(string(s))
		if !ok {
			return "", false
		}
		c, size = rune(b), len(s)-len(rest)
	}
	switch {
	case size != len(s) || before[n-1] == 'u' && c > 0xffff:
		return "", false
	case before[n-1] == 'u':
		return fmt.Sprintf("((unsigned short)%d)", c), true
	}
	return fmt.Sprintf("%du", c), true
}

// severalCharacters is the number that two to four characters between quotes are.
func severalCharacters(s []byte) (number string, ok bool) {
	if len(s) < 2 || len(s) > 16 {
		return "", false
	}
	var value uint32
	n := 0
	for rest := string(s); rest != ""; n++ {
		if rest[0] >= 0x80 {
			return "", false
		}
		c, after, ok := character(rest)
		if !ok {
			return "", false
		}
		value, rest = value<<8|uint32(c), after
	}
	if n < 2 || n > 4 {
		return "", false
	}
	if int32(value) < 0 {
		return fmt.Sprintf("(%d)", int32(value)), true
	}
	return strconv.Itoa(int(value)), true
}

// character is the first character of a constant.
func character(s string) (c byte, rest string, ok bool) {
	if s[0] != '\\' {
		return s[0], s[1:], true
	}
	if len(s) == 1 {
		return 0, "", false
	}
	digits := func(base int, all string, from, most int) (byte, string, bool) {
		n := from
		for n < len(s) && n < from+most && bytes.IndexByte([]byte(all), s[n]) >= 0 {
			n++
		}
		v, err := strconv.ParseUint(s[from:n], base, 8)
		return byte(v), s[n:], err == nil
	}
	switch s[1] {
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return digits(8, "01234567", 1, 3)
	case 'x':
		return digits(16, "0123456789abcdefABCDEF", 2, 2)
	case 'e':
		return 27, s[2:], true
	case '\'', '"', '?', '\\':
		return s[1], s[2:], true
	}
	if i := bytes.IndexByte([]byte("abtnvfr"), s[1]); i >= 0 {
		return "\a\b\t\n\v\f\r"[i], s[2:], true
	}
	return 0, "", false
}

// emptyCharacter is the offset of the first character constant without a character, -1 if there is none.
func emptyCharacter(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '/':
			i = skipComment(text, i)
		case '"', '\'':
			end := skipLiteral(text, i)
			if text[i] == '\'' && end == i+1 {
				return i
			}
			i = end
		}
	}
	return -1
}
