package reword

// Literals (C11 6.4.4, 6.4.5).
//
// Idea: what the parser reads right stays as it is. Characters become the number that GCC makes of them. Strings of
// narrow characters get their bytes in octal where the parser would read an escape otherwise, and those of wide
// ones characters. Of u"" and U"", which the parser has no types for, the lists of numbers are made where an array is
// initialised with them, and elsewhere arrays at file scope.
//
// Source: C11; GCC's manual for \e, constants of several characters and binary numbers. Cost: linear.

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"magus/cfa"
	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
)

// numbers writes them without separators of digits, and floating-point numbers as the parser reads them.
func numbers(r *rewriter) {
	for i, t := range r.in {
		if t.Kind != lex.Number {
			continue
		}
		text := strings.ReplaceAll(t.Text, "'", "")
		switch {
		case strings.ContainsAny(text, "iIjJ"):
			r.refuse(t, "the complex constant "+t.Text, "")
			return
		case isDecimal(text):
			r.refuse(t, "the decimal floating-point constant "+t.Text, "write one of float, double or long double")
			return
		case r.long != cfa.X87 && isReal(text) && strings.HasSuffix(strings.ToLower(text), "w"):
			r.refuse(t, "the constant "+t.Text+", which has the 80 bits of the x87", "")
			return
		case isHalf(text):
			r.replace(i, i+1, made(text[:len(text)-len("f16")]+HalfSuffix, t)...)
			continue
		}
		if _, ok := widthSuffix(widths, text); ok && isReal(text) && r.tellsTypesApart() {
			r.refuse(t, "a type that is chosen by another one, beside the constant "+t.Text,
				"write a constant of float, double or long double")
			return
		}
		text = realNumber(r.widths(), text)
		if text != t.Text {
			r.replace(i, i+1, made(text, t)...)
		}
	}
}

// isDecimal reports whether a number is one of decimal floating point (C23 6.4.4.3): 1.5df, 1e3DD.
func isDecimal(text string) bool {
	suffixes := []string{"df", "dd", "dl"}
	return strings.ContainsAny(text, ".eE") && !strings.ContainsAny(text, "xX") &&
		slices.Contains(suffixes, strings.ToLower(text[len(text)-2:]))
}

// isHalf reports whether a number is one of 16 bits (C23 annex H): 1.5f16.
func isHalf(text string) bool {
	return isReal(text) && strings.HasSuffix(strings.ToLower(text), "f16")
}

// isReal reports whether a number is one of floating point.
func isReal(text string) bool {
	if strings.HasPrefix(strings.ToLower(text), "0x") {
		return strings.ContainsAny(text, "pP")
	}
	return strings.ContainsAny(text, ".eE")
}

// IsInfinite reports whether a number is one that no double holds, which [Run] writes as an infinity.
func IsInfinite(t lex.Token) bool {
	return t.Kind == lex.Number && realNumber(widths, strings.ReplaceAll(t.Text, "'", "")) == infinity
}

// infinity is the constant that no double holds as the parser reads it.
const infinity = "__builtin_inf()"

// realNumber is a floating-point number with the suffixes that the parser knows of those that GCC has (d, q, w, f32
// …), and one that no double holds as the infinity that it is; else the text.
func realNumber(widths []width, text string) string {
	digits, suffixes := "0123456789.eE+-", "dDqQwW"
	if isHex := len(text) > 1 && strings.ContainsRune("xX", rune(text[1])); isHex {
		digits += "abcdefABCDEFxXpP"
		if !strings.ContainsAny(text, "pP") {
			return text
		}
	} else if !strings.ContainsAny(text, ".eE") {
		return text
	}
	text, _ = widthSuffix(widths, text)
	bare := text
	if last := len(text) - 1; strings.IndexByte(suffixes, text[last]) >= 0 && strings.IndexByte("0123456789.", text[last-1]) >= 0 {
		bare = text[:last]
		switch text[last] {
		case 'q', 'Q':
			return bare + "f128"
		case 'w', 'W':
			return bare + "l"
		}
	}
	if strings.Trim(bare, digits) != "" {
		return text
	}
	if f, err := strconv.ParseFloat(bare, 64); err != nil && math.IsInf(f, 0) {
		return infinity
	}
	return bare
}

