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
	"magus/specs"
)

// TestContracts: small programs of testdata/contracts with abstractions of what they call. A file has the name of a
// case, the procedure that is checked and the verdict; the text of the program, a line of dashes, and the
// specification. The first line says with which text the assumptions have to be told, if there is one behind
// "assumed:". The other verdict is never given, the right one unless it may be unknown, and its certificate
// is accepted.
func TestContracts(t *testing.T) {
	files, err := filepath.Glob("testdata/contracts/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		for _, f := range archive.Files {
			head := strings.Fields(f.Name)
			require.GreaterOrEqual(t, len(head), 3, f.Name)
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+head[0], func(t *testing.T) {
				c, spec, ok := strings.Cut(string(f.Data), "\n----\n")
				require.True(t, ok)
				requireContract(t, c, spec, head[1], strings.Join(head[2:], " "))
			})
		}
	}
}

// requireContract checks all claims about a procedure: the verdict is the worst of them.
func requireContract(t *testing.T, c, spec, procedure, want string) {
	t.Helper()
	right, mayBeUnknown := strings.CutSuffix(want, " unknown")
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(c)}},
		Specs: []specs.Source{{Name: "p.spec", Text: []byte(spec)}}})
	if right == "refused" {
		require.Error(t, err)
		return
	}
	require.NoError(t, err, c)
	claims, err := p.Claims(magus.Selection{Procedure: procedure})
	require.NoError(t, err)
	require.NotEmpty(t, claims)
	got := magus.Conforms
	for _, claim := range claims {
		opt := magus.Options{Loop: magus.Loop{MaxIterations: 40, MaxStates: 50_000, Check: true}}
		s, err := magus.NewLoop(t.Context(), claim, opt)
		require.NoError(t, err, c)
		o := s.Run(t.Context(), nil)
		require.NotEqual(t, verdict.Fault, o.Reason.Kind, "%s\n%s", o.Reason, c)
		switch {
		case o.Verdict == magus.Violates:
			got = o.Verdict
		case o.Verdict == magus.Unknown && got == magus.Conforms:
			got = o.Verdict
			if !mayBeUnknown {
				t.Log(o.Reason)
			}
		}
		if o.Verdict != magus.Unknown {
			cert, err := s.Certificate(t.Context())
			require.NoError(t, err, c)
			require.NoError(t, magus.Verify(t.Context(), claim, opt, cert), c)
		}
		s.Close()
	}
	if mayBeUnknown && got == magus.Unknown {
		return
	}
	require.Equal(t, right, got.String(), "%s\n----\n%s", c, spec)
}
