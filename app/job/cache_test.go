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
	left, err := json.Marshal(cegar.Left{Traces: []cegar.LeftTraces{{Component: "f", Traces: [][]string{{"a"}}}},
		Answers: predabs.Answers{"00": {1}}})
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

// Whatever a file of predicates says, it is used as a check has left it, or it is said why it is not.
func FuzzPredicates(f *testing.F) {
	p := &predicates{files: []string{"f.c"}, build: "b"}
	left, err := json.Marshal(cegar.Left{Traces: []cegar.LeftTraces{{Component: "f", Traces: [][]string{{"a"}}}},
		Answers: predabs.Answers{"00": {1}}})
	if err != nil {
		f.Fatal(err)
	}
	file := predicatesFile{Format: predicatesFormat, Claim: "c", Files: p.files, Build: p.build, Components: left}
	file.Sum = file.sum()
	text, err := json.Marshal(file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, why := p.read("c", text)
		if why != "" {
			require.Empty(t, got)
		}
	})
}
