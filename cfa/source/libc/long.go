package libc

// Models of functions of long double and of quad (_Float128).
//
// Idea: what is said of the functions of long double holds for all of its formats, but for those that look at bits:
// these stand once for each format, in a file of the folder long, and those of the x87 where all others are. The
// functions of _Float128 are those of a long double that is quad, with the names of the other type: so sinl gives
// sinf128. Functions of remainders are left out, which the lowering computes.
//
// Cost: linear in the text of math.c and number.c, when the first model is asked for.

import (
	"slices"
	"strings"
	"sync"

	"magus/internal/pattern"
)

// longLibraries are the models where long double is not that of the x87.
var longLibraries = map[string]func() library{
	"double": sync.OnceValue(func() library { return indexed(replaced(models().all, modelsOf("long/double.c"))) }),
	"quad":   sync.OnceValue(func() library { return indexed(replaced(models().all, modelsOf("long/quad.c"))) }),
}

// withLong are the models for a format of long double.
func withLong(long string) library {
	if of, ok := longLibraries[long]; ok {
		return of()
	}
	return models()
}

// replaced are models, some of them as others have them; what only these have comes first.
func replaced(all, by []Model) []Model {
	at := map[string]int{}
	for i, m := range all {
		at[m.Name] = i
	}
	all = slices.Clone(all)
	var more []Model
	for _, m := range by {
		if i, ok := at[m.Name]; ok {
			all[i] = m
		} else {
			more = append(more, m)
		}
	}
	return append(more, all...)
}

var (
	reLong       = pattern.New(`\blong double\b`)
	reLongNumber = pattern.New(`\b(\d[\d.]*(?:[eE][+-]?\d+)?)L\b`)
)

// withoutQuad are functions that the lowering computes of quad, and one that quad has not.
var withoutQuad = []string{"fmodl", "remainderl", "nexttowardl"}

// quads are the models of _Float128.
func quads(all []Model) []Model {
	all = replaced(all, modelsOf("long/quad.c"))
	names := map[string]string{"__magus_unknown_long_double": "__magus_unknown_float128", "libc_quad": "libc_quadf128"}
	var of []Model
	for _, m := range all {
		bare, ok := strings.CutSuffix(m.Name, "l")
		if m.Name == "strtold" {
			bare, ok = "strto", true
		}
		if !ok || slices.Contains(withoutQuad, m.Name) || !reLong().MatchString(m.Text) {
			continue
		}
		names[m.Name] = bare + "f128"
		of = append(of, m)
	}
	for i, m := range of {
		of[i] = quad(m, names)
	}
	return of
}

// quad is a model of a function of long double as one of _Float128, with the names of functions there.
func quad(m Model, names map[string]string) Model {
	text := reWord().ReplaceAllStringFunc(m.Text, func(word string) string {
		if name, ok := names[word]; ok {
			return name
		}
		if bare, ok := strings.CutSuffix(word, "l"); ok && strings.HasPrefix(word, "__magus_") {
			return bare + "f128"
		}
		return word
	})
	text = reLongNumber().ReplaceAllString(reLong().ReplaceAllString(text, "_Float128"), "${1}F128")
	made, _ := model(text)
	made.File, made.Line = m.File, m.Line
	return made
}
