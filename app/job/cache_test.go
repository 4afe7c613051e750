package job

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/engine/cegar"
	"magus/predabs"
)

// What another build has left is used but for its answers, and what was changed is not used at all.
func TestForeignCache(t *testing.T) {
	left, err := json.Marshal(cegar.Left{Traces: []cegar.LeftTraces{{Component: "f", Traces: [][]string{{"a"}}}}, Answers: predabs.Answers{"00": {1}}})
	require.NoError(t, err)
	build, err := build()
	require.NoError(t, err)
	p := &predicates{files: []string{"f.c"}, build: build}
	file := func(change func(*predicatesFile), sealed bool) (cegar.Left, string) {
		f := predicatesFile{Format: predicatesFormat, Claim: "c", Files: p.files, Build: build, Components: left}
		f.Sum = f.sum()
		change(&f)
		if sealed {
			f.Sum = f.sum()
		}
		text, err := json.Marshal(f)
		require.NoError(t, err)
		return p.read("c", text)
	}
	got, why := file(func(*predicatesFile) {}, true)
	require.Empty(t, why)
	require.Len(t, got.Answers, 1)
	require.Len(t, build, 64)
	got, why = file(func(f *predicatesFile) { f.Build = "another" }, true)
	require.Empty(t, why)
	require.Empty(t, got.Answers)
	require.Len(t, got.Traces, 1)
	for name, change := range map[string]func(*predicatesFile){
		"changed":       func(f *predicatesFile) { f.Components = []byte(`{"Answers":{"00":[2]}}`) },
		"another build": func(f *predicatesFile) { f.Build = "another" },
		"version":       func(f *predicatesFile) { f.Format = "magus predicates 1" },
		"claim":         func(f *predicatesFile) { f.Claim = "d" },
	} {
		got, why := file(change, name == "claim")
		require.NotEmpty(t, why, name)
		require.Empty(t, got, name)
	}
}
