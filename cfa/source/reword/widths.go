package reword

// Floating types that are named by their widths (C23 annex H; GCC has them on x86).
//
// Idea: each has the format of an older type, and nothing computes with it in another way; the parser has types for
// them, but computes constants of them with other precision. So they are written as those older types, and so are
// the functions that are named after them. Beside what tells types apart (_Generic) they are refused, for they are
// others; prototypes of headers that nothing uses are not. _Float16 is written as a type of the parser that programs
// cannot name, since decimal floating point is refused.
//
// _Float64x is long double where that is the 80 bits of the x87, elsewhere quad.
//
// Left out: _Float128, which the parser has; _Float128x, which no processor has.
//
// Source: ISO/IEC TS 18661-3; GCC's manual, Floating Types. Cost: linear.

import (
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source/lex"
)

// A width is a type, the older one, and the letter that functions and constants of that have.
type width struct{ name, older, letter string }

var widths = []width{
	{"_Float32x", "double", ""},
	{"_Float64x", "long double", "l"},
	{"_Float32", "float", "f"},
	{"_Float64", "double", ""},
}

// widths are the types for a format of long double.
func (r *rewriter) widths() []width {
	if r.long == cfa.X87 {
		return widths
	}
	of := slices.Clone(widths)
	at := slices.IndexFunc(of, func(w width) bool { return w.name == "_Float64x" })
	of[at].older, of[at].letter = "_Float128", "f128"
	return of
}

// widthNames are the names of the types.
func widthNames() []string {
	var names []string
	for _, w := range widths {
		names = append(names, w.name)
	}
	return names
}

// mathematics are functions that have one more for each type.
var mathematics = strings.Fields(`acos acosh asin asinh atan atan2 atanh canonicalize cbrt ceil copysign cos cosh erf
	erfc exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp huge_val hypot ilogb inf ldexp lgamma llogb llrint
	llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nextdown nextup pow remainder remquo
	rint round roundeven scalbln scalbn sin sinh sqrt strto tan tanh tgamma trunc`)

// typesOfWidths writes them as the types of the same format.
func typesOfWidths(r *rewriter) {
	apart, count, widths := r.tellsTypesApart(), r.occurrences(), r.widths()
	for i := 0; i < len(r.in); i++ {
		t := r.in[i]
		if t.Kind != lex.Name {
			continue
		}
		at := slices.IndexFunc(widths, func(w width) bool { return w.name == t.Text })
		name := ofWidth(widths, t.Text)
		function := name != t.Text && r.is(i+1, "(") && !r.is(r.closing(i+1)+1, "{") && !r.isMember(i)
		switch {
		case at >= 0 && r.is(i+1, ";") && r.declaresType(i): // older compilers have them by a typedef of the C library
			r.replace(r.statement(i), i+2)
			i++
		case apart && (at >= 0 || function) && !r.isUnusedPrototype(i, count):
			r.refuse(t, t.Text+" beside what tells types apart, as _Generic does", "write float, double or long double")
			return
		case at >= 0:
			r.replace(i, i+1, made(widths[at].older, t)...)
		case function:
			r.replace(i, i+1, made(name, t)...)
		}
	}
}

// Half and HalfSuffix are how _Float16 and its constants are written for the parser.
const (
	Half       = "_Decimal64"
	HalfSuffix = "dd"
)

// halves writes _Float16 as the type that stands for it.
func halves(r *rewriter) {
	for i, t := range r.in {
		if r.is(i, "_Float16") {
			r.replace(i, i+1, made(Half, t)...)
		}
	}
}

// occurrences is how often each name stands in the text.
func (r *rewriter) occurrences() map[string]int {
	count := map[string]int{}
	for _, t := range r.in {
		if t.Kind == lex.Name {
			count[t.Text]++
		}
	}
	return count
}

// isUnusedPrototype reports whether the token at i is in the declaration of a function that nothing else names.
func (r *rewriter) isUnusedPrototype(i int, count map[string]int) bool {
	at := r.statement(i)
	if !r.isOneOf(at, "extern", "__extension__") {
		return false
	}
	for at < len(r.in) && !r.isOneOf(at, "(", ",", ";", "=", "{") {
		at++
	}
	return r.is(at, "(") && count[r.in[at-1].Text] == 1
}

// tellingApart are the words of constructs that tell types apart which have one format.
var tellingApart = []string{"_Generic", "__builtin_types_compatible_p"}

// tellsTypesApart reports whether the text has such a construct.
func (r *rewriter) tellsTypesApart() bool {
	for i := range r.in {
		if r.isOneOf(i, tellingApart...) {
			return true
		}
	}
	return false
}

// isMember reports whether the name at i is that of a member.
func (r *rewriter) isMember(i int) bool { return r.isOneOf(i-1, ".", "->") }

// statement is where the declaration begins in which the token at i is.
func (r *rewriter) statement(i int) int {
	for i > 0 && !r.isOneOf(i-1, ";", "{", "}") {
		i--
	}
	return i
}

// declaresType reports whether the token at i is in a typedef.
func (r *rewriter) declaresType(i int) bool {
	return r.isOneOf(r.statement(i), "typedef", "__extension__")
}

// ofWidth is the function for an older type of the same format that a name stands for: sqrtf for sqrtf32.
func ofWidth(widths []width, name string) string {
	bare := strings.TrimPrefix(name, "__builtin_")
	for _, w := range widths {
		of, ok := strings.CutSuffix(bare, "f"+w.name[len("_Float"):])
		if !ok || !slices.Contains(mathematics, of) {
			continue
		}
		letter := w.letter
		switch {
		case of == "strto" && letter == "":
			letter = "d"
		case of == "strto" && letter == "l":
			letter = "ld"
		}
		return name[:len(name)-len(bare)] + of + letter
	}
	return name
}

// widthSuffix is a constant with the suffix of a type of some width as one of the older type, and whether it has one.
func widthSuffix(widths []width, text string) (string, bool) {
	for _, w := range widths {
		for _, suffix := range []string{"f" + w.name[len("_Float"):], "F" + w.name[len("_Float"):]} {
			if bare, ok := strings.CutSuffix(text, suffix); ok {
				return bare + w.letter, true
			}
		}
	}
	return text, false
}
