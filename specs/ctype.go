package specs

import (
	"slices"
	"strings"

	"magus/smt/expr"
)

// ctypes are the types that casts and sizeof may name, by canonical name. The
// width 0 is that of long.
var ctypes = map[string]expr.Type{
	"_Bool": {Width: 8}, "char": expr.Int8, "signed char": expr.Int8, "unsigned char": expr.Uint8,
	"short": expr.Int16, "unsigned short": expr.Uint16, "int": expr.Int32, "unsigned int": expr.Uint32,
	"long": {Signed: true}, "unsigned long": {}, "long long": expr.Int64, "unsigned long long": expr.Uint64,
	"int8_t": expr.Int8, "int16_t": expr.Int16, "int32_t": expr.Int32, "int64_t": expr.Int64,
	"uint8_t": expr.Uint8, "uint16_t": expr.Uint16, "uint32_t": expr.Uint32, "uint64_t": expr.Uint64,
	"size_t": {}, "ssize_t": {Signed: true}, "ptrdiff_t": {Signed: true}, "intptr_t": {Signed: true}, "uintptr_t": {},
}

// typeNamed is the type of a canonical name where long has longWidth bits.
func typeNamed(name string, longWidth int) expr.Type {
	t := ctypes[name]
	if t.Width == 0 {
		t.Width = uint8(longWidth)
	}
	return t
}

// specifiers are the words that type names are made of.
var specifiers = []string{"char", "short", "int", "long", "signed", "unsigned"}

// isTypeWord reports whether a type name can begin with word.
func isTypeWord(word string) bool {
	_, named := ctypes[word]
	return named || slices.Contains(specifiers, word) || slices.Contains(unmodelledTypes, word) ||
		word == "bool" || word == "const" || word == "volatile"
}

var unmodelledTypes = []string{"float", "double", "void", "struct", "union", "enum"}

// canonicalType is the canonical name of the type that words spell, or "".
func canonicalType(words []string) string {
	count := map[string]int{}
	for _, w := range words {
		if w != "const" && w != "volatile" {
			count[w]++
		}
	}
	if len(count) == 1 {
		for w, n := range count {
			if _, named := ctypes[w]; named && n == 1 {
				return w
			}
			if w == "bool" && n == 1 {
				return "_Bool"
			}
		}
	}
	return arithmeticType(count)
}

// arithmeticType is the type of C11 6.7.2's multisets of specifiers.
func arithmeticType(count map[string]int) string {
	base := []string{}
	for _, w := range []string{"char", "short", "long"} {
		for range count[w] {
			base = append(base, w)
		}
	}
	name := strings.Join(base, " ")
	total := len(base) + count["int"] + count["signed"] + count["unsigned"]
	words := 0
	for _, n := range count {
		words += n
	}
	if total != words || words == 0 || count["int"] > 1 || count["signed"]+count["unsigned"] > 1 {
		return ""
	}
	switch name {
	case "":
		name = "int"
	case "char":
		if count["int"] > 0 {
			return ""
		}
		if count["signed"] > 0 {
			return "signed char"
		}
	case "short", "long", "long long":
	default:
		return ""
	}
	if count["unsigned"] > 0 {
		return "unsigned " + name
	}
	return name
}
