package cegar

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/actionref"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/lts"
)

// audited steps a session with checks until a phase has been performed.
func audited(t *testing.T, phase Phase, opt Options) (*Session, []modelState, Event) {
	t.Helper()
	opt.Check = true
	claim := claimOf(t, `int main(void) { __MAGUS_ACTION__("up"); __MAGUS_ACTION__("up"); `+
		`__MAGUS_ACTION__("down"); return 0; }`,
		"S = (up -> up -> down -> return {$0 == 0} -> STOP).\nprogram main { specification s, {(1)}, S; }")
	if opt.ActionAbstraction != On {
		claim = claimOf(t, `int main(void) { int x = __VERIFIER_nondet_int(), n = 0; while (n < 3) { `+
			`if (x > 0) { __MAGUS_ACTION__("up"); x = 5; } else { __MAGUS_ACTION__("down"); x = -5; } n++; } return 0; }`,
			"S = (up -> U | down -> D), U = (up -> U | return {$0 == 0} -> STOP), D = (down -> D | return {$0 == 0} "+
				"-> STOP).\nprogram main { specification s, {(1)}, S; }")
	}
	s, err := NewSession(context.Background(), claim, opt)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	for {
		before, next := s.audit.before(s), s.Next()
		e := s.Step(context.Background())
		if next == phase {
			return s, before, e
		}
		require.NotEqual(t, Finished, s.Next(), "the phase is never performed")
	}
}

// TestAuditFindsFaults: what a phase must not do is noticed.
func TestAuditFindsFaults(t *testing.T) {
	for _, test := range []struct {
		name  string
		phase Phase
		opt   Options
		spoil func(s *Session, before []modelState, e *Event)
		want  string
	}{
		{"nothing", RefineData, Options{}, func(*Session, []modelState, *Event) {}, ""},
		{"a step is missing", AbstractData, Options{}, func(s *Session, _ []modelState, _ *Event) {
			s.audit.checkers[0] = otherChecker(t, `if (n > 5) { __MAGUS_ACTION__("up"); }`)
		}, "does not list every target"},
		{"another alphabet", AbstractData, Options{}, func(s *Session, _ []modelState, _ *Event) {
			s.audit.checkers[0] = otherChecker(t, "")
		}, "the alphabet of main changed"},
		{"predicates that another phase changed", AbstractData, Options{}, func(_ *Session, before []modelState, _ *Event) {
			before[0].set = append(slices.Clone(before[0].set), 1)
		}, "the predicates of main changed too"},
		{"abstract states that another phase changed", Verify, Options{}, func(_ *Session, before []modelState, _ *Event) {
			before[0].mp = nil
		}, "the abstract states of main changed too"},
		{"blocks that another phase changed", Verify, Options{Loop: Loop{ActionAbstraction: On}},
			func(_ *Session, before []modelState, _ *Event) {
				before[0].ma = nil
			}, "the blocks of main changed too"},
		{"a quotient of other transitions", AbstractEvents, Options{Loop: Loop{ActionAbstraction: On}},
			func(s *Session, _ []modelState, _ *Event) {
				var err error
				s.comps[0].ma, err = actionref.Weak(context.Background(), looped(s.comps[0].mp.LTS))
				require.NoError(t, err)
			}, "are not those of their members"},
		{"a refuted trace that is back", AbstractEvents, Options{Loop: Loop{ActionAbstraction: On}},
			func(s *Session, _ []modelState, _ *Event) {
				up, _ := s.actions.Lookup("up")
				s.comps[0].traces = append(s.comps[0].traces, []lts.Action{up, up, up})
			}, "main has the trace [\"up\" \"up\" \"up\"] again"},
		{"a counterexample without a path", Verify, Options{}, func(s *Session, _ []modelState, _ *Event) {
			s.trace = nil
		}, "the counterexample has no path of main"},
		{"a path that MP does not have", ValidateMP, Options{Loop: Loop{ActionAbstraction: Off}},
			func(s *Session, _ []modelState, _ *Event) {
				s.paths[0] = s.paths[0][1:]
			}, "main does not have the path that was found"},
		{"a trace that MP has", ValidateMP, Options{Loop: Loop{ActionAbstraction: Off}},
			func(_ *Session, _ []modelState, e *Event) {
				*e = ValidatedMP{Spurious: true}
			}, "main has the trace that was refuted"},
		{"a path that is still there", AbstractData, Options{}, func(s *Session, _ []modelState, _ *Event) {
			g, c := s.comps[0].abs.Graph, s.comps[0]
			path, err := c.abs.Keep(g.Out(0)[:1])
			require.NoError(t, err)
			c.spurious, c.excluded = append(c.spurious, spuriousPath{path: path}), len(c.spurious)+1
		}, "spurious path 1 of main, which was eliminated, is there again"},
		{"joined blocks", RefineEvents, Options{Loop: Loop{ActionAbstraction: On}},
			func(s *Session, before []modelState, _ *Event) {
				c := s.comps[0]
				before[0].ma, c.ma = c.ma, before[0].ma
			}, "blocks of main were joined"},
		{"the trace is still there", RefineEvents, Options{Loop: Loop{ActionAbstraction: On}},
			func(s *Session, before []modelState, _ *Event) {
				c := s.comps[0]
				c.traces = append(c.traces, nil)
			}, "main still has the trace"},
		{"no containment", Verify, Options{}, func(_ *Session, _ []modelState, e *Event) {
			*e = Verified{Holds: true}
		}, "not contained when asked again"},
		{"no counterexample", Verify, Options{}, func(s *Session, _ []modelState, _ *Event) {
			s.cex = &cex{Counterexample: &lts.Counterexample{}, copies: s.cex.copies}
		}, "the trace is allowed by the specification"},
		{"sets that changed otherwise", RefineData, Options{}, func(_ *Session, _ []modelState, e *Event) {
			r := (*e).(DataRefined)
			r.Added = append(slices.Clone(r.Added), "x == 0")
			*e = r
		}, "the predicates of main are not those before"},
		{"a phase that does not follow", Verify, Options{}, func(s *Session, _ []modelState, _ *Event) {
			s.phase = RefineEvents
		}, "refine events follows, not validate MP"},
		{"a set of no candidates", RefineData, Options{}, func(s *Session, _ []modelState, _ *Event) {
			s.comps[0].set = append(slices.Clone(s.comps[0].set), 1000)
		}, "a predicate was chosen that is no candidate"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, before, e := audited(t, test.phase, test.opt)
			test.spoil(s, before, &e)
			err := s.audit.after(context.Background(), s, before, e)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "fault of this tool")
			require.True(t, isFault(err))
		})
	}
}