// characterConstants writes them as numbers.
func characterConstants(r *rewriter) {
	for i, t := range r.in {
		if t.Kind != lex.Char || isSimpleChar(t.Text) {
			continue
		}
		if strings.TrimPrefix(t.Text, t.Prefix()) == "''" {
			r.fault(t, "a character constant without a character")
			return
		}
		c, ok := lex.CharValue(t.Token)
		if !ok {
			r.refuse(t, "the character constant "+t.Text, "its value is none that every compiler gives it")
			return
		}
		text := strconv.FormatInt(c.Value, 10)
		switch {
		case c.Type == "unsigned int":
			text += "u"
		case c.Type != "int":
			text = "((" + c.Type + ")" + text + ")"
		case c.Value == -1<<31:
			text = "(-2147483647-1)"
		case c.Value < 0:
			text = "(" + text + ")"
		}
		r.replace(i, i+1, made(text, t)...)
	}
}

// isSimpleChar reports whether the parser reads a constant right: one character of ASCII, or the escape of one.
func isSimpleChar(s string) bool {
	s = strings.TrimPrefix(s, "L")
	if s[0] != '\'' || len(s) < 3 {
		return false
	}
	s = s[1 : len(s)-1]
	return len(s) == 1 && s[0] < 0x80 || s[0] == '\\' && simpleEscape(s) == len(s)
}

