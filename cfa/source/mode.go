package source

// The attribute mode, which gives a type another width: typedef int word
// __attribute__((mode(DI))).
//
// Idea: in the text that the C library reads, where one name is declared, the words of the type are
// those of the width that the mode names, and the attribute is gone; what stands behind keeps its
// place. Where the attribute has another form, or a macro makes it, it stays, and what depends on it
// is refused (Layouts.Unknown).
//
// Source: GCC's manual, "Common Variable Attributes", and "Machine Modes" of its internals.

import (
	"bytes"
	"strings"

	"magus/internal/pattern"
)

// reMode is a declaration of one name by words for a type, with the attribute: the words, the name
// if it stands before the attribute, the attribute, and the mode.
var reMode = pattern.New(`\b((?:(?:signed|unsigned|__signed__|__signed|short|int|long|char|float|double)\s+)+)((?:\w+\s*)?)(__attribute(?:__)?\s*\(\s*\(\s*(?:mode|__mode__)\s*\(\s*(\w+)\s*\)\s*\)\s*\))`)

// reModeOf is found at once where there is none: it begins with a word, which reMode does not.
var reModeOf = pattern.New(`mode(?:__)?\s*\(`)

// modes are the types of modes, of integers without their sign.
var modes = map[string]string{
	"QI": "char", "byte": "char", "HI": "short", "SI": "int", "DI": "long long", "TI": "__int128", "word": "long", "pointer": "long",
	"SF": "float", "DF": "double", "XF": "long double",
}

// turnModes writes types with a mode as those of its width.
func turnModes(text []byte) []byte {
	if !bytes.Contains(text, []byte("__attribute")) || !reModeOf().Match(text) {
		return text
	}
	found := reMode().FindAllSubmatchIndex(text, -1)
	if found == nil {
		return text
	}
	var out []byte
	end := 0
	for _, m := range found {
		words := typeOfMode(string(text[m[2]:m[3]]), strings.Trim(string(text[m[8]:m[9]]), "_"))
		if words == "" || !declaresOne(text[m[7]:], m[4] == m[5]) || inLiteral(text, m[0]) {
			continue
		}
		out = append(append(append(out, text[end:m[2]]...), words...), ' ')
		out = append(out, text[m[4]:m[5]]...)
		lines := bytes.Count(text[m[2]:m[3]], []byte("\n")) + bytes.Count(text[m[6]:m[7]], []byte("\n"))
		out = append(out, strings.Repeat("\n", lines)...)
		out = append(out, strings.Repeat(" ", max(0, (m[3]-m[2])+(m[7]-m[6])-len(words)-1-lines))...)
		end = m[7]
	}
	return append(out, text[end:]...)
}

// reEndsHere and reNameEnds are what stands behind the attribute where one name is declared.
var reEndsHere, reNameEnds = pattern.New(`^\s*[;)]`), pattern.New(`^\s*\w+\s*[;)]`)

// declaresOne reports whether nothing else is declared with the words than a name, which may still
// come: the attribute would not hold for it, or for a pointer.
func declaresOne(rest []byte, comes bool) bool {
	if comes {
		return reNameEnds().Match(rest)
	}
	return reEndsHere().Match(rest)
}

// typeOfMode is the type that words for a type and a mode make, or "".
func typeOfMode(words, mode string) string {
	is := modes[mode]
	float := strings.Contains(words, "float") || strings.Contains(words, "double")
	switch {
	case is == "" || float != strings.HasSuffix(mode, "F"):
		return ""
	case float:
		return is
	case strings.Contains(words, "unsigned"):
		return "unsigned " + is
	}
	return "signed " + is
}

// inLiteral reports whether a place is in a string, a character or a comment.
func inLiteral(text []byte, at int) bool {
	for i := 0; i < at; i++ {
		end := skipComment(text, i)
		if text[i] == '"' || text[i] == '\'' {
			end = skipLiteral(text, i)
		}
		if end >= at {
			return true
		}
		i = end
	}
	return false
}
