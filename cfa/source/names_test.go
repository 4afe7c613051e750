package source

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/internal/sample"
)

// The headers that come with magus have the names that the standards list for them, in both data
// models: a missing one would be a syntax error, or a function that nobody declared.
func TestHeadersHaveTheirNames(t *testing.T) {
	text, err := os.ReadFile("testdata/names.txt")
	require.NoError(t, err)
	names := 0
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		fields := strings.Fields(line)
		if fields[0] == "#" || sample.Thinned(i, 2) {
			continue
		}
		header, kind := fields[0], fields[1]
		var b strings.Builder
		fmt.Fprintf(&b, "#include <%s>\n", header)
		for i, name := range fields[2:] {
			names++
			name = strings.NewReplacer("struct_", "struct ", "union_", "union ").Replace(name)
			switch kind {
			case "M":
				fmt.Fprintf(&b, "#ifndef %s\n#error no macro %s\n#endif\n", name, name)
			case "F":
				fmt.Fprintf(&b, "#ifndef %s\nvoid *name%d = (void *)%s;\n#endif\n", name, i, name)
			case "T":
				fmt.Fprintf(&b, "%s *type%d;\n", name, i)
			case "V":
				fmt.Fprintf(&b, "#ifndef %s\n__typeof__(%s) *name%d;\n#endif\n", name, name, i)
			default:
				t.Fatalf("%s: no kind of name", line)
			}
		}
		for _, model := range sampled() {
			t.Run(fmt.Sprint(header, " ", kind, " ", model), func(t *testing.T) {
				_, err := Parse(t.Context(), []Source{{Name: "a.c", Text: []byte(b.String())}},
					Options{Model: model, Headers: BuiltinHeaders})
				require.NoError(t, err)
			})
		}
	}
	if sample.Whole() {
		require.Greater(t, names, 900)
	}
}

// sampled are the data models that a test of all headers looks at: one of them with -short.
func sampled() []cfa.DataModel {
	if testing.Short() {
		return []cfa.DataModel{cfa.LP64}
	}
	return []cfa.DataModel{cfa.LP64, cfa.ILP32}
}
