package cli_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"magus/lts"
)

// What info, check and compare print as JSON is what the schemas say, whichever way the answer goes.
func TestLTSDocuments(t *testing.T) {
	const dir = "../../docs/lts"
	tests := []struct {
		schema string
		args   []string
		status int
	}{
		{"lts-info", []string{"info", "--json", "sender.aut", "flaky.aut", "buffer.spec:Two", "ring.lts:RING",
			"ring.lts:UNFAIR", "ring.lts:WRONG"}, 0},
		{"lts-info", []string{"info", "--json", "--tau", "retry", "flaky.aut"}, 0},
		{"lts-check", []string{"check", "--json", "turns.lts:TURNS"}, 0},
		{"lts-check", []string{"check", "--json", "--fairness", "none", "turns.lts:TURNS"}, 1},
		{"lts-check", []string{"check", "--json", "ring.lts:RING", "ring.lts:UNFAIR"}, 1},
		{"lts-compare", []string{"compare", "--json", "sender.aut", "sender.aut"}, 0},
		{"lts-compare", []string{"compare", "--json", "sender.aut", "receiver.aut", "buffer.spec:One"}, 1},
		{"lts-compare", []string{"compare", "--json", "--relation", "branching-bisim", "flaky.aut", "sender.aut"}, 1},
		{"lts-compare", []string{"compare", "--json", "--relation", "simulation", "flaky.aut", "sender.aut"}, 1},
		{"lts-compare", []string{"compare", "--json", "--relation", "failures", "buffer.spec:One", "buffer.spec:Two"}, 1},
		{"lts-compare", []string{"compare", "--json", "--relation", "failures-divergences", "--tau", "retry",
			"--restrict", "break", "flaky.aut", "sender.aut"}, 1},
		{"lts-compare", []string{"compare", "--json", "--max-states", "1", "sender.aut", "receiver.aut",
			"buffer.spec:Two"}, 3},
	}
	for _, test := range tests {
		s, err := jsonschema.NewCompiler().Compile("../../docs/schema/" + test.schema + ".schema.json")
		require.NoError(t, err)
		status, out, stderr := ltsRun(dir, test.args...)
		require.Equal(t, test.status, status, "%v: %s", test.args, stderr)
		schema{s}.validate(t, out)
	}
}

// The schemas are closed, and that of compare has the relations that there are.
func TestLTSSchemas(t *testing.T) {
	for name, objects := range map[string]int{"lts-info": 4, "lts-compare": 2, "lts-check": 6} {
		text, err := os.ReadFile("../../docs/schema/" + name + ".schema.json")
		require.NoError(t, err)
		var root map[string]any
		require.NoError(t, json.Unmarshal(text, &root))
		require.Equal(t, objects, closed(t, root))
		if name == "lts-compare" {
			var names []any
			for _, r := range lts.Relations() {
				names = append(names, r.String())
			}
			require.ElementsMatch(t, names, root["properties"].(map[string]any)["relation"].(map[string]any)["enum"])
		}
	}
}
