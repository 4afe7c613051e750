package lower_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// TestMemoryThatComesAgain: random programs that free and allocate, and compare pointers, against all addresses that
// their memory may have. What is computed with some addresses never conforms, but, with an assumption on the layout of
// memory, where memory is larger than what was at its address before. What is computed with none is never violated.
func TestMemoryThatComesAgain(t *testing.T) {
	decided, told := 0, 0
	for i := range sample.Count(12) {
		a := cfatest.NewAgain(sample.Seed(1)+uint64(i), false)
		for _, number := range append(slices.Clone(a.All), a.Other()) {
			text := a.Claim(number)
			o := again(t, text)
			layout := slices.ContainsFunc(o.Assumptions, func(w cfa.Warning) bool { return w.Kind == cfa.AboutLayout })
			switch {
			case slices.Contains(a.Fitting, number):
				require.NotEqual(t, magus.Conforms, o.Verdict, text)
			case slices.Contains(a.All, number):
				require.True(t, o.Verdict != magus.Conforms || layout, text)
			default:
				require.NotEqual(t, magus.Violates, o.Verdict, text)
			}
			if o.Verdict != magus.Unknown {
				decided++
			}
			if o.Verdict == magus.Conforms && slices.Contains(a.All, number) {
				told++
			}
		}
	}
	t.Logf("%d decided, %d of them with an assumption on the layout of memory", decided, told)
	if !sample.Whole() {
		return
	}
	require.Greater(t, decided, 2*told)
}

func again(t *testing.T, text string) *magus.Outcome {
	t.Helper()
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(text)}}})
	require.NoError(t, err, text)
	property, err := p.Property(magus.Property{})
	require.NoError(t, err, text)
	limits := cegar.Loop{MaxIterations: 20, MaxStates: 10_000}
	s, err := cegar.NewSession(t.Context(), property, cegar.Options{Loop: limits})
	require.NoError(t, err, text)
	defer s.Close()
	o := s.Run(t.Context(), nil)
	require.NotEqual(t, verdict.Fault, o.Reason.Kind, text)
	return o
}
