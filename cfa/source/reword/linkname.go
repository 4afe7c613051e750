package reword

// Names for the linker that are those of functions of the C library.
//
// Idea: void give(void *) __asm__("free") declares the library's free. So the name gets that of the function,
// everywhere in the unit. Names of the library that have a label keep theirs: headers choose among several functions
// with one meaning so (strerror_r is __xpg_strerror_r). Where the unit defines the function itself the label stays,
// and is looked at where units are linked.
//
// Cost: linear in the text where it has a label.

import (
	"strings"

	"magus/cfa/source/lex"
	"magus/cfa/source/libc"
	"magus/cfa/source/preprocess"
)

// libraryLabels gives the names that labels make functions of the C library the names of these.
func libraryLabels(r *rewriter) {
	names := map[string]string{}
	for i := range r.in {
		if !r.isOneOf(i, "asm", "__asm", "__asm__") || !r.is(i+1, "(") {
			continue
		}
		name, label := r.labelled(i), r.textIn(i+1)
		if name < 0 {
			continue
		}
		_, known := libc.Known(r.in[name].Text)
		if _, is := libc.Known(label); is && !known && !r.defines(label) {
			names[r.in[name].Text] = label
		}
	}
	if len(names) == 0 {
		return
	}
	for i, t := range r.in {
		if label := names[t.Text]; t.Kind == lex.Name && label != "" {
			r.replace(i, i+1, preprocess.Token{Token: t.Token, File: t.File, Macro: true})
			r.out[len(r.out)-1].Text = label
		}
	}
}

// labelled is the place of the name of the function whose declarator the label at i belongs to; negative if
// there is none. Assembly behind a condition looks alike, but has no name that is followed by parameters.
func (r *rewriter) labelled(i int) int {
	if end := r.closing(i+1) + 1; !r.isOneOf(end, ";", ",", "__attribute__", "__attribute") {
		return -1
	}
	for i--; r.is(i, ")"); i-- {
		open := r.opening(i)
		switch {
		case r.isOneOf(open-1, "__attribute__", "__attribute"):
			i = open - 1
		case r.is(open-1, ")"): // (name)(…)
			if name := open - 2; r.isName(name) && r.is(name-1, "(") {
				return name
			}
			return -1
		case r.isName(open-1) && (r.isName(open-2) || r.is(open-2, "*")) && !r.is(open-2, "else"):
			return open - 1
		default:
			return -1
		}
	}
	return -1
}

// textIn is the text of the strings in the brackets that open at i.
func (r *rewriter) textIn(i int) string {
	var b strings.Builder
	for k := i + 1; k < r.closing(i); k++ {
		if r.in[k].Kind == lex.String {
			b.WriteString(strings.Trim(r.in[k].Text, `"`))
		}
	}
	return b.String()
}

// defines reports whether the unit has a body for a name.
func (r *rewriter) defines(name string) bool {
	for i := range r.in {
		if r.is(i, name, "(") {
			if end := r.closing(i+1) + 1; r.is(end, "{") {
				return true
			}
		}
	}
	return false
}
