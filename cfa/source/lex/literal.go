package lex

// What character constants and strings are made of (C11 6.4.4.4, 6.4.5).
//
// Source: C11; GCC's manual for \e and constants of several characters. Cost: linear in the literal.

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Unit is one of the code units that a literal stands for, before the encoding is chosen.
type Unit struct {
	Value   uint32 // of a character its code point, of an escape by digits the number
	Escaped bool   // by digits: the number is a code unit, not a character
	Byte    bool   // a byte that is no UTF-8
}

// Units are those between the quotes of a literal; not ok where one is none.
func Units(t Token) (units []Unit, ok bool) {
	s := strings.TrimPrefix(t.Text, t.Prefix())
	if strings.HasSuffix(t.Prefix(), "R") {
		open := strings.IndexByte(s, '(')
		return characterUnits(s[open+1 : len(s)-open-1]), true
	}
	for s = s[1 : len(s)-1]; s != ""; {
		if s[0] != '\\' {
			c := characterUnits(s[:1])
			_, n := utf8.DecodeRuneInString(s)
			if n > 1 {
				c = characterUnits(s[:n])
			}
			units = append(units, c...)
			s = s[n:]
			continue
		}
		u, rest, ok := escape(s)
		if !ok {
			return nil, false
		}
		units = append(units, u)
		s = rest
	}
	return units, true
}

// characterUnits are the characters of a text.
func characterUnits(s string) (units []Unit) {
	for s != "" {
		c, n := utf8.DecodeRuneInString(s)
		if c == utf8.RuneError && n == 1 {
			units = append(units, Unit{Value: uint32(s[0]), Byte: true})
		} else {
			units = append(units, Unit{Value: uint32(c)})
		}
		s = s[n:]
	}
	return units
}

// simple are the escapes of one character.
var simple = map[byte]uint32{'\'': '\'', '"': '"', '?': '?', '\\': '\\', 'a': 7, 'b': 8, 't': 9, 'n': 10,
	'v': 11, 'f': 12,
	'r': 13, 'e': 27, 'E': 27}

// escape reads the escape that a text begins with.
func escape(s string) (u Unit, rest string, ok bool) {
	if len(s) < 2 {
		return u, "", false
	}
	if c, known := simple[s[1]]; known {
		return Unit{Value: c}, s[2:], true
	}
	base, from, most := 16, 2, len(s)
	switch c := s[1]; {
	case '0' <= c && c <= '7':
		base, from, most = 8, 1, 4
	case c == 'x':
	case c == 'u':
		most = 6
	case c == 'U':
		most = 10
	case c >= utf8.RuneSelf:
		return u, "", false
	default: // none that C has: GCC takes the character, with a warning
		return Unit{Value: uint32(c)}, s[2:], true
	}
	end := from
	for end < min(most, len(s)) {
		if d := strings.IndexByte("0123456789abcdef", s[end]|0x20); s[end] < '0' || d < 0 || d >= base {
			break
		}
		end++
	}
	isName := s[1] == 'u' || s[1] == 'U'
	n, err := strconv.ParseUint(s[from:end], base, 32)
	if err != nil || isName && (end != most || n > utf8.MaxRune || 0xd800 <= n && n < 0xe000) {
		return u, "", false
	}
	return Unit{Value: uint32(n), Escaped: !isName}, s[end:], true
}

// An Integer is the value of a character constant.
type Integer struct {
	Value    int64
	Type     string // in C: int for no prefix
	Unsigned bool
}

// CharValue is the value of a character constant as GCC for Linux computes it; not ok where it has none, or none
// that every compiler gives it.
func CharValue(t Token) (c Integer, ok bool) {
	units, ok := Units(t)
	if !ok || len(units) == 0 {
		return c, false
	}
	width, most := uint(8), 4
	c.Type = "int"
	switch t.Prefix() {
	case "":
	case "u8":
		c, most = Integer{Type: "unsigned char", Unsigned: true}, 1
	case "u":
		c, width, most = Integer{Type: "unsigned short", Unsigned: true}, 16, 1
	case "U":
		c, width, most = Integer{Type: "unsigned int", Unsigned: true}, 32, 1
	case "L":
		c.Type, width, most = "int", 32, 1
	default:
		return c, false
	}
	codes, ok := Encode(units, width)
	if !ok || len(codes) > most {
		return c, false
	}
	var v uint32
	for _, code := range codes {
		v = v<<width | code // of one code of 32 bits, that code
	}
	switch {
	case c.Unsigned:
		c.Value = int64(v)
	case width == 8 && len(codes) == 1:
		c.Value = int64(int8(v))
	default:
		c.Value = int64(int32(v))
	}
	return c, true
}

// Encode gives units their codes of a width: UTF-8, UTF-16 or UTF-32. It is not ok where a number does not fit, or
// a byte is no character.
func Encode(units []Unit, width uint) (codes []uint32, ok bool) {
	for _, u := range units {
		switch {
		case u.Escaped:
			if width < 32 && u.Value>>width != 0 {
				return nil, false
			}
			codes = append(codes, u.Value)
		case u.Byte && width == 8:
			codes = append(codes, u.Value)
		case u.Byte:
			return nil, false
		case width == 8:
			for _, b := range []byte(string(rune(u.Value))) {
				codes = append(codes, uint32(b))
			}
		case width == 16 && u.Value > 0xffff:
			v := u.Value - 0x10000
			codes = append(codes, 0xd800+v>>10, 0xdc00+v&0x3ff)
		default:
			codes = append(codes, u.Value)
		}
	}
	return codes, true
}
