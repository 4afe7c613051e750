package magus_test

import (
	"context"
	"magus/cfa"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// TestPointers: small programs with pointers, structures, arrays and allocated
// memory, each written to catch one way of being wrong about them. The name
// begins with the verdict; the verdict may be unknown, but not the other one.
// Those whose first line says so have pointers checked or another entry.
func TestPointers(t *testing.T) {
	files, err := filepath.Glob("testdata/memory/*.c")
	require.NoError(t, err)
	decided := 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			sample.Part(t, 4)
			want, other := magus.Conforms, magus.Violates
			if strings.HasPrefix(filepath.Base(file), "violates_") {
				want, other = other, want
			}
			o := readSmall(t, file).outcome(t)
			require.NotEqual(t, other, o.Verdict)
			require.NotEqual(t, verdict.Fault, o.Reason.Kind)
			if o.Verdict == want {
				decided++
			}
		})
	}
	t.Logf("%d of %d decided", decided, len(files))
	if sample.Whole() {
		require.Greater(t, 4*decided, 3*len(files))
	}
}

// A small program, with what its first line says.
type small struct {
	name     string
	text     []byte
	entry    string
	pointers bool // are checked
}

func readSmall(t *testing.T, file string) small {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	p := small{filepath.Base(file), text, "main", strings.HasPrefix(string(text), "// check pointers")}
	if m := regexp.MustCompile(`^// entry (\w+)`).FindSubmatch(text); m != nil {
		p.entry = string(m[1])
	}
	return p
}

// outcome is that of the property that error never happens.
func (s small) outcome(t *testing.T) *magus.Outcome {
	p, err := magus.Load(context.Background(), magus.Input{C: []source.Source{{Name: s.name, Text: s.text}}})
	require.NoError(t, err)
	claim, err := p.Property(magus.Property{Entry: s.entry})
	require.NoError(t, err)
	session, err := cegar.NewSession(context.Background(), claim,
		cegar.Options{Loop: cegar.Loop{MaxIterations: 30}, Modelling: cfa.Modelling{CheckPointers: s.pointers}})
	require.NoError(t, err)
	defer session.Close()
	return session.Run(context.Background(), nil)
}
