package pattern

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"magus/internal/sample"
)

// The source's patterns are literal texts, and expressions.
func TestPatterns(t *testing.T) {
	sample.Long(t)
	root := os.DirFS("../..")
	found := 0
	err := fs.WalkDir(root, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata/") ||
			strings.HasPrefix(name, "internal/pattern/") {
			return err
		}
		text, err := fs.ReadFile(root, name)
		require.NoError(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && isNew(call.Fun) {
				found++
				expression, ok := literal(call.Args[0])
				assert.True(t, ok, "%s: the text of a pattern is not literal", name)
				_, err := regexp.Compile(expression)
				assert.NoError(t, err, name)
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, found, 20)
}

func isNew(fun ast.Expr) bool {
	s, ok := fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "New" {
		return false
	}
	p, ok := s.X.(*ast.Ident)
	return ok && p.Name == "pattern"
}

// literal is the text of a literal, or of several that are put together.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		v := constant.MakeFromLiteral(e.Value, e.Kind, 0)
		return constant.StringVal(v), v.Kind() == constant.String
	case *ast.BinaryExpr:
		x, ok := literal(e.X)
		y, also := literal(e.Y)
		return x + y, ok && also
	}
	return "", false
}

func TestNew(t *testing.T) {
	re := New(`a+`)
	assert.Equal(t, "aa", re().FindString("baab"))
	assert.Same(t, re(), re())
	assert.Panics(t, func() { New(`(`)() })
}
