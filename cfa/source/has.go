package source

// What GCC's preprocessor says that it has: __has_attribute, __has_c_attribute,
// __has_cpp_attribute and __has_builtin, by tables of what GCC 12 knows.
//
// Attributes of GCC in C's brackets have names like gnu::unused.

import (
	"slices"
	"strings"

	"magus/cfa/source/builtin"
	"magus/internal/pattern"

	"modernc.org/cc/v4"
)

// gnuAttributes are the attributes that GCC 12 knows on x86.
const gnuAttributes = "access alias aligned alloc_align alloc_size always_inline artificial " +
	"assume_aligned cdecl cleanup cold common const " +
	"constructor copy deprecated designated_init destructor error externally_visible fallthrough " +
	"fastcall flatten format format_arg gcc_struct " +
	"gnu_inline hot ifunc interrupt leaf malloc may_alias mode ms_abi ms_struct naked " +
	"no_address_safety_analysis no_icf no_instrument_function " +
	"no_profile_instrument_function no_reorder no_sanitize no_sanitize_address no_sanitize_thread " +
	"no_sanitize_undefined no_split_stack " +
	"no_stack_protector nocf_check noclone noinit noinline noipa nonnull nonstring noplt noreturn " +
	"nothrow optimize packed " +
	"patchable_function_entry persistent pure regparm retain returns_nonnull returns_twice " +
	"scalar_storage_order section sentinel simd " +
	"stack_protect stdcall symver sysv_abi target target_clones tls_model transparent_union unavailable " +
	"unused used vector_size visibility " +
	"warn_if_not_aligned warn_unused_result warning weak weakref zero_call_used_regs maybe_unused nodiscard"

// standardAttributes are those of the standard, with the values that GCC 12 gives
// them.
var standardAttributes = []string{"deprecated 201904", "fallthrough 201904", "maybe_unused 201904", "nodiscard 202003"}

// has is what such an operator says of a name, a number as C writes it.
func has(operator, name string) string {
	scope, bare, scoped := strings.Cut(name, "::")
	if !scoped {
		scope, bare = "", name
	}
	bare = withoutUnderscores(bare)
	switch {
	case operator == "__has_builtin":
		return asNumber(knownBuiltins()[name])
	case operator == "__has_attribute" && !scoped, withoutUnderscores(scope) == "gnu":
		return asNumber(slices.Contains(strings.Fields(gnuAttributes), bare))
	case scoped:
		return "0"
	}
	for _, a := range standardAttributes {
		if name, value, _ := strings.Cut(a, " "); name == bare {
			return value
		}
	}
	return "0"
}

func asNumber(is bool) string {
	if is {
		return "1"
	}
	return "0"
}

// withoutUnderscores is a name such as __unused__ as unused.
func withoutUnderscores(name string) string {
	if inner, ok := strings.CutPrefix(name, "__"); ok {
		if inner, ok = strings.CutSuffix(inner, "__"); ok {
			return inner
		}
	}
	return name
}

// reBuiltin is the name of a function in what the C library declares.
var reBuiltin = pattern.New(`\b__builtin_\w+`)

// knownBuiltins are the functions that are built into GCC 12 and that have a meaning here; few units ask.
func knownBuiltins() map[string]bool {
	known := map[string]bool{}
	for _, name := range reBuiltin().FindAllString(cc.Builtin, -1) {
		known[name] = true
	}
	for _, row := range builtin.Rows() {
		for _, name := range row.Names {
			known[name] = row.Has("gcc") && row.How != builtin.Refused && row.How != builtin.Unread
		}
	}
	return known
}
