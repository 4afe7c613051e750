package source

// typeof of a type.
//
// The library reads typeof (type) everywhere and gives it a type in casts, sizeof and
// members, but not in declarations. There it gets an expression of that type: typeof
// is a macro for one that points to the operand and goes back, which works for
// whatever has a type and means the same where the operand is an expression. What a
// macro makes has the place of its name, so that all other places stay as they are.
import "strings"

// typeofMacros define typeof in its three spellings.
const typeofMacros = "#define typeof(...) typeof" + typeofBody + "#define __typeof(...) typeof" + typeofBody +
	"#define __typeof__(...) typeof" + typeofBody

const typeofBody = typeofOpen + "__VA_ARGS__" + typeofClose + "\n"

const (
	typeofOpen  = "(*(typeof("
	typeofClose = ")*)0)"
)

// variableMacro is cc's va_arg for types to which a pointer is not written with an
// asterisk behind their names too, as those of pointers to functions. That of a literal
// may be qualified.
const variableMacro = "#define __builtin_va_arg(va, type) (*(__typeof__((type){0})*)__builtin_va_arg_impl(va))\n"

// asWritten writes what the macros make of typeof as it was in the source.
func asWritten(text string) string {
	for {
		before, rest, found := strings.Cut(text, "typeof"+typeofOpen)
		if !found {
			return text
		}
		end, depth := 0, 1
		for end < len(rest) && depth > 0 {
			switch rest[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
			end++
		}
		after, found := strings.CutPrefix(rest[max(end-1, 0):], typeofClose)
		if !found {
			return text
		}
		text = before + "typeof (" + rest[:end-1] + ")" + after
	}
}
