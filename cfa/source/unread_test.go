package source

import (
	"testing"

	"magus/cfa"

	"github.com/stretchr/testify/require"
)

// What the library says of a type that it cannot make has a place, and what to do.
func TestUntypedDeclarationsHavePlaces(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"int a;\nshort int long x;", "a.c:2:1: short int long is no type"},
		{"int f(void) { return 1; }\nstruct s { char c; } before;\n/* behind */ struct t {\n\tshort char x;\n} after;\nint main(void) { return 0; }",
			"a.c:3:14: char short is no type"},
		{"#define BODY { return 0; }\nint f(void)\nBODY\nint g(void) { (unsigned float)1; return 0; }\nint h;", "a.c:2:1: float unsigned is no type"},
		{"const char *s = \"}\"; // ;\nint f(unsigned float x) { return 0; }", "a.c:2:7: float unsigned is no type"},
	} {
		_, err := parseSource(c.text)
		require.EqualError(t, err, c.want, c.text)
	}
	require.Equal(t, "a.c:1:1: not modelled: a declaration that the C front end cannot type (write the declaration in another way, or leave it out with -D and #ifdef; the front end says: x <- y)",
		(Source{}).unread(cfa.Pos{File: "a.c", Line: 1, Col: 1}, "TODO *cc.Declarator internal error x <- y").Error())
}
