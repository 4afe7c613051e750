package cli_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"magus/app/report"
	"magus/cfa"
	"magus/evidence/verdict"
)

const schemaFile = "../../docs/schema/check.schema.json"

// A schema is that of the report. It is itself one that its draft allows.
type schema struct{ compiled *jsonschema.Schema }

func checkSchema(t testing.TB) schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(schemaFile)
	require.NoError(t, err)
	return schema{s}
}

// validate requires that a text is one JSON document of the schema.
func (s schema) validate(t testing.TB, text string) {
	t.Helper()
	require.NoError(t, s.check(t, text), text)
}

// check is what is wrong with a document.
func (s schema) check(t testing.TB, text string) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err, text)
	return s.compiled.Validate(v)
}

// The schema refuses what no report has.
func TestSchemaRefuses(t *testing.T) {
	s := checkSchema(t)
	good := `{"schema":"` + report.SchemaID +
		`","version":"v","verdict":"unknown","claims":[],"warnings":[],"resources":{"seconds":0,"peakMemoryBytes":1}}`
	s.validate(t, good)
	tests := []struct{ from, to, at, want string }{
		{`"unknown"`, `"safe"`, "verdict", "enum"},
		{`"claims":[]`, `"claims":{}`, "claims", "type"},
		{`"version":"v",`, ``, "", "required"},
		{`"version":"v"`, `"version":"v","more":1`, "", "additionalProperties"},
		{`:1}`, `:1.5}`, "resources/peakMemoryBytes", "type"},
		{`"seconds":0`, `"seconds":-1`, "resources/seconds", "minimum"},
		{`"warnings":[]`, `"warnings":[{"text":""}]`, "warnings/0/text", "minLength"},
		{report.SchemaID, `magus-check-0`, "schema", "const"},
	}
	for _, test := range tests {
		text := strings.Replace(good, test.from, test.to, 1)
		require.NotEqual(t, good, text)
		var wrong *jsonschema.ValidationError
		require.ErrorAs(t, s.check(t, text), &wrong, text)
		require.Equal(t, []string{test.at + ": " + test.want}, leaves(wrong))
	}
}

// leaves are the innermost errors: the place and the keyword.
func leaves(e *jsonschema.ValidationError) []string {
	if len(e.Causes) == 0 {
		path := e.ErrorKind.KeywordPath()
		return []string{strings.Join(e.InstanceLocation, "/") + ": " + path[len(path)-1]}
	}
	var all []string
	for _, c := range e.Causes {
		all = append(all, leaves(c)...)
	}
	return all
}

// Every object of the schema is closed and says what it has to have, and no
// keyword is misspelt: an unknown one would be passed over.
func TestSchemaIsClosed(t *testing.T) {
	text, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	var root map[string]any
	require.NoError(t, json.Unmarshal(text, &root))
	require.Greater(t, closed(t, root), 8)
}

// closed counts the objects of a schema.
func closed(t *testing.T, s map[string]any) (objects int) {
	if s["type"] == "object" {
		objects++
		require.Equal(t, false, s["additionalProperties"], s)
		require.NotEmpty(t, s["required"], s)
		for _, name := range s["required"].([]any) {
			require.Contains(t, s["properties"], name)
		}
	}
	for keyword, value := range s {
		switch keyword {
		case "properties", "$defs":
			for _, part := range value.(map[string]any) {
				objects += closed(t, part.(map[string]any))
			}
		case "items":
			objects += closed(t, value.(map[string]any))
		default:
			require.Contains(t, []string{"$schema", "$ref", "title", "description", "type", "const", "enum",
				"minimum", "minLength", "required", "additionalProperties"}, keyword)
		}
	}
	return objects
}

// TestSchemaKinds: the schema has the kinds of reasons and of assumptions that there
// are.
func TestSchemaKinds(t *testing.T) {
	text, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	var root struct {
		Defs struct {
			Kinds       struct{ Enum []verdict.Kind } `json:"reasonKind"`
			Assumptions struct{ Enum []cfa.Kind }     `json:"assumptionKind"`
			Blocker     struct {
				Properties struct {
					Kind struct{ Enum []cfa.BlockerKind } `json:"kind"`
				} `json:"properties"`
			} `json:"obstacle"`
			Doubt struct {
				Properties struct {
					Kind struct{ Enum []verdict.DoubtKind } `json:"kind"`
				} `json:"properties"`
			} `json:"doubt"`
		} `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(text, &root))
	require.Equal(t, constants[verdict.Kind](t, "../../evidence/verdict/reason.go"), root.Defs.Kinds.Enum)
	require.Equal(t, constants[cfa.Kind](t, "../../cfa/assumption.go"), root.Defs.Assumptions.Enum)
	require.Equal(t, constants[cfa.BlockerKind](t, "../../cfa/sight.go"), root.Defs.Blocker.Properties.Kind.Enum)
	require.Equal(t, constants[verdict.DoubtKind](t, "../../evidence/verdict/coverage.go"),
		root.Defs.Doubt.Properties.Kind.Enum)
}

// constants are the constants of a type that a file declares, in their order, the empty one left out.
func constants[K ~string](t *testing.T, file string) (all []K) {
	t.Helper()
	name := reflect.TypeFor[K]().Name()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	for n := range ast.Preorder(f) {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if of, ok := spec.Type.(*ast.Ident); ok && of.Name == name {
			text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			if text != "" {
				all = append(all, K(text))
			}
		}
	}
	return all
}
