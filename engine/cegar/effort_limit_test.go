package cegar

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/source"
	"magus/component"
	"magus/evidence/verdict"
)

// errorClaim is that error never happens in a program.
func errorClaim(t *testing.T, c string) *component.Claim {
	t.Helper()
	s := sourcesOf(t, []source.Source{{Name: "a.c", Text: []byte(c)}}, nil, nil)
	return s.ErrorClaim("main", component.NoError, []string{"reach_error"}, nil)
}

// counted is a counter that a test has work.
type counted struct{ done int64 }

func (c *counted) Effort() int64 { return c.done }

func TestEffortLimit(t *testing.T) {
	t.Run("effort", func(t *testing.T) {
		w := &counted{100}
		ctx := limitEffort(t.Context(), w, 10)
		w.done = 110
		require.NoError(t, ctx.Err())
		w.done = 111
		require.Error(t, ctx.Err())
		require.True(t, ctx.exceeded())
		<-ctx.Done() // who waits is told
		w.done = 0
		require.Error(t, ctx.Err(), "it stays ended")
	})
	t.Run("the one around", func(t *testing.T) {
		enough := errors.New("enough")
		around, end := context.WithCancelCause(t.Context())
		ctx := limitEffort(around, &counted{}, 10)
		end(enough)
		require.Error(t, ctx.Err())
		require.False(t, ctx.exceeded())
		require.ErrorIs(t, context.Cause(ctx.Context), enough)
	})
	t.Run("first the one around", func(t *testing.T) {
		w := &counted{}
		around, end := context.WithCancelCause(t.Context())
		ctx := limitEffort(around, w, 10)
		end(errors.New("enough"))
		require.Error(t, ctx.Err())
		w.done = 1000
		require.Error(t, ctx.Err())
		require.False(t, ctx.exceeded())
	})
}

// product has questions about multiplication in its choice of predicates: an inequality, which no normal
// form decides.
const product = `extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
int main(void) {
	unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), n = 0;
	if (a > 12 || b > 12) return 0;
	unsigned p = (a + b) * (a + b), q = 4 * a * b;
	while (__VERIFIER_nondet_uint()) { n++; if (n > 3) n = 0; }
	if (p < q && n < 4) reach_error();
	if (n > 3) reach_error();
	return 0;
}`

// TestChoicesArePutOff: a choice that takes long is put off, with the predicates of before; the same step
// gives the same event again; and the verdict is that of a session that puts nothing off.
func TestChoicesArePutOff(t *testing.T) {
	s, err := NewSession(t.Context(), errorClaim(t, product), Options{Loop: Loop{FirstShare: 1}})
	require.NoError(t, err)
	defer s.Close()
	off := 0
	for s.outcome == nil {
		before := s.Snapshot()
		e := s.Step(t.Context())
		r, ok := e.(DataRefined)
		if !ok || !r.PutOff {
			continue
		}
		off++
		after := s.Snapshot()
		require.Greater(t, s.effort, before.state.effort, "the next one may take longer")
		require.Contains(t, []Phase{Unroll, Execute}, s.Next())
		s.Restore(before)
		again := s.Step(t.Context())
		if d, ok := again.(DataRefined); ok && d.PutOff { // what was remembered may suffice now
			require.Equal(t, e, again)
		}
		s.Restore(after)
	}
	require.Positive(t, off)
	require.Equal(t, verdict.Conforms, s.outcome.Verdict, "%v", s.outcome.Reason)
}

// digits has a product of 64 bits in each round, which the abstraction asks about once a predicate names one.
const digits = `#include <stdlib.h>
extern void reach_error(void);
int main(void) { if (strtoll("9223372036854775807", 0, 10) != 1) reach_error(); return 0; }`

// TestAbstractionsArePutOff: an abstraction that takes long is put off, and the bounded search finds what it is not
// needed for.
func TestAbstractionsArePutOff(t *testing.T) {
	s, err := NewSession(t.Context(), errorClaim(t, digits), Options{})
	require.NoError(t, err)
	defer s.Close()
	off := 0
	for s.outcome == nil {
		if e, ok := s.Step(t.Context()).(DataAbstracted); ok && e.PutOff {
			off++
			require.Contains(t, []Phase{Unroll, Execute}, s.Next())
			require.Contains(t, e.String(), "put off")
		}
	}
	require.Positive(t, off)
	require.Equal(t, verdict.Violates, s.outcome.Verdict, "%v", s.outcome.Reason)
}

// TestFarViolationIsTold: what was found with many rounds as one step is replayed round by round, and told.
func TestFarViolationIsTold(t *testing.T) {
	s, err := NewSession(t.Context(), errorClaim(t, `extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
	unsigned x = 0;
	unsigned char c = 0;
	if (__VERIFIER_nondet_int()) return 0;
	while (x < 9000) { x++; c += 3; }
	if (c == (unsigned char)27000) reach_error();
	return 0;
}`), Options{})
	require.NoError(t, err)
	defer s.Close()
	o := s.Run(t.Context(), nil)
	require.Equal(t, verdict.Violates, o.Verdict, "%v", o.Reason)
	require.True(t, o.Loop.Accelerated)
	require.Greater(t, len(o.Run.Steps), 3*9000)
}
