package cegar

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/source"
	"magus/component"
	"magus/specs"
)

// sourcesOf reads C and specification files; read gives what they include.
func sourcesOf(t *testing.T, c []source.Source, spec []specs.Source, read func(string) ([]byte, error)) *component.Sources {
	t.Helper()
	program, err := source.Parse(context.Background(), c, source.Options{ReadFile: read})
	require.NoError(t, err)
	s := &component.Sources{Program: program, Specs: &specs.File{}, LongWidth: 64}
	if len(spec) > 0 {
		s.Specs, err = specs.Parse(context.Background(), spec, read)
		require.NoError(t, err)
	}
	return s
}

// claimsOf are all claims about the files of a folder, or that error never
// happens.
func claimsOf(t *testing.T, dir string, files []string, property bool) []*component.Claim {
	t.Helper()
	read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, filepath.Base(name))) }
	var c []source.Source
	var spec []specs.Source
	for _, name := range files {
		text, err := read(name)
		require.NoError(t, err)
		if filepath.Ext(name) == ".c" {
			c = append(c, source.Source{Name: name, Text: text})
		} else {
			spec = append(spec, specs.Source{Name: name, Text: text})
		}
	}
	s := sourcesOf(t, c, spec, read)
	if property {
		return []*component.Claim{s.ErrorClaim("main", component.NoError, []string{"reach_error", "__VERIFIER_error"}, nil)}
	}
	return claims(s)
}

// claims are all that the specifications make.
func claims(s *component.Sources) []*component.Claim {
	var all []*component.Claim
	for _, proc := range s.Specs.Procedures {
		if !s.Program.HasBody(proc.Name) {
			continue
		}
		for _, a := range proc.Abstracts {
			all = append(all, s.ProcedureClaim(proc, a))
		}
	}
	for _, prog := range s.Specs.Programs {
		for _, spec := range prog.Specs {
			all = append(all, s.ProgramClaim(prog, spec))
		}
	}
	return all
}

// example is the first claim of an example, or that error never happens, if there is no specification.
func example(t *testing.T, dir string, c, spec []string) *component.Claim {
	t.Helper()
	return claimsOf(t, filepath.Join("..", "..", "examples", dir), append(append([]string{}, c...), spec...),
		len(spec) == 0)[0]
}

// claimOf is the first claim about a program.
func claimOf(t *testing.T, c, spec string) *component.Claim {
	t.Helper()
	return claims(sourcesOf(t, []source.Source{{Name: "p.c", Text: []byte(c)}},
		[]specs.Source{{Name: "p.spec", Text: []byte(spec)}}, nil))[0]
}
