package source

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
)

// A member of a union that is designated behind one that is not: what GCC lays out (TestInitialisersAgreeWithGCC draws
// others), and what is still refused.
func TestMembersGivenAgain(t *testing.T) {
	const types = "union u { int i; char c; struct { short a, b; } s; };\n"
	for _, c := range []struct {
		declaration string
		image       []byte // without zeros at the end; nil: refused
	}{
		{"union u v1 = { 257, .c = 3 };", []byte{3}},
		{"union u v1 = { 257, .s.b = 3, .s.a = 4 };", []byte{4, 0, 3}},
		{"union { char m[2]; int i; } v1 = { { [1] = 5 }, .m = 2 };", []byte{2, 5}},
		{"union u v1[] = { { 1, .c = 2 }, { 9 }, { .c = 1, .i = 258 } };", []byte{2, 0, 0, 0, 9, 0, 0, 0, 2, 1}},
		{"struct { union u x; char n; } v1 = { { 1, .c = 2 }, 7 };", []byte{2, 0, 0, 0, 7}},
		{"union u v1 = { 1, 2 };", nil},
		{"union u v1 = { .c = 1, 2, .i = 3 };", nil},
		{"union { struct { int a; }; char c; } v1 = { 1, .c = 2 };", nil},
	} {
		image, ok := initialImage(t, cfa.LP64, types+c.declaration, "v1")
		require.Equal(t, c.image != nil, ok, c.declaration)
		require.Equal(t, string(c.image), string(bytes.TrimRight(image, "\x00")), c.declaration)
	}
}
