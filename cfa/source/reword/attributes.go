package reword

// Attributes (C23 6.7.12; GCC's manual, "Attribute Syntax").
//
// Idea: an attribute in the brackets of C23 becomes GCC's of the same name. Those that change nothing that a program
// computes are left out, wherever they stand, so that few are left at places where the parser expects none.

import (
	"strings"

	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
)

// without are the attributes that change nothing that a program computes, without underscores.
const without = "access alloc_align alloc_size always_inline artificial assume_aligned cold common " +
	"const copy deprecated " +
	"designated_init externally_visible fallthrough fd_arg fd_arg_read fd_arg_write flatten format format_arg hot leaf " +
	"malloc maybe_unused may_alias no_icf no_instrument_function no_profile_instrument_function no_reorder no_sanitize " +
	"no_sanitize_address no_sanitize_thread no_sanitize_undefined no_split_stack no_stack_limit " +
	"no_stack_protector nocf_check " +
	"noclone nodiscard noinit noinline noipa nonnull nonstring noplt nothrow null_terminated_string_arg " +
	"optimize patchable_function_entry " +
	"pure reproducible retain returns_nonnull section sentinel stack_protect symver target tls_model " +
	"unavailable unsequenced " +
	"unused used visibility warn_if_not_aligned warn_unused_result warning zero_call_used_regs"

var withoutMeaning = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(without) {
		all[name] = true
	}
	return all
}()

// plain is the name of an attribute without underscores around it.
func plain(name string) string {
	if inner, ok := strings.CutPrefix(name, "__"); ok {
		if inner, ok = strings.CutSuffix(inner, "__"); ok {
			return inner
		}
	}
	return name
}

// standardAttributes writes [[…]] as GCC's attributes.
func standardAttributes(r *rewriter) {
	for i := 0; i < len(r.in); i++ {
		if !r.is(i, "[", "[") {
			continue
		}
		end := r.closing(i)
		if !r.is(end-1, "]", "]") || r.closing(i+1) != end-1 {
			continue
		}
		var kept []preprocess.Token
		for _, a := range parts(r.in[i+2 : end-1]) {
			kept = append(kept, gnuAttribute(a)...)
		}
		if len(kept) > 0 {
			kept[0].Space = r.in[i].Space
		}
		r.replace(i, end+1, kept...)
		i = end
	}
}

// parts are the parts of a list, without the commas between them.
func parts(tokens []preprocess.Token) (all [][]preprocess.Token) {
	depth, from := 0, 0
	for i, t := range tokens {
		switch {
		case t.Is("("), t.Is("["), t.Is("{"):
			depth++
		case t.Is(")"), t.Is("]"), t.Is("}"):
			depth--
		case t.Is(",") && depth == 0:
			all = append(all, tokens[from:i])
			from = i + 1
		}
	}
	return append(all, tokens[from:])
}

// gnuAttribute is an attribute of C23 as one of GCC, nil where it says nothing.
func gnuAttribute(a []preprocess.Token) []preprocess.Token {
	if len(a) == 0 {
		return nil
	}
	at := a[0]
	if len(a) > 3 && a[1].Is(":") && a[2].Is(":") {
		if plain(a[0].Text) != "gnu" {
			return nil // as with compilers that do not know the scope
		}
		a = a[3:]
	} else if name := plain(a[0].Text); name != "noreturn" && name != "_Noreturn" {
		return nil
	} else {
		a = made("noreturn", at)
	}
	if withoutMeaning[plain(a[0].Text)] {
		return nil
	}
	return append(append(made("__attribute__((", at), a...), made("))", at)...)
}

// isAttribute reports whether an attribute of GCC begins at i.
func (r *rewriter) isAttribute(i int) bool {
	return r.isOneOf(i, "__attribute__", "__attribute") && r.is(i+1, "(", "(")
}

// plainAttributes leaves out attributes that change nothing.
func plainAttributes(r *rewriter) {
	for i := 0; i < len(r.in); i++ {
		if !r.isAttribute(i) {
			continue
		}
		end := r.closing(i + 1)
		if !r.is(end-1, ")", ")") {
			continue
		}
		var kept [][]preprocess.Token
		all := parts(r.in[i+3 : end-1])
		for _, a := range all {
			if len(a) > 0 && !(a[0].Kind == lex.Name && withoutMeaning[plain(a[0].Text)]) {
				kept = append(kept, a)
			}
		}
		switch {
		case len(kept) == 0:
			r.replace(i, end+1)
		case len(kept) < len(all):
			by := append([]preprocess.Token{}, r.in[i:i+3]...)
			for n, a := range kept {
				if n > 0 {
					by = append(by, made(",", a[0])...)
				}
				by = append(by, a...)
				if n == 0 {
					by[len(by)-len(a)].Space = false
				}
			}
			r.replace(i, end+1, append(by, r.in[end-1:end+1]...)...)
		}
		i = end
	}
}
