package magus_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKindsHaveNames: each kind of reason, but the empty one, has its name in the root package too.
func TestKindsHaveNames(t *testing.T) {
	kinds := constants(t, "evidence/verdict/reason.go")
	require.Contains(t, kinds, "None")
	require.Greater(t, len(kinds), 10)
	own := constants(t, "outcome.go")
	for _, kind := range kinds {
		if kind != "None" {
			require.Contains(t, own, kind)
		}
	}
}

// constants are the names of the constants of a file.
func constants(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	var names []string
	for _, decl := range parsed.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				names = append(names, name.Name)
			}
		}
	}
	return names
}
