package source

// What GCC's preprocessor says that it has: __has_attribute, __has_c_attribute,
// __has_cpp_attribute and __has_builtin, which are defined like macros. What they
// say of a name is a macro of its own, one for each name that GCC 12 knows, so that
// of all others they say 0.
//
// The attributes in C's brackets have names like gnu::unused, which are no tokens of
// C: a question for one of these becomes the question for GCC's attribute.

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"magus/internal/pattern"

	"modernc.org/cc/v4"
)

// gnuAttributes are the attributes that GCC 12 knows on x86.
const gnuAttributes = "access alias aligned alloc_align alloc_size always_inline artificial assume_aligned cdecl cleanup cold common const " +
	"constructor copy deprecated designated_init destructor error externally_visible fallthrough fastcall flatten format format_arg gcc_struct " +
	"gnu_inline hot ifunc interrupt leaf malloc may_alias mode ms_abi ms_struct naked no_address_safety_analysis no_icf no_instrument_function " +
	"no_profile_instrument_function no_reorder no_sanitize no_sanitize_address no_sanitize_thread no_sanitize_undefined no_split_stack " +
	"no_stack_protector nocf_check noclone noinit noinline noipa nonnull nonstring noplt noreturn nothrow optimize packed " +
	"patchable_function_entry persistent pure regparm retain returns_nonnull returns_twice scalar_storage_order section sentinel simd " +
	"stack_protect stdcall symver sysv_abi target target_clones tls_model transparent_union unavailable unused used vector_size visibility " +
	"warn_if_not_aligned warn_unused_result warning weak weakref zero_call_used_regs maybe_unused nodiscard"

// standardAttributes are those of the standard, with the values that GCC 12 gives
// them.
var standardAttributes = []string{"deprecated 201904", "fallthrough 201904", "maybe_unused 201904", "nodiscard 202003"}

// hasMacros are the macros that say what there is.
func hasMacros() string {
	var b strings.Builder
	b.WriteString("#define __has_attribute(x) __magus_has_##x\n#define __has_builtin(x) __has_builtin(x)\n" +
		"#define __has_c_attribute(x) __magus_standard_##x\n#define __has_cpp_attribute(x) __magus_standard_##x\n")
	for _, a := range strings.Fields(gnuAttributes) {
		fmt.Fprintf(&b, "#define __magus_has_%s 1\n#define __magus_has___%[1]s__ 1\n", a)
	}
	for _, a := range standardAttributes {
		name, value, _ := strings.Cut(a, " ")
		fmt.Fprintf(&b, "#define __magus_standard_%s %s\n#define __magus_standard___%[1]s__ %[2]s\n", name, value)
	}
	return b.String()
}

// reBuiltin is the name of a function in what the C library declares.
var reBuiltin = pattern.New(`\b__builtin_\w+`)

// hasBuiltin reports whether a name is that of a function that is built into GCC
// and declared here.
func hasBuiltin() func(string) bool {
	known := sync.OnceValue(knownBuiltins) // few units ask
	return func(name string) bool { return known()[name] }
}

func knownBuiltins() map[string]bool {
	known := map[string]bool{}
	for _, name := range reBuiltin().FindAllString(cc.Builtin+builtins(), -1) {
		known[name] = true
	}
	for _, name := range []string{"__builtin_offsetof", "__builtin_types_compatible_p", "__builtin_va_arg",
		"__builtin_va_start", "__builtin_va_end", "__builtin_va_copy", "__builtin_choose_expr", "__builtin_constant_p"} {
		known[name] = true
	}
	return known
}

// reScoped is a question for an attribute with a scope.
var reScoped = pattern.New(`__has_c(?:pp)?_attribute\s*\(\s*(\w+)\s*::\s*(\w+)\s*\)`)

// withoutScopes writes questions for attributes of GCC as those for its attributes
// without a scope; of others there are none.
func withoutScopes(line []byte) []byte {
	if !bytes.Contains(line, []byte("::")) {
		return line
	}
	return reScoped().ReplaceAllFunc(line, func(question []byte) []byte {
		m := reScoped().FindSubmatch(question)
		if scope := string(m[1]); scope == "gnu" || scope == "__gnu__" {
			return append(append([]byte("__has_attribute("), m[2]...), ')')
		}
		return []byte("0")
	})
}
