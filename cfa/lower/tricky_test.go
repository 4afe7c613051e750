package lower_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// TestTrickyC: small programs of testdata/c, a feature of C each, with verdicts
// that are known: in the name, or by the value that gcc's program computes, which
// is asked for by two claims, one true and one false. One is decided with one
// level of abstraction, the other with two (a campaign decides both with both), all
// phases are checked, and the certificate is verified. Where the name says unknown, a verdict must only not be wrong.
func TestTrickyC(t *testing.T) {
	files, err := filepath.Glob("testdata/c/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		require.NotEmpty(t, archive.Files)
		for i, f := range archive.Files {
			if sample.LeftOut(i, 20) {
				continue
			}
			name, verdict, _ := strings.Cut(f.Name, " ")
			value, unknown := strings.CutSuffix(verdict, " unknown")
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+name, func(t *testing.T) {
				text := "extern void reach_error(void);\nextern void abort(void);\n" + string(f.Data)
				switch value {
				case "conforms":
					requireVerdict(t, text, levels(i), magus.Violates, magus.Conforms, false)
				case "violates":
					requireVerdict(t, text, levels(i), magus.Conforms, magus.Violates, false)
				case "unknown":
					requireVerdict(t, text, levels(i), magus.Conforms, magus.Violates, true)
				default:
					if i%2 == 0 || sample.Campaign() { // the suite asks one of the two
						requireVerdict(t, text+claimValue("!=", value), levels(i/2), magus.Violates, magus.Conforms, unknown)
					}
					if i%2 == 1 || sample.Campaign() {
						requireVerdict(t, text+claimValue("==", value), levels(i/2), magus.Conforms, magus.Violates, unknown)
					}
				}
			})
		}
	}
}

// levels are with one level of abstraction or with two: the suite takes one of them in turn.
func levels(i int) []cegar.Switch {
	both := []cegar.Switch{cegar.Off, cegar.On}
	if sample.Campaign() {
		return both
	}
	return both[i%2 : i%2+1]
}

// claimValue is a program that performs the action error if t() compares so.
func claimValue(op, value string) string {
	return fmt.Sprintf("int main(void) { if ((long long)t() %s %sLL) reach_error(); return 0; }\n", op, value)
}

// requireVerdict decides a program. The wrong verdict is never given, the right
// one unless it may be unknown.
func requireVerdict(t *testing.T, text string, levels []cegar.Switch, wrong, right magus.Verdict, mayBeUnknown bool) {
	t.Helper()
	ctx := context.Background()
	for _, two := range levels {
		p, err := magus.Load(ctx, magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(text)}}})
		require.NoError(t, err, text)
		claim, err := p.Property(magus.Property{})
		require.NoError(t, err, text)
		opt := magus.Options{Loop: magus.Loop{ActionAbstraction: two, Check: two == cegar.On, MaxIterations: 40}}
		s, err := magus.NewLoop(ctx, claim, opt)
		if mayBeUnknown && err != nil {
			return // refused
		}
		require.NoError(t, err, text)
		defer s.Close()
		o := s.Run(ctx, nil)
		require.NotEqual(t, wrong, o.Verdict, text)
		require.NotEqual(t, verdict.Fault, o.Reason.Kind, text)
		if mayBeUnknown && o.Verdict == magus.Unknown {
			continue
		}
		require.Equal(t, right, o.Verdict, "%s\n%s", o.Reason, text)
		c, err := s.Certificate(ctx)
		require.NoError(t, err, text)
		require.NoError(t, magus.Verify(ctx, claim, opt, c), text)
	}
}
