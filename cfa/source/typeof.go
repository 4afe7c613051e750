package source

// typeof of a type.
//
// The library reads typeof (type) everywhere and gives it a type in casts, sizeof and
// members, but not in declarations. There it gets an expression of that type: typeof
// is a macro for one that points to the operand and goes back, which works for
// whatever has a type and means the same where the operand is an expression. What a
// macro makes has the place of its name, so that all other places stay as they are.
import (
	"strings"

	"modernc.org/cc/v4"
)

// typeofMacros define typeof in its three spellings.
const typeofMacros = "#define typeof(...) typeof" + typeofBody + "#define __typeof(...) typeof" + typeofBody +
	"#define __typeof__(...) typeof" + typeofBody

const typeofBody = typeofOpen + "__VA_ARGS__" + typeofClose + "\n"

const (
	typeofOpen  = "(*(typeof("
	typeofClose = ")*)0)"
)

// variableMacros are cc's va_arg, for types to which a pointer is not written with an asterisk behind their names too,
// as those of pointers to functions; that of a literal may be qualified. A va_list has a type of its own.
// va_arg assigns it to itself, so that it counts as what is written to.
const variableMacros = "typedef struct " + listTag + " *__builtin_va_list;\n" +
	"#define __builtin_va_list __builtin_va_list\n" +
	"extern void __builtin_va_start(__builtin_va_list, ...);\nextern void __builtin_va_end(__builtin_va_list);\n" +
	"#define __builtin_va_arg(va, type) (*(__typeof__((type){0})*)__builtin_va_arg_impl((va) = (va)))\n"

// listTag is the tag of the structure that a va_list points to.
const listTag = "__va_list_tag"

// IsArgumentList reports whether a type is that of a va_list.
func IsArgumentList(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	if !ok {
		return false
	}
	s, ok := p.Elem().(*cc.StructType)
	if !ok {
		return false
	}
	tag := s.Tag()
	return tag.SrcStr() == listTag
}

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