// otherChecker checks against a program with another statement in its loop.
func otherChecker(t *testing.T, statement string) *certificate.Checker {
	s, err := NewSession(context.Background(),
		claimOf(t, `int main(void) { int x = __VERIFIER_nondet_int(), n = 0; while (n < 3) { if (x > 0) { `+
			`__MAGUS_ACTION__("down"); x = 5; } else { __MAGUS_ACTION__("down"); x = -5; } `+statement+` n++; } return 0; }`,
			"S = (down -> S | return {$0 == 0} -> STOP).\nprogram main { specification s, {(1)}, S; }"),
		Options{Loop: Loop{Check: true}})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s.audit.checkers[0]
}

// looped is m with one transition more, from the start to the start.
func looped(m *lts.LTS) *lts.LTS {
	b := lts.NewBuilder(m.Actions())
	b.AddStates(m.NumStates())
	b.SetInit(m.Init())
	b.Alphabet(m.Alphabet()...)
	b.AddEdge(m.Init(), m.Alphabet()[len(m.Alphabet())-1], m.Init())
	for st := range lts.State(m.NumStates()) {
		for _, e := range m.Out(st) {
			b.AddEdge(st, e.Action, e.To)
		}
	}
	return b.Build()
}

// A verdict that its certificate does not show becomes unknown.
func TestAuditOfTheVerdict(t *testing.T) {
	s, before, e := audited(t, ValidateC, Options{})
	for {
		if _, ok := e.(Ended); ok {
			break
		}
		before = s.audit.before(s)
		e = s.Step(context.Background())
	}
	require.Equal(t, verdict.Conforms, s.outcome.Verdict)
	require.NoError(t, s.audit.after(context.Background(), s, before, e))
	b := lts.NewBuilder(s.actions)
	b.Alphabet(s.spec.Alphabet()...)
	s.system.Proof = b.Build()
	require.Error(t, s.audit.after(context.Background(), s, before, e))
}
