package cfa

import (
	"context"
	"testing"

	"magus/internal/expr"

	"github.com/stretchr/testify/require"
)

// TestPacked: where packing changes a layout, what depends on it is refused.
func TestPacked(t *testing.T) {
	const padded, dense = "{ char c; int a; }", "{ int a; char c[4]; }"
	for _, c := range []struct {
		decl, use string
		refused   bool
	}{
		{"struct s " + padded + ";", "sizeof(struct s)", false},
		{"struct s " + padded + " __attribute__((packed));", "sizeof(struct s)", true},
		{"struct __attribute__((__packed__)) s " + padded + ";", "sizeof(struct s)", true},
		{"struct s " + padded + " __attribute__((packed)) x;", "sizeof x", true},
		{"struct s " + padded + " __attribute__((packed)); struct s x[2];", "sizeof x", true},
		{"struct s " + padded + " __attribute__((packed)); struct s x;", "x.a", true},
		{"struct s " + padded + " __attribute__((packed)); struct s x;", "(&x)->a", true},
		{"struct s " + dense + " __attribute__((packed)); struct s x;", "x.a + sizeof x", false},
		{"struct s " + dense + " __attribute__((packed)); struct o { char c; struct s in; } x;", "x.in.a", true},
		{"struct s " + dense + " __attribute__((packed)); struct o { int n; struct s in; } x;", "x.in.a", false},
		{"struct s { int a : 3; } __attribute__((packed)); struct s x;", "x.a", true},
		{"union u { char c[5]; int a; } __attribute__((packed)); union u x;", "x.a", true},
		{"union u { char c[4]; int a; } __attribute__((packed)); union u x;", "x.a", false},
		{"struct s { unsigned a : 3; struct { unsigned : 0; } m; unsigned b : 3; } x;", "sizeof x", true},
		{"struct s { struct { } m; unsigned a : 3; union { int b; char c; }; } x;", "sizeof x", false},
		{"#pragma pack(1)\nstruct s " + padded + "; struct s x;", "x.a", true},
		{"#pragma pack(push, 1)\nstruct s " + dense + "; struct s x;\n#pragma pack(pop)", "x.a", false},
	} {
		p, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(c.decl + "\nint main(void) { return " + c.use + "; }")}}, Options{})
		require.NoError(t, err)
		_, err = p.Lower(context.Background(), "main", expr.NewPool(), LowerOptions{})
		if !c.refused {
			require.NoError(t, err, "%s %s", c.decl, c.use)
			continue
		}
		var unsupported *UnsupportedError
		require.ErrorAs(t, err, &unsupported, "%s %s", c.decl, c.use)
		require.Contains(t, err.Error(), "the structure ")
	}
}
