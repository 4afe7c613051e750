package cli_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

const schemaFile = "../../docs/schema/check.schema.json"

// A schema is a JSON Schema of which the keywords below are understood. Any
// other keyword is an error, so that the schema cannot say what nobody checks.
type schema struct{ root map[string]any }

func checkSchema(t testing.TB) schema {
	t.Helper()
	text, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	var root map[string]any
	require.NoError(t, json.Unmarshal(text, &root))
	return schema{root}
}

// validate requires that a text is one JSON document of the schema.
func (s schema) validate(t testing.TB, text string) {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(text), &v), text)
	require.Empty(t, s.check("$", v, s.root), text)
}

// check lists what is wrong with a value.
func (s schema) check(at string, v any, sch map[string]any) (wrong []string) {
	bad := func(format string, args ...any) { wrong = append(wrong, at+": "+fmt.Sprintf(format, args...)) }
	keys := make([]string, 0, len(sch))
	for k := range sch {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, key := range keys {
		switch want := sch[key]; key {
		case "$schema", "$defs", "title", "description":
		case "$ref":
			name := strings.TrimPrefix(want.(string), "#/$defs/")
			def, ok := s.root["$defs"].(map[string]any)[name].(map[string]any)
			if !ok {
				bad("schema: no definition %v", want)
				break
			}
			wrong = append(wrong, s.check(at, v, def)...)
		case "type":
			if !hasType(v, want.(string)) {
				bad("%T is not %v", v, want)
			}
		case "const":
			if v != want {
				bad("%v is not %v", v, want)
			}
		case "enum":
			if !slices.Contains(want.([]any), v) {
				bad("%v is none of %v", v, want)
			}
		case "minimum":
			if n, ok := v.(float64); ok && n < want.(float64) {
				bad("%v is less than %v", n, want)
			}
		case "minLength":
			if str, ok := v.(string); ok && utf8.RuneCountInString(str) < int(want.(float64)) {
				bad("%q is shorter than %v", str, want)
			}
		case "items":
			if list, ok := v.([]any); ok {
				for i, e := range list {
					wrong = append(wrong, s.check(fmt.Sprintf("%s[%d]", at, i), e, want.(map[string]any))...)
				}
			}
		case "properties", "required", "additionalProperties":
			if object, ok := v.(map[string]any); ok {
				wrong = append(wrong, s.checkObject(at, object, sch, key)...)
			}
		default:
			bad("schema: keyword %s is not understood here", key)
		}
	}
	return wrong
}

func (s schema) checkObject(at string, object, sch map[string]any, key string) (wrong []string) {
	properties, _ := sch["properties"].(map[string]any)
	switch key {
	case "properties":
		for name, p := range properties {
			if v, ok := object[name]; ok {
				wrong = append(wrong, s.check(at+"."+name, v, p.(map[string]any))...)
			}
		}
	case "required":
		for _, name := range sch["required"].([]any) {
			if _, ok := object[name.(string)]; !ok {
				wrong = append(wrong, fmt.Sprintf("%s: no %v", at, name))
			}
		}
	case "additionalProperties":
		for name := range object {
			if _, ok := properties[name]; !ok {
				wrong = append(wrong, fmt.Sprintf("%s: %s is not in the schema", at, name))
			}
		}
	}
	return wrong
}

func hasType(v any, name string) bool {
	switch v := v.(type) {
	case map[string]any:
		return name == "object"
	case []any:
		return name == "array"
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	}
	return false
}

// The validator notices what it is there to notice.
func TestSchemaRefuses(t *testing.T) {
	s := checkSchema(t)
	good := `{"schema":"magus-check-1","version":"v","verdict":"unknown","claims":[],"warnings":[],"resources":{"seconds":0,"peakMemoryBytes":1}}`
	s.validate(t, good)
	tests := []struct{ from, to, want string }{
		{`"unknown"`, `"safe"`, "$.verdict: safe is none of [conforms violates unknown]"},
		{`"claims":[]`, `"claims":{}`, "$.claims: map[string]interface {} is not array"},
		{`"version":"v",`, ``, "$: no version"},
		{`"version":"v"`, `"version":"v","more":1`, "$: more is not in the schema"},
		{`:1}`, `:1.5}`, "$.resources.peakMemoryBytes: float64 is not integer"},
		{`"seconds":0`, `"seconds":-1`, "$.resources.seconds: -1 is less than 0"},
		{`"warnings":[]`, `"warnings":[{"text":""}]`, `$.warnings[0].text: "" is shorter than 1`},
		{`magus-check-1`, `magus-check-0`, `$.schema: magus-check-0 is not magus-check-1`},
	}
	for _, test := range tests {
		text := strings.Replace(good, test.from, test.to, 1)
		require.NotEqual(t, good, text)
		var v any
		require.NoError(t, json.Unmarshal([]byte(text), &v))
		require.Equal(t, []string{test.want}, s.check("$", v, s.root))
	}
	require.NotEmpty(t, s.check("$", "x", map[string]any{"pattern": "y"}))
}