// simpleEscape is the length of the escape that a text begins with if the parser reads it right, else 0.
func simpleEscape(s string) int {
	const hex = "0123456789abcdefABCDEF"
	count := func(digits string, from, most int) int {
		n := from
		for n < len(s) && n < most && strings.IndexByte(digits, s[n]) >= 0 {
			n++
		}
		return n
	}
	switch c := s[1]; {
	case strings.IndexByte(`abtnvfre'"?\`, c) >= 0:
		return 2
	case c == 'x':
		n := count(hex, 2, len(s))
		if n == 3 || n == 4 {
			return n
		}
	case '0' <= c && c <= '3':
		return count("01234567", 1, 4)
	case '4' <= c && c <= '7':
		if n := count("01234567", 1, 4); n < 4 {
			return n
		}
	}
	return 0
}

// isSimpleString reports whether the parser reads a string right, alone or, if wide, in one of wide characters: there
// it takes escapes with numbers for bytes of UTF-8.
func isSimpleString(s string, wide bool) bool {
	if s = strings.TrimPrefix(s, "L"); s[0] != '"' || !utf8.ValidString(s) {
		return false
	}
	for s = s[1 : len(s)-1]; s != ""; {
		n := 1
		if s[0] == '\\' {
			if n = simpleEscape(s); n == 0 || wide && s[1] >= '0' && s[1] <= '9' || wide && s[1] == 'x' {
				return false
			}
		}
		s = s[n:]
	}
	return true
}

// stringLiterals writes strings with the neighbours that they are joined with.
func stringLiterals(r *rewriter) {
	hoisted := 0
	for i := 0; i < len(r.in) && r.err == nil; i++ {
		if r.in[i].Kind != lex.String {
			continue
		}
		end := i + 1
		for end < len(r.in) && r.in[end].Kind == lex.String {
			end++
		}
		r.joined(i, end, &hoisted)
		i = end - 1
	}
}

// joined rewords strings that stand beside each other.
func (r *rewriter) joined(i, end int, hoisted *int) {
	first := r.in[i]
	prefix := ""
	for _, t := range r.in[i:end] {
		p := strings.TrimSuffix(t.Prefix(), "R")
		if p != "" && prefix != "" && p != prefix {
			r.fault(t, "strings with different prefixes stand beside each other")
			return
		}
		if p != "" {
			prefix = p
		}
	}
	if prefix == "" || prefix == "L" && first.Prefix() == "L" {
		odd := func(t preprocess.Token) bool { return !isSimpleString(t.Text, prefix == "L") }
		if !slices.ContainsFunc(r.in[i:end], odd) {
			return
		}
	}
	var units []lex.Unit
	for _, t := range r.in[i:end] {
		more, ok := lex.Units(t.Token)
		if !ok {
			r.fault(t, "an escape in this string is none")
			return
		}
		units = append(units, more...)
	}
	width := map[string]uint{"": 8, "u8": 8, "u": 16, "U": 32, "L": 32}[prefix]
	codes, ok := lex.Encode(units, width)
	if !ok {
		r.refuse(first, "this string", "a number in it does not fit, or a byte is no character")
		return
	}
	switch {
	case width == 8:
		r.replace(i, end, made(narrow(codes), first)...)
	case prefix == "L" && allCharacters(codes):
		r.replace(i, end, made(wide(codes), first)...)
	default:
		r.array(i, end, prefix, codes, hoisted)
	}
}

// narrow is a string of bytes.
func narrow(codes []uint32) string {
	b := []byte{'"'}
	for _, c := range codes {
		if c < ' ' || c == '"' || c == '\\' || c == '?' || c >= 0x7f {
			b = fmt.Appendf(b, "\\%03o", c)
		} else {
			b = append(b, byte(c))
		}
	}
	return string(b) + `"`
}

// allCharacters reports whether codes are characters of Unicode, which the parser decodes again.
func allCharacters(codes []uint32) bool {
	for _, c := range codes {
		if !utf8.ValidRune(rune(c)) || c == utf8.RuneError {
			return false
		}
	}
	return true
}

// wide is a string of wide characters.
func wide(codes []uint32) string {
	b := []byte(`L"`)
	for _, c := range codes {
		if c < ' ' || c == '"' || c == '\\' || c == '?' || c == 0x7f {
			b = fmt.Appendf(b, "\\%03o", c)
		} else {
			b = utf8.AppendRune(b, rune(c))
		}
	}
	return string(b) + `"`
}

// array writes a string as the list that initialises an array, or as an array at file scope.
func (r *rewriter) array(i, end int, prefix string, codes []uint32, hoisted *int) {
	var list strings.Builder
	for _, c := range codes {
		fmt.Fprintf(&list, "%d,", int64(c))
	}
	if len(codes) == 0 || !r.is(i-1, "=") || !r.is(i-2, "]") || r.is(i-3, "[") {
		list.WriteString("0") // it may not fit where a length is written, and what is left out is 0
	}
	switch r.initialises(i, end) {
	case anArray:
		r.replace(i, end, made("{"+list.String()+"}", r.in[i])...)
	case somethingElse:
		t := map[string]string{"u": "unsigned short", "U": "unsigned int", "L": "int"}[prefix]
		name := fmt.Sprintf("%s%d", LiteralPrefix, *hoisted)
		*hoisted++
		r.replace(i, end, made(name, r.in[i])...)
		r.before = append(r.before, made(fmt.Sprintf("static %s %s[]={%s};", t, name, list.String()), r.in[i])...)
	default:
		r.refuse(r.in[i], "a string with the prefix "+prefix+" here", "write the list of its characters")
	}
}

// LiteralPrefix begins the names of arrays that stand for strings.
const LiteralPrefix = "__magus_literal_"

// What a string initialises.
type initialised uint8

const (
	somethingElse initialised = iota // or nothing
	anArray
	unclear
)

// initialises tells what a string initialises, by the tokens before it.
func (r *rewriter) initialises(i, end int) initialised {
	for r.is(i-1, "(") && r.is(end, ")") && !r.isName(i-2) && !r.is(i-2, ")") {
		i, end = i-1, end+1
	}
	switch {
	case r.inList(i):
		return unclear
	case r.is(i-1, "=") && r.is(i-2, "]"):
		return r.declared(i - 2)
	case r.is(i-1, "=") && r.isName(i-2) && !r.isOneOf(i-3, "*", "const", "restrict", "volatile") && r.declares(i-2):
		return unclear // the type of a name may be that of an array
	}
	return somethingElse
}

func (r *rewriter) isName(i int) bool { return i >= 0 && i < len(r.in) && r.in[i].Kind == lex.Name }

// declares reports whether a name may be one that is declared, since a type stands before it.
func (r *rewriter) declares(i int) bool { return r.isName(i-1) || r.is(i-1, ",") || r.is(i-1, "}") }

// declared tells what a declarator is that ends with the bracket at i: an array, or one of pointers.
func (r *rewriter) declared(i int) initialised {
	for r.is(i, "]") {
		i = r.opening(i) - 1
	}
	if !r.isName(i) || r.is(i-1, "*") || r.is(i-1, ".") || r.is(i-1, "{") {
		return unclear
	}
	if r.declares(i) {
		return anArray
	}
	return unclear
}

// inList reports whether a place is within the braces of an initialiser, in no parentheses of their own.
func (r *rewriter) inList(i int) bool {
	depth := 0
	for i--; i >= 0; i-- {
		switch {
		case r.in[i].Kind != lex.Punct:
		case r.is(i, ")"), r.is(i, "]"), r.is(i, "}"):
			depth++
		case r.is(i, "("), r.is(i, "["):
			if depth--; depth < 0 {
				return false
			}
		case r.is(i, "{"):
			if depth--; depth < 0 {
				return r.isOneOf(i-1, "=", "{", ",") || r.is(i-1, ")") && !r.isName(r.opening(i-1)-1)
			}
		case r.is(i, ";") && depth == 0:
			return false
		}
	}
	return false
}
