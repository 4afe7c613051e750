package source

// The library's messages about types, reworded.
//
// The library cites the standard ("operand shall be a pointer: int"). Here is a table from what it says to what
// the author of the text would say; a message that is not in the table stays as it is.

import (
	"strconv"
	"strings"

	"magus/internal/pattern"
)

// A rewording is what a message means; $1 and $2 are types.
type rewording struct {
	says  pattern.Pattern
	means string
}

var rewordings = []rewording{
	{pattern.New(`^too many items in initializer$`),
		"the initialiser has more values than there is room for: GCC drops this one and those behind it; so leave them out"},
	{pattern.New(`^operand shall be a pointer: (.*)$`), "* follows a pointer, and this is $1"},
	{pattern.New(`^expected a pointer: (.*)$`), "-> follows a pointer to a structure or union, and this is $1"},
	{pattern.New(`^expected a struct or union: pointer to ((?:struct|union)\b.*)$`),
		"this is a pointer to $1: its members are behind ->, not a dot"},
	{pattern.New(`^expected a struct or union: (.*)$`), "only a structure or union has members, and this is $1"},
	{pattern.New(`^expected pointer to function: (.*)$`), "only a function can be called, and this is $1"},
	{pattern.New(`^expected (arithmetic|integer|scalar) type: (.*)$`), "this operand must be $1, and it is $2"},
	{pattern.New(`^operand shall have (arithmetic|integer|scalar) type: (.*)$`), "this operand must be $1, and it is $2"},
	{pattern.New(`^operands shall have (arithmetic|integer) type: (.*) and (.*)$`),
		"both operands must be $1, and they are $2 and $3"},
	{pattern.New(`^operands shall be (scalar)s: (.*) and (.*)$`), "both operands must be $1, and they are $2 and $3"},
	{pattern.New(`^invalid operands: (?:\S+ \()?(.*?)\)? and (?:\S+ \()?(.*?)\)?$`),
		"this operator does not go with $1 and $2"},
	{pattern.New(`^invalid operand: (.*)$`), "this operator does not go with $1"},
	{pattern.New(`^one of the expressions shall be a pointer and the other shall have integer type: (.*) and (.*)$`),
		"[ ] goes with a pointer or an array and an integer, and these are $1 and $2"},
	{pattern.New(`^sizeof incomplete type: (.*)$`), "$1 has no size: it is not defined"},
	{pattern.New(`^invalid array size, .*: (-\d+)$`), "an array cannot have $1 elements"},
	{pattern.New(`^(?:unexpected (#\w+))$`), "$1 without an #if"},
}

// kinds are the standard's names of kinds of types, with those of everybody.
var kinds = map[string]string{"arithmetic": "a number", "integer": "an integer", "scalar": "a number or a pointer"}

// worded is a message of the library in the words of the table.
func worded(msg string) string {
	for _, w := range rewordings {
		m := w.says().FindStringSubmatchIndex(msg)
		if m == nil {
			continue
		}
		var parts []string
		for i := 2; i < len(m); i += 2 {
			part := msg[m[i]:m[i+1]]
			if plain, ok := kinds[part]; ok {
				if part = plain; strings.HasPrefix(w.means, "both") {
					part = strings.NewReplacer("an integer", "integers", "a number", "numbers", "a pointer", "pointers").Replace(plain)
				}
			}
			parts = append(parts, "$"+strconv.Itoa(i/2), inC(part))
		}
		return strings.NewReplacer(parts...).Replace(w.means)
	}
	return msg
}

// inC is a type that the library writes in words, as C writes it where that is short.
func inC(t string) string {
	to, isPointer := strings.CutPrefix(t, "pointer to ")
	switch {
	case !isPointer:
		return t
	case strings.HasPrefix(to, "function"):
		return "a pointer to a function"
	case strings.HasPrefix(to, "array"):
		return "a pointer to an array"
	}
	if to = inC(to); !strings.HasSuffix(to, "*") {
		to += " "
	}
	return to + "*"
}
