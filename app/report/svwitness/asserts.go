package svwitness

import (
	"strings"

	"magus/cfa/source"
	"magus/internal/pattern"
)

// What a failing assert violates.
//
// The format's property names a function that must not be called. The target here is the
// statement that contains the call; no validator has been asked whether it takes that. A failing assert of
// <assert.h> is such a statement: it calls AssertFailed. That assert is the one of <assert.h>, and no macro
// that calls something else, is known only where all headers of the files are ones whose texts are known.

// AssertFailed is what the macro assert of glibc's <assert.h> calls, and that of the header that
// comes along.
const AssertFailed = "__assert_fail"

var (
	includes  = pattern.New(`(?m)^[ \t]*#[ \t]*include\b[ \t]*(.*)$`)
	redefines = pattern.New(`(?m)^[ \t]*#[ \t]*(?:define|undef)[ \t]+assert\b`)
)

// StandardAssert reports whether assert in one of the files is the macro of <assert.h>.
func StandardAssert(units []source.Source, file string) bool {
	for _, u := range units {
		if u.Name != file {
			continue
		}
		text := strings.ReplaceAll(string(u.Text), "\\\n", "")
		return !redefines().MatchString(text) && onlyKnownHeaders(text)
	}
	return false
}

// onlyKnownHeaders reports whether a text includes <assert.h>, and nothing but headers that come
// along.
func onlyKnownHeaders(text string) (found bool) {
	for _, m := range includes().FindAllStringSubmatch(text, -1) {
		name, ok := strings.CutPrefix(m[1], "<")
		name, _, closed := strings.Cut(name, ">")
		if _, known := source.OwnText("<headers>/" + name); !ok || !closed || !known {
			return false
		}
		found = found || name == "assert.h"
	}
	return found
}
