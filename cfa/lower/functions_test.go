package lower_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/cfa/source/libc"
)

// TestKnownFunctionsHaveRows: a function that a header declares and that the lowering names has a row in the table of
// functions, and a row that says that the lowering has code for it is named there.
func TestKnownFunctionsHaveRows(t *testing.T) {
	named := literals(t)
	declared := declaredFunctions(t)
	require.Greater(t, len(declared), 500)
	others := []string{"select", "wait"} // words for something else
	found := 0
	for name := range named {
		if !declared[name] || strings.HasPrefix(name, "__builtin_") || slices.Contains(others, name) {
			continue
		}
		found++
		_, ok := libc.Known(name)
		assert.True(t, ok, "%s has no row in functions.txt", name)
	}
	require.Greater(t, found, 40)
	for _, f := range libc.Functions() {
		if f.How == "code" {
			is := named[f.Name]
			for _, end := range []string{"f16", "f128", "f", "l"} {
				plain, of := strings.CutSuffix(f.Name, end)
				is = is || of && named[plain]
			}
			assert.True(t, is, "no code names %s", f.Name)
		}
	}
}

// literals are the words of string literals in the code of the package.
func literals(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	words := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && !strings.ContainsAny(text, " %") {
					words[text] = true
				}
			}
			return true
		})
	}
	return words
}

var reDeclared = regexp.MustCompile(`\b(\w+)\([^()]*(\([^()]*\)[^()]*)*\);`)

// declaredFunctions are those that the headers declare which come along.
func declaredFunctions(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	err := filepath.WalkDir("../source/headers", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range reDeclared.FindAllStringSubmatch(string(text), -1) {
			all[m[1]] = true
		}
		return err
	})
	require.NoError(t, err)
	return all
}
