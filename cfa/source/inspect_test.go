package source

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"modernc.org/cc/v4"
)

// TestNodesHaveOneRest: no type of node has two fields of its own type, one of which a walk would leave out.
func TestNodesHaveOneRest(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var look func(of reflect.Type)
	look = func(of reflect.Type) {
		if of.Kind() != reflect.Pointer || !isNode(of) || seen[of] {
			return
		}
		seen[of] = true
		own := 0
		for i := range of.Elem().NumField() {
			if field := of.Elem().Field(i); field.IsExported() {
				look(field.Type)
				if field.Type == of {
					own++
				}
			}
		}
		assert.LessOrEqual(t, own, 1, "%v", of)
	}
	look(reflect.TypeFor[*cc.TranslationUnit]())
	look(reflect.TypeFor[*cc.ConditionalExpression]())
	require.Greater(t, len(seen), 50)
}

// TestInspect: parents come first, fields as the library has them (a value before what it is assigned to),
// the rest of a list behind what is below its first, and what f refuses is left out.
func TestInspect(t *testing.T) {
	p, err := Parse(t.Context(),
		[]Source{{Name: "a.c", Text: []byte("int f(int a, int b) { a = 1; { b = 2; } return a; }")}}, Options{})
	require.NoError(t, err)
	names := func(f func(any) bool) (all []string) {
		Inspect(p.Files[0].ast.TranslationUnit, func(n any) bool {
			if x, ok := n.(*cc.PrimaryExpression); ok {
				all = append(all, x.Token.SrcStr())
			}
			return f(n)
		})
		return all
	}
	require.Equal(t, []string{"\"f\"", "1", "a", "2", "b", "a"}, names(func(any) bool { return true }))
	require.Equal(t, []string{"\"f\"", "a"}, names(func(n any) bool {
		_, isExpression := n.(*cc.ExpressionStatement)
		return !isExpression
	}))
	Inspect(nil, func(any) bool { t.Fatal("no node"); return true })
	Inspect((*cc.Declaration)(nil), func(any) bool { t.Fatal("no node"); return true })
}
