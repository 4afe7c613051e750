package lower_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// TestChecks: small programs of testdata/checks, each with its verdict in its name.
// The first line of an archive has the options. The other verdict is never given,
// the right one unless it may be unknown, and its certificate is accepted.
func TestChecks(t *testing.T) {
	files, err := filepath.Glob("testdata/checks/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		flags, _, _ := strings.Cut(string(archive.Comment), "\n")
		opt := magus.Options{Loop: magus.Loop{MaxIterations: 40, MaxStates: 50_000, Check: true}}
		opt.CheckPointers = strings.Contains(flags, "--check-pointers")
		opt.CheckLeaks = strings.Contains(flags, "--check-leaks")
		opt.KeepExterns = strings.Contains(flags, "--keep-externs")
		opt.Allocates = strings.Contains(flags, "--malloc=never-fails")
		if strings.Contains(flags, "--array-limit=2") {
			opt.ArrayLimit = 2
		}
		for i, f := range archive.Files {
			if sample.LeftOut(i, 10) {
				continue
			}
			name, verdict, _ := strings.Cut(f.Name, " ")
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+name, func(t *testing.T) {
				_, entry, _ := strings.Cut(flags, "--entry=")
				requireCheck(t, string(f.Data), entry, opt, verdict)
			})
		}
	}
}

// requireCheck decides a program; want is the right one, with " unknown" behind
// it if it need not be found.
func requireCheck(t *testing.T, text, entry string, opt magus.Options, want string) {
	t.Helper()
	right, mayBeUnknown := strings.CutSuffix(want, " unknown")
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(text)}}})
	require.NoError(t, err, text)
	claim, err := p.Property(magus.Property{Entry: entry})
	require.NoError(t, err)
	s, err := magus.NewLoop(t.Context(), claim, opt)
	require.NoError(t, err, text)
	defer s.Close()
	o := s.Run(t.Context(), nil)
	require.NotEqual(t, verdict.Fault, o.Reason.Kind, "%v\n%s", o.Reason, text)
	if mayBeUnknown && o.Verdict == magus.Unknown {
		require.True(t, o.Reason.Place.IsValid() || o.Reason.Kind == verdict.Iterations, "%s\n%s", o.Reason, text)
		return
	}
	require.Equal(t, right, o.Verdict.String(), "%s\n%s", o.Reason, text)
	c, err := s.Certificate(t.Context())
	require.NoError(t, err, text)
	require.NoError(t, magus.Verify(t.Context(), claim, opt, c), text)
}
