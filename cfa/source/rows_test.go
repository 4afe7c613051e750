package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"modernc.org/cc/v4"

	"magus/cfa"
	"magus/cfa/source/libc"
)

// TestFunctionsHaveRows: each function that a header of ours declares has a row in the table of what functions access,
// and what the row says is accessed are pointers.
func TestFunctionsHaveRows(t *testing.T) {
	types := functionTypes(t)
	require.Greater(t, len(types), 1000)
	for _, name := range slices.Sorted(maps.Keys(types)) {
		f := types[name]
		row, ok := libc.Known(name)
		if !assert.True(t, ok, "%s has no row", name) {
			continue
		}
		if f.Result().Kind() == cc.Void {
			assert.Contains(t, []string{"void", "never"}, row.Result, name)
		} else {
			assert.NotContains(t, []string{"void", "never"}, row.Result, name)
		}
		params := Parameters(f)
		for _, a := range row.Accesses {
			if a.Arg >= len(params) {
				assert.True(t, f.IsVariadic(), "%s has no argument %d", name, a.Arg+1)
				continue
			}
			switch p := params[a.Arg].Type().Decay(); p.Kind() {
			case cc.Ptr, cc.Struct, cc.Union:
			default:
				assert.Equal(t, libc.Keeps, a.Kind, "%s: argument %d is %s", name, a.Arg+1, p)
			}
		}
	}
}

// functionTypes are the types of the functions that our headers declare, and do not define.
func functionTypes(t *testing.T) map[string]*cc.FunctionType {
	t.Helper()
	var text strings.Builder
	text.WriteString("#define _GNU_SOURCE\n")
	for _, header := range ownHeaders(t) {
		if header != "tgmath.h" { // macros for what others declare
			fmt.Fprintf(&text, "#include <%s>\n", header)
		}
	}
	f, err := read(t.Context(), Source{Name: "a.c", Text: []byte(text.String())},
		Options{Model: cfa.LP64, Headers: BuiltinHeaders})
	require.NoError(t, err)
	all := map[string]*cc.FunctionType{}
	for name, nodes := range f.ast.Scope.Nodes {
		for _, n := range nodes {
			d, ok := n.(*cc.Declarator)
			if !ok || d.IsTypename() || d.Linkage() == cc.Internal || strings.HasPrefix(name, "__") ||
				!strings.HasPrefix(d.NameTok().Position().Filename, headerDir) {
				continue
			}
			if typ, ok := d.Type().(*cc.FunctionType); ok {
				all[name] = typ
			}
		}
	}
	return all
}
